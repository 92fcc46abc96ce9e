"""How a card may have come to lie on the table that nobody noticed, and how one may not lie there at all.

Each way is a command that the session already knows; one that it would refuse is no way. Those that leave most of what
followed as it was come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from assistant import session
from assistant.cards import Card
from assistant.games.game import Action, GameError, Position
from assistant.session import Done, SessionState, advance
from assistant.session_events import Reexplained, SessionEvent

MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Way:
    """What may have happened: ``action`` now (``target`` 0), or before the action at entry ``target``, or ``instead``
    of it; ``action`` None: what stands at ``target`` did not happen."""

    action: Action | None
    target: int = 0
    instead: bool = False

    def events(self, state: SessionState) -> tuple[SessionEvent, ...]:
        """The events that follow if it was so. Raises GameError where it can't have been."""
        if self.action is None:
            return session.undo(state, self.target)
        if not self.target:
            return session.act(state, self.action)
        return session.change(state, self.target, self.action, instead=self.instead)


def ways_in(state: SessionState, card: Card) -> tuple[Way, ...]:
    """How the card, of which the game does not know that it lies there, may have come to where it lies."""
    deal = state.deal
    if deal is None or not card.known or _lies_open(deal.position, card):
        return ()
    ways = [Way(action) for action in _with(deal.position, card)]
    for done in reversed(deal.done):
        if done.action.verb == "lie-down":
            ways += [Way(action, done.seq, instead=True) for action in _read(done.action, card)]
    if deal.done:
        last = deal.done[-1].seq
        before = session.position_before(deal, last)
        ways += [Way(action, last) for action in (_with(before, card) if before is not None else ())]
    return _possible(state, ways)


def ways_out(state: SessionState, card: Card) -> tuple[Way, ...]:
    """What did not happen if the card does not lie where the game has it; none for a card that was dealt face up."""
    deal = state.deal
    if deal is None:
        return ()
    ways = []
    for done in reversed(deal.done):
        if card in done.action.cards:
            ways += list(_without(done, card))
    return _possible(state, ways)


def _with(position: Position, card: Card) -> Iterator[Action]:
    """What may be done with the card, where an observer knows some cards of the hands by their rank only."""
    for action in () if position.over else position.legal_actions():
        if card in action.cards:
            yield action
            continue
        partly = Card.parse(f"{card.rank}?")
        if partly in action.cards:
            at = action.cards.index(partly)
            yield replace(action, cards=(*action.cards[:at], card, *action.cards[at + 1 :]))


def _lies_open(position: Position, card: Card) -> bool:
    observed = position.observe()
    return card in observed.table or any(card in pile for pile in observed.piles.values())


def _read(action: Action, card: Card) -> Iterator[Action]:
    """The same with the card for one that nobody could read."""
    for place, one in enumerate(action.cards):
        if not one.known and one.rank in ("", card.rank):
            yield replace(action, cards=(*action.cards[:place], card, *action.cards[place + 1 :]))
            return


def _without(done: Done, card: Card) -> Iterator[Way]:
    if done.action.verb == "lie-down":
        another = tuple(Card.parse("??") if one == card else one for one in done.action.cards)
        yield Way(replace(done.action, cards=another), done.seq, instead=True)
    yield Way(None, done.seq)


def _possible(state: SessionState, ways: list[Way]) -> tuple[Way, ...]:
    """The ways that the session would take, each once, those that change least first."""
    found: dict[Way, int] = {}
    for way in dict.fromkeys(ways):
        try:
            events = way.events(state)
            advance(state, events)
        except GameError:
            continue
        found[way] = sum(len(event.changes) for event in events if isinstance(event, Reexplained))
    return tuple(sorted(found, key=lambda way: found[way])[:MOST])
