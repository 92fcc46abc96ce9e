"""How Rolling Stone goes over many deals: the figures of the rules, at small scale, and the simple policies."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import mean, quantiles

import pytest

from assistant.games.rolling_stone import PickUp, StonePosition
from assistant.games.stone_cards import SUIT_BITS
from assistant.games.stone_policies import Policy, attacking, known_voids, longest_high, longest_low
from tests.assistant.games.stone_deals import at, begun, dealt, do, played


def wins(players: int, policy: Policy, deals: int) -> float:
    """The share of deals that a seat with this policy wins among random ones, the seats taking turns."""
    won = 0.0
    for seed in range(deals):
        chance, seat = random.Random(seed), seed % players + 1
        position = begun(dealt(players, seed=seed))
        while not position.over:
            own = position.to_act == seat
            position = position.apply(policy(position) if own else chance.choice(position.legal_actions()))
        won += (seat in position.winners) / len(position.winners)
    return won / deals


def goes_round(position: StonePosition, policy: Policy) -> bool:
    """Whether a deal comes back to a position that it has been in."""
    seen = set()
    while not position.over:
        if not position.trick:
            now = (position.places, position.to_act, position.barred)
            if now in seen:
                return True
            seen.add(now)
        position = position.apply(policy(position))
    return False


@pytest.mark.parametrize(
    ("players", "median", "ninth", "tricks", "pickups"),
    [(4, 18, 35, 5.1, 14.7), (5, 21, 45, 4.4, 19.9), (6, 25, 54, 4.0, 24.7)],
)
def test_random_deals_are_as_long_as_measured_before(
    players: int, median: int, ninth: int, tricks: float, pickups: float
) -> None:
    """Leads, completed tricks and pick-ups a deal, as the figures in the rules have them."""
    ends = [played(dealt(players, seed=seed), seed)[-1] for seed in range(200)]
    tenths = quantiles([end.leads for end in ends], n=10)
    assert abs(tenths[4] - median) <= 3
    assert abs(tenths[8] - ninth) <= 9
    assert abs(mean(sum(map(len, end.piles)) / players for end in ends) - tricks) < 0.3
    assert abs(mean(sum(one.verb == "pick-up" for one in end.actions) for end in ends) - pickups) < 2.5


@pytest.mark.parametrize(("players", "share"), [(4, 0.273), (5, 0.148), (6, 0.115)])
def test_rst_9_the_bar_is_what_keeps_deals_from_going_round(players: int, share: float) -> None:
    """Deterministic players: with the bar no deal goes round in circles, without it many do."""
    endless = {"stop": "off"}
    barless = {"lead_bar": "off", "stop": "leads_800"}
    assert not any(goes_round(begun(dealt(players, seed=seed, options=endless)), longest_high) for seed in range(100))
    round_and_round = [
        goes_round(begun(dealt(players, seed=seed, options=barless)), longest_high) for seed in range(100)
    ]
    assert abs(mean(round_and_round) - share) < 0.1


def test_the_longest_suit_low_wins_more_than_its_share() -> None:
    """33.6% of deals of four and 23.8% of five were measured; a fair share is 25% and 20%."""
    assert wins(4, longest_low, 250) > 0.29
    assert wins(5, longest_low, 250) > 0.21


def test_the_longest_suit_high_wins_a_little_more_than_its_share() -> None:
    assert wins(4, longest_high, 250) > 0.25


HANDS = {1: "7S 8S 9D AH", 2: "TS 7D 8D", 3: "JS 9H TD", 4: "QS KS 7C"}


def test_the_longest_suit_is_led_low_or_high() -> None:
    position = at(HANDS, to_act=1)
    assert str(longest_low(position)) == "1 play 7S"
    assert str(longest_high(position)) == "1 play 8S"
    assert str(attacking(position)) == "1 play 7S"


def test_all_follow_low_and_pick_up_when_they_must() -> None:
    position = at(HANDS, to_act=4, table="7S")
    void = at(HANDS, to_act=2, table="7C")
    for policy in (longest_low, longest_high, attacking):
        assert str(policy(position)) == "4 play QS"
        assert str(policy(void)) == "2 pick-up"


def test_a_known_void_is_attacked_the_later_the_better() -> None:
    diamonds, hearts = (PickUp(seat, SUIT_BITS[suit], 0, ()) for seat, suit in ((2, 2), (4, 1)))
    position = replace(at(HANDS, to_act=1), picked=(diamonds,))
    assert known_voids(position) == {(2, 2)}
    assert str(attacking(position)) == "1 play 9D"
    position = replace(position, picked=(diamonds, hearts))
    assert str(attacking(position)) == "1 play AH"
    assert str(longest_low(position)) == "1 play 7S"


def test_who_holds_what_was_picked_up_is_not_void() -> None:
    position = do(at(HANDS, to_act=1), "1 play AH", "2 pick-up")
    assert known_voids(position) == set()
    hands = {1: "KD QD", 2: "7D AH", 3: "8D 9D", 4: "TD JD"}
    position = do(
        at(hands, to_act=1, table="9H TH JH"), "1 pick-up", "1 play QD", "2 play 7D", "3 play 8D", "4 play TD"
    )
    assert known_voids(position) == set()
