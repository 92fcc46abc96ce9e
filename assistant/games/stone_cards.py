"""Sets of cards as whole numbers, one bit a card: suit beside suit, within each the higher card higher.

Rolling Stone asks "which clubs?" and "which is highest?" all the time; with these bits both are one operation. The
ace is high (RST-3).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from assistant.cards import CARDS, SUITS, Card

STRENGTH: Final = "23456789TJQKA"
"""The ranks, lowest first (RST-3)."""
SUIT_BITS: Final = tuple(0x1FFF << 13 * suit for suit in range(4))
CARD_AT: Final = tuple(Card(rank, suit) for suit in SUITS for rank in STRENGTH)
"""The card of each bit."""
BIT_OF: Final = tuple(1 << CARD_AT.index(card) if card.known else 0 for card in CARDS)
"""The bit of each card by its ``code``; nought for a card that is known in part."""
RANK_BITS: Final = {rank: sum(1 << 13 * suit + strength for suit in range(4)) for strength, rank in enumerate(STRENGTH)}


@lru_cache(maxsize=1 << 16)
def cards_of(bits: int) -> tuple[Card, ...]:
    """The cards of a set, suit by suit, the lowest first.

    >>> cards_of(bits_of([Card.parse("AS"), Card.parse("2S"), Card.parse("TD")]))
    (Card('2S'), Card('AS'), Card('TD'))
    """
    return tuple(CARD_AT[place] for place in range(bits.bit_length()) if bits >> place & 1)


def bits_of(cards: Iterable[Card]) -> int:
    """The set of the known ones among some cards."""
    bits = 0
    for card in cards:
        bits |= BIT_OF[card.code]
    return bits


def suit_of(bit: int) -> int:
    """The number of a card's suit (0..3, as in ``SUITS``); of several cards the highest one's."""
    return (bit.bit_length() - 1) // 13


def pack_bits(players: int) -> int:
    """The stripped pack: eight cards for each of 3 to 6 players, so 2n ranks with ``15 - 2n`` the lowest (RST-2).

    >>> [str(cards_of(pack_bits(players))[0]) for players in (3, 4, 5, 6)]
    ['9S', '7S', '5S', '3S']
    """
    return sum(RANK_BITS[rank] for rank in STRENGTH[-2 * players :])
