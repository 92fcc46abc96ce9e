"""What a hand does in one visit: waypoints, and the cards that it takes up and puts down there.

Times in seconds, places in millimetres on the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from assistant.cards import Card
from assistant.view import Zone
from vision.render.table_scene import Pose, Scene, Spot

REACH: Final = 20.0
"""From the fingertips' grip to the middle of the held card, along the arm (millimetres)."""
CARRY_HEIGHT: Final = 28.0
REST_HEIGHT: Final = 4.0


@dataclass(frozen=True, slots=True)
class Step:
    """An action as the record tells it: who, which verb, which cards."""

    seat: int
    verb: str
    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return " ".join((str(self.seat), self.verb, *map(str, self.cards)))


@dataclass(frozen=True, slots=True)
class Back:
    """A card of the stock, of which nobody knows which one it is."""

    number: int


Piece = Card | Back
"""What lies on the table and is carried."""


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card that rests on the table."""

    card: Piece
    pose: Pose
    zone: Zone


@dataclass(frozen=True, slots=True)
class Waypoint:
    """Where the fingertips are at a moment, and what happens there.

    ``put``: cards that leave the hand and come to rest, in order; ``pick``: cards that the hand takes up. ``held``:
    where each card in the hand lies from here on, relative to the grip (x and y in table axes, and its angle).
    """

    t: float
    x: float
    y: float
    z: float
    held: tuple[tuple[Piece, Pose], ...] = ()
    pick: tuple[Piece, ...] = ()
    put: tuple[LyingCard, ...] = ()


@dataclass(frozen=True, slots=True)
class Gesture:
    """One visit of one seat's hand. ``shoulder``: where its arm begins.

    ``words`` says what it is: a step's line, ``deal``, ``sweep``, or a habit (``shift``, ``lift``, ``rest``,
    ``take-back``). ``step``: the index of the step that it plays, None for all else. ``misplay``: what it does against
    the rules, ``until`` when that is undone.
    """

    seat: int
    shape: str
    shoulder: Spot
    points: tuple[Waypoint, ...]
    words: str
    step: int | None = None
    misplay: str = ""
    until: float | None = None

    @property
    def begin(self) -> float:
        return self.points[0].t

    @property
    def end(self) -> float:
        return self.points[-1].t


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast people play. Seconds: ``still`` at least between actions, ``pause`` with a card just put down.

    ``speed``: millimetres a second of a moving hand. ``start``: the empty table before the deal; ``close``: the
    still table after the sweep. ``scatter``: how much the stillness varies, as a share.
    """

    still: float = 1.6
    pause: float = 0.3
    speed: float = 900.0
    start: float = 2.0
    close: float = 4.0
    scatter: float = 0.25


class ImpossibleStep(ValueError):
    """A step that moves a card which isn't where the step needs it."""


class HandPath:
    """A hand on its way: keeps the time, the place and what it holds, and notes the waypoints."""

    def __init__(self, scene: Scene, seat: int, t: float, speed: float, shape: str = "pinch") -> None:
        place = scene.place(seat)
        self.seat, self.t, self.speed, self.shape = seat, t, speed, shape
        self.shoulder = place.shoulder
        self.card_angle = place.angle if place.angle <= 90 else place.angle - 360
        self._outside = place.at(place.length * 0.5 + 60.0, -230.0)
        self._x, self._y = self._outside
        self._held: dict[Piece, Pose] = {}
        self._points: list[Waypoint] = []
        forward = place.inwards
        self.reach = (forward[0] * REACH, forward[1] * REACH)
        self._z = CARRY_HEIGHT
        self._note()

    def hold(self, card: Piece, relative: Pose) -> None:
        """The hand brings the card with it from outside."""
        self._held[card] = relative
        self._points[-1] = replace(self._points[-1], held=tuple(self._held.items()))

    def to(self, x: float, y: float, z: float) -> None:
        """Moves the hand so that a held card's middle comes to (x, y)."""
        gx, gy = self._grip_for(x, y)
        self._go(gx, gy, z)

    def wait(self, seconds: float) -> None:
        self.t += seconds
        self._note()

    def put(self, card: Piece, pose: Pose, zone: Zone) -> None:
        self._held.pop(card)
        self._change(put=(LyingCard(card, pose, zone),))

    def pick(self, card: Piece, pose: Pose) -> None:
        """Takes a card up from where it lies."""
        self._held[card] = replace(pose, x=pose.x - self._x, y=pose.y - self._y)
        self._change(pick=(card,))

    def turn_over(self) -> None:
        """Turns what the hand holds face down; the lowest card comes to lie on top."""
        self._held = {card: replace(pose, down=True) for card, pose in reversed(self._held.items())}
        self._points[-1] = replace(self._points[-1], held=tuple(self._held.items()))

    def _straighten(self) -> None:
        """On the way the held cards come to lie nearly squared before the fingertips."""
        dx, dy = self._x - self.shoulder[0], self._y - self.shoulder[1]
        far = math.hypot(dx, dy)
        for index, (card, pose) in enumerate(self._held.items()):
            slip = index * min(2.0, 24.0 / len(self._held))
            self._held[card] = replace(pose, x=dx / far * REACH + slip, y=dy / far * REACH - slip)

    def leave(self, words: str, step: int | None = None) -> Gesture:
        """The hand goes home, with what it still holds."""
        self._go(*self._outside, CARRY_HEIGHT)
        return Gesture(self.seat, self.shape, self.shoulder, tuple(self._points), words, step)

    def _grip_for(self, x: float, y: float) -> Spot:
        dx, dy = x - self.shoulder[0], y - self.shoulder[1]
        far = math.hypot(dx, dy)
        return x - dx / far * REACH, y - dy / far * REACH

    def _go(self, x: float, y: float, z: float) -> None:
        way = math.dist((self._x, self._y), (x, y)) + abs(z - self._z)
        self.t += 0.12 + way / self.speed
        self._x, self._y, self._z = x, y, z
        self._straighten()
        self._note()

    def _note(self) -> None:
        self._points.append(Waypoint(self.t, self._x, self._y, self._z, tuple(self._held.items())))

    def _change(self, pick: tuple[Piece, ...] = (), put: tuple[LyingCard, ...] = ()) -> None:
        last = self._points[-1]
        held = tuple(self._held.items())
        self._points[-1] = replace(last, held=held, pick=last.pick + pick, put=last.put + put)
