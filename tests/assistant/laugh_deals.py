"""Positions and deals of Laugh and Lie Down for the tests: built from a few words, dealt and played at random."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from assistant.cards import PACK, Card, parse_cards
from assistant.games import game_named
from assistant.games.bag import Bag
from assistant.games.game import Action, Setup
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.games.laugh_setup import rules_of, scale_of
from assistant.games.settlement import SCALES
from assistant.games.whereabouts import Whereabouts

LAUGH = "laugh-and-lie-down"
HERE = Path(__file__).parent


def at(
    table: str,
    hands: Mapping[int, str],
    piles: Mapping[int, str] | None = None,
    *,
    to_act: int = 2,
    players: int = 5,
    dealer: int = 1,
    turns: int = 1,
    options: Mapping[str, str] | None = None,
) -> LaughPosition:
    """A position in the middle of a deal with just these cards; seats without a hand here are out."""
    setup = Setup(LAUGH, players, dealer, options=options or {})
    won = tuple(parse_cards((piles or {}).get(seat, "")) for seat in range(1, players + 1))
    places = Whereabouts(
        Bag.of(parse_cards(table)),
        tuple(Bag.of(parse_cards(hands.get(seat, ""))) for seat in range(1, players + 1)),
        won,
        Bag.of(card for pile in won for card in pile),
    )
    return LaughPosition(setup, rules_of(setup), (), places, tuple(sorted(hands)), to_act, turns)


def dealt(
    players: int = 5, *, seed: int = 0, dealer: int = 1, options: Mapping[str, str] | None = None, table: str = ""
) -> Setup:
    """A random deal with every hand known; ``table`` puts these cards face up."""
    scale = scale_of(Setup(LAUGH, players, dealer, options=options or {})) or SCALES[players]
    first = list(parse_cards(table))
    rest = [card for card in PACK if card not in first]
    random.Random(seed).shuffle(rest)
    cards = first + rest
    hands = {
        seat: tuple(cards[scale.table + (seat - 1) * scale.hand : scale.table + seat * scale.hand])
        for seat in range(1, players + 1)
    }
    return Setup(LAUGH, players, dealer, tuple(cards[: scale.table]), hands, dict(options or {}))


def begun(setup: Setup) -> LaughPosition:
    """The position before the first action."""
    position = game_named(setup.game).deal(setup)
    assert isinstance(position, LaughPosition)
    return position


def without_hands(setup: Setup) -> Setup:
    """The same deal as somebody sees it who sees no hand."""
    return Setup(setup.game, setup.players, setup.dealer, setup.table, {}, setup.options, setup.names)


def claim_actions(position: LaughPosition) -> list[Action]:
    """Every open claim by everybody who may make it."""
    return [Action(seat, "claim", claim.cards) for claim in position.claims() for seat in claim.claimants]


def played(setup: Setup, seed: int = 0, *, carelessness: float = 0.5) -> list[LaughPosition]:
    """Play a deal to its end at random, oversights, short takes and claims included; every position on the way."""
    chance = random.Random(seed)
    position = begun(setup)
    positions = [position]
    while not position.over:
        choices = [one for one in position.legal_actions() if one.verb in ("mate", "lie-down")]
        extra = [one for one in position.legal_actions() if one.verb in ("lay", "take")] + claim_actions(position)
        if extra and chance.random() > carelessness:
            choices = extra
        position = position.apply(chance.choice(choices))
        positions.append(position)
    while position.claims() and chance.random() > carelessness:
        position = position.apply(chance.choice(claim_actions(position)))
        positions.append(position)
    return positions


def all_cards(position: LaughPosition) -> list[Card]:
    """Every card wherever it is."""
    cards = [*position.places.table.cards(), *(card for pile in position.places.piles for card in pile)]
    return cards + [card for hand in position.places.hands for card in hand.cards()]
