"""Has the camera been moved, and where to? Two small grey pictures of the same table are compared, and a watch over
many of them.

What lies still in the room must be seen at the same place again; cards that are moved, and hands, are not in the way
as long as enough of the room is in view. Where too little can be recognised, nothing is claimed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats

Matrix = npt.NDArray[np.float64]
"""3 x 3: a homography."""

Grey = npt.NDArray[np.uint8]
"""A small grey picture, about 320 px wide."""

MOVED: Final = 0.012
"""From here on (a share of the picture's width) a shift is told: on a table 120 cm wide it is 1.4 cm."""
NOTICED: Final = 0.005
"""From here on a shift is followed."""

_MOST_POINTS, _LEAST_POINTS = 300, 16
_LIGHT: Final = 12.0
_BACK_AGAIN: Final = 0.7
_AT_REST: Final = 1.0
_RESTING_SHARE, _AGREEING_SHARE, _KNOWN_SHARE = 0.35, 0.6, 0.2
_SPREAD: Final = 0.2
_STILL_KNOWN: Final = 0.7


@dataclass(frozen=True, slots=True)
class Shift:
    """Where the camera looks now, compared with before.

    ``far``: how far the picture's corners have moved, in the mean, as a share of its width. ``known``: the share of
    the points of the first picture that were found in the second. ``matrix``: from points of the first picture to
    those of the second, both in fractions of width and height.
    """

    far: float
    known: float
    matrix: Matrix = field(default_factory=lambda: np.eye(3), compare=False)

    @property
    def moved(self) -> bool:
        """Whether the camera was moved, noise aside."""
        return self.far >= MOVED


def camera_shift(before: Grey, now: Grey) -> Shift | None:
    """Compare two pictures of one size; None where too little of the first is found in the second to tell.

    Corners of the first (Shi and Tomasi 1994) are followed into the second and back (Lucas and Kanade, in a pyramid:
    Bouguet 2000), from where they were and from where the pictures as a whole agree (phase correlation). If a good
    third of them rest, so does the camera. Else most must follow one turn, shift and scale (RANSAC).

    >>> rng = np.random.default_rng(0)
    >>> room = cv2.resize(rng.integers(0, 256, (30, 50), np.uint8), (400, 240), interpolation=cv2.INTER_CUBIC)
    >>> shift = camera_shift(room[20:200, 20:340], room[20:200, 36:356])
    >>> round(shift.far * 320)
    16
    """
    before, now = _printed(before), _printed(now)
    points = cv2.goodFeaturesToTrack(before, _MOST_POINTS, 0.01, 5)
    if points is None or len(points) < _LEAST_POINTS:
        return None
    start = np.asarray(points, np.float32).reshape(-1, 2)
    here = _followed(before, now, start, np.zeros(2, np.float32))
    if here is not None and float((np.linalg.norm(here[1] - here[0], axis=1) < _AT_REST).sum()) >= (
        _RESTING_SHARE * max(len(here[0]), _KNOWN_SHARE * len(start))
    ):
        return Shift(0.0, len(here[0]) / len(start))
    tries = [here, _followed(before, now, start, _whole_shift(before, now))]
    best: Shift | None = None
    for tried in tries:
        shift = None if tried is None else _common_shift(*tried, len(start), before.shape[1], before.shape[0])
        if shift is not None and (best is None or shift.known > best.known):
            best = shift
    return best


def _printed(grey: Grey) -> Grey:
    """What is printed or drawn on things, without the light on them: each point against its surroundings."""
    lit = grey.astype(np.float32) + 8
    return np.asarray(np.clip(lit / cv2.GaussianBlur(lit, (0, 0), _LIGHT) * 96, 0, 255), np.uint8)


def _whole_shift(before: Grey, now: Grey) -> Floats:
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    (x, y), _ = cv2.phaseCorrelate(before.astype(np.float32), now.astype(np.float32), window)
    return np.array([x, y], np.float32)


def _followed(before: Grey, now: Grey, start: Floats, guess: Floats) -> tuple[Floats, Floats] | None:
    """The points that are found in the second picture and lead back to where they came from: N x 2 each."""
    there, found = _flow(before, now, start, start + guess)
    back, again = _flow(now, before, there, there - guess)
    kept = found & again & (np.linalg.norm(back - start, axis=1) < _BACK_AGAIN)
    if kept.sum() < max(_LEAST_POINTS, _KNOWN_SHARE * len(start)):
        return None
    return start[kept], there[kept]


def _flow(before: Grey, now: Grey, start: Floats, guess: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        before, now, start, guess.copy(), winSize=(15, 15), maxLevel=3, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
    )
    return np.asarray(there, np.float32), np.asarray(found).ravel() == 1


def _common_shift(start: Floats, there: Floats, count: int, width: int, height: int) -> Shift | None:
    """The one movement that most points have made, if they are spread over the picture."""
    matrix, inliers = cv2.estimateAffinePartial2D(start, there, method=cv2.RANSAC, ransacReprojThreshold=1.5)
    if matrix is None:
        return None
    agreeing = start[inliers.ravel() == 1]
    if len(agreeing) < max(_LEAST_POINTS, _AGREEING_SHARE * len(start)):
        return None
    if (np.ptp(agreeing, axis=0) < _SPREAD * np.array([width, height])).any():
        return None
    small = _fractions(_perspective(start, there, np.asarray(matrix, np.float64)), width, height)
    return Shift(_far(small, width / height), len(start) / count, small)


def _perspective(start: Floats, there: Floats, similar: Matrix) -> Matrix:
    """The homography near a turn, shift and scale that the points agree on still better, if there is one: a camera that
    looks at a slant sees more than a turned picture."""
    plain = np.vstack([similar, [0, 0, 1]])
    found, inliers = cv2.findHomography(start, there, cv2.RANSAC, 1.5)
    if found is None or inliers.sum() < 40 or np.abs(found[2, :2]).max() > 0.0006:
        return np.asarray(plain, np.float64)
    close = np.linalg.norm(start @ plain[:2, :2].T + plain[:2, 2] - there, axis=1) < 1.5
    return np.asarray(found if inliers.sum() > close.sum() else plain, np.float64)


def _fractions(matrix: Matrix, width: int, height: int) -> Matrix:
    size = np.diag([1 / width, 1 / height, 1.0])
    return np.asarray(size @ matrix @ np.linalg.inv(size), np.float64)


def _far(matrix: Matrix, aspect: float) -> float:
    """How far the picture's corners are moved, in the mean, as a share of its width."""
    corners = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], np.float64)
    moved = corners @ matrix.T
    gaps = (moved[:, :2] / moved[:, 2:] - corners[:, :2]) * np.array([1.0, 1 / aspect])
    return float(np.linalg.norm(gaps, axis=1).mean())


