"""The edge to recognition: a picture in, the physical cards in it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from assistant.cards import Card

Image = npt.NDArray[np.uint8]
"""A picture: height x width x 3, BGR, 0..255."""


class ModelsMissing(RuntimeError):
    """The trained networks aren't there or can't be loaded; one line: where they were looked for, what to do."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One physical card in a picture.

    ``quad``: 4 x 2 floats, the outline in pixels, clockwise from the card's top left as it is read; where only an
    index shows, the best estimate. ``visible``: the share of the card in view, 0..1. ``others``: further candidates
    with their probabilities, best first; ``card`` may be partly known where no candidate is sure.
    """

    card: Card
    confidence: float
    quad: npt.NDArray[np.float32]
    visible: float = 1.0
    others: tuple[tuple[Card, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Recognition:
    """All cards of a picture, the time it took (milliseconds) and warnings by code (``blurred``, ``too-dark``...).

    ``twice``: cards that are clearly there a second time, which one pack can't be; ``readings`` hold them once.
    """

    readings: tuple[Reading, ...]
    ms: float
    warnings: tuple[str, ...] = ()
    twice: tuple[Card, ...] = ()


class Recogniser(Protocol):
    """Anything that finds cards in a picture: the networks, a scripted fake, a classical baseline."""

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """The cards of a BGR picture; ``one_pack`` uses that a pack holds each card once."""
        ...
