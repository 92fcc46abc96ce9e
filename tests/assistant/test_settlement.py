"""The pot's arithmetic: the worked examples, and that it always comes out even."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assistant.games.settlement as module
from assistant.games.settlement import SCALES, SettlementRefused, settle


def nets(players: int, last_in: int, *cards: int) -> list[int]:
    settlement = settle(SCALES[players], 1, last_in, dict(enumerate(cards, 1)))
    return [seat.net for seat in settlement.seats]


def test_docstring_examples() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("players", "hand", "table", "pot", "bonus"),
    [(3, 14, 10, 7, 2), (4, 10, 12, 9, 3), (5, 8, 12, 11, 5), (6, 6, 16, 13, 5)],
)
def test_lld_2_what_is_dealt_and_staked(players: int, hand: int, table: int, pot: int, bonus: int) -> None:
    scale = SCALES[players]
    assert (scale.hand, scale.par, scale.table, scale.pot, scale.bonus) == (hand, hand, table, pot, bonus)
    assert scale.bonus + scale.table // 2 == scale.pot


def test_l15_five_players() -> None:
    settlement = settle(SCALES[5], 1, 3, {1: 16, 2: 12, 3: 14, 4: 4, 5: 6})
    assert [seat.received for seat in settlement.seats] == [4, 2, 8, 0, 0]
    assert [seat.paid_in for seat in settlement.seats] == [0, 0, 0, 2, 1]
    assert [seat.net for seat in settlement.seats] == [1, 0, 6, -4, -3]


@pytest.mark.parametrize(
    ("cards", "code", "word"),
    [
        ((16, 12, 14, 4, 5), "odd-pile", "seat 5 has 5"),
        ((15, 13, 14, 4, 6), "odd-pile", "seat 1 has 15, seat 2 has 13"),
        ((16, 12, 14, 4, 4), "not-52-cards", "50"),
        ((16, 12, 14, 10), "not-52-cards", "5 seats"),
        ((54, 0, 0, 0, -2), "odd-pile", "-2"),
    ],
)
def test_l16_piles_that_can_not_be_right_are_refused(cards: tuple[int, ...], code: str, word: str) -> None:
    with pytest.raises(SettlementRefused, match=word) as caught:
        settle(SCALES[5], 1, 3, dict(enumerate(cards, 1)))
    assert (caught.value.code, caught.value.rule) == (code, "LLD-25")


def test_l17_four_players_and_the_dealer_last_in() -> None:
    assert nets(4, 1, 20, 16, 10, 6) == [5, 1, -2, -4]


def test_l20_a_player_without_a_card() -> None:
    assert nets(5, 1, 20, 16, 10, 6, 0)[4] == -6
    assert nets(5, 2, 0, 16, 10, 6, 20)[0] == -7


@st.composite
def counted(draw: st.DrawFn) -> tuple[int, int, int, dict[int, int]]:
    players = draw(st.sampled_from(sorted(SCALES)))
    cuts = sorted(draw(st.lists(st.integers(0, 26), min_size=players - 1, max_size=players - 1)))
    ends = [0, *cuts, 26]
    piles = {seat: 2 * (ends[seat] - ends[seat - 1]) for seat in range(1, players + 1)}
    return players, draw(st.integers(1, players)), draw(st.integers(1, players)), piles


@given(counted())
def test_lld_26_the_pot_ends_empty_and_the_nets_sum_to_zero(case: tuple[int, int, int, dict[int, int]]) -> None:
    players, dealer, last_in, piles = case
    settlement = settle(SCALES[players], dealer, last_in, piles)
    assert settlement.pot == sum(seat.staked for seat in settlement.seats)
    assert settlement.pot + sum(seat.paid_in for seat in settlement.seats) == sum(
        seat.received for seat in settlement.seats
    )
    assert sum(seat.net for seat in settlement.seats) == 0
    assert all(seat.paid_in >= 0 and seat.received >= 0 for seat in settlement.seats)
