"""Joining a deal of Laugh and Lie Down that is under way: a legal history that leads to what lies on the table.

What the pool and the piles hold is seen; whose turn it is and how many cards each player still in holds is asked. The
order of what happened before is invented, its effects are not. A history is searched at random, always from the same
start, so that the same table gives the same one; the game's own ``apply`` is the judge.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from assistant.cards import Card
from assistant.events import ActionSeen, DealSeen
from assistant.games.game import Action, Game, GameError, Position, Setup
from assistant.games.laugh_setup import scale_of
from assistant.games.settlement import Scale
from assistant.signs.signs import Terms
from assistant.told import Seat, later, tell, tell_n
from assistant.view import TABLE, TableView

TRIES: Final = 800
NO_COURSE: Final = later("no legal course of play leads to what lies there: the next deal will be followed")
TOGETHER: Final = 0.6
"""How often (0..1) an attempt has all cards of a rank come to the pool together."""


class CantJoin(ValueError):
    """No legal history leads here; the message is one line: why, and what to do."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What lies face up in the middle of a deal: the pool, and each seat's pile (seats without one left out)."""

    pool: tuple[Card, ...]
    piles: Mapping[int, tuple[Card, ...]]

    @property
    def cards(self) -> int:
        """How many cards lie there."""
        return len(self.pool) + sum(map(len, self.piles.values()))


@dataclass(frozen=True, slots=True)
class Answers:
    """What can't be seen: whose turn it is, and how many cards each seat holds; seats that are out are left out.

    ``stock``: of a game with a stock, how many cards it has (0..52); None where nobody said so. ``order``: the cards
    of a trick that lies there, as they were played; ``picked``: the suit (one of SUITS) that the one in turn picked up
    just before, empty where that is not so.
    """

    to_act: int
    hands: Mapping[int, int]
    stock: int | None = None
    order: tuple[Card, ...] = ()
    picked: str = ""


def standing(view: TableView) -> Standing | None:
    """What lies there; None unless every card in a zone is known and some pile has begun."""
    placed = [seen for seen in view.cards if seen.zone is not None]
    if not all(seen.card.known for seen in placed):
        return None
    piles: dict[int, tuple[Card, ...]] = {}
    for seen in placed:
        if seen.zone is not None and seen.zone.seat is not None:
            piles[seen.zone.seat] = (*piles.get(seen.zone.seat, ()), seen.card)
    return Standing(tuple(seen.card for seen in placed if seen.zone == TABLE), piles) if piles else None


def joined(game: Game, terms: Terms, there: Standing, answers: Answers) -> Position:
    """A position with just these piles, pool, hand sizes and turn, by legal actions from a deal.

    Raises CantJoin where the answers contradict what lies there, or no history was found.
    """
    bare = Setup(terms.game, terms.players, terms.dealer, (), {}, dict(terms.options), terms.names)
    scale = scale_of(bare)
    if scale is None:
        raise CantJoin(tell("a deal of this game can't be joined under way: the next deal will be followed"))
    held = sum(answers.hands.values())
    if there.cards + held != 52:
        raise CantJoin(
            tell(
                "{lying} cards lie on the table and {held} are held: together they must be 52; count them again",
                lying=there.cards,
                held=held,
            )
        )
    odd = next((seat for seat, pile in there.piles.items() if len(pile) % 2), None)
    if odd is not None:
        count = len(there.piles[odd])
        raise CantJoin(
            tell_n(
                "the pile of {seat} shows {n} card: piles are even; spread it out",
                "the pile of {seat} shows {n} cards: piles are even; spread it out",
                count,
                seat=Seat(odd),
            )
        )
    if answers.to_act not in answers.hands:
        raise CantJoin(tell("{seat} can't be in turn: it is not among those still in", seat=Seat(answers.to_act)))
    rng = random.Random(0)
    plans = list(_plans(scale, terms, there, answers))
    rng.shuffle(plans)
    for number in range(TRIES if plans else 0):
        position = _tried(game, bare, scale, there, answers, plans[number % len(plans)], rng)
        if position is not None:
            return position
    raise CantJoin(tell(NO_COURSE))


