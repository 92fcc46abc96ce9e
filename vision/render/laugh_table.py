"""Laugh and Lie Down on the virtual table: the pool, the piles, the lying down and the sweep."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assistant.cards import PACK, Card
from assistant.view import TABLE, Zone
from vision.render.choreography import Choreographer, beside
from vision.render.gesture import REST_HEIGHT, HandPath, ImpossibleStep, Pace, Step
from vision.render.habits import Habits
from vision.render.pool import Pool
from vision.render.script import Follow, Script
from vision.render.table_scene import Pose, Spot, TableScene


class LaughTable(Choreographer):
    """Plays a deal of Laugh and Lie Down."""

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
        self._pool = Pool(scene, self._rng, self._habits.overlap)
        self._piles: dict[int, list[Card]] = {seat: [] for seat in range(1, scene.players + 1)}
        self._out: set[int] = set()
        self._pile_sizes = self._pile_counts()

    # -- what is played ------------------------------------------------------------------------------------------

    def _pile_counts(self) -> dict[int, int]:
        """How many cards each pile will hold at the end, so that it can be spread to fit."""
        counts = dict.fromkeys(range(1, self._table.players + 1), 0)
        for step in self._script.steps:
            if step.verb in ("take", "lay", "mate", "claim"):
                counts[step.seat] += len(step.cards)
        counts[self._script.dealer] += 52 - sum(counts.values())
        return counts

    def _deal(self) -> None:
        for start in range(0, len(self._script.table), 4):
            cards = self._script.table[start : start + 4]
            self._spread(self._script.dealer, cards, words="deal", step=None)
            self._t += 0.25
        self._rest()

    def _perform(self, step: Step, index: int | None) -> None:
        words = str(step)
        if step.verb == "mate":
            self._mate(step, words, index)
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
        elif step.verb == "sweep" and self._pool:
            self._gather(step.seat, self._pool.cards, words, index)
        else:
            raise ImpossibleStep(f"'{words}' can't be played on the virtual table: it knows no '{step.verb}'")

    def _mate(self, step: Step, words: str, index: int | None) -> None:
        self._take_from_hand(step.seat, step.cards[:1])
        if self._rng.random() < self._habits.take_back:
            self._take_back(step.seat, step.cards[0])
        if len(step.cards) > 1 and self._rng.random() < self._habits.two_step:
            self._mate_slowly(step, words, index)
        else:
            self._gather(step.seat, step.cards[1:], words, index, brought=step.cards[0])

    def _mate_slowly(self, step: Step, words: str, index: int | None) -> None:
        """The hand card is put on its mate and left there; only a second grasp takes both."""
        card, *mates = step.cards
        self._must_lie(mates, words)
        over = self._over(self._lying[mates[0]].pose)
        path = self._hand(step.seat)
        path.hold(card, Pose(*path.reach, path.card_angle))
        path.to(over.x, over.y, REST_HEIGHT)
        path.put(card, over, TABLE)
        self._done(path, "mate-begun")
        self._t += self._pace.still * float(self._rng.uniform(0.4, 2.0))
        path = self._hand(step.seat)
        self._grasp(path, card)
        for mate in mates:
            self._grasp(path, mate)
            self._pool.remove(mate)
        self._put_in_pile(path, step.seat, step.cards)
        self._done(path, words, index)

    def _follow(self, follow: Follow) -> None:
        raise ImpossibleStep(f"nothing follows from a step of Laugh and Lie Down, not '{follow.verb}'")

    def _finish(self) -> None:
        """When one seat is left, the dealer gets what lies on the table and what that seat still holds."""
        left = [seat for seat in self._piles if seat not in self._out]
        if len(left) != 1:
            return
        rest = tuple(self._hands[left[0]]) if left[0] in self._hands else self._never_seen()
        if self._pool:
            self._gather(self._script.dealer, self._pool.cards, "sweep", None)
            self._t += 0.6
        if rest:
            self._lay(left[0], self._script.dealer, rest, "sweep", None)

    def _never_seen(self) -> tuple[Card, ...]:
        """The cards that neither the deal nor a step showed: the last player's, where his hand isn't known."""
        seen = {*self._script.table, *(card for step in self._script.steps for card in step.cards)}
        return tuple(card for card in PACK if card not in seen)

    def _take_from_hand(self, seat: int, cards: Sequence[Card]) -> None:
        hand = self._hands.get(seat)
        if hand is None:
            return
        for card in cards:
            if card not in hand:
                raise ImpossibleStep(f"seat {seat} plays {card}, which its hand doesn't hold")
            hand.remove(card)

    # -- gestures ------------------------------------------------------------------------------------------------

    def _gather(
        self, seat: int, cards: Sequence[Card], words: str, step: int | None, brought: Card | None = None
    ) -> None:
        """Picks pool cards up one after the other and puts them in the seat's pile; ``brought`` is mated with them."""
        self._must_lie(cards, words)
        path = self._hand(seat)
        if brought is not None:
            path.hold(brought, Pose(*path.reach, path.card_angle + self._rng.uniform(-6, 6)))
        order = sorted(cards, key=lambda card: self._distance(card, path.shoulder), reverse=len(cards) > 4)
        for index, card in enumerate(order):
            pose = self._lying[card].pose
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

    def _distance(self, card: Card, spot: Spot) -> float:
        pose = self._lying[card].pose
        return math.dist((pose.x, pose.y), spot)

    def _must_lie(self, cards: Sequence[Card], words: str) -> None:
        for card in cards:
            if card not in self._pool:
                raise ImpossibleStep(f"'{words}': {card} doesn't lie on the table")

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

    # -- what is no action ---------------------------------------------------------------------------------------

    def _loose(self) -> Sequence[Card]:
        return self._pool.cards

    def _nearby(self, card: Card) -> Pose:
        return self._pool.nearby(card)

    def _tidied(self, seat: int) -> dict[Card, Pose]:
        if self._habits.squared or self._habits.heap:
            return {card: beside(self._lying[card].pose, self._rng, 3.0, 3.0) for card in self._piles[seat]}
        size = self._pile_sizes[seat]
        poses = (self._table.pile_pose(seat, index, size) for index in range(len(self._piles[seat])))
        return {card: beside(pose, self._rng, 0.5, 0.5) for card, pose in zip(self._piles[seat], poses, strict=True)}

    def _state(self) -> dict[str, object]:
        piles = {seat: list(pile) for seat, pile in self._piles.items()}
        return {"_pool": self._pool.copy(), "_piles": piles, "_out": set(self._out)}

    def _take_back(self, seat: int, card: Card) -> None:
        """A hand card is shown over a pool card and taken back into the hand."""
        pose = self._over(self._lying[self._pool.cards[int(self._rng.integers(len(self._pool.cards)))]].pose)
        path = self._hand(seat)
        path.hold(card, Pose(*path.reach, path.card_angle))
        path.to(pose.x, pose.y, REST_HEIGHT)
        path.put(card, pose, TABLE)
        path.wait(0.7)
        path.pick(card, pose)
        self._done(path, "take-back")
        self._stay()

    # -- cards in hands and piles --------------------------------------------------------------------------------

    def _put_in_pile(self, path: HandPath, pile: int, cards: Sequence[Card]) -> None:
        for card in cards:
            pose = self._pile_pose(pile)
            path.to(pose.x, pose.y, REST_HEIGHT)
            path.put(card, pose, Zone(pile))
            self._piles[pile].append(card)
        path.wait(0.08)

    def _pile_pose(self, pile: int) -> Pose:
        if self._habits.heap:
            return beside(self._table.pile_pose(pile, 0, 1), self._rng, 20.0, 28.0)
        if self._habits.squared:
            return beside(self._table.pile_pose(pile, 0, 1), self._rng, 1.0, 2.0)
        pose = self._table.pile_pose(pile, len(self._piles[pile]), self._pile_sizes[pile])
        return beside(pose, self._rng, 1.5, 1.5)
