"""While an earlier deal is put right the camera is not followed; then it is taken up where the table stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assistant import session as deciding
from assistant.session_events import ActionTaken
from tests.web.demo_script import Script
from tests.web.served import RECORD
from tests.web.test_table_watch import EXPECTED, actions, follow
from web.cli.run import demo_table
from web.journal import SqliteJournal
from web.open_session import OpenSession


def test_nothing_that_the_camera_sees_goes_into_an_earlier_deal(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    session = OpenSession(journal, demo_table(1.0).setup, place="demo")
    for _ in range(2):
        dealt = replace(session.setup, table=RECORD.setup.table, dealer=RECORD.setup.dealer)
        session.perform(lambda now, dealt=dealt: deciding.begin_deal(now, dealt))  # type: ignore[misc]
        if not session.state.closed:
            session.perform(lambda _: [ActionTaken(action) for action in RECORD.actions])
            session.perform(deciding.next_deal)
    session.perform(lambda now: deciding.reopen(now, 1))
    written = journal.seq
    journal.close()

    eye = follow(tmp_path, Script(), 27.5)
    assert eye.session.state.mending
    assert eye.journal.seq == written
    eye.session.perform(deciding.next_deal)
    assert eye.session.state.account == (-1, 0, -4, 5)
    eye.journal.close()

    again = follow(tmp_path, Script(), 27.5)
    assert again.session.state.deal is not None
    assert again.session.state.deal.number == 2
    assert actions(again) == EXPECTED[:3]


def test_who_was_chosen_deals_next_although_the_deal_before_is_open_again(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    session = OpenSession(journal, demo_table(1.0).setup, place="demo")
    dealt = replace(session.setup, table=RECORD.setup.table, dealer=RECORD.setup.dealer)
    session.perform(lambda now: deciding.begin_deal(now, dealt))
    session.perform(lambda _: [ActionTaken(action) for action in RECORD.actions])
    session.perform(deciding.next_deal)
    session.perform(lambda now: deciding.set_table(now, replace(session.setup, dealer=4)))
    session.perform(deciding.undo)
    journal.close()

    eye = follow(tmp_path, Script(), 27.5)
    assert [deal.number for deal in eye.session.state.closed] == [1]
    assert eye.session.state.deal is not None
    assert eye.session.state.deal.position.setup.dealer == 4
