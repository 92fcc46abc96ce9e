from __future__ import annotations

import contextlib
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cards import Card
from assistant.games.game import Action, Setup
from assistant.session import EMPTY, advance, begin_session, set_table
from assistant.session_events import ActionTaken, Entry, MisplayNoticed, TableDisagrees
from assistant.told import Listing, Place, Seat, tell
from tests.scripted_clock import ScriptedClock
from tests.web.served import RECORD, Served
from web.cli.journal import journal as journal_command
from web.journal import FILE_NAME, FolderLock, JournalError, SqliteJournal
from web.languages import speaking
from web.open_session import OpenSession
from web.page_state import page_state

SETUP = Setup("laugh-and-lie-down", 4, 1)


def filled(folder: Path) -> SqliteJournal:
    """A journal with one finished deal."""
    served = Served(folder)
    served.begin()
    served.play()
    served.close()
    return SqliteJournal(folder)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path, clock=ScriptedClock(1000.0))
    _, entries = advance(EMPTY, begin_session(SETUP))
    journal.append(entries)
    journal.close()
    again = SqliteJournal(tmp_path)
    assert again.entries() == entries
    assert [(one.session, one.began, one.events) for one in again.sessions()] == [(1, 1000.0, 1)]


def test_what_was_told_is_told_in_the_readers_language_after_a_restart(tmp_path: Path) -> None:
    """A text of an older program, which wrote the English alone, stays as it is."""
    served = Served(tmp_path)
    served.begin()
    disagrees = tell("{card} lies {where}.", card=Card.parse("KS"), where=Place("pile 2"))
    broken = tell("{seat} put {cards} on the table: {why}", seat=Seat(3), cards=(Card.parse("KH"),), why="so")
    served.write(
        MisplayNoticed("not-in-turn", broken, "LLD-12", (3,), ("KH",)),
        MisplayNoticed("not-the-same-rank", "Seat 3 took QS", "LLD-13", (3,), ("QS",)),
        TableDisagrees(tell("Table and game disagree. I see {seen}.", seen=Listing((disagrees,))), undo=0),
    )
    before = served.deal
    with speaking("de"):
        page = page_state(served.state)
    served.close()
    state = OpenSession(SqliteJournal(tmp_path), SETUP).state
    assert state.deal == before
    with speaking("de"):
        again = page_state(state)
    assert (again["alarms"], again["disagreement"]) == (page["alarms"], page["disagreement"])
    assert again["disagreement"]["text"].startswith("Tisch und Spiel stimmen nicht überein. Ich sehe K♠")
    told = [alarm["text"] for alarm in again["alarms"]]
    assert told == ["Cecily hat K♥ auf den Tisch gelegt: so", "Cecily took Q♠"]


