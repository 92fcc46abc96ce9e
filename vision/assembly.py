"""From indices to physical cards: readings of one card are joined, then all cards are named together.

A pack holds each card once, so the naming is one assignment (Kuhn 1955, by scipy) of cards to places, with the choice
to leave a place unnamed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.cards import RANKS, SUITS, Card
from vision import geometry
from vision.certainty import PLAIN, Certainty, signs
from vision.detector import FoundIndex
from vision.geometry import Floats
from vision.recogniser import Reading

_SAME_POINT: Final = 0.2
_ABOUT_THERE: Final = 0.4
_STRAIGHT, _MISJUDGED, _ALIKE = 0.966, 1.7, 0.25
_SAME_SIZE: Final = 1.45
_SAME_INDEX: Final = 0.14
_AGREE: Final = 0.2
_AGREE_WELL: Final = 0.5
_AGREE_FULLY: Final = 0.85
_RANK_SURE: Final = 0.8
_RANK_LEFT: Final = 0.4
_DOUBLE: Final = 0.25
_CLEAR, _TWO_CARDS = 0.95, 1.4
"""So sure must both readings be, and so many heights of a card apart, that one card lies there twice."""
LEAST_SURE: Final = 0.6
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
    """A physical card before it is named: its quad, the indices seen of it, and the evidence (52 log-probabilities).

    ``whole``: what the crop of the whole card says (52 log-probabilities); ``face``: whether it shows one (0..1).
    """

    quad: Floats
    indices: tuple[NamedIndex, ...]
    evidence: Floats
    shows: float
    whole: Floats | None = None
    face: float = 0.0


def joint(ranks: Floats, suits: Floats) -> Floats:
    """Log-probabilities of the 52 cards from those of 13 ranks and 4 suits: N x 52."""
    return np.asarray((ranks[:, :, None] + suits[:, None, :]).reshape(len(ranks), len(CARDS)), np.float32)


def normalised(evidence: Floats) -> Floats:
    """Probabilities that sum to one along the last axis."""
    shifted = np.exp(evidence - evidence.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), np.float32)


def same_cards(indices: Sequence[NamedIndex]) -> npt.NDArray[np.bool_]:
    """Which indices stand on one physical card: N x N, true where each lies where the other's card says, and agrees."""
    quads = np.stack([index.found.quad for index in indices])
    points = np.stack([index.found.point for index in indices])
    names = normalised(np.stack([index.names for index in indices]))
    tall, way = geometry.talls(quads), geometry.directions(quads)
    agreement, turned = np.sqrt(names) @ np.sqrt(names).T, way @ way.T
    said = geometry.index_points(quads)
    away = np.linalg.norm(said[:, None] - points[None, :, None], axis=3) / tall[:, None, None]
    # How far each index is from where the other's card has one: at the same corner, beside it, at the other end.
    here, aside, across = away[..., 0], away[..., 1], np.minimum(away[..., 2], away[..., 3])
    # At the same corner it is the same index seen twice, or the next card of a narrow fan: those must not be joined.
    along = _one_outline(aside, agreement) | (_both(here) < _SAME_INDEX) & (agreement > _AGREE_FULLY)
    ends = _one_outline(across, agreement) | _in_line(said, points) & (names @ names.T > _ALIKE)
    like = np.maximum(tall[:, None], tall[None]) <= _SAME_SIZE * np.minimum(tall[:, None], tall[None])
    return np.asarray(np.where(turned > 0.8, along, (turned < -0.8) & ends) & like, np.bool_)


def _both(away: Floats) -> Floats:
    """The larger of the two distances of each pair, one's outline to the other's index and the reverse."""
    return np.maximum(away, away.T)


def _one_outline(away: Floats, agreement: Floats) -> npt.NDArray[np.bool_]:
    """Whether both indices fit one outline: closely, or roughly if they name the same card."""
    closely = (_both(away) < _SAME_POINT) & (agreement > _AGREE)
    return np.asarray(closely | ((away + away.T) / 2 < _ABOUT_THERE) & (agreement > _AGREE_WELL), np.bool_)


def _in_line(said: Floats, points: Floats) -> npt.NDArray[np.bool_]:
    """Whether each index lies in the direction of the other's far corner, though the cards' size is misjudged."""
    there = points[None] - points[:, None]
    meant = said[:, 2] - points
    far, near = np.linalg.norm(there, axis=2), np.linalg.norm(meant, axis=1)[:, None]
    cosine = (there * meant[:, None]).sum(axis=2) / np.maximum(far * near, 1e-6)
    fits = (cosine > _STRAIGHT) & (far < _MISJUDGED * near) & (near < _MISJUDGED * far)
    return np.asarray(fits & fits.T, np.bool_)


def gather(indices: Sequence[NamedIndex]) -> list[list[NamedIndex]]:
    """Group the indices by physical card; best index first in each group, at most four a card."""
    if not indices:
        return []
    ranked = sorted(indices, key=lambda index: -index.found.weight * index.shows)
    same = same_cards(ranked)
    groups: list[list[int]] = []
    for k in range(len(ranked)):
        for group in groups:
            if len(group) < 4 and same[group[0], k]:
                group.append(k)
                break
        else:
            groups.append([k])
    return [[ranked[k] for k in group] for group in groups]


