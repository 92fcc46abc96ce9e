"""Laugh and Lie Down: which cards the deal is of, and whether somebody has played already.

A name that is doubtful is left open: whatever else the card is, it is one card of the pool.

One card of the pool that nobody can read and one card that was mated make the number of the deal again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from assistant.cards import SUITS, UNKNOWN, Card
from assistant.signs.difference import candidates
from assistant.signs.laugh_passing import BROUGHT
from assistant.signs.laugh_readings import as_far_as_sure
from assistant.view import SeenCard, Visit

RANK_SURE: Final = 0.6
"""A card of the deal whose rank is less sure than this may be any."""
TWICE_SURE: Final = 0.9
"""Two cards that are both read as the same one so surely come from two packs; else the less sure is misread."""


def names_of_the_deal(cards: Sequence[SeenCard]) -> tuple[Card, ...]:
    """What the cards of the pool are, as far as that is sure. A pack has each card once, so of two of one name the less
    sure may be any, and so may a fifth of a rank."""
    names: dict[int, Card] = {}
    read: set[Card] = set()
    ranks: Counter[str] = Counter()
    for number, seen in sorted(enumerate(cards), key=lambda entry: -entry[1].confidence):
        rank = seen.card.rank
        sure = sum(share for card, share in candidates(seen) if card.rank == rank)
        twice = (seen.card.known and seen.card in read) or ranks[rank] == len(SUITS)
        doubtful = not rank or sure < RANK_SURE or (twice and seen.confidence < TWICE_SURE)
        names[number] = UNKNOWN if doubtful else as_far_as_sure(seen)
        read.add(seen.card)
        ranks[rank] += not doubtful
    return tuple(names[number] for number in range(len(cards)))


def without_played(cards: Sequence[SeenCard], visits: Sequence[Visit], dealer: int) -> list[SeenCard]:
    """The cards without the hand cards of mates: what another hand than the dealer's put down on or beside cards of its
    rank that came to rest there with it (LLD-13), and nothing else but one card that came to light as it took them."""
    left = list(cards)
    for visit in visits:
        came = [seen for seen in left if _came_with(visit, seen)]
        ranks = Counter(seen.card.rank for seen in came)
        pairs = [rank for rank, number in ranks.items() if rank and number > 1]
        put = [seen for seen in came if seen.card.rank == pairs[0]] if len(pairs) == 1 else []
        if visit.seat not in (None, dealer) and len(came) <= len(put) + 1 and put and _lie_together(put):
            left.remove(max(put, key=lambda seen: seen.track))
    return left


def _came_with(visit: Visit, seen: SeenCard) -> bool:
    return visit.end is not None and visit.begin <= seen.since <= visit.end + BROUGHT


def _lie_together(cards: Sequence[SeenCard]) -> bool:
    """Whether each lies within a card's length of the first."""
    first = cards[0]
    reach = max(math.dist(first.quad[0], corner) for corner in first.quad)
    centres = [tuple(_mean(seen)) for seen in cards]
    return all(math.dist(centres[0], centre) < reach for centre in centres)


def _mean(seen: SeenCard) -> Iterator[float]:
    return (sum(corner[axis] for corner in seen.quad) / 4 for axis in (0, 1))
