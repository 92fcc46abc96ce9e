"""Hints for Sbros."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.game import InvalidInput, Position
from assistant.games.sbros import SbrosPosition
from assistant.hints import hints_for
from assistant.hints.hint import Hint
from assistant.hints.sbros_duplicate import differences
from tests.assistant.games.sbros_table import at, folded, played


def hints(position: Position, seat: int, seed: int = 0, samples: int = 20) -> tuple[Hint, ...]:
    return hints_for(position, seat, np.random.default_rng(seed), samples)


def some_position(seed: int) -> SbrosPosition:
    positions = folded(played(seed).record())
    return positions[seed % len(positions)]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_every_legal_action_has_its_hint_and_the_other_seat_has_none(seed: int) -> None:
    position = some_position(seed)
    for seat in (1, 2):
        found = hints(position, seat)
        legal = [str(action) for action in position.legal_actions() if action.seat == seat]
        assert sorted(str(hint.action) for hint in found) == sorted(legal)
        values = [hint.value for hint in found]
        assert values == sorted(values, reverse=True)
        for hint in found:
            assert 0 <= hint.value <= 1
            assert (hint.value in (0, 0.5, 1) and hint.spread == 0) if hint.exact else hint.samples == 20
            assert hint.why.endswith(".")


@pytest.mark.parametrize("seed", range(6))
def test_the_other_hand_is_not_looked_at(seed: int) -> None:
    record = played(seed).record()
    record = replace(record, actions=record.actions[: 3 + seed])
    position = folded(record)[-1]
    seat = position.to_act
    assert seat is not None
    own = replace(record.setup, hands={seat: record.setup.hands[seat]})
    assert hints(position, seat) == hints(folded(replace(record, setup=own))[-1], seat)


def test_the_two_ways_round_have_one_value() -> None:
    position = at("TS 3H", {2: "4S 4D 9H 9C TD 3C"})
    values = {str(hint.action): hint.value for hint in hints(position, 2)}
    assert values["2 cover 4S 4D"] == values["2 cover 4D 4S"]
    assert values["2 cover 9H 9C"] == values["2 cover 9C 9H"]


def test_the_winning_play_is_found_exactly() -> None:
    position = at("TS 3H", {2: "TH 3D", 1: "KS KD"}, stock=0)
    best = hints(position, 2)[0]
    assert (str(best.action), best.value, best.exact, best.spread, best.samples) == ("2 cover TH 3D", 1, True, 0, 0)
    assert best.why.endswith("worked out to the end.")


def test_the_hand_must_be_known() -> None:
    with pytest.raises(InvalidInput, match="the hand of seat 2 is not known"):
        hints(folded(played(1).record(known="none"))[0], 2)


def test_duplicate_deals_follow_from_the_generator() -> None:
    gains = differences(2, 2, 2, np.random.default_rng(4))
    assert gains.shape == (2, 2)
    assert (np.abs(gains) <= 1).all()
    assert (gains == differences(2, 2, 2, np.random.default_rng(4))).all()
