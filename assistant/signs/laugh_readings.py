"""Laugh and Lie Down: what a card that is new on the table may be. A doubtful suit is left open, since suits never
matter (LLD-1)."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Final

from assistant.cards import Card
from assistant.signs.difference import candidates
from assistant.view import SeenCard

SUIT_SURE: Final = 0.9
"""The suit of a card that is less sure than this, given its rank, is left open."""
MISREAD: Final = 2.5
"""Cost in nats, beside what its reading leaves open, of a card that is of another rank than it is read as."""
LEAST_OPEN: Final = 0.02
"""No reading leaves less open than this."""


def options(seen: SeenCard, known: Container[Card]) -> tuple[tuple[Card, float], ...]:
    """What a card new on the table may be: cards not known elsewhere, or a rank where only that is sure.

    A doubtful suit is left open, as in ``as_far_as_sure``.
    """
    found: dict[Card, float] = {}
    shares = candidates(seen)
    for card, share in shares:
        if share < 0.05:
            continue
        if not _suit_sure(card, share, shares):
            card, share = Card(card.rank, ""), min(1.0, sum(part for named, part in shares if named.rank == card.rank))
        cost = -math.log(share)
        if card in known and card.suit:
            card, cost = Card(card.rank, ""), cost + 2.0
        found[card] = min(cost, found.get(card, 99.0))
    return tuple(found.items())


def as_far_as_sure(seen: SeenCard) -> Card:
    """A seen card, its suit left open where it is doubtful: suits never matter (LLD-1), and a wrong one would
    contradict the card that has it."""
    sure = _suit_sure(seen.card, seen.confidence, candidates(seen))
    return seen.card if sure else Card(seen.card.rank, "")


def _suit_sure(card: Card, share: float, shares: tuple[tuple[Card, float], ...]) -> bool:
    """Whether a suit is sure if the rank is right: what isn't given to another rank may be the same rank's."""
    other_ranks = sum(part for other, part in shares if other.rank != card.rank)
    return share >= SUIT_SURE * (1.0 - other_ranks)


def cost_of_misreading(seen: SeenCard) -> float:
    """How unlikely it is that a card is none of those that it is read as."""
    return MISREAD - math.log(max(LEAST_OPEN, 1.0 - sum(share for _, share in candidates(seen))))
