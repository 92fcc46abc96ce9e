"""Reading a session from a file into the journal: what ``journal export --json`` wrote, or deal records.

Everything is played through before anything is written. An imported session gets numbers of its own; what its events
say of each other's numbers is changed with them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any, Final, NoReturn, get_type_hints

from assistant import session as deciding
from assistant.games.game import GameError, InvalidInput
from assistant.match import Match
from assistant.record import Record, parse_records, replay
from assistant.session import EMPTY, SessionState, advance
from assistant.session_events import (
    ActionTaken,
    DealClosed,
    Entry,
    SessionBegun,
    SessionEvent,
    TableSet,
    event_from_json,
    event_to_json,
    number,
)

REFERENCES: Final = ("question", "target", "out", "place")
"""Where an event names another by its number; so do the pairs of ``changes``. 0 names none."""
_PLAIN: Final = (int, str, bool, float)


class ImportRefused(Exception):
    """The file can't be imported; the text says why, and at which line, in one line."""


def events_of(text: str) -> tuple[SessionEvent, ...]:
    """The events of a session that the file holds, with the numbers that they would have from 1 on.

    Raises ImportRefused where it holds none, or one that the rules refuse.
    """
    if not text.strip():
        raise ImportRefused("there is nothing in it")
    return _exported(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else _recorded(text)


def entries_after(seq: int, events: Sequence[SessionEvent], place: Callable[[str], str]) -> tuple[Entry, ...]:
    """The events as they follow on entry ``seq``; ``place`` says where a session of that place is to be from now on."""
    moved = [event_from_json(one.kind, _renumbered(one, seq)) for one in number(0, 0, events)]
    return number(
        seq,
        0,
        (replace(event, place=place(event.place)) if isinstance(event, SessionBegun) else event for event in moved),
    )


def _renumbered(entry: Entry, by: int) -> Mapping[str, Any]:
    data = event_to_json(entry.event)
    return _with_numbers(data, lambda seq: seq + by)


def _with_numbers(data: Mapping[str, Any], new: Callable[[int], int]) -> dict[str, Any]:
    """An event's JSON object with every number of another event replaced."""
    changed = {
        key: new(value) if key in REFERENCES and type(value) is int and value else value for key, value in data.items()
    }
    if "changes" in data:
        changed["changes"] = [[new(int(seq)), became] for seq, became in data["changes"]]
    return changed


# --- what export --json wrote -----------------------------------------------------------------------------------------


def _exported(text: str) -> tuple[SessionEvent, ...]:
    state, numbers = EMPTY, dict[int, int]()
    events: list[SessionEvent] = []
    for at, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        try:
            seq, deal, kind, data = _entry(line)
            if numbers and seq <= max(numbers):
                _refuse(f"event {seq} comes after event {max(numbers)}")
            if kind == "session-resumed":
                continue  # It bridges a gap between the numbers, and there is none any more.
            event = event_from_json(kind, _with_numbers(data, lambda old: _known(numbers, old)))
            _check_written(event, _with_numbers(data, lambda old: numbers[old]))
            if isinstance(event, SessionBegun) and events:
                _refuse("a second session begins here: import one at a time")
            if not events and not isinstance(event, SessionBegun):
                _refuse("a session begins with 'session-begun'")
            state = _after(state, event, deal)
        except GameError as error:
            raise ImportRefused(f"line {at}: {error.reason}") from None
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            raise ImportRefused(f"line {at}: this is no event of a session") from None
        events.append(event)
        numbers[seq] = len(events)
    return tuple(events)


def _entry(line: str) -> tuple[int, int, str, dict[str, Any]]:
    """An event's number, deal, kind and the rest. Raises InvalidInput."""
    try:
        data = json.loads(line, parse_constant=lambda name: _refuse(f"{name} is no number"))
        line.encode("utf-8")
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except InvalidInput:
        raise
    except (ValueError, RecursionError) as error:
        _refuse("a text in it can't be stored" if isinstance(error, UnicodeError) else "this is no JSON object")
    if not isinstance(data, dict):
        _refuse("this is no JSON object")
    seq, deal, kind = (data.pop(key, None) for key in ("seq", "deal", "kind"))
    if type(seq) is not int or type(deal) is not int or not isinstance(kind, str) or seq < 1:
        _refuse("an event has 'seq' and 'deal', whole numbers, and 'kind'")
    return seq, deal, kind, data


def _known(numbers: Mapping[int, int], seq: int) -> int:
    if seq not in numbers:
        _refuse(f"event {seq}, which is named here, is not in the file before it")
    return numbers[seq]


def _check_written(event: SessionEvent, data: Mapping[str, Any]) -> None:
    """Whether the event says what the file says, with values of the right kinds. Raises InvalidInput."""
    stored = json.loads(json.dumps(event_to_json(event)))
    strange = [name for name, value in data.items() if name not in stored or stored[name] != value]
    for name, wanted in get_type_hints(type(event)).items():
        kind = type(getattr(event, name))
        if wanted == int | None and kind not in (int, NoneType):
            strange.append(name)
        if wanted in _PLAIN and kind is not wanted and (wanted, kind) != (float, int):
            strange.append(name)
    if strange:
        _refuse(f"'{strange[0]}' has a value that doesn't belong there")


def _after(state: SessionState, event: SessionEvent, deal: int) -> SessionState:
    """The state after an event that the rules and the session allow. Raises GameError."""
    match event:
        case SessionBegun(setup, place):
            deciding.begin_session(setup, place)
        case TableSet(setup):
            deciding.set_table(state, setup)
        case DealClosed(nets):
            due = deciding.next_deal(state)[0]
            if isinstance(due, DealClosed) and due.nets != nets:
                _refuse(f"the deal's results are {_listed(due.nets)}, not {_listed(nets)}")
        case _:
            pass
    state, (entry,) = advance(state, (event,))
    if entry.deal != deal:
        _refuse(f"this is deal {entry.deal}, not {deal}")
    return state


def _listed(nets: Sequence[float]) -> str:
    return ", ".join(f"{net:+g}" for net in nets)


# --- deal records -----------------------------------------------------------------------------------------------------


def _recorded(text: str) -> tuple[SessionEvent, ...]:
    """The deals as a session: each that is over is put into the account, the last one may be running."""
    try:
        records = parse_records(text)
    except GameError as error:
        raise ImportRefused(error.reason) from None
    first = records[0].setup
    state, entries = advance(EMPTY, deciding.begin_session(replace(first, table=(), hands={}), "table"))
    events = [entry.event for entry in entries]
    match = Match(first.game, first.players)
    for place, record in enumerate(records, 1):
        try:
            wanted = _deal(state, record)
            state, _ = advance(state, wanted)
            events += wanted
            if state.deal is None or not state.deal.position.over:
                if place < len(records):
                    _refuse(f"the deal that begins here is not over, and {len(records) - place} more come after it")
                continue
            match = match.after(state.deal.position)
            closing = deciding.next_deal(state)
            state, _ = advance(state, closing)
            events += closing
        except GameError as error:
            text = error.reason if error.reason.startswith("line ") else f"line {_first_line(record)}: {error.reason}"
            raise ImportRefused(text) from None
    return tuple(events)


def _deal(state: SessionState, record: Record) -> list[SessionEvent]:
    """The events of one deal. Raises GameError, with the line where an action is refused."""
    played = replay(record)
    if played.error is not None and played.failed is not None:
        line, action = played.line_of(played.failed), record.actions[played.failed]
        _refuse(f"line {line}: {action}: {played.error.reason}")
    begun = deciding.begin_deal(state, record.setup)
    return [*begun, *(ActionTaken(action, "hand") for action in record.actions)]


def _first_line(record: Record) -> int:
    return min((line.line for line in record.header_lines.values()), default=1)


def _refuse(reason: str) -> NoReturn:
    raise InvalidInput("not-importable", reason)
