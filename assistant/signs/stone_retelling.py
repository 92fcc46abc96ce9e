"""A deal of Rolling Stone told anew from all that has lain on the table.

A card that was misread when its play was concluded makes what follows impossible, often only much later. Here nothing
is taken for granted: of all the ways in which the cards that came and went can have been played and picked up the
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
from assistant.signs.lain import TOGETHER, AllLain, Lain
from assistant.signs.retelling import Retelling
from assistant.signs.stone_lain import remembered
from assistant.signs.stone_tricks import MIDDLE
from assistant.view import TableView

WIDTH: Final = 24
"""So many ways are gone on with at each card."""
WINDOW: Final = 12.0
"""Costs in nats, as all others. What is so much less likely than the likeliest way is given up."""
PREFERRED: Final = 1.0
"""What was told stands unless something is so much likelier."""
LEAST_LOOKS: Final = 2.0
LEAST_SHARE: Final = 0.02
STEADY: Final = 2.0
"""Seconds after which it is plain that a card lies on while another has come."""
UNLISTED: Final = 0.3
"""The share of what a reading leaves open that each other suit of its rank gets."""
UNREADABLE: Final = 2.5
"""It is no card that its readings name at all."""
NEVER_SURE: Final = 0.005
"""No reading leaves less open than this."""
AGAIN, LESS = 1.0, 2.7
"""A suit is taken for another one as it was before, the pack's way: it costs so much less, but so much at least."""
HIDDEN_PLAY: Final = 4.0
PICK_UP: Final = 0.3
OTHERS: Final = 2.0
"""None but other seats' hands were there."""
ASTRAY, APART = 2.0, 20.0
"""A card lies where another seat's cards lay so far, at most, and for each picture's width that it is farther away."""
PLACED: Final = 2
"""Cards of a seat after which it is known where it puts them."""
REVERSED, ABREAST, TOO_LATE = 2.5, 0.7, 3.0
OUT_OF_REACH: Final = 2.0
GONE: Final = 3.0
"""A card of the trick was gone already when another was put to it."""
STILL: Final = 5.0
"""A card of a trick that was over lay there openly when another was led."""
MOST_MISFITS: Final = 2
UNPLAYED: Final = 4.5
"""A card lay there and was no play; ``ALONE``: it was taken away by itself; ``SAME``: it only seemed to be one."""
ALONE: Final = 3.0
SAME: Final = 0.3
COINCIDING: Final = 2.0
"""It lies where another card lies, so it may be that one."""
FLEETING: Final = 2.0
"""A card that was only read in passing was put down; ``HELD``: it was not, but another card was surely read so."""
HELD: Final = 0.5
LIFTED: Final = 2.0
"""A card that went with others of the trick was put back without them."""
REVOKED: Final = 3.0
SLACK: Final = 0.6
"""Seconds by which what is seen of coming and going may be late."""


_Spots = tuple[tuple[float, float, int], ...]
"""By seat, the sum of the places (x, y) of its cards, and how many these are."""


@dataclass(frozen=True, slots=True)
class _InTrick:
    """A card of the trick in hand: where it lies, when it was seen last, and openly. ``inf``: it was there before."""

    card: Card
    middle: tuple[float, float] | None
    last: float = math.inf
    clear: float = -math.inf
    takers: frozenset[int | None] = frozenset()


@dataclass(frozen=True, slots=True)
class _Way:
    position: Position
    trick: tuple[_InTrick, ...]
    cost: float = 0.0
    tracks: tuple[tuple[int, ...], ...] = ()
    waiting: Lain | None = None
    came: float = -math.inf
    swaps: frozenset[tuple[str, str]] = frozenset()
    spots: _Spots = ()

    @property
    def key(self) -> object:
        return self.position.actions, None if self.waiting is None else self.waiting.came


