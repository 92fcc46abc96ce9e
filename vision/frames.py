"""Frames and the edge they come through: what a source of frames is, and how it says that something is wrong."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol, Self

from vision.recogniser import Image


class SourceError(RuntimeError):
    """A source can't go on; the message is one line: which source, what is wrong, what to do.

    Whatever was read before stays valid. ``code`` names the kind for programs (kebab-case): ``no-camera``,
    ``camera-busy``, ``camera-lost``, ``stalled``, ``missing-file``, ``empty-folder``, ``not-a-video``,
    ``bad-picture``, ``no-answer``, ``bad-address``, ``not-a-source``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source: its number (from 0), its time in seconds and the picture (BGR).

    ``t`` is a video's own time, for a camera the computer's monotonic clock; it never goes back. Numbers may be
    missing where a slow reader let frames of a camera pass.
    """

    index: int
    t: float
    image: Image


class FrameSource(Protocol):
    """Where frames come from. Use it as ``with open_source(...) as source: for frame in source: ...``.

    ``name`` is how messages call it, free of passwords. ``live`` says that frames come in their own time and are
    lost if nobody takes them. ``cut_short`` is set at the end if the source ended before it should have: one line.
    ``skipped`` holds one line for each part that could not be read.
    """

    @property
    def name(self) -> str: ...
    @property
    def live(self) -> bool: ...
    @property
    def cut_short(self) -> str | None: ...
    @property
    def skipped(self) -> list[str]: ...
    def open(self) -> None:
        """Make it ready. Raises SourceError. Opening an open source does nothing."""
        ...

    def __iter__(self) -> Iterator[Frame]:
        """The frames in order; opens the source if need be. Raises SourceError."""
        ...

    def close(self) -> None:
        """Let go of it; never fails, may be called more than once and from another thread."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class OpenCloseSource:
    """What all sources share: a name, remarks, and use in a ``with`` statement."""

    live: bool = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.cut_short: str | None = None
        self.skipped: list[str] = []

    def open(self) -> None:
        """Make it ready."""

    def close(self) -> None:
        """Let go of it."""

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


PAUSE_S: Final = 1.0


class FrozenPicture:
    """Notices a camera that gives the same picture again and again.

    A live sensor never gives two pictures that are alike to the bit; a hung driver or stream does. A recording may
    come from no sensor at all, or have lost such small differences: there a picture counts as frozen only if those
    before it had changed for ``after`` seconds without a pause (``PAUSE_S``).

    >>> import numpy as np
    >>> watch, picture = FrozenPicture(after=2.0), np.zeros((32, 32, 3), np.uint8)
    >>> [watch.feed(Frame(i, float(i), picture)) for i in range(4)]
    [False, False, True, True]
    """

    def __init__(self, after: float = 3.0, *, live: bool = True) -> None:
        """``after``: for how many seconds pictures must have been alike. ``live``: they come from a sensor now."""
        self.after = after
        self.live = live
        self._print: tuple[int, tuple[int, ...]] | None = None
        self._since = self._lively_since = 0.0

    def feed(self, frame: Frame) -> bool:
        """Whether the picture has stood still, to the bit, for ``after`` seconds or more."""
        rows = frame.image[:: max(1, len(frame.image) // 360)]
        fingerprint = (zlib.crc32(rows.tobytes()), frame.image.shape)
        if fingerprint != self._print:
            if self._print is None or frame.t - self._since > PAUSE_S:
                self._lively_since = frame.t
            self._print, self._since = fingerprint, frame.t
            return False
        lively = self.live or self._since - self._lively_since >= self.after
        return lively and frame.t - self._since >= self.after
