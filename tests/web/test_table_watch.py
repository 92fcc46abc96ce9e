from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant import session as deciding
from assistant.cards import Card
from assistant.events import DealSeen, Noticed
from assistant.follow_state import FollowState, Step
from assistant.following import Follower
from assistant.games import game_named
from assistant.games.game import Game, Notice, Position, Setup
from assistant.joining import Answers, CantJoin, Standing
from assistant.signs.signs import Terms
from assistant.view import TableView
from tests.web.demo_script import Script, TimedSource
from tests.web.served import RECORD, eventually
from vision.frames import Frame, FrameSource, OpenCloseSource, SourceError
from vision.recogniser import Image, Recognition
from vision.zones import LayoutError, propose
from web.browser_camera import BrowserCamera
from web.cli.run import demo_table
from web.journal import SqliteJournal
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.table_watch import TableWatch, Watched
from web.zone_shelf import ZoneShelf

ROOT = Path(__file__).resolve().parents[2]
UNREAD = Card.parse("K?")


class Blank:
    """Sees no cards."""

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        return Recognition((), 0.0)


class Eye:
    """A table watch with all that it needs."""

    def __init__(self, folder: Path, watched: Watched, recogniser: Any) -> None:
        table = demo_table(1.0)
        self.journal = SqliteJournal(folder)
        self.session = OpenSession(self.journal, table.setup, place="demo")
        self.board = Board()
        self.watch = TableWatch(watched, self.session, recogniser, self.board, Pictures(), layout=table.layout)

    def posted(self, channel: str) -> Any:
        found = self.board.newer(0).get(channel)
        return {} if found is None else json.loads(found.text)


class CutSource(TimedSource):
    """The demo's first seconds only."""

    def __init__(self, script: Script, until: float) -> None:
        super().__init__(script)
        self._until = until

    def __iter__(self) -> Iterator[Frame]:
        for frame in super().__iter__():
            if frame.t > self._until:
                return
            yield frame


def follow(folder: Path, script: Script, until: float) -> Eye:
    """The demo followed up to a time as fast as can be."""
    eye = Eye(folder, Watched(lambda: CutSource(script, until), "Demo", live=False, speed=1000.0), script)
    eye.watch.start()
    assert eye.watch.ended.wait(120)
    eye.watch.stop()
    return eye


def in_any_order(line: str) -> str:
    """An action whose cards were seen in another order is the same action."""
    seat, verb, *cards = line.split()
    return " ".join((seat, verb, *sorted(cards)))


EXPECTED = [in_any_order(str(action)) for action in RECORD.actions]


def actions(eye: Eye) -> list[str]:
    deal = eye.session.state.deal
    return [] if deal is None else [in_any_order(str(done.action)) for done in deal.done]


def test_the_recorded_table_is_followed_into_the_journal(tmp_path: Path) -> None:
    eye = follow(tmp_path, Script(), 27.5)
    assert actions(eye) == EXPECTED[:3]
    stored = SqliteJournal(tmp_path, read_only=True)
    assert stored.entries() == eye.journal.entries()
    assert stored.verify() == len(stored.entries())
    view = eye.posted("view")
    assert len([card for card in view["cards"] if card["zone"] in ("table", "pile 1", "pile 2", "pile 4")]) >= 14
    assert all(0 <= x <= 1 and 0 <= y <= 1 for card in view["cards"] for x, y in card["quad"])


def test_a_game_that_is_not_followed_is_said_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.table_watch.FOLLOWED", ("laugh-and-lie-down",))
    OpenSession(SqliteJournal(tmp_path), Setup("rolling-stone", 4, 1), place="demo")
    eye = follow(tmp_path, Script(), 12.0)
    assert eye.session.resumed
    assert eye.session.state.deal is None
    assert eye.posted("eye")["warning"].startswith("Rolling Stone is not followed by the camera yet")


def test_a_camera_that_is_lost_is_told_and_tried_again(tmp_path: Path) -> None:
    opened: list[int] = []

    class Loose(OpenCloseSource):
        live = True

        def open(self) -> None:
            opened.append(1)
            if len(opened) == 1:
                raise SourceError("no-camera", "camera 0: does not answer; is it plugged in?")

        def __iter__(self) -> Iterator[Frame]:
            for number in range(5):
                time.sleep(0.02)
                yield Frame(number, time.monotonic(), np.full((90, 160, 3), 90, np.uint8))
            raise SourceError("camera-lost", "camera 0: the camera was unplugged")

    eye = Eye(tmp_path, Watched(lambda: Loose("camera 0"), "camera 0", live=True), Blank())
    eye.watch.start()
    eventually(lambda: eye.posted("eye").get("ok") is False)
    assert "plugged in" in eye.posted("eye")["text"]
    eventually(lambda: eye.posted("view").get("frame", 0) > 0)
    eventually(lambda: "unplugged" in eye.posted("eye").get("text", ""))
    eventually(lambda: len(opened) >= 3)
    eye.watch.stop()


