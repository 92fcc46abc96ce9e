"""A damaged journal: what of it is whole, and how it goes on from there. Nothing is ever deleted.

An event counts as whole if the chain of hashes from the first event leads to it. Events are looked for through SQLite,
as far as that can read the file, and in the pages of the file and of its write-ahead log themselves. As an older file
without its log is a whole journal, too, the number of the last event is kept in a file beside it (``LastMark``).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import struct
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assistant.told import Told, later, tell
from web.journal_form import COLUMNS, JournalError, Row, bring_up_to_date, follows, insert, version_of

WAL: Final = "-wal"
_BESIDE: Final = (WAL, "-shm")
_PAGE: Final = 4096
_WAL_HEAD: Final = 32
_FRAME_HEAD: Final = 24
_LEAF: Final = 0x0D


@dataclass(frozen=True, slots=True)
class Found:
    """What a journal file holds: its whole ``rows`` from the first on, and ``damage``, what is wrong with it in a few
    words; empty where all is well. ``last`` is the number of the last event that was ever written, if known."""

    rows: tuple[Row, ...] = ()
    damage: str = ""
    last: int = 0

    @property
    def lost(self) -> str:
        """Which events are not there any more, in words for the user; empty for none."""
        first = len(self.rows) + 1
        if self.last < first:
            return ""
        if self.last == first:
            return tell("event {first} is lost", first=first)
        return tell("events {first} to {last} are lost", first=first, last=self.last)

    @property
    def whole(self) -> str:
        """How many events are whole, in words."""
        count = len(self.rows)
        if count < 2:
            return tell("event 1 is whole") if count else tell("no event is whole")
        return tell("events 1 to {count} are whole", count=count)


class LastMark:
    """The number and hash of the last event that was written, in a small file beside the journal.

    It is only there to notice that events are missing from the end: where it can't be written or read, it is left out.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_suffix(".last")

    def read(self) -> tuple[int, str]:
        """The number and the hash; (0, "") where nothing is known."""
        try:
            seq, mark = self._path.read_text(encoding="ascii").split()
            return int(seq), mark
        except (OSError, ValueError):
            return 0, ""

    def write(self, seq: int, mark: str) -> None:
        """Note that event ``seq`` is in the journal. As long as ever, so that a full disk has room for it."""
        with contextlib.suppress(OSError), open(os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            os.chmod(self._path, 0o600)  # older programs let others read it
            file.write(f"{seq:012d} {mark:>64}\n".encode("ascii"))


def examine(path: Path) -> Found:
    """What the journal at ``path`` holds; the file is not touched. Raises JournalError for a newer file and for
    somebody else's, OSError or sqlite3.Error where it can't be read at all."""
    last, mark = LastMark(path).read()  # first: a program that writes meanwhile is ahead of it
    damage = ""
    rows: list[Row] = []
    if path.is_file() and path.stat().st_size:
        damage, rows = _read(path)
    elif last or _beside(path, WAL).is_file():
        damage = tell("the file is empty") if path.is_file() else tell("the file is gone")
    if rows and last == len(rows) and rows[-1][-1] != mark:
        last = 0  # Another journal was put here.
    if not damage and last > len(rows):
        damage = tell("the newest events are missing")
    if not damage:
        return Found(tuple(rows))
    found = _longest([*rows, *_in_pages(path)])
    if len(found) == len(rows) and not last:
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
            last = _newest(path)
    if not found and not last and "no database" in damage:
        raise JournalError(
            f"{path}: the file is damaged, and no event can be found in it; move it away to start afresh,"
            " or give another folder with --data"
        )
    return Found(tuple(found), damage, max(last, len(found)))


def go_on(path: Path, found: Found, stamp: str) -> Told:
    """Put a fresh journal with the whole events in the damaged one's place; what to tell the user, in one line.

    The damaged file is kept beside it with ``stamp`` in its name. Cut off at any moment, ``finish`` ends it.
    Raises OSError or sqlite3.Error where that can't be done; the journal is then as it was.
    """
    fresh = path.with_suffix(".fresh")
    fresh.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=EXTRA")
        bring_up_to_date(connection, 0)
        connection.execute("BEGIN")
        insert(connection, found.rows)
        connection.execute("COMMIT")
    kept = next(name for name in _names(path, stamp) if not name.exists() and not _beside(name, WAL).exists())
    os.replace(fresh, kept.with_suffix(".instead"))  # From here on it is decided.
    finish(path)
    values = {"path": path, "damage": found.damage, "whole": found.whole, "lost": found.lost, "kept": kept.name}
    return tell(_went_on(bool(found.lost), kept.exists()), **values)


def _went_on(lost: bool, kept: bool) -> str:
    """The pattern that tells how it went on."""
    if lost and kept:
        return later(
            "{path}: the journal was damaged ({damage}): {whole} and it goes on from there, {lost}; "
            "the damaged file is kept as {kept}"
        )
    if lost:
        return later("{path}: the journal was damaged ({damage}): {whole} and it goes on from there, {lost}")
    if kept:
        return later(
            "{path}: the journal was damaged ({damage}): {whole} and it goes on from there; "
            "the damaged file is kept as {kept}"
        )
    return later("{path}: the journal was damaged ({damage}): {whole} and it goes on from there")


def finish(path: Path) -> None:
    """End what ``go_on`` had decided when the program was cut off; nothing to do otherwise."""
    for instead in sorted(path.parent.glob(f"{path.stem}-damaged-*.instead")):
        kept = instead.with_suffix(path.suffix)
        log = _beside(path, WAL)
        if log.exists() and log.stat().st_size == 0:
            log.unlink()  # Made by whoever looked into the file.
        for old, new in ((log, _beside(kept, WAL)), (path, kept)):
            if old.exists() and not new.exists():
                os.replace(old, new)
        _beside(path, "-shm").unlink(missing_ok=True)  # Only an index of the log; it is made anew.
        os.replace(instead, path)
        with contextlib.suppress(OSError):  # Windows has no folders that can be synced.
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _names(path: Path, stamp: str) -> Iterator[Path]:
    yield path.with_stem(f"{path.stem}-damaged-{stamp}")
    for number in range(2, 1000):
        yield path.with_stem(f"{path.stem}-damaged-{stamp}-{number}")


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


# --- through SQLite ---------------------------------------------------------------------------------------------------


def _read(path: Path) -> tuple[str, list[Row]]:
    """What is wrong with the file, and its rows as far as they are whole."""
    rows: list[Row] = []
    try:
        with opened(path) as connection:
            if version_of(connection, path) == 0:
                return "", []
            for row in connection.execute("SELECT * FROM event ORDER BY seq"):
                if not follows(row, len(rows), rows[-1][-1] if rows else ""):
                    missing = type(row[0]) is int and row[0] > len(rows) + 1
                    return f"event {len(rows) + 1} {'is missing' if missing else 'was changed'}", rows
                rows.append(row)
            if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
                return "its pages don't fit together", rows
    except UnicodeDecodeError:  # SQLite's own message holds what is broken in the file
        return f"it can't be read after event {len(rows)}" if rows else "it can't be read", rows
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code & 0xFF == sqlite3.SQLITE_NOTADB:
            return "it is no database any more", rows
        if code & 0xFF == sqlite3.SQLITE_CORRUPT or str(error).startswith("no such"):
            return f"it can't be read after event {len(rows)}" if rows else "it can't be read", rows
        raise
    return "", rows


def _newest(path: Path) -> int:
    """The highest number in a file whose chain is broken."""
    with opened(path) as connection:
        return int(connection.execute("SELECT max(seq) FROM event").fetchone()[0] or 0)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, opened to read; on a medium that can't be written, where SQLite has no room for its index, a copy."""
    with contextlib.ExitStack() as closing:
        try:
            connection = _connect(path)
            closing.callback(connection.close)
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="mournival-")))
            for file in (path, _beside(path, WAL)):
                if file.is_file():
                    shutil.copyfile(file, folder / file.name)
            connection = _connect(folder / path.name)
            closing.callback(connection.close)
        yield connection


