"""A page that is really served: journal, session, board and server, with or without somebody who watches the table."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from assistant import session as deciding
from assistant.games.game import Action
from assistant.record import Record, parse_record
from assistant.session import SessionState
from assistant.session_events import ActionTaken, SessionEvent
from web.api import Context, Eye
from web.app import create_app
from web.cli.run import DEMO
from web.hand_pictures import HandPictures
from web.journal import SqliteJournal
from web.kept_pictures import KeptPictures
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.server import Server

PATIENCE_S: Final = 120.0
"""How long a test waits for what has to come, on a computer that has much else to do."""

RECORD: Record = parse_record((DEMO / "table.deal").read_text(encoding="utf-8"))


class Served:
    """A session of the demo's players with its page; close it."""

    def __init__(
        self,
        folder: Path,
        *,
        eye: Callable[[OpenSession, Board, Pictures], Eye] | None = None,
        browser_camera: bool = False,
        hand_pictures: HandPictures | None = None,
    ) -> None:
        self.journal = SqliteJournal(folder)
        self.session = OpenSession(self.journal, replace(RECORD.setup, table=(), hands={}))
        self.board, self.pictures = Board(), Pictures()
        watching = eye(self.session, self.board, self.pictures) if eye is not None else None
        kept = KeptPictures(self.session, self.pictures)
        context = Context(self.session, self.board, self.pictures, watching, kept=kept, hand_pictures=hand_pictures)
        self.app = create_app(context, browser_camera=browser_camera)
        self.server = Server(self.app, port=0)
        self.server.start()
        self.url = f"http://127.0.0.1:{self.server.port}"

    def close(self) -> None:
        self.board.close()
        self.server.stop()
        self.journal.close()

    @property
    def state(self) -> SessionState:
        return self.session.state

    @property
    def deal(self) -> deciding.Deal:
        assert self.state.deal is not None
        return self.state.deal

    def write(self, *events: SessionEvent) -> None:
        self.session.perform(lambda _: events)

    def begin(self) -> None:
        """The demo's table cards are dealt; the hands are not seen."""
        dealt = replace(self.session.setup, table=RECORD.setup.table, dealer=RECORD.setup.dealer)
        self.session.perform(lambda now: deciding.begin_deal(now, dealt))

    def play(self, first: int = 0, last: int | None = None) -> None:
        """The demo's actions from the ``first`` up to before the ``last``."""
        for action in RECORD.actions[first:last]:
            self.write(ActionTaken(action))

    def act(self, line: str) -> None:
        self.write(ActionTaken(Action.parse(line)))

    def post(self, path: str, body: object, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}{path}", data, {"Content-Type": "application/json", **(headers or {})}, method="POST"
        )
        return _answer(request)

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        return _answer(urllib.request.Request(f"{self.url}{path}", headers=headers or {}))


def _answer(request: urllib.request.Request) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text


def eventually(true: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.05)