class StoneTeller:
    """See ``assistant.signs.retelling.Teller``."""

    preferred = PREFERRED
    judges = True

    def __init__(self) -> None:
        self._begun: list[tuple[object, list[_Way]]] = []

    def remembered(self, before: AllLain, view: TableView) -> AllLain:
        """See ``assistant.signs.stone_lain``."""
        return remembered(before, view)

    def sense(self, action: Action) -> Hashable:
        """Suits matter, so all of it."""
        return action

    def outline(self, lain: AllLain, now: float) -> object:
        """All that went, what is read of the cards that lie there now, and for how long nothing has come or gone."""
        newest = max((one.came for one in lain.here.values()), default=-math.inf)
        here = tuple((outline(one, newest), min(one.looks, LEAST_LOOKS)) for one in lain.here.values())
        lasted = min(now - max([newest, lain.until, *(one.last for one in lain.past[-1:])]), STEADY)
        return len(lain.past), lain.until, here, int(lasted)

    def tell(self, start: Position, lain: AllLain, now: float) -> list[Retelling]:
        """The likeliest ways from a position to what lies there now, the likeliest first."""
        trick = tuple(_InTrick(card, None) for card in start.observe().table)
        spots = ((0.0, 0.0, 0),) * start.setup.players
        ways = self._layer(0, start, lambda: [_Way(start, trick, spots=spots)])
        came = lain.in_order()
        newest = max((one.came for one in came), default=now)
        for number, one in enumerate((one for one in came if one.looks >= LEAST_LOOKS), start=1):
            ways = self._layer(number, outline(one, newest), partial(_steps, ways, one))
        ways = _best(end for way in ways for end in _ends(way, now))
        return [Retelling(way.position.actions, way.tracks, way.position, way.cost) for way in ways]

    def _layer(self, number: int, what: object, find: Callable[[], Iterable[_Way]]) -> list[_Way]:
        """The ways after so many cards, the last of which is ``what``; found anew if it differs from last time."""
        if number < len(self._begun) and self._begun[number][0] == what:
            return self._begun[number][1]
        del self._begun[number:]
        self._begun.append((what, _best(find())))
        return self._begun[number][1]


def outline(one: Lain, newest: float) -> object:
    """What matters of a card; the ``newest`` one came then. That it goes on lying there tells nothing for long."""
    shares = tuple((card, round(share, 1)) for card, share in one.shares() if share >= LEAST_SHARE)
    until = one.last if one.gone else math.inf
    return (
        one.track,
        one.came,
        until,
        min(round(one.clear), newest + STEADY),
        one.zone,
        shares,
        one.bringers,
        one.takers,
    )


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
    for way in ways:
        if way.waiting is not None:
            first = way.waiting
            after = list(_played(replace(way, waiting=None), one, _late(first, one)))
            yield from (further for played in after for further in _played(played, first, 0.0))
            continue
        yield from _played(way, one, 0.0)
        yield from _passed_over(way, one)
        yield replace(way, waiting=one)


def _late(first: Lain, second: Lain) -> float:
    """How unlikely it is that the second card was played before the first."""
    between = second.came - first.came
    return ABREAST if between <= 0.15 else REVERSED if between <= TOO_LATE else math.inf


def _played(way: _Way, one: Lain, extra: float) -> Iterator[_Way]:
    """The card is a play: in the trick, or after a play that nobody saw, or leading after a pick-up, or after both."""
    if extra == math.inf:
        return
    for begun in _begun(way, one):
        seat = begun.position.to_act
        if seat is None:
            continue
        doubt = extra + _by(one.bringers, seat)
        doubt += 0.0 if one.zone in MIDDLE or one.zone is None else OUT_OF_REACH
        doubt += _astray(begun, one, seat) + _misfits(begun, one) + (FLEETING if one.fleeting else 0.0)
        spots = begun.spots if one.fleeting else _with_spot(begun.spots, one, seat)
        for card, reading, swap in _options(one, begun.swaps):
            after = _applied(begun.position, Action(seat, "play", (card,)))
            if after is None:
                continue
            cost = begun.cost + doubt + reading + REVOKED * (len(after.faults()) - len(begun.position.faults()))
            new = _InTrick(card, one.middle, one.last if one.gone else math.inf, one.clear, one.takers)
            yield replace(
                begun,
                position=after,
                trick=(*begun.trick, new) if after.observe().table else (),
                cost=cost,
                tracks=(*begun.tracks, (one.track,)),
                came=one.came,
                swaps=begun.swaps | swap,
                spots=spots,
            )


def _astray(way: _Way, one: Lain, seat: int) -> float:
    """How unlikely it is that the seat put the card there, by where the seats' cards lay so far."""
    known = [spot for spot in way.spots if spot[2] >= PLACED]
    own = way.spots[seat - 1]
    if one.fleeting or own not in known:
        return 0.0
    ways = [math.dist(one.middle, (x / number, y / number)) for x, y, number in known]
    return min(ASTRAY, APART * (math.dist(one.middle, (own[0] / own[2], own[1] / own[2])) - min(ways)))


def _with_spot(spots: _Spots, one: Lain, seat: int) -> _Spots:
    x, y, number = spots[seat - 1]
    return (*spots[: seat - 1], (x + one.middle[0], y + one.middle[1], number + 1), *spots[seat:])


def _begun(way: _Way, one: Lain) -> Iterator[_Way]:
    yield way
    hidden = _unseen(way)
    if hidden is not None:
        yield hidden
    for before in (way, hidden):
        if before is not None and (taken := _picked_up(before, one.came)) is not None:
            yield taken


