"""A camera is looked for in one's own network alone: wherever its name leads, and wherever it sends one to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from vision.frames import SourceError
from vision.live_sources import AddressSource
from web.near_addresses import check_near, number_near

KNOWN = {
    "table-camera": ["192.168.1.20"],
    "both": ["fd00::7", "10.0.0.7"],
    "here": ["127.0.0.1"],
    "example.test": ["93.184.215.14"],
    "half.test": ["192.168.1.20", "93.184.215.14"],
    "link": ["169.254.1.1"],
    "mapped": ["::ffff:8.8.8.8"],
}


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network's names; nobody is asked for any of them."""

    def find(host: str, port: Any, *_: Any, **__: Any) -> list[Any]:
        if host not in KNOWN:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port or 0)) for number in KNOWN[host]]

    monkeypatch.setattr("web.near_addresses.socket.getaddrinfo", find)


class Camera:
    """Answers everybody with ``answer``; ``asked`` is what it was sent."""

    def __init__(self, answer: bytes) -> None:
        self.answer, self.asked = answer, list[bytes]()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
                with connection:
                    self.asked.append(connection.recv(4000))
                    connection.sendall(self.answer)
            except OSError:
                return


@pytest.fixture
def elsewhere() -> Iterator[Camera]:
    camera = Camera(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
    yield camera
    camera.listener.close()


@pytest.mark.parametrize(
    ("host", "number"),
    [("table-camera", "192.168.1.20"), ("both", "10.0.0.7"), ("10.1.2.3", "10.1.2.3"), ("here", "127.0.0.1")],
)
def test_a_name_at_home_becomes_its_number(host: str, number: str) -> None:
    assert number_near(host) == number


@pytest.mark.parametrize("host", ["example.test", "half.test", "link", "mapped", "8.8.8.8", "169.254.169.254"])
def test_what_is_or_may_be_outside_is_refused(host: str) -> None:
    with pytest.raises(SourceError, match=f"{host}: only cameras in your own network"):
        check_near(f"http://{host}/x")


def test_a_name_that_nobody_knows_is_refused() -> None:
    with pytest.raises(SourceError, match="nowhere: no computer of this name is known in your network"):
        check_near("rtsp://nowhere/1")


@pytest.mark.parametrize("address", ["http://127.0.0.1:8765/", "http://here:8765/x", "https://[::1]:8766/"])
def test_the_program_s_own_page_is_no_camera(address: str) -> None:
    with pytest.raises(SourceError, match="Mournival's own page"):
        check_near(address, own_ports={8765, 8766})
    check_near(address, own_ports={80})
    check_near("http://192.0.2.7:8765/", own_ports={8765})


def test_a_camera_is_opened_at_the_number_that_was_looked_at_and_called_by_its_name(elsewhere: Camera) -> None:
    source = AddressSource(f"http://here:{elsewhere.port}/a", patience=5, at=number_near)
    with pytest.raises(SourceError, match=f"http://here:{elsewhere.port}/a: "):
        source.open()
    assert f"\r\nHost: here:{elsewhere.port}\r\n".encode() in elsewhere.asked[0]
    KNOWN["here"].append("93.184.215.14")
    try:
        with pytest.raises(SourceError, match="only cameras in your own network"):
            source.open()
    finally:
        KNOWN["here"].pop()
    assert len(elsewhere.asked) == 1


@pytest.mark.parametrize("how", ["redirection", "list"])
def test_a_camera_that_sends_elsewhere_is_not_followed_there(elsewhere: Camera, how: str) -> None:
    address = f"http://127.0.0.1:{elsewhere.port}/b.ts"
    if how == "redirection":
        answer = f"HTTP/1.0 302 Found\r\nLocation: {address}\r\nContent-Length: 0\r\n\r\n"
    else:
        listed = f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{address}\n#EXT-X-ENDLIST\n"
        kind = "application/vnd.apple.mpegurl"
        answer = f"HTTP/1.0 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(listed)}\r\n\r\n{listed}"
    camera = Camera(answer.encode())
    with pytest.raises(SourceError):
        AddressSource(f"http://here:{camera.port}/a.m3u8", patience=5, at=number_near).open()
    camera.listener.close()
    assert (len(camera.asked) > 0, elsewhere.asked) == (True, [])
