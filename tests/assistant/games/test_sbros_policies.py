"""The simple policies of Sbros: what they prefer, that they peep into no hand, and that they are worth something."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import pytest

from assistant.cards import parse_cards
from assistant.games.bag import Bag
from assistant.games.game import Action, InvalidInput, Setup
from assistant.games.sbros import SbrosPosition
from assistant.games.sbros_policies import (
    POLICIES,
    Policy,
    expected_replies,
    fewest_replies,
    known_to,
    narrow_gap,
    to_put_aside,
)
from tests.assistant.games.sbros_table import SBROS, RealTable, at, begun, covers, do, folded, played, real_table


def with_hands(position: SbrosPosition, table: RealTable) -> SbrosPosition:
    """The position with both hands as they really are."""
    places = position.places
    hands = Bag.of(table.hands[1]), Bag.of(table.hands[2])
    placed = places.placed._replace(known=places.placed.known | hands[0].known | hands[1].known)
    return replace(position, places=places._replace(hands=hands, placed=placed))


def score_of(policies: Mapping[int, Policy | None], seed: int, options: Mapping[str, str] | None = None) -> float:
    """The points of seat 1; a seat without a policy plays at random."""
    table, chance = real_table(seed, options=options), random.Random(seed)
    position = with_hands(begun(table.record(known="dealt").setup), table)
    while not position.over:
        policy = policies[table.turn]
        action = policy(position) if policy else chance.choice(table.legal())
        assert action in table.legal()
        table.do(action)
        position = with_hands(position.apply(action), table)
    settlement = position.settlement()
    assert settlement is not None
    return float(settlement["seats"][0]["score"])


@pytest.mark.parametrize("name", sorted(POLICIES))
@pytest.mark.parametrize(
    "options", [{}, {"m2_step": "adjacent", "merge": "own"}, {"reset_face": "down", "reset_repeat": "until_playable"}]
)
def test_a_policy_does_only_what_is_legal(name: str, options: Mapping[str, str]) -> None:
    for seed in range(4):
        score_of({1: POLICIES[name], 2: POLICIES[name]}, seed, options)


def test_fewest_replies_beats_random_play() -> None:
    """About 56% over many deals; here each of 100 deals is played from both seats."""
    points = sum(
        score_of({1: fewest_replies, 2: None}, seed) + 1 - score_of({1: None, 2: fewest_replies}, seed)
        for seed in range(100)
    )
    assert points / 200 > 0.5


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_a_policy_peeps_into_no_hand_and_no_stock(name: str) -> None:
    """What it does is the same whatever the other holds that it can't know."""
    for seed in range(6):
        table = played(seed)
        for number, position in enumerate(folded(table.record())):
            seat = position.to_act
            if seat is None or number % 4:
                continue
            setup = table.record().setup
            own = Setup(SBROS, 2, 1, setup.table, {seat: setup.hands[seat]})
            seen = begun(own)
            for action in table.actions[:number]:
                seen = seen.apply(action)
            assert known_to(seen, seat) == known_to(position, seat)
            assert POLICIES[name](seen) == POLICIES[name](position)


def test_what_a_seat_knows() -> None:
    position = at("TS 3H", {1: "2C 4C 6C 8C TC QC", 2: "2H 4H 6H 8H TH QH"}, resets={1: "AS", 2: "KS"})
    known = known_to(position, 1)
    assert known.hand == Bag.of(parse_cards("2C 4C 6C 8C TC QC")).known
    assert (known.theirs, known.hidden, known.unseen.bit_count()) == (0, 6, 52 - 6 - 2 - 2)
    with pytest.raises(InvalidInput) as caught:
        known_to(begun(Setup(SBROS, 2, 1, parse_cards("TS 3H"))), 1)
    assert caught.value.code == "hand-not-known"
    last = folded(played(4).record())
    after = last[(last[-1].emptied_by or 0) + 1]
    assert known_to(after, 1)[1:] == (after.places.hands[1].known, 0, 0)


def test_expected_replies_are_the_mean_over_all_hands() -> None:
    position = at("KS QD", {1: "KC QS 2C 5D", 2: "?? ??"}, to_act=1, stock=0)
    free = "9H 7H 4C 6C KD"
    places = position.places
    hidden = Bag.of(parse_cards(free)).known
    position = replace(
        position,
        places=places._replace(
            stock=3,
            covered=Bag(places.covered.known & ~hidden),
            placed=places.placed._replace(known=places.placed.known & ~hidden),
        ),
    )
    play = Action.parse("1 cover KC QS")
    hands = list(combinations(parse_cards(free), 2))
    left, right = play.cards
    mean = sum(covers(left, right, a, b) + covers(left, right, b, a) for a, b in hands) / len(hands)
    assert expected_replies(position, play, known_to(position, 1)) == pytest.approx(mean)


def test_a_narrow_gap_is_preferred_and_a_pair_is_avoided() -> None:
    position = at("TS 3H", {2: "4S 4D 9H 9C TD 3C"})
    assert str(narrow_gap(position)) == "2 cover 4S 9H"
    assert str(narrow_gap(at("TS 3H", {2: "4S 4D 9C 2D 8C KD"}))) in ("2 cover 4S 4D", "2 cover 4D 4S")


def test_a_single_card_is_put_aside_and_no_pair_is_fed() -> None:
    position = at("KS QD", {2: "5S 5D 2C 7H 9D 9C"}, resets={2: "2S"})
    assert str(fewest_replies(position)) == "2 reset 7H"
    assert to_put_aside(position, known_to(position, 2)) == parse_cards("7H")[0].code
    own = at("KS QD", {2: "5S 5D 2C 7H 9D 9C"}, resets={2: "2S"}, options={"merge": "own"})
    assert str(fewest_replies(own)) == "2 reset 2C"


def test_with_no_play_after_the_exchange_it_passes() -> None:
    position = do(at("KS QD", {1: "2C 4C", 2: "2H 4H KC QS"}, to_act=1, stock=0))
    assert [str(policy(position)) for policy in POLICIES.values()] == ["1 pass", "1 pass"]
