"""Explaining: which legal actions lead from what the game expects on the table to what the table shows.

First every card seen is matched with a card that the game knows there (``compare``); what is left over is the
difference: cards that moved from the pool to a pile, pool cards that are nowhere, cards that appeared. Then sequences
of actions are searched that use up the difference (``explain``); the game's own ``apply`` is the judge of each.
Only Laugh and Lie Down so far: its verbs are built in ``_Search``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from assistant.cards import UNKNOWN, Card
from assistant.events import Choice
from assistant.games.game import Action, GameError, Position, TableState
from assistant.view import TABLE, SeenCard, TableView, Zone

LEAST: Final = 1e-4
FRESH: Final = 3.0
MISSING: Final = 2.0
HIDDEN_HAND: Final = 2.0
"""Costs in nats: how much less likely an explanation becomes by each such assumption."""
HIDDEN_TABLE: Final = 0.7
MOST_ITEMS: Final = 24
MOST_WAYS: Final = 800
FAINT: Final = 0.5
"""A new card that is less sure than this may be none; it is left out if the rest makes sense without it."""


def likelihood(seen: SeenCard, card: Card) -> float:
    """The probability (0..1) that a seen card is this one, which may be known by its rank only."""
    if not card.rank:
        return 1.0
    if not card.suit:
        total = sum(share for other, share in candidates(seen) if other.rank == card.rank)
        return min(1.0, max(total, LEAST))
    share = sum(share for other, share in candidates(seen) if other == card)
    if not seen.card.suit and seen.card.rank == card.rank:
        share = max(share, 0.5 * seen.confidence)
    return max(share, LEAST)


def candidates(seen: SeenCard) -> tuple[tuple[Card, float], ...]:
    """What a seen card may be, with probabilities, best first."""
    named = ((seen.card, seen.confidence),) if seen.card.rank else ()
    if named and not seen.card.suit:
        return (*named, *(entry for entry in seen.others if entry[0].rank != seen.card.rank))
    return (*named, *seen.others)


@dataclass(frozen=True, slots=True)
class Moved:
    """A pool card that lies in the pile of a seat now."""

    seen: SeenCard
    card: Card
    seat: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What the table shows otherwise than the game expects.

    ``missing``: pool cards that are seen nowhere. ``fresh``: cards that the game knows nowhere on the table.
    ``strayed``: won cards that lie in another place than their pile (with that pile's seat). ``dim``: something like
    a card that nobody can name, or one outside of all zones; by itself it makes no difference.
    """

    moved: tuple[Moved, ...] = ()
    missing: tuple[Card, ...] = ()
    fresh: tuple[SeenCard, ...] = ()
    strayed: tuple[tuple[SeenCard, Card, int], ...] = ()
    dim: tuple[SeenCard, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moved or self.missing or self.fresh or self.strayed)

    @property
    def size(self) -> int:
        """How many cards differ."""
        return len(self.moved) + len(self.missing) + len(self.fresh) + len(self.strayed)


def compare(expected: TableState, view: TableView) -> Difference:
    """Match the cards seen with the cards expected, the likeliest as a whole; the difference that is left."""
    if _plainly_equal(expected, view):
        return Difference()
    slots = [(card, TABLE) for card in expected.table]
    slots += [(card, Zone(seat)) for seat, pile in expected.piles.items() for card in pile]
    known = {card for card, _ in slots}
    seen = view.cards
    costs = np.full((len(seen) + len(slots), len(slots) + len(seen)), 0.0)
    costs[: len(seen), len(slots) :] = 1e6
    for row, one in enumerate(seen):
        for column, (card, zone) in enumerate(slots):
            costs[row, column] = -math.log(likelihood(one, card)) + _way(zone, one.zone)
        costs[row, len(slots) + row] = FRESH - math.log(_share_unplaced(one, known))
    for column, (_, zone) in enumerate(slots):
        costs[len(seen) :, column] = MISSING if zone == TABLE else 0.3
    rows, columns = linear_sum_assignment(costs)
    moved, missing, fresh, strayed = [], [], [], []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if row < len(seen) and column < len(slots):
            (card, zone), one = slots[column], seen[row]
            if one.zone is None or one.zone == zone:
                continue
            if zone.seat is None and one.zone.seat is not None:
                moved.append(Moved(one, card, one.zone.seat))
            elif zone.seat is not None:
                strayed.append((one, card, zone.seat))
        elif row < len(seen):
            fresh.append(seen[row])
        elif column < len(slots) and slots[column][1] == TABLE:
            missing.append(slots[column][0])
    dim = tuple(one for one in fresh if one.zone is None or _nameless(one))
    named = tuple(one for one in fresh if one not in dim)
    return Difference(tuple(moved), tuple(missing), named, tuple(strayed), dim)


