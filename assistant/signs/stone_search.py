"""Rolling Stone: which plays and pick-ups lead from what the game expects in the middle to what lies there.

Whose turn it is says who did it; the game's own ``apply`` is the judge of each. A card that lay there for a moment
between two looks is remembered (``Glimpse``): a trick that was gathered as soon as it was complete looks like one that
was picked up, but for its last card.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.games.game import Action, GameError, Position
from assistant.signs.difference import Difference, Slot
from assistant.signs.readings import options
from assistant.signs.signs import Explanation, Glimpse
from assistant.signs.stone_tricks import MIDDLE, last_trick, wrong_seat
from assistant.signs.visitors import came_at, unlikely, visitors
from assistant.view import SeenCard, TableView

HIDDEN_PLAY: Final = 4.0
"""Costs in nats. A card was played that nobody saw."""
UNDER: Final = 2.0
"""A card of the trick lies out of sight under another one."""
OUT_OF_REACH: Final = 2.0
"""A card lies in a place where none is played to."""
NAMELESS, BROUGHT, LEFT = 3.0, 0.5, 2.0
"""Something like a card is a card, though nobody can name it; the hand of the seat in turn brought it; it is none,
though a hand brought it."""
REVERSED: Final = 2.5
ABREAST: Final = 0.7
"""A card was played before one that came earlier, or at the same time."""
OUT_OF_ORDER: Final = 1.0
"""Seconds by which a card can't have come before one that was played before it."""
UNUSED: Final = 4.0
"""A card that is gone, together with the trick if one lay there, was not played but only shown."""
TOGETHER: Final = 1.5
"""Seconds between the first card and the last one of a trick that is taken up at once."""
LONG_ENOUGH: Final = 0.2
"""Seconds for which a card must have been seen to be remembered."""
BARE: Final = 1.0
"""Seconds at rest after which a card over which nothing lies should be seen, if it is there."""
JUST: Final = 5.0
"""Seconds before a trick was taken in which the last card of it may have come."""
REVOKED: Final = 3.0
"""A play tells that somebody who picked up could have followed: a misread card, or a hand misjudged, is likelier."""
MOST_AGAINST: Final = 2
"""So many plays in a row by other hands than those in turn are rather another story: one card was never seen."""
_REVOKES: Final = frozenset({"revoke", "somebody-revoked"})
DOUBTFUL: Final = 1.5
CLEAR: Final = 0.8
"""A reading that costs more than this, or a name that is less sure, should become clearer first."""
MOST_ITEMS: Final = 10
MOST_REMEMBERED: Final = 6
MOST_WAYS: Final = 400


def explain(
    position: Position,
    difference: Difference,
    view: TableView,
    most: int = 3,
    arrived: Mapping[int, float] | None = None,
    gone: Sequence[Glimpse] = (),
) -> list[Explanation]:
    """All explanations of the whole difference by at most ``most`` plays and pick-ups, the likeliest first.

    At most as many more as there are cards that lay there meanwhile. A trick is picked up only if none of its cards is
    left. Where there are more ways than can be looked at
    (``MOST_WAYS``) none is given.
    """
    trick = [card for card in position.observe().table if card.known]
    missing = {slot.card for slot in difference.missing}
    held = {seen.card for seen in view.cards if seen.covered} if len(missing) > 1 else _only_believed(view)
    if missing | held >= set(trick):
        missing |= held & set(trick)
    if difference.moved or difference.strayed or len(difference.fresh) > MOST_ITEMS or not missing <= set(trick):
        return []
    lingering = last_trick(position)
    known = {*trick, *lingering}
    items = [_Item.of(seen, known, arrived) for seen in difference.fresh]
    items += [_Item.nameless(seen, view) for seen in difference.dim if seen.zone in MIDDLE and not seen.card.rank]
    vanished = max((glimpse.last for glimpse in gone if glimpse.seen.card in missing), default=view.t)
    past: tuple[_Item, ...] = ()
    if len(missing) == len(trick):
        past = _remembered(gone, view, known, vanished if trick else None)
    lying = tuple((card, card not in missing) for card in trick)
    under = len(missing) if len(missing) < len(trick) else 0
    start = _Node(position, tuple(items), past, lying, vanished, under)
    best: dict[tuple[str, ...], Explanation] = {}
    try:
        for hidden in (0, 1):
            for found in _Search(position, view, most + len(past), hidden).leaves(start):
                key = tuple(map(str, found.actions))
                if key not in best or found.cost < best[key].cost:
                    best[key] = found
            if best and min(found.cost for found in best.values()) < HIDDEN_PLAY / 2:
                break
    except _TooManyWays:
        return []
    covered = {seen.card for seen in view.cards if seen.covered and seen.card in trick}
    if (
        not best
        and items
        and covered
        and missing | covered >= set(trick)
        and all(v.end is not None for v in view.visits)
    ):
        away = tuple(Slot(card, MIDDLE[0], anywhere=True) for card in trick)
        out = replace(view, cards=tuple(seen for seen in view.cards if seen.card not in covered))
        return explain(position, replace(difference, missing=away), out, most, arrived, gone)
    return sorted(best.values(), key=lambda found: found.cost)


