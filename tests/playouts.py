"""Whole deals of any game played at random, and what must hold in every one of them.

``make playouts`` plays thousands and prints a summary: ``python -m tests.playouts [GAME...] [--deals N] [--seed S]``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from assistant.cards import PACK
from assistant.games import GAMES
from assistant.games.game import Action, Game, Position, Setup
from assistant.match import results_of

LONGEST: Final = 5_000
"""Actions after which a deal of any game is taken to go on for ever."""


def shuffled(game: Game, players: int, chance: random.Random, options: Mapping[str, str] | None = None) -> Setup:
    """A random deal of a game with every hand known."""
    pack = chance.sample(PACK, len(PACK))
    setup = Setup(game.name, players, chance.randint(1, players), options=dict(options or {}))
    return game.shuffled(setup, pack)


def claims_of(position: Position) -> list[Action]:
    """Every open claim by everybody who may make it."""
    return [Action(seat, "claim", claim.cards) for claim in position.claims() for seat in claim.claimants]


def step(position: Position, chance: random.Random, *, faults: bool) -> Position:
    """One random action; without faults one that makes no mistake, where there is one."""
    choices = [*position.legal_actions(), *claims_of(position)]
    if faults:
        return position.apply(chance.choice(choices))
    made = len(position.faults())
    chance.shuffle(choices)
    for action in choices:
        after = position.apply(action)
        if len(after.faults()) == made:
            return after
    return after


def play_out(game: Game, setup: Setup, chance: random.Random, *, faults: bool) -> Iterator[Position]:
    """The positions of a deal played at random to its end, the first one included."""
    position = game.deal(setup)
    yield position
    while not position.over:
        position = step(position, chance, faults=faults)
        yield position
        assert len(position.actions) < LONGEST, f"{setup} goes on for ever"


def check_position(position: Position) -> None:
    """What holds in every position of every game. Raises AssertionError."""
    assert (position.to_act is None) == position.over
    assert (position.settlement() is not None) == position.over
    assert bool(position.legal_actions()) != position.over
    seen = position.observe()
    lying = [card for cards in (seen.table, *seen.piles.values()) for card in cards if card.known]
    assert len(lying) == len(set(lying)), "a card lies in two places"
    assert all(size >= 0 for size in seen.hands.values())
    assert all(0 < number <= 4 for number in position.unseen().values())


def check_end(game: Game, position: Position) -> None:
    """What holds at the end of every deal. Raises AssertionError."""
    setup = position.setup
    settlement = position.settlement()
    assert settlement is not None
    results = results_of(settlement, setup.players)
    assert [seat["seat"] for seat in settlement["seats"]] == list(range(1, setup.players + 1))
    if game.unit == "stakes":
        assert sum(results) == 0
        paid = settlement["pot"] + sum(seat["paid_in"] for seat in settlement["seats"])
        assert paid == sum(seat["received"] for seat in settlement["seats"]), "the pot is not empty"
        assert all(seat["cards"] % 2 == 0 for seat in settlement["seats"]), "a pile is odd"
        assert sum(seat["cards"] for seat in settlement["seats"]) == 52
    else:
        assert set(settlement["winners"]) <= set(range(1, setup.players + 1))
    assert 1 <= position.next_dealer <= setup.players
    again = game.deal(setup)
    for action in position.actions:
        again = again.apply(action)
    assert again == position, "played again it comes to something else"


@dataclass
class Tally:
    """What the playouts of a game came to."""

    deals: int = 0
    actions: int = 0
    longest: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    with_faults: int = 0

    def add(self, position: Position) -> None:
        """Count a finished deal."""
        self.deals += 1
        self.actions += len(position.actions)
        self.longest = max(self.longest, len(position.actions))
        faults = Counter(fault.code for fault in position.faults())
        self.faults += faults
        self.with_faults += bool(faults)

    def line(self) -> str:
        """One line of the summary."""
        faults = ", ".join(f"{code} {number}" for code, number in sorted(self.faults.items())) or "none"
        return (
            f"{self.deals:>6} deals  {self.actions / self.deals:6.1f} actions a deal (longest {self.longest})  "
            f"{self.with_faults:>5} with faults: {faults}"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print; ends with an error at the first deal that breaks an invariant, naming its seed."""
    parser = argparse.ArgumentParser(description="Random playouts of the games, with every invariant asserted.")
    parser.add_argument("games", nargs="*", default=sorted(GAMES), metavar="GAME")
    parser.add_argument("--deals", type=int, default=10_000, help="deals a game, half of them with faults")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for name in chosen.games:
        game = GAMES[name]
        for faults in (False, True):
            tally = Tally()
            for number in range(chosen.deals // 2):
                seed = f"{name} {chosen.seed} {number}"
                chance = random.Random(seed)
                setup = shuffled(game, game.players[number % len(game.players)], chance)
                try:
                    for position in play_out(game, setup, chance, faults=faults):
                        check_position(position)
                    check_end(game, position)
                except Exception as error:
                    sys.exit(f"{name}, seed '{seed}', faults {faults}: {type(error).__name__}: {error}")
                tally.add(position)
            print(f"{name:<20} {'careless' if faults else 'careful '} {tally.line()}", flush=True)


if __name__ == "__main__":
    main()
