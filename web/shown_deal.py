"""A deal as anybody may see it: while it runs without the hands that somebody wrote into it."""

from __future__ import annotations

from dataclasses import replace

from assistant.games import game_named
from assistant.games.game import GameError
from assistant.record import Record, record_of
from assistant.session import Deal


def shown_deal(deal: Deal) -> Deal:
    """The deal with a position that knows no hands; itself once it is over, or where no hands are written in it."""
    setup = deal.position.setup
    if deal.position.over or not setup.hands:
        return deal
    try:
        position = game_named(setup.game).deal(replace(setup, hands={}))
        for done in deal.done:
            position = position.apply(done.action)
    except GameError:
        return deal
    return replace(deal, position=position)


def record_shown(deal: Deal) -> Record:
    """A deal's record as anybody may have it."""
    return record_of(shown_deal(deal).position)
