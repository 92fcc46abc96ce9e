"""Sbros: which covers, resets and passes lead from what the game expects on the table to what lies there.

A pass shows nothing. It is known from whose hand covered next, as far as the visits tell; else it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.events import Choice
from assistant.games.game import Action, GameError, Position
from assistant.signs.difference import Difference, Moved
from assistant.signs.readings import LEAST_SHARE, options
from assistant.signs.signs import Explanation, Glimpse
from assistant.signs.visitors import OTHERS, came_at, unlikely, visitors
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, Quad, SeenCard, TableView, Zone

COVER: Final = 0.2
"""Costs in nats."""
RESET: Final = 0.2
PASS: Final = 0.8
UNREAD: Final = 3.0
"""Something lies there that nobody can name: it is seen, or only hides the card that lay on top."""
UNREAD_ASIDE: Final = 1.0
"""A card that nobody can read was put aside: something lies there, or only its hand was there."""
UNSEEN: Final = 1.5
"""Nobody saw a play, for the next one covered it at once: it is possible where a hand was there just before."""
HALF: Final = 2.5
"""Of the last play one card alone lies there yet."""
UNUSED: Final = 4.0
"""A card that lay there for a second or more was not played but only shown."""
REVERSED: Final = 2.5
ABREAST: Final = 0.7
"""A card was played before one that came earlier, or at the same time."""
APART: Final = 3.0
"""What lay there so many seconds before a hand was seen to bring a card was hardly played after that one: a guess."""
LONG_ENOUGH: Final = 0.2
"""Seconds for which a card must have been seen to be remembered."""
LONG: Final = 1.5
"""Seconds for which a card lies on the centre that is not only shown or put there by mistake."""
DOUBTFUL: Final = 0.2
"""A reading that costs more than this should become clearer first."""
UNSURE: Final = 0.9
"""A reading less sure than this, of a card that is known to lie covered, may be one of another card."""
MOST_ITEMS: Final = 12
OUT_OF_ORDER: Final = 0.5
"""Seconds by which a card can't have come before one that lies under it."""
MOST_WAYS: Final = 1000
FREE: Final = 1.0
"""Seconds for which the centre must have lain free to be seen: else somebody may have covered it unseen."""
RENAMED: Final = 1.5
"""Seconds after which a card that is named only now may be another one than what lay there before."""
REACH: Final = 2.5
"""Seconds from a hand's coming in to the card's resting, where the hand itself was not seen."""

NO_TRACK: Final = -1
NOWHERE: Final[Quad] = ((0.0, 0.0),) * 4
_WHATEVER: Final = (UNKNOWN, UNKNOWN)

_CENTRE: Final = (CENTRE_LEFT, CENTRE_RIGHT)
_ASIDE: Final = (Zone(1, "reset"), Zone(2, "reset"))


def passes_to_the_end(position: Position) -> tuple[Position, Choice]:
    """The position after everybody has passed, and the passes; none where somebody may not pass."""
    done: list[Action] = []
    after = position
    while after.to_act is not None:
        action = Action(after.to_act, "pass")
        try:
            after = after.apply(action)
        except GameError:
            return position, ()
        done.append(action)
    return after, tuple(done)


def explain(
    position: Position,
    difference: Difference,
    view: TableView,
    most: int = 3,
    gone: Sequence[Glimpse] = (),
) -> list[Explanation]:
    """All explanations of the whole difference by at most ``most`` actions (passes not counted), the likeliest first.

    Where there are more ways than can be looked at (``MOST_WAYS``) none is given.
    """
    if position.to_act is None or len(difference.fresh) > MOST_ITEMS:
        return []
    if not difference.fresh and not difference.strayed and (cleared := _cleared(position, view, gone)):
        return cleared
    if any(moved.seen.confidence >= UNSURE for moved in difference.moved):
        return []
    known = lying(position)
    came = [(seen, _came(seen, position, view)) for seen in difference.fresh]
    items = [_Item.of(seen, known, when) for seen, when in came if when > -math.inf or not seen.covered]
    items += [_Item.taken(moved) for moved in difference.strayed]
    items += [_Item.of(moved.seen, known) for moved in difference.moved]
    items += _perhaps(view, difference, known)
    items += _remembered(gone, view, known)
    items += _unread(position, view, difference)
    items += _perhaps_the_unread(position, view, difference, known)
    items += _unread_aside(position, view, difference)
    missing = frozenset(slot.zone for slot in difference.missing) | {moved.was for moved in difference.moved}
    start = _Node(position, tuple(items), missing)
    best: dict[object, Explanation] = {}
    try:
        for found in _Search(view, most).leaves(start):
            # Which card it is that lies there is never asked: the likeliest stands until it is read otherwise.
            key = tuple((one.seat, one.verb, used) for one, used in zip(found.actions, found.tracks, strict=True))
            if key not in best or found.cost < best[key].cost:
                best[key] = found
    except _TooManyWays:
        return []
    return sorted(best.values(), key=lambda found: found.cost)


