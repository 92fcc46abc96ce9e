"""Cards and bags of cards, fully and partly known."""

from __future__ import annotations

import doctest
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assistant.cards
import assistant.games.bag
from assistant.cards import CARDS, PACK, UNKNOWN, Card, InvalidCard, parse_cards
from assistant.games.bag import ALL_CARDS, Bag, rank_of

cards = st.sampled_from(CARDS)


def test_docstring_examples() -> None:
    assert doctest.testmod(assistant.cards).failed == 0
    assert doctest.testmod(assistant.games.bag).failed == 0


def test_a_pack_holds_52_cards() -> None:
    assert len(set(PACK)) == 52
    assert all(card.known for card in PACK)


@given(cards)
def test_what_is_written_reads_back(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert Card.parse(str(card).lower()) == card
    assert CARDS[card.code] is card
    assert pickle.loads(pickle.dumps(card)) == card


@pytest.mark.parametrize(("text", "card"), [("10D", "TD"), ("10d", "TD"), (" qh ", "QH"), ("10?", "T?"), ("??", "??")])
def test_other_ways_to_write_a_card(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


@pytest.mark.parametrize("text", ["", "1S", "11S", "S", "?S", "XS", "7X", "AS AS", "\N{BLACK SPADE SUIT}A", "7" * 999])
def test_what_is_no_card_is_refused_in_a_short_line(text: str) -> None:
    with pytest.raises(InvalidCard) as caught:
        Card.parse(text)
    assert len(str(caught.value)) < 150


def test_there_is_no_card_of_a_suit_alone() -> None:
    with pytest.raises(InvalidCard):
        Card("", "S")


def test_what_could_be_the_same_card() -> None:
    seven, spade, any_seven = parse_cards("7H 7S 7?")
    assert any_seven.matches(seven)
    assert UNKNOWN.matches(spade)
    assert not seven.matches(spade)


def test_cards_sort_by_rank_from_the_ace() -> None:
    assert " ".join(map(str, sorted(parse_cards("KS TD 2C AS ?? 9H T? AC")))) == "AS AC 2C 9H TD KS T? ??"


@given(st.lists(st.sampled_from(PACK), unique=True), st.lists(st.sampled_from(CARDS[52:]), max_size=6))
def test_a_bag_holds_what_is_put_in(known: list[Card], partly: list[Card]) -> None:
    everything = [*known, *partly]
    bag = Bag.of(everything)
    assert sorted(bag.cards()) == sorted(everything)
    assert bag.size() == len(everything)
    piecewise = Bag()
    for card in everything:
        piecewise = piecewise.add(card)
    assert piecewise == bag == Bag.of(known).add_all(Bag.of(partly))
    for rank in range(13):
        number = sum(rank_of(card) == rank for card in everything)
        assert bag.count(rank) == number == len(bag.of_rank(rank))
        if number <= 4:
            assert bag.counts() >> 4 * rank & 15 == number or any(
                sum(rank_of(card) == lower for card in everything) > 15 for lower in range(rank)
            )


@pytest.mark.parametrize(
    ("bag", "card", "left", "taken"),
    [
        ("7S 8H", "7S", "8H", "7S"),
        ("7S 8H", "7?", "8H", "7S"),  # it can only be that seven
        ("7S 7H", "7?", "7?", "7?"),  # either: a seven stays
        ("7? 8H", "7D", "8H", "7D"),
        ("?? 8H", "7D", "8H", "7D"),
        ("?? ??", "7?", "??", "7?"),
        ("7S ??", "7?", "??", "7?"),  # the known or the unknown one: what stays may be anything
        ("7? 7?", "7?", "7?", "7?"),
    ],
)
def test_taking_a_card_out(bag: str, card: str, left: str, taken: str) -> None:
    start = Bag.of(parse_cards(bag))
    found = start.take(Card.parse(card), ALL_CARDS & ~start.known, ALL_CARDS)
    assert found is not None
    assert " ".join(map(str, found[0].cards())) == left
    assert str(found[1]) == taken


@pytest.mark.parametrize(
    ("bag", "card", "free", "room"), [("8H", "7S", -1, -1), ("?? 7?", "7S", 0, -1), ("??", "7?", -1, 0)]
)
def test_a_card_that_can_not_be_there_is_not_taken(bag: str, card: str, free: int, room: int) -> None:
    assert Bag.of(parse_cards(bag)).take(Card.parse(card), free, room) is None
