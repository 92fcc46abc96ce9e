"""How much the page says while a deal is played: the table's own choice, an option of every game (LLD-32)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from assistant.games.game import Setup

COACH: Final = "coach"
"""Everything as it happens."""
REFEREE: Final = "referee"
"""Whose turn it is, broken rules, and what may be claimed once it is called or can't be called any more."""
SILENT: Final = "silent"
"""The scores, and what the program itself has to ask."""
LEVELS: Final = (COACH, REFEREE, SILENT)
_OPTION: Final = "help"


def level_of(setup: Setup) -> str:
    """The level that a table plays with.

    >>> level_of(Setup("sbros", 2, 1)), level_of(with_level(Setup("sbros", 2, 1), SILENT))
    ('coach', 'silent')
    """
    return setup.options.get(_OPTION, COACH)


def with_level(setup: Setup, level: str) -> Setup:
    """The same table with another level; the one that every game starts with needs no option."""
    options = {name: value for name, value in setup.options.items() if name != _OPTION}
    return replace(setup, options=options if level == COACH else {**options, _OPTION: level})


def hints_shown(setup: Setup) -> bool:
    """Whether the players want to be told what may be done."""
    return level_of(setup) == COACH


def tells_turn(setup: Setup) -> bool:
    """Whether the players want to be told whose turn it is, and what was done wrong."""
    return level_of(setup) != SILENT
