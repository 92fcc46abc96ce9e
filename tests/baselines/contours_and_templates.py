"""Cards found by their outlines and named by templates: card recognition without learning.

The picture is made black and white in several ways; outlines with four straight sides and a card's proportions are
straightened; in the corners the rank and the suit below it are cut apart and compared with those of the house pack.
Cards must lie apart and be of a pack whose indices look like the house pack's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from assistant.cards import PACK, RANKS, SUITS, Card
from vision import geometry
from vision.geometry import Floats, Pyramid
from vision.recogniser import Image, Reading, Recognition
from vision.render.packs import Pack, house_pack

CARD: Final = (240, 336)
"""Width and height of a straightened card."""
CORNER: Final = (40, 96)
"""Width and height of its corner that holds the index."""
_GLYPH: Final = (24, 36)
_LONG_SIDE: Final = 1280
_LEAST_SURE: Final = 0.7
_LEAST_AHEAD: Final = 0.02
_SUITS_RED: Final = np.array([suit in "HD" for suit in SUITS])


@dataclass(frozen=True, slots=True)
class Glyph:
    """A rank's or a suit's shape: its ink scaled to one size, with mean 0 and norm 1, and its width by its height."""

    shape: Floats
    aspect: float


@dataclass(frozen=True, slots=True)
class Index:
    """The two glyphs of a corner, and whether they are red."""

    rank: Glyph
    suit: Glyph
    red: bool


class TemplateRecogniser:
    """A ``vision.recogniser.Recogniser`` that has learned nothing but the indices of one pack."""

    def __init__(self, pack: Pack | None = None) -> None:
        indices = {card: _template(pack or house_pack(), card) for card in PACK}
        self._ranks = [[indices[Card(rank, suit)].rank for suit in SUITS] for rank in RANKS]
        self._suits = [[indices[Card(rank, suit)].suit for rank in RANKS] for suit in SUITS]

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """See ``vision.recogniser.Recogniser``."""
        start = time.perf_counter()
        pyramid = Pyramid(image)
        readings = [reading for quad in card_quads(image) if (reading := self._read(pyramid, quad)) is not None]
        if not readings:
            # The picture may be nothing but a card, cut out.
            whole = self._read(pyramid, _picture_outline(image))
            readings = [] if whole is None else [whole]
        kept: list[Reading] = []
        for reading in sorted(readings, key=lambda reading: -reading.confidence):
            if not any(
                (one_pack and other.card == reading.card) or geometry.overlap(other.quad, reading.quad) > 0.2
                for other in kept
            ):
                kept.append(reading)
        return Recognition(tuple(kept), (time.perf_counter() - start) * 1000)

    def _read(self, pyramid: Pyramid, quad: Floats) -> Reading | None:
        """What a quad shows, read upright and, where it looks nearly square, also turned by a quarter."""
        wide, tall = geometry.side_lengths(quad)
        turns = (quad, np.roll(quad, 1, axis=0)) if tall < 1.25 * wide else (quad,)
        readings = [reading for turn in turns if (reading := self._read_upright(pyramid, turn)) is not None]
        return max(readings, key=lambda reading: reading.confidence, default=None)

    def _read_upright(self, pyramid: Pyramid, quad: Floats) -> Reading | None:
        """Both ends of a card bear the index: what they say together, if it is sure enough."""
        card = straightened(pyramid, quad)
        indices = [find_index(end[: CORNER[1], : CORNER[0]]) for end in (card, card[::-1, ::-1])]
        scores = [self._likeness(index) for index in indices if index is not None]
        if not scores:
            return None
        together = np.sum(scores, axis=0)
        second, best = np.partition(together.ravel(), -2)[-2:]
        rank, suit = np.unravel_index(int(together.argmax()), together.shape)
        sure = max(float(score[rank, suit]) for score in scores)
        if sure < _LEAST_SURE or best - second < _LEAST_AHEAD:
            return None
        return Reading(Card(RANKS[int(rank)], SUITS[int(suit)]), min(1.0, sure), quad)

    def _likeness(self, index: Index) -> Floats:
        """How like the index is to that of each card: 13 x 4, at most 1."""
        ranks = np.array([max(_alike(index.rank, template) for template in row) for row in self._ranks])
        suits = np.array([max(_alike(index.suit, template) for template in row) for row in self._suits])
        suits = suits - 0.3 * (index.red != _SUITS_RED)
        return np.asarray((ranks[:, None] + suits[None, :]) / 2, np.float32)


def _template(pack: Pack, card: Card) -> Index:
    face = pack.faces[card].astype(np.float32)
    alpha = face[..., 3:] / 255
    picture = np.asarray(face[..., 2::-1] * alpha + 255 * (1 - alpha), np.uint8)
    small = np.asarray(cv2.resize(picture, CARD, interpolation=cv2.INTER_AREA), np.uint8)
    index = find_index(small[: CORNER[1], : CORNER[0]])
    if index is None:
        raise ValueError(f"pack '{pack.name}': {card} has no index in its corner; name a pack that has")
    return index


def card_quads(image: Image) -> list[Floats]:
    """Outlines that may be cards, each 4 x 2 px clockwise with a short side first; many are not."""
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    quads: list[Floats] = []
    for mask in _black_and_white(np.asarray(small, np.uint8)):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            quad = quad_of(contour[:, 0].astype(np.float32), float(mask.size))
            if quad is not None and not any(geometry.overlap(quad, other) > 0.95 for other in quads):
                quads.append(quad)
    return [np.asarray((quad + 0.5) / scale - 0.5, np.float32) for quad in quads]


def _picture_outline(image: Image) -> Floats:
    height, width = image.shape[:2]
    quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    return np.roll(quad, -1, axis=0) if width > height else quad


def _black_and_white(picture: Image) -> Iterator[Image]:
    """White cards on dark cloth, white cards brighter than what is around them, and the areas between edges."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    # The least of the colours: a card is white, but a red or yellow cloth may be as bright as it.
    least = cv2.GaussianBlur(picture.min(axis=2), (0, 0), 1.0)
    yield np.asarray(cv2.threshold(least, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], np.uint8)
    for share in (4, 10):
        block = max(picture.shape[:2]) // share | 1
        local = cv2.adaptiveThreshold(least, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -8)
        yield np.asarray(local, np.uint8)
    middle = float(np.median(grey))
    edges = cv2.Canny(grey, 0.4 * middle, 0.9 * middle)
    yield np.asarray(cv2.bitwise_not(cv2.dilate(edges, np.ones((3, 3), np.uint8))), np.uint8)


