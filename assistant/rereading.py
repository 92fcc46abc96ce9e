"""A card that was read wrongly when its action was committed, or not at all, and is read otherwise now, in the very
same place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.games.game import Action, Game, GameError, Position
from assistant.signs.difference import Difference, likelihood
from assistant.view import TABLE, SeenCard, TableView, Visit, Zone

CLEAR: Final = 0.6
"""A reading less sure than this changes nothing that was committed."""
WELL: Final = 0.9
"""So surely must a card be read that nobody could read before."""
BROUGHT: Final = 1.5
"""A hand brought what came to rest this long (seconds) before it came or after it was gone."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which card of which action a track is, both counted from 0; ``doubtful``: it was hardly read as that card."""

    action: int
    card: int
    doubtful: bool = False


def placed(
    before: Mapping[int, Place], view: TableView, position: Position, tracks: Sequence[Sequence[int]]
) -> dict[int, Place]:
    """By track, the cards of committed actions that still lie there: those of ``before`` and those of the position's
    last actions, whose ``tracks`` these are. An action counts if each of its cards has its track."""
    first = len(position.actions) - len(tracks)
    here = {seen.track: seen for seen in view.cards}
    found = {track: place for track, place in before.items() if track in here and place.action < first}
    for number, used in enumerate(tracks, start=first):
        if len(used) == len(position.actions[number].cards):
            cards = enumerate(zip(used, position.actions[number].cards, strict=True))
            found |= {
                track: Place(number, place, likelihood(here[track], card) < CLEAR)
                for place, (track, card) in cards
                if track in here
            }
    return found


def kept(before: Mapping[int, Place], known: Sequence[Action], actions: Sequence[Action]) -> dict[int, Place]:
    """Those of ``before`` that still hold where somebody has put other actions in the place of the known ones."""
    pairs = enumerate(zip(known, actions, strict=False))
    same = next((number for number, (one, other) in pairs if one != other), min(len(known), len(actions)))
    return {track: place for track, place in before.items() if place.action < same}


def reread(
    position: Position, places: Mapping[int, Place], difference: Difference, view: TableView, since: float
) -> tuple[Mapping[int, Place], tuple[SeenCard, ...]]:
    """The cards that the record calls otherwise than they are read now, and by track where it names each."""
    late = read_at_last(position, difference, view)
    seen = misread(position, places, difference, view, since)
    return {**places, **late}, (*seen, *(one for one in view.cards if one.track in late))


def read_at_last(position: Position, difference: Difference, view: TableView) -> dict[int, Place]:
    """By track, the one card that nobody could read and that is read well now, with its place in the record: of the
    middle, or put aside by a seat whose turn it isn't. None but the hand that put it there may have been over the table
    then: another's may be another card."""
    unread = [(number, action) for number, action in enumerate(position.actions) if UNKNOWN in action.cards]
    if len(unread) != 1 or unread[0][1].cards.count(UNKNOWN) != 1:
        return {}
    number, action = unread[0]
    place = Place(number, action.cards.index(UNKNOWN))
    if UNKNOWN not in position.observe().table:
        aside = (seen for seen in difference.fresh if seen.zone == Zone(action.seat, "reset"))
        return (
            {} if position.to_act == action.seat else {one.track: place for one in aside if _brought(one, action, view)}
        )
    return {
        seen.track: place
        for seen in view.in_zone(TABLE)
        if seen.track in difference.lying
        and difference.lying[seen.track].card == UNKNOWN
        and _brought(seen, action, view)
    }


def _brought(seen: SeenCard, action: Action, view: TableView) -> bool:
    """Whether a card is read well and none but the hand that acted was there when it came."""
    well = seen.card.known and seen.confidence >= WELL and not seen.covered
    return well and {visit.seat for visit in view.visits if _about(visit, seen.since)} == {action.seat}


def _about(visit: Visit, t: float) -> bool:
    return visit.begin - BROUGHT <= t and (visit.end is None or t <= visit.end + BROUGHT)


def misread(
    position: Position, places: Mapping[int, Place], difference: Difference, view: TableView, since: float
) -> tuple[SeenCard, ...]:
    """The cards that only seem to be new: each of them is already in the record, by another name.

    ``since``: when it was read so first. Until then no hand may have come there after the card had come to rest: it
    could have put another one on it, unless it was doubtful from the beginning which card it is.
    """
    found = []
    for seen in difference.fresh:
        place = places.get(seen.track)
        if place is None or not seen.card.known or place.action >= len(position.actions):
            continue
        written = position.actions[place.action].cards[place.card]
        expected = not written.rank or any(slot.card == written for slot in difference.missing)
        if expected and (place.doubtful or not any(_over(visit, seen, since) for visit in view.visits)):
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
