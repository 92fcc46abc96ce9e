"""Everything that the engine refuses or tells has a code, the rule's number and one plain sentence with its cards.

The codes are read from the source, so that a new one without an example here is found.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.cards import Card, parse_cards
from assistant.games.game import Action, Fact, GameError, Notice, Setup
from assistant.games.laugh_and_lie_down import LaughAndLieDown, LaughPosition
from assistant.games.settlement import SCALES, settle
from assistant.told import Rank
from tests.assistant.laugh_deals import LAUGH, at, begun, dealt, played, without_hands

GAMES = Path(__file__).parents[2] / "assistant" / "games"
REFUSING = {"_refuse", "_bad_option", "InvalidInput", "AmbiguousInput", "IllegalAction", "SettlementRefused"}
TELLING = {"Notice", "Fact", "Mistake", "Fault"}
RULE = re.compile(r"(LLD|RST|SBR)-\d+[abc]?")


def codes_in(calls: set[str], *modules: str) -> Iterator[str]:
    """The codes that some modules of the games give, as far as they stand there as literals."""
    for path in (GAMES / f"{module}.py" for module in modules):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if called in calls and isinstance(node.args[0].value, str):
                    yield node.args[0].value


TABLE = "KS KD KH 2S 2H 2D 2C 5S 6S 7S 8S 9S"
Start = Callable[[], LaughPosition]


def midway() -> LaughPosition:
    """Seat 2 to act; 4 and 1 are out; seat 3 is the dealer."""
    return at("KS KD KH 2C 9D", {2: "KC 9C 9S 4S 4H", 3: "3S 3H 3C", 5: "JS"}, {1: "QS QH"}, dealer=3)


def unseen() -> LaughPosition:
    return begun(without_hands(dealt(5, table=TABLE)))


def with_option(**options: str) -> Start:
    return lambda: at("KS KD KH 2C", {2: "KC 9C 9S 9H", 3: "3S 2H", 5: "JS"}, options=options)


def after(start: Start, *lines: str) -> Start:
    def position() -> LaughPosition:
        reached = start()
        for line in lines:
            reached = reached.apply(Action.parse(line))
        return reached

    return position


REFUSED: list[tuple[str, str, Start, str]] = [
    ("no-such-seat", "LLD-2", midway, "9 mate KC KS"),
    ("unknown-verb", "LLD-20", midway, "2 pass"),
    ("deal-over", "LLD-21", after(lambda: at("KS", {2: "KH", 3: "3S"}, to_act=3), "3 lie-down 3S"), "2 mate KH KS"),
    ("lies-down-already", "LLD-18", midway, "4 mate KC KS"),
    ("not-your-turn", "LLD-20", midway, "3 mate 3S 2C"),
    ("one-or-three", "LLD-13", midway, "2 mate KC"),
    ("one-or-three", "LLD-16", midway, "2 mate KC KS KD"),
    ("one-of-two", "LLD-15", lambda: at("KS KD", {2: "KH", 3: "3S"}), "2 mate KH KS KD"),
    ("take-all-three", "LLD-16", with_option(prial_take="auto_three"), "2 mate KC KS"),
    ("not-the-same-rank", "LLD-13", midway, "2 mate KC 9D"),
    ("not-the-same-rank", "LLD-9", midway, "2 lay KC 9C"),
    ("not-on-the-table", "LLD-13", midway, "2 mate 9C 9H"),
    ("not-on-the-table", "LLD-7", after(unseen), "1 take AS AH AD AC"),
    ("not-in-hand", "LLD-13", midway, "2 mate QS QD"),
    ("not-in-hand", "LLD-9", midway, "2 lay JS JH"),
    ("not-in-hand", "LLD-18", midway, "2 lie-down KC 9C 9S 4S QS"),
    ("not-in-hand", "LLD-18", unseen, "2 lie-down AS AS AH AD AC 3S 3H 3D"),
    ("not-in-hand", "LLD-18", unseen, "2 lie-down AS KS AH AD AC 3S 3H 3D"),
    ("rank-needed", "LLD-9", unseen, "2 lay ?? ??"),
    ("rank-needed", "LLD-28", unseen, "2 claim ?? ??"),
    ("not-the-whole-hand", "LLD-18", midway, "2 lie-down KC 9C"),
    ("mate-possible", "LLD-17", midway, "2 lie-down KC 9C 9S 4S 4H"),
    ("two-or-four", "LLD-9", midway, "2 lay 9C"),
    ("two-or-four", "LLD-9", midway, "3 lay 3S 3H 3C"),
    ("can-still-be-mated", "LLD-9", midway, "2 lay 4S 4H"),
    ("lay-too-late", "LLD-10", with_option(lay_window="before_first_turn"), "2 lay 9C 9S"),
    ("only-the-dealer", "LLD-7", unseen, "2 take 2S 2H 2D 2C"),
    ("not-a-mournival", "LLD-7", unseen, "1 take 2S 2H 2D"),
    ("not-a-mournival", "LLD-7", unseen, "1 take"),
    ("take-too-late", "LLD-8", after(unseen, "2 mate 9? 9S"), "1 take 2S 2H 2D 2C"),
    ("claim-too-early", "LLD-8", unseen, "3 claim 2S 2H 2D 2C"),
    ("nothing-to-claim", "LLD-28", midway, "3 claim"),
    ("nothing-to-claim", "LLD-31", midway, "3 claim KS KD"),
    ("wrong-number", "LLD-28", after(midway, "2 mate KC KS"), "3 claim KD"),
    ("own-mistake", "LLD-29", after(midway, "2 mate KC KS"), "2 claim KD KH"),
    ("claimant-is-out", "LLD-29", after(with_option(claimants="in_only"), "2 mate KC KS"), "4 claim KD KH"),
]


@pytest.mark.parametrize(("code", "rule", "start", "line"), REFUSED, ids=[f"{one[0]}: {one[3]}" for one in REFUSED])
def test_a_refused_action_has_a_code_a_rule_and_a_sentence(code: str, rule: str, start: Start, line: str) -> None:
    action = Action.parse(line)
    with pytest.raises(GameError) as caught:
        start().apply(action)
    refused = caught.value
    assert (refused.code, refused.rule) == (code, rule)
    assert_plain(refused.reason)
    assert not action.cards or names(refused.reason, action.cards) or code in NUMBERS_ONLY


def names(text: str, cards: tuple[Card, ...]) -> bool:
    """Whether a sentence names one of the cards, or their rank in words."""
    return any(str(card) in text or (card.rank and Rank(card.rank).form("many") in text) for card in cards)


NUMBERS_ONLY = {"no-such-seat", "not-the-whole-hand"}
"""Where it isn't the cards that are wrong."""


