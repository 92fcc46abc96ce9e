"""Guessed deals agree with what is seen."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.hints.laugh_guesses import Mated, Seen, guesses
from assistant.hints.laugh_playouts import FOURS, Deals, Numbers
from tests.assistant.hints.laugh_play import careful
from tests.assistant.hints.test_laugh_playouts import counts, deals_of
from tests.assistant.laugh_deals import begun, dealt


def sizes(counted: Numbers) -> Numbers:
    numbers: Numbers = (counted[..., None] >> 4 * np.arange(13) & 15).sum(-1)
    return numbers


def seen_of(deals: Deals, seat: int, located: Numbers | None = None, mated: tuple[Mated, ...] = ()) -> Seen:
    """What a seat sees of deals: its own hand, the cards located in others, and how many more each holds."""
    shown = np.zeros_like(deals.hands) if located is None else located.copy()
    shown[seat] = deals.hands[seat]
    unseen = np.vstack([sizes(deals.hands) - sizes(shown), np.zeros(len(deals), np.int64)])
    seen = Deals(
        deals.rules,
        deals.dealer,
        deals.table,
        deals.won,
        shown,
        deals.piles,
        deals.active,
        deals.turn,
        deals.last_mater,
    )
    return Seen(seen, seat, unseen, mated, np.zeros(len(deals), np.int64))


@given(seed=st.integers(0, 2**32), players=st.integers(3, 6), seat=st.integers(0, 2))
@settings(max_examples=25, deadline=None)
def test_every_guess_is_a_whole_deal_with_the_hands_that_are_known(seed: int, players: int, seat: int) -> None:
    deals = deals_of(careful(begun(dealt(players, seed=seed))))
    other = (seat + 1) % players
    located = np.zeros_like(deals.hands)
    located[other] = deals.hands[other] & -deals.hands[other]
    drawn = guesses(seen_of(deals, seat, located), 50, np.random.default_rng(seed))
    assert len(drawn) == 50
    assert (drawn.table + drawn.won + drawn.hands.sum(0) == FOURS).all()
    assert (sizes(drawn.hands) == sizes(deals.hands)).all()
    assert (drawn.hands[seat] == deals.hands[seat]).all()
    low = located[other][0]
    assert (drawn.hands[other] & 15 * low >= low).all()
    assert len({tuple(hands) for hands in drawn.hands.T.tolist()}) > 10


def test_nothing_hidden_leaves_one_deal() -> None:
    deals = deals_of(careful(begun(dealt(5, seed=1))))
    drawn = guesses(seen_of(deals, 0, deals.hands), 7, np.random.default_rng(0))
    assert (drawn.hands == deals.hands).all()


def test_unread_table_cards_are_guessed_too() -> None:
    deals = deals_of(careful(begun(dealt(4, seed=2))))
    seen = seen_of(deals, 1)
    low = deals.table & -deals.table
    hidden = Seen(
        Deals(
            deals.rules,
            deals.dealer,
            deals.table - low,
            deals.won,
            seen.deals.hands,
            deals.piles,
            deals.active,
            deals.turn,
            deals.last_mater,
        ),
        1,
        seen.unseen + np.array([[0], [0], [0], [0], [1]]),
        (),
        seen.fresh,
    )
    drawn = guesses(hidden, 40, np.random.default_rng(0))
    assert (sizes(drawn.table) == sizes(deals.table)).all()
    assert (drawn.table + drawn.won + drawn.hands.sum(0) == FOURS).all()


def test_who_mated_a_safe_rank_hardly_holds_an_endangered_one() -> None:
    deals = deals_of(careful(begun(dealt(5, seed=3))))
    lone = counts(rK=1)
    table = counts(rK=1, rQ=2)
    mate = Mated(np.array([2]), counts(rQ=1), table, np.zeros(1, np.int64), counts(rQ=1))
    hand = np.zeros((5, 1), np.int64)
    hand[2] = counts(rQ=0)
    plain = seen_of(deals, 0)
    told = seen_of(deals, 0, mated=(mate,))
    share = [
        float((guesses(seen, 2000, np.random.default_rng(1)).hands[2] & 15 * lone >= lone).mean())
        for seen in (plain, told)
    ]
    assert share[1] < 0.6 * share[0]
