"""The ground under the cards: cloths, wood and stone made from noise, as seen from above.

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
UNSEEN_GROUNDS: Final = ("plaid", "painted", "stone", "oilcloth")
"""Kept for measuring how the table is followed: pictures for learning and for the benchmark of single pictures have
none of these. Each has other colours for each seed."""
_COLOURS: Final[dict[str, tuple[int, int, int]]] = {  # BGR
    "felt-green": (72, 104, 36),
    "felt-blue": (112, 74, 38),
    "felt-wine": (52, 34, 110),
    "linen": (178, 196, 206),
    "oak": (96, 148, 192),
    "walnut": (44, 66, 98),
}


def ground_picture(kind: str, seed: int = 0) -> Image:
    """The ground ``kind`` (of GROUNDS or UNSEEN_GROUNDS) as a BGR picture of the plane. Raises ValueError."""
    rng = np.random.default_rng(seed)
    shape = (int(HEIGHT * SCALE), int(WIDTH * SCALE))
    if kind in _COLOURS:
        colour = np.array(_COLOURS[kind], np.float32)
        if kind.startswith("felt"):
            return _coloured(_felt(shape, rng), colour)
        return _coloured(_linen(shape, rng), colour) if kind == "linen" else _wood(shape, rng, colour)
    drawn = {"plaid": _plaid, "painted": _painted, "stone": _stone, "oilcloth": _oilcloth}.get(kind)
    if drawn is None:
        raise ValueError(f"no ground '{kind}': choose one of {', '.join((*GROUNDS, *UNSEEN_GROUNDS))}")
    return drawn(shape, rng)


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


def _ink(rng: np.random.Generator, saturation: tuple[int, int], value: tuple[int, int]) -> Grid:
    """A colour (BGR) of any hue."""
    hsv = np.array([[[rng.integers(180), rng.integers(*saturation), rng.integers(*value)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _plaid(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """Bands of a few colours that cross, woven."""
    pitch = rng.uniform(90, 220)
    base, *inks = _ink(rng, (10, 110), (120, 235)), _ink(rng, (90, 220), (60, 200)), _ink(rng, (60, 220), (40, 230))
    picture: Grid = np.full((*shape, 3), base, np.float32)
    for ink in inks:
        begin, wide = rng.uniform(0, 1), rng.uniform(0.08, 0.4)
        for axis in (0, 1):
            place = np.arange(shape[axis], dtype=np.float32) / pitch % 1.0
            band = (((place - begin) % 1.0) < wide).astype(np.float32) * 0.5
            cover = band[:, None] if axis == 0 else band[None, :]
            picture += (ink - picture) * cover[..., None]
    tone = _linen(shape, rng) * 1.06
    return np.asarray(np.clip(picture * tone[..., None], 0, 255), np.uint8)


def _painted(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """Boards under a coat of paint that is worn in places."""
    wood = _wood(shape, rng, np.array((110, 150, 186), np.float32)).astype(np.float32)
    paint: Grid = _ink(rng, (20, 170), (70, 225)) * (1 + 0.02 * _cloud(shape, rng, 120, 3))[..., None]
    relief = wood.mean(axis=2) / wood.mean()
    worn = np.clip((_cloud(shape, rng, 90, 24) + _cloud(shape, rng, 14, 5) * 0.6 - 1.5) * 2, 0, 0.85)[..., None]
    coat = paint * (0.55 + 0.45 * relief)[..., None]
    return np.asarray(np.clip(coat * (1 - worn) + wood * worn, 0, 255), np.uint8)


def _stone(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """Polished stone: clouds, veins and grains of two colours."""
    base, other = _ink(rng, (0, 50), (60, 215)), _ink(rng, (0, 90), (40, 240))
    clouds = _cloud(shape, rng, 240, 200) + 0.5 * _cloud(shape, rng, 70, 60) + 0.25 * _cloud(shape, rng, 18, 18)
    veins = np.exp(-((clouds / rng.uniform(0.03, 0.1)) ** 2)) * rng.uniform(0.0, 0.7)
    grains = np.clip(_cloud(shape, rng, 5, 5) - rng.uniform(0.8, 1.6), 0, 1) * rng.uniform(0.1, 0.8)
    share = np.clip(0.5 + 0.2 * clouds * 0.4 + veins + grains, 0, 1)[..., None]
    return np.asarray(np.clip(base * (1 - share) + (0.6 * other + 0.4 * base) * share, 0, 255), np.uint8)


def _oilcloth(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """A printed pattern on a light or dark ground: dots, rings or flowers in rows, in two colours."""
    base = _ink(rng, (10, 120), (150, 240)) if rng.random() < 0.6 else _ink(rng, (60, 200), (40, 120))
    inks = [_ink(rng, (80, 230), (60, 240)), _ink(rng, (30, 230), (40, 250))]
    pitch, kind = int(rng.integers(60, 150)), int(rng.integers(3))
    tile = np.empty((2 * pitch, 2 * pitch, 3), np.uint8)
    tile[:] = np.clip(base, 0, 255).astype(np.uint8)
    size = pitch * float(rng.uniform(0.14, 0.3))
    for number, (x, y) in enumerate(((0.5, 0.5), (1.5, 1.5), (0.5, 1.5), (1.5, 0.5))):
        ink = tuple(float(value) for value in inks[number // 2])
        middle = np.array([x * pitch, y * pitch])
        around = [middle + size * 0.8 * np.array([math.cos(a), math.sin(a)]) for a in np.arange(5) * 2 * math.pi / 5]
        spots = around if kind == 2 else [middle]
        for spot in spots:
            cv2.circle(tile, (int(spot[0]), int(spot[1])), int(size * 0.6), ink, 4 if kind == 1 else -1, cv2.LINE_AA)
    rows, columns = -(-shape[0] // tile.shape[0]), -(-shape[1] // tile.shape[1])
    printed = np.tile(tile, (rows, columns, 1))[: shape[0], : shape[1]].astype(np.float32)
    gloss = 1 + 0.03 * _cloud(shape, rng, 300, 300) + 0.012 * _cloud(shape, rng, 4, 4)
    return np.clip(printed * gloss[..., None], 0, 255).astype(np.uint8)