def _came(seen: SeenCard, position: Position, view: TableView) -> float:
    """When a new card came; nobody knows if one passes for a card that lies beneath the present top one.

    One that is out of sight there is no new one: it was misread, or taken up again unseen.
    """
    tops = [one for one in view.cards if one.zone == seen.zone and one.card in position.observe().table]
    came = laid_at(seen, view)
    return -math.inf if any(one.since > came for one in tops) else came


def laid_at(seen: SeenCard, view: TableView) -> float:
    """When a card was put down. Where something lay before that nobody could read, it was when a hand was there and the
    card was named."""
    came = came_at(seen)
    if seen.zone is None or seen.named - came < RENAMED:
        return came
    hands = (visit for visit in visitors(view, seen.named, (seen.zone,)) if visit.over and visit.begin > came)
    return seen.named if any(hands) else came


def lying(position: Position) -> set[Card]:
    """The cards that lie on the table and stay there: the centre with what is covered, and what was put aside."""
    state = position.observe()
    cards = {*position.setup.table, *(card for pile in state.piles.values() for card in pile)}
    for action in position.actions:
        if action.verb == "cover":
            cards.update(action.cards)
    return cards


def _cleared(position: Position, view: TableView, gone: Sequence[Glimpse]) -> list[Explanation]:
    """Nothing lies in the centre any more: the deal is over, for nobody can move (SBR-14).

    It is a guess if a card lay there that was never explained.
    """
    if any(seen.zone in _CENTRE for seen in view.cards):
        return []
    after, passes = passes_to_the_end(position)
    if not passes:
        return []
    known = lying(position)
    lay = [glimpse for glimpse in gone if glimpse.seen.zone in _CENTRE and glimpse.clear - glimpse.first >= LONG]
    guessed = any(glimpse.seen.card not in known and glimpse.seen.card.known for glimpse in lay)
    cost = PASS * len(passes)
    return [Explanation(passes, after, cost, 2, 1.0, tuple(() for _ in passes), guessed, unfinished=True, grasp=True)]


@dataclass(frozen=True, slots=True)
class _Item:
    """A card seen that needs an explanation: what it may be (with costs), and when it came.

    ``optional``: it need not be a new card. ``past``: it is out of sight again; ``weight``: what it costs to leave it.
    ``unread``: what it costs that nobody can read it; ``under``: it lies under new cards.
    """

    seen: SeenCard
    options: tuple[tuple[Card, float], ...]
    came: float
    optional: bool = False
    past: bool = False
    weight: float = 0.0
    unread: float = 0.0
    under: bool = False

    @classmethod
    def of(cls, seen: SeenCard, known: set[Card], came: float | None = None) -> _Item:
        """A card of which the rank alone was read stays that: the next plays tell more of its suit, perhaps."""
        may_be, read = options(seen, known), seen.card
        if read.rank and not read.suit:
            share = -math.log(max(seen.confidence, LEAST_SHARE))
            may_be = ((read, share), *(option for option in may_be if option[0].rank != read.rank))
        return cls(seen, may_be, came_at(seen) if came is None else came)

    @classmethod
    def taken(cls, moved: Moved) -> _Item:
        """A card that was taken up at the exchange and is played now."""
        return cls(moved.seen, ((moved.card, 0.0),), came_at(moved.seen))


