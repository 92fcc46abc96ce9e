"""Court figures for drawn packs: double-headed figures built of simple shapes, or figures lent by other packs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""Height x width x 3, RGB, 0..255."""

Colour = tuple[int, int, int]

FINE: Final = 3
"""Figures are drawn this many times larger and scaled down, for smooth edges."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The inks of a pack's courts: ``line`` for outlines, ``cloth`` for garments."""

    line: Colour
    cloth: tuple[Colour, ...]
    skin: Colour
    gold: Colour
    hair: tuple[Colour, ...]

    @classmethod
    def random(cls, rng: np.random.Generator) -> Palette:
        """Draw a palette: most often the traditional red, blue, yellow and black, else any strong colours."""
        if rng.random() < 0.6:
            cloth = [(200, 30, 40), (30, 50, 140), (235, 195, 50), (25, 25, 30)]
            cloth = [tuple(int(np.clip(v + rng.integers(-25, 26), 0, 255)) for v in ink) for ink in cloth]  # type: ignore[misc]
        else:
            hues = rng.permutation(6)[:4] * 30 + rng.integers(0, 30)
            hsv = np.array([[(hue % 180, rng.integers(90, 230), rng.integers(80, 240)) for hue in hues]], np.uint8)
            cloth = [tuple(int(v) for v in ink) for ink in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0]]  # type: ignore[misc]
        order = rng.permutation(len(cloth))
        line: Colour = [(20, 20, 25), (20, 30, 90), (70, 20, 20)][int(rng.choice(3, p=[0.6, 0.3, 0.1]))]
        skin: Colour = [(250, 240, 230), (255, 255, 255), (245, 215, 190), (190, 140, 105)][int(rng.integers(4))]
        return cls(
            line=line,
            cloth=tuple(cloth[int(i)] for i in order),
            skin=skin,
            gold=(235, 190, int(rng.integers(30, 110))),
            hair=((235, 200, 90), (110, 70, 40), (60, 50, 45), (220, 220, 215)),
        )


class _Pen:
    """Filled and outlined shapes on the canvas of half a figure; x is -1..1, y 0 (top) to 1 (middle of the card)."""

    def __init__(self, size: tuple[int, int], ground: Colour, line: Colour, thickness: int) -> None:
        self.width, self.height = size
        self.canvas = np.full((size[1], size[0], 3), ground, np.uint8)
        self.line, self.thickness = line, thickness

    def place(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        shares = np.asarray(points, np.float64)
        pixels = np.stack([(shares[:, 0] + 1) / 2 * self.width, shares[:, 1] * self.height], axis=1)
        return np.rint(pixels).astype(np.int32)

    def shape(self, points: npt.ArrayLike, fill: Colour | Picture, *, outline: bool = True) -> None:
        """Fill a polygon with a colour or a pattern of the canvas's size, and draw its outline."""
        corners = self.place(points)
        if isinstance(fill, tuple):
            cv2.fillPoly(self.canvas, [corners], fill)
        else:
            inside = np.zeros(self.canvas.shape[:2], np.uint8)
            cv2.fillPoly(inside, [corners], 255)
            self.canvas[inside > 0] = fill[inside > 0]
        if outline:
            cv2.polylines(self.canvas, [corners], True, self.line, self.thickness)

    def oval(self, x: float, y: float, across: float, down: float, fill: Colour) -> None:
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self.shape(np.stack([x + across * np.cos(turn), y + down * np.sin(turn)], axis=1), fill)

    def stroke(self, points: npt.ArrayLike, colour: Colour, wide: int = 1) -> None:
        cv2.polylines(self.canvas, [self.place(points)], False, colour, max(1, self.thickness * wide))


def _pattern(size: tuple[int, int], inks: tuple[Colour, ...], rng: np.random.Generator) -> Picture:
    """Cloth: stripes, checks, spots or chevrons in the given inks; ``size`` is width, height."""
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float64)
    step = size[0] / rng.uniform(9, 22)
    turn = rng.uniform(-0.9, 0.9)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    kind = int(rng.integers(4))
    if kind == 0:
        which = along // step
    elif kind == 1:
        which = along // step + across // step
    elif kind == 2:
        spot = np.hypot(along % step - step / 2, across % step - step / 2) < step * 0.32
        which = spot * 1.0
    else:
        which = (y + np.abs(x % (2 * step) - step)) // (step * 0.7)
    table = np.array(inks, np.uint8)
    return np.asarray(table[which.astype(np.int64) % len(inks)], np.uint8)


