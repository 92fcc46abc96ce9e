"""Sbros: what is a new card on the centre, and when it came, where other things were read there before."""

from __future__ import annotations

from assistant.cards import UNKNOWN
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, Zone
from tests.assistant.signs.staged_table import Reading, StagedTable, kinds, lines
from tests.assistant.signs.test_sbros_signs import CENTRE, begun, cover, late

NAMELESS: Reading = (UNKNOWN, 0.9, ())


def codes(table: StagedTable) -> list[str]:
    return [event.notice.code for event in table.events if hasattr(event, "notice")]


def test_a_card_that_is_read_where_something_unread_lay_came_with_the_hand_that_was_there_then() -> None:
    table = late()
    table.hand(2, over=(CENTRE_LEFT, Zone(1, "reset")))
    table.put("5S", CENTRE_LEFT, reading=NAMELESS)
    table.wait(8)
    table.hand(2, over=CENTRE)
    table.wait(0.4)
    table.read("5S", None)
    table.put("5H", CENTRE_RIGHT)
    assert lines(table.wait(3)) == ["2 cover 5S 5H"]


def test_the_seat_whose_hand_was_there_as_it_was_read_played_it() -> None:
    table = late()
    table.hand(2, over=(CENTRE_LEFT, Zone(1, "reset")))
    table.put("5S", CENTRE_LEFT, reading=NAMELESS)
    table.wait(8)
    table.hand(1, over=CENTRE)
    table.wait(0.4)
    table.read("5S", None)
    table.put("5H", CENTRE_RIGHT)
    assert lines(table.wait(6)) == ["2 pass", "1 cover 5S 5H"]


def test_what_lies_unread_beneath_the_centre_is_no_play() -> None:
    table = begun()
    table.put("9C", CENTRE_RIGHT, reading=NAMELESS)
    table.cover("9C")
    table.wait(4)
    cover(table, 2, "TH", "3D")
    table.hand(1, over=CENTRE)
    table.wait(0.4)
    table.put("JH", CENTRE_LEFT)
    table.wait(5)
    assert lines(table.events) == ["2 cover TH 3D"]
    assert "Question" not in kinds(table.events)


def test_two_cards_taken_at_the_exchange_that_do_not_cover_are_told() -> None:
    table = late()
    cover(table, 2, "AH", "KC", wait=5)
    assert codes(table) == ["does-not-cover"]
    assert table.state.asked == 0


def test_a_misplay_that_is_taken_back_card_by_card_is_told_once() -> None:
    table = late()
    cover(table, 2, "AH", "KC", wait=5)
    table.take("KC")
    table.wait(12)
    table.take("AH")
    table.wait(4)
    assert codes(table) == ["does-not-cover"]
