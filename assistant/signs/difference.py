"""What the table shows otherwise than the game expects.

The game says where each card that it knows lies (``Slot``); the view says what is seen. Every card seen is matched with
a slot, the likeliest as a whole (Hungarian method); what is left over is the difference: cards that lie elsewhere,
cards that are nowhere, cards that appeared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from assistant.cards import UNKNOWN, Card
from assistant.view import SeenCard, TableView, Zone

LEAST: Final = 1e-4
FRESH: Final = 3.0
MISSING: Final = 2.0
"""Costs in nats: how unlikely it is that a card lies there of which the game knows nothing, or that one is gone."""
FAINT: Final = 0.5
"""A new card that is less sure than this may be none; it is left out if the rest makes sense without it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A card that the game knows on the table, and where it lies.

    ``shows``: it must be seen; else another card may lie over it (a squared pile). ``anywhere``: it means nothing
    where it is seen (cards of a finished trick that somebody is about to gather).
    """

    card: Card
    zone: Zone
    shows: bool = True
    anywhere: bool = False


def likelihood(seen: SeenCard, card: Card) -> float:
    """The probability (0..1) that a seen card is this one, which may be known by its rank only."""
    if not card.rank:
        return 1.0
    if not card.suit:
        total = sum(share for other, share in candidates(seen) if other.rank == card.rank)
        return min(1.0, max(total, LEAST))
    share = sum(share for other, share in candidates(seen) if other == card)
    if not seen.card.suit and seen.card.rank == card.rank:
        share = max(share, 0.5 * seen.confidence)
    return max(share, LEAST)


def candidates(seen: SeenCard) -> tuple[tuple[Card, float], ...]:
    """What a seen card may be, with probabilities, best first."""
    named = ((seen.card, seen.confidence),) if seen.card.rank else ()
    if named and not seen.card.suit:
        return (*named, *(entry for entry in seen.others if entry[0].rank != seen.card.rank))
    return (*named, *seen.others)


@dataclass(frozen=True, slots=True)
class Moved:
    """A card that must lie in one place (``was``) and lies in another."""

    seen: SeenCard
    card: Card
    was: Zone
    zone: Zone

    @property
    def seat(self) -> int | None:
        """The seat in whose place it lies."""
        return self.zone.seat


@dataclass(frozen=True, slots=True)
class Difference:
    """What the table shows otherwise than the game expects.

    ``moved``: cards that lie in another zone than they must. ``missing``: cards that must be seen and are nowhere.
    ``fresh``: cards that the game knows nowhere on the table. ``strayed``: cards that need not be seen and lie in
    another zone than theirs. ``dim``: something like a card that nobody can name, or one outside of all zones; by
    itself it makes no difference.
    """

    moved: tuple[Moved, ...] = ()
    missing: tuple[Slot, ...] = ()
    fresh: tuple[SeenCard, ...] = ()
    strayed: tuple[Moved, ...] = ()
    dim: tuple[SeenCard, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moved or self.missing or self.fresh or self.strayed)

    @property
    def size(self) -> int:
        """How many cards differ."""
        return len(self.moved) + len(self.missing) + len(self.fresh) + len(self.strayed)


def compare(slots: Sequence[Slot], view: TableView) -> Difference:
    """Match the cards seen with the cards expected, the likeliest as a whole; the difference that is left."""
    slots, seen, known = _without_plain(slots, view)
    if not seen and not any(slot.shows for slot in slots):
        return Difference()
    costs = np.full((len(seen) + len(slots), len(slots) + len(seen)), 0.0)
    costs[: len(seen), len(slots) :] = 1e6
    for row, one in enumerate(seen):
        for column, slot in enumerate(slots):
            costs[row, column] = -math.log(likelihood(one, slot.card)) + _way(slot, one.zone)
        costs[row, len(slots) + row] = FRESH - math.log(_share_unplaced(one, known))
    for column, slot in enumerate(slots):
        costs[len(seen) :, column] = MISSING if slot.shows else 0.3
    rows, columns = linear_sum_assignment(costs)
    moved: list[Moved] = []
    strayed: list[Moved] = []
    missing, fresh = [], []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if row < len(seen) and column < len(slots):
            slot, one = slots[column], seen[row]
            if one.zone is None or one.zone == slot.zone or slot.anywhere:
                continue
            elsewhere = moved if slot.shows else strayed
            elsewhere.append(Moved(one, slot.card, slot.zone, one.zone))
        elif row < len(seen):
            fresh.append(seen[row])
        elif column < len(slots) and slots[column].shows:
            missing.append(slots[column])
    dim = tuple(one for one in fresh if one.zone is None or _nameless(one))
    named = tuple(one for one in fresh if one not in dim)
    return Difference(tuple(moved), tuple(missing), named, tuple(strayed), dim)


def without_faint(difference: Difference) -> Difference:
    """The difference without new cards that were never read clearly: what only looks like a card, perhaps."""
    return replace(difference, fresh=tuple(one for one in difference.fresh if one.confidence >= FAINT))


def without_covered(difference: Difference) -> Difference:
    """The difference without new cards that are out of sight now: one that lay there for a moment, and was taken up
    again while others lie in its place, can't be told from one that is still there."""
    return replace(difference, fresh=tuple(one for one in difference.fresh if not one.covered))


def name_of(card: Card) -> str:
    """The card's name in a sentence."""
    return "a card that I can't read" if card == UNKNOWN else str(card)


def _nameless(seen: SeenCard) -> bool:
    return not seen.card.rank and all(share < 0.3 for _, share in seen.others)


def _without_plain(
    slots: Sequence[Slot], view: TableView
) -> tuple[Sequence[Slot], tuple[SeenCard, ...], frozenset[Card]]:
    """The slots and the seen cards that are left when each card seen just where the game has it is paired off, and
    all cards that the game knows."""
    places = {slot.card: slot for slot in slots}
    left: list[SeenCard] = []
    paired: set[Card] = set()
    for seen in view.cards:
        slot = places.get(seen.card) if seen.card.known else None
        if slot is None or not (slot.anywhere or slot.zone == seen.zone) or seen.card in paired:
            left.append(seen)
        else:
            paired.add(seen.card)
    return [slot for slot in slots if slot.card not in paired], tuple(left), frozenset(places)


def _way(slot: Slot, seen: Zone | None) -> float:
    """How unlikely it is that a card went from its place to there."""
    if seen == slot.zone or slot.anywhere:
        return 0.0
    if seen is None:
        return 0.7
    return 1.0 if slot.shows else 4.0


def _share_unplaced(seen: SeenCard, known: frozenset[Card]) -> float:
    """The probability that a seen card is one that the game knows nowhere on the table."""
    share = sum(share for card, share in candidates(seen) if card not in known)
    return max(share, 0.3 if not seen.card.rank else 0.02)
