"""Live updates: the newest value of each channel, kept for all browsers, and the stream that tells one of them.

Only the newest value counts: a slow browser misses values in between and never makes anybody wait.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

STREAM_CAP: Final = 24
HEARTBEAT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Posted:
    """A channel's newest value as JSON text. Versions grow over all channels, and over restarts too."""

    version: int
    text: str


class Board:
    """Where the newest values are posted, and where browsers wait for newer ones. Thread-safe."""

    def __init__(self, cap: int = STREAM_CAP) -> None:
        self._news = threading.Condition()
        self._posted: dict[str, Posted] = {}
        self._version = int(time.time() * 1000)
        self._streams = threading.BoundedSemaphore(cap)
        self._closed = False

    def post(self, channel: str, value: Mapping[str, Any]) -> None:
        """Make ``value`` the channel's newest; an unchanged value is no news."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        with self._news:
            held = self._posted.get(channel)
            if held is not None and held.text == text:
                return
            self._version += 1
            self._posted[channel] = Posted(self._version, text)
            self._news.notify_all()

    def newer(self, since: int) -> dict[str, Posted]:
        """The channels whose value is newer than version ``since``."""
        with self._news:
            return {name: posted for name, posted in self._posted.items() if posted.version > since}

    def wait(self, since: int, timeout: float) -> dict[str, Posted]:
        """As ``newer``, but waits up to ``timeout`` seconds for something; empty if nothing came."""
        with self._news:
            self._news.wait_for(lambda: self._closed or self._version_now() > since, timeout)
            return {name: posted for name, posted in self._posted.items() if posted.version > since}

    def _version_now(self) -> int:
        return max((posted.version for posted in self._posted.values()), default=0)

    def close(self) -> None:
        """End all streams."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def stream(self, heartbeat: float = HEARTBEAT_S) -> Iterator[str] | None:
        """A stream of server-sent events, from the newest values on; None if all places are taken."""
        if not self._streams.acquire(blocking=False):
            return None
        return _Stream(self, heartbeat)

    def _leave(self) -> None:
        self._streams.release()


class _Stream:
    """One browser's stream. Its place is given back when it is closed, even if nothing was read from it."""

    def __init__(self, board: Board, heartbeat: float) -> None:
        self._board = board
        self._open = True
        self._events = self._run(heartbeat)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._events)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._board._leave()

    def _run(self, heartbeat: float) -> Iterator[str]:
        since = 0
        yield "retry: 2000\n\n"
        while not self._board._closed:
            news = self._board.wait(since, heartbeat)
            if not news:
                yield ": here\n\n"
            for name, posted in sorted(news.items(), key=lambda item: item[1].version):
                since = max(since, posted.version)
                yield f"id: {posted.version}\nevent: {name}\ndata: {posted.text}\n\n"
