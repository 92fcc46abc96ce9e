"""What the table shows otherwise than the game expects.

The game says where each card that it knows lies (``Slot``); the view says what is seen. Every card seen is matched with
a slot, the likeliest as a whole (Hungarian method); what is left over is the difference: cards that lie elsewhere,
cards that are nowhere, cards that appeared.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.cards import SUITS, UNKNOWN, Card
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, SeenCard, TableView, Zone

LEAST: Final = 1e-4
FRESH: Final = 3.0
MISSING: Final = 2.0
"""Costs in nats: how unlikely it is that a card lies there of which the game knows nothing, or that one is gone."""
UNMOVED, STIRRED, CARRIED = 0.3, 1.0, 2.0
"""Costs in nats at most, whatever it is read as now, for a card that was known in its place: it has not been moved
since, it was moved a little, it lies elsewhere."""
SAME: Final = 0.5
"""In nats: where several cards may be the one that is known in its place, it is the one that has lain there so far."""
UNSEEN_THERE: Final = 50.0
"""Cost in nats: what is out of sight, and only believed to lie elsewhere, is no sign that a card strayed there."""
OTHER_SUIT: Final = 2.3
"""Cost in nats where suits never matter: a card is read with its rank and another suit."""
TURNED_UP: Final = 6.0
"""Cost in nats: what a hand laid over the card in sight of a pile is one that lay beneath, never read, till now."""
LATER, BROUGHT, READ_WELL = 6.0, 2.0, 0.9
"""So many seconds after the card beneath it came (the other half of a mate comes at once), at most so many after the
hand was gone, and so surely read, a card counts as laid over a pile."""
AT_ONCE: Final = 0.3
"""Cards that come to rest within so many seconds came together."""
FAINT: Final = 0.5
"""A new card that is less sure than this may be none; it is left out if the rest makes sense without it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A card that the game knows on the table, and where it lies.

    ``shows``: it must be seen; else another card may lie over it (a squared pile). ``anywhere``: it means nothing
    where it is seen (cards of a finished trick that somebody is about to gather). ``stays``: its track goes on being
    this card, whatever is read there later (nothing is put exactly in its place). ``beneath``: it does so while it is
    out of sight, or hardly to be read. ``suitless``: only its rank counts.
    """

    card: Card
    zone: Zone
    shows: bool = True
    anywhere: bool = False
    stays: bool = False
    beneath: bool = False
    suitless: bool = False


@dataclass(frozen=True, slots=True)
class Lying:
    """Which card a track was when table and game agreed, where it lay, and since when (seconds)."""

    card: Card
    zone: Zone
    since: float


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
    itself it makes no difference. ``lying``: by track, the cards that lie where the game has them; ``covered``: those
    of them that must show and are out of sight now.
    """

    moved: tuple[Moved, ...] = ()
    missing: tuple[Slot, ...] = ()
    fresh: tuple[SeenCard, ...] = ()
    strayed: tuple[Moved, ...] = ()
    dim: tuple[SeenCard, ...] = ()
    lying: Mapping[int, Lying] = field(default_factory=dict, compare=False, repr=False)
    covered: tuple[Slot, ...] = field(default=(), compare=False, repr=False)

    def __bool__(self) -> bool:
        return bool(self.moved or self.missing or self.fresh or self.strayed)

    @property
    def outline(self) -> tuple[object, ...]:
        """What differs, whatever little the readings change from look to look."""
        fresh = tuple((one.track, round(one.confidence, 1)) for one in (*self.fresh, *self.dim))
        moved = tuple(one.seen.track for one in (*self.moved, *self.strayed))
        return fresh, moved, tuple(slot.card for slot in (*self.missing, *self.covered))

    @property
    def size(self) -> int:
        """How many cards differ."""
        return len(self.moved) + len(self.missing) + len(self.fresh) + len(self.strayed)


