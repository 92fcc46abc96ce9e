"""Deals of Laugh and Lie Down as they may be, drawn at random, given what one seat has seen.

All 52 cards are dealt, so the cards that a seat sees nowhere are in the other hands: as many as each hand is known to
hold, apart from cards that are located there. Of all such deals those are likelier in which the others did what
careful players do: lay a set as soon as they may, and mate what is endangered first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.hints.laugh_playouts import FOURS, ONES, Deals, Numbers, endangered_first, holds

CANDIDATES: Final = 4
"""Deals drawn for each that is used: the likelier ones among them are used more often."""
OVERSIGHT: Final = 0.05
"""How often somebody holds on to a set that he might have laid."""
OTHER_MIND: Final = 0.25
"""How often somebody mates whatever comes to his mind, not what is endangered first."""
_SHIFTS: Final = 4 * np.arange(13)


@dataclass(frozen=True, slots=True)
class Mated:
    """A mate that another seat made, in each of the positions: the seat's index (or that of one that is out, where
    nothing follows), the rank's lowest bit, the table and the won cards before it, and the cards that have left the
    seat's hand since then."""

    seats: Numbers
    ranks: Numbers
    table: Numbers
    won: Numbers
    since: Numbers


@dataclass(frozen=True, slots=True)
class Seen:
    """Positions as the seat of index ``seat`` sees them.

    ``deals`` holds its own hand, and of the others' hands the cards that are located there. ``unseen`` is how many
    more cards each hand holds, and in its last row how many table cards nobody could read, shape (seats + 1, deals).
    ``mated`` are the mates of the others, ``fresh`` the rank of the last of them, which nobody may have had the time
    to act upon.
    """

    deals: Deals
    seat: int
    unseen: NDArray[np.int64]
    mated: tuple[Mated, ...]
    fresh: Numbers


def guesses(seen: Seen, samples: int, rng: np.random.Generator) -> Deals:
    """Deals with every hand known that agree with what is seen: ``samples`` to each position, one after the other."""
    if not seen.unseen.any():
        return seen.deals.some(np.repeat(np.arange(len(seen.deals)), samples))
    drawn = _dealt_out(seen, samples * CANDIDATES, rng)
    chances = _likelihoods(drawn, seen).reshape(len(seen.deals), -1)
    sums = (chances / chances.sum(1, keepdims=True)).cumsum(1)
    edges = np.ceil(sums * samples - rng.random((len(sums), 1))).clip(0, samples).astype(np.int64)
    edges[:, -1] = samples
    return drawn.some(np.repeat(np.arange(len(drawn)), np.diff(edges, prepend=0).ravel()))


def _dealt_out(seen: Seen, samples: int, rng: np.random.Generator) -> Deals:
    """The unseen cards dealt at random to the places that have room for them."""
    deals = seen.deals
    known = deals.table + deals.won + deals.hands.sum(0)
    left = ((FOURS - known)[:, None] >> _SHIFTS & 15).cumsum(1)
    number = int(left[:, -1].max())
    ranks = (np.arange(number)[None, :, None] >= left[:, None, :]).sum(2)
    cards = np.where(ranks < 13, 1 << 4 * np.minimum(ranks, 12), 0)
    every = np.repeat(np.arange(len(deals)), samples)
    keys = rng.random((len(every), number), np.float32)
    keys[ranks[every] == 13] = 2.0  # nothing there: behind all cards
    dealt = np.zeros((len(every), number + 1), np.int64)
    np.cumsum(np.take_along_axis(cards[every], keys.argsort(1), 1), axis=1, out=dealt[:, 1:])
    ends = seen.unseen.cumsum(0)
    rows = np.arange(len(every))
    upto = np.array([dealt[rows, end[every]] for end in ends])
    parts = np.diff(upto, axis=0, prepend=0)
    guessed = deals.some(every)
    return replace(guessed, hands=guessed.hands + parts[:-1], table=guessed.table + parts[-1])


def _likelihoods(drawn: Deals, seen: Seen) -> NDArray[np.float64]:
    """How likely the others would have done what they did, for each deal drawn; only the proportions mean something."""
    every = np.repeat(np.arange(len(seen.deals)), len(drawn) // len(seen.deals))
    chances = np.ones(len(drawn))
    if not seen.mated:
        return chances
    hands = drawn.hands
    dead = hands >> 1 & ~hands & (drawn.won >> 1 & ~drawn.won) & ONES & ~seen.fresh[every]
    sets = np.bitwise_count(hands & hands >> 1 & ONES | hands >> 2 & ONES | dead)
    sets[seen.seat] = 0
    chances *= OVERSIGHT ** sets.sum(0)
    rows = np.arange(len(drawn))
    for mate in seen.mated:
        seats, ranks = mate.seats[every], mate.ranks[every]
        hand = hands[seats, rows] + mate.since[every]
        then = replace(
            drawn, table=mate.table[every], won=mate.won[every], hands=hand[None, :], turn=np.zeros_like(rows)
        )
        best, can = endangered_first(then), holds(hand) & holds(then.table)
        chance = np.where(best & ranks, (1 - OTHER_MIND) / np.maximum(np.bitwise_count(best), 1), 0.0)
        chance += OTHER_MIND / np.maximum(np.bitwise_count(can), 1)
        still_in = (drawn.active >> seats & 1 == 1) & (seats != seen.seat)
        chances *= np.where(still_in, chance, 1.0)
    return chances
