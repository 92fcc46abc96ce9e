"""A damaged journal goes on with what is whole of it; the damaged file is kept; one line tells."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from assistant.session import advance, resume, set_table
from tests.scripted_clock import ScriptedClock
from tests.web.served import RECORD, Served
from web.cli.journal import journal as journal_command
from web.journal import FILE_NAME, JournalError, SqliteJournal, _say
from web.wording import again, named

EVENTS = 2 + len(RECORD.actions)
WAL = FILE_NAME + "-wal"


def left_behind(folder: Path, *, checkpoint_at: int = 0) -> None:
    """The files of a program that was killed after a deal: the first ``checkpoint_at`` actions are in the main file,
    the others in the log."""
    served = Served(folder / "running")
    served.begin()
    served.play(0, checkpoint_at)
    if checkpoint_at:
        with sqlite3.connect(folder / "running" / FILE_NAME) as other:
            assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    served.play(checkpoint_at)
    for name in (FILE_NAME, WAL, "journal.last"):
        shutil.copyfile(folder / "running" / name, folder / name)
    served.close()
    shutil.rmtree(folder / "running")


def closed(folder: Path) -> None:
    """The files of a program that ended well."""
    left_behind(folder)
    SqliteJournal(folder).close()
    assert not (folder / WAL).exists()


def spoil(path: Path, first: int, last: int | None = None) -> None:
    data = bytearray(path.read_bytes())
    end = len(data) if last is None else last
    data[first:end] = os.urandom(end - first)
    path.write_bytes(data)


def truncate(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def change(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"DROP TRIGGER event_keep; DROP TRIGGER event_stay; {statement}; VACUUM;")


DAMAGES: list[tuple[str, Callable[[Path], None], int, int]] = [
    # what, how a file that was closed is damaged, and between which numbers of events are still whole
    ("header", lambda path: spoil(path, 0, 100), EVENTS, EVENTS),
    ("first page", lambda path: spoil(path, 0, 4096), EVENTS, EVENTS),
    ("root page", lambda path: spoil(path, 4096, 8192), EVENTS, EVENTS),
    ("index page", lambda path: spoil(path, 8192, 12288), EVENTS, EVENTS),
    ("last page", lambda path: spoil(path, path.stat().st_size - 4096), 1, EVENTS - 1),
    ("torn page", lambda path: spoil(path, path.stat().st_size - 2048), 1, EVENTS - 1),
    ("truncated", lambda path: truncate(path, path.stat().st_size - 4096), 1, EVENTS - 1),
    ("truncated to nothing", lambda path: truncate(path, 0), 0, 0),
    ("all garbage", lambda path: spoil(path, 0), 0, 0),
    ("gone", lambda path: path.unlink(), 0, 0),
    ("a row changed", lambda path: change(path, "UPDATE event SET time = 7 WHERE seq = 5"), 4, 4),
    ("a row taken out", lambda path: change(path, "DELETE FROM event WHERE seq = 9"), 8, 8),
    ("the end taken out", lambda path: change(path, "DELETE FROM event WHERE seq > 9"), 9, 9),
    ("a hash changed", lambda path: change(path, "UPDATE event SET hash = upper(hash) WHERE seq = 3"), 2, 2),
]


def goes_on(folder: Path, least: int, most: int) -> SqliteJournal:
    """Open a damaged journal: it has that many events, says so in one line, can be written, and is whole."""
    kept_before = {path.name: path.read_bytes() for path in (folder / FILE_NAME, folder / WAL) if path.exists()}
    journal = SqliteJournal(folder)
    assert least <= journal.seq <= most
    assert "damaged" in journal.remark
    assert "\n" not in journal.remark
    if journal.seq < EVENTS:
        assert "lost" in journal.remark
        assert str(EVENTS) in journal.remark
    aside = {path.name: path.read_bytes() for path in folder.glob("journal-damaged-*")}
    assert sorted(aside.values()) == sorted(kept_before.values())
    assert journal.verify() == journal.seq
    state = resume(journal.entries())
    if state.setup is not None:
        _, entries = advance(state, set_table(state, RECORD.setup))
        journal.append(entries)
        assert journal.verify() == journal.seq
    again = SqliteJournal(folder)
    assert (again.remark, again.entries()) == ("", journal.entries())
    return journal


@pytest.mark.parametrize(("damage", "least", "most"), [one[1:] for one in DAMAGES], ids=[one[0] for one in DAMAGES])
def test_a_damaged_journal_goes_on_with_what_is_whole(
    tmp_path: Path, damage: Callable[[Path], None], least: int, most: int
) -> None:
    closed(tmp_path)
    damage(tmp_path / FILE_NAME)
    goes_on(tmp_path, least, most)


LOG_DAMAGES: list[tuple[str, Callable[[Path], None], int, int]] = [
    ("missing", lambda path: path.unlink(), 12, 12),
    ("garbage", lambda path: spoil(path, 0), 12, 12),
    ("header", lambda path: spoil(path, 0, 32), EVENTS, EVENTS),
    ("garbage in the middle", lambda path: spoil(path, (half := path.stat().st_size // 2), half + 99), 13, EVENTS),
    ("truncated", lambda path: truncate(path, path.stat().st_size // 2), 13, EVENTS - 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("damage", "least", "most"), [one[1:] for one in LOG_DAMAGES], ids=[one[0] for one in LOG_DAMAGES]
)
def test_a_damaged_log_loses_no_event_that_is_in_the_file(
    tmp_path: Path, damage: Callable[[Path], None], least: int, most: int
) -> None:
    left_behind(tmp_path, checkpoint_at=10)
    damage(tmp_path / WAL)
    goes_on(tmp_path, least, most)


def test_a_file_and_a_log_that_are_well_go_on_without_a_word(tmp_path: Path) -> None:
    left_behind(tmp_path, checkpoint_at=10)
    journal = SqliteJournal(tmp_path)
    assert (journal.seq, journal.remark) == (EVENTS, "")
    assert list(tmp_path.glob("journal-damaged-*")) == []


@given(data=st.data())
def test_whatever_is_spoilt_the_rest_is_a_true_beginning(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    left_behind(folder, checkpoint_at=10)
    before = SqliteJournal(folder, read_only=True).entries()
    path = folder / data.draw(st.sampled_from((FILE_NAME, WAL)))
    first = data.draw(st.integers(0, path.stat().st_size - 1))
    spoil(path, first, min(path.stat().st_size, first + data.draw(st.integers(1, 6000))))
    journal = SqliteJournal(folder)
    after = journal.entries() if journal.seq else ()
    assert after == before[: len(after)]
    assert len(after) == len(before) or "damaged" in journal.remark
    assert journal.verify() == len(after)


@pytest.mark.parametrize("step", range(4))
def test_a_rescue_that_is_cut_off_is_ended_at_the_next_start(
    tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(tmp_path, checkpoint_at=10)
    spoil(tmp_path / WAL, 0, 32)
    kept = sorted(path.read_bytes() for path in (tmp_path / FILE_NAME, tmp_path / WAL))
    calls, replace = iter(range(9)), os.replace

    def cut_off(old: Path, new: Path) -> None:
        if next(calls) == step:
            raise OSError(28, "No space left on device")
        replace(old, new)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", cut_off)
        with pytest.raises(JournalError) as error:
            SqliteJournal(tmp_path)
        assert "\n" not in str(error.value)
    journal = SqliteJournal(tmp_path)
    assert journal.seq == EVENTS
    assert sorted(path.read_bytes() for path in tmp_path.glob("journal-damaged-*")) == kept
    assert SqliteJournal(tmp_path).remark == ""


def test_two_damages_at_the_same_second_are_both_kept(tmp_path: Path) -> None:
    closed(tmp_path)
    for _ in range(2):
        spoil(tmp_path / FILE_NAME, 0, 100)
        journal = SqliteJournal(tmp_path, clock=ScriptedClock(1e9))
        assert (journal.seq, bool(journal.remark)) == (EVENTS, True)
        journal.close()
    assert len(list(tmp_path.glob("journal-damaged-*"))) == 2


def test_reading_a_damaged_journal_touches_nothing_and_tells(tmp_path: Path) -> None:
    closed(tmp_path)
    change(tmp_path / FILE_NAME, "UPDATE event SET time = 7 WHERE seq = 5")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    stored = SqliteJournal(tmp_path, read_only=True)
    assert [entry.seq for entry in stored.entries()] == [1, 2, 3, 4]
    for arguments, status in ((["list"], 0), (["export"], 0), (["verify"], 1)):
        result = CliRunner().invoke(journal_command, [*arguments, "--data", str(tmp_path)])
        assert result.exit_code == status, result.output
        assert "event 5 was changed" in result.stderr
        assert result.stderr.count("\n") == 1
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir() if not path.name.endswith(("-shm", "-wal"))}
    assert after == before


def test_a_journal_that_is_gone_is_told_from_one_that_never_was(tmp_path: Path) -> None:
    closed(tmp_path / "gone")
    (tmp_path / "gone" / FILE_NAME).unlink()
    for arguments, status in ((["list"], 0), (["verify"], 1)):
        result = CliRunner().invoke(journal_command, [*arguments, "--data", str(tmp_path / "gone")])
        assert (result.exit_code, result.stdout) == (status, "")
        assert f"the file is gone; no event is whole (events 1 to {EVENTS} are lost)" in result.stderr
        result = CliRunner().invoke(journal_command, [*arguments, "--data", str(tmp_path / "new")])
        assert "there is no journal here yet" in result.stderr


@pytest.mark.parametrize("name", ["journal.sqlite3", "journal.last"])
def test_the_journal_is_its_owner_s_alone(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    SqliteJournal(tmp_path).close()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o755)
    SqliteJournal(tmp_path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_page_names_a_damaged_file_and_not_where_it_lies(tmp_path: Path) -> None:
    closed(tmp_path)
    (tmp_path / FILE_NAME).unlink()
    journal = SqliteJournal(tmp_path)
    assert journal.remark.startswith(f"{tmp_path / FILE_NAME}: the journal was damaged")
    assert again(journal.remark) == journal.remark.replace(f"{tmp_path}/", "")
    full = _say(tmp_path / FILE_NAME, sqlite3.OperationalError("database or disk is full"))
    assert str(tmp_path) in full
    assert str(tmp_path) not in named(full, RECORD.setup)


def test_another_journal_that_was_put_here_is_taken_as_it_is(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        closed(tmp_path / name)
    shutil.copyfile(tmp_path / "one" / FILE_NAME, tmp_path / "other" / FILE_NAME)
    journal = SqliteJournal(tmp_path / "other")
    assert (journal.seq, journal.remark) == (EVENTS, "")
