"""Laugh and Lie Down: what a hand showed over the pool tells what lies beneath the card that it mated."""

from __future__ import annotations

import pytest

from assistant.cards import Card
from assistant.games.game import Action, Position, Setup
from assistant.signs.difference import compare
from assistant.signs.laugh_passing import read_in_passing
from assistant.signs.laugh_signs import LaughSigns
from assistant.signs.signs import Explanation, Misplay
from assistant.view import TABLE, Passing, SeenCard, Stillness, TableView, Visit, Zone
from tests.scripted_play import GAME, cards

POOL = cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S")
THREE = cards("KS KD KC 2C 9H QD 4S 8C 5H TD")
QUAD = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
T = 20.0
"""When the top of the pile came to rest; the hand was gone a little later."""
SIGNS = LaughSigns()


def dealt(pool: tuple[Card, ...] = POOL) -> Position:
    """Seat 3 is in turn."""
    return GAME.deal(Setup(GAME.name, 3, 2, pool))


def read(*names: str, zone: Zone = TABLE, confidence: float = 0.95, at: float = T - 1.2) -> tuple[Passing, ...]:
    return tuple(Passing(Card.parse(name), confidence, zone, at + 0.2 * n) for n, name in enumerate(names))


def table(
    position: Position, top: str, passing: tuple[Passing, ...], *, seat: int = 3, gone: str = "", later: float = 1.0
) -> TableView:
    """A squared pile of which ``top`` shows, beside the pool without what is gone."""
    lying = [card for card in position.observe().table if str(card) not in (top, *gone.split())]
    seen = [SeenCard(n, card, 0.99, TABLE, QUAD, since=1.0) for n, card in enumerate(lying)]
    seen.append(SeenCard(99, Card.parse(top), 0.98, Zone(seat), QUAD, since=T))
    hand = Visit(seat, T - 2.0, T + 0.3, (Zone(seat), TABLE))
    return TableView(T + later, tuple(seen), Stillness.STILL, 0.7, (), (hand,), passing)


def best(position: Position, view: TableView) -> Explanation:
    return SIGNS.explain(position, compare(SIGNS.slots(position), view), view)[0]


def told(position: Position, view: TableView) -> Misplay | None:
    return SIGNS.misplay(position, compare(SIGNS.slots(position), view), view)


def test_the_hand_card_that_was_shown_is_known_beneath_its_mate() -> None:
    found = best(dealt(), table(dealt(), "KS", read("KH", "KH")))
    assert (list(map(str, found.actions)), found.hidden, found.guessed) == (["3 mate KH KS"], 0, False)


@pytest.mark.parametrize(
    "passing",
    [
        read("KH"),
        read("KH", "KH", confidence=0.6),
        read("KH", "KH", zone=Zone(1)),
        read("KH", "KH", at=T - 9.0),
        read("KS", "KS"),
    ],
    ids=["once", "unsure", "elsewhere", "long ago", "the pool card itself"],
)
def test_what_was_not_plainly_shown_is_not_known(passing: tuple[Passing, ...]) -> None:
    found = best(dealt(), table(dealt(), "KS", passing))
    assert (list(map(str, found.actions)), found.hidden, found.guessed) == (["3 mate K? KS"], 1, False)


def test_a_short_take_is_certain_where_the_hand_showed_its_king() -> None:
    position = dealt(THREE)
    assert best(position, table(position, "KS", ())).guessed
    found = best(position, table(position, "KS", read("KH", "KH")))
    assert (list(map(str, found.actions)), found.guessed) == (["3 mate KH KS"], False)


