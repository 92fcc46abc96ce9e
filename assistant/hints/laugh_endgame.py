"""Laugh and Lie Down with two players left, worked out to the end.

Each then knows the other's hand by rank, for what he sees nowhere else is there: nothing is hidden, and the best play
can be searched. The rules are the default ones: one mate a turn, and an empty hand goes out at its next turn. As soon
as one of the two lies down the deal is over (LLD-21), so only ranks that lie on the table matter.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, Literal

Kind = tuple[int, int, int]
"""Of one rank: the cards in the hand in turn, in the other hand, on the table."""
Dealer = Literal["in turn", "other", "out"]
"""Who deals: the one in turn, the other, or one that is out."""
_RANKS: Final = range(0, 52, 4)


def stakes_to_come(hand: int, other: int, table: int, bonus: int, dealer: Dealer) -> tuple[int, int]:
    """The stakes that the one in turn and the other will still win, each playing as well as he can for himself.

    ``hand`` (of the one in turn), ``other`` and ``table`` count cards by rank, four bits a rank, as ``Bag.counts``;
    all other cards are won. Two cards are a stake, ``bonus`` goes to the last in, and what is left to ``dealer``.
    Where a choice makes no difference to whoever makes it, the one that is worst for the other is expected.
    Sets are laid as soon as they may be (LLD-9).

    >>> stakes_to_come(0x1, 0x10, 0x11, bonus=5, dealer="out")  # a mate each, then the first is out
    (1, 6)
    """
    kinds = []
    loose = laid = other_laid = 0
    for shift in _RANKS:
        kind, own, his = _laid((hand >> shift & 15, other >> shift & 15, table >> shift & 15))
        laid, other_laid = laid + own, other_laid + his
        if _matters(kind):
            kinds.append(kind)
        else:
            loose += sum(kind)
    to_come, other_to_come = _best_play(tuple(sorted(kinds)), loose, bonus, dealer)
    return laid + to_come, other_laid + other_to_come


def _matters(kind: Kind) -> bool:
    return kind[2] > 0 and kind[0] + kind[1] > 0


def _laid(kind: Kind) -> tuple[Kind, int, int]:
    """The rank after both have laid what they may, and the stakes that each has got for it."""
    held, other, table = kind
    own = held // 2 if held >= 3 else 0
    his = other // 2 if other >= 3 else 0
    held, other = held - 2 * own, other - 2 * his
    dead = held + other + table == 2
    if dead and held == 2:
        return (0, other, table), own + 1, his
    if dead and other == 2:
        return (held, 0, table), own, his + 1
    return (held, other, table), own, his


@cache
def _after_mate(kind: Kind) -> tuple[Kind, int, int]:
    """The rank after the one in turn has mated it, as the other, now in turn, sees it; his stakes, the other's."""
    held, other, table = kind
    taken = 3 if table == 3 else 1
    (held, other, table), own, his = _laid((held - 1, other, table - taken))
    return (other, held, table), (taken + 1) // 2 + own, his


@lru_cache(maxsize=1 << 16)
def _best_play(kinds: tuple[Kind, ...], loose: int, bonus: int, dealer: Dealer) -> tuple[int, int]:
    """``stakes_to_come`` by the ranks that matter, in order, and the number of all other cards that are not won."""
    choices = {kind for kind in kinds if kind[0]}
    if not choices:
        swept = (loose + sum(map(sum, kinds))) // 2
        return swept * (dealer == "in turn"), bonus + swept * (dealer == "other")
    swapped: Dealer = "other" if dealer == "in turn" else "in turn" if dealer == "other" else "out"
    outcomes = []
    for kind in choices:
        rest = list(kinds)
        rest.remove(kind)
        after, own, his = _after_mate(kind)
        seen = [(other, held, table) for held, other, table in rest]
        if _matters(after):
            seen.append(after)
        left = loose + (0 if _matters(after) else sum(after))
        theirs, mine = _best_play(tuple(sorted(seen)), left, bonus, swapped)
        outcomes.append((own + mine, his + theirs))
    return max(outcomes, key=lambda outcome: (outcome[0], -outcome[1]))
