"""Measures how recognition bears other light, sizes, directions and compression: ``python -m vision.robustness``.

The same pictures are recognised under every condition. Rendered pictures of packs that come with the program are
always there; folders of labelled photographs (see ``vision.scoring``) may be named besides. Prints Markdown for the
model card.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import PACK
from vision.image_intake import PictureError, read_picture
from vision.recogniser import Image, ModelsMissing, Recogniser
from vision.render.drawn_pack import draw_pack
from vision.render.ground import ground_picture
from vision.render.packs import Pack, house_pack
from vision.render.spread import lay
from vision.scoring import LabelsError, labelled

SURE: Final = 0.9
"""A wrong card with this confidence or more is the worst that can happen."""
SCALES: Final = (0.5, 0.75, 1.5, 2.0)
QUALITIES: Final = (30, 50, 70, 95)
BRIGHTNESSES: Final = (0.4, 0.6, 0.8, 1.2, 1.4, 1.6)
KELVINS: Final = (2700, 3500, 4500, 5500, 7500)
DAYLIGHT: Final = 6500
DRAWN_SEEDS: Final = (91_001, 91_002)
"""Drawn packs that no training scene shows."""
_GROUNDS: Final = ("felt-green", "oak", "linen", "felt-wine")
_WIDTH, _HEIGHT = 1280, 720


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A picture and its cards; ``other_grounds``: the same cards on the same ground mirrored, as far as there are."""

    name: str
    picture: Image
    cards: frozenset[str]
    other_grounds: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """What is done to a sample: one picture or several, or none where it can't be done."""

    group: str
    name: str
    change: Callable[[Sample], Sequence[Image]]


@dataclass(slots=True)
class Tally:
    """What was counted under one condition."""

    pictures: int = 0
    cards: int = 0
    right: int = 0
    named: int = 0
    wrong_and_sure: int = 0

    @property
    def recall(self) -> float:
        """The share of the cards that were found and named rightly."""
        return self.right / max(1, self.cards)

    @property
    def precision(self) -> float:
        """The share of the named cards that are really there."""
        return self.right / self.named if self.named else 1.0


# What is done to a picture


def turned(picture: Image, degrees: float) -> Image:
    """The picture turned clockwise on a black canvas that holds all of it."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    grown = np.ceil(np.abs(matrix[:, :2]) @ np.array([width, height]) - 1e-6).astype(int)
    matrix[:, 2] += (grown - np.array([width, height])) / 2
    size = (int(grown[0]), int(grown[1]))
    return np.asarray(cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def scaled(picture: Image, factor: float) -> Image:
    """The picture smaller (0.5) or larger (2)."""
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how), np.uint8)


def compressed(picture: Image, quality: int) -> Image:
    """The picture as it comes out of a JPEG of this quality (1..100)."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def brightened(picture: Image, factor: float) -> Image:
    """All values times ``factor``; what becomes too bright is cut off, as a sensor does it."""
    return np.asarray(np.clip(picture * np.float32(factor), 0, 255), np.uint8)


def light_gains(kelvin: float) -> npt.NDArray[np.float64]:
    """Blue, green, red of a black body's light against daylight of 6500 K, in linear light, equally bright.

    The black body's chromaticity after Kim et al. 2002 (1667 to 25000 K), the colour space of IEC 61966-2-1.

    >>> [round(float(gain), 2) for gain in light_gains(6500)]
    [1.0, 1.0, 1.0]
    """
    gains = _black_body(kelvin) / _black_body(DAYLIGHT)
    gains /= np.array([0.2126, 0.7152, 0.0722]) @ gains
    return np.asarray(gains[::-1])


def tinted(picture: Image, kelvin: float) -> Image:
    """The picture as a camera set to daylight sees it by the light of a black body of this temperature."""
    value = np.arange(256) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    lit = np.clip(linear[:, None] * light_gains(kelvin), 0, 1)
    coded = np.where(lit <= 0.0031308, lit * 12.92, 1.055 * lit ** (1 / 2.4) - 0.055)
    table = np.rint(coded * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)


