"""Outlines of the four suits, with the variation seen between makers of cards: narrow and wide leaves, stems, lobes.

Outlines live in a box of -1..1, y down, and are closed polygons. ``SuitShapes.random`` draws one maker's set; the
suits stay clearly distinct whatever the numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]
"""Coverage of a shape: height x width, 0 outside, 255 inside."""

Pair = tuple[float, float]


def _cubic(start: Pair, first: Pair, second: Pair, end: Pair, steps: int = 24) -> Points:
    """Points along a cubic Bezier curve, both ends included."""
    t = np.linspace(0, 1, steps)[:, None]
    a, b, c, d = (np.array(p) for p in (start, first, second, end))
    curve: Points = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    return curve


def _mirrored(*half: Points) -> Points:
    """A closed outline from its right half, given from top to bottom."""
    right = np.concatenate(half)
    return np.concatenate([right, right[::-1] * (-1, 1)])


@dataclass(frozen=True, slots=True)
class SuitShapes:
    """One maker's suits. All numbers are shares of half the height of a pip; see ``random`` for their ranges."""

    heart_width: float
    heart_cleft: float
    heart_fullness: float
    heart_tip: float
    spade_width: float
    spade_fullness: float
    spade_cleft: float
    stem_width: float
    stem_waist: float
    club_lobe: float
    club_spread: float
    club_drop: float
    diamond_width: float
    diamond_hollow: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> SuitShapes:
        """Draw a set of suits."""
        return cls(
            heart_width=rng.uniform(0.78, 1.0),
            heart_cleft=rng.uniform(0.35, 0.68),
            heart_fullness=rng.uniform(0.1, 0.55),
            heart_tip=rng.uniform(0.0, 0.3),
            spade_width=rng.uniform(0.72, 0.98),
            spade_fullness=rng.uniform(0.15, 0.5),
            spade_cleft=rng.uniform(0.1, 0.35),
            stem_width=rng.uniform(0.22, 0.5),
            stem_waist=rng.uniform(0.03, 0.12),
            club_lobe=rng.uniform(0.4, 0.47),
            club_spread=rng.uniform(0.5, 0.56),
            club_drop=rng.uniform(0.1, 0.3),
            diamond_width=rng.uniform(0.66, 0.92),
            diamond_hollow=rng.uniform(-0.02, 0.24),
        )

    def outlines(self, suit: str) -> list[Points]:
        """The polygons whose union is the suit (``S``, ``H``, ``D`` or ``C``)."""
        return {"S": self._spade, "H": self._heart, "D": self._diamond, "C": self._club}[suit]()

    def _heart(self) -> list[Points]:
        width, side = self.heart_width, -0.38
        lobe = _cubic((0, -self.heart_cleft), (0.06, -1.12), (width, -1.2), (width, side))
        flank = _cubic((width, side), (width, side + self.heart_fullness), (self.heart_tip, 0.62), (0, 1))
        return [_mirrored(lobe, flank)]

    def _spade(self) -> list[Points]:
        width, side, foot = self.spade_width, 0.22, self.spade_cleft + 0.1
        flank = _cubic((0, -1), (0.1, -0.7), (width, side - self.spade_fullness), (width, side))
        lobe = _cubic((width, side), (width, 0.88), (0.12, 0.86), (0, foot))
        return [_mirrored(flank, lobe), self._stem(foot - 0.1)]

    def _stem(self, top: float) -> Points:
        waist, width = self.stem_waist, self.stem_width
        return _mirrored(
            np.array([(waist, top)]), _cubic((waist, top), (waist, 0.75), (width * 0.5, 0.96), (width, 1.0))
        )

    def _club(self) -> list[Points]:
        radius, spread = self.club_lobe, self.club_spread
        turn = np.linspace(0, 2 * math.pi, 48, endpoint=False)
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius
        low = radius - 1 + 2 * radius * 0.86 - 0.02 + self.club_drop * 0.3
        middle = np.array([(0, radius - 0.9), (spread, low), (-spread, low)]) * (0.62, 0.7) + (0, 0.02)
        centres = [(0.0, radius - 1.0), (spread, low), (-spread, low)]
        return [*(circle + centre for centre in centres), middle, self._stem(low - 0.45)]

    def _diamond(self) -> list[Points]:
        width, inward = self.diamond_width, 1 - self.diamond_hollow
        bend = (width / 2 * inward, -0.5 * inward)
        upper = _cubic((0, -1), bend, bend, (width, 0))
        lower = _cubic((width, 0), (bend[0], -bend[1]), (bend[0], -bend[1]), (0, 1))
        return [_mirrored(upper, lower)]

    def mask(self, suit: str, height: int, grow: float = 0.0) -> Mask:
        """A pip ``height`` pixels high, cropped close; ``grow`` makes it that many pixels fatter on all sides.

        >>> SuitShapes.random(np.random.default_rng(1)).mask("H", 40).shape[0]
        40
        """
        fine = 4
        scale = (height / 2 - grow) * fine
        centre = (height / 2 + 2) * fine
        canvas = np.zeros((int(centre * 2), int(centre * 2)), np.uint8)
        for outline in self.outlines(suit):
            cv2.fillPoly(canvas, [np.rint(outline * scale + centre).astype(np.int32)], 255)
        if grow > 0:
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * int(grow * fine) + 1,) * 2)
            canvas = np.asarray(cv2.dilate(canvas, kernel), np.uint8)
        small = cv2.resize(canvas, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_AREA)
        columns = np.flatnonzero(small.max(axis=0) > 8)
        return np.asarray(small[2 : 2 + height, columns[0] : columns[-1] + 1], np.uint8)