class CameraWatch:
    """Notices that the camera was moved; one instance for each camera.

    Its place is learnt from the first resting picture, and anew as the table changes while the camera rests, when it
    is said to have ``went``, and after ``unknown`` seconds in which nothing could be told. ``elsewhere`` says that it
    does not stand where it stood; when that has lasted for ``accept`` seconds, it is meant to.
    """

    def __init__(self, *, every: float = 1.0, unknown: float = 10.0, accept: float = 30.0) -> None:
        self._every = every
        self._unknown = unknown
        self._accept = accept
        self._reference: Grey | None = None
        self._looked = -1e9
        self._away: Matrix = np.eye(3)
        self._elsewhere_since: float | None = None
        self._unknown_since: float | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether the camera stands elsewhere than it did."""
        return self._elsewhere_since is not None

    def look(self, grey: Grey, t: float, *, disturbed: bool = False) -> Matrix | None:
        """Take in a picture of time ``t`` (seconds) in which little moves. If the camera seems to have been moved:
        the homography from the old to the new picture, in fractions. It seems so until ``went`` is called.

        A look costs some milliseconds and is taken once a second, or at once if the picture was ``disturbed``.
        """
        if self._reference is None or self._reference.shape != grey.shape:
            self._reference, self._away, self._elsewhere_since = grey, np.eye(3), None
            return None
        if self._elsewhere_since is not None and t - self._elsewhere_since >= self._accept:
            self._away, self._elsewhere_since = np.eye(3), None
        if not disturbed and t - self._looked < self._every:
            return None
        self._looked = t
        shift = camera_shift(self._reference, grey)
        if shift is None:
            self._unknown_since = t if self._unknown_since is None else self._unknown_since
            if t - self._unknown_since >= self._unknown:
                self._reference, self._unknown_since = grey, None
            return None
        self._unknown_since = None
        if shift.far >= NOTICED:
            return shift.matrix
        if shift.known < _STILL_KNOWN:
            self._reference = grey
        return None

    def went(self, move: Matrix, grey: Grey, t: float) -> None:
        """The camera was moved by ``move`` (old to new picture, fractions; the unit matrix: it was not, but much on
        the table was); ``grey`` is what it sees now."""
        self._reference, self._unknown_since = grey, None
        self._away = move @ self._away
        if _far(self._away, grey.shape[1] / grey.shape[0]) < MOVED:
            self._elsewhere_since = None
        elif self._elsewhere_since is None:
            self._elsewhere_since = t
