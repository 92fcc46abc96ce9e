"""Rolling Stone, played low, with revokes that are proved later and with misplays."""

from __future__ import annotations

import random
from collections.abc import Iterator

from assistant.cards import PACK, Card
from assistant.games import game_named
from assistant.games.game import Action, Position, Setup
from assistant.record import Record
from tests.following_benchmark.played import Hands, Played, offers, refused, seen_setup, start, with_misplays, without
from vision.render.gesture import Step

MISPLAYS = ("off-suit", "barred-lead", "wrong-taker", "not-your-turn")
SHORTEST, LONGEST = 24, 70
"""Actions of a deal; shorter and longer ones are dealt again."""
_LOW_TO_HIGH = "23456789TJQKA"


def played(players: int, chance: random.Random, faults: int | None) -> Played:
    """A whole deal; ``faults``: without any, or a number that says which misplays are in it, the even with a revoke."""
    revoke = faults is not None and faults % 2 == 0
    while True:
        found = _played(players, chance, revoke)
        proved = bool(found and found.positions[-1].faults())
        if found and found.positions[-1].over and len(found.record.actions) >= SHORTEST and proved == revoke:
            break
    if faults is None:
        return found
    return with_misplays(found, _misplays, (MISPLAYS[faults % 4],), chance)


def _played(players: int, chance: random.Random, revoke: bool) -> Played | None:
    """A deal, or None where it goes on too long. One revoke at most: a seat picks up though it could follow."""
    game = game_named("rolling-stone")
    setup = game.shuffled(Setup(game.name, players, chance.randint(1, players)), chance.sample(PACK, 52))
    hands: list[Hands] = [setup.hands]
    positions: list[Position] = [start(setup)]
    actions: list[Action] = []
    revoking = chance.randint(4, 12) if revoke else LONGEST
    while not positions[-1].over:
        position, held = positions[-1], hands[-1]
        seat = position.to_act
        assert seat is not None
        trick = position.observe().table
        playable = [card for card in _ordered(held[seat], trick) if _plays(position, seat, card, trick)]
        if trick and playable and len(actions) >= revoking:
            action, revoking = Action(seat, "pick-up"), LONGEST
        elif playable:
            action = Action(seat, "play", (playable[0],))
        else:
            action = Action(seat, "pick-up")
        if refused(position, action) or len(actions) == LONGEST:
            return None
        after = without(held, seat, action.cards)
        if action.verb == "pick-up":
            after[seat] = (*after[seat], *trick)
        actions.append(action)
        hands.append(after)
        positions.append(position.apply(action))
    return Played(Record(seen_setup(setup), tuple(actions)), tuple(hands), tuple(positions))


def _plays(position: Position, seat: int, card: Card, trick: tuple[Card, ...]) -> bool:
    follows = not trick or card.suit == trick[0].suit
    return follows and not refused(position, Action(seat, "play", (card,)))


def _ordered(hand: tuple[Card, ...], trick: tuple[Card, ...]) -> list[Card]:
    """What a player would rather play: low cards, and leading those of his longest suit."""
    number = {suit: sum(card.suit == suit for card in hand) for suit in "SHDC"}
    return sorted(hand, key=lambda card: (0 if trick else -number[card.suit], _LOW_TO_HIGH.index(card.rank)))


def _misplays(position: Position, hands: Hands, chance: random.Random) -> Iterator[tuple[str, Step]]:
    if position.over:
        return
    cards = [Action(seat, "play", (card,)) for seat, hand in hands.items() for card in hand]
    yield from offers(position, iter(cards), ("off-suit", "barred-lead", "not-your-turn"))
    last = position.actions[-1]
    if last.verb == "play" and not position.observe().table:
        others = [seat for seat in hands if seat != position.to_act]
        yield "wrong-taker", Step(chance.choice(others), "take-trick")
