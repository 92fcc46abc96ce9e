"""Positions and deals of Rolling Stone for the tests: built from a few words, dealt and played at random."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from assistant.cards import PACK, parse_cards
from assistant.games.game import Action, GameError, Setup
from assistant.games.rolling_stone import GAME, StonePosition
from assistant.games.stone_cards import SUIT_BITS, bits_of, cards_of, suit_of
from assistant.games.stone_hidden import Places
from assistant.games.stone_setup import rules_of

STONE = "rolling-stone"
OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    "direction": ("clockwise", "anticlockwise"),
    "lead_bar": ("suit", "cards", "off"),
    "end_moment": ("last_card_played", "trick_finished"),
    "voluntary_pickup": ("off", "on"),
    "stop": ("pickups_15n", "leads_20", "leads_500"),
    "score": ("points", "cards_left"),
    "revoke": ("warn", "retract"),
    "dealer_next": ("left", "winner"),
}
"""The options with values under which every deal ends."""


def at(
    hands: Mapping[int, str],
    *,
    to_act: int,
    table: str = "",
    players: int = 4,
    dealer: int = 4,
    options: Mapping[str, str] | None = None,
) -> StonePosition:
    """A position in the middle of a deal with just these cards in play; all hands are known."""
    setup = Setup(STONE, players, dealer, options=options or {})
    held = tuple(bits_of(parse_cards(hands.get(seat, ""))) for seat in range(1, players + 1))
    trick = parse_cards(table)
    return StonePosition(
        setup,
        rules_of(setup),
        (),
        Places(held),
        tuple(hand.bit_count() for hand in held),
        to_act,
        (0,) * players,
        ((),) * players,
        trick,
        SUIT_BITS[suit_of(bits_of(trick[:1]))] if trick else 0,
        leads=1 if trick else 0,
    )


def dealt(players: int = 4, *, seed: int = 0, dealer: int = 1, options: Mapping[str, str] | None = None) -> Setup:
    """A random deal with every hand known."""
    pack = list(PACK)
    random.Random(seed).shuffle(pack)
    return GAME.shuffled(Setup(STONE, players, dealer, options=dict(options or {})), pack)


def begun(setup: Setup) -> StonePosition:
    """The position before the first action."""
    position = GAME.deal(setup)
    assert isinstance(position, StonePosition)
    return position


def without_hands(setup: Setup, *seats: int) -> Setup:
    """The same deal as somebody sees it who sees only the hands of these seats."""
    hands = {seat: setup.hands[seat] for seat in seats}
    return Setup(setup.game, setup.players, setup.dealer, (), hands, setup.options, setup.names)


def played(setup: Setup, seed: int = 0, *, most: int = 10_000) -> list[StonePosition]:
    """Play a deal at random to its end, or ``most`` actions; every position on the way."""
    chance = random.Random(seed)
    positions = [begun(setup)]
    while not positions[-1].over and len(positions) <= most:
        positions.append(positions[-1].apply(chance.choice(positions[-1].legal_actions())))
    return positions


def do(position: StonePosition, *lines: str) -> StonePosition:
    """The position after some actions, written as in a record."""
    for line in lines:
        position = position.apply(Action.parse(line))
    return position


def refusal(position: StonePosition, line: str) -> GameError:
    """The error with which an action is refused; every one names a rule, and a code of lower-case words."""
    with pytest.raises(GameError) as caught:
        position.apply(Action.parse(line))
    error = caught.value
    assert error.rule.startswith("RST-")
    assert error.code
    assert error.code.replace("-", "").isalnum()
    assert error.code == error.code.lower()
    assert "\n" not in error.reason
    return error


def legal(position: StonePosition) -> set[str]:
    """The legal actions as lines."""
    return {str(action) for action in position.legal_actions()}


def hand(position: StonePosition, seat: int) -> str:
    """The sure cards of a hand, spades to clubs, low to high."""
    return " ".join(map(str, cards_of(position.places.hands[seat - 1])))
