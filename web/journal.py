"""The journal: everything that happened, in one SQLite file in the data folder, never changed and never taken out.

Each event is one row; its ``hash`` covers the row and the hash of the row before, so that a changed, missing or
inserted row shows. An event is on the disk before anybody sees its effect (WAL, ``synchronous=FULL``).
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from assistant.games.game import InvalidInput
from assistant.session_events import Entry, SessionBegun, SessionResumed, event_from_json, event_to_json
from assistant.told import Told, later, tell
from vision.clock import SYSTEM, Clock
from web.journal_form import STEPS, bring_up_to_date, digest, follows, insert, version_of
from web.journal_form import JournalError as JournalError
from web.journal_rescue import LastMark, examine, finish, go_on

SCHEMA: Final = len(STEPS)
FILE_NAME: Final = "journal.sqlite3"
MOST: Final = 2**63 - 1
"""The highest number that SQLite knows."""
LOCK_NAME: Final = "in-use.sqlite3"


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

    Each row is stamped with the wall's time, which may go back; the order is that of the numbers. A damaged file is
    set aside and its whole events go on in a fresh one. ``read_only``: what the file holds now, of a damaged one the
    whole events; nothing is touched. ``remark`` says of the damage, in one line, what the user should know; empty
    where all is well.
    Raises JournalError for a folder that can't be written, a file of a newer program or somebody else's.
    """

    def __init__(self, folder: Path, *, clock: Clock = SYSTEM, read_only: bool = False) -> None:
        self.path = folder / FILE_NAME
        self.remark = ""
        self._clock = clock
        self._read_only = read_only
        self._mutex = threading.Lock()
        self._mark = LastMark(self.path)
        try:
            self._connection = self._open_to_read() if read_only else self._open_to_write()
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
        if not read_only:
            self._mark.write(self._seq, self._hash)

    def _open_to_write(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        finish(self.path)
        found = examine(self.path)
        if found.damage:
            self.remark = go_on(self.path, found, time.strftime("%Y%m%d-%H%M%S", time.localtime(self._clock.wall())))
        elif found.rows and not os.access(self.path, os.W_OK):
            raise JournalError(
                f"{self.path}: the file can't be written: check its permissions or give another --data folder"
            )
        with contextlib.suppress(OSError):  # who played for what is nobody else's affair
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600))
            os.chmod(self.path, 0o600)  # older programs let others read it
        connection = sqlite3.connect(self.path, timeout=5, isolation_level=None, check_same_thread=False)
        version = version_of(connection, self.path)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        bring_up_to_date(connection, version)
        return connection

    def _open_to_read(self) -> sqlite3.Connection:
        """What the file holds, in memory."""
        found = examine(self.path)
        if not self.path.is_file() and not found.damage:
            raise JournalError(
                f"{self.path}: there is no journal here yet: play with `mournival run`, or give another --data"
            )
        if not found.rows and not found.damage and self.path.stat().st_size == 0:
            raise JournalError(f"{self.path}: this is no journal of mournival")
        if found.damage:
            lost = f" ({found.lost})" if found.lost else ""
            self.remark = f"{self.path}: the journal is damaged: {found.damage}; {found.whole}{lost}"
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        bring_up_to_date(connection, 0)
        insert(connection, found.rows)
        return connection

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
                row = (seq, session, entry.deal, entry.kind, text, round(self._clock.wall(), 3))
                own = digest(row, last)
                rows.append((*row, last, own))
                last = own
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                insert(self._connection, rows)
            self._mark.write(seq, last)
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
        """The log of the session that was written last, or of the one with this number; empty where there is none."""
        if session is not None and session > MOST:
            return ()
        with self._mutex, self._errors():
            rows = self._connection.execute(
                "SELECT seq, deal, kind, json FROM event WHERE session = ? ORDER BY seq", (session or self._session,)
            ).fetchall()
        try:
            return tuple(Entry(seq, deal, event_from_json(kind, json.loads(text))) for seq, deal, kind, text in rows)
        except InvalidInput as error:
            newer = "written by a newer mournival: update the program" if error.code == "unknown-event" else "damaged"
            raise JournalError(f"{self.path}: {newer}, or give another folder with --data ({error.reason})") from None
        except ValueError as error:
            raise JournalError(f"{self.path}: an entry can't be read ({error}): use another --data folder") from None

    def sessions(self) -> tuple[StoredSession, ...]:
        """All stored sessions, the oldest first."""
        with self._mutex, self._errors():
            rows = self._connection.execute(
                "SELECT begun.session, begun.time, begun.json, max(event.deal), count(*) FROM event AS begun"
                " JOIN event USING (session) WHERE begun.kind = 'session-begun' GROUP BY session ORDER BY session"
            ).fetchall()
        found = []
        for session, began, text, deals, events in rows:
            setup = json.loads(text)
            found.append(StoredSession(session, began, setup.get("game", "?"), setup.get("players", 0), deals, events))
        return tuple(found)

    def verify(self) -> int:
        """Check the whole chain; the number of events. Raises JournalError that names what is wrong."""
        if self._read_only and self.remark:
            raise JournalError(self.remark)
        with self._mutex, self._errors():
            if self._connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise JournalError(f"{self.path}: the file is damaged; start the program, and it goes on with the rest")
            last, count = "", 0
            for row in self._connection.execute("SELECT * FROM event ORDER BY seq"):
                if not follows(row, count, last):
                    what = "is missing" if row[0] > count + 1 else "was changed after it was written"
                    raise JournalError(f"{self.path}: event {count + 1} {what}")
                last, count = row[-1], count + 1
        return count

    def setbacks(self) -> tuple[tuple[int, float], ...]:
        """Where the computer's clock was set back: the event before which, and by how many seconds at least."""
        with self._mutex, self._errors():
            rows = self._connection.execute("SELECT seq, time FROM event ORDER BY seq").fetchall()
        pairs = itertools.pairwise(rows)
        return tuple((seq, before - time) for (_, before), (seq, time) in pairs if before - time >= 1)

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


def _say(path: Path, error: Exception) -> Told:
    """One line for an error of the file system or of SQLite."""
    text = str(error)
    if isinstance(error, OSError):
        values = {"folder": path.parent, "why": error.strerror or error}
        return tell("{folder}: the data folder can't be used ({why}): give another with --data", **values)
    if "unable to open" in text or "readonly" in text:
        pattern = later("{folder}: the data folder can't be written: check its permissions or give another with --data")
        return tell(pattern, folder=path.parent)
    if "malformed" in text or "not a database" in text:
        pattern = later("{path}: the file is damaged; move it away to start afresh, or give another folder with --data")
        return tell(pattern, path=path)
    if "full" in text:
        return tell("{path}: the disk is full: make room and it goes on (nothing that was shown is lost)", path=path)
    if "disk I/O" in text:
        pattern = later(
            "{path}: the disk can't be written or read: see whether it is full or failing (what was shown is kept)"
        )
        return tell(pattern, path=path)
    return tell("{path}: {why}", path=path, why=text)
