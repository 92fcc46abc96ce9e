"""A match: the deals that count, the account in stakes, money and points, and who deals next."""

from __future__ import annotations

import doctest
import random
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assistant.match as module
from assistant.games import GAMES
from assistant.games.game import IllegalAction, InvalidInput, Position
from assistant.match import FinishedDeal, Match, exact, match_of, plain, results_of, totals
from assistant.record import parse_record, replay
from assistant.session import EMPTY, act, advance, begin_deal, begin_session, next_deal
from assistant.session_events import event_from_json, event_to_json
from tests.assistant.laugh_deals import HERE, LAUGH, dealt, played
from tests.playouts import play_out, shuffled


def finished(seed: int, dealer: int, players: int = 5, **options: str) -> Position:
    return played(dealt(players, seed=seed, dealer=dealer, options=options), seed)[-1]


def test_docstring_examples() -> None:
    assert doctest.testmod(module).failed == 0


def test_lld_27_a_match_is_even_after_whole_rounds() -> None:
    deals = [finished(seed, seed % 5 + 1) for seed in range(10)]
    even = [number for number in range(1, 11) if match_of(deals[:number]).even]
    assert even == [5, 10]
    assert match_of(deals).out_of_turn == ()
    assert not match_of([deals[0], deals[0], deals[0], deals[0], deals[0]]).even


def test_lld_3_the_deal_passes_to_the_left() -> None:
    assert match_of([finished(1, 3)]).next_dealer == 4
    assert match_of([finished(1, 5)]).next_dealer == 1
    assert match_of([finished(1, 3), finished(2, 4), finished(3, 4)]).out_of_turn == (3,)
    assert Match(LAUGH, 5).next_dealer is None


def test_the_account_is_the_sum_of_the_deals() -> None:
    deal = replay(parse_record((HERE / "deal_1.deal").read_text("utf-8"))).position
    assert list(match_of([deal]).account) == [1, 0, 6, -4, -3]
    assert list(match_of([deal, deal]).account) == [2, 0, 12, -8, -6]
    assert match_of([deal]).unit == "stakes"


def test_a_stake_has_a_value_in_money_deal_by_deal() -> None:
    one = match_of([finished(4, 1, stake_value="0.50")])
    assert one.money == tuple(net * Decimal("0.50") for net in map(int, one.account))
    both = match_of([finished(4, 1, stake_value="0.50"), finished(4, 1, stake_value="2")])
    assert both.money == tuple(net * Decimal("2.50") for net in map(int, one.account))
    assert match_of([finished(4, 1, stake_value="0.50"), finished(4, 1)]).money is None
    assert Match(LAUGH, 5).money is None


def test_what_does_not_belong_to_a_match_is_refused() -> None:
    match = match_of([finished(1, 1)])
    with pytest.raises(InvalidInput, match="no deal of laugh-and-lie-down for 4") as caught:
        match.after(finished(1, 1, players=4))
    assert caught.value.code == "other-match"
    with pytest.raises(IllegalAction) as unfinished:
        match.after(played(dealt(5, seed=1), 1)[3])
    assert unfinished.value.code == "not-over"


def test_rst_14_deals_scored_in_different_ways_make_no_match() -> None:
    def scored(**options: str) -> Position:
        game, chance = GAMES["rolling-stone"], random.Random(14)
        return list(play_out(game, shuffled(game, 4, chance, options), chance, faults=False))[-1]

    won, counted = scored(score="points"), scored(score="cards_left")
    assert match_of([won, scored(), won]).account == tuple(3 * result for result in match_of([won]).account)
    assert match_of([counted, counted]).account == tuple(2 * result for result in match_of([counted]).account)
    for deals in ([won, counted], [counted, won], [scored(), counted]):
        with pytest.raises(InvalidInput, match="begin another match") as caught:
            match_of(deals)
        assert (caught.value.code, caught.value.rule) == ("other-match", "RST-14")


def test_points_that_are_shared_add_up_exactly() -> None:
    third = {"seats": [{"seat": seat, "score": 1 / 3} for seat in (1, 2, 3)]}
    assert results_of(third, 4) == (1 / 3, 1 / 3, 1 / 3, 0)
    assert totals([results_of(third, 3)] * 3, 3) == (1, 1, 1)
    assert [type(total) for total in totals([(0.5, 1)] * 2, 2)] == [int, int]
    shared = FinishedDeal(1, tuple(map(exact, results_of(third, 3))), 2)
    assert Match("rolling-stone", 3, (shared, shared, shared)).account == (Fraction(1),) * 3
    assert (plain(Fraction(1, 2)), plain(Fraction(4, 2))) == (0.5, 2)


@settings(max_examples=20)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=6), st.sampled_from((3, 4, 5, 6)))
def test_lld_26_the_stakes_of_a_match_sum_to_nought_and_a_match_is_the_fold_of_its_deals(
    seeds: list[int], players: int
) -> None:
    deals = [finished(seed, place % players + 1, players) for place, seed in enumerate(seeds)]
    match = match_of(deals)
    assert sum(match.account) == 0
    step = Match(LAUGH, players)
    for number, deal in enumerate(deals, 1):
        step = step.after(deal)
        assert step == match_of(deals[:number])
    assert step == match
    assert match.out_of_turn == ()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_session_adds_up_as_a_match_does_whatever_the_unit(name: str) -> None:
    game, chance = GAMES[name], random.Random(name)
    state, deals = EMPTY, []
    state, _ = advance(state, begin_session(shuffled(game, game.players[0], chance)))
    for _ in range(2):
        setup = shuffled(game, game.players[0], chance)
        *_, last = play_out(game, setup, chance, faults=False)
        state, _ = advance(state, begin_deal(state, setup))
        for action in last.actions:
            state, _ = advance(state, act(state, action))
        state, entries = advance(state, next_deal(state))
        assert event_from_json(entries[0].kind, event_to_json(entries[0].event)) == entries[0].event
        assert state.setup is not None
        assert state.setup.dealer == last.next_dealer
        deals.append(last)
    assert tuple(map(exact, state.account)) == match_of(deals).account
