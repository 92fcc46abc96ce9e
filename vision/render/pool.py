"""The pool as it is laid out: which card lies where, which places are free."""

from __future__ import annotations

import copy
import math

import numpy as np

from assistant.cards import Card
from vision.render.table_scene import Pose, TableScene


class Pool:
    """Keeps the places of the pool's cards; people put cards untidily, but so that each can be read."""

    def __init__(self, scene: TableScene, rng: np.random.Generator, overlap: float = 0.0) -> None:
        """``overlap``: the chance that a card is put half over another although there are free places."""
        self._rng, self._overlap = rng, overlap
        self._spots = scene.pool_spots()
        self._layer = scene.pool_layer
        self._order = [
            int(index)
            for start in range(0, len(self._spots), self._layer)
            for index in start + rng.permutation(self._layer)
        ]
        self._taken: dict[int, Card] = {}

    def copy(self) -> Pool:
        """The pool as it is now; what happens later to one doesn't touch the other."""
        twin = copy.copy(self)
        twin._taken = dict(self._taken)
        return twin

    def __len__(self) -> int:
        return len(self._taken)

    def __contains__(self, card: object) -> bool:
        return card in self._taken.values()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that lie there, in the order in which they came."""
        return tuple(self._taken.values())

    def places(self, count: int) -> list[Pose]:
        """Places for ``count`` more cards, row by row: free ones as long as there are any."""
        free: list[int] = []
        for _ in range(count):
            over = [index + self._layer for index in (*self._taken, *free) if index < self._layer]
            over = [index for index in over if index not in self._taken and index not in free]
            if self._overlap and over and self._rng.random() < self._overlap:
                free.append(int(self._rng.choice(over)))
            else:
                free.append(next(index for index in self._order if index not in self._taken and index not in free))
        free.sort(key=lambda index: index if index < self._layer else len(self._spots) + index)
        poses = []
        for index in free:
            x, y = self._spots[index]
            loose = 1.0 if index < self._layer else 0.3
            dx, dy, turn = self._rng.uniform(-1, 1, 3) * loose
            poses.append(Pose(x + 5 * dx, y + 5 * dy, 7 * turn))
        return poses

    def put(self, card: Card, pose: Pose) -> None:
        free = [index for index in range(len(self._spots)) if index not in self._taken]
        nearest = min(free, key=lambda index: math.dist(self._spots[index], (pose.x, pose.y)))
        self._taken[nearest] = card

    def remove(self, card: Card) -> None:
        self._taken = {index: other for index, other in self._taken.items() if other != card}

    def nearby(self, card: Card) -> Pose:
        """A pose near the card's own that leaves its neighbours readable."""
        place = next(index for index, other in self._taken.items() if other == card)
        x, y = self._spots[place]
        dx, dy, turn = self._rng.uniform(-1, 1, 3) * (1.0 if place < self._layer else 0.3)
        return Pose(x + 7 * dx, y + 8 * dy, 9 * turn)
