"""Rendered scenes with their truth: cards of some packs on a table, seen by a camera.

A scene is a square picture and a list of ``SceneCard``. Lengths on the table are in millimetres (a card is 88 mm
high), lengths in the picture in pixels. Everything follows from one seeded generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.training import grounds, optics
from vision.training.decoys import decoy
from vision.training.grounds import Floats
from vision.training.layouts import Placed, layout

CARD_HEIGHT_MM = 88.0
INDEX_BOX = (0.015, 0.02, 0.165, 0.27)
"""Where a card's index lies, as shares of its width and height: left, top, right, bottom."""

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Face:
    """A card's face at falling sizes (each half of the one before), BGR + alpha, uint8."""

    card: str
    levels: tuple[npt.NDArray[np.uint8], ...]

    @property
    def aspect(self) -> float:
        height, width = self.levels[0].shape[:2]
        return width / height


@dataclass(frozen=True, slots=True)
class ArtPack:
    """The faces of a pack, its back if it has one, and how many indices its cards bear (2 or 4)."""

    name: str
    faces: tuple[Face, ...]
    back: Face | None
    indices: int


@dataclass(frozen=True, slots=True)
class SceneCard:
    """The truth of one card: quad 4 x 2 px (clockwise from its top left as it is read), what of it is in view.

    ``indices``: for each index the corner that it stands at (0..3, clockwise from the top left) and its visible share.
    """

    card: str
    quad: npt.NDArray[np.float32]
    visible: float
    indices: tuple[tuple[int, float], ...]
    pack: str


def load_face(path: Path) -> Face:
    """Read one face from a PNG with alpha."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"{path}: no picture; make the art first (python -m vision.training.art)")
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return face_of(path.stem, np.asarray(picture, np.uint8))


def face_of(name: str, picture: npt.NDArray[np.uint8]) -> Face:
    """A face from its largest picture (BGRA)."""
    levels = [picture]
    while levels[-1].shape[0] > 80:
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return Face(name, tuple(levels))


def load_packs(folder: Path, *, holdout: bool) -> tuple[ArtPack, ...]:
    """All packs under ``folder`` that are (or are not) held out of training, in the order of their names."""
    import json

    packs = []
    for entry in sorted(folder.iterdir()):
        about_file = entry / "pack.json"
        if not about_file.exists():
            continue
        about = json.loads(about_file.read_text())
        if bool(about.get("holdout", False)) != holdout:
            continue
        faces = tuple(load_face(path) for path in sorted(entry.glob("??.png")))
        if len(faces) != 52:
            continue
        back = entry / "back.png"
        packs.append(ArtPack(entry.name, faces, load_face(back) if back.exists() else None, int(about["indices"])))
    return tuple(packs)


def camera(rng: np.random.Generator, size: int, card_px: float, look_at: tuple[float, float]) -> Matrix:
    """The homography from table millimetres to pixels: a camera that looks at a point, tilted 0 to 70 degrees."""
    tilt = np.radians(min(70.0, abs(rng.normal(0, 32))))
    turn, roll = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.06)
    focal = size * rng.uniform(0.8, 2.2)
    distance = focal * CARD_HEIGHT_MM / card_px
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rolled = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    pose = rolled @ lean @ spin
    centre = pose @ np.array([look_at[0], look_at[1], 0.0])
    columns = np.column_stack([pose[:, 0], pose[:, 1], np.array([0, 0, distance]) - centre])
    intrinsics = np.array([[focal, 0, size / 2], [0, focal, size / 2], [0, 0, 1]])
    return np.asarray(intrinsics @ columns, np.float64)


def table_corners(place: Placed, aspect: float) -> npt.NDArray[np.float64]:
    """The card's corners on the table, 4 x 2 mm, clockwise from its top left as it is read."""
    half = np.array([CARD_HEIGHT_MM * aspect / 2, CARD_HEIGHT_MM / 2])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    spin = np.array([[np.cos(place.turn), -np.sin(place.turn)], [np.sin(place.turn), np.cos(place.turn)]])
    return np.asarray(corners @ spin.T + (place.x, place.y), np.float64)


