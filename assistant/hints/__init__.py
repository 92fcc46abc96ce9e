"""Hints: what a seat may do, ranked by the result that it can expect, as far as the seat itself can know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from assistant.games.game import InvalidInput, Position
from assistant.hints.hint import Hint, Hinter
from assistant.hints.laugh_hints import LaughHinter
from assistant.hints.sbros_hints import SbrosHinter
from assistant.hints.stone_hints import StoneHinter

HINTERS: Final[Mapping[str, Hinter]] = {
    "laugh-and-lie-down": LaughHinter(),
    "rolling-stone": StoneHinter(),
    "sbros": SbrosHinter(),
}
"""By the game's name."""
SAMPLES: Final = 500
"""Deals that are tried for each action unless one asks for more or fewer."""


def hints_for(position: Position, seat: int, rng: np.random.Generator, samples: int = SAMPLES) -> tuple[Hint, ...]:
    """The legal actions of a seat, best first, each with the result of the deal that the seat can expect.

    Only what the seat itself can know counts: its own hand, what lies open, what everybody has done. Equal generators
    and samples give equal hints. Empty where the seat can do nothing now or the deal is over. Raises InvalidInput
    where there is no such seat, its hand is not known, or the game has no hints.
    """
    players = position.setup.players
    if not 1 <= seat <= players:
        raise InvalidInput("no-such-seat", f"there is no seat {seat}: seats go from 1 to {players}")
    if samples < 2:
        raise InvalidInput("too-few-samples", f"a hint takes at least 2 samples, not {samples}")
    hinter = HINTERS.get(position.setup.game)
    if hinter is None:
        raise InvalidInput("no-hints", f"there are no hints for {position.setup.game} yet")
    return () if position.over else hinter.hints(position, seat, rng, samples)
