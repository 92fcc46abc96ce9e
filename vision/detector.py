"""Where: finds the indices of cards in a picture, each with the outline of its card (one network, no identity)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import onnxruntime

from vision import geometry
from vision.geometry import Floats
from vision.recogniser import Image

FINE: Final = 4
COARSE: Final = 8
"""Strides of the network's two outputs: where indices are, and their cards' outlines."""
_ALIGN: Final = 32
_SMALL, _LARGE, _WELL_SEEN = 56.0, 260.0, 180.0
"""Heights of cards, px, as the network sees them: below and above which it is less sure, and where it sees best."""


@dataclass(frozen=True, slots=True)
class FoundIndex:
    """An index: its middle (2 px), the card's axes there (``geometry.index_frame``, 2 x 2 px), the outline of its card
    as read from it (4 x 2 px), and a score 0..1.

    ``fit`` (0..1) says how well the size at which it was seen suits the network: outlines of cards that look very
    large or very small to it are rough.
    """

    point: Floats
    frame: Floats
    quad: Floats
    score: float
    fit: float = 1.0

    @property
    def tall(self) -> float:
        """Its card's height, pixels."""
        return geometry.side_lengths(self.quad)[1]

    @property
    def weight(self) -> float:
        """How much its outline counts beside others of the same card."""
        return self.score * self.fit


class Detector:
    """The network behind a picture-in, indices-out call."""

    def __init__(self, session: onnxruntime.InferenceSession, threshold: float = 0.3) -> None:
        self._session = session
        self._threshold = threshold

    def detect(self, image: Image, long_sides: Sequence[int]) -> list[FoundIndex]:
        """All indices seen at one or more sizes of the picture (``long_sides``, px), best first, doubles removed.

        What a small picture shows of cards that a larger one shows well is left out: it is less well placed.
        """
        found: list[FoundIndex] = []
        whole = max(image.shape[:2])
        if whole >= 2 * max(long_sides):  # a very large picture is halved once, which is quick, for all its looks
            image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        for long_side in long_sides:
            finer = min((other for other in long_sides if other > 2 * long_side), default=None)
            least = _WELL_SEEN / finer * whole if finer else 0.0
            found += [index for index in self._detect_at(image, long_side, whole) if index.tall > least]
        return without_doubles(found)

    def _detect_at(self, image: Image, long_side: int, whole: int) -> list[FoundIndex]:
        """What is seen at one size, in pixels of the picture whose long side is ``whole``."""
        height, width = image.shape[:2]
        shrink, scale = long_side / max(height, width), long_side / whole
        small = cv2.resize(
            image,
            (max(1, round(width * shrink)), max(1, round(height * shrink))),
            interpolation=cv2.INTER_AREA if shrink < 1 else cv2.INTER_LINEAR,
        )
        rows, columns = -(-small.shape[0] // _ALIGN) * _ALIGN, -(-small.shape[1] // _ALIGN) * _ALIGN
        padded = np.zeros((rows, columns, 3), np.float32)
        padded[: small.shape[0], : small.shape[1]] = small
        padded /= 255.0
        indices, cards = self._session.run(None, {"image": padded.transpose(2, 0, 1)[None]})
        return _read_cells(np.asarray(indices[0]), np.asarray(cards[0]), scale, self._threshold)


def _read_cells(indices: Floats, cards: Floats, scale: float, threshold: float) -> list[FoundIndex]:
    """Peaks of the heat as indices, in the picture's own pixels (see ``vision.training.networks`` for the channels)."""
    heat = 1.0 / (1.0 + np.exp(-indices[0]))
    ridge = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= ridge) & (heat > threshold))
    at = indices[:, rows, columns].T
    about = cards[:, rows // 2, columns // 2].T
    points = (np.stack([columns, rows], axis=1) + 0.5 + at[:, 1:3]) * FINE
    near = 64.0 * np.exp(np.clip(at[:, 3], -3.0, 4.0))
    frames = at[:, 4:8].reshape(-1, 2, 2) * near[:, None, None]
    tall = 64.0 * np.exp(np.clip(about[:, 0], -3.0, 4.0))
    quads = points[:, None] + about[:, 1:].reshape(-1, 4, 2) * tall[:, None, None]
    fit = np.clip(_LARGE / tall, 0.2, 1.0) * np.clip(tall / _SMALL, 0.2, 1.0)
    found = []
    for k in range(len(points)):
        quad = np.asarray(quads[k] / scale, np.float32)
        if not cv2.isContourConvex(quad) or geometry.area(quad) * scale**2 < 50:
            continue
        point, frame = np.asarray(points[k] / scale, np.float32), np.asarray(frames[k] / scale, np.float32)
        found.append(FoundIndex(point, frame, quad, float(heat[rows[k], columns[k]]), float(fit[k])))
    return found


def without_doubles(found: Sequence[FoundIndex], reach: float = 0.09) -> list[FoundIndex]:
    """Drop an index that another, better one at the same place and with the same direction repeats."""
    if not found:
        return []
    ranked = sorted(found, key=lambda index: -index.weight)
    points = np.stack([index.point for index in ranked])
    quads = np.stack([index.quad for index in ranked])
    tall, way = geometry.talls(quads), geometry.directions(quads)
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < reach * np.minimum(tall[:, None], tall[None])
    repeats = near & (way @ way.T > 0.5)
    kept: list[int] = []
    for k in range(len(ranked)):
        if not repeats[k, kept].any():
            kept.append(k)
    return [ranked[k] for k in kept]


def crowded(found: Sequence[FoundIndex]) -> bool:
    """Whether most indices have another, of a card lying the same way, closer than a third of a card: a fan."""
    if len(found) < 4:
        return False
    points = np.stack([index.point for index in found])
    quads = np.stack([index.quad for index in found])
    tall, way = geometry.talls(quads), geometry.directions(quads)
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < 0.33 * tall[:, None]
    beside = near & (way @ way.T > 0.8)
    np.fill_diagonal(beside, val=False)
    return bool(beside.any(axis=1).mean() > 0.5)