def draw_figure(
    rank: str, size: tuple[int, int], ground: Colour, palette: Palette, rng: np.random.Generator
) -> Picture:
    """A double-headed court figure for J, Q or K; ``size`` is width, height in pixels."""
    width, half = size[0] * FINE, (size[1] * FINE + 1) // 2
    pen = _Pen((width, half), ground, palette.line, max(1, round(FINE * rng.uniform(0.6, 1.4))))
    inks = [palette.cloth[int(i)] for i in rng.permutation(len(palette.cloth))]
    hair = palette.hair[int(rng.integers(len(palette.hair)))]
    lean = rng.uniform(-0.08, 0.08)
    _draw_body(pen, inks, rng)
    _draw_head(pen, rank, lean, palette, hair, rng)
    _draw_headgear(pen, rank, lean, palette, inks, rng)
    _draw_tool(pen, rank, palette, inks, rng)
    whole = np.concatenate([pen.canvas, pen.canvas[::-1, ::-1]])
    if rng.random() < 0.6:
        whole = _divide_aslant(whole, rng.uniform(-0.45, 0.45), palette, pen.thickness)
    else:
        cv2.line(whole, (0, half), (width, half), palette.line, pen.thickness * 2)
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _divide_aslant(whole: Picture, slope: float, palette: Palette, thickness: int) -> Picture:
    """Redraw the middle so that the two halves meet along a sloping band."""
    height, width = whole.shape[:2]
    left, right = height / 2 - slope * width / 2, height / 2 + slope * width / 2
    for gap, colour in ((height * 0.035, palette.line), (height * 0.028, palette.gold)):
        band = np.array([(0, left - gap), (width, right - gap), (width, right + gap), (0, left + gap)])
        cv2.fillPoly(whole, [np.rint(band).astype(np.int32)], colour)
    cv2.line(whole, (0, round(left)), (width, round(right)), palette.line, thickness)
    return whole


def _draw_body(pen: _Pen, inks: list[Colour], rng: np.random.Generator) -> None:
    size = (pen.width, pen.height)
    shoulder, neck = rng.uniform(0.45, 0.55), rng.uniform(0.36, 0.42)
    wide = rng.uniform(0.85, 1.0)
    robe = [(-0.2, neck), (-wide, shoulder + 0.08), (-wide, 1.0), (wide, 1.0), (wide, shoulder + 0.08), (0.2, neck)]
    pen.shape(robe, _pattern(size, (inks[0], inks[1]), rng))
    front = rng.uniform(0.22, 0.42)
    pen.shape(
        [(-0.2, neck), (-front, 1.0), (front, 1.0), (0.2, neck)], _pattern(size, (inks[2], inks[3 % len(inks)]), rng)
    )
    for side in (-1, 1):
        cuff = rng.uniform(0.7, 0.8)
        sleeve = [(side * 0.95, cuff - 0.12), (side * 0.4, cuff), (side * 0.42, cuff + 0.13), (side * 0.95, cuff + 0.1)]
        pen.shape(sleeve, inks[int(rng.integers(len(inks)))])
    collar = [(-0.42, neck + 0.02), (0, neck + 0.14), (0.42, neck + 0.02), (0.25, neck - 0.05), (-0.25, neck - 0.05)]
    pen.shape(collar, inks[1])


def _draw_head(pen: _Pen, rank: str, lean: float, palette: Palette, hair: Colour, rng: np.random.Generator) -> None:
    top = 0.27
    length = {"J": 0.13, "Q": 0.19, "K": 0.14}[rank]
    pen.oval(lean, top + 0.03, 0.36, length, hair)
    pen.oval(lean, top, 0.24, 0.12, palette.skin)
    if rank == "K":
        beard = [(lean - 0.23, top + 0.02), (lean - 0.14, top + 0.14), (lean, top + 0.19), (lean + 0.14, top + 0.14)]
        pen.shape([*beard, (lean + 0.23, top + 0.02), (lean, top + 0.06)], hair)
    for side in (-1, 1):
        eye = lean + side * 0.1
        pen.stroke([(eye - 0.05, top - 0.015), (eye, top - 0.025), (eye + 0.05, top - 0.015)], palette.line)
        pen.stroke([(eye - 0.06, top - 0.045), (eye + 0.06, top - 0.05)], palette.line)
    pen.stroke([(lean, top - 0.02), (lean + 0.03, top + 0.035), (lean - 0.01, top + 0.04)], palette.line)
    pen.stroke([(lean - 0.07, top + 0.07), (lean, top + 0.075), (lean + 0.07, top + 0.07)], (190, 40, 40), 2)
    if rank == "J" and rng.random() < 0.5:
        pen.stroke([(lean - 0.12, top + 0.06), (lean, top + 0.05), (lean + 0.12, top + 0.06)], hair, 2)


