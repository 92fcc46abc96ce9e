"""What Sbros shows on the table: two centre piles, and what each seat has put aside, face up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.events import Choice
from assistant.games.game import Action, GameError, Position, Setup
from assistant.games.sbros_setup import NAME
from assistant.signs.difference import AT_ONCE, Difference, Slot
from assistant.signs.retelling import Teller
from assistant.signs.sbros_dealt import by_the_first_play, side_by_side
from assistant.signs.sbros_knocks import knocked
from assistant.signs.sbros_retelling import SbrosTeller
from assistant.signs.sbros_search import explain, lying, passes_to_the_end, put_aside_unread
from assistant.signs.signs import Explanation, Glimpse, Misplay, Terms
from assistant.signs.visitors import came_at, visitors
from assistant.told import tell
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, Quad, SeenCard, TableView, Zone

SURE: Final = 0.9
"""What is read less surely than this is no proof that a rule was broken."""
ALONE: Final = 8.0
"""Seconds after which a single card on the centre is no half of a play any more."""
STOOD: Final = 3.0
"""Seconds for which one must have lain there to be a play, if it was taken back."""
ENDED: Final = 15.0
"""Seconds of rest after two passes that end the deal. A hand that only seemed to knock is found out before."""
_CENTRE: Final = (CENTRE_LEFT, CENTRE_RIGHT)
_MISREAD: Final = frozenset({"not-in-hand", "same-card-twice"})


class SbrosSigns:
    """See ``assistant.signs.signs.Signs``."""

    game = NAME
    deal_zones: tuple[Zone, ...] = _CENTRE
    shared = _CENTRE

    def deal_size(self, terms: Terms) -> int:
        """The two cards in the centre (SBR-3)."""
        return len(_CENTRE)

    def dealt(self, terms: Terms, cards: Sequence[SeenCard], view: TableView) -> Setup | None:
        """Two cards side by side in the centre (SBR-3): by their zones, else by their places in the picture.

        Where one lies there alone in its zone the other one is not seen at all: it may be any.
        """
        zones = {seen.zone: seen.card for seen in cards}
        if not 1 <= len(cards) <= 2 or (len(cards) == 1 and zones.keys().isdisjoint(_CENTRE)):
            return None
        if len(zones) == len(cards) and zones.keys() <= set(_CENTRE):
            table = zones.get(CENTRE_LEFT, UNKNOWN), zones.get(CENTRE_RIGHT, UNKNOWN)
        else:
            first, second = sorted(cards, key=lambda seen: sum(x for x, _ in seen.quad))
            if not side_by_side(first, second):
                return None
            table = first.card, second.card
        return Setup(terms.game, terms.players, terms.dealer, table, {}, dict(terms.options), terms.names)

    def dealt_by_play(self, lay: Setup, quad: Quad, cards: Sequence[SeenCard]) -> tuple[Setup, tuple[Quad, ...]] | None:
        """See ``assistant.deal_awaited.ShownByPlay``."""
        table, quads = by_the_first_play(lay.table[0], quad, cards)
        return (replace(lay, table=table), quads) if table else None

    def slots(self, position: Position) -> tuple[Slot, ...]:
        """The two top cards and what was put aside must show; what is covered may peek out.

        What was taken up at the exchange may lie there a while longer.
        """
        if position.over:
            return ()
        state, slots = position.observe(), []
        left, right = [position.setup.table[0]], [position.setup.table[1]]
        aside: dict[Card, int] = {}
        for action in position.actions:
            if action.verb == "cover":
                left.append(action.cards[0])
                right.append(action.cards[1])
            elif action.verb == "reset":
                aside[action.cards[0]] = action.seat
        for zone, pile in ((CENTRE_LEFT, left), (CENTRE_RIGHT, right)):
            slots.append(Slot(pile[-1], zone, shows=pile[-1].known, beneath=True))
            slots += [Slot(card, zone, shows=False, anywhere=True, beneath=True) for card in pile[:-1] if card.known]
        shown = {slot.card for slot in slots}
        lie = {card for pile in state.piles.values() for card in pile if card.known}
        for card, seat in aside.items():
            if card.rank and card not in shown:
                slots.append(Slot(card, Zone(seat, "reset"), shows=card in lie, beneath=not card.suit))
        return tuple(slots)

    def certain(self, position: Position) -> tuple[Position, Choice]:
        """Nothing: that nobody can move shows only when the table is cleared."""
        return position, ()

    def explain(
        self,
        position: Position,
        difference: Difference,
        view: TableView,
        most: int = 3,
        arrived: Mapping[int, float] | None = None,
        gone: Sequence[Glimpse] = (),
    ) -> list[Explanation]:
        """See ``assistant.signs.sbros_search.explain``."""
        return explain(position, difference, view, most, gone)

    def traceless(self, position: Position, view: TableView, gone: Sequence[Glimpse] = ()) -> list[Explanation]:
        """A pass that was knocked (see ``assistant.signs.sbros_knocks``), or a card put aside that nobody can read."""
        return knocked(position, view, gone) or put_aside_unread(position, view)

    def resting(self, position: Position) -> Choice:
        """Without a stock both may have passed (SBR-14)."""
        return passes_to_the_end(position)[1]

    def misplay(
        self, position: Position, difference: Difference, view: TableView, gone: Sequence[Glimpse] = ()
    ) -> Misplay | None:
        """Two cards that don't cover the centre, one card alone, or one put aside that may not be."""
        seat = position.to_act
        if seat is not None and not difference:
            return _taken_back(position, seat, view, gone)
        taken_up = [replace(one.seen, card=one.card) for one in difference.strayed if one.zone in _CENTRE]
        fresh = [seen for seen in (*difference.fresh, *taken_up) if seen.zone is not None and not seen.covered]
        if seat is None or any(not seen.card.known or seen.confidence < SURE for seen in fresh):
            return None
        lefts = [seen.card for seen in fresh if seen.zone == CENTRE_LEFT]
        rights = [seen.card for seen in fresh if seen.zone == CENTRE_RIGHT]
        if len(fresh) == len(lefts) + len(rights):
            if len(lefts) == len(rights) == 1:
                return _refused(position, Action(seat, "cover", (lefts[0], rights[0])))
            since = max((came_at(fresh[0]), *(glimpse.last for glimpse in gone))) if fresh else view.t
            if len(fresh) == 1 and view.t - since >= ALONE:
                return _alone(position, seat, fresh[0].card, view, came_at(fresh[0]))
        elif len(fresh) == 1:
            zone = fresh[0].zone
            if zone is not None and zone.part == "reset" and zone.seat is not None:
                if zone.seat != seat and _may_have_acted(seat, came_at(fresh[0]), position, view):
                    return None
                return _refused(position, Action(zone.seat, "reset", (fresh[0].card,)))
        return None

    def teller(self) -> Teller:
        """See ``assistant.signs.sbros_retelling``."""
        return SbrosTeller()

    def finished(self, position: Position, view: TableView) -> bool:
        """Nothing is left to do (SBR-14). Where both have passed somebody may go on yet, until the centre is cleared or
        all rests."""
        if not position.over or position.actions[-1].verb != "pass":
            return position.over
        at_rest = view.still_for >= ENDED and all(visit.end is not None for visit in view.visits)
        return at_rest or not any(seen.zone in _CENTRE for seen in view.cards)


