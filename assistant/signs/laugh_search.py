"""Laugh and Lie Down: which legal actions lead from what the game expects on the table to what the table shows.

Sequences of actions are searched that use up the difference; the game's own ``apply`` is the judge of each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.events import Choice
from assistant.games.game import Action, GameError, Position
from assistant.signs.difference import READ_WELL, Difference, likelihood
from assistant.signs.laugh_passing import ReadInPassing, bringing, brought_by, read_in_passing, shown_by
from assistant.signs.laugh_readings import cost_of_misreading, options
from assistant.signs.signs import Explanation
from assistant.view import TABLE, Passing, SeenCard, Visit, Zone

HIDDEN_HAND: Final = 2.0
"""Costs in nats: how much less likely an explanation becomes by each such assumption."""
HIDDEN_TABLE: Final = 0.7
COVERED: Final = 1.0
"""The same, on top of that, for a card that is believed to lie in the pool still."""
MOST_ITEMS: Final = 24
MOST_WAYS: Final = 400
"""Actions that may be tried in one search."""
MANY: Final = 4
UNREAD: Final = 3.0
"""Of each so many cards of a hand that is laid down one may never be read; its cost in nats."""
GOES_ON: Final = frozenset({"mate", "lie-down"})
"""What only the seat in turn may do: it tells that the one before has had its turn."""
SHOWN_HAND: Final = 0.3
"""Cost in nats of a hand card that lies out of sight, but was read while the hand showed it."""
UNSEEN: Final = 1.0
"""Cost in nats of a mate of which nothing at all is in sight in the pile."""
ANOTHERS: Final = 6.0
"""Cost in nats of a hand that lies on the table where only other seats' hands were seen to put it down."""
AT_ONCE: Final = 1.0
"""The next hand comes at most so long (seconds) before the last one's cards came to rest."""
MOST_HANDS: Final = 8
"""Ways to make up a hand that is laid down of cards that lie in piles by now."""


def explain(
    position: Position,
    difference: Difference,
    most: int = 3,
    in_pool: Mapping[int, float] | None = None,
    visits: Sequence[Visit] = (),
    glimpsed: frozenset[str] = frozenset(),
    passing: Sequence[Passing] = (),
) -> list[Explanation]:
    """All explanations of the whole difference by at most ``most`` actions, the likeliest first.

    ``in_pool``: when each track was first seen to lie in the pool; it tells a card that was laid down there and then
    mated from the hand card that took it. ``visits``: the hands of the last minute. ``glimpsed``: the ranks of
    cards that were in sight for a moment and belong nowhere. ``passing``: what was read in passing.

    Lying down with an empty hand shows nothing and is added where it must have happened; it doesn't count. Where there
    are more ways than can be looked at (``MOST_WAYS``) none is given: the table then is in too great a disorder to be
    sure of any.
    """
    if difference.strayed or difference.size > MOST_ITEMS:
        return []
    known = set(position.observe().table)
    for pile in position.observe().piles.values():
        known.update(pile)
    items = [_Item(moved.seen, moved.seat, ((moved.card, 0.0),), True) for moved in difference.moved]
    items += [_Item(seen, seen.zone.seat, options(seen, known), False) for seen in difference.fresh if seen.zone]
    dim = tuple(one for one in difference.dim if one.zone == TABLE)
    start = _Node(_Budget(MOST_WAYS), position, tuple(items), tuple(slot.card for slot in difference.missing), dim)
    covered = tuple(slot.card for slot in difference.covered)
    last = max((one.since for one in difference.lying.values() if one.zone.seat is not None), default=-math.inf)
    search = _Search(most, in_pool or {}, covered, visits, glimpsed, passing, frozenset(known), last)
    best: dict[object, Explanation] = {}
    try:
        for found in search.leaves(start):
            key = _outcome(found.position)
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


def _outcome(position: Position) -> object:
    """What the actions lead to; which of two cards of a rank went where, and in what order, is all the same (LLD-1)."""
    state = position.observe()
    piles = tuple(_ranks(pile) for pile in state.piles.values())
    claims = tuple((claim.code, claim.seat) for claim in position.claims())
    return _ranks(state.table), piles, tuple(state.hands.values()), state.active, position.to_act, claims


