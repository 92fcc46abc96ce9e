"""Gives partly known cards a face: the virtual table can only show real ones.

A record may say ``3 mate 7? 7S``. Some seven was played; ``cast`` chooses one that contradicts nothing said anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from assistant.cards import PACK, Card
from vision.render.gesture import ImpossibleStep, Step

_FROM_HAND: Final = {"mate": 1, "lay": 52, "lie-down": 52}
"""How many of a step's first cards come from the hand; the others lie on the table."""
_NEVER: Final = 1e6


@dataclass(frozen=True, slots=True)
class _Slot:
    """A card that comes out of a hand: its step, its index there, what is known of it."""

    step: int
    index: int
    card: Card


def cast(table: Sequence[Card], steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps with every card known. Raises ImpossibleStep where no choice fits.

    >>> from assistant.cards import parse_cards
    >>> print(cast(parse_cards("7S 7H"), [Step(3, "mate", parse_cards("7? 7?"))])[0])
    3 mate 7D 7S
    """
    steps = tuple(steps)
    slots = [
        _Slot(number, index, card)
        for number, step in enumerate(steps)
        for index, card in enumerate(step.cards[: _FROM_HAND.get(step.verb, 0)])
    ]
    steps = _with(steps, _faces(table, steps, slots))
    return _with_table_cards(table, steps)


def _with(steps: tuple[Step, ...], faces: dict[tuple[int, int], Card]) -> tuple[Step, ...]:
    return tuple(
        replace(step, cards=tuple(faces.get((number, index), card) for index, card in enumerate(step.cards)))
        for number, step in enumerate(steps)
    )


def _faces(table: Sequence[Card], steps: tuple[Step, ...], slots: list[_Slot]) -> dict[tuple[int, int], Card]:
    """A face for every partly known hand card, so that cards which are named on the table later have come there."""
    known = {*table, *(slot.card for slot in slots if slot.card.known)}
    open_slots = [slot for slot in slots if not slot.card.known]
    if not open_slots:
        return {}
    needed: dict[Card, int] = {}
    for number, step in enumerate(steps):
        for card in step.cards[_FROM_HAND.get(step.verb, 0) :]:
            if card.known and card not in known:
                needed.setdefault(card, number)
    free = [card for card in PACK if card not in known]
    cost = np.full((len(open_slots), len(free)), _NEVER)
    for row, slot in enumerate(open_slots):
        for column, card in enumerate(free):
            if slot.card.matches(card):
                before = card in needed and slot.step < needed[card] and steps[slot.step].verb == "lie-down"
                cost[row, column] = 0.0 if before else 1.0 + 50.0 * (card in needed)
    rows, columns = linear_sum_assignment(cost)
    if len(rows) < len(open_slots) or cost[rows, columns].max() >= _NEVER:
        raise ImpossibleStep("the record's partly known cards can't all be cards of one pack")
    return {
        (open_slots[row].step, open_slots[row].index): free[column] for row, column in zip(rows, columns, strict=True)
    }


def _with_table_cards(table: Sequence[Card], steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Partly known table cards become the first fitting ones that lie there and that the step doesn't name itself."""
    lying = list(table)
    told = []
    for step in steps:
        own = _FROM_HAND.get(step.verb, 0)
        cards = list(step.cards)
        for index in range(own, len(cards)):
            if not cards[index].known:
                named = cards[:index] + [card for card in cards[index + 1 :] if card.known]
                fitting = [card for card in lying if cards[index].matches(card) and card not in named]
                if not fitting:
                    raise ImpossibleStep(f"'{step}': no {cards[index]} lies on the table")
                cards[index] = fitting[0]
        for card in cards[own:]:
            if card not in lying:
                raise ImpossibleStep(f"'{step}': {card} doesn't lie on the table")
            lying.remove(card)
        if step.verb == "lie-down":
            lying.extend(cards)
        told.append(replace(step, cards=tuple(cards)))
    return tuple(told)