def played_unread(position: Position, view: TableView) -> list[Explanation]:
    """The play of a card that nobody can read, where the hand of the seat in turn alone brought it, after all the
    others; else nothing."""
    seat, known = position.to_act, [came_at(one) for one in view.cards if one.zone in MIDDLE and one.card.rank]
    for one in view.cards:
        new = one.zone in MIDDLE and not one.card.rank and not one.covered and one.since > max(known, default=-math.inf)
        if seat is None or not new or {visit.seat for visit in visitors(view, one.since, MIDDLE)} != {seat}:
            continue
        action = Action(seat, "play", (UNKNOWN,))
        try:
            after = position.apply(action)
        except GameError:
            continue
        return [Explanation((action,), after, BROUGHT, 1, 1.0, ((one.track,),))]
    return []


def _only_believed(view: TableView) -> set[Card]:
    """The cards that are believed to lie covered though neither a card nor a hand has been over them for a while."""
    if any(visit.end is None or view.t - visit.end < BARE for visit in view.visits) or view.still_for < BARE:
        return set()
    shown = [_middle(seen) for seen in view.cards if not seen.covered]
    return {
        seen.card
        for seen in view.cards
        if seen.covered and all(math.dist(_middle(seen), other) > _span(seen) for other in shown)
    }


def _middle(seen: SeenCard) -> tuple[float, float]:
    return sum(x for x, _ in seen.quad) / 4, sum(y for _, y in seen.quad) / 4


def _span(seen: SeenCard) -> float:
    return math.dist(seen.quad[0], seen.quad[2])


@dataclass(frozen=True, slots=True)
class _Item:
    """A card seen that needs an explanation: what it may be (with costs), when it came; ``past``: it is gone again."""

    seen: SeenCard
    options: tuple[tuple[Card, float], ...]
    came: float
    optional: bool = False
    past: bool = False
    weight: float = 0.0
    last: float = 0.0

    @classmethod
    def of(cls, seen: SeenCard, known: set[Card], arrived: Mapping[int, float] | None) -> _Item:
        return cls(seen, options(seen, known), came_at(seen, arrived))

    @classmethod
    def nameless(cls, seen: SeenCard, view: TableView) -> _Item:
        weight = _left_out(seen, view)
        return cls(seen, ((UNKNOWN, NAMELESS),), seen.since, optional=True, weight=weight)


def _left_out(nameless: SeenCard, view: TableView) -> float:
    """How unlikely (nats) it is that something that nobody can read was not played."""
    return LEFT if visitors(view, nameless.since, MIDDLE) else 0.0


