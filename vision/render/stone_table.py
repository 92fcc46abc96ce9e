"""Rolling Stone on the virtual table: the trick in the middle, won tricks face down beside their winners."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assistant.cards import Card
from assistant.view import TABLE, Zone
from vision.render.choreography import Choreographer, beside
from vision.render.gesture import CARRY_HEIGHT, REST_HEIGHT, ImpossibleStep, Pace, Step
from vision.render.habits import Habits
from vision.render.script import Follow, Script
from vision.render.table_scene import CARD_WIDTH, Pose, TableScene

_PACKET_STEP = 30.0
"""How far apart won tricks lie in a pile, in millimetres."""


class StoneTable(Choreographer):
    """Plays a deal of Rolling Stone."""

    def __init__(
        self,
        scene: TableScene,
        script: Script,
        *,
        pace: Pace | None = None,
        habits: Habits | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(scene, script, pace=pace, habits=habits, seed=seed)
        self._table = scene
        left, top, right, bottom = scene.pool
        self._middle = ((left + right) / 2, (top + bottom) / 2)
        self._trick: list[Card] = []
        self._won = dict.fromkeys(range(1, scene.players + 1), 0)

    def _deal(self) -> None:
        """No card lies face up at the start: the hands are dealt before the film begins."""

    def _perform(self, step: Step, index: int | None) -> None:
        words = str(step)
        if step.verb == "play" and len(step.cards) == 1:
            self._play(step.seat, step.cards[0], words, index)
        elif step.verb == "pick-up":
            self._take_in(step.seat, self._nearest_last(step.seat), words, index)
            self._trick.clear()
        elif step.verb == "take-trick":
            self._take_trick(step.seat)
        else:
            raise ImpossibleStep(f"'{words}' can't be played on the virtual table of Rolling Stone")

    def _follow(self, follow: Follow) -> None:
        self._take_trick(follow.seat)

    def _finish(self) -> None:
        if self._script.over:
            self._clear(self._script.dealer)

    def _play(self, seat: int, card: Card, words: str, index: int | None) -> None:
        """A card is put in the middle, more or less towards its player's side."""
        if card in self._lying:
            raise ImpossibleStep(f"'{words}': {card} lies on the table already")
        path = self._hand(seat)
        path.hold(card, Pose(*path.reach, path.card_angle + self._rng.uniform(-6, 6)))
        pose = self._trick_pose(seat)
        path.to(pose.x, pose.y, REST_HEIGHT)
        path.put(card, pose, TABLE)
        self._trick.append(card)
        path.wait(self._pace.pause / 2)
        self._done(path, words, index)

    def _trick_pose(self, seat: int) -> Pose:
        place = self._table.place(seat)
        x, y = place.at(place.length / 2)
        dx, dy = x - self._middle[0], y - self._middle[1]
        far = math.hypot(dx, dy)
        out = 24.0 if self._habits.heap else 66.0
        lies = Pose(self._middle[0] + dx / far * out, self._middle[1] + dy / far * out, place.angle)
        return beside(lies, self._rng, 14.0, 16.0 if self._habits.heap else 9.0)

    def _nearest_last(self, seat: int) -> list[Card]:
        shoulder = self._table.place(seat).shoulder
        poses = {card: self._lying[card].pose for card in self._trick}
        return sorted(poses, key=lambda card: -math.dist((poses[card].x, poses[card].y), shoulder))

    def _take_trick(self, seat: int) -> None:
        """The winner gathers the trick, turns it over and puts it beside him."""
        path = self._hand(seat)
        cards = self._nearest_last(seat)
        for card in cards:
            self._grasp(path, card)
        path.wait(0.1)
        packet = self._packet_pose(seat)
        place = self._table.place(seat)
        path.to(packet.x + place.inwards[0] * 60, packet.y + place.inwards[1] * 60, CARRY_HEIGHT)
        path.turn_over()
        path.to(packet.x, packet.y, REST_HEIGHT)
        for card in reversed(cards):
            path.put(card, beside(packet, self._rng, 1.5, 2.0), Zone(seat))
        path.wait(0.15)
        self._won[seat] += 1
        self._trick.clear()
        self._done(path, "take-trick")

    def _packet_pose(self, seat: int) -> Pose:
        place = self._table.place(seat)
        along = place.length - CARD_WIDTH - 10 - (0 if self._habits.squared else self._won[seat] * _PACKET_STEP)
        x, y = place.at(max(CARD_WIDTH / 2, along))
        return beside(Pose(x, y, place.angle, down=True), self._rng, 3.0, 7.0)

    # -- what is no action ---------------------------------------------------------------------------------------

    def _loose(self) -> Sequence[Card]:
        return self._trick

    def _nearby(self, card: Card) -> Pose:
        return beside(self._lying[card].pose, self._rng, 8.0, 8.0)

    def _tidied(self, seat: int) -> dict[Card, Pose]:
        won = [card for card, lying in self._lying.items() if lying.zone == Zone(seat) and isinstance(card, Card)]
        return {card: beside(self._lying[card].pose, self._rng, 3.0, 2.0) for card in won}

    def _state(self) -> dict[str, object]:
        return {"_trick": list(self._trick), "_won": dict(self._won)}
