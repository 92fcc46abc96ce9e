"""Sbros where nobody drew zones: which cards are the two in the centre. They lie side by side (SBR-3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.view import Point, Quad, SeenCard

ABREAST: Final = 0.75
"""Cards lie side by side if the one lies so many cards' lengths ahead of the other at most,"""
NEAREST, FARTHEST = 0.75, 4.5
"""and so many cards' widths beside it; else, if it is no farther ahead, it lies on it."""
TOGETHER: Final = 6.0
"""Seconds between the two cards of a play at most."""


def side_by_side(one: SeenCard, other: SeenCard) -> bool:
    """Whether two cards may be the two in the centre."""
    return not (one.covered or other.covered) and _beside(one.quad, other.quad)


def by_the_first_play(card: Card, quad: Quad, cards: Sequence[SeenCard]) -> tuple[tuple[Card, ...], tuple[Quad, ...]]:
    """The two cards of the deal, left and right, and where the piles lie, as the first play shows it: ``card`` lay
    alone at ``quad``, one card lies on it now, and one beside. Nothing if no play shows it."""
    upon = [one for one in cards if _upon(one.quad, quad)]
    new = [one for one in upon if one.card != card and not one.covered]
    beside = [one for one in cards if not one.covered and _beside(one.quad, quad)]
    if len(beside) != 1 or not (new or any(one.covered for one in upon)):
        return (), ()
    if new and all(abs(one.since - beside[0].since) > TOGETHER for one in new):
        return (), ()
    if _middle(quad)[0] < _middle(beside[0].quad)[0]:
        return (card, UNKNOWN), (quad, beside[0].quad)
    return (UNKNOWN, card), (beside[0].quad, quad)


def _beside(one: Quad, other: Quad) -> bool:
    across, along = _step(one, other)
    return along <= ABREAST and NEAREST <= across <= FARTHEST


def _upon(one: Quad, other: Quad) -> bool:
    across, along = _step(one, other)
    return along <= ABREAST and across < NEAREST


def _step(one: Quad, other: Quad) -> tuple[float, float]:
    """How far another card's middle is from a card's, in that card's widths and lengths."""
    (ax, ay), (bx, by), (cx, cy), _ = one
    (x, y), (u, v) = _middle(one), _middle(other)
    across, along = (bx - ax, by - ay), (cx - bx, cy - by)
    area = across[0] * along[1] - across[1] * along[0]
    if abs(area) < 1e-9:
        return math.inf, math.inf
    step = (u - x, v - y)
    return (
        abs(step[0] * along[1] - step[1] * along[0]) / abs(area),
        abs(across[0] * step[1] - across[1] * step[0]) / abs(area),
    )


def _middle(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4
