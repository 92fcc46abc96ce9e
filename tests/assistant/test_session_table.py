"""What is set at the table outlives the deals; what a deal was settled under stays with it."""

from __future__ import annotations

import doctest
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from assistant import session, session_table
from assistant.games.game import Setup
from assistant.session import resume
from assistant.session_events import (
    DealReopened,
    TableSet,
    event_from_json,
    event_to_json,
    setup_to_json,
    without_table,
)
from tests.assistant.test_session import DEAL, LINES, Log

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
HALF = {"stake_value": "0.50", "currency": "EUR"}
TWO = {"stake_value": "2.00", "currency": "USD"}


def test_the_example_holds() -> None:
    assert doctest.testmod(session_table).failed == 0


def table(log: Log) -> Setup:
    assert log.state.setup is not None
    return log.state.setup


def put(log: Log, *, options: Mapping[str, str] | None = None, renamed: Iterable[int] = (), **changed: object) -> None:
    wanted = table(log) if options is None else replace(table(log), options=dict(options))
    log.write(session.set_table(log.state, replace(wanted, **changed), renamed))  # type: ignore[arg-type]


def begin(log: Log) -> None:
    """Deal as the table is set up."""
    log.write(session.begin_deal(log.state, replace(table(log), table=DEAL.setup.table, hands=DEAL.setup.hands)))


def settle(log: Log, lines: int = 0) -> None:
    log.play(*LINES[lines:])


def close(log: Log) -> None:
    log.write(session.next_deal(log.state))


def played(log: Log, number: int) -> Setup:
    return next(deal.played.position.setup for deal in log.state.closed if deal.number == number)


def evening(options: Mapping[str, str], lines: int = 0) -> Log:
    """A deal in the account and so many actions of the next; seat 1 deals both, so that the cards fit."""
    log = Log()
    put(log, options=options, names=NAMES)
    begin(log)
    settle(log)
    close(log)
    put(log, dealer=1)
    if lines:
        begin(log)
        log.play(*LINES[:lines])
    return log


def test_another_worth_while_a_settled_deal_is_open_is_the_next_deal_s() -> None:
    log = Log()
    put(log, options=HALF)
    begin(log)
    settle(log)
    put(log, options=TWO)
    assert log.position.setup.options == HALF
    log.write(session.undo(log.state))
    log.write(session.redo(log.state))
    assert log.position.setup.options == HALF
    close(log)
    assert played(log, 1).options == HALF
    assert table(log).options == TWO


def test_a_worth_that_is_told_while_a_deal_is_played_is_that_deal_s() -> None:
    log = evening({}, lines=3)
    put(log, options=HALF)
    settle(log, 3)
    close(log)
    assert [played(log, number).options for number in (1, 2)] == [{}, HALF]


@pytest.mark.parametrize("lines", [0, 3])
def test_what_is_set_while_an_earlier_deal_is_open_holds_afterwards(lines: int) -> None:
    log = evening({**HALF, "help": "coach"}, lines)
    renamed = (*NAMES[:2], "Cleopatra", *NAMES[3:])
    log.write(session.reopen(log.state, 1))
    put(log, options={**TWO, "help": "referee"}, names=renamed, renamed=[3])
    assert log.position.setup.options == {**HALF, "help": "referee"}
    assert log.position.setup.names == renamed
    close(log)
    assert (table(log).options, table(log).names, table(log).dealer) == ({**TWO, "help": "referee"}, renamed, 1)
    if lines:
        assert log.running.number == 2
        assert without_table(log.position.setup) == table(log)
        settle(log, lines)
        close(log)
        assert played(log, 2).options == {**TWO, "help": "referee"}
    assert played(log, 1).options["stake_value"] == "0.50"
    assert resume(log.entries) == log.state


def test_a_settled_deal_that_waits_keeps_its_money() -> None:
    log = evening(HALF, len(LINES))
    log.write(session.reopen(log.state, 1))
    put(log, options=TWO)
    close(log)
    assert log.position.setup.options == HALF
    assert table(log).options == TWO


def test_the_help_level_is_the_table_s_whichever_deal_is_open() -> None:
    log = evening({"help": "coach"})
    put(log, options={"help": "silent"})
    begin(log)
    log.play(*LINES[:3])
    log.write(session.reopen(log.state, 1))
    assert table(log).options == log.position.setup.options == {"help": "silent"}
    close(log)
    assert table(log).options == log.position.setup.options == {"help": "silent"}


def test_what_a_settled_deal_was_played_for_stays_through_undo_and_redo() -> None:
    log = Log()
    put(log, options=HALF, names=NAMES)
    begin(log)
    settle(log)
    seated = ("Ben", "Ann", *NAMES[2:])
    put(log, options=TWO, names=seated)
    log.write(session.undo(log.state))
    put(log, options={**TWO, "help": "silent"})
    log.write(session.redo(log.state))
    assert log.position.setup.options == {**HALF, "help": "silent"}
    assert log.position.setup.names == NAMES
    close(log)
    assert table(log).options == {**TWO, "help": "silent"}
    assert table(log).names == seated
    assert resume(log.entries) == log.state