def mean_quad(group: Sequence[NamedIndex]) -> Floats:
    """The outline that the indices of one card agree on, as the first of them reads it.

    Where an index stands is known better than how far the card reaches. So where both ends of a card are in view its
    outline is moved, turned and scaled until its indices are where they were seen.
    """
    way = geometry.directions(np.stack([index.found.quad for index in group]))
    turned = way @ way[0] < 0
    quads = [np.roll(i.found.quad, 2, axis=0) if back else i.found.quad for i, back in zip(group, turned, strict=True)]
    weights = np.array([index.found.weight for index in group], np.float32)
    mean = np.asarray(np.average(quads, axis=0, weights=np.maximum(weights, 1e-6)), np.float32)
    if turned.all() or not turned.any():
        return mean
    seen = np.stack([index.found.point for index in group])
    corners = geometry.index_points(mean[None])[0]
    ends = [corners[2:] if back else corners[:2] for back in turned]
    meant = np.stack([end[np.linalg.norm(end - at, axis=1).argmin()] for end, at in zip(ends, seen, strict=True)])
    return _moved(mean, meant, seen)


def _moved(quad: Floats, meant: Floats, seen: Floats) -> Floats:
    """A quad moved, turned and scaled as takes the points meant nearest to those seen (least squares), N x 2 each."""
    source, target = meant @ [1, 1j], seen @ [1, 1j]
    centre, goal = source.mean(), target.mean()
    factor = np.vdot(source - centre, target - goal) / max(float(np.vdot(source - centre, source - centre).real), 1e-6)
    moved = (quad @ [1, 1j] - centre) * factor + goal
    return np.asarray(np.stack([moved.real, moved.imag], axis=1), np.float32)


def assign(places: Sequence[Place], *, one_pack: bool, certainty: Certainty = PLAIN) -> list[Reading]:
    """Name the places. With ``one_pack`` each card is given once; a place whose card is taken may stay unnamed."""
    named = name_all(places, one_pack=one_pack)
    readings = [_reading(place, p, number, certainty) for place, (p, number) in zip(places, named, strict=True)]
    return [reading for reading in readings if reading is not None]


def twice(places: Sequence[Place], certainty: Certainty = PLAIN) -> tuple[Card, ...]:
    """The cards that are read clearly at two places so far apart that it can't be one card: there are two packs."""
    clear = [reading for reading in assign(places, one_pack=False, certainty=certainty) if reading.confidence > _CLEAR]
    found: dict[Card, None] = {}
    for one, other in combinations([reading for reading in clear if reading.card.known], 2):
        tall = max(geometry.side_lengths(reading.quad)[1] for reading in (one, other))
        away = float(np.linalg.norm(one.quad.mean(axis=0) - other.quad.mean(axis=0)))
        if one.card == other.card and away > _TWO_CARDS * tall:
            found.setdefault(one.card)
    return tuple(found)


def name_all(places: Sequence[Place], *, one_pack: bool) -> list[tuple[Floats, int]]:
    """Of each place its 52 probabilities, given the others' names, and the number of its card, -1 for none."""
    if not places:
        return []
    p = normalised(np.stack([place.evidence for place in places]))
    p = np.asarray(p * np.array([place.shows for place in places], np.float32)[:, None], np.float32)
    taken = _best_together(p) if one_pack else p.argmax(axis=1)
    if one_pack:
        p = _with_others_named(p, taken)
    return [(p[k], int(taken[k])) for k in range(len(places))]


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


def signs_of(place: Place, p: Floats, number: int) -> Floats:
    """The signs that a place is the card of that number: see ``vision.certainty.signs``."""
    return _signs(place, float(p[number]), lambda names: float(np.exp(names[number])))


def rank_signs(place: Place, p: Floats, rank: int) -> Floats:
    """The signs that a place is a card of that rank, whatever its suit."""
    suits = slice(rank * len(SUITS), (rank + 1) * len(SUITS))
    return _signs(place, float(p[suits].sum()), lambda names: float(np.exp(names[suits]).sum()))


def _signs(place: Place, named: float, share: Callable[[Floats], float]) -> Floats:
    indices = [(share(index.names), index.shows, index.found.score) for index in place.indices]
    whole = (0.5 if place.whole is None else share(place.whole), place.face)
    return signs(named, indices, whole, geometry.side_lengths(place.quad)[1])


def _reading(place: Place, p: Floats, number: int, certainty: Certainty) -> Reading | None:
    order = np.argsort(-p)
    visible = 1.0 if len(place.indices) > 1 else 0.5
    sure = certainty.of(signs_of(place, p, number)) if number >= 0 else 0.0
    if sure >= LEAST_SURE:
        rest = (1 - sure) / max(1e-6, 1 - float(p[number]))
        others = tuple((CARDS[k], min(float(p[k]) * rest, sure)) for k in order[:4] if k != number and p[k] > 0.01)
        return Reading(CARDS[number], sure, place.quad, visible, others)
    by_rank = p.reshape(len(RANKS), len(SUITS)).sum(axis=1)
    rank = int(by_rank.argmax())
    sure = certainty.of(rank_signs(place, p, rank))
    # Where what an index names lies elsewhere, hardly anything is left of its rank: then it is no second card.
    if sure < _RANK_SURE or by_rank[rank] < _RANK_LEFT:
        return None
    others = tuple((CARDS[k], float(p[k])) for k in order[:4] if p[k] > 0.01)
    return Reading(Card(RANKS[rank], ""), sure, place.quad, visible, others)
