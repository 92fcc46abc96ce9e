"""What follows with certainty in Laugh and Lie Down (section 1.D of the rules): stated with its reason, never wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import parse_cards
from assistant.games.game import Action, Fact, Setup
from assistant.games.laugh_and_lie_down import LaughPosition
from tests.assistant.laugh_deals import LAUGH, at, begun, dealt, played, without_hands

TABLE = "KS 7S 8S 8H TS JS QS 2S 3S 4S 5S 6S"


def told(position: LaughPosition, code: str) -> list[str]:
    return [fact.text for fact in position.facts() if fact.code == code]


def seen(setup: Setup, *lines: str) -> LaughPosition:
    position = begun(without_hands(setup))
    for line in lines:
        position = position.apply(Action.parse(line))
    return position


def test_lld_9b_who_lays_two_of_which_no_pair_is_won_has_a_third() -> None:
    position = seen(dealt(5, table=TABLE), "4 lay 9H 9D")
    fact = Fact("holds", "Seat 4 holds 9?: who lays two nines of which no pair was won has a third.", "LLD-9b", (4,))
    assert [(one.code, one.text, one.rule, one.seats) for one in position.facts() if one.seats] == [
        (fact.code, fact.text, fact.rule, fact.seats)
    ]
    assert len(told(position, "last-two")) == 1


def test_lld_9c_the_last_two_of_a_rank_are_in_hands() -> None:
    start = seen(dealt(5, table=TABLE))
    assert told(start, "last-two") == []
    won = start.apply(Action.parse("2 mate KH KS"))
    fact = next(one for one in won.facts() if one.code == "last-two")
    assert (fact.cards, fact.rule) == (parse_cards("K? K?"), "LLD-9c")
    assert fact.text.startswith("The last two kings are in hands: who holds both may lay them")


def test_lld_13_a_rank_of_which_no_hand_holds_a_card_is_dead() -> None:
    position = at("QD QC 2S", {2: "2H", 3: "3S", 4: "4S"}, {2: "QS QH"})
    assert told(position, "dead") == ["Nobody can mate QD QC any more: no queens are left in hands."]
    assert told(position, "safe") == []
    assert all(fact.rule == "LLD-13" for fact in position.facts() if fact.code == "dead")


@pytest.mark.parametrize(
    ("table", "won", "safe"), [("9S 9H", "9D", True), ("9S 9H 9D", "", True), ("9S 9H", "", False), ("9S", "9H", False)]
)
def test_lld_13_the_last_of_a_rank_has_a_safe_mate_where_two_lie(table: str, won: str, safe: bool) -> None:
    position = at(table, {2: "2H", 3: "3S", 4: "4S"}, {2: won})
    assert bool(told(position, "safe")) == safe


def test_two_players_left_know_each_other_and_the_camera_the_last() -> None:
    full = dealt(5, seed=5)
    own = begun(Setup(LAUGH, 5, 1, full.table, {seat: hand for seat, hand in full.hands.items() if seat != 3}))
    fact = next(one for one in own.facts() if one.code == "holds")
    assert fact.seats == (3,)
    assert set(fact.cards) == set(full.hands[3])
    assert fact.text.endswith("all other cards are elsewhere.")
    whole = played(full, 3)
    seen_only = begun(without_hands(full))
    for action in whole[-1].actions:
        seen_only = seen_only.apply(action)
    left = seen_only.places.hands[seen_only.active[0] - 1]
    assert sorted(left.cards()) == sorted(whole[-1].places.hands[seen_only.active[0] - 1].cards())
    assert {fact.code for fact in seen_only.facts()} <= {"holds"}


def test_a_hand_holds_what_the_others_have_no_room_for() -> None:
    """Three nines are unseen and the other unseen hand has one card left, so at least two are in the larger hand."""
    won = " ".join(f"{rank}{suit}" for rank in "A345678TJQK" for suit in "SHDC" if rank + suit != "KC")
    position = at("2S", {2: "?? ?? ??", 3: "??"}, {2: "9S 2C", 3: "2H 2D", 4: won})
    position = replace(position, places=position.places.deduced())
    fact = next(one for one in position.facts() if one.code == "holds")
    assert (fact.seats, fact.cards) == ((2,), parse_cards("9? 9?"))
    assert fact.text == "Seat 2 holds 9? 9?: the other hands have no room for them."


@settings(max_examples=40)
@given(st.sampled_from((3, 4, 5, 6)), st.integers(0, 10**6), st.sets(st.integers(1, 6)))
def test_a_fact_is_true(players: int, seed: int, known: set[int]) -> None:
    """Whatever an observer who sees only some of the hands is told holds in the deal as it really is."""
    setup = dealt(players, seed=seed)
    hidden = {seat: hand for seat, hand in setup.hands.items() if seat in known}
    seen = begun(Setup(LAUGH, players, 1, setup.table, hidden))
    whole = played(setup, seed)
    for truth, action in zip(whole, [*whole[-1].actions, None], strict=True):
        for fact in seen.facts():
            assert fact.text.endswith(".")
            assert fact.rule
            if fact.code == "holds":
                held = list(truth.places.hands[fact.seats[0] - 1].cards())
                for card in fact.cards:
                    held.remove(next(one for one in held if card.matches(one)))
            elif fact.code in ("dead", "safe"):
                holders = [seat for seat in truth.active if _has(truth, seat, fact.cards[0].rank)]
                assert len(holders) == (fact.code == "safe")
                assert set(fact.cards) <= set(truth.places.table.cards())
            else:
                assert fact.code == "last-two"
                assert sum(_has(truth, seat, fact.cards[0].rank) for seat in truth.active) == 2
        if action is not None:
            seen = seen.apply(action)


def _has(position: LaughPosition, seat: int, rank: str) -> int:
    return sum(card.rank == rank for card in position.places.hands[seat - 1].cards())
