"""A deal of Sbros told anew from all that has lain on the table.

A card that was misread when it was played or put aside makes what follows impossible, often only much later. Here
nothing is taken for granted: of all the ways in which the cards that came can have been played and put aside the
likeliest as a whole are looked for (a beam), with every card being what it was read as, or something like it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from assistant.cards import SUITS, UNKNOWN, Card
from assistant.games.game import Action, GameError, Position
from assistant.signs.lain import AllLain, Lain
from assistant.signs.retelling import Retelling
from assistant.signs.sbros_lain import CENTRE, remembered
from assistant.view import CENTRE_LEFT, TableView, Zone

WIDTH: Final = 16
"""So many ways are gone on with at each card."""
WINDOW: Final = 12.0
"""Costs in nats, as all others. What is so much less likely than the likeliest way is given up."""
PREFERRED: Final = 1.0
"""What was told stands unless something is so much likelier."""
LEAST_LOOKS: Final = 2.0
LEAST_SHARE: Final = 0.02
MOST_COVERS: Final = 3
"""Of the plays that two cards may be the likeliest so many are looked at."""
NEVER_SURE: Final = 0.005
"""No reading leaves less open than this."""
UNLISTED: Final = 0.3
"""The share of what a reading leaves open that each other suit of its rank gets."""
UNREADABLE: Final = 2.5
"""It is no card that its readings name at all."""
HIDDEN: Final = 7.0
"""Two cards were played that nobody saw; ``ASIDE``: one was put aside."""
ASIDE: Final = 5.0
ALONE: Final = 3.0
"""Of a play only one card was seen."""
PASS: Final = 0.8
OTHERS: Final = 2.0
"""None but the other seat's hand was there."""
APART: Final = 6.0
"""Seconds between the two cards of a play, at most; ``SLOW``: what it costs if there are more."""
SLOW: Final = 1.5
AGAIN: Final = 0.3
"""It is only another reading of a card that lies there."""
UNPLAYED: Final = 4.5
"""A card lay there for a second or more and was no play; ``TAKEN``: and it was taken away while it lay open;
``BOTH``: so was one that came with it; ``STAYED``: it stayed there though another was put upon it."""
TAKEN, BOTH, STAYED = 2.0, 1.0, 2.0
NAMED: Final = 0.5
"""What is read less surely than this has no name."""
WAITING: Final = 4.0
"""Seconds for which one card in the centre may wait for the other."""


@dataclass(frozen=True, slots=True)
class _Way:
    """``half``: a card on one centre pile that waits for the one on the other; ``left``: those that were no plays and
    still lie there."""

    position: Position
    cost: float = 0.0
    tracks: tuple[tuple[int, ...], ...] = ()
    half: Lain | None = None
    left: tuple[Lain, ...] = ()

    @property
    def key(self) -> object:
        return self.position.actions, None if self.half is None else (self.half.track, self.half.came)

    def covering(self, one: Lain) -> _Way:
        """The way with a card that has come to a place where others may lie that were no plays."""
        stayed = [lain for lain in self.left if lain.zone == one.zone]
        if not stayed:
            return self
        left = tuple(lain for lain in self.left if lain.zone != one.zone)
        return replace(self, cost=self.cost + STAYED * len(stayed), left=left)

    def then(self, action: Action, cost: float, used: tuple[int, ...] = ()) -> _Way | None:
        """The way with an action more; None where the rules refuse it."""
        try:
            after = self.position.apply(action)
        except GameError:
            return None
        return replace(self, position=after, cost=self.cost + cost, tracks=(*self.tracks, used))


