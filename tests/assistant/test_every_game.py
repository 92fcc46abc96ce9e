"""What holds for every game in the folder, whichever they are: random deals, with and without faults."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games import GAMES, game_named
from assistant.games.game import Action, GameError, Position
from assistant.match import match_of
from assistant.record import parse_record, record_of, replay
from tests.playouts import check_end, check_position, claims_of, play_out, shuffled

NAMES = sorted(GAMES)
seeds = st.integers(0, 10**9)


def a_deal(name: str, seed: int, *, faults: bool) -> list[Position]:
    game, chance = game_named(name), random.Random(seed)
    return list(play_out(game, shuffled(game, chance.choice(game.players), chance), chance, faults=faults))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(seeds, st.booleans())
def test_random_deals_end_and_settle(name: str, seed: int, faults: bool) -> None:
    positions = a_deal(name, seed, faults=faults)
    for position in positions:
        check_position(position)
    check_end(GAMES[name], positions[-1])
    match = match_of(positions[-1:])
    assert match.unit != "stakes" or sum(match.account) == 0
    assert match.next_dealer == positions[-1].next_dealer


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8)
@given(seeds)
def test_legal_actions_are_accepted_and_a_position_never_changes(name: str, seed: int) -> None:
    positions = a_deal(name, seed, faults=True)
    for position in random.Random(seed).sample(positions, min(5, len(positions))):
        before = (position.observe(), position.faults(), position.to_act, position.actions)
        actions = position.legal_actions()
        assert len(set(actions)) == len(actions)
        for action in (*actions, *claims_of(position)):
            assert position.apply(action).actions == (*position.actions, action)
        assert (position.observe(), position.faults(), position.to_act, position.actions) == before


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8)
@given(seeds)
def test_undo_is_the_fold_of_the_shorter_log_and_a_record_says_all(name: str, seed: int) -> None:
    positions = a_deal(name, seed, faults=True)
    for shorter, longer in pairwise(positions):
        assert shorter.actions == longer.actions[:-1]
    chosen = random.Random(seed).choice(positions)
    text = record_of(chosen).text()
    done = replay(parse_record(text))
    assert done.ok
    assert done.position == chosen
    assert record_of(done.position).text() == text


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8)
@given(seeds)
def test_what_can_not_be_done_is_refused_with_a_code(name: str, seed: int) -> None:
    """Actions of another moment, another seat, another verb: accepted only where they are legal by themselves."""
    chance = random.Random(seed)
    positions = a_deal(name, seed, faults=True)
    everything = positions[-1].actions
    for position in chance.sample(positions, min(4, len(positions))):
        for action in chance.sample(everything, min(6, len(everything))):
            seat = chance.randint(0, position.setup.players + 1)
            tried = Action(seat, chance.choice((*GAMES[name].verbs, action.verb)), action.cards)
            error = refusal(position, tried)
            if error is not None:
                assert error.code
                assert error.rule or error.code in ("unknown-verb", "no-such-seat", "bad-card")
                assert "\n" not in error.reason


def refusal(position: Position, action: Action) -> GameError | None:
    try:
        position.apply(action)
    except GameError as error:
        return error
    return None


@pytest.mark.parametrize("name", NAMES)
def test_a_game_says_what_it_is(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert game.title
    assert list(game.players) == sorted(game.players)
    assert game.unit in ("stakes", "points")
    assert all(isinstance(value, str) for values in game.options.values() for value in values)
