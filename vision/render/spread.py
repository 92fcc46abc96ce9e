"""Pictures of cards laid out flat, seen from straight above: for tests and for timing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import Card
from vision.render.packs import Pack

Picture = npt.NDArray[np.uint8]
Quad = npt.NDArray[np.float32]


def cloth(height: int, width: int, seed: int = 1) -> Picture:
    """A bare green cloth with a weave: height x width x 3, BGR."""
    weave = np.random.default_rng(seed).normal(0, 6, (height, width, 1))
    return np.clip(np.array([70, 110, 60]) + weave, 0, 255).astype(np.uint8)


def lay(
    picture: Picture, pack: Pack, card: Card, centre: tuple[float, float], tall: float, degrees: float = 0.0
) -> Quad:
    """Draw a card, ``tall`` px high and turned clockwise, into a BGR picture; returns its quad (4 x 2 px)."""
    face = pack.faces[card]
    height, width = face.shape[:2]
    half = np.array([tall * width / height, tall]) / 2
    angle = np.radians(degrees)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    quad = np.asarray((np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ spin.T + centre, np.float32)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, (picture.shape[1], picture.shape[0]))
    matrix = cv2.getPerspectiveTransform(corners, (quad - low).astype(np.float32))
    # Shrinking without a blur first would make thin letters flicker.
    soft = cv2.GaussianBlur(face, (0, 0), max(0.01, height / tall / 2.5))
    patch = cv2.warpPerspective(soft, matrix, (int(high[0] - low[0]), int(high[1] - low[1]))).astype(np.float32)
    alpha = patch[..., 3:] / 255
    region = picture[low[1] : high[1], low[0] : high[0]]
    region[:] = (region * (1 - alpha) + patch[..., 2::-1] * alpha).astype(np.uint8)
    return quad


def rows(pack: Pack, cards: Sequence[Card], height: int, width: int, columns: int) -> Picture:
    """Cards in even rows on a cloth, each turned a little, filling a picture of height x width."""
    picture = cloth(height, width)
    lines = -(-len(cards) // columns)
    tall = min(height / lines, width / columns * 1.4) * 0.86
    for k, card in enumerate(cards):
        centre = ((k % columns + 0.5) * width / columns, (k // columns + 0.5) * height / lines)
        lay(picture, pack, card, centre, tall, degrees=(k * 37) % 21 - 10)
    return picture
