"""A few of the kills of ``make chaos``, and that it would notice what it looks for."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests import chaos
from tests.web.served import RECORD, Served
from web.journal import FILE_NAME
from web.page_state import page_state


def test_a_program_that_is_killed_goes_on_with_everything_that_was_shown() -> None:
    figures = chaos.run(4, scripted=True, speed=1000, seed=5, longest=None)
    assert figures.faults == []
    assert figures.kills == 4
    assert figures.shown > 4


@pytest.fixture
def shown(tmp_path: Path) -> dict[int, dict[str, Any]]:
    """What the page was shown of five actions, as it came over the wire; the journal is in the folder."""
    served = Served(tmp_path)
    pages: dict[int, dict[str, Any]] = {}
    served.session.listen(lambda state: pages.update({state.seq: json.loads(json.dumps(page_state(state)))}))
    served.begin()
    served.play(0, 5)
    served.close()
    return pages


def test_what_was_shown_is_in_the_journal(tmp_path: Path, shown: dict[int, dict[str, Any]]) -> None:
    state = chaos.check(tmp_path, shown)
    assert state.deal is not None
    assert [done.action for done in state.deal.done] == list(RECORD.actions[:5])


def test_an_event_that_is_missing_is_noticed(tmp_path: Path, shown: dict[int, dict[str, Any]]) -> None:
    with pytest.raises(chaos.Wrong, match="state 99 was shown"):
        chaos.check(tmp_path, shown | {99: shown[7]})


def test_a_page_that_showed_something_else_is_noticed(tmp_path: Path, shown: dict[int, dict[str, Any]]) -> None:
    with pytest.raises(chaos.Wrong, match="of moment 4 the page showed another"):
        chaos.check(tmp_path, shown | {4: shown[5]})


def test_an_action_of_another_way_is_noticed(tmp_path: Path, shown: dict[int, dict[str, Any]]) -> None:
    served = Served(tmp_path)
    position = served.deal.position
    other = next(action for action in position.legal_actions() if action != RECORD.actions[5])
    served.act(str(other))
    served.close()
    with pytest.raises(chaos.Wrong, match="another way"):
        chaos.check(tmp_path, shown)


def test_a_journal_that_is_not_whole_is_noticed(tmp_path: Path, shown: dict[int, dict[str, Any]]) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.executescript("DROP TRIGGER event_stay; DELETE FROM event WHERE seq = 4; VACUUM")
    with pytest.raises(chaos.Wrong, match="event 4 is missing"):
        chaos.check(tmp_path, shown)
