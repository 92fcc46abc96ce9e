"""Laugh and Lie Down: what was done against the rules, where no legal action explains what the table shows.

The game's own ``apply`` gives the reason. What may be the first half of something legal is told later (``patient``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from assistant.cards import Card
from assistant.games.game import Action, GameError, Position
from assistant.signs.difference import Difference
from assistant.signs.laugh_passing import read_in_passing
from assistant.signs.signs import Misplay
from assistant.told import Seat, Told, tell
from assistant.view import TABLE, SeenCard, TableView, Zone

CLEAR: Final = 0.9
"""Nobody is told of a fault for a card that is read less surely than this."""
SWEPT: Final = 0.75
"""So many of the last cards in one place were swept there; a long row of them may reach into the next place."""
STANDS: Final = 7.0
"""So long (seconds) after it came to rest a pair is taken for a wrong one by what its hand had shown before; if it lies
there still, it is asked what happened."""
TOGETHER: Final = 3.0
"""A hand card and what it takes come to rest within so many seconds."""
MISREAD: Final = frozenset({"not-in-hand", "not-on-the-table", "rank-needed", "lies-down-already"})
"""Reasons that speak of a misreading, or of an action that nobody saw, not of a player: whoever has laid down the whole
hand has no card left to play."""


@dataclass(slots=True)
class _Won:
    """What lies new in a seat's pile: cards from a hand and cards from the pool."""

    hand: list[SeenCard] = field(default_factory=list)
    table: list[tuple[SeenCard, Card]] = field(default_factory=list)


def misplay(position: Position, difference: Difference, view: TableView) -> Misplay | None:
    """The first plain reading of the difference that the rules refuse; None where there is none."""
    if difference.strayed or any(not seen.card.rank for seen in difference.fresh):
        return None
    if position.over:
        return _after_the_end(position, difference)
    if any(seen.confidence < CLEAR for seen in difference.fresh):
        return None
    for action, patient in (*_of_piles(position, difference, view), *_of_pool(position, difference)):
        try:
            position = position.apply(action)
        except GameError as error:
            if error.code == "not-your-turn" and (
                _under_way(position, difference, action) or _had_its_turn(position, difference, view)
            ):
                return None
            if error.code in MISREAD:
                continue
            return Misplay(error.code, (action.seat,), action.cards, _text(action, error.reason), error.rule, patient)
    return None


def _text(action: Action, reason: str) -> Told:
    values = {"seat": Seat(action.seat), "cards": action.cards, "why": reason}
    if action.verb == "lie-down":
        return tell("{seat} put {cards} on the table: {why}", **values)
    return tell("{seat} put {cards} in their pile: {why}", **values)


def _won(difference: Difference) -> dict[int, _Won]:
    won: dict[int, _Won] = {}
    for seen in difference.fresh:
        if seen.zone is not None and seen.zone.seat is not None:
            won.setdefault(seen.zone.seat, _Won()).hand.append(seen)
    for moved in difference.moved:
        if moved.seat is not None:
            won.setdefault(moved.seat, _Won()).table.append((moved.seen, moved.card))
    return won


def _of_piles(position: Position, difference: Difference, view: TableView) -> Iterator[tuple[Action, bool]]:
    """Each seat's new pile cards as actions, in the order in which they came to rest; whether each is patient."""
    pool = position.observe().table
    readings: list[tuple[float, Action, bool]] = []
    for seat, won in _won(difference).items():
        hand, table = sorted(won.hand, key=lambda seen: seen.since), list(won.table)
        alone = []
        for seen in hand:
            mates = [pair for pair in table if pair[1].rank == seen.card.rank]
            gone = _gone(difference, seen.card.rank)
            if not (mates or gone):
                alone.append(seen)
                continue
            table = [pair for pair in table if pair not in mates]
            part = (bool(gone) and not _left(view, seat)) or (
                len(mates) == 2 and sum(card.rank == seen.card.rank for card in pool) == 3
            )
            action = Action(seat, "mate", (seen.card, *(card for _, card in mates), *gone))
            readings.append((max(one.since for one in (seen, *(pair[0] for pair in mates))), action, part))
        readings += _unpaired(position, seat, alone, table, difference, view)
    readings.sort(key=lambda reading: reading[0])
    yield from ((action, patient) for _, action, patient in readings)


def _unpaired(
    position: Position,
    seat: int,
    alone: list[SeenCard],
    table: list[tuple[SeenCard, Card]],
    difference: Difference,
    view: TableView,
) -> Iterator[tuple[float, Action, bool]]:
    """Hand cards without a pool card of their rank, and pool cards without a hand card."""
    t = max([seen.since for seen in alone] + [seen.since for seen, _ in table], default=0.0)
    taken = [card for _, card in table]
    together = [seen for seen in alone if t - seen.since <= TOGETHER]
    if alone and taken:
        if together:
            yield t, Action(seat, "mate", (together[0].card, *taken)), len(alone) > 1
    elif len(alone) == 1 and len(difference.missing) == 1:
        yield t, Action(seat, "mate", (alone[0].card, difference.missing[0].card)), True
    elif len(alone) in (2, 4):
        yield t, Action(seat, "lay", tuple(seen.card for seen in alone)), len({seen.card.rank for seen in alone}) > 1
    elif len(taken) == 2 and seat == position.to_act and taken[0].rank == taken[1].rank:
        yield t, Action(seat, "mate", (Card(taken[0].rank, ""), *taken)), True  # the hand card lies beneath
    elif len(taken) >= 2:
        yield t, Action(seat, "claim", tuple(taken)), True
    elif taken:
        rank, beneath = taken[0].rank, _gone(difference, taken[0].rank)
        other = _other_hand_card(position, seat, table[0][0], rank, view)
        if beneath or seat != position.to_act:  # the hand card lies beneath, too
            yield t, Action(seat, "mate", (Card(rank, ""), *taken, *beneath)), not (beneath and _left(view, seat))
        elif other is not None:
            yield t, Action(seat, "mate", (other, *taken)), False


