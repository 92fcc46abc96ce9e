"""Rendered tables with known cards, so that recognition can be measured where there are no photographs.

The pictures are seen by the virtual camera at a slant, on several grounds, in the house pack and in packs drawn at
random whose seeds no network has learned from. They are easier than photographs: use them to compare, not to boast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import numpy as np

from assistant.cards import PACK
from assistant.view import TABLE
from vision.recogniser import Image
from vision.render.camera import Camera
from vision.render.drawn_pack import draw_pack
from vision.render.gesture import LyingCard
from vision.render.ground import GROUNDS
from vision.render.packs import Pack, house_pack
from vision.render.stage import Lighting, Stage
from vision.render.table_scene import Pose

CARDS: Final = 10
"""Cards in a picture."""
_PACK_SEEDS: Final = (9001, 9002, 9003)

Layout = Callable[[np.random.Generator], list[Pose]]


def apart(rng: np.random.Generator) -> list[Pose]:
    """Two rows of cards, each turned at random, that don't touch."""
    return [
        Pose(x + rng.uniform(-8, 8), y + rng.uniform(-8, 8), rng.uniform(0, 360))
        for y in (-75.0, 75.0)
        for x in (-260.0, -130.0, 0.0, 130.0, 260.0)
    ]


def piles(rng: np.random.Generator) -> list[Pose]:
    """Two strips in which every card but the last shows 19 mm of its left side."""
    return [
        Pose(start + k * 19.0, y + rng.uniform(-2, 2), rng.uniform(-2, 2))
        for y, start in ((-75.0, rng.uniform(-200, -100)), (75.0, rng.uniform(0, 100)))
        for k in range(CARDS // 2)
    ]


def fans(rng: np.random.Generator) -> list[Pose]:
    """A fan of ten cards: each lies 8 to 10 degrees on from the one before and over it."""
    step, turn = math.radians(rng.uniform(8, 10)), rng.uniform(-0.3, 0.3)
    poses = []
    for k in range(CARDS):
        angle = turn + (k - (CARDS - 1) / 2) * step
        poses.append(Pose(130 * math.sin(angle), 80 - 130 * math.cos(angle), math.degrees(angle)))
    return poses


LAYOUTS: Final[dict[str, Layout]] = {"cards apart": apart, "piles": piles, "fans": fans}


@cache
def _packs() -> tuple[Pack, ...]:
    return house_pack(), *(draw_pack(seed, letters="english") for seed in _PACK_SEEDS)


def rendered(kind: str, count: int) -> Iterator[tuple[str, Image, frozenset[str]]]:
    """Pictures (1280 x 720, BGR) of one of ``LAYOUTS``, each with a name and the names of its cards."""
    for number in range(count):
        rng = np.random.default_rng([1621, list(LAYOUTS).index(kind), number])
        pack = _packs()[number % len(_packs())]
        cards = [PACK[k] for k in rng.permutation(len(PACK))[:CARDS]]
        camera = Camera(1280, 720, distance=rng.uniform(760, 860), tilt=rng.uniform(5, 25), turn=rng.uniform(-8, 8))
        light = Lighting(angle=rng.uniform(0, 360), level=rng.uniform(0.75, 1.0), noise=rng.uniform(1.5, 4.0))
        ground = GROUNDS[int(rng.integers(len(GROUNDS)))]
        stage = Stage(camera, pack.faces, ground=ground, lighting=light, seed=number)
        lying = [LyingCard(card, pose, TABLE) for card, pose in zip(cards, LAYOUTS[kind](rng), strict=True)]
        yield f"{kind} {number + 1}", stage.with_noise(stage.paint(lying, ())), frozenset(str(card) for card in cards)
