"""The program killed again and again in the middle of a followed demo: ``make chaos``.

The real program follows the recorded table into a data folder, as ``mournival demo`` does. What its page is shown is
read from the live updates. At a random moment, half of the time just after something new was shown, the process is
killed with SIGKILL; now and then it is only stopped for a while first, as a laptop that sleeps. Then

- every page that was shown must be what the journal says of that moment, to the last letter: nothing is missing;
- no action may be there twice, and the actions must be those of the recording, in its order: the game goes on;
- the journal must be whole.

Then it is started again on the same folder. A deal that is settled is checked against the record and a new evening
begins. ``python -m tests.chaos [--kills N] [--speed S] [--seed S] [--scripted]``; exit status 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from assistant.record import parse_record
from assistant.session import SessionState, fold
from web.cli.run import DEMO
from web.journal import JournalError, SqliteJournal
from web.page_state import page_state

ROOT: Final = Path(__file__).resolve().parent.parent
LONGEST_S: Final = 25.0
"""A life lasts at most so long from the first page on; the program's start is not counted."""
PATIENCE_S: Final = 120.0
"""So long a start may take on a busy computer."""
BOUND: Final = re.compile(r"Mournival is at (http://\S+)")


class Wrong(Exception):
    """Something that was shown is missing or doubled, or the game does not go on."""


@dataclass
class Figures:
    """What came out of it."""

    kills: int = 0
    at_start: int = 0
    naps: int = 0
    deals: int = 0
    shown: int = 0
    checked: int = 0
    ahead: int = 0
    faults: list[str] = field(default_factory=list)

    def said(self) -> str:
        """One line."""
        return (
            f"{self.kills} kills ({self.at_start} of them before the page was there, {self.naps} after a nap), "
            f"{self.deals} deals to their end; {self.shown} states shown, checked {self.checked} times; after "
            f"{self.ahead} kills the journal was ahead of the page; {len(self.faults)} faults"
        )


class Life:
    """One process from its start to its end, and what its page was shown: by sequence number, the state."""

    def __init__(self, folder: Path, *, scripted: bool, speed: float) -> None:
        call = ["-m", "tests.web.scripted_run", str(folder), "0", str(speed)]
        if not scripted:
            options = ["--speed", str(speed), "--no-browser", "--port", "0", "--data", str(folder)]
            call = ["-c", "from web.cli import main; main()", "demo", *options]
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, *call], cwd=ROOT, stdout=subprocess.PIPE, stderr=self._said, text=True
        )
        self.shown: dict[int, dict[str, Any]] = {}
        self.ended = False
        self.news = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Take in what the page is shown, until the process is gone."""
        assert self._process.stdout is not None
        bound = BOUND.search(self._process.stdout.readline())
        if bound is None:
            return
        try:
            with urllib.request.urlopen(f"{bound[1]}api/stream", timeout=PATIENCE_S) as stream:
                for name, value in _events(stream):
                    if name == "state":
                        self.shown[value["seq"]] = value
                        self.news.set()
                    elif name == "eye":
                        self.ended = value["ended"]
        except (OSError, ValueError):
            return  # Cut off in the middle: what came before counts.

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait_for_news(self, seconds: float) -> bool:
        """Wait until something new is shown; whether it was."""
        self.news.clear()
        return self.news.wait(seconds)

    def nap(self, seconds: float) -> None:
        """Stop the process for a while, as a computer that sleeps does."""
        self._process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> str:
        """Kill it; what it had said on standard error."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._reader.join(10)
        self._said.seek(0)
        return self._said.read()


def _events(stream: Any) -> Iterator[tuple[str, Any]]:
    """The names and values of a stream of server-sent events."""
    name = ""
    for raw in stream:
        line = raw.decode("utf-8").rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            yield name, json.loads(line[6:])


def check(folder: Path, shown: Mapping[int, dict[str, Any]]) -> SessionState:
    """Whether the journal says of every moment what was shown then, and nothing twice. Raises Wrong."""
    try:
        stored = SqliteJournal(folder, read_only=True)
        events = stored.verify()
        entries = stored.entries()
    except JournalError as error:
        raise Wrong(str(error)) from None
    if events != len(entries) or events < max(shown, default=0):
        raise Wrong(f"state {max(shown, default=0)} was shown, and the journal has {events} events")
    state = SessionState()
    for entry in entries:
        state = fold((entry,), state)
        if state.seq in shown and (now := json.loads(json.dumps(page_state(state)))) != shown[state.seq]:
            parts = [key for key in now if now[key] != shown[state.seq].get(key)]
            raise Wrong(f"of moment {state.seq} the page showed another {', '.join(parts)}")
    done = [] if state.deal is None else [in_any_order(str(one.action)) for one in state.deal.done]
    expected = [in_any_order(line) for line in _recorded()]
    if len(set(done)) != len(done):
        raise Wrong(f"an action is there twice: {done}")
    if done != expected[: len(done)]:
        raise Wrong(f"the game took another way: {done}")
    if state.dealt > 1:
        raise Wrong(f"the one deal of the recording was begun {state.dealt} times")
    return state