def assert_plain(text: str) -> None:
    assert text == " ".join(text.split())
    assert 10 < len(text) < 240
    assert text.count("{") == 0


@pytest.mark.parametrize(
    ("code", "rule", "setup"),
    [
        ("bad-players", "LLD-2", Setup(LAUGH, 2, 1)),
        ("bad-dealer", "LLD-3", Setup(LAUGH, 5, 6)),
        ("wrong-table-size", "LLD-6", Setup(LAUGH, 5, 1, parse_cards("KS"))),
        ("wrong-game", "", Setup("sbros", 5, 1)),
        ("no-such-seat", "LLD-2", Setup(LAUGH, 5, 1, dealt(5).table, {9: ()})),
        ("wrong-hand-size", "LLD-5", Setup(LAUGH, 5, 1, dealt(5).table, {2: parse_cards("?? ??")})),
        ("bad-names", "", Setup(LAUGH, 5, 1, dealt(5).table, names=("Anna",))),
        ("card-twice", "LLD-1", Setup(LAUGH, 5, 1, parse_cards("KS KS 2S 3S 4S 5S 6S 7S 8S 9S TS JS"))),
        ("five-of-a-rank", "LLD-1", Setup(LAUGH, 5, 1, parse_cards("K? K? K? K? K? 5S 6S 7S 8S 9S TS JS"))),
        ("unknown-option", "", dealt(5, options={"prial_grab": "one"})),
        ("bad-option", "", dealt(5, options={"prial_take": "two"})),
        ("bad-option", "", dealt(5, options={"stake_value": "much"})),
        ("bad-option", "", dealt(5, options={"stake_value": "0.125"})),
        ("bad-option", "", dealt(5, options={"stake_value": "0"})),
        ("bad-option", "", dealt(5, options={"stake_value": "0.00"})),
        ("bad-option", "LLD-8", dealt(5, options={"dealer_grace_s": "soon"})),
        ("bad-option", "LLD-8", dealt(5, options={"dealer_grace_s": "601"})),
        ("bad-option", "LLD-24", dealt(5, options={"last_hand": "holder"})),
        ("bad-option", "", dealt(5, options={"last_hand": "nobody"})),
        ("bad-option", "LLD-2", dealt(5, options={"deal_table": "many"})),
        ("bad-option", "LLD-2", dealt(5, options={"deal_table": "7/2"})),
        ("bad-option", "LLD-2", dealt(5, options={"deal_table": "12/2"})),
        ("bad-option", "LLD-2", dealt(5, options={"deal_table": "0/9"})),
        ("bad-option", "LLD-2", dealt(5, options={"deal_table": "2/2"})),
    ],
)
def test_a_refused_set_up_has_a_code_and_a_sentence(code: str, rule: str, setup: Setup) -> None:
    with pytest.raises(GameError) as caught:
        LaughAndLieDown().deal(setup)
    assert (caught.value.code, caught.value.rule) == (code, rule)
    assert_plain(caught.value.reason)


