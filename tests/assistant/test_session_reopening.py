"""An earlier deal is taken up again, put right, and everything is worked out anew."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import session
from assistant.games.game import Action, GameError, IllegalAction, StaleInput
from assistant.session import resume
from assistant.session_events import DealClosed, DealReopened, Entry
from tests.assistant.test_session import DEAL, LINES, Log

NETS = (1, 0, 6, -4, -3)


def evening(deals: int, *, running: int = 0) -> Log:
    """Deals that are in the account, and so many actions of the next one."""
    log = Log()
    for _ in range(deals):
        log.deal()
        log.play(*LINES)
        log.write(session.next_deal(log.state))
    if running:
        log.deal()
        log.play(*LINES[:running])
    return log


def undo(log: Log) -> None:
    log.write(session.undo(log.state))


def redo(log: Log) -> None:
    log.write(session.redo(log.state))


def test_the_closing_of_a_deal_is_undone_and_done_again() -> None:
    log = evening(1)
    before = log.state
    assert session.undoes(log.state) == 1
    undo(log)
    assert log.running.number == 1
    assert log.running.reopened
    assert log.position.over
    assert log.state.account == (0,) * 5
    redo(log)
    assert replace(log.state, seq=0) == replace(before, seq=0, closed=log.state.closed)
    assert log.state.account == NETS


def test_undo_goes_back_to_the_start_of_the_evening_and_redo_to_its_end() -> None:
    log = evening(2, running=3)
    position, account = log.position, log.state.account
    steps = 0
    while session.undoes(log.state) is not None:
        undo(log)
        steps += 1
    assert steps == 3 + 1 + len(LINES) + 1 + len(LINES)
    assert log.running.number == 1
    assert log.position.actions == ()
    assert log.state.account == (0,) * 5
    with pytest.raises(IllegalAction, match="could be undone"):
        undo(log)
    for _ in range(steps):
        redo(log)
    assert (log.position, log.state.account, log.running.number) == (position, account, 3)
    assert not log.state.aside
    with pytest.raises(IllegalAction, match="could be done again"):
        redo(log)


def test_what_is_put_right_in_an_earlier_deal_counts_in_the_account() -> None:
    log = evening(1, running=2)
    position = log.position
    for _ in range(3):
        undo(log)
    assert log.running.number == 1
    assert [deal.number for deal in log.state.aside] == [2]
    assert log.state.mending
    laid = next(one for one in log.running.done if str(one.action) == "4 lay 3D 3C")
    log.write(session.undo(log.state, laid.seq))  # it was not laid: the two cards go to the dealer
    log.write(session.next_deal(log.state))
    assert [(entry.kind, entry.deal) for entry in log.entries[-2:]] == [("re-explained", 1), ("deal-closed", 1)]
    assert log.state.account == (2, 0, 6, -5, -3)
    assert log.running.number == 2
    assert not log.state.mending
    for _ in range(2):
        redo(log)
    assert log.position == position


def test_any_deal_of_the_account_is_taken_up_and_what_waits_is_not_lost() -> None:
    log = evening(3, running=4)
    position = log.position
    log.write(session.reopen(log.state, 1))
    assert [deal.number for deal in log.state.closed] == [2, 3]
    assert log.state.account == tuple(2 * net for net in NETS)
    with pytest.raises(IllegalAction, match="deal 1 is open again"):
        session.begin_deal(log.state, DEAL.setup)
    with pytest.raises(StaleInput, match="deal 1 is not in the account"):
        session.reopen(log.state, 1)
    at_table = log.state.at_table
    assert at_table is not None
    assert at_table.position == position
    log.write(session.next_deal(log.state))
    assert [deal.number for deal in log.state.closed] == [1, 2, 3]
    assert log.position == position


def test_the_latest_deal_passes_the_deal_on_and_an_earlier_one_does_not() -> None:
    log = evening(2)
    assert log.state.setup is not None
    chosen = replace(log.state.setup, dealer=5)
    log.write(session.set_table(log.state, chosen))
    log.write(session.reopen(log.state, 1))
    assert log.state.mending
    assert log.state.at_table is None
    log.write(session.next_deal(log.state))
    assert log.state.setup == chosen
    log.write(session.set_table(log.state, replace(chosen, dealer=2)))  # whose turn it is anyway
    log.write(session.reopen(log.state, 2))
    assert not log.state.mending  # over, and the newest: what comes next on the table is the next deal
    log.write(session.next_deal(log.state))
    assert log.state.setup.dealer == 2


def test_a_next_deal_closes_the_latest_one_that_was_taken_up() -> None:
    log = evening(1)
    undo(log)
    log.deal(replace(DEAL.setup, dealer=2))
    assert log.running.number == 2
    assert log.state.account == NETS


def test_a_deal_that_was_begun_over_comes_back() -> None:
    log = evening(1, running=5)
    position = log.position
    log.write(session.abandon_deal(log.state))
    assert log.state.deal is None
    undo(log)
    assert (log.position, log.running.number, log.running.reopened) == (position, 2, False)
    log.write(session.abandon_deal(log.state))
    log.deal()
    assert log.state.forgotten is None
    assert log.running.number == 3


@pytest.mark.parametrize("running", [0, 3])
def test_a_deal_of_the_account_is_never_dealt_again(running: int) -> None:
    log = evening(2, running=running)
    for number in (2, 1):
        log.write(session.reopen(log.state, number))
        with pytest.raises(IllegalAction, match=f"deal {number} is open again"):
            session.abandon_deal(log.state)
    for _ in range(2):
        log.write(session.next_deal(log.state))
    assert [deal.number for deal in log.state.closed] == [1, 2]


@st.composite
def evenings(draw: st.DrawFn) -> Log:
    """An evening in which undo, redo and next deal came in any order, over all its deals."""
    log = evening(draw(st.integers(0, 2)), running=draw(st.integers(1, len(LINES))))
    for _ in range(draw(st.integers(0, 45))):
        kind = draw(st.sampled_from(("undo", "undo", "undo", "redo", "act", "next", "begin", "abandon", "reopen")))
        try:
            _happen(log, kind, draw)
        except GameError:
            continue
    return log


def _happen(log: Log, kind: str, draw: st.DrawFn) -> None:
    deal = log.state.deal
    match kind:
        case "undo":
            undo(log)
        case "redo":
            redo(log)
        case "next":
            log.write(session.next_deal(log.state))
        case "begin":
            log.deal()
        case "abandon":
            log.write(session.abandon_deal(log.state))
        case "reopen" if log.state.closed:
            log.write(session.reopen(log.state, draw(st.sampled_from(log.state.closed)).number))
        case "act" if deal is not None and not deal.position.over:
            log.play(draw(st.sampled_from(deal.position.legal_actions())))


@settings(max_examples=40, deadline=None)
@given(evenings())
def test_no_deal_is_lost_or_doubled_and_the_log_gives_the_same_again(log: Log) -> None:
    state = log.state
    waiting = [*state.aside, *([] if state.deal is None else [state.deal])]
    settled = {entry.deal for entry in log.entries if isinstance(entry.event, DealClosed)}
    assert settled <= {deal.number for deal in state.closed} | {deal.number for deal in waiting if deal.reopened}
    numbers = [deal.number for deal in state.closed] + [deal.number for deal in waiting]
    assert len(numbers) == len(set(numbers))
    assert [deal.number for deal in state.closed] == sorted(deal.number for deal in state.closed)
    assert sum(state.account) == 0
    for closed in state.closed:
        settlement = closed.played.position.settlement()
        assert settlement is not None
        assert tuple(seat["net"] for seat in settlement["seats"]) == closed.nets
    assert resume(log.entries) == state


@settings(max_examples=40, deadline=None)
@given(evenings())
def test_undo_over_a_deal_s_end_and_redo_lead_back(log: Log) -> None:
    before: session.SessionState = log.state
    if before.deal is not None and (before.deal.last is not None or before.deal.redo):
        return
    if session.undoes(before) is None or before.forgotten is not None:
        return
    undo(log)
    if not log.position.over or log.running.redo:
        return
    redo(log)
    after = log.state
    assert (after.deal, after.aside, after.account) == (before.deal, before.aside, before.account)


def test_entries_of_an_unknown_number_are_refused() -> None:
    log = evening(1)
    with pytest.raises(StaleInput):
        resume([*log.entries, Entry(log.state.seq + 1, 1, DealReopened(7))])


def test_an_action_in_a_reopened_deal_asks_the_rules() -> None:
    log = evening(1)
    for _ in range(2):
        undo(log)
    with pytest.raises(GameError):
        log.play(Action.parse("1 mate AS KH"))
