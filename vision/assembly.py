"""From indices to physical cards: readings of one card are joined, then all cards are named together.

A pack holds each card once, so the naming is one assignment (Kuhn 1955, by scipy) of cards to places, with the choice
to leave a place unnamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.cards import RANKS, SUITS, Card
from vision import geometry
from vision.detector import FoundIndex, direction
from vision.geometry import Floats
from vision.recogniser import Reading

_SAME_POINT: Final = 0.2
_SAME_SIZE: Final = 1.45
_SAME_INDEX: Final = 0.14
_AGREE: Final = 0.2
_AGREE_FULLY: Final = 0.85
_RANK_SURE: Final = 0.8
_DOUBLE: Final = 0.25
LEAST_SURE: Final = 0.5
"""Below this a card isn't named; if its rank alone is sure it is partly known, else left out."""

CARDS: Final = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)


@dataclass(frozen=True, slots=True)
class NamedIndex:
    """An index with what its crop says: 52 log-probabilities as in ``CARDS``, and whether it is one (0..1)."""

    found: FoundIndex
    names: Floats
    shows: float


@dataclass(frozen=True, slots=True)
class Place:
    """A physical card before it is named: its quad, the indices seen of it, and the evidence (52 log-probabilities)."""

    quad: Floats
    indices: tuple[NamedIndex, ...]
    evidence: Floats
    shows: float


def joint(ranks: Floats, suits: Floats) -> Floats:
    """Log-probabilities of the 52 cards from those of 13 ranks and 4 suits: N x 52."""
    return np.asarray((ranks[:, :, None] + suits[:, None, :]).reshape(len(ranks), -1), np.float32)


def normalised(evidence: Floats) -> Floats:
    """Probabilities that sum to one along the last axis."""
    shifted = np.exp(evidence - evidence.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), np.float32)


def same_card(one: NamedIndex, other: NamedIndex) -> bool:
    """Whether two indices stand on one physical card: where one's card says the other should be, and agreeing."""
    tall, other_tall = geometry.side_lengths(one.found.quad)[1], geometry.side_lengths(other.found.quad)[1]
    if max(tall, other_tall) > _SAME_SIZE * min(tall, other_tall):
        return False
    turned = float(direction(one.found.quad) @ direction(other.found.quad))
    corners = (0, 1) if turned > 0.8 else (2, 3) if turned < -0.8 else ()
    away = {
        corner: float(np.linalg.norm(geometry.index_point(one.found.quad, corner) - other.found.point)) / tall
        for corner in corners
    }
    agreement = float(np.sqrt(normalised(one.names) * normalised(other.names)).sum())
    if any(far < _SAME_POINT for corner, far in away.items() if corner != 0):
        return agreement > _AGREE
    # At the same corner it is the same index seen twice, or the next card of a narrow fan: those must not be joined.
    return away.get(0, 1.0) < _SAME_INDEX and agreement > _AGREE_FULLY


def gather(indices: Sequence[NamedIndex]) -> list[list[NamedIndex]]:
    """Group the indices by physical card; best index first in each group, at most four a card."""
    groups: list[list[NamedIndex]] = []
    for index in sorted(indices, key=lambda index: -index.found.weight * index.shows):
        for group in groups:
            if len(group) < 4 and same_card(group[0], index) and same_card(index, group[0]):
                group.append(index)
                break
        else:
            groups.append([index])
    return groups


def mean_quad(group: Sequence[NamedIndex]) -> Floats:
    """The outline that the indices of one card agree on, as the first of them reads it.

    Where an index stands is known better than how far the card reaches. So where both ends of a card are in view its
    outline is moved until the middle between its indices is where they have it.
    """
    first = group[0].found.quad
    total, weight = np.zeros((4, 2), np.float32), 0.0
    ends: dict[bool, Floats] = {}
    for index in group:
        quad = index.found.quad
        turned = float(direction(first) @ direction(quad)) < 0
        total += (np.roll(quad, 2, axis=0) if turned else quad) * index.found.weight
        weight += index.found.weight
        ends.setdefault(turned, index.found.point)
    mean = np.asarray(total / weight, np.float32)
    if len(ends) < 2:
        return mean
    here = geometry.index_point(mean, 0) + geometry.index_point(mean, 2)
    return np.asarray(mean + (ends[False] + ends[True] - here) / 2, np.float32)


def assign(places: Sequence[Place], *, one_pack: bool) -> list[Reading]:
    """Name the places. With ``one_pack`` each card is given once; a place whose card is taken may stay unnamed."""
    if not places:
        return []
    p = normalised(np.stack([place.evidence for place in places]))
    p = np.asarray(p * np.array([place.shows for place in places], np.float32)[:, None], np.float32)
    taken = _best_together(p) if one_pack else p.argmax(axis=1)
    if one_pack:
        p = _with_others_named(p, taken)
    readings = [_reading(place, p[k], int(taken[k])) for k, place in enumerate(places)]
    return [reading for reading in readings if reading is not None]


def _with_others_named(p: Floats, taken: npt.NDArray[np.int64]) -> Floats:
    """Each place's probabilities, given the names of the others: a card that lies elsewhere hardly lies here too."""
    named = taken[taken >= 0]
    doubt = 1.0 - p.sum(axis=1, keepdims=True)
    q = p.copy()
    for k, number in enumerate(taken):
        elsewhere = named[named != number]
        doubt[k] += _DOUBLE * q[k, elsewhere].sum()
        q[k, elsewhere] = 0
    return np.asarray(q / np.maximum(q.sum(axis=1, keepdims=True) + doubt, 1e-9), np.float32)


def _best_together(p: Floats) -> npt.NDArray[np.int64]:
    """The likeliest naming of all places at once: for each its card's number, or -1 for none."""
    unnamed = np.full((len(p), len(p)), -np.log(0.12), np.float32)
    cost = np.hstack([-np.log(np.maximum(p, 1e-9)), unnamed])
    rows, columns = linear_sum_assignment(cost)
    taken = np.full(len(p), -1, np.int64)
    taken[rows] = np.where(columns < len(CARDS), columns, -1)
    return taken


def _reading(place: Place, p: Floats, number: int) -> Reading | None:
    order = np.argsort(-p)
    visible = 1.0 if len(place.indices) > 1 else 0.5
    if number >= 0 and p[number] >= LEAST_SURE:
        others = tuple((CARDS[k], float(p[k])) for k in order[:4] if k != number and p[k] > 0.01)
        return Reading(CARDS[number], float(p[number]), place.quad, visible, others)
    by_rank = p.reshape(len(RANKS), len(SUITS)).sum(axis=1)
    rank = int(by_rank.argmax())
    if by_rank[rank] < _RANK_SURE:
        return None
    others = tuple((CARDS[k], float(p[k])) for k in order[:4] if p[k] > 0.01)
    return Reading(Card(RANKS[rank], ""), float(by_rank[rank]), place.quad, visible, others)
