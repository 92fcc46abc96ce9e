"""Things that are no playing cards but look a little like them: trading cards, printed pages, boxes, screens, tickets.

A decoy is drawn flat, BGRA, like a card's face, and laid on the table like one.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.grounds import random_colour, smooth_noise

Bytes = npt.NDArray[np.uint8]

HEIGHT: Final = 300
_SIGNS: Final = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def decoy(rng: np.random.Generator) -> Bytes:
    """One decoy, 300 px high, BGRA."""
    makers = (_trading_card, _page, _box, _screen, _ticket, _number_tile)
    picture = makers[int(rng.integers(len(makers)))](rng)
    height, width = picture.shape[:2]
    alpha = np.zeros((height, width), np.uint8)
    radius = int(rng.choice([0, 0.03, 0.06]) * width)
    cv2.rectangle(alpha, (radius, 0), (width - radius, height), 255, -1)
    cv2.rectangle(alpha, (0, radius), (width, height - radius), 255, -1)
    for x, y in (
        (radius, radius),
        (width - radius, radius),
        (radius, height - radius),
        (width - radius, height - radius),
    ):
        cv2.circle(alpha, (x, y), radius, 255, -1)
    return np.dstack([picture, alpha])


def _colour(rng: np.random.Generator, low: float = 0.05, high: float = 0.95) -> tuple[int, int, int]:
    blue, green, red = (int(255 * part) for part in random_colour(rng, low, high))
    return blue, green, red


def _blank(rng: np.random.Generator, low: float, high: float) -> Bytes:
    width = int(HEIGHT * rng.choice([0.63, 0.715, rng.uniform(0.4, 1.6)]))
    return np.full((HEIGHT, width, 3), _colour(rng, low, high), np.uint8)


def _ink(rng: np.random.Generator) -> tuple[int, int, int]:
    return [(25, 25, 25), (38, 25, 190), (180, 76, 25)][int(rng.choice(3, p=[0.6, 0.3, 0.1]))]


def _write(rng: np.random.Generator, picture: Bytes, text: str, at: tuple[float, float], tall: float) -> None:
    font, thick = int(rng.integers(0, 8)), max(1, int(tall / rng.uniform(7, 14)))
    scale = tall / 22
    cv2.putText(picture, text, (int(at[0]), int(at[1])), font, scale, _ink(rng), thick, cv2.LINE_AA)


def _word(rng: np.random.Generator, most: int) -> str:
    return "".join(rng.choice(_SIGNS, int(rng.integers(1, most + 1))))


def _trading_card(rng: np.random.Generator) -> Bytes:
    """A frame, a picture, a line or two of print, numbers in the corners."""
    card = _blank(rng, 0.5, 1.0)
    height, width = card.shape[:2]
    top, bottom, side = (int(share * height) for share in rng.uniform((0.06, 0.5, 0.03), (0.2, 0.9, 0.1)))
    inner = card[top:bottom, side : width - side]
    weights = smooth_noise(rng, inner.shape[0], inner.shape[1], 6)[..., None]
    mixed = random_colour(rng) + weights * rng.normal(0, 0.15, 3).astype(np.float32)
    inner[:] = np.clip(mixed * 255, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 5))):
        _write(rng, card, _word(rng, 12), (side, rng.uniform(bottom, height)), rng.uniform(8, 18))
    if rng.random() < 0.6:
        _write(rng, card, _word(rng, 2), (0.03 * width, 0.12 * height), rng.uniform(15, 40))
    if rng.random() < 0.4:
        _write(rng, card, _word(rng, 2), (0.82 * width, 0.96 * height), rng.uniform(15, 40))
    return card


def _page(rng: np.random.Generator) -> Bytes:
    """Lines of print or of handwriting: a score sheet, a book."""
    page = _blank(rng, 0.75, 1.0)
    height, width = page.shape[:2]
    step = rng.uniform(9, 30)
    for y in np.arange(0.08 * height, 0.95 * height, step):
        if rng.random() < 0.85:
            _write(rng, page, _word(rng, 40), (0.06 * width, y), step * rng.uniform(0.4, 0.8))
    if rng.random() < 0.3:
        for x in np.arange(0, width, step * 2):
            cv2.line(page, (int(x), 0), (int(x), height), (150, 150, 150), 1)
    return page


def _box(rng: np.random.Generator) -> Bytes:
    """A box or a wrapper: bands of colour, a large word, shapes."""
    box = _blank(rng, 0.1, 0.9)
    height, width = box.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        y = int(rng.uniform(0, height))
        box[y : y + int(rng.uniform(8, 80))] = _colour(rng)
    _write(rng, box, _word(rng, 6), (0.1 * width, rng.uniform(0.2, 0.9) * height), rng.uniform(20, 70))
    for _ in range(int(rng.integers(0, 6))):
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(box, centre, int(rng.uniform(4, 50)), _colour(rng), -1, cv2.LINE_AA)
    return box


def _screen(rng: np.random.Generator) -> Bytes:
    """A phone or a tablet that is lit."""
    screen = _blank(rng, 0.3, 1.0)
    height, width = screen.shape[:2]
    for _ in range(int(rng.integers(3, 12))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        across, down = rng.uniform(0.05, 0.6, 2) * (width, height)
        cv2.rectangle(screen, (int(x), int(y)), (int(x + across), int(y + down)), _colour(rng), -1)
        _write(rng, screen, _word(rng, 12), (x, y), rng.uniform(6, 24))
    cv2.rectangle(screen, (0, 0), (width - 1, height - 1), (12, 12, 12), int(rng.uniform(4, 22)))
    return screen


def _ticket(rng: np.random.Generator) -> Bytes:
    """A white slip with a large sign or two: a bus ticket, a name card, a score."""
    slip = _blank(rng, 0.85, 1.0)
    height, width = slip.shape[:2]
    for _ in range(int(rng.integers(1, 6))):
        at = (rng.uniform(0.02, 0.8) * width, rng.uniform(0.12, 0.98) * height)
        _write(rng, slip, _word(rng, 3), at, rng.uniform(12, 80))
    return slip


def _number_tile(rng: np.random.Generator) -> Bytes:
    """A game's number card: its number large in the middle or small in the corners, and no suit."""
    tile = _blank(rng, 0.55, 1.0)
    height, width = tile.shape[:2]
    sign = str(int(rng.integers(0, 13)))
    _write(rng, tile, sign, (0.35 * width, 0.6 * height), rng.uniform(50, 110))
    if rng.random() < 0.7:
        _write(rng, tile, sign, (0.05 * width, 0.14 * height), rng.uniform(18, 40))
        turned = np.ascontiguousarray(tile[::-1, ::-1])
        _write(rng, turned, sign, (0.05 * width, 0.14 * height), rng.uniform(18, 40))
        tile = np.ascontiguousarray(turned[::-1, ::-1])
    return tile
