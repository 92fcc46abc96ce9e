"""A card that was read wrongly when its action was committed, and is read otherwise now, in the very same place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from assistant.cards import Card
from assistant.games.game import Action, Game, GameError, Position
from assistant.signs.difference import Difference
from assistant.view import SeenCard, TableView, Visit

CLEAR: Final = 0.6
"""A reading less sure than this changes nothing that was committed."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which card of which action a track is, both counted from 0."""

    action: int
    card: int


def placed(
    before: Mapping[int, Place], view: TableView, position: Position, tracks: Sequence[Sequence[int]]
) -> dict[int, Place]:
    """By track, the cards of committed actions that still lie there: those of ``before`` and those of the position's
    last actions, whose ``tracks`` these are. An action counts if each of its cards has its track."""
    first = len(position.actions) - len(tracks)
    here = {seen.track for seen in view.cards}
    found = {track: place for track, place in before.items() if track in here and place.action < first}
    for number, used in enumerate(tracks, start=first):
        if len(used) == len(position.actions[number].cards):
            found |= {track: Place(number, card) for card, track in enumerate(used) if track in here}
    return found


def kept(before: Mapping[int, Place], known: Sequence[Action], actions: Sequence[Action]) -> dict[int, Place]:
    """Those of ``before`` that still hold where somebody has put other actions in the place of the known ones."""
    pairs = enumerate(zip(known, actions, strict=False))
    same = next((number for number, (one, other) in pairs if one != other), min(len(known), len(actions)))
    return {track: place for track, place in before.items() if place.action < same}


def misread(
    position: Position, places: Mapping[int, Place], difference: Difference, view: TableView, since: float
) -> tuple[SeenCard, ...]:
    """The cards that only seem to be new: each of them is already in the record, by another name.

    ``since``: when it was read so first. Until then no hand may have come there after the card had come to rest: it
    could have put another one on it.
    """
    found = []
    for seen in difference.fresh:
        place = places.get(seen.track)
        if place is None or not seen.card.known or place.action >= len(position.actions):
            continue
        written = position.actions[place.action].cards[place.card]
        expected = any(slot.card == written for slot in difference.missing)
        if expected and not any(_over(visit, seen, since) for visit in view.visits):
            found.append(seen)
    return tuple(found)


def _over(visit: Visit, seen: SeenCard, until: float) -> bool:
    return seen.since < visit.begin <= until and (not visit.over or seen.zone in visit.over)


def without_misread(
    difference: Difference, position: Position, places: Mapping[int, Place], seen: Sequence[SeenCard]
) -> Difference:
    """The difference that is left when these cards are taken for what the record calls them."""
    written = {position.actions[places[one.track].action].cards[places[one.track].card] for one in seen}
    return replace(
        difference,
        fresh=tuple(one for one in difference.fresh if one not in seen),
        missing=tuple(slot for slot in difference.missing if slot.card not in written),
    )


def put_right(
    game: Game, position: Position, places: Mapping[int, Place], seen: Sequence[SeenCard]
) -> tuple[Position, int] | None:
    """The position with the cards as they are read now, and the number of the first action that changes; None where
    the rules forbid it."""
    actions = list(position.actions)
    for one in seen:
        place = places[one.track]
        actions[place.action] = _with_card(actions[place.action], place.card, one.card)
    after = game.deal(position.setup)
    try:
        for action in actions:
            after = after.apply(action)
    except GameError:
        return None
    return after, min(places[one.track].action for one in seen)


def _with_card(action: Action, number: int, card: Card) -> Action:
    return replace(action, cards=(*action.cards[:number], card, *action.cards[number + 1 :]))
