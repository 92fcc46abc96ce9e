"""Deals played to be filmed: what is done, what each seat holds meanwhile, and what is misplayed and undone.

Players see their own hands; the position here is an observer's, who sees none, so it accepts what only a hand forbids.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from assistant.cards import Card
from assistant.games import game_named
from assistant.games.game import Action, GameError, Position, Setup
from assistant.record import Record
from vision.render.gesture import Step
from vision.render.misplays import Misplay

Hands = Mapping[int, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Played:
    """A deal as it was played. ``hands``: before each action and at the end; ``positions``: the same, an observer's.

    The record tells the hands only where what is played is allowed with them.
    """

    record: Record
    hands: tuple[Hands, ...]
    positions: tuple[Position, ...]
    misplays: tuple[Misplay, ...] = ()

    def first(self, number: int) -> Played:
        """The deal broken off after so many actions."""
        return Played(
            replace(self.record, actions=self.record.actions[:number]),
            self.hands[: number + 1],
            self.positions[: number + 1],
            tuple(misplay for misplay in self.misplays if misplay.before <= number),
        )


def seen_setup(setup: Setup) -> Setup:
    """The set-up as an observer knows it: without the hands."""
    return Setup(setup.game, setup.players, setup.dealer, setup.table, {}, setup.options)


def start(setup: Setup) -> Position:
    """The observer's position before the first action."""
    return game_named(setup.game).deal(seen_setup(setup))


Offer = Callable[[Position, Hands, random.Random], Iterator[tuple[str, Step]]]
"""What may be done against the rules in a position: the code that is expected, and the step."""


def with_misplays(played: Played, offer: Offer, wanted: tuple[str, ...], chance: random.Random) -> Played:
    """The deal with some misplays, each where its code can come about; no two at one place."""
    found: list[Misplay] = []
    for code in wanted:
        places = [place for place in range(1, len(played.positions)) if all(place != one.before for one in found)]
        chance.shuffle(places)
        for place in places:
            position, hands = played.positions[place], played.hands[place]
            steps = [step for named, step in offer(position, hands, chance) if named == code]
            if steps:
                found.append(Misplay(place, chance.choice(steps), chance.uniform(4.5, 6.0), code))
                break
    return replace(played, misplays=tuple(sorted(found, key=lambda one: one.before)))


def refused(position: Position, action: Action) -> str:
    """The code with which the rules refuse an action; empty where they allow it."""
    try:
        position.apply(action)
    except GameError as error:
        return error.code
    return ""


def offers(position: Position, actions: Iterator[Action], codes: tuple[str, ...]) -> Iterator[tuple[str, Step]]:
    """Those of some actions that the rules refuse with one of these codes."""
    for action in actions:
        if (code := refused(position, action)) in codes:
            yield code, Step(action.seat, action.verb, action.cards)


def without(hands: Hands, seat: int, cards: tuple[Card, ...]) -> dict[int, tuple[Card, ...]]:
    """The hands after a seat has given some cards away."""
    return {**hands, seat: tuple(card for card in hands[seat] if card not in cards)}