def quad_of(contour: Floats, picture_area: float) -> Floats | None:
    """The four-sided outline of a contour (N x 2 px), if it has one of a card's proportions."""
    hull = np.asarray(cv2.convexHull(contour)[:, 0], np.float32)
    whole = float(cv2.contourArea(hull))
    if not 0.0008 * picture_area < whole < 0.9 * picture_area or cv2.contourArea(contour) < 0.85 * whole:
        return None
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06, 0.08):
        rough = cv2.approxPolyDP(hull, share * around, True)[:, 0].astype(np.float32)
        if len(rough) == 4:
            break
    else:
        return None
    quad = _along_the_sides(rough, contour)
    if quad is None or not cv2.isContourConvex(quad) or not 0.9 < geometry.area(quad) / whole < 1.12:
        return None
    if cv2.contourArea(quad, oriented=True) < 0:
        quad = quad[::-1]
    top, right, bottom, left = (float(np.linalg.norm(quad[(k + 1) % 4] - quad[k])) for k in range(4))
    if max(top, bottom) > 1.6 * min(top, bottom) or max(left, right) > 1.6 * min(left, right):
        return None
    if top + bottom > left + right:
        quad = np.roll(quad, -1, axis=0)
    wide, tall = geometry.side_lengths(np.asarray(quad, np.float32))
    return np.ascontiguousarray(quad, np.float32) if wide > 12 and tall < 2.0 * wide else None


