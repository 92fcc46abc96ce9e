"""Where: finds the indices of cards in a picture, each with the outline of its card (one network, no identity)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime

from vision import geometry
from vision.geometry import Floats
from vision.recogniser import Image

STRIDE: Final = 8
_ALIGN: Final = 32
_SMALL, _LARGE = 56.0, 260.0


@dataclass(frozen=True, slots=True)
class FoundIndex:
    """An index: its middle (2 px), the outline of its card as read from it (4 x 2 px), and a score 0..1.

    ``fit`` (0..1) says how well the size at which it was seen suits the network: outlines of cards that look very
    large or very small to it are rough.
    """

    point: Floats
    quad: Floats
    score: float
    fit: float = 1.0

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
        """All indices seen at one or more sizes of the picture (``long_sides``, px), best first, doubles removed."""
        found: list[FoundIndex] = []
        for long_side in long_sides:
            found += self._detect_at(image, long_side)
        return without_doubles(found)

    def _detect_at(self, image: Image, long_side: int) -> list[FoundIndex]:
        height, width = image.shape[:2]
        scale = long_side / max(height, width)
        small = cv2.resize(
            image,
            (max(1, round(width * scale)), max(1, round(height * scale))),
            interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
        )
        rows, columns = -(-small.shape[0] // _ALIGN) * _ALIGN, -(-small.shape[1] // _ALIGN) * _ALIGN
        padded = np.zeros((rows, columns, 3), np.float32)
        padded[: small.shape[0], : small.shape[1]] = small
        padded /= 255.0
        (cells,) = self._session.run(None, {"image": padded.transpose(2, 0, 1)[None]})
        return _read_cells(np.asarray(cells[0], np.float32), scale, self._threshold)


def _read_cells(cells: Floats, scale: float, threshold: float) -> list[FoundIndex]:
    """Peaks of the heat as indices, in the picture's own pixels (see ``vision.training.networks`` for the channels)."""
    heat = 1.0 / (1.0 + np.exp(-cells[0]))
    ridge = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= ridge) & (heat > threshold))
    found = []
    for row, column in zip(rows, columns, strict=True):
        value = cells[:, row, column]
        point = (np.array([column, row], np.float32) + 0.5 + value[1:3]) * STRIDE
        tall = 64.0 * float(np.exp(np.clip(value[3], -3.0, 4.0)))
        quad = point + value[4:].reshape(4, 2) * tall
        if not cv2.isContourConvex(quad.astype(np.float32)) or geometry.area(quad) < 50:
            continue
        fit = float(np.clip(_LARGE / tall, 0.2, 1.0) * np.clip(tall / _SMALL, 0.2, 1.0))
        score = float(heat[row, column])
        found.append(FoundIndex((point / scale).astype(np.float32), (quad / scale).astype(np.float32), score, fit))
    return found


def direction(quad: Floats) -> npt.NDArray[np.float64]:
    """The unit vector from a card's top to its bottom as it is read."""
    down = np.asarray(quad[3] + quad[2] - quad[0] - quad[1], np.float64)
    return down / max(float(np.linalg.norm(down)), 1e-6)


def without_doubles(found: Sequence[FoundIndex], reach: float = 0.09) -> list[FoundIndex]:
    """Drop an index that another, better one at the same place and with the same direction repeats."""
    kept: list[FoundIndex] = []
    for index in sorted(found, key=lambda index: -index.weight):
        tall = geometry.side_lengths(index.quad)[1]
        way = direction(index.quad)
        if not any(
            float(np.linalg.norm(index.point - other.point)) < reach * min(tall, geometry.side_lengths(other.quad)[1])
            and float(way @ direction(other.quad)) > 0.5
            for other in kept
        ):
            kept.append(index)
    return kept
