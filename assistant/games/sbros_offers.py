"""What the centre offers a hand of Sbros that is not wholly seen: by rank where suits don't matter, else by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.cards import UNKNOWN
from assistant.games.bag import Bag, rank_only
from assistant.games.sbros_covers import RANK_CARDS, by_suit, codes, could_be, covers_in, partners, rank_pairs
from assistant.games.sbros_places import Places

_ANY = UNKNOWN.code
Pair = tuple[int, int]
"""The codes (``Card.code``) of the card for the left centre card and of the one for the right."""


def offered(places: Places, hand: Bag, adjacent: bool) -> Iterator[Pair]:
    """Every way to cover that the hand may hold.

    Same ranks and pairs are offered by rank (``T? 3?``), M2 card by card; where a centre card is known by rank only, M2
    by rank as well, and where one is not known at all, any cards.
    """
    left, right = places.centre
    lefts, rights = could_be(left, places.free), could_be(right, places.free)
    found = partners(lefts, rights, adjacent)
    hidden = places.could_hold(hand) & ~hand.known
    if _ANY in (left.code, right.code):
        yield from _blindly(hand, hidden, found)
        return
    centre_known = left.code < 52 and right.code < 52
    unseen = _Unseen(places, hand)
    for mine, other in rank_pairs(lefts, rights, not centre_known, adjacent):
        for first in _of_rank(mine, hand.known, hidden):
            for second in _of_rank(other, hand.known, hidden):
                if first >= 52 and second >= 52 and not unseen.hold_both(mine, other):
                    continue
                if first == second < 52 or not (centre_known or _can_be(first, second, found, hand, hidden)):
                    continue
                yield first, second
    if centre_known:
        yield from _same_suits(hand.known, hidden, by_suit(lefts, rights, adjacent), unseen)


def _same_suits(known: int, hidden: int, found: Sequence[int], unseen: _Unseen) -> Iterator[Pair]:
    """The covers of M2; two cards of one rank are left to the pairs."""
    both = known | hidden
    for code in codes(both):
        fitting = found[code] & both
        if fitting and not unseen.any_two and hidden >> code & 1:
            fitting &= known | sum(1 << other for other in codes(fitting) if unseen.hold_both(code >> 2, other >> 2))
        for other in codes(fitting):
            yield code, other


def _blindly(hand: Bag, hidden: int, found: tuple[int, ...]) -> Iterator[Pair]:
    """The covers of a centre of which a card is wholly unknown."""
    yield from covers_in(hand.known, found)
    if not hidden:
        return
    for code in codes(hand.known):
        if found[code] & hidden:
            yield code, _ANY
        if any(found[other] >> code & 1 for other in codes(hidden)):
            yield _ANY, code
    if hand.size() - hand.known.bit_count() > 1:
        yield _ANY, _ANY


def _of_rank(rank: int, known: int, hidden: int) -> list[int]:
    """The cards of a rank that a hand may hold, by code: the known ones, and one of unknown suit."""
    cards = list(codes(known & RANK_CARDS[rank]))
    if hidden & RANK_CARDS[rank]:
        cards.append(rank_only(rank).code)
    return cards


def _can_be(first: int, second: int, found: Sequence[int], hand: Bag, hidden: int) -> bool:
    """Whether some cards that the two may be cover the centre."""
    held = hand.known | hidden
    firsts, seconds = (1 << code if code < 52 else held & RANK_CARDS[code - 52] for code in (first, second))
    return any(found[code] & seconds & ~(1 << code) for code in codes(firsts))


class _Unseen:
    """The cards of a hand that are known by rank only or not at all."""

    def __init__(self, places: Places, hand: Bag) -> None:
        self.partly, self.unknown = hand.partly, hand.unknown
        self.placed = places.placed.counts()
        self.any_two = self.unknown > 1 and not self.partly
        """They may be any two cards of different ranks that the hand may hold."""

    def hold_both(self, rank: int, other: int) -> bool:
        """Whether two of them may be one of each rank."""
        wanted = ((rank, 2),) if rank == other else ((rank, 1), (other, 1))
        from_unknown = 0
        for one, number in wanted:
            more = number - min(number, self.partly >> 4 * one & 15)
            if more > 4 - (self.placed >> 4 * one & 15):
                return False
            from_unknown += more
        return from_unknown <= self.unknown
