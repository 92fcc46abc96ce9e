"""The endgame of Sbros worked out: against trying everything, and what it can't be asked."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import PACK, Card
from assistant.games.sbros import SbrosPosition
from assistant.games.sbros_setup import OPTIONS
from assistant.hints.sbros_endgame import Unsolvable, ranked, solve
from tests.assistant.games.sbros_table import at, begun, covers, folded, played

LATE = ("m2_step", "late_pass", "end_on_first_block")
options = st.fixed_dictionaries({}, optional={name: st.sampled_from(OPTIONS[name]) for name in LATE})


def small_endgame(seed: int, chosen: Mapping[str, str]) -> SbrosPosition:
    """Few cards of few ranks, so that there is something to do."""
    chance = random.Random(seed)
    ranks = chance.sample("A23456789TJQK", 5)
    cards = chance.sample([card for card in PACK if card.rank in ranks], 2 + chance.randint(3, 10))
    split = chance.randint(1, len(cards) - 3)
    words = list(map(str, cards))
    hands = {1: " ".join(words[2 : 2 + split]), 2: " ".join(words[2 + split :])}
    return at(" ".join(words[:2]), hands, to_act=chance.choice((1, 2)), stock=0, options=chosen)


def worth(
    mine: frozenset[Card], theirs: frozenset[Card], left: Card, right: Card, passes: int, rules: Mapping[str, str]
) -> float:
    """The points for the one in turn, by trying everything in the words of the rules."""
    adjacent = rules.get("m2_step") == "adjacent"
    values = []
    for a in mine:
        for b in mine - {a}:
            if covers(left, right, a, b, adjacent):
                rest = mine - {a, b}
                values.append(1 - worth(theirs, rest, a, b, 0, rules) if rest else 1.0)
    if not values or rules.get("late_pass") == "free":
        if passes + 1 == (1 if rules.get("end_on_first_block") == "yes" else 2):
            ahead = len(theirs) - len(mine)
            values.append(1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0)
        else:
            values.append(1 - worth(theirs, mine, left, right, passes + 1, rules))
    return max(values)


def by_trying(position: SbrosPosition) -> float:
    seat = position.to_act
    assert seat is not None
    hands = [frozenset(hand.cards()) for hand in position.places.hands]
    return worth(hands[seat - 1], hands[2 - seat], *position.places.centre, position.passes, position.setup.options)


@settings(max_examples=150)
@given(st.integers(0, 10**9), options)
def test_the_search_finds_what_trying_everything_finds(seed: int, chosen: Mapping[str, str]) -> None:
    position = small_endgame(seed, chosen)
    value, action = solve(position)
    assert value == by_trying(position)
    ranking = ranked(position)
    assert {one for one, _ in ranking} == set(position.legal_actions())
    assert [worth_it for _, worth_it in ranking] == sorted((worth_it for _, worth_it in ranking), reverse=True)
    for one, worth_it in (*ranking, (action, value)):
        after = position.apply(one)
        result = after.settlement()
        if result is None:
            assert worth_it == 1 - by_trying(after)
        else:
            assert worth_it == result["seats"][one.seat - 1]["score"]


def test_two_who_play_their_best_reach_what_was_foretold() -> None:
    for seed in range(12):
        positions = folded(played(seed).record())
        position = positions[(positions[-1].emptied_by or 0) + 1]
        if sum(hand.size() for hand in position.places.hands) > 22 or position.over:
            continue
        seat = position.to_act
        assert seat is not None
        value, action = solve(position)
        while not position.over:
            position = position.apply(action)
            if not position.over:
                _, action = solve(position)
        settlement = position.settlement()
        assert settlement is not None
        assert settlement["seats"][seat - 1]["score"] == value


def test_a_play_that_blocks_the_other_wins() -> None:
    """KC QS leaves seat 2 without a play; then seat 1 is ahead, and nobody can move."""
    position = at("KS QD", {1: "KC QS 2C 5D", 2: "9H 7H 4C 6C"}, to_act=1, stock=0)
    assert solve(position)[0] == 1.0
    assert str(solve(position)[1]) == "1 cover KC QS"


@pytest.mark.parametrize(
    ("position", "code"),
    [
        (begun(played(1).record().setup), "cards-to-draw"),
        (folded(played(1).record())[-1], "deal-over"),
        (at("KS QD", {1: "2C ??", 2: "2H 4H"}, to_act=1, stock=0), "hands-not-known"),
        (at("KS ??", {1: "2C 3C", 2: "2H 4H"}, to_act=1, stock=0), "hands-not-known"),
    ],
)
def test_what_can_not_be_worked_out_is_refused(position: SbrosPosition, code: str) -> None:
    with pytest.raises(Unsolvable) as caught:
        solve(position)
    assert caught.value.code == code


def test_a_search_that_is_too_long_gives_up() -> None:
    position = at("7S 8D", {1: "AS AH 2S 2H 3S 3H 4S 4H", 2: "TS TH JS JH QS QH KS KH"}, to_act=1, stock=0)
    with pytest.raises(Unsolvable) as caught:
        solve(at("7S 7D", {1: "AS AH 2S 2H 3S 3H 4S 4H", 2: "TS TH JS JH QS QH KS KH"}, stock=0), most=5)
    assert caught.value.code == "too-many-positions"
    assert solve(position)[0] in (0.0, 0.5, 1.0)