def _remembered(
    gone: Sequence[Glimpse], view: TableView, known: set[Card], vanished: float | None
) -> tuple[_Item, ...]:
    """The cards that lay in the middle for a moment and are neither there any more nor known to be of a trick.

    ``vanished``: when the trick was seen last. What went with it was probably of it, and what came later
    of a trick after it; what went before was taken back.
    """
    here = {seen.card for seen in view.cards}
    found = []
    for glimpse in gone:
        seen, lasted = glimpse.seen, glimpse.last - glimpse.first
        if seen.zone not in MIDDLE or lasted < LONG_ENOUGH or seen.card in known or seen.card in here:
            continue
        if glimpse.clear == -math.inf and glimpse.first - seen.since > JUST:
            continue  # it was only believed to lie there, since long before the last action
        if vanished is not None and glimpse.first <= vanished and abs(glimpse.last - vanished) > TOGETHER:
            continue
        may_be = options(seen, known) if seen.card.rank else ((UNKNOWN, NAMELESS),)
        if may_be:
            read = UNUSED * min(1.0, lasted) * seen.confidence
            weight = read if seen.card.rank else _left_out(seen, view)
            found.append(_Item(seen, may_be, max(seen.since, glimpse.first), True, True, weight, glimpse.last))
    return tuple(sorted(found, key=lambda item: -item.weight)[:MOST_REMEMBERED])


@dataclass(frozen=True, slots=True)
class _Node:
    """A point of the search: the position, what is unexplained, and how it was reached.

    ``lying``: the cards of the trick so far, and whether each is seen. ``vanished``: when those that are not seen were
    seen last, ``under``: how many of these may lie under others. ``came``: when the card of the last play came.
    ``foreign``: another's hand did what was done last, and nobody has gone on from it in turn. ``hands``: by how many
    more plays the hands are those of the seats in turn than others'.
    """

    position: Position
    items: tuple[_Item, ...]
    past: tuple[_Item, ...]
    lying: tuple[tuple[Card, bool], ...]
    vanished: float
    under: int
    actions: tuple[Action, ...] = ()
    used: tuple[tuple[int, ...], ...] = ()
    cost: float = 0.0
    reading: float = 0.0
    hidden: int = 0
    unseen: int = 0
    unclear: bool = False
    came: float = -1e9
    guessed: bool = False
    foreign: bool = False
    hands: int = 0

    def apply(self, action: Action) -> Position | None:
        try:
            return self.position.apply(action)
        except GameError:
            return None


class _TooManyWays(Exception):
    """The search met more ways than it may look at."""


