"""What is told while table and game disagree."""

from __future__ import annotations

import pytest

from assistant.cards import UNKNOWN
from assistant.events import Desync, GameOver, Resynced, Warned
from assistant.view import Zone
from tests.assistant.test_following import Places, Table, dealt, kinds, pool
from tests.assistant.test_misplays import at_the_end


def test_what_lies_there_later_is_told_as_well_where_table_and_game_disagree() -> None:
    table, away = dealt(), {name: zone for name, zone in pool().items() if name not in ("KS", "7D", "2C", "9H")}
    first, *others = table.show(away, 30)
    assert isinstance(first, Desync)
    assert (len(first.missing), first.unexpected, others) == (4, (), [])
    second, *others = table.show(away | dict.fromkeys(("JS", "8D", "6H"), Zone(3)), 30)
    assert isinstance(second, Desync)
    assert {str(card) for card, _ in second.unexpected} == {"JS", "8D", "6H"}
    assert (len(second.missing), others) == (4, [])
    assert kinds(table.show(pool(), 5)) == [Resynced]
    (again,) = table.show(away, 30)
    assert isinstance(again, Desync)


@pytest.mark.parametrize(("seats", "doubted"), [((1, 1), True), ((1,), False), ((1, 3), False)])
def test_two_unreadable_cards_that_came_to_a_pile_at_once_are_a_doubt_at_the_end(
    seats: tuple[int, ...], doubted: bool
) -> None:
    end, places, _, _ = at_the_end()
    assert end.setup.dealer == 2
    table = Table(None, end)
    unread: Places = {f"unread {number}": Zone(seat) for number, seat in enumerate(seats)}
    table.open = dict.fromkeys(unread, (UNKNOWN, 0.9, ()))
    assert kinds(table.show(places | unread, 6)) == ([Warned, GameOver] if doubted else [GameOver])
