"""Random deals of Laugh and Lie Down played by a simple policy with faults, for tests of following."""

from __future__ import annotations

import random
from collections import Counter

from assistant.cards import PACK, Card
from assistant.games.game import Action, Position, Setup
from assistant.games.laugh_and_lie_down import LaughAndLieDown
from assistant.games.settlement import SCALES

GAME = LaughAndLieDown()


def random_setup(players: int, rng: random.Random) -> Setup:
    pack = list(PACK)
    rng.shuffle(pack)
    scale = SCALES[players]
    hands = {seat: tuple(pack[(seat - 1) * scale.hand : seat * scale.hand]) for seat in range(1, players + 1)}
    table = tuple(pack[players * scale.hand :])
    return Setup(GAME.name, players, rng.randint(1, players), table, hands)


def play(setup: Setup, rng: random.Random, *, faults: float = 0.4, notice: float = 0.5) -> list[Action]:
    """All actions of a deal. ``faults``: how often a set is not laid, a mournival left, one taken of three."""
    position: Position = GAME.deal(setup)
    actions: list[Action] = []

    def do(action: Action) -> None:
        nonlocal position
        position = position.apply(action)
        actions.append(action)

    for rank, number in Counter(card.rank for card in setup.table).items():
        if number == 4 and rng.random() >= faults:
            do(Action(setup.dealer, "take", tuple(card for card in setup.table if card.rank == rank)))
    while not position.over:
        for claim in position.claims():
            if rng.random() < notice and claim in position.claims():
                do(Action(rng.choice(claim.claimants), "claim", claim.cards))
        lays = [action for action in position.legal_actions() if action.verb == "lay"]
        if lays and rng.random() >= faults:
            do(max(lays, key=lambda action: len(action.cards)))
            continue
        mates = [action for action in position.legal_actions() if action.verb == "mate"]
        if mates:
            longest = max(mates, key=lambda action: len(action.cards))
            do(longest if len(longest.cards) == 4 and rng.random() >= faults else rng.choice(mates))
        else:
            do(next(action for action in position.legal_actions() if action.verb == "lie-down"))
    return actions


def final(setup: Setup, actions: list[Action]) -> Position:
    position: Position = GAME.deal(setup)
    for action in actions:
        position = position.apply(action)
    return position


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())
