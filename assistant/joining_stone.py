"""Joining a deal of Rolling Stone that is under way: whose turn it is, how many cards each holds, the trick that lies.

Only the trick is seen. What is asked is what the players know at a glance; which cards they hold, and which have left
play, stays unknown. Since each completed trick takes one card of everybody out of play, the cards that are counted must
be a multiple of the players' number: so most miscounts show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from assistant.cards import Card
from assistant.games.game import UNDER_WAY, Action, Game, GameError, Position, Setup
from assistant.games.stone_cards import STRENGTH
from assistant.games.stone_setup import HAND, rules_of
from assistant.games.stone_under_way import UnderWay
from assistant.joining import Answers, CantJoin
from assistant.signs.signs import Terms
from assistant.told import Seat, later, tell
from assistant.view import TABLE, TableView

_COUNT_AGAIN: Final = later(
    "{held} cards in the hands and {lying} in the trick: together they must be a multiple of {players} and at most "
    "{most}; count them again"
)


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards that lie face up in the middle, in no order that is known."""

    cards: tuple[Card, ...]


def trick(view: TableView, players: int) -> Trick | None:
    """What lies there, which may be nothing; None while a card there can't be read, or more lie there than a trick
    has."""
    cards = tuple(seen.card for seen in view.cards if seen.zone == TABLE)
    return Trick(cards) if len(cards) <= players and all(card.known for card in cards) else None


def joined(game: Game, terms: Terms, there: Trick, answers: Answers) -> Position:
    """A position with just this trick, these hand sizes and this turn.

    ``answers.order``: the cards of the trick in the order in which they were played; it isn't asked of a single card,
    nor of a whole trick, which the one in turn has taken. ``answers.picked``: the suit that the one in turn has just
    picked up. Raises CantJoin where the answers contradict each other or what lies there.
    """
    bare = Setup(terms.game, terms.players, terms.dealer, (), {}, dict(terms.options), terms.names)
    players, rules = terms.players, rules_of(bare)
    unsaid = next((seat for seat in range(1, players + 1) if seat not in answers.hands), None)
    if unsaid is not None:
        raise CantJoin(tell("how many cards {seat} holds must be told", seat=Seat(unsaid)))
    order = _ordered(there.cards, answers, players)
    lying = len(order) % players  # a whole trick is out of play already
    held = sum(answers.hands.values())
    leader = (answers.to_act - 1 - rules.step * (lying or _place_of_highest(order))) % players + 1
    seats = [(leader - 1 + rules.step * number) % players + 1 for number in range(len(order))]
    empty = next((seat for seat, size in answers.hands.items() if not size), None)
    if empty is not None and (rules.end_moment == "last_card_played" or empty not in seats[:lying]):
        raise CantJoin(tell("{seat} holds no card any more: the deal is over", seat=Seat(empty)))
    sizes = tuple(answers.hands[seat] + seats.count(seat) for seat in range(1, players + 1))
    begun = UnderWay(leader, sizes, "" if order else answers.picked)
    if not begun.fits(players, HAND):
        raise CantJoin(tell(_COUNT_AGAIN, held=held, lying=lying, players=players, most=players * HAND))
    try:
        position = game.deal(replace(bare, options={**bare.options, UNDER_WAY: str(begun)}))
        for seat, card in zip(seats, order, strict=True):
            position = position.apply(Action(seat, "play", (card,)))
    except GameError as error:
        raise CantJoin(error.reason) from None
    return position


def _ordered(lying: Sequence[Card], answers: Answers, players: int) -> tuple[Card, ...]:
    """The trick's cards as they were played. Raises CantJoin where that must be said and is not, or can't be."""
    if len({card.suit for card in lying}) > 1:
        text = later("{cards} are of several suits, and a trick is of one: go on with the next trick")
        raise CantJoin(tell(text, cards=tuple(lying)))
    if len(lying) in (0, 1, players):
        return tuple(lying)
    if sorted(map(str, answers.order)) != sorted(map(str, lying)):
        raise CantJoin(tell("say in which order {cards} were played", cards=tuple(lying)))
    return answers.order


def _place_of_highest(order: Sequence[Card]) -> int:
    return max(range(len(order)), key=lambda place: STRENGTH.index(order[place].rank), default=0)
