"""The geometry of cards in a picture: quads, the point where an index stands, straightened crops.

A quad is 4 x 2 floats, pixels, clockwise from the card's top left as it is read.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

INDEX_POINT: Final = (0.09, 0.145)
"""Where the middle of an index lies, as shares of the card's width and height from the corner it stands at."""
_INDEX_SHARES: Final = np.array(
    [
        (INDEX_POINT[0], INDEX_POINT[1]),
        (1 - INDEX_POINT[0], INDEX_POINT[1]),
        (1 - INDEX_POINT[0], 1 - INDEX_POINT[1]),
        (INDEX_POINT[0], 1 - INDEX_POINT[1]),
    ]
)

INDEX_CROP: Final = (48, 96)
"""Width and height of a straightened index crop, pixels."""

CARD_CROP: Final = (64, 96)
"""Width and height of a straightened card crop, pixels."""

_INDEX_REACH: Final = (0.135, 0.1925)
"""Half the index crop's width and height as shares of the card's; the crop is a little low, suits stand below."""
_INDEX_DROP: Final = 0.0275
_CARD_MARGIN: Final = 0.03


def side_lengths(quad: Floats) -> tuple[float, float]:
    """Mean width and mean height of a quad, pixels."""
    top, right, bottom, left = (float(np.linalg.norm(quad[(k + 1) % 4] - quad[k])) for k in range(4))
    return (top + bottom) / 2, (right + left) / 2


def area(quad: Floats) -> float:
    """Area of a quad, square pixels."""
    x, y = quad[:, 0], quad[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def index_point(quad: Floats, corner: int = 0) -> Floats:
    """The middle of the index at a corner (0..3, clockwise from the top left): 2 px.

    >>> square = np.array([[0, 0], [100, 0], [100, 200], [0, 200]], np.float32)
    >>> index_point(square, 2).round().tolist()
    [91.0, 171.0]
    """
    return np.asarray(index_points(quad[None])[0, corner], np.float32)


def index_points(quads: Floats) -> Floats:
    """The middles of the indices at all four corners of N quads: N x 4 x 2 px."""
    return _index_maps(quads)[0]


def index_frame(quad: Floats, corner: int = 0) -> Floats:
    """The card's own axes at the index at a corner, a card's width and height long: across, down; 2 x 2 px.

    Seen at a slant, a card is larger near by than far off: these are its sizes where the index stands.

    >>> index_frame(np.array([[0, 0], [100, 0], [100, 200], [0, 200]], np.float32)).round().tolist()
    [[100.0, 0.0], [0.0, 200.0]]
    """
    return np.asarray(_index_maps(quad[None])[1][0, corner], np.float32)


def _index_maps(quads: Floats) -> tuple[Floats, Floats]:
    """The middles of the indices (N x 4 x 2) and the axes there (N x 4 x 2 x 2).

    The projective map of the unit square to a quad and its derivatives, in closed form (Heckbert, Fundamentals of
    Texture Mapping, 1989).
    """
    q = np.asarray(quads, np.float64)
    one, two = q[:, 1] - q[:, 2], q[:, 3] - q[:, 2]
    both = q[:, 0] - q[:, 1] + q[:, 2] - q[:, 3]
    whole = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    whole = np.where(np.abs(whole) < 1e-9, 1e-9, whole)
    g = ((both[:, 0] * two[:, 1] - both[:, 1] * two[:, 0]) / whole)[:, None, None]
    h = ((one[:, 0] * both[:, 1] - one[:, 1] * both[:, 0]) / whole)[:, None, None]
    across = q[:, None, 1] * (1 + g) - q[:, None, 0]
    down = q[:, None, 3] * (1 + h) - q[:, None, 0]
    u, v = _INDEX_SHARES[None, :, :1], _INDEX_SHARES[None, :, 1:]
    depth = 1 + g * u + h * v
    points = (q[:, None, 0] + u * across + v * down) / depth
    axes = np.stack([(across - g * points) / depth, (down - h * points) / depth], axis=2)
    return np.asarray(points, np.float32), np.asarray(axes, np.float32)


def talls(quads: Floats) -> Floats:
    """Mean heights of N quads, pixels: N."""
    q = np.asarray(quads, np.float32)
    left, right = np.linalg.norm(q[:, 3] - q[:, 0], axis=1), np.linalg.norm(q[:, 2] - q[:, 1], axis=1)
    return np.asarray((left + right) / 2, np.float32)


def directions(quads: Floats) -> Floats:
    """The unit vectors from the cards' tops to their bottoms as they are read: N x 2."""
    q = np.asarray(quads, np.float32)
    down = q[:, 3] + q[:, 2] - q[:, 0] - q[:, 1]
    return np.asarray(down / np.maximum(np.linalg.norm(down, axis=1, keepdims=True), 1e-6), np.float32)


def overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quads, 0..1."""
    if (one.max(0) < other.min(0)).any() or (other.max(0) < one.min(0)).any():
        return 0.0
    common, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    total = area(one) + area(other) - common
    return float(common / total) if total > 0 else 0.0


class Pyramid:
    """A picture at falling sizes, made as they are asked for, so that small crops are taken without aliasing."""

    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        self._levels = [image]

    def level(self, shrink: float) -> tuple[npt.NDArray[np.uint8], float]:
        """The level for a crop that is shrunk by ``shrink`` (source px per crop px), and the level's scale."""
        wanted = max(0, int(np.floor(np.log2(max(shrink, 1.0) + 1e-6))))
        while len(self._levels) <= wanted and min(self._levels[-1].shape[:2]) >= 4:
            last = self._levels[-1]
            half = cv2.resize(last, (last.shape[1] // 2, last.shape[0] // 2), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        number = min(wanted, len(self._levels) - 1)
        return self._levels[number], self._levels[number].shape[1] / self._levels[0].shape[1]


def index_crop(pyramid: Pyramid, frame: Floats, point: Floats) -> npt.NDArray[np.uint8]:
    """The index at ``point`` of a card with these axes there (see ``index_frame``), straightened: 96 x 48 x 3."""
    across, down = frame
    width, height = INDEX_CROP
    middle = point + _INDEX_DROP * down
    corner = middle - _INDEX_REACH[0] * across - _INDEX_REACH[1] * down
    source = np.stack([corner, corner + 2 * _INDEX_REACH[0] * across, corner + 2 * _INDEX_REACH[1] * down])
    level, scale = pyramid.level(float(np.linalg.norm(down)) * 2 * _INDEX_REACH[1] / height)
    target = np.array([[0, 0], [width, 0], [0, height]], np.float32)
    matrix = cv2.getAffineTransform((source * scale).astype(np.float32), target)
    crop = cv2.warpAffine(level, matrix, INDEX_CROP, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def card_crop(pyramid: Pyramid, quad: Floats) -> npt.NDArray[np.uint8]:
    """The whole card, straightened, with a small margin: 96 x 64 x 3."""
    width, height = CARD_CROP
    across, down = _CARD_MARGIN * width, _CARD_MARGIN * height
    target = np.array(
        [[across, down], [width - across, down], [width - across, height - down], [across, height - down]], np.float32
    )
    level, scale = pyramid.level(side_lengths(quad)[1] / height)
    matrix = cv2.getPerspectiveTransform((quad * scale).astype(np.float32), target)
    crop = cv2.warpPerspective(level, matrix, CARD_CROP, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
