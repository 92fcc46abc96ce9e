"""Journals with bits turned, pages swapped and files cut, gone, of another form or another program's."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from assistant import session as deciding
from assistant.games.game import GameError
from assistant.session import EMPTY, resume
from assistant.session_events import ActionTaken, Entry
from tests.fuzzing.target import MEMORY, is_one_line
from tests.web.served import RECORD
from web.journal import FILE_NAME, JournalError, SqliteJournal
from web.open_session import OpenSession

PAGE: Final = 4096
NAMES: Final = (FILE_NAME, FILE_NAME + "-wal", "journal.last")
STATEMENTS: Final = (
    "PRAGMA user_version=99",
    "PRAGMA user_version=0",
    "PRAGMA user_version=-3",
    "DROP TRIGGER event_keep; UPDATE event SET json = '{}' WHERE seq = 5",
    "DROP TRIGGER event_keep; UPDATE event SET json = 'null', kind = 'undone' WHERE seq = 9",
    "DROP TRIGGER event_keep; UPDATE event SET kind = 'no-such-kind' WHERE seq = 3",
    "DROP TRIGGER event_keep; UPDATE event SET time = 1e400 WHERE seq = 3",
    "DROP TRIGGER event_stay; DELETE FROM event WHERE seq = 4",
    "DROP TRIGGER event_stay; DELETE FROM event",
    "DROP TABLE event",
    "DROP TABLE event; CREATE TABLE event (seq INTEGER PRIMARY KEY, other TEXT)",
    "DROP TABLE event; CREATE VIEW event AS SELECT 1 AS seq",
    "DROP INDEX event_session; ALTER TABLE event RENAME COLUMN json TO gone",
    "ALTER TABLE event ADD COLUMN more TEXT",
    "CREATE TABLE notes (text TEXT)",
    "CREATE TRIGGER loud AFTER INSERT ON event BEGIN SELECT RAISE(ABORT, 'no'); END",
    "PRAGMA page_size=1024; PRAGMA journal_mode=DELETE; VACUUM",
    "PRAGMA encoding='UTF-16'; VACUUM",
    "PRAGMA journal_mode=DELETE; PRAGMA auto_vacuum=FULL; VACUUM",
    "INSERT INTO event VALUES (99, 1, 1, 'undone', '{}', 0.0, '', 'x')",
)
"""What a strange hand may have done to the file."""

Files = dict[str, bytes]


class Journals:
    """The files of an evening, as a killed program leaves them and as a closed one does."""

    def __init__(self) -> None:
        self._root = tempfile.TemporaryDirectory(prefix="mournival-fuzz-", dir=MEMORY)
        folder = Path(self._root.name) / "whole"
        journal = SqliteJournal(folder)
        session = OpenSession(journal, replace(RECORD.setup, table=(), hands={}))
        session.perform(lambda now: deciding.begin_deal(now, replace(RECORD.setup, hands={})))
        for action in RECORD.actions[:12]:
            session.perform(lambda _, done=action: [ActionTaken(done)])  # type: ignore[misc]
        killed = {name: (folder / name).read_bytes() for name in NAMES}
        self._entries = journal.entries()
        journal.close()
        closed = {name: (folder / name).read_bytes() for name in NAMES if (folder / name).exists()}
        self._whole = (killed, closed)
        self._at = Path(self._root.name) / "case"

    def case(self, number: int) -> tuple[str, bytes]:
        """See ``Target``: the files, one after the other, each with its name and length before it."""
        chance = random.Random(number)
        files = dict(self._whole[number % 2])
        if chance.random() < 0.2:
            files = self._told(files, chance.choice(STATEMENTS))
        for _ in range(chance.choice((1, 1, 2, 4)) if chance.random() < 0.9 else 0):
            name = chance.choice([*files, FILE_NAME] if files else [FILE_NAME])
            if name in files:
                found = chance.choice(_DAMAGES)(chance, bytearray(files[name]))
                if found is None:
                    del files[name]
                else:
                    files[name] = bytes(found)
        head = json.dumps({name: len(data) for name, data in files.items()}).encode()
        return ("killed", "closed")[number % 2], head + b"\n" + b"".join(files.values())

    def outcome(self, data: bytes) -> str:
        """It is refused in one line, or it goes on with an unbroken beginning of what was written; nothing is lost of
        what was there."""
        shutil.rmtree(self._at, ignore_errors=True)
        self._at.mkdir()
        files = _files(data)
        for name, content in files.items():
            (self._at / name).write_bytes(content)
        read = self._read(SqliteJournal, True)
        wrote = self._read(SqliteJournal, False)
        assert read is None or wrote is None or read == wrote, "it is read otherwise than it goes on"
        if FILE_NAME in files and wrote is None:
            assert (self._at / FILE_NAME).exists(), "a journal that is refused is gone"
        return "refused" if wrote is None else "whole" if len(wrote) == len(self._entries) else "cut short"

    def _read(self, opened: Callable[..., SqliteJournal], read_only: bool) -> tuple[Entry, ...] | None:
        """The entries, held to be the first ones that were written; None where the journal is refused."""
        try:
            journal = opened(self._at, read_only=read_only)
        except JournalError as error:
            is_one_line(str(error))
            return None
        try:
            with contextlib.closing(journal):
                if journal.remark:
                    is_one_line(journal.remark)
                entries = journal.entries()
                journal.sessions(), journal.setbacks(), journal.newest_at("table")
                assert entries == self._entries[: len(entries)], "an event is not the one that was written"
                if not read_only:
                    assert journal.verify() == len(entries)
                    self._goes_on(journal, entries)
        except JournalError as error:
            is_one_line(str(error))
            return None
        return entries

    @staticmethod
    def _goes_on(journal: SqliteJournal, entries: tuple[Entry, ...]) -> None:
        """Another event can be written, and is there."""
        state = resume(entries) if entries else EMPTY
        with contextlib.suppress(GameError):
            begun = deciding.begin_session(replace(RECORD.setup, table=(), hands={}))
            _, new = deciding.advance(replace(state, seq=journal.seq), begun)
            journal.append(new)
            assert journal.verify() == len(entries) + len(new)

    def _told(self, files: Files, statement: str) -> Files:
        """The files after somebody gave SQLite a statement."""
        folder = Path(self._root.name) / "told"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        with contextlib.closing(sqlite3.connect(folder / FILE_NAME)) as connection, contextlib.suppress(sqlite3.Error):
            connection.executescript(statement)
        return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).exists()}


def _files(data: bytes) -> Files:
    head, _, rest = data.partition(b"\n")
    files, at = {}, 0
    for name, length in json.loads(head).items():
        files[name] = rest[at : at + length]
        at += length
    return files


def _bits(chance: random.Random, data: bytearray) -> bytearray:
    for _ in range(chance.choice((1, 1, 3, 30, 400))):
        if data:
            end = len(data) if chance.random() < 0.8 else min(len(data), 100)
            data[chance.randrange(end)] ^= 1 << chance.randrange(8)
    return data


def _cut(chance: random.Random, data: bytearray) -> bytearray:
    end = chance.randrange(len(data) + 1)
    return data[: end - end % PAGE] if chance.random() < 0.5 else data[:end]


def _page(chance: random.Random, data: bytearray) -> bytearray:
    pages = max(1, len(data) // PAGE)
    at, other = chance.randrange(pages) * PAGE, chance.randrange(pages) * PAGE
    new = chance.choice((bytes(PAGE), chance.randbytes(PAGE), bytes(data[other : other + PAGE]), b"\xff" * PAGE))
    data[at : at + PAGE] = new
    return data


def _longer(chance: random.Random, data: bytearray) -> bytearray:
    return data + chance.choice((b"\0", chance.randbytes(PAGE), data[-PAGE:], chance.randbytes(77)))


def _number(chance: random.Random, data: bytearray) -> bytearray:
    """A field of the head, or of a page's head: lengths, counts, places."""
    at = chance.choice((0, 16, 18, 20, 24, 28, 32, 36, 40, 44, 56, 60, 96, 100, 101, 103, 105, PAGE + 3, 2 * PAGE + 5))
    word = chance.choice((0, 1, 0x7FFF, 0xFFFF)).to_bytes(2, "big")
    if at + 2 <= len(data):
        data[at : at + 2] = word
    return data


def _gone(_: random.Random, __: bytearray) -> None:
    return None


_DAMAGES: Final[tuple[Callable[[random.Random, bytearray], bytearray | None], ...]] = (
    _bits, _bits, _bits, _cut, _page, _page, _longer, _number, _number, _gone,
)  # fmt: skip
