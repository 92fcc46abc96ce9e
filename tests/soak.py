"""A whole evening of play, faster than real, with pages open all the time: ``make soak``.

An evening of deals is filmed once: the deal goes round the table, with mistakes, each deal by its true dealer. The real
program (its page, its journal, its networks) follows that film again and again, while viewers hang on the live updates
and ask for the page, the state and the picture. Every minute its memory, threads and open handles are noted, and how
long its answers took. ``python -m tests.soak [--hours H] [--speed S] [--viewers N] [--work DIR]``: exit status 1 if
memory grew by 5 % or more over the second half, threads or handles grew, an answer failed, or the game did not go on.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from assistant.games.game import Setup
from assistant.record import Record
from tests.chaos import BOUND
from tests.following_benchmark.filmed import default_folder
from tests.scripted_play import GAME, play, random_setup
from vision.frames import Frame, OpenCloseSource
from vision.render.drawn_pack import draw_pack
from vision.render.film import film, scene_of
from vision.render.styles import random_style
from vision.render.video import beside, write_layout, write_video
from vision.sources import VideoSource
from vision.zones import read_layout
from web.cli.doors import Service
from web.cli.run import Table, serve
from web.deal_script import script_of
from web.table_watch import Watched

ROOT: Final = Path(__file__).resolve().parent.parent
PLAYERS: Final = 4
SEED: Final = 424_242
SAMPLE_S: Final = 60.0
ASK_EVERY_S: Final = 2.0
GROWTH: Final = 0.05
"""Memory may grow by less than this over the second half."""


def evening(work: Path) -> list[Path]:
    """The videos of one round of deals, each seat's deal once; filmed now where they are missing."""
    chance = random.Random(SEED)
    style, pack = random_style(np.random.default_rng(SEED), "easy"), draw_pack(SEED)
    videos = []
    for dealer in range(1, PLAYERS + 1):
        record = _deal(dealer, chance)
        video = work / f"evening-{dealer}.mp4"
        videos.append(video)
        if video.exists() and beside(video, ".deal").exists():
            continue
        script = script_of(record)
        partial = video.with_name(f"{video.stem}.part.mp4")
        write_video(film(script, pack.faces, style, pack.back), partial, fps=style.fps, crf=26)
        os.replace(partial, video)
        beside(partial, ".truth.jsonl").unlink()
        write_layout(video, scene_of(script).layout(style.camera))
        beside(video, ".deal").write_text(record.text(), "utf-8")
    return videos


def _deal(dealer: int, chance: random.Random) -> Record:
    setup = replace(random_setup(PLAYERS, chance), dealer=dealer)
    return Record(setup, tuple(play(setup, chance, faults=0.2)))


class Evening(OpenCloseSource):
    """The videos one after another, again and again, as one video that runs for so long."""

    def __init__(self, videos: list[Path], seconds: float) -> None:
        super().__init__("An evening")
        self._videos, self._seconds = videos, seconds

    def open(self) -> None:
        """Nothing has to be opened before the first frame is asked for."""

    def __iter__(self) -> Iterator[Frame]:
        index, begun, t = 0, 0.0, 0.0
        while t < self._seconds:
            for video in self._videos:
                for frame in VideoSource(video):
                    t = begun + frame.t
                    yield Frame(index, t, frame.image)
                    index += 1
                begun = t + 1.0

    def close(self) -> None:
        """Each video closes itself at its end."""


def follow(work: Path, folder: Path, seconds: float, speed: float) -> None:
    """The program itself: it follows the evening until it is stopped."""
    videos = evening(work)
    layout = read_layout(beside(videos[0], ".layout.json"), PLAYERS)
    watched = Watched(lambda: Evening(videos, seconds), "An evening", live=False, speed=speed)
    table = Table(watched, Setup(GAME.name, PLAYERS, 1), "soak", layout)
    serve(Service("127.0.0.1", 0, lan=False, no_browser=True), folder, table)


@dataclass(frozen=True, slots=True)
class Sample:
    """The program at a moment: minutes of the run, memory in bytes, threads, handles, deals and actions so far."""

    minutes: float
    memory: int
    threads: int
    handles: int
    deals: int


@dataclass
class Answers:
    """How long each answer took, in seconds, and what failed."""

    took: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


