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
from vision.detector import COARSE, FINE
from vision.geometry import Floats

SHOWN: Final = 0.75
"""An index is in view from this share on and hidden below HIDDEN; between the two it is left out."""
HIDDEN: Final = 0.35
MOSTLY_SEEN: Final = 0.4
HARDLY_SEEN: Final = 0.25
"""Shares of a card in view: from the first on it is named as a whole, below the second there is no face to name."""
SMALLEST: Final = 28.0
"""Cards lower than this, in pixels as the detector sees them, are left out: nobody can read them."""

Bytes = npt.NDArray[np.uint8]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrueCard:
    """The truth of one card: see ``vision.training.scenes.SceneCard``."""

    card: str
    quad: Floats
    visible: float
    indices: tuple[tuple[int, float], ...]
    pack: str = ""


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
                    c.get("pack", ""),
                )
                for c in row["cards"]
            )
            unsure = tuple((b[0], b[1], b[2], b[3]) for b in row.get("unsure", []))
            pictures.append(LabelledPicture(truth.parent / row["file"], cards, unsure))
    return pictures


def upright_from(quad: Floats, corner: int) -> Floats:
    """The quad as it is read from an index at ``corner``: from the lower corners a card reads the other way up."""
    return np.roll(quad, -2, axis=0) if corner in (2, 3) else quad


@dataclass(frozen=True, slots=True)
class Targets:
    """What the detector should answer for a window, on its fine and on its coarse cells (rows x columns).

    ``heat`` (0..1) and ``weight`` (0 where the truth isn't known) are fine; ``indices`` is 8 x fine cells and ``cards``
    10 x coarse cells; channel 0 of these two is the weight of the rest.
    """

    heat: Floats
    weight: Floats
    indices: Floats
    cards: Floats

    @classmethod
    def empty(cls, size: int) -> Targets:
        """Nothing to be found in a window of ``size`` px."""
        fine, coarse = size // FINE, size // COARSE
        return cls(
            np.zeros((fine, fine), np.float32),
            np.ones((fine, fine), np.float32),
            np.zeros((8, fine, fine), np.float32),
            np.zeros((10, coarse, coarse), np.float32),
        )


def detector_sample(rng: np.random.Generator, labelled: LabelledPicture, size: int) -> tuple[Bytes, Targets]:
    """A random window of a picture (size x size x 3) with the detector's targets."""
    window, whole = random_window(rng, labelled, size)
    targets = Targets.empty(size)
    for box in labelled.unsure:
        _blank(targets.weight, mapped(whole, box_corners(box)))
    for card in labelled.cards:
        quad = mapped(whole, card.quad)
        for corner, share in card.indices:
            _mark(targets, upright_from(quad, corner), corner % 2, share, size)
    return window, targets


def random_window(rng: np.random.Generator, labelled: LabelledPicture, size: int) -> tuple[Bytes, Matrix]:
    """A random window of a picture (size x size x 3), its colours jittered, and the map from the picture to it."""
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
    return jitter_colours(rng, np.asarray(window, np.uint8)), matrix @ resized


def box_corners(box: tuple[float, float, float, float]) -> Floats:
    """The four corners of a box (x0, y0, x1, y1)."""
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def mapped(matrix: Matrix, points: Floats) -> Floats:
    """Points (N x 2) under an affine map."""
    return np.asarray(points @ matrix[:2, :2].T + matrix[:2, 2], np.float32)


def _window(rng: np.random.Generator, labelled: LabelledPicture, width: int, height: int, size: int) -> Matrix:
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
    cv2.fillConvexPoly(weight, np.round(corners / FINE).astype(np.int32), 0.0)


def _mark(targets: Targets, quad: Floats, corner: int, share: float, size: int) -> None:
    """Write the index at the upper left (0) or right (1) corner of a card into the targets."""
    point = geometry.index_point(quad, corner)
    if not (0 <= point[0] < size and 0 <= point[1] < size) or share <= HIDDEN:
        return
    wide, tall = geometry.side_lengths(quad)
    column, row = point / FINE
    reach = max(1, round(tall * 0.05 / FINE))
    cx, cy = int(column), int(row)
    if tall < SMALLEST or wide < SMALLEST * 0.4 or share < SHOWN:
        targets.weight[max(0, cy - reach) : cy + reach + 1, max(0, cx - reach) : cx + reach + 1] = 0.0
        return
    frame = geometry.index_frame(quad, corner)
    near_tall = max(1.0, float(np.linalg.norm(frame[1])))
    bump, offsets = bell((column, row), max(0.6, tall / FINE * 0.018), targets.heat.shape)
    near = bump > np.maximum(targets.heat, 0.25)
    np.maximum(targets.heat, bump, out=targets.heat)
    targets.indices[0][near] = bump[near]
    targets.indices[1:3, near] = offsets[:, near]
    targets.indices[3][near] = np.log(near_tall / 64)
    targets.indices[4:, near] = (frame / near_tall).ravel()[:, None]
    wider, _ = bell(point / COARSE, max(0.7, tall / COARSE * 0.03), targets.cards[0].shape)
    about = wider > np.maximum(targets.cards[0], 0.2)
    targets.cards[0][about] = wider[about]
    targets.cards[1][about] = np.log(tall / 64)
    targets.cards[2:, about] = ((quad - point) / tall).reshape(8, 1)


