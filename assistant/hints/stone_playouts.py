"""Many deals of Rolling Stone at once, played out in numpy: all lead low from their longest suit and follow low.

A hand is one whole number with one bit a card (``stone_cards``). Pick-ups are forced ones only. The rule numbers are
those of ``seeds/rolling-stone.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.games.stone_cards import SUIT_BITS
from assistant.games.stone_setup import Rules

Bits = NDArray[np.int64]
"""Sets of cards, one a deal; or plain numbers, one a deal."""
LONGEST: Final = 2_000
"""Plays and pick-ups after which a deal counts as one that never ends: nobody wins it."""
_SUITS: Final = np.array(SUIT_BITS, np.int64)


@dataclass(frozen=True, slots=True)
class Stones:
    """Deals with the same rules, each at one moment.

    ``hands`` has shape (seats, deals). ``turn`` is the index of the seat in turn; ``led`` the suit led, 0 at a lead;
    ``trick`` the cards in the middle, ``taker`` the index of the seat of the highest; ``barred`` what may not be led;
    ``run`` the pick-ups since a trick was completed, ``leads`` the tricks begun; ``winners`` has bit i for the seat of
    index i, 0 while the deal goes on.
    """

    rules: Rules
    hands: Bits
    turn: Bits
    led: Bits
    trick: Bits
    taker: Bits
    barred: Bits
    run: Bits
    leads: Bits
    winners: Bits

    def __len__(self) -> int:
        return len(self.turn)

    def some(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Stones:
        """Some of the deals, by index or by flag."""
        return Stones(
            self.rules,
            self.hands[:, chosen],
            self.turn[chosen],
            self.led[chosen],
            self.trick[chosen],
            self.taker[chosen],
            self.barred[chosen],
            self.run[chosen],
            self.leads[chosen],
            self.winners[chosen],
        )

    @property
    def playable(self) -> Bits:
        """What the seat in turn may play; 0 where it must pick up."""
        hand = self.hands[self.turn, np.arange(len(self.turn))]
        return np.where(self.led != 0, hand & self.led, hand & ~self.barred)

    def scores(self) -> NDArray[np.float64]:
        """Each seat's points in deals that are over, shape (seats, deals): the winners share one (RST-14).

        Under ``score=cards_left`` the others' cards are counted, which is bad: they are below nought here.
        """
        seats = np.arange(len(self.hands))[:, None]
        won = (self.winners >> seats & 1).astype(np.float64)
        if self.rules.score == "points":
            return won / np.maximum(np.bitwise_count(self.winners), 1)
        return np.where(won > 0, 0.0, -np.bitwise_count(self.hands).astype(np.float64))


def joined(parts: list[Stones]) -> Stones:
    """Several lots of deals as one."""
    return Stones(
        parts[0].rules,
        np.concatenate([part.hands for part in parts], 1),
        np.concatenate([part.turn for part in parts]),
        np.concatenate([part.led for part in parts]),
        np.concatenate([part.trick for part in parts]),
        np.concatenate([part.taker for part in parts]),
        np.concatenate([part.barred for part in parts]),
        np.concatenate([part.run for part in parts]),
        np.concatenate([part.leads for part in parts]),
        np.concatenate([part.winners for part in parts]),
    )


def longest_low(stones: Stones, lots: Bits) -> Bits:
    """The card that a careful player plays, 0 for a pick-up: the lowest of the suit led, or of the longest suit.

    ``lots``, 0 to 3, decide between suits of one length.
    """
    playable = stones.playable
    lengths = 4 * np.bitwise_count(playable & _SUITS[:, None]).astype(np.int64)
    longest = (lengths + (np.arange(4)[:, None] + lots & 3)).argmax(0)
    choice: Bits = np.where(stones.led != 0, playable, playable & _SUITS[longest])
    lowest: Bits = choice & -choice
    return lowest


def take_turn(stones: Stones, cards: Bits) -> Stones:
    """The deals after one turn each: the card (its bit) is played, or the trick picked up where it is 0."""
    rules, players, every = stones.rules, len(stones.hands), np.arange(len(stones))
    turn, picks, leading = stones.turn, cards == 0, stones.led == 0
    hands = stones.hands.copy()
    before = hands[turn, every]
    hand = np.where(picks, before | stones.trick, before & ~cards)
    hands[turn, every] = hand
    trick = stones.trick | cards
    high = ~picks & (cards > stones.trick)
    taker = np.where(high, turn, stones.taker)
    done = np.bitwise_count(trick) == players
    over = picks | done
    suit = _SUITS[np.minimum((np.bitwise_count((cards & -cards) - 1) // 13).astype(np.int64), 3)]
    led = np.where(over, 0, np.where(leading, suit, stones.led))
    bar = stones.led if rules.lead_bar == "suit" else stones.trick if rules.lead_bar == "cards" else np.zeros_like(turn)
    run = np.where(picks, stones.run + 1, np.where(done, 0, stones.run))
    leads = stones.leads + (leading & ~picks)
    following = np.where(picks, turn, np.where(done, taker, (turn + rules.step) % players))
    sizes = np.bitwise_count(hands).astype(np.int64)
    fewest = sizes.min(0)
    stopped = np.zeros_like(picks)
    if rules.most_pickups:
        stopped |= run >= rules.most_pickups
    if rules.most_leads:
        stopped |= leads >= rules.most_leads
    ends = over & (stopped | (fewest == 0))
    winners = np.where(ends, ((sizes == fewest) << np.arange(players)[:, None]).sum(0), 0)
    if rules.end_moment == "last_card_played":
        winners = np.where((hand == 0) & ~picks, 1 << turn, winners)
    return Stones(
        rules,
        hands,
        following,
        led,
        np.where(over, 0, trick),
        taker,
        np.where(picks, bar, 0),
        run,
        leads,
        winners,
    )


Recorder = Callable[[NDArray[np.intp], Bits, Bits], None]
"""Told of each turn of the playouts: the deals' indices, the seats in turn, the cards (0 for a pick-up)."""


