"""Who moves which card when: a deal's steps turned into the movements of hands.

Plain data in (table cards, hands, steps), gestures out. A gesture is one visit of one hand: legs between
waypoints, and at some waypoints cards are put down or picked up. Times in seconds, places in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from assistant.cards import PACK, Card
from assistant.view import TABLE, Zone
from vision.render.table_scene import Pose, Spot, TableScene

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
class LyingCard:
    """A card that rests on the table."""

    card: Card
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
    held: tuple[tuple[Card, Pose], ...] = ()
    pick: tuple[Card, ...] = ()
    put: tuple[LyingCard, ...] = ()


@dataclass(frozen=True, slots=True)
class Gesture:
    """One visit of one seat's hand. ``step``: the index of the step that it plays, None for dealing and sweeping.

    ``last``: it completes the step. ``words`` says what it is: ``deal``, a step's line, ``sweep``.
    """

    seat: int
    shape: str
    shoulder: Spot
    points: tuple[Waypoint, ...]
    words: str
    step: int | None = None
    last: bool = True

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


class Choreographer:
    """Plays a deal of Laugh and Lie Down on a table scene, step after step."""

    def __init__(
        self,
        scene: TableScene,
        *,
        dealer: int,
        table: Sequence[Card],
        hands: Mapping[int, Sequence[Card]],
        steps: Sequence[Step],
        pace: Pace | None = None,
        squared: bool = False,
        seed: int = 0,
    ) -> None:
        self._scene = scene
        self._dealer = dealer
        self._table = tuple(table)
        self._hands = {seat: list(cards) for seat, cards in hands.items()}
        self._steps = tuple(steps)
        self._pace = pace or Pace()
        self._squared = squared
        self._rng = np.random.default_rng(seed)
        self._pool: dict[Card, Pose] = {}
        self._free = self._shuffled_spots()
        self._piles: dict[int, int] = dict.fromkeys(range(1, scene.players + 1), 0)
        self._out: set[int] = set()
        self._t = 0.0
        self._gestures: list[Gesture] = []
        self._pile_sizes = self._pile_counts()

    def gestures(self) -> tuple[Gesture, ...]:
        """Every movement of the deal, in order of time. Raises ImpossibleStep."""
        self._t = self._pace.start
        self._deal()
        for index, step in enumerate(self._steps):
            self._play(index, step)
        self._finish()
        return tuple(self._gestures)

    # -- what is played ------------------------------------------------------------------------------------------

    def _pile_counts(self) -> dict[int, int]:
        """How many cards each pile will hold at the end, so that it can be spread to fit."""
        counts = dict.fromkeys(range(1, self._scene.players + 1), 0)
        for step in self._steps:
            if step.verb in ("take", "lay", "mate", "claim"):
                counts[step.seat] += len(step.cards)
        counts[self._dealer] += 52 - sum(counts.values())
        return counts

    def _deal(self) -> None:
        for start in range(0, len(self._table), 4):
            cards = self._table[start : start + 4]
            self._spread(self._dealer, cards, words="deal", step=None)
            self._t += 0.25
        self._rest()

    def _play(self, index: int, step: Step) -> None:
        words = str(step)
        if step.verb == "mate":
            self._take_from_hand(step.seat, step.cards[:1])
            self._gather(step.seat, step.cards[1:], words, index, brought=step.cards[0])
        elif step.verb in ("take", "claim"):
            self._gather(step.seat, step.cards, words, index)
        elif step.verb == "lay":
            self._take_from_hand(step.seat, step.cards)
            self._lay(step.seat, step.seat, step.cards, words, index)
        elif step.verb == "lie-down":
            self._take_from_hand(step.seat, step.cards)
            self._out.add(step.seat)
            if step.cards:
                self._spread(step.seat, step.cards, words, index)
            else:
                self._knock(step.seat, words, index)
        else:
            raise ImpossibleStep(f"'{words}' can't be played on the virtual table: it knows no '{step.verb}'")
        self._rest()

    def _finish(self) -> None:
        """When one seat is left, the dealer gets what lies on the table and what that seat still holds."""
        left = [seat for seat in self._piles if seat not in self._out]
        if len(left) != 1:
            return
        rest = tuple(self._hands[left[0]]) if left[0] in self._hands else self._never_seen()
        if self._pool:
            self._gather(self._dealer, tuple(self._pool), "sweep", None)
            self._t += 0.6
        if rest:
            self._lay(left[0], self._dealer, rest, "sweep", None)

    def _never_seen(self) -> tuple[Card, ...]:
        """The cards that neither the deal nor a step showed: the last player's, where his hand isn't known."""
        seen = {*self._table, *(card for step in self._steps for card in step.cards)}
        return tuple(card for card in PACK if card not in seen)

    def _take_from_hand(self, seat: int, cards: Sequence[Card]) -> None:
        hand = self._hands.get(seat)
        if hand is None:
            return
        for card in cards:
            if card not in hand:
                raise ImpossibleStep(f"seat {seat} plays {card}, which its hand doesn't hold")
            hand.remove(card)

    def _rest(self) -> None:
        self._t += self._pace.still * (1 + self._rng.uniform(0, self._pace.scatter) * 2)

    # -- gestures ------------------------------------------------------------------------------------------------

    def _gather(
        self, seat: int, cards: Sequence[Card], words: str, step: int | None, brought: Card | None = None
    ) -> None:
        """Picks pool cards up one after the other and puts them in the seat's pile; ``brought`` is mated with them."""
        for card in cards:
            if card not in self._pool:
                raise ImpossibleStep(f"'{words}': {card} doesn't lie on the table")
        path = _Path(self._scene, seat, self._t, self._pace.speed)
        if brought is not None:
            path.hold(brought, Pose(*path.reach, path.card_angle + self._rng.uniform(-6, 6)))
        order = sorted(cards, key=lambda card: math.dist(path.shoulder, self._spot(card)), reverse=len(cards) > 4)
        for index, card in enumerate(order):
            pose = self._pool[card]
            if index == 0 and brought is not None:
                self._show_mate(path, brought, pose)
            else:
                path.to(pose.x, pose.y, REST_HEIGHT)
                path.wait(0.08)
            path.pick(card, pose)
            if index == 0 and brought is not None:
                path.pick(brought, self._over(pose))
            path.wait(0.1)
            self._leave_pool(card)
        gathered = (brought, *cards) if brought is not None else tuple(cards)
        self._put_in_pile(path, seat, gathered)
        self._gestures.append(path.leave(words, step))
        self._t = path.t

    def _show_mate(self, path: _Path, brought: Card, pose: Pose) -> None:
        """The hand card is put half over its mate and seen there for a moment."""
        over = self._over(pose)
        path.to(over.x, over.y, REST_HEIGHT)
        path.put(brought, over, TABLE)
        path.wait(self._pace.pause)

    @staticmethod
    def _over(pose: Pose) -> Pose:
        """Where a card lies half over another, whose top left index stays free."""
        turn = math.radians(pose.angle)
        x = pose.x + 24 * math.cos(turn) - 26 * math.sin(turn)
        y = pose.y + 24 * math.sin(turn) + 26 * math.cos(turn)
        return Pose(x, y, pose.angle + 4)

    def _lay(self, seat: int, pile: int, cards: Sequence[Card], words: str, step: int | None) -> None:
        """Cards go from a seat's hand to a pile."""
        path = _Path(self._scene, seat, self._t, self._pace.speed)
        self._fill(path, cards)
        self._put_in_pile(path, pile, cards)
        self._gestures.append(path.leave(words, step))
        self._t = path.t

    def _spread(self, seat: int, cards: Sequence[Card], words: str, step: int | None) -> None:
        """Cards go from a seat's hand to free places of the pool."""
        path = _Path(self._scene, seat, self._t, self._pace.speed)
        self._fill(path, cards)
        spots = sorted(self._take_spots(len(cards)), key=lambda pose: (round(pose.y / 90), pose.x))
        for card, pose in zip(cards, spots, strict=True):
            path.to(pose.x, pose.y, REST_HEIGHT)
            path.put(card, pose, TABLE)
            self._pool[card] = pose
            path.wait(0.1)
        self._gestures.append(path.leave(words, step))
        self._t = path.t

    def _knock(self, seat: int, words: str, step: int) -> None:
        """A seat without cards shows its empty hand."""
        path = _Path(self._scene, seat, self._t, self._pace.speed, shape="flat")
        x, y = self._scene.place(seat).at(self._scene.place(seat).length * 0.7, 120.0)
        path.to(x, y, 10.0)
        path.wait(0.2)
        path.to(x, y, 45.0)
        path.to(x, y, 10.0)
        path.wait(0.3)
        self._gestures.append(path.leave(words, step))
        self._t = path.t

    def _fill(self, path: _Path, cards: Sequence[Card]) -> None:
        for index, card in enumerate(cards):
            lift = len(cards) - 1 - index
            path.hold(card, Pose(path.reach[0] + lift * 2.5, path.reach[1] - lift * 1.5, path.card_angle + lift * 1.5))

    def _put_in_pile(self, path: _Path, pile: int, cards: Sequence[Card]) -> None:
        for card in cards:
            pose = self._pile_pose(pile)
            path.to(pose.x, pose.y, REST_HEIGHT)
            path.put(card, pose, Zone(pile))
            self._piles[pile] += 1
        path.wait(0.08)

    # -- places --------------------------------------------------------------------------------------------------

    def _shuffled_spots(self) -> list[list[Spot]]:
        """The pool's free places, by layers, each in the order in which they are used."""
        spots = self._scene.pool_spots()
        layers = [spots[start : start + 24] for start in range(0, len(spots), 24)]
        for layer in layers:
            self._rng.shuffle(layer)
        return layers

    def _take_spots(self, count: int) -> list[Pose]:
        poses = []
        for _ in range(count):
            index = next(number for number, layer in enumerate(self._free) if layer)
            x, y = self._free[index].pop()
            free = index == 0
            turn = self._rng.uniform(-7, 7) if free else self._rng.uniform(-3, 3)
            shift = self._rng.uniform(-5, 5, 2) if free else np.zeros(2)
            poses.append(Pose(x + shift[0], y + shift[1], turn))
        return poses

    def _leave_pool(self, card: Card) -> None:
        """Gives the card's place back when nothing lies there any more."""
        pose = self._pool.pop(card)
        layers = self._scene.pool_spots()
        nearest = min(range(len(layers)), key=lambda index: math.dist(layers[index], (pose.x, pose.y)))
        layer = nearest // 24
        self._free[layer].insert(0, layers[nearest])

    def _spot(self, card: Card) -> Spot:
        return self._pool[card].x, self._pool[card].y

    def _pile_pose(self, pile: int) -> Pose:
        index = self._piles[pile]
        wobble = self._rng.uniform(-1, 1, 3)
        if self._squared:
            pose = self._scene.pile_pose(pile, 0, 1)
            return replace(pose, x=pose.x + wobble[0], y=pose.y + wobble[1], angle=pose.angle + 2 * wobble[2])
        pose = self._scene.pile_pose(pile, index, self._pile_sizes[pile])
        return replace(pose, x=pose.x + wobble[0], y=pose.y + 2 * wobble[1], angle=pose.angle + 1.5 * wobble[2])


