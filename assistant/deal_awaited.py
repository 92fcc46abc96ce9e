"""How a deal begins: the cards that lie face up are awaited, and taken for the deal once they rest.

Nobody waits for the camera at a real table. A card that can't be read lies in the deal as one that may be any
(``??``), and has its name once it is read, if nothing was done by then.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from assistant.cards import UNKNOWN
from assistant.deal_texts import UNREAD, held_up, no_deal
from assistant.events import DealSeen, Warned
from assistant.follow_state import FollowState, Lain, Step
from assistant.games.game import Game, InvalidInput, Position, Setup
from assistant.patience import Patience
from assistant.signs.signs import Signs, Terms
from assistant.view import Quad, SeenCard, Stillness, TableView

PLAYED: Final = "played"
"""Among what was told before a deal: somebody has played already."""
MOST_UNREAD: Final = 0.25
"""With a larger part of the cards unread, and more than one, the deal waits: hardly anything could be said of it."""


@runtime_checkable
class ShownByPlay(Protocol):
    """Signs of a game whose first play shows where the deal's cards lay of which one alone was seen."""

    def dealt_by_play(self, lay: Setup, quad: Quad, cards: Sequence[SeenCard]) -> tuple[Setup, tuple[Quad, ...]] | None:
        """The deal and where its cards lay, as a play shows it; ``lay`` has the one that was seen, at ``quad``. None:
        no play shows it (yet)."""
        ...


