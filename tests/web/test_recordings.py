"""Uploads by real sockets: what is too large, too many, no picture or a bomb is told in one line and leaves nothing."""

from __future__ import annotations

import io
import json
import os
import socket
import struct
import threading
import tracemalloc
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from tests.web.fake_eye import FakeEye
from tests.web.served import Served, eventually
from web.camera_choice import CameraDesk, Home
from web.cli.run import DEMO
from web.recordings import AT_A_TIME, KEPT, MAX_UPLOAD, NotTaken, Recordings


class FakeWatch(FakeEye):
    """Notes which source it should follow."""

    writing_waits = False

    def __init__(self) -> None:
        self.followed: list[str] = []

    def change(self, watched: Any, shelf: Any, *, layout: Any = None, go: Any = None) -> None:
        if go is not None:
            go()
        self.followed.append(watched.name)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    held = Served(tmp_path)
    context = held.app.extensions["mournival"]
    desk = CameraDesk(FakeWatch(), held.session, Home(tmp_path, lambda place: None))
    held.app.extensions["mournival"] = replace(context, cameras=desk)
    yield held
    held.close()


def png(width: int, height: int) -> bytes:
    """A PNG of one colour whose header says so many pixels; it is small however large that is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + bytes(3 * width)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(min(height, 2000))) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def jpeg(shade: int = 90) -> bytes:
    data = io.BytesIO()
    Pillow.fromarray(np.full((64, 96, 3), shade, np.uint8)).save(data, "JPEG")
    return data.getvalue()


class Sender:
    """A browser's connection that sends a file."""

    def __init__(self, served: Served, name: str, length: int, path: str = "/api/uploads") -> None:
        self.socket = socket.create_connection(("127.0.0.1", served.server.port), timeout=20)
        head = f"POST {path}?name={name} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\n"
        self.socket.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode())

    def answer(self) -> tuple[int, str]:
        """Status and what was said."""
        with self.socket, self.socket.makefile("rb") as answer:
            status = int(answer.readline().split()[1])
            length = 0
            while (line := answer.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            return status, answer.read(length).decode()


def upload(served: Served, name: str, data: bytes) -> tuple[int, Any]:
    return served.post(f"/api/uploads?name={name}", data, {"Content-Type": "application/octet-stream"})


def left(folder: Path) -> list[str]:
    return sorted(os.listdir(folder / "recordings")) if (folder / "recordings").exists() else []


def test_200_mb_are_refused_before_a_byte_of_them_is_sent(served: Served, tmp_path: Path) -> None:
    status, said = Sender(served, "evening.mp4", 200_000_000).answer()
    assert status == 413
    assert said.count("\n") <= 1
    assert left(tmp_path) == []


def test_200_mb_that_are_sent_all_the_same_are_not_kept_in_memory(served: Served, tmp_path: Path) -> None:
    tracemalloc.start()
    sender = Sender(served, "evening.mp4", 200_000_000)
    piece = bytes(1_000_000)
    try:
        for _ in range(200):
            sender.socket.sendall(piece)
    except OSError:
        pass  # it hung up, as it may
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    sender.socket.close()
    assert most < 30_000_000
    assert left(tmp_path) == []
    assert served.get("/api/state")[0] == 200


def test_other_addresses_take_no_file_at_all(served: Served) -> None:
    status, _ = Sender(served, "a.jpg", 5_000_000, "/api/camera-frame").answer()
    assert status == 413


def test_of_ten_at_once_those_beyond_the_places_are_told_so_and_the_others_arrive(
    served: Served, tmp_path: Path
) -> None:
    data = jpeg()
    waiting = [Sender(served, "a.jpg", len(data)) for _ in range(AT_A_TIME)]
    for sender in waiting:
        sender.socket.sendall(data[:100])
    eventually(lambda: len([name for name in left(tmp_path) if name.startswith(".")]) == AT_A_TIME)
    refused = []
    for _ in range(10 - AT_A_TIME):
        sender = Sender(served, "b.jpg", len(data))
        sender.socket.sendall(data)
        refused.append(sender.answer())
    assert {status for status, _ in refused} == {429}
    assert all("send it when they are through" in json.loads(said)["error"] for _, said in refused)
    for sender in waiting:
        sender.socket.sendall(data[100:])
    assert [sender.answer()[0] for sender in waiting] == [200] * AT_A_TIME
    assert upload(served, "c.jpg", data)[0] == 200


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("cards.jpg", b"These are my cards: the king of hearts and a seven.\n" * 40, "neither a video nor a picture"),
        ("bomb.png", png(30_000, 30_000), "too large"),
        ("long.png", png(60_000, 20), "too long"),
        ("empty.mp4", b"", "empty"),
        ("cut.jpg", jpeg()[:300], "cut off"),
        ("evening.jpg", (DEMO / "table.mp4").read_bytes(), "give it its own ending"),
        ("evening.mp4", (DEMO / "table.mp4").read_bytes()[:30_000], "no picture of this video can be read"),
        ("list.mp4", b"#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n", "neither a video nor a picture"),
    ],
)
def test_what_is_no_picture_or_video_is_told_in_one_line_and_leaves_nothing(
    served: Served, tmp_path: Path, name: str, data: bytes, says: str
) -> None:
    status, told = upload(served, name, data)
    assert (status, told["ok"], told["code"]) == (400, False, "bad-file")
    assert says in told["error"]
    assert "\n" not in told["error"]
    assert "recordings" not in told["error"]
    assert left(tmp_path) == []


