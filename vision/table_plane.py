"""The table's plane: where a point of the picture lies on the table, in millimetres, learnt from the cards themselves.

All cards of a pack are rectangles of one size. However each of them lies, there is one perspective that makes all
their outlines such rectangles at once; a single outline may be 5 to 10 % off, many together are not. Picture points
are fractions of width and height (0..1, y down). Table points are millimetres; their origin is the table's point in
the middle of the first picture, x to that picture's right, y down. They stay so when the plane is known better and
when the camera is moved.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

Points = npt.NDArray[np.float64]
"""N x 2, or N x 4 x 2 for outlines."""

HEIGHT_MM: Final = 88.0
WIDTHS_MM: Final = (63.0, 57.0)
"""Poker size and bridge size; both are 88 mm high."""

_FOCAL: Final = 1.1
"""A usual camera's focal length as a share of the picture's long side, believed as far as the cards leave it open."""
_FOCAL_DOUBT, _SKEW_DOUBT, _LEAN_DOUBT = 0.3, 0.03, 0.7
_WIDE_MM: Final = 1000.0
"""How much of the table the picture's long side shows, as long as no card was seen."""
ROUGH_MM: Final = 4.0
"""How far off the sides of an outline are that was judged from a card's indices."""
MARK_MM: Final = 50.0
"""The side of a printed marker."""
_MARK_DOUBT_MM: Final = 0.4
_WILD: Final = 3.0
"""An outline that is so many times as far off as it should be is left out."""
EXACT_MM: Final = 0.8
"""The same for an outline that was found in the picture (``vision.card_edges``)."""


@dataclass(frozen=True)
class TablePlane:
    """``matrix`` is the 3 x 3 homography from the picture (x, y, 1) to the table.

    >>> plane = usual_plane(16 / 9)
    >>> plane.to_table(np.array([[0.5, 0.5], [1.0, 0.5]])).round().tolist()
    [[0.0, 0.0], [500.0, 0.0]]
    """

    matrix: Points

    def to_table(self, points: Points) -> Points:
        """Millimetres of picture points, of any number of dimensions (the last is x, y)."""
        return mapped(self.matrix, points)

    def to_picture(self, points: Points) -> Points:
        """Picture points of table points."""
        return mapped(self.inverse, points)

    @cached_property
    def inverse(self) -> Points:
        """The homography from the table to the picture."""
        return np.asarray(np.linalg.inv(self.matrix), np.float64)

    def carried(self, move: Points) -> TablePlane:
        """The plane of the same table after the picture has moved: ``move`` leads from old to new picture points."""
        return TablePlane(self.matrix @ np.linalg.inv(move))

    def move_to(self, other: TablePlane) -> Points:
        """The 3 x 3 homography from this plane's picture to that of the same table under another camera."""
        found = np.linalg.inv(other.matrix) @ self.matrix
        return np.asarray(found / found[2, 2])


@dataclass(frozen=True, slots=True)
class Rectangles:
    """Things of known size seen at rest: ``quads`` N x 4 x 2 in the picture, ``sizes`` N x 2 mm, ``doubts`` N mm."""

    quads: Points
    sizes: Points
    doubts: Points


def mapped(matrix: Points, points: Points) -> Points:
    """Points (the last dimension is x, y) under a 3 x 3 homography."""
    seen = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(seen[..., :2] / seen[..., 2:])


def usual_plane(aspect: float) -> TablePlane:
    """The plane as long as nothing is known: seen from straight above. ``aspect``: the picture's width by height."""
    return TablePlane(_matrix(np.array([math.log(_WIDE_MM), 0, 0, 0, 0, 0]), aspect))


def cards_seen(quads: Sequence[Points], width: float, doubt: float = ROUGH_MM) -> Rectangles:
    """Cards of a width (mm) by their outlines in the picture, each side of which may be off by ``doubt`` (mm)."""
    count = len(quads)
    return Rectangles(
        np.asarray(quads, np.float64).reshape(count, 4, 2),
        np.tile([width, HEIGHT_MM], (count, 1)),
        np.full(count, doubt),
    )


def marks_seen(marks: Mapping[int, Points]) -> Rectangles:
    """Printed markers by their outlines in the picture."""
    count = len(marks)
    quads = np.array(list(marks.values()), np.float64).reshape(count, 4, 2)
    return Rectangles(quads, np.full((count, 2), MARK_MM), np.full(count, _MARK_DOUBT_MM))


