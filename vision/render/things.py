"""Things that stand on the table beside the cards: a cup, a phone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

SCALE: Final = 2.0
"""Pixels a millimetre."""


@dataclass(frozen=True, slots=True)
class Thing:
    """``pixels``: BGRA times alpha, the thing from above; ``height``: of its upper side over the table (mm)."""

    pixels: npt.NDArray[np.uint8]
    height: float


def thing_picture(kind: str) -> Thing:
    """The thing ``cup`` or ``phone``. Raises ValueError."""
    if kind == "cup":
        return Thing(_cup(), 30.0)
    if kind == "phone":
        return Thing(_phone(), 4.0)
    raise ValueError(f"no thing '{kind}': there are cup and phone")


def _cup() -> npt.NDArray[np.uint8]:
    size = int(150 * SCALE)
    middle = (size // 2, size // 2)
    picture = np.zeros((size, size, 4), np.uint8)

    def disc(radius: float, colour: tuple[int, int, int], dx: float = 0.0, dy: float = 0.0) -> None:
        centre = (middle[0] + int(dx * SCALE), middle[1] + int(dy * SCALE))
        cv2.circle(picture, centre, int(radius * SCALE), (*colour, 255), -1, cv2.LINE_AA)

    disc(68, (214, 218, 220))
    disc(64, (228, 231, 233))
    disc(40, (196, 201, 204), 2, 3)
    cv2.ellipse(picture, (middle[0] + int(46 * SCALE), middle[1]), (int(18 * SCALE), int(10 * SCALE)), 0, 0, 360,
                (206, 210, 213, 255), int(6 * SCALE), cv2.LINE_AA)  # fmt: skip
    disc(40, (236, 239, 240))
    disc(36, (150, 158, 164))
    disc(35, (22, 38, 62), 0.5, 1)
    disc(26, (30, 52, 84), -4, -5)
    return cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.uint8)


def _phone() -> npt.NDArray[np.uint8]:
    width, height = int(76 * SCALE), int(154 * SCALE)
    alpha = np.zeros((height, width), np.uint8)
    corner = int(10 * SCALE)
    cv2.rectangle(alpha, (corner, 0), (width - corner, height), 255, -1)
    cv2.rectangle(alpha, (0, corner), (width, height - corner), 255, -1)
    for x in (corner, width - corner - 1):
        for y in (corner, height - corner - 1):
            cv2.circle(alpha, (x, y), corner, 255, -1, cv2.LINE_AA)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    gloss = 20 + 34 * np.clip(1 - np.abs((xs + ys * 0.5) / width - 0.9), 0, 1)
    colour = np.dstack([gloss * 1.15, gloss * 1.05, gloss])
    edge = cv2.erode(alpha, np.ones((5, 5), np.uint8)) == 0
    colour[edge] = 92
    return np.dstack([colour * (alpha[..., None] / 255.0), alpha]).astype(np.uint8)