@pytest.mark.parametrize("lines", [1, len(LINES)])
def test_what_changes_the_reckoning_holds_from_the_next_deal(lines: int) -> None:
    log = evening({}, lines)
    before = log.position.settlement()
    changed = {"deal_table": "8/4", "missed_mate": "noticer_takes_pair", "help": "silent"}
    put(log, options=changed)
    assert log.position.setup.options == {"help": "silent"}
    assert log.position.settlement() == before
    for _ in range(lines):
        log.write(session.undo(log.state))
    put(log, options={**changed, "help": "coach"})
    assert log.position.setup.options == {"help": "coach"}
    log.write(session.reopen(log.state, 1))
    put(log, options={**changed, "claimants": "in_only"})
    assert log.position.setup.options == {"help": "silent"}
    close(log)
    assert [played(log, 1).options, log.position.setup.options] == [{"help": "silent"}] * 2


def test_before_its_first_action_a_deal_takes_what_is_set() -> None:
    log = evening({})
    begin(log)
    put(log, options={"claimants": "in_only", **HALF})
    assert log.position.setup.options == {"claimants": "in_only", **HALF}


def test_a_settled_deal_keeps_its_dealer_where_people_change_seats() -> None:
    log = evening({}, len(LINES))
    put(log, names=(NAMES[-1], *NAMES[:-1]), dealer=2)
    assert (log.position.setup.dealer, log.position.setup.names) == (1, NAMES)


def test_what_an_older_program_set_holds_for_the_deal_as_it_did_then() -> None:
    log = evening({}, 3)
    wanted = replace(table(log), options={"claimants": "in_only"}, names=("Fay", *NAMES[1:]))
    older = event_from_json("table-set", setup_to_json(wanted))
    assert older == TableSet(wanted)
    log.write((older,))
    assert (log.position.setup.options, log.position.setup.names) == (wanted.options, wanted.names)
    said = TableSet(wanted, (1,))
    assert event_from_json("table-set", event_to_json(said)) == said


def test_a_deal_keeps_its_names_unless_they_are_changed_while_it_is_open() -> None:
    log = evening({})
    others = ("Fay", *NAMES[1:])
    put(log, names=others)
    log.write(session.reopen(log.state, 1))
    put(log, options={"help": "silent"})
    assert log.position.setup.names == NAMES
    close(log)
    assert played(log, 1).names == NAMES
    assert table(log).names == others


def test_names_that_are_changed_after_a_deal_was_begun_over_hold_when_it_comes_back() -> None:
    log = evening({}, lines=3)
    log.write(session.abandon_deal(log.state))
    others = ("Fay", *NAMES[1:])
    put(log, names=others, options=HALF)
    log.write(session.undo(log.state))
    assert (log.position.setup.names, log.position.setup.options) == (others, HALF)
    assert without_table(log.position.setup) == table(log)


@pytest.mark.parametrize("back", [1, 4])
def test_a_dealer_who_was_chosen_deals_although_the_deal_before_was_open_again(back: int) -> None:
    log = evening({})
    put(log, dealer=4)
    for _ in range(back):
        log.write(session.undo(log.state))
    assert table(log).dealer == 1
    for _ in range(back):
        log.write(session.redo(log.state))
    assert log.state.deal is None
    assert table(log).dealer == 4


def test_a_dealer_who_was_chosen_is_kept_over_two_deals_that_are_open() -> None:
    log = evening({}, len(LINES))
    close(log)
    put(log, dealer=5)
    for number in (2, 1):
        log.write(session.reopen(log.state, number))
    for _ in range(2):
        close(log)
    assert table(log).dealer == 5


def test_a_log_that_an_older_program_wrote_gives_what_it_gave() -> None:
    log = evening({"help": "coach"})
    put(log, dealer=4, options={"help": "silent"}, names=("Fay", *NAMES[1:]))
    older = event_from_json("deal-reopened", {"number": 1})
    assert older == DealReopened(1)
    log.write((older,))
    assert (table(log).options, table(log).names) == ({"help": "coach"}, NAMES)
    put(log, options={"help": "referee"})
    close(log)
    assert (table(log).options, table(log).names, table(log).dealer) == ({"help": "silent"}, ("Fay", *NAMES[1:]), 2)


def test_what_a_deal_is_reopened_with_is_read_back() -> None:
    log = evening({})
    (event,) = session.reopen(log.state, 1)
    assert event_from_json("deal-reopened", event_to_json(event)) == event == DealReopened(1, table=True)
