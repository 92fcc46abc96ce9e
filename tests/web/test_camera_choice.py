"""The camera is chosen while the program runs: the game goes on, nobody waits, and what is secret stays so."""

from __future__ import annotations

import json
import logging
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant import session as deciding
from assistant.session_events import ActionTaken, DealBegun
from tests.web.served import RECORD, Served, eventually
from tests.web.test_table_watch import Blank
from vision.frames import SourceError
from vision.live_sources import LiveSource
from web import camera_choice
from web.access import Role
from web.browser_camera import BrowserCamera, Photographs
from web.camera_choice import CameraDesk, Choice, Home, camera_zones, remembered
from web.cli.real_table import RealTable
from web.cli.run import DEMO, demo_table
from web.guest_list import GuestList
from web.journal import FolderLock, JournalError, SqliteJournal
from web.open_session import OpenSession
from web.pairing import Pairing
from web.table_watch import TableWatch, Watched
from web.zone_shelf import ZoneShelf

SENDER = {"kind": "page", "sender": "page-one"}


def picture(shade: int) -> bytes:
    return cv2.imencode(".jpg", np.full((90, 160, 3), shade, np.uint8))[1].tobytes()


class Noted:
    """Notes what it should watch; its ``came`` says that a picture came."""

    writing_waits = False
    watched: Watched

    def change(self, watched: Watched, shelf: ZoneShelf | None, *, go: Any = None, **_: Any) -> None:
        go()
        self.watched = watched


