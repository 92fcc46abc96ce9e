"""Cameras that go away, hang, freeze or are slow: the page is told, they are opened anew, and nothing piles up."""

from __future__ import annotations

import gc
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.scripted_clock import ScriptedClock
from tests.web.served import eventually
from tests.web.test_table_watch import Blank
from vision.frames import FrameSource, SourceError
from vision.live_sources import LiveSource
from vision.recogniser import Image
from web.browser_camera import BrowserCamera
from web.cli.run import demo_table
from web.journal import SqliteJournal
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.table_watch import FROZEN_S, LONGEST_PAUSE_S, TableWatch, Watched

LOSSES = 50


class Device:
    """A camera that holds a file open while it is plugged in; ``then`` is what its read does after ``pictures``."""

    def __init__(
        self, then: Callable[[], object], pictures: int = 2, shade: Callable[[int], int] = lambda n: n
    ) -> None:
        self._file = os.open(os.devnull, os.O_RDONLY)
        self._then, self._left, self._shade = then, pictures, shade

    def read(self) -> Image:
        if self._left == 0:
            self._then()
        self._left -= 1
        return np.full((90, 160, 3), self._shade(self._left) % 250, np.uint8)

    def close(self) -> None:
        os.close(self._file)


def unplugged() -> None:
    raise SourceError("camera-lost", "camera 0: gives no more pictures; plug it in again")


def jpeg(shade: int) -> bytes:
    return cv2.imencode(".jpg", np.full((90, 160, 3), shade, np.uint8))[1].tobytes()


def open_files() -> int:
    gc.collect()  # what earlier tests left behind closes its files now, not in the middle
    return len(os.listdir("/dev/fd"))


class Table:
    """A table watched through a scripted camera; ``eye`` is all that the page was told of it."""

    def __init__(self, folder: Path, source: FrameSource, clock: ScriptedClock) -> None:
        self.clock = clock
        self.board = Board(clock=clock)
        session = OpenSession(SqliteJournal(folder), demo_table(1.0).setup, place="demo")
        watched = Watched(lambda: source, "camera 0", live=True)
        self.pictures = Pictures()
        self.watch = TableWatch(watched, session, Blank(), self.board, self.pictures, clock=clock)

    @property
    def eye(self) -> Any:
        found = self.board.newer(0).get("eye")
        return {} if found is None else json.loads(found.text)


def test_a_camera_unplugged_fifty_times_leaves_no_thread_and_no_file_open(tmp_path: Path) -> None:
    clock, plugged, last = ScriptedClock(), 0, threading.Event()

    def connect() -> Device:
        nonlocal plugged
        plugged += 1
        return Device(last.wait if plugged > LOSSES else unplugged)

    table = Table(tmp_path, LiveSource("camera 0", connect, clock=clock), clock)
    threads, files = threading.active_count(), open_files()
    table.watch.start()
    eventually(lambda: plugged > LOSSES and table.eye.get("ok"))
    assert threading.active_count() <= threads + 2  # the watch and the one reader
    assert open_files() <= files + 1
    assert len(clock.waited) == LOSSES
    last.set()
    table.watch.stop()
    eventually(lambda: (threading.active_count(), open_files()) == (threads, files))


def test_a_camera_that_is_away_is_asked_for_less_and_less_often(tmp_path: Path) -> None:
    clock, asked = ScriptedClock(), 0
    back = threading.Event()

    def connect() -> Device:
        nonlocal asked
        asked += 1
        if asked <= 12:
            raise SourceError("no-camera", "camera 0: there is no such camera; connect one")
        return Device(back.wait, pictures=1)

    table = Table(tmp_path, LiveSource("camera 0", connect, clock=clock), clock)
    table.watch.start()
    eventually(lambda: table.eye.get("ok"))
    assert clock.waited == sorted(clock.waited)
    assert (clock.waited[0], clock.waited[-1]) == (1.0, LONGEST_PAUSE_S)
    back.set()
    table.watch.stop()


def test_readers_that_hang_in_the_driver_do_not_pile_up(tmp_path: Path) -> None:
    """However often the camera is opened, its driver hangs; then it lets all of them go."""
    clock, opened, released = ScriptedClock(), 0, threading.Event()

    def connect() -> Device:
        nonlocal opened
        opened += 1
        device = Device(unplugged)
        released.wait(60)
        return device

    source = LiveSource("camera 0", connect, first_patience=0.0, clock=clock, join_for=0.01)
    threads, files = threading.active_count(), open_files()
    told = []
    for _ in range(LOSSES):
        try:
            source.open()
        except SourceError as error:
            told.append(str(error))
    assert len(told) == LOSSES
    assert "pull its plug" in told[-1]
    assert opened == 3
    assert (threading.active_count(), open_files()) == (threads + 3, files + 3)
    released.set()
    eventually(lambda: (threading.active_count(), open_files()) == (threads, files))


