"""Hands and sleeves, drawn from numbers: rounded limbs as height fields, lit, in skin and cloth colours.

A hand is a picture in its own plane, fingers up, the arm running down and out of the picture; ``hand_picture``
gives it, ``HandPicture.plane`` says how it lies on the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float32]

SCALE: Final = 1.5
"""Pixels a millimetre in a hand's picture."""
_LEFT, _TOP, _WIDTH, _HEIGHT = -90.0, -45.0, 210.0, 760.0
BARE: Final = 640.0
_WRIST: Final = 168.0

# A limb: points (x, y, radius) in millimetres from the fingertips' grip; y runs towards the arm.
Limb = tuple[tuple[float, float, float], ...]
_FINGERS: Final[dict[str, tuple[Limb, ...]]] = {
    "pinch": (
        ((-3, 0, 7.5), (-7, 26, 8.4), (-5, 66, 10)),
        ((15, -9, 8), (17, 22, 9), (17, 62, 10.5)),
        ((32, -1, 7.6), (36, 28, 8.6), (37, 66, 10)),
        ((46, 17, 6.4), (53, 42, 7.4), (55, 74, 8.8)),
        ((-17, 14, 8.2), (-32, 50, 9.6), (-26, 84, 12.5), (0, 122, 18)),
    ),
    "flat": (
        ((-17, -14, 7.3), (-12, 22, 8.4), (-5, 66, 10)),
        ((14, -24, 7.8), (16, 18, 9), (17, 62, 10.5)),
        ((42, -14, 7.4), (40, 24, 8.6), (37, 66, 10)),
        ((68, 12, 6.2), (63, 40, 7.2), (55, 74, 8.8)),
        ((-62, 40, 8.4), (-48, 66, 9.8), (-30, 94, 13), (0, 122, 18)),
    ),
}
_PALM: Final[tuple[Limb, ...]] = (
    ((-4, 68, 13), (8, 128, 20)),
    ((17, 64, 14), (19, 128, 23)),
    ((37, 68, 13), (31, 128, 22)),
    ((53, 78, 11), (40, 128, 19)),
    ((18, 120, 30), (20, 150, 27), (21, 190, 28)),
)
_FOREARM: Final[Limb] = ((21, 180, 27.5), (24, 330, 37), (30, 800, 52))


@dataclass(frozen=True, slots=True)
class Look:
    """One player's hand and sleeve: colours are BGR, ``weave`` is ``plain``, ``knit`` or ``stripes``.

    ``size``: 1 is a man's hand of middle size. ``cuff``: where the sleeve begins, millimetres from the fingertips; from
    ``BARE`` on the arm has none. ``left``: a left hand. ``glove``: the skin's colour is that of a glove. A ``watch`` is
    seen only where the cuff leaves room for it.
    """

    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int]
    weave: str = "plain"
    second: tuple[int, int, int] = (235, 235, 235)
    size: float = 1.0
    cuff: float = 168.0
    left: bool = False
    glove: bool = False
    ring: bool = False
    watch: bool = False


LOOKS: Final[tuple[Look, ...]] = (
    Look((139, 172, 222), (104, 62, 44), "knit"),
    Look((96, 133, 190), (60, 70, 150), "stripes", (190, 195, 205)),
    Look((152, 185, 232), (70, 92, 58), "plain"),
    Look((58, 86, 136), (205, 205, 200), "knit"),
    Look((120, 156, 212), (52, 48, 50), "plain"),
    Look((146, 178, 226), (96, 52, 104), "stripes", (150, 130, 190)),
)


@dataclass(frozen=True, slots=True)
class HandPicture:
    """A hand in its own plane. ``pixels``: BGRA, colour already multiplied by alpha."""

    pixels: npt.NDArray[np.uint8]

    @staticmethod
    def plane(x: float, y: float, angle: float, mirrored: bool = False, size: float = 1.0) -> npt.NDArray[np.float64]:
        """The 3 x 3 map from the picture's pixels to table millimetres.

        The grip lies at (x, y); ``angle`` 0 points the fingers away from the near edge, clockwise in the picture.
        """
        turn = math.radians(angle)
        side, scale = -size if mirrored else size, size / SCALE
        local = np.array([[side / SCALE, 0.0, side * _LEFT], [0.0, scale, size * _TOP], [0.0, 0.0, 1.0]])
        placed = np.array([[math.cos(turn), -math.sin(turn), x], [math.sin(turn), math.cos(turn), y], [0.0, 0.0, 1.0]])
        return np.asarray(placed @ local)