@dataclass(frozen=True, slots=True)
class _Plan:
    """How each seat's pile came to be: by what (``mate``, ``three``, ``lay``, ``lay4``, ``take``) of which ranks."""

    seats: Mapping[int, tuple[tuple[str, str], ...]]


_WAYS: Final[Mapping[int, tuple[tuple[str, ...], ...]]] = {
    2: (("mate",), ("lay",)),
    4: (("three",), ("mate", "mate"), ("mate", "lay"), ("lay4",), ("take",)),
}
_OF_HAND: Final = {"mate": 1, "three": 1, "lay": 2, "lay4": 4, "take": 0}


def _plans(scale: Scale, terms: Terms, there: Standing, answers: Answers) -> Iterator[_Plan]:
    """Every way to make the piles in which the turns go round and the hands come out as they were told."""
    order = [(terms.dealer + step) % terms.players + 1 for step in range(terms.players)]
    options: dict[int, list[tuple[tuple[str, str], ...]]] = {}
    for seat in order:
        options[seat] = [
            one
            for one in _piled(there.piles.get(seat, ()))
            if seat == terms.dealer or all(verb != "take" for verb, _ in one)
        ]
        if seat in answers.hands:
            used = scale.hand - answers.hands[seat]
            options[seat] = [one for one in options[seat] if sum(_OF_HAND[verb] for verb, _ in one) == used]
    before = order[: order.index(answers.to_act)]
    for rounds in range(scale.hand + 1):
        fitting = []
        for seat in order:
            turns = rounds + (seat in before)
            if seat in answers.hands:
                fitting.append([one for one in options[seat] if _turns(one) == turns])
            else:
                fitting.append([one for one in options[seat] if _turns(one) < turns])
        for number, chosen in enumerate(product(*fitting)):
            if number == 200:
                break
            yield _Plan(dict(zip(order, chosen, strict=True)))


def _turns(ways: tuple[tuple[str, str], ...]) -> int:
    return sum(verb in ("mate", "three") for verb, _ in ways)


def _piled(pile: tuple[Card, ...]) -> Iterator[tuple[tuple[str, str], ...]]:
    counts = {card.rank: sum(other.rank == card.rank for other in pile) for card in pile}
    if any(number not in _WAYS for number in counts.values()):
        return
    for chosen in product(*(_WAYS[number] for number in counts.values())):
        yield tuple((verb, rank) for rank, verbs in zip(counts, chosen, strict=True) for verb in verbs)


def _tried(
    game: Game, bare: Setup, scale: Scale, there: Standing, answers: Answers, plan: _Plan, rng: random.Random
) -> Position | None:
    """One attempt: which cards were dealt to the pool, who laid down which, and an order for it all."""
    fates = _fates(there, plan)
    heaps = list(_heaps(there, fates, rng))
    lain: dict[int, list[Card]] = {}
    for seat in sorted(set(plan.seats) - set(answers.hands), key=lambda _: rng.random()):
        size = scale.hand - sum(_OF_HAND[verb] for verb, _ in plan.seats[seat])
        chosen = _filling(size, heaps, rng)
        if chosen is None:
            return None
        lain[seat] = [card for heap in chosen for card in heap]
        heaps = [heap for heap in heaps if heap not in chosen]
    try:
        position = game.deal(replace(bare, table=tuple(card for heap in heaps for card in heap)))
    except GameError:
        return None
    return _played(position, fates, lain, answers, rng)


def _heaps(there: Standing, fates: list[_Fate], rng: random.Random) -> Iterator[tuple[Card, ...]]:
    """All cards that lie, or once lay, in the pool; those of a heap came there together.

    Mostly all of a rank did: who lies down has no card of a rank that lies there.
    """
    ranks = dict.fromkeys([*(card.rank for fate in fates for card in fate.from_pool), *(c.rank for c in there.pool)])
    for rank in ranks:
        parts = [fate.from_pool for fate in fates if fate.rank == rank and fate.from_pool]
        parts += [tuple(card for card in there.pool if card.rank == rank)]
        if rng.random() < TOGETHER:
            yield tuple(card for part in parts for card in part)
        else:
            yield from (part for part in parts if part)


