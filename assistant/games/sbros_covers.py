"""The four ways of covering the two centre cards of Sbros (SBR-5), worked out for all cards at once.

A set of cards is a whole number with one bit a card (bit ``Card.code``, that is ``4 * rank + suit``), the ace lowest.
A centre card that is not wholly known is the set of the cards that it could be; what is then said to cover it covers
at least one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from assistant.cards import CARDS, Card
from assistant.games.bag import ALL_CARDS, rank_of

RANK_CARDS: Final = tuple(15 << 4 * rank for rank in range(13))
"""By rank, its four cards."""
_SUIT: Final = int("1" * 13, 16)
_SUITS: Final = tuple(_SUIT << suit for suit in range(4))
_ABOVE: Final = tuple(_SUIT << (code & 3) & -1 << code + 1 & ALL_CARDS for code in range(52))
_BELOW: Final = tuple(_SUIT << (code & 3) & (1 << code) - 1 for code in range(52))


def codes(cards: int) -> Iterator[int]:
    """The codes of a set's cards, lowest first.

    >>> list(codes(0b100101))
    [0, 2, 5]
    """
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def named(cards: int) -> tuple[Card, ...]:
    """A set's cards, lowest first."""
    return tuple([CARDS[code] for code in codes(cards)])


def could_be(card: Card, among: int) -> int:
    """The cards of a set that a card, known or not, could be; a known card is itself whether it is among them or not.

    >>> from assistant.games.bag import ALL_CARDS
    >>> named(could_be(CARDS[52], ALL_CARDS))
    (Card('AS'), Card('AH'), Card('AD'), Card('AC'))
    """
    if card.known:
        return 1 << card.code
    rank = rank_of(card)
    return among if rank is None else among & RANK_CARDS[rank]


def beyond(cards: int, adjacent: bool) -> tuple[int, int]:
    """The cards over some card of the set in its suit, and those under some of them; if adjacent the next ones only."""
    if adjacent:
        return cards << 4 & ALL_CARDS, cards >> 4
    over = under = 0
    for suit in _SUITS:
        mine = cards & suit
        if mine:
            over |= _ABOVE[(mine & -mine).bit_length() - 1]
            under |= _BELOW[mine.bit_length() - 1]
    return over, under


def pair_ranks(left: int, right: int) -> int:
    """The ranks, one bit each, of which a pair may cover the centre: those strictly between (M3), all on a pair (M4).

    >>> ten, three = 1 << 36, 1 << 9
    >>> [rank for rank in range(13) if pair_ranks(ten, three) >> rank & 1]
    [3, 4, 5, 6, 7, 8]
    """
    if not left or not right:
        return 0
    lowest_left, highest_left = ((left & -left).bit_length() - 1) >> 2, (left.bit_length() - 1) >> 2
    lowest_right, highest_right = ((right & -right).bit_length() - 1) >> 2, (right.bit_length() - 1) >> 2
    ranks = 0
    for low, high in ((lowest_left, highest_right), (lowest_right, highest_left)):
        if high - low > 1:
            ranks |= (1 << high) - (2 << low)
    for rank in range(max(lowest_left, lowest_right), min(highest_left, highest_right) + 1):
        mine, yours = left & RANK_CARDS[rank], right & RANK_CARDS[rank]
        if mine and yours and (mine | yours).bit_count() > 1:
            return (1 << 13) - 1
    return ranks


@lru_cache(maxsize=4096)
def partners(left: int, right: int, adjacent: bool) -> tuple[int, ...]:
    """For each of the 52 cards put on the left centre card, the cards that may go on the right one with it.

    ``left`` and ``right`` are the cards that the centre cards could be, ``adjacent`` is ``m2_step=adjacent``. A card
    is never its own partner, which the caller sees to: a pair needs two cards.

    >>> ten_of_spades, three_of_hearts = 1 << 36, 1 << 9
    >>> found = partners(ten_of_spades, three_of_hearts, False)
    >>> named(found[Card.parse("JS").code])  # M2: over the ten, so under the three
    (Card('AH'), Card('2H'))
    """
    ranks = pair_ranks(left, right)
    same_right, found = 0, []
    for cards in RANK_CARDS:
        if right & cards:
            same_right |= cards
    for rank, cards in enumerate(RANK_CARDS):
        pairs = cards if ranks >> rank & 1 else 0
        found += [pairs | same_right if left & cards else pairs] * 4
    (over_left, under_left), (over_right, under_right) = beyond(left, adjacent), beyond(right, adjacent)
    for over, under in ((over_left, under_right), (under_left, over_right)):
        if under:
            for code in codes(over):
                found[code] |= under
    return tuple(found)


@lru_cache(maxsize=2048)
def rank_pairs(left: int, right: int, suits_too: bool = False, adjacent: bool = False) -> tuple[tuple[int, int], ...]:
    """The pairs of ranks (left, right) that cover whatever their suits, by M1, M3 and M4, each once.

    ``suits_too`` adds those that cover if the suits are right (M2).
    """
    pairs = {(a >> 2, b >> 2) for a in codes(left) for b in codes(right)}
    ranks = pair_ranks(left, right)
    pairs |= {(rank, rank) for rank in range(13) if ranks >> rank & 1}
    if suits_too:
        found = partners(left, right, adjacent)
        pairs |= {(code >> 2, other >> 2) for code in range(52) for other in codes(found[code] & ~(1 << code))}
    return tuple(sorted(pairs))


def covers_in(hand: int, found: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Every way to cover with two cards of a hand: their codes, left then right; ``found`` is from ``partners``."""
    for code in codes(hand):
        for other in codes(found[code] & hand & ~(1 << code)):
            yield code, other


def first_cover(hand: int, found: tuple[int, ...]) -> tuple[int, int] | None:
    """One way to cover with two cards of a hand, None where there is none."""
    left = hand
    while left:
        lowest = left & -left
        code = lowest.bit_length() - 1
        fitting = found[code] & hand & ~lowest
        if fitting:
            return code, (fitting & -fitting).bit_length() - 1
        left ^= lowest
    return None