def in_any_order(line: str) -> str:
    """An action's line with its cards in order: which of several was named first may differ."""
    seat, verb, *cards = line.split()
    return " ".join((seat, verb, *sorted(cards)))


def _recorded() -> list[str]:
    return [str(action) for action in parse_record((DEMO / "table.deal").read_text(encoding="utf-8")).actions]


def run(
    kills: int, *, scripted: bool, speed: float, seed: int, longest: float | None = LONGEST_S, say: bool = False
) -> Figures:
    """Kill the program so often, after at most ``longest`` seconds, or else some news, each time; the figures."""
    dice, figures = random.Random(seed), Figures()
    while figures.kills < kills and not figures.faults:
        with tempfile.TemporaryDirectory(prefix="mournival-chaos-") as folder:
            _evening(Path(folder), kills, dice, figures, longest, scripted=scripted, speed=speed, say=say)
    return figures


def _evening(
    folder: Path,
    kills: int,
    dice: random.Random,
    figures: Figures,
    longest: float | None,
    *,
    scripted: bool,
    speed: float,
    say: bool,
) -> None:
    """One recorded deal, in as many lives as it takes."""
    shown: dict[int, dict[str, Any]] = {}
    idle = 0
    while figures.kills < kills:
        life = Life(folder, scripted=scripted, speed=speed)
        early = _live(life, dice, figures, longest)
        ended, alive = life.ended, life.running
        said = life.kill()
        figures.kills += 1
        figures.at_start += early
        try:
            if not alive:
                raise Wrong(f"the program ended by itself: {said.strip()}")
            differing = [seq for seq in life.shown.keys() & shown.keys() if life.shown[seq] != shown[seq]]
            if differing:
                raise Wrong(f"moment {differing[0]} was shown anew in another way")
            newest = max(shown, default=0)
            shown |= life.shown
            if life.shown and min(life.shown) < newest:
                raise Wrong(f"after moment {newest} the page went back to {min(life.shown)}")
            state = check(folder, shown) if (folder / "journal.sqlite3").exists() else SessionState()
        except Wrong as wrong:
            figures.faults.append(f"kill {figures.kills}: {wrong}")
            return
        figures.checked += len(shown)
        figures.shown += len(life.shown)
        figures.ahead += state.seq > max(shown, default=0) > 0
        idle = 0 if early or max(life.shown, default=0) > newest else idle + 1
        if say:
            done = len(state.deal.done) if state.deal else 0
            print(f"kill {figures.kills}: event {state.seq}, {done} actions", file=sys.stderr)
        if ended or (state.deal is not None and state.deal.position.over):
            if state.deal is None or not state.deal.position.over or not state.deal.sure:
                figures.faults.append(f"kill {figures.kills}: the recording ended, and the pot is not surely settled")
            figures.deals += 1
            return
        if idle > 20:
            figures.faults.append(f"kill {figures.kills}: for {idle} lives the game has not gone on")
            return


def _live(life: Life, dice: random.Random, figures: Figures, longest: float | None) -> bool:
    """Let it live for a random while; whether that was over before anything was shown."""
    if dice.random() < 0.15:
        time.sleep(dice.uniform(0, 4))
        return not life.shown
    until = time.monotonic() + PATIENCE_S
    while not life.shown and life.running and time.monotonic() < until:
        time.sleep(0.02)
    until = time.monotonic() + (PATIENCE_S if longest is None else dice.uniform(0, longest))
    if dice.random() < 0.1:
        figures.naps += 1
        life.nap(3)
    if longest is not None and dice.random() < 0.5:
        time.sleep(max(0.0, until - time.monotonic()))
        return False
    wanted = dice.randint(1, 3)
    while wanted and life.running and not life.ended and time.monotonic() < until:
        wanted -= life.wait_for_news(0.2)
    time.sleep(dice.uniform(0, 0.03))
    return False


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description="Kill the program in the middle of a followed demo, again and again.")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--speed", type=float, default=20.0, help="how much faster than real the recording is followed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scripted", action="store_true", help="without the networks: quicker")
    asked = parser.parse_args()
    began = time.monotonic()
    figures = run(asked.kills, scripted=asked.scripted, speed=asked.speed, seed=asked.seed, say=True)
    print(f"{figures.said()} ({time.monotonic() - began:.0f} s, seed {asked.seed})")
    print("\n".join(figures.faults))
    raise SystemExit(bool(figures.faults))


if __name__ == "__main__":
    main()
