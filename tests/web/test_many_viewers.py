"""Many pages at once, over real sockets: who has a place on the stream, who asks instead, and who is cut off."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack

import numpy as np

from tests.web.served import Served, eventually
from web.live import STREAM_CAP

VIEWERS = 20


class Viewer:
    """A page's connection to the stream; ``slow`` takes as little as it may and reads only what it is told to."""

    def __init__(self, served: Served, *, slow: bool = False) -> None:
        self.socket = socket.socket()
        if slow:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", served.server.port))
        self.socket.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self.answer = self.socket.recv(12)
        self.read = b""

    def sees(self, text: bytes) -> bool:
        """Read on until the text came."""
        while text not in self.read:
            piece = self.socket.recv(65536)
            if not piece:
                return False
            self.read += piece
        return True


def test_twenty_viewers_are_served_and_everybody_else_is_too(served: Served) -> None:
    with ExitStack() as closing:
        viewers = [Viewer(served) for _ in range(VIEWERS)]
        for viewer in viewers:
            closing.callback(viewer.socket.close)
        assert {viewer.answer for viewer in viewers} == {b"HTTP/1.1 200"}
        served.begin()
        assert all(viewer.sees(b"Bertram's turn") for viewer in viewers)


def test_whoever_has_no_place_is_told_so_and_can_ask_and_act(served: Served) -> None:
    served.pictures.put(1, np.zeros((90, 160, 3), np.uint8))
    with ExitStack() as closing:
        for _ in range(STREAM_CAP):
            closing.callback(Viewer(served).socket.close)
        status, told = served.get("/api/stream")
        assert (status, told["code"]) == (503, "busy")
        served.begin()
        for _ in range(30):
            assert served.get("/picture.jpg?frame=1")[0] == 200
        _, asked = served.get("/api/state")
        assert asked["state"]["headline"]["text"] == "Bertram's turn"
        assert served.post("/api/again", {"seen": asked["state"]["seq"]})[0] == 200


def test_pages_that_say_nothing_do_not_keep_the_others_waiting(served: Served) -> None:
    """All places on the stream are taken, and several browsers have opened connections that they don't use yet."""
    with ExitStack() as closing:
        for _ in range(STREAM_CAP):
            closing.callback(Viewer(served).socket.close)
        for _ in range(16):
            closing.callback(socket.create_connection(("127.0.0.1", served.server.port)).close)
        assert served.get("/api/state")[0] == 200


def test_a_viewer_that_reads_nothing_is_cut_off_and_its_place_is_free_again(served: Served) -> None:
    with ExitStack() as closing:
        slow = [Viewer(served, slow=True) for _ in range(STREAM_CAP)]
        for viewer in slow:
            closing.callback(viewer.socket.close)
        assert {viewer.answer for viewer in slow} == {b"HTTP/1.1 200"}
        posted = 0

        def free_again() -> bool:
            nonlocal posted
            posted += 1
            served.board.post("view", {"frame": posted, "filling": "x" * 60_000})
            viewer = Viewer(served)
            viewer.socket.close()
            return viewer.answer == b"HTTP/1.1 200"

        eventually(free_again)
        assert posted * 60_000 < 60_000_000
        assert json.loads(served.board.newer(0)["view"].text)["frame"] == posted
