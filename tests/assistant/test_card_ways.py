from __future__ import annotations

from dataclasses import replace

from assistant import session
from assistant.card_ways import Way, ways_in, ways_out
from assistant.cards import Card, parse_cards
from assistant.games.game import Action, Setup
from assistant.session import SessionState, advance
from assistant.session_events import ActionTaken
from tests.assistant.test_session import DEAL, LINES, Log

UNSEEN = replace(DEAL.setup, hands={})


def played(setup: Setup, *lines: str) -> SessionState:
    log = Log(setup)
    log.deal(setup)
    log.play(*map(Action.parse, lines))
    return log.state


def after(state: SessionState, way: Way) -> SessionState:
    return advance(state, way.events(state))[0]


def test_a_card_that_was_missed_is_what_the_seat_in_turn_may_have_done() -> None:
    state = played(UNSEEN)
    ways = ways_in(state, Card.parse("KH"))
    assert [str(way.action) for way in ways][:1] == ["2 mate KH KS"]
    assert all(way.target == 0 for way in ways)
    deal = after(state, ways[0]).deal
    assert deal is not None
    assert str(deal.done[-1].action) == "2 mate KH KS"


def test_a_card_that_nobody_could_read_is_the_one_that_is_named() -> None:
    lines = list(map(str, LINES[:10]))
    state = played(UNSEEN, *lines, "4 lie-down AH 6H 9S TH ??")
    added = next(way for way in ways_in(state, Card.parse("JC")) if way.instead)
    assert added.action == Action(4, "lie-down", parse_cards("AH 6H 9S TH JC"))
    deal = after(state, added).deal
    assert deal is not None
    assert Card.parse("JC") in deal.position.observe().table


def test_a_play_that_was_overlooked_is_put_before_the_last_one() -> None:
    state = played(Setup("rolling-stone", 4, 1), "2 play 9H", "3 play TH")
    ways = ways_in(state, Card.parse("JH"))
    told = [(str(way.action), way.target > 0) for way in ways]
    assert told[0] == ("4 play JH", False)
    assert ("3 play JH", True) in told


def test_a_card_that_does_not_lie_there_takes_what_brought_it_away() -> None:
    lines = list(map(str, LINES[:11]))
    state = played(UNSEEN, *lines)
    ways = ways_out(state, Card.parse("JC"))
    assert str(ways[0].action) == "4 lie-down AH 6H 9S TH ??"
    deal = after(state, ways[0]).deal
    assert deal is not None
    assert Card.parse("JC") not in deal.position.observe().table
    assert ways[1].action is None  # or nobody lay down at all
    mated = ways_out(state, Card.parse("KD"))
    assert [way.action for way in mated] == [None]
    undone = after(state, mated[0]).deal
    assert undone is not None
    assert "3 mate KD KS" not in map(str, (one.action for one in undone.done))


def test_what_can_t_be_is_no_way() -> None:
    state = played(UNSEEN)
    assert ways_in(state, Card.parse("KS")) == ()  # it lies there already
    assert ways_in(state, Card.parse("K?")) == ()
    assert ways_out(state, Card.parse("KS")) == ()  # it was dealt
    assert ways_in(SessionState(), Card.parse("KH")) == ways_out(SessionState(), Card.parse("KH")) == ()


def test_every_way_is_taken_by_the_session() -> None:
    log = Log(UNSEEN)
    log.deal(UNSEEN)
    for action in LINES:
        log.write((ActionTaken(action),))
        for card in parse_cards("KH 9D JC 2C TD"):
            for way in (*ways_in(log.state, card), *ways_out(log.state, card)):
                assert after(log.state, way) != log.state
    assert session.undoes(log.state) is not None