def _unseen(way: _Way) -> _Way | None:
    seat = way.position.to_act
    after = None if seat is None else _applied(way.position, Action(seat, "play", (UNKNOWN,)))
    if after is None:
        return None
    trick = (*way.trick, _InTrick(UNKNOWN, None)) if after.observe().table else ()
    cost = way.cost + HIDDEN_PLAY
    return replace(way, position=after, trick=trick, cost=cost, tracks=(*way.tracks, ()))


def _picked_up(way: _Way, until: float) -> _Way | None:
    seat = way.position.to_act
    after = None if seat is None or not way.trick else _applied(way.position, Action(seat, "pick-up"))
    if after is None or seat is None:
        return None
    shown = [card for card in way.trick if card.middle is not None]
    still = sum(card.clear > until + SLACK for card in shown)
    takers = frozenset(seat for card in shown for seat in card.takers)
    cost = way.cost + PICK_UP + STILL * min(still, MOST_MISFITS) + _by(takers, seat)
    return replace(way, position=after, trick=(), cost=cost, tracks=(*way.tracks, ()))


def _misfits(way: _Way, one: Lain) -> float:
    """How unlikely it is that the card was put to the trick, by what of that lay there when it came."""
    return GONE * min(MOST_MISFITS, sum(card.last < one.came - SLACK for card in way.trick))


def _passed_over(way: _Way, one: Lain) -> Iterator[_Way]:
    """The card is no play: it only seemed to be one, lay there before, or was put down and taken back."""
    if one.fleeting:
        yield replace(way, cost=way.cost + HELD * one.looks)
        return
    named = {card for card, share in one.shares() if share >= 0.5}
    for number, card in enumerate(way.trick):
        again = card.card in named and (card.middle is None or card.last < one.came + SLACK)
        if again or (card.middle is not None and math.dist(card.middle, one.middle) < 0.012):
            lies = replace(
                card,
                middle=one.middle,
                last=one.last if one.gone else math.inf,
                clear=max(card.clear, one.clear),
                takers=one.takers or card.takers,
            )
            trick = (*way.trick[:number], lies, *way.trick[number + 1 :])
            others = (other.last for other in trick if other is not lies)
            together = again and any(abs(last - card.last) <= TOGETHER for last in others)
            yield replace(way, trick=trick, cost=way.cost + (SAME + LIFTED * together if again else COINCIDING))
            if again and not together:
                return
    surely = min(1.0, one.last - one.came) * max((share for _, share in one.shares()), default=0.0)
    alone = one.gone and (not way.trick or any(card.clear > one.last for card in way.trick))
    yield replace(way, cost=way.cost + (ALONE if alone else UNPLAYED) * surely)


def _ends(way: _Way, now: float) -> Iterator[_Way]:
    """How what lies there now is reached: the trick may have been taken up, or completed unseen and gathered."""
    if way.waiting is not None:
        return
    lost = sum(card.last < now - SLACK for card in way.trick)
    yield replace(way, cost=way.cost + GONE * min(lost, MOST_MISFITS))
    if lost and lost == sum(card.middle is not None for card in way.trick):
        for end in (_picked_up(way, now), _unseen(way)):
            if end is not None and not end.trick:
                yield end


def _by(hands: frozenset[int | None], seat: int) -> float:
    return 0.0 if not hands or seat in hands or None in hands else OTHERS


def _options(one: Lain, swaps: frozenset[tuple[str, str]]) -> Iterator[tuple[Card, float, frozenset[tuple[str, str]]]]:
    """What the card may be, with costs, and which suit was taken for which other one."""
    shares = one.shares()
    best, most = shares[0] if shares else (UNKNOWN, 0.0)
    listed: set[Card] = set()
    open_share = max(NEVER_SURE, 1.0 - sum(share for _, share in shares))
    for card, share in shares:
        if card.known and share >= LEAST_SHARE:
            listed.add(card)
            yield card, -math.log(min(1.0, share)), frozenset()
    if best.rank:
        for suit in SUITS:
            card = Card(best.rank, suit)
            swap = (best.suit, suit)
            if card in listed and swap not in swaps:
                continue
            share = most / 4 if not best.suit else open_share * UNLISTED
            cost = -math.log(max(share, 1e-4))
            yield (
                card,
                min(cost, max(AGAIN, cost - LESS)) if swap in swaps else cost,
                frozenset((swap,)) if best.suit else frozenset(),
            )
    yield UNKNOWN, UNREADABLE - math.log(max(NEVER_SURE, 1.0 - most)), frozenset()


def _applied(position: Position, action: Action) -> Position | None:
    try:
        return position.apply(action)
    except GameError:
        return None
