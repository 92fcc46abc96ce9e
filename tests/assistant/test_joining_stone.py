"""Joining a deal of Rolling Stone under way: turn, hand sizes and trick are right, and play goes on from there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from assistant.cards import PACK, Card, parse_cards
from assistant.events import ActionSeen, DealSeen
from assistant.games.game import UNDER_WAY, Action, IllegalAction, InvalidInput, Position, Setup
from assistant.games.rolling_stone import GAME, StonePosition
from assistant.games.stone_policies import POLICIES
from assistant.games.stone_setup import NAME
from assistant.joining import Answers, CantJoin, as_events
from assistant.joining_stone import Trick, joined, trick
from assistant.record import parse_record, record_of, replay
from assistant.session import EMPTY, advance, begin_deal, begin_session, set_table
from assistant.session_events import without_table
from assistant.signs.signs import Terms
from assistant.view import TABLE, SeenCard, Stillness, TableView, Zone
from tests.assistant.signs.staged_table import QUAD, StagedTable, kinds, lines

TERMS = Terms(NAME, 4, 4)


def played_deal(seed: int, options: Mapping[str, str] | None = None) -> Position:
    """A deal played to its end, its hands open."""
    rng = random.Random(seed)
    players = rng.choice((4, 5, 6))
    pack = list(PACK)
    rng.shuffle(pack)
    position: Position = GAME.deal(
        GAME.shuffled(Setup(NAME, players, rng.randint(1, players), (), {}, options or {}), pack)
    )
    while not position.over:
        assert isinstance(position, StonePosition)
        chosen = rng.choice(list(POLICIES.values()))(position)
        position = position.apply(rng.choice(position.legal_actions()) if rng.random() < 0.4 else chosen)
    return position


def cut(whole: Position, number: int) -> StonePosition:
    """The deal after so many actions, its hands unseen."""
    position: Position = GAME.deal(replace(whole.setup, hands={}))
    for action in whole.actions[:number]:
        position = position.apply(action)
    assert isinstance(position, StonePosition)
    return position


def told(position: StonePosition) -> tuple[Terms, Trick, Answers]:
    """What is seen and asked of a position; the trick's cards in no order."""
    setup, last = position.setup, position.actions[-1:]
    lying = tuple(sorted(position.trick, key=str))
    barred = position.picked[-1].cards[0].suit if last and last[0].verb == "pick-up" else ""
    answers = Answers(position.to_act or 0, dict(position.observe().hands), None, position.trick, barred)
    return Terms(NAME, setup.players, setup.dealer, setup.options), Trick(lying), answers


@pytest.mark.parametrize("seed", range(6))
def test_a_deal_cut_anywhere_is_joined_and_ends_as_it_did(seed: int) -> None:
    options = {"direction": "anticlockwise"} if seed % 2 else {}
    whole = played_deal(seed, options)
    rng = random.Random(seed)
    for number in {0, 1, *(rng.randrange(len(whole.actions)) for _ in range(4))}:
        before = cut(whole, number)
        position: Position = joined(GAME, *told(before))
        assert isinstance(position, StonePosition)
        assert (position.to_act, position.trick, position.led) == (before.to_act, before.trick, before.led)
        assert (position.sizes, position.barred) == (before.sizes, before.barred)
        for action in whole.actions[number:]:
            assert action in position.legal_actions()
            position = position.apply(action)
        assert position.settlement() == whole.settlement()
        assert position.faults() == ()


def test_a_whole_trick_that_still_lies_there_is_the_one_in_turn_s() -> None:
    position = joined(GAME, TERMS, Trick(parse_cards("9C AC TC JC")), Answers(3, {1: 5, 2: 6, 3: 2, 4: 3}))
    assert (position.to_act, position.observe().table) == (3, ())
    assert set(position.observe().piles[3]) == set(parse_cards("9C AC TC JC"))
    assert dict(position.observe().hands) == {1: 5, 2: 6, 3: 2, 4: 3}


def test_what_left_play_before_is_not_known() -> None:
    position = joined(GAME, TERMS, Trick(()), Answers(2, {1: 1, 2: 1, 3: 1, 4: 5}))
    assert sum(position.unseen().values()) == 32
    texts = [fact.text for fact in position.facts()]
    assert "8 clubs are not located: 7C 8C 9C TC JC QC KC AC, with seats 1, 2, 3 or 4 or out of play." in texts
    assert position.apply(Action.parse("2 play 9C")).settlement() == {
        "winners": [2],
        "seats": [
            {"seat": 1, "cards": 1, "score": 0},
            {"seat": 2, "cards": 0, "score": 1},
            {"seat": 3, "cards": 1, "score": 0},
            {"seat": 4, "cards": 5, "score": 0},
        ],
    }


def test_what_was_just_picked_up_may_not_be_led() -> None:
    position = joined(GAME, TERMS, Trick(()), Answers(2, {1: 7, 2: 9, 3: 8, 4: 8}, picked="C"))
    with pytest.raises(IllegalAction, match="may not lead 9C now"):
        position.apply(Action.parse("2 play 9C"))
    position.apply(Action.parse("2 play 9D"))


HELD = {1: 7, 2: 6, 3: 7, 4: 6}


