"""Bad input to Rolling Stone, and every code that it gives: each with its rule and one plain sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import assistant.games
from assistant.cards import parse_cards
from assistant.games.game import Action, Fact, GameError, InvalidInput, Notice, Setup
from assistant.games.rolling_stone import GAME
from assistant.record import parse_record, replay
from tests.assistant.games.stone_deals import STONE, begun, dealt, played, refusal, without_hands

SOURCES = Path(assistant.games.__file__).parent
HERE = Path(__file__).parent
RAISING = {"_refuse", "_bad_option", "InvalidInput", "AmbiguousInput", "IllegalAction"}
TELLING = {"Notice", "Fact", "Fault"}
EIGHT = "7S 8S 9S TS JS QS KS AS"

BAD_SETUPS = [
    ("bad-players", "RST-1", Setup(STONE, 3, 1), "players"),
    ("bad-dealer", "RST-4", Setup(STONE, 4, 5), "dealer"),
    ("bad-names", "RST-1", Setup(STONE, 4, 1, names=("Ann",)), "names"),
    ("wrong-game", "RST-1", Setup("sbros", 4, 1), "game"),
    ("wrong-table-size", "RST-5", Setup(STONE, 4, 1, parse_cards("7S")), "table"),
    ("no-such-seat", "RST-1", Setup(STONE, 4, 1, hands={5: parse_cards(EIGHT)}), "hand 5"),
    ("wrong-hand-size", "RST-5", Setup(STONE, 4, 1, hands={2: parse_cards("7S 8S")}), "hand 2"),
    ("wrong-pack", "RST-2", Setup(STONE, 4, 1, hands={2: parse_cards("6? 8S 9S TS JS QS KS AS")}), "hand 2"),
    ("card-twice", "RST-2", Setup(STONE, 4, 1, hands={2: parse_cards("7S 7S 9S TS JS QS KS AS")}), "hand 2"),
    (
        "card-twice",
        "RST-2",
        Setup(STONE, 4, 1, hands={2: parse_cards(EIGHT), 3: parse_cards("7H 8H 9H TH JH QH KH AS")}),
        "hand 3",
    ),
    ("five-of-a-rank", "RST-2", Setup(STONE, 4, 1, hands={2: parse_cards("7? 7? 7S 7? 7? ?? ?? ??")}), "hand 2"),
    ("unknown-option", "RST-1", Setup(STONE, 4, 1, options={"jokers": "on"}), "options"),
    ("bad-option", "RST-9", Setup(STONE, 4, 1, options={"lead_bar": "on"}), "options"),
    ("bad-option", "RST-1", Setup(STONE, 4, 1, options={"players": "3"}), "options"),
    ("bad-option", "RST-13", Setup(STONE, 4, 1, options={"stop": "leads_0"}), "options"),
    ("bad-option", "RST-13", Setup(STONE, 4, 1, options={"stop": "leads_801"}), "options"),
    ("bad-option", "RST-13", Setup(STONE, 4, 1, options={"stop": "leads_N"}), "options"),
    ("endless", "RST-13", Setup(STONE, 4, 1, options={"stop": "off", "lead_bar": "off"}), "options"),
]


@pytest.mark.parametrize(("code", "rule", "setup", "about"), BAD_SETUPS)
def test_a_set_up_that_can_not_be_is_refused(code: str, rule: str, setup: Setup, about: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        GAME.deal(setup)
    error = caught.value
    assert (error.code, error.rule, error.about) == (code, rule, about)
    assert 10 < len(error.reason) < 240
    assert "\n" not in error.reason


def test_a_bad_option_names_its_values() -> None:
    with pytest.raises(InvalidInput, match="option stop can be pickups_15n, leads_N, off, not 'soon'"):
        GAME.deal(Setup(STONE, 4, 1, options={"stop": "soon"}))


def test_a_record_is_read_replayed_and_refused_at_its_line() -> None:
    text = "game: rolling-stone\nplayers: 4\ndealer: 1\noptions: lead_bar=cards\n\n2 play 9C\n3 play 8D\n"
    done = replay(parse_record(text))
    assert not done.ok
    assert done.error is not None
    assert done.failed is not None
    assert (done.error.code, done.line_of(done.failed)) == ("off-suit", 7)


@pytest.mark.parametrize(
    "line", ["0 play 9C", "2 play ZZ", "2 play", "2", "play 9C", "2 fold", "2 play 9C 9C", "99 pick-up"]
)
def test_nonsense_is_an_error_and_never_another_exception(line: str) -> None:
    with pytest.raises(GameError):
        begun(Setup(STONE, 4, 1)).apply(Action.parse(line))


def codes_in(calls: set[str], *modules: str) -> Iterator[str]:
    """The codes that some modules give, as far as they stand there as literals."""
    for module in modules:
        for node in ast.walk(ast.parse((SOURCES / f"{module}.py").read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name) and node.func.id in calls:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


def test_every_code_of_a_refusal_is_in_some_test() -> None:
    tests = "".join(path.read_text("utf-8") for path in HERE.glob("test_*stone*.py"))
    codes = set(codes_in(RAISING, "rolling_stone", "stone_setup", "one_pack"))
    assert len(codes) > 20
    assert {code for code in codes if f'"{code}"' not in tests} == set()


def test_everything_that_is_told_has_a_code_a_rule_and_a_sentence() -> None:
    """Random deals, seen and unseen, some of them stopped: every kind of notice and fact is met."""
    met = set()
    for seed in range(30):
        options = {} if seed % 2 else {"stop": "leads_20", "lead_bar": "cards"}
        if seed % 5 == 0:
            options |= {"end_moment": "trick_finished"}
        setup = dealt(4 + seed % 3, seed=seed, options=options)
        whole = played(setup, seed)
        seen = begun(without_hands(setup, 1))
        for position, action in zip(whole, [*whole[-1].actions, None], strict=True):
            tellings: list[Notice | Fact] = [*seen.notices(), *seen.facts(), *position.notices(), *position.facts()]
            for told in tellings:
                assert re.fullmatch(r"RST-\d+", told.rule), told
                assert re.fullmatch(r"[A-Z0-9][^\n]{10,240}\.", told.text), told
                met.add(told.code)
            if action is not None:
                seen = seen.apply(action)
    known = set(codes_in(TELLING, "stone_facts"))
    assert met == known - {"revoke", "somebody-revoked", "stop-near"}


def test_the_refusals_of_a_deal_that_is_over() -> None:
    last = played(dealt(4))[-1]
    assert refusal(last, "9 pick-up").code == "no-such-seat"
    assert refusal(last, "1 pick-up").code == "deal-over"
