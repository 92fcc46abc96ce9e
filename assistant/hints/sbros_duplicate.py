"""Duplicate deals of Sbros: what following the hints is worth against a careful player.

The hinted player is a little weaker than ``hints_for``: after the exchange it plays out what it knows instead of
working it out to the end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistant.games.sbros_setup import HAND, Rules
from assistant.hints.sbros_playouts import (
    LONGEST,
    Numbers,
    Pairs,
    careful,
    fitting,
    guesses,
    joined,
    play_out,
    take_turn,
)

_ALL = (1 << 52) - 1


def shuffled(deals: int, rng: np.random.Generator) -> Pairs:
    """Deals before the first turn, which is the first seat's."""
    packs = rng.permuted(np.tile(np.arange(52), (deals, 1)), axis=1)
    hands = (np.int64(1) << packs[:, : 2 * HAND]).reshape(deals, 2, HAND).sum(2).T
    low, high = np.sort(packs[:, 2 * HAND : 2 * HAND + 2], 1).T
    none = np.zeros(deals, np.int64)
    return Pairs(Rules(), hands, np.zeros_like(hands), 52 * low + high, packs[:, 2 * HAND + 2 :], none, none, none)


def results(
    pairs: Pairs, lots: Numbers, rng: np.random.Generator, hinted: int | None = None, samples: int = 50
) -> NDArray[np.float64]:
    """The scores of both seats, shape (2, deals); the seat of index ``hinted`` follows the hints.

    ``lots``, shape (``LONGEST``, deals), decide between plays that are alike to the careful.
    """
    places, ended, order = np.arange(len(pairs)), [], []
    for step in range(LONGEST):
        over = pairs.turn < 0
        if over.any():
            ended.append(pairs.some(over))
            order.append(places[over])
            pairs, places = pairs.some(~over), places[~over]
            if not len(places):
                break
        cards = careful(pairs, lots[step, places])
        if hinted is not None:
            asked = np.flatnonzero((pairs.turn == hinted) & (cards != 0))
            if len(asked):
                cards[asked] = _advice(pairs.some(asked), cards[asked], hinted, samples, rng)
        pairs = take_turn(pairs, cards)
    return joined(ended).some(np.argsort(np.concatenate(order))).scores()


def _choices(pairs: Pairs, cards: Numbers, seat: int) -> NDArray[np.int64]:
    """What the seat may do, shape (choices, deals), 0 where there are no more; ``cards`` is one of them."""
    hand, table = pairs.hands[seat], fitting(pairs.rules.adjacent)
    covers = np.bitwise_count(cards) == 2
    found: list[Numbers] = []
    for code in range(52):
        one = hand & 1 << code
        others = np.where(covers & (one != 0), table[pairs.centre, code] & hand & -(2 << code), 0)
        while others.any():
            other = others & -others
            others = others ^ other
            found.append(np.where(other != 0, one | other, 0))
        resets = np.where(covers, 0, one)
        if resets.any():
            found.append(resets)
    grid = np.array(found)
    return np.take_along_axis(grid, np.argsort(grid == 0, 0, kind="stable"), 0)


def _advice(pairs: Pairs, cards: Numbers, seat: int, samples: int, rng: np.random.Generator) -> Numbers:
    """The cards that the hints put first, by deal."""
    left = pairs.stock.shape[1] - pairs.drawn
    hands, drawn = pairs.hands.copy(), np.arange(pairs.stock.shape[1]) < pairs.drawn[:, None]
    stock = np.where(drawn, 0, np.int64(1) << pairs.stock).sum(1)
    hidden = np.where(left > 0, np.bitwise_count(hands[1 - seat]), 0).astype(np.int64)
    unseen = np.where(left > 0, hands[1 - seat] | stock, 0)
    hands[1 - seat] = np.where(left > 0, 0, hands[1 - seat])
    known = Pairs(pairs.rules, hands, pairs.aside, pairs.centre, pairs.stock, pairs.drawn, pairs.turn, pairs.passes)
    guessed = guesses(known, seat, unseen, hidden, samples, rng)
    best, values = cards.copy(), np.full(len(cards), -np.inf)
    lots = int(rng.integers(1 << 62))
    for choice in _choices(pairs, cards, seat):
        where = np.flatnonzero(choice)
        if not len(where):
            break
        rows = (where[:, None] * samples + np.arange(samples)).ravel()
        after = take_turn(guessed.some(rows), np.repeat(choice[where], samples))
        scores = play_out(after, np.random.default_rng(lots)).scores()[seat].reshape(-1, samples).mean(1)
        better = scores > values[where]
        best[where[better]] = choice[where[better]]
        values[where[better]] = scores[better]
    return best


def differences(players: int, deals: int, samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """What each seat gains by following the hints, in points, shape (2, deals), against a careful player."""
    assert players == 2
    dealt = shuffled(deals, rng)
    lots = rng.integers(0, 64, (LONGEST, deals))
    without = results(dealt, lots, rng)
    return np.array([results(dealt, lots, rng, seat, samples)[seat] - without[seat] for seat in range(2)])