def _ranks(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(sorted(card.rank for card in cards))


@dataclass(frozen=True, slots=True)
class _Item:
    """A card seen that needs an explanation: where it lies (a seat's pile, or None for the pool), what it may be (with
    costs), and whether it came from the pool."""

    seen: SeenCard
    seat: int | None
    options: tuple[tuple[Card, float], ...]
    from_table: bool


class _TooManyWays(Exception):
    """The search met more ways than it may look at."""


@dataclass(slots=True)
class _Budget:
    """How many actions may still be tried."""

    left: int

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _TooManyWays


@dataclass(frozen=True, slots=True)
class _Node:
    """A point of the search: the position, what is still unexplained, and how it was reached."""

    budget: _Budget
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
    unseen: bool = False
    """Nothing is in sight of a mate, or its hand card is read as another, and nobody has gone on from it yet."""
    half_done: bool = False
    """One was taken of a pair royal, and the other two may follow by a second grasp; or of two that are laid one is
    seen."""

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
        self.budget.spend()
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
            self.budget,
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
            self.unseen and action.verb not in GOES_ON,
            _half_done(self.position, action),
        )


def _alone(node: _Node, seat: int) -> bool:
    """Whether the seat's pile shows a single new card in all, while nothing (more) lacks in the pool."""
    new = (*node.items, *(item for used in node.used for item in used))
    return not node.missing and sum(item.seat == seat for item in new) == 1


def _clear(seen: SeenCard, rank: str) -> bool:
    """Whether a card in sight is surely of this rank."""
    return not seen.covered and likelihood(seen, Card(rank, "")) >= READ_WELL


def _as_laid_down(node: _Node, item: _Item) -> tuple[Card, float]:
    """What a card of a hand that is laid down is, and its cost. One of a rank that the pool holds would have been mated
    (LLD-17): it is rather misread, if it may be."""
    card, cost = item.options[0]
    mated = any(card.rank == lying.rank for lying in node.position.observe().table)
    if mated and not item.from_table and item.seen.confidence < READ_WELL:
        return UNKNOWN, cost_of_misreading(item.seen)
    return card, cost


def _half_done(before: Position, action: Action) -> bool:
    pool = [card.rank for card in before.observe().table]
    return action.verb == "mate" and len(action.cards) == 2 and pool.count(action.cards[1].rank) >= 3


