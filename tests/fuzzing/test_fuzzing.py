"""Short runs of the fuzzing, and what longer ones have found."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.fuzzing.journals import Journals
from tests.fuzzing.layouts import Layouts
from tests.fuzzing.records import Records
from tests.web.served import RECORD, Served
from web.journal import FILE_NAME, SqliteJournal


def run(*arguments: str) -> tuple[int, Any]:
    command = [sys.executable, "-m", "tests.fuzzing", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    lines = done.stdout.splitlines()
    assert lines, done.stderr[-600:]
    return done.returncode, json.loads(lines[-1])


@pytest.mark.parametrize(
    ("target", "count", "reached"),
    [
        ("record", 6000, {"refused": 3000, "stopped": 300, "played": 150}),
        ("layout", 800, {"refused": 400, "taken": 50}),
        ("journal", 250, {"whole": 60, "cut short": 40, "refused": 3}),
        ("images", 2000, {"decoded": 200, "refused": 200}),
    ],
)
def test_damaged_files_are_taken_or_refused(target: str, count: int, reached: dict[str, int]) -> None:
    status, told = run("--count", str(count), target)
    assert (status, told["wrong"], told["cases"]) == (0, [], count)
    assert told["peak_megabytes"] < 300
    assert {name: told[name] >= least for name, least in reached.items()} == dict.fromkeys(reached, True)


def test_a_case_can_be_played_again() -> None:
    for target in (Records(), Layouts(), Journals()):
        assert target.case(17) == target.case(17) != target.case(18)


def test_a_broken_name_in_the_schema_is_damage_like_any_other(tmp_path: Path) -> None:
    """SQLite quotes the name in its error, which is no text then."""
    served = Served(tmp_path)
    served.begin()
    served.close()
    path = tmp_path / FILE_NAME
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    assert b"tableeventevent" in data
    data = data.replace(b"tableeventevent", b"table\xe5\xff\xfe..event").replace(
        b"CREATE TABLE event", b"CREATE TABLE (vent"
    )
    path.write_bytes(data)
    with contextlib.closing(sqlite3.connect(path)) as connection, pytest.raises(UnicodeDecodeError):
        connection.execute("SELECT 1 FROM sqlite_master")
    journal = SqliteJournal(tmp_path)
    assert "damaged" in journal.remark
    assert len(journal.entries()) == 2
    journal.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE event; CREATE VIEW event AS SELECT 1 AS seq",
        "DROP TABLE event; CREATE TABLE event (a, b, c, d, e, f, g, h); INSERT INTO event VALUES ('x',1,1,1,1,1,1,1)",
        "ALTER TABLE event ADD COLUMN more TEXT",
        "DROP TRIGGER event_keep; DROP INDEX event_session; ALTER TABLE event DROP COLUMN json",
    ],
)
def test_a_table_of_another_form_is_damage_like_any_other(tmp_path: Path, statement: str) -> None:
    served = Served(tmp_path)
    served.begin()
    served.play()
    served.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.executescript(statement)
    journal = SqliteJournal(tmp_path)
    found = journal.entries()
    assert journal.remark.count("\n") == 0
    assert "damaged" in journal.remark
    assert len(found) <= 2 + len(RECORD.actions)
    assert journal.verify() == len(found)
    journal.close()
    assert list(tmp_path.glob("journal-damaged-*"))
