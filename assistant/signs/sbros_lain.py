"""The cards that lay on the table of Sbros, one after another (see ``assistant.signs.lain``): in the centre,
where each is covered and stays, and put aside, where each stays until it is taken up at the exchange."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from assistant.signs.lain import MOST_KEPT, AllLain, Lain, looked_at, middle_of
from assistant.signs.sbros_search import RENAMED, laid_at
from assistant.signs.stone_lain import BROUGHT
from assistant.signs.visitors import visitors
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, SeenCard, TableView, Zone

CENTRE: Final = (CENTRE_LEFT, CENTRE_RIGHT)
PLACES: Final = (*CENTRE, Zone(1, "reset"), Zone(2, "reset"))


def remembered(before: AllLain, view: TableView) -> AllLain:
    """What has lain there, with what this view adds. A card that is laid elsewhere has come anew, and so has one that
    is read where something lay that nobody could read."""
    here: dict[int, Lain] = {}
    gone: list[Lain] = []
    for seen in view.cards:
        if seen.zone not in PLACES:
            continue
        old, came = before.here.get(seen.track), laid_at(seen, view)
        if old is not None and (came > old.came + RENAMED or old.zone != seen.zone):
            gone.append(replace(old, gone=True))
            old = None
        here[seen.track] = _seen_again(old, seen, came, view)
    gone += [replace(one, gone=True) for track, one in before.here.items() if track not in here]
    past = (*before.past, *gone)[-MOST_KEPT:] if gone else before.past
    return AllLain(past, here, until=view.t)


def _seen_again(old: Lain | None, seen: SeenCard, came: float, view: TableView) -> Lain:
    if old is None:
        old = Lain(seen.track, seen.zone, middle_of(seen), came, view.t, came)
    new = replace(old, last=view.t)
    if not seen.covered:
        new = looked_at(new, seen, view.t)
    if seen.zone is not None and (view.t <= old.came + BROUGHT or not old.looks):
        new = replace(new, bringers=frozenset(visit.seat for visit in visitors(view, old.came, (seen.zone,))))
    return new
