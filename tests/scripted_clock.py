"""A clock for tests: its time passes only when it is told to, or where somebody waits for an event that never comes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from vision.clock import Waitable


class ScriptedClock:
    """Starts at ``now`` (seconds) both ways; ``wall``, if given, is asked for the wall's time.

    Waiting for an event takes no time at all: the clock is at once that much further. Whoever waits on a condition
    comes back soon and must look again: its time passes by ``advance`` alone.
    """

    def __init__(self, now: float = 1000.0, wall: Callable[[], float] | None = None) -> None:
        self._mutex = threading.Lock()
        self._now = now
        self._wall = wall
        self.waited: list[float] = []
        """How long each event was waited for in vain, in order."""

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        with self._mutex:
            self._now += seconds

    def wall(self) -> float:
        return self._now if self._wall is None else self._wall()

    def steady(self) -> float:
        with self._mutex:
            return self._now

    def wait(self, what: Waitable, seconds: float) -> bool:
        if isinstance(what, threading.Event):
            if what.wait(0.001):
                return True
            self.waited.append(seconds)
            self.advance(seconds)
            return False
        return what.wait(0.002)
