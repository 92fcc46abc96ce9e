"""The playouts of many deals at once do what the engine does."""

from __future__ import annotations

import random
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.game import Action
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.games.laugh_setup import OPTIONS, Rules
from assistant.games.settlement import SCALES
from assistant.hints.laugh_playouts import (
    FOURS,
    Deals,
    Numbers,
    advised,
    any_mate,
    endangered,
    endangered_first,
    holds,
    lay_sets,
    one_of,
    play_out,
    take_turn,
)
from tests.assistant.hints.laugh_play import careful
from tests.assistant.laugh_deals import begun, dealt


def deals_of(position: LaughPosition, copies: int = 1) -> Deals:
    """A position whose hands are all known, as deals that are alike."""
    places = position.places
    counts = [places.table.counts(), places.won.counts(), *(hand.counts() for hand in places.hands)]
    table, won, *hands = (np.full(copies, number, np.int64) for number in counts)
    active = sum(1 << seat - 1 for seat in position.active)
    return Deals(
        position.rules,
        position.setup.dealer - 1,
        table,
        won,
        np.array(hands),
        np.repeat(np.array([[len(pile)] for pile in places.piles]), copies, 1),
        np.full(copies, active, np.int64),
        np.full(copies, (position.to_act or 1) - 1, np.int64),
        np.full(copies, (position.last_mater or 0) - 1, np.int64),
    )


def mate_of(position: LaughPosition, seat: int, rank: int) -> Action:
    """The mate of the rank that takes the most, or lying down where the rank is -1."""
    if rank < 0:
        return Action(seat, "lie-down", position.places.hands[seat - 1].cards())
    card = position.places.hands[seat - 1].of_rank(rank)[0]
    lying = position.places.table.of_rank(rank)
    return Action(seat, "mate", (card, *(lying if len(lying) == 3 else lying[:1])))


def rank_number(bit: int) -> int:
    return (bit.bit_length() - 1) // 4 if bit else -1


@given(
    seed=st.integers(0, 2**32),
    players=st.integers(3, 6),
    options=st.fixed_dictionaries(
        {
            "mates_per_turn": st.sampled_from(OPTIONS["mates_per_turn"]),
            "empty_hand": st.sampled_from(OPTIONS["empty_hand"]),
        }
    ),
    dealer=st.integers(1, 3),
    careless=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_a_playout_done_again_by_the_engine_is_settled_alike(
    seed: int, players: int, options: Mapping[str, str], dealer: int, careless: bool
) -> None:
    position = careful(begun(dealt(players, seed=seed, dealer=dealer, options=options)))
    turns: list[tuple[int, int]] = []
    ended = play_out(
        deals_of(position),
        np.random.default_rng(seed),
        any_mate if careless else endangered_first,
        recorder=lambda places, seats, ranks: turns.append((int(seats[0]), int(ranks[0]))),
    )
    for seat, bit in turns:
        position = careful(position.apply(mate_of(position, seat + 1, rank_number(bit))))
    assert position.over
    assert int(ended.active[0]) == 1 << position.active[0] - 1
    settlement = position.settlement()
    assert settlement is not None
    assert ended.nets()[:, 0].tolist() == [seat["net"] for seat in settlement["seats"]]
    assert ended.hands[:, 0].tolist() == [hand.counts() for hand in position.places.hands]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_settlement_sums_to_nothing_and_the_pack_stays_whole(players: int) -> None:
    position = begun(dealt(players, seed=players))
    deals = lay_sets(deals_of(position, 300))
    ended = play_out(deals, np.random.default_rng(1), any_mate)
    assert (ended.nets().sum(0) == 0).all()
    assert (ended.table + ended.won + ended.hands.sum(0) == FOURS).all()
    assert (ended.piles % 2 == 0).all()
    assert ended.over.all()


def test_lots_share_their_random_numbers() -> None:
    position = careful(begun(dealt(5, seed=4)))
    deals = deals_of(position, 60)
    ended = play_out(deals, np.random.default_rng(3), any_mate, repeats=3).nets()
    assert (ended[:, :20] == ended[:, 20:40]).all()
    assert (ended[:, :20] == ended[:, 40:]).all()
    assert len({tuple(column) for column in ended.T.tolist()}) > 1
    again = play_out(deals, np.random.default_rng(3), any_mate, repeats=3).nets()
    assert (again == ended).all()


def counts(**ranks: int) -> Numbers:
    order = "A23456789TJQK"
    return np.array([sum(number << 4 * order.index(rank[-1]) for rank, number in ranks.items())], np.int64)


def in_turn(hand: Numbers, table: Numbers, won: Numbers) -> Deals:
    none = np.zeros(1, np.int64)
    return Deals(
        Rules(SCALES[3]), 2, table, won, np.array([hand, none, none]), np.zeros((3, 1), np.int64), none + 7, none, none
    )


def test_a_mate_is_endangered_while_another_may_take_the_only_table_card() -> None:
    hand = counts(rK=1, rQ=1, r9=2, r8=1, r7=1)
    table = counts(rK=1, rQ=2, r9=1, r8=1, r7=3)
    won = counts(r8=2)
    more, less = endangered(hand, table, won)
    assert more.tolist() == counts(rK=1).tolist()
    assert less.tolist() == counts(r9=1).tolist()
    assert endangered_first(in_turn(hand, table, won)).tolist() == more.tolist()
    assert advised(0)(in_turn(hand, table, won)).tolist() == less.tolist()
    assert advised(1)(in_turn(hand, table, won)).tolist() == more.tolist()
    safe = counts(rQ=1, r8=1, r7=1)
    assert endangered_first(in_turn(safe, table, won)).tolist() == counts(r7=1).tolist()
    assert endangered_first(in_turn(counts(rQ=1, r8=1), table, won)).tolist() == counts(rQ=1, r8=1).tolist()
    assert endangered_first(in_turn(counts(rA=1), table, won)).tolist() == [0]


def test_equal_choices_are_drawn_among_all_of_them() -> None:
    rng = random.Random(7)
    choice = np.full(600, int(counts(rA=1, r5=1, rK=1)[0]), np.int64)
    drawn = one_of(choice, np.array([rng.random() for _ in range(600)]))
    found, numbers = np.unique(drawn, return_counts=True)
    assert sorted(found.tolist()) == sorted(int(counts(**{rank: 1})[0]) for rank in ("rA", "r5", "rK"))
    assert numbers.min() > 150


def test_a_dead_pair_is_laid_as_its_rank_is_won() -> None:
    position = careful(begun(dealt(5, seed=11)))
    deals = deals_of(position)
    for _ in range(30):
        if deals.over.all():
            break
        deals = take_turn(deals, one_of(any_mate(deals), np.array([0.5])))
        pairs = deals.hands >> 1 & ~deals.hands & deals.won >> 1 & ~deals.won & holds(deals.won)
        assert (pairs == 0).all()
