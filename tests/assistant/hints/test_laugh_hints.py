"""Hints for Laugh and Lie Down: provable examples, exact endgames, and what holds for every hint."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import parse_cards
from assistant.games import game_named
from assistant.games.game import Action, InvalidInput, Position, Setup
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.hints import hints_for
from assistant.hints.hint import Hint
from tests.assistant.hints.laugh_play import careful, played_until, searched, turns
from tests.assistant.laugh_deals import LAUGH, begun, dealt, without_hands


def hints(position: Position, seat: int, seed: int = 0, samples: int = 60) -> tuple[Hint, ...]:
    return hints_for(position, seat, np.random.default_rng(seed), samples)


def lines(found: tuple[Hint, ...]) -> list[str]:
    return [str(hint.action) for hint in found]


def only_hand(position: Position, seat: int) -> Position:
    """The same record with one hand in it."""
    setup = replace(position.setup, hands={seat: position.setup.hands[seat]})
    other: Position = game_named(setup.game).deal(setup)
    for action in position.actions:
        other = other.apply(action)
    return other


def some_position(seed: int, players: int, options: dict[str, str] | None = None) -> LaughPosition:
    left = random.Random(seed).randint(2, players)
    return played_until(left, players=players, seed=seed, dealer=seed % players + 1, options=options)


@given(seed=st.integers(0, 2**32), players=st.integers(3, 6))
@settings(max_examples=12, deadline=None)
def test_every_legal_action_of_the_seat_has_its_hint(seed: int, players: int) -> None:
    position = some_position(seed, players)
    scale = position.rules.scale
    for seat in range(1, players + 1):
        found = hints(position, seat)
        legal = [str(action) for action in position.legal_actions() if action.seat == seat]
        assert sorted(lines(found)) == sorted(legal)
        values = [hint.value for hint in found]
        assert values == sorted(values, reverse=True)
        for hint in found:
            assert -scale.par // 2 - scale.ante - 1 <= hint.value <= (52 - scale.par) // 2 + scale.bonus - scale.ante
            assert hint.spread >= 0
            assert (hint.spread == 0 and hint.samples == 0) if hint.exact else hint.samples == 60
            assert hint.why.endswith(".")


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_a_hint_rests_only_on_what_the_seat_sees(seed: int) -> None:
    position = some_position(seed, 5)
    seat = position.to_act
    if seat is not None:
        assert hints(position, seat) == hints(only_hand(position, seat), seat)
        assert hints(position, seat) == hints(position, seat)


@given(seed=st.integers(0, 2**32), players=st.integers(3, 6))
@settings(max_examples=15, deadline=None)
def test_with_two_left_the_values_are_those_of_an_exhaustive_search(seed: int, players: int) -> None:
    position = played_until(2, players=players, seed=seed, dealer=seed % players + 1)
    seat = position.to_act
    if seat is None or sum(hand.size() for hand in position.places.hands) > 8:
        return
    other = sum(position.active) - seat
    found = {str(hint.action): hint for hint in hints(only_hand(position, seat), seat)}
    for action in turns(position):
        hint = found[str(action)]
        assert hint.exact
        assert hint.value == searched(position.apply(action), seat, other)[0]


START = Setup(
    LAUGH,
    5,
    1,
    parse_cards("QS QD QC 4H 5S 7S 8S 8D 9S TS JH KS"),
    {3: parse_cards("4S 4D JD 2H 2S 6C 6H AC"), 2: parse_cards("QH KH KD 2D 3S 3D 3H TC")},
)


def test_a_claim_comes_first_and_a_short_take_costs_what_is_left_behind() -> None:
    position = begun(START)
    found = hints(position, 2, samples=400)
    values = {str(hint.action): hint.value for hint in found}
    assert values["2 mate QH QS QD QC"] - values["2 mate QH QS"] == pytest.approx(1, abs=0.3)
    after = position.apply(Action.parse("2 mate QH QS"))
    claim = hints(after, 3)[0]
    assert str(claim.action) == "3 claim QD QC"
    assert "3 claim QD QC" not in lines(hints(begun(replace(START, options={"help": "referee"})), 3))


def test_a_lay_costs_no_turn_so_it_is_worth_what_the_best_turn_is() -> None:
    found = hints(begun(START), 2, samples=300)
    lay = next(hint for hint in found if hint.action.verb == "lay")
    turn = next(hint for hint in found if hint.action.verb == "mate")
    assert lay.value == pytest.approx(turn.value, abs=1e-9)
    assert found[0].action.verb == "lay"


def test_what_another_could_spoil_is_worth_more_than_what_is_safe() -> None:
    table = parse_cards("4H 4S 5S 7S 8S 8D 9S 9C TS JH KS AS")
    hand = parse_cards("KH 4D 2H 3C 6C QH JC JD")
    found = hints(begun(Setup(LAUGH, 5, 1, table, {2: hand})), 2, samples=600)
    by_line = {str(hint.action): hint for hint in found}
    king, four = by_line["2 mate KH KS"], by_line["2 mate 4D 4H"]
    assert king.value - four.value > 4 * (king.spread + four.spread)
    assert "the first to come takes it" in king.why
    assert "Safe" in four.why
    assert "pair is dead" in by_line["2 mate JC JH"].why


def test_out_of_turn_there_are_lays_only_and_after_the_end_nothing() -> None:
    position = begun(dealt(5, seed=4))
    for seat in (1, 3, 4, 5):
        assert {hint.action.verb for hint in hints(position, seat)} <= {"lay", "take"}
    over = played_until(1, seed=4)
    assert all(hints(over, seat) == () for seat in range(1, 6))


def test_the_dealer_takes_the_mournival_and_others_expect_him_to() -> None:
    position = begun(dealt(5, seed=9, table="7S 7H 7D 7C"))
    take = hints(position, 1)[0]
    assert take.action.verb == "take"
    assert not any("7" in line for line in lines(hints(position, 2)))


@pytest.mark.parametrize("option", ["mates_per_turn=many", "empty_hand=out_at_once", "prial_take=free_choice"])
@pytest.mark.parametrize("other", ["lay_window=before_first_turn", "missed_mate=noticer_takes_pair", "help=silent"])
def test_other_rules_have_hints_too(option: str, other: str) -> None:
    options = dict(one.split("=") for one in (option, other))
    for seed in range(3):
        position = some_position(seed, 4, options)
        for seat in position.active:
            for hint in hints(position, seat, samples=20):
                assert -10 <= hint.value <= 24


def test_the_hand_that_a_seat_has_shown_by_playing_is_enough() -> None:
    position = begun(START).apply(Action.parse("2 mate QH QS QD QC"))
    hidden: Position = begun(replace(without_hands(START), hands={3: START.hands[3]}))
    hidden = hidden.apply(Action.parse("2 mate QH QS QD QC"))
    assert hints(hidden, 3) == hints(position, 3)


def test_what_is_refused_is_said_in_one_line() -> None:
    position = begun(without_hands(START))
    for seat, words in {0: "no seat 0", 6: "no seat 6", 2: "hand of seat 2 is not known"}.items():
        with pytest.raises(InvalidInput, match=words):
            hints(position, seat)
    with pytest.raises(InvalidInput, match="at least 2"):
        hints(position, 2, samples=1)


def test_careful_play_by_the_hints_reaches_the_end() -> None:
    position = careful(begun(dealt(4, seed=12)))
    while position.to_act is not None:
        position = careful(position.apply(hints(position, position.to_act, samples=10)[0].action))
    assert position.settlement() is not None
