"""Laugh and Lie Down: the cards that lay in the pool and in the piles, one after another.

See ``assistant.signs.lain``. A card that goes from the pool to a pile has lain in two places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from assistant.signs.difference import candidates
from assistant.signs.lain import MOST_KEPT, AllLain, Lain, looked_at, middle_of, taken
from assistant.signs.visitors import came_at, visitors
from assistant.view import SeenCard, TableView, Visit, Zone

BROUGHT: Final = 1.5
"""Seconds after a card came to rest in which the hand that brought it is found out."""

LOST_SIGHT: Final = 10.0
"""A card that lies in its place again after less than so many seconds was only lost sight of."""

ENOUGH: Final = 100
"""So many looks tell what a card is as well as more do."""


def remembered(before: AllLain, view: TableView) -> AllLain:
    """What has lain there, with what this view adds. A card that was lost sight of and lies in the same place again has
    never been gone."""
    here: dict[int, Lain] = {}
    past = list(before.past)
    seen_now = set()
    for seen in view.cards:
        old = before.here.get(seen.track)
        if seen.zone is None and old is None:
            continue
        seen_now.add(seen.track)
        zone = seen.zone or (old.zone if old is not None else None)
        if old is not None and old.zone != zone:
            past.append(taken(old, view, (old.zone,)))
            old = None
        if old is None:
            old = next((one for one in reversed(past) if one.track == seen.track), None)
            back = old is not None and old.zone == zone and view.t - old.last <= LOST_SIGHT
            old = old if back else None
            if old is not None:
                past.remove(old)
                old = replace(old, gone=False, takers=frozenset())
        here[seen.track] = _seen_again(old, seen, zone, view)
    past += [taken(one, view, (one.zone,)) for track, one in before.here.items() if track not in seen_now]
    return AllLain(tuple(past[-MOST_KEPT:]), here, begin=min(before.begin, view.t))


def _seen_again(old: Lain | None, seen: SeenCard, zone: Zone | None, view: TableView) -> Lain:
    middle = middle_of(seen)
    if old is None:
        old = Lain(seen.track, zone, middle, came_at(seen), view.t, -math.inf if seen.covered else view.t)
    new = replace(old, last=view.t, middle=middle)
    if not seen.covered and old.looks >= ENOUGH:
        new = replace(new, clear=view.t)
    elif not seen.covered:
        new = looked_at(new, seen, view.t)
    elif not old.looks:
        new = replace(new, weights=dict(candidates(seen)), looks=1.0)
    if view.t <= old.came + BROUGHT or not new.bringers:
        new = replace(new, bringers=_seats(visitors(view, old.came, () if zone is None else (zone,))))
    return new


def _seats(visits: Iterable[Visit]) -> frozenset[int | None]:
    return frozenset(visit.seat for visit in visits)
