"""Sentences are stored with what they are made of."""

from __future__ import annotations

import json

import pytest

from assistant.cards import Card, parse_cards
from assistant.games.game import Action
from assistant.told import Listing, Place, Rank, Seat, Seats, Suit, Told, tell, tell_n, together
from assistant.told_form import told_from_json, told_to_json

SENTENCES = (
    tell("It is late."),
    tell("{seat} left the {rank.many} and the {suit} to {others}.", seat=Seat(2), rank=Rank("K"), suit=Suit("H"),
         others=Seats((4, 1), "or")),
    tell_n("{n} card lies {place}", "{n} cards lie {place}", 3, place=Place("reset 1")),
    tell("not {action}: {why}", action=Action.parse("2 mate K? KS"), why=tell("{card} is gone", card=Card.parse("KS"))),
    tell("I see {seen} of {cards} for {s} s: {what}", seen=Listing((Card.parse("7?"), tell("none"))), s=1.5,
         cards=parse_cards("7H TC"), what="much"),
    together([tell("One."), tell("Two."), tell("Three.")]),
)  # fmt: skip


@pytest.mark.parametrize("told", SENTENCES)
def test_a_stored_sentence_is_the_same_again(told: Told) -> None:
    again = told_from_json(json.loads(json.dumps(told_to_json(told))), str(told))
    assert isinstance(again, Told)
    assert (again, again.pattern, again.many, again.values) == (told, told.pattern, told.many, told.values)


def deep(levels: int) -> Told:
    told = tell("deep")
    for _ in range(levels):
        told = tell("{told}", told=told)
    return told


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        {},
        {"pattern": "late", "many": ""},
        {"pattern": "late", "many": "", "values": []},
        {"pattern": "{x}", "many": "", "values": {"x": None}},
        {"pattern": "{x}", "many": "", "values": {"x": {"seat": 0}}},
        {"pattern": "{x}", "many": "", "values": {"x": {"seats": [], "last": "and"}}},
        {"pattern": "{x}", "many": "", "values": {"x": {"place": "pile x"}}},
        {"pattern": "{x}", "many": "", "values": {"x": {"card": "ZZ"}}},
        {"pattern": "{x}", "many": "", "values": {"x": {"action": "?"}}},
        {"pattern": "{x}", "many": "", "values": {"x": {"sound": "bell"}}},
        {"pattern": "{n}", "many": "{n}s", "values": {"n": 1.5}},
        {"pattern": "{n}", "many": "{n}s", "values": {}},
        {"pattern": "Another text.", "many": "", "values": {}},
        told_to_json(deep(50)),
    ],
)
def test_what_can_not_be_said_again_is_the_text_alone(data: object) -> None:
    again = told_from_json(data, "It is late.")
    assert again == "It is late."
    assert not isinstance(again, Told)