def _connect(path: Path) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=5, isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")  # what is replaced breaks the chain
    return connection


# --- in the pages themselves ------------------------------------------------------------------------------------------


def _in_pages(path: Path) -> Iterator[Row]:
    """Every row that stands in a page of the file or of its log, the newest first, whatever else is broken."""
    wal, main = (file.read_bytes() if file.is_file() else b"" for file in (_beside(path, WAL), path))
    frames = range(_WAL_HEAD + _FRAME_HEAD, len(wal), _FRAME_HEAD + _PAGE)
    for data, places in ((wal, reversed(frames)), (main, reversed(range(0, len(main), _PAGE)))):
        for place in places:
            if data[place] == _LEAF:
                yield from _cells(data[place : place + _PAGE])


def _cells(page: bytes) -> Iterator[Row]:
    """The rows of a leaf page that can be read. https://www.sqlite.org/fileformat2.html, 1.6 and 2.1."""
    count = int.from_bytes(page[3:5])
    for index in range(min(count, _PAGE // 4)):
        with contextlib.suppress(IndexError, ValueError, struct.error):
            yield _row(page, int.from_bytes(page[8 + 2 * index : 10 + 2 * index]))


def _row(page: bytes, at: int) -> Row:
    """The row whose cell begins ``at``. Raises ValueError, IndexError or struct.error where there is none."""
    _, at = _varint(page, at)
    seq, at = _varint(page, at)
    header, start = _varint(page, at)
    end = at + header
    kinds = []
    while start < end:
        kind, start = _varint(page, start)
        kinds.append(kind)
    if len(kinds) != COLUMNS or start != end:
        raise ValueError("another table's row")
    values: list[object] = []
    for kind in kinds:
        size = _size(kind)
        part = page[end : end + size]
        if len(part) < size:
            raise ValueError("the row goes on in another page")
        values.append(_value(kind, part))
        end += size
    return (seq, *values[1:5], float(str(values[5])), *values[6:])


def _size(kind: int) -> int:
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind] if kind < 10 else (kind - 12) // 2


def _value(kind: int, part: bytes) -> object:
    if kind == 7:
        return struct.unpack(">d", part)[0]
    if kind in (8, 9):
        return kind - 8
    return int.from_bytes(part, signed=True) if kind < 7 else part.decode("utf-8")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins ``at`` in seven bits a byte, and where the next thing begins."""
    number = 0
    for step in range(9):
        byte = data[at + step]
        if step == 8:
            return number << 8 | byte, at + 9
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number, at + step + 1


def _longest(rows: Iterable[Row]) -> list[Row]:
    """The unbroken chain from event 1 on; of two rows that would fit, the one that was found first."""
    by_place: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        by_place[row[0]].append(row)
    chain: list[Row] = []
    while True:
        prev = chain[-1][-1] if chain else ""
        after = next((row for row in by_place[len(chain) + 1] if follows(row, len(chain), prev)), None)
        if after is None:
            return chain
        chain.append(after)
