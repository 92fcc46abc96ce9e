"""The games, in the one shape that ``game.py`` describes, and the way to find one by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.games.game import Game, InvalidInput
from assistant.games.laugh_and_lie_down import LaughAndLieDown

GAMES: Final[Mapping[str, Game]] = {game.name: game for game in (LaughAndLieDown(),)}
PLANNED: Final = ("rolling-stone", "sbros")
"""Games whose records are read but whose rules are not built yet."""


def game_named(name: str) -> Game:
    """The game of that name. Raises InvalidInput."""
    game = GAMES.get(name)
    if game is None:
        why = f"the game {name} is not built yet" if name in PLANNED else f"there is no game '{name}'"
        raise InvalidInput("unknown-game", f"{why}: this program knows {', '.join(GAMES)}", about="game")
    return game
