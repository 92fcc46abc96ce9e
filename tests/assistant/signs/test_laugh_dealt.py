"""Laugh and Lie Down: what lies there is no deal once somebody has played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.cards import Card
from assistant.events import DealSeen, Event, Warned
from assistant.follow_state import FollowState
from assistant.following import Follower
from assistant.signs.laugh_signs import LaughSigns
from assistant.signs.signs import Terms
from assistant.view import TABLE, SeenCard, Stillness, TableView, Visit
from tests.scripted_play import GAME

DEALER, ELDEST = 2, 3
TERMS = Terms(GAME.name, 3, DEALER)
READ = "7D 2C 9H QD 4S 8C 5H TD"
"""All of the pool but the king of spades and a card that nobody can read."""


def card(number: int, name: str, x: float, since: float) -> SeenCard:
    """A card of width 0.06 whose left edge is at ``x``."""
    quad = ((x, 0.0), (x + 0.06, 0.0), (x + 0.06, 0.09), (x, 0.09))
    return SeenCard(number, Card.parse(name), 0.99, TABLE, quad, since=since)


def table(hand: Visit, mated: str = "KS KD", *, apart: float = 0.01, back: float = 9.7) -> TableView:
    """Eight cards of the pool, and the two that were put down last."""
    first, last = mated.split()
    seen = [card(n, name, 0.1 * n, 4.0 + 0.1 * n) for n, name in enumerate(READ.split())]
    seen += [card(8, first, 2.0, back), card(9, last, 2.0 + apart, 9.8)]
    return TableView(12.0, tuple(seen), Stillness.STILL, 2.0, (), (hand,))


def dealt(view: TableView) -> str:
    setup = LaughSigns().dealt(TERMS, view.cards, view)
    assert setup is not None
    return " ".join(map(str, setup.table))


def test_the_hand_card_of_a_mate_is_no_card_of_the_deal() -> None:
    assert dealt(table(Visit(ELDEST, 8.0, 10.0))) == f"{READ} KS"


def test_nor_is_it_where_a_card_came_to_light_as_the_hand_took_its_mate() -> None:
    view = table(Visit(ELDEST, 8.0, 10.0))
    lit = replace(view, cards=(*view.cards[1:], card(11, "AC", 3.0, 9.2)))
    assert dealt(lit) == f"{READ.removeprefix('7D ')} KS AC"


def test_whatever_was_put_since_a_mate_stays_one() -> None:
    view = table(Visit(ELDEST, 8.0, 10.0))
    later = replace(view, cards=(*view.cards[1:], card(11, "AC", 3.0, 11.8)))
    assert dealt(later) == f"{READ.removeprefix('7D ')} KS AC"


@pytest.mark.parametrize(
    "view",
    [
        table(Visit(DEALER, 8.0, 10.0)),
        table(Visit(None, 8.0, 10.0)),
        table(Visit(ELDEST, 8.0)),
        table(Visit(ELDEST, 8.0, 10.0), "KS QH"),
        table(Visit(ELDEST, 8.0, 10.0), apart=0.5),
        table(Visit(ELDEST, 8.0, 10.0), back=6.0),
        table(Visit(ELDEST, 2.0, 10.0)),
    ],
    ids=["dealer", "nobody", "still-there", "other-rank", "apart", "it-lay-there-before", "more-were-put"],
)
def test_whatever_else_was_put_last_is_of_the_deal(view: TableView) -> None:
    assert dealt(view).split() == [str(seen.card) for seen in view.cards]


def follow(views: list[TableView]) -> list[Event]:
    """What is told of the views until a deal begins."""
    follower, state = Follower(GAME, TERMS, anywhere=True), FollowState()
    told: list[Event] = []
    for view in views:
        step = follower.follow(state, None, view)
        told += step.events
        if step.position is not None:
            break
        state = step.state
    return told


def for_a_while(view: TableView, seconds: float = 4.0) -> list[TableView]:
    return [replace(view, t=view.t + 0.2 * tick) for tick in range(int(5 * seconds))]


def test_no_deal_begins_with_a_mate_in_the_place_of_a_card_that_nobody_can_read() -> None:
    told = follow(for_a_while(table(Visit(ELDEST, 8.0, 10.0)), 20))
    assert [one.code for one in told if isinstance(one, Warned)] == ["mid-deal"]
    assert not [one for one in told if isinstance(one, DealSeen)]


def test_nor_once_the_hand_that_mated_is_forgotten_until_the_table_was_bare() -> None:
    played = table(Visit(ELDEST, 8.0, 10.0))
    later = replace(played, t=80.0, visits=())
    bare = replace(later, t=90.0, cards=())
    dealt_anew = replace(later, t=100.0)
    views = [for_a_while(played), for_a_while(later), for_a_while(bare), for_a_while(dealt_anew)]
    told = follow([view for part in views for view in part])
    assert [round(one.t) for one in told if isinstance(one, DealSeen)] == [102]


def test_a_mate_that_came_before_the_deal_was_seen_is_no_card_of_it() -> None:
    quick = table(Visit(ELDEST, 8.0, 10.0))
    whole = replace(quick, cards=(*quick.cards, card(12, "3S", 1.5, 4.9)))
    begun = [one for one in follow(for_a_while(whole)) if isinstance(one, DealSeen)]
    assert [" ".join(map(str, one.setup.table)) for one in begun] == [f"{READ} KS 3S"]


def test_the_same_cards_are_a_deal_where_nobody_but_the_dealer_was_there() -> None:
    told = follow(for_a_while(table(Visit(DEALER, 3.0, 10.0))))
    assert any(isinstance(one, DealSeen) for one in told)
