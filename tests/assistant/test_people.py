"""Money belongs to people, wherever they sit."""

from __future__ import annotations

import doctest

import pytest

from assistant import people
from assistant.accounts import accounts_of
from assistant.people import Person
from assistant.session import resume
from assistant.session_events import event_from_json, event_to_json
from tests.assistant.test_session import Log
from tests.assistant.test_session_table import NAMES, begin, close, played, put, settle

NETS = (1, 0, 6, -4, -3)


def test_the_examples_hold() -> None:
    assert doctest.testmod(people).failed == 0


def sums(log: Log) -> dict[str, float]:
    """What each has by name, which is empty for who has none."""
    (account,) = accounts_of(log.state.in_account)
    assert sum(account.totals) == 0
    return {
        person.name or f"seat {person.seat}": total
        for person, total in zip(account.people, account.totals, strict=True)
    }


def one_deal(names: tuple[str, ...] = NAMES) -> Log:
    log = Log()
    put(log, names=names)
    begin(log)
    settle(log)
    return log


@pytest.mark.parametrize("closed", [True, False])
def test_who_changes_seats_takes_along_what_was_won(closed: bool) -> None:
    log = one_deal()
    if closed:
        close(log)
    put(log, names=(NAMES[-1], *NAMES[:-1]))
    if not closed:
        close(log)
    assert sums(log) == dict(zip(NAMES, NETS, strict=True))
    assert log.state.account == (NETS[-1], *NETS[:-1])
    assert played(log, 1).names == NAMES
    put(log, dealer=1)
    begin(log)
    settle(log)
    close(log)
    assert sums(log) == {"Ann": 1 + 0, "Ben": 0 + 6, "Cleo": 6 - 4, "Dan": -4 - 3, "Eve": -3 + 1}
    assert resume(log.entries) == log.state


def test_while_a_settled_deal_is_shown_the_account_is_that_of_who_sat_there() -> None:
    log = one_deal()
    close(log)
    put(log, dealer=1)
    begin(log)
    settle(log)
    put(log, names=(NAMES[-1], *NAMES[:-1]))
    assert log.position.setup.names == NAMES
    assert log.state.account == NETS
    close(log)
    assert log.state.account == tuple(2 * net for net in (NETS[-1], *NETS[:-1]))


@pytest.mark.parametrize("closed", [True, False])
def test_another_person_in_a_seat_begins_at_nought_and_who_left_keeps_what_is_owed(closed: bool) -> None:
    log = one_deal()
    if closed:
        close(log)
    put(log, names=("Fay", *NAMES[1:]))
    if not closed:
        close(log)
    assert log.state.account == (0, *NETS[1:])
    assert sums(log) == dict(zip(NAMES, NETS, strict=True))


@pytest.mark.parametrize("closed", [True, False])
def test_who_is_only_called_otherwise_goes_on_with_the_account(closed: bool) -> None:
    log = one_deal(("Anm", *NAMES[1:]))
    if closed:
        close(log)
    put(log, names=NAMES, renamed=[1])
    if not closed:
        assert log.position.setup.names == NAMES
        close(log)
    assert log.state.account == NETS
    assert sums(log) == dict(zip(NAMES, NETS, strict=True))
    read = [event_from_json(entry.kind, event_to_json(entry.event)) for entry in log.entries]
    assert read == [entry.event for entry in log.entries]


def test_a_name_that_was_corrected_twice_is_the_same_person() -> None:
    log = one_deal()
    close(log)
    for name in ("Anm", "Ann", "Anna"):
        put(log, names=(name, *NAMES[1:]), renamed=[1])
    assert log.state.account == NETS
    assert set(sums(log)) == {"Anna", *NAMES[1:]}


def test_nobody_becomes_somebody_who_played_already() -> None:
    log = one_deal()
    close(log)
    put(log, names=("Fay", *NAMES[1:]))
    put(log, names=("Fay", "Ann", *NAMES[2:]), renamed=[2])
    assert sums(log) == dict(zip(NAMES, NETS, strict=True))
    assert log.state.account == (0, 1, *NETS[2:])


def test_a_seat_without_a_name_that_gets_one_is_the_same_person() -> None:
    log = one_deal(())
    close(log)
    assert log.state.account == NETS
    put(log, names=("", "Ben", "", "", ""))
    put(log, names=NAMES)
    assert log.state.account == NETS
    assert sums(log) == dict(zip(NAMES, NETS, strict=True))


def test_two_of_the_same_name_are_two() -> None:
    log = one_deal(("Ann", "Ann", *NAMES[2:]))
    close(log)
    assert log.state.account == NETS
    assert log.state.people[:2] == (Person("Ann", 1), Person("Ann", 2))


def test_a_name_that_was_corrected_leaves_later_deals_of_another_of_that_name_alone() -> None:
    log = one_deal(("Anm", *NAMES[1:]))
    close(log)
    put(log, names=NAMES, renamed=[1], dealer=1)
    put(log, names=(*NAMES[:4], "Anm"), dealer=1)
    begin(log)
    settle(log)
    close(log)
    assert sums(log) == {"Ann": 2, "Ben": 0, "Cleo": 12, "Dan": -8, "Eve": -3, "Anm": -3}
