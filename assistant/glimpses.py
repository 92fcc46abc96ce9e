"""What lay in sight since the last action: cards that come and go between two looks are not forgotten."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from assistant.signs.difference import Slot
from assistant.signs.signs import Glimpse
from assistant.view import TABLE, SeenCard, TableView

HANDLED: Final = 5.0
"""Seconds for which a card is out of sight at most while somebody straightens it or moves it a little."""


def fingerprint(view: TableView) -> tuple[object, ...]:
    """What tells this look of the table from others."""
    return (*((seen.track, seen.card, seen.zone, seen.since) for seen in view.cards), view.visits, view.passing)


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


def beyond_first(
    lately: Mapping[int, Glimpse], view: TableView, tracks: Sequence[int], was: Sequence[Slot], now: Sequence[Slot]
) -> dict[int, Glimpse]:
    """What of ``lately`` tells of what came after the first of several actions, which laid these ``tracks``.

    ``was`` and ``now`` are the slots before and after it. What had lain there before and is gone went with it. What it
    laid counts only if that has gone from a place where it must show: then it tells when somebody took it.
    """
    here = {seen.track for seen in view.cards}
    before = {slot.card for slot in was if slot.shows and slot.card.known}
    taken = {slot.card for slot in now if slot.shows and slot.anywhere and slot.card.known}
    return {
        track: glimpse
        for track, glimpse in lately.items()
        if (track in here or glimpse.seen.card not in before)
        and (track not in tracks or (track not in here and glimpse.seen.card in taken))
    }


def went_since(
    lately: Mapping[int, Glimpse], view: TableView, tracks: Sequence[Sequence[int]], was: Sequence[Slot]
) -> dict[int, Glimpse]:
    """What of ``lately`` came and went after actions that laid these ``tracks``, one sequence each: it tells of what
    came after them.

    ``was`` are the slots before them. Nothing, if they took no card away that had to show.
    """
    used = {track for action in tracks for track in action}
    gone = out_of_sight(lately, view)
    showed = {slot.card for slot in was if slot.shows and slot.card.known}
    taken = max((glimpse.clear for glimpse in gone if glimpse.seen.card in showed), default=math.inf)
    return {one.seen.track: one for one in gone if one.first > taken and one.seen.track not in used}


def came_to_pool(before: Mapping[int, float], lately: Mapping[int, Glimpse], view: TableView) -> dict[int, float]:
    """By track, when it came to the pool; one that was away meanwhile has come anew.

    ``lately``: what lay in sight before this view. A card that is only moved about goes on lying there.
    """
    looked = max((glimpse.last for glimpse in lately.values()), default=-math.inf)

    def away(seen: SeenCard) -> bool:
        glimpse = lately.get(seen.track)
        if glimpse is None or glimpse.last < looked:
            return True
        clear = max(glimpse.clear, glimpse.first)
        return not seen.covered and seen.since > clear and view.t - clear > HANDLED

    new = {seen.track: view.t for seen in view.in_zone(TABLE) if seen.track not in before or away(seen)}
    return {**before, **new}
