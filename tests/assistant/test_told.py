"""English sentences that know what they are made of."""

from __future__ import annotations

import json

from assistant.cards import Card, parse_cards
from assistant.told import Place, Rank, Seat, Seats, Suit, as_sentence, filled, tell, tell_n, words_of


def test_a_sentence_is_plain_english_text() -> None:
    told = tell("{seat} may lay {cards}.", seat=Seat(4), cards=parse_cards("7H 7?"))
    assert told == "Seat 4 may lay 7H 7?."
    assert json.dumps(told) == '"Seat 4 may lay 7H 7?."'
    assert (told.pattern, told.values["seat"]) == ("{seat} may lay {cards}.", Seat(4))


def test_a_clause_begins_small_and_a_sentence_with_a_capital() -> None:
    clause = tell("{seat} passes", seat=Seat(2))
    assert clause == "seat 2 passes"
    sentence = as_sentence(clause)
    assert sentence == "Seat 2 passes."
    assert as_sentence(sentence) is sentence
    assert as_sentence("the deal is over") == "The deal is over."


def test_values_in_words() -> None:
    assert tell("{suit}, {rank.many}, {rank.a}, {seats}, {place}", suit=Suit("C"), rank=Rank("6"), seats=Seats((3, 1)),
                place=Place("pile 2")) == "clubs, sixes, a six, seats 1 and 3, in pile 2"  # fmt: skip
    assert str(Seats((2,))) == "seat 2"
    assert str(Seats((4, 1, 2), "or")) == "seats 1, 2 or 4"
    assert [str(Place(zone)) for zone in ("table", "nowhere")] == ["on the table", "between the places"]


def test_one_thing_or_several() -> None:
    assert [str(tell_n("{n} card", "{n} cards", n)) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


def test_a_pattern_reaches_into_nothing_but_its_values() -> None:
    """Patterns may come from a file of somebody else's."""
    card = Card.parse("KH")
    assert filled("{card.__class__} {card.code} {other} {}", {"card": card}) == "KH KH {other} {}"


def test_an_error_says_what_it_was_told() -> None:
    told = tell("there is no seat {n}", n=9)
    assert words_of(ValueError(told)) is told
    assert words_of(KeyError(3)) == "3"
    assert words_of(RuntimeError()) == ""
