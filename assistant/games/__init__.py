"""The games, in the one shape that ``game.py`` describes, and the way to find one by its name.

A module in this folder that defines ``GAME`` is a game; to add one is to add its file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from assistant.games.game import Game, InvalidInput


def found_in(folders: Iterable[str]) -> dict[str, Game]:
    """The games among the modules in some folders of this package, by name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(folders))
    return {module.GAME.name: module.GAME for module in modules if hasattr(module, "GAME")}


GAMES: Final[Mapping[str, Game]] = found_in(__path__)


def game_named(name: str) -> Game:
    """The game of that name. Raises InvalidInput."""
    game = GAMES.get(name)
    if game is None:
        what = f"there is no game '{name}': this program knows {', '.join(GAMES)}"
        raise InvalidInput("unknown-game", what, about="game")
    return game
