"""Tables in every state that the page can be asked in, with one guest of each role, in this very process."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from werkzeug.test import Client

from assistant import session as deciding
from assistant.cards import PACK
from assistant.games import game_named
from assistant.games.game import Setup
from assistant.session import SessionState
from assistant.session_events import ActionTaken, Asked, MisplayNoticed, SessionEvent, TableDisagrees
from tests.web.demo_script import Script
from tests.web.served import RECORD
from web.access import Role
from web.access_guard import COOKIE, Lan
from web.api import Context
from web.app import create_app
from web.browser_camera import BrowserCamera
from web.camera_choice import CameraDesk, Home
from web.hand_pictures import HandPictures
from web.journal import SqliteJournal
from web.kept_pictures import KeptPictures
from web.live import Board
from web.local_authority import new_authority
from web.open_session import OpenSession
from web.pairing import Pairing
from web.pictures import Pictures
from web.server import DOOR, LAN_DOOR, LOCAL_DOOR
from web.table_watch import TableWatch, Watched

HOME: Final = "home"
ASKERS: Final = (HOME, *(str(role) for role in Role))
"""Who may ask: somebody at the computer itself, and one of each role through the door to the network."""
SEAT: Final = 2
"""The player's."""
AUTHORITY: Final = new_authority()
LONGEST_STREAM: Final = 2
"""Pieces of a live stream that are waited for."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes = field(repr=False)


class AskedTable:
    """A page with its camera, whose requests are made without a network; close it."""

    def __init__(self, folder: Path) -> None:
        self.journal = SqliteJournal(folder)
        self.session = OpenSession(self.journal, replace(RECORD.setup, table=(), hands={}))
        self.board, self.pictures = Board(), Pictures()
        self.pairing = Pairing()
        camera, self.script = BrowserCamera(), Script()
        watched = Watched(lambda: camera, "The page's camera", live=True)
        self.watch = TableWatch(watched, self.session, self.script, self.board, self.pictures)
        self.context = Context(
            self.session,
            self.board,
            self.pictures,
            self.watch,
            cameras=CameraDesk(self.watch, self.session, Home(folder, lambda _: None)),
            kept=KeptPictures(self.session, self.pictures),
            hand_pictures=HandPictures(lambda: self.script),
        )
        door = Lan(self.pairing, AUTHORITY, ("https://10.0.0.2:8766",))
        self.app = create_app(self.context, browser_camera=True, lan=door)
        self._clients = {name: self._client(name) for name in ASKERS}
        self._follows = False
        self.pictures.put(1, np.zeros((72, 128, 3), np.uint8))

    def follow(self) -> None:
        """The camera's thread runs."""
        self._follows = True
        self.watch.start()

    def close(self) -> None:
        if self._follows:
            self.watch.stop()
        self.board.close()
        self.journal.close()

    def _client(self, name: str) -> Client:
        door = LOCAL_DOOR if name == HOME else LAN_DOOR

        def through(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
            environ[DOOR] = door
            return _shortened(self.app(environ, start))

        client = Client(through)
        if name not in (HOME, Role.STRANGER):
            code = self.pairing.invite(Role(name), SEAT if name == Role.PLAYER else None)
            _, secret = self.pairing.enter(code, "")
            client.set_cookie(COOKIE, secret, domain="127.0.0.1", secure=True)
        return client

    def ask(self, asker: str, method: str, path: str, **what: Any) -> Answer:
        """Ask as this asker; ``what`` as ``werkzeug.test.EnvironBuilder`` takes it."""
        base = "http://127.0.0.1" if asker == HOME else "https://127.0.0.1"
        with closing(self._clients[asker].open(path, method=method, base_url=base, **what)) as answer:
            headers = {name.lower(): value for name, value in answer.headers}
            return Answer(answer.status_code, headers, b"".join(answer.iter_encoded()))

    def perform(self, decide: Callable[[SessionState], Any]) -> None:
        self.session.perform(decide)


@contextmanager
def asked_table(folder: Path, situation: str) -> Iterator[AskedTable]:
    """A table in one of ``SITUATIONS``."""
    table = AskedTable(folder)
    try:
        SITUATIONS[situation](table)
        yield table
    finally:
        table.close()


def _shortened(pieces: Any) -> Iterator[bytes]:
    """An answer, of a live stream only its beginning."""
    try:
        for place, piece in enumerate(pieces):
            yield piece
            if piece.startswith((b"event:", b"retry:", b": here")) and place + 1 >= LONGEST_STREAM:
                return
    finally:
        if hasattr(pieces, "close"):
            pieces.close()


def _deal(table: AskedTable) -> None:
    dealt = replace(RECORD.setup, hands={})
    table.perform(lambda now: deciding.begin_deal(now, dealt))


def _play(table: AskedTable, last: int | None) -> None:
    _deal(table)
    for action in RECORD.actions[:last]:
        table.perform(lambda _, done=action: [ActionTaken(done)])  # type: ignore[misc]


def _troubled(table: AskedTable) -> None:
    """Questions, a table that disagrees, something against the rules, an unsure action."""
    _play(table, 4)
    nxt, other = RECORD.actions[4], RECORD.actions[5]
    card = str(nxt.cards[0])
    events: list[SessionEvent] = [
        ActionTaken(nxt, "camera", 0.6, False),
        Asked(((other,),), "Did this happen?"),
        Asked(((other,), (nxt, other)), "Which?"),
        MisplayNoticed("out-of-turn", "seat 3 was not in turn.", "LLD-9", (3,), (card,)),
        TableDisagrees("Table and game disagree.", ((card, "table"),), ((card, "pile 2"),), 1, (), ()),
    ]
    table.perform(lambda _: events)


def _other_game(name: str, players: int) -> Callable[[AskedTable], None]:
    def begin(table: AskedTable) -> None:
        chance = random.Random(7)
        pack = list(PACK)
        chance.shuffle(pack)
        game = game_named(name)
        dealt = game.shuffled(Setup(name, players, 1), pack)
        table.perform(lambda now: deciding.begin_session(replace(dealt, table=(), hands={}), now.place))
        table.perform(lambda now: deciding.begin_deal(now, dealt))
        position = game.deal(dealt)
        for _ in range(9):
            action = chance.choice(position.legal_actions())
            position = position.apply(action)
            table.perform(lambda _, done=action: [ActionTaken(done)])  # type: ignore[misc]

    return begin


def _with_camera(table: AskedTable) -> None:
    """The camera is looked at; what lies there belongs to a deal that is under way."""
    table.script.now = 60.0
    table.follow()


SITUATIONS: Final[dict[str, Callable[[AskedTable], None]]] = {
    "waiting": lambda _: None,
    "playing": lambda table: _play(table, 6),
    "troubled": _troubled,
    "settled": lambda table: _play(table, None),
    "rolling-stone": _other_game("rolling-stone", 4),
    "sbros": _other_game("sbros", 2),
    "camera": _with_camera,
}
