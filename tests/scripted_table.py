"""A table made of numbers: cards, hands and what a recogniser would read of them, with its mistakes.

Ground truth is a script of times; no picture is drawn. It stands in for frames, recogniser and gate, so that the
tracker and the following can be tested on many whole deals.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import PACK, Card
from assistant.games.game import Action, Position, Setup
from assistant.view import Point, Stillness
from tests.scripted_play import GAME
from vision.recogniser import Image, Reading
from vision.zones import Layout, propose

SIZE = (1280, 720)
WIDE = 1000.0
"""Millimetres across the picture; 562.5 down."""
CARD = (63.0, 88.0)
Spot = tuple[float, float]


@dataclass(frozen=True)
class Pose:
    x: float
    y: float
    angle: float
    z: int

    def point(self, across: float, along: float) -> Spot:
        turn = math.radians(self.angle)
        return (
            self.x + math.cos(turn) * across - math.sin(turn) * along,
            self.y + math.sin(turn) * across + math.cos(turn) * along,
        )

    def corners(self) -> list[Spot]:
        w, h = CARD[0] / 2, CARD[1] / 2
        return [self.point(-w, -h), self.point(w, -h), self.point(w, h), self.point(-w, h)]

    def indices(self) -> list[Spot]:
        w, h = CARD[0] / 2 - 6, CARD[1] / 2 - 12
        return [self.point(-w, -h), self.point(w, h)]

    def holds(self, spot: Spot) -> bool:
        turn = math.radians(self.angle)
        dx, dy = spot[0] - self.x, spot[1] - self.y
        across = math.cos(turn) * dx + math.sin(turn) * dy
        along = -math.sin(turn) * dx + math.cos(turn) * dy
        return abs(across) <= CARD[0] / 2 and abs(along) <= CARD[1] / 2


@dataclass(frozen=True)
class Reach:
    """A hand that goes from its shoulder to some spots, at given times."""

    shoulder: Spot
    times: tuple[float, ...]
    spots: tuple[Spot, ...]

    def at(self, t: float) -> Spot | None:
        if not self.times[0] <= t <= self.times[-1]:
            return None
        x = float(np.interp(t, self.times, [spot[0] for spot in self.spots]))
        y = float(np.interp(t, self.times, [spot[1] for spot in self.spots]))
        return x, y

    def covers(self, spot: Spot, t: float) -> bool:
        hand = self.at(t)
        if hand is None:
            return False
        if math.dist(hand, spot) < 62:
            return True
        ax, ay = self.shoulder[0] - hand[0], self.shoulder[1] - hand[1]
        length = math.hypot(ax, ay) or 1.0
        along = ((spot[0] - hand[0]) * ax + (spot[1] - hand[1]) * ay) / length
        aside = abs((spot[0] - hand[0]) * ay - (spot[1] - hand[1]) * ax) / length
        return 0 < along < length and aside < 40


@dataclass
class Noise:
    miss: float = 0.07
    misread: float = 0.025
    jitter: float = 1.5
    ghost: float = 0.02
    double: float = 0.01


class ScriptedTable:
    """Plays actions: first ``deal``, then ``act`` for each; then ``frames`` gives the readings in time.

    It is the surroundings of the tracker as well (``still_since``, ``bare_share``).
    """

    def __init__(self, players: int, seed: int, *, noise: Noise | None = None, pace: float = 1.0) -> None:
        self.players = players
        self.rng = random.Random(seed)
        self.noise = noise or Noise()
        self.pace = pace
        self.t = 1.0
        self.layout: Layout = propose("laugh-and-lie-down", players)
        self.changes: list[tuple[float, Card, Pose | None]] = []
        self.reaches: list[Reach] = []
        self.poses: dict[Card, Pose] = {}
        self.free = self._pool_spots()
        self.piles: dict[int, int] = dict.fromkeys(range(1, players + 1), 0)
        self._z = 0
        self.now = 0.0
        self.on_table: dict[Card, Pose] = {}
        grain = np.random.default_rng(seed).normal(0, 5, (225, 400, 1))
        self._cloth: Image = np.clip(grain + np.array([60, 110, 70]), 0, 255).astype(np.uint8)

    # --- the script -------------------------------------------------------------------------------------------

    def deal(self, setup: Setup) -> None:
        shoulder = self._seat(setup.dealer)
        for card in setup.table:
            spot = self.free.pop(0)
            self._reach(shoulder, [(self.t, shoulder), (self.t + 0.3, spot), (self.t + 0.6, shoulder)])
            self._put(self.t + 0.3, card, self._pool_pose(spot))
            self.t += 0.6
        self.t += 3.0

    def act(self, action: Action) -> None:
        start = self.t
        seat = self._seat(action.seat)
        if action.verb == "mate":
            self._mate(action, seat)
        elif action.verb == "lie-down":
            for card in action.cards:
                spot = self.free.pop(0)
                self._reach(seat, [(self.t, seat), (self.t + 0.25, spot), (self.t + 0.4, spot)])
                self._put(self.t + 0.25, card, self._pool_pose(spot))
                self.t += 0.4
            self.t += 0.4
        elif action.verb == "lay":
            for card in action.cards:
                pose = self._pile_pose(action.seat)
                spot = (pose.x, pose.y)
                self._reach(seat, [(self.t, seat), (self.t + 0.2, spot), (self.t + 0.5, seat)])
                self._put(self.t + 0.3, card, pose)
                self.t += 0.5
        else:
            self._carry(seat, list(action.cards), action.seat)
        self.t = max(self.t, start) + self.rng.uniform(0.6, 2.5) * self.pace

    def _mate(self, action: Action, seat: Spot) -> None:
        hand, table = action.cards[0], list(action.cards[1:])
        style = self.rng.random()
        if style < 0.4:  # the hand card comes along, everything goes to the pile at once
            self._carry(seat, [*table, hand], action.seat)
            return
        if style < 0.7:  # the hand card is put on the table card first
            pose = self.poses[table[0]]
            spot = (pose.x + 12, pose.y + 8)
            self._reach(seat, [(self.t, seat), (self.t + 0.4, spot), (self.t + 0.9, seat)])
            self._put(self.t + 0.5, hand, Pose(*spot, pose.angle + 4, self._next()))
            self.t += 0.9 + self.rng.uniform(0.0, 2.0)
            self._carry(seat, [*table, hand], action.seat)
            return
        pose = self._pile_pose(action.seat)  # the hand card is put on the own pile first
        spot = (pose.x, pose.y)
        self._reach(seat, [(self.t, seat), (self.t + 0.3, spot), (self.t + 0.6, seat)])
        self._put(self.t + 0.4, hand, pose)
        self.t += 0.6 + self.rng.uniform(0.0, 1.0)
        self._carry(seat, table, action.seat)

    def _carry(self, seat: Spot, cards: list[Card], to: int) -> None:
        path: list[tuple[float, Spot]] = [(self.t, seat)]
        for card in cards:
            self.t += 0.45
            pose = self.poses.get(card)
            if pose is not None:
                path.append((self.t, (pose.x, pose.y)))
                self._put(self.t + 0.1, card, None)
        self.t += 0.5
        for card in cards:
            pose = self._pile_pose(to)
            path.append((self.t, (pose.x, pose.y)))
            self._put(self.t + 0.05, card, pose)
            self.t += 0.15
        path.append((self.t + 0.4, seat))
        self._reach(seat, path)
        self.t += 0.4

    def rest_a_hand(self, seat: int, spot: Spot, seconds: float) -> None:
        """A hand comes, rests over the table and goes; nothing is played."""
        shoulder = self._seat(seat)
        self._reach(
            shoulder,
            [
                (self.t, shoulder),
                (self.t + 0.5, spot),
                (self.t + 0.5 + seconds, spot),
                (self.t + 1 + seconds, shoulder),
            ],
        )
        self.t += 1.5 + seconds

    def slide(self, card: Card, dx: float, dy: float) -> None:
        """A card is shifted within its place."""
        pose = self.poses[card]
        spot, to = (pose.x, pose.y), (pose.x + dx, pose.y + dy)
        seat = self._seat(1)
        self._reach(seat, [(self.t, seat), (self.t + 0.4, spot), (self.t + 0.8, to), (self.t + 1.2, seat)])
        self._put(self.t + 0.5, card, None)
        self._put(self.t + 0.8, card, Pose(*to, pose.angle + 10, self._next()))
        self.t += 2.0

    def lift(self, card: Card, seconds: float) -> None:
        """A card is picked up, looked at and put back."""
        pose = self.poses[card]
        seat = self._seat(1)
        spot = (pose.x, pose.y)
        self._reach(seat, [(self.t, seat), (self.t + 0.4, spot), (self.t + 0.8, seat)])
        self._put(self.t + 0.5, card, None)
        self.t += 0.8 + seconds
        self._reach(seat, [(self.t, seat), (self.t + 0.4, spot), (self.t + 0.8, seat)])
        self._put(self.t + 0.5, card, Pose(pose.x, pose.y, pose.angle, self._next()))
        self.t += 2.0

    def _put(self, t: float, card: Card, pose: Pose | None) -> None:
        self.changes.append((t, card, pose))
        if pose is None:
            gone = self.poses.pop(card, None)
            if gone is not None and self.layout.zone_at(_fraction((gone.x, gone.y))) == self.layout.zones()[0]:
                self.free.append((gone.x, gone.y))
        else:
            self.poses[card] = pose

    def _reach(self, shoulder: Spot, path: list[tuple[float, Spot]]) -> None:
        self.reaches.append(Reach(shoulder, tuple(t for t, _ in path), tuple(spot for _, spot in path)))

    def _next(self) -> int:
        self._z += 1
        return self._z

    def _pool_spots(self) -> list[Spot]:
        (left, top), _, (right, bottom), _ = self.layout.table
        x0, x1, y0, y1 = left * WIDE + 40, right * WIDE - 45, top * WIDE * 0.5625 + 50, bottom * WIDE * 0.5625 - 50
        columns, rows = int((x1 - x0) // 66) + 1, int((y1 - y0) // 90) + 1
        grid = [(x0 + 66 * c, y0 + 90 * r) for r in range(rows) for c in range(columns)]
        self.rng.shuffle(grid)
        more = [(x + 16, y + 6) for x, y in grid]  # a second layer, its lower cards keep their index
        return grid + more

    def _pool_pose(self, spot: Spot) -> Pose:
        return Pose(spot[0], spot[1], self.rng.uniform(-8, 8), self._next())

    def _strip(self, seat: int) -> tuple[Spot, Spot, float]:
        polygon = [(x * WIDE, y * WIDE * 0.5625) for x, y in self.layout.piles[seat]]
        left, right = min(x for x, _ in polygon), max(x for x, _ in polygon)
        top, bottom = min(y for _, y in polygon), max(y for _, y in polygon)
        middle = ((left + right) / 2, (top + bottom) / 2)
        if right - left > bottom - top:
            return (left + 60, middle[1]), (right - 60, middle[1]), 0.0 if middle[1] > 280 else 180.0
        return (middle[0], top + 60), (middle[0], bottom - 60), 90.0 if middle[0] < 500 else 270.0

    def _pile_pose(self, seat: int) -> Pose:
        start, end, angle = self._strip(seat)
        if angle in (180.0, 270.0):
            start, end = end, start
        length = math.dist(start, end)
        per_row = max(2, int(length // 15) + 1)
        row, column = divmod(self.piles[seat], per_row)
        self.piles[seat] += 1
        share = column * 15 / length
        x = start[0] + (end[0] - start[0]) * share
        y = start[1] + (end[1] - start[1]) * share
        turn = math.radians(angle)
        return Pose(x - math.sin(turn) * 18 * row, y + math.cos(turn) * 18 * row, angle, self._next())

    def _seat(self, seat: int) -> Spot:
        start, end, angle = self._strip(seat)
        turn = math.radians(angle)
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        return x - math.sin(turn) * 300, y + math.cos(turn) * 300

    # --- what a camera makes of it ----------------------------------------------------------------------------

    def frames(self, rate: float = 5.0) -> Iterator[tuple[float, list[Reading], Stillness, float]]:
        """(t, readings, stillness, still for) at the recogniser's rate; a frame a second while something moves."""
        last_motion, last_frame = 0.0, -1.0
        for _ in self.moments(rate):
            if any(self._moves(reach, self.now) for reach in self.reaches):
                last_motion = self.now
            still_for = self.now - last_motion
            state = Stillness.MOVING if still_for == 0 else Stillness.SETTLING if still_for < 0.35 else Stillness.STILL
            if state is Stillness.MOVING and self.now - last_frame < 1.0:
                continue
            last_frame = self.now
            yield self.now, self.readings(), state, still_for

    def moments(self, rate: float) -> Iterator[float]:
        """Let the time run, ``rate`` steps a second, until six seconds after the last action."""
        pending = sorted(self.changes, key=lambda change: change[0])
        self.on_table = {}
        for number in range(int((self.t + 6.0) * rate)):
            self.now = number / rate
            while pending and pending[0][0] <= self.now:
                _, card, pose = pending.pop(0)
                if pose is None:
                    self.on_table.pop(card, None)
                else:
                    self.on_table[card] = pose
            yield self.now

    def picture(self) -> Image:
        """A plain picture of the moment: cloth, white cards, hands; for the gate, not for reading."""
        scale = 0.4
        picture = self._cloth.copy()
        for _, pose in sorted(self.on_table.items(), key=lambda entry: entry[1].z):
            corners = np.rint(np.array(pose.corners()) * scale).astype(np.int32)
            cv2.fillConvexPoly(picture, corners, (240, 240, 240), cv2.LINE_AA)
            cv2.polylines(picture, [corners], True, (60, 60, 60), 1, cv2.LINE_AA)
            for x, y in pose.indices():
                cv2.circle(picture, (int(x * scale), int(y * scale)), 2, (30, 30, 160), -1)
        for reach in self.reaches:
            if (hand := reach.at(self.now)) is not None:
                end = (int(reach.shoulder[0] * scale), int(reach.shoulder[1] * scale))
                middle = (int(hand[0] * scale), int(hand[1] * scale))
                cv2.line(picture, middle, end, (110, 140, 190), int(80 * scale))
                cv2.circle(picture, middle, int(62 * scale), (120, 150, 205), -1)
        return picture

    def still_since(self, quad: Sequence[Point]) -> float:
        spots = [(x * WIDE, y * WIDE * 0.5625) for x, y in quad]
        spots.append((sum(x for x, _ in spots) / 4, sum(y for _, y in spots) / 4))
        recent = [reach for reach in self.reaches if self.now - 3.0 <= reach.times[-1] and reach.times[0] <= self.now]
        for back in range(30):
            t = self.now - back * 0.1
            for reach in recent:
                moving = reach.times[0] <= t <= reach.times[-1] + 0.1 and self._moves(reach, t)
                if moving and any(reach.covers(spot, t) for spot in spots):
                    return t
        return self.now - 3.0

    def bare_share(self, quad: Sequence[Point], without: Iterable[Sequence[Point]] = ()) -> float | None:
        corners = np.array(quad) * (WIDE, WIDE * 0.5625)
        u, v = (axis.ravel()[:, None] for axis in np.meshgrid(np.linspace(0.1, 0.9, 6), np.linspace(0.1, 0.9, 6)))
        spots = corners[0] + u * (corners[1] - corners[0]) + v * (corners[3] - corners[0])
        for other in without:
            spots = spots[~_inside(np.array(other) * (WIDE, WIDE * 0.5625), spots)]
        if len(spots) < 4:
            return None
        hidden = np.zeros(len(spots), bool)
        for pose in self.on_table.values():
            if math.dist((pose.x, pose.y), corners.mean(axis=0)) < 120:
                hidden |= _inside(np.array(pose.corners()), spots)
        for reach in self.reaches:
            if reach.at(self.now) is not None:
                hidden |= np.array([reach.covers((float(x), float(y)), self.now) for x, y in spots])
        return float(1 - hidden.mean())

    @staticmethod
    def _moves(reach: Reach, t: float) -> bool:
        here, before = reach.at(t), reach.at(t - 0.1)
        return here != before and (here is None or before is None or math.dist(here, before) > 2)

    def readings(self) -> list[Reading]:
        found = []
        hands = [reach for reach in self.reaches if reach.at(self.now) is not None]
        for card, pose in self.on_table.items():
            above = [other for other in self.on_table.values() if other.z > pose.z]
            free = [
                spot
                for spot in pose.indices()
                if not any(other.holds(spot) for other in above)
                and not any(hand.covers(spot, self.now) for hand in hands)
            ]
            if not free or self.rng.random() < self.noise.miss:
                continue
            found.append(self._reading(card, pose))
            if self.rng.random() < self.noise.double:
                found.append(self._reading(card, Pose(pose.x + 25, pose.y + 20, pose.angle, 0)))
        if self.rng.random() < self.noise.ghost:
            spot = self.rng.uniform(0, WIDE), self.rng.uniform(0, WIDE * 0.5625)
            found.append(self._reading(self.rng.choice(PACK), Pose(*spot, 0, 0), 0.4))
        return found

    def _reading(self, card: Card, pose: Pose, top: float = 0.999) -> Reading:
        shaken = Pose(
            pose.x + self.rng.gauss(0, self.noise.jitter),
            pose.y + self.rng.gauss(0, self.noise.jitter),
            pose.angle + self.rng.gauss(0, 1) + self.rng.choice((0, 180)),
            pose.z,
        )
        confidence = self.rng.uniform(min(0.9, top), top)
        others: tuple[tuple[Card, float], ...] = ()
        if self.rng.random() < self.noise.misread:
            wrong = self.rng.choice([other for other in PACK if (other.rank == card.rank) != (other.suit == card.suit)])
            confidence = self.rng.uniform(0.5, 0.85)
            others, card = ((card, (1 - confidence) * 0.7),), wrong
        quad = np.array([_fraction(spot) for spot in shaken.corners()]) * SIZE
        return Reading(card, confidence, quad.astype(np.float32), others=others)


def script_deal(table: ScriptedTable, setup: Setup, actions: Iterable[Action]) -> Position:
    """Write a whole deal into the table's script; the position at its end."""
    position: Position = GAME.deal(setup)
    table.deal(setup)
    for action in actions:
        position = position.apply(action)
        if action.cards:
            table.act(action)
    return position


def _fraction(spot: Spot) -> Point:
    return spot[0] / WIDE, spot[1] / (WIDE * 0.5625)


def _inside(corners: npt.NDArray[np.float64], spots: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which of the spots lie within a convex outline."""
    edges = np.roll(corners, -1, axis=0) - corners
    to = spots[:, None] - corners
    cross = edges[:, 0] * to[..., 1] - edges[:, 1] * to[..., 0]
    return np.asarray(np.all(cross >= 0, axis=1) | np.all(cross <= 0, axis=1))
