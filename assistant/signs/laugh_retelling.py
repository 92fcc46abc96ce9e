"""A deal of Laugh and Lie Down told anew from all that has lain in the pool and in the piles.

A card that was misread, or never read at all, when its turn was concluded makes what follows impossible, often only
much later. Here nothing is taken for granted: of all the ways in which the cards that came and went can have been
mated, laid, laid down and claimed the likeliest as a whole are looked for (a beam). Only ranks are told (LLD-1).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.games.game import Action, GameError, Position
from assistant.signs.lain import AllLain
from assistant.signs.laugh_lain import remembered
from assistant.signs.laugh_search import empty_hands
from assistant.signs.laugh_stays import OTHERS, Key, Stay, Swaps, stay_of
from assistant.signs.retelling import Retelling
from assistant.view import TableView

WIDTH: Final = 24
"""So many ways are gone on with at each card."""
FEW: Final = 6
"""So many where a turn was not seen at all."""
WINDOW: Final = 14.0
"""Costs in nats, as all others. What is so much less likely than the likeliest way is given up."""
PREFERRED: Final = 4.0
"""What was told stands unless something is so much likelier: it was concluded from more than is known here."""
AHEAD: Final = 8.0
"""Seconds after a card came in which what comes and goes may belong to it."""
SETTLED: Final = 4.0
"""A card that left the pool is looked at so long (seconds) after, when what took it to a pile is known."""
LIKELY, MISREAD = 3.5, 4.5
"""A card is taken for one that is so unlikely only if a card of that rank left the pool; if it is hardly read at all,
for one that is even less likely."""
HARDLY: Final = 0.8
PLAIN: Final = 1.7
"""What was mated unseen must at least be plain to read in the pool."""
UNSEEN: Final = 3.5
"""Nothing was seen in the pile of what was mated; a card that left the pool tells of it. ``COVERED``: it may lie there
still, beneath others."""
COVERED: Final = 1.5
MOST_UNSEEN: Final = 3
"""Turns in a row that nobody saw. ``MISSED``: so many seconds ago at most such a hand was laid down."""
MISSED: Final = 30.0
STILL: Final = 5.0
"""A card that was mated was seen in the pool later; ``EARLIER``: it was gone before; ``NEVER``: none was ever seen."""
EARLIER, NEVER = 1.0, 1.5
LATER: Final = 2.0
"""Seconds after which it is plain that a card goes on lying there."""
LATE: Final = 0.7
"""A card of an action is seen only later."""
NOTHING: Final = 4.0
"""What was read in a pile or in the pool is no card; ``LOST``: one that left the pool went nowhere."""
LOST: Final = 2.5
AGAIN: Final = 0.4
"""It is another reading of a card that lies there, or lay there just now."""
LAID, LAID_ALONE, SHORT, CLAIMED = 2.0, 0.7, 1.5, 0.7
"""Cards were laid; but one of them wasn't seen; one of three was mated (LLD-16); cards were claimed."""
AT_ONCE: Final = 1.5
"""Several were laid in the same instant, for each of the others."""
TAKEN_BACK: Final = 1.0
"""It went back to where it came from, or another did that came with it."""
LAID_DOWN: Final = 0.5
NOT_READ: Final = 1.5
"""Of a hand that was laid down a card was never read."""
FLEETING: Final = 4.0
"""What lies in the pool for less (seconds) was on its way."""


@dataclass(frozen=True, slots=True)
class _Lacking:
    """Cards of an action, the ``number``-th told anew, that are not seen in the seat's pile yet;
    ``laid``: all of them come from the hand."""

    seat: int
    rank: str
    cards: int
    t: float
    number: int
    laid: bool = False


@dataclass(frozen=True, slots=True)
class _Way:
    """One way, up to a moment. ``used``: what of the pool an action took or laid there; ``trail`` stands for its
    actions."""

    position: Position
    cost: float = 0.0
    tracks: tuple[tuple[int, ...], ...] = ()
    lacking: tuple[_Lacking, ...] = ()
    used: frozenset[Key] = frozenset()
    swaps: Swaps = frozenset()
    trail: int = 0

    def then(
        self,
        action: Action,
        cost: float,
        tracks: tuple[int, ...] = (),
        *,
        used: Iterable[Stay] = (),
        lacking: _Lacking | None = None,
        swaps: Swaps = frozenset(),
    ) -> _Way | None:
        """The way with one action more, and whoever is in turn with an empty hand after it lies down (LLD-18); None
        where the rules refuse it."""
        try:
            after, empty = empty_hands(self.position.apply(action))
        except GameError:
            return None
        return _Way(
            after,
            self.cost + cost,
            (*self.tracks, tracks, *(() for _ in empty)),
            self.lacking if lacking is None or not lacking.cards else (*self.lacking, lacking),
            self.used.union(one.key for one in used),
            self.swaps | swaps if swaps else self.swaps,
            hash((self.trail, action)),
        )

    def costing(self, cost: float) -> _Way:
        return replace(self, cost=self.cost + cost)

    def with_track(self, number: int, track: int) -> _Way:
        """The track is one of the ``number``-th action's."""
        tracks = self.tracks
        return replace(self, tracks=(*tracks[:number], (*tracks[number], track), *tracks[number + 1 :]))