def _filling(size: int, heaps: list[tuple[Card, ...]], rng: random.Random) -> list[tuple[Card, ...]] | None:
    """Heaps whose cards are together ``size``: a hand that was laid down."""
    sums: dict[int, list[tuple[Card, ...]]] = {0: []}
    for heap in rng.sample(heaps, len(heaps)):
        for total, chosen in list(sums.items()):
            more = total + len(heap)
            if more <= size and more not in sums:
                sums[more] = [*chosen, heap]
    return sums.get(size)


@dataclass(frozen=True, slots=True)
class _Fate:
    """Some cards of a pile: who won them how; ``from_pool`` lay in the pool before."""

    seat: int
    verb: str
    rank: str
    from_hand: tuple[Card, ...]
    from_pool: tuple[Card, ...]

    @property
    def action(self) -> Action:
        verb = {"three": "mate", "lay4": "lay"}.get(self.verb, self.verb)
        return Action(self.seat, verb, (*self.from_hand, *self.from_pool))


def _fates(there: Standing, plan: _Plan) -> list[_Fate]:
    fates = []
    for seat, ways in plan.seats.items():
        left = list(there.piles.get(seat, ()))
        for verb, rank in ways:
            same = [card for card in left if card.rank == rank]
            size, hand = {"mate": (2, 1), "three": (4, 1), "lay": (2, 2), "lay4": (4, 4), "take": (4, 0)}[verb]
            fates.append(_Fate(seat, verb, rank, tuple(same[:hand]), tuple(same[hand:size])))
            left = [card for card in left if card not in same[:size]]
    return fates


def _played(
    position: Position, fates: list[_Fate], lain: Mapping[int, list[Card]], answers: Answers, rng: random.Random
) -> Position | None:
    """Play the fates in an order that the rules allow; None where the attempt gets stuck."""
    left = list(fates)
    while True:
        position, left = _laid(position, left)
        seat = position.to_act
        mates = [fate for fate in left if fate.verb in ("mate", "three")]
        out = set(lain) & set(position.observe().active)
        if seat is None or (not mates and not out):
            break
        own = [fate for fate in mates if fate.seat == seat]
        rng.shuffle(own)
        for fate in own:
            after = _applied(position, fate.action)
            if after is not None and not after.claims():
                left.remove(fate)
                break
        else:
            if own or seat not in lain:
                return None
            after = _applied(position, Action(seat, "lie-down", tuple(lain[seat])))
        if after is None:
            return None
        position = after
    hands = position.observe().hands
    right = position.to_act == answers.to_act and all(hands[one] == size for one, size in answers.hands.items())
    return position if right and not left and not position.claims() else None


def _laid(position: Position, left: list[_Fate]) -> tuple[Position, list[_Fate]]:
    """Take and lay what may be taken and laid; a pair of which the other pair is to be won waits for that."""
    for fate in [fate for fate in left if fate.verb in ("take", "lay", "lay4")]:
        if any(other.rank == fate.rank and other is not fate for other in left):
            continue
        after = _applied(position, fate.action)
        if after is not None:
            position = after
            left = [other for other in left if other is not fate]
    return position, left


def _applied(position: Position, action: Action) -> Position | None:
    try:
        return position.apply(action)
    except GameError:
        return None


def as_events(position: Position, t: float, *, sure: bool) -> tuple[DealSeen | ActionSeen, ...]:
    """The invented deal and history as events at time ``t``: of confidence nought, because nobody saw them.

    ``sure`` says whether what lies there was read clearly and the rest was answered; then the stakes are sure, too.
    """
    actions = (ActionSeen(t, action, 0.0, sure) for action in position.actions)
    return (DealSeen(t, position.setup, 0.0, sure), *actions)
