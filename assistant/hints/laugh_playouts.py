"""Many deals of Laugh and Lie Down at once, played out in numpy by a simple policy.

Only ranks matter, so a hand, the table or the won cards of one deal are one whole number of 64 bits: four bits a rank
that count its cards, the ace's lowest (as ``Bag.counts``). Every operation works on all deals together. The rule
numbers are those of ``seeds/laugh-and-lie-down.md``. Everybody plays without oversights: sets are laid as soon as they
may be, a table pair royal is taken whole. Under ``mates_per_turn=many`` a seat goes on as long as it holds a mate that
another could spoil.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.games.laugh_setup import Rules

Numbers = NDArray[np.int64]
"""Whole numbers, one a deal; of cards by rank, four bits a rank."""
Policy = Callable[["Deals"], Numbers]
"""The ranks (the lowest of their four bits) that the seat in turn would mate, all alike; 0 where it can't mate."""

ONES: Final = int("1" * 13, 16)
FOURS: Final = 4 * ONES
LONGEST: Final = 64
"""More turns than a deal has: at most one a hand card and one a seat."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals with the same rules and the same dealer (from 0), each at one moment.

    ``table`` and ``won`` have shape (deals,), ``hands`` (seats, deals); ``piles``, the number of cards won, is (seats,
    deals). ``active`` has bit i for the seat of index i, ``turn`` is the index of the seat in turn, ``last_mater`` of
    the one that mated last, -1 if nobody has. A deal is over when only one seat is active.
    """

    rules: Rules
    dealer: int
    table: Numbers
    won: Numbers
    hands: Numbers
    piles: Numbers
    active: Numbers
    turn: Numbers
    last_mater: Numbers

    def __len__(self) -> int:
        return len(self.table)

    def some(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Deals:
        """Some of the deals, by index or by flag."""
        return replace(
            self,
            table=self.table[chosen],
            won=self.won[chosen],
            hands=self.hands[:, chosen],
            piles=self.piles[:, chosen],
            active=self.active[chosen],
            turn=self.turn[chosen],
            last_mater=self.last_mater[chosen],
        )

    @property
    def over(self) -> NDArray[np.bool_]:
        """Where only one seat is still in (LLD-21)."""
        over: NDArray[np.bool_] = self.active & self.active - 1 == 0
        return over

    @property
    def hand_in_turn(self) -> Numbers:
        """The hand of the seat in turn."""
        return self.hands[self.turn, np.arange(len(self.table))]

    def nets(self) -> Numbers:
        """Each seat's result in stakes as if the deals ended now, shape (seats, deals) (LLD-22 to LLD-25)."""
        scale, every = self.rules.scale, np.arange(len(self.table))
        cards = self.piles.copy()
        cards[self.dealer] += 52 - cards.sum(0)
        nets = (cards - scale.par) // 2 - scale.ante
        nets[self.dealer] -= 1
        last = np.bitwise_count(self.active - 1).astype(np.int64)
        if self.rules.empty_hand == "out_at_once":
            last = np.where(self.last_mater < 0, last, self.last_mater)
        nets[last, every] += scale.bonus
        return nets


def joined(parts: list[Deals]) -> Deals:
    """Several lots of deals as one."""
    return replace(
        parts[0],
        table=np.concatenate([part.table for part in parts]),
        won=np.concatenate([part.won for part in parts]),
        hands=np.concatenate([part.hands for part in parts], 1),
        piles=np.concatenate([part.piles for part in parts], 1),
        active=np.concatenate([part.active for part in parts]),
        turn=np.concatenate([part.turn for part in parts]),
        last_mater=np.concatenate([part.last_mater for part in parts]),
    )


def holds(counts: Numbers) -> Numbers:
    """The lowest bit of each rank of which there is at least one card."""
    return (counts | counts >> 1 | counts >> 2) & ONES


def endangered(hand: Numbers, table: Numbers, won: Numbers) -> tuple[Numbers, Numbers]:
    """The mates that another seat could spoil before one's next turn: those with two cards unseen, those with one.

    With two or three of the rank on the table, or none left elsewhere, the mate stays (strategy 1: safety by counting).
    """
    lone = holds(hand) & table & ~(table >> 1)
    others = FOURS - hand - table - won
    return lone & others >> 1, lone & others & ~(others >> 1)


def endangered_first(deals: Deals) -> Numbers:
    """The most endangered mates; else a pair royal, worth four cards when the last in may mate no more; else any."""
    hand = deals.hand_in_turn
    more, less = endangered(hand, deals.table, deals.won)
    return _first(more, less, _prials(hand, deals.table), holds(hand) & holds(deals.table))


def advised(seat: int) -> Policy:
    """All seats mate what is endangered first, but the seat of that index mates a pair in hand before a single card.

    If the last card of the rank takes the one on the table, the pair is dead and two turns are lost; measured against
    others who play ``endangered_first``, that order wins a quarter of a stake a deal more.
    """

    def policy(deals: Deals) -> Numbers:
        hand = deals.hand_in_turn
        more, less = endangered(hand, deals.table, deals.won)
        best = np.where((deals.turn == seat) & (less != 0), less, more)
        return _first(best, less, _prials(hand, deals.table), holds(hand) & holds(deals.table))

    return policy


def any_mate(deals: Deals) -> Numbers:
    """Any mate."""
    return holds(deals.hand_in_turn) & holds(deals.table)


def _prials(hand: Numbers, table: Numbers) -> Numbers:
    return holds(hand) & table & table >> 1


def _first(*choices: Numbers) -> Numbers:
    """The first of the choices that isn't 0."""
    choice = choices[-1]
    for better in reversed(choices[:-1]):
        choice = np.where(better != 0, better, choice)
    return choice


def one_of(choice: Numbers, lots: NDArray[np.float64]) -> Numbers:
    """One rank of each choice, drawn by a lot from 0 up to 1; 0 where there is no choice."""
    skip = (lots * np.bitwise_count(choice)).astype(np.int64)
    for before in range(int(skip.max(initial=0))):
        choice = np.where(skip > before, choice & choice - 1, choice)
    return choice & -choice


@lru_cache(maxsize=16)
def _next_seats(players: int) -> NDArray[np.int64]:
    """The next active seat by the mask of active seats and the seat, shape (2 ** players, players)."""
    following = np.zeros((1 << players, players), np.int64)
    for mask in range(1, 1 << players):
        for seat in range(players):
            following[mask, seat] = next(
                other % players for other in range(seat + 1, seat + players + 1) if mask >> other % players & 1
            )
    return following


def lay_sets(deals: Deals, allowed: int = -1) -> Deals:
    """Every seat lays what it may (LLD-9); ``allowed`` has bit i where the seat of index i may still lay mournivals
    and pairs royal."""
    seats = np.arange(len(deals.hands))[:, None]
    may = np.where(allowed >> seats & 1 == 1, ONES, 0)
    fours = deals.hands >> 2 & may
    threes = deals.hands & deals.hands >> 1 & may
    hands = deals.hands - 4 * fours - 2 * threes
    won = deals.won + (4 * fours + 2 * threes).sum(0)
    # One card of a pair royal stays, so no hand's pair becomes dead by what is laid here.
    dead = hands >> 1 & ~hands & (won >> 1 & ~won) & ONES
    cards = 4 * np.bitwise_count(fours) + 2 * np.bitwise_count(threes) + 2 * np.bitwise_count(dead)
    laid = replace(deals, hands=hands - 2 * dead, won=won + 2 * dead.sum(0), piles=deals.piles + cards)
    return _without_empty(laid) if deals.rules.empty_hand == "out_at_once" else laid


def take_turn(deals: Deals, ranks: Numbers) -> Deals:
    """The deals after one turn each: the seat in turn mates the rank (its lowest bit), or lies down where it is 0.

    Whoever then holds a dead pair of the rank lays it (LLD-9c).
    """
    table, turn, every = deals.table, deals.turn, np.arange(len(deals.table))
    hands, piles = deals.hands.copy(), deals.piles.copy()
    hand = hands[turn, every]
    mates = ranks != 0
    prial = table & table >> 1 & ranks
    taken = ranks + 2 * prial
    won = deals.won + ranks + taken
    left = np.where(mates, hand - ranks, 0)
    hands[turn, every] = left
    piles[turn, every] += 2 * (mates.astype(np.int64) + (prial != 0))
    table = np.where(mates, table - taken, table + hand)
    out = ~mates
    if deals.rules.empty_hand == "out_at_once":
        out |= left == 0
    active = np.where(out, deals.active & ~(1 << turn), deals.active)
    pair = 2 * ranks
    dead = (hands & 15 * ranks == pair) & (mates & (won & 15 * ranks == pair))
    if deals.rules.empty_hand == "out_at_once":
        dead &= active & active - 1 != 0
    won += np.where(dead.any(0), pair, 0)
    turn_next = _next_seats(len(hands))[active, turn]
    if deals.rules.mates_per_turn == "many":
        more, less = endangered(left, table, won)
        turn_next = np.where(mates & ~out & (more | less != 0), turn, turn_next)
    after = Deals(
        deals.rules,
        deals.dealer,
        table,
        won,
        hands - np.where(dead, pair, 0),
        piles + 2 * dead,
        active,
        turn_next,
        np.where(mates, turn, deals.last_mater),
    )
    return _without_empty(after) if deals.rules.empty_hand == "out_at_once" else after


def _without_empty(deals: Deals) -> Deals:
    """The deals with seats that hold no card out, as long as others are in (``empty_hand=out_at_once``)."""
    active, turn = deals.active, deals.turn
    for seat, hand in enumerate(deals.hands):
        goes = (hand == 0) & (active >> seat & 1 == 1) & (active & active - 1 != 0)
        active = np.where(goes, active & ~(1 << seat), active)
        turn = np.where(goes & (turn == seat), _next_seats(len(deals.hands))[active, seat], turn)
    return replace(deals, active=active, turn=turn)


Recorder = Callable[[NDArray[np.intp], Numbers, Numbers], None]
"""Told of each turn of the playouts: the deals' indices, the seats in turn, the ranks (0 for lying down)."""


def play_out(
    deals: Deals,
    rng: np.random.Generator,
    policy: Policy = endangered_first,
    repeats: int = 1,
    recorder: Recorder | None = None,
) -> Deals:
    """Every deal played to its end by the policy, equal choices by lot.

    The deals are ``repeats`` lots of equally many; deals at the same place in their lot share their random numbers, so
    that the lots can be compared.
    """
    lots = np.tile(rng.random((LONGEST, len(deals) // repeats)), repeats)
    places = np.arange(len(deals))
    parts, order = [], []
    for step in range(LONGEST):
        over = deals.over
        if over.any():
            parts.append(deals.some(over))
            order.append(places[over])
            deals, places = deals.some(~over), places[~over]
            if not len(places):
                break
        ranks = one_of(policy(deals), lots[step, places])
        if recorder is not None:
            recorder(places, deals.turn, ranks)
        deals = take_turn(deals, ranks)
    return joined(parts).some(np.argsort(np.concatenate(order)))
