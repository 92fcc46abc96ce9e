"""Whose hand put a card down, as the visits tell: soft evidence, for a visit may be missed or given to a wrong seat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from assistant.view import SeenCard, TableView, Visit, Zone

OTHERS: Final = 3.0
"""Cost in nats: how much less likely it is that a seat acted while only other seats' hands were seen there."""
BEFORE: Final = 1.0
AFTER: Final = 0.25
"""A hand was there if it came before the card rested, or this much later at most, and left so shortly before (s)."""
TRUSTED: Final = 3
"""The visits name the right seat if they did so for as many earlier cards and never named a wrong one."""


def visitors(view: TableView, at: float, zones: Iterable[Zone]) -> tuple[Visit, ...]:
    """The hands that were over one of the zones (or nobody knows where) at a time."""
    places = set(zones)
    return tuple(
        visit
        for visit in view.visits
        if visit.begin <= at + AFTER
        and (visit.end is None or visit.end >= at - BEFORE)
        and (not visit.over or not places.isdisjoint(visit.over))
    )


def unlikely(view: TableView, seat: int, at: float, zones: Iterable[Zone]) -> float:
    """How unlikely (nats) the visits make it that this seat acted at a time; 0 where they don't tell."""
    seats = {visit.seat for visit in visitors(view, at, zones)}
    return 0.0 if not seats or seat in seats or None in seats else OTHERS


def against_hands(view: TableView, seat: int, laid: Iterable[SeenCard], zones: Sequence[Zone]) -> bool:
    """Whether none but other seats' hands were at these places as a seat's cards came there, as far as the visits
    tell."""
    seats = {visit.seat for one in laid if one.zone in zones for visit in visitors(view, came_at(one), zones)}
    return bool(seats) and seats.isdisjoint({seat, None})


def only_visitor(view: TableView, at: float, after: float, zones: Iterable[Zone]) -> int | None:
    """The seat of the only hand that was there, if it came after the card before this one rested."""
    there = visitors(view, at, zones)
    if len({visit.seat for visit in there}) != 1 or min(visit.begin for visit in there) < after - AFTER:
        return None
    return there[0].seat


def in_order(view: TableView, seats: Sequence[int], at: float, zones: Iterable[Zone]) -> bool:
    """Whether the last hands that came before a time were those of these seats, one after another.

    One other hand may have come between: one that only rested there, or straightened something.
    """
    places = set(zones)
    there = [visit for visit in view.visits if not visit.over or not places.isdisjoint(visit.over)]
    hands = [seat for seat, _ in groupby(visit.seat for visit in there if (visit.end or at) < at)]
    wanted = [seat for seat, _ in groupby(seats)]
    lately = hands[-len(wanted) - 2 :]
    without_one = ([seat for seat, _ in groupby((*lately[:odd], *lately[odd + 1 :]))] for odd in range(len(lately)))
    return len(wanted) >= TRUSTED and any(ways[-len(wanted) :] == wanted for ways in (lately, *without_one))


def away(view: TableView) -> float:
    """For how long (seconds) no hand has been over the table: 0 while one is there, infinite if none was lately."""
    return min((0.0 if visit.end is None else view.t - visit.end for visit in view.visits), default=math.inf)


def came_at(seen: SeenCard, arrived: Mapping[int, float] | None = None) -> float:
    """When a card came to the table: a card that was moved since has rested for less long than it has lain there."""
    first = (arrived or {}).get(seen.track, seen.since)
    return min(first, seen.since)


def trusted(view: TableView, known: Iterable[tuple[int, float]], zones: Iterable[Zone]) -> bool:
    """Whether the visits named the seats of earlier cards rightly; ``known`` are (seat, when its card came)."""
    places = tuple(zones)
    right = 0
    for seat, at in known:
        seats = {visit.seat for visit in visitors(view, at, places)}
        if seats and seat not in seats:
            return False
        right += seats == {seat}
    return right >= TRUSTED
