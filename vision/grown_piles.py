"""Where a seat's pile really grows: proposed zones that miss it are widened.

Nobody drew them, so a border may lie a little beside the place where somebody puts the cards that are won. A pool card
that the seat's own hand carried there, and that rests across the border of that seat's pile, shows it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from assistant.view import TABLE, Point, SeenCard, Stillness, TableView, Zone
from vision.zones import Layout, Polygon

RESTED_S: Final = 1.5
BROUGHT_S: Final = 1.0
"""A card came to rest this long before its hand was gone at the most, or after."""
LEAST_POOL: Final = 8
"""So many cards lie in the middle together where it is a pool that piles are won from; a trick has fewer."""


class GrownPiles:
    """Remembers where each card of the pool lay first. One for a deal; ``clear`` begins the next."""

    def __init__(self) -> None:
        self._first: dict[int, Point] = {}
        self._pool = False

    def clear(self) -> None:
        """Forget the deal's cards."""
        self._first.clear()
        self._pool = False

    def look(self, layout: Layout, view: TableView) -> Layout | None:
        """The layout in which what a seat has won lies in its pile; None where there is nothing to change.

        ``view`` is that of the frame in hand, seen with ``layout``. No other card in sight changes its zone. Drawn
        zones are a person's word and stay.
        """
        if not layout.proposed:
            return None
        pool = [seen for seen in view.in_zone(TABLE) if not seen.covered]
        self._pool = self._pool or len(pool) >= LEAST_POOL
        for seen in pool:
            first = self._first.setdefault(seen.track, _middle(seen))
            if not self._pool or view.stillness is Stillness.MOVING or view.t - seen.since < RESTED_S:
                continue
            if math.dist(first, _middle(seen)) < _length(seen):
                continue
            for seat in _carried_by(seen, view):
                grown = _widened(layout, seat, seen, first, view)
                if grown is not None:
                    return grown
        return None


def _carried_by(seen: SeenCard, view: TableView) -> list[Zone]:
    """The piles of the seats whose hands brought a card to where it rests, and are gone."""
    return [
        Zone(visit.seat)
        for visit in view.visits
        if visit.seat is not None
        and visit.end is not None
        and {TABLE, Zone(visit.seat)} <= set(visit.over)
        and visit.begin <= seen.since <= visit.end + BROUGHT_S
    ]


def _widened(layout: Layout, pile: Zone, seen: SeenCard, first: Point, view: TableView) -> Layout | None:
    """The layout whose pile reaches over a card that lies across its border, if all others in sight stay put."""
    polygon = layout.polygon(pile)
    if polygon is None or not any(_inside(polygon, corner) for corner in seen.quad):
        return None
    grown = replace(layout, places={**layout.places, pile: _box((*polygon, *seen.quad))})
    others = (one for one in view.cards if one is not seen and one.zone is not None and not one.covered)
    if any(grown.zone_at(_middle(one), one.zone) != one.zone for one in others):
        return None
    put = grown.zone_at(_middle(seen), TABLE) == pile and grown.zone_at(first, TABLE) == TABLE
    return grown if put else None


def _inside(polygon: Polygon, point: Point) -> bool:
    (left, top), (right, bottom) = _extent(polygon)
    return left < point[0] < right and top < point[1] < bottom


def _box(points: Polygon) -> Polygon:
    (left, top), (right, bottom) = _extent(points)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _extent(points: Polygon) -> tuple[Point, Point]:
    across, down = zip(*points, strict=True)
    return (min(across), min(down)), (max(across), max(down))


def _middle(seen: SeenCard) -> Point:
    return sum(x for x, _ in seen.quad) / 4, sum(y for _, y in seen.quad) / 4


def _length(seen: SeenCard) -> float:
    """A card's longer side."""
    return max(math.dist(corner, seen.quad[number - 1]) for number, corner in enumerate(seen.quad))
