"""Sbros: which covers, resets and passes lead from what the game expects on the table to what lies there.

A pass shows nothing. It is known from whose hand covered next, as far as the visits tell; else it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from assistant.cards import Card
from assistant.events import Choice
from assistant.games.game import Action, GameError, Position
from assistant.signs.difference import Difference, Moved
from assistant.signs.readings import options
from assistant.signs.signs import Explanation, Glimpse
from assistant.signs.visitors import came_at, unlikely
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, SeenCard, TableView, Zone

COVER: Final = 0.2
"""Costs in nats."""
RESET: Final = 0.2
PASS: Final = 0.8
REVERSED: Final = 2.5
ABREAST: Final = 0.7
"""A card was played before one that came earlier, or at the same time."""
LONG_ENOUGH: Final = 0.2
"""Seconds for which a card must have been seen to be remembered."""
DOUBTFUL: Final = 1.5
"""A reading that costs more than this should become clearer first."""
UNSURE: Final = 0.9
"""A reading less sure than this, of a card that is known to lie covered, may be one of another card."""
MOST_ITEMS: Final = 12
OUT_OF_ORDER: Final = 0.5
"""Seconds by which a card can't have come before one that lies under it."""
MOST_WAYS: Final = 1000

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
    if not difference.fresh and not difference.strayed and (cleared := _cleared(position, view)):
        return cleared
    if any(moved.seen.confidence >= UNSURE for moved in difference.moved):
        return []
    known = _lying(position)
    items = [_Item.of(seen, known) for seen in difference.fresh]
    items += [_Item.taken(moved) for moved in difference.strayed]
    items += [_Item.of(moved.seen, known) for moved in difference.moved]
    items += _perhaps(view, difference, known)
    items += _remembered(gone, view, known)
    missing = frozenset(slot.zone for slot in difference.missing) | {moved.was for moved in difference.moved}
    start = _Node(position, tuple(items), missing)
    best: dict[tuple[str, ...], Explanation] = {}
    try:
        for found in _Search(view, most).leaves(start):
            key = tuple(map(str, found.actions))
            if key not in best or found.cost < best[key].cost:
                best[key] = found
    except _TooManyWays:
        return []
    return sorted(best.values(), key=lambda found: found.cost)


def _lying(position: Position) -> set[Card]:
    """The cards that lie on the table and stay there: the centre with what is covered, and what was put aside."""
    state = position.observe()
    cards = {*position.setup.table, *(card for pile in state.piles.values() for card in pile)}
    for action in position.actions:
        if action.verb == "cover":
            cards.update(action.cards)
    return cards


def _cleared(position: Position, view: TableView) -> list[Explanation]:
    """Nothing lies in the centre any more: the deal is over, for nobody can move (SBR-14)."""
    if any(seen.zone in _CENTRE for seen in view.cards):
        return []
    after, passes = passes_to_the_end(position)
    if not passes:
        return []
    return [Explanation(passes, after, PASS * len(passes), 2, 1.0, tuple(() for _ in passes), unfinished=True)]


@dataclass(frozen=True, slots=True)
class _Item:
    """A card seen that needs an explanation: what it may be (with costs), and when it came.

    ``optional``: it need not be a new card. ``past``: it is out of sight again.
    """

    seen: SeenCard
    options: tuple[tuple[Card, float], ...]
    came: float
    optional: bool = False
    past: bool = False

    @classmethod
    def of(cls, seen: SeenCard, known: set[Card], came: float | None = None) -> _Item:
        return cls(seen, options(seen, known), came_at(seen) if came is None else came)

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
            yield replace(item, optional=True, past=True)


@dataclass(frozen=True, slots=True)
class _Node:
    """A point of the search: the position, what is unexplained, and how it was reached.

    ``missing``: the places of cards that are out of sight; a new card on them explains it.
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
            past=action.verb == "cover" and any(item.past for item in items),
            came=max((item.came for item in items), default=self.came),
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
        if node.shown and not needed and not node.missing and not node.past:
            sure = math.exp(-node.reading)
            unclear = node.reading > DOUBTFUL
            yield Explanation(node.actions, node.position, node.cost, 0, sure, node.used, unfinished=unclear)
            return
        if node.shown >= self.most or node.position.to_act is None:
            return
        for following in (*self._covers(node), *self._resets(node), *self._passes(node)):
            yield from self.leaves(following)

    def _done(self, node: _Node, action: Action, items: tuple[_Item, ...], cost: float, reading: float) -> _Node | None:
        self.looked += 1
        if self.looked > MOST_WAYS:
            raise _TooManyWays
        return node.then(action, items, cost, reading)

    def _covers(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        for left in _next(node, CENTRE_LEFT):
            for right in _next(node, CENTRE_RIGHT):
                if left.optional and right.optional and not (left.past and right.past):
                    continue
                cost = COVER + self._timing(node, seat, (left, right), _CENTRE)
                for one, first in left.options:
                    for two, second in right.options:
                        action = Action(seat, "cover", (one, two))
                        found = self._done(node, action, (left, right), cost, first + second)
                        if found is not None:
                            yield found

    def _resets(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        for item in _next(node, Zone(seat, "reset")):
            for card, reading in item.options:
                if item.past and not any(place in _ASIDE for place in node.missing):
                    continue  # only the exchange takes it away again
                cost = RESET + self._order(node, item.came)
                found = self._done(node, Action(seat, "reset", (card,)), (item,), cost, reading)
                if found is not None:
                    yield found

    def _passes(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        found = self._done(node, Action(seat, "pass"), (), PASS, 0.0)
        if found is not None and found.position.to_act is not None:
            yield found

    def _timing(self, node: _Node, seat: int, items: tuple[_Item, ...], zones: tuple[Zone, ...]) -> float:
        """How unlikely it is that the seat put the cards down when they came."""
        doubts = [unlikely(self.view, seat, item.came, zones) for item in items]
        order = self._order(node, min(item.came for item in items))
        return order + max(doubts)

    def _order(self, node: _Node, came: float) -> float:
        after = came - node.came
        return REVERSED if after < -0.15 else ABREAST if after <= 0.15 else 0.0


def _next(node: _Node, zone: Zone) -> list[_Item]:
    """The cards of a place that can be the next one put there: none that lies over one that is yet to be explained."""
    here = [item for item in node.items if item.seen.zone == zone]
    first = min((item.came for item in here if not item.optional), default=math.inf)
    return [item for item in here if item.came <= first + OUT_OF_ORDER]
