"""How sure a reading is: what the networks say of it, weighed so that of readings at 0.9 nine in ten are right.

A logistic regression (Platt, 1999) on a handful of signs. Its weights are fitted on rendered pictures of packs that the
networks never saw (``python -m vision.training.fit_certainty``) and lie beside the networks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from vision.geometry import Floats

FILE: Final = "certainty.json"
SIGNS: Final = ("named", "index", "whole", "shows", "whole shows", "score", "both ends", "letter")
"""What is weighed, in this order; see ``signs``."""
_FAVOURABLE: Final = 6
"""That many signs, from the first, speak for a reading where they are large."""
_LEAST: Final = 1e-4
_TAME: Final = 1e-3


class CertaintyDamaged(RuntimeError):
    """The weights can't be read; one line."""


def log_odds(p: float) -> float:
    """The logarithm of p to 1 - p, p kept off 0 and 1 by a ten-thousandth.

    >>> log_odds(0.5)
    0.0
    """
    kept = min(max(p, _LEAST), 1 - _LEAST)
    return float(np.log(kept / (1 - kept)))


def signs(
    named: float, indices: Sequence[tuple[float, float, float]], whole: tuple[float, float], tall: float
) -> Floats:
    """The signs that a reading is right, in the order of ``SIGNS``.

    ``named``: the probability of the card with all evidence and all other cards' names. ``indices``: of each index its
    own probability for the card, that it is one, and the detector's score, all 0..1. ``whole``: the whole-card crop's
    probability for the card, and that it shows a face. ``tall``: the card's height in pixels.
    """
    best = max(indices, key=lambda index: index[1] * index[2], default=(named, whole[1], whole[1]))
    values = (
        log_odds(named),
        log_odds(best[0]),
        whole[1] * log_odds(whole[0]),
        log_odds(best[1]),
        whole[1],
        log_odds(best[2]),
        float(len(indices) > 1),
        float(np.clip(np.log(max(tall, 1.0) / 130.0), -2, 1)),
    )
    return np.array(values, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Certainty:
    """The weights of the signs and the bias."""

    weights: npt.NDArray[np.float64]
    bias: float

    def of(self, shown: Floats) -> float:
        """The probability that a reading with these signs is right, 0..1."""
        return float(1 / (1 + np.exp(-(float(self.weights @ shown) + self.bias))))

    def save(self, path: Path) -> None:
        """Write the weights as JSON."""
        weights = {name: round(float(weight), 4) for name, weight in zip(SIGNS, self.weights, strict=True)}
        path.write_text(json.dumps({"weights": weights, "bias": round(self.bias, 4)}, indent=1) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Certainty:
        """Read the weights. Raises CertaintyDamaged."""
        try:
            stored = json.loads(path.read_text("utf-8"))
            weights = np.array([float(stored["weights"][name]) for name in SIGNS])
            return cls(weights, float(stored["bias"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CertaintyDamaged(f"{path}: can't be read ({error}); install mournival again") from None


PLAIN: Final = Certainty(np.eye(len(SIGNS))[0], 0.0)
"""Takes the probability of the name as it is."""


def fit(shown: npt.NDArray[np.float64], truth: npt.NDArray[np.bool_]) -> Certainty:
    """The weights under which the truth (N) of readings with these signs (N x 8) is likeliest.

    Slightly tamed; what speaks for a reading may not count against it.
    """
    spread = np.maximum(shown.std(axis=0), 0.1)
    scaled = np.column_stack([shown / spread, np.ones(len(shown))])
    sign = np.where(truth, 1.0, -1.0)

    def cost(weights: npt.NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, -sign * (scaled @ weights)).mean() + _TAME * (weights[:-1] ** 2).sum())

    bounds = [(0.0, None)] * _FAVOURABLE + [(None, None)] * (len(SIGNS) + 1 - _FAVOURABLE)
    found = minimize(cost, np.zeros(scaled.shape[1]), method="L-BFGS-B", bounds=bounds).x
    return Certainty(found[:-1] / spread, float(found[-1]))
