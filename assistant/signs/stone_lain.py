"""Rolling Stone: the cards that lay on the table, one after another (see ``assistant.signs.lain``)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from assistant.signs.difference import candidates
from assistant.signs.lain import MOST_KEPT, TOGETHER, AllLain, Lain, looked_at, middle_of, taken
from assistant.signs.stone_tricks import MIDDLE
from assistant.signs.visitors import came_at, visitors
from assistant.view import Passing, Point, SeenCard, TableView

BROUGHT: Final = 1.5
"""Seconds after a card came to rest in which the hand that brought it is found out."""
READ_WELL: Final = 0.8
"""So surely must a card be read in passing to have lain there, perhaps."""
_NOWHERE: Final[Point] = (-1.0, -1.0)


def remembered(before: AllLain, view: TableView) -> AllLain:
    """What has lain there, with what this view adds."""
    here = {seen.track: _seen_again(before.here.get(seen.track), seen, view) for seen in view.cards}
    gone = [taken(one, view, MIDDLE) for track, one in before.here.items() if track not in here]
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


def _seen_again(old: Lain | None, seen: SeenCard, view: TableView) -> Lain:
    if old is None:
        came = came_at(seen)
        old = Lain(seen.track, seen.zone, middle_of(seen), came, view.t, view.t if not seen.covered else came)
    new = replace(old, last=view.t, zone=seen.zone, middle=middle_of(seen))
    if not seen.covered:
        new = looked_at(new, seen, view.t)
    elif not old.looks:
        new = replace(new, weights=dict(candidates(seen)), looks=1.0)
    if view.t <= old.came + BROUGHT or not new.bringers:
        new = replace(new, bringers=frozenset(visit.seat for visit in visitors(view, old.came, MIDDLE)))
    return new
