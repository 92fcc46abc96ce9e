"""What the camera saw goes into the journal at once, or waits in order until the journal takes entries again."""

from __future__ import annotations

import logging
from typing import Final

from assistant.games.game import GameError
from assistant.session import SessionState, advance
from assistant.session_events import SessionEvent
from assistant.told import tell, words_of
from vision.clock import SYSTEM, Clock
from web.journal import JournalError
from web.open_session import Decide, OpenSession

AGAIN_AFTER_S: Final = 1.0

log = logging.getLogger("mournival")


class WrittenLater:
    """Writes for one thread; while the journal takes nothing (a full disk) nothing of it counts or is shown.

    ``state`` is the session's as it will be once all is written, so that whoever follows the table need not stop and
    nothing that happens meanwhile is lost. ``trouble`` says in one line why something waits; empty where nothing does.
    """

    def __init__(self, session: OpenSession, clock: Clock = SYSTEM) -> None:
        self._session = session
        self._clock = clock
        self._waiting: list[SessionEvent] = []
        self._ahead: SessionState | None = None
        self._seen = 0
        self._again_at = 0.0
        self.trouble = ""

    @property
    def state(self) -> SessionState:
        """The session's state with what waits."""
        return self._ahead or self._session.state

    def perform(self, decide: Decide, *, seen: int) -> None:
        """As ``OpenSession.perform``, but what the journal does not take waits. Raises GameError."""
        if self._ahead is None:
            try:
                self._session.perform(decide, seen=seen)
                return
            except JournalError as error:
                self._failed(error)
                self._seen = seen
        events = list(decide(self.state))
        self._ahead, _ = advance(self.state, events)
        self._waiting += events

    def catch_up(self) -> bool:
        """Try again to write what waits, now and then; False where it does not follow any more, since somebody did
        something meanwhile: it is dropped then, and the table must be compared with the game anew."""
        if self._ahead is None or self._clock.steady() < self._again_at:
            return True
        try:
            self._session.perform(lambda _: self._waiting, seen=self._seen)
        except JournalError as error:
            self._failed(error)
            return True
        except GameError as error:
            log.warning("What the camera saw meanwhile was refused: %s", error)
            fits = False
        else:
            fits = True
        self._waiting, self._ahead, self.trouble = [], None, ""
        return fits

    def _failed(self, error: JournalError) -> None:
        self.trouble = tell("nothing can be written down, so nothing new counts: {why}", why=words_of(error))
        self._again_at = self._clock.steady() + AGAIN_AFTER_S
