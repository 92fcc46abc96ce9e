"""The engine against a second, naive implementation of the rules, written for the purpose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.game import Setup
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.games.laugh_setup import OPTIONS
from assistant.games.settlement import SCALES
from assistant.record import parse_record
from tests.assistant.laugh_deals import HERE, dealt, played
from tests.assistant.naive_laugh import NaiveDeal, line, state

GOLDEN = sorted(path for path in (HERE / "golden").glob("*.json") if path.stem != "positions")
options = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items() if values}
)
setups = st.builds(
    dealt, st.sampled_from(sorted(SCALES)), seed=st.integers(0, 10**6), dealer=st.integers(1, 3), options=options
)


def engine_state(position: LaughPosition) -> tuple[object, ...]:
    observed = position.observe()
    return (
        sorted(observed.table),
        {seat: sorted(hand.cards()) for seat, hand in enumerate(position.places.hands, 1)},
        {seat: sorted(pile) for seat, pile in observed.piles.items()},
        position.active,
        position.to_act,
    )


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_naive_rules_come_to_the_goldens_too(path: Path) -> None:
    for deal in json.loads(path.read_text("utf-8")).values():
        record = parse_record(deal["record"])
        naive = NaiveDeal(record.setup)
        for number in range(len(record.actions) + 1):
            assert len(naive.legal()) == deal["legal"][number]
            assert sorted(claim[0] for claim in naive.claims()) == sorted(deal["claims"][number].split())
            if number < len(record.actions):
                naive.do(record.actions[number])
        if "deal_table" not in record.setup.options:
            assert list(naive.nets().values()) == [seat["net"] for seat in deal["settlement"]["seats"]]


@settings(max_examples=120)
@given(setups, st.integers(0, 10**6), st.sampled_from((0.2, 0.5, 0.9)))
def test_engine_and_naive_rules_agree_in_every_position(setup: Setup, seed: int, carelessness: float) -> None:
    naive = NaiveDeal(setup)
    positions = played(setup, seed, carelessness=carelessness)
    for number, position in enumerate(positions):
        if number:
            naive.do(positions[-1].actions[number - 1])
        assert engine_state(position) == state(naive)
        assert {line(action) for action in position.legal_actions()} == naive.legal()
        claims = {(one.code, one.seat, one.cards[0].rank, len(one.cards), one.claimants) for one in position.claims()}
        assert claims == naive.claims()
    settlement = positions[-1].settlement()
    assert settlement is not None
    assert {seat["seat"]: seat["net"] for seat in settlement["seats"]} == naive.nets()
