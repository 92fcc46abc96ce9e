"""The gate: is a picture worth recognising, where does something move, and where is the bare table seen?

It works on a small grey copy (320 points wide), so it costs a millisecond or two for each frame; once a second, at
rest, some more to see whether the camera still stands where it stood. It holds
- when each point last changed (motion, by the difference of successive pictures, exposure evened out), and
- what the bare table looks like at each point (learnt where no card lies and nothing has moved for a while), so that
  the tracker can tell a card that was taken away from one that a resting hand covers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.view import Point, Stillness
from vision.camera_moves import CameraWatch
from vision.recogniser import Image

WIDTH: Final = 320
NEVER: Final = -1e9


@dataclass(frozen=True, slots=True)
class GateReport:
    """What the gate says of one frame.

    ``moving_share`` is the part (0..1) of the picture that changes now; ``still_for`` the seconds since the last
    change anywhere. ``worth`` says that recognising this frame pays. ``warnings`` are codes of
    ``vision.picture_quality.FAULTS`` that several frames are needed for: ``camera-moved``.
    """

    t: float
    stillness: Stillness
    still_for: float
    moving_share: float
    worth: bool
    warnings: tuple[str, ...] = ()


class Gate:
    """Looks at every frame of one camera, in order.

    ``settle`` is how long (seconds) nothing may move until the picture counts as still. At most ``rate`` frames a
    second are worth recognising, fewer once a still picture was seen often enough, but one every ``at_least``
    seconds in any case.
    """

    def __init__(self, *, settle: float = 0.35, rate: float = 5.0, at_least: float = 1.0, enough: int = 12) -> None:
        self.settle = settle
        self.rate = rate
        self.at_least = at_least
        self.enough = enough
        self._grey: npt.NDArray[np.float32] | None = None
        self._changed: npt.NDArray[np.float64] = np.zeros((0, 0), np.float64)
        self._bare: npt.NDArray[np.float32] = np.zeros((0, 0), np.float32)
        self._cards: npt.NDArray[np.bool_] = np.zeros((0, 0), np.bool_)
        self._t = 0.0
        self._last_change = NEVER
        self._last_worth = NEVER
        self._since_change = 0
        self._camera = CameraWatch()
        self._elsewhere = False

    def look(self, image: Image, t: float) -> GateReport:
        """Take in a frame (BGR, any size) of time ``t`` (seconds, not falling)."""
        grey = _small_grey(image)
        if self._grey is None or self._grey.shape != grey.shape:
            self._start(grey, t)
            moving = np.zeros(grey.shape, np.bool_)
        else:
            moving = _moving(self._grey, grey)
        self._grey, self._t = grey, t
        self._changed[moving] = t
        share = float(moving.mean())
        if share > 0.0005:
            self._last_change, self._since_change = t, 0
        self._learn_bare(grey, t)
        still_for = t - self._last_change
        stillness = (
            Stillness.MOVING if still_for <= 0 else Stillness.SETTLING if still_for < self.settle else Stillness.STILL
        )
        if stillness is Stillness.STILL:
            self._notice_move(grey, t)
        warnings = ("camera-moved",) if self._elsewhere else ()
        return GateReport(t, stillness, still_for, share, self._worth(stillness, t), warnings)

    def still_since(self, quad: Sequence[Point]) -> float:
        """When something last moved at a place (an outline in fractions of the picture), in the source's time."""
        mask = self._mask(quad)
        return float(self._changed[mask].max()) if mask.any() else NEVER

    def bare_share(self, quad: Sequence[Point], without: Iterable[Sequence[Point]] = ()) -> float | None:
        """The share (0..1) of a place that shows the bare table now; None where that can't be told.

        What lies under the outlines ``without`` (cards that are seen now) does not count; at least a tenth of the
        place must be left, and the bare table must be known there.
        """
        mask = whole = self._mask(quad)
        for other in without:
            mask = mask & ~self._mask(other, grow=1.1)
        if self._grey is None or mask.sum() < max(3, 0.1 * whole.sum()):
            return None
        bare, now = self._bare[mask], self._grey[mask]
        known = bare >= 0
        if known.mean() < 0.5:
            return None
        return float((np.abs(bare[known] * self._gain() - now[known]) < 14).mean())

    def set_cards(self, quads: Iterable[Sequence[Point]]) -> None:
        """Tell where cards lie: the bare table is not learnt there."""
        self._cards[:] = False
        for quad in quads:
            self._cards |= self._mask(quad, grow=1.3)

    def _start(self, grey: npt.NDArray[np.float32], t: float) -> None:
        self._changed = np.full(grey.shape, t, np.float64)
        self._bare = np.full(grey.shape, -1, np.float32)
        self._cards = np.zeros(grey.shape, np.bool_)
        self._last_change, self._since_change = t, 0

    def _worth(self, stillness: Stillness, t: float) -> bool:
        waited = t - self._last_worth
        wanted = stillness is not Stillness.MOVING and self._since_change < self.enough and waited >= 1 / self.rate
        if not wanted and waited < self.at_least:
            return False
        self._last_worth = t
        self._since_change += stillness is not Stillness.MOVING
        return True

    def _notice_move(self, grey: npt.NDArray[np.float32], t: float) -> None:
        before, self._elsewhere = self._elsewhere, self._camera.look(grey.astype(np.uint8), t)
        if self._elsewhere and not before:
            self._bare[:] = -1  # learnt from another place

    def _learn_bare(self, grey: npt.NDArray[np.float32], t: float) -> None:
        """Where no card lies and nothing has moved for two seconds the bare table is seen; a first guess comes at once
        while the table is empty of cards, and what is known changes only slowly."""
        quiet = ~self._cards & (t - self._changed > 2.0)
        fresh = quiet & (self._bare < 0)
        self._bare[fresh] = grey[fresh]
        known = quiet & ~fresh
        self._bare[known] += 0.02 * (grey[known] - self._bare[known])

    def _gain(self) -> float:
        """How much brighter the picture is now than the bare table as learnt: the lamp, the camera's exposure."""
        assert self._grey is not None
        mask = (self._bare > 8) & ~self._cards
        if mask.sum() < 200:
            return 1.0
        return float(np.median(self._grey[mask] / self._bare[mask]))

    def _mask(self, quad: Sequence[Point], grow: float = 0.8) -> npt.NDArray[np.bool_]:
        """The points inside an outline, drawn in (or out) a little towards its middle."""
        height, width = self._changed.shape
        mask: npt.NDArray[Any] = np.zeros((height, width), np.uint8)
        if height:
            corners = np.array(quad, np.float32)
            corners = corners.mean(axis=0) + grow * (corners - corners.mean(axis=0))
            cv2.fillConvexPoly(mask, np.rint(corners * (width, height)).astype(np.int32), 1)
        return mask.astype(np.bool_)


def _small_grey(image: Image) -> npt.NDArray[np.float32]:
    height = max(8, round(image.shape[0] * WIDTH / image.shape[1]))
    small = cv2.resize(image, (WIDTH, height), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)


def _moving(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """The points that changed by more than the picture's noise, single specks left out, a little grown."""
    difference = cv2.absdiff(cv2.blur(before, (3, 3)), cv2.blur(now, (3, 3)))
    shift = float(np.median(now - before))  # the exposure hunts: the whole picture becomes a little brighter
    if abs(shift) > 1:
        difference = np.abs(cv2.blur(now - before, (3, 3)) - shift)
    noise = float(np.median(difference))
    changed = (difference > max(10.0, 6 * noise)).astype(np.uint8)
    solid = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return cv2.dilate(solid, np.ones((5, 5), np.uint8)).astype(np.bool_)
