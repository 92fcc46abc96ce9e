from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.games.game import InvalidInput
from assistant.payments import MOST, Payment, fewest_payments


@st.composite
def balances(draw: st.DrawFn) -> list[int]:
    """What three to six people won or lost; small numbers, so that groups among them often sum to nought."""
    some = draw(st.lists(st.integers(-6, 6), min_size=2, max_size=5))
    return draw(st.permutations([*some, -sum(some)]))


def groups_at_most(open_: list[int]) -> int:
    """Into how many groups of sum nought the balances can be split, by trying all ways."""
    if not open_:
        return 0
    first, rest = open_[0], open_[1:]
    best = 0
    for size in range(len(rest) + 1):
        for others in combinations(range(len(rest)), size):
            if first + sum(rest[place] for place in others) == 0:
                left = [rest[place] for place in range(len(rest)) if place not in others]
                best = max(best, 1 + groups_at_most(left))
    return best


@given(balances())
def test_everybody_ends_up_with_what_he_won(won: list[int]) -> None:
    paid = fewest_payments(won)
    left = list(won)
    for one in paid:
        assert one.amount > 0
        left[one.payer - 1] += one.amount
        left[one.payee - 1] -= one.amount
    assert left == [0] * len(won)
    assert {one.payer for one in paid}.isdisjoint(one.payee for one in paid)


@given(balances())
def test_there_is_no_way_with_fewer_payments(won: list[int]) -> None:
    open_ = [balance for balance in won if balance]
    assert len(fewest_payments(won)) == len(open_) - groups_at_most(open_)


@given(balances(), st.sampled_from((Decimal("0.05"), Fraction(1, 3))))
def test_money_and_shares_are_paid_to_the_last_part(won: list[int], worth: Decimal | Fraction) -> None:
    if isinstance(worth, Decimal):
        amounts: list[Decimal | Fraction] = [one.amount for one in fewest_payments([worth * one for one in won])]
    else:
        amounts = [one.amount for one in fewest_payments([worth * one for one in won])]
    assert amounts == [one.amount * worth for one in fewest_payments(won)]


def test_where_greed_takes_three_payments_two_pairs_take_two() -> None:
    """The one who lost most pays the one who won most only where that saves nothing."""
    assert fewest_payments([5, -3, 3, -5, 4, -4]) == (Payment(4, 1, 5), Payment(2, 3, 3), Payment(6, 5, 4))
    assert len(fewest_payments([6, -4, -2, 4, -3, -1])) == 4


def test_nothing_is_paid_where_nothing_was_won() -> None:
    assert fewest_payments([0, 0, 0]) == ()
    assert fewest_payments([]) == ()


def test_what_does_not_balance_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must be the same together"):
        fewest_payments([1, 0, -2])


def test_more_people_than_all_groupings_are_looked_at_for_are_paid_all_the_same() -> None:
    won = [*range(1, MOST + 2), -sum(range(1, MOST + 2)), 0]
    left = list(won)
    for one in fewest_payments(won):
        left[one.payer - 1] += one.amount
        left[one.payee - 1] -= one.amount
    assert left == [0] * len(won)
    assert fewest_payments([0] * (MOST + 1)) == ()
