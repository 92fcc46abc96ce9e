"""The form of the journal's file: its tables, step by step from the oldest form, and the chain that holds its rows."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

STEPS: Final[tuple[str, ...]] = (
    """
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, session INTEGER NOT NULL, deal INTEGER NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL,
    time REAL NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE INDEX event_session ON event (session);
CREATE TRIGGER event_keep BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_stay BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
""",
)
"""What makes form 1 of an empty file, form 2 of form 1, and so on. A step that has been published never changes."""

Row = tuple[Any, ...]
"""An event as the file holds it: seq, session, deal, kind, json, time, the hash of the row before, its own hash."""
COLUMNS: Final = 8


class JournalError(Exception):
    """The journal can't be used; the text says which file, why and what to do, in one line."""


def digest(row: Sequence[object], prev: str) -> str:
    """The hash of a row (without its two hashes) that follows the row with hash ``prev``."""
    return hashlib.sha256(json.dumps([*row, prev], ensure_ascii=False).encode()).hexdigest()


def follows(row: Row, seq: int, prev: str) -> bool:
    """Whether a row is, unchanged, the one that comes after row number ``seq`` with hash ``prev``."""
    try:
        return bool(len(row) == COLUMNS and row[0] == seq + 1 and row[-2] == prev and row[-1] == digest(row[:-2], prev))
    except (TypeError, UnicodeEncodeError):
        return False


def version_of(connection: sqlite3.Connection, path: Path, steps: Sequence[str] = STEPS) -> int:
    """The form of an open file, 0 for an empty one. Raises JournalError for a newer one, and where it is no journal."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(steps):
        raise JournalError(f"{path}: written by a newer mournival (form {version}): update the program, or use --data")
    if version <= 0 and connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table'").fetchone():
        raise JournalError(f"{path}: this is no journal of mournival: give another folder with --data")
    return version


def bring_up_to_date(connection: sqlite3.Connection, version: int, steps: Sequence[str] = STEPS) -> None:
    """Take the file from form ``version`` to the last one: wholly, or after an error not at all."""
    if version == len(steps):
        return
    wanted = "".join(steps[version:])
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {wanted} PRAGMA user_version={len(steps)}; COMMIT;")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.rollback()
        raise


def insert(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Put whole rows into a file of the newest form."""
    connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