def _may_have_acted(seat: int, until: float, position: Position, view: TableView) -> bool:
    """Whether the seat in turn had its hand where it plays after the last card had come: what it did may be unread."""
    known, places = lying(position), (*_CENTRE, Zone(seat, "reset"))
    began = max((one.since for one in view.cards if one.card in known and one.since < until), default=until)
    return any(
        visit.seat == seat and began < visit.begin < until and not set(places).isdisjoint(visit.over)
        for visit in view.visits
    )


def _taken_back(position: Position, seat: int, view: TableView, gone: Sequence[Glimpse]) -> Misplay | None:
    """One card alone lay on the centre and was taken back: the other one never came."""
    known = lying(position)
    lay = [one for one in gone if one.seen.zone in _CENTRE and one.seen.card.known and one.seen.card not in known]
    lay = [one for one in lay if one.clear >= one.first]  # what was never in sight since is believed there, no more
    tops = {seen.zone: seen.since for seen in view.cards if seen.card in position.observe().table}
    lay = [one for one in lay if one.seen.since > tops.get(one.seen.zone, -math.inf) + AT_ONCE]
    if len(lay) != 1 or lay[0].clear - lay[0].first < STOOD or lay[0].seen.confidence < SURE:
        return None
    return _alone(position, seat, lay[0].seen.card, view, max(lay[0].first, lay[0].seen.since))


def _alone(position: Position, seat: int, card: Card, view: TableView, at: float) -> Misplay | None:
    """One card alone on the centre; where the seat in turn may pass it is the other one's if its hand laid it there."""
    hands = {visit.seat for visit in visitors(view, at, _CENTRE)}
    passes = passes_to_the_end(position)[1]
    if hands == {3 - seat} and passes:
        seat, position = 3 - seat, position.apply(passes[0])
    return _refused(position, Action(seat, "cover", (card,)))


def _refused(position: Position, action: Action) -> Misplay | None:
    try:
        position.apply(action)
    except GameError as error:
        if error.code in _MISREAD:
            return None
        return Misplay(
            error.code,
            (action.seat,),
            action.cards,
            tell("{action}: {why}", action=action, why=error.reason),
            error.rule,
        )
    return None
