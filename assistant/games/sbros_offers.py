"""What the centre offers a hand of Sbros that is not wholly seen: by rank where suits don't matter, else by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from assistant.cards import CARDS, UNKNOWN
from assistant.games.bag import Bag, all_of_ranks
from assistant.games.game import Action
from assistant.games.sbros_covers import RANK_CARDS, beyond, codes, could_be, covers_in, partners, rank_pairs
from assistant.games.sbros_places import Places

COVERS: Final = {
    seat: tuple(tuple(Action(seat, "cover", (left, right)) for right in CARDS) for left in CARDS) for seat in (1, 2)
}
"""By seat, by the code of the card for the left centre card and of the one for the right: the play."""
RESETS: Final = {seat: tuple(Action(seat, "reset", (card,)) for card in CARDS) for seat in (1, 2)}
"""By seat and the code of the card put aside: the reset."""
_ANY: Final = UNKNOWN.code
_OF_RANK: Final = tuple(
    tuple(
        (*(4 * rank + suit for suit in range(4) if suits >> suit & 1), *((52 + rank,) if suits & 16 else ()))
        for suits in range(32)
    )
    for rank in range(13)
)
"""By rank, and by its known cards, one bit each, and a fifth bit if more may be there: the codes to name them by."""
_PAIRS: Final = tuple(
    tuple(tuple((one, other) for one in cards for other in cards if one != other or one >= 52) for cards in of_rank)
    for of_rank in _OF_RANK
)
"""As ``_OF_RANK``, for two cards of the rank."""

_KEYS: Final = tuple((code >> 2 if code < 52 else code - 52) << 11 | code for code in range(65))
"""By code: what sorts covers by the rank of their second card, then by the first (bits 7 to 10), then by the second."""

Covers = Sequence[Sequence[Action]]
"""One seat's ``COVERS``."""


def offered(places: Places, seat: int, adjacent: bool) -> list[Action]:
    """Every way to cover that the seat's hand may hold, each once.

    Same ranks and pairs are offered by rank (``T? 3?``), M2 card by card; where a centre card is known by rank only, M2
    by rank as well, and where one is not known at all, any cards.
    """
    hand, covers = places.hands[seat - 1], COVERS[seat]
    unseen = _Unseen.of(places, hand)
    left, right = places.centre
    if left.code < 52 and right.code < 52:
        actions = _same_ranks_and_pairs(left.code >> 2, right.code >> 2, hand.known, unseen, covers)
        actions += _same_suits(1 << left.code, 1 << right.code, adjacent, hand.known, unseen, covers)
        return actions
    if not hand.known and _ANY in (left.code, right.code):
        return [covers[_ANY][_ANY]] if hand.size() > 1 and unseen.cards else []
    found = partners(could_be(left, places.free), could_be(right, places.free), adjacent)
    if _ANY in (left.code, right.code):
        return [covers[one][other] for one, other in _blindly(hand, unseen.cards, found)]
    return _by_what_they_may_be(found, hand.known, unseen, covers)


class _Unseen(NamedTuple):
    """The cards of a hand that are known by rank only or not at all.

    ``cards`` is what they may be, one bit a card, ``by_rank`` those of these of which the rank is known; ``partly`` and
    ``unknown`` are the hand's, ``placed`` counts the cards that lie anywhere, four bits a rank.
    """

    cards: int
    by_rank: int
    partly: int
    unknown: int
    placed: int

    @classmethod
    def of(cls, places: Places, hand: Bag) -> _Unseen:
        cards = places.could_hold(hand) & ~hand.known
        return cls(cards, cards & all_of_ranks(hand.partly), hand.partly, hand.unknown, places.placed.counts())

    def beside(self, rank: int) -> int:
        """What one of them may be while another one is of the rank, itself being of any other rank."""
        return self.by_rank if self.unknown == 1 and not self.partly >> 4 * rank & 15 else self.cards

    def twice(self, rank: int) -> bool:
        """Whether two of them may be of the rank."""
        more = 2 - (self.partly >> 4 * rank & 15)
        return more <= 0 or (more <= self.unknown and more <= 4 - (self.placed >> 4 * rank & 15))


