"""Whose hand put a card down, as the visits tell."""

from __future__ import annotations

import pytest

from assistant.cards import Card
from assistant.signs.visitors import against_hands
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, SeenCard, Stillness, TableView, Visit, Zone
from tests.assistant.signs.staged_table import QUAD

CENTRE = (CENTRE_LEFT, CENTRE_RIGHT)


@pytest.mark.parametrize(
    ("visits", "against"),
    [
        ([], False),
        ([(1, 9.5)], False),
        ([(2, 9.5)], True),
        ([(2, 9.5), (1, 9.8)], False),
        ([(None, 9.5)], False),
        ([(2, 3.0)], False),
    ],
)
def test_what_came_with_other_seats_hands_alone_was_hardly_done_by_a_seat(
    visits: list[tuple[int | None, float]], against: bool
) -> None:
    card = SeenCard(1, Card.parse("TS"), 0.9, CENTRE_LEFT, QUAD, since=10.0)
    hands = tuple(Visit(seat, begin, begin + 1.0, (CENTRE_LEFT,)) for seat, begin in visits)
    view = TableView(15.0, (card,), Stillness.STILL, 2.0, visits=hands)
    assert against_hands(view, 1, [card], CENTRE) is against


def test_a_card_in_a_place_of_ones_own_tells_whose_it_is() -> None:
    card = SeenCard(1, Card.parse("TS"), 0.9, Zone(1, "reset"), QUAD, since=10.0)
    view = TableView(15.0, (card,), Stillness.STILL, 2.0, visits=(Visit(2, 9.5, 10.5, (Zone(1, "reset"),)),))
    assert not against_hands(view, 1, [card], CENTRE)


def test_a_hand_elsewhere_tells_nothing() -> None:
    card = SeenCard(1, Card.parse("TS"), 0.9, CENTRE_LEFT, QUAD, since=10.0)
    view = TableView(15.0, (card,), Stillness.STILL, 2.0, visits=(Visit(2, 9.5, 10.5, (Zone(2, "reset"),)),))
    assert not against_hands(view, 1, [card], CENTRE)
