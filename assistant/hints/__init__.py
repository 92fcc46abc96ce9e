"""Hints: what a seat may do, ranked by the result that it can expect, as far as the seat itself can know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from assistant.cards import Card
from assistant.games.game import Action, InvalidInput, Position
from assistant.games.refusals import no_such_seat
from assistant.hints.hint import Hint, Hinter
from assistant.hints.laugh_hints import LaughHinter
from assistant.hints.sbros_hints import SbrosHinter
from assistant.hints.stone_hints import StoneHinter
from assistant.told import Seat, Told, tell, tell_n

HINTERS: Final[Mapping[str, Hinter]] = {
    "laugh-and-lie-down": LaughHinter(),
    "rolling-stone": StoneHinter(),
    "sbros": SbrosHinter(),
}
"""By the game's name."""
SAMPLES: Final = 500
"""Deals that are tried for each action unless one asks for more or fewer."""


def hints_for(position: Position, seat: int, rng: np.random.Generator, samples: int = SAMPLES) -> tuple[Hint, ...]:
    """The legal actions of a seat, best first, each with the result of the deal that the seat can expect.

    Only what the seat itself can know counts: its own hand, what lies open, what everybody has done. Equal generators
    and samples give equal hints. Empty where the seat can do nothing now or the deal is over. Raises InvalidInput
    where there is no such seat, its hand is not known, or the game has no hints.
    """
    if samples < 2:
        raise InvalidInput("too-few-samples", f"a hint takes at least 2 samples, not {samples}")
    hinter = _hinter(position, seat)
    return () if position.over else hinter.hints(position, seat, rng, samples)


def possible(position: Position, seat: int) -> frozenset[Card]:
    """The cards that a seat may hold, as far as is seen. Raises InvalidInput."""
    return _hinter(position, seat).possible(position, seat)


def holding(position: Position, seat: int, cards: tuple[Card, ...]) -> Position:
    """The same deal as a seat sees it whose hand holds just these cards now.

    Other hands that the position knows are forgotten. Raises GameError that names the card where they contradict what
    is seen.

    >>> from assistant.cards import parse_cards
    >>> from assistant.games import game_named
    >>> from assistant.games.game import Setup
    >>> table = parse_cards("2S 2C 3S 4H 5S 7S 8S 8D 8C TS JH KS")
    >>> position = game_named("laugh-and-lie-down").deal(Setup("laugh-and-lie-down", 5, 1, table))
    >>> position = position.apply(Action.parse("2 mate 4? 4H"))
    >>> known = holding(position, 2, parse_cards("KH KD 9S 9H 6D 5C AS"))
    >>> len(held(known, 2)), [str(action) for action in offers(known, 2)]
    (7, ['2 mate 5C 5S', '2 mate KH KS', '2 mate KD KS'])
    """
    hinter = _hinter(position, seat)
    may_hold, size = hinter.possible(position, seat), position.observe().hands[seat]
    for number, card in enumerate(cards):
        if not card.known:
            raise InvalidInput(
                "card-unread", tell("{card} is no card of a hand: say its rank and its suit", card=card), card=card
            )
        if card in cards[:number]:
            raise InvalidInput("card-twice", tell("{card} is named twice", card=card), card=card)
        if card not in may_hold:
            raise InvalidInput("card-elsewhere", _elsewhere(position, seat, card), card=card)
    if len(cards) != size:
        reason = tell_n(
            "{seat} holds {n} card now, not {number}",
            "{seat} holds {n} cards now, not {number}",
            size,
            seat=Seat(seat),
            number=len(cards),
        )
        raise InvalidInput("wrong-hand-size", reason)
    return hinter.holding(position, seat, cards)


def held(position: Position, seat: int) -> tuple[Card, ...]:
    """The cards of a seat's hand, as far as the position knows them; the unknown ones last. Raises InvalidInput."""
    return _hinter(position, seat).held(position, seat)


def offers(position: Position, seat: int) -> tuple[Action, ...]:
    """What a seat could do with its hand as the table lies; where it is not its turn: were it its turn now.

    Nothing where the deal is over, or where that can't be told before the turn comes. Raises InvalidInput.
    """
    hinter = _hinter(position, seat)
    return () if position.over else hinter.offers(position, seat)


def _hinter(position: Position, seat: int) -> Hinter:
    players = position.setup.players
    if not 1 <= seat <= players:
        raise InvalidInput("no-such-seat", no_such_seat(seat, players))
    hinter = HINTERS.get(position.setup.game)
    if hinter is None:
        raise InvalidInput("no-hints", tell("there are no hints for {game} yet", game=position.setup.game))
    return hinter


def _elsewhere(position: Position, seat: int, card: Card) -> Told:
    """Why the seat can't hold a card: where it is."""
    seen, values = position.observe(), {"card": card, "seat": Seat(seat)}
    if card in seen.table:
        return tell("{card} can't be in the hand of {seat}: it lies on the table", **values)
    for other in range(1, position.setup.players + 1):
        if card in seen.piles.get(other, ()):
            return tell(
                "{card} can't be in the hand of {seat}: it lies in the pile of {other}", **values, other=Seat(other)
            )
        if other != seat and card in held(position, other):
            return tell("{card} can't be in the hand of {seat}: {other} holds it", **values, other=Seat(other))
    return tell("{card} can't be in the hand of {seat}, as far as is seen", **values)