class _Path:
    """A hand on its way: keeps the time, the place and what it holds, and notes the waypoints."""

    def __init__(self, scene: TableScene, seat: int, t: float, speed: float, shape: str = "pinch") -> None:
        place = scene.place(seat)
        self.seat, self.t, self.speed, self.shape = seat, t, speed, shape
        self.shoulder = place.shoulder
        self.card_angle = place.angle if place.angle <= 90 else place.angle - 360
        self._outside = place.at(place.length * 0.5 + 60.0, -230.0)
        self._x, self._y = self._outside
        self._held: dict[Card, Pose] = {}
        self._points: list[Waypoint] = []
        forward = place.inwards
        self.reach = (forward[0] * REACH, forward[1] * REACH)
        self._z = CARRY_HEIGHT
        self._note()

    def hold(self, card: Card, relative: Pose) -> None:
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

    def put(self, card: Card, pose: Pose, zone: Zone) -> None:
        self._held.pop(card)
        self._change(put=(LyingCard(card, pose, zone),))

    def pick(self, card: Card, pose: Pose) -> None:
        """Takes a card up from where it lies."""
        self._held[card] = Pose(pose.x - self._x, pose.y - self._y, pose.angle)
        self._change(pick=(card,))

    def _straighten(self) -> None:
        """On the way the held cards come to lie nearly squared before the fingertips."""
        dx, dy = self._x - self.shoulder[0], self._y - self.shoulder[1]
        far = math.hypot(dx, dy)
        for index, (card, pose) in enumerate(self._held.items()):
            slip = index * 2.0
            self._held[card] = Pose(dx / far * REACH + slip, dy / far * REACH - slip, pose.angle)

    def leave(self, words: str, step: int | None) -> Gesture:
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

    def _change(self, pick: tuple[Card, ...] = (), put: tuple[LyingCard, ...] = ()) -> None:
        last = self._points[-1]
        held = tuple(self._held.items())
        self._points[-1] = replace(last, held=held, pick=last.pick + pick, put=last.put + put)
