"""What a hint is, and what a game must give so that there are hints for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from assistant.cards import Card
from assistant.games import game_named
from assistant.games.game import Action, InvalidInput, Position


@dataclass(frozen=True, slots=True)
class Hint:
    """One action and what the seat can expect of it.

    ``value`` is the expected result of the deal for the seat (stakes in Laugh and Lie Down, points in the other games),
    ``spread`` its standard error, ``samples`` the number of deals tried. An ``exact`` hint was worked out to the end:
    its spread is 0 and nothing was tried. ``why`` is one sentence.
    """

    action: Action
    value: float
    spread: float
    samples: int
    exact: bool
    why: str

    def as_json(self) -> dict[str, Any]:
        """The hint as ``mournival hint --json`` writes it."""
        return {
            "action": str(self.action),
            "value": round(self.value, 4),
            "spread": round(self.spread, 4),
            "samples": self.samples,
            "exact": self.exact,
            "why": self.why,
        }


class Hinter(Protocol):
    """Gives the hints of one game, and knows what a hand is in it."""

    def hints(self, position: Position, seat: int, rng: np.random.Generator, samples: int) -> tuple[Hint, ...]:
        """The seat's legal actions, best first; none where it can do nothing now. Raises InvalidInput where the
        seat's hand is not known."""
        ...

    def possible(self, position: Position, seat: int) -> frozenset[Card]:
        """The cards that the seat may hold, as far as is seen."""
        ...

    def holding(self, position: Position, seat: int, cards: tuple[Card, ...]) -> Position:
        """The same deal as the seat sees it that holds just these cards now, each of them possible and as many as it
        holds. Raises GameError where they contradict what the seat has done."""
        ...

    def held(self, position: Position, seat: int) -> tuple[Card, ...]:
        """The cards of the seat's hand, known as far as the position knows them."""
        ...

    def offers(self, position: Position, seat: int) -> tuple[Action, ...]:
        """What the seat could do with its hand as the table lies, were it its turn."""
        ...


def hand_not_known(seat: int) -> InvalidInput:
    """What is said where a seat's hand is not known."""
    return InvalidInput(
        "hand-unknown", f"the hand of seat {seat} is not known: write it in the record as 'hand {seat}: CARDS'"
    )


def seen_by(position: Position, seat: int, hand: tuple[Card, ...]) -> Position:
    """The same deal as the seat sees it that was dealt this hand: what the record tells of other hands is forgotten."""
    setup = position.setup
    seen = game_named(setup.game).deal(replace(setup, hands={seat: hand}))
    for action in position.actions:
        seen = seen.apply(action)
    return seen