def test_the_mate_of_a_card_that_nobody_could_read_is_no_lay() -> None:
    setup = Setup(GAME.name, 6, 1, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S KH 7C 2D 9D 4H 8S"))
    position = GAME.deal(setup).apply(Action.parse("2 lie-down AS AH 6S 6H 6D ??"))
    found = best(position, table(position, "JD", read("JS", "JS")))
    assert (list(map(str, found.actions)), found.hidden, found.guessed) == (["3 mate JS JD"], 0, False)
    ahead = best(position, table(position, "JD", read("JS", "JS"), seat=4))
    assert ahead.guessed


def test_another_hand_card_than_the_mate_is_told_and_no_certain_mate() -> None:
    view = table(dealt(), "KS", read("5C", "5C", "5C"))
    assert best(dealt(), view).guessed
    misplay = told(dealt(), view)
    assert misplay is not None
    assert (misplay.code, misplay.seats, misplay.cards) == ("not-the-same-rank", (3,), cards("5C KS"))


@pytest.mark.parametrize("passing", [read("5C", "5C"), read("5C", "5C", "5C", confidence=0.85)], ids=["two", "unsure"])
def test_nobody_is_told_of_a_mistake_by_what_leaves_doubt_and_the_mate_is_no_certain_one(
    passing: tuple[Passing, ...],
) -> None:
    view = table(dealt(), "KS", passing)
    assert best(dealt(), view).guessed
    assert told(dealt(), view) is None
    assert told(dealt(), table(dealt(), "KS", ())) is None


@pytest.mark.parametrize(
    ("passing", "later"), [(read("5C", "5C", "KH"), 1.0), (read("5C"), 1.0), (read("5C", "5C"), 9.0)]
)
def test_nobody_is_told_of_a_wrong_pair_that_may_be_none(passing: tuple[Passing, ...], later: float) -> None:
    assert told(dealt(), table(dealt(), "KS", passing, later=later)) is None


@pytest.mark.parametrize(("since", "code"), [(T, "not-the-same-rank"), (T - 5.0, None)])
def test_what_lay_in_the_pile_already_is_no_wrong_mate(since: float, code: str | None) -> None:
    view = table(dealt(), "KS", ())
    other = SeenCard(98, Card.parse("JH"), 0.98, Zone(3), QUAD, since=since)
    misplay = told(dealt(), TableView(view.t, (*view.cards, other), view.stillness, 0.7, (), view.visits))
    assert (misplay.code if misplay else None) == code


def test_two_of_a_pair_that_went_are_told_sooner_once_the_hand_was_seen_to_go() -> None:
    pair = cards("KS KD 7D 2C 9H QD 4S 8C 5H TD")
    view = table(dealt(pair), "KS", (), gone="KD")
    misplay = told(dealt(pair), view)
    assert misplay is not None
    assert (misplay.code, misplay.patient) == ("one-of-two", False)
    there = TableView(view.t, view.cards, view.stillness, 0.7, (), (Visit(3, T - 2.0, None, (Zone(3),)),))
    still = told(dealt(pair), there)
    assert still is not None
    assert still.patient


def test_only_the_seats_own_hand_tells() -> None:
    seen = SeenCard(1, Card.parse("KS"), 0.98, Zone(3), QUAD, since=T)
    for seat, cards_read in ((3, {"K": Card.parse("KH")}), (1, {})):
        hand = Visit(seat, T - 2.0, T + 0.3, (Zone(3), TABLE))
        assert read_in_passing(read("KH", "KH"), (hand,), seen, 3, ()).cards == cards_read


def out_of_turn(*visits: Visit) -> Misplay | None:
    """Seat 1 has a pair in its pile while seat 3 is in turn; what is told after these hands."""
    position = dealt().apply(Action.parse("1 lay JS JH"))
    seen = [SeenCard(n, card, 0.99, TABLE, QUAD, since=1.0) for n, card in enumerate(position.observe().table)]
    seen = [one for one in seen if str(one.card) != "KS"]
    places = {"JS": 5.0, "JH": 5.0, "KS": T, "KH": T}
    seen += [
        SeenCard(n, Card.parse(name), 0.98, Zone(1), QUAD, since=t) for n, (name, t) in enumerate(places.items(), 50)
    ]
    return told(position, TableView(T + 3, tuple(seen), Stillness.STILL, 2.0, (), visits))


def test_nobody_is_told_to_be_out_of_turn_where_the_seat_in_turn_may_have_acted_unseen() -> None:
    own, others = Visit(1, T - 1.0, T + 0.3, (Zone(1), TABLE)), Visit(3, 8.0, 10.0, (Zone(3), TABLE))
    plain = out_of_turn(own)
    assert plain is not None
    assert (plain.code, plain.seats) == ("not-your-turn", (1,))
    assert out_of_turn(others, own) is None
    before = Visit(3, 2.0, 4.0, (Zone(3), TABLE))
    assert out_of_turn(before, own) is not None


def test_two_of_a_pair_that_went_out_of_turn_are_told_though_one_is_out_of_sight() -> None:
    position = dealt(cards("KS KD 7D 2C 9H QD 4S 8C 5H TD"))
    view = table(position, "KS", (), seat=1, gone="KD")
    top = SeenCard(98, Card.parse("KH"), 0.98, Zone(1), QUAD, since=T)
    misplay = told(position, TableView(view.t, (*view.cards, top), view.stillness, 0.7, (), view.visits))
    assert misplay is not None
    assert (misplay.code, misplay.seats) == ("not-your-turn", (1,))


def test_whoever_has_laid_down_the_whole_hand_is_told_of_no_card_that_cannot_be_there() -> None:
    position = dealt().apply(Action.parse("3 lie-down AS AH AD AC JS JH JD JC 6S 6H 6D 6C ?? ??"))
    assert told(position, table(position, "KH", (), gone="KS")) is None


def test_a_king_that_was_read_once_just_before_its_hand_was_noticed_makes_a_short_take_certain() -> None:
    position = dealt(THREE)
    once = read("KH", at=T - 2.4)
    assert not best(position, table(position, "KS", once)).guessed
    assert best(position, table(position, "KS", read("KH", at=T - 2.8))).guessed
