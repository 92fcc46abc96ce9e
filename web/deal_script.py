"""A deal record as a script for the virtual table: what follows from the rules is worked out here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from assistant.games.game import Position
from assistant.record import Record, positions
from vision.render.casting import cast
from vision.render.gesture import ImpossibleStep, Step
from vision.render.misplays import Misplay
from vision.render.script import LAUGH, SBROS, STONE, Follow, Script


def script_of(record: Record, misplays: Sequence[Misplay] = ()) -> Script:
    """What the virtual table needs of a record, whose actions must all be legal.

    Raises ImpossibleStep where it names cards only in part and the table needs to know them, GameError where an
    action is illegal.
    """
    setup = record.setup
    if not all(card.known for card in setup.table):
        reason = "the record's table holds partly known cards: the virtual table needs to know what lies there"
        raise ImpossibleStep(reason)
    steps = tuple(Step(action.seat, action.verb, action.cards) for action in record.actions)
    if setup.game == LAUGH:
        steps = cast(setup.table, steps)
    unread = next((step for step in steps if not all(card.known for card in step.cards)), None)
    if unread is not None:
        raise ImpossibleStep(f"'{unread}': the virtual table needs to know which card that is")
    hands = {seat: hand for seat, hand in setup.hands.items() if all(card.known for card in hand)}
    played = tuple(positions(record))
    follows = {STONE: _tricks, SBROS: _draws}.get(setup.game)
    return Script(
        setup.players,
        setup.dealer,
        setup.table,
        hands,
        steps,
        setup.game,
        () if follows is None else tuple(follows(played)),
        played[-1].over,
        tuple(misplays),
    )


def _tricks(played: Sequence[Position]) -> Iterator[Follow]:
    """Who takes which completed trick (RST-10)."""
    for step, (before, after) in enumerate(pairwise(played)):
        old, new = before.observe().piles, after.observe().piles
        for seat in new:
            if len(new[seat]) > len(old[seat]):
                yield Follow(step, seat, "take-trick")


def _draws(played: Sequence[Position]) -> Iterator[Follow]:
    """Who draws how many cards (SBR-7, SBR-9), and who takes whose temporary discard (SBR-12)."""
    for step, (before, after) in enumerate(pairwise(played)):
        seat, drawn = after.actions[step].seat, before.observe().stock - after.observe().stock
        if drawn:
            yield Follow(step, seat, "draw", drawn)
            if not after.observe().stock:
                own = after.setup.options.get("merge") == "own"
                for taker in (seat, 3 - seat):
                    yield Follow(step, taker, "take-resets", taker if own else 3 - taker)
