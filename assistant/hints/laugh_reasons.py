"""What speaks for or against an action in Laugh and Lie Down, in words (the safety of mates by counting)."""

from __future__ import annotations

from assistant.games.bag import rank_of
from assistant.games.game import Action
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.games.laugh_mistakes import RANK_NAMES

_NUMBERS = ("no", "one", "two", "three", "four")


def reason(position: LaughPosition, action: Action) -> str:
    """The reason, as a clause without its full stop; the position is the one before the action, as its seat sees it."""
    number = _NUMBERS[len(action.cards)] if len(action.cards) < 5 else ""
    match action.verb:
        case "claim":
            return f"Calling it brings {number} cards, and it is no turn"
        case "take":
            return "The mournival brings four cards; once eldest hand has acted anybody may claim it"
        case "lay":
            return f"Nothing can meet these any more: laying them brings {number} cards, and it is no turn"
        case "lie-down":
            return "No card in hand matches the table" if not _can_mate(position, action.seat) else "Gives a mate away"
    rank = next(rank for rank in map(rank_of, action.cards) if rank is not None)
    return _of_mate(position, action, rank)


def _can_mate(position: LaughPosition, seat: int) -> bool:
    return any(one.seat == seat and one.verb == "mate" for one in position.legal_actions())


def _of_mate(position: LaughPosition, action: Action, rank: int) -> str:
    places, name = position.places, RANK_NAMES[rank]
    held, lying = places.hands[action.seat - 1].count(rank), places.table.count(rank)
    others = 4 - held - lying - places.won.count(rank)
    if lying == 3:
        if len(action.cards) == 2:
            return f"Leaves two {name} behind that you could have taken too"
        return f"All three {name} are yours alone, so they can wait; but cash them before the last other player is out"
    if lying == 1 and others and held > 1:
        return f"The last of the {name} is in another hand: should it take the one on the table, your pair is dead"
    if lying == 1 and others:
        return f"Others hold {_NUMBERS[others]} of the {name} and one lies on the table: the first to come takes it"
    if others:
        return f"Safe: enough {name} lie on the table for the others and you, so it can wait and keep you in"
    return f"Safe: nobody else holds any of the {name}, so it can wait and keep you in"
