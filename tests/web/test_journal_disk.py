"""A disk that is full, one that nobody may write to, and one that fails in the middle: told, and nothing is lost."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.session import resume
from tests.web.served import RECORD, Served
from web.cli import Unusable
from web.cli import run as running
from web.cli.doors import Service
from web.journal import FILE_NAME, JournalError, SqliteJournal

ROOT = Path(__file__).resolve().parents[2]

WRITER = """
import os, resource, sys
from pathlib import Path
from assistant.games.game import Setup
from assistant.session import advance, begin_session, resume, set_table
from web.journal import JournalError, SqliteJournal
folder, largest = Path(sys.argv[1]), int(sys.argv[2])
journal = SqliteJournal(folder)
state = resume(journal.entries())
if state.setup is None:
    state, entries = advance(state, begin_session(Setup("laugh-and-lie-down", 4, 1)))
    journal.append(entries)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
for _ in range(400):
    state_now, entries = advance(state, set_table(state, Setup("laugh-and-lie-down", 4, state.setup.dealer % 4 + 1)))
    try:
        journal.append(entries)
    except JournalError as error:
        print("refused", error, flush=True)
        break
    state = state_now
    print("told", state.seq, flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
journal.append(entries)
print("told", entries[-1].seq, flush=True)
os._exit(9)
"""


@pytest.mark.parametrize("largest", [40_000, 41_111, 60_000])
def test_a_disk_that_is_full_is_told_and_goes_on_when_there_is_room(tmp_path: Path, largest: int) -> None:
    """The largest file that the process may write is limited; then the limit goes, and then the process dies."""
    program = subprocess.run(
        [sys.executable, "-c", WRITER, str(tmp_path), str(largest)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (program.returncode, program.stderr) == (9, "")
    told = program.stdout.splitlines()
    refused = [line for line in told if line.startswith("refused")]
    assert len(refused) == 1
    assert str(tmp_path) in refused[0]
    assert "full" in refused[0]
    numbers = [int(line.split()[1]) for line in told if line.startswith("told")]
    assert numbers == list(range(2, len(numbers) + 2))
    journal = SqliteJournal(tmp_path)
    assert (journal.verify(), journal.remark) == (numbers[-1], "")
    assert resume(journal.entries()).seq == numbers[-1]


def test_a_full_file_system_is_told_on_the_page_and_nothing_counts(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        served.begin()
        served.play(0, 2)
        pages = served.journal._connection.execute("PRAGMA page_count").fetchone()[0]
        served.journal._connection.execute(f"PRAGMA max_page_count={pages}")  # SQLite then says that the disk is full
        status, last = 200, served.state.seq
        while status == 200:
            last = served.state.seq
            names = [letter * 24 for letter in "abcd"]
            names[last % 4] = "z" * 24
            setup = {"game": "laugh-and-lie-down", "players": 4, "dealer": RECORD.setup.dealer, "names": names}
            status, said = served.post("/api/setup", {"seen": last, **setup})
        assert (status, said["code"]) == (503, "journal")
        assert "the disk is full" in said["error"]
        assert served.state.seq == last == served.journal.verify()
        served.journal._connection.execute("PRAGMA max_page_count=100000")
        assert served.post("/api/undo", {"seen": last})[0] == 200
    finally:
        served.close()
    assert SqliteJournal(tmp_path).verify() == last + 1


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may look into."""
    folder = Path(tempfile.mkdtemp(prefix="mournival-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


UNPRIVILEGED = """
import os, sys, tempfile
from pathlib import Path
from click.testing import CliRunner
from web.cli.journal import journal
from web.journal import FolderLock, JournalError, SqliteJournal
def attempt(folder):
    for opening in (FolderLock, SqliteJournal):
        try:
            opening(folder)
            yield "opened\\n"
        except JournalError as error:
            yield f"{error}\\n"
    yield CliRunner().invoke(journal, ["verify", "--data", str(folder)]).output
    yield CliRunner().invoke(journal, ["import", "-", "--data", str(folder)], input=sys.argv[2]).output
with tempfile.TemporaryDirectory() as own:
    list(attempt(Path(own)))  # what is imported late may be out of reach for others
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
print("".join(attempt(Path(sys.argv[1]))), end="")
"""


@pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
def test_a_folder_that_may_only_be_read_is_told_and_can_be_read(open_folder: Path, killed: bool) -> None:
    folder = open_folder / "data"
    served = Served(open_folder / "running")
    served.begin()
    served.play()
    if not killed:
        served.close()
    shutil.copytree(open_folder / "running", folder, ignore=shutil.ignore_patterns("*-shm"))
    if killed:
        served.close()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert (FILE_NAME + "-wal" in before) == killed
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    program = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, str(folder), RECORD.text()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert program.stderr == ""
    lock, opened, verified, imported = program.stdout.splitlines()
    for said in (lock, opened, imported):
        assert str(folder) in said
        assert "can't be written" in said
    assert verified == f"The journal is whole: {2 + len(RECORD.actions)} events."
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_damaged_journal_is_told_when_the_program_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Served(tmp_path)
    served.begin()
    served.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.executescript("DROP TRIGGER event_stay; DELETE FROM event WHERE seq = 2; VACUUM")

    def no_page(*_: object, **__: object) -> None:
        raise JournalError("far enough")

    monkeypatch.setattr(running, "OpenSession", no_page)
    with pytest.raises(Unusable, match="far enough"):
        running.serve(
            Service("127.0.0.1", 0, lan=False, no_browser=True),
            tmp_path,
            running.demo_table(1.0),
            recogniser=lambda: None,  # type: ignore[arg-type]
        )
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "event 1 is whole and it goes on from there, event 2 is lost; the damaged file is kept as" in said