def project(view: Matrix, points: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Map N x 2 table points into the picture; points at or behind the camera become NaN."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ view.T
    depth = np.where(mapped[:, 2:] > 1e-6, mapped[:, 2:], np.nan)
    return np.asarray(mapped[:, :2] / depth, np.float64)


class Canvas:
    """A picture in the making and a map of which card each pixel shows (0 none, k the k-th card, -1 a thing)."""

    def __init__(self, picture: Floats) -> None:
        self.picture = picture
        self.size = picture.shape[0]
        self.owner = np.zeros((self.size, self.size), np.int16)

    def put(self, rng: np.random.Generator, face: Face, quad: npt.NDArray[np.float64], number: int) -> None:
        """Draw a face into a quad with a soft shadow and mark its pixels as card ``number``."""
        margin = 6
        low = np.floor(quad.min(axis=0)).astype(int) - margin
        high = np.ceil(quad.max(axis=0)).astype(int) + margin
        x0, y0 = np.clip(low, 0, self.size)
        x1, y1 = np.clip(high, 0, self.size)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        edge = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max())
        level = next((lv for lv in reversed(face.levels) if lv.shape[0] >= edge * 0.9), face.levels[0])
        height, width = level.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        # No outline is known to the hundredth: the corners are not quite where a perfect card's would be.
        target = (quad - (x0, y0) + rng.normal(0, 0.004 * edge, (4, 2))).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(corners, target)
        printed = cv2.warpPerspective(
            level, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
        )
        if rng.random() < 0.3:
            printed = optics.bent(rng, np.asarray(printed, np.uint8), edge)
        patch: Floats = np.asarray(printed, np.float32)
        alpha = patch[..., 3:] / 255.0
        colour = np.divide(patch[..., :3] / 255.0, np.maximum(alpha, 1e-3))
        region = self.picture[y0:y1, x0:x1]
        shade = cv2.GaussianBlur(alpha[..., 0], (0, 0), max(0.6, edge * rng.uniform(0.005, 0.03)))
        region *= 1 - (rng.uniform(0.1, 0.6) * shade * (1 - alpha[..., 0]))[..., None]
        region *= 1 - alpha
        if rng.random() < 0.4:
            optics.edge_line(rng, region, target)
        region += optics.worn(rng, np.clip(colour, 0, 1)) * alpha
        self.owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = number

    def cover(self, picture: Floats, alpha: Floats) -> None:
        """Lay a thing over everything."""
        self.picture *= 1 - alpha[..., None]
        self.picture += picture * alpha[..., None]
        self.owner[alpha > 0.5] = -1

    def share(self, polygon: npt.NDArray[np.float64], number: int) -> float:
        """How much of a polygon shows card ``number``: 0..1; what lies outside the picture is not in view."""
        x0, y0 = np.floor(polygon.min(axis=0)).astype(int)
        x1, y1 = np.ceil(polygon.max(axis=0)).astype(int) + 1
        if x1 <= 0 or y1 <= 0 or x0 >= self.size or y0 >= self.size or x1 - x0 > 4000 or y1 - y0 > 4000:
            return 0.0
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, np.round(polygon - (x0, y0)).astype(np.int32), 1)
        total = int(mask.sum())
        cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, self.size), min(y1, self.size)
        inside = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0].astype(bool)
        return float((self.owner[cy0:cy1, cx0:cx1][inside] == number).sum()) / max(total, 1)


def index_polygon(quad: npt.NDArray[np.float64], corner: int) -> npt.NDArray[np.float64]:
    """The outline of the index at a corner (0..3, clockwise from the top left): 4 x 2 px."""
    left, top, right, bottom = INDEX_BOX
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    if corner in (1, 2):
        box[:, 0] = 1 - box[:, 0]
    if corner in (2, 3):
        box[:, 1] = 1 - box[:, 1]
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(box[None], matrix)[0], np.float64)


