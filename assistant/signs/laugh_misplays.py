"""Laugh and Lie Down: what was done against the rules, where no legal action explains what the table shows.

The game's own ``apply`` gives the reason. What may be the first half of something legal is told later (``patient``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from assistant.cards import Card
from assistant.games.game import Action, GameError, Position
from assistant.signs.difference import Difference
from assistant.signs.signs import Misplay
from assistant.view import SeenCard

CLEAR: Final = 0.8
"""Nobody is told of a fault for a card that is read less surely than this."""
SWEPT: Final = 0.75
"""So many of the last cards in one place were swept there; a long row of them may reach into the next place."""
MISREAD: Final = frozenset({"not-in-hand", "not-on-the-table", "rank-needed"})
"""Reasons that speak of a misreading, not of a player."""


@dataclass(slots=True)
class _Won:
    """What lies new in a seat's pile: cards from a hand and cards from the pool."""

    hand: list[SeenCard] = field(default_factory=list)
    table: list[tuple[SeenCard, Card]] = field(default_factory=list)


def misplay(position: Position, difference: Difference) -> Misplay | None:
    """The first plain reading of the difference that the rules refuse; None where there is none."""
    if difference.strayed or any(seen.confidence < CLEAR or not seen.card.rank for seen in difference.fresh):
        return None
    if position.over:
        return _after_the_end(position, difference)
    for action, patient in (*_of_piles(position, difference), *_of_pool(position, difference)):
        try:
            position = position.apply(action)
        except GameError as error:
            if error.code == "not-your-turn" and _under_way(position, difference):
                return None
            if error.code in MISREAD:
                continue
            return Misplay(error.code, (action.seat,), action.cards, _text(action, error.reason), error.rule, patient)
    return None


def _text(action: Action, reason: str) -> str:
    where = "on the table" if action.verb == "lie-down" else "in its pile"
    return f"seat {action.seat} put {' '.join(map(str, action.cards))} {where}: {reason}"


def _won(difference: Difference) -> dict[int, _Won]:
    won: dict[int, _Won] = {}
    for seen in difference.fresh:
        if seen.zone is not None and seen.zone.seat is not None:
            won.setdefault(seen.zone.seat, _Won()).hand.append(seen)
    for moved in difference.moved:
        if moved.seat is not None:
            won.setdefault(moved.seat, _Won()).table.append((moved.seen, moved.card))
    return won


def _of_piles(position: Position, difference: Difference) -> Iterator[tuple[Action, bool]]:
    """Each seat's new pile cards as actions, in the order in which they came to rest; whether each is patient."""
    pool = position.observe().table
    readings: list[tuple[float, Action, bool]] = []
    for seat, won in _won(difference).items():
        hand, table = sorted(won.hand, key=lambda seen: seen.since), list(won.table)
        alone = []
        for seen in hand:
            mates = [pair for pair in table if pair[1].rank == seen.card.rank]
            if not mates:
                alone.append(seen)
                continue
            table = [pair for pair in table if pair not in mates]
            gone = [slot.card for slot in difference.missing if slot.card.rank == seen.card.rank]
            part = bool(gone) or (len(mates) == 2 and sum(card.rank == seen.card.rank for card in pool) == 3)
            action = Action(seat, "mate", (seen.card, *(card for _, card in mates), *gone))
            readings.append((max(seen.since, *(pair[0].since for pair in mates)), action, part))
        readings += _unpaired(seat, alone, table, difference)
    readings.sort(key=lambda reading: reading[0])
    yield from ((action, patient) for _, action, patient in readings)


def _unpaired(
    seat: int, alone: list[SeenCard], table: list[tuple[SeenCard, Card]], difference: Difference
) -> Iterator[tuple[float, Action, bool]]:
    """Hand cards without a pool card of their rank, and pool cards without a hand card."""
    t = max([seen.since for seen in alone] + [seen.since for seen, _ in table], default=0.0)
    taken = [card for _, card in table]
    if alone and taken:
        yield t, Action(seat, "mate", (alone[0].card, *taken)), len(alone) > 1
    elif len(alone) == 1 and len(difference.missing) == 1:
        yield t, Action(seat, "mate", (alone[0].card, difference.missing[0].card)), True
    elif len(alone) in (2, 4):
        yield t, Action(seat, "lay", tuple(seen.card for seen in alone)), len({seen.card.rank for seen in alone}) > 1
    elif len(taken) >= 2:
        yield t, Action(seat, "claim", tuple(taken)), True


def _of_pool(position: Position, difference: Difference) -> Iterator[tuple[Action, bool]]:
    """A whole hand that lies face up on the table; a single card may just be on its way over its mate."""
    seat = position.to_act
    shown = [seen.card for seen in difference.fresh if seen.zone is not None and seen.zone.seat is None]
    if seat is not None and shown and len(shown) == position.observe().hands[seat]:
        yield Action(seat, "lie-down", tuple(shown)), len(shown) == 1


def _under_way(position: Position, difference: Difference) -> bool:
    """Whether the seat in turn may be acting just now, so that another is only quick and not out of turn."""
    if difference.missing or difference.dim:
        return True
    own = [seen for seen in difference.fresh if seen.zone is not None and seen.zone.seat in (None, position.to_act)]
    return bool(own) or any(moved.seat == position.to_act for moved in difference.moved)


def _after_the_end(position: Position, difference: Difference) -> Misplay | None:
    """A mate by the last player in, or a sweep to another seat than the dealer (LLD-21, LLD-24)."""
    state, dealer = position.observe(), position.setup.dealer
    last = state.active[0]
    for seat, won in _won(difference).items():
        taken = [card for _, card in won.table]
        if not taken:
            continue
        cards = (*(seen.card for seen in won.hand), *taken)
        rest = len(taken) < len(state.table)
        mate = seat == last and len(won.hand) == 1 and len({card.rank for card in cards}) == 1
        if mate and (seat != dealer or rest):  # the dealer may just be gathering the cards one by one
            text = f"seat {seat} mated {' '.join(map(str, cards))}: the deal is over, and the last one in mates no more"
            return Misplay("deal-over", (seat,), cards, text, "LLD-21", seat == dealer)
        if seat == dealer:
            continue
        gone = len(difference.moved) + len(difference.missing) == len(state.table)
        if gone and len(taken) + len(difference.missing) >= SWEPT * len(state.table):
            text = f"the cards left on the table went to seat {seat}: they go to the dealer, seat {dealer}"
            return Misplay("wrong-sweep", (seat,), tuple(taken), text, "LLD-24")
    return None