@dataclass(slots=True)
class _Search:
    start: Position
    view: TableView
    most: int
    unseen: int
    looked: int = field(default=0)

    def leaves(self, node: _Node) -> Iterator[Explanation]:
        """All explanations below a node."""
        self.looked += 1
        if self.looked > MOST_WAYS:
            raise _TooManyWays
        if node.actions and (found := _explained(node, self.start)) is not None:
            yield found
        if len(node.actions) >= self.most or node.position.to_act is None:
            return
        for following in (*self._plays(node), *self._hidden_plays(node), *self._pick_ups(node)):
            yield from self.leaves(following)

    def _plays(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        assert seat is not None
        first = min((item.came for item in node.items if not item.optional), default=1e9)
        gone = node.lying and not any(seen for _, seen in node.lying)
        taken = node.vanished + OUT_OF_ORDER if gone else math.inf
        for item in (*node.items, *node.past):
            if item.came < node.came - OUT_OF_ORDER or item.came > first + OUT_OF_ORDER:
                continue
            if item.came > taken and not (item.past and abs(item.last - node.vanished) <= TOGETHER):
                continue  # nothing of the trick lay there any more
            other = None if item.past else wrong_seat(node.position, self.view, seat, item.came)
            hands = visitors(self.view, item.came, MIDDLE)
            own = bool(hands) and max(hands, key=lambda visit: visit.begin).seat == seat
            picked_up = bool(node.actions) and node.actions[-1].verb == "pick-up"
            leads = own and picked_up and not item.past  # then it is this seat that picked up (RST-8)
            for card, reading in item.options:
                action = Action(seat, "play", (card,))
                after = node.apply(action)
                if after is None:
                    continue
                brought = card == UNKNOWN and own
                misread = 0.0 if brought else reading
                cost = 0.1 + (BROUGHT if brought else misread) + self._timing(node, item, seat)
                if item.seen.zone not in MIDDLE and item.seen.zone is not None:
                    cost += OUT_OF_REACH
                played = replace(
                    _played(node, action, after, not item.past),
                    items=tuple(other for other in node.items if other is not item),
                    past=tuple(other for other in node.past if other is not item),
                    cost=node.cost + cost,
                    reading=node.reading + misread,
                    hidden=node.hidden + (card == UNKNOWN),
                    unclear=node.unclear
                    or misread > DOUBTFUL
                    or (item.seen.card.known and item.seen.confidence < CLEAR),
                    came=item.came,
                    vanished=item.last if item.past and not node.under else node.vanished,
                    guessed=node.guessed and not leads,
                    foreign=other is not None or (node.foreign and not own),
                    hands=node.hands + (1 if own else -1 if hands else 0),
                )
                yield replace(played, used=(*node.used, (item.seen.track,)))

    def _timing(self, node: _Node, item: _Item, seat: int) -> float:
        """How unlikely it is that the seat put the card down when it came."""
        after = item.came - node.came
        order = REVERSED if after < -0.15 else ABREAST if after <= 0.15 else 0.0
        doubt = unlikely(self.view, seat, item.came, MIDDLE) / 2  # the turn says more than the visits
        if node.actions and node.actions[-1].verb == "pick-up":  # one hand did both: it counts but once
            doubt = max(0.0, doubt - unlikely(self.view, seat, node.vanished, MIDDLE) / 2)
        return order + doubt

    def _hidden_plays(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        if seat is None or node.unseen >= self.unseen:
            return
        action = Action(seat, "play", (UNKNOWN,))
        after = node.apply(action)
        if after is not None:
            played = _played(node, action, after, seen=False)
            yield replace(
                played,
                used=(*node.used, ()),
                cost=node.cost + HIDDEN_PLAY,
                hidden=node.hidden + 1,
                unseen=node.unseen + 1,
            )

    def _pick_ups(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        if seat is None or not node.lying or any(seen for _, seen in node.lying):
            return
        other = None if node.actions else wrong_seat(node.position, self.view, seat, node.vanished)
        action = Action(seat, "pick-up")
        after = node.apply(action)
        if after is None:
            return
        doubt = unlikely(self.view, seat, node.vanished, MIDDLE)
        yield replace(
            node,
            position=after,
            lying=(),
            under=0,
            actions=(*node.actions, action),
            used=(*node.used, ()),
            cost=node.cost + 0.3 + doubt,
            guessed=node.guessed or (doubt > 0 and self._was_there(seat, node.vanished)),
            foreign=other is not None,
        )

    def _was_there(self, seat: int, at: float) -> bool:
        """Whether the seat's own hand came and went shortly before the trick was taken: it may have played unseen."""
        return any(
            visit.seat == seat and visit.end is not None and at - JUST <= visit.begin and visit.end <= at
            for visit in self.view.visits
            if not visit.over or not set(MIDDLE).isdisjoint(visit.over)
        )


def _played(node: _Node, action: Action, after: Position, seen: bool) -> _Node:
    """The node after a play: the trick goes on, or it is complete and may be gathered at any time."""
    lying = (*node.lying, (action.cards[0], seen))
    actions = (*node.actions, action)
    if len(lying) < node.position.setup.players and not after.over:
        return replace(node, position=after, lying=lying, actions=actions)
    shown = sum(seen for _, seen in lying)
    gathering = 0 < shown < len(lying)
    return replace(node, position=after, lying=(), under=0, actions=actions, unclear=node.unclear or gathering)


def _explained(node: _Node, start: Position) -> Explanation | None:
    """The explanation that a node is, if nothing is left to explain."""
    if any(not item.optional for item in node.items):
        return None
    unseen = sum(not seen for _, seen in node.lying)
    if unseen and (not node.lying[-1][1] or unseen > node.under + node.unseen):
        return None
    cost = node.cost + UNDER * unseen + sum(item.weight for item in (*node.past, *node.items))
    revoked = _revokes(node.position) > _revokes(start)
    doubtful = node.foreign or node.hands <= -MOST_AGAINST or any(item.weight > UNUSED / 2 for item in node.past)
    cost += REVOKED * revoked
    return Explanation(
        node.actions,
        node.position,
        cost,
        node.hidden + unseen,
        math.exp(-node.reading),
        node.used,
        guessed=node.guessed or doubtful or node.unseen > 0,
        unfinished=node.unclear or revoked,
        doubtful=doubtful,
    )


def _revokes(position: Position) -> int:
    """How many revokes are proved."""
    return sum(notice.code in _REVOKES for notice in position.notices())
