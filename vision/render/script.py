"""What is played on the virtual table: plain facts of a deal, for all games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.cards import Card
from vision.render.gesture import Step
from vision.render.misplays import Misplay

LAUGH, STONE, SBROS = "laugh-and-lie-down", "rolling-stone", "sbros"


@dataclass(frozen=True, slots=True)
class Follow:
    """What a seat does after step number ``step`` because the rules say so; no record writes it down.

    Rolling Stone: ``take-trick``. Sbros: ``draw`` (``number`` cards), ``take-resets`` (those of seat ``number``).
    """

    step: int
    seat: int
    verb: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Script:
    """A deal to be played. ``hands`` may miss seats.

    ``table``: the cards that lie face up at the start. ``over``: whether the deal ends with the last step, so that
    the table is cleared (Laugh and Lie Down is swept whenever one seat is left). ``misplays``: what is done against
    the rules and undone again.
    """

    players: int
    dealer: int
    table: tuple[Card, ...]
    hands: Mapping[int, tuple[Card, ...]]
    steps: tuple[Step, ...]
    game: str = LAUGH
    follows: tuple[Follow, ...] = ()
    over: bool = False
    misplays: tuple[Misplay, ...] = ()