def test_a_failure_inside_does_not_end_the_watch(tmp_path: Path) -> None:
    class Broken:
        def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
            raise RuntimeError("no network today")

    eye = Eye(tmp_path, Watched(lambda: TimedSource(Script()), "Demo", live=True), Broken())
    eye.watch.start()
    eventually(lambda: eye.posted("eye").get("ok") is False)
    assert "Traceback" not in eye.posted("eye")["text"]
    assert "network" not in eye.posted("eye")["text"]
    eye.watch.stop()


def test_a_corrected_card_stays_corrected_for_the_eye_after_a_new_start(tmp_path: Path) -> None:
    """The recogniser reads the 7 of spades as the 9 of spades all the time; somebody said what it is."""
    script = Script(misread={"7S": "9S"})
    first = follow(tmp_path, script, 14.5)
    deal = first.session.state.deal
    assert deal is not None
    assert "9S" in map(str, deal.position.setup.table)
    first.journal.close()
    held = Eye(tmp_path, Watched(lambda: CutSource(script, 27.5), "Demo", live=False, speed=1000.0), script)
    held.session.perform(lambda now: deciding.correct(now, "9S", "7S"))
    held.watch.start()
    assert held.watch.ended.wait(60)
    held.watch.stop()
    assert "7S" in map(str, held.session.state.deal.position.setup.table)  # type: ignore[union-attr]
    assert actions(held) == EXPECTED[:3]


def test_the_pages_camera_gives_the_newest_picture() -> None:
    camera = BrowserCamera(patience=0.3)
    camera.open()
    for shade in (10, 200):
        camera.offer(cv2.imencode(".jpg", np.full((64, 64, 3), shade, np.uint8))[1].tobytes())
    frame = next(iter(camera))
    assert abs(int(frame.image.mean()) - 200) < 5
    with pytest.raises(SourceError, match="no picture"):
        next(iter(camera))
    with pytest.raises(ValueError, match="picture"):
        camera.offer(b"\xff\xd8 no picture")


def test_zones_are_proposed_and_stored_where_nobody_drew_them(tmp_path: Path) -> None:
    table, script = demo_table(1.0), Script()
    session = OpenSession(SqliteJournal(tmp_path), table.setup, place="demo")

    source: FrameSource = CutSource(script, 14.5)
    watch = TableWatch(
        Watched(lambda: source, "Demo", live=False, speed=1000.0),
        session,
        script,
        Board(),
        Pictures(),
        shelf=ZoneShelf(tmp_path, "demo"),
    )
    watch.start()
    assert watch.ended.wait(60)
    watch.stop()
    assert session.state.deal is not None
    stored = ZoneShelf(tmp_path, "demo").proposed(table.setup)
    assert stored is not None
    assert stored.table != propose("laugh-and-lie-down", 4).table
    assert ZoneShelf(tmp_path, "demo").drawn(table.setup) is None


def test_zones_that_were_drawn_are_used_at_once_and_the_next_time(tmp_path: Path) -> None:
    table, script = demo_table(1.0), Script()
    session = OpenSession(SqliteJournal(tmp_path), table.setup, place="demo")
    shelf, board = ZoneShelf(tmp_path, "demo"), Board()
    watched = Watched(lambda: CutSource(script, 14.5), "Demo", live=False, speed=1000.0)
    watch = TableWatch(watched, session, script, board, Pictures(), shelf=shelf)
    corner = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.3], [0.0, 0.3]]
    watch.draw_zones({"pile 3": corner})
    told = {zone["zone"]: zone["polygon"] for zone in json.loads(board.newer(0)["zones"].text)["zones"]}
    assert told["pile 3"] == corner
    assert told["table"] == [list(point) for point in propose("laugh-and-lie-down", 4).table]
    with pytest.raises(LayoutError, match="crosses itself"):
        watch.draw_zones({"pile 3": [[0, 0], [1, 1], [1, 0], [0, 1]]})
    drawn = shelf.drawn(table.setup)
    assert drawn is not None
    assert [list(point) for point in drawn.piles[3]] == corner
    assert ZoneShelf(tmp_path, "table").drawn(table.setup) is None
    watch.start()
    assert watch.ended.wait(60)
    assert shelf.proposed(table.setup) is None
    watch.draw_zones(None)
    watch.stop()
    assert shelf.drawn(table.setup) is None


class LateSource(CutSource):
    """The demo from the middle of its deal on."""

    def __iter__(self) -> Iterator[Frame]:
        return (frame for frame in super().__iter__() if frame.t >= 60.0)


