"""Careful play of Laugh and Lie Down through the engine, for the tests of hints."""

from __future__ import annotations

import random
from collections.abc import Mapping

from assistant.games.game import Action
from assistant.games.laugh_and_lie_down import LaughPosition
from tests.assistant.laugh_deals import begun, dealt


def careful(position: LaughPosition) -> LaughPosition:
    """The position after the dealer and everybody else has taken and laid whatever may be."""
    while True:
        free = [one for one in position.legal_actions() if one.verb in ("take", "lay")]
        if not free:
            return position
        position = position.apply(max(free, key=lambda one: len(one.cards)))


def turns(position: LaughPosition) -> list[Action]:
    """The turns of the seat in turn, one for each rank: the mate that takes the most, or lying down."""
    whole: dict[tuple[str, str], Action] = {}
    for one in position.legal_actions():
        if one.verb in ("mate", "lie-down"):
            key = (one.verb, one.cards[0].rank if one.verb == "mate" else "")
            if key not in whole or len(one.cards) > len(whole[key].cards):
                whole[key] = one
    return list(whole.values())


def played_until(
    left: int, *, players: int = 5, seed: int = 0, dealer: int = 1, options: Mapping[str, str] | None = None
) -> LaughPosition:
    """A deal played carefully but otherwise at random until so many are left, all hands in the record."""
    chance = random.Random(seed)
    position = careful(begun(dealt(players, seed=seed, dealer=dealer, options=options)))
    while len(position.active) > left:
        position = careful(position.apply(chance.choice(turns(position))))
    return position


def net_of(position: LaughPosition, seat: int) -> int:
    """The seat's result of a deal that is over."""
    settlement = position.settlement()
    assert settlement is not None
    return int(settlement["seats"][seat - 1]["net"])


def searched(position: LaughPosition, asks: int, against: int) -> tuple[int, int]:
    """The nets of the one who asks and of his opponent by trying everything, sets laid at once.

    Of choices that are worth as much to whoever makes them, the one that is worst for the other is taken.
    """
    position = careful(position) if not position.over else position
    if position.over:
        return net_of(position, asks), net_of(position, against)
    outcomes = [searched(position.apply(one), asks, against) for one in turns(position)]
    if position.to_act == asks:
        return max(outcomes, key=lambda outcome: (outcome[0], -outcome[1]))
    return max(outcomes, key=lambda outcome: (outcome[1], -outcome[0]))
