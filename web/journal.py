"""The journal: everything that happened, in one SQLite file in the data folder, never changed and never taken out.

Each event is one row; its ``hash`` covers the row and the hash of the row before, so that a changed, missing or
inserted row shows. An event is on the disk before anybody sees its effect (WAL, ``synchronous=FULL``).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from assistant.games.game import InvalidInput
from assistant.session_events import Entry, SessionBegun, SessionResumed, event_from_json, event_to_json

SCHEMA: Final = 1
FILE_NAME: Final = "journal.sqlite3"
LOCK_NAME: Final = "in-use.sqlite3"

_TABLES: Final = """
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, session INTEGER NOT NULL, deal INTEGER NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL,
    time REAL NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE INDEX event_session ON event (session);
CREATE TRIGGER event_keep BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_stay BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


class JournalError(Exception):
    """The journal can't be used; the text says which file, why and what to do, in one line."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """One line of ``journal list``: ``began`` in seconds since 1970, ``deals`` begun, ``events`` written."""

    session: int
    began: float
    game: str
    players: int
    deals: int
    events: int


def default_folder() -> Path:
    """Where the data lie when nobody says otherwise."""
    return Path(platformdirs.user_data_dir("mournival", appauthor=False))


class SqliteJournal:
    """The journal of one data folder; made where there is none yet. Safe to use from several threads.

    ``clock`` gives the time that each row is stamped with (seconds since 1970).
    Raises JournalError for a folder that can't be written, a damaged file or one of a newer program.
    """

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time, read_only: bool = False) -> None:
        self.path = folder / FILE_NAME
        self._clock = clock
        self._mutex = threading.Lock()
        try:
            self._connection = _open_to_read(self.path) if read_only else _open_to_write(folder, self.path)
            with self._errors():
                row = self._connection.execute(
                    "SELECT seq, session, hash FROM event ORDER BY seq DESC LIMIT 1"
                ).fetchone()
                newest = self._connection.execute("SELECT max(session) FROM event").fetchone()
        except JournalError:
            raise
        except (OSError, sqlite3.Error) as error:
            raise JournalError(_say(self.path, error)) from None
        self._seq: int = row[0] if row else 0
        self._session: int = row[1] if row else 0
        self._newest: int = newest[0] or 0
        self._hash: str = row[2] if row else ""

    @property
    def seq(self) -> int:
        """See ``assistant.session.Journal``."""
        return self._seq

    @property
    def session(self) -> int:
        """See ``assistant.session.Journal``."""
        return self._session

    def append(self, entries: Sequence[Entry]) -> None:
        """Write the entries, all or none. Raises JournalError; ValueError where they don't follow on."""
        with self._mutex, self._errors():
            seq, session, newest, last = self._seq, self._session, self._newest, self._hash
            rows = []
            for entry in entries:
                if entry.seq != seq + 1:
                    raise ValueError(f"entry {entry.seq} can't follow entry {seq} of the journal")
                seq = entry.seq
                if isinstance(entry.event, SessionBegun):
                    session = newest = newest + 1
                elif isinstance(entry.event, SessionResumed):
                    session = entry.event.session
                text = json.dumps(event_to_json(entry.event), ensure_ascii=False, sort_keys=True)
                row = (seq, session, entry.deal, entry.kind, text, round(self._clock(), 3))
                digest = _digest(row, last)
                rows.append((*row, last, digest))
                last = digest
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._seq, self._session, self._newest, self._hash = seq, session, newest, last

    def newest_at(self, place: str) -> int | None:
        """See ``assistant.session.Journal``."""
        with self._mutex, self._errors():
            found = self._connection.execute(
                "SELECT session FROM event WHERE session IN (SELECT session FROM event"
                " WHERE kind = 'session-begun' AND json_extract(json, '$.place') = ?) ORDER BY seq DESC LIMIT 1",
                (place,),
            ).fetchone()
        return None if found is None else int(found[0])

    def entries(self, session: int | None = None) -> tuple[Entry, ...]:
        """The log of the session that was written last, or of the one with this number."""
        with self._mutex, self._errors():
            rows = self._connection.execute(
                "SELECT seq, deal, kind, json FROM event WHERE session = ? ORDER BY seq", (session or self._session,)
            ).fetchall()
        try:
            return tuple(Entry(seq, deal, event_from_json(kind, json.loads(text))) for seq, deal, kind, text in rows)
        except (InvalidInput, ValueError) as error:
            raise JournalError(f"{self.path}: an entry can't be read ({error}): use another --data folder") from None

    def sessions(self) -> tuple[StoredSession, ...]:
        """All stored sessions, the oldest first."""
        with self._mutex, self._errors():
            rows = self._connection.execute(
                "SELECT session, min(time), max(deal), count(*) FROM event GROUP BY session ORDER BY session"
            ).fetchall()
            setups = dict(
                self._connection.execute("SELECT session, json FROM event WHERE kind = 'session-begun'").fetchall()
            )
        found = []
        for session, began, deals, events in rows:
            setup = json.loads(setups.get(session, "{}"))
            found.append(StoredSession(session, began, setup.get("game", "?"), setup.get("players", 0), deals, events))
        return tuple(found)

    def verify(self) -> int:
        """Check the whole chain; the number of events. Raises JournalError that names the first bad one."""
        with self._mutex, self._errors():
            if self._connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise JournalError(f"{self.path}: the file is damaged; keep a copy and use another --data folder")
            last, expected = "", 1
            for *row, prev, digest in self._connection.execute("SELECT * FROM event ORDER BY seq"):
                if row[0] != expected:
                    raise JournalError(f"{self.path}: event {expected} is missing")
                if prev != last or digest != _digest(tuple(row), last):
                    raise JournalError(f"{self.path}: event {row[0]} was changed after it was written")
                last, expected = digest, expected + 1
        return expected - 1

    def close(self) -> None:
        with self._mutex:
            self._connection.close()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(_say(self.path, error)) from None


