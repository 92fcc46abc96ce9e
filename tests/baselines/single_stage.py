"""One network that finds the index corners of 52 classes of cards, as most card recognisers do.

Its body, its arithmetic and the pictures it learned from are the product's detector's
(``python -m vision.training.train_single_stage``), and it looks at a picture in the same sizes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnxruntime

from assistant.cards import RANKS, SUITS, Card
from vision import geometry
from vision.geometry import Floats
from vision.recogniser import Image, Reading, Recognition

NETWORK: Final = Path(__file__).with_name("single_stage.onnx")
CLASSES: Final = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
STRIDE: Final = 8
_ALIGN: Final = 32
_COARSE, _FINE, _FINEST = 416, 1152, 1728
_FEW_PIXELS: Final = 90.0
_SMALL, _LARGE = 56.0, 260.0
_SAME_INDEX: Final = 0.09
_SAME_CARD: Final = 0.4


@dataclass(frozen=True, slots=True)
class ClassedIndex:
    """An index of a card: its class, its middle (2 px), the card's outline as read from it (4 x 2 px), score 0..1.

    ``fit`` (0..1): how well the size at which it was seen suits the network.
    """

    card: Card
    point: Floats
    quad: Floats
    score: float
    fit: float = 1.0


class SingleStageRecogniser:
    """A ``vision.recogniser.Recogniser`` of one network."""

    def __init__(self, session: onnxruntime.InferenceSession, threshold: float = 0.1) -> None:
        self._session = session
        self._threshold = threshold

    @classmethod
    def load(cls, path: Path = NETWORK, threads: int = 2) -> SingleStageRecogniser:
        """Load the network that is kept beside this file."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return cls(onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]))

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """See ``vision.recogniser.Recogniser``."""
        start = time.perf_counter()
        readings = one_a_card(self._find(image), one_pack=one_pack)
        return Recognition(tuple(readings), (time.perf_counter() - start) * 1000)

    def _find(self, image: Image) -> list[ClassedIndex]:
        long_side = max(image.shape[:2])
        fine = min(_FINE, 2 * long_side)
        found = self._look(image, _COARSE) + self._look(image, fine)
        if long_side > _FINE and found:
            tall = float(np.median([geometry.side_lengths(index.quad)[1] for index in found]))
            if tall * fine / long_side < _FEW_PIXELS:
                found = self._look(image, fine) + self._look(image, min(_FINEST, long_side))
        return without_doubles(found)

    def _look(self, image: Image, long_side: int) -> list[ClassedIndex]:
        height, width = image.shape[:2]
        scale = long_side / max(height, width)
        flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        size = max(1, round(width * scale)), max(1, round(height * scale))
        small = cv2.resize(image, size, interpolation=flags)
        rows, columns = -(-small.shape[0] // _ALIGN) * _ALIGN, -(-small.shape[1] // _ALIGN) * _ALIGN
        padded = np.zeros((rows, columns, 3), np.float32)
        padded[: small.shape[0], : small.shape[1]] = small
        padded /= 255.0
        (cells,) = self._session.run(None, {"image": padded.transpose(2, 0, 1)[None]})
        return read_cells(np.asarray(cells[0], np.float32), scale, self._threshold)


def read_cells(cells: Floats, scale: float, threshold: float) -> list[ClassedIndex]:
    """Peaks of each class's heat (63 x rows x columns, see ``vision.training.single_stage``) as indices.

    ``scale``: pixels of the network's picture for one of the picture's own, in which the answer is given.
    """
    least = float(np.log(threshold / (1 - threshold)))
    found = []
    for number in np.flatnonzero(cells[: len(CLASSES)].max(axis=(1, 2)) > least):
        heat = cells[number]
        ridge = cv2.dilate(heat, np.ones((3, 3), np.uint8))
        for row, column in zip(*np.nonzero((heat >= ridge) & (heat > least)), strict=True):
            at = cells[len(CLASSES) :, row, column]
            point = (np.array([column, row]) + 0.5 + at[:2]) * STRIDE
            tall = 64.0 * float(np.exp(np.clip(at[2], -3.0, 4.0)))
            quad = np.asarray((point + at[3:].reshape(4, 2) * tall) / scale, np.float32)
            if not cv2.isContourConvex(quad) or geometry.area(quad) * scale**2 < 50:
                continue
            fit = min(1.0, max(0.2, _LARGE / tall)) * min(1.0, max(0.2, tall / _SMALL))
            middle, score = np.asarray(point / scale, np.float32), 1.0 / (1.0 + float(np.exp(-heat[row, column])))
            found.append(ClassedIndex(CLASSES[number], middle, quad, score, fit))
    return found


def without_doubles(found: list[ClassedIndex]) -> list[ClassedIndex]:
    """At each place the best class only, whichever the size at which it was seen; best first."""
    if not found:
        return []
    ranked = sorted(found, key=lambda index: -index.score * index.fit)
    points, quads = np.stack([index.point for index in ranked]), np.stack([index.quad for index in ranked])
    tall, way = geometry.talls(quads), geometry.directions(quads)
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    repeats = (away < _SAME_INDEX * np.minimum(tall[:, None], tall[None])) & (way @ way.T > 0.5)
    kept: list[int] = []
    for k in range(len(ranked)):
        if not repeats[k, kept].any():
            kept.append(k)
    return [ranked[k] for k in kept]


def one_a_card(found: list[ClassedIndex], *, one_pack: bool) -> list[Reading]:
    """Join the indices of a card, best first: of one class, and with more than one pack of one place too."""
    readings: list[Reading] = []
    for index in found:
        joined = [
            k
            for k, reading in enumerate(readings)
            if reading.card == index.card and (one_pack or geometry.overlap(reading.quad, index.quad) > _SAME_CARD)
        ]
        if joined:
            first = readings[joined[0]]
            readings[joined[0]] = Reading(first.card, first.confidence, first.quad, 1.0)
        else:
            readings.append(Reading(index.card, index.score, index.quad, 0.5))
    return readings