def _perhaps(view: TableView, difference: Difference, known: set[Card]) -> Iterator[_Item]:
    """Cards of the centre that pass for covered ones, but unsurely."""
    others = {*difference.fresh, *(moved.seen for moved in (*difference.moved, *difference.strayed))}
    for seen in view.cards:
        if seen.zone in _CENTRE and seen not in others and seen.confidence < UNSURE and not seen.covered:
            item = _Item.of(seen, known)
            if item.options:
                yield replace(item, optional=True)


def _perhaps_the_unread(
    position: Position, view: TableView, difference: Difference, known: set[Card]
) -> Iterator[_Item]:
    """New cards that pass for the one on top that nobody could read; they may lie on it as well."""
    others = {*difference.fresh, *(moved.seen for moved in (*difference.moved, *difference.strayed))}
    for zone, top in zip(_CENTRE, position.observe().table, strict=True):
        if not top.known:
            here = [seen for seen in view.cards if seen.zone == zone and not seen.covered and seen not in others]
            yield from (replace(_Item.of(seen, known), optional=True) for seen in here if seen.card not in known)


def _remembered(gone: Sequence[Glimpse], view: TableView, known: set[Card]) -> Iterator[_Item]:
    """The cards that lay in their place for a moment and are out of sight: covered, or taken up at the exchange."""
    here = {seen.card for seen in view.cards}
    for glimpse in gone:
        seen = glimpse.seen
        if (
            seen.zone not in (*_CENTRE, *_ASIDE)
            or glimpse.last - glimpse.first < LONG_ENOUGH
            or seen.card in known | here
        ):
            continue
        item = _Item.of(seen, known, max(seen.since, glimpse.first))
        if item.options:
            weight = UNUSED * min(1.0, glimpse.last - glimpse.first) * seen.confidence
            yield replace(item, optional=True, past=True, weight=weight)


def _unread(position: Position, view: TableView, difference: Difference) -> Iterator[_Item]:
    """What lies unread on a centre card: something like a card, or nothing but that the one below is out of sight.

    Nobody's hand may be there.
    """
    open_visits = [visit for visit in view.visits if visit.end is None]
    if any(not visit.over or not set(_CENTRE).isdisjoint(visit.over) for visit in open_visits):
        return
    for zone, top in zip(_CENTRE, position.observe().table, strict=True):
        lain = max((seen.since for seen in view.cards if seen.card == top and seen.zone == zone), default=-math.inf)
        dim = next((one for one in difference.dim if one.zone == zone and not one.covered and one.since > lain), None)
        shown = any(seen.card == top and seen.zone == zone and not seen.covered for seen in view.cards)
        if dim is None and shown:
            continue
        seen = dim or SeenCard(NO_TRACK, UNKNOWN, 0.0, zone, NOWHERE, since=-math.inf)
        new = (*difference.fresh, *(moved.seen for moved in (*difference.moved, *difference.strayed)))
        under = any(one.zone == zone and not one.covered for one in new)
        yield _Item(seen, ((UNKNOWN, 0.0),), seen.since, optional=True, unread=UNREAD, under=under)


def put_aside_unread(position: Position, view: TableView) -> list[Explanation]:
    """The card that the seat in turn has put aside, where something lies there that nobody can read."""
    seat = position.to_act
    new = [] if seat is None else _nameless_aside(position, view, seat)
    if seat is None or len(new) != 1:
        return []
    action = Action(seat, "reset", (UNKNOWN,))
    try:
        after = position.apply(action)
    except GameError:
        return []
    return [Explanation((action,), after, RESET + UNREAD_ASIDE, 1, 1.0, ((new[0].track,),))]


def _nameless_aside(position: Position, view: TableView, seat: int) -> list[SeenCard]:
    """What lies unread where the seat puts cards aside, without what the record has there, and what lay there before
    the centre was covered last."""
    tops = position.observe().table
    covered = max((one.since for one in view.cards if one.zone in _CENTRE and one.card in tops), default=-math.inf)
    told = sum(action.seat == seat and action.cards == (UNKNOWN,) for action in position.actions)
    there = (seen for seen in view.in_zone(Zone(seat, "reset")) if not seen.card.rank and not seen.covered)
    return [one for one in sorted(there, key=came_at)[told:] if came_at(one) > covered - OUT_OF_ORDER]


