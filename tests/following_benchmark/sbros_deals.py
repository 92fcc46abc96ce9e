"""Sbros, played with whatever covers, with wrong resets that are proved later and with misplays."""

from __future__ import annotations

import random
from collections.abc import Iterator

from assistant.cards import CARDS, PACK, Card
from assistant.games import game_named
from assistant.games.bag import Bag
from assistant.games.game import Action, Position, Setup
from assistant.games.sbros import SbrosPosition
from assistant.games.sbros_covers import covers_in
from assistant.record import Record
from tests.following_benchmark.played import Hands, Played, offers, refused, seen_setup, start, with_misplays, without
from vision.render.gesture import Step

MISPLAYS = ("does-not-cover", "one-card-placed", "not-your-turn")
LONGEST = 80


def played(players: int, chance: random.Random, faults: int | None) -> Played:
    """A whole deal; ``faults``: without any, or a number that names the misplays in it, the odd with wrong resets."""
    wrong = faults is not None and faults % 2 == 1
    while True:
        found = _played(players, chance, wrong)
        if found and found.positions[-1].over and bool(found.positions[-1].faults()) == wrong:
            break
    if faults is None:
        return found
    return with_misplays(found, _misplays, (MISPLAYS[faults % 3], MISPLAYS[(faults + 1) % 3]), chance)


def _played(players: int, chance: random.Random, wrong: bool) -> Played | None:
    """A deal, or None where it goes on too long. With ``wrong`` a card is at times put aside though two would do."""
    game = game_named("sbros")
    pack = chance.sample(PACK, 52)
    setup = game.shuffled(Setup(game.name, players, chance.randint(1, players)), pack)
    dealt = {*setup.table, *(card for hand in setup.hands.values() for card in hand)}
    stock = [card for card in pack if card not in dealt]
    hands: list[Hands] = [setup.hands]
    positions: list[Position] = [start(setup)]
    actions: list[Action] = []
    aside: dict[int, tuple[Card, ...]] = {1: (), 2: ()}
    while not positions[-1].over:
        position, held = positions[-1], hands[-1]
        seat = position.to_act
        assert seat is not None
        assert isinstance(position, SbrosPosition)
        action = _choice(position, seat, held[seat], chance, wrong)
        if refused(position, action) or len(actions) == LONGEST:
            return None
        after = without(held, seat, action.cards)
        if action.verb == "reset":
            aside[seat] += action.cards
        following = position.apply(action)
        drawn = position.observe().stock - following.observe().stock
        after[seat] = (*after[seat], *(stock.pop() for _ in range(drawn)))
        if drawn and not stock:
            after = {one: (*after[one], *aside[3 - one]) for one in after}
        actions.append(action)
        hands.append(after)
        positions.append(following)
    return Played(Record(seen_setup(setup), tuple(actions)), tuple(hands), tuple(positions))


def _choice(position: SbrosPosition, seat: int, hand: tuple[Card, ...], chance: random.Random, wrong: bool) -> Action:
    covers = list(covers_in(Bag.of(hand).known, position.partners()))
    if covers and not (wrong and position.places.stock and chance.random() < 0.15):
        left, right = chance.choice(covers)
        return Action(seat, "cover", (CARDS[left], CARDS[right]))
    if position.places.stock:
        return Action(seat, "reset", (chance.choice(hand),))
    return Action(seat, "pass")


def _misplays(position: Position, hands: Hands, chance: random.Random) -> Iterator[tuple[str, Step]]:
    seat = position.to_act
    if seat is None or len(hands[seat]) < 2:
        return
    pairs = [Action(seat, "cover", tuple(chance.sample(hands[seat], 2))) for _ in range(20)]
    yield from offers(position, iter(pairs), ("does-not-cover",))
    yield "one-card-placed", Step(seat, "cover", (chance.choice(hands[seat]),))
    if position.observe().stock and hands[3 - seat]:
        yield "not-your-turn", Step(3 - seat, "reset", (chance.choice(hands[3 - seat]),))
