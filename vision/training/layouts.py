"""Where cards lie on the table: scattered, fanned, overlapping, in rows, in piles, or a whole deal at once.

Lengths are millimetres on the table (a card is 88 mm high), turns are radians.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np


@dataclass(frozen=True, slots=True)
class Placed:
    """A card's place on the table: its centre in mm and its turn in radians."""

    x: float
    y: float
    turn: float


KINDS: Final = ("any", "deal", "rows")
"""Any layout; four fans of thirteen; 12 to 52 cards in rows."""


def layout(rng: np.random.Generator, kind: str = "any") -> list[Placed]:
    """Where the cards of one scene lie; ``kind`` is one of ``KINDS``."""
    if kind == "deal":
        return whole_deal(rng)
    if kind == "rows":
        return rows(rng, int(rng.integers(12, 53)), int(rng.integers(6, 14)))
    chance = rng.random()
    if chance < 0.12:
        return scatter(rng, 1, 5)
    if chance < 0.17:
        return whole_deal(rng)
    if chance < 0.22:
        return rows(rng, int(rng.integers(12, 53)), int(rng.integers(6, 14)))
    cards: list[Placed] = []
    for _ in range(int(rng.choice([1, 2, 3, 4], p=[0.45, 0.3, 0.15, 0.1]))):
        shift = rng.normal(0, 130, 2) if cards else np.zeros(2)
        cards += [Placed(card.x + shift[0], card.y + shift[1], card.turn) for card in _group(rng)]
    return cards


def _group(rng: np.random.Generator) -> list[Placed]:
    kind = rng.integers(6)
    if kind == 0:
        return scatter(rng, int(rng.integers(1, 12)), rng.uniform(40, 160))
    if kind in (1, 2):
        return fan(rng, int(rng.integers(3, 14)))
    if kind == 3:
        return strip(rng, int(rng.integers(2, 14)))
    if kind == 4:
        return rows(rng, int(rng.integers(2, 21)), int(rng.integers(2, 8)))
    return pile(rng, int(rng.integers(2, 6)))


def scatter(rng: np.random.Generator, count: int, spread: float) -> list[Placed]:
    """Cards thrown on the table, any way round."""
    centres = rng.normal(0, spread, (count, 2))
    return [Placed(float(x), float(y), rng.uniform(0, 2 * np.pi)) for x, y in centres]


def fan(rng: np.random.Generator, count: int) -> list[Placed]:
    """Cards around a point, each over the one before it."""
    radius = rng.uniform(75, 260)
    step = rng.uniform(9, 26) / (radius + 44)
    turn = rng.uniform(0, 2 * np.pi)
    cards = []
    for k in range(count):
        angle = turn + (k - count / 2) * step + rng.normal(0, 0.012)
        reach = radius + rng.normal(0, 1.5)
        cards.append(Placed(reach * np.sin(angle), -reach * np.cos(angle), angle))
    return cards


def whole_deal(rng: np.random.Generator) -> list[Placed]:
    """Four hands of thirteen, fanned or stepped, one at each side of the table."""
    apart = rng.uniform(110, 240)
    cards: list[Placed] = []
    for side in range(4):
        hand = fan(rng, 13) if rng.random() < 0.8 else strip(rng, 13)
        x, y = np.mean([(card.x, card.y) for card in hand], axis=0)
        angle = side * np.pi / 2 + rng.normal(0, 0.15)
        at = (apart * np.cos(angle), apart * np.sin(angle))
        cards += [Placed(card.x - x + at[0], card.y - y + at[1], card.turn) for card in hand]
    return cards


def strip(rng: np.random.Generator, count: int) -> list[Placed]:
    """An overlapping row or column, tidy or less so."""
    step = rng.uniform(12, 40)
    direction = rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)], p=[0.45, 0.4, 0.15])
    untidy = rng.choice([0.01, 0.05, 0.2])
    places = [(step * k * np.cos(direction), step * k * np.sin(direction)) for k in range(count)]
    return _turned(rng, places, 1 + 8 * untidy, untidy, 0.15)


def rows(rng: np.random.Generator, count: int, columns: int) -> list[Placed]:
    """Cards side by side in rows."""
    gap_x, gap_y = rng.uniform(64, 84), rng.uniform(90, 115)
    untidy = rng.choice([0.01, 0.06, 0.2])
    middle = (min(count, columns) - 1) / 2, (-(-count // columns) - 1) / 2
    places = [((k % columns - middle[0]) * gap_x, (k // columns - middle[1]) * gap_y) for k in range(count)]
    return _turned(rng, places, 20 * untidy, untidy, 0.3)


def _turned(
    rng: np.random.Generator, places: list[tuple[float, float]], shift: float, untidy: float, flipped: float
) -> list[Placed]:
    """Places turned together about the origin, each a little off and some upside down."""
    turn = rng.uniform(0, 2 * np.pi)
    return [
        Placed(
            x * np.cos(turn) - y * np.sin(turn) + rng.normal(0, shift),
            x * np.sin(turn) + y * np.cos(turn) + rng.normal(0, shift),
            turn + rng.normal(0, untidy) + (np.pi if rng.random() < flipped else 0.0),
        )
        for x, y in places
    ]


def pile(rng: np.random.Generator, count: int) -> list[Placed]:
    """An untidy pile."""
    turn = rng.uniform(0, 2 * np.pi)
    return [Placed(float(x), float(y), turn + rng.normal(0, 0.5)) for x, y in rng.normal(0, 14, (count, 2))]