class Hanging:
    """A camera whose driver hangs as soon as it is asked for a picture."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def connect(self) -> Any:
        self.released.wait(60)
        raise SourceError("no-camera", "it is gone")


class Table(Served):
    """The page of a table in front of a camera that hangs; other cameras can be chosen."""

    def __init__(self, folder: Path) -> None:
        self.hanging = Hanging()
        self.source = LiveSource("camera 0", self.hanging.connect, join_for=0.01)
        super().__init__(folder, eye=self.watching)
        self.session.go_to("table", self.session.setup)
        self.desk = CameraDesk(self.watch, self.session, Home(folder, self.enter))
        context = self.app.extensions["mournival"]
        self.app.extensions["mournival"] = replace(context, cameras=self.desk)
        self.watch.start()

    def watching(self, session: OpenSession, board: Any, pictures: Any) -> TableWatch:
        self.watch = TableWatch(Watched(lambda: self.source, "camera 0", live=True), session, Blank(), board, pictures)
        return self.watch

    def enter(self, place: str) -> None:
        self.session.go_to(place, self.session.setup)

    def close(self) -> None:
        self.hanging.released.set()
        self.watch.stop()
        super().close()

    def told(self, channel: str) -> Any:
        return self.get("/api/state")[1].get(channel, {})


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    held = Table(tmp_path)
    yield held
    held.close()


def test_another_camera_is_followed_though_the_one_before_hangs_and_the_game_goes_on(table: Table) -> None:
    table.begin()
    table.play(0, 3)
    before = table.deal
    assert table.post("/api/camera", SENDER) == (200, {"ok": True})
    assert table.watch.offer(picture(90), "page-one")
    eventually(lambda: table.told("eye").get("ok") and table.told("view"))
    assert table.deal.done == before.done
    assert table.get("/api/cameras")[1]["now"] == {"kind": "page", "name": "The page's camera"}
    assert table.post("/api/undo", {"seen": table.state.seq})[0] == 200


def test_pictures_of_one_page_alone_are_taken(table: Table) -> None:
    jpeg = {"Content-Type": "image/jpeg"}
    table.post("/api/camera", SENDER)
    eventually(lambda: table.post("/api/camera-frame?sender=page-one", picture(90), jpeg)[0] == 204)
    status, told = table.post("/api/camera-frame?sender=page-two", picture(10), jpeg)
    assert (status, told["code"]) == (409, "other-camera")
    assert table.post("/api/camera-frame?sender=page-one", b"These are my cards", jpeg)[0] == 400
    table.post("/api/camera", {"kind": "page", "sender": "page-two"})
    eventually(lambda: table.post("/api/camera-frame?sender=page-two", picture(10), jpeg)[0] == 204)
    assert table.post("/api/camera-frame?sender=page-one", picture(90), jpeg)[0] == 409


def test_a_page_that_stops_its_camera_is_told_at_once_and_comes_back(table: Table) -> None:
    table.post("/api/camera", SENDER)
    eventually(lambda: table.watch.offer(picture(90), "page-one") and table.told("eye").get("ok"))
    table.post("/api/camera-gone", {"sender": "page-two"})
    table.post("/api/camera-gone", {"sender": "page-one"})
    eventually(lambda: "switched off" in table.told("eye").get("text", ""))
    assert table.told("eye")["ok"] is False
    eventually(lambda: table.watch.offer(picture(120), "page-one") and table.told("eye").get("ok"))


def test_a_recording_has_its_own_game_and_the_tables_waits(table: Table, tmp_path: Path) -> None:
    table.begin()
    began = table.state.began
    folder = tmp_path / "recordings"
    folder.mkdir()
    (folder / "evening.mp4").write_bytes((DEMO / "table.mp4").read_bytes())
    assert table.post("/api/camera", {"kind": "recording", "name": "evening.mp4"}) == (200, {"ok": True})
    assert table.state.began != began
    assert table.state.deal is None
    assert str(tmp_path) in table.state.place
    eventually(lambda: table.told("view").get("width") == 960 or table.told("view").get("width"))
    assert table.post("/api/camera", SENDER)[0] == 200
    assert (table.state.began, table.deal.number) == (began, 1)
    stored = table.journal.entries(began)
    assert [entry.kind for entry in stored][:2] == ["session-begun", "deal-begun"]


def test_a_camera_s_password_is_nowhere(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    address = "rtsp://anna:geheim77@127.0.0.1:9/stream?token=geheim78"
    with caplog.at_level(logging.DEBUG):
        assert table.post("/api/camera", {"kind": "address", "address": address}) == (200, {"ok": True})
        eventually(lambda: "trying again" in table.told("eye").get("text", ""))
        status, told = table.post("/api/camera", {"kind": "address", "address": address.replace("rtsp", "gopher")})
        assert status == 400
    assert "gopher://" in told["error"]
    status, told = table.post("/api/camera", {"kind": "address", "address": "file:///etc/passwd"})
    assert (status, told["error"].partition(":/")[2].partition(":")[0]) == (400, "//etc/passwd")
    shown = json.dumps([told, table.get("/api/cameras")[1], table.get("/api/state")[1]])
    assert "rtsp://***@127.0.0.1:9/stream?***" in shown
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("latin-1")
    out, err = capfd.readouterr()
    assert "geheim" not in shown + caplog.text + files + out + err


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"kind": "satellite"},
        {"kind": "camera", "index": True, "name": "Webcam"},
        {"kind": "camera", "index": 0, "name": "Other"},
        {"kind": "camera", "index": 7, "name": "Webcam"},
        {"kind": "page"},
        {"kind": "page", "sender": "x"},
        {"kind": "address"},
        {"kind": "address", "address": "0"},
        {"kind": "address", "address": "/etc/passwd"},
        {"kind": "address", "address": "file:///etc/passwd"},
        {"kind": "address", "address": "exec:rm -rf /"},
        {"kind": "address", "address": "rtsp://"},
        {"kind": "address", "address": "http://[::1"},
        {"kind": "address", "address": "rtsp://8.8.8.8/1"},
        {"kind": "address", "address": "http://169.254.169.254/latest"},
        {"kind": "address", "address": "rtsp://[fe80::1%25eth0]/1"},
        {"kind": "address", "address": "rtsp://[::ffff:169.254.0.9]/1"},
        {"kind": "address", "address": "rtsp://2130706433/1"},
        {"kind": "address", "address": "rtsp://0x7f.1/1"},
        {"kind": "address", "address": "rtsp://127.1/1"},
        {"kind": "address", "address": "rtsp://0177.0.0.1/1"},
        {"kind": "recording"},
        {"kind": "recording", "name": "../mournival.sqlite3"},
    ],
)
def test_what_can_not_be_chosen_is_told_in_one_line_and_changes_nothing(
    table: Table, wanted: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_choice, "listed_cameras", lambda: {0: "Webcam"})
    status, told = table.post("/api/camera", wanted)
    assert (status, told["ok"]) == (400, False)
    assert "\n" not in told["error"]
    assert "2130706433" not in told["error"]
    assert table.desk.now is None
    assert table.state.place == "table"


def test_the_computer_s_camera_is_remembered_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {0: "Integrated", 2: "HD Webcam"}
    monkeypatch.setattr(camera_choice, "listed_cameras", lambda: there)
    session = OpenSession(SqliteJournal(tmp_path), demo_table(1.0).setup)
    watch = Noted()
    assert remembered(tmp_path) is None
    desk = CameraDesk(watch, session, Home(tmp_path, lambda place: None))
    desk.choose({"kind": "camera", "index": 2, "name": "HD Webcam"})
    watch.watched.came()
    assert remembered(tmp_path) == "2"
    there.clear()
    there.update({0: "HD Webcam", 1: "Integrated"})
    assert remembered(tmp_path) == "0"
    there.clear()
    with pytest.raises(SourceError, match="HD Webcam: it is not plugged in"):
        remembered(tmp_path)
    assert camera_zones("HD Webcam") != camera_zones("Integrated")
    for damaged in ("[1", "7", '{"kind": "address"}', '{"kind": "camera", "index": "x"}'):
        (tmp_path / "camera.json").write_text(damaged)
        assert remembered(tmp_path) is None


def test_only_what_gave_a_picture_is_remembered_and_what_can_not_be_opened_again_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    folder.mkdir()
    (folder / "evening.mp4").write_bytes((DEMO / "table.mp4").read_bytes())
    watch = Noted()
    desk = CameraDesk(watch, OpenSession(SqliteJournal(tmp_path), RECORD.setup), Home(tmp_path, lambda place: None))
    good, dead = "rtsp://127.0.0.1/1", "rtsp://127.0.0.1/2"
    desk.choose({"kind": "address", "address": good})
    assert remembered(tmp_path) is None
    watch.watched.came()
    desk.choose({"kind": "address", "address": dead})
    assert remembered(tmp_path) == good
    desk.choose({"kind": "recording", "name": "evening.mp4"})
    watch.watched.came()
    assert remembered(tmp_path) == good
    passing: list[dict[str, Any]] = [
        SENDER,
        {"kind": "photographs", "sender": "page-one"},
        {"kind": "address", "address": "rtsp://anna:geheim@127.0.0.1/1"},
    ]
    for other in passing:
        desk.choose(other)
        assert remembered(tmp_path) == good
        watch.watched.came()
        assert remembered(tmp_path) is None
        desk.choose({"kind": "address", "address": good})
        watch.watched.came()


def test_from_the_demo_one_comes_to_the_real_table_and_its_journal(tmp_path: Path) -> None:
    passing, home = tmp_path / "passing", tmp_path / "home"
    passing.mkdir()
    demo = SqliteJournal(passing)
    session = OpenSession(demo, demo_table(1.0).setup, place="demo")
    real = RealTable(session, home, replace(RECORD.setup, table=(), hands={}, players=5, names=()), is_open=False)
    home.mkdir()
    other = FolderLock(home)
    with pytest.raises(JournalError, match="data folder"):
        real.enter("table")
    assert session.state.place == "demo"
    other.release()
    real.enter("table")
    assert (session.state.place, session.setup.players) == ("table", 5)
    session.perform(lambda now: deciding.set_table(now, replace(session.setup, dealer=3)))
    real.enter("table")
    real.close()
    demo.close()
    again = OpenSession(SqliteJournal(home), demo_table(1.0).setup)
    assert (again.resumed, again.setup.dealer) == (True, 3)


def test_a_photograph_stands_for_the_table_until_the_next_one() -> None:
    photographs = Photographs(sender="page-one")
    photographs.open()
    photographs.offer(picture(90))
    frames = iter(photographs)
    first, again = next(frames), next(frames)
    assert (first.index, again.index) == (1, 1)
    assert again.t > first.t
    photographs.offer(picture(200))
    later = next(frames)
    assert (later.index, abs(int(later.image.mean()) - 200) < 5) == (2, True)
    photographs.close()
    assert list(frames) == []


def test_a_camera_that_was_switched_off_says_so_after_its_last_picture_and_until_it_sends_again() -> None:
    camera = BrowserCamera(patience=0.05)
    camera.open()
    camera.offer(picture(90))
    camera.gone()
    assert next(iter(camera)).image.shape == (90, 160, 3)
    for _ in range(2):
        with pytest.raises(SourceError, match="switched off"):
            next(iter(camera))
    camera.offer(picture(90))
    assert next(iter(camera)).image.shape == (90, 160, 3)
    with pytest.raises(SourceError, match="no picture comes"):
        next(iter(camera))


@pytest.mark.parametrize("is_open", [True, False])
def test_the_demo_can_be_chosen_again_and_nothing_of_it_is_kept(tmp_path: Path, is_open: bool) -> None:
    demo, home = demo_table(1.0), tmp_path / "home"
    home.mkdir()
    start = SqliteJournal(home if is_open else tmp_path)
    session = OpenSession(start, demo.setup, place="table" if is_open else "demo")
    real, watch = RealTable(session, home, RECORD.setup, is_open=is_open), Noted()

    def show_demo() -> Choice:
        enter = partial(real.enter_demo, demo.setup)
        return Choice("demo", "Demo table", demo.watched.open, "demo", live=False, layout=demo.layout, enter=enter)

    desk = CameraDesk(watch, session, Home(home, real.enter, show_demo))
    desk.choose(SENDER)
    watch.watched.came()
    session.perform(lambda _: [DealBegun(RECORD.setup)])
    for _ in range(2):
        desk.choose({"kind": "demo"})
        assert (session.state.place, session.state.deal, session.setup) == ("demo", None, demo.setup)
        session.perform(lambda _: [DealBegun(RECORD.setup), ActionTaken(RECORD.actions[0])])
        passing = session.journal.path.parent  # type: ignore[attr-defined]
        assert home not in (passing, *passing.parents)
        desk.choose(SENDER)
        assert session.state.place == "table"
        assert session.state.deal is not None
        assert session.state.deal.done == ()
    real.close()
    assert not passing.exists()
    journal = SqliteJournal(home)
    assert journal.newest_at("demo") is None
    assert journal.newest_at("table") is not None


def test_who_was_let_in_while_the_demo_was_shown_is_in_when_the_program_is_started_again(tmp_path: Path) -> None:
    """Also where another program had the data folder until the table was entered."""
    home, setup = tmp_path / "home", demo_table(1.0).setup
    home.mkdir()

    def started() -> tuple[RealTable, Pairing]:
        passing = Path(tempfile.mkdtemp(dir=tmp_path))
        session = OpenSession(SqliteJournal(passing), setup, place="demo")
        real, pairing = RealTable(session, home, setup, is_open=False), Pairing(GuestList(passing))
        real.keep_guests(pairing)
        return real, pairing

    def let_in(pairing: Pairing) -> str:
        return pairing.enter(pairing.invite(Role.VIEWER), "a")[1]

    other = FolderLock(home)
    real, pairing = started()
    early = let_in(pairing)
    assert not (home / "guests.json").exists()
    other.release()
    real.enter("table")
    late = let_in(pairing)
    real.close()
    again, pairing = started()
    assert None not in (pairing.guest(early), pairing.guest(late))
    third = let_in(pairing)
    again.close()
    last, pairing = started()
    assert [pairing.guest(secret) is None for secret in (early, late, third)] == [False] * 3
    last.close()
