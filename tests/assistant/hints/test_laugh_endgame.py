"""The endgame of two players: worked examples, and agreement with a search through the engine."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assistant.cards import PACK, Card
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.hints.laugh_endgame import Dealer, stakes_to_come
from tests.assistant.hints.laugh_play import searched
from tests.assistant.laugh_deals import at


def words(cards: list[Card]) -> str:
    return " ".join(map(str, cards))


def endgame(seed: int, dealer: int) -> LaughPosition:
    """Seats 2 and 3 of three are left with a few cards each, the won cards in even piles, seat 2 in turn."""
    rng = random.Random(seed)
    ranks = rng.sample("A23456789TJQK", 5)
    few = [card for card in PACK if card.rank in ranks]
    rng.shuffle(few)
    in_play: list[Card] = []
    for rank in ranks:
        of_rank = [card for card in few if card.rank == rank]
        in_play += of_rank[: rng.choice((2, 4, 4))]
    rng.shuffle(in_play)
    first, second = rng.randint(1, 5), rng.randint(1, 5)
    hands = {2: words(in_play[:first]), 3: words(in_play[first : first + second])}
    table = words(in_play[first + second :])
    return at(table, hands, {1: words([card for card in PACK if card not in in_play])}, players=3, dealer=dealer)


@given(seed=st.integers(0, 2**32), dealer=st.integers(1, 3), asks=st.sampled_from((2, 3)))
@example(seed=361, dealer=1, asks=2)
@settings(max_examples=60, deadline=None)
def test_the_search_agrees_with_the_engine(seed: int, dealer: int, asks: int) -> None:
    position = endgame(seed, dealer)
    places = position.places
    who: dict[int, Dealer] = {1: "out", 2: "in turn", 3: "other"}
    hand, against = places.hands[1].counts(), places.hands[2].counts()
    own, other = stakes_to_come(hand, against, places.table.counts(), bonus=2, dealer=who[dealer])
    # Neither has won a card yet, so each is 14 cards below par; the ante is 2, the dealer's 3.
    nets = (own - 7 - 2 - (dealer == 2), other - 7 - 2 - (dealer == 3))
    asked = searched(position, asks, 5 - asks)
    assert nets == (asked if asks == 2 else asked[::-1])


def counts(**ranks: int) -> int:
    return sum(number << 4 * "A23456789TJQK".index(rank[-1]) for rank, number in ranks.items())


@pytest.mark.parametrize(
    ("hand", "other", "table", "expected"),
    [
        # The last in may mate no more: the pair royal is taken before the other, who has one mate, goes down.
        (counts(rK=1, r2=1), counts(r3=1), counts(rK=3, r2=1, r3=1), (2 + 1 + 5, 1)),
        # A mate each and both fight for the one seven on the table: whoever is in turn takes it and stays in.
        (counts(r7=1, r8=1), counts(r7=1, r9=1), counts(r7=1, r8=1, r9=1), (1 + 1 + 5, 1)),
        # Nothing to mate: the other is the last in.
        (counts(r2=1), counts(r3=1), counts(r4=1), (0, 5)),
    ],
)
def test_examples(hand: int, other: int, table: int, expected: tuple[int, int]) -> None:
    assert stakes_to_come(hand, other, table, bonus=5, dealer="out") == expected
