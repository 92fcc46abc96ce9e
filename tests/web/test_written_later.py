"""A journal that takes nothing for a while: what the camera sees meanwhile waits, and is written once, in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant import session as deciding
from assistant.games.game import Action, StaleInput
from assistant.session_events import ActionTaken, Entry
from tests.scripted_clock import ScriptedClock
from tests.web.demo_script import Script
from tests.web.served import RECORD
from tests.web.test_table_watch import EXPECTED, CutSource, in_any_order
from web.cli.run import demo_table
from web.journal import JournalError, SqliteJournal
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.table_watch import TableWatch, Watched
from web.written_later import AGAIN_AFTER_S, WrittenLater


class Ailing(SqliteJournal):
    """A journal on a disk that is full ``while_`` the clock stands between two times."""

    def __init__(self, folder: Path, clock: ScriptedClock, while_: tuple[float, float] = (0.0, 0.0)) -> None:
        super().__init__(folder, clock=clock)
        self.while_, self.steady = while_, clock.steady
        self.refused = 0

    def append(self, entries: Sequence[Entry]) -> None:
        if self.while_[0] <= self.steady() < self.while_[1]:
            self.refused += 1
            raise JournalError("/data: the disk is full: make room and it goes on (nothing that was shown is lost)")
        super().append(entries)


class Remembering(Board):
    """Knows everything that was posted about the eye."""

    def __init__(self, clock: ScriptedClock) -> None:
        super().__init__(clock=clock)
        self.eye: list[dict[str, Any]] = []

    def post(
        self, channel: str, value: Mapping[str, Any] | Callable[[], Mapping[str, Any]], *, ages: bool = False
    ) -> None:
        if channel == "eye":
            self.eye.append(dict(value() if callable(value) else value))
        super().post(channel, value, ages=ages)


@pytest.mark.parametrize("until", [26.0, 400.0], ids=["goes on in the deal", "only after the recording's end"])
def test_a_disk_that_is_full_for_a_while_ends_nothing_and_nothing_is_lost_or_doubled(
    tmp_path: Path, until: float
) -> None:
    table, script, clock = demo_table(1.0), Script(), ScriptedClock()
    journal = Ailing(tmp_path, clock, (clock.steady() + 5.0, clock.steady() + until))
    session, board = OpenSession(journal, table.setup, place="demo"), Remembering(clock)
    shown: list[int] = []
    session.listen(lambda state: shown.append(0 if state.deal is None else len(state.deal.done)))
    watched = Watched(lambda: CutSource(script, 27.5), "Demo", live=False)
    watch = TableWatch(watched, session, script, board, Pictures(), layout=table.layout, clock=clock)
    watch.start()
    assert watch.ended.wait(120)
    watch.stop()
    assert journal.refused >= 2
    deal = session.state.deal
    assert deal is not None
    assert [in_any_order(str(done.action)) for done in deal.done] == EXPECTED[:3]
    kinds = [entry.kind for entry in journal.entries()]
    assert kinds == ["session-begun", "deal-begun", "action", "action", "action"]
    assert journal.verify() == 5
    assert set(shown) <= {0, 2, 3}, "nothing was shown before it was written"
    said = [one["text"] for one in board.eye if not one["ok"]]
    assert said
    assert all("nothing new counts" in text and "the disk is full" in text for text in said)
    told = json.loads(board.newer(0)["eye"].text)
    assert (told["ok"], told["text"], told["ended"]) == (True, "Demo: the recording has ended", True)


class Played:
    """A session with the demo's cards on the table and a journal that may ail."""

    def __init__(self, folder: Path) -> None:
        self.clock = ScriptedClock()
        self.journal = Ailing(folder, self.clock)
        self.session = OpenSession(self.journal, RECORD.setup, place="demo")
        self.session.perform(lambda now: deciding.begin_deal(now, RECORD.setup))
        self.writing = WrittenLater(self.session, self.clock)

    def see(self, action: Action) -> None:
        self.writing.perform(lambda _: [ActionTaken(action, "camera")], seen=self.writing.state.seq)

    def ail(self) -> None:
        self.journal.while_ = (0.0, 1e12)

    def heal(self) -> None:
        self.journal.while_ = (0.0, 0.0)

    @property
    def done(self) -> list[Action]:
        assert self.session.state.deal is not None
        return [one.action for one in self.session.state.deal.done]


def test_it_is_tried_now_and_then_and_written_in_order(tmp_path: Path) -> None:
    played = Played(tmp_path)
    played.see(RECORD.actions[0])
    played.ail()
    for action in RECORD.actions[1:4]:
        played.see(action)
    assert played.done == list(RECORD.actions[:1])
    assert "the disk is full" in played.writing.trouble
    tried = played.journal.refused
    for _ in range(5):
        assert played.writing.catch_up()
    assert played.journal.refused == tried, "not at every look"
    played.clock.advance(AGAIN_AFTER_S)
    assert played.writing.catch_up()
    assert played.journal.refused == tried + 1
    played.heal()
    played.clock.advance(AGAIN_AFTER_S)
    assert played.writing.catch_up()
    assert played.writing.trouble == ""
    assert played.done == list(RECORD.actions[:4])
    played.see(RECORD.actions[4])
    assert played.writing.catch_up()
    assert played.done == list(RECORD.actions[:5])
    assert [entry.kind for entry in played.journal.entries()][2:] == ["action"] * 5


def test_what_somebody_did_meanwhile_goes_before_what_waits(tmp_path: Path) -> None:
    played = Played(tmp_path)
    played.see(RECORD.actions[0])
    played.ail()
    played.see(RECORD.actions[1])
    played.heal()
    played.session.perform(lambda now: deciding.undo(now), seen=played.session.state.seq)
    played.clock.advance(AGAIN_AFTER_S)
    assert not played.writing.catch_up()
    assert (played.done, played.writing.trouble) == ([], "")
    assert played.writing.state == played.session.state


def test_what_rests_on_an_older_state_is_refused_as_ever(tmp_path: Path) -> None:
    played = Played(tmp_path)
    with pytest.raises(StaleInput):
        played.writing.perform(lambda _: [ActionTaken(RECORD.actions[0], "camera")], seen=1)
    assert played.done == []
