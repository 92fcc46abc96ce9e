"""What is asked of a deal of Rolling Stone under way, when a new one may begin by itself, and how it is joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.cards import Card, parse_cards
from assistant.events import ActionSeen, DealSeen
from assistant.games.game import Action, Setup
from assistant.games.stone_setup import NAME
from assistant.joining import Answers
from assistant.session import EMPTY, SessionState, advance, begin_deal, begin_session
from assistant.session_events import JOINED, ActionTaken, SessionEvent
from assistant.view import TABLE, SeenCard, Stillness, TableView
from tests.assistant.signs.staged_table import QUAD
from web.page_state import page_state
from web.under_way import NOTHING, FirstLook, asked, joining_events, room_for_it

SETUP = Setup(NAME, 4, 4, names=("Agnes", "Bertram", "Cecily", "Dorothy"))
HELD = {1: 7, 2: 6, 3: 7, 4: 6}


def after(events: Sequence[SessionEvent], state: SessionState = EMPTY) -> SessionState:
    return advance(state, events)[0]


def seen(names: str, t: float, still_for: float = 9.0) -> TableView:
    cards = (SeenCard(at, Card.parse(name), 0.99, TABLE, QUAD) for at, name in enumerate(names.split()))
    return TableView(t, tuple(cards), Stillness.STILL if still_for else Stillness.MOVING, still_for)


WAITING = after(begin_session(SETUP))


def test_a_bare_table_lets_a_deal_begin_as_soon_as_it_was_looked_at_long_enough() -> None:
    look = FirstLook()
    look.feed(WAITING, SETUP, seen("", 0.0, 0.0))
    assert (look.lets_begin, look.under_way) == (False, False)
    look.feed(WAITING, SETUP, seen("", 2.2, 0.0))
    assert (look.lets_begin, look.under_way) == (True, False)
    look.feed(WAITING, SETUP, seen("9C", 9.0))
    assert (look.lets_begin, look.under_way) == (True, False)


def test_where_cards_lie_already_no_deal_begins_until_somebody_says_so() -> None:
    look = FirstLook()
    look.feed(WAITING, SETUP, seen("", 0.0, 0.0))
    look.feed(WAITING, SETUP, seen("9C KC", 0.8, 0.8))
    assert (look.lets_begin, look.under_way) == (False, False)
    look.feed(WAITING, SETUP, seen("9C KC", 2.4, 2.4))
    assert (look.lets_begin, look.under_way) == (False, True)
    look.feed(WAITING, SETUP, seen("", 5.0, 2.0))  # picked up: that makes no new deal of it
    assert (look.lets_begin, look.under_way) == (False, True)
    look.feed(after(begin_deal(WAITING, SETUP), WAITING), SETUP, seen("", 6.0))
    assert (look.lets_begin, look.under_way) == (True, False)


def test_another_game_is_never_held_up_and_a_new_session_is_looked_at_anew() -> None:
    look, other = FirstLook(), replace(SETUP, game="laugh-and-lie-down")
    look.feed(WAITING, other, seen("9C KC", 0.0))
    assert look.lets_begin
    look.feed(WAITING, SETUP, seen("9C KC", 1.0))
    assert look.under_way


def test_the_page_asks_for_the_hands_around_the_trick_until_something_is_done() -> None:
    told = NOTHING | {"held": 30, "asks": "trick", "trick": ["9C", "KC"]}
    assert asked(WAITING, SETUP, seen("9C KC", 3.0), plain=True) == told | {"plain": True}
    begun = after(begin_deal(WAITING, SETUP), WAITING)
    assert asked(begun, SETUP, seen("9C KC", 3.0), plain=False) == told
    assert asked(begun, SETUP, seen("", 3.0), plain=False) == NOTHING | {"held": 32, "asks": "trick"}
    assert asked(begun, SETUP, seen("9C K?", 3.0), plain=False) == NOTHING
    assert asked(begun, SETUP, seen("9C KC", 3.0, 1.0), plain=False) == NOTHING
    done = after([ActionTaken(Action.parse("1 play 9C"))], begun)
    assert asked(done, SETUP, seen("9C", 3.0), plain=False) == NOTHING


def test_a_deal_that_seemed_to_begin_gives_way_to_the_one_that_is_joined() -> None:
    begun = after(begin_deal(WAITING, SETUP), WAITING)
    answers = Answers(3, HELD, None, parse_cards("9C KC"))
    dealt, *played = joining_events(SETUP, seen("KC 9C", 3.0), answers)
    assert isinstance(dealt, DealSeen)
    state = after(room_for_it(begun), begun)
    state = after(begin_deal(state, dealt.setup, sure=dealt.sure), state)
    for one in played:
        assert isinstance(one, ActionSeen)
        state = after([ActionTaken(one.action, JOINED, 0.0, one.sure)], state)
    assert state.deal is not None
    assert (state.deal.position.to_act, state.deal.position.observe().table) == (3, parse_cards("9C KC"))
    assert dict(state.deal.position.observe().hands) == HELD
    assert (state.deal.sure, state.setup) == (True, SETUP)
    assert room_for_it(state) == ()


def test_a_deal_that_was_joined_before_a_lead_is_not_asked_about_again() -> None:
    dealt, *played = joining_events(SETUP, seen("", 3.0), Answers(2, {1: 7, 2: 9, 3: 8, 4: 8}, picked="C"))
    assert isinstance(dealt, DealSeen)
    assert played == []
    state = after(begin_deal(WAITING, dealt.setup), WAITING)
    assert asked(state, SETUP, seen("", 3.0), plain=False) == NOTHING
    assert room_for_it(state) == ()
    page = page_state(state)
    assert page["joined"]
    assert not any("tricks" in seat for seat in page["seats"])
