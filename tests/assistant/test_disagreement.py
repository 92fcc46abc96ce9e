"""What is told while table and game disagree."""

from __future__ import annotations

from assistant.events import Desync, Resynced
from assistant.view import Zone
from tests.assistant.test_following import dealt, kinds, pool


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
