"""The cards that lay on the table, one after another: what was read of each, from when to when it lay in its place, and
whose hands brought and took it. What was concluded from them is not in here, so it can be concluded anew."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.signs.difference import candidates
from assistant.signs.visitors import AFTER
from assistant.view import Point, SeenCard, TableView, Zone

TOGETHER: Final = 2.0
"""Readings of a card in passing within so many seconds are of one time, and of that at which it lay there plainly."""
MOST_KEPT: Final = 160
"""Cards that are remembered, those lying there now not counted: more than any deal's last thirty tricks have."""


@dataclass(frozen=True, slots=True)
class Lain:
    """A card that lies, or lay, on the table.

    ``middle`` is where (see ``SeenCard.quad``). ``came`` is when it came to rest, ``last`` when it was believed to lie
    there last, ``clear`` when it was last seen with nothing over it. ``weights``: by card, what the looks at it said
    together, ``looks`` so many. ``bringers`` and ``takers``: whose hands were there when it came and when it went
    (None: a hand of which that can't be told).
    ``fleeting``: it was only read in passing (track 0).
    """

    track: int
    zone: Zone | None
    middle: Point
    came: float
    last: float
    clear: float
    weights: Mapping[Card, float] = field(default_factory=dict, hash=False)
    looks: float = 0.0
    bringers: frozenset[int | None] = frozenset()
    takers: frozenset[int | None] = frozenset()
    gone: bool = False
    fleeting: bool = False

    def shares(self) -> tuple[tuple[Card, float], ...]:
        """What it may be with probabilities, best first."""
        found = ((card, weight / self.looks) for card, weight in self.weights.items() if weight > 0.0)
        return tuple(sorted(found, key=lambda share: -share[1]))

    def best(self) -> tuple[Card, float]:
        """What it is likeliest to be and how likely; unknown if nothing of it was ever read."""
        return next(iter(self.shares()), (UNKNOWN, 0.0))


@dataclass(frozen=True, slots=True)
class AllLain:
    """What has lain on the table so far: ``past`` in the order in which it went, by track what lies there, and what was
    read in passing until the time ``until``. ``begin``: when that was looked at first (seconds)."""

    past: tuple[Lain, ...] = ()
    here: Mapping[int, Lain] = field(default_factory=dict)
    fleeting: tuple[Lain, ...] = ()
    until: float = -math.inf
    begin: float = math.inf

    def in_order(self) -> tuple[Lain, ...]:
        """All of it, in the order in which it came; what was read in passing only if it did not lie there plainly."""
        plain = (*self.past, *self.here.values())
        fleeting = (one for one in self.fleeting if not any(_of_same_time(one, other) for other in plain))
        return tuple(sorted((*plain, *fleeting), key=lambda one: (one.came, one.track)))


def _of_same_time(fleeting: Lain, plain: Lain) -> bool:
    """Whether a card that was read in passing lay there plainly, or was being put down or taken up then."""
    near = plain.came - TOGETHER <= fleeting.last and fleeting.came <= plain.last + TOGETHER
    return near and plain.looks > 0 and not fleeting.weights.keys().isdisjoint(card for card, _ in plain.shares()[:1])


def looked_at(one: Lain, seen: SeenCard, t: float) -> Lain:
    """The card with one more look at it, from which nothing hid it."""
    weights = dict(one.weights)
    for card, share in candidates(seen):
        weights[card] = weights.get(card, 0.0) + share
    return replace(one, clear=t, weights=weights, looks=one.looks + 1)


def middle_of(seen: SeenCard) -> Point:
    """Where the middle of a card lies."""
    return sum(x for x, _ in seen.quad) / 4, sum(y for _, y in seen.quad) / 4


def taken(one: Lain, view: TableView, zones: Iterable[Zone | None]) -> Lain:
    """It is gone: what took it was over one of the zones between its being seen clearly and its being missed."""
    places = set(zones)
    seats = {
        visit.seat
        for visit in view.visits
        if visit.begin <= one.last + AFTER
        and (visit.end is None or visit.end >= one.clear - AFTER)
        and (not visit.over or not places.isdisjoint(visit.over))
    }
    return replace(one, gone=True, takers=frozenset(seats))