def test_a_deal_under_way_is_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, script, board = demo_table(1.0), Script(), Board()
    session = OpenSession(SqliteJournal(tmp_path), table.setup, place="demo")
    watched = Watched(lambda: LateSource(script, 72.9), "Demo", live=False, speed=1000.0)
    watch = TableWatch(watched, session, script, board, Pictures(), layout=table.layout)
    watch.start()
    assert watch.ended.wait(120)
    watch.stop()
    assert session.state.deal is None
    position = game_named(RECORD.setup.game).deal(replace(RECORD.setup, hands={}))
    for action in RECORD.actions[:13]:
        position = position.apply(action)
    seen = position.observe()
    piles = {seat: set(pile) for seat, pile in seen.piles.items() if pile}
    held = {seat: seen.hands[seat] for seat in seen.active}
    told = json.loads(board.newer(0)["joining"].text)
    sizes = {str(seat): len(pile) for seat, pile in sorted(piles.items())}
    assert told == {"held": sum(held.values()), "piles": sizes, "asks": "hands", "trick": [], "plain": True}
    with pytest.raises(CantJoin, match="together they must be 52"):
        watch.join(Answers(2, {2: 1}), session.state.seq)
    given: list[tuple[Standing, Answers]] = []

    def noted(_: Game, __: Terms, there: Standing, answers: Answers) -> Position:
        given.append((there, answers))
        return position

    monkeypatch.setattr("web.under_way.joined", noted)
    watch.join(Answers(3, held), session.state.seq)
    (there, answers) = given[0]
    assert (set(there.pool), answers) == (set(seen.table), Answers(3, held))
    assert {seat: set(pile) for seat, pile in there.piles.items()} == piles
    assert session.state.deal is not None
    assert session.state.deal.position == position
    assert {(done.by, done.sure) for done in session.state.deal.done} == {("joined", True)}


class Noticing(Follower):
    """Sees a pair of unequal ranks at the first look after the deal, and that it is put right a second later."""

    def follow(self, state: FollowState, position: Position | None, view: TableView) -> Step:
        if position is None or view.t < 15.0:
            return super().follow(state, position, view)
        if view.t < 16.0:
            notice = Notice("not-the-same-rank", "A king lies on a queen.", "LLD-13", (2,), (Card.parse("KH"),))
            told = () if state.differs_since else (Noticed(view.t, notice),)
            return Step(replace(state, differs_since=view.t), position, told)
        return Step(replace(state, differs_since=None), position)


def test_what_breaks_a_rule_is_in_the_log_until_it_is_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.table_watch.Follower", Noticing)
    eye = follow(tmp_path, Script(), 17.0)
    kinds = [entry.kind for entry in eye.journal.entries()]
    assert kinds == ["session-begun", "deal-begun", "misplay", "misplays-cleared"]


class Rereading(Follower):
    """Reads a card of the deal otherwise ten seconds after it was dealt."""

    def follow(self, state: FollowState, position: Position | None, view: TableView) -> Step:
        step = super().follow(state, position, view)
        if step.position is None or position is None or view.t < 13.0 or position.setup.table[0] == UNREAD:
            return step
        setup = replace(position.setup, table=(UNREAD, *position.setup.table[1:]))
        return Step(FollowState(), game_named(setup.game).deal(setup), (DealSeen(view.t, setup, 1.0),))


def test_a_card_of_the_deal_that_is_read_otherwise_begins_the_deal_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.table_watch.Follower", Rereading)
    eye = follow(tmp_path, Script(), 14.0)
    kinds = [entry.kind for entry in eye.journal.entries()]
    assert kinds == ["session-begun", "deal-begun", "deal-abandoned", "deal-begun"]
    deal = eye.session.state.deal
    assert deal is not None
    assert deal.position.setup.table[0] == UNREAD


# The whole program, killed


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def told_by(port: int) -> Any:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state", timeout=5) as answer:
            return json.loads(answer.read())["state"]
    except OSError:
        return {"seq": 0, "history": []}


def test_killed_at_any_moment_it_goes_on_where_it_was(tmp_path: Path) -> None:
    shown = 0
    for until in (2, 3, 6, 9):
        port = free_port()
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.web.scripted_run", str(tmp_path), str(port)],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            eventually(lambda port=port: told_by(port)["seq"] > 0)  # type: ignore[misc]
            assert told_by(port)["seq"] >= shown
            eventually(lambda port=port, until=until: told_by(port)["seq"] >= until)  # type: ignore[misc]
            state = told_by(port)
        finally:
            program.send_signal(signal.SIGKILL)
            program.wait()
        shown = state["seq"]
        stored = SqliteJournal(tmp_path, read_only=True)
        assert stored.verify() >= shown
        lines = [in_any_order(line["line"]) for line in state["history"]]
        assert lines == EXPECTED[: len(lines)]
    assert shown >= 9
