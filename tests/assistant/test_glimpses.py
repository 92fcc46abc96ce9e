"""What lay in sight: when a card came to the pool."""

from __future__ import annotations

from assistant.cards import Card
from assistant.glimpses import beyond_first, came_to_pool, glimpsed, went_since
from assistant.signs.difference import Slot
from assistant.signs.signs import Glimpse
from assistant.view import TABLE, SeenCard, Stillness, TableView

QUAD = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))


def times(*looks: tuple[float, float | None, bool]) -> list[float | None]:
    """When the card of track 1 came, after each look: at what time, since when it lies there (None: away), covered."""
    came: dict[int, float] = {}
    lately: dict[int, Glimpse] = {}
    found = []
    other = SeenCard(2, Card.parse("7S"), 1.0, TABLE, QUAD)
    for t, since, covered in looks:
        here = () if since is None else (SeenCard(1, Card.parse("9C"), 1.0, TABLE, QUAD, covered, since),)
        view = TableView(t, (other, *here), Stillness.STILL, 1.0)
        came, lately = came_to_pool(came, lately, view), glimpsed(lately, view)
        found.append(came.get(1))
    return found


def test_a_card_that_is_moved_about_came_when_it_was_first_seen() -> None:
    assert times((1, 1, False), (9, 1, False), (10, 1, True), (12, 1, True), (13, 12.5, False)) == [1, 1, 1, 1, 1]


def test_a_card_that_was_away_came_anew() -> None:
    assert times((1, 1, False), (2, None, False), (3, 3, False)) == [1, 1, 3]


def test_a_card_that_passed_for_covered_for_long_and_lies_elsewhere_came_anew() -> None:
    assert times((1, 1, False), (2, 1, True), (9, 8.8, False)) == [1, 1, 9]


def test_what_the_first_action_laid_and_somebody_took_is_remembered_for_what_follows() -> None:
    lay = [SeenCard(track, Card.parse(name), 1.0, TABLE, QUAD) for track, name in ((1, "9C"), (2, "TD"), (3, "6S"))]
    lately = glimpsed({}, TableView(1, tuple(lay), Stillness.STILL, 1.0))
    now = TableView(2, (lay[2],), Stillness.STILL, 0.5)
    trick = [Slot(Card.parse(name), TABLE, anywhere=True) for name in ("9C", "TD")]
    assert set(beyond_first(lately, now, (2,), trick[:1], trick)) == {2, 3}
    assert set(beyond_first(lately, now, (2,), trick[:1], [])) == {3}
    still_there = TableView(2, (lay[1], lay[2]), Stillness.STILL, 0.5)
    assert set(beyond_first(lately, still_there, (2,), trick[:1], trick)) == {3}


def test_what_came_and_went_after_a_trick_was_taken_is_remembered_for_what_follows() -> None:
    trick, early, late = (
        SeenCard(track, Card.parse(name), 1.0, TABLE, QUAD) for track, name in ((1, "9C"), (2, "TD"), (3, "6S"))
    )
    lately: dict[int, Glimpse] = {}
    for t, there in ((1, (trick,)), (2, (trick, early)), (3, ()), (4, (late,)), (5, ())):
        lately = glimpsed(lately, TableView(t, there, Stillness.STILL, 1.0))
    now = TableView(6, (), Stillness.STILL, 1.0)
    was = [Slot(Card.parse("9C"), TABLE, anywhere=True)]
    assert set(went_since(lately, now, ((),), was)) == {3}
    assert went_since(lately, now, ((3,),), was) == {}
    assert went_since(lately, now, ((),), []) == {}