@dataclass(frozen=True, slots=True)
class DealAwaited:
    """Awaits the deals of a game under the same terms."""

    game: Game
    signs: Signs
    terms: Terms
    patience: Patience

    def look(self, state: FollowState, view: TableView, *, anywhere: bool) -> Step:
        """The deal starts when its face-up cards lie in their places (or ``anywhere``) and rest, longer where one
        can't be read or isn't seen at all; without any, at once. Once somebody has played it starts from what lay there
        before, if that was most of it, else not until the table is bare."""
        zones = self.signs.deal_zones
        if not view.cards:
            state = replace(state, told=state.told - {PLAYED}, bare=True, lain=None)
        cards = [seen for seen in view.cards if anywhere or seen.zone in zones]
        elsewhere = len(view.cards) - len(cards) if zones else 0
        cards = self._without_more(cards)
        state = state.holding(("deal", *(str(seen.card) for seen in cards), str(elsewhere)), view.t)
        rested = view.t - state.held_since
        if zones and (not cards or view.stillness is Stillness.MOVING or rested < self.patience.deal):
            return Step(state, None)
        setup = self.signs.dealt(self.terms, cards, view)
        if setup is None or (len(setup.table) > len(cards) and zones and (anywhere or not state.bare)):
            return self._half_seen(state, view, cards) if anywhere else Step(state, None)
        played = state.lain is not None and (len(setup.table) < len(cards) or _won(cards, view, state.lain))
        if played and (begun := self._from_what_lay(state, view)) is not None:
            return begun
        lain = _lain(setup, cards if zones else ())
        if zones and state.bare and not elsewhere and len(setup.table) >= len(cards):
            state = replace(state, lain=lain)
        unread = _unread(setup)
        longer = 3 if len(setup.table) > len(cards) else 2 if unread else 1
        if PLAYED in state.told or rested < self.patience.deal * longer * bool(zones):
            return Step(state, None)
        try:
            position = self.game.deal(setup)
        except InvalidInput as error:
            if zones and len(setup.table) < len(cards):
                state = replace(state, told=state.told | {PLAYED})
                return Step(state, None, (Warned(view.t, *no_deal(error, under_way=True)),))
            beside = error.code == "wrong-table-size" and elsewhere > 0 and not anywhere
            return self._told_once(state, view, error.code, *no_deal(error, under_way=beside))
        if zones and (elsewhere or _mostly_unread(setup)):
            code, text = held_up([seen.card for seen in view.cards if seen not in cards])
            return self._told_once(state, view, code, code, text)
        return _begun(state, position, view, lain, tell=unread > 0)

    def _without_more(self, cards: list[SeenCard]) -> list[SeenCard]:
        """The cards that are read, if these are the whole deal: what else lies there like a card is none of it."""
        read = [seen for seen in cards if seen.card.rank]
        return read if len(read) == self.signs.deal_size(self.terms) else cards

    def _half_seen(self, state: FollowState, view: TableView, cards: Sequence[SeenCard]) -> Step:
        """Where nobody drew zones and one card of the deal alone is seen, it begins as soon as a play shows where the
        other lay: it may be any."""
        if not state.bare or not isinstance(self.signs, ShownByPlay):
            return Step(state, None)
        if len(cards) == 1 and cards[0].card.rank and not cards[0].covered:
            terms = self.terms
            table = (cards[0].card,)
            setup = Setup(terms.game, terms.players, terms.dealer, table, {}, dict(terms.options), terms.names)
            return Step(replace(state, lain=_lain(setup, cards)), None)
        lain = state.lain
        found = self.signs.dealt_by_play(lain.setup, lain.quads[0], cards) if lain and len(lain.quads) == 1 else None
        if lain is None or found is None:
            return Step(state, None)
        setup, quads = found
        try:
            position = self.game.deal(setup)
        except InvalidInput:
            return Step(state, None)
        return _begun(state, position, view, replace(lain, setup=setup, quads=quads), tell=True)

    def _from_what_lay(self, state: FollowState, view: TableView) -> Step | None:
        """The deal as it lay before somebody played: what was out of sight of it, or unread, may be any card."""
        lain = state.lain
        if lain is None:
            return None
        out_of_sight = self.signs.deal_size(self.terms) - len(lain.setup.table)
        setup = replace(lain.setup, table=(*lain.setup.table, *(UNKNOWN,) * out_of_sight))
        if out_of_sight < 0 or _mostly_unread(setup):
            return None
        try:
            position = self.game.deal(setup)
        except InvalidInput:
            return None
        return _begun(state, position, view, lain, tell=_unread(setup) > 0)

    def otherwise(self, state: FollowState, position: Position, view: TableView) -> Step | None:
        """Before the first action: a card of the deal was misread, or not read at all, and it is another one now."""
        cards = [seen for seen in view.cards if seen.zone in self.signs.deal_zones]
        if position.actions or len(cards) != len(position.setup.table) or len(view.cards) != len(cards):
            return None
        shown = self.signs.dealt(self.terms, cards, view)
        if shown is None or len(shown.table) != len(cards) or _unread(shown) > _unread(position.setup):
            return None
        if UNKNOWN in position.setup.table and sorted(shown.table) == sorted(position.setup.table):
            return None
        state = state.holding(("deal", *(str(seen.card) for seen in cards)), view.t)
        if view.t - state.held_since < self.patience.hidden or view.stillness is Stillness.MOVING:
            return Step(state, position)
        try:
            position = self.game.deal(replace(position.setup, table=shown.table))
        except InvalidInput:
            return None
        return _begun(state, position, view, _lain(position.setup, cards), tell=False)

    def _told_once(self, state: FollowState, view: TableView, key: str, code: str, text: str) -> Step:
        """Why no deal begins, told once, when it has lasted."""
        if view.t - state.held_since < self.patience.desync or key in state.told:
            return Step(state, None)
        return Step(replace(state, told=state.told | {key}), None, (Warned(view.t, code, text),))


def _unread(setup: Setup | None) -> int:
    return sum(not card.rank for card in setup.table) if setup else 0


def _mostly_unread(setup: Setup) -> bool:
    return _unread(setup) > max(1.0, MOST_UNREAD * len(setup.table))


def _won(cards: Sequence[SeenCard], view: TableView, lain: Lain) -> bool:
    """Whether a seat's pile shows that somebody has played: two cards lie there, or one for which the pool has one
    less."""
    elsewhere = (seen for seen in view.cards if seen not in cards)
    piles = Counter(seen.zone.seat for seen in elsewhere if seen.zone is not None and seen.zone.seat is not None)
    most = max(piles.values(), default=0)
    return most > 1 or (most == 1 and len(cards) < len(lain.quads))


def _lain(setup: Setup, cards: Sequence[SeenCard]) -> Lain:
    return Lain(setup, math.prod(seen.confidence for seen in cards), tuple(seen.quad for seen in cards))


def _begun(state: FollowState, position: Position, view: TableView, lain: Lain, *, tell: bool) -> Step:
    """The deal begins; ``tell`` that a card of it can't be read."""
    told = (Warned(view.t, "unread-card", UNREAD),) if tell and "unread-card" not in state.told else ()
    begun = FollowState(known=position.actions, asked=state.asked)
    return Step(begun, position, (*told, DealSeen(view.t, position.setup, lain.confidence)), lain.quads)
