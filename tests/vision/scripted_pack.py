"""A scripted pack whose spades and clubs look nearly alike to the namers, and whose kings look like queens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from assistant.cards import PACK, RANKS, SUITS, Card
from vision.assembly import NamedIndex, Place
from vision.detector import FoundIndex
from vision.enrolment import SeenCard
from vision.geometry import Floats
from vision.namer import FEATURES, Names, log_softmax
from vision.onnx_recogniser import card_names, evidence

QUAD: Final = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)


@dataclass
class ScriptedPack:
    """Gives views of cards: features that tell them well apart, with general names that do not.

    ``confusion``: how much more a spade looks like a club, and a king like a queen, than like itself.
    """

    seed: int = 0
    confusion: float = 0.3
    noise: float = 0.35
    _marks: Floats = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.seed, 1])
        self._marks = rng.normal(0, 1, (len(RANKS) + len(SUITS), FEATURES)).astype(np.float32)
        self.rng = np.random.default_rng([self.seed, 2])

    def names(self, cards: Sequence[Card]) -> Names:
        """One view of each card, as a namer would see it."""
        ranks = np.array([RANKS.index(card.rank) for card in cards], np.int64)
        suits = np.array([SUITS.index(card.suit) for card in cards], np.int64)
        features = self._marks[ranks] + self._marks[len(RANKS) + suits]
        features = features + self.rng.normal(0, self.noise, features.shape)
        said_rank, said_suit = 6.0 * np.eye(len(RANKS))[ranks], 6.0 * np.eye(len(SUITS))[suits]
        said_rank[ranks == RANKS.index("K"), RANKS.index("Q")] = 6.0 + self.confusion
        said_suit[suits == SUITS.index("S"), SUITS.index("C")] = 6.0 + self.confusion
        said_rank += self.rng.normal(0, 0.4, said_rank.shape)
        said_suit += self.rng.normal(0, 0.4, said_suit.shape)
        return Names(
            log_softmax(said_rank.astype(np.float32)),
            log_softmax(said_suit.astype(np.float32)),
            np.full(len(cards), 0.99, np.float32),
            np.asarray(features, np.float32),
        )

    def junk(self, count: int) -> Names:
        """Views that show no card: all of one strange kind, and the namers don't know what to say."""
        strange = np.random.default_rng([self.seed, 3]).normal(0, 1.5, FEATURES)
        features = strange + self.rng.normal(0, self.noise, (count, FEATURES))
        ranks, suits = (log_softmax(self.rng.normal(0, 0.5, (count, k)).astype(np.float32)) for k in (13, 4))
        return Names(ranks, suits, np.full(count, 0.1, np.float32), np.asarray(features, np.float32))

    def seen(self, card: Card, picture: int = 0, at: tuple[float, float] = (0.0, 0.0)) -> SeenCard:
        """The card in a picture, with two indices and a few views of each."""
        index, face = self.names([card] * 8), self.names([card] * 4)
        quad = QUAD + np.array(at, np.float32)
        found = FoundIndex(quad[0] + 6, np.array([[60, 0], [0, 90]], np.float32), quad, 0.9)
        group = [NamedIndex(found, card_names(index, None)[k], float(index.shows[k])) for k in range(2)]
        said = evidence(group, card_names(face, None)[0], float(face.shows[0]))
        strange = self.names([]), self.names([])
        return SeenCard(picture, Place(quad, tuple(group), said, 0.99), index, face, *strange)

    def spread(self, cards: Sequence[Card], picture: int = 0) -> list[SeenCard]:
        """Cards side by side in one row."""
        return [self.seen(card, picture, (80.0 * k, 0.0)) for k, card in enumerate(cards)]

    def whole(self, per_picture: int = 9) -> list[SeenCard]:
        """All 52, shown once, in spreads."""
        order = [PACK[k] for k in np.random.default_rng(self.seed).permutation(len(PACK))]
        starts = range(0, len(PACK), per_picture)
        return [
            one for number, k in enumerate(starts) for one in self.spread(order[k : k + per_picture], picture=number)
        ]
