"""What lay in sight since the last action: cards that come and go between two looks are not forgotten."""

from __future__ import annotations

import math
from collections.abc import Mapping

from assistant.signs.signs import Glimpse
from assistant.view import TableView


def fingerprint(view: TableView) -> tuple[object, ...]:
    """What tells this look of the table from others."""
    return (*((seen.track, seen.card, seen.zone, seen.since) for seen in view.cards), view.visits)


def glimpsed(before: Mapping[int, Glimpse], view: TableView) -> dict[int, Glimpse]:
    """What lay in sight, with what this view adds."""
    glimpses = dict(before)
    for seen in view.cards:
        old = glimpses.get(seen.track)
        if old is None:
            glimpses[seen.track] = Glimpse(seen, view.t, view.t, -math.inf if seen.covered else view.t)
        else:
            best = seen if seen.confidence >= old.seen.confidence else old.seen
            glimpses[seen.track] = Glimpse(best, old.first, view.t, old.clear if seen.covered else view.t)
    return glimpses


def out_of_sight(lately: Mapping[int, Glimpse], view: TableView, *, covered: bool = False) -> tuple[Glimpse, ...]:
    """The cards that lay in sight since the last action and don't any more, with those that may lie ``covered``."""
    here = {seen.track for seen in view.cards if not (covered and seen.covered)}
    return tuple(glimpse for track, glimpse in lately.items() if track not in here)