class SbrosTeller:
    """See ``assistant.signs.retelling.Teller``."""

    preferred = PREFERRED
    judges = True

    def __init__(self) -> None:
        self._begun: list[tuple[object, list[_Way]]] = []

    def remembered(self, before: AllLain, view: TableView) -> AllLain:
        """See ``assistant.signs.sbros_lain``."""
        return remembered(before, view)

    def sense(self, action: Action) -> Hashable:
        """Suits matter, so all of it."""
        return action

    def outline(self, lain: AllLain, now: float) -> object:
        """What came, and whether one of it may wait for another yet."""
        came = lain.in_order()
        waits = max((one.came for one in came), default=-math.inf) + WAITING >= now
        return tuple((_outline(one), min(one.looks, LEAST_LOOKS)) for one in came), waits

    def tell(self, start: Position, lain: AllLain, now: float) -> list[Retelling]:
        """The likeliest ways from a position to what lies there now, the likeliest first."""
        ways = self._layer(0, start, lambda: [_Way(start)])
        seen = (one for one in lain.in_order() if one.looks >= LEAST_LOOKS)
        for number, one in enumerate(seen, start=1):
            ways = self._layer(number, _outline(one), partial(_steps, ways, one))
        ways = _best(end for way in ways for end in _ends(way, now))
        return [Retelling(way.position.actions, way.tracks, way.position, way.cost) for way in ways]

    def _layer(self, number: int, what: object, find: Callable[[], Iterable[_Way]]) -> list[_Way]:
        """The ways after so many cards, the last of which is ``what``; found anew if it differs from last time."""
        if number < len(self._begun) and self._begun[number][0] == what:
            return self._begun[number][1]
        del self._begun[number:]
        self._begun.append((what, _best(find())))
        return self._begun[number][1]


def _outline(one: Lain) -> object:
    """What matters of a card."""
    shares = tuple((card, round(share, 1)) for card, share in one.shares() if share >= LEAST_SHARE)
    gone = (one.gone, _taken(one)) if one.zone in CENTRE else None
    return one.track, one.came, one.zone, shares, one.bringers, gone, round(min(1.0, one.clear - one.came), 1)


def _best(ways: Iterable[_Way]) -> list[_Way]:
    """The likeliest ways, no two of which tell the same."""
    best: dict[object, _Way] = {}
    for way in ways:
        other = best.get(way.key)
        if other is None or way.cost < other.cost:
            best[way.key] = way
    ordered = sorted(best.values(), key=lambda way: way.cost)
    return [way for way in ordered[:WIDTH] if way.cost <= ordered[0].cost + WINDOW]


def _steps(ways: Sequence[_Way], one: Lain) -> Iterator[_Way]:
    """What can come of a card that came to the table."""
    for before in ways:
        yield _passed_over(before, one)
        way = before.covering(one)
        if one.zone not in CENTRE:
            for ready in _without_half(way):
                yield from _put_aside(ready, one)
            continue
        if way.half is not None and way.half.zone != one.zone:
            free = replace(way, half=None)
            yield from _covered(free, way.half, one)
            yield _passed_over(_passed_over(free, way.half), one, most=BOTH)
        yield from (replace(ready, half=one) for ready in _without_half(way))


def _without_half(way: _Way) -> Iterator[_Way]:
    """The card that waits was played with one that nobody saw, or not at all."""
    if way.half is None:
        yield way
        return
    free = replace(way, half=None)
    yield _passed_over(free, way.half)
    yield from _covered(free, way.half, None)


def _covered(way: _Way, one: Lain, other: Lain | None) -> Iterator[_Way]:
    """The two cards, or one and another that nobody saw, were played."""
    left, right = (one, other) if one.zone == CENTRE_LEFT else (other, one)
    used = tuple(card.track for card in (left, right) if card is not None)
    doubt = sum(_taken(card) for card in (left, right) if card is not None)
    doubt += ALONE if other is None else SLOW * (abs(other.came - one.came) > APART)
    pairs = sorted((cost + extra, first, second) for first, cost in _options(left) for second, extra in _options(right))
    hands = frozenset().union(*(card.bringers for card in (left, right) if card is not None))
    for begun in (way, *_turned(way)):
        seat = begun.position.to_act
        if seat is None:
            continue
        found = 0
        for cost, first, second in pairs:
            after = begun.then(Action(seat, "cover", (first, second)), cost + doubt + _by(hands, seat), used)
            if after is not None:
                yield after
                found += 1
            if found == MOST_COVERS:
                break
        if begun is way and found == MOST_COVERS and not _by(hands, seat):
            return  # nobody need have acted before


