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
    share = np.array(INDEX_POINT, np.float32)
    if corner in (1, 2):
        share[0] = 1 - share[0]
    if corner in (2, 3):
        share[1] = 1 - share[1]
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(share[None, None], matrix)[0, 0], np.float32)


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


def index_crop(pyramid: Pyramid, quad: Floats, point: Floats) -> npt.NDArray[np.uint8]:
    """The index at ``point`` of a card with this quad, straightened: 96 x 48 x 3."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
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
