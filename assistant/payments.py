"""Who pays whom at the end of an evening, in the fewest payments that there can be.

Somebody owes what somebody else is to get. People whose balances sum to nought among themselves can settle it with one
payment fewer than they are; so the more such groups the fewer payments. With six players all groupings are looked at,
and the result is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, Generic, TypeVar

from assistant.games.game import InvalidInput

MOST: Final = 12
"""People for whom all groupings are looked at; there are two to the power of that many."""

Amount = TypeVar("Amount", int, Decimal, Fraction)


@dataclass(frozen=True, slots=True)
class Payment(Generic[Amount]):
    """``payer`` gives ``amount`` (above nought) to ``payee``; both are seats, counted from 1."""

    payer: int
    payee: int
    amount: Amount


def fewest_payments(balances: Sequence[Amount]) -> tuple[Payment[Amount], ...]:
    """The fewest payments after which everybody has what he won and has paid what he lost.

    ``balances``: by seat, what was won (above nought) or lost. All of one kind of number; their sum is nought, else
    InvalidInput is raised. For more than ``MOST`` who won or lost they may be more than the fewest.

    >>> [(one.payer, one.payee, one.amount) for one in fewest_payments([-1, 0, -4, 5])]
    [(3, 4, 4), (1, 4, 1)]
    >>> [(one.payer, one.payee, one.amount) for one in fewest_payments([3, -3, 2, -2])]
    [(2, 1, 3), (4, 3, 2)]
    """
    if sum(balances) != 0:
        raise InvalidInput("unbalanced", "what is won and what is lost must be the same together")
    open_ = [seat for seat, balance in enumerate(balances, 1) if balance]
    if not open_:
        return ()
    groups = _groups(open_, balances) if len(open_) <= MOST else [open_]
    return tuple(one for group in groups for one in _within(group, balances))


def _groups(seats: Sequence[int], balances: Sequence[Amount]) -> list[list[int]]:
    """The seats in as many groups as can be, each of which sums to nought.

    ``most[those]`` is how many such groups can be had one after the other while the seats of ``those`` (a bit each) are
    put down one by one: each time the sum of those put down is nought, a group is complete.
    """
    whole = (1 << len(seats)) - 1
    most, sums, last = [0] * (whole + 1), [balances[0] * 0] * (whole + 1), [0] * (whole + 1)
    for those in range(1, whole + 1):
        held = [place for place in range(len(seats)) if those >> place & 1]
        sums[those] = sums[those & (those - 1)] + balances[seats[held[0]] - 1]
        best = max(held, key=lambda place: most[those & ~(1 << place)])
        most[those], last[those] = most[those & ~(1 << best)] + (sums[those] == 0), best
    groups: list[list[int]] = []
    those = whole
    while those:
        if sums[those] == 0:
            groups.append([])
        groups[-1].append(seats[last[those]])
        those &= ~(1 << last[those])
    return sorted(sorted(group) for group in groups)


def _within(group: Sequence[int], balances: Sequence[Amount]) -> list[Payment[Amount]]:
    """Payments within a group: who owes most pays whom most is owed, and each payment settles one of the two."""
    owed = {seat: balances[seat - 1] for seat in group}
    paid: list[Payment[Amount]] = []
    while any(owed.values()):
        payer = min(owed, key=lambda seat: (owed[seat], seat))
        payee = max(owed, key=lambda seat: (owed[seat], -seat))
        amount = min(-owed[payer], owed[payee])
        paid.append(Payment(payer, payee, amount))
        owed[payer] += amount
        owed[payee] -= amount
    return paid
