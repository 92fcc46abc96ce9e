"""The hints of the table's page: what is said of a position of each game, and how little a table may want."""

from __future__ import annotations

import doctest
import random
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from assistant.cards import PACK, parse_cards
from assistant.games import game_named
from assistant.games.game import Action, Position, Setup
from tests.web.served import RECORD, Served
from web import help_level
from web.help_level import COACH, LEVELS, REFEREE, SILENT, level_of, with_level
from web.rule_texts import why
from web.table_hints import table_hints


def played(setup: Setup, *lines: str) -> Position:
    position = game_named(setup.game).deal(setup)
    for line in lines:
        position = position.apply(Action.parse(line))
    return position


def laugh(last: int, **options: str) -> Position:
    """The demo's deal up to before its ``last`` action; no hand is seen."""
    return played(replace(RECORD.setup, hands={}, options=options), *map(str, RECORD.actions[:last]))


def stone(*lines: str, **options: str) -> Position:
    names = ("Ann", "Ben", "Cleo", "Dan")
    return played(Setup("rolling-stone", 4, 1, options=options, names=names), *lines)


def sbros(table: str, *lines: str, **options: str) -> Position:
    return played(Setup("sbros", 2, 1, parse_cards(table), options=options, names=("Ann", "Ben")), *lines)


def said(position: Position) -> dict[str, list[tuple[str, str]]]:
    """By kind of section, each line with the number of its rule."""
    sections = table_hints(position)
    for section in sections:
        for line in section["lines"]:
            assert line["rule"]["text"] == why("", line["rule"]["number"]) != ""
    return {one["kind"]: [(line["text"], line["rule"]["number"]) for line in one["lines"]] for one in sections}


def test_docstring_examples() -> None:
    assert doctest.testmod(help_level).failed == 0


def test_what_lies_there_and_may_be_mated_comes_as_sentences() -> None:
    (turn, _) = table_hints(laugh(0))
    assert turn["title"] == "What Bertram may mate"
    assert [line["rank"] for line in turn["lines"]] == list("A3678TJ")
    lines = said(laugh(0))["turn"]
    assert lines[:3] == [
        ("The fourth ace takes all three aces.", "LLD-16"),
        ("A three takes the three of spades or the three of diamonds.", "LLD-15"),
        ("A six takes the six of diamonds.", "LLD-13"),
    ]


def test_dead_ranks_and_sets_to_be_laid_are_told() -> None:
    after = said(laugh(2))
    assert after["dead"] == [("Nobody can mate 7♥ 7♣ any more: no sevens are left in hands.", "LLD-13")]
    assert after["lay"] == [("Whoever holds the last two fours may lay them: nobody can mate them.", "LLD-9c")]
    assert after["certain"][0][0].startswith("Agnes holds 4?")


def test_a_mournival_on_the_table_is_the_dealer_s() -> None:
    table = parse_cards("KS KH KD KC 2S 3H 4D 5C 6S 7H 8D 9C")
    hints = said(played(Setup("laugh-and-lie-down", 5, 1, table, names=("Ann", "Ben", "Cleo", "Dan", "Eve"))))
    assert hints["turn"][0][0].startswith("Four kings lie on the table: the dealer takes them")
    assert hints["turn"][0][1] == "LLD-7"


def test_a_hand_that_can_mate_nothing_lies_down() -> None:
    table = parse_cards("KS KH KD 2S 3H 4D 5C 6S 7H 8D 9C TS")
    setup = Setup("laugh-and-lie-down", 5, 1, table, {2: parse_cards("AS AH JD JC QS QH QD AC")})
    hints = said(played(setup))
    assert hints["turn"] == [("Nothing that lies there can be mated: lie down.", "LLD-18")]
    assert hints["lay"] == [("Seat 2 may lay A♠ A♥.", "LLD-9"), ("Seat 2 may lay Q♠ Q♥.", "LLD-9")]


