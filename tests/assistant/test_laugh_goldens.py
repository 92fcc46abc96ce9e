"""Laugh and Lie Down: one deal for each value of each option with what comes of it, and counted positions.

What is written down in ``golden/`` was made by this module (``python -m tests.assistant.test_laugh_goldens``) and read
through; the naive implementation in ``naive_laugh.py`` agrees with it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.games.game import Position
from assistant.games.laugh_setup import OPTIONS
from assistant.record import parse_record, positions, record_of, replay
from tests.assistant.laugh_deals import HERE, begun, claim_actions, dealt, played, without_hands

GOLDEN = HERE / "golden"
FREE = {
    "deal_table": ("by_players", "12/2", "10/3"),
    "dealer_grace_s": ("0", "600"),
    "stake_value": ("0.50", "2"),
    "currency": ("EUR", "beans"),
}
"""Values of the options that take more than words."""


def deals_of(option: str) -> dict[str, str]:
    """For each value of an option the record of a deal in which it may matter."""
    found = {}
    for value in FREE.get(option, OPTIONS[option]):
        table = "" if option in ("help", "deal_table") else "4S 4H 4D 4C 9S 9H 9D"
        setup = dealt(4, seed=20, dealer=2, options={option: value}, table=table)
        found[value] = record_of(played(setup, 7, carelessness=0.8)[-1]).text()
    return found


def outcome(text: str) -> dict[str, Any]:
    """All that the rules say on the way and at the end of a record."""
    done = replay(parse_record(text))
    assert done.error is None, done.error
    way = list(positions(done.record))
    return {
        "legal": [len(position.legal_actions()) for position in way],
        "claims": [" ".join(claim.code for claim in position.claims()) for position in way],
        "notices": [" ".join(notice.code for notice in position.notices()) for position in way],
        "faults": [[done.line_of(one.action), one.code, one.seat, one.claimed_by] for one in done.position.faults()],
        "end": [notice.text for notice in done.position.notices()],
        "settlement": done.position.settlement(),
    }


@pytest.mark.parametrize("option", sorted(OPTIONS))
def test_a_deal_with_an_option_comes_to_what_is_written_down(option: str) -> None:
    written = json.loads((GOLDEN / f"{option}.json").read_text("utf-8"))
    assert list(written) == list(FREE.get(option, OPTIONS[option]))
    for value, deal in written.items():
        record = parse_record(deal["record"])
        assert record.setup.options == {option: value}
        assert outcome(deal["record"]) == {key: deal[key] for key in deal if key != "record"}


def counted(position: Position, depth: int) -> list[int]:
    """How many lines of legal actions and claims of length 1 to ``depth`` start here."""
    reached = [position]
    counts = []
    for _ in range(depth):
        reached = [
            one.apply(action)
            for one in reached
            for action in (*one.legal_actions(), *claim_actions(one))  # type: ignore[arg-type]
        ]
        counts.append(len(reached))
    return counts


CASES: list[tuple[int, int, int, bool, int]] = [
    (3, 1, 0, True, 2),
    (4, 2, 0, True, 3),
    (5, 3, 0, True, 3),
    (5, 3, 0, False, 2),
    (6, 4, 0, True, 3),
    (4, 2, 12, True, 3),
    (5, 3, 15, True, 4),
    (6, 5, 20, True, 5),
    (6, 5, 20, False, 3),
]
"""Players, seed, actions played before, whether the hands are seen, depth."""


def start_of(players: int, seed: int, before: int, seen: bool) -> Position:
    setup = dealt(players, seed=seed)
    position = begun(setup if seen else without_hands(setup))
    for action in played(setup, seed, carelessness=0.8)[-1].actions[:before]:
        position = position.apply(action)
    return position


def test_positions_are_counted_as_they_were() -> None:
    written = json.loads((GOLDEN / "positions.json").read_text("utf-8"))
    found = {" ".join(map(str, case)): counted(start_of(*case[:4]), case[4]) for case in CASES}
    assert found == written


def write(folder: Path = GOLDEN) -> None:
    """Write everything down anew."""
    folder.mkdir(exist_ok=True)
    for option in OPTIONS:
        deals = {value: {"record": text, **outcome(text)} for value, text in deals_of(option).items()}
        (folder / f"{option}.json").write_text(json.dumps(deals, indent=1) + "\n", "utf-8")
    counts = {" ".join(map(str, case)): counted(start_of(*case[:4]), case[4]) for case in CASES}
    (folder / "positions.json").write_text(json.dumps(counts, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    write()