def compare(slots: Sequence[Slot], view: TableView, lying: Mapping[int, Lying] | None = None) -> Difference:
    """Match the cards seen with the cards expected, the likeliest as a whole; the difference that is left.

    ``lying``: that of an earlier difference. A card that has not been moved since is still the same card, however it
    may be read now.
    """
    every = slots
    slots, seen, known, paired = _without_plain(slots, view)
    moved: list[Moved] = []
    strayed: list[Moved] = []
    missing, fresh = [], []
    costs = _costs(slots, seen, known, lying or {}, _laid_over(view, lying or {}))
    rows, columns = linear_sum_assignment(costs)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if row < len(seen) and column < len(slots):
            slot, one = slots[column], seen[row]
            if one.zone is None or one.zone == slot.zone or slot.anywhere:
                paired.append((slot, one))
                continue
            elsewhere = moved if slot.shows else strayed
            elsewhere.append(Moved(one, slot.card, slot.zone, one.zone))
        elif row < len(seen) and not _beneath_elsewhere(seen[row], every):
            fresh.append(seen[row])
        elif column < len(slots) and slots[column].shows:
            missing.append(slots[column])
    dim = tuple(one for one in fresh if _no_new_card(one, every, view, lying or {}))
    named = tuple(one for one in fresh if one not in dim)
    return Difference(tuple(moved), tuple(missing), named, tuple(strayed), dim, *_as_paired(paired))


def _beneath_elsewhere(seen: SeenCard, slots: Sequence[Slot]) -> bool:
    """Whether a card is out of sight and only believed to lie there, while the game has it beneath others elsewhere."""
    return seen.covered and any(slot.card == seen.card and not slot.shows and slot.zone != seen.zone for slot in slots)


def _no_new_card(seen: SeenCard, slots: Sequence[Slot], view: TableView, lying: Mapping[int, Lying]) -> bool:
    """Whether what the game knows nowhere is nothing to go by."""
    plainly = seen.zone is not None and not _nameless(seen)
    return not plainly or _read_twice(seen, slots, view) or _has_lain(seen, slots, lying) or _doubled(seen, slots, view)


def _doubled(seen: SeenCard, slots: Sequence[Slot], view: TableView) -> bool:
    """Whether a card came to a centre pile together with one that the game has there, or that is read better: a hand
    puts one card on each (SBR-5), so it is another reading of that one, or of what it covers."""
    if seen.zone not in (CENTRE_LEFT, CENTRE_RIGHT):
        return False
    known = {slot.card for slot in slots if slot.zone == seen.zone}
    with_it = [one for one in view.in_zone(seen.zone) if abs(one.since - seen.since) <= AT_ONCE and not one.covered]
    hands = {
        visit.seat
        for visit in view.visits
        if seen.zone in visit.over and visit.begin - BROUGHT <= seen.since <= (visit.end or math.inf) + BROUGHT
    }
    better = any(one.card in known or seen.confidence < READ_WELL <= one.confidence for one in with_it)
    return better and len(hands) <= 1


def _has_lain(seen: SeenCard, slots: Sequence[Slot], lying: Mapping[int, Lying]) -> bool:
    """Whether a card of a seat's pile has not been moved since it was one that the game has there: it is that one,
    whatever it is read as now that others lie about it."""
    was = lying.get(seen.track)
    if was is None or seen.zone is None or seen.zone.seat is None:
        return False
    unmoved = (was.zone, was.since) == (seen.zone, seen.since)
    return unmoved and any(slot.stays and slot.suitless and slot.zone == seen.zone for slot in slots)


def _read_twice(seen: SeenCard, slots: Sequence[Slot], view: TableView) -> bool:
    """Whether a card that seems new in a seat's pile can only be another reading of one of its rank there: no hand was
    there when it came. Where suits matter the names tell."""
    if seen.zone is None or seen.zone.seat is None or not view.visits:
        return False
    hand = any(
        (not visit.over or seen.zone in visit.over)
        and visit.begin - BROUGHT <= seen.since <= (visit.end or math.inf) + BROUGHT
        for visit in view.visits
    )
    there = (slot for slot in slots if slot.suitless and slot.zone == seen.zone)
    return not hand and any(slot.card.rank == seen.card.rank for slot in there)


def _as_paired(paired: Sequence[tuple[Slot, SeenCard]]) -> tuple[dict[int, Lying], tuple[Slot, ...]]:
    """Which tracks are which cards, and the slots whose card is out of sight."""
    lying = {
        seen.track: Lying(slot.card, slot.zone, seen.since)
        for slot, seen in paired
        if (slot.stays or slot.beneath) and seen.zone == slot.zone
    }
    return lying, tuple(slot for slot, seen in paired if slot.shows and seen.covered)


def laid(slots: Sequence[Slot], view: TableView, tracks: Iterable[Iterable[int]]) -> dict[int, Lying]:
    """The cards of actions, by their ``tracks``, as they are read: however little of their names the record has, they
    are what these actions laid, and nothing that came after. ``slots`` are those after the actions."""
    used = {track for action in tracks for track in action}
    stays = {slot.zone for slot in slots if slot.stays or slot.beneath}
    new = ((seen, seen.zone) for seen in view.cards if seen.track in used)
    return {seen.track: Lying(seen.card, zone, seen.since) for seen, zone in new if zone is not None and zone in stays}


