"""A card that nobody could read when it was laid down is put into the record once it is read."""

from __future__ import annotations

import pytest

from assistant.events import ActionSeen, Undone
from assistant.games.game import Position
from assistant.view import TABLE, Visit
from tests.assistant.test_following import Table, kinds, laid_down_unread, lines

UNREAD = "KC"
"""Two kings are won, and seat 3 has shown one more."""


def hand(seat: int, table: Table) -> tuple[Visit, ...]:
    """The seat's hand put down what comes to rest now, and is gone."""
    return (Visit(seat, table.t - 0.5, table.t + 0.5, (TABLE,)),)


def test_what_is_read_at_last_is_put_into_the_record() -> None:
    table, shown = laid_down_unread()
    came = table.show(shown | {UNREAD: TABLE}, 6, visits=hand(3, table))
    assert kinds(came)[:2] == [Undone, ActionSeen]
    assert lines(came)[0].split()[-1] == UNREAD
    assert "??" not in lines(came)[0]
    position: Position | None = table.position
    assert position is not None
    assert UNREAD in [str(card) for card in position.observe().table]
    assert table.show(shown | {UNREAD: TABLE}, 6, visits=hand(3, table)) == []


@pytest.mark.parametrize("seat", [1, 2, None])
def test_what_another_hand_may_have_put_there_is_not(seat: int | None) -> None:
    table, shown = laid_down_unread()
    assert table.show(shown | {UNREAD: TABLE}, 6, visits=(Visit(seat, table.t - 0.5, table.t + 0.5, (TABLE,)),)) == []
    assert table.show(shown | {UNREAD: TABLE}, 6) == []


def test_a_claim_that_it_opens_stands() -> None:
    table, shown = laid_down_unread()
    assert table.position is not None
    assert "C4" not in [claim.code for claim in table.position.claims()]
    table.show(shown | {UNREAD: TABLE}, 6, visits=hand(3, table))
    dead = [claim.cards for claim in table.position.claims() if claim.code == "C4"]
    assert [sorted(map(str, cards)) for cards in dead] == [["KC", "KD"]]
