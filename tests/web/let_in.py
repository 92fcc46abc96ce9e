"""A table with a door to the network, really served over TLS, and devices that come through it."""

from __future__ import annotations

import http.client
import json
import ssl
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

from assistant import session as deciding
from tests.web.served import RECORD
from web.access import Role
from web.access_guard import COOKIE, Lan
from web.api import Context
from web.cli.doors import Service, doors_of
from web.hand_pictures import HandPictures
from web.journal import SqliteJournal
from web.kept_pictures import KeptPictures
from web.live import Board
from web.local_authority import LocalAuthority
from web.open_session import OpenSession
from web.pictures import Pictures


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Device:
    """A browser somewhere: it keeps its cookies; ``trusts`` the authority or nobody it knows. Without ``tls`` it sits
    at the computer itself."""

    port: int
    tls: bool = True
    trusts: LocalAuthority | None = None
    cookies: dict[str, str] = field(default_factory=dict)

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=None if self.trusts is None else self.trusts.pem)

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None, *, wait: bool = True
    ) -> Answer:
        """Send a request, the way a page of ours would."""
        link: http.client.HTTPConnection
        if self.tls:
            link = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=20, context=self.context())
        else:
            link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        data: bytes | None = None
        if method != "GET":
            sent["Content-Type"] = "image/jpeg" if isinstance(body, bytes) else "application/json"
            sent["Origin"] = f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"
            data = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        try:
            link.request(method, path, data, sent | (headers or {}))
            answer = link.getresponse()
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    cookie, _, secret = value.partition(";")[0].partition("=")
                    self.cookies[cookie] = secret
            found = answer.read() if wait else b""
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, found)
        finally:
            link.close()

    def get(self, path: str, headers: dict[str, str] | None = None, *, wait: bool = True) -> Answer:
        return self.ask("GET", path, None, headers, wait=wait)

    def post(self, path: str, body: object, headers: dict[str, str] | None = None) -> Answer:
        return self.ask("POST", path, body, headers)


class OpenTable:
    """A session of the demo's players, open to the network; close it."""

    def __init__(
        self, folder: Path, *, browser_camera: bool = False, hand_pictures: HandPictures | None = None
    ) -> None:
        self.folder = folder
        self.journal = SqliteJournal(folder)
        self.session = OpenSession(self.journal, replace(RECORD.setup, table=(), hands={}))
        self.board, self.pictures = Board(), Pictures()
        kept = KeptPictures(self.session, self.pictures)
        self.about = Context(self.session, self.board, self.pictures, kept=kept, hand_pictures=hand_pictures)
        service = Service("127.0.0.1", 0, lan=True, no_browser=True)
        with mock.patch("web.cli.doors.lan_addresses", return_value=["127.0.0.1"]):
            (self.local, self.outer), door = doors_of(service, self.about, folder, browser_camera=browser_camera)
        assert door is not None
        self.door: Lan = door
        for server in (self.local, self.outer):
            server.start()

    def close(self) -> None:
        self.board.close()
        for server in (self.local, self.outer):
            server.stop()
        self.journal.close()

    def begin(self) -> None:
        dealt = replace(self.session.setup, table=RECORD.setup.table, dealer=RECORD.setup.dealer)
        self.session.perform(lambda now: deciding.begin_deal(now, dealt))

    def at_home(self) -> Device:
        return Device(self.local.port, tls=False)

    def stranger(self) -> Device:
        return Device(self.outer.port, trusts=self.door.authority)

    def let_in(self, role: Role, seat: int | None = None) -> Device:
        """A device that has given its code."""
        device = self.stranger()
        answer = device.post("/api/pair", {"code": self.door.pairing.invite(role, seat)})
        assert (answer.status, COOKIE in device.cookies) == (200, True), answer.text
        return device
