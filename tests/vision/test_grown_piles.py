"""Proposed zones: a pile grows where a seat puts what it has won, beside the place that was thought of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.cards import Card
from assistant.view import TABLE, Point, SeenCard, Stillness, TableView, Visit, Zone
from vision.grown_piles import GrownPiles
from vision.zones import Layout, propose

WIDTH, HEIGHT = 0.06, 0.14
POOL = {1: (0.3, 0.3), 2: (0.45, 0.3), 3: (0.3, 0.5), 4: (0.45, 0.5), 5: (0.6, 0.5), 6: (0.3, 0.65), 7: (0.45, 0.65)}
TAKEN = 8
HAND = Visit(4, 10.0, 13.0, (TABLE, Zone(4)))


def quad(middle: Point) -> tuple[Point, Point, Point, Point]:
    (x, y), w, h = middle, WIDTH / 2, HEIGHT / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def view(
    layout: Layout, places: dict[int, Point], t: float, *, since: float = 0.0, hand: Visit | None = None
) -> TableView:
    deck = [Card(rank, "S") for rank in "A23456789"]
    seen = tuple(
        SeenCard(n, deck[n - 1], 0.99, layout.zone_at(place, TABLE), quad(place), since=since if n == TAKEN else 0.0)
        for n, place in places.items()
    )
    return TableView(t, seen, Stillness.STILL, 1.0, (), () if hand is None else (hand,))


def dealt() -> Layout:
    return propose("laugh-and-lie-down", 5, [quad(place) for place in (*POOL.values(), (0.6, 0.65))])


def grown(layout: Layout, to: Point, hand: Visit | None = HAND, *, pool: int = 8) -> Layout | None:
    """What comes of the zones when the last pool card is carried ``to`` there."""
    piles, kept = GrownPiles(), dict(list(POOL.items())[: pool - 1])
    assert piles.look(layout, view(layout, {**kept, TAKEN: (0.6, 0.65)}, 5.0)) is None
    moved = {**kept, TAKEN: to}
    assert piles.look(layout, view(layout, moved, 13.0, since=12.8, hand=hand)) is None, "it has hardly come to rest"
    return piles.look(layout, view(layout, moved, 15.0, since=12.8, hand=hand))


def test_a_pool_card_that_the_seats_hand_put_across_its_piles_border_widens_the_pile() -> None:
    layout, to = dealt(), (0.62, 0.235)
    assert layout.zone_at(to, TABLE) == TABLE
    after = grown(layout, to)
    assert after is not None
    assert after.proposed
    assert after.zone_at(to, TABLE) == Zone(4)
    assert all(after.zone_at(place, TABLE) == TABLE for place in POOL.values())
    assert {zone for zone in layout.zones() if after.polygon(zone) != layout.polygon(zone)} == {Zone(4)}


@pytest.mark.parametrize(
    ("to", "hand"),
    [
        ((0.62, 0.235), None),
        ((0.62, 0.235), replace(HAND, seat=5, over=(TABLE, Zone(5)))),
        ((0.62, 0.235), replace(HAND, over=(TABLE,))),
        ((0.62, 0.235), replace(HAND, end=None)),
        ((0.62, 0.235), Visit(4, 1.0, 3.0, (TABLE, Zone(4)))),
        ((0.6, 0.6), HAND),
        ((0.62, 0.4), HAND),
    ],
    ids=["no hand", "another's", "not over the pile", "still there", "long ago", "a little aside", "in the pool"],
)
def test_otherwise_the_zones_stay(to: Point, hand: Visit | None) -> None:
    assert grown(dealt(), to, hand) is None


def test_so_do_drawn_zones_and_those_of_a_trick() -> None:
    assert grown(replace(dealt(), proposed=False), (0.62, 0.235)) is None
    assert grown(dealt(), (0.62, 0.235), pool=6) is None