def test_sessions_are_kept_apart(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    state = EMPTY
    for _ in range(3):
        state, entries = advance(state, begin_session(SETUP))
        journal.append(entries)
    assert [entry.seq for entry in journal.entries()] == [3]
    assert [entry.seq for entry in journal.entries(1)] == [1]
    assert [one.session for one in journal.sessions()] == [1, 2, 3]


def test_a_gap_is_never_written(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    with pytest.raises(ValueError, match="can't follow"):
        journal.append([Entry(2, 0, ActionTaken(Action.parse("1 lie-down")))])
    assert journal.entries() == ()


def test_the_journal_can_only_grow(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        for statement in ("UPDATE event SET deal = 9 WHERE seq = 2", "DELETE FROM event WHERE seq = 2"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE event SET json = replace(json, '7S', '7D') WHERE seq = 4", "event 4 was changed"),
        ("DELETE FROM event WHERE seq = 5; VACUUM", "event 5 is missing"),
        ("UPDATE event SET time = 0 WHERE seq = 2", "event 2 was changed"),
    ],
)
def test_verify_finds_what_was_tampered_with(tmp_path: Path, change: str, says: str) -> None:
    journal = filled(tmp_path)
    assert journal.verify() == 2 + len(RECORD.actions)
    journal.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.executescript(f"DROP TRIGGER event_keep; DROP TRIGGER event_stay; {change}")
    with pytest.raises(JournalError, match=says):
        SqliteJournal(tmp_path, read_only=True).verify()


def test_a_clock_that_goes_back_changes_neither_order_nor_beginning(tmp_path: Path) -> None:
    times = iter([5000.0, 5060.0, 1460.0, 1520.0])
    session = OpenSession(SqliteJournal(tmp_path, clock=ScriptedClock(wall=lambda: next(times))), SETUP)
    for name in ("Ann", "Bob", "Cid"):
        session.perform(lambda now, name=name: set_table(now, replace(SETUP, names=(name, "", "", ""))))  # type: ignore[misc]
    journal = SqliteJournal(tmp_path)
    assert [entry.seq for entry in journal.entries()] == [1, 2, 3, 4]
    assert OpenSession(journal, SETUP).state == session.state
    assert [one.began for one in journal.sessions()] == [5000.0]
    assert journal.setbacks() == ((3, 3600.0),)
    code, out, err = run("verify", "--data", str(tmp_path))
    assert (code, out) == (0, "The journal is whole: 4 events.\n")
    assert "set back by 60 min before event 3" in err


def one_line(error: pytest.ExceptionInfo[JournalError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError) as error:
        SqliteJournal(tmp_path)
    assert "newer" in one_line(error)


def test_a_file_in_which_nothing_is_a_journal_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this was never a journal" * 1000)
    with pytest.raises(JournalError) as error:
        SqliteJournal(tmp_path)
    assert "damaged" in one_line(error)


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(JournalError) as error:
        SqliteJournal(tmp_path)
    assert "no journal" in one_line(error)


def test_a_folder_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError) as error:
        SqliteJournal(tmp_path / "file" / "data")
    assert "--data" in one_line(error)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that nobody can write")
def test_a_read_only_folder_is_told() -> None:
    with pytest.raises(JournalError) as error:
        SqliteJournal(Path("/proc/self"))
    assert "data folder can't be written" in one_line(error)


def test_a_folder_serves_one_program_at_a_time(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    with pytest.raises(JournalError) as error:
        FolderLock(tmp_path)
    assert "another mournival" in one_line(error)
    lock.release()
    FolderLock(tmp_path).release()


WRITER = """
import sys
from pathlib import Path
from assistant.games.game import Setup
from assistant.session import begin_session, advance, resume, set_table
from web.journal import SqliteJournal
journal = SqliteJournal(Path(sys.argv[1]))
state = resume(journal.entries())
if state.setup is None:
    state, entries = advance(state, begin_session(Setup("laugh-and-lie-down", 4, 1)))
    journal.append(entries)
while True:
    setup = Setup("laugh-and-lie-down", 4, state.setup.dealer % 4 + 1)
    state, entries = advance(state, set_table(state, setup))
    journal.append(entries)
    print(state.seq, flush=True)
"""


def test_killed_while_writing_nothing_that_was_told_is_lost(tmp_path: Path) -> None:
    told = 0
    for count in (1, 7, 23, 40):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            for _ in range(count):
                told = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
        stored = SqliteJournal(tmp_path)
        assert stored.verify() >= told
        assert [entry.seq for entry in stored.entries()] == list(range(1, stored.verify() + 1))
        stored.close()


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(journal_command, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_the_commands_list_verify_and_export(tmp_path: Path) -> None:
    filled(tmp_path).close()
    data = ("--data", str(tmp_path))
    code, out, _ = run("list", *data)
    assert code == 0
    assert "laugh-and-lie-down, 4 players, 1 deal" in out
    assert run("verify", *data)[:2] == (0, f"The journal is whole: {2 + len(RECORD.actions)} events.\n")
    code, out, _ = run("export", *data)
    assert code == 0
    assert [line for line in out.splitlines() if line[:1].isdigit()] == [str(action) for action in RECORD.actions]
    code, out, _ = run("export", *data, "--json")
    assert code == 0
    assert len(out.splitlines()) == 2 + len(RECORD.actions)
    code, out, _ = run("export", *data, "--out", str(tmp_path / "out"))
    assert Path(out.strip()).read_text(encoding="utf-8").startswith("game: laugh-and-lie-down")


def test_the_commands_say_what_is_wrong(tmp_path: Path) -> None:
    assert run("list", "--data", str(tmp_path))[0] == 2
    filled(tmp_path).close()
    assert run("export", "--data", str(tmp_path), "9")[0] == 2
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.executescript("DROP TRIGGER event_stay; DELETE FROM event WHERE seq = 4; VACUUM")
    code, _, err = run("verify", "--data", str(tmp_path))
    what = f"event 4 is missing; events 1 to 3 are whole (events 4 to {2 + len(RECORD.actions)} are lost)"
    assert (code, err) == (1, f"Error: {tmp_path / FILE_NAME}: the journal is damaged: {what}\n")
