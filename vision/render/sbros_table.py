"""Sbros on the virtual table: two centre piles, the stock, temporary discards, and the exchange."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.cards import Card
from assistant.view import STOCK, Zone
from vision.render.choreography import Choreographer, beside
from vision.render.gesture import REST_HEIGHT, Back, HandPath, ImpossibleStep, Pace, Step
from vision.render.habits import Habits
from vision.render.sbros_scene import CENTRE, STOCK_SPOT, SbrosScene
from vision.render.script import Follow, Script
from vision.render.table_scene import Pose

_STOCK = 38
_THICK = 0.3
"""Thickness of a card in millimetres."""


class SbrosTable(Choreographer):
    """Plays a deal of Sbros."""

    def __init__(
        self,
        scene: SbrosScene,
        script: Script,
        *,
        pace: Pace | None = None,
        habits: Habits | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(scene, script, pace=pace, habits=habits, seed=seed)
        self._places = scene
        self._stock: list[Back] = []
        self._centre: dict[str, list[Card]] = {"left": [], "right": []}
        self._resets: dict[int, list[Card]] = {1: [], 2: []}
        self._drawn: set[int] = set()

    def _deal(self) -> None:
        dealer = self._script.dealer
        self._stock = [Back(number) for number in range(_STOCK)]
        path = self._hand(dealer)
        self._fill(path, self._stock, down=True)
        path.to(*STOCK_SPOT, REST_HEIGHT)
        turn = float(self._rng.uniform(-8, 8))
        for number, back in enumerate(self._stock):
            pose = Pose(*STOCK_SPOT, turn, z=number * _THICK, down=True)
            path.put(back, beside(pose, self._rng, 1.2, 1.5), STOCK)
        self._done(path, "deal")
        self._t += 0.3
        self._put_on(dealer, dict(zip(("left", "right"), self._script.table, strict=True)), "deal", None)
        self._rest()

    def _perform(self, step: Step, index: int | None) -> None:
        words, seat, cards = str(step), step.seat, step.cards
        if step.verb == "cover" and len(cards) in (1, 2):
            self._cover(seat, cards, words, index)
        elif step.verb == "reset" and len(cards) == 1:
            self._put_aside(seat, cards[0], words, index)
        elif step.verb == "pass":
            self._knock(seat, words, index)
        else:
            raise ImpossibleStep(f"'{words}' can't be played on the virtual table of Sbros")

    def _follow(self, follow: Follow) -> None:
        if follow.verb == "draw":
            if follow.step not in self._drawn:
                path = self._hand(follow.seat)
                self._draw(path, follow.number)
                self._done(path, "draw")
        elif self._resets[follow.number]:
            self._take_in(follow.seat, reversed(self._resets[follow.number]), "take-resets")
            self._resets[follow.number].clear()

    def _finish(self) -> None:
        if self._script.over:
            self._clear(self._script.dealer)

    def _cover(self, seat: int, cards: Sequence[Card], words: str, index: int | None) -> None:
        """One visit or two; a single card goes on either side."""
        if len(cards) == 1:
            side = "left" if self._rng.random() < 0.5 else "right"
            self._put_on(seat, {side: cards[0]}, words, index)
            return
        sides = dict(zip(("left", "right"), cards, strict=True))
        if self._rng.random() < 0.5:
            sides = dict(reversed(sides.items()))
        if self._rng.random() >= self._habits.two_step:
            self._put_on(seat, sides, words, index)
            return
        (first, card), (second, other) = sides.items()
        self._put_on(seat, {first: card}, "cover-begun", None)
        self._t += self._pace.still * float(self._rng.uniform(0.3, 1.2))
        self._put_on(seat, {second: other}, words, index)

    def _put_on(self, seat: int, sides: dict[str, Card], words: str, index: int | None) -> None:
        path = self._hand(seat)
        self._fill(path, list(sides.values()))
        for side, card in sides.items():
            self._must_be_free(card, words)
            reach, turn = (14.0, 12.0) if self._habits.heap else (5.0, 5.0)
            pose = beside(Pose(*CENTRE[side], path.card_angle), self._rng, reach, turn)
            path.to(pose.x, pose.y, REST_HEIGHT)
            path.put(card, pose, Zone(part=side))
            self._centre[side].append(card)
            path.wait(self._pace.pause / 2)
        self._put_down(path, words, index)

    def _put_aside(self, seat: int, card: Card, words: str, index: int | None) -> None:
        self._must_be_free(card, words)
        path = self._hand(seat)
        self._fill(path, [card])
        pose = beside(self._places.reset_pose(seat, len(self._resets[seat])), self._rng, 2.5, 3.0)
        path.to(pose.x, pose.y, REST_HEIGHT)
        path.put(card, pose, Zone(seat, "reset"))
        self._resets[seat].append(card)
        path.wait(self._pace.pause / 2)
        self._put_down(path, words, index)

    def _must_be_free(self, card: Card, words: str) -> None:
        if card in self._lying:
            raise ImpossibleStep(f"'{words}': {card} lies on the table already")

    def _put_down(self, path: HandPath, words: str, index: int | None) -> None:
        """The end of a visit that put cards down: some people draw before their hand goes home."""
        draws = [follow for follow in self._script.follows if follow.step == index and follow.verb == "draw"]
        if index is not None and draws and self._rng.random() < self._habits.at_once:
            self._drawn.add(index)
            self._draw(path, draws[0].number)
        self._done(path, words, index)

    def _draw(self, path: HandPath, number: int) -> None:
        """The top cards of the stock go into the hand."""
        if number > len(self._stock):
            raise ImpossibleStep(f"seat {path.seat} draws {number} cards from a stock of {len(self._stock)}")
        for _ in range(number):
            self._grasp(path, self._stock.pop())
            path.wait(0.1)

    # -- what is no action ---------------------------------------------------------------------------------------

    def _loose(self) -> Sequence[Card]:
        return [pile[-1] for pile in self._centre.values() if pile]

    def _nearby(self, card: Card) -> Pose:
        return beside(self._lying[card].pose, self._rng, 6.0, 6.0)

    def _tidied(self, seat: int) -> dict[Card, Pose]:
        return {
            card: beside(self._places.reset_pose(seat, index), self._rng, 1.0, 1.0)
            for index, card in enumerate(self._resets[seat])
        }

    def _state(self) -> dict[str, object]:
        centre = {side: list(pile) for side, pile in self._centre.items()}
        resets = {seat: list(pile) for seat, pile in self._resets.items()}
        return {"_stock": list(self._stock), "_centre": centre, "_resets": resets}
