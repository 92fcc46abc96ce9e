"""Does the camera see the table well? What the present picture says of distance, light, sharpness and slant.

The picture's faults are those of ``vision.picture_quality``; here they are measured one by one and said with their
figures, so that a person who sets the camera up sees each get better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from vision import geometry
from vision.geometry import Floats
from vision.picture_quality import LEAST_HEIGHT, picture_warnings
from vision.recogniser import Image
from vision.table_plane import TablePlane

_ASPECT: Final = 88 / 63
LEAST_WIDTH: Final = round(LEAST_HEIGHT / _ASPECT)
"""Cards narrower than this, in px, are read badly."""
STEEPEST: Final = 55
"""Degrees from straight above at which the camera may look; beyond that far cards are too flat to be read."""
FEW: Final = 4
"""From fewer cards little can be said of the whole table."""


class Aspect(StrEnum):
    """What is looked at."""

    CARDS = "cards"
    DISTANCE = "distance"
    LIGHT = "light"
    GLARE = "glare"
    SHARPNESS = "sharpness"
    SLANT = "slant"


@dataclass(frozen=True, slots=True)
class Measured:
    """A picture (BGR) in which the cards were looked for: their outlines (4 x 2 px each) and the table's plane."""

    image: Image
    quads: tuple[Floats, ...]
    plane: TablePlane


@dataclass(frozen=True, slots=True)
class Finding:
    """One aspect: whether it is well, the fault's code where it isn't, and the figure, 0 where there is none.

    ``figure``: of CARDS how many were seen, of DISTANCE the narrowest card's width in px, of SLANT degrees.
    """

    aspect: Aspect
    good: bool
    code: str = ""
    figure: int = 0


def check_table(measured: Measured) -> tuple[Finding, ...]:
    """All aspects in the order in which they are best put right.

    Without cards only light and sharpness of the whole picture can be judged, and the first finding says so.
    """
    quads = measured.quads
    found = set(picture_warnings(measured.image, quads))
    seen = Finding(Aspect.CARDS, len(quads) >= FEW, "" if len(quads) >= FEW else "few-cards", len(quads))
    light = next((code for code in ("too-dark", "too-bright") if code in found), "")
    findings = [seen]
    if quads:
        findings.append(_distance(quads))
        findings.append(_slant(measured.plane, measured.image.shape[1] / measured.image.shape[0]))
    findings.append(Finding(Aspect.LIGHT, not light, light))
    if quads:
        findings.append(_plain(Aspect.GLARE, "glare", found))
    findings.append(_plain(Aspect.SHARPNESS, "blurred", found))
    return tuple(findings)


def _plain(aspect: Aspect, code: str, found: set[str]) -> Finding:
    return Finding(aspect, code not in found, code if code in found else "")


def _distance(quads: Sequence[Floats]) -> Finding:
    """By the narrowest of the cards, one in ten left aside: an outline may be misjudged."""
    widths = sorted(math.sqrt(geometry.area(quad) / _ASPECT) for quad in quads)
    width = round(widths[len(widths) // 10])
    return Finding(Aspect.DISTANCE, width >= LEAST_WIDTH, "" if width >= LEAST_WIDTH else "too-far", width)


def _slant(plane: TablePlane, aspect: float) -> Finding:
    """How far the camera looks from the side: where it looks straight down a millimetre is as long both ways."""
    step = 1e-3
    points = np.array([[0.5, 0.5], [0.5 + step, 0.5], [0.5, 0.5 + step * aspect]])
    middle, right, down = plane.to_table(points)
    lengths = np.linalg.svd(np.stack([right - middle, down - middle]), compute_uv=False)
    degrees = round(math.degrees(math.acos(min(1.0, float(lengths[1] / lengths[0])))))
    return Finding(Aspect.SLANT, degrees <= STEEPEST, "" if degrees <= STEEPEST else "tilted", degrees)