def _other_hand_card(position: Position, seat: int, top: SeenCard, rank: str, view: TableView) -> Card | None:
    """The card of another rank that the hand had shown over the pool before it took what lies on top now."""
    if view.t - top.since > STANDS:
        return None
    state = position.observe()
    known = {*state.table, *(card for pile in state.piles.values() for card in pile)}
    return read_in_passing(view.passing, view.visits, top, seat, known).another(rank, plainly=True)


def _left(view: TableView, seat: int) -> bool:
    """Whether the seat's hand was seen to go, and none of its own is there."""
    ends = [visit.end for visit in view.visits if visit.seat in (seat, None)]
    return bool(ends) and None not in ends


def _gone(difference: Difference, rank: str) -> list[Card]:
    """The pool cards of a rank that are nowhere in sight: of a squared pile the top alone shows."""
    return [slot.card for slot in difference.missing if slot.card.rank == rank]


def _of_pool(position: Position, difference: Difference) -> Iterator[tuple[Action, bool]]:
    """A whole hand that lies face up on the table; a single card may just be on its way over its mate."""
    seat = position.to_act
    shown = [seen.card for seen in difference.fresh if seen.zone is not None and seen.zone.seat is None]
    if seat is not None and shown and len(shown) == position.observe().hands[seat]:
        yield Action(seat, "lie-down", tuple(shown)), len(shown) == 1


def _under_way(position: Position, difference: Difference, action: Action) -> bool:
    """Whether the seat in turn may be acting just now, so that another is only quick and not out of turn."""
    known = _came_last(difference)
    if any(seen.since > known for seen in difference.dim) or any(
        slot.card not in action.cards for slot in difference.missing
    ):
        return True
    own = [seen for seen in difference.fresh if seen.zone is not None and seen.zone.seat in (None, position.to_act)]
    return bool(own) or any(moved.seat == position.to_act for moved in difference.moved)


def _came_last(difference: Difference) -> float:
    """When the last card came to a pile that the game knows there; infinite if it knows none."""
    return max((lying.since for lying in difference.lying.values() if lying.zone.seat is not None), default=math.inf)


def _had_its_turn(position: Position, difference: Difference, view: TableView) -> bool:
    """Whether the hand of the seat in turn was over the pool since what the game knows of came to rest and before what
    is new: then it is likelier that its action was not seen than that another acts out of turn."""
    known = _came_last(difference)
    new = max((seen.since for seen in (*difference.fresh, *(one.seen for one in difference.moved))), default=-math.inf)
    return any(
        visit.seat == position.to_act
        and visit.begin > known
        and visit.end is not None
        and visit.end < new
        and {TABLE, Zone(visit.seat)} <= {*visit.over}
        for visit in view.visits
    )


def _after_the_end(position: Position, difference: Difference) -> Misplay | None:
    """A mate by the last player in, or a sweep to another seat than the dealer (LLD-21, LLD-24)."""
    state, dealer = position.observe(), position.setup.dealer
    last = state.active[0]
    for seat, won in _won(difference).items():
        taken = [card for _, card in won.table]
        if not taken:
            continue
        rank, rest = taken[0].rank, len(taken) < len(state.table)
        came = max(seen.since for seen, _ in won.table)
        hand = [seen for seen in won.hand if abs(seen.since - came) <= TOGETHER]
        # A card that comes with them is no card of a sweep, whatever it is read as.
        mate = seat == last and len(hand) == 1 and all(card.rank == rank for card in taken)
        if mate and (seat != dealer or (rest and hand[0].card.rank == rank)):  # the dealer may be gathering one by one
            cards = (hand[0].card if hand[0].card.rank == rank else Card(rank, ""), *taken)
            text = tell(
                "{seat} mated {cards}: the deal is over, and the last one in mates no more",
                seat=Seat(seat),
                cards=cards,
            )
            return Misplay("deal-over", (seat,), cards, text, "LLD-21", seat == dealer)
        if seat == dealer or hand:
            continue
        gone = len(difference.moved) + len(difference.missing) == len(state.table)
        if gone and len(taken) + len(difference.missing) >= SWEPT * len(state.table):
            values = {"seat": Seat(seat), "dealer": Seat(dealer)}
            text = tell("the cards left on the table went to {seat}: they go to the dealer, {dealer}", **values)
            return Misplay("wrong-sweep", (seat,), tuple(taken), text, "LLD-24")
    return None
