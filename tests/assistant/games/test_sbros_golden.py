"""Sbros: whole records, at least one for each option, and what they come to, written down once and for all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.games.sbros_setup import OPTIONS
from assistant.record import parse_record, replay
from tests.assistant.games.sbros_table import RealTable
from tests.assistant.games.test_stone_golden import outcome

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("sbros_*.deal"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_comes_to_what_is_written_down(path: Path) -> None:
    done = replay(parse_record(path.read_text("utf-8")))
    assert outcome(done) == json.loads(path.with_suffix(".json").read_text("utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_of_which_every_card_is_known_is_legal_by_the_second_implementation(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    hands = {seat: list(hand) for seat, hand in record.setup.hands.items()}
    if sum(map(len, hands.values())) < 50:
        return  # not every card is known
    table = RealTable(
        record.setup,
        list(hands[1][6:] + hands[2][6:]),
        {seat: hand[:6] for seat, hand in hands.items()},
        list(record.setup.table),
        3 - record.setup.dealer,
        {1: [], 2: []},
    )
    coming = {seat: hand[6:] for seat, hand in hands.items()}
    for action in record.actions:
        drawn = 0 if not table.stock else min(6 - len(table.hands[action.seat]) + len(action.cards), len(table.stock))
        table.stock = coming[action.seat][:drawn] + table.stock[: len(table.stock) - drawn]
        coming[action.seat] = coming[action.seat][drawn:]
        assert action in table.legal()
        table.do(action)
    settlement = json.loads(path.with_suffix(".json").read_text("utf-8"))["settlement"]
    assert table.over == (settlement is not None)
    if settlement is not None:
        assert [seat["cards"] for seat in settlement["seats"]] == [len(table.hands[1]), len(table.hands[2])]


def test_every_option_has_a_golden_record() -> None:
    used = {option for path in RECORDS for option in parse_record(path.read_text("utf-8")).setup.options.items()}
    assert used == {(name, value) for name, values in OPTIONS.items() for value in values[1:]}
