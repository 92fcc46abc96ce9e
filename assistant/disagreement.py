"""When table and game disagree: what lies where against what the game expects, and the shortest ways back.

Also the last look at a settled deal: whether the piles hold what is counted for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.events import Choice, Desync, Move, Way, choice_line
from assistant.games.game import Action, Game, Position, before_last
from assistant.signs.difference import (
    AT_ONCE,
    Difference,
    Lying,
    Slot,
    compare,
    name_of,
    without_covered,
    without_faint,
)
from assistant.signs.signs import Misplay, Signs, place_name
from assistant.told import Listing, Place, Told, as_sentence, later, tell, tell_n, together
from assistant.view import TABLE, SeenCard, TableView, Zone

FARTHEST: Final = 4
"""Actions that may be taken back on a way."""
LONGEST: Final = 6
"""Actions that may be done anew on a way."""


def desync(t: float, difference: Difference, misplay: Misplay | None, ways: tuple[Way, ...]) -> Desync:
    """What lies where against what the game expects, in one plain text."""
    missing = [(slot.card, str(slot.zone)) for slot in difference.missing]
    missing += [(moved.card, str(moved.was)) for moved in (*difference.moved, *difference.strayed)]
    unexpected = [(seen.card, place_name(seen.zone)) for seen in difference.fresh]
    unexpected += [(moved.card, str(moved.zone)) for moved in (*difference.moved, *difference.strayed)]
    text = tell(_differing(bool(unexpected), bool(missing)), seen=_listing(unexpected), expected=_listing(missing))
    reasons = [] if misplay is None else [as_sentence(misplay.text)]
    return Desync(t, together([text, *reasons]), tuple(missing), tuple(unexpected), ways)


def _differing(seen: bool, expected: bool) -> str:
    """The pattern that says how table and game differ."""
    if seen and expected:
        return later("Table and game disagree. I see {seen}; I expect {expected}.")
    if seen:
        return later("Table and game disagree. I see {seen}.")
    return later("Table and game disagree. I expect {expected}.") if expected else later("Table and game disagree.")


def _listing(cards: Sequence[tuple[Card, str]]) -> Listing:
    return Listing(tuple(tell("{card} ({place})", card=_named(card), place=Place(place)) for card, place in cards))


def ways_back(
    game: Game,
    signs: Signs,
    position: Position,
    view: TableView,
    in_pool: Mapping[int, float] | None = None,
    lying: Mapping[int, Lying] | None = None,
) -> tuple[Way, ...]:
    """The ways to make table and game agree, the shortest first: accept the table, restore the game, edit by hand.

    To accept the table, up to FARTHEST actions are taken back and up to LONGEST done anew, all of them legal; where
    there are none, that way is left out.
    """
    accepted = _accepting(game, signs, position, view, in_pool, lying)
    restored = _restoring(compare(signs.slots(position), view, lying))
    edit = Way("edit", "Put the game right by hand.")
    return (*((accepted,) if accepted else ()), *((restored,) if restored else ()), edit)


def _accepting(
    game: Game,
    signs: Signs,
    position: Position,
    view: TableView,
    in_pool: Mapping[int, float] | None,
    lying: Mapping[int, Lying] | None,
) -> Way | None:
    for back in range(min(FARTHEST, len(position.actions)) + 1):
        before = before_last(game, position, back)
        whole = compare(signs.slots(before), view, lying)
        for difference in dict.fromkeys((whole, without_faint(whole), without_covered(whole))):
            choice: Choice = ()
            if difference:
                found = signs.explain(before, difference, view, LONGEST, in_pool)
                if not found:
                    continue
                choice = found[0].actions
            undone = position.actions[len(position.actions) - back :]
            return Way("accept", _accepting_text(undone, choice), back, choice)
    return None


def _accepting_text(undone: tuple[Action, ...], choice: Choice) -> str:
    parts = []
    if undone:
        parts.append(f"take back {choice_line(undone)}")
    if choice:
        parts.append(f"do {choice_line(choice)}")
    return as_sentence("The table is right: " + (", and ".join(parts) or "go on from it"))


def _restoring(difference: Difference) -> Way | None:
    """Which cards to move so that the table shows what the game has."""
    moves = [Move(one.card, str(one.zone), str(one.was)) for one in (*difference.moved, *difference.strayed)]
    moves += [Move(slot.card, "", str(slot.zone)) for slot in difference.missing]
    for seen in difference.fresh:
        seat = seen.zone.seat if seen.zone is not None else None
        moves.append(Move(seen.card, place_name(seen.zone), "hand" if seat is None else f"hand {seat}"))
    if not moves:
        return None
    words = [f"{name_of(move.card)} goes {_from(move.place)}{_to(move.to)}" for move in moves]
    return Way("restore", "The game is right: " + "; ".join(words) + ".", moves=tuple(moves))


def _from(place: str) -> str:
    return f"from {_noun(place)} " if place else ""


def _to(place: str) -> str:
    if place.startswith("hand"):
        return "back into " + ("the hand" if place == "hand" else f"seat {place.removeprefix('hand ')}'s hand")
    return f"back to {_noun(place)}"


def _noun(place: str) -> str:
    return {"table": "the table", "nowhere": "between the places"}.get(place, place)


def doubts_at_the_end(
    slots: Sequence[Slot], difference: Difference, dealer: int, lying: Mapping[int, Lying]
) -> tuple[str, ...]:
    """What doesn't add up between the settled piles and the table as it rests: one plain sentence each.

    A pile shows a card that is counted for another, or one that is counted for nobody there. Cards that others cover
    are no doubt: the game knows them from when they were put there. To the dealer's pile the last hand may go.
    Two cards that nobody can read came to a pile at once and are none of an action (``lying``): a pair laid, perhaps.
    """
    unread = _came_unread(difference, lying)
    difference = without_faint(without_covered(difference))
    doubts = []
    for moved in difference.strayed:
        name, where, counted = _named(moved.card), Place(str(moved.zone)), Place(str(moved.was))
        doubts.append(tell("{card} lies {where} and is counted {counted}.", card=name, where=where, counted=counted))
    for seen in (*difference.fresh, *unread):
        held = sum(slot.zone == seen.zone for slot in slots)
        if held and seen.zone not in (None, TABLE, Zone(dealer)):
            doubt = tell_n(
                "{card} lies {where} and is not the {n} card that is counted there.",
                "{card} lies {where} and is not among the {n} cards that are counted there.",
                held,
                card=_named(seen.card),
                where=Place(place_name(seen.zone)),
            )
            doubts.append(doubt)
    return tuple(doubts)


def _came_unread(difference: Difference, lying: Mapping[int, Lying]) -> list[SeenCard]:
    """One of each two cards that came to a seat's pile at once, unreadable, and belong to nothing that was told."""
    seats = [one for one in difference.dim if one.zone is not None and one.zone.seat is not None]
    new = [one for one in seats if one.card == UNKNOWN and one.track not in lying]
    return [
        one
        for place, one in enumerate(new)
        if any(other.zone == one.zone and abs(other.since - one.since) <= AT_ONCE for other in new[:place])
    ]


def _named(card: Card) -> Card | Told:
    return tell("a card that I can't read") if card == UNKNOWN else card
