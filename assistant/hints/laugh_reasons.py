"""What speaks for or against an action in Laugh and Lie Down, in words (the safety of mates by counting)."""

from __future__ import annotations

from assistant.cards import RANKS
from assistant.games.bag import rank_of
from assistant.games.game import Action
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.told import Rank, Told, later, tell


def reason(position: LaughPosition, action: Action) -> Told:
    """The reason, as a clause without its full stop; the position is the one before the action, as its seat sees it."""
    match action.verb:
        case "claim" if len(action.cards) == 4:
            return tell("Calling it brings four cards, and it is no turn")
        case "claim":
            return tell("Calling it brings two cards, and it is no turn")
        case "take":
            return tell("The mournival brings four cards; once eldest hand has acted anybody may claim it")
        case "lay" if len(action.cards) == 4:
            return tell("Nothing can meet these any more: laying them brings four cards, and it is no turn")
        case "lay":
            return tell("Nothing can meet these any more: laying them brings two cards, and it is no turn")
        case "lie-down" if _can_mate(position, action.seat):
            return tell("Gives a mate away")
        case "lie-down":
            return tell("No card in hand matches the table")
    rank = next(rank for rank in map(rank_of, action.cards) if rank is not None)
    return _of_mate(position, action, rank)


def _can_mate(position: LaughPosition, seat: int) -> bool:
    return any(one.seat == seat and one.verb == "mate" for one in position.legal_actions())


def _of_mate(position: LaughPosition, action: Action, rank: int) -> Told:
    places = position.places
    held, lying = places.hands[action.seat - 1].count(rank), places.table.count(rank)
    others = 4 - held - lying - places.won.count(rank)
    return tell(_pattern(held, lying, others, len(action.cards)), rank=Rank(RANKS[rank]))


def _pattern(held: int, lying: int, others: int, taken: int) -> str:
    """The reason for a mate by which a hand that holds so many of a rank takes some of those that lie there."""
    if lying == 3 and taken == 2:
        return later("Leaves two {rank.many} behind that you could have taken too")
    if lying == 3:
        return later(
            "All three {rank.many} are yours alone, so they can wait; but cash them before the last other player is out"
        )
    if lying == 1 and others and held > 1:
        return later(
            "The last of the {rank.many} is in another hand: should it take the one on the table, your pair is dead"
        )
    if lying == 1 and others:
        return {
            1: later("Others hold one of the {rank.many} and one lies on the table: the first to come takes it"),
            2: later("Others hold two of the {rank.many} and one lies on the table: the first to come takes it"),
        }.get(
            others, later("Others hold three of the {rank.many} and one lies on the table: the first to come takes it")
        )
    if others:
        return later("Safe: enough {rank.many} lie on the table for the others and you, so it can wait and keep you in")
    return later("Safe: nobody else holds any of the {rank.many}, so it can wait and keep you in")
