"""Joining a deal that is under way: an invented history whose effects are not invented."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from assistant.events import ActionSeen, DealSeen
from assistant.games.game import Position, Setup
from assistant.joining import Answers, CantJoin, Standing, as_events, joined, standing
from assistant.signs.signs import Terms
from assistant.view import TABLE, SeenCard, Stillness, TableView, Zone
from tests.scripted_play import GAME, cards, final, play, random_setup

QUAD = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
SEEDS = (0, 2, 3, 4, 5, 6, 7, 8)


def under_way(seed: int) -> Position:
    rng = random.Random(seed)
    setup = random_setup(3 + seed % 4, rng)
    actions = play(setup, rng, faults=0.0)
    return final(replace(setup, hands={}), actions[: rng.randint(2, len(actions) - 1)])


def asked(position: Position) -> tuple[Terms, Standing, Answers]:
    state = position.observe()
    assert position.to_act is not None
    there = Standing(state.table, {seat: pile for seat, pile in state.piles.items() if pile})
    answers = Answers(position.to_act, {seat: state.hands[seat] for seat in state.active})
    return Terms(GAME.name, position.setup.players, position.setup.dealer), there, answers


@pytest.mark.parametrize("seed", SEEDS)
def test_a_legal_history_leads_to_just_what_lies_there(seed: int) -> None:
    position = under_way(seed)
    terms, there, answers = asked(position)
    found = joined(GAME, terms, there, answers)
    was, now = position.observe(), found.observe()
    assert set(now.table) == set(was.table)
    assert {seat: set(pile) for seat, pile in now.piles.items()} == {
        seat: set(pile) for seat, pile in was.piles.items()
    }
    assert (found.to_act, now.active, dict(now.hands)) == (position.to_act, was.active, dict(was.hands))
    assert found.claims() == ()


def test_the_events_lead_to_the_position_and_say_that_nobody_saw_them() -> None:
    found = joined(GAME, *asked(under_way(2)))
    begun, *rest = as_events(found, 7.0, sure=False)
    assert isinstance(begun, DealSeen)
    assert begun.confidence == 0.0
    done = [event.action for event in rest if isinstance(event, ActionSeen) and not event.sure]
    assert final(begun.setup, done) == found


def test_what_lies_there_is_read_off_the_view() -> None:
    places = {"KS": TABLE, "7D": TABLE, "QH": Zone(2), "QS": Zone(2), "3C": None}
    seen = tuple(SeenCard(n, cards(name)[0], 0.99, zone, QUAD) for n, (name, zone) in enumerate(places.items()))
    assert standing(TableView(1.0, seen, Stillness.STILL, 9.0)) == Standing(cards("KS 7D"), {2: cards("QH QS")})
    assert standing(TableView(1.0, seen[:2], Stillness.STILL, 9.0)) is None
    unread = SeenCard(9, cards("7?")[0], 0.9, TABLE, QUAD)
    assert standing(TableView(1.0, (*seen, unread), Stillness.STILL, 9.0)) is None


def test_answers_that_contradict_the_table_are_refused_in_one_line() -> None:
    terms, there, answers = asked(under_way(3))
    seat, size = next(iter(answers.hands.items()))
    with pytest.raises(CantJoin, match="together they must be 52"):
        joined(GAME, terms, there, replace(answers, hands={**answers.hands, seat: size + 1}))
    with pytest.raises(CantJoin, match="is not among those still in"):
        joined(GAME, terms, there, replace(answers, to_act=9))


def test_a_pile_of_odd_size_is_refused() -> None:
    terms, there, answers = asked(under_way(3))
    seat, pile = next(iter(there.piles.items()))
    shown = Standing((*there.pool, pile[0]), {**there.piles, seat: pile[1:]})
    with pytest.raises(CantJoin, match=f"the pile of seat {seat} shows {len(pile) - 1} cards"):
        joined(GAME, terms, shown, answers)


def test_another_game_waits_for_the_next_deal() -> None:
    _, there, answers = asked(under_way(3))
    with pytest.raises(CantJoin, match="the next deal will be followed"):
        joined(GAME, Terms("rolling-stone", 4, 1), there, answers)


def test_a_turn_that_can_not_be_is_refused() -> None:
    start = GAME.deal(Setup(GAME.name, 3, 1, cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S")))
    terms, _, answers = asked(start)
    there = Standing(cards("7D 2C 9H QD 4S 8C 5H TD 3S"), {2: cards("KH KS")})
    hands = {1: 14, 2: 13, 3: 14}
    assert joined(GAME, terms, there, Answers(3, hands)).to_act == 3
    with pytest.raises(CantJoin, match="no legal course of play"):
        joined(GAME, terms, there, replace(answers, to_act=1, hands=hands))
