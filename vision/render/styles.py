"""Styles drawn at random: camera, light, ground, hands, pace and habits, by how hard the table is to follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.render.camera import Camera
from vision.render.film import Style
from vision.render.gesture import Pace
from vision.render.ground import GROUNDS, UNSEEN_GROUNDS
from vision.render.habits import Habits
from vision.render.hands import BARE, Look
from vision.render.stage import Lighting

CLASSES: Final = ("easy", "middle", "hard")
_SKINS: Final = (
    (139, 172, 222),
    (96, 133, 190),
    (152, 185, 232),
    (58, 86, 136),
    (120, 156, 212),
    (40, 62, 104),
    (164, 196, 238),
)


def random_style(
    rng: np.random.Generator, difficulty: str, grounds: tuple[str, ...] = UNSEEN_GROUNDS + GROUNDS
) -> Style:
    """A style of the class ``easy``, ``middle`` or ``hard``, at 1280 x 720 and ten frames a second.

    ``easy``: tidy spread piles, no habits. ``middle``: some habits. ``hard``: squared piles or heaps, overlaps, hands
    that rest, pushes, lamps, lost frames, things on the table. ``grounds``: those to draw from. Raises ValueError for
    another class.

    >>> random_style(np.random.default_rng(1), "easy").habits
    Habits()
    """
    if difficulty not in CLASSES:
        raise ValueError(f"no class '{difficulty}': there are {', '.join(CLASSES)}")
    step = CLASSES.index(difficulty)
    return Style(
        camera=_camera(rng, step),
        ground=str(rng.choice(grounds)),
        lighting=_lighting(rng, step),
        pace=_pace(rng, step),
        habits=(_no_habits, _some_habits, _hard_habits)[step](rng),
        seed=int(rng.integers(1 << 31)),
        looks=tuple(random_look(rng) for _ in range(6)),
    )


def random_look(rng: np.random.Generator) -> Look:
    """A hand and sleeve: any sleeve colour, long, pushed up or none; small or large, sometimes left or gloved."""
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))]) * rng.uniform(0.93, 1.05)
    glove = rng.random() < 0.08
    cuff = float(rng.choice([168.0, rng.uniform(210, 420), BARE], p=[0.55, 0.2, 0.25]))
    return Look(
        skin=_paint(rng) if glove else (int(skin[0]), int(skin[1]), int(skin[2])),
        sleeve=_paint(rng),
        weave=str(rng.choice(["plain", "knit", "stripes"])),
        second=_paint(rng),
        size=float(rng.choice([0.86, 1.0]) * rng.uniform(0.96, 1.05)),
        cuff=cuff,
        left=bool(rng.random() < 0.12),
        glove=bool(glove),
        ring=bool(not glove and rng.random() < 0.3),
        watch=bool(rng.random() < 0.35),
    )


def _paint(rng: np.random.Generator) -> tuple[int, int, int]:
    hsv = np.array([[[rng.integers(180), rng.integers(0, 200), rng.integers(40, 225)]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _camera(rng: np.random.Generator, step: int) -> Camera:
    camera = Camera(
        1280,
        720,
        focal=float(rng.uniform(0.9, 1.25)),
        tilt=float(rng.uniform(2, (22, 28, 36)[step])),
        turn=float(rng.uniform(-1, 1) * (2, 4, 8)[step]),
        aim=(float(rng.uniform(-8, 8)), float(rng.uniform(-8, 8))),
        distance=800.0,
    ).holding_all()
    return replace(camera, distance=camera.distance * float(rng.uniform(1.0, 1.08)))


def _lighting(rng: np.random.Generator, step: int) -> Lighting:
    warm = float(rng.uniform(-0.06, 0.1))
    return Lighting(
        angle=float(rng.uniform(-180, 180)),
        slant=float(rng.uniform(0.3, 0.9)),
        level=float(rng.uniform((0.85, 0.76, 0.68)[step], 1.03)),
        gradient=float(rng.uniform(0.05, (0.25, 0.4, 0.55)[step])),
        vignette=float(rng.uniform(0.05, (0.18, 0.25, 0.32)[step])),
        noise=float(rng.uniform((0.8, 1.5, 2.2)[step], (2.0, 3.2, 4.5)[step])),
        colour=(1 - warm, 1.0, 1 + warm / 2),
    )


def _pace(rng: np.random.Generator, step: int) -> Pace:
    return Pace(
        still=float(rng.uniform((1.6, 1.2, 0.9)[step], (2.4, 2.0, 1.6)[step])),
        pause=float(rng.uniform(0.2, 0.5)),
        speed=float(rng.uniform(700, (1000, 1150, 1300)[step])),
        scatter=float(rng.uniform(0.1, 0.6)),
    )


def _no_habits(_: np.random.Generator) -> Habits:
    return Habits()


def _some_habits(rng: np.random.Generator) -> Habits:
    """A few of the milder ones."""
    kept = rng.random(9) < 0.5
    chances = rng.uniform(0.05, 0.15, 6) * kept[:6]
    return Habits(
        at_once=float(rng.uniform(0.0, 0.7)),
        shift=float(chances[0]),
        lift=float(chances[1]),
        quick=float(chances[2]),
        straighten=float(chances[3]),
        two_step=float(chances[4]),
        overlap=float(chances[5]),
        exposure=float(kept[6]) * float(rng.uniform(0.2, 0.6)),
        lamps=int(kept[7]),
        bumps=int(kept[8]),
    )


def _hard_habits(rng: np.random.Generator) -> Habits:
    squared = bool(rng.random() < 0.6)
    chances = rng.uniform(0.05, 0.2, 6)
    return Habits(
        squared=squared,
        heap=not squared,
        at_once=float(rng.uniform(0.0, 0.7)),
        shift=float(chances[0]),
        lift=float(chances[1]),
        rest=float(chances[2]),
        quick=float(chances[3]),
        straighten=float(chances[4]),
        two_step=float(chances[5]),
        take_back=float(rng.uniform(0.03, 0.12)),
        overlap=0.3,
        thing=str(rng.choice(["none", "cup", "phone"])),
        bumps=int(rng.integers(1, 4)),
        lamps=int(rng.integers(1, 4)),
        exposure=float(rng.uniform(0.2, 1.0)),
        drops=float(rng.uniform(0.0, 0.06)),
    )