def play_out(stones: Stones, rng: np.random.Generator, repeats: int = 1, recorder: Recorder | None = None) -> Stones:
    """Every deal played to its end as ``longest_low`` does.

    The deals are ``repeats`` lots of equally many; deals at the same place in their lot share their random numbers.
    """
    places, parts, order = np.arange(len(stones)), [], []
    size = len(stones) // repeats
    for _ in range(LONGEST):
        over = stones.winners != 0
        if over.any():
            parts.append(stones.some(over))
            order.append(places[over])
            stones, places = stones.some(~over), places[~over]
            if not len(places):
                break
        lots = rng.integers(0, 4, size, np.int64)[places % size]
        cards = longest_low(stones, lots)
        if recorder is not None:
            recorder(places, stones.turn, cards)
        stones = take_turn(stones, cards)
    else:
        parts.append(stones)
        order.append(places)
    return joined(parts).some(np.argsort(np.concatenate(order)))


@dataclass(frozen=True, slots=True)
class Unseen:
    """Of each of several positions: the cards that lie unseen, and lots of them by who holds them.

    ``cards`` has shape (positions,). ``seats``, ``allowed`` and ``counts``, shape (lots, positions), say of each lot
    whose it is (the index of a seat, -1 for cards that are out of play), which cards it may hold and how many.
    """

    cards: Bits
    seats: Bits
    allowed: Bits
    counts: Bits


def guesses(known: Stones, unseen: Unseen, samples: int, rng: np.random.Generator) -> Stones:
    """Deals with every hand known that agree with what is known, ``samples`` to each position, one after the other.

    The lot that may hold the fewest cards is filled first, each from what is left at random. Where the cards run out
    for a later lot that deal is drawn again; after some tries the cards that are left go to whoever has room.
    """
    every = np.repeat(np.arange(len(known)), samples)
    hands = known.hands[:, every]
    todo = np.arange(len(every))
    for attempt in range(12):
        dealt, whole = _dealt_out(unseen, every[todo], len(known.hands), rng, strict=attempt < 11)
        hands[:, todo[whole]] |= dealt[:, whole]
        todo = todo[~whole]
        if not len(todo):
            break
    return replace(known.some(every), hands=hands)


def _dealt_out(
    unseen: Unseen, every: NDArray[np.intp], players: int, rng: np.random.Generator, *, strict: bool
) -> tuple[Bits, NDArray[np.bool_]]:
    """The unseen cards dealt to the hands, and where everybody got what he must."""
    size = len(every)
    order = np.argsort(np.where(unseen.counts > 0, np.bitwise_count(unseen.allowed), 99), 0)
    left = unseen.cards[every]
    hands = np.zeros((players + 1, size), np.int64)
    whole = np.ones(size, np.bool_)
    rows = np.arange(size)
    bits = np.int64(1) << np.arange(52)
    present = np.flatnonzero(np.bitwise_or.reduce(unseen.cards) & bits)
    keys = rng.random((size, len(present)))
    for lot in order:
        column = np.arange(len(lot))
        allowed, count = unseen.allowed[lot, column][every], unseen.counts[lot, column][every]
        seat = unseen.seats[lot, column][every]
        may = left & (allowed if strict else -1)
        fits = (may[:, None] >> present & 1) == 1
        ranked = np.where(fits, keys, 2.0).argsort(1)
        chosen = np.where(np.arange(len(present)) < count[:, None], bits[present][ranked], 0)
        got = chosen.sum(1) & may
        whole &= np.bitwise_count(got) == count
        hands[seat, rows] |= got
        left &= ~got
    return hands[:players], whole
