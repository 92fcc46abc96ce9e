"""A settlement that what lay on the table speaks against is not sure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.events import GameOver, Warned
from assistant.games.game import Action, Position
from assistant.games.sbros import GAME
from assistant.hindsight import Hindsight, Past, Rested
from assistant.signs.lain import AllLain
from assistant.signs.sbros_signs import SbrosSigns
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT
from tests.assistant.signs.staged_table import lines
from tests.assistant.signs.test_sbros_retelling import START, Lay
from tests.assistant.signs.test_sbros_signs import begun, cover, knocked_twice

PLAYED = "2 cover TH 3D; 1 reset KC; 2 cover 9H 5D"


def told(actions: str) -> Position:
    position: Position = START
    for one in actions.split("; "):
        position = position.apply(Action.parse(one))
    return position


def past(position: Position) -> Past:
    """What lay there when ``PLAYED`` was played, and what was told of it when table and game agreed last."""
    lay = Lay()
    lay.cover(2, "TH", "3D")
    lay.aside(1, "KC")
    lay.cover(2, "9H", "5D")
    lain = AllLain(here={one.track: one for one in lay.lain})
    return Past(lain, 0, rested=Rested(position.actions, lain, lay.t + 6.0))


def contested(position: Position, rested: Position | None = None) -> bool:
    return Hindsight(GAME, SbrosSigns()).contested(past(rested or position), position)


def test_what_was_played_is_not_contested() -> None:
    assert not contested(told(PLAYED))


def test_another_reading_of_a_card_that_was_played_changes_no_stakes() -> None:
    assert not contested(told("2 cover TH 3D; 1 reset KH; 2 cover 9H 5D"))


def test_a_play_by_the_wrong_seat_is_contested() -> None:
    assert contested(told("2 cover TH 3D; 1 cover 9H 5D"))


def test_a_turn_too_many_is_contested() -> None:
    assert contested(told("2 cover TH 3D; 1 reset KC; 2 reset KD; 1 cover 9H 5D"))


def test_what_was_taken_back_since_table_and_game_agreed_is_contested() -> None:
    assert contested(told("2 cover TH 3D; 1 reset KC"), rested=told(PLAYED))


def test_with_nothing_seen_nothing_is_contested() -> None:
    assert not Hindsight(GAME, SbrosSigns()).contested(Past(), told(PLAYED))


# Followed from the table


def test_a_play_with_its_seats_own_hand_is_sure() -> None:
    table = begun()
    cover(table, 2, "TH", "3D")
    assert lines(table.events) == ["2 cover TH 3D"]
    assert table.state.sure


def test_a_play_against_the_hands_is_not_sure() -> None:
    table = begun()
    table.hand(1, over=(CENTRE_LEFT, CENTRE_RIGHT))
    table.wait(0.4)
    table.put("TH", CENTRE_LEFT)
    table.put("3D", CENTRE_RIGHT)
    table.wait(8)
    assert lines(table.events) == ["2 cover TH 3D"]
    assert not table.state.sure


@pytest.mark.parametrize("more", [False, True])
def test_a_settlement_that_the_cards_that_lay_there_speak_against_is_told_with_a_warning(more: bool) -> None:
    table = knocked_twice()
    table.wait(2)
    rested = table.state.past.rested
    assert rested is not None
    if more:
        lay = Lay()
        lay.t = rested.t - 40
        lay.cover(2, "5S", "5H")
        lain = replace(rested.lain, here={**rested.lain.here, **{one.track + 100: one for one in lay.lain}})
        past = replace(table.state.past, rested=replace(rested, lain=lain))
        table.state = replace(table.state, past=past)
    table.take("4S 6H")
    over = [event for event in table.wait(5) if isinstance(event, Warned | GameOver)]
    assert [type(event) for event in over] == ([Warned, GameOver] if more else [GameOver])
    assert table.state.sure is not more