def _black_body(kelvin: float) -> npt.NDArray[np.float64]:
    """Linear red, green, blue of luminance 1."""
    t = 1000 / kelvin
    if kelvin < 4000:
        x = -0.2661239 * t**3 - 0.2343589 * t**2 + 0.8776956 * t + 0.179910
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        x = -3.0258469 * t**3 + 2.1070379 * t**2 + 0.2226347 * t + 0.240390
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    to_rgb = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
    return np.asarray(np.maximum(to_rgb @ np.array([x / y, 1.0, (1 - x - y) / y]), 1e-3))


def conditions(step: int = 30) -> list[Condition]:
    """All conditions; turned by every ``step`` degrees."""

    def each(
        group: str, unit: str, values: Iterable[float], change: Callable[[Image, float], Image]
    ) -> list[Condition]:
        return [Condition(group, f"{group} {value:g}{unit}", _one(change, value)) for value in values]

    return [
        Condition("as it is", "as it is", lambda sample: [sample.picture]),
        *each("turned by", "°", range(step, 360, step), turned),
        Condition("mirrored ground", "mirrored ground", lambda sample: sample.other_grounds),
        *each("scaled by", "", SCALES, scaled),
        *each("JPEG quality", "", QUALITIES, lambda picture, quality: compressed(picture, int(quality))),
        *each("brightness times", "", BRIGHTNESSES, brightened),
        *each("light of", " K", KELVINS, tinted),
    ]


def _one(change: Callable[[Image, float], Image], value: float) -> Callable[[Sample], Sequence[Image]]:
    return lambda sample: [change(sample.picture, value)]


# What it is done to