def test_a_trick_tells_the_suit_the_pick_up_and_who_is_ahead() -> None:
    hints = said(stone("2 play 9H", "3 play KH"))
    assert hints["turn"] == [
        ("Hearts are led: who holds one must play one.", "RST-7"),
        ("Without any: take the two cards into the hand, and lead next.", "RST-8"),
        ("If all follow, Cleo takes the trick with the king of hearts, as it stands.", "RST-10"),
    ]
    assert hints["certain"][-1][0] == "In hands are still: spades 8, hearts 6, diamonds 8 and clubs 8."


def test_a_barred_lead_and_what_was_picked_up_are_told() -> None:
    assert said(stone())["turn"] == [("Lead any card.", "RST-6")]
    hints = said(stone("2 play 9C", "3 pick-up"))
    assert hints["turn"] == [("Lead any card but clubs, just picked up.", "RST-9")]
    assert ("Cleo holds 9♣: picked up and not played since.", "RST-8") in hints["certain"]
    cards = said(stone("2 play 9C", "3 pick-up", lead_bar="cards"))["turn"]
    assert cards == [("Lead any card but the nine of clubs, just picked up.", "RST-9")]


@pytest.mark.parametrize(
    ("table", "options", "ways"),
    [
        (
            "TS 3H",
            {},
            [
                "A ten on the left and a three on the right, of whatever suit.",
                "A spade on the left and a heart on the right, one higher and one lower.",
                "A pair from the fours to the nines.",
            ],
        ),
        (
            "5S 7H",
            {"m2_step": "adjacent"},
            [
                "A five on the left and a seven on the right, of whatever suit.",
                "A spade on the left and a heart on the right, one a rank higher and one a rank lower.",
                "A pair of sixes.",
            ],
        ),
        ("2S 2H", {}, ["A spade on the left and a heart on the right, one higher and one lower.", "Any pair."]),
        (
            "4S 5D",
            {},
            [
                "A four on the left and a five on the right, of whatever suit.",
                "A spade on the left and a diamond on the right, one higher and one lower.",
            ],
        ),
    ],
)
def test_what_covers_what_in_sbros(table: str, options: dict[str, str], ways: list[str]) -> None:
    lines = said(sbros(table, **options))["turn"]
    assert lines[:-1] == [(way, "SBR-5") for way in ways]
    assert lines[-1] == ("Without a play: put one card aside and draw one.", "SBR-9")


def test_what_was_put_aside_is_told_with_who_will_take_it() -> None:
    (line,) = said(sbros("TS 3H", "2 reset 5S"))["certain"]
    assert line == ("Ann will take 5♠ in hand when the stock is empty.", "SBR-12")


@pytest.mark.parametrize("level", [REFEREE, SILENT])
def test_a_table_that_wants_no_hints_gets_none(level: str) -> None:
    assert table_hints(laugh(2, help=level)) == []
    assert table_hints(stone("2 play 9H", help=level)) == []
    assert table_hints(sbros("TS 3H", help=level)) == []
    assert table_hints(laugh(len(RECORD.actions))) == []


# The level of the whole table


def page(served: Served) -> Any:
    return served.get("/api/state")[1]["state"]


def seat(browser: FlaskClient) -> Any:
    return browser.get("/api/seat/2").json


def choose(served: Served, level: str) -> tuple[int, Any]:
    return served.post("/api/help", {"seen": served.state.seq, "level": level})


