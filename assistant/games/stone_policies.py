"""Simple ways to play Rolling Stone well: pure functions from what the seat in turn knows to what it does.

A policy looks at the hand of the seat in turn, at what lies open and at what pick-ups have shown, never into another
hand, even where the position knows it. All follow with their lowest card, so that the high ones don't win the lead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from assistant.games.game import Action
from assistant.games.rolling_stone import StonePosition
from assistant.games.stone_cards import CARD_AT, SUIT_BITS, suit_of

Policy = Callable[[StonePosition], Action]
"""What the seat in turn does; its own hand must be known, and the deal not over."""


def longest_low(position: StonePosition) -> Action:
    """Lead the lowest card of the longest suit: keep a card in every suit, for being void is the only danger.

    A seat that leads so among random ones wins about a third of all deals of four.
    """
    playable = position.playable
    return _do(position, playable if position.trick else _longest(playable))


def longest_high(position: StonePosition) -> Action:
    """Lead the highest card of the longest suit."""
    playable = position.playable
    if position.trick or not playable:
        return _do(position, playable)
    return _do(position, 1 << _longest(playable).bit_length() - 1)


def attacking(position: StonePosition) -> Action:
    """Lead a suit that another is known to lack, the later in the order the better; else as ``longest_low``.

    It makes others swell, which prolongs the deal; it wins no more than ``longest_low``.
    """
    playable = position.playable
    if position.trick or not playable:
        return _do(position, playable)
    best = max(SUIT_BITS, key=lambda suit: _swells(position, suit) if suit & playable else -1)
    return _do(position, playable & best if _swells(position, best) else _longest(playable))


def known_voids(position: StonePosition) -> frozenset[tuple[int, int]]:
    """The seats that are publicly known to lack a suit (0..3, as in ``SUITS``): (seat, suit).

    They had to pick the suit up and hold none of the cards picked up.
    """
    return frozenset(
        (one.seat, suit_of(one.suit)) for one in position.picked if not position.open_cards[one.seat - 1] & one.suit
    )


def _swells(position: StonePosition, suit: int) -> int:
    """How many cards the first player who is known to lack a suit would have to pick up; 0 if there is none."""
    void = {seat for seat, lacking in known_voids(position) if lacking == suit_of(suit)}
    seat, step, players = position.to_act, position.rules.step, position.setup.players
    assert seat is not None
    return next((more for more in range(1, players) if (seat - 1 + step * more) % players + 1 in void), 0)


def _longest(cards: int) -> int:
    return max((cards & suit for suit in SUIT_BITS), key=int.bit_count)


def _do(position: StonePosition, cards: int) -> Action:
    """The lowest of some cards of one suit played; a pick-up if there are none."""
    seat = position.to_act
    assert seat is not None, "the deal is over"
    if not cards:
        return Action(seat, "pick-up")
    return Action(seat, "play", (CARD_AT[(cards & -cards).bit_length() - 1],))


POLICIES: Final[Mapping[str, Policy]] = {
    "longest-low": longest_low,
    "longest-high": longest_high,
    "attacking": attacking,
}
"""The policies by name, the best one first."""