def test_a_frozen_camera_is_told_and_opened_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    clock, opened, lively = ScriptedClock(), 0, threading.Event()

    def half_a_second() -> None:
        time.sleep(0.002)
        clock.advance(0.5)

    class Frozen(Device):
        def read(self) -> Image:
            half_a_second()
            return super().read()

    def connect() -> Device:
        nonlocal opened
        opened += 1
        if opened == 1:
            return Frozen(unplugged, pictures=10_000, shade=lambda _: 7)
        return Device(lively.wait, pictures=1)

    table = Table(tmp_path, LiveSource("camera 0", connect, clock=clock, patience=1e9), clock)
    begun = clock.steady()
    table.watch.start()
    eventually(lambda: opened == 2 and table.eye.get("ok"))
    assert clock.steady() - begun >= FROZEN_S
    assert "camera 0: one and the same picture; plug it in again (trying again)" in caplog.messages
    lively.set()
    table.watch.stop()


def test_half_a_picture_a_second_is_no_loss_and_silence_makes_the_picture_old(tmp_path: Path) -> None:
    clock, silent, end = ScriptedClock(), threading.Event(), threading.Event()

    class Slow(Device):
        def read(self) -> Image:
            clock.advance(2.0)
            time.sleep(0.01)
            return super().read()

    def fall_silent() -> None:
        silent.set()
        end.wait(30)

    pictures = iter([20])  # opened again, it is silent from the start

    source = LiveSource("camera 0", lambda: Slow(fall_silent, pictures=next(pictures, 0)), clock=clock)
    table = Table(tmp_path, source, clock)
    table.watch.start()
    assert silent.wait(30)
    eventually(lambda: '"view"' in table.board.told(0, ""))
    assert table.eye["ok"]
    clock.advance(3.0)
    assert json.loads(table.board.told(0, ""))["view"]["age"] >= 3.0
    assert table.eye["ok"]
    clock.advance(3.0)
    eventually(lambda: not table.eye["ok"])
    assert "no picture for 5 s" in table.eye["text"]
    end.set()
    table.watch.stop()


def test_a_lost_page_s_camera_stays_lost_until_it_sends_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it is tried again meanwhile."""
    clock, told = ScriptedClock(), list[bool]()
    source = BrowserCamera(patience=0.01, sender="page-one", clock=clock)
    table = Table(tmp_path, source, clock)
    post = table.board.post

    def noted(channel: str, value: Any, *, ages: bool = False) -> None:
        post(channel, value, ages=ages)
        if channel == "eye":
            told.append(table.eye["ok"])

    monkeypatch.setattr(table.board, "post", noted)
    table.watch.start()

    def sent() -> bool:
        table.watch.offer(jpeg(90), "page-one")
        return True in told

    def tried(times: int) -> None:
        tries = len(clock.waited) + times
        eventually(lambda: len(clock.waited) > tries)

    eventually(sent)
    tried(10)  # whatever was sent is looked at by now
    told.clear()
    tried(10)
    assert set(told) == {False}
    assert "no picture comes from it; start it again on the page that lends it" in table.eye["text"]
    eventually(sent)
    table.watch.stop()


def test_another_source_begins_without_the_picture_of_the_one_before(tmp_path: Path) -> None:
    clock, end = ScriptedClock(), threading.Event()
    table = Table(tmp_path, LiveSource("camera 0", lambda: Device(end.wait), clock=clock), clock)
    table.watch.start()
    eventually(lambda: '"view"' in table.board.told(0, "") and table.pictures.jpeg() is not None)
    end.set()
    table.watch.change(Watched(lambda: BrowserCamera(patience=60, sender="page-one"), "the page", live=True), None)
    view = json.loads(table.board.told(0, ""))["view"]
    assert (view["frame"], view["cards"], view["zones"]) == (0, [], [])
    assert table.pictures.jpeg() is None
    eventually(lambda: table.watch.offer(jpeg(90), "page-one"))
    eventually(lambda: json.loads(table.board.told(0, ""))["view"]["frame"])
    table.watch.stop()
