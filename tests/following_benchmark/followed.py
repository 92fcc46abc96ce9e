"""A filmed deal followed by the very watcher of ``mournival watch``: what it said when, and what it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from assistant.events import ActionSeen, DealSeen, Desync, Event, Noticed, Question, Undone, Warned
from assistant.games import game_named
from assistant.games.game import Action, Notice
from assistant.signs.signs import Terms
from assistant.view import TableView
from tests.following_benchmark.deals import Deal, played
from tests.following_benchmark.filmed import Filmed
from tests.following_benchmark.remembered import RememberedReadings
from vision.file_sources import VideoSource
from vision.frames import Frame
from vision.onnx_recogniser import OnnxRecogniser
from vision.zones import Layout, read_layout
from web.cli.watch import Result, Watcher


@dataclass(frozen=True, slots=True)
class Committed:
    """An action as it was committed, at which frame (None: after the source had ended), and whether for certain."""

    action: Action
    t: float
    frame: int | None
    sure: bool


@dataclass(slots=True)
class Followed:
    """What came of a deal. ``frames``: each frame's time and the seconds of one processor that it took.

    ``settlement`` and ``sure`` are those of the end; ``committed`` what stood then, without what was undone.
    """

    deal_seen: float | None = None
    committed: list[Committed] = field(default_factory=list)
    undone: list[tuple[float, Action]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    desyncs: list[Desync] = field(default_factory=list)
    warned: list[Warned] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    settlement: Mapping[str, Any] | None = None
    sure: bool = False
    frames: list[tuple[float, float]] = field(default_factory=list)
    looks: int = 0
    memory: tuple[int, int] = (0, 0)

    def take(self, entry: Event | Result, frame: int | None) -> None:
        """Take in what the watcher says at a frame; once the deal is settled only faults in clearing the table."""
        if self.settlement is not None and not isinstance(entry, Noticed):
            return
        match entry:
            case DealSeen():
                self.deal_seen = entry.t
                self.committed.clear()
            case ActionSeen():
                self.committed.append(Committed(entry.action, entry.t, frame, entry.sure))
            case Undone():
                self.undone.append((entry.t, self.committed.pop().action))
            case Question():
                self.questions.append(entry)
            case Desync():
                self.desyncs.append(entry)
            case Warned():
                self.warned.append(entry)
            case Noticed():
                self.notices.append(entry.notice)
            case Result():
                self.settlement, self.sure = entry.settlement, entry.sure
            case _:
                pass


class SeeingWatcher(Watcher):
    """The watcher, whose last view of the table can be looked at."""

    seen: TableView | None = None

    def _follow(self, view: TableView) -> list[Event | Result]:
        self.seen = view
        return super()._follow(view)


def watcher_of(deal: Deal, film: Filmed, recogniser: RememberedReadings) -> SeeingWatcher:
    """The watcher with which a deal is followed."""
    setup = played(deal).record.setup
    terms = Terms(setup.game, setup.players, setup.dealer, dict(setup.options))
    return SeeingWatcher(game_named(setup.game), terms, recogniser, layout_of(deal, film))


def layout_of(deal: Deal, film: Filmed) -> Layout | None:
    """The layout with which a deal is followed; None: zones are proposed."""
    return read_layout(film.layout, deal.players, played(deal).record.setup.game) if deal.layout else None


Onlooker = Callable[[Frame, SeeingWatcher, list[Event | Result]], None]


def follow(deal: Deal, film: Filmed, *, fresh: bool = False, onlooker: Onlooker | None = None) -> Followed:
    """Follow a filmed deal to its end. ``onlooker`` is told of each frame once it is dealt with."""
    cv2.setNumThreads(1)
    recogniser = RememberedReadings(OnnxRecogniser.load(threads=1), memory_of(film), fresh=fresh)
    watcher = watcher_of(deal, film, recogniser)
    followed = Followed()
    before = resident()
    for number, frame in enumerate(frames_of(film)):
        begin, saved = time.thread_time(), recogniser.saved_s
        told = watcher.look(frame)
        followed.frames.append((frame.t, time.thread_time() - begin + recogniser.saved_s - saved))
        for entry in told:
            followed.take(entry, number)
        if onlooker is not None:
            onlooker(frame, watcher, told)
    for entry in watcher.finish():
        followed.take(entry, None)
    followed.looks, followed.memory = recogniser.asked, (before, resident())
    recogniser.close()
    return followed


def frames_of(film: Filmed) -> Iterator[Frame]:
    """The video's frames."""
    with VideoSource(film.video) as source:
        yield from source


def memory_of(film: Filmed) -> Path:
    """Where the readings of a video are remembered."""
    return film.video.with_name("readings.sqlite")


def resident() -> int:
    """The memory that this process holds now, in bytes; 0 where the system doesn't say."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0
    line = next(line for line in status.read_text("ascii").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024
