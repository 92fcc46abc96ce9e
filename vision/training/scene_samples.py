"""From rendered scenes (or labelled photographs) to what the networks are fed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import RANKS, SUITS
from vision import geometry
from vision.geometry import Floats

STRIDE: Final = 8
SHOWN: Final = 0.75
"""An index is in view from this share on and hidden below HIDDEN; between the two it is left out."""
HIDDEN: Final = 0.35
SMALLEST: Final = 28.0
"""Cards lower than this, in pixels as the detector sees them, are left out: nobody can read them."""

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TrueCard:
    """The truth of one card: see ``vision.training.scenes.SceneCard``."""

    card: str
    quad: Floats
    visible: float
    indices: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture file with its cards. ``unsure``: boxes (x0, y0, x1, y1) in which the truth isn't known."""

    path: Path
    cards: tuple[TrueCard, ...]
    unsure: tuple[tuple[float, float, float, float], ...] = ()

    def load(self) -> Bytes:
        """The picture, BGR."""
        picture = cv2.imread(str(self.path))
        if picture is None:
            raise FileNotFoundError(
                f"{self.path}: no picture; make the scenes anew (python -m vision.training.make_scenes)"
            )
        return np.asarray(picture, np.uint8)


def read_truth(folder: Path) -> list[LabelledPicture]:
    """All labelled pictures below a folder that holds ``truth.jsonl`` files, in the order of their names."""
    pictures = []
    for truth in sorted(folder.glob("**/truth.jsonl")):
        for line in truth.read_text().splitlines():
            row = json.loads(line)
            cards = tuple(
                TrueCard(
                    c["card"],
                    np.array(c["quad"], np.float32),
                    c["visible"],
                    tuple((int(corner), float(share)) for corner, share in c["indices"]),
                )
                for c in row["cards"]
            )
            unsure = tuple((b[0], b[1], b[2], b[3]) for b in row.get("unsure", []))
            pictures.append(LabelledPicture(truth.parent / row["file"], cards, unsure))
    return pictures


def upright_from(quad: Floats, corner: int) -> Floats:
    """The quad as it is read from an index at ``corner``: from the lower corners a card reads the other way up."""
    return np.roll(quad, -2, axis=0) if corner in (2, 3) else quad


def detector_sample(
    rng: np.random.Generator, labelled: LabelledPicture, size: int
) -> tuple[Bytes, Floats, Floats, Floats]:
    """A random window of a picture with the detector's targets on its grid.

    Returns the window (size x size x 3), the heat (0..1, rows x columns), the weight of each cell's heat (0 where the
    truth isn't known) and the regression targets (12 x rows x columns; channel 0 is the regression's own weight).
    """
    picture = labelled.load()
    matrix = _window(rng, labelled, picture.shape[1], picture.shape[0], size)
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    flags = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
    if scale < 0.7:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=flags), np.uint8)
        matrix = matrix @ np.diag([1 / scale, 1 / scale, 1.0])
        resized = np.diag([scale, scale, 1.0])
    else:
        resized = np.eye(3)
    window = cv2.warpAffine(
        picture, matrix[:2], (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    whole = matrix @ resized
    cells = size // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    weight = np.ones((cells, cells), np.float32)
    regression = np.zeros((12, cells, cells), np.float32)
    for box in labelled.unsure:
        corners = np.array([[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]], np.float32)
        _blank(weight, _mapped(whole, corners))
    for card in labelled.cards:
        quad = _mapped(whole, card.quad)
        for corner, share in card.indices:
            _mark(heat, weight, regression, upright_from(quad, corner), geometry.index_point(quad, corner), share, size)
    return jitter_colours(rng, np.asarray(window, np.uint8)), heat, weight, regression


def _mapped(matrix: npt.NDArray[np.float64], points: Floats) -> Floats:
    return np.asarray(points @ matrix[:2, :2].T + matrix[:2, 2], np.float32)


def _window(
    rng: np.random.Generator, labelled: LabelledPicture, width: int, height: int, size: int
) -> npt.NDArray[np.float64]:
    """A random similarity from the picture to the window; cards come out 28 to 340 px high."""
    scale = float(np.exp(rng.uniform(np.log(0.55), np.log(1.25))))
    middle = rng.uniform(0, 1, 2) * (width, height)
    if labelled.cards and rng.random() < 0.85:
        card = labelled.cards[int(rng.integers(len(labelled.cards)))]
        middle = card.quad.mean(axis=0) + rng.normal(0, 0.25 * size, 2)
        tall = geometry.side_lengths(card.quad)[1]
        scale = float(np.clip(scale, 30 / tall, max(340 / tall, 30 / tall)))
    angle = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.25)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    turn = np.array([[cos, -sin], [sin, cos]])
    shift = np.array([size / 2, size / 2]) - turn @ middle
    return np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0, 0, 1]])


def _blank(weight: Floats, corners: Floats) -> None:
    cv2.fillConvexPoly(weight, np.round(corners / STRIDE).astype(np.int32), 0.0)