class Viewer(threading.Thread):
    """A page: it reads the live updates, and asks for the state and the picture now and then."""

    def __init__(self, port: int, answers: Answers, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._port, self._answers, self._halt = port, answers, stop
        self._stream = threading.Thread(target=self._read, daemon=True)

    def run(self) -> None:
        """Ask until it is stopped."""
        self._stream.start()
        chance = random.Random(id(self))
        while not self._halt.wait(chance.uniform(0.5, 1.5) * ASK_EVERY_S):
            path = chance.choice(("/", "/api/state", "/picture.jpg"))
            begin = time.monotonic()
            try:
                asked = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
                asked.request("GET", path)
                answer = asked.getresponse()
                answer.read()
                asked.close()
                self._answers.took.append(time.monotonic() - begin)
                if answer.status not in (200, 404):
                    self._answers.failed.append(f"{path}: {answer.status}")
            except OSError as error:
                if not self._halt.is_set():
                    self._answers.failed.append(f"{path}: {error}")

    def _read(self) -> None:
        """Take in the live updates; where the stream is cut it is asked for again."""
        while not self._halt.is_set():
            try:
                with socket.create_connection(("127.0.0.1", self._port), timeout=60) as stream:
                    stream.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    while not self._halt.is_set() and stream.recv(1 << 16):
                        pass
            except OSError:
                self._halt.wait(1)


def _sample(process: subprocess.Popen[str], port: int, began: float) -> Sample:
    own = Path("/proc") / str(process.pid)
    said = dict(line.split(":", 1) for line in (own / "status").read_text().splitlines() if ":" in line)
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    asked.request("GET", "/api/state")
    state = json.loads(asked.getresponse().read())["state"]
    asked.close()
    memory, threads = int(said["VmRSS"].split()[0]) * 1024, int(said["Threads"])
    return Sample(
        (time.monotonic() - began) / 60, memory, threads, len(os.listdir(own / "fd")), int(state["deal"] or 0)
    )


def run(work: Path, hours: float, speed: float, viewers: int) -> tuple[list[Sample], Answers]:
    """Let it run for ``hours`` of play at ``speed``; the samples and the answers' times."""
    evening(work)
    samples: list[Sample] = []
    answers, stop = Answers(), threading.Event()
    with tempfile.TemporaryDirectory(prefix="mournival-soak-") as folder:
        call = [sys.executable, "-m", "tests.soak", "--follow", folder, "--work", str(work), "--speed", str(speed)]
        with (Path(folder) / "said.txt").open("w") as said:
            process = subprocess.Popen(
                [*call, "--hours", str(hours + 1)], cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True
            )
        assert process.stdout is not None
        bound = BOUND.search(process.stdout.readline())
        if bound is None:
            raise SystemExit(f"the program did not start: {(Path(folder) / 'said.txt').read_text()}")
        port = int(bound[1].rstrip("/").rpartition(":")[2])
        pages = [Viewer(port, answers, stop) for _ in range(viewers)]
        for page in pages:
            page.start()
        began = time.monotonic()
        while time.monotonic() - began < hours * 3600 / speed:
            time.sleep(SAMPLE_S)
            if process.poll() is not None:
                answers.failed.append(f"the program ended: {(Path(folder) / 'said.txt').read_text()}")
                break
            samples.append(_sample(process, port, began))
            one = samples[-1]
            print(
                f"{one.minutes:6.1f} min  {one.memory / 1e6:6.0f} MB  {one.threads:3} threads  "
                f"{one.handles:3} handles  deal {one.deals}",
                flush=True,
            )
        stop.set()
        process.terminate()
        process.wait()
    return samples, answers


def faults(samples: list[Sample], answers: Answers) -> list[str]:
    """What is not as it must be, in one line each."""
    if len(samples) < 4:
        return ["it was too short to say anything"]
    half = samples[len(samples) // 2 :]
    quarter = max(1, len(half) // 4)
    early, late = half[:quarter], half[-quarter:]
    found = [f"an answer failed: {one}" for one in answers.failed[:5]]
    grown = statistics.mean(one.memory for one in late) / statistics.mean(one.memory for one in early) - 1
    if grown >= GROWTH:
        found.append(f"memory grew by {grown:.0%} over the second half".replace("%", " %"))
    for name in ("threads", "handles"):
        before, after = (statistics.median(getattr(one, name) for one in part) for part in (early, late))
        if after > before + 2:
            found.append(f"{name} grew from {before:.0f} to {after:.0f}")
    if late[-1].deals <= early[0].deals:
        found.append("no deal was begun in the second half")
    return found


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description="A whole evening, faster than real, with pages open.")
    parser.add_argument("--hours", type=float, default=5.0, help="of play")
    parser.add_argument("--speed", type=float, default=4.0, help="how much faster than real it is followed")
    parser.add_argument("--viewers", type=int, default=20)
    parser.add_argument("--work", type=Path, default=default_folder(), help="where the film is kept")
    parser.add_argument("--follow", type=Path, metavar="DATA", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    if asked.follow:
        follow(asked.work, asked.follow, asked.hours * 3600, asked.speed)
        return
    samples, answers = run(asked.work, asked.hours, asked.speed, asked.viewers)
    if answers.took:
        took = sorted(answers.took)
        print(
            f"{len(took)} answers: median {statistics.median(took) * 1000:.0f} ms, "
            f"p95 {took[int(len(took) * 0.95)] * 1000:.0f} ms, longest {took[-1] * 1000:.0f} ms"
        )
    wrong = faults(samples, answers)
    print("\n".join(wrong) or "memory, threads and handles are flat, and the game goes on")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
