"""Hints for Rolling Stone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.game import InvalidInput, Position
from assistant.games.rolling_stone import StonePosition
from assistant.hints import hints_for
from assistant.hints.hint import Hint
from assistant.hints.stone_duplicate import differences
from tests.assistant.games.stone_deals import begun, dealt, do, played, without_hands


def hints(position: Position, seat: int, seed: int = 0, samples: int = 30) -> tuple[Hint, ...]:
    return hints_for(position, seat, np.random.default_rng(seed), samples)


def in_the_middle(seed: int, players: int = 4, options: dict[str, str] | None = None) -> StonePosition:
    """A position from a deal played at random."""
    positions = played(dealt(players, seed=seed, options=options), seed=seed, most=300)
    return positions[seed % len(positions)]


@given(seed=st.integers(0, 2**32), players=st.integers(4, 6))
@settings(max_examples=15, deadline=None)
def test_every_legal_action_has_its_hint_and_others_have_none(seed: int, players: int) -> None:
    position = in_the_middle(seed, players)
    for seat in range(1, players + 1):
        found = hints(position, seat)
        legal = [str(action) for action in position.legal_actions() if action.seat == seat]
        assert sorted(str(hint.action) for hint in found) == sorted(legal)
        values = [hint.value for hint in found]
        assert values == sorted(values, reverse=True)
        for hint in found:
            assert 0 <= hint.value <= 1
            assert hint.spread == 0 if hint.exact else 0 <= hint.spread <= 0.1
            assert hint.why.endswith(".")


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_a_hint_rests_only_on_what_the_seat_sees(seed: int) -> None:
    position = in_the_middle(seed)
    seat = position.to_act
    if seat is None:
        return
    seen: Position = begun(without_hands(position.setup, seat))
    for action in position.actions:
        seen = seen.apply(action)
    assert hints(position, seat) == hints(seen, seat) == hints(position, seat)


def test_the_hand_must_be_known() -> None:
    with pytest.raises(InvalidInput, match="the hand of seat 2 is not known"):
        hints(begun(without_hands(dealt(4, seed=1))), 2)


def test_the_last_card_wins_at_once() -> None:
    won = 0
    for seed in range(40):
        positions = played(dealt(4, seed=seed), seed=seed)
        before = positions[-2]
        assert before.to_act is not None
        if positions[-1].winners == (before.to_act,) and before.sizes[before.to_act - 1] == 1:
            best = hints(before, before.to_act)[0]
            assert (best.value, best.exact, best.spread) == (1, True, 0)
            assert best.why == "Your last card; worked out to the end."
            won += 1
    assert won > 30


def test_a_forced_pick_up_is_said_to_be_one() -> None:
    position = next(
        one
        for seed in range(20)
        for one in played(dealt(4, seed=seed), seed=seed)
        if [action.verb for action in one.legal_actions()] == ["pick-up"]
    )
    assert position.to_act is not None
    assert hints(position, position.to_act)[0].why == "Nothing in hand can follow."


def test_cards_left_count_against_their_holder() -> None:
    position = begun(dealt(4, seed=3, options={"score": "cards_left"}))
    assert position.to_act is not None
    assert all(-32 <= hint.value < 0 for hint in hints(position, position.to_act))


@pytest.mark.parametrize("option", ["voluntary_pickup=on", "end_moment=trick_finished", "direction=anticlockwise"])
def test_other_rules_have_hints_too(option: str) -> None:
    options = dict([option.split("=")])
    for seed in range(30, 36):
        position = in_the_middle(seed, options=options)
        if position.to_act is not None:
            assert len(hints(position, position.to_act)) == len(position.legal_actions())


def test_an_unread_card_in_the_trick_is_refused() -> None:
    setup = dealt(4, seed=1, dealer=4)
    position = begun(without_hands(setup, 3))
    first = setup.hands[1][0]
    lines = (f"1 play {first}", "2 play ??")
    with pytest.raises(InvalidInput, match="is not known"):
        hints(do(position, *lines), 3)


def test_duplicate_deals_follow_from_the_generator() -> None:
    gains = differences(4, 2, 2, np.random.default_rng(5))
    assert gains.shape == (4, 2)
    assert (np.abs(gains) <= 1).all()
    assert (gains == differences(4, 2, 2, np.random.default_rng(5))).all()
