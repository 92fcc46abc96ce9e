"""Face-down cards and heaps of them: pieces of a card's size that stand out from the ground, hold no card that was
read, and are coloured or patterned where a face is white paper.

The ground is what most of the picture looks like; its colour may change slowly over the picture with the light. What
stands out from it in one piece is measured in millimetres. A piece of a card's size and shape is a back if it does not
look like a face. Then the looks of this pack's backs are known, and a larger piece that looks the same (a spread
stock, a row of won tricks) is a heap of backs, too. What is not surely a back is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import UNKNOWN
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, TABLE, FaceDown, Point, SeenCard, Zone
from vision.recogniser import Image
from vision.table_plane import Points, TablePlane, mapped
from vision.zones import Layout

Quad = tuple[Point, Point, Point, Point]
Floats = npt.NDArray[np.float32]

WIDTH: Final = 480
"""Pictures are looked at this wide."""
CONFIRM: Final = 3
"""Looks in a row that make a back."""
_FORGET: Final = 3
"""Looks in a row that end one, when the ground or a face-up card is seen in its place."""
_HIDDEN: Final = 0.5
_QUIET_S: Final = 0.3
_SAME_MM: Final = 18.0

_CARD_MM: Final = ((54.0, 78.0), (80.0, 106.0))
"""What the short and the long side of a card or a squared heap may measure: a high heap is nearer to the camera."""
_SLIM_MM: Final = 54.0
_FILLED, _HEAP_FILLED = 0.9, 0.75
_LARGEST_MM2: Final = 8 * 63.0 * 88.0
_CONTRAST: Final = 14.0
_BESIDE: Final = 0.1
_LIGHTER, _DARKER = 0.5, 0.2
_FIRM: Final = 1e-3
_ALIKE: Final = 16.0
_PAPER_LIGHT, _PAPER_SHARE, _PAPER_COLOUR = 0.78, 0.6, 14.0
_DARKEST_PAPER: Final = 90.0
_MOST_LOOKS: Final = 12
_UNREAD_LOOKS, _UNREAD_S = 5, 2.0
"""So often and for so long (seconds) a face is seen without being read until it counts as one that can't be."""
_FIRST_NUMBER: Final = 1_000_000
"""Where the tracks of faces that nobody can read begin: no tracker numbers so many."""
_NAMELESS: Final = 0.5


class Surroundings(Protocol):
    """What the gate knows of a place on the table (see ``vision.gate.Gate``)."""

    def still_since(self, quad: Sequence[Point]) -> float:
        """When something last moved there (seconds of the source)."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """Something on the table that may be a back: its outline and its mean colour (Lab).

    ``single``: it has the size and shape of one card, and is no face. ``face``: it has, and is one that was not read.
    """

    quad: Quad
    colour: Floats
    single: bool
    face: bool = False


@dataclass(slots=True, eq=False)
class _Back:
    quad: Quad
    since: float
    looks: int = 1
    misses: int = 0
    number: int = 0


class BackWatch:
    """Holds the face-down cards of one table from look to look, and the face-up ones that nobody can read."""

    def __init__(self) -> None:
        self._backs: list[_Back] = []
        self._faces: list[_Back] = []
        self._numbers = itertools.count(_FIRST_NUMBER)
        self._looks: list[Floats] = []

    def look(self, image: Image, t: float, plane: TablePlane, cards: Sequence[Quad], place: Surroundings) -> None:
        """Take in a picture (BGR, any size) of time ``t`` (seconds) in which the table rests. ``plane`` must be known
        from cards; ``cards`` are the outlines of the face-up ones (fractions of the picture)."""
        all_pieces, foreign = _look_at(image, plane, cards)
        self._see_faces([piece.quad for piece in all_pieces if piece.face], t, plane)
        pieces = [one for one in all_pieces if not one.face and t - place.still_since(one.quad) >= _QUIET_S]
        self._looks += [piece.colour for piece in pieces if piece.single and not self._known(piece)]
        del self._looks[:-_MOST_LOOKS]
        found = [piece.quad for piece in pieces if piece.single or self._known(piece)]
        for back in list(self._backs):
            same = next((quad for quad in found if _apart(plane, back.quad, quad) <= _SAME_MM), None)
            grown = next((quad for quad in found if _holds(quad, _middle(back.quad))), None)
            if (now := same or grown) is not None:
                found.remove(now)
                back.since = back.since if same is not None else t
                back.quad, back.looks, back.misses = now, back.looks + 1, 0
            else:
                self._miss(back, t, foreign, place)
        self._backs += [_Back(quad, t) for quad in found]

    def seen(self, layout: Layout) -> tuple[FaceDown, ...]:
        """The face-down cards and heaps that are surely there, with the zones in which their middles lie."""
        return tuple(
            FaceDown(layout.zone_at(_middle(back.quad)), back.quad, back.since)
            for back in self._backs
            if back.looks >= CONFIRM
        )

    def unread(self, t: float, layout: Layout) -> tuple[SeenCard, ...]:
        """Card-sized white pieces that have lain for some time where face-up cards are played, and were never read: a
        card of which an index is hidden or strange, a joker. Elsewhere they may be anything."""
        lasting = (face for face in self._faces if face.looks >= _UNREAD_LOOKS and t - face.since >= _UNREAD_S)
        placed = ((face, layout.zone_at(_middle(face.quad))) for face in lasting)
        return tuple(
            SeenCard(face.number, UNKNOWN, _NAMELESS, zone, face.quad, since=face.since)
            for face, zone in placed
            if _is_for_faces(zone)
        )

    def quads(self) -> list[Quad]:
        """Where backs and unread faces, or what may become one, lie: no bare table is to be learnt there."""
        return [one.quad for one in (*self._backs, *self._faces)]

    def carry(self, move: Points) -> None:
        """Camera or table was moved: ``move`` is the homography from old to new picture points."""
        for back in (*self._backs, *self._faces):
            back.quad = _quad(mapped(move, np.array(back.quad)))

    def clear(self) -> None:
        """Forget all of them; what the backs look like stays known."""
        self._backs.clear()
        self._faces.clear()

    def _see_faces(self, quads: list[Quad], t: float, plane: TablePlane) -> None:
        """What is a card's face in this look and was one in the looks before; a card that is read is none any more."""
        before, self._faces = self._faces, []
        for quad in quads:
            face = next((one for one in before if _apart(plane, one.quad, quad) <= _SAME_MM), None)
            face = face or _Back(quad, t, looks=0, number=next(self._numbers))
            face.quad, face.looks = quad, face.looks + 1
            self._faces.append(face)

    def _known(self, piece: Piece) -> bool:
        return any(float(np.linalg.norm(piece.colour - look)) <= _ALIKE for look in self._looks)

    def _miss(self, back: _Back, t: float, foreign: npt.NDArray[np.uint8], place: Surroundings) -> None:
        """A back that is not seen now: gone, or under a hand."""
        if t - place.still_since(back.quad) < _QUIET_S:
            return
        there: npt.NDArray[Any] = np.zeros_like(foreign)
        corners = np.array(back.quad) * foreign.shape[::-1]
        cv2.fillConvexPoly(there, np.rint(corners).astype(np.int32), 1)
        if back.looks >= CONFIRM and there.any() and float(foreign[there > 0].mean()) >= _HIDDEN:
            return
        back.misses += 1
        if back.misses >= _FORGET:
            self._backs.remove(back)