def joined(parts: Iterable[Rectangles]) -> Rectangles:
    """All of them together."""
    found = list(parts)
    return Rectangles(
        np.concatenate([part.quads for part in found]),
        np.concatenate([part.sizes for part in found]),
        np.concatenate([part.doubts for part in found]),
    )


def fit_plane(seen: Rectangles, before: TablePlane, aspect: float) -> tuple[TablePlane, float]:
    """The plane on which all the rectangles have their sizes, laid over ``before``; and the cost of the fit.

    Least squares over the sides and diagonals of all outlines, those that fit badly left out. What few cards leave
    open is as with a usual camera: no skew, a usual focal length. The same plane may be turned and shifted at will; it
    is laid so that table points stay where they were in the middle of what was seen.
    """
    expected = np.column_stack([seen.sizes, seen.sizes, np.hypot(*seen.sizes.T), np.hypot(*seen.sizes.T)])

    def off(values: Points) -> Points:
        corners = mapped(_matrix(values, aspect), seen.quads)
        lengths = np.linalg.norm(corners[:, _FROM] - corners[:, _TO], axis=2)
        return np.asarray((lengths - expected) / seen.doubts[:, None])

    def fitted(values: Points, kept: npt.NDArray[np.bool_], rough: float, loss: str) -> Points:
        def errors(values: Points) -> Points:
            return np.concatenate([off(values)[kept].ravel() / rough, _prior(values)])

        return np.asarray(least_squares(errors, values, loss=loss, max_nfev=40).x)

    every = np.ones(len(seen.quads), np.bool_)
    rough = max(1.0, ROUGH_MM / float(np.median(seen.doubts)))
    values = fitted(_start(seen, aspect), every, rough, "cauchy")
    worst = np.sqrt((off(values) ** 2).mean(axis=1))
    kept = worst <= max(_WILD, 3 * float(np.median(worst)))
    values = fitted(values, kept, 1.0, "soft_l1")
    worst = np.sqrt((off(values) ** 2).mean(axis=1))
    cost = float(np.minimum(worst, _WILD).sum())
    return _laid_over(TablePlane(_matrix(values, aspect)), before, seen.quads), cost


def fit_to_places(seen: Rectangles, places: Points, aspect: float) -> TablePlane:
    """The plane on which the outlines lie at their ``places`` (N x 4 x 2, mm, corner by corner): a camera that stands
    elsewhere now finds itself by things whose places are known."""
    start = TablePlane(_matrix(_start(seen, aspect), aspect))
    turn = rigid(start.to_table(seen.quads).reshape(-1, 2), places.reshape(-1, 2))
    lay = [math.atan2(turn[1, 0], turn[0, 0]), *(turn[:2, 2] / 100)]

    def plane(values: Points) -> TablePlane:
        cos, sin = math.cos(values[6]), math.sin(values[6])
        laid = np.array([[cos, -sin, 100 * values[7]], [sin, cos, 100 * values[8]], [0, 0, 1]])
        return TablePlane(laid @ _matrix(values[:6], aspect))

    def errors(values: Points) -> Points:
        off = (plane(values).to_table(seen.quads) - places) / seen.doubts[:, None, None]
        return np.concatenate([off.ravel(), _MIDDLES * off.mean(axis=1).ravel(), _prior(values)])

    best = least_squares(errors, [*_start(seen, aspect), *lay], loss="soft_l1", max_nfev=60)
    return plane(best.x)


def rigid(before: Points, now: Points) -> Points:
    """The 3 x 3 turn and shift that leads points best to others, N x 2 each (Kabsch 1976)."""
    middle, other = before.mean(axis=0), now.mean(axis=0)
    left, _, right = np.linalg.svd((before - middle).T @ (now - other))
    way = np.diag([1.0, np.sign(np.linalg.det(right.T @ left.T)) or 1.0])
    turn = right.T @ way @ left.T
    found = np.eye(3)
    found[:2, :2], found[:2, 2] = turn, other - turn @ middle
    return found


_MIDDLES: Final = 3.0
"""How much more the middle of an outline is to be believed than a corner."""
_FROM, _TO = np.array([0, 1, 2, 3, 0, 1]), np.array([1, 2, 3, 0, 2, 3])
"""The corners between which an outline is measured: four sides, two diagonals."""


