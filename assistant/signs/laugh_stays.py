"""Laugh and Lie Down: a card's stay in the pool or in a pile, and what rank it may be of by all looks at it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from assistant.cards import RANKS
from assistant.signs.lain import Lain
from assistant.view import TABLE

LEAST: Final = 0.005
"""No rank is less likely than this."""
UNLISTED: Final = 0.05
"""The share of what the readings leave open that each rank gets which they don't name."""
UNREAD: Final = 1.5
"""Cost in nats of any rank of a card that nobody can read."""
AGAIN, LESS = 1.0, 2.5
"""A rank is taken for another one as it was before, the pack's way: it costs so much less, but so much at least."""
OTHERS: Final = 2.5
"""Cost in nats: none but other seats' hands were there."""

PLAIN: Final = 2.5
"""A rank that is less likely than this matters little."""
LONG: Final = 8.0
"""A card that has lain so long (seconds) lies there for good."""

Swaps = frozenset[tuple[str, str]]
"""Which ranks were taken for which other ones: as read, and as it was."""
Key = tuple[int, float]


@dataclass(frozen=True, slots=True, eq=False)
class Stay:
    """A card that lay in one place (see ``assistant.signs.lain.Lain``).

    ``seat``: whose pile it was, None for the pool. ``rank``: as what it was read mostly, empty where it never was;
    ``share`` how much of the readings said so. ``costs``: by rank, how unlikely it is (nats).
    """

    track: int
    seat: int | None
    came: float
    last: float
    clear: float
    gone: bool
    looks: float
    bringers: frozenset[int | None]
    takers: frozenset[int | None]
    rank: str
    share: float
    costs: dict[str, float]

    @property
    def key(self) -> Key:
        """What tells it from all others."""
        return self.track, self.came

    def coming(self, now: float) -> object:
        """What of it matters where it came: little as long as it goes on lying there."""
        ranks = tuple(rank for rank, cost in self.costs.items() if cost < PLAIN)
        lasted = int(min((self.last if self.gone else now) - self.came, LONG))
        return self.key, self.seat, ranks, round(self.share, 1), self.bringers, lasted, self.gone and self.seat

    def leaving(self) -> object:
        """What of it matters where it left the pool."""
        return self.key, self.last, self.takers

    def unlikely(self, rank: str, swaps: Swaps = frozenset()) -> float:
        """How unlikely it is (nats) that it has this rank."""
        cost = self.costs[rank]
        return min(cost, max(AGAIN, cost - LESS)) if swaps and (self.rank, rank) in swaps else cost

    def ranks(self, swaps: Swaps = frozenset()) -> Iterator[tuple[str, float, Swaps]]:
        """Each rank with how unlikely it is (nats), and for which one it was taken then."""
        for rank in RANKS:
            swap = frozenset(((self.rank, rank),)) if self.rank and rank != self.rank else frozenset()
            yield rank, self.unlikely(rank, swaps), swap

    def brought_by(self, seat: int) -> float:
        """How unlikely it is (nats) that the seat put it there, by the hands that were there."""
        return _by(self.bringers, seat)

    def taken_by(self, seat: int) -> float:
        """How unlikely it is (nats) that the seat took it away."""
        return _by(self.takers, seat)


def stay_of(one: Lain) -> Stay | None:
    """The stay of a card that lay in the pool or in a pile; None for any other."""
    if one.zone is None or (one.zone != TABLE and one.zone.seat is None):
        return None
    shares: dict[str, float] = {}
    for card, share in one.shares():
        shares[card.rank] = shares.get(card.rank, 0.0) + share
    named = {rank: share for rank, share in shares.items() if rank}
    rank = max(named, key=lambda rank: named[rank], default="")
    open_share = max(0.0, 1.0 - sum(shares.values()))
    costs = {
        other: -math.log(min(1.0, max(LEAST, named.get(other, 0.0), UNLISTED * open_share))) if rank else UNREAD
        for other in RANKS
    }
    return Stay(
        one.track,
        one.zone.seat,
        one.came,
        one.last,
        one.clear,
        one.gone,
        one.looks,
        one.bringers,
        one.takers,
        rank,
        named.get(rank, 0.3),
        costs,
    )


def _by(hands: frozenset[int | None], seat: int) -> float:
    return 0.0 if not hands or seat in hands or None in hands else OTHERS
