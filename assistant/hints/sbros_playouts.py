"""Many deals of Sbros at once, played out in numpy: both cover so that a narrow gap is left.

A set of cards is one whole number with one bit a card (``Card.code``), a centre is 52 times the lower code plus the
higher: left and right make no difference to what may follow. The rule numbers are those of ``seeds/sbros.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.games.sbros_covers import partners
from assistant.games.sbros_setup import HAND, Rules

Numbers = NDArray[np.int64]
"""Whole numbers, one a deal; also sets of cards."""
LONGEST: Final = 200
"""More turns than a deal has: 38 with the stock, at most 51 after it."""
_ONES: Final = int("1" * 13, 16)
_CARDS: Final = np.int64(1) << np.arange(52)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Deals with the same rules, each at one moment.

    ``hands`` and ``aside`` (the temporary discards) have shape (2, deals). ``stock`` holds codes in the order in which
    they are drawn, shape (deals, cards), ``drawn`` how many of them are gone. ``turn`` is the index of the seat in
    turn, -1 where the deal is over; ``passes`` the passes just made in a row.
    """

    rules: Rules
    hands: Numbers
    aside: Numbers
    centre: Numbers
    stock: Numbers
    drawn: Numbers
    turn: Numbers
    passes: Numbers

    def __len__(self) -> int:
        return len(self.turn)

    def some(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Pairs:
        """Some of the deals, by index or by flag."""
        return Pairs(
            self.rules,
            self.hands[:, chosen],
            self.aside[:, chosen],
            self.centre[chosen],
            self.stock[chosen],
            self.drawn[chosen],
            self.turn[chosen],
            self.passes[chosen],
        )

    @property
    def hand_in_turn(self) -> Numbers:
        """The hand of the seat in turn."""
        return self.hands[self.turn, np.arange(len(self.turn))]

    def scores(self) -> NDArray[np.float64]:
        """Each seat's points in deals that are over, shape (2, deals) (SBR-14, SBR-15)."""
        first, second = np.bitwise_count(self.hands).astype(np.int64)
        return np.array([1 + np.sign(second - first), 1 + np.sign(first - second)]) / 2


def joined(parts: list[Pairs]) -> Pairs:
    """Several lots of deals as one."""
    return Pairs(
        parts[0].rules,
        np.concatenate([part.hands for part in parts], 1),
        np.concatenate([part.aside for part in parts], 1),
        np.concatenate([part.centre for part in parts]),
        np.concatenate([part.stock for part in parts]),
        np.concatenate([part.drawn for part in parts]),
        np.concatenate([part.turn for part in parts]),
        np.concatenate([part.passes for part in parts]),
    )


@lru_cache(maxsize=2)
def fitting(adjacent: bool) -> Numbers:
    """By centre and card, the cards that cover the centre together with it, either way; shape (52 * 52, 52)."""
    table = np.zeros((52 * 52, 52), np.int64)
    for low in range(52):
        for high in range(low + 1, 52):
            ways = zip(partners(1 << low, 1 << high, adjacent), partners(1 << high, 1 << low, adjacent), strict=True)
            table[52 * low + high] = [(one | other) & ~(1 << code) for code, (one, other) in enumerate(ways)]
    return table


def code_of(cards: Numbers) -> Numbers:
    """The code of the lowest card of each set."""
    codes: Numbers = np.bitwise_count((cards & -cards) - 1).astype(np.int64)
    return codes


def centre_of(cards: Numbers) -> Numbers:
    """The centre that two cards make."""
    return 52 * code_of(cards) + code_of(cards & cards - 1)


def ranks_of(cards: Numbers) -> Numbers:
    """All cards of the ranks of which a set holds any."""
    ranks: Numbers = ((cards | cards >> 1 | cards >> 2 | cards >> 3) & _ONES) * 15
    return ranks


def narrowest(pairs: Pairs, lots: Numbers) -> Numbers:
    """The two cards with which the seat in turn covers, 0 where it can't: with the fewest ranks between, but no pair
    if another play is there. ``lots``, 0 to 63, decide between gaps alike."""
    hand, table = pairs.hand_in_turn, fitting(pairs.rules.adjacent)
    best, width = np.zeros_like(hand), np.full_like(hand, 1 << 20)
    left = hand
    while left.any():
        one = left & -left
        left = left ^ one
        code = np.minimum(code_of(one), 51)
        higher = np.where(one != 0, table[pairs.centre, code] & hand & -(one << 1), 0)
        apart = higher & ~ranks_of(one)
        other = np.where(apart != 0, apart & -apart, higher & -higher)
        gap = np.where(apart != 0, code_of(other) // 4 - code // 4, 13) << 6 | (code + lots & 63)
        better = (other != 0) & (gap < width)
        best, width = np.where(better, one | other, best), np.where(better, gap, width)
    return best


def put_aside(pairs: Pairs) -> Numbers:
    """The card that a careful player puts aside: one that pairs with nothing in his hand, nor with what he has put
    aside before, for that goes to the other."""
    hand = pairs.hand_in_turn
    aside = pairs.aside[pairs.turn, np.arange(len(pairs))]
    number = (hand & _ONES) + (hand >> 1 & _ONES) + (hand >> 2 & _ONES) + (hand >> 3 & _ONES)
    single = hand & (number & ~(number >> 1) & ~(number >> 2) & _ONES) * 15
    fresh = single & ~ranks_of(aside)
    choice: Numbers = np.where(fresh != 0, fresh, np.where(single != 0, single, hand))
    lowest: Numbers = choice & -choice
    return lowest


def take_turn(pairs: Pairs, cards: Numbers) -> Pairs:
    """The deals after one turn each: two cards cover, one is put aside, none is a pass."""
    rules, turn, every = pairs.rules, pairs.turn, np.arange(len(pairs))
    number = np.bitwise_count(cards)
    covers, resets, passing = number == 2, number == 1, number == 0
    hands, aside = pairs.hands.copy(), pairs.aside.copy()
    hand = hands[turn, every] & ~cards
    aside[turn, every] |= np.where(resets, cards, 0)
    had_stock, drawn, last = pairs.drawn < pairs.stock.shape[1], pairs.drawn, pairs.stock.shape[1]
    for _ in range(2):
        draws = (np.bitwise_count(hand) < HAND) & (drawn < last) & ~passing
        if draws.any():
            card = _CARDS[pairs.stock[every, np.minimum(drawn, last - 1)]]
            hand, drawn = np.where(draws, hand | card, hand), drawn + draws
    hands[turn, every] = hand
    merges = had_stock & (drawn >= last)
    taken = aside if rules.merge == "own" else aside[::-1]
    hands = np.where(merges, hands | taken, hands)
    aside = np.where(merges, 0, aside)
    passes = np.where(passing, pairs.passes + 1, 0)
    centre = np.where(covers, centre_of(np.where(covers, cards, 3)), pairs.centre)
    ends = (hands == 0).any(0) | (passes >= (1 if rules.end_on_first_block == "yes" else 2))
    following = 1 - turn
    if rules.reset_repeat == "until_playable":
        following = np.where(resets, turn, following)
    return Pairs(rules, hands, aside, centre, pairs.stock, drawn, np.where(ends, -1, following), passes)


def careful(pairs: Pairs, lots: Numbers) -> Numbers:
    """The cards of a careful player's turn: a cover, a reset, or none for a pass."""
    cards = narrowest(pairs, lots)
    stuck = (cards == 0) & (pairs.drawn < pairs.stock.shape[1])
    return np.where(stuck, put_aside(pairs), cards) if stuck.any() else cards


Recorder = Callable[[NDArray[np.intp], Numbers, Numbers], None]
"""Told of each turn of the playouts: the deals' indices, the seats in turn, the cards."""


def play_out(pairs: Pairs, rng: np.random.Generator, repeats: int = 1, recorder: Recorder | None = None) -> Pairs:
    """Every deal played to its end by two careful players.

    The deals are ``repeats`` lots of equally many; deals at the same place in their lot share their random numbers.
    """
    places, parts, order = np.arange(len(pairs)), [], []
    size = len(pairs) // repeats
    for _ in range(LONGEST):
        over = pairs.turn < 0
        if over.any():
            parts.append(pairs.some(over))
            order.append(places[over])
            pairs, places = pairs.some(~over), places[~over]
            if not len(places):
                break
        cards = careful(pairs, rng.integers(0, 64, size, np.int64)[places % size])
        if recorder is not None:
            recorder(places, pairs.turn, cards)
        pairs = take_turn(pairs, cards)
    return joined(parts).some(np.argsort(np.concatenate(order)))


def guesses(known: Pairs, seat: int, unseen: Numbers, hidden: Numbers, samples: int, rng: np.random.Generator) -> Pairs:
    """Deals in which the other hand, the other's unseen discards and the stock are filled from the unseen cards.

    ``known`` holds in ``hands`` and ``aside`` what the seat of index ``seat`` knows, and a stock of the right length;
    of the ``unseen`` cards the other hand holds ``hidden`` more, the stock as many as are left in it, and what is over
    lies in the other's discards. ``samples`` to each position, one after the other.
    """
    every = np.repeat(np.arange(len(known)), samples)
    number = int(np.bitwise_count(unseen).max(initial=0))
    known = known.some(every)
    if not number:
        return known
    have = (unseen[every, None] & _CARDS) != 0
    keys = np.where(have, rng.random((len(every), 52)), 2.0).argsort(1)[:, :number]
    there = np.arange(number) < np.bitwise_count(unseen)[every, None]
    bits = np.where(there, _CARDS[keys], 0)
    place = np.arange(number)
    in_hand = place < hidden[every, None]
    hands, aside, stock = known.hands.copy(), known.aside.copy(), known.stock.copy()
    hands[1 - seat] |= np.where(in_hand, bits, 0).sum(1)
    left = stock.shape[1] - known.drawn
    in_stock = ~in_hand & (place < (hidden[every] + left)[:, None])
    aside[1 - seat] |= np.where(in_hand | in_stock, 0, bits).sum(1)
    rows, columns = np.nonzero(in_stock)
    stock[rows, known.drawn[rows] + columns - hidden[every][rows]] = keys[rows, columns]
    return Pairs(known.rules, hands, aside, known.centre, stock, known.drawn, known.turn, known.passes)
