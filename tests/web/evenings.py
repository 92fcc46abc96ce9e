"""Evenings that were really played, by chance: their deals end as the rules say."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant import session as deciding
from assistant.cards import PACK
from assistant.games import game_named
from assistant.games.game import Action, Position, Setup
from assistant.session_events import ActionTaken
from web.open_session import OpenSession

LAUGH = "laugh-and-lie-down"


def dealt(setup: Setup, seed: int) -> Setup:
    """The set-up with a pack dealt out; the hands are known, so that what is played is possible."""
    pack = list(PACK)
    random.Random(seed).shuffle(pack)
    return game_named(setup.game).shuffled(setup, pack)


def played_out(setup: Setup, seed: int) -> Position:
    """A deal of this set-up, played to its end by chance."""
    chance = random.Random(seed)
    position = game_named(setup.game).deal(dealt(setup, seed))
    while not position.over:
        position = position.apply(chance.choice(_sensible(position.legal_actions())))
    return position


def _sensible(actions: Sequence[Action]) -> Sequence[Action]:
    """What brings a deal of Rolling Stone to an end: playing goes before picking up by choice."""
    return [one for one in actions if one.verb != "pick-up"] or actions


def play_deal(
    session: OpenSession,
    seed: int,
    *,
    game: str = LAUGH,
    options: Mapping[str, str] | None = None,
    sure: bool = True,
    close: bool = True,
) -> Position:
    """Play a whole deal in the session; ``close``: it goes into the account."""
    wanted = replace(session.setup, game=game, options=dict(options or {}))
    session.perform(lambda now: deciding.set_table(now, wanted))
    position = played_out(session.setup, seed)
    session.perform(lambda now: deciding.begin_deal(now, position.setup))
    session.perform(lambda _: [ActionTaken(action, sure=sure) for action in position.actions])
    if close:
        session.perform(deciding.next_deal)
    return position