@dataclass(frozen=True, slots=True)
class _Event:
    """A card came to a pile or to the pool, or left the pool (``goes``), which is looked at at a time ``t``."""

    t: float
    one: Stay
    goes: bool = False


class LaughTeller:
    """See ``assistant.signs.retelling.Teller``."""

    preferred = PREFERRED
    judges = False

    def __init__(self) -> None:
        self._begun: list[tuple[object, list[_Way]]] = []

    def remembered(self, before: AllLain, view: TableView) -> AllLain:
        """See ``assistant.signs.laugh_lain``."""
        return remembered(before, view)

    def sense(self, action: Action) -> Hashable:
        """Which of the cards of a rank it was is all the same (LLD-1)."""
        return action.seat, action.verb, tuple(sorted(card.rank for card in action.cards))

    def outline(self, lain: AllLain, now: float) -> object:
        """What is read of the cards that lie there, and of those that went."""
        stays = (stay_of(one) for one in (*lain.past, *lain.here.values()))
        return tuple((stay.coming(now), stay.leaving() if stay.gone else ()) for stay in stays if stay is not None)

    def tell(self, start: Position, lain: AllLain, now: float) -> list[Retelling]:
        """The likeliest ways from a position to what lies there now, the likeliest first."""
        start, empty = empty_hands(start)
        stays = [stay for one in (*lain.past, *lain.here.values()) if (stay := stay_of(one)) is not None]
        events = _events(start, stays, lain.begin, now)
        step = _Step(events, [stay for stay in stays if stay.seat is None], lain.begin, now)
        outlines = [event.one.leaving() if event.goes else event.one.coming(now) for event in events]
        ways = self._layer(0, start, [_Way(start, tracks=tuple(() for _ in empty))])
        for number, event in enumerate(events, start=1):
            near = [outlines[i] for i in range(number - 1, len(events)) if events[i].t <= event.t + AHEAD]
            ways = self._layer(
                number, (near, step.lying_on(event.t)), (after for way in ways for after in step.after(way, event))
            )
        ends = {way.position.actions: way for way in reversed(ways)}
        ways = sorted(ends.values(), key=lambda way: way.cost)
        return [Retelling(way.position.actions, way.tracks, way.position, way.cost) for way in ways]

    def _layer(self, number: int, what: object, ways: Iterable[_Way]) -> list[_Way]:
        """The ways after so many events, the last of which is ``what``, as last time if it was that then."""
        if number < len(self._begun) and self._begun[number][0] == what:
            return self._begun[number][1]
        del self._begun[number:]
        self._begun.append((what, _best(ways)))
        return self._begun[number][1]


def _best(ways: Iterable[_Way], most: int = WIDTH) -> list[_Way]:
    """The likeliest ways, no two of which tell the same."""
    best: dict[object, _Way] = {}
    for way in ways:
        key = way.trail, way.lacking
        other = best.get(key)
        if other is None or way.cost < other.cost:
            best[key] = way
    ordered = sorted(best.values(), key=lambda way: way.cost)
    return [way for way in ordered[:most] if way.cost <= ordered[0].cost + WINDOW]


def _events(start: Position, stays: Sequence[Stay], begin: float, now: float) -> list[_Event]:
    """What came and went since the start, in order."""
    piles = start.observe().piles
    events = []
    for one in stays:
        first = one.came <= begin
        if one.seat is None:
            events += [] if first else [_Event(one.came, one)]
            events += [_Event(one.last + SETTLED, one, goes=True)] if one.gone and now >= one.last + SETTLED else []
        elif not (first and piles[one.seat]):
            events.append(_Event(one.came, one))
    return sorted(events, key=lambda event: (event.t, event.one.track))


