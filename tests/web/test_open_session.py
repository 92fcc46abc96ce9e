"""What is written is told to everybody, whatever becomes of one who is told."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant import session as deciding
from assistant.games.game import Setup
from assistant.session import SessionState
from tests.web.served import Served
from web.journal import SqliteJournal
from web.open_session import OpenSession
from web.page_state import page_state

SETUP = Setup("laugh-and-lie-down", 4, 1)


def rename(session: OpenSession, name: str) -> None:
    wanted = replace(session.setup, names=(name, "Bea", "Cy", "Di"))
    session.perform(lambda now: deciding.set_table(now, wanted))


def test_a_listener_that_fails_keeps_no_other_from_being_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = SqliteJournal(tmp_path)
    session, told = OpenSession(journal, SETUP), list[int]()

    def fails(state: SessionState) -> None:
        if state.setup is not None and state.setup.names:
            raise ValueError("zip")

    session.listen(fails)
    session.listen(lambda state: told.append(state.seq))
    with caplog.at_level(logging.ERROR):
        rename(session, "Ann")
    assert (told, journal.seq) == ([1, 2], 2)
    assert "Entry 2 is written" in caplog.text
    session.go_to("demo", replace(SETUP, names=("Ann", "Bea", "Cy", "Di")))
    assert told == [1, 2, 3]
    journal.close()


def test_a_listener_that_fails_at_once_is_the_caller_s_to_know(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)

    def fails(_: SessionState) -> None:
        raise ValueError("zip")

    with pytest.raises(ValueError, match="zip"):
        OpenSession(journal, SETUP).listen(fails)
    journal.close()


def test_after_a_state_that_can_not_be_shown_the_page_can_still_take_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, real = Served(tmp_path), page_state

    def failing(state: SessionState) -> dict[str, Any]:
        if state.setup is not None and "Zed" in state.setup.names:
            raise ValueError("zip")
        return real(state)

    def shown() -> Any:
        return json.loads(served.board.told(0, ""))["state"]

    monkeypatch.setattr("web.app.page_state", failing)
    try:
        names = served.session.setup.names
        wanted = replace(served.session.setup, names=("Zed", *names[1:]))
        served.session.perform(lambda now: deciding.set_table(now, wanted))
        assert shown()["seq"] == served.session.state.seq
        assert shown()["headline"]["text"] == "What was done last can't be shown"
        wanted = replace(wanted, names=("Ann", *names[1:]))
        served.session.perform(lambda now: deciding.set_table(now, wanted))
        assert shown()["setup"]["names"][0] == "Ann"
        assert "shown" not in shown()["headline"]["text"]
    finally:
        served.close()
