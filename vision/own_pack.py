"""One's own pack: how its cards look to the two namers, learned from a few views of each card.

The last layer of a namer is fitted anew to the pack, with a prior that holds it to what it was (maximum a posteriori
logistic regression; the cards' weights are sums of a rank's, a suit's and the card's own, so that the king of hearts
also learns from the other kings and hearts). What the pack's views say nothing about is read as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from assistant.cards import RANKS, SUITS
from vision.assembly import joint
from vision.geometry import Floats
from vision.namer import Names, log_softmax

CARDS: Final = len(RANKS) * len(SUITS)
_RANK_OF: Final = np.repeat(np.arange(len(RANKS)), len(SUITS))
_SUIT_OF: Final = np.tile(np.arange(len(SUITS)), len(RANKS))

_SMALLEST: Final = 1e-3
"""Directions in which the views differ less than this, beside the one in which they differ most, are left out."""
_STEPS: Final = 60
_STRANGE: Final = 0.5
"""How much all strange views count, beside all that show a card."""

Numbers = npt.NDArray[np.int64]
"""Numbers of cards, 0..51, as in ``vision.assembly.CARDS``."""


@dataclass(frozen=True, slots=True)
class Prior:
    """How far the weights of ranks, suits and single cards may move (standard deviations), and how much is believed
    of the labels (``doubt``: the probability that a view shows something else)."""

    rank: float = 6.0
    suit: float = 6.0
    card: float = 3.0
    doubt: float = 0.02


@dataclass(frozen=True, slots=True)
class Look:
    """How a pack looks to one namer: what is added to the general reading, linear in the features.

    ``middle`` (F) and ``scale`` set the features' origin and unit; ``weights`` ((F + 1) x 52) holds the slopes and, in
    its last row, the constants.
    """

    middle: Floats
    scale: float
    weights: Floats

    def read(self, names: Names) -> Floats:
        """Log-probabilities of the 52 cards for N crops: N x 52."""
        x = _inputs(names.features, self.middle, self.scale)
        return log_softmax(joint(names.ranks, names.suits) + x @ self.weights)


def _inputs(features: Floats, middle: Floats, scale: float) -> Floats:
    x = (features - middle) / scale
    return np.asarray(np.hstack([x, np.ones((len(x), 1), np.float32)]), np.float32)


def fit_look(names: Names, cards: Numbers, weights: Floats, strange: Names, prior: Prior = Prior()) -> Look:
    """Learn how a pack looks from N views with the cards they show and what each view counts (N).

    ``strange`` are views that show no card well; they shall be read as in general, lest the look makes a name of
    everything.
    """
    middle = names.features.mean(axis=0)
    scale = float(np.sqrt(((names.features - middle) ** 2).sum(axis=1).mean())) or 1.0
    every = Names.joined([names, strange])
    x = _inputs(every.features, middle, scale)
    seen = np.unique(cards)
    base = joint(every.ranks, every.suits)[:, seen]
    shown = (cards[:, None] == seen[None]) * (1 - prior.doubt) + prior.doubt / len(seen)
    target = np.concatenate([shown, np.exp(log_softmax(base[len(cards) :]))])
    counts = np.full(len(strange.shows), _STRANGE * weights.sum() / max(1, len(strange.shows)))
    share = np.asarray(np.concatenate([weights, counts]), np.float32)
    root = np.linalg.cholesky(_going_together(seen, seen, prior) + 1e-6 * np.eye(len(seen)))
    along, spans = _directions(x, share, float(np.square(root).sum(axis=1).mean()))
    moves = _most_likely(x @ along, base, target, share, root, spans)
    everywhere = np.linalg.solve(root, _going_together(seen, np.arange(CARDS), prior))
    return Look(np.asarray(middle, np.float32), scale, np.asarray(along @ moves @ everywhere, np.float32))


def _directions(x: Floats, weights: Floats, spread: float) -> tuple[Floats, Floats]:
    """The directions in which the views differ ((F + 1) x D, orthonormal), and how far one step along each of them
    goes so that the search finds all about equally steep (D)."""
    variances, along = np.linalg.eigh((x * weights[:, None]).T @ x)
    kept = variances > _SMALLEST * variances[-1]
    return np.asarray(along[:, kept], np.float32), np.asarray(1 / np.sqrt(1 + spread * variances[kept] / 4), np.float32)


def _most_likely(x: Floats, base: Floats, target: Floats, weights: Floats, root: Floats, spans: Floats) -> Floats:
    """The most likely weights before ``root`` (D x C), by L-BFGS."""
    root, target, share = (np.asarray(each, np.float32) for each in (root, target, weights[:, None]))
    steps = x * spans

    def loss(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        free = flat.reshape(x.shape[1], len(root)).astype(np.float32)
        log_p = log_softmax(np.asarray(base + (steps @ free) @ root.T, np.float32))
        slope = (steps.T @ (share * (np.exp(log_p) - target))) @ root + spans[:, None] ** 2 * free
        total = -float((share * target * log_p).sum()) + 0.5 * float(np.square(spans[:, None] * free).sum())
        return total, slope.ravel().astype(np.float64)

    start = np.zeros(x.shape[1] * len(root))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS, "ftol": 1e-5})
    return np.asarray(spans[:, None] * found.x.reshape(x.shape[1], len(root)), np.float32)


def _going_together(some: Numbers, others: Numbers, prior: Prior) -> npt.NDArray[np.float64]:
    """How the weights of cards go together: a shared rank, a shared suit, the same card."""
    same_rank = _RANK_OF[some][:, None] == _RANK_OF[others][None]
    same_suit = _SUIT_OF[some][:, None] == _SUIT_OF[others][None]
    return np.asarray(
        prior.rank**2 * same_rank + prior.suit**2 * same_suit + prior.card**2 * (same_rank & same_suit), np.float64
    )


@dataclass(frozen=True, slots=True)
class OwnPack:
    """A pack that was learned: its name, its look to the namer of indices and to that of whole cards."""

    name: str
    index: Look
    card: Look
