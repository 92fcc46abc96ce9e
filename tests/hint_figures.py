"""How good and how fast the hints are: ``python -m tests.hint_figures strength`` and ``... speed``.

``strength`` plays duplicate deals: the same deal with a simple player in every seat, and with one seat after the other
following the hints instead. It goes on where an earlier call stopped: every block of deals is written to a file as one
line of JSON as soon as it is done, and its cards follow from its number alone.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

from assistant.hints import laugh_duplicate, sbros_duplicate, stone_duplicate
from assistant.hints.laugh_playouts import advised, play_out

Differences = Callable[[int, int, int, np.random.Generator], NDArray[np.float64]]
"""Of players, deals, samples and a generator: what each seat gains by the hints in each deal, shape (seats, deals)."""
GAMES: Final[Mapping[str, tuple[Differences, int, int]]] = {
    "laugh-and-lie-down": (laugh_duplicate.differences, 5, 250),
    "rolling-stone": (stone_duplicate.differences, 4, 100),
    "sbros": (sbros_duplicate.differences, 2, 100),
}
"""By game: what is measured, the usual number of players, and the deals of a block."""


@click.group()
def main() -> None:
    """Measure the hints."""


@main.command()
@click.option("--game", type=click.Choice(list(GAMES)), default="laugh-and-lie-down", show_default=True)
@click.option("--players", type=click.IntRange(2, 6), help="The game's usual number unless given.")
@click.option("--deals", type=click.IntRange(1), default=10_000, show_default=True, help="Deals in all.")
@click.option("--samples", type=click.IntRange(2), default=100, show_default=True, help="Deals tried a decision.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("hint-strength.jsonl"))
def strength(game: str, players: int | None, deals: int, samples: int, out: Path) -> None:
    """What following the hints is worth to a seat, against simple players."""
    measure, usual, block = GAMES[game]
    players = players or usual
    what: dict[str, Any] = {"game": game, "players": players, "samples": samples}
    done = _done(out, what)
    for number in range(-(-deals // block)):
        if number in done:
            continue
        gains = measure(players, block, samples, np.random.default_rng([players, samples, number]))
        by_deal = gains.mean(0)
        done[number] = {
            **what,
            "block": number,
            "deals": block,
            "seats": gains.sum(1).tolist(),
            "sum": float(by_deal.sum()),
            "squares": float((by_deal**2).sum()),
        }
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(done[number]) + "\n")
        click.echo(_told(list(done.values())), err=True)
    click.echo(f"{game}, {players} players, {samples} samples a decision: {_told(list(done.values()))}")


def _done(out: Path, what: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The blocks that an earlier call has finished."""
    if not out.exists():
        return {}
    blocks = [json.loads(line) for line in out.read_text("utf-8").splitlines() if line.endswith("}")]
    return {block["block"]: block for block in blocks if what.items() <= block.items()}


def _told(blocks: list[dict[str, Any]]) -> str:
    deals = sum(block["deals"] for block in blocks)
    mean = sum(block["sum"] for block in blocks) / deals
    variance = sum(block["squares"] for block in blocks) / deals - mean**2
    seats = np.sum([block["seats"] for block in blocks], axis=0) / deals
    error = (variance / deals) ** 0.5
    return f"{mean:+.3f} ± {error:.3f} a deal over {deals} deals; by seat {' '.join(f'{seat:+.2f}' for seat in seats)}"


@main.command()
@click.option("--playouts", type=click.IntRange(1), default=500, show_default=True)
@click.option("--repeats", type=click.IntRange(1), default=20, show_default=True)
def speed(playouts: int, repeats: int) -> None:
    """The processor time for playouts of whole deals of Laugh and Lie Down."""
    for players in (3, 4, 5, 6):
        rng = np.random.default_rng(players)
        deals = laugh_duplicate.shuffled(players, playouts, rng)
        times = []
        for _ in range(repeats):
            start = time.process_time()
            play_out(deals, rng, advised(0))
            times.append(1000 * (time.process_time() - start))
        click.echo(
            f"{playouts} playouts with {players} players, time of one core: median {statistics.median(times):.1f} ms, "
            f"slowest {max(times):.1f} ms"
        )


if __name__ == "__main__":
    main()
