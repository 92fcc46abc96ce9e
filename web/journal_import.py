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
from assistant.record import InvalidRecord, Record, parse_records, replay
from assistant.session import EMPTY, SessionState, advance
from assistant.session_events import (
    ActionTaken,
    DealBegun,
    DealClosed,
    Entry,
    SessionBegun,
    SessionEvent,
    TableSet,
    event_from_json,
    event_to_json,
    options_from_json,
)
from assistant.told import Told

REFERENCES: Final = ("question", "target", "out", "place")
"""Where an event names another by its number; so do the pairs of ``changes``. 0 names none."""
_UNREADABLE: Final = ("unreadable", "unknown-event", "bad-event")
"""The codes of what is no event at all, whatever the rules say of it."""
_PLAIN: Final = (int, str, bool, float)


class ImportRefused(Exception):
    """The file can't be imported; the text says why, and at which line, in one line."""


class NoSession(ImportRefused):
    """The file holds no session, or a line of it can't be read."""


def events_of(text: str) -> tuple[SessionEvent, ...]:
    """The events of a session that the file holds, with the numbers that they would have from 1 on. The hands of a deal
    that is not over are left out: whoever goes on with it is told what lies open.

    Raises ImportRefused where the rules refuse it, NoSession where it holds none that can be read.
    """
    if not text.strip():
        raise NoSession("there is nothing in it")
    exported = text.lstrip("\ufeff \t\r\n").startswith("{")
    return _unseen(_exported(text) if exported else _recorded(text))


def _unseen(events: tuple[SessionEvent, ...]) -> tuple[SessionEvent, ...]:
    """The events without the hands of the deals that were never played to their end; one that was given up may be taken
    up again."""
    ended, state = set[int](), EMPTY
    for event in events:
        state, _ = advance(state, (event,))
        deals = (*state.aside, *([] if state.deal is None else [state.deal]))
        ended |= {deal.log[0].seq for deal in deals if deal.position.over or deal.reopened}
    shown = tuple(
        replace(event, setup=replace(event.setup, hands={}))
        if isinstance(event, DealBegun) and number not in ended
        else event
        for number, event in enumerate(events, 1)
    )
    try:
        advance(EMPTY, shown)
    except GameError as error:
        raise ImportRefused(f"the deal that is not over can't go on without its hands: {error.reason}") from None
    return shown


def entries_after(seq: int, events: Sequence[SessionEvent], place: Callable[[str], str]) -> tuple[Entry, ...]:
    """The events as they follow on entry ``seq``; ``place`` says where a session of that place is to be from now on."""
    _, numbered = advance(EMPTY, events)
    moved = (event_from_json(one.kind, _renumbered(one, seq)) for one in numbered)
    placed = (replace(event, place=place(event.place)) if isinstance(event, SessionBegun) else event for event in moved)
    return advance(SessionState(seq=seq), placed)[1]


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
            refused = NoSession if error.code in _UNREADABLE else ImportRefused
            raise refused(f"line {at}: {error.reason}") from None
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            raise NoSession(f"line {at}: this is no event of a session") from None
        events.append(event)
        numbers[seq] = len(events)
    return tuple(events)


def _entry(line: str) -> tuple[int, int, str, dict[str, Any]]:
    """An event's number, deal, kind and the rest. Raises InvalidInput."""
    try:
        data = json.loads(line, parse_constant=lambda name: _unreadable(f"{name} is no number"))
        line.encode("utf-8")
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except InvalidInput:
        raise
    except (ValueError, RecursionError) as error:
        _unreadable("a text in it can't be stored" if isinstance(error, UnicodeError) else "this is no JSON object")
    if not isinstance(data, dict):
        _unreadable("this is no JSON object")
    seq, deal, kind = (data.pop(key, None) for key in ("seq", "deal", "kind"))
    if type(seq) is not int or type(deal) is not int or not isinstance(kind, str) or seq < 1:
        _unreadable("an event has 'seq' and 'deal', whole numbers, and 'kind'")
    return seq, deal, kind, data


def _known(numbers: Mapping[int, int], seq: int) -> int:
    if seq not in numbers:
        _refuse(f"event {seq}, which is named here, is not in the file before it")
    return numbers[seq]


def _check_written(event: SessionEvent, data: Mapping[str, Any]) -> None:
    """Whether the event says what the file says, with values of the right kinds. Raises InvalidInput."""
    stored = json.loads(json.dumps(event_to_json(event)))
    if "options" in data:
        data = {**data, "options": options_from_json(data["options"])}
    strange = [name for name, value in data.items() if name not in stored or stored[name] != value]
    for name, wanted in get_type_hints(type(event)).items():
        kind = type(getattr(event, name))
        if wanted == int | None and kind not in (int, NoneType):
            strange.append(name)
        if wanted in _PLAIN and kind is not wanted and (wanted, kind) not in ((float, int), (str, Told)):
            strange.append(name)
    if strange:
        _unreadable(f"'{strange[0]}' has a value that doesn't belong there")


def _after(state: SessionState, event: SessionEvent, deal: int) -> SessionState:
    """The state after an event that the rules and the session allow. Raises GameError."""
    match event:
        case SessionBegun(setup, place):
            deciding.begin_session(setup, place)
        case TableSet(setup):
            deciding.set_table(state, setup)
        case DealClosed(nets, sure):
            due = deciding.next_deal(state)[0]
            if isinstance(due, DealClosed) and due.nets != nets:
                _refuse(f"the deal's results are {_listed(due.nets)}, not {_listed(nets)}")
            if isinstance(due, DealClosed) and sure and not due.sure:
                _refuse("the deal is not sure, and 'sure' says that it is")
        case _:
            pass
    state, (entry,) = advance(state, (event,))
    if deal not in (entry.deal, state.dealt):  # older programs wrote the newest deal's number while another was open
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
        raise NoSession(error.reason) from None
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
        except InvalidRecord as error:
            raise NoSession(error.reason) from None
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


def _unreadable(reason: str) -> NoReturn:
    raise InvalidInput("unreadable", reason)
