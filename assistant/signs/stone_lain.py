"""The cards that lay on the table of Rolling Stone, one after another: what was read of each, from when to when it lay
there, and whose hands brought and took it. What was concluded from them is not in here, so it can be concluded anew."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from assistant.cards import Card
from assistant.signs.difference import candidates
from assistant.signs.stone_tricks import MIDDLE
from assistant.signs.visitors import AFTER, came_at, visitors
from assistant.view import Passing, Point, SeenCard, TableView, Zone

BROUGHT: Final = 1.5
"""Seconds after a card came to rest in which the hand that brought it is found out."""
READ_WELL: Final = 0.8
"""So surely must a card be read in passing to have lain there, perhaps."""
TOGETHER: Final = 2.0
"""Readings of a card in passing within so many seconds are of one time, and of that at which it lay there plainly."""
MOST_KEPT: Final = 160
"""Cards that are remembered, those lying there now not counted: more than any deal's last thirty tricks have."""


_NOWHERE: Final[Point] = (-1.0, -1.0)


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


@dataclass(frozen=True, slots=True)
class AllLain:
    """What has lain on the table so far: ``past`` in the order in which it went, by track what lies there, and what was
    read in passing until the time ``until``."""

    past: tuple[Lain, ...] = ()
    here: Mapping[int, Lain] = field(default_factory=dict)
    fleeting: tuple[Lain, ...] = ()
    until: float = -math.inf

    def in_order(self) -> tuple[Lain, ...]:
        """All of it, in the order in which it came; what was read in passing only if it did not lie there plainly."""
        plain = (*self.past, *self.here.values())
        fleeting = (one for one in self.fleeting if not any(_of_same_time(one, other) for other in plain))
        return tuple(sorted((*plain, *fleeting), key=lambda one: (one.came, one.track)))


def remembered(before: AllLain, view: TableView) -> AllLain:
    """What has lain there, with what this view adds."""
    here = {seen.track: _seen_again(before.here.get(seen.track), seen, view) for seen in view.cards}
    gone = [_taken(one, view) for track, one in before.here.items() if track not in here]
    past = (*before.past, *gone)[-MOST_KEPT:] if gone else before.past
    fleeting, until = before.fleeting, before.until
    for read in view.passing:
        if read.t > until and read.card.known and read.confidence >= READ_WELL and read.zone in MIDDLE:
            fleeting = _with_passing(fleeting, read, view)
            until = read.t
    return AllLain(past, here, fleeting, until)


def _with_passing(before: tuple[Lain, ...], read: Passing, view: TableView) -> tuple[Lain, ...]:
    hands = frozenset(visit.seat for visit in visitors(view, read.t, MIDDLE))
    for number, old in enumerate(before):
        if read.card in old.weights and read.t - old.last <= TOGETHER:
            looks = old.looks + 1
            weights = {read.card: old.weights[read.card] + read.confidence}
            new = replace(
                old,
                last=read.t,
                clear=read.t,
                weights=weights,
                looks=looks,
                bringers=old.bringers | hands,
                takers=hands,
            )
            return (*before[:number], new, *before[number + 1 :])
    once = Lain(0, read.zone, _NOWHERE, read.t, read.t, read.t, {read.card: read.confidence}, 1.0, hands, hands)
    return (*before, replace(once, gone=True, fleeting=True))[-MOST_KEPT:]


def _of_same_time(fleeting: Lain, plain: Lain) -> bool:
    """Whether a card that was read in passing lay there plainly, or was being put down or taken up then."""
    near = plain.came - TOGETHER <= fleeting.last and fleeting.came <= plain.last + TOGETHER
    return near and plain.looks > 0 and not fleeting.weights.keys().isdisjoint(card for card, _ in plain.shares()[:1])


def _seen_again(old: Lain | None, seen: SeenCard, view: TableView) -> Lain:
    if old is None:
        came = came_at(seen)
        old = Lain(seen.track, seen.zone, _middle(seen), came, view.t, view.t if not seen.covered else came)
    new = replace(old, last=view.t, zone=seen.zone, middle=_middle(seen))
    if not seen.covered:
        weights = dict(old.weights)
        for card, share in candidates(seen):
            weights[card] = weights.get(card, 0.0) + share
        new = replace(new, clear=view.t, weights=weights, looks=old.looks + 1)
    elif not old.looks:
        new = replace(new, weights=dict(candidates(seen)), looks=1.0)
    if view.t <= old.came + BROUGHT or not new.bringers:
        new = replace(new, bringers=frozenset(visit.seat for visit in visitors(view, old.came, MIDDLE)))
    return new


def _middle(seen: SeenCard) -> Point:
    return sum(x for x, _ in seen.quad) / 4, sum(y for _, y in seen.quad) / 4


def _taken(one: Lain, view: TableView) -> Lain:
    """It is gone: what took it was there between its being seen clearly and its being missed."""
    seats = {
        visit.seat
        for visit in view.visits
        if visit.begin <= one.last + AFTER
        and (visit.end is None or visit.end >= one.clear - AFTER)
        and (not visit.over or not set(MIDDLE).isdisjoint(visit.over))
    }
    return replace(one, gone=True, takers=frozenset(seats))
