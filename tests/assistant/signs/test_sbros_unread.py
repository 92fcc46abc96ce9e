"""Sbros followed though cards can't be read: one of the two in the centre, and those put aside."""

from __future__ import annotations

from assistant.cards import UNKNOWN, Card, parse_cards
from assistant.games.game import Setup
from assistant.games.sbros import GAME
from assistant.games.sbros_setup import NAME
from assistant.signs.signs import Terms
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, Zone
from tests.assistant.signs.staged_table import Reading, StagedTable, kinds, lines
from tests.assistant.signs.test_sbros_signs import begun, cover


def half_seen() -> StagedTable:
    """TS lies in the centre of a table that was bare, and what lies beside it nobody can see."""
    table = StagedTable(GAME, Terms(NAME, 2, 1))
    table.wait(2)
    table.put("TS", CENTRE_LEFT)
    assert kinds(table.wait(6)) == ["Warned", "DealSeen"]
    return table


def dealt_to(table: StagedTable) -> str:
    assert table.position is not None
    return " ".join(map(str, table.position.setup.table))


def test_a_deal_of_which_one_centre_card_cant_be_seen_begins_without_its_name_and_goes_on() -> None:
    table = half_seen()
    assert dealt_to(table) == "TS ??"
    cover(table, 2, "TH", "3D")
    cover(table, 1, "9H", "5D")
    assert lines(table.events) == ["2 cover TH 3D", "1 cover 9H 5D"]
    assert table.state.asked == 0


def test_it_has_its_name_once_it_is_seen_before_the_first_play() -> None:
    table = half_seen()
    table.put("3H", CENTRE_RIGHT)
    table.wait(6)
    assert dealt_to(table) == "TS 3H"


def test_one_card_in_the_centre_of_a_table_that_nobody_saw_bare_is_no_deal() -> None:
    table = StagedTable(GAME, Terms(NAME, 2, 1))
    table.put("TS", CENTRE_LEFT)
    assert table.wait(10) == []


def put_aside(table: StagedTable, seat: int, card: str, reading: Reading | None = None) -> None:
    table.hand(seat, over=[Zone(seat, "reset")])
    table.wait(0.4)
    table.put(card, Zone(seat, "reset"), reading=reading)


NAMELESS: Reading = (UNKNOWN, 0.3, ())


def test_a_card_put_aside_that_nobody_can_read_is_a_turn_all_the_same() -> None:
    table = begun()
    put_aside(table, 2, "5C", NAMELESS)
    assert lines(table.wait(5)) == ["2 reset ??"]
    cover(table, 1, "TH", "3D")
    put_aside(table, 2, "9C", NAMELESS)
    table.wait(5)
    assert lines(table.events) == ["2 reset ??", "1 cover TH 3D", "2 reset ??"]
    assert table.state.asked == 0


def test_it_has_its_name_once_it_is_read() -> None:
    table = begun()
    put_aside(table, 2, "5C", NAMELESS)
    table.wait(5)
    table.read("5C", None)
    assert lines(table.wait(8)) == ["2 reset 5C"]


def test_of_one_put_aside_whose_suit_alone_is_unread_nobody_is_asked() -> None:
    table = begun()
    put_aside(table, 2, "5C", (Card.parse("5?"), 0.6, ()))
    table.wait(5)
    cover(table, 1, "TH", "3D", wait=6)
    assert lines(table.events) == ["2 reset 5?", "1 cover TH 3D"]
    assert table.state.asked == 0


def test_where_a_hand_alone_tells_that_a_card_was_put_aside_unseen_it_is_asked() -> None:
    table = begun()
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(4)
    cover(table, 1, "TH", "3D", wait=6)
    assert kinds(table.events) == ["Question"]
    assert table.state.question is not None
    first = [" ".join(map(str, choice)) for choice in table.state.question.choices]
    assert first == ["2 reset ?? 1 cover TH 3D", "2 cover TH 3D"]


def test_also_where_that_hand_comes_again_before_the_other_seat_has_played() -> None:
    table = begun()
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(4)
    table.hand(1, over=(CENTRE_LEFT, CENTRE_RIGHT))
    table.hand(2, 60.0, over=[Zone(2, "reset")])
    table.wait(0.4)
    table.put("TH", CENTRE_LEFT)
    table.put("3D", CENTRE_RIGHT)
    assert kinds(table.wait(8)) == ["Question"]


def test_where_the_other_seat_puts_one_aside_after_that_it_is_plain() -> None:
    table = begun()
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(4)
    put_aside(table, 1, "5C")
    assert lines(table.wait(6)) == ["2 reset ??", "1 reset 5C"]


def test_a_second_reading_of_a_card_that_came_with_it_is_no_card() -> None:
    table = begun()
    table.hand(2, over=(CENTRE_LEFT, CENTRE_RIGHT))
    table.wait(0.4)
    table.put("TH", CENTRE_LEFT)
    table.put("3D", CENTRE_RIGHT)
    table.put("9D", CENTRE_RIGHT, reading=(Card.parse("9D"), 0.72, ()))
    assert lines(table.wait(12)) == ["2 cover TH 3D"]
    table.cover("9D")
    table.wait(5)
    cover(table, 1, "9H", "5D")
    assert kinds(table.events) == ["ActionSeen", "ActionSeen"]


def test_a_faint_card_makes_no_play_that_needs_another_that_nobody_saw() -> None:
    table = StagedTable(GAME, Terms(NAME, 2, 1), GAME.deal(Setup(NAME, 2, 1, parse_cards("9C 9H"))))
    table.put("9C", CENTRE_LEFT)
    table.put("9H", CENTRE_RIGHT)
    table.wait(3)
    table.hand(2, over=(CENTRE_LEFT, CENTRE_RIGHT))
    table.wait(0.4)
    table.put("7D", CENTRE_LEFT, reading=(Card.parse("7D"), 0.62, ((Card.parse("9D"), 0.38),)))
    table.put("7C", CENTRE_RIGHT)
    table.cover("9C 9H")
    table.put("9D", CENTRE_LEFT, reading=(Card.parse("9D"), 0.46, ()), seen_after=2.4)
    table.wait(2.6)
    table.read("7D", None)
    assert lines(table.wait(5)) == ["2 cover 7D 7C"]