def _laid_over(view: TableView, lying: Mapping[int, Lying]) -> frozenset[int]:
    """The tracks that a hand has laid over what was in sight of a seat's pile: they come from nowhere on the table.
    What came at once with a card of the game is the other half of what was done with that one."""
    beneath = [(one.zone, one.since) for one in view.cards if one.covered and one.track in lying]
    there = [(one.zone, one.since) for one in view.cards if one.track in lying]

    def laid(seen: SeenCard) -> bool:
        over = any(zone == seen.zone and since + LATER <= seen.since for zone, since in beneath)
        half = any(zone == seen.zone and abs(since - seen.since) <= BROUGHT for zone, since in there)
        return (over and not half) and any(
            seen.zone in visit.over and visit.begin <= seen.since <= (visit.end or math.inf) + BROUGHT
            for visit in view.visits
        )

    new = (one for one in view.cards if one.track not in lying and not one.covered and one.confidence >= READ_WELL)
    return frozenset(one.track for one in new if one.zone is not None and one.zone.seat is not None and laid(one))


def _costs(
    slots: Sequence[Slot],
    seen: Sequence[SeenCard],
    known: frozenset[Card],
    lying: Mapping[int, Lying],
    laid: frozenset[int],
) -> npt.NDArray[np.float64]:
    """How unlikely each seen card is as each slot's (nats); beyond the slots: as a new card, and each slot unseen."""
    costs = np.full((len(seen) + len(slots), len(slots) + len(seen)), 0.0)
    costs[: len(seen), len(slots) :] = 1e6
    suitless = any(slot.suitless for slot in slots)
    for row, one in enumerate(seen):
        for column, slot in enumerate(slots):
            costs[row, column] = _as_slot(one, slot, lying.get(one.track))
            if one.track in laid and not slot.shows and not slot.card.suit:
                costs[row, column] += TURNED_UP
        unplaced = -math.log(_share_unplaced(one, known))
        if suitless and sum(card.rank == one.card.rank for card in known) < len(SUITS):
            unplaced = min(unplaced, OTHER_SUIT - math.log(likelihood(one, Card(one.card.rank, ""))))
        costs[row, len(slots) + row] = FRESH + unplaced
    for column, slot in enumerate(slots):
        costs[len(seen) :, column] = MISSING if slot.shows else 0.3
    return costs


def _as_slot(seen: SeenCard, slot: Slot, lying: Lying | None) -> float:
    here = seen.zone == slot.zone
    if seen.covered and not (here or slot.shows or slot.anywhere):
        return UNSEEN_THERE
    if slot.suitless and not (slot.card.rank or here or slot.anywhere):
        return UNSEEN_THERE  # nothing tells that it is that one
    reading = -math.log(likelihood(seen, slot.card))
    held = slot.stays or seen.covered or seen.confidence < FAINT
    if held and lying is not None and (lying.card, lying.zone) == (slot.card, slot.zone):
        reading = min(reading, CARRIED if not here else UNMOVED if lying.since == seen.since else STIRRED)
        reading -= SAME
    return reading + _way(slot, seen.zone)


def without_faint(difference: Difference) -> Difference:
    """The difference without new cards that were never read clearly: what only looks like a card, perhaps."""
    return replace(difference, fresh=tuple(one for one in difference.fresh if one.confidence >= FAINT))


def unlikely_faint(difference: Difference) -> float:
    """How unlikely (nats) it is that none of the new cards that were never read clearly is one."""
    return sum(-math.log(1.0 - one.confidence) for one in difference.fresh if one.confidence < FAINT)


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
) -> tuple[Sequence[Slot], tuple[SeenCard, ...], frozenset[Card], list[tuple[Slot, SeenCard]]]:
    """The slots and the seen cards that are left when each card seen just where the game has it is paired off, all
    cards that the game knows, and those pairs."""
    places = {slot.card: slot for slot in slots}
    left: list[SeenCard] = []
    done: set[Card] = set()
    paired: list[tuple[Slot, SeenCard]] = []
    for seen in view.cards:
        slot = places.get(seen.card) if seen.card.known else None
        if slot is None or not (slot.anywhere or slot.zone == seen.zone) or seen.card in done:
            left.append(seen)
            continue
        done.add(seen.card)
        paired.append((slot, seen))
    return [slot for slot in slots if slot.card not in done], tuple(left), frozenset(places), paired


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
