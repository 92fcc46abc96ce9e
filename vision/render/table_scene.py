"""The table's geometry: where the pool lies, where each seat's pile lies, where each player sits.

Millimetres on the table (see ``camera``). Seats are numbered clockwise as seen from above, seat 1 at the near edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.render.camera import Camera

CARD_WIDTH: Final = 63.0
CARD_HEIGHT: Final = 88.0

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pose:
    """How a card lies: its centre (millimetres), its angle (degrees clockwise in the picture), its height, its side.

    ``down``: its back is up.
    """

    x: float
    y: float
    angle: float
    z: float = 0.0
    down: bool = False

    def outline(self, width: float = CARD_WIDTH, height: float = CARD_HEIGHT) -> npt.NDArray[np.float64]:
        """The four corners (4 x 3), clockwise from the card's own top left."""
        turn = math.radians(self.angle)
        ax, ay = math.cos(turn) * width / 2, math.sin(turn) * width / 2
        bx, by = -math.sin(turn) * height / 2, math.cos(turn) * height / 2
        x, y, z = self.x, self.y, self.z
        return np.array(
            [
                (x - ax - bx, y - ay - by, z),
                (x + ax - bx, y + ay - by, z),
                (x + ax + bx, y + ay + by, z),
                (x - ax + bx, y - ay + by, z),
            ]
        )


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's part of the table: a strip in which the pile is spread, as the seated player sees it.

    ``left``: the middle of the strip's end at the player's left. ``angle``: the angle of cards that the player reads
    (0 at the near edge). ``length``: of the strip, along the player's right hand.
    """

    seat: int
    left: Spot
    angle: float
    length: float

    @property
    def right_hand(self) -> Spot:
        """The direction of the player's right, a unit vector."""
        turn = math.radians(self.angle)
        return math.cos(turn), math.sin(turn)

    @property
    def inwards(self) -> Spot:
        """The direction from the player to the table's middle, a unit vector."""
        turn = math.radians(self.angle)
        return math.sin(turn), -math.cos(turn)

    def at(self, along: float, inwards: float = 0.0) -> Spot:
        """The point ``along`` millimetres to the right of the strip's left end and ``inwards`` of its middle line."""
        right, forward = self.right_hand, self.inwards
        return (
            self.left[0] + right[0] * along + forward[0] * inwards,
            self.left[1] + right[1] * along + forward[1] * inwards,
        )

    @property
    def shoulder(self) -> Spot:
        """Where the player's right arm begins, well outside the picture."""
        return self.at(self.length * 0.5 + 130.0, -520.0)

    def outline(self, margin: float = 8.0) -> npt.NDArray[np.float64]:
        """The strip's corners (4 x 2) with a margin."""
        depth = CARD_HEIGHT / 2 + margin
        return np.array(
            [
                self.at(-margin, depth),
                self.at(self.length + margin, depth),
                self.at(self.length + margin, -depth),
                self.at(-margin, -depth),
            ]
        )


class Scene(Protocol):
    """The places of a table."""

    @property
    def players(self) -> int: ...
    def place(self, seat: int) -> Place:
        """The strip of a seat (1..players)."""
        ...

    @property
    def aside(self) -> Pose:
        """Where a thing stands that is no card."""
        ...

    def layout(self, camera: Camera) -> dict[str, Any]:
        """The zones in fractions of the picture, in the form that ``mournival watch --layout`` reads."""
        ...


_NEAR, _LEFT, _FAR, _RIGHT = 0.0, 90.0, 180.0, 270.0
# Each entry: the strip's left end, its angle, its length. Clockwise from the near edge.
_STRIPS: Final[dict[int, tuple[tuple[Spot, float, float], ...]]] = {
    3: (
        ((-285.0, 204.0), _NEAR, 570.0),
        ((-386.0, -255.0), _LEFT, 440.0),
        ((386.0, 185.0), _RIGHT, 440.0),
    ),
    4: (
        ((-285.0, 204.0), _NEAR, 570.0),
        ((-386.0, -255.0), _LEFT, 440.0),
        ((285.0, -238.0), _FAR, 570.0),
        ((386.0, 185.0), _RIGHT, 440.0),
    ),
    5: (
        ((-285.0, 204.0), _NEAR, 570.0),
        ((-386.0, -165.0), _LEFT, 370.0),
        ((-25.0, -238.0), _FAR, 400.0),
        ((425.0, -238.0), _FAR, 400.0),
        ((386.0, 205.0), _RIGHT, 370.0),
    ),
    6: (
        ((20.0, 204.0), _NEAR, 350.0),
        ((-370.0, 204.0), _NEAR, 350.0),
        ((-386.0, -165.0), _LEFT, 300.0),
        ((-25.0, -238.0), _FAR, 400.0),
        ((425.0, -238.0), _FAR, 400.0),
        ((386.0, 135.0), _RIGHT, 300.0),
    ),
}
_COLUMNS, _ROWS = 8, 3


