"""What the table shows otherwise than the game expects, in squared piles."""

from __future__ import annotations

import pytest

from assistant.cards import UNKNOWN, Card
from assistant.games import game_named
from assistant.games.game import Setup
from assistant.signs.difference import Lying, Slot, compare
from assistant.signs.signs import Terms
from assistant.view import TABLE, SeenCard, Stillness, TableView, Zone
from tests.assistant.signs.staged_table import QUAD, StagedTable, kinds, lines

GAME = "laugh-and-lie-down"
POOL = "KS 7D 2C 9H QD 4S 8C 5H TD 3S"
PILE = Zone(2)


def mated() -> StagedTable:
    """Seat 2 took the 4S with a four that was never seen: it lies beneath, and the 4S alone is in sight."""
    game = game_named(GAME)
    setup = Setup(GAME, 3, 1, tuple(Card.parse(name) for name in POOL.split()))
    table = StagedTable(game, Terms(GAME, 3, 1), game.deal(setup))
    table.put(POOL, TABLE)
    table.wait(3)
    table.hand(2, over=(TABLE, PILE))
    table.shift("4S", PILE)
    assert lines(table.wait(5)) == ["2 mate 4? 4S"]
    return table


def taking_again() -> StagedTable:
    """The others have mated, too, and seat 2 is just taking the 9H."""
    table = mated()
    for seat, taken, card in ((3, "7D", "7S"), (1, "5H", "5S")):
        table.hand(seat, over=(TABLE, Zone(seat)))
        table.shift(taken, Zone(seat))
        table.put(card, Zone(seat))
        assert len(lines(table.wait(5))) == 1
    table.hand(2, over=(TABLE, PILE))
    table.shift("9H", PILE)
    return table


def test_a_card_that_a_hand_lays_over_a_pile_is_not_the_one_that_was_never_read_beneath() -> None:
    table = mated()
    table.wait(5)
    table.hand(2, over=(PILE,))
    table.put("4D", PILE)
    table.cover("4S")
    assert lines(table.wait(6)) == ["2 lay 4D 4?"]


@pytest.mark.parametrize(("later", "hand", "covering"), [(5.0, False, True), (5.0, True, False), (0.0, True, True)])
def test_what_comes_to_light_beneath_and_the_other_half_of_a_mate_are_no_new_cards(
    later: float, hand: bool, covering: bool
) -> None:
    table = mated()
    table.wait(later)
    if hand:
        table.hand(2, over=(PILE,))
    table.put("4D", PILE)
    table.cover("4S", covering)
    assert lines(table.wait(6)) == []


def test_the_other_half_of_a_mate_is_no_new_card_though_both_lie_over_what_was_there() -> None:
    table = taking_again()
    table.put("9S", PILE, seen_after=1.5)
    table.cover("4S")
    assert lines(table.wait(1.4)) == ["2 mate 9? 9H"]
    assert lines(table.wait(8)) == []


def test_a_card_that_becomes_clear_after_its_mate_was_told_is_no_new_one() -> None:
    table = taking_again()
    table.put("9S", PILE, reading=(Card.parse("9S"), 0.89, ()))
    table.cover("4S")
    told = lines(table.wait(0.8))
    table.read("9S", (Card.parse("9S"), 0.92, ()))
    assert [*told, *lines(table.wait(20))] == ["2 mate 9? 9H"]


@pytest.mark.parametrize("hand", [False, True])
def test_a_card_of_its_rank_that_no_hand_brought_into_a_pile_is_one_that_lies_there(hand: bool) -> None:
    game = game_named(GAME)
    setup = Setup(GAME, 3, 1, tuple(Card.parse(name) for name in POOL.split()))
    table = StagedTable(game, Terms(GAME, 3, 1), game.deal(setup))
    table.put(POOL, TABLE)
    table.wait(3)
    table.hand(2, over=(TABLE, PILE))
    table.shift("4S", PILE)
    table.put("4H", PILE)
    assert lines(table.wait(10)) == ["2 mate 4H 4S"]
    table.hand(3, over=(PILE,) if hand else (TABLE,))
    table.put("4D", PILE)  # the 4H, read by another index
    assert kinds(table.wait(30)) == (["Question"] if hand else [])


def test_of_two_cards_that_may_be_the_known_one_it_is_the_one_that_has_lain_there() -> None:
    queen = Card("Q", "")
    slots = [Slot(queen, PILE, shows=False, stays=True, suitless=True)]
    quad = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
    before = SeenCard(18, Card.parse("QS"), 0.96, PILE, quad, since=26.7)
    new = SeenCard(47, Card.parse("QD"), 0.72, PILE, quad, since=75.7)
    view = TableView(76.5, (before, new), Stillness.STILL, 0.7)
    assert compare(slots, view, {18: Lying(queen, PILE, 26.7)}).fresh == (new,)


def test_so_it_is_when_a_hand_has_carried_that_one_off_together_with_another_of_its_rank() -> None:
    nine = Card("9", "")
    slots = [Slot(nine, TABLE, stays=True, suitless=True)]
    quad = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
    carried = SeenCard(13, Card.parse("9C"), 1.0, PILE, quad, since=122.7)
    new = SeenCard(56, Card.parse("9S"), 0.95, PILE, quad, since=122.7)
    view = TableView(123.2, (carried, new), Stillness.STILL, 0.4)
    difference = compare(slots, view, {13: Lying(nine, TABLE, 10.1)})
    assert [moved.seen for moved in difference.moved] == [carried]
    assert difference.fresh == (new,)


def test_what_only_seems_to_lie_beneath_another_pile_is_nothing_new() -> None:
    slots = (Slot(Card.parse("TH"), Zone(3), shows=False), Slot(Card.parse("3S"), Zone(1), shows=False))
    top = SeenCard(1, Card.parse("3S"), 0.99, Zone(1), QUAD)
    for covered in (True, False):
        seen = SeenCard(2, Card.parse("TH"), 0.97, Zone(1), QUAD, covered)
        difference = compare(slots, TableView(9.0, (top, seen), Stillness.STILL, 2.0))
        assert bool(difference) is not covered


def test_what_has_lain_unmoved_in_a_pile_is_no_new_card_though_another_is_read_by_its_name_now() -> None:
    six, three = Card.parse("6D"), Card("3", "")
    slots = [Slot(card, PILE, shows=False, stays=True, suitless=True) for card in (six, three)]
    lain = SeenCard(9, Card.parse("8H"), 0.94, PILE, QUAD, since=29.1)
    other = SeenCard(38, six, 0.7, PILE, QUAD, since=55.6)
    view = TableView(72.0, (lain, other), Stillness.STILL, 2.0)
    known = {9: Lying(six, PILE, 29.1), 38: Lying(Card.parse("8D"), PILE, 55.6)}
    assert not compare(slots, view, known)
    moved = SeenCard(9, Card.parse("8H"), 0.94, PILE, QUAD, since=70.0)
    assert compare(slots, TableView(72.0, (moved, other), Stillness.STILL, 2.0), known).fresh == (moved,)


def test_a_card_that_nobody_could_read_is_not_the_one_that_is_misread_in_a_pile() -> None:
    slots = [Slot(UNKNOWN, TABLE, shows=False, stays=True, suitless=True)]
    new = SeenCard(78, Card.parse("7S"), 0.7, PILE, QUAD, since=201.9)
    difference = compare(slots, TableView(203.0, (new,), Stillness.STILL, 1.0))
    assert (difference.fresh, difference.strayed) == ((new,), ())
