"""Which: names straightened crops. Ranks and suits are named apart, so a card's probability is their product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import onnxruntime

from vision.geometry import Floats

RANK_COUNT: Final = 13
SUIT_COUNT: Final = 4
FEATURES: Final = 160


@dataclass(frozen=True, slots=True)
class Names:
    """Of N crops: log-probabilities of the ranks (N x 13) and suits (N x 4), the probability that the crop is what it
    should be, an upright index or a card's face (N), and the features that all this follows from (N x 160), by which
    the cards of one's own pack can be told apart."""

    ranks: Floats
    suits: Floats
    shows: Floats
    features: Floats

    def first(self, count: int) -> Names:
        """Those of the first ``count`` crops."""
        return Names(self.ranks[:count], self.suits[:count], self.shows[:count], self.features[:count])

    @staticmethod
    def joined(several: Sequence[Names]) -> Names:
        """One after the other."""
        return Names(
            np.concatenate([names.ranks for names in several]),
            np.concatenate([names.suits for names in several]),
            np.concatenate([names.shows for names in several]),
            np.concatenate([names.features for names in several]),
        )


class Namer:
    """One naming network: of index crops or of whole-card crops."""

    def __init__(self, session: onnxruntime.InferenceSession, temperature: float = 1.0) -> None:
        self._session = session
        self._temperature = temperature

    def name(self, crops: npt.NDArray[np.uint8]) -> Names:
        """Name N x H x W x 3 crops (BGR, uint8)."""
        if not len(crops):
            empty = np.zeros((0, RANK_COUNT + SUIT_COUNT), np.float32)
            nothing = np.zeros((0, FEATURES), np.float32)
            return Names(empty[:, :RANK_COUNT], empty[:, RANK_COUNT:], np.zeros(0, np.float32), nothing)
        x = crops.transpose(0, 3, 1, 2).astype(np.float32) / 255.0
        logits, features = self._session.run(["logits", "features"], {"crops": x})
        scaled = np.asarray(logits, np.float32) / self._temperature
        return Names(
            log_softmax(scaled[:, :RANK_COUNT]),
            log_softmax(scaled[:, RANK_COUNT : RANK_COUNT + SUIT_COUNT]),
            np.asarray(1 / (1 + np.exp(-logits[:, -1])), np.float32),
            np.asarray(features, np.float32),
        )


def log_softmax(logits: Floats) -> Floats:
    """Log-probabilities along the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)
