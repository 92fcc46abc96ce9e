"""What the eye tells the mind: plain values shared by ``vision`` and ``assistant``.

Geometry is in fractions of the picture's width and height (0..1, y down), so that a view does not depend on the
camera's resolution.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from assistant.cards import Card

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Zone:
    """A place on the table: the pool (``seat`` None) or the pile of a seat (1..n)."""

    seat: int | None = None

    def __str__(self) -> str:
        return "table" if self.seat is None else f"pile {self.seat}"


TABLE = Zone()


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A physical card that lies on the table, as the tracker holds it.

    ``track`` is the card's identity over time (never reused within a deal). ``confidence`` is the probability that
    ``card`` is right. ``others`` holds further candidates with their probabilities, best first. ``covered`` says
    that it is not seen at this moment (a hand or another card lies over it) but is believed to lie there still.
    ``zone`` is None where the card lies outside every zone. ``since`` is when it came to rest there (seconds).
    """

    track: int
    card: Card
    confidence: float
    zone: Zone | None
    quad: tuple[Point, Point, Point, Point]
    covered: bool = False
    since: float = 0.0
    others: tuple[tuple[Card, float], ...] = ()


class Stillness(Enum):
    """What the gate says of the picture as a whole."""

    STILL = "still"
    SETTLING = "settling"
    MOVING = "moving"


@dataclass(frozen=True, slots=True)
class TableView:
    """The stable view of the table at one moment.

    ``t`` is the source's time in seconds, ``still_for`` how long nothing has moved.
    """

    t: float
    cards: tuple[SeenCard, ...]
    stillness: Stillness
    still_for: float

    def in_zone(self, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards that lie in a zone."""
        return tuple(seen for seen in self.cards if seen.zone == zone)