def _unread_aside(position: Position, view: TableView, difference: Difference) -> Iterator[_Item]:
    """What was put aside unread: something lies there that the record lacks, or a seat's hand was nowhere else."""
    centre = [seen.since for seen in view.cards if seen.zone in _CENTRE and seen.card in position.observe().table]
    for seat, zone in enumerate(_ASIDE, start=1):
        new = _nameless_aside(position, view, seat)
        yield from (_Item(seen, ((UNKNOWN, 0.0),), came_at(seen), optional=True, unread=UNREAD_ASIDE) for seen in new)
        if new or any(seen.zone == zone for seen in difference.fresh):
            continue
        last = max((seen.since for seen in view.cards if seen.zone == zone), default=-math.inf)
        hands = [visit for visit in view.visits if visit.seat == seat and visit.begin > max((*centre, last))]
        there = [one for one in hands if zone in one.over and set(_CENTRE).isdisjoint(one.over) and one.end is not None]
        if there and not any(set(_CENTRE).intersection(one.over) for one in hands):
            nothing = SeenCard(NO_TRACK, UNKNOWN, 0.0, zone, NOWHERE, since=there[0].end or view.t)
            yield _Item(nothing, ((UNKNOWN, 0.0),), nothing.since, optional=True, unread=UNREAD_ASIDE)


@dataclass(frozen=True, slots=True)
class _Node:
    """A point of the search: the position, what is unexplained, and how it was reached.

    ``missing``: the places of cards that are out of sight; a new card on them explains it. ``came``: when the last of
    the cards used came; ``brought``: the last of those with which a hand was seen, for what was read late came earlier.
    """

    position: Position
    items: tuple[_Item, ...]
    missing: frozenset[Zone]
    actions: tuple[Action, ...] = ()
    used: tuple[tuple[int, ...], ...] = ()
    shown: int = 0
    cost: float = 0.0
    reading: float = 0.0
    past: bool = False
    came: float = -1e9
    brought: float = -1e9
    guessed: bool = False

    def then(self, action: Action, items: tuple[_Item, ...], cost: float, reading: float = 0.0) -> _Node | None:
        """The node after the action; None where the rules refuse it."""
        try:
            after = self.position.apply(action)
        except GameError:
            return None
        explained = set(_CENTRE) if action.verb == "cover" else set()
        if action.verb != "pass" and not after.observe().stock:
            explained |= set(_ASIDE)  # the exchange: they are taken up
        return replace(
            self,
            position=after,
            items=tuple(item for item in self.items if item not in items),
            missing=self.missing - explained,
            actions=(*self.actions, action),
            used=(*self.used, tuple(item.seen.track for item in items)),
            shown=self.shown + bool(items),
            cost=self.cost + cost + reading,
            reading=self.reading + reading,
            past=action.verb == "cover" and (not items or any(item.past for item in items)),
            came=max((self.came, *(item.came for item in items))),
        )


class _TooManyWays(Exception):
    """The search met more ways than it may look at."""


