"""Deals and plain faces for the tests of the virtual table."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from assistant.cards import PACK, Card, parse_cards
from assistant.games import game_named
from assistant.games.game import Action, Position, Setup
from assistant.games.laugh_and_lie_down import LaughAndLieDown
from vision.render.film import Script
from vision.render.gesture import Step

HAND_SIZES = {3: 14, 4: 10, 5: 8, 6: 6}

SHORT = Script(
    players=3,
    dealer=1,
    table=parse_cards("KS KD KC 7S"),
    hands={1: parse_cards("2S 3S"), 2: parse_cards("KH 7H 7D 7C"), 3: parse_cards("4S")},
    steps=(
        Step(2, "lay", parse_cards("7H 7D")),
        Step(2, "mate", parse_cards("KH KS")),
        Step(3, "claim", parse_cards("KD KC")),
        Step(3, "lie-down", parse_cards("4S")),
        Step(1, "lie-down", parse_cards("2S 3S")),
    ),
)
"""A piece of a deal: a lay, a short take that is claimed, two lie-downs and the sweep."""


def plain_faces() -> dict[Card, npt.NDArray[np.uint8]]:
    """52 faces of one colour each, all told apart by it."""
    faces = {}
    for number, card in enumerate(PACK):
        face = np.full((84, 60, 4), 255, np.uint8)
        face[..., :3] = (40 + 50 * (number % 4), 40 + 50 * (number // 4 % 4), 40 + 50 * (number // 16))
        faces[card] = face
    return faces


def played_deal(seed: int, players: int) -> Position:
    """A whole deal, played at random but legally; claims are made now and then."""
    rng = random.Random(seed)
    pack = list(PACK)
    rng.shuffle(pack)
    size = HAND_SIZES[players]
    hands = {seat: tuple(pack[(seat - 1) * size : seat * size]) for seat in range(1, players + 1)}
    setup = Setup("laugh-and-lie-down", players, rng.randint(1, players), tuple(pack[players * size :]), hands)
    position: Position = LaughAndLieDown().deal(setup)
    while not position.over:
        claims = [Action(seat, "claim", claim.cards) for claim in position.claims() for seat in claim.claimants]
        legal = position.legal_actions()
        other = [action for action in legal if action.verb != "lie-down"]
        choices = claims if claims and rng.random() < 0.5 else other or list(legal)
        position = position.apply(rng.choice(choices))
    return position


def stone_deal(seed: int, players: int = 4, most: int = 400) -> Position:
    """A deal of Rolling Stone played at random, up to ``most`` actions."""
    rng = random.Random(seed)
    game = game_named("rolling-stone")
    pack = list(PACK)
    rng.shuffle(pack)
    position = game.deal(game.shuffled(Setup("rolling-stone", players, rng.randint(1, players)), pack))
    while not position.over and len(position.actions) < most:
        position = position.apply(rng.choice(position.legal_actions()))
    return position


def sbros_deal(seed: int) -> Position:
    """A whole deal of Sbros, played at random, of which every card is known."""
    rng = random.Random(seed)
    game = game_named("sbros")
    pack = list(PACK)
    rng.shuffle(pack)
    setup, stock = game.shuffled(Setup("sbros", 2, rng.randint(1, 2)), pack), pack[14:]
    actions: list[Action] = []
    position = game.deal(setup)
    while not position.over:
        action = rng.choice(position.legal_actions())
        drawn = len(action.cards)
        actions.append(action)
        hands = {**setup.hands, action.seat: (*setup.hands[action.seat], *stock[:drawn])}
        setup, stock = replace(setup, hands=hands), stock[drawn:]
        position = game.deal(setup)
        for done in actions:
            position = position.apply(done)
    return position


def script_of(position: Position) -> Script:
    """What the virtual table needs of a deal."""
    setup = position.setup
    steps = tuple(Step(action.seat, action.verb, action.cards) for action in position.actions)
    return Script(setup.players, setup.dealer, setup.table, setup.hands, steps)