def rendered_samples(packs: Sequence[Pack], count: int, seed: int = 7) -> Iterator[Sample]:
    """``count`` pictures (1280 x 720) of ten cards each, on cloth and wood, from above and aslant, packs in turn."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        pack, kind = packs[number % len(packs)], _GROUNDS[number % len(_GROUNDS)]
        ground = _piece(rng, _ground(kind))
        chosen = [PACK[k] for k in rng.permutation(len(PACK))[:10]]
        places = [
            (
                (
                    _WIDTH * (k % 5 + 0.5 + rng.uniform(-0.1, 0.1)) / 5,
                    _HEIGHT * (k // 5 + 0.5 + rng.uniform(-0.1, 0.1)) / 2,
                ),
                float(rng.uniform(100, 175)),
                float(rng.uniform(0, 360)),
            )
            for k in range(10)
        ]
        tilt, light = (0.0, 30.0)[number // 2 % 2], rng.uniform(0.6, 0.9)
        grain = rng.normal(0, 3, (_HEIGHT, _WIDTH, 3))
        pictures = []
        for under in (ground, ground[:, ::-1], ground[::-1]):
            table = under.copy()
            for card, (centre, tall, degrees) in zip(chosen, places, strict=True):
                lay(table, pack, card, centre, tall, degrees)
            pictures.append(np.asarray(np.clip(_aslant(table, tilt) * light + grain, 0, 255), np.uint8))
        yield Sample(f"{pack.name} {number}", pictures[0], frozenset(map(str, chosen)), tuple(pictures[1:]))


def photographs(folder: Path, count: int) -> Iterator[Sample]:
    """``count`` photographs of a labelled folder, evenly spread over it. Raises LabelsError or PictureError."""
    rows = list(labelled(folder))
    for k in np.unique(np.linspace(0, len(rows) - 1, min(count, len(rows))).astype(int)):
        file, cards = rows[int(k)]
        yield Sample(file.name, read_picture(file), cards)


_grounds: dict[str, Image] = {}


def _ground(kind: str) -> Image:
    if kind not in _grounds:
        _grounds[kind] = ground_picture(kind, 3)
    return _grounds[kind]


def _piece(rng: np.random.Generator, ground: Image) -> Image:
    y, x = int(rng.integers(ground.shape[0] - _HEIGHT)), int(rng.integers(ground.shape[1] - _WIDTH))
    return ground[y : y + _HEIGHT, x : x + _WIDTH]


def _aslant(picture: Image, tilt: float) -> Image:
    """A table picture as a camera sees it that is tilted by so many degrees from looking straight down."""
    if not tilt:
        return picture
    height, width = picture.shape[:2]
    lean, focal = np.radians(tilt), 1.2 * width
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    middle = np.array([width / 2, height / 2])
    off = corners - middle
    depth = focal - off[:, 1] * np.sin(lean)
    seen = np.stack([off[:, 0], off[:, 1] * np.cos(lean)], axis=1) * (focal / depth)[:, None] * 0.93
    matrix = cv2.getPerspectiveTransform(corners, (seen + middle).astype(np.float32))
    beyond = [float(value) for value in np.median(picture, axis=(0, 1))]
    return np.asarray(cv2.warpPerspective(picture, matrix, (width, height), borderValue=beyond), np.uint8)


# Measuring and telling


def tally(recogniser: Recogniser, samples: Iterable[Sample], condition: Condition) -> Tally:
    """Recognise all samples under a condition."""
    count = Tally()
    for sample in samples:
        for picture in condition.change(sample):
            readings = recogniser.recognise(picture, one_pack=True).readings
            named = Counter(str(reading.card) for reading in readings)
            count.pictures += 1
            count.cards += len(sample.cards)
            count.right += len(sample.cards & named.keys())
            count.named += named.total()
            count.wrong_and_sure += sum(r.confidence >= SURE and str(r.card) not in sample.cards for r in readings)
    return count


def table(rows: Iterable[tuple[Condition, Tally]]) -> str:
    """The figures as Markdown."""
    lines = [f"| condition | cards | recall | precision | wrong at {SURE:g} or more |", "|---|---|---|---|---|"]
    for condition, count in rows:
        figures = f"{count.cards} | {count.recall:.3f} | {count.precision:.3f} | {count.wrong_and_sure}"
        lines.append(f"| {condition.name} | {figures} |")
    return "\n".join(lines) + "\n"


def report(recogniser: Recogniser, title: str, samples: Sequence[Sample], step: int) -> str:
    """A titled table of all conditions."""
    rows = []
    for condition in conditions(step):
        count = tally(recogniser, samples, condition)
        if count.pictures:
            rows.append((condition, count))
            print(f"{title}: {condition.name}  recall {count.recall:.3f}", file=sys.stderr, flush=True)
    return f"## {title}, {len(samples)} pictures\n\n{table(rows)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure on rendered pictures and on the folders named; print (and write) the tables."""
    from vision.onnx_recogniser import OnnxRecogniser

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--step", type=int, default=30, help="degrees from one direction to the next")
    parser.add_argument("--rendered", type=int, default=12, help="how many rendered pictures")
    parser.add_argument("--photographs", type=int, default=30, help="how many photographs a folder")
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    try:
        recogniser = OnnxRecogniser.load()
        parts = []
        if options.rendered:
            packs = [house_pack(), *map(draw_pack, DRAWN_SEEDS)]
            samples = list(rendered_samples(packs, options.rendered))
            parts.append(report(recogniser, "Rendered, house pack and two drawn packs", samples, options.step))
        for folder in options.folders:
            samples = list(photographs(folder, options.photographs))
            parts.append(report(recogniser, f"Photographs: {folder.name}", samples, options.step))
    except (ModelsMissing, LabelsError, PictureError) as error:
        print(error, file=sys.stderr)
        return 2
    text = "\n".join(parts)
    print(text)
    if options.out:
        options.out.write_text(f"{_HEAD}\n{text}", encoding="utf-8")
    return 0


_HEAD: Final = """# How recognition bears other conditions

Made by `make robustness`: the same pictures under every condition. Turned pictures lie on a black canvas that holds all
of them; the light is that of a black body as a camera set to daylight sees it; brightness multiplies all values and
cuts off what becomes too bright. A mirrored ground lies under cards that are not mirrored.
"""


if __name__ == "__main__":
    sys.exit(main())
