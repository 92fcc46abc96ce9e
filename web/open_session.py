"""The session that is open: one owner of its state for the page, the camera's thread and the journal."""

from __future__ import annotations

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


class OpenSession:
    """Decides, writes, then shows: an event counts only once the journal holds it. Thread-safe.

    Goes on with the session that was played last at the same ``place`` (``table``, ``demo``, a recording's path), also
    where sessions at other places were played since; otherwise begins one with ``setup``. ``resumed`` tells which.
    """

    def __init__(self, journal: Journal, setup: Setup, *, place: str = "table") -> None:
        self._journal = journal
        self._mutex = threading.RLock()
        self._listeners: list[Listener] = []
        session = journal.newest_at(place)
        self.resumed = session is not None
        if session is None:
            self._state = SessionState(seq=journal.seq)
            self.perform(lambda _: begin_session(setup, place))
            return
        events: list[SessionEvent] = [] if session == journal.session else [SessionResumed(session)]
        self._state = replace(resume(journal.entries(session)), seq=journal.seq)
        if self._state.deal is not None:
            # Whoever asked is gone: what the camera can't tell, it asks again.
            events += [Withdrawn(question.seq, "started again") for question in self._state.deal.questions]
        self.perform(lambda _: events)

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
            state, entries = advance(self._state, decide(self._state))
            if entries:
                self._journal.append(entries)
                self._state = state
                for listener in self._listeners:
                    listener(state)
            return self._state

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` with the state now and after every change, in order."""
        with self._mutex:
            self._listeners.append(listener)
            listener(self._state)
