"""``mournival hint``: what a seat may do, ranked by what it can expect of it."""

from __future__ import annotations

from typing import Final

import click
import numpy as np

from assistant.games.game import InvalidInput, Position
from assistant.hints import SAMPLES, hints_for
from assistant.hints.hint import Hint
from web.cli import Unusable
from web.cli.records import called, replayed, stopped, who, write_json

MOST: Final = 100_000
"""Deals that one may have tried for each action."""


@click.command(short_help="Rank what a seat may do.")
@click.argument("record")
@click.option("--seat", type=int, required=True, metavar="N", help="The seat that asks; its hand must be known.")
@click.option(
    "--samples",
    type=click.IntRange(2, MOST),
    default=SAMPLES,
    show_default=True,
    help="Deals tried for each action.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Equal seeds give equal hints.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
def hint(record: str, seat: int, samples: int, seed: int, as_json: bool) -> None:
    """Rank the legal actions of a seat at the record's end by the result that the seat can expect.

    RECORD is a .deal file, or - for standard input; of several deals the last one counts. Only what the seat itself
    can know is used. Exit status: 0 done (with no action where the seat can do nothing now), 1 an illegal action in the
    record, 2 no usable record, no such seat, or a hand that is not known.
    """
    played = replayed(record)[-1]
    if played.error is not None:
        stopped(record, as_json, played)
        raise SystemExit(1)
    try:
        hints = hints_for(played.position, seat, np.random.default_rng(seed), samples)
    except InvalidInput as error:
        raise Unusable(f"{called(record)}: {error.reason}") from None
    if as_json:
        write_json({"seat": seat, "actions": [one.as_json() for one in hints]})
    else:
        click.echo("\n".join(_ranked(played.position, seat, hints)))


def _ranked(position: Position, seat: int, hints: tuple[Hint, ...]) -> list[str]:
    who_asks = who(position, seat)
    if not hints:
        return [f"{who_asks[0].upper()}{who_asks[1:]} can do nothing now."]
    lines = [f"What {who_asks} may do, by the result that it can expect:"]
    width = max(len(str(one.action)) for one in hints)
    for one in hints:
        spread = "exactly" if one.exact else f"± {one.spread:.2f}"
        lines.append(f"  {one.action!s:<{width}}  {one.value:+6.2f} {spread:>7}  {one.why}")
    return lines
