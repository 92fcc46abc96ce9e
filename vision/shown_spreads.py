"""From a camera or video before which cards are laid out spread by spread: one picture of each spread, at rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from vision import geometry
from vision.frames import Frame
from vision.recogniser import Image, Reading, Recogniser

_LOOK_S: Final = 0.4
_RESTING: Final = 0.8
"""This share of the cards must lie where they lay; now and then a card is seen in one look only."""
_STILL: Final = 0.8
"""Outlines of cards at rest cover each other at least so much from one look to the next."""


def shown_spreads(frames: Iterable[Frame], recogniser: Recogniser) -> Iterator[tuple[Image, tuple[Reading, ...]]]:
    """Each new spread once, as soon as it lies still: its picture and the cards as they are read in general.

    A spread is new if most of its cards lay elsewhere, or were others, in the one taken last.
    """
    before: Sequence[Reading] = ()
    taken: Sequence[Reading] = ()
    due = 0.0
    for frame in frames:
        if frame.t < due:
            continue
        due = frame.t + _LOOK_S
        readings = recogniser.recognise(frame.image).readings
        still = len(_kept(readings, before, named=False)) >= _RESTING * max(len(readings), len(before))
        if readings and still and 2 * len(_kept(readings, taken, named=True)) < len(readings):
            taken = readings
            yield frame.image, readings
        before = readings


def _kept(readings: Sequence[Reading], earlier: Sequence[Reading], *, named: bool) -> list[Reading]:
    """Those that lay there before, under the same name if ``named``."""
    return [
        one
        for one in readings
        if any(
            geometry.overlap(one.quad, other.quad) > _STILL and (not named or one.card == other.card)
            for other in earlier
        )
    ]