def _matrix(values: Points, aspect: float) -> Points:
    """The homography of six numbers: log mm of the long side, how the plane leans (2), log focal length, skew (2).

    With u from the picture's middle in shares of the long side, a plane seen by a pinhole is A u / (1 + l u), where
    A'A is the unit matrix + f f l l' but for its scale; the skew is what a real picture differs from that.
    """
    scale, lean = math.exp(values[0]), values[1:3]
    focal = _FOCAL * math.exp(values[3])
    skew = np.array([[math.exp(values[4]), values[5]], [0.0, math.exp(-values[4])]])
    shape = scale * skew @ np.linalg.cholesky(np.eye(2) + focal**2 * np.outer(lean, lean)).T
    wide, high = max(aspect, 1e-6) / max(aspect, 1.0), 1 / max(aspect, 1.0)
    to_middle = np.array([[wide, 0, -wide / 2], [0, high, -high / 2], [0, 0, 1]])
    return np.asarray(np.vstack([np.column_stack([shape, [0, 0]]), [*lean, 1]]) @ to_middle)


def _prior(values: Points) -> Points:
    return np.array(
        [
            values[1] / _LEAN_DOUBT,
            values[2] / _LEAN_DOUBT,
            values[3] / _FOCAL_DOUBT,
            values[4] / _SKEW_DOUBT,
            values[5] / _SKEW_DOUBT,
        ]
    )


def _start(seen: Rectangles, aspect: float) -> Points:
    """Seen from straight above, at the scale that the things have in the mean."""
    start = np.array([math.log(_WIDE_MM), 0, 0, 0, 0, 0])
    corners = mapped(_matrix(start, aspect), seen.quads)
    sides = np.linalg.norm(corners[:, [1, 2]] - corners[:, [0, 1]], axis=2)
    start[0] += float(np.median(np.log(seen.sizes / np.maximum(sides, 1e-6))))
    return start


def _laid_over(plane: TablePlane, before: TablePlane, quads: Points) -> TablePlane:
    """The same plane, turned and shifted so that what was seen has the places that it had."""
    middles = quads.mean(axis=1)
    around = np.concatenate([middles, 0.5 + 0.2 * (_SQUARE - 0.5)])
    return TablePlane(rigid(plane.to_table(around), before.to_table(around)) @ plane.matrix)


_SQUARE: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


class PlaneLearner:
    """Learns the plane of one table from what lies at rest on it, and learns it better the more was seen.

    ``plane`` is what is known now, ``width`` the cards' width in mm, ``learnt`` how many resting cards it rests on.
    """

    def __init__(self, aspect: float) -> None:
        self.aspect = aspect
        self.plane = usual_plane(aspect)
        self.width = WIDTHS_MM[0]
        self.learnt = 0
        self._cards: deque[tuple[Points, float]] = deque(maxlen=_MOST)
        self.marks: dict[int, Points] = {}
        self._new = 0

    def glimpse(self, quads: Sequence[Points]) -> bool:
        """Outlines of a single picture: good enough as long as no card was seen at rest. True: the plane is new."""
        if self.learnt or self.marks or not quads:
            return False
        self.plane, _ = fit_plane(cards_seen(quads, self.width), self.plane, self.aspect)
        return True

    def rest(self, quad: Points, doubt: float = ROUGH_MM) -> None:
        """The outline of a card that lies at rest; ``doubt``: how far off it may be (``ROUGH_MM``, ``EXACT_MM``)."""
        self._cards.append((quad, doubt))
        self._new += 1

    def see_marks(self, marks: Mapping[int, Points]) -> None:
        """Printed markers that are seen now, by their numbers (``vision.markers``); they are believed before cards."""
        self._new += _MOST if not marks.keys() <= self.marks.keys() else 0
        self.marks.update(marks)

    def refine(self) -> bool:
        """Fit anew if enough was seen since the last time; True if the plane is new."""
        if not self._new or self._new < min(8, self.learnt // 3):
            return False
        fits = []
        for width in WIDTHS_MM if len(self._cards) >= _TELLS_SIZE else (self.width,):
            fits.append((*fit_plane(self._things(width), self.plane, self.aspect), width))
        self.plane, _, self.width = min(fits, key=lambda fit: fit[1])
        self.learnt, self._new = len(self._cards), 0
        return True

    def carry(self, move: Points) -> None:
        """The picture has moved (see ``TablePlane.carried``): what was learnt goes with it."""
        self.plane = self.plane.carried(move)
        self._cards = deque(((mapped(move, quad), doubt) for quad, doubt in self._cards), maxlen=_MOST)
        self.marks = {number: mapped(move, quad) for number, quad in self.marks.items()}

    def _things(self, width: float) -> Rectangles:
        return joined([marks_seen(self.marks), *(cards_seen([quad], width, doubt) for quad, doubt in self._cards)])


_MOST: Final = 60
"""So many resting cards are kept, the newest."""
_TELLS_SIZE: Final = 8
"""From so many cards on it can be told how wide they are."""
