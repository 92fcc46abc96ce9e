"""The playouts of Rolling Stone do what the engine does, and guessed deals agree with what is known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assistant.games.game import Action
from assistant.games.rolling_stone import StonePosition
from assistant.games.stone_cards import CARD_AT, SUIT_BITS
from assistant.hints.stone_playouts import LONGEST, Stones, Unseen, guesses, play_out
from tests.assistant.games.stone_deals import OPTION_VALUES, begun, dealt


def stones_of(position: StonePosition, copies: int = 1) -> Stones:
    """The position before the first action, with all hands known, as deals that are alike."""
    none = np.zeros(copies, np.int64)
    assert position.to_act is not None
    hands = np.repeat(np.array([[hand] for hand in position.places.hands], np.int64), copies, 1)
    turn = none + position.to_act - 1
    return Stones(position.rules, hands, turn, none, none, none, none, none, none, none)


@given(
    seed=st.integers(0, 2**32),
    players=st.integers(4, 6),
    options=st.fixed_dictionaries(
        {
            name: st.sampled_from(OPTION_VALUES[name])
            for name in ("direction", "lead_bar", "end_moment", "stop", "score")
        }
    ),
)
@example(
    seed=253169,
    players=5,
    options={
        "direction": "clockwise",
        "lead_bar": "off",
        "end_moment": "last_card_played",
        "stop": "leads_500",
        "score": "points",
    },
)
@settings(max_examples=40, deadline=None)
def test_a_playout_done_again_by_the_engine_is_settled_alike(
    seed: int, players: int, options: Mapping[str, str]
) -> None:
    position = begun(dealt(players, seed=seed, options=options))
    turns: list[tuple[int, int]] = []
    ended = play_out(
        stones_of(position),
        np.random.default_rng(seed),
        recorder=lambda places, seats, cards: turns.append((int(seats[0]), int(cards[0]))),
    )
    for seat, bit in turns:
        card = (CARD_AT[bit.bit_length() - 1],) if bit else ()
        position = position.apply(Action(seat + 1, "play" if bit else "pick-up", card))
    if len(turns) == LONGEST:  # players who go round in circles, with a stop that lies farther off
        assert not position.over
        assert not ended.winners[0]
        return
    assert position.over
    assert int(ended.winners[0]) == sum(1 << seat - 1 for seat in position.winners)
    settlement = position.settlement()
    assert settlement is not None
    sign = -1 if options["score"] == "cards_left" else 1
    assert ended.scores()[:, 0].tolist() == [sign * seat["score"] for seat in settlement["seats"]]


def test_lots_share_their_random_numbers() -> None:
    stones = stones_of(begun(dealt(4, seed=2)), 60)
    ended = play_out(stones, np.random.default_rng(1), repeats=3)
    assert (ended.winners[:20] == ended.winners[20:40]).all()
    assert (ended.winners[:20] == ended.winners[40:]).all()
    assert len(set(ended.winners.tolist())) > 1
    assert (ended.scores().sum(0) == 1).all()


def test_guesses_fill_every_hand_with_what_it_may_hold() -> None:
    position = begun(dealt(4, seed=5))
    known = stones_of(position, 2)
    hands = known.hands.copy()
    unseen = hands[1:].sum(0)
    known = Stones(known.rules, np.vstack([hands[:1], hands[1:] * 0]), known.turn, *(known.led for _ in range(7)))
    allowed = np.array([[unseen[0] & ~SUIT_BITS[0]] * 2, unseen, unseen])
    counts = np.full((3, 2), 8)
    seats = np.array([[1, 1], [2, 2], [3, 3]])
    drawn = guesses(known, Unseen(unseen, seats, allowed, counts), 50, np.random.default_rng(0))
    assert len(drawn) == 100
    assert (np.bitwise_count(drawn.hands) == 8).all()
    assert (drawn.hands[1:].sum(0) == unseen[0]).all()
    assert (drawn.hands[1] & SUIT_BITS[0] == 0).all()
    assert (drawn.hands[0] == hands[0, 0]).all()
    assert len(set(drawn.hands[2].tolist())) > 50
