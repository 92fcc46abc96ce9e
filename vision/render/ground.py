"""The ground under the cards: cloths and wood made from noise, as seen from above.

A ground is a picture of the table plane, ``SCALE`` pixels a millimetre, its middle at the table's middle.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Grid = npt.NDArray[np.float32]

SCALE: Final = 2.0
WIDTH, HEIGHT = 1500.0, 1000.0
GROUNDS: Final = ("felt-green", "felt-blue", "felt-wine", "linen", "oak", "walnut")
_COLOURS: Final[dict[str, tuple[int, int, int]]] = {  # BGR
    "felt-green": (72, 104, 36),
    "felt-blue": (112, 74, 38),
    "felt-wine": (52, 34, 110),
    "linen": (178, 196, 206),
    "oak": (96, 148, 192),
    "walnut": (44, 66, 98),
}


def ground_picture(kind: str, seed: int = 0) -> Image:
    """The ground ``kind`` (one of GROUNDS) as a BGR picture of the plane. Raises ValueError."""
    if kind not in _COLOURS:
        raise ValueError(f"no ground '{kind}': choose one of {', '.join(GROUNDS)}")
    rng = np.random.default_rng(seed)
    shape = (int(HEIGHT * SCALE), int(WIDTH * SCALE))
    if kind.startswith("felt"):
        tone = _felt(shape, rng)
    elif kind == "linen":
        tone = _linen(shape, rng)
    else:
        return _wood(shape, rng, np.array(_COLOURS[kind], np.float32))
    return _coloured(tone, np.array(_COLOURS[kind], np.float32))


def ground_plane() -> npt.NDArray[np.float64]:
    """The 3 x 3 map from the ground picture's pixels to table millimetres."""
    return np.array([[1 / SCALE, 0, -WIDTH / 2], [0, 1 / SCALE, -HEIGHT / 2], [0, 0, 1]])


def _coloured(tone: Grid, colour: Grid) -> Image:
    picture: Image = np.clip(tone[..., None] * colour, 0, 255).astype(np.uint8)
    return picture


def _cloud(shape: tuple[int, int], rng: np.random.Generator, across: float, along: float) -> Grid:
    """Smooth noise with deviation about 1; ``across`` and ``along`` are its blotches' sizes in pixels."""
    small = rng.standard_normal((int(shape[0] / along) + 3, int(shape[1] / across) + 3)).astype(np.float32)
    grown: Grid = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return grown


def _felt(shape: tuple[int, int], rng: np.random.Generator) -> Grid:
    fibres = cv2.GaussianBlur(rng.standard_normal(shape).astype(np.float32), (0, 0), 0.9) * 2.4
    tone: Grid = 1 + 0.055 * fibres + 0.018 * _cloud(shape, rng, 30, 30) + 0.022 * _cloud(shape, rng, 260, 260)
    return tone.astype(np.float32)


def _linen(shape: tuple[int, int], rng: np.random.Generator) -> Grid:
    xs = np.arange(shape[1], dtype=np.float32)[None, :]
    ys = np.arange(shape[0], dtype=np.float32)[:, None]
    threads = np.sin(xs * math.pi / 2.3) * np.sin(ys * math.pi / 2.3)
    slubs = _cloud(shape, rng, 60, 3) + _cloud(shape, rng, 3, 60)
    folds = np.exp(-(((xs - shape[1] * 0.36) / 7) ** 2)) - np.exp(-(((xs - shape[1] * 0.36 - 10) / 9) ** 2))
    tone: Grid = 0.93 + 0.035 * threads + 0.022 * slubs + 0.05 * folds + 0.015 * _cloud(shape, rng, 300, 300)
    return tone.astype(np.float32)


def _wood(shape: tuple[int, int], rng: np.random.Generator, colour: Grid) -> Image:
    planks = 7
    edges = np.linspace(0, shape[0], planks + 1).astype(int)
    picture = np.empty((*shape, 3), np.float32)
    for top, bottom in pairwise(edges):
        part = (int(bottom - top), shape[1])
        ys = np.arange(part[0], dtype=np.float32)[:, None]
        bend = _cloud(part, rng, 700, 90) * 11 + _cloud(part, rng, 160, 26) * 1.4
        rings = np.sin((ys + bend) * 2 * math.pi / rng.uniform(20, 34)) + 0.5 * np.sin((ys + bend) * 0.71 + 1.0)
        pores = np.clip(_cloud(part, rng, 34, 1.6) - 1.1, 0, None)
        tone = rng.uniform(0.88, 1.06) + 0.06 * rings + 0.03 * _cloud(part, rng, 110, 2.4) - 0.13 * pores
        tint = colour * rng.uniform(0.97, 1.03, 3).astype(np.float32)
        picture[top:bottom] = tone[..., None] * tint
        picture[top : top + 3] *= 0.62
    return np.clip(picture, 0, 255).astype(np.uint8)
