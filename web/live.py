"""Live updates: the newest value of each channel, kept for all browsers, and the stream that tells one of them.

Only the newest value counts: a slow browser misses values in between and never makes anybody wait.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from vision.clock import SYSTEM, Clock

STREAM_CAP: Final = 24
HEARTBEAT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Posted:
    """A channel's newest value as JSON text. Versions grow over all channels, from 1 on at each start of the program.

    ``at``: the steady clock when it was posted, of a value that grows old; None where it holds until the next.
    """

    version: int
    text: str
    at: float | None = None

    def told(self, now: float) -> str:
        """The text as it is told at ``now``, with its ``age`` (seconds) where it grows old."""
        return self.text if self.at is None else f'{self.text[:-1]},"age":{max(0.0, now - self.at):.1f}}}'


class Board:
    """Where the newest values are posted, and where browsers wait for newer ones. Thread-safe.

    ``start`` names this start of the program: versions of another start mean nothing here.
    """

    def __init__(self, cap: int = STREAM_CAP, *, clock: Clock = SYSTEM) -> None:
        self.start: Final = secrets.token_hex(8)
        self._clock = clock
        self._news = threading.Condition()
        self._posted: dict[str, Posted] = {}
        self._version = 0
        self._streams = threading.BoundedSemaphore(cap)
        self._closed = False

    def post(self, channel: str, value: Mapping[str, Any], *, ages: bool = False) -> None:
        """Make ``value`` the channel's newest; an unchanged value is no news. ``ages``: it is told with its age."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        with self._news:
            held = self._posted.get(channel)
            if held is not None and held.text == text:
                return
            self._version += 1
            self._posted[channel] = Posted(self._version, text, self._clock.steady() if ages else None)
            self._news.notify_all()

    def newer(self, since: int) -> dict[str, Posted]:
        """The channels whose value is newer than version ``since``."""
        with self._news:
            return self._newer(since)

    def told(self, since: int, start: str) -> str:
        """What is newer than version ``since`` of the start ``start``, as one JSON object: each channel by its name,
        and with which ``start`` and ``version`` to ask next. Whoever names another start is told everything."""
        with self._news:
            news = self._newer(since if start == self.start else 0)
            now = self._clock.steady()
            parts = [f'"start":"{self.start}"', f'"version":{self._version}']
            return "{" + ",".join([*parts, *(f'"{name}":{posted.told(now)}' for name, posted in news.items())]) + "}"

    def wait(self, since: int, timeout: float) -> dict[str, Posted]:
        """As ``newer``, but waits up to ``timeout`` seconds for something; empty if nothing came."""
        with self._news:
            if self._version <= since and not self._closed:
                self._clock.wait(self._news, timeout)
            return self._newer(since)

    def _newer(self, since: int) -> dict[str, Posted]:
        return {name: posted for name, posted in self._posted.items() if posted.version > since}

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
                yield f"event: {name}\ndata: {posted.told(self._board._clock.steady())}\n\n"
