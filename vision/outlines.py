"""Draws what was recognised into the picture: the outline and the name of each card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np

from vision.recogniser import Image, Reading

_SURE: Final = 0.9
_GREEN: Final = (80, 200, 60)
_AMBER: Final = (0, 170, 255)


def draw_outlines(image: Image, readings: Iterable[Reading]) -> Image:
    """A copy of the picture with each card outlined and named; green where sure (0.9 or more), amber where not."""
    drawn = image.copy()
    unit = max(1.0, min(image.shape[:2]) / 720)
    for reading in readings:
        colour = _GREEN if reading.confidence >= _SURE and reading.card.known else _AMBER
        corners = np.round(reading.quad).astype(np.int32)
        cv2.polylines(drawn, [corners.reshape(-1, 1, 2)], True, colour, round(2 * unit), cv2.LINE_AA)
        _label(drawn, str(reading.card), (int(corners[0, 0]), int(corners[0, 1])), colour, unit)
    return drawn


def _label(drawn: Image, text: str, corner: tuple[int, int], colour: tuple[int, int, int], unit: float) -> None:
    """The name on a filled ground at the card's own top left corner, kept inside the picture."""
    font, scale, weight = cv2.FONT_HERSHEY_SIMPLEX, 0.7 * unit, max(1, round(1.6 * unit))
    (width, height), below = cv2.getTextSize(text, font, scale, weight)
    x = min(max(corner[0], 0), max(drawn.shape[1] - width, 0))
    y = min(max(corner[1], height + below), drawn.shape[0] - below)
    cv2.rectangle(drawn, (x, y - height - below), (x + width, y + below), colour, cv2.FILLED)
    cv2.putText(drawn, text, (x, y), font, scale, (0, 0, 0), weight, cv2.LINE_AA)
