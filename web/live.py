"""Live updates: the newest value of each channel, kept for all browsers, and the stream that tells one of them.

Only the newest value counts: a slow browser misses values in between and never makes anybody wait.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from vision.clock import SYSTEM, Clock
from web.languages import SOURCE, language, speaking

Value = Mapping[str, Any] | Callable[[], Mapping[str, Any]]
"""What is posted: a value without words in it, or what words it, called once for each language."""

STREAM_CAP: Final = 24
HEARTBEAT_S: Final = 10.0
"""A stream with nothing new says so often that it is still there: a link may be cut without a word."""


class Posted:
    """A channel's newest value, as JSON text in each language that somebody reads. Versions grow over all channels,
    from 1 on at each start of the program. Thread-safe.

    ``at``: the steady clock when it was posted, of a value that grows old; None where it holds until the next.
    """

    def __init__(self, value: Value, at: float | None = None) -> None:
        self.version = 0
        self.at: Final = at
        self._value = value
        self._texts: dict[str, str] = {}
        self._mutex = threading.Lock()
        self.text_in(SOURCE)

    @property
    def text(self) -> str:
        """The value in the language in which the texts stand in the program."""
        return self.text_in(SOURCE)

    def text_in(self, spoken: str) -> str:
        """The value in a language; it is worded when it is first asked for."""
        spoken = spoken if callable(self._value) else SOURCE
        with self._mutex:
            if spoken not in self._texts:
                with speaking(spoken):
                    value = self._value() if callable(self._value) else self._value
                self._texts[spoken] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            return self._texts[spoken]

    def told(self, now: float, spoken: str) -> str:
        """The text as it is told at ``now``, with its ``age`` (seconds) where it grows old."""
        text = self.text_in(spoken)
        return text if self.at is None else f'{text[:-1]},"age":{max(0.0, now - self.at):.1f}}}'


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

    def post(self, channel: str, value: Value, *, ages: bool = False) -> None:
        """Make ``value`` the channel's newest; an unchanged value is no news. ``ages``: it is told with its age."""
        posted = Posted(value, self._clock.steady() if ages else None)
        with self._news:
            held = self._posted.get(channel)
            if held is not None and held.text == posted.text:
                return
            posted.version = self._version = self._version + 1
            self._posted[channel] = posted
            self._news.notify_all()

    def newer(self, since: int) -> dict[str, Posted]:
        """The channels whose value is newer than version ``since``."""
        with self._news:
            return self._newer(since)

    def told(self, since: int, start: str) -> str:
        """What is newer than version ``since`` of the start ``start``, as one JSON object: each channel by its name,
        and with which ``start`` and ``version`` to ask next. Whoever names another start is told everything. It is told
        in the language that is spoken here."""
        with self._news:
            news, version = self._newer(since if start == self.start else 0), self._version
        now, spoken = self._clock.steady(), language()
        parts = [f'"start":"{self.start}"', f'"version":{version}']
        parts += [f'"{name}":{posted.told(now, spoken)}' for name, posted in news.items()]
        return "{" + ",".join(parts) + "}"

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
        """A stream of server-sent events, from the newest values on, in the language that is spoken here; None if all
        places are taken."""
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
        self._language = language()
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
                yield "event: here\ndata: {}\n\n"
            for name, posted in sorted(news.items(), key=lambda item: item[1].version):
                since = max(since, posted.version)
                yield f"event: {name}\ndata: {posted.told(self._board._clock.steady(), self._language)}\n\n"
