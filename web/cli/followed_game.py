"""The game of a call that follows a table: so far not every game that the engine knows can be followed."""

from __future__ import annotations

from assistant.games import game_named
from assistant.games.game import Game, GameError
from assistant.signs import FOLLOWED
from web.cli import Unusable


def followed_game(name: str) -> Game:
    """The game of that name. Raises Unusable where there is none, or where it can't be followed by camera yet."""
    try:
        game = game_named(name)
    except GameError as error:
        raise Unusable(error.reason) from None
    if name not in FOLLOWED:
        raise Unusable(
            f"{game.title} can't be followed by camera yet, only {', '.join(FOLLOWED)} can: "
            "write its deals down, then check, legal and hint know it"
        )
    return game