@pytest.mark.parametrize(("code", "piles"), [("odd-pile", (17, 11, 14, 4, 6)), ("not-52-cards", (16, 12, 14, 4, 4))])
def test_a_refused_settlement_has_a_code_a_rule_and_a_sentence(code: str, piles: tuple[int, ...]) -> None:
    with pytest.raises(GameError) as caught:
        settle(SCALES[5], 1, 1, dict(enumerate(piles, 1)))
    assert (caught.value.code, caught.value.rule) == (code, "LLD-25")
    assert_plain(caught.value.reason)


def test_every_code_of_laugh_and_lie_down_has_its_example() -> None:
    assert set(codes_in(REFUSING, "laugh_and_lie_down")) == {code for code, _, _, _ in REFUSED}
    source = Path(__file__).read_text("utf-8")
    for code in codes_in(REFUSING, "laugh_setup", "one_pack", "settlement"):
        assert f'("{code}"' in source, code


def test_every_notice_fact_claim_and_fault_has_a_code_a_rule_and_a_sentence() -> None:
    """Random deals with mistakes, seen and unseen hands; every code that the source knows is met on the way."""
    met: set[str] = set()
    for seed in range(70):
        options = {"missed_mate": "noticer_takes_pair"} if seed % 7 == 0 else {}
        if seed % 5 == 0:
            options["help"] = "referee"
        setup = dealt(3 + seed % 4, seed=seed, options=options, table="4S 4H 4D 4C" if seed % 3 == 0 else "")
        seen = begun(without_hands(setup))
        whole = played(setup, seed, carelessness=0.8)
        for position, action in zip(whole, whole[-1].actions, strict=False):
            for view in (position, seen):
                everything: tuple[Notice | Fact, ...] = (*view.notices(), *view.facts())
                for told in everything:
                    assert RULE.fullmatch(told.rule), told
                    assert told.text.endswith("."), told
                    assert_plain(told.text)
                    assert not told.cards or names(told.text, told.cards), told
                    met.add(told.code)
                for claim in view.claims():
                    assert all(str(card) in claim.text for card in claim.cards)
            seen = seen.apply(action)
        for fault in whole[-1].faults():
            assert fault.text.endswith(".")
            assert all(str(card) in fault.text for card in fault.cards)
            met.add(fault.code)
        met |= {notice.code for notice in whole[-1].notices()}
    known = set(codes_in(TELLING, "laugh_and_lie_down", "laugh_facts", "laugh_mistakes"))
    assert met == known