def test_a_file_that_is_cut_off_on_its_way_leaves_nothing(served: Served, tmp_path: Path) -> None:
    sender = Sender(served, "a.mp4", 1_000_000)
    sender.socket.sendall(bytes(5000))
    eventually(lambda: left(tmp_path))
    sender.socket.close()
    eventually(lambda: left(tmp_path) == [])


def test_a_full_disk_is_told_before_anything_is_read(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=1000))
    status, told = upload(served, "a.jpg", jpeg())
    assert (status, told["code"]) == (503, "no-room")
    assert left(tmp_path) == []


def test_a_name_leads_nowhere_else(served: Served, tmp_path: Path) -> None:
    status, told = upload(served, "..%2F..%2Fetc%2Fcards%00.jpg", jpeg())
    assert status == 200
    assert told["name"] == "upload-cards_"
    assert left(tmp_path) == ["upload-cards_"]
    for name in ("../upload-cards_", "/etc/passwd", "upload-cards_/00001.jpg", "."):
        status, told = served.post("/api/camera", {"kind": "recording", "name": name})
        assert (status, told["code"]) == (400, "no-recording")


def test_videos_and_pictures_that_belong_together_can_be_followed_then(served: Served, tmp_path: Path) -> None:
    assert upload(served, "evening.mp4", (DEMO / "table.mp4").read_bytes()) == (
        200,
        {"ok": True, "name": "upload-evening.mp4"},
    )
    _, first = upload(served, "table.jpg", jpeg(80))
    _, second = upload(served, f"b.jpg&album={first['name']}", jpeg(120))
    assert (first["name"], second["name"]) == ("upload-table", "upload-table")
    _, told = served.get("/api/cameras")
    assert told["recordings"] == [
        {"name": "upload-evening.mp4", "pictures": 0},
        {"name": "upload-table", "pictures": 2},
    ]
    for name in ("upload-evening.mp4", "upload-table"):
        assert served.post("/api/camera", {"kind": "recording", "name": name})[0] == 200
    assert upload(served, "b.jpg&album=upload-nowhere", jpeg())[1]["code"] == "bad-file"


def test_nothing_goes_by_itself_and_one_too_many_is_refused_until_another_is_deleted(
    served: Served, tmp_path: Path
) -> None:
    folder = tmp_path / "recordings"
    folder.mkdir()
    (folder / "own.mp4").write_bytes((DEMO / "table.mp4").read_bytes())
    for number in range(KEPT):
        assert upload(served, f"{number}.jpg", jpeg())[0] == 200
    there = left(tmp_path)
    assert len(there) == KEPT + 1
    status, told = upload(served, "more.jpg", jpeg())
    assert (status, told["code"]) == (409, "too-many")
    assert told["error"] == "more.jpg: 12 files that were sent are there already; delete one that is not needed"
    assert left(tmp_path) == there
    assert upload(served, "b.jpg&album=upload-3", jpeg())[0] == 200, "an album grows all the same"
    assert served.post("/api/camera", {"kind": "recording", "name": "upload-3"})[0] == 200
    for name, refused in (("upload-3", "followed"), ("own.mp4", "no-recording"), ("../own", "no-recording")):
        assert served.post("/api/recordings/delete", {"name": name})[1]["code"] == refused
    assert left(tmp_path) == there
    assert served.post("/api/recordings/delete", {"name": "upload-0"}) == (200, {"ok": True})
    assert left(tmp_path) == [name for name in there if name != "upload-0"]
    assert upload(served, "more.jpg", jpeg())[0] == 200


def test_a_place_is_free_again_after_whatever_went_wrong(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path)
    for _ in range(2 * AT_A_TIME):
        with pytest.raises(NotTaken, match="cut off"):
            recordings.take("a.jpg", 9, io.BytesIO(b"four"))
        with pytest.raises(NotTaken, match="too large"):
            recordings.take("a.jpg", MAX_UPLOAD + 1, io.BytesIO(b""))
    assert recordings.take("a.jpg", len(jpeg()), io.BytesIO(jpeg())) == "upload-a"
    assert threading.active_count() < 200
