"""Looking back: from which earlier position legal actions lead to what lies on the table now.

Somebody says that the table is right and the game is wrong. Then one of the last actions was another one, or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assistant.games import game_named
from assistant.games.game import Action, Position
from assistant.signs import signs_of
from assistant.signs.difference import compare
from assistant.view import TableView

FARTHEST: Final = 6
"""How many of the last actions may be doubted."""
MARGIN: Final = 2.0
"""An explanation is the only one if the next costs so much more (nats)."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """The last ``undone`` actions did not happen, ``actions`` did; ``confidence`` is 0..1."""

    undone: int
    actions: tuple[Action, ...]
    confidence: float = 1.0


def way_back(position: Position, view: TableView) -> WayBack | None:
    """The way from the nearest earlier position to the table as it is seen; None where there is none, or several.

    ``position`` is of a game that can be followed.
    """
    setup = position.setup
    signs, game = signs_of(setup.game), game_named(setup.game)
    positions = [game.deal(setup)]
    for action in position.actions:
        positions.append(positions[-1].apply(action))
    for undone in range(min(FARTHEST, len(position.actions)) + 1):
        before = positions[len(positions) - 1 - undone]
        difference = compare(signs.slots(before), view)
        if not difference:
            return WayBack(undone, ())
        found = signs.explain(before, difference, view, undone + 2)
        if found and (len(found) == 1 or found[1].cost - found[0].cost >= MARGIN):
            return WayBack(undone, found[0].actions, found[0].confidence)
    return None
