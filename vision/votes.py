"""Votes: what several readings of one physical card, and of all cards together, say about which card it is.

A reading is a vector of log-probabilities over the 52 cards. Readings of one card add up; as a pack holds each card
once, all cards are named together, by the assignment of least cost (Hungarian method), with "unknown" as a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.cards import PACK, UNKNOWN, Card
from vision.recogniser import Reading

Vector = npt.NDArray[np.float64]

DOUBT: Final = 0.05
"""The share of readings that say nothing, however sure they look: a wrong one must be outvoted by two right ones."""
UNKNOWN_COST: Final = 4.0
"""A name less likely than exp(-4) is not given: rather unknown."""
SURE: Final = 0.6
"""A card is named where it is likelier than this, its rank alone where all its suits together are."""
_INDEX: Final = {card: number for number, card in enumerate(PACK)}
_RANK_ROWS: Final = {card.rank: [i for i, other in enumerate(PACK) if other.rank == card.rank] for card in PACK}


def reading_vector(reading: Reading) -> Vector:
    """The log-probabilities (52) of one reading; what it leaves open is spread evenly."""
    probable = np.zeros(len(PACK))
    for card, share in ((reading.card, reading.confidence), *reading.others):
        if card.known:
            probable[_INDEX[card]] += share
        elif card.rank:
            probable[_RANK_ROWS[card.rank]] += share / 4
    total = probable.sum()
    probable = probable / total if total > 1 else probable + (1 - total) / len(PACK)
    return np.asarray(np.log((1 - DOUBT) * probable + DOUBT / len(PACK)), dtype=np.float64)


def pinned_vector(card: Card) -> Vector:
    """The vector of a card that a person has named (its suit may be unknown)."""
    vector = np.full(len(PACK), -60.0)
    vector[[i for i, other in enumerate(PACK) if card.matches(other)]] = 0.0
    return vector


def posterior(votes: Sequence[Vector]) -> Vector:
    """Probabilities (52, sum 1) of a card from its readings."""
    total = np.sum(votes, axis=0)
    share = np.exp(total - total.max())
    return np.asarray(share / share.sum(), dtype=np.float64)


def agreement(one: Vector, other: Vector) -> float:
    """The probability (0..1) that two distributions mean the same card."""
    return float(np.dot(one, other))


def name_together(shares: Sequence[Vector], handicaps: Sequence[float]) -> list[int | None]:
    """One card (index into PACK) or None for each distribution, no card twice, the likeliest as a whole.

    ``handicaps`` (nats) make the claims of some weaker than those of others.
    """
    if not shares:
        return []
    costs = -np.log(np.maximum(np.array(shares), 1e-9)) + np.array(handicaps)[:, None]
    unknown = np.full((len(shares), len(shares)), UNKNOWN_COST)
    rows, columns = linear_sum_assignment(np.hstack([costs, unknown]))
    return [int(c) if c < len(PACK) else None for _, c in sorted(zip(rows, columns, strict=True))]


def clearness(votes: Sequence[Vector], card: Card) -> float:
    """How sure single readings were of a card (0..1), on the average. Many faint readings do not make a clear card:
    what looks a little like a card looks so again and again."""
    rows = [i for i, other in enumerate(PACK) if card.matches(other)]
    return min(0.999, float(np.exp(np.array(votes)[:, rows]).sum(axis=1).mean()) / (1 - DOUBT))


def opinion(share: Vector, taken: Sequence[int]) -> tuple[Card, float, tuple[tuple[Card, float], ...]]:
    """What to call a card: its name, how likely it is, and further candidates, best first.

    ``taken`` are the cards (indices) that other places hold. The name is only the rank (``7?``) where the suit is
    open, and ``??`` where nothing is likely.
    """
    left = share.copy()
    left[list(taken)] = 0.0
    left /= max(float(left.sum()), 0.1)
    candidates = left.copy()
    candidates[list(taken)] = 0.1 * share[list(taken)]
    order = np.argsort(left)[::-1]
    further = tuple(
        (PACK[int(i)], round(float(candidates[i]), 4))
        for i in np.argsort(candidates)[::-1][:4]
        if candidates[i] >= 0.02
    )
    best = int(order[0])
    if left[best] >= SURE:
        return PACK[best], min(0.999, float(left[best])), tuple(one for one in further if one[0] != PACK[best])
    by_rank = {rank: float(left[rows].sum()) for rank, rows in _RANK_ROWS.items()}
    rank = max(by_rank, key=lambda key: by_rank[key])
    if by_rank[rank] >= SURE:
        return Card(rank, ""), min(0.999, by_rank[rank]), further
    return UNKNOWN, max(0.0, 1 - float(left[best])), further
