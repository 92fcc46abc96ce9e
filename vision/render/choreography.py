"""Who moves which card when: a deal's steps turned into the movements of hands.

Plain data in (``Script``), gestures out. What all games share stands here; each game has its own table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from assistant.cards import Card
from assistant.view import Zone
from vision.render.gesture import CARRY_HEIGHT, REST_HEIGHT, Gesture, HandPath, LyingCard, Pace, Piece, Step
from vision.render.habits import Habits
from vision.render.misplays import Misplay
from vision.render.script import Follow, Script
from vision.render.table_scene import Pose, Scene


class Choreographer(ABC):
    """Plays a deal on a table scene, step after step."""

    def __init__(
        self, scene: Scene, script: Script, *, pace: Pace | None = None, habits: Habits | None = None, seed: int = 0
    ) -> None:
        self._scene = scene
        self._script = script
        self._hands = {seat: list(cards) for seat, cards in script.hands.items()}
        self._pace = pace or Pace()
        self._rng = np.random.default_rng(seed)
        self._habits = habits or Habits()
        self._t = 0.0
        self._gestures: list[Gesture] = []
        self._lying: dict[Piece, LyingCard] = {}

    def gestures(self) -> tuple[Gesture, ...]:
        """Every movement of the deal, in order of time. Raises ImpossibleStep."""
        self._t = self._pace.start
        self._deal()
        for index, step in enumerate(self._script.steps):
            self._go_wrong(index)
            self._perform(step, index)
            self._rest(step)
            self._go_wrong(index + 1, between=True)
            for follow in self._script.follows:
                if follow.step == index:
                    self._follow(follow)
                    self._rest()
        self._go_wrong(len(self._script.steps))
        self._finish()
        return tuple(self._gestures)

    # -- what a game does its own way ----------------------------------------------------------------------------

    @abstractmethod
    def _deal(self) -> None:
        """Puts out what lies on the table at the start."""

    @abstractmethod
    def _perform(self, step: Step, index: int | None) -> None:
        """Plays a step, whether the rules allow it or not. Raises ImpossibleStep."""

    @abstractmethod
    def _follow(self, follow: Follow) -> None:
        """Does what the rules alone bring about after a step. Raises ImpossibleStep."""

    @abstractmethod
    def _finish(self) -> None:
        """What happens after the last step."""

    @abstractmethod
    def _loose(self) -> Sequence[Card]:
        """The cards that somebody may push or lift without disturbing others."""

    @abstractmethod
    def _nearby(self, card: Card) -> Pose:
        """A pose near a loose card's own."""

    @abstractmethod
    def _tidied(self, seat: int) -> dict[Card, Pose]:
        """How a seat's own cards on the table lie once it has tidied them; empty if there is nothing to tidy."""

    @abstractmethod
    def _state(self) -> dict[str, object]:
        """Copies of what the game keeps of the table besides the hands, by attribute, so that it can be restored."""

    # -- time ----------------------------------------------------------------------------------------------------

    def _rest(self, before: Step | None = None) -> None:
        """The time until the next action, with what people do in it."""
        habits, chance = self._habits, self._rng.random(5)
        if chance[0] < habits.quick:
            self._t -= 0.35
            return
        self._stay()
        if before is None:
            return
        if chance[1] < habits.shift and self._loose():
            self._touch(before.seat, "shift")
        if chance[2] < habits.lift and self._loose():
            self._touch(before.seat, "lift")
        if chance[3] < habits.rest:
            self._lean(int(self._rng.integers(1, self._scene.players + 1)))
        if chance[4] < habits.straighten:
            self._straighten(int(self._rng.integers(1, self._scene.players + 1)))

    def _stay(self) -> None:
        self._t += self._pace.still * (1 + self._rng.uniform(0, self._pace.scatter) * 2)

    def _hand(self, seat: int, shape: str = "pinch") -> HandPath:
        return HandPath(self._scene, seat, self._t, self._pace.speed, shape)

    def _done(self, path: HandPath, words: str, step: int | None = None) -> None:
        gesture = path.leave(words, step)
        self._gestures.append(gesture)
        self._t = path.t
        for point in gesture.points:
            for piece in point.pick:
                self._lying.pop(piece)
            for lying in point.put:
                self._lying[lying.card] = lying

    # -- what is against the rules -------------------------------------------------------------------------------

    def _go_wrong(self, before: int, *, between: bool = False) -> None:
        """The misplays before a step; ``between``: those that come before what follows from the step before it."""
        for misplay in self._script.misplays:
            if misplay.before == before and (misplay.step.verb == "take-trick") == between:
                self._misplay(misplay)

    def _misplay(self, misplay: Misplay) -> None:
        kept, lying = self._state(), dict(self._lying)
        hands = {seat: list(cards) for seat, cards in self._hands.items()}
        self._perform(misplay.step, None)
        self._t = max(self._t, self._gestures[-1].end) + misplay.stands
        number = len(self._gestures) - 1
        self._undo(misplay.step.seat, lying)
        told = replace(self._gestures[number], words=str(misplay.step), misplay=misplay.words or "misplay")
        self._gestures[number] = replace(told, until=self._gestures[-1].end)
        vars(self).update(kept)
        self._hands = hands
        self._stay()

    def _undo(self, seat: int, before: dict[Piece, LyingCard]) -> None:
        """The seat's hand puts every card back to where it lay before, or takes it into the hand."""
        strayed = [piece for piece, lying in self._lying.items() if before.get(piece) != lying]
        taken = [piece for piece in before if piece not in self._lying]
        path = self._hand(seat)
        self._fill(path, taken)
        for piece in reversed(strayed):
            self._grasp(path, piece)
        for piece, lying in before.items():
            if piece in strayed or piece in taken:
                path.to(lying.pose.x, lying.pose.y, REST_HEIGHT)
                path.put(piece, lying.pose, lying.zone)
                path.wait(0.1)
        self._done(path, "put-back")

    # -- gestures ------------------------------------------------------------------------------------------------

    def _grasp(self, path: HandPath, piece: Piece) -> None:
        """The hand goes to a lying card and takes it up."""
        pose = self._lying[piece].pose
        path.to(pose.x, pose.y, REST_HEIGHT + pose.z)
        path.pick(piece, pose)

    def _take_in(self, seat: int, pieces: Iterable[Piece], words: str, step: int | None = None) -> None:
        """A hand gathers cards and leaves with them."""
        path = self._hand(seat)
        for piece in pieces:
            self._grasp(path, piece)
        path.wait(0.15)
        self._done(path, words, step)

    def _clear(self, seat: int) -> None:
        """At the end a seat takes everything away, place by place."""
        zones: dict[Zone, list[Piece]] = {}
        for piece, lying in self._lying.items():
            zones.setdefault(lying.zone, []).append(piece)
        for pieces in zones.values():
            path = self._hand(seat, "flat")
            for place in range(0, len(pieces), 4):
                pose = self._lying[pieces[place]].pose
                path.to(pose.x, pose.y, REST_HEIGHT)
                for piece in pieces[place : place + 4]:
                    path.pick(piece, self._lying[piece].pose)
            self._done(path, "clear")
            self._t += 0.2

    def _knock(self, seat: int, words: str, step: int | None) -> None:
        """A seat shows its empty hand, or knocks on the table."""
        path = self._hand(seat, "flat")
        x, y = self._scene.place(seat).at(self._scene.place(seat).length * 0.7, 120.0)
        path.to(x, y, 10.0)
        path.wait(0.2)
        path.to(x, y, 45.0)
        path.to(x, y, 10.0)
        path.wait(0.3)
        self._done(path, words, step)

    def _fill(self, path: HandPath, cards: Sequence[Piece], *, down: bool = False) -> None:
        for index, card in enumerate(cards):
            lift = (len(cards) - 1 - index) * min(1.0, 8 / len(cards))
            x, y, angle = path.reach[0] + lift * 2.5, path.reach[1] - lift * 1.5, path.card_angle + lift * 1.5
            path.hold(card, Pose(x, y, angle, down=down))

    # -- what is no action ---------------------------------------------------------------------------------------

    def _touch(self, seat: int, words: str) -> None:
        """A card is moved a little (``shift``), or picked up, looked at and put back (``lift``)."""
        loose = self._loose()
        card = loose[int(self._rng.integers(len(loose)))]
        lying = self._lying[card]
        new = self._nearby(card) if words == "shift" else lying.pose
        path = self._hand(seat)
        self._grasp(path, card)
        if words == "lift":
            path.to(*self._scene.place(seat).at(self._scene.place(seat).length / 2, 90.0), CARRY_HEIGHT)
            path.wait(0.6)
        path.to(new.x, new.y, REST_HEIGHT)
        path.put(card, new, lying.zone)
        path.wait(0.1)
        self._done(path, words)
        self._stay()

    def _lean(self, seat: int) -> None:
        """A hand comes to rest on the table for a while, over whatever lies there."""
        path = self._hand(seat, "flat")
        along, inwards = self._rng.uniform(0.2, 0.8), self._rng.uniform(20.0, 130.0)
        path.to(*self._scene.place(seat).at(self._scene.place(seat).length * along, inwards), 3.0)
        path.wait(float(self._rng.uniform(2.0, 5.0)))
        self._done(path, "rest")
        self._stay()

    def _straighten(self, seat: int) -> None:
        """A seat tidies its cards: they move by some millimetres."""
        tidied = self._tidied(seat)
        if not tidied:
            return
        middle = list(tidied.values())[len(tidied) // 2]
        path = self._hand(seat, "flat")
        path.to(middle.x, middle.y, REST_HEIGHT)
        path.wait(0.2)
        zones = {card: self._lying[card].zone for card in tidied}
        for card in tidied:
            path.pick(card, self._lying[card].pose)
        path.wait(0.3)
        for card, pose in tidied.items():
            path.put(card, pose, zones[card])
        path.wait(0.2)
        self._done(path, "straighten")
        self._stay()


def beside(pose: Pose, rng: np.random.Generator, reach: float, turn: float) -> Pose:
    """A pose up to ``reach`` millimetres and ``turn`` degrees from another."""
    dx, dy, angle = rng.uniform(-1, 1, 3)
    return replace(pose, x=pose.x + reach * dx, y=pose.y + reach * dy, angle=pose.angle + turn * angle)
