"""Who moves which card when: a deal's steps turned into the movements of hands.

Plain data in (table cards, hands, steps), gestures out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from assistant.cards import PACK, Card
from assistant.view import TABLE, Zone
from vision.render.gesture import CARRY_HEIGHT, REST_HEIGHT, Gesture, HandPath, ImpossibleStep, Pace, Step
from vision.render.habits import Habits
from vision.render.pool import Pool
from vision.render.table_scene import Pose, TableScene


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
        habits: Habits | None = None,
        seed: int = 0,
    ) -> None:
        self._scene = scene
        self._dealer = dealer
        self._table = tuple(table)
        self._hands = {seat: list(cards) for seat, cards in hands.items()}
        self._steps = tuple(steps)
        self._pace = pace or Pace()
        self._rng = np.random.default_rng(seed)
        self._habits = habits or Habits()
        self._pool = Pool(scene, self._rng, self._habits.overlap)
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
            if self._rng.random() < self._habits.take_back:
                self._take_back(step.seat, step.cards[0])
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
        self._rest(step)

    def _finish(self) -> None:
        """When one seat is left, the dealer gets what lies on the table and what that seat still holds."""
        left = [seat for seat in self._piles if seat not in self._out]
        if len(left) != 1:
            return
        rest = tuple(self._hands[left[0]]) if left[0] in self._hands else self._never_seen()
        if self._pool:
            self._gather(self._dealer, self._pool.cards, "sweep", None)
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

    def _rest(self, before: Step | None = None) -> None:
        """The time until the next action, with what people do in it."""
        habits, chance = self._habits, self._rng.random(4)
        if chance[0] < habits.quick:
            self._t -= 0.35
            return
        self._stay()
        if before is None:
            return
        if chance[1] < habits.shift and self._pool:
            self._touch(before.seat, "shift")
        if chance[2] < habits.lift and self._pool:
            self._touch(before.seat, "lift")
        if chance[3] < habits.rest:
            self._lean(int(self._rng.integers(1, self._scene.players + 1)))

    def _stay(self) -> None:
        self._t += self._pace.still * (1 + self._rng.uniform(0, self._pace.scatter) * 2)

    def _hand(self, seat: int, shape: str = "pinch") -> HandPath:
        return HandPath(self._scene, seat, self._t, self._pace.speed, shape)

    def _done(self, path: HandPath, words: str, step: int | None = None) -> None:
        self._gestures.append(path.leave(words, step))
        self._t = path.t

    # -- gestures ------------------------------------------------------------------------------------------------

    def _gather(
        self, seat: int, cards: Sequence[Card], words: str, step: int | None, brought: Card | None = None
    ) -> None:
        """Picks pool cards up one after the other and puts them in the seat's pile; ``brought`` is mated with them."""
        for card in cards:
            if card not in self._pool:
                raise ImpossibleStep(f"'{words}': {card} doesn't lie on the table")
        path = self._hand(seat)
        if brought is not None:
            path.hold(brought, Pose(*path.reach, path.card_angle + self._rng.uniform(-6, 6)))
        order = sorted(cards, key=lambda card: self._pool.distance(card, path.shoulder), reverse=len(cards) > 4)
        for index, card in enumerate(order):
            pose = self._pool.pose(card)
            if index == 0 and brought is not None:
                self._show_mate(path, brought, pose)
            else:
                path.to(pose.x, pose.y, REST_HEIGHT)
                path.wait(0.08)
            path.pick(card, pose)
            if index == 0 and brought is not None:
                path.pick(brought, self._over(pose))
            path.wait(0.1)
            self._pool.remove(card)
        gathered = (brought, *cards) if brought is not None else tuple(cards)
        self._put_in_pile(path, seat, gathered)
        self._done(path, words, step)

    def _show_mate(self, path: HandPath, brought: Card, pose: Pose) -> None:
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
        path = self._hand(seat)
        self._fill(path, cards)
        self._put_in_pile(path, pile, cards)
        self._done(path, words, step)

    def _spread(self, seat: int, cards: Sequence[Card], words: str, step: int | None) -> None:
        """Cards go from a seat's hand to free places of the pool."""
        path = self._hand(seat)
        self._fill(path, cards)
        for card, pose in zip(cards, self._pool.places(len(cards)), strict=True):
            path.to(pose.x, pose.y, REST_HEIGHT)
            path.put(card, pose, TABLE)
            self._pool.put(card, pose)
            path.wait(0.1)
        self._done(path, words, step)

    def _knock(self, seat: int, words: str, step: int) -> None:
        """A seat without cards shows its empty hand."""
        path = self._hand(seat, "flat")
        x, y = self._scene.place(seat).at(self._scene.place(seat).length * 0.7, 120.0)
        path.to(x, y, 10.0)
        path.wait(0.2)
        path.to(x, y, 45.0)
        path.to(x, y, 10.0)
        path.wait(0.3)
        self._done(path, words, step)

    # -- what is no action ---------------------------------------------------------------------------------------

    def _touch(self, seat: int, words: str) -> None:
        """A pool card is moved a little (``shift``), or picked up, looked at and put back (``lift``)."""
        card = self._pool.cards[int(self._rng.integers(len(self._pool.cards)))]
        pose = self._pool.pose(card)
        new = self._pool.nearby(card) if words == "shift" else pose
        path = self._hand(seat)
        path.to(pose.x, pose.y, REST_HEIGHT)
        path.pick(card, pose)
        if words == "lift":
            path.to(*self._scene.place(seat).at(self._scene.place(seat).length / 2, 90.0), CARRY_HEIGHT)
            path.wait(0.6)
        path.to(new.x, new.y, REST_HEIGHT)
        path.put(card, new, TABLE)
        self._pool.move(card, new)
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

    def _take_back(self, seat: int, card: Card) -> None:
        """A hand card is shown over a pool card and taken back into the hand."""
        pose = self._over(self._pool.pose(self._pool.cards[int(self._rng.integers(len(self._pool.cards)))]))
        path = self._hand(seat)
        path.hold(card, Pose(*path.reach, path.card_angle))
        path.to(pose.x, pose.y, REST_HEIGHT)
        path.put(card, pose, TABLE)
        path.wait(0.7)
        path.pick(card, pose)
        self._done(path, "take-back")
        self._stay()

    # -- cards in hands and piles --------------------------------------------------------------------------------

    def _fill(self, path: HandPath, cards: Sequence[Card]) -> None:
        for index, card in enumerate(cards):
            lift = len(cards) - 1 - index
            path.hold(card, Pose(path.reach[0] + lift * 2.5, path.reach[1] - lift * 1.5, path.card_angle + lift * 1.5))

    def _put_in_pile(self, path: HandPath, pile: int, cards: Sequence[Card]) -> None:
        for card in cards:
            pose = self._pile_pose(pile)
            path.to(pose.x, pose.y, REST_HEIGHT)
            path.put(card, pose, Zone(pile))
            self._piles[pile] += 1
        path.wait(0.08)

    def _pile_pose(self, pile: int) -> Pose:
        index = self._piles[pile]
        wobble = self._rng.uniform(-1, 1, 3)
        if self._habits.squared:
            pose = self._scene.pile_pose(pile, 0, 1)
            return replace(pose, x=pose.x + wobble[0], y=pose.y + wobble[1], angle=pose.angle + 2 * wobble[2])
        pose = self._scene.pile_pose(pile, index, self._pile_sizes[pile])
        return replace(pose, x=pose.x + wobble[0], y=pose.y + 2 * wobble[1], angle=pose.angle + 1.5 * wobble[2])
