"""Laugh and Lie Down: the hand cards that were read in passing, while a hand showed them over the pool.

In a squared pile a hand card lies beneath what it mated and is never read there; but before it was held over its mate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from assistant.cards import Card
from assistant.view import TABLE, Passing, SeenCard, Visit

BROUGHT: Final = 1.5
"""A hand brought what was first seen at most so long (seconds) before it came or after it was gone."""
NOTICED: Final = 0.5
"""A hand may show its card so long (seconds) before it is noticed."""
SHOWN: Final = 5.0
"""A hand shows its card at most so long (seconds) before both come to rest."""
WELL, TWICE = 0.8, 2
"""A single reading may be wrong: a card counts that was read so surely, so often."""
PLAINLY, THRICE = 0.9, 3
"""So surely and so often where a player is told of a mistake by it."""


@dataclass(frozen=True, slots=True)
class ReadInPassing:
    """What a hand showed over the pool. ``cards``: by rank, what was read well again and again; ``plain``: those of
    them that leave no doubt; ``ranks``: all that was read, if only once."""

    cards: dict[str, Card] = field(default_factory=dict)
    plain: frozenset[Card] = frozenset()
    ranks: frozenset[str] = frozenset()

    def another(self, rank: str, *, plainly: bool = False) -> Card | None:
        """The card that the hand showed, where it is none of this rank; None where there is no other, or it leaves
        doubt and should be shown ``plainly``."""
        if len(self.cards) != 1 or rank in self.ranks:
            return None
        (shown,) = self.cards.values()
        return shown if shown in self.plain or not plainly else None


def bringing(visits: Sequence[Visit], seen: SeenCard, seat: int) -> list[Visit]:
    """The hands, the seat's or nobody knows whose, that came to where a card lies now and were gone about when the card
    was first seen there."""
    return [
        visit
        for visit in visits
        if visit.seat in (seat, None)
        and (not visit.over or seen.zone in visit.over)
        and visit.begin - BROUGHT <= seen.since
        and visit.end is not None
        and seen.since <= visit.end + BROUGHT
    ]


def brought_by(visits: Sequence[Visit], seen: SeenCard) -> set[int | None]:
    """The seats whose hands were there when a card came to rest; None among them: nobody knows whose hand it was."""
    return {
        visit.seat
        for visit in visits
        if (not visit.over or seen.zone in visit.over)
        and visit.begin <= seen.since
        and (visit.end is None or seen.since <= visit.end + BROUGHT)
    }


def read_in_passing(
    passing: Sequence[Passing], visits: Sequence[Visit], seen: SeenCard, seat: int, known: Collection[Card]
) -> ReadInPassing:
    """What the hand that brought a card to a seat's pile had shown over the pool, beside the cards ``known`` to lie on
    the table."""
    hands = [visit for visit in bringing(visits, seen, seat) if visit.seat == seat]
    if not hands:
        return ReadInPassing()
    begin = min(visit.begin for visit in hands) - NOTICED
    return _read(passing, max(begin, seen.since - SHOWN), seen.since, known)


def shown_by(passing: Sequence[Passing], visits: Sequence[Visit], seat: int, known: Collection[Card]) -> ReadInPassing:
    """What the seat's hand showed over the pool when it was there last."""
    hands = [visit for visit in visits if visit.seat == seat and visit.end is not None]
    last = max(hands, key=lambda visit: visit.begin, default=None)
    return ReadInPassing() if last is None else _read(passing, last.begin - NOTICED, last.end or last.begin, known)


def _read(passing: Sequence[Passing], begin: float, end: float, known: Collection[Card]) -> ReadInPassing:
    """What was read over the pool from one time to another, beside the cards ``known`` to lie on the table."""
    read = [one for one in passing if begin <= one.t <= end and one.zone == TABLE and one.card not in known]
    well = Counter(one.card for one in read if one.confidence >= WELL and one.card.known)
    plain = Counter(one.card for one in read if one.confidence >= PLAINLY)
    cards: dict[str, Card] = {}
    for card, number in well.most_common():
        if number >= TWICE:
            cards.setdefault(card.rank, card)
    doubtless = frozenset(card for card in cards.values() if plain[card] >= THRICE)
    return ReadInPassing(cards, doubtless, frozenset(one.card.rank for one in read))
