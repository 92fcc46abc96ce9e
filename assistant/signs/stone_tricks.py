"""Who played which card of the tricks of Rolling Stone that may still lie in the middle; who put one there wrongly."""

from __future__ import annotations

from typing import Final

from assistant.cards import Card
from assistant.games.game import Action, Position
from assistant.signs.visitors import AFTER, came_at, in_order, only_visitor, trusted
from assistant.view import TABLE, TableView, Zone

MIDDLE: Final[tuple[Zone, ...]] = (TABLE,)
SO_MANY: Final = 5
"""Actions back to which the hands must have been those of the seats in turn to be believed."""


def last_plays(position: Position) -> tuple[Action, ...]:
    """The plays of the trick that was completed last, if no more than one trick was begun since."""
    players = position.setup.players
    done, since, found = 0, 0, 0
    for index, action in enumerate(position.actions):
        if action.verb != "play":
            done = 0
            continue
        since += done == 0
        done += 1
        if done == players:
            done, since, found = 0, 0, index + 1
    return position.actions[found - players : found] if found and since <= 1 else ()


def last_trick(position: Position) -> tuple[Card, ...]:
    """The cards of the trick that was completed last and may still lie in the middle."""
    return tuple(card for action in last_plays(position) for card in action.cards if card.known)


def wrong_seat(position: Position, view: TableView, seat: int, at: float) -> int | None:
    """The seat that put a card down at a time though another was in turn; None unless that is beyond doubt.

    It is where its hand alone was there, and the visits were right about all that lay there before.
    """
    lying = {seen.card: came_at(seen) for seen in view.cards}
    tail = position.actions[len(position.actions) - len(position.observe().table) :]
    plays = (*last_plays(position), *tail)
    before = [(action.seat, lying[action.cards[0]]) for action in plays if action.cards[0] in lying]
    latest = max((when for _, when in before if when < at), default=-1e9)
    only = only_visitor(view, at, latest, MIDDLE)
    if only is None or only == seat:
        return None
    lately = [action.seat for action in position.actions[-SO_MANY:]]
    return only if trusted(view, before, MIDDLE) or in_order(view, lately, at - AFTER, MIDDLE) else None
