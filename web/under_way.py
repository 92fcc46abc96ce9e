"""A deal that was begun before anybody watched: what lies there of it, as the page is told, and how it is joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from assistant import joining_sbros, joining_stone
from assistant import session as deciding
from assistant.events import ActionSeen, DealSeen
from assistant.games import game_named
from assistant.games.game import UNDER_WAY, Setup
from assistant.games.laugh_setup import scale_of
from assistant.games.sbros_setup import NAME as SBROS
from assistant.games.stone_setup import HAND
from assistant.games.stone_setup import NAME as STONE
from assistant.joining import Answers, CantJoin, Standing, as_events, joined, standing
from assistant.joining_sbros import Centre
from assistant.joining_stone import Trick
from assistant.session import Deal, SessionState
from assistant.session_events import SessionEvent
from assistant.signs.signs import Terms
from assistant.told import tell
from assistant.view import TABLE, TableView

REST_S: Final = 2.0
"""Seconds for which the table must rest before anything is asked."""
NOTHING: dict[str, Any] = {"held": 0, "piles": {}, "asks": "hands", "trick": [], "plain": False}


class FirstLook:
    """Whether the table, as it was first seen, may be that of a new deal of Rolling Stone, which shows nothing.

    Where cards lie in the middle already, a deal is under way, or somebody has to say that it is not.
    """

    def __init__(self) -> None:
        self._key: tuple[int, str] | None = None
        self._since = 0.0
        self._bare: bool | None = None

    def feed(self, state: SessionState, setup: Setup, view: TableView) -> None:
        """Take in a view. Another session or another game is looked at anew."""
        if (state.began, setup.game) != self._key:
            self._key, self._since, self._bare = (state.began, setup.game), view.t, None
        if state.deal is not None or setup.game != STONE:
            self._bare = True
        elif self._bare is None and max(view.still_for, 0.0 if view.cards else view.t - self._since) >= REST_S:
            self._bare = not any(seen.zone == TABLE for seen in view.cards)

    @property
    def under_way(self) -> bool:
        """Whether cards lay there: nobody knows yet what deal they are of."""
        return self._bare is False

    @property
    def lets_begin(self) -> bool:
        """Whether the next deal may begin by itself."""
        return bool(self._bare)


def lies_there(setup: Setup, view: TableView) -> Standing | Centre | Trick | None:
    """What is seen of a deal under way; None where there is none, not every card is known, or the game can't be
    joined."""
    if setup.game == SBROS:
        return joining_sbros.centre(view) if setup.options.get("reset_face") != "down" else None
    if setup.game == STONE:
        return joining_stone.trick(view, setup.players)
    return standing(view) if scale_of(setup) is not None else None


def asked(state: SessionState, setup: Setup, view: TableView, *, plain: bool) -> dict[str, Any]:
    """What the page asks: ``held`` cards are nowhere to be seen (0: nothing is asked), ``piles`` so big are seen, by
    seat, and it ``asks`` for the sizes of the ``hands``, of the ``stock``, or of the hands around a ``trick``, whose
    cards are told.

    A deal of Rolling Stone shows nothing when it begins; so it is asked, too, while nothing was done in it.
    ``plain``: it is plain that a deal is under way.
    """
    may_be = state.deal is None or _untouched(state.deal)
    there = lies_there(setup, view) if may_be and view.still_for >= REST_S else None
    if there is None:
        return NOTHING
    if isinstance(there, Trick):
        cards = [str(card) for card in there.cards]
        held = setup.players * HAND - len(cards)
        return NOTHING | {"held": held, "asks": "trick", "trick": cards, "plain": plain}
    piles, asks = (there.aside, "stock") if isinstance(there, Centre) else (there.piles, "hands")
    sizes = {str(seat): len(pile) for seat, pile in piles.items()}
    return NOTHING | {"held": 52 - there.cards, "piles": sizes, "asks": asks, "plain": True}


def joining_events(setup: Setup, view: TableView | None, answers: Answers) -> tuple[DealSeen | ActionSeen, ...]:
    """The deal as it may have come to what lies there. Raises CantJoin."""
    there = None if view is None else lies_there(setup, view)
    if view is None or there is None:
        raise CantJoin(tell("not every card on the table is known now: wait until no hand lies over them"))
    terms = Terms(setup.game, setup.players, setup.dealer, setup.options, setup.names)
    game = game_named(setup.game)
    if isinstance(there, Centre):
        position = joining_sbros.joined(game, terms, there, answers)
    elif isinstance(there, Trick):
        position = joining_stone.joined(game, terms, there, answers)
    else:
        position = joined(game, terms, there, answers)
    return as_events(position, view.t, sure=True)


def room_for_it(state: SessionState) -> Sequence[SessionEvent]:
    """What makes room for a deal that is joined: one that seemed to begin, in which nothing was done, is forgotten."""
    return deciding.abandon_deal(state, "one was under way") if state.deal and _untouched(state.deal) else ()


def dealt_anew(state: SessionState) -> Sequence[SessionEvent]:
    """What makes room for a deal whose cards are read otherwise now: the one in which nothing was done is forgotten."""
    deal = state.deal
    begun = deal is not None and not (deal.done or deal.reopened or deal.position.over)
    return deciding.abandon_deal(state, "its cards are read otherwise now") if begun else ()


def _untouched(deal: Deal) -> bool:
    """Whether it is one that begins without a trace, in which nothing was done and which was not joined."""
    setup = deal.position.setup
    return setup.game == STONE and UNDER_WAY not in setup.options and not deal.done and not deal.reopened