@lru_cache(maxsize=64)
def hand_picture(look: Look, shape: str, light: int, mirrored: bool = False) -> HandPicture:
    """A hand in the shape ``pinch`` or ``flat``.

    ``light``: where the light comes from, degrees clockwise from the fingers' direction.
    """
    xs, ys = _grid()
    fingers = _FINGERS[shape]
    skin_height = np.zeros_like(xs)
    forearm = (_FOREARM,) if look.cuff > _WRIST else ()
    for limb in (*_PALM, *fingers, *forearm):
        np.maximum(skin_height, _limb_height(xs, ys, limb), out=skin_height)
    skin = skin_height > 0
    skin_height = cv2.GaussianBlur(skin_height, (0, 0), 1.9 * SCALE) * 0.85
    rng = np.random.default_rng([*look.skin, *look.sleeve, len(shape)])
    sleeve_height, sleeve = _sleeve(xs, ys, look, rng)
    turn = math.radians(light)
    ray = np.array([math.sin(turn) * (-1 if mirrored else 1), -math.cos(turn), 1.25])
    ray /= np.linalg.norm(ray)
    colour = _skin_colour(xs, ys, look, fingers, rng) * _shade(skin_height, ray, 0.55)[..., None]
    cloth = _cloth_colour(xs, ys, look, rng) * _shade(sleeve_height, ray, 0.8)[..., None]
    cloth[(ys > look.cuff) & (ys < look.cuff + 2.5)] *= 0.72
    colour[(ys > look.cuff - 5) & ~sleeve] *= 0.8
    if look.ring:
        _band(colour, xs, ys, (fingers[2][1], fingers[2][2]), 3.4, (92, 178, 222))
    if look.watch and look.cuff > _WRIST + 30:
        _band(colour, xs, ys, ((19, 172, 34), (21, 200, 34)), 15.0, (38, 34, 32))
        colour[(xs - 20) ** 2 + (ys - 186) ** 2 < 17.5**2] = (168, 172, 174)
        colour[(xs - 20) ** 2 + (ys - 186) ** 2 < 14.0**2] = (226, 226, 222)
    picture = np.where(sleeve[..., None], cloth, colour)
    alpha = cv2.GaussianBlur((skin | sleeve).astype(np.float32), (0, 0), 0.9)
    pixels = np.dstack([np.clip(picture, 0, 255) * alpha[..., None], alpha * 255]).astype(np.uint8)
    return HandPicture(pixels)


def _grid() -> tuple[Grid, Grid]:
    columns = np.arange(int(_WIDTH * SCALE), dtype=np.float32) / SCALE + _LEFT
    rows = np.arange(int(_HEIGHT * SCALE), dtype=np.float32) / SCALE + _TOP
    xs, ys = np.meshgrid(columns, rows)
    return xs.astype(np.float32), ys.astype(np.float32)


def _limb_height(xs: Grid, ys: Grid, limb: Limb) -> Grid:
    """The height of a chain of tapered round segments over the plane; 0 outside."""
    height = np.zeros_like(xs)
    for (x1, y1, r1), (x2, y2, r2) in pairwise(limb):
        dx, dy = x2 - x1, y2 - y1
        along = np.clip(((xs - x1) * dx + (ys - y1) * dy) / (dx * dx + dy * dy), 0, 1)
        off = (xs - x1 - along * dx) ** 2 + (ys - y1 - along * dy) ** 2
        radius = r1 + along * (r2 - r1)
        np.maximum(height, np.sqrt(np.maximum(radius**2 - off, 0)), out=height)
    return height


def _shade(height: Grid, ray: npt.NDArray[np.float64], depth: float) -> Grid:
    """Light on a height field, about 1 on level ground; hollows are a little darker."""
    slope_x = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=1 / 8) * SCALE * depth
    slope_y = cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=1 / 8) * SCALE * depth
    lit = (-slope_x * ray[0] - slope_y * ray[1] + ray[2]) / np.sqrt(slope_x**2 + slope_y**2 + 1)
    hollow = np.clip((cv2.GaussianBlur(height, (0, 0), 5 * SCALE) - height) / 9, 0, 0.35)
    shade: Grid = (0.42 + 0.72 * np.clip(lit, 0, None) - hollow).astype(np.float32)
    return shade


def _band(colour: Grid, xs: Grid, ys: Grid, along: Limb, wide: float, paint: tuple[int, int, int]) -> None:
    """Paints a band across the middle between two points of a limb, ``wide`` millimetres of it."""
    (x1, y1, r1), (x2, y2, r2) = along
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    dx, dy = xs - (x1 + x2) / 2, ys - (y1 + y2) / 2
    inside = (np.abs(dx * ux + dy * uy) < wide / 2) & (np.abs(dy * ux - dx * uy) < (r1 + r2) / 2 - 0.3)
    colour[inside] = colour[inside] * 0.25 + np.array(paint, np.float32) * 0.75