def _draw_headgear(
    pen: _Pen, rank: str, lean: float, palette: Palette, inks: list[Colour], rng: np.random.Generator
) -> None:
    base = 0.175
    if rank == "J":
        tilt = rng.uniform(-0.03, 0.03)
        cap = [(-0.4, base + tilt), (-0.36, 0.08 + tilt), (0.3, 0.07 - tilt), (0.42, base - tilt)]
        pen.shape([(lean + x, y) for x, y in cap], inks[0])
        pen.shape(
            [(lean - 0.42, base), (lean + 0.42, base), (lean + 0.42, base + 0.03), (lean - 0.42, base + 0.03)], inks[1]
        )
        pen.stroke([(lean + 0.35, base), (lean + 0.6, 0.1), (lean + 0.55, 0.04)], palette.gold, 4)
        return
    points = int(rng.integers(3, 6))
    wide, high = (0.42, rng.uniform(0.1, 0.13)) if rank == "K" else (0.3, rng.uniform(0.06, 0.1))
    tips = np.linspace(-wide * 1.1, wide * 1.1, points)
    valleys = (tips[:-1] + tips[1:]) / 2
    outline = [(lean - wide, base + 0.02)]
    for i, tip in enumerate(tips):
        outline.append((lean + tip, base - high))
        if i < points - 1:
            outline.append((lean + float(valleys[i]), base - high * 0.35))
    pen.shape([*outline, (lean + wide, base + 0.02)], palette.gold)
    for tip in tips:
        pen.oval(lean + float(tip), base - high, 0.035, 0.015, inks[0])
    pen.shape(
        [(lean - wide, base), (lean + wide, base), (lean + wide, base + 0.03), (lean - wide, base + 0.03)], inks[1]
    )


def _draw_tool(pen: _Pen, rank: str, palette: Palette, inks: list[Colour], rng: np.random.Generator) -> None:
    """A sword, a flower or a staff at one side."""
    x = rng.choice([-1, 1]) * rng.uniform(0.72, 0.85)
    if rank == "Q":
        pen.stroke([(x, 0.85), (x * 0.95, 0.5)], (40, 120, 60), 2)
        for turn in np.linspace(0, 2 * np.pi, 6)[:5]:
            pen.oval(x * 0.95 + 0.09 * np.cos(turn), 0.45 + 0.045 * np.sin(turn), 0.07, 0.035, inks[0])
        pen.oval(x * 0.95, 0.45, 0.05, 0.025, palette.gold)
        return
    blade = [(x - 0.05, 0.9), (x - 0.05, 0.15), (x, 0.08), (x + 0.05, 0.15), (x + 0.05, 0.9)]
    pen.shape(blade, (225, 230, 235) if rank == "K" else inks[2])
    pen.shape([(x - 0.16, 0.78), (x + 0.16, 0.78), (x + 0.16, 0.81), (x - 0.16, 0.81)], palette.gold)


def recolour(figure: Picture, rng: np.random.Generator) -> Picture:
    """Print a figure in other inks: its hues turned, its colours duller or stronger, or in one ink alone."""
    way = rng.random()
    if way < 0.35:
        return figure
    hsv = cv2.cvtColor(figure, cv2.COLOR_RGB2HSV).astype(np.float32)
    if way < 0.75:
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
    elif way < 0.85:
        hsv[..., 0] = rng.uniform(0, 180)
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.35, 1.2), 0, 255)
    value = hsv[..., 2] / 255
    hsv[..., 2] = 255 * value ** rng.uniform(0.7, 1.3)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB), np.uint8)