@dataclass(frozen=True, slots=True)
class _Step:
    """What can come of one event, with all that was seen before and after it."""

    events: Sequence[_Event]
    pool: Sequence[Stay]
    begin: float
    now: float

    def lying_on(self, t: float) -> object:
        """Which cards of the pool were seen there after a time."""
        return tuple(one.key for one in self.pool if one.came <= t and one.clear > t + LATER)

    def after(self, way: _Way, event: _Event) -> Iterator[_Way]:
        one = event.one
        if one.seat is None and one.key in way.used:
            yield way
        elif event.goes:
            yield from self._left(way, one)
        elif one.seat is None:
            yield from self._came_to_pool(way, one)
        else:
            yield from self._came_to_pile(way, one, one.seat)

    # --- a card came to a pile ------------------------------------------------------------------------------------

    def _came_to_pile(self, way: _Way, one: Stay, seat: int) -> Iterator[_Way]:
        if way.position.over and seat == way.position.setup.dealer:
            yield way  # the sweep (LLD-24)
            return
        yield _no_more(way, one, seat)
        if self._taken_back(one):
            yield way.costing(TAKEN_BACK)
        yield from self._seen_late(way, one, seat)
        yield from self._laid(way, one, seat)
        yield from self._claimed(way, one, seat)
        for begun in self._until(way, one.came, seat):
            yield from self._mated(begun, one, seat)

    def _seen_late(self, way: _Way, one: Stay, seat: int) -> Iterator[_Way]:
        """It is one of the cards of an action that was told already."""
        for place, lacking in enumerate(way.lacking):
            if lacking.seat != seat:
                continue
            cost = one.unlikely(lacking.rank, way.swaps) + (LATE if one.came - lacking.t > SETTLED else 0.0)
            cost += STILL if lacking.laid and self._from_pool(one) else 0.0
            less = replace(lacking, cards=lacking.cards - 1)
            left = (*way.lacking[:place], *((less,) if less.cards else ()), *way.lacking[place + 1 :])
            yield replace(way.costing(cost), lacking=left).with_track(lacking.number, one.track)

    def _from_pool(self, one: Stay) -> bool:
        return any(other.track == one.track and other.came < one.came for other in self.pool)

    def _taken_back(self, one: Stay) -> bool:
        """Whether a card, or one that came with it, went back to the pool."""
        beside = (
            event.one
            for event in self.events
            if event.one.seat == one.seat and abs(event.t - one.came) <= SETTLED and event.one.gone
        )
        return any(
            other.track == back.track and other.last <= back.came + 1.0 for other in beside for back in self.pool
        )

    def _mated(self, way: _Way, one: Stay, seat: int) -> Iterator[_Way]:
        table = Counter(card.rank for card in way.position.observe().table)
        gone = {other.rank for other in self._leaving(way, one.came)}
        hands = one.brought_by(seat)
        for rank, reading, swap in one.ranks(way.swaps):
            if not table[rank] and not table[""]:
                continue
            if reading > _likely(one) and rank not in gone and not swap & way.swaps:
                continue
            for size in (1, 3) if table[rank] + min(1, table[""]) >= 3 else (1,):
                taking, taken = self._taken(way, rank, size, one.came, one.track)
                cost = hands + reading + taking + (SHORT if size == 1 and table[rank] >= 3 else 0.0)
                lacking = _Lacking(seat, rank, size, one.came, len(way.tracks))
                action = Action(seat, "mate", (Card(rank, ""),) * (size + 1))
                if after := way.then(action, cost, (one.track,), used=taken, lacking=lacking, swaps=swap):
                    yield after

    def _laid(self, way: _Way, one: Stay, seat: int) -> Iterator[_Way]:
        from_pool = self._from_pool(one)
        beside = [
            event.one
            for event in self.events
            if event.one.seat == one.seat and event.one is not one and abs(event.t - one.came) <= SETTLED
        ]
        for rank, reading, swap in one.ranks(way.swaps):
            if reading > LIKELY:
                continue
            with_it = sum(other.unlikely(rank, way.swaps) < 1.0 for other in beside)
            for size in (2, 4) if with_it >= 2 else (2,):
                cost = LAID + reading + LAID_ALONE * max(0, size - 1 - with_it) + (STILL if from_pool else 0.0)
                cost += AT_ONCE * sum(abs(other.t - one.came) < 0.5 for other in way.lacking if other.seat == seat)
                lacking = _Lacking(seat, rank, size - 1, one.came, len(way.tracks), laid=True)
                action = Action(seat, "lay", (Card(rank, ""),) * size)
                cost += one.brought_by(seat)
                if after := way.then(action, cost, (one.track,), lacking=lacking, swaps=swap):
                    yield after

    def _claimed(self, way: _Way, one: Stay, seat: int) -> Iterator[_Way]:
        """Cards that go from the pool without one of the seat's own: a claim, or the dealer's mournival (LLD-7)."""
        taking = [(claim.cards, "claim") for claim in way.position.claims() if seat in claim.claimants]
        table = Counter(card.rank for card in way.position.observe().table)
        if seat == way.position.setup.dealer:
            taking += [((Card(rank, ""),) * 4, "take") for rank, number in table.items() if rank and number == 4]
        for cards, verb in taking:
            rank = cards[0].rank
            reading = one.unlikely(rank, way.swaps)
            if reading > LIKELY:
                continue
            unlikely, taken = self._taken(way, rank, len(cards), one.came, one.track)
            lacking = _Lacking(seat, rank, len(cards) - 1, one.came, len(way.tracks))
            cost = CLAIMED + reading + unlikely + one.brought_by(seat)
            if after := way.then(Action(seat, verb, cards), cost, (one.track,), used=taken, lacking=lacking):
                yield after

    def _taken(self, way: _Way, rank: str, size: int, t: float, track: int = 0) -> tuple[float, list[Stay]]:
        """Which cards of a rank were taken from the pool at a time, and how unlikely that is. What is read of the
        ``track`` that came to the pile is reckoned already."""
        ways = []
        for other in self.pool:
            if other.key not in way.used and other.came <= t + 0.5:
                reading = 0.0 if other.track == track else other.unlikely(rank, way.swaps)
                ways.append((reading + _went_otherwise(other, t), other.came, other))
        ways = sorted(ways, key=lambda way: way[:2])[:size]
        ways = [one for one in ways if one[0] < NEVER + 1.0]
        return sum(cost for cost, _, _ in ways) + NEVER * (size - len(ways)), [other for _, _, other in ways]

    def _leaving(self, way: _Way, t: float) -> list[Stay]:
        """The cards that left the pool about a time, and nobody has taken."""
        return [one for one in self.pool if one.gone and abs(one.last - t) <= SETTLED and one.key not in way.used]

    # --- turns that nobody saw ------------------------------------------------------------------------------------

    def _until(self, way: _Way, t: float, seat: int) -> Iterator[_Way]:
        """The way until it is a seat's turn: at once, or after turns that nobody saw."""
        ways = [way]
        for unseen in range(MOST_UNSEEN + 1):
            yield from (one for one in ways if one.position.to_act == seat)
            if unseen < MOST_UNSEEN:
                before = [one for one in ways if one.position.to_act not in (seat, None)]
                ways = _best((after for one in before for after in self._unseen_turn(one, t)), FEW)

    def _unseen_turn(self, way: _Way, t: float) -> Iterator[_Way]:
        seat = way.position.to_act
        if seat is None:
            return
        for one in self.pool:
            away = (one.gone and one.last <= t + 1.0) or one.clear < t - LATER
            if away and one.came < t and one.key not in way.used:
                yield from self._unseen_mate(way, one, seat)
        yield from self._laid_down(way, t - MISSED, t + 1.0, seat)

    def _unseen_mate(self, way: _Way, one: Stay, seat: int) -> Iterator[_Way]:
        """A card left the pool, and in the seat's pile nothing was seen of it, or only later."""
        table = Counter(card.rank for card in way.position.observe().table)
        for rank, reading, swap in one.ranks(way.swaps):
            if reading > PLAIN or not (table[rank] or table[""]):
                continue
            size = 3 if table[rank] == 3 else 1
            unlikely, taken = self._taken(way, rank, size, one.last)
            if one not in taken:
                continue
            cost = UNSEEN + unlikely + (one.taken_by(seat) if one.gone else COVERED)
            lacking = _Lacking(seat, rank, size + 1, one.last, len(way.tracks))
            action = Action(seat, "mate", (Card(rank, ""),) * (size + 1))
            if after := way.then(action, cost, used=taken, lacking=lacking, swaps=swap):
                yield after

    # --- cards come to the pool and go ----------------------------------------------------------------------------

    def _came_to_pool(self, way: _Way, one: Stay) -> Iterator[_Way]:
        lasted = (one.last if one.gone else self.now) - one.came
        surely = min(1.0, lasted / AHEAD) * one.share
        yield way.costing(NOTHING * surely)
        if (again := self._lay_there(way, one)) is not None:
            yield way.costing(again)
        if one.gone and lasted < FLEETING:
            return
        seats = {way.position.to_act, *one.bringers} - {None}
        for seat in seats:
            if seat is None or seat not in way.position.observe().active:
                continue
            for begun in self._until(way, one.came, seat):
                yield from self._laid_down(begun, one.came - 1.0, one.came + AHEAD, seat)

    def _lay_there(self, way: _Way, one: Stay) -> float | None:
        """How likely it is a card that lay in the pool before, lost sight of or not read till now; None: it is none."""
        lying = [
            other
            for other in self.pool
            if other is not one
            and other.came < one.came
            and other.key not in way.used
            and (not other.gone or other.last > one.came - 1.0)
        ]
        if self._was_there(way, one):
            return AGAIN
        if any(other.rank == one.rank and other.clear <= one.came + 0.5 for other in lying):
            return AGAIN
        table = Counter(card.rank for card in way.position.observe().table)
        if one.rank and table[one.rank] > sum(other.rank == one.rank for other in lying):
            return AGAIN
        return 2 * AGAIN if len(lying) < sum(table.values()) else None

    def _was_there(self, way: _Way, one: Stay) -> bool:
        """Whether it lay in the pool before, and only went away for a while."""
        return any(
            other.track == one.track and other.came < one.came and other.key not in way.used for other in self.pool
        )

    def _laid_down(self, way: _Way, begin: float, end: float, seat: int) -> Iterator[_Way]:
        """A seat's whole hand came to the pool between two times."""
        size = way.position.observe().hands[seat]
        if way.position.to_act != seat or not size:
            return
        came = [
            one
            for one in self.pool
            if begin <= one.came <= end
            and one.came > self.begin
            and one.key not in way.used
            and not (one.gone and one.last - one.came < FLEETING)
            and not self._was_there(way, one)
        ]
        came.sort(key=lambda one: -one.looks)
        shown = came[:size]
        if not shown and size > 1:
            return
        others = sum(one.brought_by(seat) > 0 for one in shown)
        cost = LAID_DOWN + NOT_READ * (size - len(shown)) + (OTHERS if 2 * others > len(shown) else 0.0)
        table = {card.rank for card in way.position.observe().table}
        named = [_named(one, table) for one in shown]
        cards = (*(card for card, _ in named), *(UNKNOWN for _ in range(size - len(shown))))
        reading = sum(unlikely for _, unlikely in named)
        tracks = tuple(one.track for one in shown)
        if after := way.then(Action(seat, "lie-down", cards), cost + reading, tracks, used=shown):
            yield after

    def _left(self, way: _Way, one: Stay) -> Iterator[_Way]:
        again = any(
            (other is not one and (other.rank == one.rank and abs(other.came - one.last) <= SETTLED))
            or (other.track == one.track and other.came > one.came)
            for other in self.pool
            if other.key not in way.used
        )
        yield way if way.position.over else way.costing(AGAIN if again else LOST * one.share)
        seat = way.position.to_act
        if seat is not None and not again:
            yield from self._unseen_mate(way, one, seat)


