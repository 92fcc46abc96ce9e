"""How long following waits: what counts is whether the hands of those who acted are gone."""

from __future__ import annotations

import pytest

from assistant.cards import Card
from assistant.games.game import Action, Position, Setup
from assistant.patience import Patience, hands_gone, hands_over, rest_needed
from assistant.signs.signs import Explanation
from assistant.view import TABLE, SeenCard, Stillness, TableView, Visit, Zone
from tests.scripted_play import GAME, cards

QUAD = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
START: Position = GAME.deal(Setup(GAME.name, 3, 1, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S")))
MATE = Action.parse("2 mate KH KS")
LEFT = Visit(2, 8.0, 10.0, (Zone(2), TABLE))
NEXT = Visit(3, 10.5, None, (Zone(3), TABLE))


def view(stillness: Stillness, *visits: Visit) -> TableView:
    seen = [SeenCard(n, Card.parse(name), 0.99, Zone(2), QUAD, since=9.8) for n, name in enumerate(("KH", "KS"))]
    return TableView(11.0, tuple(seen), stillness, 0.0, (), visits)


def done(*, hidden: int = 0, unfinished: bool = False, grasp: bool = False) -> Explanation:
    return Explanation((MATE,), START.apply(MATE), 0.0, hidden, 0.99, ((0, 1),), unfinished=unfinished, grasp=grasp)


@pytest.mark.parametrize(
    ("stillness", "visits", "gone"),
    [
        (Stillness.STILL, (), True),
        (Stillness.STILL, (LEFT,), True),
        (Stillness.MOVING, (LEFT, NEXT), True),
        (Stillness.SETTLING, (LEFT,), True),
        (Stillness.MOVING, (LEFT,), False),  # it isn't known yet whose hand comes
        (Stillness.MOVING, (NEXT,), False),  # nobody saw who did it
        (Stillness.STILL, (Visit(2, 8.0, None, (Zone(2),)),), False),
        (Stillness.MOVING, (LEFT, Visit(2, 10.5, None, (Zone(2),))), False),
        (Stillness.MOVING, (LEFT, Visit(1, 10.5, None, (Zone(2), TABLE))), False),
        (Stillness.MOVING, (LEFT, Visit(3, 10.5, None, (Zone(2), TABLE))), True),  # seat 3's turn has come
        (Stillness.MOVING, (NEXT, Visit(3, 10.5, None, (Zone(2), TABLE))), False),
        (Stillness.MOVING, (LEFT, Visit(None, 10.5, None, (TABLE,))), False),
        (Stillness.MOVING, (Visit(2, 1.0, 3.0, (Zone(2),)), NEXT), False),  # that was another visit
    ],
)
def test_the_hands_of_those_who_acted_are_gone(stillness: Stillness, visits: tuple[Visit, ...], gone: bool) -> None:
    assert hands_gone(view(stillness, *visits), done()) is gone


def test_what_is_done_waits_for_no_hand_elsewhere() -> None:
    patience = Patience()
    elsewhere, there = view(Stillness.MOVING, LEFT, NEXT), view(Stillness.MOVING, NEXT)
    assert rest_needed(patience, elsewhere, done()) == patience.gone
    assert rest_needed(patience, elsewhere, done(hidden=1)) == patience.covered
    assert rest_needed(patience, elsewhere, done(unfinished=True)) == patience.hidden
    assert rest_needed(patience, elsewhere, done(unfinished=True, grasp=True)) == patience.still
    assert rest_needed(patience, view(Stillness.STILL), done(unfinished=True, grasp=True)) == patience.hidden
    assert rest_needed(patience, there, done()) == patience.busy
    assert rest_needed(patience, there, done(hidden=1)) == patience.hidden
    assert rest_needed(patience, there, done(unfinished=True, grasp=True)) == patience.hidden


def test_a_hand_over_the_table_may_tell_soon_what_is_not_clear() -> None:
    assert hands_over(view(Stillness.STILL, LEFT, NEXT))
    assert not hands_over(view(Stillness.MOVING, LEFT))
