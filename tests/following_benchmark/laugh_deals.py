"""Laugh and Lie Down, played with mistakes that others may claim (C1 to C5) and with misplays."""

from __future__ import annotations

import random
from collections.abc import Iterator

from assistant.games.game import Action, Position
from assistant.record import Record
from tests.following_benchmark.played import Hands, Played, offers, start, with_misplays, without
from tests.scripted_play import play, random_setup
from vision.render.gesture import Step

MISTAKES = ("C2", "C3", "C4", "C5", "C1")
MISPLAYS = ("not-the-same-rank", "one-of-two", "not-your-turn", "deal-over", "wrong-sweep")


def played(players: int, chance: random.Random, faults: int | None) -> Played:
    """A whole deal; ``faults``: without any, or a number that says which mistakes and misplays are in it."""
    if faults is None:
        return _played(players, chance, careless=0.0)
    wanted = MISTAKES[faults % len(MISTAKES)]
    while True:
        found = _played(players, chance, careless=0.85)
        if any(fault.code == wanted for fault in found.positions[-1].faults()):
            break
    turn = faults + faults // len(MISPLAYS)
    return with_misplays(found, _misplays, (MISPLAYS[turn % 5], MISPLAYS[(turn + 2) % 5]), chance)


def _played(players: int, chance: random.Random, careless: float) -> Played:
    setup = random_setup(players, chance)
    actions = tuple(play(setup, chance, faults=careless, notice=0.5))
    hands: list[Hands] = [setup.hands]
    positions: list[Position] = [start(setup)]
    for action in actions:
        given = {"mate": action.cards[:1], "lay": action.cards, "lie-down": action.cards}.get(action.verb, ())
        hands.append(without(hands[-1], action.seat, given))
        positions.append(positions[-1].apply(action))
    return Played(Record(setup, actions), tuple(hands), tuple(positions))


def _misplays(position: Position, hands: Hands, chance: random.Random) -> Iterator[tuple[str, Step]]:
    table = position.observe().table
    if position.over:
        if table:
            other = chance.choice([seat for seat in hands if seat != position.setup.dealer])
            yield "wrong-sweep", Step(other, "sweep")
        yield from offers(position, _mates(position, hands), ("deal-over",))
        return
    yield from offers(position, _mates(position, hands), ("one-of-two", "not-your-turn"))
    seat = position.to_act
    assert seat is not None
    strangers = [Action(seat, "mate", (card, other)) for card in hands[seat] for other in table]
    yield from offers(position, iter(strangers), ("not-the-same-rank",))


def _mates(position: Position, hands: Hands) -> Iterator[Action]:
    """Cards of hands with one card of their rank on the table, and with two where just two lie there."""
    state = position.observe()
    for seat in state.active:
        for card in hands[seat]:
            lying = tuple(other for other in state.table if other.rank == card.rank)
            if len(lying) in (1, 2):
                yield Action(seat, "mate", (card, lying[0]))
            if len(lying) == 2:
                yield Action(seat, "mate", (card, *lying))
