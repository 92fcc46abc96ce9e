"""Sbros over random deals and options: the engine against a second implementation, and what must hold in every deal."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import PACK, RANKS, UNKNOWN, Card
from assistant.games.game import Action, IllegalAction
from assistant.games.sbros import SbrosPosition
from assistant.games.sbros_setup import OPTIONS
from assistant.record import parse_record, record_of, replay
from tests.assistant.games.sbros_table import RealTable, any_action, begun, careless, folded, played, real_table

options = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()})
seeds = st.integers(0, 10**9)
dealers = st.sampled_from((1, 2))
ENOUGH = settings(max_examples=20)


def replayed(seed: int, dealer: int, chosen: Mapping[str, str]) -> list[tuple[SbrosPosition, RealTable]]:
    """Each position of a random deal with the real table at that moment, every card known."""
    record = played(seed, dealer=dealer, options=chosen).record()
    pairs = []
    position = begun(record.setup)
    for number in range(len(record.actions) + 1):
        table = real_table(seed, dealer=dealer, options=chosen)
        for action in record.actions[:number]:
            table.do(action)
        pairs.append((position, table))
        if number < len(record.actions):
            position = position.apply(record.actions[number])
    return pairs


def refused(position: SbrosPosition, action: Action) -> IllegalAction | None:
    try:
        position.apply(action)
    except IllegalAction as error:
        return error
    return None


@ENOUGH
@given(seeds, dealers, options)
def test_the_engine_says_what_the_second_implementation_says(seed: int, dealer: int, chosen: Mapping[str, str]) -> None:
    for position, table in replayed(seed, dealer, chosen):
        assert {str(action) for action in position.legal_actions()} == {str(action) for action in table.legal()}
        assert position.over == table.over
        assert position.over or position.to_act == table.turn
        assert position.observe().table == tuple(table.centre)
        assert position.places.stock == len(table.stock)
        for seat in (1, 2):
            assert set(position.places.hands[seat - 1].cards()) == set(table.hands[seat])


@settings(max_examples=10)
@given(seeds, dealers, options)
def test_legal_and_apply_agree_on_all_pairs_of_cards(seed: int, dealer: int, chosen: Mapping[str, str]) -> None:
    pairs = replayed(seed, dealer, chosen)
    for position, table in random.Random(seed).sample(pairs, 3):
        if position.over:
            continue
        seat, listed = table.turn, set(position.legal_actions())
        tries = [Action(seat, "cover", pair) for pair in permutations((*table.hands[seat], *table.centre), 2)]
        tries += [Action(seat, "reset", (card,)) for card in PACK] + [Action(seat, "pass")]
        assert len(listed) == len(position.legal_actions())
        for action in tries:
            error = refused(position, action)
            assert (action in listed) == (error is None), (str(action), error)
            assert error is None or (error.rule and error.code)


@ENOUGH
@given(seeds, dealers, options)
def test_no_card_is_lost_and_the_unseen_cards_are_counted_exactly(
    seed: int, dealer: int, chosen: Mapping[str, str]
) -> None:
    for position, table in replayed(seed, dealer, chosen):
        places = position.places
        held = [card for hand in places.hands for card in hand.cards()]
        aside = [*places.resets[0], *places.resets[1]]
        lying = [*places.centre, *places.covered.cards(), *aside, *held]
        assert len(lying) + places.stock == 52
        assert len(set(lying)) == len(lying)
        face_up = chosen.get("reset_face") != "down"
        shown = {card for action in table.actions if face_up or action.verb == "cover" for card in action.cards}
        shown |= set(table.setup.table)
        expected = {rank: 4 - sum(card.rank == rank for card in shown) for rank in RANKS}
        assert dict(position.unseen()) == {rank: number for rank, number in expected.items() if number}


@ENOUGH
@given(seeds, dealers, options, st.sampled_from(["dealt", "none"]))
def test_who_sees_no_hand_follows_the_same_deal(seed: int, dealer: int, chosen: Mapping[str, str], known: str) -> None:
    table = played(seed, dealer=dealer, options=chosen)
    full, blind = folded(table.record()), folded(table.record(known=known))
    for seen, unseen in zip(full, blind, strict=True):
        assert seen.observe() == unseen.observe()
        assert seen.unseen() == unseen.unseen()
        assert seen.settlement() == unseen.settlement()
        assert unseen.faults() == ()
        for hand, truth in zip(unseen.places.hands, seen.places.hands, strict=True):
            assert hand.known & ~truth.known == 0, "a card is held to be in a hand in which it is not"
    for before, action in zip(blind, table.actions, strict=False):
        assert any(offers(one, action) for one in before.legal_actions()), str(action)


def offers(offer: Action, action: Action) -> bool:
    return (offer.seat, offer.verb) == (action.seat, action.verb) and all(
        one.matches(other) for one, other in zip(offer.cards, action.cards, strict=True)
    )


@ENOUGH
@given(seeds, dealers, options)
def test_sbr_14_a_deal_ends_within_its_bound(seed: int, dealer: int, chosen: Mapping[str, str]) -> None:
    """At most 38 turns empty the stock; then each play takes two of at most 50 hand cards, and two passes end it."""
    positions = folded(played(seed, dealer=dealer, options=chosen).record())
    last = positions[-1]
    assert last.over
    assert last.emptied_by is not None
    assert last.emptied_by < 38
    after = [action.verb for action in last.actions[last.emptied_by + 1 :]]
    assert after.count("cover") <= 25
    assert after.count("pass") <= 26
    sizes = [hand.size() for hand in positions[last.emptied_by + 1].places.hands]
    assert sum(sizes) % 2 == 0  # so both are odd or both are even


@ENOUGH
@given(seeds, dealers, options)
def test_a_replay_is_the_fold_and_a_record_reads_back(seed: int, dealer: int, chosen: Mapping[str, str]) -> None:
    record = played(seed, dealer=dealer, options=chosen).record()
    last = folded(record)[-1]
    read = parse_record(record_of(last).text())
    assert read == record
    again = replay(read)
    assert again.ok
    assert again.position == last


@ENOUGH
@given(seeds, options, seeds)
def test_cards_seen_in_part_never_stop_a_right_deal(seed: int, chosen: Mapping[str, str], blur: int) -> None:
    """Whatever of the cards is not made out, the deal goes on: same sizes, same turn, same result."""
    table = played(seed, options=chosen)
    chance = random.Random(blur)
    truth = folded(table.record())
    position = begun(table.record(known=chance.choice(["all", "dealt", "none"])).setup)
    if any(len(hand) > 6 for hand in position.setup.hands.values()):
        position = begun(table.record(known="dealt").setup)  # listed draws would contradict a lost card
    for action, right in zip(table.actions, truth[1:], strict=True):
        cards = tuple(blurred(card, chance) for card in action.cards)
        position = position.apply(Action(action.seat, action.verb, cards))
        assert position.observe().hands == right.observe().hands
        assert (position.to_act, position.settlement()) == (right.to_act, right.settlement())
        for one in chance.sample(position.legal_actions(), min(3, len(position.legal_actions()))):
            position.apply(one)
    assert position.faults() == ()


def blurred(card: Card, chance: random.Random) -> Card:
    return chance.choice((card, card, card, Card(card.rank, ""), UNKNOWN))


def test_sbr_9_and_sbr_13_what_is_proved_wrong_was_wrong() -> None:
    """Careless players put cards aside and pass though they could play; what is proved of it is true."""
    proved = {"wrong-reset": 0, "wrong-pass": 0}
    for seed in range(150):
        table = played(seed, choose=careless)
        position = begun(table.record(known="none").setup)
        real = real_table(seed)
        could_play = []
        for action in table.actions:
            could_play.append(action.verb != "cover" and bool(real.plays(action.seat)))
            real.do(action)
            error = refused(position, action)
            if error is not None:
                assert (error.code, could_play[-1]) == ("play-possible", True)
                break
            position = position.apply(action)
        for fault in position.faults():
            assert could_play[fault.action]
            assert fault.seat == table.actions[fault.action].seat
            proved[fault.code] += 1
    assert proved["wrong-reset"] >= 8
    assert proved["wrong-pass"] >= 3


@pytest.mark.parametrize("chosen", [{}, {"m2_step": "adjacent"}], ids=["any", "adjacent"])
def test_the_figures_of_the_opening_hand(chosen: Mapping[str, str]) -> None:
    """57% of opening hands hold a play, 33% if M2 is adjacent; 1.5 plays on average."""
    numbers = [len(real_table(seed, options=chosen).plays(2)) for seed in range(3000)]
    with_play = sum(number > 0 for number in numbers) / len(numbers)
    assert abs(with_play - (0.33 if chosen else 0.57)) < 0.035  # over three standard errors
    if not chosen:
        assert 1.2 < sum(numbers) / len(numbers) < 1.8


def test_the_figures_of_random_play() -> None:
    """36.1 turns, 19.9 plays, 13.3 resets, 12.5 cards after the exchange; who begins wins a third and draws a third."""
    deals = 250
    positions = [folded(played(seed, choose=any_action).record(known="none")) for seed in range(deals)]
    verbs = [action.verb for deal in positions for action in deal[-1].actions]
    assert abs(len(verbs) / deals - 36.1) < 2
    assert abs(verbs.count("cover") / deals - 19.9) < 1
    assert abs(verbs.count("reset") / deals - 13.3) < 1.5
    after = [deal[(deal[-1].emptied_by or 0) + 1].observe().hands for deal in positions]
    assert abs(sum(sum(hands.values()) for hands in after) / (2 * deals) - 12.5) < 1
    winners = [deal[-1].winner for deal in positions]
    for winner, share in ((2, 0.334), (1, 0.302), (None, 0.364)):
        assert abs(winners.count(winner) / deals - share) < 0.1
    ended_at_once = sum(0 in deal[-1].observe().hands.values() for deal in positions) / deals
    assert ended_at_once < 0.05


def test_careful_play_makes_no_fault() -> None:
    for seed in range(20):
        for known in ("all", "none"):
            assert all(position.faults() == () for position in folded(played(seed).record(known=known)))
