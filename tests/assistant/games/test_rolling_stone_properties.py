"""Rolling Stone over random deals and options: what must hold in every one, and a second implementation compared."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import Card
from assistant.games.game import Action, GameError, Setup
from assistant.games.rolling_stone import StonePosition
from assistant.games.stone_cards import CARD_AT, cards_of, pack_bits
from assistant.games.stone_policies import POLICIES, known_voids
from assistant.record import parse_record, record_of, replay
from tests.assistant.games.naive_stone import NaiveStone
from tests.assistant.games.stone_deals import OPTION_VALUES, begun, dealt, played, without_hands

options = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTION_VALUES.items()})
setups = st.builds(dealt, st.integers(4, 6), seed=st.integers(0, 10**6), dealer=st.integers(1, 4), options=options)
seeds = st.integers(0, 10**6)
RIGHT_ENOUGH = settings(max_examples=30, deadline=None)


def held(position: StonePosition) -> list[Card]:
    return [card for hand in position.places.hands for card in cards_of(hand)]


def strings(setup: Setup) -> dict[int, set[str]]:
    return {seat: set(map(str, cards)) for seat, cards in setup.hands.items()}


@RIGHT_ENOUGH
@given(setups, seeds)
def test_rst_2_no_card_is_lost(setup: Setup, seed: int) -> None:
    pack = sorted(cards_of(pack_bits(setup.players)))
    for position in played(setup, seed):
        piles = [card for pile in position.piles for card in pile]
        assert sorted([*held(position), *position.trick, *piles]) == pack
        assert sum(position.sizes) == len(held(position))
        assert not len(piles) % setup.players
        if not position.trick and not position.over:
            assert not sum(position.sizes) % setup.players


@RIGHT_ENOUGH
@given(setups, seeds)
def test_the_unseen_cards_are_those_that_never_lay_open(setup: Setup, seed: int) -> None:
    position = begun(without_hands(setup))
    hidden = sorted(cards_of(pack_bits(setup.players)))
    for action in played(setup, seed)[-1].actions:
        position = position.apply(action)
        hidden = [card for card in hidden if card not in action.cards]
        ranks = [card.rank for card in hidden]
        assert position.unseen() == {rank: ranks.count(rank) for rank in ranks}
        unseen = sum(slots.number for slots in position.places.slots)
        assert unseen <= len(hidden)
        sure = sum(hand.bit_count() for hand in position.places.hands)
        assert unseen + sure == sum(position.sizes)


@RIGHT_ENOUGH
@given(setups, seeds)
def test_rst_13_a_deal_ends_within_its_bound(setup: Setup, seed: int) -> None:
    """At most eight tricks are completed, and 15n pick-ups in a row between two stop the deal."""
    last = played(setup, seed)[-1]
    assert last.over
    players = setup.players
    stop = setup.options.get("stop", "pickups_15n")
    most = 8 * 15 * players if stop == "pickups_15n" else int(stop.removeprefix("leads_"))
    assert last.leads <= most
    assert len(last.actions) <= most * players
    assert last.run <= 15 * players or stop != "pickups_15n"
    settlement = last.settlement()
    assert settlement is not None
    assert settlement["winners"] == list(last.winners) != []
    if setup.options.get("score") != "cards_left":
        assert abs(sum(seat["score"] for seat in settlement["seats"]) - 1) < 1e-9


@RIGHT_ENOUGH
@given(setups, seeds)
def test_a_naive_second_implementation_says_the_same(setup: Setup, seed: int) -> None:
    naive = NaiveStone(setup, strings(setup))
    positions = played(setup, seed)
    for position, action in zip(positions, positions[-1].actions, strict=False):
        assert {str(one) for one in position.legal_actions()} == naive.legal()
        assert position.to_act == naive.turn
        naive.do(action)
    assert set(positions[-1].winners) == naive.winners
    assert {seat: len(hand) for seat, hand in naive.hands.items()} == positions[-1].observe().hands


def conceivable(position: StonePosition) -> list[Action]:
    """Everything that anybody might try with any card."""
    seats = range(1, position.setup.players + 1)
    plays = [Action(seat, "play", (card,)) for seat in seats for card in CARD_AT]
    return plays + [Action(seat, "pick-up") for seat in seats]


def refused(position: StonePosition, action: Action) -> GameError | None:
    try:
        position.apply(action)
    except GameError as error:
        return error
    return None


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_what_is_called_legal_is_what_is_accepted(setup: Setup, seed: int) -> None:
    positions = played(setup, seed)
    for position in random.Random(seed).sample(positions, min(4, len(positions))):
        listed = list(map(str, position.legal_actions()))
        assert len(listed) == len(set(listed))
        for action in conceivable(position):
            error = refused(position, action)
            assert (str(action) in listed) == (error is None), (str(action), error)
            assert error is None or error.rule.startswith("RST-")


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_rst_15_of_an_unseen_hand_what_is_accepted_is_legal_or_proves_a_revoke(setup: Setup, seed: int) -> None:
    actions = played(setup, seed)[-1].actions
    chance = random.Random(seed)
    for number in chance.sample(range(len(actions) + 1), min(3, len(actions))):
        position = begun(without_hands(setup))
        for action in actions[:number]:
            position = position.apply(action)
        listed = set(map(str, position.legal_actions()))
        for action in conceivable(position):
            error = refused(position, action)
            if str(action) in listed:
                assert error is None
            elif error is None:
                after = position.apply(action)
                told = {notice.code for notice in after.notices()}
                assert after.faults() or "somebody-revoked" in told, str(action)


@RIGHT_ENOUGH
@given(setups, seeds)
def test_a_record_says_the_same_as_the_deal(setup: Setup, seed: int) -> None:
    last = played(setup, seed)[-1]
    record = record_of(last)
    read = parse_record(record.text())
    assert read == record
    assert read.text() == record.text()
    again = replay(read)
    assert again.ok
    assert again.position == last


@RIGHT_ENOUGH
@given(setups, seeds, st.sets(st.integers(1, 4), max_size=3))
def test_an_observer_who_sees_few_hands_follows_and_settles_the_same(setup: Setup, seed: int, seats: set[int]) -> None:
    """Also: what is told as certain is true, and nobody is called a cheat who is none."""
    positions = played(setup, seed)
    seen = begun(without_hands(setup, *seats))
    for position, action in zip(positions, positions[-1].actions, strict=False):
        assert str(action) in set(map(str, seen.legal_actions()))
        seen = seen.apply(action)
        assert seen.sizes == positions[len(seen.actions)].sizes
        known, truth = seen.known(), positions[len(seen.actions)].places.hands
        for seat, hand in enumerate(truth, 1):
            assert not known.hands[seat - 1] & ~hand
            assert not hand & ~(known.hands[seat - 1] | known.possible(seat))
        for fact in seen.facts():
            if fact.code == "holds":
                (holder,) = fact.seats
                assert set(fact.cards) <= set(cards_of(truth[holder - 1]))
        assert position.observe().table == position.trick
    assert seen.settlement() == positions[-1].settlement()
    assert seen.faults() == ()


@RIGHT_ENOUGH
@given(setups, seeds)
def test_known_voids_are_voids(setup: Setup, seed: int) -> None:
    for position in played(setup, seed):
        for seat, suit in known_voids(position):
            assert not position.places.hands[seat - 1] >> 13 * suit & 0x1FFF


@RIGHT_ENOUGH
@given(setups, seeds, st.sampled_from(sorted(POLICIES)))
def test_a_policy_always_does_something_legal_and_needs_no_other_hand(setup: Setup, seed: int, name: str) -> None:
    policy = POLICIES[name]
    positions = played(setup, seed)
    own = {seat: begun(without_hands(setup, seat)) for seat in range(1, setup.players + 1)}
    for position in positions[:-1]:
        assert position.to_act is not None
        action = policy(position)
        assert action in position.legal_actions()
        assert policy(own[position.to_act]) == action
        following = positions[-1].actions[len(position.actions)]
        own = {seat: seen.apply(following) for seat, seen in own.items()}


def test_random_deals_hold_what_the_properties_speak_of() -> None:
    """Pick-ups, completed tricks, stops, shared wins: the properties above are worth something only if these occur."""
    shared = stopped = completed_tricks = pickups = 0
    for seed in range(120):
        finish = {"end_moment": "trick_finished", "stop": "leads_20"}
        last = played(dealt(4 + seed % 3, seed=seed, options=finish), seed)[-1]
        shared += len(last.winners) > 1
        stopped += min(last.sizes) > 0
        completed_tricks += sum(map(bool, last.piles))
        pickups += sum(action.verb == "pick-up" for action in last.actions)
    assert min(shared, stopped) > 5
    assert min(completed_tricks, pickups) > 100