def _put_aside(way: _Way, one: Lain) -> Iterator[_Way]:
    for begun in (way, *_turned(way)):
        seat = begun.position.to_act
        if seat is None or one.zone != Zone(seat, "reset"):
            continue
        for card, cost in _options(one):
            after = begun.then(Action(seat, "reset", (card,)), cost + _by(one.bringers, seat), (one.track,))
            if after is not None:
                yield after
        if begun is way:
            return


def _turned(way: _Way) -> Iterator[_Way]:
    """The way with the turn of the one who is in turn over, unseen."""
    seat = way.position.to_act
    if seat is None:
        return
    unseen = ((Action(seat, "cover", (UNKNOWN, UNKNOWN)), HIDDEN), (Action(seat, "reset", (UNKNOWN,)), ASIDE))
    for action, cost in (*unseen, (Action(seat, "pass"), PASS)):
        after = way.then(action, cost)
        if after is not None and after.position.to_act not in (None, seat):
            yield after


def _passed_over(way: _Way, one: Lain, *, most: float = UNPLAYED) -> _Way:
    """The card is no play, which costs so much at most: it only seemed to be one, lay there before, or was taken
    back."""
    card, share = one.best()
    known = _laid(way.position, one.zone)
    if share < NAMED or card in known:
        return replace(way, cost=way.cost + AGAIN)
    if UNKNOWN in known and not way.position.actions:
        return replace(way, cost=way.cost + AGAIN)
    surely = share * min(1.0, max(0.0, one.clear - one.came))
    cost = min(most, TAKEN if _taken(one) else UNPLAYED) * surely
    if one.gone or one.zone not in CENTRE:
        return replace(way, cost=way.cost + cost)
    return replace(way, cost=way.cost + cost, left=(*way.left, one))


def _laid(position: Position, zone: Zone | None) -> set[Card]:
    """The cards that were laid in a place so far."""
    if zone in CENTRE:
        side = CENTRE.index(zone)
        return {position.setup.table[side], *(one.cards[side] for one in position.actions if one.verb == "cover")}
    seat = zone.seat if zone is not None else None
    return {one.cards[0] for one in position.actions if one.verb == "reset" and one.seat == seat}


def _taken(one: Lain) -> float:
    """How unlikely it is that a card was played that was taken away from the centre while it lay open."""
    return UNPLAYED if one.gone and one.zone in CENTRE and one.clear >= one.last - 1.0 else 0.0


def _ends(way: _Way, now: float) -> Iterator[_Way]:
    """A card that waits for another does so for a while."""
    if way.half is not None and now - way.half.came > WAITING:
        yield from _without_half(way)
    else:
        yield way


def _by(hands: frozenset[int | None], seat: int) -> float:
    return 0.0 if not hands or seat in hands or None in hands else OTHERS


def _options(one: Lain | None) -> list[tuple[Card, float]]:
    """What the card may be, with costs, the likeliest first."""
    if one is None:
        return [(UNKNOWN, 0.0)]
    shares = one.shares()
    best, most = one.best()
    found = {card: -math.log(min(1.0, share)) for card, share in shares[:4] if card.rank and share >= LEAST_SHARE}
    left_open = max(NEVER_SURE, 1.0 - sum(share for _, share in shares))
    if best.rank:
        for suit in SUITS:
            share = most / 4 if not best.suit else left_open * UNLISTED
            found.setdefault(Card(best.rank, suit), -math.log(max(share, 1e-4)))
    found[UNKNOWN] = UNREADABLE - math.log(max(NEVER_SURE, 1.0 - most))
    return sorted(found.items(), key=lambda option: option[1])