def bell(
    middle: npt.NDArray[np.floating] | tuple[float, float], sigma: float, shape: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """A bell of height 1 over the cell that holds ``middle`` (cells), and how far each cell's middle is from it."""
    rows, columns = shape
    y, x = np.ogrid[:rows, :columns]
    column, row = float(middle[0]), float(middle[1])
    bump = np.exp(-((x - int(column)) ** 2 + (y - int(row)) ** 2) / (2 * sigma**2)).astype(np.float32)
    offsets = np.stack([np.broadcast_to(column - 0.5 - x, shape), np.broadcast_to(row - 0.5 - y, shape)])
    return bump, np.asarray(offsets, np.float32)


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


def _shaken(rng: np.random.Generator, quad: Floats) -> Floats:
    """A quad as an imperfect detector would give it: mostly near, now and then far off."""
    strength = float(rng.choice([0.6, 1.2, 2.0], p=[0.4, 0.4, 0.2]))
    tall = geometry.side_lengths(quad)[1]
    middle = quad.mean(axis=0)
    turn, grow = rng.normal(0, 0.06 * strength), np.exp(rng.normal(0, 0.05 * strength))
    cos, sin = np.cos(turn) * grow, np.sin(turn) * grow
    moved = (quad - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle
    moved = moved + rng.normal(0, 0.02 * tall * strength, 2) + rng.normal(0, 0.018 * tall * strength, (4, 2))
    return np.asarray(moved, np.float32)


def _shaken_frame(rng: np.random.Generator, frame: Floats) -> Floats:
    """A card's axes at an index as an imperfect detector would give them."""
    turn, grow, stretch, lean = rng.normal(0, (0.06, 0.07, 0.05, 0.04))
    cos, sin = np.cos(turn), np.sin(turn)
    changed = (frame * np.exp(grow)) @ np.array([[cos, sin], [-sin, cos]])
    changed[0] = changed[0] * np.exp(stretch) + lean * np.linalg.norm(changed[0]) * changed[1] / max(
        1e-6, float(np.linalg.norm(changed[1]))
    )
    return np.asarray(changed, np.float32)


def _aim(rng: np.random.Generator, point: Floats, tall: float) -> Floats:
    """An index's middle as an imperfect detector would give it."""
    spread = 0.012 if rng.random() < 0.75 else 0.028
    return np.asarray(point + rng.normal(0, spread * tall, 2), np.float32)


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
            if tall < 36 or HIDDEN < share < SHOWN:
                continue
            aim = _aim(rng, point, tall)
            crop = geometry.index_crop(pyramid, _shaken_frame(rng, geometry.index_frame(quad, corner % 2)), aim)
            if share >= SHOWN:
                crops.append((crop, rank, suit, 1))
            elif rng.random() < 0.15:
                crops.append((crop, -1, -1, 0))
            if rng.random() < 0.06:
                wrong = geometry.index_frame(np.roll(quad, int(rng.integers(1, 4)), axis=0))
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
    frame = np.array([[0.7 * np.cos(turn), 0.7 * np.sin(turn)], [-np.sin(turn), np.cos(turn)]], np.float32) * tall
    return geometry.index_crop(pyramid, np.asarray(frame, np.float32), aim), -1, -1, 0


def card_samples(rng: np.random.Generator, labelled: LabelledPicture, pyramid: geometry.Pyramid) -> list[Crop]:
    """Whole-card crops of a picture, also of half-covered cards, with some that are no card."""
    crops: list[Crop] = []
    for card in labelled.cards:
        tall = geometry.side_lengths(card.quad)[1]
        if tall < 36:
            continue
        quad = _shaken(rng, card.quad)
        if rng.random() < 0.5:
            quad = np.roll(quad, 2, axis=0)
        if card.visible >= MOSTLY_SEEN:
            rank, suit = label_of(card.card)
            crops.append((geometry.card_crop(pyramid, quad), rank, suit, 1))
        elif card.visible < HARDLY_SEEN and rng.random() < 0.3:
            # In a fan the outline of a card shows its neighbours: as a whole it can't be named.
            crops.append((geometry.card_crop(pyramid, quad), -1, -1, 0))
        if rng.random() < 0.08:
            off = quad + rng.normal(0, 0.5 * tall, 2).astype(np.float32)
            crops.append((geometry.card_crop(pyramid, np.roll(off, int(rng.integers(4)), axis=0)), -1, -1, 0))
    if rng.random() < 0.3:
        window = _window_quad(rng, pyramid)
        if all(geometry.overlap(window, card.quad) < 0.3 for card in labelled.cards):
            crops.append((geometry.card_crop(pyramid, window), -1, -1, 0))
    return crops


def _window_quad(rng: np.random.Generator, pyramid: geometry.Pyramid) -> Floats:
    """The outline of the picture or of an upright part of it, as if a card filled it."""
    height, width = pyramid.level(1.0)[0].shape[:2]
    share = 1.0 if rng.random() < 0.4 else rng.uniform(0.2, 0.9)
    wide, tall = width * share, height * share * rng.uniform(0.7, 1.0)
    x, y = rng.uniform(0, width - wide + 1e-3), rng.uniform(0, height - tall + 1e-3)
    return np.array([[x, y], [x + wide, y], [x + wide, y + tall], [x, y + tall]], np.float32)