@dataclass(frozen=True, slots=True)
class TableScene:
    """The places of a table with 3 to 6 players."""

    players: int

    def __post_init__(self) -> None:
        if self.players not in _STRIPS:
            raise ValueError(f"a table of {self.players} players can't be laid out: 3 to 6 are possible")

    def place(self, seat: int) -> Place:
        """The strip of a seat (1..players)."""
        left, angle, length = _STRIPS[self.players][seat - 1]
        return Place(seat, left, angle, length)

    @property
    def pool(self) -> tuple[float, float, float, float]:
        """The pool's rectangle: x from, y from, x to, y to."""
        top = -260.0 if self.players == 3 else -186.0
        return -328.0, top, 328.0, 150.0

    @property
    def pool_layer(self) -> int:
        """How many places lie free of each other: the first so many of ``pool_spots``."""
        return _COLUMNS * _ROWS

    def pool_spots(self) -> list[Spot]:
        """Middles of the pool's places, row by row; cards of one layer lie free of each other.

        When a layer is full, a further card goes a little to the right of another one: each card's own top left
        index stays free.
        """
        left, top, right, bottom = self.pool
        across, along = (right - left) / _COLUMNS, (bottom - top) / _ROWS
        return [
            (left + (column + 0.5) * across + layer * 15.0, top + (row + 0.5) * along + layer * 5.0)
            for layer in range(3)
            for row in range(_ROWS)
            for column in range(_COLUMNS)
        ]

    def pile_step(self, seat: int, cards: int) -> float:
        """How far apart the cards of a pile lie so that ``cards`` of them fit the strip: 19 mm or less."""
        room = self.place(seat).length - CARD_WIDTH
        return min(19.0, room / max(1, cards - 1))

    def pile_pose(self, seat: int, index: int, cards: int) -> Pose:
        """Where card ``index`` (0-based) of a pile lies of ``cards`` cards in all, spread in the strip's middle."""
        place = self.place(seat)
        step = self.pile_step(seat, cards)
        start = (place.length - CARD_WIDTH - step * (cards - 1)) / 2
        x, y = place.at(CARD_WIDTH / 2 + start + index * step)
        return Pose(x, y, place.angle)

    @property
    def aside(self) -> Pose:
        """Where a thing stands that is no card, out of the way of pool and piles."""
        x, y = {3: (392.0, 246.0), 4: (392.0, 246.0), 5: (404.0, 268.0), 6: (436.0, 196.0)}[self.players]
        return Pose(x, y, -14.0)

    def layout(self, camera: Camera) -> dict[str, Any]:
        """The zones in fractions of the picture, in the form that ``mournival watch --layout`` reads."""
        left, top, right, bottom = self.pool
        pool = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        seats = range(1, self.players + 1)
        return {
            "table": fractions(pool, camera),
            "seats": [{"seat": seat, "pile": fractions(self.place(seat).outline(), camera)} for seat in seats],
        }


def fractions(corners: npt.NDArray[np.float64], camera: Camera) -> list[list[float]]:
    """Table corners (n x 2, millimetres) as the part of them that the picture shows, in fractions."""
    seen = camera.project(np.column_stack([corners, np.zeros(len(corners))])).astype(np.float32)
    frame = np.array([[0, 0], [camera.width, 0], [camera.width, camera.height], [0, camera.height]], np.float32)
    _, shared = cv2.intersectConvexConvex(seen, frame)
    return [[round(float(x) / camera.width, 4), round(float(y) / camera.height, 4)] for x, y in shared.reshape(-1, 2)]
