"""What the table shows otherwise than the game expects, in squared piles."""

from __future__ import annotations

import pytest

from assistant.cards import Card
from assistant.games import game_named
from assistant.games.game import Setup
from assistant.signs.signs import Terms
from assistant.view import TABLE, Zone
from tests.assistant.signs.staged_table import StagedTable, lines

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
