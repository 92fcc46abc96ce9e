"""Pictures of the table, one for each action, kept for looking back. Nothing is kept unless somebody switched it on.

They lie beside the journal that they belong to, named after its entries, and all go at one word. The switch is off at
every start of the program.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from assistant.session import SessionState
from assistant.session_events import ActionTaken, DealBegun
from assistant.told import tell
from web.journal import SqliteJournal
from web.open_session import OpenSession
from web.pictures import Pictures
from web.wording import again

FOLDER_NAME: Final = "pictures"
MOST_BYTES: Final = 200_000_000
"""Of all pictures together; the oldest go when newer ones come."""

log = logging.getLogger("mournival")


@dataclass(frozen=True, slots=True)
class Kept:
    """How it stands: whether pictures are being kept, how many there are, their bytes, and what went wrong."""

    on: bool
    pictures: int
    size: int
    trouble: str = ""

    def as_json(self) -> dict[str, Any]:
        """For the page."""
        return {"on": self.on, "pictures": self.pictures, "bytes": self.size, "trouble": again(self.trouble)}


class KeptPictures:
    """Keeps the newest picture with each action while it is switched on. Thread-safe.

    A full disk ends the keeping and is told; the game is not touched by it.
    """

    def __init__(self, session: OpenSession, pictures: Pictures, *, most: int = MOST_BYTES) -> None:
        self._session, self._pictures, self._most = session, pictures, most
        self._mutex = threading.Lock()
        self._on = False
        self._trouble = ""
        self._seen, self._began = session.state.seq, session.state.began
        session.listen(self._on_state)

    def switch(self, on: bool) -> None:
        """Keep pictures from now on, or no longer. What was kept stays."""
        with self._mutex:
            self._on, self._trouble = on, ""
            self._seen, self._began = self._session.state.seq, self._session.state.began

    @property
    def on(self) -> bool:
        """Whether pictures are being kept."""
        return self._on

    def told(self) -> Kept:
        """How it stands."""
        sizes = [path.stat().st_size for path in self._files()]
        return Kept(self._on, len(sizes), sum(sizes), self._trouble)

    def entries(self) -> frozenset[int]:
        """The entries of the log of which there is a picture."""
        return frozenset(int(path.stem) for path in self._files())

    def jpeg(self, entry: int) -> bytes | None:
        """The picture of an entry."""
        folder = self._folder()
        with suppress(OSError):
            return None if folder is None else (folder / f"{entry}.jpg").read_bytes()
        return None

    def delete(self) -> None:
        """Delete all pictures. Raises OSError where one can't be."""
        with self._mutex:
            for path in self._files():
                path.unlink(missing_ok=True)

    def _on_state(self, state: SessionState) -> None:
        """A session's listener: whatever was done just now gets the newest picture."""
        with self._mutex:
            deal = None if state.mending or state.began != self._began else state.deal
            new = [] if deal is None else [entry for entry in deal.log if entry.seq > self._seen]
            self._seen, self._began = state.seq, state.began
            done = [entry.seq for entry in new if isinstance(entry.event, ActionTaken | DealBegun)]
            if not (self._on and done):
                return
            found = self._pictures.jpeg()
            if found is not None:
                self._keep(done, found[1])

    def _keep(self, entries: list[int], jpeg: bytes) -> None:
        folder = self._folder()
        if folder is None:
            return
        try:
            folder.mkdir(exist_ok=True)
            for entry in entries:
                (folder / f"{entry}.jpg").write_bytes(jpeg)
            self._make_room()
        except OSError as error:
            self._on = False
            self._trouble = tell(
                "no more pictures are kept: the data folder can't be written ({why})", why=error.strerror
            )
            log.warning("%s", self._trouble)

    def _make_room(self) -> None:
        files = sorted(self._files(), key=lambda path: int(path.stem))
        size = sum(path.stat().st_size for path in files)
        while size > self._most and files:
            oldest = files.pop(0)
            size -= oldest.stat().st_size
            oldest.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        folder = self._folder()
        with suppress(OSError):
            return [] if folder is None else [path for path in folder.glob("*.jpg") if path.stem.isdecimal()]
        return []

    def _folder(self) -> Path | None:
        """Beside the journal; None where the session is in no file."""
        journal = self._session.journal
        return journal.path.parent / FOLDER_NAME if isinstance(journal, SqliteJournal) else None
