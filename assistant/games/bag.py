"""A bag of cards without order, some known, some known by rank only, some not at all.

Hands and the table are bags. A bag is three whole numbers, so that copying, counting and comparing are quick: the
known cards one bit each (bit ``4 * rank + suit``, which is ``Card.code``), the cards known by rank only one count a
rank in the same four bits, and the number of wholly unknown cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from assistant.cards import CARDS, UNKNOWN, Card

ALL_CARDS: Final = (1 << 52) - 1
_ODD_BITS: Final = int("5" * 13, 16)
_PAIR_BITS: Final = int("3" * 13, 16)
_ONES: Final = int("1" * 13, 16)


def rank_only(rank: int) -> Card:
    """The card of a rank (0..12) whose suit is not known."""
    return CARDS[52 + rank]


def rank_of(card: Card) -> int | None:
    """The rank's number (0..12), None for ``??``."""
    code = card.code
    if code < 52:
        return code >> 2
    return code - 52 if code < 65 else None


def all_of_ranks(partly: int) -> int:
    """All cards, one bit each, of the ranks of which some are counted: four bits a rank, at most four cards each.

    >>> all_of_ranks(0x0301) == 0x0F0F
    True
    """
    return ((partly | partly >> 1 | partly >> 2) & _ONES) * 15


@lru_cache(maxsize=4096)
def _cards_of(known: int, partly: int) -> tuple[Card, ...]:
    cards: list[Card] = []
    for rank in range(13):
        suits, number = known >> 4 * rank & 15, partly >> 4 * rank & 15
        if suits:
            cards += [CARDS[4 * rank + suit] for suit in range(4) if suits >> suit & 1]
        if number:
            cards += [rank_only(rank)] * number
    return tuple(cards)


class Bag(NamedTuple):
    """Cards without order; immutable.

    >>> bag = Bag.of([CARDS[0], CARDS[1], CARDS[52], UNKNOWN])
    >>> bag.cards(), len(bag.cards()) == bag.size(), bag.count(0)
    ((Card('AS'), Card('AH'), Card('A?'), Card('??')), True, 3)
    """

    known: int = 0
    partly: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Bag:
        """The bag of some cards, no known card twice."""
        known = partly = unknown = 0
        for card in cards:
            code = card.code
            if code < 52:
                known |= 1 << code
            elif code < 65:
                partly += 1 << 4 * (code - 52)
            else:
                unknown += 1
        return cls(known, partly, unknown)

    def counts(self) -> int:
        """How many cards of each rank are surely in the bag: four bits a rank, the ace's lowest."""
        pairs = self.known - (self.known >> 1 & _ODD_BITS)
        return (pairs & _PAIR_BITS) + (pairs >> 2 & _PAIR_BITS) + self.partly

    def paired(self) -> int:
        """The ranks of which two cards are surely in the bag: one bit each, the lowest of the rank's four."""
        counts = self.counts()
        return (counts >> 1 | counts >> 2) & _ONES

    def count(self, rank: int) -> int:
        """How many cards of the rank (0..12) are surely in the bag."""
        shift = 4 * rank
        return (self.known >> shift & 15).bit_count() + (self.partly >> shift & 15)

    def size(self) -> int:
        """How many cards the bag holds."""
        partly, number = self.partly, self.known.bit_count() + self.unknown
        while partly:
            number += partly & 15
            partly >>= 4
        return number

    def of_rank(self, rank: int) -> tuple[Card, ...]:
        """The cards of the rank (0..12) that are surely in the bag, the known ones first."""
        return _cards_of(self.known & 15 << 4 * rank, self.partly & 15 << 4 * rank)

    def cards(self) -> tuple[Card, ...]:
        """All cards by rank and suit, the wholly unknown ones last."""
        return _cards_of(self.known, self.partly) + (UNKNOWN,) * self.unknown

    def kinds(self) -> tuple[Card, ...]:
        """As ``cards``, but what is not wholly known once only.

        >>> Bag(1, 2, 3).kinds()
        (Card('AS'), Card('A?'), Card('??'))
        """
        kinds = _cards_of(self.known, all_of_ranks(self.partly) & _ONES)
        return (*kinds, UNKNOWN) if self.unknown else kinds

    def add(self, card: Card) -> Bag:
        """The bag with one more card."""
        code = card.code
        if code < 52:
            return Bag(self.known | 1 << code, self.partly, self.unknown)
        if code < 65:
            return Bag(self.known, self.partly + (1 << 4 * (code - 52)), self.unknown)
        return Bag(self.known, self.partly, self.unknown + 1)

    def add_all(self, other: Bag) -> Bag:
        """The cards of both bags."""
        return Bag(self.known | other.known, self.partly + other.partly, self.unknown + other.unknown)

    def take(self, card: Card, free: int, room: int) -> tuple[Bag, Card] | None:
        """Take a card of known rank out: the bag left, and the card as it is now known. None if it can't be there.

        ``free`` has one bit for each card that is not known to lie somewhere: only such a card can be one of those
        that are known in part. ``room`` has the four bits of each rank of which fewer than four cards are placed:
        only such a rank can be found among the unknown cards. Where it can't be told which of several cards of a
        rank went, what stays behind is known by rank only.

        >>> sevens = Bag.of([CARDS[24], CARDS[25]])
        >>> sevens.take(CARDS[58], 0, 0)
        (Bag(known=0, partly=16777216, unknown=0), Card('7?'))
        """
        known, partly, unknown = self
        code = card.code
        if code < 52:
            if known >> code & 1:
                return Bag(known ^ 1 << code, partly, unknown), card
            shift = code & ~3
            if not free >> code & 1:
                return None
            if partly >> shift & 15:
                return Bag(known, partly - (1 << shift), unknown), card
            return (Bag(known, partly, unknown - 1), card) if unknown and room >> code & 1 else None
        shift = 4 * (code - 52)
        suits = known >> shift & 15
        sure = suits.bit_count() + (partly >> shift & 15)
        maybe_unknown = unknown and room >> shift & 15
        if not sure:
            return (Bag(known, partly, unknown - 1), card) if maybe_unknown else None
        if sure == 1 and suits and not maybe_unknown:
            return Bag(known & ~(15 << shift), partly, unknown), CARDS[shift + suits.bit_length() - 1]
        partly = partly & ~(15 << shift) | (sure - 1) << shift
        return Bag(known & ~(15 << shift), partly, unknown), card


EMPTY: Final = Bag()
