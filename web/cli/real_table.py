"""The journal of the real table: open from the start, or opened once a camera is chosen while the demo is shown.

The demo that is chosen on the page has a journal of its own, of which nothing is kept.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from assistant.games.game import Setup
from assistant.session import Journal, begin_session
from assistant.told import later, tell
from web.camera_choice import CantChoose
from web.guest_list import GuestList
from web.journal import FolderLock, JournalError, SqliteJournal
from web.open_session import OpenSession
from web.pairing import Pairing
from web.zone_shelf import TABLE_PLACE

DEMO_PLACE: Final = "demo"


class RealTable:
    """Takes the session from place to place. ``setup``: how a new session at the real table is set up. ``is_open``:
    whether its journal is the one that the session is written to already; else it is opened when it is needed."""

    def __init__(self, session: OpenSession, folder: Path, setup: Setup, *, is_open: bool) -> None:
        self._session = session
        self._folder = folder
        self._setup = setup
        self._home: Journal | None = session.journal if is_open else None
        self._pairing: Pairing | None = None
        self._lock: FolderLock | None = None
        self._opened: SqliteJournal | None = None
        self._demo: SqliteJournal | None = None

    def keep_guests(self, pairing: Pairing) -> None:
        """Keep who is let in beside the real table's journal, so that they are in when the program is started again:
        at once, or where another program has that folder, once the table is entered."""
        if self._home is not None:
            return
        self._pairing = pairing
        with suppress(CantChoose, JournalError):
            self._hold()

    def enter(self, place: str) -> None:
        """Go on with the session of this place. Raises CantChoose, JournalError and GameError."""
        setup = self._setup if place == TABLE_PLACE else self._session.setup
        if self._home is not None:
            self._session.go_to(place, setup, None if self._session.journal is self._home else self._home)
            return
        self._hold()
        try:
            journal = SqliteJournal(self._folder)
            try:
                self._session.go_to(place, setup, journal)
            except BaseException:
                journal.close()
                raise
        except BaseException:
            if self._pairing is None:
                self._let_go()
            raise
        self._opened = self._home = journal

    def enter_demo(self, setup: Setup) -> None:
        """Go on with the demo, from its empty table on. Raises CantChoose, JournalError and GameError."""
        if self._demo is None:
            try:
                self._demo = SqliteJournal(Path(tempfile.mkdtemp(prefix="mournival-demo-")))
            except OSError as error:
                raise _unusable(Path(tempfile.gettempdir()), error) from None
        self._session.go_to(DEMO_PLACE, setup, self._demo)
        if self._session.resumed:
            self._session.perform(lambda state: begin_session(setup, state.place))

    def close(self) -> None:
        """Let go of what was opened here."""
        if self._opened is not None:
            self._opened.close()
        if self._demo is not None:
            self._demo.close()
            shutil.rmtree(self._demo.path.parent, ignore_errors=True)
        self._let_go()

    def _hold(self) -> None:
        """Have the folder for this program alone."""
        if self._lock is not None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self._folder)
        except OSError as error:
            raise _unusable(self._folder, error) from None
        if self._pairing is not None:
            self._pairing.keep_in(GuestList(self._folder))

    def _let_go(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()


def _unusable(folder: Path, error: OSError) -> CantChoose:
    pattern = later("{folder}: the data folder can't be used ({why}): give another with --data")
    return CantChoose("not-now", tell(pattern, folder=folder, why=error.strerror))
