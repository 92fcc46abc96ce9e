"""A seat tells its hand: what it may hold, the same deal with that hand, and what it could do."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import PACK, Card, parse_cards
from assistant.games import game_named
from assistant.games.game import Action, GameError, InvalidInput, Position, Setup
from assistant.hints import held, hints_for, holding, offers, possible
from tests.assistant.games.sbros_table import folded
from tests.assistant.games.sbros_table import played as sbros_played
from tests.assistant.games.stone_deals import dealt as stone_dealt
from tests.assistant.games.stone_deals import played as stone_played
from tests.assistant.hints.laugh_play import played_until

TABLE = "2S 2C 3S 4H 5S 7S 8S 8D 8C TS JH KS"


def some_position(game: str, seed: int) -> Position:
    """A position of a deal of which every card is known."""
    if game == "laugh-and-lie-down":
        left = random.Random(seed).randint(2, 5)
        return played_until(left, players=5, seed=seed, dealer=seed % 5 + 1)
    positions: list[Position] = []
    if game == "rolling-stone":
        positions += stone_played(stone_dealt(4, seed=seed), seed=seed, most=200)
    else:
        positions += folded(sbros_played(seed).record())
    return positions[seed % len(positions)]


def as_the_table_sees_it(position: Position) -> Position:
    seen = game_named(position.setup.game).deal(replace(position.setup, hands={}))
    for action in position.actions:
        seen = seen.apply(action)
    return seen


def begun() -> Position:
    return game_named("laugh-and-lie-down").deal(Setup("laugh-and-lie-down", 5, 1, parse_cards(TABLE)))


@pytest.mark.parametrize("game", ["laugh-and-lie-down", "rolling-stone", "sbros"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_a_told_hand_gives_what_a_written_one_gives(game: str, seed: int) -> None:
    whole = some_position(game, seed)
    if whole.over:
        return
    seen = as_the_table_sees_it(whole)
    for seat in range(1, whole.setup.players + 1):
        hand = held(whole, seat)
        assert set(hand) <= possible(seen, seat)
        known = holding(seen, seat, hand)
        assert sorted(held(known, seat)) == sorted(hand)
        assert (known.to_act, known.actions, known.observe()) == (seen.to_act, seen.actions, seen.observe())
        mine = [str(action) for action in whole.legal_actions() if action.seat == seat]
        if whole.to_act == seat:
            assert sorted(map(str, offers(known, seat))) == sorted(mine)
        told = hints_for(known, seat, np.random.default_rng(1), 20)
        written = hints_for(whole, seat, np.random.default_rng(1), 20)
        assert told == written


@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_every_card_that_lies_open_is_refused_by_name(seed: int) -> None:
    seen = as_the_table_sees_it(some_position("laugh-and-lie-down", seed))
    observed = seen.observe()
    for seat in observed.active:
        hand = list(possible(seen, seat))[: observed.hands[seat] - 1]
        for card in [*observed.table, *(card for pile in observed.piles.values() for card in pile)][::5]:
            with pytest.raises(InvalidInput, match=f"^{card} can't be in the hand of seat {seat}: it lies"):
                holding(seen, seat, (*hand, card))


def test_the_reason_says_where_the_card_is() -> None:
    position = begun().apply(Action.parse("2 mate 4C 4H"))
    rest = parse_cards("AS AH AD AC 9S 9H")
    for card, where in (("4C", "it lies in the pile of seat 2"), ("KS", "it lies on the table")):
        with pytest.raises(InvalidInput, match=f"{card} .*: {where}"):
            holding(position, 3, (*rest, Card.parse(card), Card.parse("KC")))


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("AS AH AD AC 9S 9H KC", "holds 8 cards now, not 7"),
        ("AS AH AD AC 9S 9H KC KC", "KC is named twice"),
        ("AS AH AD AC 9S 9H KC 9?", "9\\? is no card of a hand"),
    ],
)
def test_a_hand_that_can_not_be_is_refused(cards: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        holding(begun(), 3, parse_cards(cards))


def test_a_hand_that_what_was_done_gives_the_lie_is_refused() -> None:
    laid = begun().apply(Action.parse("3 lay 9S 9H"))
    assert holding(laid, 3, parse_cards("9D AS AH AD AC KC"))
    with pytest.raises(GameError, match="9S 9H"):
        holding(laid, 3, parse_cards("QD AS AH AD AC KC"))


def test_a_card_that_was_played_unread_is_taken_from_what_is_not_told() -> None:
    position = begun().apply(Action.parse("2 mate K? KS"))
    hand = parse_cards("KH KD AS AH AD AC 9S")
    assert sorted(held(holding(position, 2, hand), 2)) == sorted(hand)


def test_before_its_turn_a_seat_sees_what_it_could_do() -> None:
    known = holding(begun(), 4, parse_cards("4S 9S 9H 9D AS AH KC 6S"))
    assert [str(one) for one in offers(known, 4)] == [
        "4 mate 4S 4H", "4 mate KC KS", "4 lay 9S 9H", "4 lay 9S 9D", "4 lay 9H 9D"
    ]  # fmt: skip
    first, *_ = hints_for(known, 4, np.random.default_rng(0), 10)
    assert first.action.verb == "lay"


def test_a_drawn_card_is_unknown_until_it_is_told() -> None:
    position = game_named("sbros").deal(Setup("sbros", 2, 1, parse_cards("TS 3H")))
    known = holding(position, 2, parse_cards("TH 3D JS 2H KC 5D")).apply(Action.parse("2 cover TH 3D"))
    assert [str(card) for card in held(known, 2)] == ["2H", "5D", "JS", "KC", "??", "??"]
    assert holding(known, 2, parse_cards("2H 5D JS KC AS AD"))
    with pytest.raises(InvalidInput, match="TS can't be"):
        holding(known, 2, parse_cards("2H 5D JS KC AS TS"))


def test_seats_and_games_without_hints_are_refused() -> None:
    assert len(possible(begun(), 1)) == len(PACK) - 12
    with pytest.raises(InvalidInput, match="no seat 6"):
        possible(begun(), 6)