class FolderLock:
    """Holds a data folder for this process, until it ends however it ends. Raises JournalError if another one does."""

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK_NAME
        try:
            self._connection = sqlite3.connect(path, timeout=0.2, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise JournalError(
                    f"{folder}: another mournival uses this data folder: close it, or give another with --data"
                ) from None
            raise JournalError(_say(path, error)) from None
        except sqlite3.Error as error:
            raise JournalError(_say(path, error)) from None

    def release(self) -> None:
        self._connection.close()


def _digest(row: Sequence[object], prev: str) -> str:
    return hashlib.sha256(json.dumps([*row, prev], ensure_ascii=False).encode()).hexdigest()


def _open_to_write(folder: Path, path: Path) -> sqlite3.Connection:
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
    version = _version(connection, path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    if version == 0:
        with connection:
            connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version={SCHEMA}; COMMIT;")
    elif not os.access(path, os.W_OK):
        raise JournalError(f"{path}: the file can't be written: check its permissions or give another --data folder")
    return connection


def _open_to_read(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal here yet: play with `mournival run`, or give another --data")
    address = path.resolve().as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=5, check_same_thread=False)
    try:
        _version(connection, path)
    except sqlite3.OperationalError:
        # On a medium that can't be written even reading needs to be told so: there can be nobody who writes.
        connection = sqlite3.connect(f"{address}?immutable=1", uri=True, check_same_thread=False)
    if _version(connection, path) == 0:
        raise JournalError(f"{path}: this is no journal of mournival")
    return connection


def _version(connection: sqlite3.Connection, path: Path) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise JournalError(f"{path}: written by a newer mournival (form {version}): update the program, or use --data")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if version == 0 and tables:
        raise JournalError(f"{path}: this is no journal of mournival: give another folder with --data")
    return version


def _say(path: Path, error: Exception) -> str:
    """One line for an error of the file system or of SQLite."""
    text = str(error)
    if isinstance(error, OSError):
        return f"{path.parent}: the data folder can't be used ({error.strerror or error}): give another with --data"
    if "unable to open" in text or "readonly" in text:
        return f"{path.parent}: the data folder can't be written: check its permissions or give another with --data"
    if "malformed" in text or "not a database" in text:
        return f"{path}: the file is damaged; move it away to start afresh, or give another folder with --data"
    if "full" in text:
        return f"{path}: the disk is full: make room, then start again (nothing that was shown is lost)"
    return f"{path}: {text}"
