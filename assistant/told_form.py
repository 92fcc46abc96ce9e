"""Sentences as they are stored: what ``assistant.told`` needs to say them again in another language, as JSON values.

A number or a text stands for itself; any other value is an object with one entry that names its kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from assistant.cards import RANKS, SUITS, Card
from assistant.games.game import Action, GameError
from assistant.told import Listing, Place, Rank, Seat, Seats, Suit, Told

DEEPEST: Final = 8
"""So many sentences may stand within each other."""
_ZONE: Final = re.compile(r"(table|left|right|stock|nowhere)|(pile|reset|hand) [1-9]")


def told_to_json(told: Told) -> dict[str, Any]:
    """What the sentence is made of.

    >>> from assistant.told import tell
    >>> told_to_json(tell("{seat} left the {rank.many}.", seat=Seat(2), rank=Rank("K")))["values"]
    {'seat': {'seat': 2}, 'rank': {'rank': 'K'}}
    """
    values = {name: _value_to_json(value) for name, value in told.values.items()}
    return {"pattern": told.pattern, "many": told.many, "values": values}


def told_from_json(data: object, text: str) -> str:
    """The sentence ``text`` with what ``told_to_json`` wrote of it; just the text where that can't be read (a newer
    program's, a damaged one) or says something else."""
    try:
        told = _told(data, 0)
    except (GameError, KeyError, TypeError, ValueError):
        return text
    return told if told == text else text


def _value_to_json(value: Any) -> Any:
    match value:
        case Told():
            return {"told": told_to_json(value)}
        case int() | float() | str():
            return value
        case Seat(number):
            return {"seat": number}
        case Seats(numbers, last):
            return {"seats": list(numbers), "last": last}
        case Place(zone):
            return {"place": zone}
        case Rank(rank):
            return {"rank": rank}
        case Suit(suit):
            return {"suit": suit}
        case Card():
            return {"card": str(value)}
        case Action():
            return {"action": str(value)}
        case Listing(parts):
            return {"listing": [_value_to_json(part) for part in parts]}
        case tuple():
            return {"tuple": [_value_to_json(part) for part in value]}
    return str(value)


def _told(data: Any, depth: int) -> Told:
    """Raises GameError, ValueError, TypeError or KeyError for what is no sentence."""
    pattern, many, given = data["pattern"], data["many"], data["values"]
    if not (isinstance(pattern, str) and isinstance(many, str) and isinstance(given, Mapping)) or depth > DEEPEST:
        raise ValueError("no sentence")
    values = {str(name): _value(value, depth + 1) for name, value in given.items()}
    if many and type(values["n"]) is not int:
        raise ValueError("a number of things is a whole number")
    return Told(pattern, values, many)


def _value(data: Any, depth: int) -> Any:
    """Raises GameError, ValueError, TypeError or KeyError for what no sentence holds."""
    match data:
        case str():
            return data
        case int() | float() if type(data) is not bool and math.isfinite(data):
            return data
        case {"told": told}:
            return _told(told, depth)
        case {"seat": number}:
            return Seat(_seat(number))
        case {"seats": [_, *_] as numbers, "last": "and" | "or" as last}:
            return Seats(tuple(map(_seat, numbers)), last)
        case {"place": str(zone)} if _ZONE.fullmatch(zone):
            return Place(zone)
        case {"rank": str(rank)} if rank in RANKS:
            return Rank(rank)
        case {"suit": str(suit)} if suit in SUITS:
            return Suit(suit)
        case {"card": str(card)}:
            return Card.parse(card)
        case {"action": str(action)}:
            return Action.parse(action)
        case {"listing": [*parts]} if depth <= DEEPEST:
            return Listing(tuple(_value(part, depth + 1) for part in parts))
        case {"tuple": [*parts]} if depth <= DEEPEST:
            return tuple(_value(part, depth + 1) for part in parts)
    raise ValueError("no value of a sentence")


def _seat(number: Any) -> int:
    if type(number) is not int or not 1 <= number <= 9:
        raise ValueError("no seat")
    return number
