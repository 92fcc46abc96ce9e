"""The session that is open: one owner of its state for the page, the camera's thread and the journal."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace

from assistant.games.game import Setup
from assistant.session import (
    Journal,
    SessionState,
    advance,
    begin_session,
    check_fresh,
    resume,
)
from assistant.session_events import SessionEvent, SessionResumed, Withdrawn

Decide = Callable[[SessionState], Iterable[SessionEvent]]
Listener = Callable[[SessionState], None]

log = logging.getLogger("mournival")


class OpenSession:
    """Decides, writes, then shows: an event counts only once the journal holds it. Thread-safe.

    Goes on with the session that was played last at the same ``place`` (``table``, ``demo``, a recording's path), also
    where sessions at other places were played since; otherwise begins one with ``setup``. ``resumed`` tells which.
    """

    def __init__(self, journal: Journal, setup: Setup, *, place: str = "table") -> None:
        self._mutex = threading.RLock()
        self._listeners: list[Listener] = []
        self._journal: Journal = journal
        self._state: SessionState = SessionState(seq=journal.seq)
        self.resumed = False
        self._open(journal, setup, place)

    def go_to(self, place: str, setup: Setup, journal: Journal | None = None) -> None:
        """Leave this session as it is and go on at another place, in another ``journal`` if one is given. At the same
        place nothing changes. Raises GameError or the journal's error; then this session stays the open one."""
        with self._mutex:
            if journal is None and place == self._state.place:
                return
            before = self._journal, self._state, self.resumed
            try:
                self._open(journal or self._journal, setup, place)
            except BaseException:
                self._journal, self._state, self.resumed = before
                raise
            self._tell()

    def _open(self, journal: Journal, setup: Setup, place: str) -> None:
        session = journal.newest_at(place)
        self._journal, self.resumed = journal, session is not None
        if session is None:
            self._state = SessionState(seq=journal.seq)
            self._write(begin_session(setup, place))
            return
        events: list[SessionEvent] = [] if session == journal.session else [SessionResumed(session)]
        self._state = replace(resume(journal.entries(session)), seq=journal.seq)
        if self._state.deal is not None:
            # Whoever asked is gone: what the camera can't tell, it asks again.
            events += [Withdrawn(question.seq, "started again") for question in self._state.deal.questions]
        self._write(events)

    @property
    def journal(self) -> Journal:
        """Where this session is written down."""
        return self._journal

    @property
    def state(self) -> SessionState:
        """The state now."""
        return self._state

    @property
    def setup(self) -> Setup:
        """How the next deal will be played."""
        assert self._state.setup is not None
        return self._state.setup

    def perform(self, decide: Decide, *, seen: int | None = None) -> SessionState:
        """Ask ``decide`` for the events that follow from the state now, write them, and go on from there.

        ``seen`` is the sequence number on which a command from outside rests. Raises GameError (nothing is written)
        or the journal's error (nothing is shown).
        """
        with self._mutex:
            if seen is not None:
                check_fresh(self._state, seen)
            if self._write(decide(self._state)):
                self._tell()
            return self._state

    def _tell(self) -> None:
        """Tell all listeners of the state, each whatever becomes of the others: what it is about is written already."""
        for listener in self._listeners:
            try:
                listener(self._state)
            except Exception:
                log.exception("Entry %s is written, and somebody who was told of it failed", self._state.seq)

    def _write(self, events: Iterable[SessionEvent]) -> bool:
        """Write the events and go on from there; whether there were any."""
        state, entries = advance(self._state, events)
        if entries:
            self._journal.append(entries)
            self._state = state
        return bool(entries)

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` with the state now and after every change, in order. What it raises now goes on to the
        caller; what it raises later is logged, as nothing that is written can be taken back by it."""
        with self._mutex:
            self._listeners.append(listener)
            listener(self._state)