@pytest.mark.parametrize(
    ("lying", "answers", "why"),
    [
        ("9C KC", Answers(3, HELD, None, parse_cards("KC 9C")), ""),
        ("9C KC", Answers(3, HELD), "say in which order"),
        ("9C KC", Answers(3, HELD, None, parse_cards("KC 8C")), "say in which order"),
        ("9C KD", Answers(3, HELD, None, parse_cards("9C KD")), "of several suits"),
        ("9C KC", Answers(3, {**HELD, 1: 8}, None, parse_cards("KC 9C")), "must be a multiple of 4 and at most 32"),
        ("9C", Answers(3, {1: 9, 2: 9, 3: 9, 4: 8}), "must be a multiple of 4 and at most 32"),
        ("9C", Answers(3, {1: 7, 2: 7, 4: 9}), "how many cards seat 3 holds"),
        ("9C", Answers(3, {1: 4, 2: 0, 3: 4, 4: 7}), "seat 2 holds no card any more"),
        ("2C", Answers(3, {1: 5, 2: 4, 3: 5, 4: 5}), "2C is not in the pack"),
    ],
)
def test_what_can_not_be_is_refused_in_one_line(lying: str, answers: Answers, why: str) -> None:
    if not why:
        assert [str(one) for one in joined(GAME, TERMS, Trick(parse_cards(lying)), answers).actions] == [
            "1 play KC",
            "2 play 9C",
        ]
        return
    with pytest.raises(CantJoin, match=why):
        joined(GAME, TERMS, Trick(parse_cards(lying)), answers)


def test_an_empty_hand_is_still_in_where_the_trick_is_played_to_its_end() -> None:
    terms = replace(TERMS, options={"end_moment": "trick_finished"})
    position = joined(GAME, terms, Trick(parse_cards("9C")), Answers(3, {1: 4, 2: 0, 3: 4, 4: 7}))
    assert (position.over, position.to_act) == (False, 3)


def seen(places: Mapping[str, Zone | None]) -> TableView:
    cards = (SeenCard(at, Card.parse(name), 0.99, zone, QUAD) for at, (name, zone) in enumerate(places.items()))
    return TableView(1.0, tuple(cards), Stillness.STILL, 9.0)


def test_what_lies_there_is_read_off_the_view() -> None:
    assert trick(seen({"9C": TABLE, "KC": TABLE, "3H": None, "4H": Zone(2)}), 4) == Trick(parse_cards("9C KC"))
    assert trick(seen({}), 4) == Trick(())
    assert trick(seen({"9C": TABLE, "K?": TABLE}), 4) is None
    assert trick(seen(dict.fromkeys(["9C", "TC", "JC", "QC", "KC"], TABLE)), 4) is None


def test_a_deal_that_was_joined_is_kept_as_a_record() -> None:
    position = joined(GAME, TERMS, Trick(parse_cards("9C KC")), Answers(3, HELD, None, parse_cards("9C KC")))
    text = record_of(position).text()
    assert "options: under_way=1_leads_8-7-7-6" in text
    assert replay(parse_record(text)).position == position
    begun, *rest = as_events(position, 3.0, sure=True)
    assert isinstance(begun, DealSeen)
    assert (begun.confidence, len(rest)) == (0.0, 2)


@pytest.mark.parametrize(
    "value",
    ["yes", "1_leads_8-8-8", "5_leads_8-8-8-8", "1_leads_8-8-8-7", "1_leads_9-9-9-9", "1_leads_8-8-0-8"],
)
def test_an_option_that_can_not_be_is_refused(value: str) -> None:
    with pytest.raises(InvalidInput, match="option under_way says who leads"):
        GAME.deal(Setup(NAME, 4, 1, options={UNDER_WAY: value}))


def test_the_next_deal_begins_at_its_start_and_the_joined_one_stays_joined_when_names_change() -> None:
    setup = Setup(NAME, 4, 4, names=("A", "B", "C", "D"))
    position = joined(GAME, TERMS, Trick(()), Answers(2, {1: 7, 2: 9, 3: 8, 4: 8}))
    state, _ = advance(EMPTY, begin_session(setup))
    state, _ = advance(state, begin_deal(state, replace(position.setup, names=setup.names)))
    assert state.setup == without_table(setup)
    state, _ = advance(state, set_table(state, replace(setup, names=("E", "F", "G", "H"))))
    assert state.deal is not None
    assert state.deal.position.observe().hands == {1: 7, 2: 9, 3: 8, 4: 8}
    assert state.setup is not None
    assert UNDER_WAY not in state.setup.options


def test_what_is_played_after_joining_is_followed() -> None:
    start = joined(GAME, TERMS, Trick(parse_cards("9C")), Answers(3, {1: 7, 2: 2, 3: 7, 4: 7}))
    table = StagedTable(GAME, TERMS, start)
    table.put("9C", TABLE)
    assert table.wait(4) == []
    table.hand(3, over=(TABLE,))
    table.wait(0.4)
    table.put("TC", TABLE)
    assert lines(table.wait(4)) == ["3 play TC"]
    table.hand(4, over=(TABLE,))
    table.wait(0.4)
    table.take("9C TC")
    assert lines(table.wait(4)) == ["4 pick-up"]
    table.hand(4, over=(TABLE,))
    table.wait(0.4)
    table.put("AD", TABLE)
    assert lines(table.wait(4)) == ["4 play AD"]
    assert set(kinds(table.events)) == {ActionSeen.__name__}
    assert table.position is not None
    assert table.position.observe().hands == {1: 7, 2: 2, 3: 6, 4: 8}