def _same_ranks_and_pairs(left: int, right: int, known: int, unseen: _Unseen, covers: Covers) -> list[Action]:
    """The covers of M1, M3 and M4 of a centre of two ranks."""
    actions = []
    for mine, other in rank_pairs(RANK_CARDS[left], RANK_CARDS[right]):
        hidden = unseen.cards & RANK_CARDS[mine]
        if mine == other:
            suits = known >> 4 * mine & 15
            pairs = _PAIRS[mine][suits | 16 if hidden else suits]
            if hidden and not unseen.twice(mine):
                pairs = pairs[:-1]  # the last are the two of unknown suit
            actions += [covers[one][two] for one, two in pairs]
        else:
            firsts, seconds = _of_rank(mine, known, unseen.cards), _of_rank(other, known, unseen.cards)
            both_unseen = unseen.beside(mine) & RANK_CARDS[other]
            actions += [covers[one][two] for one in firsts for two in seconds if one < 52 or two < 52 or both_unseen]
    return actions


def _same_suits(left: int, right: int, adjacent: bool, known: int, unseen: _Unseen, covers: Covers) -> Iterator[Action]:
    """The covers of M2; two cards of one rank are left to the pairs."""
    both = known | unseen.cards
    (over_left, under_left), (over_right, under_right) = beyond(left, adjacent), beyond(right, adjacent)
    for firsts, seconds in ((under_left & both, over_right & both), (over_left & both, under_right & both)):
        if not firsts or not seconds:
            continue
        every = list(codes(seconds))
        for code in codes(firsts):
            row, rank = covers[code], code >> 2
            others = every
            if unseen.unknown == 1 and unseen.cards >> code & 1:
                others = list(codes(seconds & (known | unseen.beside(rank))))
            yield from [row[other] for other in others if other >> 2 != rank]


def _by_what_they_may_be(found: Sequence[int], known: int, unseen: _Unseen, covers: Covers) -> list[Action]:
    """The covers of a centre of which both ranks are known but not both suits; by the ranks of the cards."""
    held = known | unseen.cards
    every = by_rank = _names(known, unseen.cards, held)
    if unseen.unknown == 1:
        by_rank = _names(known, unseen.by_rank, held)
    actions: list[Action] = []
    for rank, cards in enumerate(RANK_CARDS):
        mine = held & cards
        if not mine:
            continue
        firsts = _of_rank(rank, known, unseen.cards)
        keys: list[int] = []
        for number, first in enumerate(firsts):
            if first < 52:
                fits, seconds = found[first] & ~(1 << first), every
            else:
                fits, seconds = _fitting(mine, found, rank), every if unseen.partly & cards else by_rank
                if not unseen.twice(rank):
                    seconds = [name for name in seconds if name[0] != first]
            if len(firsts) == 1:
                row = covers[first]
                actions += [row[code] for code, meant in seconds if fits & meant]
            else:
                keys += [_KEYS[code] | number << 7 for code, meant in seconds if fits & meant]
        keys.sort()
        actions += [covers[firsts[key >> 7 & 15]][key & 127] for key in keys]
    return actions


def _fitting(cards: int, found: Sequence[int], rank: int) -> int:
    """The cards that go with one of the cards, all of the rank."""
    if cards == RANK_CARDS[rank]:
        one, two, three, four = found[4 * rank : 4 * rank + 4]
        return one | two | three | four
    fits = 0
    for code in codes(cards):
        fits |= found[code] & ~(1 << code)
    return fits


def _names(known: int, hidden: int, held: int) -> list[tuple[int, int]]:
    """What a hand's cards are named by, in order: the code, and the cards, one bit each, that may be meant."""
    names = []
    for rank, cards in enumerate(RANK_CARDS):
        if held & cards:
            names += [(code, 1 << code if code < 52 else held & cards) for code in _of_rank(rank, known, hidden)]
    return names


def _of_rank(rank: int, known: int, hidden: int) -> tuple[int, ...]:
    """The cards of a rank that a hand may hold, by code: the known ones, and one of unknown suit."""
    suits = known >> 4 * rank & 15
    return _OF_RANK[rank][suits | 16 if hidden & RANK_CARDS[rank] else suits]


def _blindly(hand: Bag, hidden: int, found: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The codes of the covers of a centre of which a card is wholly unknown."""
    yield from covers_in(hand.known, found)
    if not hidden:
        return
    with_hidden = 0
    for code in codes(hidden):
        with_hidden |= found[code]
    for code in codes(hand.known):
        if found[code] & hidden:
            yield code, _ANY
        if with_hidden >> code & 1:
            yield _ANY, code
    if hand.size() - hand.known.bit_count() > 1:
        yield _ANY, _ANY
