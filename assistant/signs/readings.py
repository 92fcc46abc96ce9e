"""What a card that is new on the table may be, by what was read of it."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Final

from assistant.cards import SUITS, Card
from assistant.signs.difference import candidates
from assistant.view import SeenCard

LEAST_SHARE: Final = 0.05
"""What is less likely than this is not looked at."""


def options(seen: SeenCard, known: Container[Card]) -> tuple[tuple[Card, float], ...]:
    """The cards that it may be with their costs in nats, best first, without those known to lie elsewhere.

    A card of which the rank alone was read may be of any suit, but those that were not named are the less likely.
    """
    shares: dict[Card, float] = {card: share for card, share in seen.others if card.known}
    read = seen.card
    if read.known:
        shares[read] = max(seen.confidence, shares.get(read, 0.0))
    for rank, total in ((card.rank, share) for card, share in candidates(seen) if card.rank and not card.suit):
        suits = [Card(rank, suit) for suit in SUITS]
        rest = total - sum(shares.get(card, 0.0) for card in suits)
        unnamed = [card for card in suits if card not in shares]
        shares |= {card: max(rest / len(unnamed), LEAST_SHARE) for card in unnamed}
    fit = [(card, -math.log(min(1.0, share))) for card, share in shares.items() if share >= LEAST_SHARE]
    return tuple(sorted(((card, cost) for card, cost in fit if card not in known), key=lambda option: option[1]))