def _nameless(seen: SeenCard) -> bool:
    return not seen.card.rank and all(share < 0.3 for _, share in seen.others)


def without_faint(difference: Difference) -> Difference:
    """The difference without new cards that were never read clearly: what only looks like a card, perhaps."""
    return replace(difference, fresh=tuple(one for one in difference.fresh if one.confidence >= FAINT))


def _plainly_equal(expected: TableState, view: TableView) -> bool:
    """The quick answer to most views: every card seen is where the game has it, and the whole pool is seen."""
    places = dict.fromkeys(expected.table, TABLE)
    for seat, pile in expected.piles.items():
        places.update(dict.fromkeys(pile, Zone(seat)))
    pool = 0
    for seen in view.cards:
        if not seen.card.known or places.get(seen.card) != seen.zone:
            return False
        pool += seen.zone == TABLE
    return pool == len(expected.table)


def _way(expected: Zone, seen: Zone | None) -> float:
    """How unlikely it is that a card went from here to there."""
    if seen == expected:
        return 0.0
    if seen is None:
        return 0.7
    return 1.0 if expected == TABLE else 4.0


def _share_unplaced(seen: SeenCard, known: set[Card]) -> float:
    """The probability that a seen card is one that the game knows nowhere on the table."""
    share = sum(share for card, share in candidates(seen) if card not in known)
    return max(share, 0.3 if not seen.card.rank else 0.02)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Actions that lead from a position to what the table shows.

    ``cost`` in nats, the smaller the likelier; ``hidden`` counts cards that must lie out of sight for it to be true;
    ``guessed`` says that one of them has left no trace anywhere, not even a gap in the pool;
    ``confidence`` is the probability that the cards are read rightly; ``tracks`` by action.
    """

    actions: Choice
    position: Position
    cost: float
    hidden: int
    confidence: float
    tracks: tuple[tuple[int, ...], ...]
    guessed: bool = False


def explain(
    position: Position, difference: Difference, most: int = 3, in_pool: Mapping[int, float] | None = None
) -> list[Explanation]:
    """All explanations of the whole difference by at most ``most`` actions, the likeliest first.

    ``in_pool``: when each track was first seen to lie in the pool; it tells a card that was laid down there and then
    mated from the hand card that took it. Lying down with an empty hand shows nothing and is added where it must have
    happened; it doesn't count. Where there are more ways than can be looked at (``MOST_WAYS``) none is given: the
    table then is in too great a disorder to be sure of any.
    """
    if difference.strayed or difference.size > MOST_ITEMS:
        return []
    known = set(position.observe().table)
    for pile in position.observe().piles.values():
        known.update(pile)
    items = [_Item(moved.seen, moved.seat, ((moved.card, 0.0),), True) for moved in difference.moved]
    items += [_Item(seen, seen.zone.seat, _options(seen, known), False) for seen in difference.fresh if seen.zone]
    dim = tuple(one for one in difference.dim if one.zone == TABLE)
    start = _Node(position, tuple(items), difference.missing, dim)
    best: dict[tuple[str, ...], Explanation] = {}
    try:
        for found in _Search(most, in_pool or {}).leaves(start):
            key = tuple(sorted(map(str, found.actions)))
            if key not in best or found.cost < best[key].cost:
                best[key] = found
    except _TooManyWays:
        return []
    return sorted(best.values(), key=lambda found: found.cost)


def empty_hands(position: Position) -> tuple[Position, Choice]:
    """Let everybody lie down who is in turn with an empty hand: it is certain and shows nothing."""
    done: list[Action] = []
    while position.to_act is not None and position.observe().hands[position.to_act] == 0:
        action = Action(position.to_act, "lie-down")
        try:
            position = position.apply(action)
        except GameError:
            break
        done.append(action)
    return position, tuple(done)


@dataclass(frozen=True, slots=True)
class _Item:
    """A card seen that needs an explanation: where it lies (a seat's pile, or None for the pool), what it may be (with
    costs), and whether it came from the pool."""

    seen: SeenCard
    seat: int | None
    options: tuple[tuple[Card, float], ...]
    from_table: bool


def _options(seen: SeenCard, known: set[Card]) -> tuple[tuple[Card, float], ...]:
    """What a card new on the table may be: cards not known elsewhere, or a rank where only that is sure."""
    options: dict[Card, float] = {}
    for card, share in candidates(seen):
        if share < 0.05:
            continue
        cost = -math.log(share)
        if card in known and card.suit:
            card, cost = Card(card.rank, ""), cost + 2.0
        options[card] = min(cost, options.get(card, 99.0))
    return tuple(options.items())


@dataclass(frozen=True, slots=True)
class _Node:
    """A point of the search: the position, what is still unexplained, and how it was reached."""

    position: Position
    items: tuple[_Item, ...]
    missing: tuple[Card, ...]
    dim: tuple[SeenCard, ...] = ()
    actions: tuple[Action, ...] = ()
    used: tuple[tuple[_Item, ...], ...] = ()
    shown: int = 0
    cost: float = 0.0
    hidden: int = 0
    reading: float = 0.0
    guessed: bool = False

    def then(
        self,
        action: Action,
        used: Iterable[_Item],
        missing: Iterable[Card] = (),
        *,
        cost: float = 0.0,
        hidden: int = 0,
        reading: float = 0.0,
        guessed: bool = False,
        items: tuple[_Item, ...] | None = None,
    ) -> _Node | None:
        """The node after the action; None where the rules refuse it."""
        try:
            position = self.position.apply(action)
        except GameError:
            return None
        used, gone = tuple(used), list(missing)
        left = [item for item in (self.items if items is None else items) if item not in used]
        still = list(self.missing)
        for card in gone:
            still.remove(card)
        late = max((item.seen.since for item in self.used[-1]), default=-1e9) if self.used else -1e9
        early = max((item.seen.since for item in used), default=1e9)
        disorder = 0.5 if early < late - 0.5 else 0.0
        return _Node(
            position,
            tuple(left),
            tuple(still),
            self.dim if action.verb != "lie-down" else (),
            (*self.actions, action),
            (*self.used, used),
            self.shown + 1,
            self.cost + cost + reading + disorder,
            self.hidden + hidden,
            self.reading + reading,
            self.guessed or guessed,
        )


class _TooManyWays(Exception):
    """The search met more ways than it may look at."""


@dataclass(slots=True)
class _Search:
    most: int
    in_pool: Mapping[int, float]
    looked: int = 0
    cheapest: dict[frozenset[Action], float] = field(default_factory=dict)

    def leaves(self, node: _Node) -> Iterator[Explanation]:
        """All explanations below a node; the same actions in another order are followed only if that is likelier."""
        self.looked += 1
        if self.looked > MOST_WAYS:
            raise _TooManyWays
        done = frozenset(node.actions)
        if self.cheapest.get(done, math.inf) <= node.cost and node.actions:
            return
        self.cheapest[done] = node.cost
        if node.shown:  # before the first action the caller has seen to empty hands
            node = _after_empty_hands(node)
        if not node.items and not node.missing:
            if node.actions:
                tracks = tuple(tuple(item.seen.track for item in used) for used in node.used)
                yield Explanation(
                    node.actions, node.position, node.cost, node.hidden, math.exp(-node.reading), tracks, node.guessed
                )
            return
        if node.shown >= self.most:
            return
        for following in (
            *self._mates(node),
            *self._lays(node),
            *self._lie_downs(node),
            *self._takes(node),
            *self._claims(node),
        ):
            yield from self.leaves(following)

    def _mates(self, node: _Node) -> Iterator[_Node]:
        seat = node.position.to_act
        if seat is None:
            return
        here = [item for item in node.items if item.seat == seat]
        if not here:
            return
        lying = node.position.observe().table
        for rank in dict.fromkeys(card.rank for item in here for card, _ in item.options):
            from_table = [item for item in here if item.from_table and item.options[0][0].rank == rank]
            gone = [card for card in node.missing if card.rank == rank]
            number = sum(card.rank == rank for card in lying)
            hands: list[tuple[_Item | None, Card, float]] = [
                (item, card, cost)
                for item in here
                if not item.from_table
                for card, cost in item.options
                if card.rank == rank
            ]
            hands.append((None, Card(rank, ""), HIDDEN_HAND))
            for size in (1, 3) if number == 3 else (1,):
                for taken, lost in _ways(from_table, gone, size):
                    for item, card, cost in hands:
                        visible = (*taken, *((item,) if item else ()))
                        if not visible:
                            continue
                        action = Action(seat, "mate", (card, *(one.options[0][0] for one in taken), *lost))
                        found = node.then(
                            action,
                            visible,
                            lost,
                            cost=HIDDEN_TABLE * len(lost) + (0.0 if item else cost),
                            hidden=len(lost) + (item is None),
                            reading=cost if item else 0.0,
                        )
                        if found:
                            yield found

    def _lays(self, node: _Node) -> Iterator[_Node]:
        to_act = node.position.to_act
        if to_act is None:
            return
        state = node.position.observe()
        for seat in state.active:
            here = [item for item in node.items if item.seat == seat and not item.from_table]
            for rank in dict.fromkeys(card.rank for item in here for card, _ in item.options):
                choices = [(item, card, cost) for item in here for card, cost in item.options if card.rank == rank]
                for size in (2, 4):
                    for chosen in combinations(choices, size):
                        items = tuple(item for item, _, _ in chosen)
                        if len(set(map(id, items))) < size:
                            continue
                        action = Action(seat, "lay", tuple(card for _, card, _ in chosen))
                        reading = sum(cost for _, _, cost in chosen)
                        if found := node.then(action, items, cost=0.5, reading=reading):
                            yield found
                # One card of a pair in sight may be the first half of a mate: then the pool holds one of its rank.
                if any(card.rank == rank for card in state.table) and seat == to_act:
                    continue
                for item, card, cost in choices:
                    action = Action(seat, "lay", (card, Card(rank, "")))
                    guess = node.then(action, (item,), cost=0.5 + 2 * HIDDEN_HAND, hidden=1, reading=cost, guessed=True)
                    if guess:
                        yield guess

    def _lie_downs(self, node: _Node) -> Iterator[_Node]:
        """The whole hand comes to the pool; some of it may have been mated from there since."""
        seat = node.position.to_act
        if seat is None:
            return
        size = node.position.observe().hands[seat]
        open_cards = [item for item in node.items if item.seat is None]
        dim = node.dim[: max(0, size - len(open_cards))]
        lacking = size - len(open_cards) - len(dim)
        if size == 0 or lacking < 0 or lacking > 3:
            return
        elsewhere = [item for item in node.items if item.seat is not None and not item.from_table]
        elsewhere.sort(key=lambda item: self.in_pool.get(item.seen.track, 1e9))
        first = elsewhere[:lacking]
        for passed in combinations(elsewhere, lacking):
            unlikely = sum(item not in first or item.seen.track not in self.in_pool for item in passed)
            shown = (*open_cards, *passed)
            if not all(item.options for item in shown):
                continue
            cards = (*(item.options[0][0] for item in shown), *(UNKNOWN for _ in dim))
            on_the_way = {id(item): replace(item, from_table=True, options=item.options[:1]) for item in passed}
            items = tuple(on_the_way.get(id(item), item) for item in node.items)
            reading = sum(item.options[0][1] for item in shown)
            cost = 0.3 + 0.2 * lacking + 3.0 * unlikely + 1.0 * len(dim)
            action = Action(seat, "lie-down", cards)
            if found := node.then(action, open_cards, cost=cost, hidden=len(dim), reading=reading, items=items):
                yield found

    def _takes(self, node: _Node) -> Iterator[_Node]:
        dealer = node.position.setup.dealer
        here = [item for item in node.items if item.seat == dealer and item.from_table]
        for rank in dict.fromkeys(item.options[0][0].rank for item in here):
            yield from self._from_table(node, dealer, "take", rank, 4)

    def _claims(self, node: _Node) -> Iterator[_Node]:
        for claim in node.position.claims():
            for seat in claim.claimants:
                if node.position.over and seat == node.position.setup.dealer:
                    continue  # after the end all that is left goes to the dealer anyhow: that is the sweep
                yield from self._from_table(node, seat, "claim", claim.cards[0].rank, len(claim.cards))

    def _from_table(self, node: _Node, seat: int, verb: str, rank: str, size: int) -> Iterator[_Node]:
        """Cards of a rank that a seat takes off the pool without one of its own."""
        here = [
            item for item in node.items if item.seat == seat and item.from_table and item.options[0][0].rank == rank
        ]
        gone = [card for card in node.missing if card.rank == rank]
        for taken, lost in _ways(here, gone, size):
            if not taken:
                continue
            action = Action(seat, verb, (*(one.options[0][0] for one in taken), *lost))
            cost = 0.5 + HIDDEN_TABLE * len(lost)
            if found := node.then(action, taken, lost, cost=cost, hidden=len(lost)):
                yield found


def _ways(items: list[_Item], gone: list[Card], size: int) -> Iterator[tuple[tuple[_Item, ...], tuple[Card, ...]]]:
    """The ways to make up ``size`` pool cards of some that are seen in a pile and some that are seen nowhere."""
    for unseen in range(min(size, len(gone)) + 1):
        for taken in combinations(items, size - unseen):
            for lost in combinations(gone, unseen):
                yield taken, lost


def _after_empty_hands(node: _Node) -> _Node:
    position, done = empty_hands(node.position)
    if not done:
        return node
    return replace(node, position=position, actions=(*node.actions, *done), used=(*node.used, *(() for _ in done)))


def place_name(zone: Zone | None) -> str:
    """``table``, ``pile 2`` or ``nowhere`` (between the places)."""
    return "nowhere" if zone is None else str(zone)


def why_not(position: Position, difference: Difference) -> str:
    """The rules' own reason where a plain reading of the difference is an action that they refuse; else empty."""
    for action in _plain_readings(position, difference):
        try:
            position.apply(action)
        except GameError as error:
            return f"{action}: {error.reason}"
    return ""


def _plain_readings(position: Position, difference: Difference) -> Iterator[Action]:
    hands: dict[int, list[Card]] = {}
    tables: dict[int, list[Card]] = {}
    shown: list[Card] = []
    for seen in difference.fresh:
        if seen.zone is not None and seen.zone.seat is not None:
            hands.setdefault(seen.zone.seat, []).append(seen.card)
        elif seen.zone is not None:
            shown.append(seen.card)
    for moved in difference.moved:
        tables.setdefault(moved.seat, []).append(moved.card)
    for seat, cards in hands.items():
        taken = tables.get(seat) or list(difference.missing)
        if len(cards) == 1 and len(taken) in (1, 2, 3):
            yield Action(seat, "mate", (cards[0], *taken))
        elif len(cards) in (2, 4) and not tables.get(seat):
            yield Action(seat, "lay", tuple(cards))
    for seat, cards in tables.items():
        if seat not in hands and len(cards) >= 2:
            yield Action(seat, "claim", tuple(cards))
    if shown and position.to_act is not None:
        yield Action(position.to_act, "lie-down", tuple(shown))