def _mark(
    heat: Floats, weight: Floats, regression: Floats, quad: Floats, point: Floats, share: float, size: int
) -> None:
    """Write one index into the targets."""
    if not (0 <= point[0] < size and 0 <= point[1] < size) or share <= HIDDEN:
        return
    wide, tall = geometry.side_lengths(quad)
    column, row = point / STRIDE
    reach = max(1, round(tall * 0.05 / STRIDE))
    cx, cy = int(column), int(row)
    if tall < SMALLEST or wide < SMALLEST * 0.4 or share < SHOWN:
        weight[max(0, cy - reach) : cy + reach + 1, max(0, cx - reach) : cx + reach + 1] = 0.0
        return
    sigma = max(0.6, tall / STRIDE * 0.03)
    rows, columns = heat.shape
    y, x = np.ogrid[:rows, :columns]
    bump = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * sigma**2)).astype(np.float32)
    near = bump > np.maximum(heat, 0.25)
    np.maximum(heat, bump, out=heat)
    regression[0][near] = bump[near]
    regression[1][near] = (column - 0.5 - np.broadcast_to(x, heat.shape))[near]
    regression[2][near] = (row - 0.5 - np.broadcast_to(y, heat.shape))[near]
    regression[3][near] = np.log(tall / 64)
    offsets = ((quad - point) / tall).ravel()
    regression[4:, near] = offsets[:, None]


def jitter_colours(rng: np.random.Generator, picture: Bytes) -> Bytes:
    """Small changes of light and colour, so that no two epochs show the same picture."""
    gain = np.exp(rng.normal(0, 0.12)) * (1 + rng.normal(0, 0.04, 3))
    table = np.clip(
        255 * (np.arange(256) / 255)[:, None] ** np.exp(rng.normal(0, 0.12)) * gain + rng.normal(0, 4), 0, 255
    ).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)


def label_of(card: str) -> tuple[int, int]:
    """Rank and suit numbers of a card, as the namers count them."""
    return RANKS.index(card[0]), SUITS.index(card[1])


def _shaken(rng: np.random.Generator, quad: Floats, strength: float) -> Floats:
    """A quad as an imperfect detector would give it."""
    tall = geometry.side_lengths(quad)[1]
    middle = quad.mean(axis=0)
    turn, grow = rng.normal(0, 0.06 * strength), np.exp(rng.normal(0, 0.05 * strength))
    cos, sin = np.cos(turn) * grow, np.sin(turn) * grow
    moved = (quad - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle
    moved = moved + rng.normal(0, 0.02 * tall * strength, 2) + rng.normal(0, 0.018 * tall * strength, (4, 2))
    return np.asarray(moved, np.float32)


Crop = tuple[Bytes, int, int, int]
"""A crop, its rank (or -1), its suit (or -1), and whether it is what it should be (1) or not (0)."""


def index_samples(rng: np.random.Generator, labelled: LabelledPicture, pyramid: geometry.Pyramid) -> list[Crop]:
    """Index crops of a picture, as an imperfect detector would cut them, with some that are no index."""
    crops: list[Crop] = []
    points = []
    for card in labelled.cards:
        rank, suit = label_of(card.card)
        for corner, share in card.indices:
            quad = upright_from(card.quad, corner)
            point = geometry.index_point(card.quad, corner)
            tall = geometry.side_lengths(quad)[1]
            points.append(point)
            if tall < 40 or HIDDEN < share < SHOWN:
                continue
            shaken = _shaken(rng, quad, 1.0)
            aim = point + rng.normal(0, 0.014 * tall, 2).astype(np.float32)
            crop = geometry.index_crop(pyramid, shaken, aim)
            if share >= SHOWN:
                crops.append((crop, rank, suit, 1))
            elif rng.random() < 0.15:
                crops.append((crop, -1, -1, 0))
            if rng.random() < 0.06:
                wrong = np.roll(shaken, int(rng.integers(1, 4)), axis=0)
                crops.append((geometry.index_crop(pyramid, wrong, aim), -1, -1, 0))
    for _ in range(2 if points else 1):
        stray = _stray(rng, labelled, points, pyramid)
        if stray is not None:
            crops.append(stray)
    return crops


def _stray(
    rng: np.random.Generator, labelled: LabelledPicture, points: list[Floats], pyramid: geometry.Pyramid
) -> Crop | None:
    """A crop at a place where no index stands, often on a card."""
    height, width = pyramid.level(1.0)[0].shape[:2]
    tall = float(np.exp(rng.uniform(np.log(50), np.log(400))))
    aim = np.asarray(rng.uniform(0, 1, 2) * (width, height), np.float32)
    if labelled.cards and rng.random() < 0.7:
        card = labelled.cards[int(rng.integers(len(labelled.cards)))]
        tall = geometry.side_lengths(card.quad)[1]
        aim = np.asarray(card.quad.mean(axis=0) + rng.normal(0, tall * 0.3, 2), np.float32)
    if any(float(np.linalg.norm(aim - point)) < 0.16 * tall for point in points):
        return None
    turn = rng.uniform(0, 2 * np.pi)
    half = np.array([[-0.35, -0.5], [0.35, -0.5], [0.35, 0.5], [-0.35, 0.5]]) * tall
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    quad = np.asarray(half @ spin.T + aim, np.float32)
    return geometry.index_crop(pyramid, quad, aim), -1, -1, 0


def card_samples(rng: np.random.Generator, labelled: LabelledPicture, pyramid: geometry.Pyramid) -> list[Crop]:
    """Whole-card crops of a picture, also of half-covered cards, with some that are no card."""
    crops: list[Crop] = []
    for card in labelled.cards:
        tall = geometry.side_lengths(card.quad)[1]
        if tall < 36:
            continue
        quad = _shaken(rng, card.quad, 1.0)
        if rng.random() < 0.5:
            quad = np.roll(quad, 2, axis=0)
        if card.visible >= 0.3:
            rank, suit = label_of(card.card)
            crops.append((geometry.card_crop(pyramid, quad), rank, suit, 1))
        if rng.random() < 0.08:
            off = quad + rng.normal(0, 0.5 * tall, 2).astype(np.float32)
            crops.append((geometry.card_crop(pyramid, np.roll(off, int(rng.integers(4)), axis=0)), -1, -1, 0))
    return crops
