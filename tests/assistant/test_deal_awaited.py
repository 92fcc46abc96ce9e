"""How a deal begins: its cards rest, each read or not."""

from __future__ import annotations

import pytest

from assistant.cards import Card
from assistant.events import DealSeen, Warned, as_json
from assistant.view import TABLE, Zone
from tests.assistant.test_following import POOL, Table, kinds, lines, pool
from tests.scripted_play import cards


def test_the_deal_is_seen_once_the_pool_is_complete() -> None:
    table = Table()
    few = dict(list(pool().items())[:7])
    assert table.show(few, 4) == []
    came = table.show(pool(), 3)
    assert kinds(came) == [DealSeen]
    assert table.position is not None
    assert set(table.position.setup.table) == set(cards(POOL))


def test_a_wrong_number_of_cards_is_told_once() -> None:
    table = Table()
    came = table.show(pool(AS=TABLE), 30)
    assert kinds(came) == [Warned]
    assert as_json(came[0])["code"] == "wrong-deal"
    assert kinds(table.show(pool(), 3)) == [DealSeen]


def test_a_pool_card_misread_at_the_deal_is_corrected_before_the_first_action() -> None:
    table = Table()
    table.show({**pool("8C"), "8S": TABLE}, 3)
    came = table.show(pool(), 6)
    assert kinds(came) == [DealSeen]
    assert table.position is not None
    assert set(table.position.setup.table) == set(cards(POOL))


def unread(table: Table, *names: str) -> None:
    """Nobody can read these cards from now on."""
    for name in names:
        table.open[name] = (Card.parse("??"), 0.5, ())


def named(table: Table) -> str:
    assert table.position is not None
    return " ".join(map(str, table.position.setup.table))


def test_a_deal_with_a_card_that_nobody_can_read_begins_without_its_name() -> None:
    table = Table()
    unread(table, "8C")
    assert table.show(pool(), 2.5) == []
    came = table.show(pool(), 20)
    assert kinds(came) == [Warned, DealSeen]
    assert as_json(came[0])["code"] == "unread-card"
    assert named(table) == POOL.replace("8C", "??")


def test_it_has_its_name_once_it_is_read_before_the_first_action() -> None:
    table = Table()
    unread(table, "8C")
    table.show(pool(), 6)
    table.open.clear()
    assert kinds(table.show(pool(), 6)) == [DealSeen]
    assert named(table) == POOL


def test_it_is_mated_like_any_other_card() -> None:
    table = Table()
    unread(table, "8C")
    table.show(pool(), 6)
    table.open.clear()
    assert lines(table.show(pool("8C") | {"8C": Zone(2), "8S": Zone(2)})) in (["2 mate 8C 8S"], ["2 mate 8S 8C"])


def test_it_is_mated_with_two_others_that_are_read() -> None:
    table = Table()
    unread(table, "4S")
    table.show(pool("2C", "3S") | {"8D": TABLE, "8H": TABLE, "4S": TABLE}, 6)
    assert "8D" in named(table)
    table.open.clear()
    won = dict.fromkeys(("8C", "8D", "8H", "8S"), Zone(2))
    left = pool("2C", "3S", "4S") | won
    assert [line.split()[:2] for line in lines(table.show(left))] == [["2", "mate"]]
    assert table.position is not None
    assert len(table.position.observe().piles[2]) == 4


def test_what_lies_beside_a_whole_deal_and_only_looks_like_a_card_is_none_of_it() -> None:
    table = Table()
    unread(table, "AS")
    assert kinds(table.show(pool() | {"AS": TABLE}, 6)) == [DealSeen]
    assert named(table) == POOL
    assert lines(table.show(pool("KS") | {"AS": TABLE, "KS": Zone(2), "KH": Zone(2)})) == ["2 mate KH KS"]


def test_with_too_many_unread_cards_the_deal_waits_and_says_why() -> None:
    table = Table()
    unread(table, "8C", "9H", "TD")
    came = table.show(pool(), 20)
    assert [as_json(event)["code"] for event in came] == ["unread-card"]
    assert table.position is None


def test_a_rank_that_is_doubtful_is_left_open() -> None:
    table = Table()
    table.open["8C"] = (Card.parse("8C"), 0.45, ((Card.parse("3C"), 0.4),))
    assert kinds(table.show(pool(), 6))[-1] is DealSeen
    assert named(table) == POOL.replace("8C", "??")


def test_of_two_cards_of_one_name_the_less_sure_is_left_open() -> None:
    table = Table()
    table.open["8C"] = (Card.parse("KS"), 0.75, ())
    assert kinds(table.show(pool(), 6))[-1] is DealSeen
    assert named(table) == POOL.replace("8C", "??")


def test_of_two_cards_both_surely_of_one_name_none_is_guessed() -> None:
    table = Table()
    table.open["8C"] = (Card.parse("KS"), 0.98, ())
    assert kinds(table.show(pool(), 20)) == [Warned]
    assert table.position is None


def test_what_lay_there_before_somebody_played_is_the_deal_though_a_card_of_it_is_out_of_sight() -> None:
    table = Table()
    table.show({}, 2)
    assert table.show(pool("8C"), 6) == []
    came = table.show(pool("8C", "KS") | {"KS": Zone(2), "KH": Zone(2)})
    assert kinds(came)[:2] == [Warned, DealSeen]
    assert named(table) == POOL.replace(" 8C", "") + " ??"
    assert lines(came) == ["2 mate KH KS"]


def test_where_the_rest_of_it_was_dealt_just_before_that_it_is_taken_for_the_cards_out_of_sight() -> None:
    table = Table()
    table.show({}, 2)
    table.show(pool("3S", "TD"), 3)
    came = table.show(pool("KS") | {"KS": Zone(2), "KH": Zone(2)})
    assert lines(came) == ["2 mate KH KS"]
    assert lines(
        table.show(pool("KS", "3S") | {name: Zone(2) for name in ("KS", "KH")} | {"3S": Zone(3), "3D": Zone(3)})
    )


def test_where_nobody_saw_the_table_bare_it_may_be_a_deal_under_way() -> None:
    table = Table()
    table.show(pool("8C"), 6)
    assert DealSeen not in kinds(table.show(pool("8C", "KS") | {"KS": Zone(2), "KH": Zone(2)}, 20))


def test_of_a_deal_that_lay_mostly_out_of_sight_nothing_is_made() -> None:
    table = Table()
    table.show({}, 2)
    table.show(pool("8C", "3S", "TD", "5H"), 6)
    assert DealSeen not in kinds(table.show(pool("8C", "3S", "TD", "5H", "KS") | {"KS": Zone(2), "KH": Zone(2)}, 20))


@pytest.mark.parametrize("place", [Zone(2), None])
def test_one_card_beside_the_others_is_nobodys_play(place: Zone | None) -> None:
    table = Table()
    table.show({}, 2)
    table.show(pool("8C"), 3)
    assert DealSeen not in kinds(table.show(pool("8C") | {"8C": place}, 20))
    assert kinds(table.show(pool(), 6)) == [DealSeen]


def test_the_top_of_a_squared_pile_and_a_gap_in_the_pool_show_that_somebody_played() -> None:
    table = Table()
    table.show({}, 2)
    table.show(pool("8C"), 3)
    assert DealSeen in kinds(table.show(pool("8C", "KS") | {"KH": Zone(2)}, 6))
