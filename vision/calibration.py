"""Does a confidence mean what it says? Of the readings at 0.9, nine in ten should be right.

Reliability by bins and the expected calibration error (Naeini, Cooper and Hauskrecht 2015); shares with Wilson's
interval (1927), because the bins that matter most, the surest, hold few wrong readings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

Said = tuple[float, bool]
"""The confidence of a reading, 0..1, and whether it is right."""

EDGES: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""Bins as they matter: fine where a reading is taken for certain."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings whose confidence lies from ``low`` (included) to ``high``; ``said`` is their mean confidence."""

    low: float
    high: float
    said: float
    right: int
    count: int

    @property
    def share(self) -> float:
        """The share that is right."""
        return self.right / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """Between these the true share lies in 95 of 100 cases."""
        return wilson(self.right, self.count)


def wilson(right: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval of a share: ``right`` of ``count``, ``count`` over 0.

    >>> [round(bound, 3) for bound in wilson(99, 100)]
    [0.946, 0.998]
    """
    middle = (right + z * z / 2) / (count + z * z)
    half = z / (count + z * z) * math.sqrt(right * (count - right) / count + z * z / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def reliability(readings: Iterable[Said], edges: Sequence[float] = EDGES) -> list[Bin]:
    """The bins that hold any reading, from the least sure to the surest.

    >>> [(b.low, round(b.said, 2), b.share) for b in reliability([(0.92, True), (0.94, False), (1.0, True)])]
    [(0.9, 0.93, 0.5), (0.995, 1.0, 1.0)]
    """
    held: list[list[Said]] = [[] for _ in pairwise(edges)]
    for said, right in readings:
        held[sum(said >= edge for edge in edges[1:-1])].append((said, right))
    return [
        Bin(low, high, sum(said for said, _ in part) / len(part), sum(right for _, right in part), len(part))
        for (low, high), part in zip(pairwise(edges), held, strict=True)
        if part
    ]


def expected_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: how far what is said is from what is so, in the mean over all readings, 0..1."""
    total = sum(part.count for part in bins)
    return sum(part.count * abs(part.said - part.share) for part in bins) / max(1, total)


def above(readings: Iterable[Said], threshold: float) -> Bin | None:
    """All readings at least so sure as one bin; None where there are none."""
    chosen = [(said, right) for said, right in readings if said >= threshold]
    return reliability(chosen, (threshold, 1.0))[0] if chosen else None