def render_scene(
    rng: np.random.Generator, packs: Sequence[ArtPack], size: int = 640, kind: str = "any"
) -> tuple[npt.NDArray[np.uint8], list[SceneCard]]:
    """One scene: a ``size`` x ``size`` picture (BGR, uint8) and the truth of its cards; ``kind`` of layout."""
    canvas = Canvas(grounds.ground(rng, size))
    places = [] if rng.random() < 0.03 else layout(rng, kind)
    card_px = float(np.exp(rng.uniform(np.log(40), np.log(460 if len(places) < 12 else 260))))
    look_at = (0.0, 0.0)
    if kind != "any":
        reach = max(abs(v) for place in places for v in (place.x, place.y)) if places else 1.0
        card_px = size * rng.uniform(0.7, 1.0) * CARD_HEIGHT_MM / (2 * reach + CARD_HEIGHT_MM)
    elif places:
        target = places[int(rng.integers(len(places)))]
        look_at = (target.x + rng.normal(0, 25), target.y + rng.normal(0, 25))
    view = camera(rng, size, card_px, look_at)
    pack = packs[int(rng.integers(len(packs)))]
    chosen = rng.permutation(52)
    _lay_decoys(rng, canvas, view, card_px)
    drawn: list[tuple[int, Face, ArtPack, npt.NDArray[np.float64]]] = []
    for number, place in enumerate(places, start=1):
        own = packs[int(rng.integers(len(packs)))] if rng.random() < 0.1 else pack
        face = own.faces[chosen[number % 52]]
        if rng.random() < 0.06 and own.back is not None:
            face = own.back
        quad = project(view, table_corners(place, face.aspect))
        if not np.isfinite(quad).all() or np.abs(quad).max() > 8 * size:
            continue
        canvas.put(rng, face, quad, number)
        drawn.append((number, face, own, quad))
    _lay_things(rng, canvas, card_px)
    picture, bend = optics.distorted(rng, canvas.picture)
    truth = []
    for number, face, own, quad in drawn:
        if face.card == "back":
            continue
        visible = canvas.share(quad, number)
        if visible < 0.02:
            continue
        corners = (0, 1, 2, 3) if own.indices == 4 else (0, 2)
        indices = tuple((c, canvas.share(index_polygon(quad, c), number)) for c in corners)
        truth.append(SceneCard(face.card, bend(quad).astype(np.float32), visible, indices, own.name))
    return optics.lens(rng, optics.light(rng, picture)), truth


def _lay_decoys(rng: np.random.Generator, canvas: Canvas, view: Matrix, card_px: float) -> None:
    """Things that look a little like cards, beneath the cards of some scenes."""
    if rng.random() < 0.7:
        return
    inverse = np.asarray(np.linalg.inv(view), np.float64)
    for _ in range(int(rng.integers(1, 5))):
        middle = project(inverse, rng.uniform(0, canvas.size, (1, 2)))[0]
        if not np.isfinite(middle).all():
            continue
        place = Placed(float(middle[0]), float(middle[1]), rng.uniform(0, 2 * np.pi))
        face = face_of("decoy", decoy(rng))
        corners = table_corners(place, face.aspect)
        quad = project(view, (corners - middle) * float(rng.uniform(0.6, 2.0)) + middle)
        if np.isfinite(quad).all() and np.abs(quad).max() < 4 * canvas.size:
            canvas.put(rng, face, quad, -1)


def _lay_things(rng: np.random.Generator, canvas: Canvas, card_px: float) -> None:
    """Hands and objects over the cards, in some scenes."""
    if rng.random() < 0.15:
        canvas.cover(*grounds.hand(rng, canvas.size, card_px * rng.uniform(0.8, 1.8)))
    if rng.random() < 0.2:
        layer = np.full((canvas.size, canvas.size, 3), -1.0, np.float32)
        grounds.draw_clutter(rng, layer, int(rng.integers(1, 5)), reach=0.18)
        alpha = (layer.max(axis=2) >= 0).astype(np.float32)
        canvas.cover(np.clip(layer, 0, 1), np.asarray(cv2.GaussianBlur(alpha, (0, 0), 0.6), np.float32))