def _went_otherwise(one: Stay, t: float) -> float:
    """How unlikely it is that a card left the pool at a time, by when it was seen there."""
    if one.gone and one.last < t - SETTLED:
        return EARLIER
    if one.gone and one.last <= t + SETTLED:
        return 0.0
    if one.clear > t + LATER:
        return STILL
    return EARLIER if one.gone else COVERED


def _no_more(way: _Way, one: Stay, seat: int) -> _Way:
    """It is no new card: another reading of one that lies in the pile, or none at all."""
    pile = {card.rank for card in way.position.observe().piles[seat]}
    again = min((one.unlikely(rank, way.swaps) for rank in pile if rank), default=math.inf)
    lasted = min(1.0, (one.last - one.came) / FLEETING)
    none = 0.3 + NOTHING * lasted * one.share
    cost = min(AGAIN * (2 if one.bringers else 1) + again, none)
    mine = [number for number, action in enumerate(_told(way)) if action.seat == seat and way.tracks[number]]
    after = way.costing(cost)
    return after.with_track(mine[-1], one.track) if mine else after


def _told(way: _Way) -> tuple[Action, ...]:
    """The actions that are told anew."""
    return way.position.actions[len(way.position.actions) - len(way.tracks) :]


def _named(one: Stay, table: set[str]) -> tuple[Card, float]:
    """What a card of a hand that is laid down is, and how unlikely. One of a rank that the pool holds would have been
    mated (LLD-17): it is rather misread."""
    if not one.rank or one.rank in table:
        return UNKNOWN, 0.5 - math.log(max(0.02, 1.0 - one.share)) if one.rank else 0.5
    return Card(one.rank, ""), one.costs[one.rank]


def _likely(one: Stay) -> float:
    return MISREAD if one.share < HARDLY else LIKELY
