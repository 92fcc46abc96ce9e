"""Duplicate deals of Rolling Stone: what following the hints is worth among players who lead low from long suits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assistant.games.game import Setup
from assistant.games.stone_cards import pack_bits
from assistant.games.stone_setup import NAME, rules_of
from assistant.hints.stone_playouts import (
    LONGEST,
    Bits,
    Stones,
    Unseen,
    guesses,
    joined,
    longest_low,
    play_out,
    take_turn,
)


def shuffled(players: int, deals: int, rng: np.random.Generator) -> Stones:
    """Deals before the first lead, the last seat dealing."""
    places = np.flatnonzero(np.int64(pack_bits(players)) >> np.arange(52) & 1)
    packs = rng.permuted(np.tile(places, (deals, 1)), axis=1)
    hands = (np.int64(1) << packs).reshape(deals, players, 8).sum(2).T
    none = np.zeros(deals, np.int64)
    rules = rules_of(Setup(NAME, players, players))
    return Stones(rules, hands, none, none, none, none, none, none, none, none)


@dataclass(frozen=True, slots=True)
class _Course:
    """Deals in play: the places among all deals, the cards located in each hand, the suits that each hand has shown
    to lack but for those."""

    places: NDArray[np.intp]
    stones: Stones
    located: Bits
    lacking: Bits

    def some(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> _Course:
        return _Course(self.places[chosen], self.stones.some(chosen), self.located[:, chosen], self.lacking[:, chosen])


def _after(course: _Course, cards: Bits) -> _Course:
    before, every = course.stones, np.arange(len(course.stones))
    turn, picks = before.turn, cards == 0
    located, lacking = course.located.copy(), course.lacking.copy()
    located[turn, every] = np.where(picks, located[turn, every] | before.trick, located[turn, every] & ~cards)
    lacking[turn, every] |= np.where(picks, before.led, 0)
    return _Course(course.places, take_turn(before, cards), located, lacking)


def results(
    stones: Stones, lots: Bits, rng: np.random.Generator, hinted: int | None = None, samples: int = 50
) -> NDArray[np.float64]:
    """The scores of each seat, shape (seats, deals); the seat of index ``hinted`` follows the hints.

    ``lots``, shape (``LONGEST``, deals), decide between suits that are alike to the others. A deal that has not
    ended after that many turns is won by nobody.
    """
    none = np.zeros_like(stones.hands)
    course, ended, order = _Course(np.arange(len(stones)), stones, none, none), [], []
    for step in range(LONGEST):
        over = course.stones.winners != 0
        if step == LONGEST - 1:
            over = np.ones_like(over)
        if over.any():
            ended.append(course.stones.some(over))
            order.append(course.places[over])
            course = course.some(~over)
            if not len(course.places):
                break
        cards = longest_low(course.stones, lots[step, course.places])
        if hinted is not None:
            playable = course.stones.playable
            asked = np.flatnonzero((course.stones.turn == hinted) & (playable & playable - 1 != 0))
            if len(asked):
                cards[asked] = _advice(course.some(asked), hinted, samples, rng)
        course = _after(course, cards)
    return joined(ended).some(np.argsort(np.concatenate(order))).scores()


def _advice(course: _Course, seat: int, samples: int, rng: np.random.Generator) -> Bits:
    """The card that the hints put first, by deal."""
    stones = course.stones
    known = course.located.copy()
    known[seat] = stones.hands[seat]
    hidden = stones.hands & ~known
    cards = np.bitwise_or.reduce(hidden)
    seats = np.repeat(np.arange(len(known))[:, None], len(cards), 1)
    counts = np.bitwise_count(hidden).astype(np.int64)
    unseen = Unseen(cards, seats, cards & ~course.lacking, counts)
    guessed = guesses(replace(stones, hands=known), unseen, samples, rng)
    choice = stones.playable
    best, values = np.zeros_like(choice), np.full(len(choice), -np.inf)
    lots = int(rng.integers(1 << 62))
    while choice.any():
        where = np.flatnonzero(choice)
        tried = choice[where] & -choice[where]
        choice = choice & choice - 1
        rows = (where[:, None] * samples + np.arange(samples)).ravel()
        after = take_turn(guessed.some(rows), np.repeat(tried, samples))
        scores = play_out(after, np.random.default_rng(lots)).scores()[seat].reshape(-1, samples).mean(1)
        better = scores > values[where]
        best[where[better]] = tried[better]
        values[where[better]] = scores[better]
    return best


def differences(players: int, deals: int, samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """What each seat gains by following the hints, in points, shape (seats, deals), against ``longest_low``."""
    dealt = shuffled(players, deals, rng)
    lots = rng.integers(0, 4, (LONGEST, deals))
    without = results(dealt, lots, rng)
    return np.array([results(dealt, lots, rng, seat, samples)[seat] - without[seat] for seat in range(players)])
