"""Sbros: a pass shows no card, only a hand that knocks on the table, or is shown empty, and goes again."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from assistant.cards import Card
from assistant.games.game import Action, GameError, Position
from assistant.signs.sbros_search import lying
from assistant.signs.signs import Explanation, Glimpse
from assistant.signs.visitors import away
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, TableView, Zone

KNOCK: Final = 2.5
"""Seconds that a hand stays at most to knock; one that rests there stays for longer."""
SEEN: Final = 0.9
"""How surely a knock is a pass (0..1)."""
LAID: Final = 0.7
"""Seconds after which a card would be seen that a hand laid on the centre as it brushed it."""
JUST: Final = 1.0
"""Seconds before a hand came in for which a card may last have been seen that it took."""
_CENTRE: Final = (CENTRE_LEFT, CENTRE_RIGHT)
_ASIDE: Final = (Zone(1, "reset"), Zone(2, "reset"))


def knocked(position: Position, view: TableView, gone: Sequence[Glimpse] = ()) -> list[Explanation]:
    """The pass of the seat in turn, if its hand came last, shortly, and did nothing; else nothing.

    A hand that takes up cards, reaches for both centre cards, or may still be over the table, is no knock; one that
    knocks between its own place and the centre may brush one of them. One that ends the deal settles nothing yet: see
    ``assistant.signs.sbros_signs.SbrosSigns.finished``.
    """
    seat = position.to_act
    if seat is None or position.observe().stock or any(visit.end is None for visit in view.visits):
        return []
    top = [one for one in view.cards if one.zone in _CENTRE and one.card in position.observe().table]
    if len(top) < len(_CENTRE) or not _knocks(view, seat, _begun(position, view, max(one.since for one in top))):
        return []
    brushed = any(one.zone in view.visits[-1].over for one in top)
    if any(one.covered for one in top) or (brushed and away(view) < LAID):
        return []  # a card may have been laid there, whatever it is read as
    if _took(view, gone, lying(position)):
        return []
    action = Action(seat, "pass")
    try:
        after = position.apply(action)
    except GameError:
        return []
    return [Explanation((action,), after, 0.0, 0, SEEN, ((),))]


def _begun(position: Position, view: TableView, covered: float) -> float:
    """When the turn began: as the centre was covered, or as the other seat's hand passed since."""
    seat = position.to_act
    passed = bool(position.actions) and position.actions[-1].verb == "pass"
    others = [visit.end or covered for visit in view.visits if passed and visit.seat != seat and visit.begin > covered]
    return min(others, default=covered)


def _knocks(view: TableView, seat: int, since: float) -> bool:
    hands = [visit for visit in view.visits if visit.begin > since]
    if not hands or hands[-1].seat != seat:
        return False
    hand = hands[-1]
    own = {Zone(seat), Zone(seat, "reset")}
    brushed = [zone for zone in hand.over if zone in _CENTRE]
    apart = bool(hand.over) and set(hand.over) <= {*own, *brushed} and len(brushed) < len(_CENTRE)
    return apart and hand.end is not None and hand.end - hand.begin <= KNOCK


def _took(view: TableView, gone: Sequence[Glimpse], known: Set[Card]) -> bool:
    """Whether the last hand took cards away: what was put aside, or one that lay on the centre and was no play.

    As long as something lies there that was put aside, it may be about to.
    """
    begin = max(visit.begin for visit in view.visits)
    taken = [one.seen for one in gone if one.clear >= begin - JUST]
    strange = any(one.zone in _CENTRE and one.card.known and one.card not in known for one in taken)
    return strange or any(one.zone in _ASIDE for one in (*view.cards, *taken))
