"""``mournival journal``: the stored sessions."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from assistant.games.game import GameError
from assistant.record import decode_record, record_of
from assistant.session import SessionState, fold
from assistant.session_events import (
    DealAbandoned,
    DealBegun,
    DealClosed,
    Entry,
    SessionBegun,
    SessionEvent,
    event_to_json,
)
from vision.plain_text import one_line
from web.cli import Unusable, Wrong, tell
from web.journal import FolderLock, JournalError, SqliteJournal, default_folder
from web.journal_import import ImportRefused, NoSession, entries_after, events_of

LARGEST: Final = 20_000_000
"""Bytes that an imported file may have."""


@click.group()
def journal() -> None:
    """List, check, export or import the stored sessions."""


def _data(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--data", "folder", metavar="DIR", type=Path, help="Where the journal is kept.")(command)


def _open(folder: Path | None, *, quietly: bool = False) -> SqliteJournal:
    """The journal to read. Of a damaged one what is whole, which is told unless ``quietly``."""
    try:
        stored = SqliteJournal(folder or default_folder(), read_only=True)
    except JournalError as error:
        raise Unusable(str(error)) from None
    if stored.remark and not quietly:
        tell(f"mournival: {stored.remark}")
    return stored


def _events(number: int) -> str:
    return "1 event" if number == 1 else f"{number} events"


@journal.command("list")
@_data
@click.option("--json", "as_json", is_flag=True, help="One JSON object a session.")
def list_sessions(folder: Path | None, as_json: bool) -> None:
    """The stored sessions, the oldest first."""
    stored = _open(folder)
    try:
        sessions = stored.sessions()
    except JournalError as error:
        raise Unusable(str(error)) from None
    for one in sessions:
        if as_json:
            facts = {"session": one.session, "began": one.began, "game": one.game, "players": one.players}
            click.echo(json.dumps({**facts, "deals": one.deals, "events": one.events}))
        else:
            began = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.began))
            deals = "1 deal" if one.deals == 1 else f"{one.deals} deals"
            click.echo(f"{one.session}: {began}, {one.game}, {one.players} players, {deals}, {_events(one.events)}")
    if not sessions and not as_json and not stored.remark:
        click.echo("No session is stored yet.")


@journal.command(short_help="Check that the journal is whole and unchanged.")
@_data
def verify(folder: Path | None) -> None:
    """Check that the journal is whole and unchanged, and that it can be played through."""
    stored = _open(folder, quietly=True)
    try:
        events = stored.verify()
        for one in stored.sessions():
            _through(stored.entries(one.session), one.session)
    except JournalError as error:
        raise Wrong(str(error)) from None
    click.echo(f"The journal is whole: {_events(events)}.")
    for seq, seconds in stored.setbacks():
        minutes = max(1, round(seconds / 60))
        tell(f"The clock was set back by {minutes} min before event {seq}; the events have kept their order.")


def _through(entries: tuple[Entry, ...], session: int) -> SessionState:
    try:
        return fold(entries, SessionState(seq=entries[0].seq - 1))
    except GameError as error:
        raise JournalError(f"session {session} can't be played through: {error.reason}") from None


@journal.command(short_help="Export a stored session as deal records.")
@_data
@click.argument("session", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="Every event as a JSON object, one a line.")
@click.option("--out", type=Path, metavar="DIR", help="Write one file a deal there instead of printing.")
def export(folder: Path | None, session: int | None, as_json: bool, out: Path | None) -> None:
    """Export a stored session (the last played by default) as deal records."""
    stored = _open(folder)
    try:
        known = [one.session for one in stored.sessions()]
        if session is None and known:
            session = stored.session
        if session not in known:
            raise Unusable(f"{stored.path}: there is no session {session}; see `mournival journal list`")
        entries = stored.entries(session)
        if as_json:
            for entry in entries:
                facts = {"seq": entry.seq, "deal": entry.deal, "kind": entry.kind}
                click.echo(json.dumps({**facts, **event_to_json(entry.event)}))
            return
        records = deal_records(entries)
    except JournalError as error:
        raise Unusable(str(error)) from None
    except GameError as error:
        raise Wrong(f"session {session} can't be played through: {error.reason}") from None
    if not records:
        click.echo(f"Session {session} holds no deal yet.", err=True)
    for number, text in records:
        if out is None:
            click.echo(f"# session {session}, deal {number}\n{text}")
            continue
        path = out / f"session-{session}-deal-{number}.deal"
        try:
            out.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise Unusable(f"{path}: can't be written ({error.strerror})") from None
        click.echo(str(path))


def deal_records(entries: tuple[Entry, ...]) -> list[tuple[int, str]]:
    """The record of every deal of a session as it ended, abandoned ones left out."""
    state = SessionState(seq=entries[0].seq - 1) if entries else SessionState()
    records: dict[int, str] = {}
    for entry in entries:
        before = state
        state = fold((entry,), state)
        if before.deal is not None and isinstance(entry.event, DealAbandoned | SessionBegun):
            records.pop(before.deal.number, None)
        elif before.deal is not None and isinstance(entry.event, DealClosed):
            records[before.deal.number] = record_of(before.deal.position).text()
    for deal in (*state.aside, *([] if state.deal is None else [state.deal])):
        records[deal.number] = record_of(deal.position).text()
    return sorted(records.items())


@journal.command("import", short_help="Import a session from a file.")
@_data
@click.argument("file")
def import_session(folder: Path | None, file: str) -> None:
    """Import a session: what `export --json` wrote, or deal records, one or several.

    FILE may be - for standard input. It becomes a session of its own; everything in it is checked before anything is
    written. Exit status: 0 imported, 1 an event or action is not allowed, 2 the file can't be used.
    """
    events = _events_in(file)
    folder = folder or default_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
        try:
            stored = SqliteJournal(folder)
            if stored.remark:
                tell(f"mournival: {stored.remark}")
            stored.append(entries_after(stored.seq, events, lambda place: _own_place(stored, place, file)))
            session, count = stored.session, len(stored.entries())
            stored.close()
        finally:
            lock.release()
    except OSError as error:
        raise Unusable(f"{folder}: the data folder can't be used ({error.strerror})") from None
    except JournalError as error:
        raise Unusable(str(error)) from None
    deals = sum(isinstance(event, DealBegun) for event in events)
    said = "1 deal" if deals == 1 else f"{deals} deals"
    click.echo(f"Imported as session {session}: {said}, {_events(count)}.")


def _events_in(name: str) -> tuple[SessionEvent, ...]:
    """The session that a file holds. Raises Unusable or Wrong."""
    called = "standard input" if name == "-" else one_line(name)
    try:
        if name == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Unusable(f"{called}: larger than {LARGEST} bytes, so no session")
        return events_of(decode_record(data))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unusable(f"{called}: can't be read ({reason})") from None
    except GameError as error:
        raise Unusable(f"{called}: {error.reason}") from None
    except NoSession as error:
        raise Unusable(f"{called}: {error}") from None
    except ImportRefused as error:
        raise Wrong(f"{called}: {error}") from None


def _own_place(stored: SqliteJournal, place: str, file: str) -> str:
    """An imported session takes no place where a session is already: `mournival run` goes on with that one."""
    return place if stored.newest_at(place) is None else f"imported {one_line(file)}"