@dataclass(slots=True)
class _Search:
    view: TableView
    most: int
    looked: int = field(default=0)

    def leaves(self, node: _Node) -> Iterator[Explanation]:
        """All explanations below a node."""
        needed = [item for item in node.items if not item.optional]
        half = len(needed) == 1 and node.shown > 0 and needed[0].seen.zone in _CENTRE and needed[0].came > node.came
        if node.shown and (half or not needed) and not node.missing and (half or not node.past):
            sure = math.exp(-node.reading)
            unclear = half or node.reading > DOUBTFUL
            cost = node.cost + HALF * half + sum(item.weight for item in node.items)
            hidden = sum(card == UNKNOWN for action in node.actions for card in action.cards)
            yield Explanation(node.actions, node.position, cost, hidden, sure, node.used, node.guessed, unclear)
            if not half:
                return
        if node.shown >= self.most or node.position.to_act is None:
            return
        for following in (*self._covers(node), *self._resets(node), *self._passes(node), *self._unseen(node)):
            yield from self.leaves(following)

    def _done(self, node: _Node, action: Action, items: tuple[_Item, ...], cost: float, reading: float) -> _Node | None:
        self.looked += 1
        if self.looked > MOST_WAYS:
            raise _TooManyWays
        after = node.then(action, items, cost, reading)
        if after is None:
            return None
        brought = max((node.brought, *(item.came for item in items if self._brought(item))))
        late = any(-math.inf < item.came < node.brought - APART for item in items)
        return replace(after, brought=brought, guessed=after.guessed or late)

    def _covers(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        for left in _next(node, CENTRE_LEFT):
            for right in _next(node, CENTRE_RIGHT):
                if left.optional and right.optional and not (left.past or right.past):
                    continue
                hasty = self._hasty(node, (left, right))
                if node.actions and node.actions[-1].cards == _WHATEVER and not hasty:
                    continue
                timing = self._timing(node, seat, (left, right), _CENTRE)
                passed = not node.actions and self._just_passed(node)
                if passed and timing >= OTHERS:
                    continue  # the other seat has not passed: it was its own hand
                unseen = passed and not self._own_hand(seat, (left, right))
                cost = COVER + timing
                cost += left.unread + right.unread
                for one, first in left.options:
                    for two, second in right.options:
                        action = Action(seat, "cover", (one, two))
                        found = self._done(node, action, (left, right), cost, first + second)
                        if found is not None:
                            yield replace(found, guessed=found.guessed or hasty or unseen)

    def _just_passed(self, node: _Node) -> bool:
        done = node.position.actions
        return bool(done) and done[-1].verb == "pass"

    def _resets(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        for item in _next(node, Zone(seat, "reset")):
            for card, reading in item.options:
                if item.past and not any(place in _ASIDE for place in node.missing):
                    continue  # only the exchange takes it away again
                cost = RESET + item.unread + self._order(node, item.came)
                found = self._done(node, Action(seat, "reset", (card,)), (item,), cost, reading)
                if found is not None:
                    yield found

    def _passes(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        if node.actions and node.actions[-1].cards == _WHATEVER:
            return
        found = self._done(node, Action(seat, "pass"), (), PASS, 0.0)
        if found is not None and found.position.to_act is not None:
            yield found

    def _unseen(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        if node.guessed or node.position.observe().stock or (node.actions and not node.actions[-1].cards):
            return
        found = self._done(node, Action(seat, "cover", _WHATEVER), (), UNSEEN, 0.0)
        if found is not None:
            yield replace(found, guessed=True)

    def _hasty(self, node: _Node, items: Sequence[_Item]) -> bool:
        """Whether the seat that acted unseen had a hand over the centre just before: it may have covered it."""
        if not node.actions or node.actions[-1].cards not in ((), _WHATEVER):
            return False
        passed, came = node.actions[-1].seat, max(item.came for item in items)
        there = [visit.begin for visit in visitors(self.view, came, _CENTRE) if visit.seat == 3 - passed]
        begin = min(there, default=came - REACH)
        return any(
            visit.seat == passed
            and visit.begin <= came
            and (visit.end is None or visit.end > begin - FREE)
            and not set(_CENTRE).isdisjoint(visit.over)
            for visit in self.view.visits
        )

    def _timing(self, node: _Node, seat: int, items: Sequence[_Item], zones: tuple[Zone, ...]) -> float:
        """How unlikely it is that the seat put the cards down when they came."""
        dated = [item.came for item in items if item.came > -math.inf]
        doubts = [unlikely(self.view, seat, came, zones) for came in dated]
        return (self._order(node, min(dated)) + max(doubts)) if dated else 0.0

    def _brought(self, item: _Item) -> bool:
        """Whether a hand was seen in its place as the card came."""
        return item.seen.zone is not None and any(
            visit.over for visit in visitors(self.view, item.came, (item.seen.zone,))
        )

    def _own_hand(self, seat: int, items: Sequence[_Item]) -> bool:
        """Whether the seat's own hand was seen there as a card came: else the other one may have put it down."""
        return any(visit.seat == seat for item in items for visit in visitors(self.view, item.came, _CENTRE))

    def _order(self, node: _Node, came: float) -> float:
        after = came - node.came
        return REVERSED if after < -0.15 else ABREAST if after <= 0.15 else 0.0


def _next(node: _Node, zone: Zone) -> list[_Item]:
    """The cards of a place that can be the next one put there: none that lies over one that is yet to be explained."""
    here = [item for item in node.items if item.seen.zone == zone]
    first = min((item.came for item in here if not item.optional), default=math.inf)
    return [item for item in here if item.came <= first + OUT_OF_ORDER and not (item.under and first == math.inf)]