def test_a_coach_tells_all_a_referee_the_turn_and_a_silent_one_the_scores(served: Served) -> None:
    served.begin()
    served.play(0, 2)  # one of three sevens was taken, and sevens are dead
    told = page(served)
    assert (told["help"], told["headline"]["text"]) == (COACH, "Cecily's turn")
    assert [claim["code"] for claim in told["claims"]] == ["C2"]
    assert {group["rank"] for group in told["table"] if group["dead"]} == {"7"}
    assert [group["set"] for group in told["table"] if group["rank"] == "A"] == ["pair royal"]

    assert choose(served, REFEREE)[0] == 200
    told = page(served)
    assert (told["help"], told["headline"]["text"], told["hints"], told["claims"]) == (REFEREE, "Cecily's turn", [], [])
    assert [seat["seat"] for seat in told["seats"] if seat["turn"]] == [3]
    assert not any(group["dead"] or group["set"] for group in told["table"])

    assert choose(served, SILENT)[0] == 200
    told = page(served)
    assert (told["headline"]["text"], told["hints"], told["claims"]) == ("The deal is being played", [], [])
    assert (told["faults"], told["notices"]) == ([], [])
    assert not any(seat["turn"] for seat in told["seats"])
    assert [seat["count"] for seat in told["seats"]] == [2, 2, 0, 0]

    served.play(2)
    told = page(served)
    assert told["settlement"]["sum"] == 0
    assert [fault["code"] for fault in told["faults"]] == ["C2", "C3", "C4"]


def test_the_level_is_remembered_over_the_deals_and_heeded_by_every_seat_s_page(served: Served) -> None:
    served.begin()
    assert choose(served, REFEREE)[0] == 200
    browser = served.app.test_client()
    browser.get("/seat/2")
    hand = " ".join(map(str, RECORD.setup.hands[2]))
    assert browser.post("/api/seat/2/hand", json={"cards": hand}).status_code == 200
    told = seat(browser)
    assert (told["headline"], told["lists"], told["pending"]) == ("Your turn", [], False)
    assert choose(served, SILENT)[0] == 200
    told = seat(browser)
    assert (told["headline"], told["turn"], told["lists"]) == ("The deal is being played", False, [])
    assert choose(served, COACH)[0] == 200
    assert seat(browser)["lists"]
    assert dict(served.session.setup.options) == {}
    assert choose(served, SILENT)[0] == 200
    served.play()
    assert served.post("/api/next", {"seen": served.state.seq})[0] == 200
    assert page(served)["help"] == SILENT


def test_what_is_no_level_or_rests_on_an_old_state_is_refused(served: Served) -> None:
    served.begin()
    assert choose(served, "loud")[1]["code"] == "bad-option"
    assert served.post("/api/help", {"seen": 0, "level": REFEREE})[0] == 409
    assert served.post("/api/help", {"seen": served.state.seq})[0] == 400
    assert level_of(served.session.setup) == COACH


@pytest.mark.parametrize("game", ["laugh-and-lie-down", "rolling-stone", "sbros"])
def test_every_game_has_the_levels(game: str) -> None:
    assert game_named(game).options["help"] == LEVELS
    setup = Setup(game, 2 if game == "sbros" else 4, 1)
    assert with_level(with_level(setup, SILENT), COACH) == setup


@pytest.mark.parametrize(("game", "players"), [("laugh-and-lie-down", 5), ("rolling-stone", 4), ("sbros", 2)])
def test_every_line_of_a_whole_deal_has_its_rule_and_names_no_seat_by_number(game: str, players: int) -> None:
    chance = random.Random(7)
    names = ("Ann", "Ben", "Cleo", "Dan", "Eve")[:players]
    pack = chance.sample(PACK, len(PACK))
    setup = game_named(game).shuffled(Setup(game, players, 1, names=names), pack)
    dealt, seen = game_named(game).deal(setup), game_named(game).deal(replace(setup, hands={}))
    kinds = set[str]()
    while not dealt.over:
        found = said(seen)
        kinds |= found.keys()
        assert "turn" in found
        assert not [text for lines in found.values() for text, _ in lines if "Seat" in text or "seat" in text]
        action = chance.choice(dealt.legal_actions())
        dealt, seen = dealt.apply(action), seen.apply(action)
    assert {"turn", "certain"} <= kinds
