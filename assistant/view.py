"""What the eye tells the mind: plain values shared by ``vision`` and ``assistant``.

Geometry is in fractions of the picture's width and height (0..1, y down), so that a view does not depend on the
camera's resolution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from assistant.cards import Card

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Zone:
    """A place on the table.

    Without a ``part``: the middle of the table (``seat`` None; Laugh and Lie Down's pool, Rolling Stone's trick) or a
    seat's pile (1..n). ``part`` names the places that only some games have: ``left`` and ``right`` (Sbros' centre
    cards), ``stock``, and ``reset`` (a seat's temporary discard).

    >>> str(TABLE), str(Zone(2)), str(CENTRE_LEFT), str(Zone(1, "reset"))
    ('table', 'pile 2', 'left', 'reset 1')
    """

    seat: int | None = None
    part: str = ""

    def __str__(self) -> str:
        if self.part:
            return self.part if self.seat is None else f"{self.part} {self.seat}"
        return "table" if self.seat is None else f"pile {self.seat}"


TABLE = Zone()
CENTRE_LEFT = Zone(part="left")
CENTRE_RIGHT = Zone(part="right")
STOCK = Zone(part="stock")


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A physical card that lies on the table, as the tracker holds it.

    ``track`` is the card's identity over time (never reused within a deal). ``confidence`` is the probability that
    ``card`` is right. ``others`` holds further candidates with their probabilities, best first. ``covered`` says
    that it is not seen at this moment (a hand or another card lies over it) but is believed to lie there still.
    ``zone`` is None where the card lies outside every zone. ``since`` is when it came to rest there (seconds),
    ``named`` when it was first called what it is called now, or was called last (-inf: that is not known).
    """

    track: int
    card: Card
    confidence: float
    zone: Zone | None
    quad: Quad
    covered: bool = False
    since: float = 0.0
    others: tuple[tuple[Card, float], ...] = ()
    named: float = -math.inf


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A card, or a heap of cards, of which only the back is seen. ``since``: when it came to rest there (seconds)."""

    zone: Zone | None
    quad: Quad
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand that came in over the table: from which seat's side, when (seconds), and when it was gone again.

    ``end`` is None while it is still there. ``seat`` is None where that can't be told. ``over`` are the zones that it
    reached.
    """

    seat: int | None
    begin: float
    end: float | None = None
    over: tuple[Zone, ...] = ()


@dataclass(frozen=True, slots=True)
class Passing:
    """A card that was read in passing at a time ``t`` (seconds), where none came to rest: it was in a hand, or another
    was put over it at once. A single reading: it may be wrong."""

    card: Card
    confidence: float
    zone: Zone | None
    t: float


class Stillness(Enum):
    """What the gate says of the picture as a whole."""

    STILL = "still"
    SETTLING = "settling"
    MOVING = "moving"


@dataclass(frozen=True, slots=True)
class TableView:
    """The stable view of the table at one moment.

    ``t`` is the source's time in seconds, ``still_for`` how long nothing has moved. ``backs`` are the face-down cards,
    ``visits`` the hands of the last minute, the earliest first, ``passing`` what was read in passing lately, the
    earliest first.
    """

    t: float
    cards: tuple[SeenCard, ...]
    stillness: Stillness
    still_for: float
    backs: tuple[FaceDown, ...] = ()
    visits: tuple[Visit, ...] = ()
    passing: tuple[Passing, ...] = ()

    def in_zone(self, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards that lie in a zone."""
        return tuple(seen for seen in self.cards if seen.zone == zone)