def _cloud(shape: tuple[int, int], rng: np.random.Generator, across: float, along: float) -> Grid:
    """Smooth noise with mean 0 and deviation 1; the sizes of its blotches in pixels."""
    small = rng.standard_normal((max(3, int(shape[0] / along) + 2), max(3, int(shape[1] / across) + 2)))
    grown = cv2.resize(small.astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    cloud: Grid = ((grown - grown.mean()) / (grown.std() + 1e-6)).astype(np.float32)
    return cloud


def _skin_colour(xs: Grid, ys: Grid, look: Look, fingers: tuple[Limb, ...], rng: np.random.Generator) -> Grid:
    colour = np.ones((*xs.shape, 3), np.float32) * np.array(look.skin, np.float32)
    colour *= (1 + 0.025 * _cloud(xs.shape, rng, 14, 14) + 0.012 * _cloud(xs.shape, rng, 3, 3))[..., None]
    if look.glove:
        colour *= (0.9 + 0.12 * np.sin(xs * 1.7) * np.sin(ys * 1.7))[..., None]
        return colour
    for finger in fingers:
        for index, (x, y, radius) in enumerate(finger[:-1]):
            glow = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * (radius * 0.9) ** 2))
            strength = 0.10 if index == 0 else 0.06
            colour *= 1 - strength * glow[..., None] * np.array([1.0, 0.9, 0.15], np.float32)
            if index:  # the folds over a joint
                across = (xs - x) * 0.3 + (ys - y)
                folds = 0.5 + 0.5 * np.cos(across * 1.9)
                colour *= 1 - 0.07 * (glow * folds)[..., None]
        _nail(colour, xs, ys, finger, look)
    return colour


def _nail(colour: Grid, xs: Grid, ys: Grid, finger: Limb, look: Look) -> None:
    (x1, y1, radius), (x2, y2, _) = finger[0], finger[1]
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    along = (xs - x1) * ux + (ys - y1) * uy - 0.5
    across = -(xs - x1) * uy + (ys - y1) * ux
    size = (np.abs(along) / (radius * 0.72)) ** 2.6 + (np.abs(across) / (radius * 0.56)) ** 2.6
    amount = np.clip((1.15 - size) * 4, 0, 1)[..., None] * 0.6
    tone = np.clip(np.array(look.skin, np.float32) * 1.1 + np.array([18, 8, 10], np.float32), 0, 250)
    colour[:] = colour * (1 - amount) + tone * amount
    rim = np.clip(1 - np.abs(size - 1.1) * 5, 0, 1)[..., None] * 0.12
    colour *= 1 - rim


def _sleeve(xs: Grid, ys: Grid, look: Look, rng: np.random.Generator) -> tuple[Grid, npt.NDArray[np.bool_]]:
    edge = 4.5 * _cloud(xs.shape, rng, 400, 60)
    if look.cuff >= BARE:
        return np.zeros_like(xs), np.zeros(xs.shape, np.bool_)
    cuff = look.cuff
    wider = (cuff - _WRIST) * 0.07  # the arm is thicker where a sleeve is pushed up
    limb: Limb = ((21, cuff + 36, 37 + wider), (24, cuff + 162, 44 + wider), (30, cuff + 632, 62))
    band: Limb = ((21, cuff + 6, 33 + wider), (21, cuff + 60, 38 + wider))
    height = np.maximum(_limb_height(xs + edge * 0.6, ys, limb), _limb_height(xs, ys, band))
    bow = (xs - 21) ** 2 / 260
    sleeve = (height > 0) & (ys > cuff + bow * 0.35)
    folds = _cloud(xs.shape, rng, 70 * SCALE, 17 * SCALE) * 1.7 + _cloud(xs.shape, rng, 30 * SCALE, 9 * SCALE) * 0.6
    height = (cv2.GaussianBlur(height, (0, 0), 2 * SCALE) * 0.8 + folds * (height > 0)).astype(np.float32)
    return height, sleeve


def _cloth_colour(xs: Grid, ys: Grid, look: Look, rng: np.random.Generator) -> Grid:
    base, second = np.array(look.sleeve, np.float32), np.array(look.second, np.float32)
    colour = np.ones((*xs.shape, 3), np.float32) * base
    if look.weave == "stripes":
        band = (np.sin(ys * 2 * math.pi / 26) > 0.45)[..., None]
        colour = np.where(band, second, colour).astype(np.float32)
    if look.weave == "knit":
        rib = 0.5 + 0.5 * np.sin(xs * 2 * math.pi / 5.5 + np.sin(ys * 2 * math.pi / 4) * 0.8)
        colour *= (0.86 + 0.16 * rib)[..., None]
    grain = 1 + 0.05 * rng.standard_normal(xs.shape).astype(np.float32)
    woven: Grid = (colour * grain[..., None]).astype(np.float32)
    return woven