def _along_the_sides(rough: Floats, contour: Floats) -> Floats | None:
    """The corners in which the straight parts of the sides meet: a card's own corners are round."""
    lines = []
    for k in range(4):
        start, end = rough[k], rough[(k + 1) % 4]
        along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
        away = contour - start
        place, aside = away @ along, np.abs(away @ np.array([-along[1], along[0]]))
        length = float(np.linalg.norm(end - start))
        near = (place > 0.15 * length) & (place < 0.85 * length) & (aside < max(2.0, 0.03 * length))
        if near.sum() < 5:
            return None
        vx, vy, x, y = cv2.fitLine(contour[near], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((float(vy), float(-vx), float(vy * x - vx * y)))
    corners = []
    for k in range(4):
        one, other = lines[k - 1], lines[k]
        matrix = np.array([one[:2], other[:2]])
        if abs(np.linalg.det(matrix)) < 0.1:
            return None
        corners.append(np.linalg.solve(matrix, [one[2], other[2]]))
    return np.array(corners, np.float32)


def straightened(pyramid: Pyramid, quad: Floats) -> Image:
    """The card of a quad, seen from straight above."""
    width, height = CARD
    level, scale = pyramid.level(geometry.side_lengths(quad)[1] / height)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform((quad * scale).astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(level, matrix, CARD, flags=cv2.INTER_CUBIC), np.uint8)


def find_index(corner: Image) -> Index | None:
    """The rank and the suit below it in a card's corner (96 x 40 x 3), if they can be told apart."""
    white = np.percentile(corner, 90, axis=(0, 1))
    even = np.clip(corner / np.maximum(white, 1.0), 0, 1).astype(np.float32)
    ink = 1.0 - even.min(axis=2)
    if white.min() < 40 or float(np.percentile(ink, 98)) < 0.25:
        return None
    level, _ = cv2.threshold((ink * 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    rows = _rows_of_ink((ink * 255 > level).astype(np.uint8))
    if len(rows) == 1:
        rows = _halves(rows[0])
    if len(rows) < 2:
        return None
    rank, suit = _glyph(ink * rows[0]), _glyph(ink * rows[1])
    inside = (rows[0] + rows[1]) > 0
    blue, green, red = (float(even[..., k][inside].mean()) for k in range(3))
    return Index(rank, suit, red - max(blue, green) > 0.2)


def _rows_of_ink(ink: Image) -> list[Image]:
    """Masks of what stands in the corner, from above; what runs over its border belongs to something else."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    height, width = ink.shape
    rows: list[tuple[int, int, list[int]]] = []
    for k in sorted(range(1, count), key=lambda k: int(stats[k, cv2.CC_STAT_TOP])):
        x, y, wide, tall, area = (int(v) for v in stats[k])
        if x == 0 or y == 0 or x + wide >= width or y + tall >= height or area < 12:
            continue
        if rows and y < rows[-1][1] - 0.3 * min(tall, rows[-1][1] - rows[-1][0]):
            top, bottom, members = rows.pop()
            rows.append((top, max(bottom, y + tall), [*members, k]))
        else:
            rows.append((y, y + tall, [k]))
    tall_rows = [row for row in rows if row[1] - row[0] >= 11]
    return [np.isin(labels, members).astype(np.uint8) for _, _, members in tall_rows]


def _halves(row: Image) -> list[Image]:
    """A rank that touches its suit, cut where there is least ink between them."""
    filled = np.flatnonzero(row.any(axis=1))
    top, tall = int(filled[0]), len(filled)
    if tall < 36:
        return []
    low, high = top + int(0.45 * tall), top + int(0.75 * tall)
    cut = low + int(row[low:high].sum(axis=1).argmin())
    upper, lower = row.copy(), row.copy()
    upper[cut:], lower[:cut] = 0, 0
    return [upper, lower]


def _glyph(ink: Floats) -> Glyph:
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    box = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    even = cv2.GaussianBlur(cv2.resize(box, _GLYPH, interpolation=cv2.INTER_LINEAR), (0, 0), 1.2)
    shape = even - even.mean()
    return Glyph(np.asarray(shape / max(1e-6, float(np.linalg.norm(shape))), np.float32), box.shape[1] / box.shape[0])


def _alike(glyph: Glyph, template: Glyph) -> float:
    """The correlation of two shapes, less where one is much narrower than the other."""
    return float((glyph.shape * template.shape).sum()) - 0.15 * abs(float(np.log(glyph.aspect / template.aspect)))
