"""The gate: is a picture worth recognising, where does something move, and where is the bare table seen?

It works on a small grey copy (320 points wide), so it costs a millisecond or two for each frame; once a second, at
rest, some more to see whether the camera still stands where it stood. It holds
- when each point last changed (motion, by the difference from a picture a tenth of a second ago, other light evened
  out), and
- what the bare table looks like at each point (learnt where no card lies and nothing has moved for a while), so that
  the tracker can tell a card that was taken away from one that a resting hand covers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.view import Point, Stillness
from vision.camera_moves import CameraWatch, Matrix
from vision.recogniser import Image

WIDTH: Final = 320
NEVER: Final = -1e9
_APART: Final = 0.085
_DISTURBED, _WHOLE = 0.02, 0.4
"""Shares of the picture: so much moved that the camera may have; this can hardly be a hand."""
_CARD: Final = 0.005
_RESTING, _RESTED = 0.2, 1.0
"""The share of the picture that a card takes up at least; for so long (seconds) nothing has moved where something was
put down just now, and where it has lain for long."""
_LEARNT: Final = 0.02
"""The share of what is new about the bare table that one frame teaches."""
_ALIKE, _LASTING = 14.0, 15.0
"""A point shows the bare table if it differs by less (of 255); what has lain there for so long (seconds) belongs to
the table."""
_RESTLESS: Final = 2.0
"""When nothing has rested for so long (seconds), the camera is looked after in a moving picture."""


@dataclass(frozen=True, slots=True)
class GateReport:
    """What the gate says of one frame.

    ``moving_share`` is the part (0..1) of the picture that changes now; ``still_for`` the seconds since the last
    change anywhere. ``worth`` says that recognising this frame pays. ``warnings`` are codes of
    ``vision.picture_quality.FAULTS`` that several frames are needed for: ``camera-moved``. ``move``: the picture looks
    as if the camera had been moved just now (from old to new picture points, fractions); answer with ``Gate.went``.
    """

    t: float
    stillness: Stillness
    still_for: float
    moving_share: float
    worth: bool
    warnings: tuple[str, ...] = ()
    move: Matrix | None = None


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
        self._moving: npt.NDArray[np.bool_] = np.zeros((0, 0), np.bool_)
        self._changed: npt.NDArray[np.float64] = np.zeros((0, 0), np.float64)
        self._bare: npt.NDArray[np.float32] = np.zeros((0, 0), np.float32)
        self._cards: npt.NDArray[np.bool_] = np.zeros((0, 0), np.bool_)
        self._t = 0.0
        self._last_change = NEVER
        self._last_worth = NEVER
        self._looked: npt.NDArray[np.float32] = np.zeros((0, 0), np.float32)
        self._known: npt.NDArray[np.bool_] = np.zeros((0, 0), np.bool_)
        self._since_change = 0
        self._before: deque[tuple[float, npt.NDArray[np.float32]]] = deque(maxlen=12)
        self._camera = CameraWatch()
        self._disturbed = False
        self._rested = 0.0
        self._repeats = 1.0

    def look(self, image: Image, t: float) -> GateReport:
        """Take in a frame (BGR, any size) of time ``t`` (seconds, not falling)."""
        grey = _small_grey(image)
        if self._grey is None or self._grey.shape != grey.shape:
            self._start(grey, t)
            moving = np.zeros(grey.shape, np.bool_)
        elif self._repeated(grey):
            return self._report(t, 0.0, worth=False)
        else:
            moving = _moving(self._earlier(t), grey)
        self._grey, self._moving, self._t = grey, moving, t
        self._before.append((t, grey))
        self._changed[moving] = t
        share = float(moving.mean())
        if share > 0.0005:
            self._last_change, self._since_change = t, 0
        self._disturbed |= share > _DISTURBED
        if not moving.any() and not np.array_equal(grey, self._earlier(t)):
            self._repeats *= 0.9
        self._learn_bare(grey, t)
        move = None
        if share <= 0.0005 or share > _WHOLE or t - self._rested > _RESTLESS:
            move = self._camera.look(grey.astype(np.uint8), t, disturbed=self._disturbed)
            self._disturbed, self._rested = False, t
        return self._report(t, share, worth=self._worth(self._stillness(t), t) or move is not None, move=move)

    def went(self, move: Matrix | None) -> None:
        """The camera was moved, and what is known of the table goes along; None: it wasn't, though it looked so."""
        if self._grey is None:
            return
        self._camera.went(np.eye(3) if move is None else move, self._grey.astype(np.uint8), self._t)
        if move is not None:
            height, width = self._grey.shape
            size = np.diag([width, height, 1.0])
            self._bare = np.asarray(
                cv2.warpPerspective(
                    self._bare,
                    size @ move @ np.linalg.inv(size),
                    (width, height),
                    flags=cv2.INTER_NEAREST,
                    borderMode=cv2.BORDER_CONSTANT,
                    borderValue=-1,
                ),
                np.float32,
            )

    @property
    def motion(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """The newest picture, small and grey, and which of its points moved."""
        assert self._grey is not None, "no picture yet"
        return self._grey, self._moving

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
        return float((np.abs(bare[known] * self._gain() - now[known]) < _ALIKE).mean())

    def set_cards(self, quads: Iterable[Sequence[Point]]) -> None:
        """Tell where cards lie: the bare table is not learnt there."""
        self._cards[:] = False
        for quad in quads:
            self._cards |= self._mask(quad, grow=1.3)

    def _start(self, grey: npt.NDArray[np.float32], t: float) -> None:
        self._changed = np.full(grey.shape, t, np.float64)
        self._bare = np.full(grey.shape, -1, np.float32)
        self._cards = np.zeros(grey.shape, np.bool_)
        self._last_change, self._since_change, self._rested = t, 0, t
        self._looked, self._known = grey.copy(), np.zeros(grey.shape, np.bool_)
        self._before.clear()

    def _stillness(self, t: float) -> Stillness:
        still_for = t - self._last_change
        if still_for <= 0:
            return Stillness.MOVING
        return Stillness.SETTLING if still_for < self.settle else Stillness.STILL

    def _report(self, t: float, share: float, *, worth: bool, move: Matrix | None = None) -> GateReport:
        warnings = ("camera-moved",) if self._camera.elsewhere else ()
        return GateReport(t, self._stillness(self._t), self._t - self._last_change, share, worth, warnings, move)

    def _repeated(self, grey: npt.NDArray[np.float32]) -> bool:
        """Whether this is the frame before once more, from a camera whose frames differ even at rest: one that it lost
        or that hangs. Such a frame says nothing, not even that the table rests."""
        same = self._grey is not None and np.array_equal(grey, self._grey)
        if same:
            self._repeats += 0.01 * (1.0 - self._repeats)
        return same and self._repeats < 0.5

    def _earlier(self, t: float) -> npt.NDArray[np.float32]:
        """The picture of a tenth of a second ago: from one frame of a quick camera to the next a slow hand hardly
        moves."""
        for then, grey in reversed(self._before):
            if t - then >= _APART:
                return grey
        return self._before[0][1]

    def _worth(self, stillness: Stillness, t: float) -> bool:
        waited = t - self._last_worth
        quiet = stillness is not Stillness.MOVING and self._since_change < self.enough
        wanted = waited >= 1 / self.rate and (quiet or self._rests_again(t))
        if not wanted and waited < self.at_least:
            return False
        self._last_worth = t
        if self._grey is not None:
            resting = t - self._changed >= _RESTED
            self._looked[resting] = self._grey[resting]
            self._known |= resting
        self._since_change += stillness is not Stillness.MOVING
        return True

    def _rests_again(self, t: float) -> bool:
        """Whether a part of the picture as large as a card has come to rest since the last look and shows something
        else than when it was seen at rest, though hands move elsewhere: it may be taken away before all is still."""
        again = (self._changed > self._last_worth) & (t - self._changed >= _RESTING)
        if self._grey is None or float(again.mean()) < _CARD:
            return False
        return float((again & self._known & _moving(self._looked, self._grey)).mean()) >= _CARD

    def _learn_bare(self, grey: npt.NDArray[np.float32], t: float) -> None:
        """Where no card lies and nothing has moved for two seconds the bare table is seen; a first guess comes at once
        while the table is empty of cards, and what is known changes only slowly, and later still where something else
        is seen, for that may be a card that nobody has read. Where nothing is learnt the table takes on the new light
        with the rest: a lamp that goes on shines under the cards, too."""
        quiet = ~self._cards & (t - self._changed > 2.0)
        fresh = quiet & (self._bare < 0)
        gain = self._gain()
        same = (np.abs(self._bare * gain - grey) < _ALIKE) | (t - self._changed > _LASTING)
        known = quiet & ~fresh & same
        unseen = ~known & (self._bare >= 0)
        self._bare[unseen] *= 1.0 + _LEARNT * (gain - 1.0)
        self._bare[fresh] = grey[fresh]
        self._bare[known] += _LEARNT * (grey[known] - self._bare[known])

    def _gain(self) -> float:
        """How much brighter the picture is now than the bare table as learnt: the lamp, the camera's exposure."""
        assert self._grey is not None
        mask = (self._bare > 8) & ~self._cards & ~self._moving
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
    step = max(1, image.shape[1] // (4 * WIDTH))
    image = image[::step, ::step]  # of very large pictures a part of the points is enough
    small = cv2.resize(image, (WIDTH, height), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)


def _moving(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """The points that changed by more than the picture's noise, single specks left out, a little grown."""
    soft, other = (np.asarray(cv2.blur(grey, (3, 3)), np.float32) for grey in (now, before))
    difference = _apart_from_light(soft, other)
    noise = float(np.median(difference))
    changed = (difference > max(10.0, 6 * noise)).astype(np.uint8)
    solid = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return cv2.dilate(solid, np.ones((5, 5), np.uint8)).astype(np.bool_)


def _apart_from_light(now: npt.NDArray[np.float32], before: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """How much each point differs, other light aside: a lamp, or a camera that hunts for its exposure, makes all points
    brighter by a factor, by a constant, or by both. What any of these explains has not moved; most points agree on
    them, whatever a hand does to the others."""
    difference = cv2.absdiff(now, before)
    x, y = before[::4, ::4].ravel(), now[::4, ::4].ravel()
    if float(np.percentile(np.abs(y - x), 60)) < 1.0:
        return np.asarray(difference, np.float32)
    lights = [(1.0, float(np.median(y - x)))]
    bright = (x > 8) & (x < 250) & (y < 250)
    if bright.sum() > 100:
        factor = float(np.median(y[bright] / x[bright]))
        lights += [(factor, 0.0), _both(x[bright], y[bright], factor)]
    for factor, more in lights:
        difference = np.minimum(difference, np.abs(now - np.float32(factor) * before - np.float32(more)))
    return np.asarray(difference, np.float32)


def _both(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32], factor: float) -> tuple[float, float]:
    """The factor and the constant by which most of ``x`` become ``y``."""
    more = 0.0
    for _ in range(3):
        off = np.abs(y - factor * x - more)
        near = off <= max(1.5, 1.5 * float(np.median(off)))
        if near.sum() < 100 or float(np.ptp(x[near])) < 40:
            break
        factor, more = (float(part) for part in np.polyfit(x[near], y[near], 1))
    return factor, more
