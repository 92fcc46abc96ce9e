"""How fast the rules are: legal actions, one action, and a whole deal replayed, for every game.

``make bench-engine`` prints one table: for each game and number of players, with every hand known and with none, the
median and the worst position of some random deals. A time is the best of several tries, so that a busy computer does
not count; what misses its aim is marked.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from statistics import median
from time import perf_counter
from typing import Final

from assistant.games import GAMES
from assistant.games.game import Action, Game, GameError, Position
from tests.playouts import play_out, shuffled

AIMS_US: Final = {"legal": 50.0, "apply": 30.0, "replay": 3000.0}
"""Microseconds: what a position's legal actions, one action, and the replay of a whole deal may take."""


def best_us(work: Callable[[], object], tries: int) -> float:
    """The best time of some tries, in microseconds."""
    times = []
    for _ in range(tries):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times) * 1e6


def replayed(game: Game, position: Position) -> Position:
    """The deal of a position from its first action to its last."""
    again = game.deal(position.setup)
    for action in position.actions:
        again = again.apply(action)
    return again


def deals(game: Game, players: int, number: int, *, seen: bool) -> Iterator[list[tuple[Position, Action | None]]]:
    """Random deals, each as its positions with what is done in them; ``seen``: with every hand known."""
    for seed in range(number):
        chance = random.Random(f"{game.name} {players} {seed}")
        setup = shuffled(game, players, chance)
        *_, last = play_out(game, setup, chance, faults=True)
        position = game.deal(setup if seen else replace(setup, hands={}))
        way: list[tuple[Position, Action | None]] = []
        try:
            for action in last.actions:
                way.append((position, action))
                position = position.apply(action)
        except GameError:
            pass  # an action that only a known hand allows ends what an observer can follow
        yield [*way, (position, None)]


def line(game: Game, players: int, number: int, tries: int, *, seen: bool) -> str:
    """The table's line for a game with some number of players."""
    times: dict[str, list[float]] = {"legal": [], "apply": [], "replay": []}
    actions = 0
    for way in deals(game, players, number, seen=seen):
        for position, action in way:
            times["legal"].append(best_us(position.legal_actions, tries))
            if action is not None:
                times["apply"].append(best_us(lambda at=position, done=action: at.apply(done), tries))  # type: ignore[misc]
        last = way[-1][0]
        times["replay"].append(best_us(lambda at=last: replayed(game, at), tries))  # type: ignore[misc]
        actions += len(last.actions)
    cells = []
    for kind, found in times.items():
        worst = max(found)
        late = sum(one > AIMS_US[kind] for one in found) / len(found)
        unit, scale = ("ms", 1000.0) if kind == "replay" else ("us", 1.0)
        mark = f"  {late:5.1%} late" if late else " " * 12
        cells.append(f"{median(found) / scale:7.1f} {worst / scale:7.1f} {unit}{mark}")
    hands = "seen" if seen else "unseen"
    return f"{game.name:<20} {players}  {hands:<7}{actions / number:6.1f}   " + "   ".join(cells)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast the rules of the games are.")
    parser.add_argument("games", nargs="*", default=sorted(GAMES), metavar="GAME")
    parser.add_argument("--deals", type=int, default=6, help="random deals for each line")
    parser.add_argument("--tries", type=int, default=15, help="tries of each measurement, the best counts")
    chosen = parser.parse_args(arguments)
    print(" " * 42 + "legal: median, worst        apply: median, worst        whole deal: median, worst")
    print(f"{'aim':<42}{'50 us':>7}{'':20}{'30 us':>8}{'':20}{'3 ms':>8}")
    for name in chosen.games:
        for players in GAMES[name].players:
            for seen in (True, False):
                print(line(GAMES[name], players, chosen.deals, chosen.tries, seen=seen), flush=True)


if __name__ == "__main__":
    main()
