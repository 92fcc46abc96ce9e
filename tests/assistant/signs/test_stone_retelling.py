"""A deal of Rolling Stone is told anew when what follows shows that a card was misread, or never seen to lie there."""

from __future__ import annotations

from dataclasses import replace

from assistant.cards import Card
from assistant.games.game import Position, Setup
from assistant.games.rolling_stone import GAME
from assistant.games.stone_setup import NAME
from assistant.signs.lain import AllLain, Lain
from assistant.signs.retelling import Retelling
from assistant.signs.stone_lain import remembered
from assistant.signs.stone_retelling import StoneTeller
from assistant.view import TABLE, Passing, SeenCard, Stillness, TableView, Visit

START = GAME.deal(Setup(NAME, 4, 1))
"""Seat 2 leads; the pack begins with the sevens."""


class Told:
    """Cards that come and go one after another, a trick at a time."""

    def __init__(self) -> None:
        self.lain: list[Lain] = []
        self.t = 0.0

    def trick(self, cards: str, seats: str, taker: int, sure: float = 1.0) -> None:
        """Cards come one by one, and somebody takes them all."""
        begin, begun = len(self.lain), self.t
        for name, seat in zip(cards.split(), seats, strict=True):
            self.t += 4.0
            weights = {Card.parse(name): 20 * sure}
            hands = frozenset((int(seat),))
            middle = (0.5 + 0.1 * int(seat), 0.5)
            one = Lain(len(self.lain) + 1, TABLE, middle, self.t, self.t, self.t, weights, 20.0, hands)
            self.lain.append(one)
        self.t += 4.0
        assert self.t > begun
        gone = [
            replace(one, last=self.t, clear=self.t - 0.7, takers=frozenset((taker,)), gone=True)
            for one in self.lain[begin:]
        ]
        self.lain[begin:] = gone

    def ways(self, start: Position = START) -> list[Retelling]:
        """How it may be told."""
        past = tuple(one for one in self.lain if one.gone)
        here = {one.track: one for one in self.lain if not one.gone}
        return StoneTeller().tell(start, AllLain(past, here), self.t + 2.0)


def test_what_was_read_is_told() -> None:
    table = Told()
    table.trick("9C KC", "23", 4)
    table.trick("7D 8D 9D QD", "4123", 3)
    table.trick("AS", "3", 4)
    best = table.ways()[0]
    assert "; ".join(map(str, best.actions)) == (
        "2 play 9C; 3 play KC; 4 pick-up; 4 play 7D; 1 play 8D; 2 play 9D; 3 play QD; 3 play AS; 4 pick-up"
    )


def test_cards_of_a_suit_that_was_taken_for_another_one_are_put_right_by_what_follows() -> None:
    table = Told()
    table.trick("9S KS", "23", 4, sure=0.9)  # diamonds: else seat 4 might not lead spades
    table.trick("7S 8S TS QS", "4123", 3)
    best = table.ways()[:3]
    assert {str(way.actions[0]) for way in best} == {"2 play 9H", "2 play 9D", "2 play 9C"}
    for way in best:
        assert [str(action) for action in way.actions[3:]] == ["4 play 7S", "1 play 8S", "2 play TS", "3 play QS"]


def test_a_card_that_was_only_read_in_passing_can_have_been_led() -> None:
    hand = Visit(2, 1.0, 2.0, (TABLE,))
    read = tuple(Passing(Card.parse("8C"), 0.95, TABLE, t) for t in (1.4, 1.7))
    lain = remembered(AllLain(), TableView(2.5, (), Stillness.STILL, 0.5, visits=(hand,), passing=read))
    for step in range(20):
        t = 5.0 + step / 4
        quad = ((0.4, 0.4), (0.5, 0.4), (0.5, 0.6), (0.4, 0.6))
        seen = SeenCard(1, Card.parse("8D"), 0.98, TABLE, quad, since=5.0)
        hands = (hand, Visit(3, 2.4, 3.2, (TABLE,)), Visit(3, 4.2, 5.4, (TABLE,)))
        lain = remembered(lain, TableView(t, (seen,), Stillness.STILL, 1.0, visits=hands, passing=read))
    ways = ["; ".join(map(str, way.actions)) for way in StoneTeller().tell(START, lain, 10.0)]
    assert "2 play 8C; 3 pick-up; 3 play 8D" in ways
