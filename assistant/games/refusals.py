"""Reasons in words that several games give when they refuse something, each in one clause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.cards import Card
from assistant.games.game import Action
from assistant.told import Seat, Told, tell


def no_such_seat(seat: int, players: int) -> Told:
    """The seat is not at the table."""
    return tell("there is no seat {n}: seats go from 1 to {players}", n=seat, players=players)


def no_such_option(title: str, name: str, options: Iterable[str]) -> Told:
    """The game has no such option."""
    return tell(
        "there is no option '{name}' in {game}: it has {options}", name=name, game=title, options=", ".join(options)
    )


def no_such_value(name: str, values: Iterable[str], value: str) -> Told:
    """The option has no such value."""
    return tell("option {name} can be {values}, not '{value}'", name=name, values=", ".join(values), value=value)


def wrong_game(name: str, other: str) -> Told:
    """The set-up is another game's."""
    return tell("this is {game}, not '{other}'", game=name, other=other)


def no_such_dealer(dealer: int, players: int) -> Told:
    """The dealer's seat is not at the table."""
    return tell("the dealer is a seat from 1 to {players}, not {dealer}", players=players, dealer=dealer)


def wrong_names(players: int, names: int) -> Told:
    """There is not one name for each player."""
    return tell("{players} players need {players} names, not {names}", players=players, names=names)


def no_such_verb(title: str, verb: str, verbs: Sequence[str]) -> Told:
    """The game has no such action."""
    return tell("{game} has no '{verb}': it has {verbs}", game=title, verb=verb, verbs=", ".join(verbs))


def other_turn(to_act: int | None, action: Action) -> Told:
    """Another seat is in turn."""
    return tell("it is {seat}'s turn, so '{action}' can't be", seat=Seat(to_act or 0), action=action)


def not_held(seat: int, card: Card, place: Told | None) -> Told:
    """The seat has no such card; ``place``: where it is, if that is known."""
    if place is None:
        return tell("{seat} does not hold {card}", seat=Seat(seat), card=card)
    return tell("{seat} does not hold {card}; it is {place}", seat=Seat(seat), card=card, place=place)


def some(cards: tuple[Card, ...]) -> tuple[Card, ...] | Told:
    """The cards, or that there are none."""
    return cards or tell("no card")


def uncalled(what: Told) -> Told:
    """A mistake of which nobody made anything."""
    return tell("{what} Nobody called it.", what=what)
