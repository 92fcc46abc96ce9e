"""Rolling Stone: whole records, at least one for each option, and what they come to, written down once and for all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.games.stone_setup import OPTIONS
from assistant.record import Replay, parse_record, replay
from tests.assistant.games.naive_stone import could_have_been

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("rolling_stone_*.deal"))


def outcome(done: Replay) -> dict[str, Any]:
    """What the rules say at a record's end, or where they stop it."""
    if done.error is not None:
        assert done.failed is not None
        return {
            "line": done.line_of(done.failed),
            "action": str(done.record.actions[done.failed]),
            "code": done.error.code,
            "rule": done.error.rule,
        }
    position = done.position
    return {
        "to_act": position.to_act,
        "legal": [str(action) for action in position.legal_actions()],
        "settlement": position.settlement(),
        "next_dealer": position.next_dealer if position.over else None,
        "faults": [[done.line_of(one.action), one.code, one.seat, one.text] for one in position.faults()],
        "notices": [[one.code, one.rule, one.text] for one in position.notices()],
        "facts": [[one.code, one.rule, one.text] for one in position.facts()],
        "unseen": dict(position.unseen()),
    }


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_comes_to_what_is_written_down(path: Path) -> None:
    done = replay(parse_record(path.read_text("utf-8")))
    assert outcome(done) == json.loads(path.with_suffix(".json").read_text("utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_is_legal_by_the_second_implementation(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    if len(record.setup.hands) < record.setup.players:
        return
    deal = could_have_been(
        record.setup, {seat: set(map(str, hand)) for seat, hand in record.setup.hands.items()}, record.actions
    )
    assert deal is not None
    written = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert (written["settlement"] or {"winners": []})["winners"] == sorted(deal.winners)
    assert set(written["legal"]) == deal.legal()


def test_every_option_and_value_has_its_record() -> None:
    shown = set()
    for path in RECORDS:
        options = parse_record(path.read_text("utf-8")).setup.options
        shown |= {(name, "leads_N" if value.startswith("leads_") else value) for name, value in options.items()}
    wanted = {
        (name, "leads_N" if value.startswith("leads_") else value)
        for name, values in OPTIONS.items()
        for value in values[1:]
    }
    assert wanted <= shown
