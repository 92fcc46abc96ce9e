"""Sbros where nobody drew zones: one of the two centre cards isn't seen, and the first play shows where it lay."""

from __future__ import annotations

import pytest

from assistant.cards import UNKNOWN
from assistant.games.sbros import GAME
from assistant.games.sbros_setup import NAME
from assistant.signs.signs import Terms
from assistant.view import Point
from tests.assistant.signs.staged_table import StagedTable, kinds

LEFT, RIGHT, ASIDE = (0.42, 0.4), (0.55, 0.4), (0.2, 0.78)


def bare() -> StagedTable:
    """A table on which nothing lies."""
    table = StagedTable(GAME, Terms(NAME, 2, 1), anywhere=True)
    table.wait(2)
    return table


def played(table: StagedTable, left: str, right: str, *, beside: Point = RIGHT) -> None:
    table.put(left, None, at=LEFT)
    table.put(right, None, at=beside)
    table.wait(4)


def dealt_to(table: StagedTable) -> str:
    return "" if table.position is None else " ".join(map(str, table.position.setup.table))


def test_of_one_card_alone_the_first_play_shows_on_which_side_it_lay() -> None:
    table = bare()
    table.put("TS", None, at=LEFT)
    assert table.wait(20) == []
    table.cover("TS")
    played(table, "TH", "3D")
    assert dealt_to(table) == "TS ??"


def test_also_where_it_was_the_right_one() -> None:
    table = bare()
    table.put("3H", None, at=RIGHT)
    table.wait(5)
    table.cover("3H")
    played(table, "TH", "3D")
    assert dealt_to(table) == "?? 3H"


def test_what_is_put_aside_before_the_first_play_is_none_of_the_deal() -> None:
    table = bare()
    table.put("TS", None, at=LEFT)
    table.wait(5)
    table.put("KC", None, at=ASIDE)
    assert table.wait(10) == []
    table.cover("TS")
    played(table, "TH", "3D")
    assert dealt_to(table) == "TS ??"


def test_the_other_card_may_be_read_late() -> None:
    table = bare()
    table.put("TS", None, at=LEFT)
    table.wait(5)
    table.put("3H", None, at=RIGHT)
    table.wait(5)
    assert dealt_to(table) == "TS 3H"


def test_a_face_beside_it_that_nobody_can_read_is_the_other_card() -> None:
    table = bare()
    table.put("TS", None, at=RIGHT)
    table.put("3H", None, at=LEFT, reading=(UNKNOWN, 0.5, ()))
    assert kinds(table.wait(6)) == ["Warned", "DealSeen"]
    assert dealt_to(table) == "?? TS"


@pytest.mark.parametrize("beside", [(0.55, 0.78), (0.95, 0.4)])
def test_what_lies_elsewhere_is_no_pile(beside: Point) -> None:
    table = bare()
    table.put("TS", None, at=LEFT)
    table.wait(5)
    table.cover("TS")
    played(table, "TH", "3D", beside=beside)
    assert table.position is None


def test_nor_is_there_a_deal_where_nobody_saw_the_table_bare() -> None:
    table = StagedTable(GAME, Terms(NAME, 2, 1), anywhere=True)
    table.put("TS", None, at=LEFT)
    table.wait(5)
    table.cover("TS")
    played(table, "TH", "3D")
    assert dealt_to(table) != "TS ??"