def find_pieces(image: Image, plane: TablePlane, cards: Iterable[Quad] = ()) -> list[Piece]:
    """What lies on the table and may be backs: pieces that are card-sized and no faces (``single``), and larger ones.

    ``cards``: outlines of what is known to be something else, in fractions of the picture.
    """
    return [piece for piece in _look_at(image, plane, cards)[0] if not piece.face]


def _look_at(image: Image, plane: TablePlane, cards: Iterable[Quad]) -> tuple[list[Piece], npt.NDArray[np.uint8]]:
    """The pieces, and where something other than the ground or a known card is seen (in the small picture, 0 or 1)."""
    height = max(8, round(image.shape[0] * WIDTH / image.shape[1]))
    small = cv2.resize(image, (WIDTH, height), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    known: npt.NDArray[Any] = np.zeros((height, WIDTH), np.uint8)
    size = np.array([WIDTH, height])
    for quad in cards:
        corners = np.array(quad)
        corners = corners.mean(axis=0) + 1.1 * (corners - corners.mean(axis=0))
        cv2.fillConvexPoly(known, np.rint(corners * size).astype(np.int32), 1)
    foreign = _foreign(lab, known > 0)
    contours, _ = cv2.findContours(foreign, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # What lies against a known card is most likely one that it covers.
    beside = cv2.dilate(known, np.ones((5, 5), np.uint8)) > 0
    free = [line for line in (contour.reshape(-1, 2) for contour in contours) if len(line) > 20]
    free = [line for line in free if beside[line[:, 1], line[:, 0]].mean() < _BESIDE]
    pieces = [_piece(line, lab, plane) for line in free]
    return [piece for piece in pieces if piece is not None], foreign


def _foreign(lab: Floats, known: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Where the picture looks other than the ground and no known card lies: 0 or 1."""
    ground, noise = _ground(lab, known)
    difference = cv2.blur(lab, (3, 3)) - ground
    light = difference[..., 0]
    # A shadow is darker but has the ground's colour.
    weight = np.where(light > 0, _LIGHTER, _DARKER).astype(np.float32)
    far = np.sqrt(weight * light**2 + difference[..., 1] ** 2 + difference[..., 2] ** 2)
    mask = ((far > max(_CONTRAST, 4.0 * noise)) & ~known).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)


def _ground(lab: Floats, known: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """The ground's colour all over the picture, and how much the ground deviates from it.

    It is the commonest colour; from there a surface of second degree is fitted to the points that follow it.
    """
    height, width = known.shape
    ys, xs = np.mgrid[2:height:5, 2:width:5]
    free = ~known[2:height:5, 2:width:5]
    points = cv2.blur(lab, (5, 5))[2:height:5, 2:width:5][free]
    terms = _terms(xs[free] / width - 0.5, ys[free] / height - 0.5)
    if not len(points):
        return np.zeros(lab.shape, np.float32), _CONTRAST
    codes = (points / 12).astype(np.int64) @ np.array([24 * 24, 24, 1])
    commonest = codes == np.bincount(codes).argmax()
    fits = np.tile(points[commonest].mean(axis=0), (len(points), 1))
    near, noise = 28.0, _CONTRAST
    coefficients: npt.NDArray[np.float64] = np.zeros((terms.shape[1], 3))
    for _ in range(4):
        far = np.linalg.norm(points - fits, axis=1)
        close = far < near
        if close.sum() < 40:
            break
        some = terms[close]
        coefficients = np.linalg.solve(some.T @ some + _FIRM * np.eye(some.shape[1]), some.T @ points[close])
        fits = (terms @ coefficients).astype(np.float32)
        noise = float(np.median(np.linalg.norm(points[close] - fits[close], axis=1)))
        near = max(10.0, 4.0 * noise)
    rows, columns = np.mgrid[0:height:8, 0:width:8]
    surface = (_terms(columns.ravel() / width - 0.5, rows.ravel() / height - 0.5) @ coefficients).astype(np.float32)
    return np.asarray(cv2.resize(surface.reshape(*rows.shape, 3), (width, height)), np.float32), noise


def _terms(x: Points, y: Points) -> Points:
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def _piece(contour: npt.NDArray[Any], lab: Floats, plane: TablePlane) -> Piece | None:
    """A contour in the small picture, measured on the table."""
    height, width = lab.shape[:2]
    low, high = contour.min(axis=0), contour.max(axis=0)
    if (low <= 1).any() or high[0] >= width - 2 or high[1] >= height - 2:
        return None
    # A contour runs through the middles of the outermost points: half a point more on every side.
    middle = (low + high) / 2
    grown = contour + 0.5 * np.sign(contour - middle) + 0.5
    outline = plane.to_table(grown / (width, height)).astype(np.float32)
    rectangle = cv2.minAreaRect(outline)
    short, long = sorted(rectangle[1])
    area = float(cv2.contourArea(outline))
    if short < _SLIM_MM or area > _LARGEST_MM2:
        return None
    filled = area / (short * long)
    quad = _quad(plane.to_picture(np.asarray(_upright(cv2.boxPoints(rectangle)), np.float64)))
    mask: npt.NDArray[Any] = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [contour.reshape(-1, 1, 2)], 1)
    inner = cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
    if not inner.any():
        return None
    colour = np.asarray(lab[inner].mean(axis=0), np.float32)
    card = _CARD_MM[0][0] <= short <= _CARD_MM[0][1] and _CARD_MM[1][0] <= long <= _CARD_MM[1][1]
    if card and filled >= _FILLED:
        face = _is_face(lab, quad)
        return Piece(quad, colour, single=not face, face=face)
    return Piece(quad, colour, single=False) if filled >= _HEAP_FILLED else None


def _is_face(lab: Floats, quad: Quad) -> bool:
    """Whether a card-sized piece may be the face of a card that was not read: white paper, above all at the long sides
    between the indices, where every face is blank and a back, within its border, is not."""
    size = (42, 60)
    corners = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    shown = (np.array(quad) * (lab.shape[1], lab.shape[0])).astype(np.float32)
    patch = cv2.warpPerspective(lab, cv2.getPerspectiveTransform(shown, corners), size)
    light = patch[..., 0]
    colour = np.hypot(patch[..., 1] - 128, patch[..., 2] - 128)
    white = max(_DARKEST_PAPER, _PAPER_LIGHT * float(np.percentile(light[4:-4, 4:-4], 95)))
    paper = (light >= white) & (colour < _PAPER_COLOUR)
    sides = [float(paper[18:42, 4:7].mean()), float(paper[18:42, 35:38].mean())]
    return float(paper[4:-4, 4:-4].mean()) >= _PAPER_SHARE or min(sides) >= _PAPER_SHARE


def _upright(box: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The corners of a rectangle such that its first side is a short one."""
    first, second = np.linalg.norm(box[1] - box[0]), np.linalg.norm(box[2] - box[1])
    return box if first <= second else np.roll(box, -1, axis=0)


def _apart(plane: TablePlane, one: Quad, other: Quad) -> float:
    """How far apart (mm) two middles lie."""
    middles = plane.to_table(np.array([_middle(one), _middle(other)]))
    return float(np.linalg.norm(middles[0] - middles[1]))


def _holds(quad: Quad, point: Point) -> bool:
    return cv2.pointPolygonTest(np.array(quad, np.float32), point, False) >= 0


def _middle(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def _is_for_faces(zone: Zone | None) -> bool:
    return zone in (TABLE, CENTRE_LEFT, CENTRE_RIGHT) or (zone is not None and zone.part == "reset")


def _quad(corners: Points) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
