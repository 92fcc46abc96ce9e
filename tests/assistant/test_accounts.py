from __future__ import annotations

from decimal import Decimal

from assistant.accounts import Account, Counted, Kind, accounts_of, kind_of, money_of
from assistant.games.game import Setup

LAUGH = "laugh-and-lie-down"


def laugh(number: int, *nets: float, worth: str = "", currency: str = "") -> Counted:
    said = {"stake_value": worth, "currency": currency}
    return Counted(number, Setup(LAUGH, 3, 1, options={name: value for name, value in said.items() if value}), nets)


def stone(number: int, *nets: float, score: str = "points") -> Counted:
    return Counted(number, Setup("rolling-stone", 3, 1, options={"score": score}), nets)


def only(*deals: Counted) -> Account:
    (account,) = accounts_of(deals)
    return account


def test_deals_that_count_differently_are_kept_apart() -> None:
    deals = [laugh(1, 1, 0, -1), stone(2, 1, 0, 0), stone(3, 0, 7, 3, score="cards_left"), laugh(4, 2, -3, 1)]
    accounts = accounts_of(deals)
    assert [one.kind for one in accounts] == [
        Kind(LAUGH, "stakes", None),
        Kind("rolling-stone", "points", "points"),
        Kind("rolling-stone", "points", "cards_left"),
    ]
    assert [[deal.number for deal in one.deals] for one in accounts] == [[1, 4], [2], [3]]
    assert [one.totals for one in accounts] == [(3, -3, 0), (1, 0, 0), (0, 7, 3)]
    assert accounts[0].running == ((1, 0, -1), (3, -3, 0))


def test_the_way_of_scoring_that_nobody_named_is_the_usual_one() -> None:
    assert kind_of(Setup("rolling-stone", 3, 1)) == kind_of(Setup("rolling-stone", 3, 1, options={"score": "points"}))
    assert kind_of(Setup("sbros", 2, 1)) == Kind("sbros", "points", None)


def test_shared_points_add_up_exactly() -> None:
    assert only(*(stone(number, 1 / 3, 1 / 3, 1 / 3) for number in (1, 2, 3))).totals == (1, 1, 1)


def numbers(account: Account) -> list[tuple[str | None, list[int]]]:
    return [(part.currency, [deal.number for deal in part.deals]) for part in account.parts]


def test_money_is_what_each_deal_was_played_for() -> None:
    (part,) = only(laugh(1, 2, -2, 0, worth="0.50"), laugh(2, -1, 1, 0, worth="2")).parts
    assert part.money == (Decimal("-1.00"), Decimal("1.00"), Decimal("0.00"))
    assert not part.one_worth


def test_a_worth_that_is_said_later_is_not_that_of_what_was_played_before() -> None:
    account = only(laugh(1, 2, -2, 0), laugh(2, 1, 0, -1, worth="0.10"), laugh(3, 0, 3, -3))
    assert numbers(account) == [(None, [1, 3]), ("", [2])]
    alone, paid = account.parts
    assert (alone.stakes, alone.money, alone.one_worth) == ((2, 1, -3), None, True)
    assert paid.money == (Decimal("0.10"), Decimal("0.00"), Decimal("-0.10"))
    assert account.totals == (3, 1, -4)


def test_each_currency_is_paid_apart_also_one_that_nobody_named() -> None:
    account = only(
        laugh(1, 2, -2, 0, worth="1", currency="EUR"),
        laugh(2, -2, 2, 0, worth="1", currency="USD"),
        laugh(3, 1, 0, -1, worth="1"),
        laugh(4, 0, 2, -2, worth="1.00", currency="EUR"),
    )
    assert numbers(account) == [("EUR", [1, 4]), ("USD", [2]), ("", [3])]
    assert account.parts[0].money == (Decimal(2), Decimal(0), Decimal(-2))
    assert account.parts[0].one_worth


def test_without_a_worth_there_is_no_money_and_points_are_never_any() -> None:
    assert money_of(laugh(1, 2, -2, 0)) is None
    assert numbers(only(laugh(1, 2, -2, 0))) == [(None, [1])]
    assert money_of(stone(1, 1, 0, 0)) is None
    assert only(stone(1, 1, 0, 0)).parts == ()
