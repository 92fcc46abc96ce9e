"""The playouts of Sbros do what a plain table does, and guessed deals agree with what is known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import CARDS
from assistant.games.game import Action
from assistant.games.sbros_covers import codes
from assistant.games.sbros_setup import OPTIONS, rules_of
from assistant.hints.sbros_playouts import Pairs, guesses, play_out
from tests.assistant.games.sbros_table import RealTable, begun, real_table


def pairs_of(table: RealTable, copies: int = 1) -> Pairs:
    """A table before the first turn as deals that are alike."""
    none = np.zeros(copies, np.int64)
    hands = np.array([[sum(1 << card.code for card in table.hands[seat])] * copies for seat in (1, 2)], np.int64)
    low, high = sorted(card.code for card in table.centre)
    stock = np.tile(np.array([card.code for card in table.stock], np.int64), (copies, 1))
    turn = none + table.turn - 1
    return Pairs(
        rules_of(table.setup), hands, np.zeros((2, copies), np.int64), none + 52 * low + high, stock, none, turn, none
    )


def action_of(table: RealTable, cards: int) -> Action:
    """The legal action with these cards, one way or the other."""
    chosen = {CARDS[code] for code in codes(cards)}
    return next(action for action in table.legal() if set(action.cards) == chosen)


@given(
    seed=st.integers(0, 2**32),
    dealer=st.integers(1, 2),
    options=st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()}),
)
@settings(max_examples=30, deadline=None)
def test_a_playout_done_again_by_the_engine_is_settled_alike(
    seed: int, dealer: int, options: Mapping[str, str]
) -> None:
    table = real_table(seed, dealer=dealer, options=options)
    turns: list[tuple[int, int]] = []
    ended = play_out(
        pairs_of(table),
        np.random.default_rng(seed),
        recorder=lambda places, seats, cards: turns.append((int(seats[0]), int(cards[0]))),
    )
    for seat, cards in turns:
        assert table.turn == seat + 1
        table.do(action_of(table, cards))
    record = table.record()
    position = begun(record.setup)
    for action in record.actions:
        position = position.apply(action)
    settlement = position.settlement()
    assert settlement is not None
    assert ended.scores()[:, 0].tolist() == [seat["score"] for seat in settlement["seats"]]


def test_guesses_share_out_the_unseen_cards() -> None:
    whole = pairs_of(real_table(3), 2)
    unseen = (1 << 52) - 1 & ~whole.hands[0] & ~sum(1 << code for code in divmod(int(whole.centre[0]), 52))
    hands = whole.hands.copy()
    hands[1] = 0
    known = Pairs(whole.rules, hands, whole.aside, whole.centre, whole.stock * 0, whole.drawn, whole.turn, whole.passes)
    drawn = guesses(known, 0, unseen, np.array([6, 6]), 20, np.random.default_rng(1))
    assert len(drawn) == 40
    assert (np.bitwise_count(drawn.hands[1]) == 6).all()
    stock = (np.int64(1) << drawn.stock).sum(1)
    assert (stock | drawn.hands[1] == unseen[0]).all()
    assert (np.bitwise_count(stock) == 38).all()
    assert len(set(drawn.hands[1].tolist())) > 30
