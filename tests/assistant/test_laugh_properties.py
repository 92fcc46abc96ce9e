"""Laugh and Lie Down over random deals, with oversights, short takes and claims: what must hold in every one."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import RANKS, Card
from assistant.games.bag import rank_of
from assistant.games.game import Action, IllegalAction, Setup
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.games.laugh_setup import OPTIONS
from assistant.games.settlement import SCALES
from assistant.record import Record, parse_record, record_of, replay
from tests.assistant.laugh_deals import all_cards, begun, dealt, played, without_hands

options = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items() if values}
)
plain_setups = st.builds(dealt, st.sampled_from(sorted(SCALES)), seed=st.integers(0, 10**6), dealer=st.integers(1, 3))
setups = st.builds(
    dealt, st.sampled_from(sorted(SCALES)), seed=st.integers(0, 10**6), dealer=st.integers(1, 3), options=options
)
seeds = st.integers(0, 10**6)
RIGHT_ENOUGH = settings(max_examples=40)


@RIGHT_ENOUGH
@given(setups, seeds)
def test_no_card_is_lost_and_piles_stay_even(setup: Setup, seed: int) -> None:
    for position in played(setup, seed):
        cards = all_cards(position)
        assert len(cards) == 52 == len(set(cards))
        assert all(len(pile) % 2 == 0 for pile in position.places.piles)


@RIGHT_ENOUGH
@given(setups, seeds)
def test_the_unseen_cards_are_those_in_the_hands(setup: Setup, seed: int) -> None:
    for position in played(setup, seed):
        held = [card.rank for hand in position.places.hands for card in hand.cards()]
        assert position.unseen() == {rank: held.count(rank) for rank in RANKS if rank in held}
        assert sum(position.observe().hands.values()) == len(held)


@RIGHT_ENOUGH
@given(setups, seeds)
def test_a_deal_ends_with_one_player_in_and_the_pot_empty(setup: Setup, seed: int) -> None:
    positions = played(setup, seed)
    last = positions[-1]
    assert last.over
    assert len(last.active) == 1
    assert last.turns <= setup.players * SCALES[setup.players].hand + setup.players - 1
    assert all(position.settlement() is None for position in positions if not position.over)
    settlement = last.settlement()
    assert settlement is not None
    seats = settlement["seats"]
    assert sum(seat["net"] for seat in seats) == 0
    assert sum(seat["cards"] for seat in seats) == 52
    assert settlement["pot"] + sum(seat["paid_in"] for seat in seats) == sum(seat["received"] for seat in seats)
    assert all(seat["net"] == seat["received"] - seat["paid_in"] - seat["staked"] for seat in seats)


@RIGHT_ENOUGH
@given(plain_setups, seeds)
def test_the_last_one_in_made_the_last_mate(setup: Setup, seed: int) -> None:
    last = played(setup, seed)[-1]
    assert last.last_in == (last.last_mater or setup.dealer)


def conceivable(position: LaughPosition) -> list[Action]:
    """Mates, lays and takes of every seat that somebody might try with the cards that are there."""
    table = position.places.table.cards()
    tries = []
    for seat, hand in enumerate(position.places.hands, 1):
        tries.append(Action(seat, "lie-down", hand.cards()))
        for card in hand.cards():
            alike = [other for other in table if other.rank == card.rank] or list(table[:1])
            tries += [
                Action(seat, "mate", (card, *some)) for number in (1, 2, 3) for some in combinations(alike, number)
            ]
        for number in (2, 4):
            for some in combinations(hand.cards(), number):
                if number == 2 or len({card.rank for card in some}) == 1:
                    tries.append(Action(seat, "lay", some))
        for rank in range(13):
            if position.places.table.count(rank) == 4:
                tries.append(Action(seat, "take", position.places.table.of_rank(rank)))
    return tries


def refused(position: LaughPosition, action: Action) -> IllegalAction | None:
    try:
        position.apply(action)
    except IllegalAction as error:
        return error
    return None


def unordered(action: Action) -> tuple[int, str, Card | None, frozenset[Card]]:
    return action.seat, action.verb, action.cards[0] if action.verb == "mate" else None, frozenset(action.cards)


@settings(max_examples=15)
@given(setups, seeds)
def test_what_is_called_legal_is_what_is_accepted(setup: Setup, seed: int) -> None:
    positions = played(setup, seed)
    for position in random.Random(seed).sample(positions, min(6, len(positions))):
        listed = [unordered(action) for action in position.legal_actions()]
        assert len(listed) == len(set(listed))
        for action in position.legal_actions():
            position.apply(action)
        for action in conceivable(position):
            error = refused(position, action)
            assert (unordered(action) in listed) == (error is None), (str(action), error)
            assert error is None or error.rule


@RIGHT_ENOUGH
@given(setups, seeds)
def test_every_open_claim_may_be_made_by_its_claimants_only(setup: Setup, seed: int) -> None:
    for position in played(setup, seed):
        for claim in position.claims():
            assert claim.seat not in claim.claimants
            for seat in range(1, setup.players + 1):
                others = [one for one in position.claims() if rank_of(one.cards[0]) == rank_of(claim.cards[0])]
                action = Action(seat, "claim", claim.cards)
                if seat in claim.claimants:
                    after = position.apply(action)
                    assert after.places.piles[seat - 1][-len(claim.cards) :] == claim.cards
                elif len(others) == 1:
                    error = refused(position, action)
                    assert error is not None
                    assert error.rule == "LLD-29"


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


def blurred(action: Action, chance: random.Random) -> Action:
    """The action as an observer may have seen it: suits, or whole cards, of the hand not made out."""
    hidden = 1 if action.verb == "mate" else len(action.cards) if action.verb in ("lay", "lie-down") else 0
    cards = list(action.cards)
    for place in range(hidden):
        if chance.random() < 0.5:
            cards[place] = Card(cards[place].rank, "")
        elif action.verb == "mate" and chance.random() < 0.5:
            cards[place] = Card("", "")
    return Action(action.seat, action.verb, tuple(cards))


@RIGHT_ENOUGH
@given(setups, seeds)
def test_an_observer_who_sees_no_hand_settles_the_same(setup: Setup, seed: int) -> None:
    last = played(setup, seed)[-1]
    seen = begun(without_hands(setup))
    for action in last.actions:
        seen = seen.apply(action)
        assert len(all_cards(seen)) == 52
    assert seen.settlement() == last.settlement()
    assert seen.faults() == last.faults()
    assert seen.claims() == last.claims()
    assert sorted(seen.swept) == sorted(last.swept)


@RIGHT_ENOUGH
@given(setups, seeds, st.booleans())
def test_an_observer_who_sees_cards_in_part_settles_the_same(setup: Setup, seed: int, hands: bool) -> None:
    positions = played(setup, seed)
    chance = random.Random(seed + 1)
    seen = begun(setup if hands else without_hands(setup))
    for before, action in zip(positions, positions[-1].actions, strict=False):
        if action.verb == "claim":  # the suits of what lies there may not be known
            action = Action(action.seat, "claim", tuple(Card(card.rank, "") for card in action.cards))
        elif action.verb == "mate" and len(action.cards) == 2:
            action = Action(action.seat, "mate", (action.cards[0], Card(action.cards[1].rank, "")))
        seen = seen.apply(blurred(action, chance))
        assert len(all_cards(seen)) == 52
        assert before.setup == setup
    last = positions[-1]
    assert seen.settlement() == last.settlement()
    assert seen.unseen() == last.unseen()
    assert [(one.code, one.seat, one.claimed_by) for one in seen.faults()] == [
        (one.code, one.seat, one.claimed_by) for one in last.faults()
    ]


@RIGHT_ENOUGH
@given(setups, seeds)
def test_the_table_offers_every_mate_that_is_made_from_an_unseen_hand(setup: Setup, seed: int) -> None:
    seen = begun(without_hands(setup))
    for action in played(setup, seed)[-1].actions:
        if action.verb == "mate":
            offered = {
                (one.seat, one.verb, one.cards[0].rank, frozenset(one.cards[1:]))
                for one in seen.legal_actions()
                if one.verb == "mate"
            }
            assert (action.seat, "mate", action.cards[0].rank, frozenset(action.cards[1:])) in offered
        elif action.verb == "lie-down":
            assert any(one.verb == "lie-down" for one in seen.legal_actions())
        seen = seen.apply(action)


def test_random_deals_make_mistakes_of_every_kind() -> None:
    """The properties above are worth something only if the deals hold what they speak of."""
    codes = set()
    claimed = 0
    for seed in range(150):
        faults = played(dealt(3 + seed % 4, seed=seed), seed, carelessness=0.8)[-1].faults()
        codes |= {fault.code for fault in faults}
        claimed += sum(fault.claimed_by is not None for fault in faults)
    assert codes == {"C1", "C2", "C3", "C4", "C5"}
    assert claimed > 50


def test_a_record_without_actions_is_a_record() -> None:
    record = Record(dealt(4))
    assert parse_record(record.text()) == record