@dataclass(slots=True)
class _Search:
    most: int
    in_pool: Mapping[int, float]
    covered: tuple[Card, ...] = ()
    """Pool cards that are out of sight; they are believed to lie there still, but may be gone."""
    visits: Sequence[Visit] = ()
    glimpsed: frozenset[str] = frozenset()
    passing: Sequence[Passing] = ()
    known: frozenset[Card] = frozenset()
    """The cards that the game knows on the table."""
    last: float = -math.inf
    """When the last card came to a pile that the game knows there."""
    cheapest: dict[frozenset[Action], float] = field(default_factory=dict)

    def leaves(self, node: _Node) -> Iterator[Explanation]:
        """All explanations below a node; the same actions in another order are followed only if that is likelier."""
        done = frozenset(node.actions)
        if self.cheapest.get(done, math.inf) <= node.cost and node.actions:
            return
        self.cheapest[done] = node.cost
        if node.shown:  # before the first action the caller has seen to empty hands
            node = _swept(_after_empty_hands(node), self.in_pool)
        if not node.items and not node.missing:
            if node.actions:
                tracks = tuple(tuple(item.seen.track for item in used) for used in node.used)
                sure = math.exp(-node.reading)
                half, guessed = node.half_done, node.guessed or node.unseen
                yield Explanation(
                    node.actions, node.position, node.cost, node.hidden, sure, tracks, guessed, half, grasp=half
                )
            return
        if node.shown >= self.most:
            return
        for following in (
            *self._mates(node),
            *self._mates_of_unread(node),
            *self._mates_out_of_sight(node),
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
        covered = [card for card in self.covered if card in lying]
        doubtful = [item for item in here if not item.from_table and item.seen.confidence < READ_WELL]
        named = [card.rank for item in here for card, _ in item.options]
        for rank in dict.fromkeys((*named, *(card.rank for card in node.missing if doubtful and card.rank))):
            from_table = [item for item in here if item.from_table and item.options[0][0].rank == rank]
            gone = [card for card in node.missing if card.rank == rank]
            perhaps = [card for card in covered if card.rank == rank and card not in gone]
            number = sum(card.rank == rank for card in lying)
            hands: list[tuple[_Item | None, Card, float]] = [
                (item, card, cost)
                for item in here
                if not item.from_table
                for card, cost in item.options
                if card.rank == rank
            ]
            misread = [item for item in doubtful if all(card.rank != rank for card, _ in item.options)]
            hands += [(item, Card(rank, ""), cost_of_misreading(item.seen)) for item in misread]
            hands.append((None, Card(rank, ""), HIDDEN_HAND))
            for size in (1, 3) if number == 3 else (1,):
                for taken, lost in _ways(from_table, [*gone, *perhaps], size):
                    believed = sum(card in perhaps for card in lost)
                    for item, card, cost in hands:
                        visible = (*taken, *((item,) if item else ()))
                        if not visible:
                            continue
                        shown = ReadInPassing() if item else self._shown(visible, seat)
                        if rank in shown.cards:
                            card, cost = shown.cards[rank], SHOWN_HAND
                        beneath = item is None and rank not in shown.cards  # the hand card lies there, never read
                        short = size < number == 3 and rank not in self.glimpsed | shown.ranks
                        action = Action(seat, "mate", (card, *(one.options[0][0] for one in taken), *lost))
                        found = node.then(
                            action,
                            visible,
                            [card for card in lost if card not in perhaps],
                            cost=HIDDEN_TABLE * len(lost) + COVERED * believed + (0.0 if item else cost),
                            hidden=len(lost) + beneath,
                            reading=cost if item else 0.0,
                            guessed=beneath and (short or shown.another(rank) is not None),
                        )
                        if found:
                            yield replace(found, unseen=found.unseen or item in misread)

    def _mates_of_unread(self, node: _Node) -> Iterator[_Node]:
        """A pool card that could not be read when it came was taken: both cards in the pile are new, or one alone: the
        hand card, or what was read in the pool since."""
        seat, lying = node.position.to_act, node.position.observe().table
        if seat is None or UNKNOWN not in lying:
            return
        ranks = {card.rank for card in lying}
        fresh = [(item, item.options[0]) for item in node.items if item.seat == seat and not item.from_table]
        doubtful = [item for item, _ in fresh if item.seen.confidence < READ_WELL]
        yield from self._pairs_royal_with_unread(node, seat, fresh)
        fresh = [(item, (card, cost)) for item, (card, cost) in fresh if card.rank not in ranks]
        for item, (card, cost) in fresh:
            mates = [(mate, one) for mate, (one, _) in fresh if mate is not item and one.rank == card.rank]
            for mate, taken in mates:
                found = node.then(Action(seat, "mate", (card, taken)), (item, mate), cost=0.5, reading=cost)
                if found:
                    yield found
            for mate in () if mates else (one for one in doubtful if one is not item):
                action, unlikely = Action(seat, "mate", (Card(card.rank, ""), card)), cost_of_misreading(mate.seen)
                if found := node.then(action, (mate, item), cost=0.5 + unlikely, reading=cost):
                    yield found
            shown = self._shown((item,), seat).cards.get(card.rank)
            if not mates and shown is not None and shown != card:
                if found := node.then(
                    Action(seat, "mate", (shown, card)), (item,), cost=0.5 + SHOWN_HAND, reading=cost
                ):
                    yield found
            elif not mates:
                from_pool = (
                    item.seen.track in self.in_pool or card.rank in self.glimpsed
                )  # its mate lay over it a while
                cards = (Card(card.rank, ""), card) if from_pool else (card, UNKNOWN)
                action, unlikely = Action(seat, "mate", cards), 0.5 + HIDDEN_TABLE + COVERED
                if found := node.then(action, (item,), cost=unlikely, hidden=1, reading=cost):
                    yield found

    def _pairs_royal_with_unread(
        self, node: _Node, seat: int, fresh: Sequence[tuple[_Item, tuple[Card, float]]]
    ) -> Iterator[_Node]:
        """Two cards of a rank were taken together with one that could not be read (LLD-14): that and the hand card are
        new in the pile, or one of them alone."""
        lying = Counter(card.rank for card in node.position.observe().table)
        for rank in dict.fromkeys(card.rank for _, (card, _) in fresh):
            moved = [item for item in node.items if item.seat == seat and item.from_table]
            moved = [item for item in moved if item.options[0][0].rank == rank]
            lost = [card for card in node.missing if card.rank == rank]
            if lying[rank] != 2 or len(moved) + len(lost) != 2:
                continue
            new = [(item, card, cost) for item, (card, cost) in fresh if card.rank == rank][:2]
            (_, card, cost), taken = new[0], new[1][1] if len(new) == 2 else UNKNOWN
            action = Action(seat, "mate", (card, *(item.options[0][0] for item in moved), *lost, taken))
            items = (*moved, *(item for item, _, _ in new))
            unlikely = 0.5 + HIDDEN_TABLE * (len(lost) + (taken == UNKNOWN))
            hidden = len(lost) + (taken == UNKNOWN)
            if found := node.then(action, items, lost, cost=unlikely, hidden=hidden, reading=cost):
                yield found

    def _mates_out_of_sight(self, node: _Node) -> Iterator[_Node]:
        """Pool cards are gone after the hand of the seat in turn was there, and its pile shows nothing new, or
        only what was laid over them: what went there can't be read. By the rules it can only be a mate if the next seat
        goes on; till then it is a guess."""
        seat = node.position.to_act
        if seat is None or seat in {action.seat for action in node.actions} or not self._reached(seat):
            return
        here = [item for item in node.items if item.seat == seat]
        if any(item.from_table or item.seen.track in self.in_pool for item in here):
            return
        gone, lying = Counter(card.rank for card in node.missing), node.position.observe().table
        own = {card.rank for item in here for card, _ in item.options}
        shown = shown_by(self.passing, self.visits, seat, self.known)
        for rank, number in gone.items():
            if rank in own or number != {1: 1, 2: 1, 3: 3}.get(sum(card.rank == rank for card in lying)):
                continue
            cards = [card for card in node.missing if card.rank == rank]
            hand = shown.cards.get(rank)
            cost = (HIDDEN_HAND + UNSEEN if hand is None else SHOWN_HAND) + HIDDEN_TABLE * number
            action = Action(seat, "mate", (hand or Card(rank, ""), *cards))
            if found := node.then(action, (), cards, cost=cost, hidden=1 + number):
                yield replace(found, unseen=hand is None or not here)

    def _reached(self, seat: int) -> bool:
        """Whether the seat's hand reached over its own pile (or nobody saw how far it reached) since the last action,
        and is gone."""
        return any(
            visit.seat == seat
            and visit.end is not None
            and visit.begin > self.last - AT_ONCE
            and (not visit.over or Zone(seat) in visit.over)
            for visit in self.visits
        )

    def _lays(self, node: _Node) -> Iterator[_Node]:
        to_act = node.position.to_act
        if to_act is None:
            return
        state, unseen = node.position.observe(), node.position.unseen()
        won = Counter(card.rank for pile in state.piles.values() for card in pile)
        for seat in state.active:
            here = [item for item in node.items if item.seat == seat and not item.from_table]
            for rank in dict.fromkeys(card.rank for item in here for card, _ in item.options):
                # Of the last two of a rank neither can be played but with the other (LLD-9c).
                dead = won[rank] == 2
                if unseen.get(rank, 0) < (2 if dead else 3):
                    continue
                choices = [(item, card, cost) for item in here for card, cost in item.options if card.rank == rank]
                for size in (2, 4):
                    for chosen in combinations(choices, size):
                        items = tuple(item for item, _, _ in chosen)
                        if len(set(map(id, items))) < size:
                            continue
                        action = Action(seat, "lay", tuple(card for _, card, _ in chosen))
                        reading = sum(cost for _, _, cost in chosen)
                        passed = sum(item.seen.track in self.in_pool for item in items)  # what is laid was never there
                        alone = bool(self.visits) and not any(self._brought(item, seat) for item in items)
                        if found := node.then(action, items, cost=0.5 + 2.0 * passed, reading=reading, guessed=alone):
                            yield found
                # One card of a pair in sight may be the first half of a mate: then the pool holds one of its rank.
                if any(card.rank == rank for card in state.table) and seat == to_act:
                    continue
                for item, card, cost in choices:
                    action = Action(seat, "lay", (card, Card(rank, "")))
                    passed = item.seen.track in self.in_pool
                    doubt = 0.5 + HIDDEN_HAND * (1 if dead else 2) + 2.0 * passed
                    mated = not _alone(node, seat) or any(card.rank == rank for card in state.table)
                    # What can't be read in the pool may be its mate, unless the hand kept away from there.
                    mated |= (UNKNOWN in state.table or bool(self.covered)) and not self._kept_away(item, seat)
                    mated |= rank in self._shown((item,), seat).cards
                    plain = not mated and _clear(item.seen, rank) and self._brought(item, seat)
                    sure = plain if self.visits else dead and _clear(item.seen, rank) and UNKNOWN not in state.table
                    guess = node.then(action, (item,), cost=doubt, hidden=1, reading=cost, guessed=not sure)
                    if guess:
                        yield replace(guess, half_done=not plain)

    def _brought(self, item: _Item, seat: int) -> bool:
        """Whether a hand brought a card to where it lies now (see ``bringing``)."""
        return bool(bringing(self.visits, item.seen, seat))

    def _anothers(self, item: _Item, seat: int, active: Collection[int]) -> bool:
        """Whether only hands of other seats that are in were there when a card came to rest; nobody else has any."""
        hands = brought_by(self.visits, item.seen)
        return bool(hands.intersection(active)) and not hands & {seat, None}

    def _kept_away(self, item: _Item, seat: int) -> bool:
        """Whether the hands that may have brought a card were never over the pool."""
        hands = bringing(self.visits, item.seen, seat)
        return bool(hands) and all(visit.over and TABLE not in visit.over for visit in hands)

    def _shown(self, items: Sequence[_Item], seat: int) -> ReadInPassing:
        """What the hand that brought these cards had shown over the pool."""
        last = max((item.seen for item in items), key=lambda seen: seen.since)
        return read_in_passing(self.passing, self.visits, last, seat, self.known)

    def _lie_downs(self, node: _Node) -> Iterator[_Node]:
        """The whole hand comes to the pool; some of it may have been mated from there since."""
        seat = node.position.to_act
        if seat is None:
            return
        size = node.position.observe().hands[seat]
        open_cards = [item for item in node.items if item.seat is None]
        dim = node.dim[: max(0, size - len(open_cards))]
        lacking = size - len(open_cards) - len(dim)
        if size > 0 and lacking > 0:
            yield from self._last_lie_down(node, seat, open_cards, lacking)
        if size == 0 or lacking < 0 or lacking > 3:
            return
        active = node.position.observe().active
        others = 2 * sum(self._anothers(item, seat, active) for item in open_cards) > len(open_cards)
        elsewhere = [item for item in node.items if item.seat is not None and not item.from_table]
        elsewhere.sort(key=lambda item: self.in_pool.get(item.seen.track, 1e9))
        first = elsewhere[:lacking]
        for passed in islice(combinations(elsewhere, lacking), MOST_HANDS):
            unlikely = sum(item not in first or item.seen.track not in self.in_pool for item in passed)
            shown = (*open_cards, *passed)
            if not all(item.options for item in shown):
                continue
            named = [_as_laid_down(node, item) for item in shown]
            cards = (*(card for card, _ in named), *(UNKNOWN for _ in dim))
            on_the_way = {id(item): replace(item, from_table=True, options=item.options[:1]) for item in passed}
            items = tuple(on_the_way.get(id(item), item) for item in node.items)
            reading = sum(cost for _, cost in named)
            cost = 0.3 + 0.2 * lacking + 3.0 * unlikely + 1.0 * len(dim) + (ANOTHERS if others else 0.0)
            action = Action(seat, "lie-down", cards)
            if found := node.then(
                action, open_cards, cost=cost, hidden=len(dim), reading=reading, items=items, guessed=others
            ):
                yield found
        unread = size // MANY if self.visits and not others else min(1, size // MANY)
        if 1 <= lacking <= unread and all(item.options for item in open_cards):
            cards = (*(item.options[0][0] for item in open_cards), *(UNKNOWN for _ in range(len(dim) + lacking)))
            reading = sum(item.options[0][1] for item in open_cards)
            action = Action(seat, "lie-down", cards)
            cost, hidden = UNREAD * lacking + (ANOTHERS if others else 0.0), lacking + len(dim)
            if found := node.then(action, open_cards, cost=cost, hidden=hidden, reading=reading, guessed=others):
                yield found

    def _last_lie_down(self, node: _Node, seat: int, open_cards: Sequence[_Item], lacking: int) -> Iterator[_Node]:
        """The hand that ends the deal, swept to the dealer before all of it was read: what of it was seen in the pool.
        Which of the others were in it is all the same."""
        dealer = node.position.setup.dealer
        swept = [item for item in node.items if item.seat == dealer and not item.from_table and item.options]
        shown = (*open_cards, *[item for item in swept if item.seen.track in self.in_pool][:lacking])
        unread = len(open_cards) + lacking - len(shown)
        if len(shown) == len(open_cards) or len(swept) < lacking or not all(item.options for item in shown):
            return
        cards = (*(item.options[0][0] for item in shown), *(UNKNOWN for _ in range(unread)))
        reading = sum(item.options[0][1] for item in shown)
        found = node.then(Action(seat, "lie-down", cards), shown, cost=0.3 + unread, hidden=unread, reading=reading)
        if found and found.position.over:
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
        lying = node.position.observe().table
        perhaps = [card for card in self.covered if card.rank == rank and card in lying and card not in gone]
        for taken, lost in _ways(here, [*gone, *perhaps], size):
            if not taken:
                continue
            action = Action(seat, verb, (*(one.options[0][0] for one in taken), *lost))
            missed = [card for card in lost if card not in perhaps]
            cost = 0.5 + HIDDEN_TABLE * len(lost) + COVERED * (len(lost) - len(missed))
            if found := node.then(action, taken, missed, cost=cost, hidden=len(lost)):
                yield found


def _ways(items: list[_Item], gone: list[Card], size: int) -> Iterator[tuple[tuple[_Item, ...], tuple[Card, ...]]]:
    """The ways to make up ``size`` pool cards of some that are seen in a pile and some that are seen nowhere."""
    for unseen in range(min(size, len(gone)) + 1):
        for taken in combinations(items, size - unseen):
            for lost in combinations(gone, unseen):
                yield taken, lost


def _swept(node: _Node, in_pool: Mapping[int, float]) -> _Node:
    """Once the deal is over the rest of the pool and the last hand may lie in the dealer's pile already (LLD-24); what
    came there together with a card of the last actions is none of it."""
    state, dealer = node.position.observe(), node.position.setup.dealer
    swept = [item for item in node.items if item.seat == dealer]
    rest = len(state.table) + sum(state.hands[seat] for seat in state.active)
    used = (item.seen for items in node.used for item in items if item.seen.track not in in_pool)
    last = max((seen.since for seen in used), default=-math.inf)
    if not (node.position.over and 0 < len(swept) <= rest and all(item.seen.since > last + AT_ONCE for item in swept)):
        return node
    return replace(node, items=tuple(item for item in node.items if item not in swept), missing=())


def _after_empty_hands(node: _Node) -> _Node:
    position, done = empty_hands(node.position)
    if not done:
        return node
    return replace(node, position=position, actions=(*node.actions, *done), used=(*node.used, *(() for _ in done)))
