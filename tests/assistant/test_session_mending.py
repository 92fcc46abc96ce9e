from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import session
from assistant.cards import PACK, parse_cards
from assistant.games import game_named
from assistant.games.game import Action, GameError, IllegalAction, Position, Setup, StaleInput
from assistant.session_events import Reexplained, TableDisagrees, event_from_json, event_to_json
from tests.assistant.test_session import DEAL, Log

UNSEEN = replace(DEAL.setup, hands={})
SHORT = Setup("laugh-and-lie-down", 5, 5, parse_cards("KS KD 7S 7H 7C 2D 3C 4H 5S 6D JC QC"))


def begun(setup: Setup, *lines: str) -> Log:
    log = Log(setup)
    log.deal(setup)
    log.play(*map(Action.parse, lines))
    return log


def lines(log: Log) -> list[str]:
    return [str(done.action) for done in log.running.done]


def test_a_card_that_was_misread_makes_the_mate_another_one() -> None:
    log = begun(SHORT, "1 mate 4? 4H", "2 mate K? KS")
    before = log.running
    log.write(session.correct(log.state, "4H", "9H"))
    assert lines(log) == ["1 mate 9? 9H", "2 mate K? KS"]
    assert [done.sure for done in log.running.done] == [False, True]
    assert log.running.doubts == ("Not sure of: 1 mate 9? 9H.",)
    log.write(session.undo(log.state))
    assert (log.running.done, log.position) == (before.done, before.position)
    assert log.running.sure


def test_an_action_is_replaced_and_replaced_again() -> None:
    log = begun(SHORT, "1 mate 4? 4H", "2 mate K? KS")
    for line in ("1 mate K? KD", "1 mate Q? QC"):
        log.write(session.change(log.state, log.running.done[0].seq, Action.parse(line), instead=True))
        assert lines(log) == [line, "2 mate K? KS"]
    assert log.running.sure
    log.write(session.undo(log.state))
    assert lines(log) == ["1 mate K? KD", "2 mate K? KS"]


def test_what_can_be_explained_in_several_ways_is_left_out_until_somebody_says_it_is_right() -> None:
    log = begun(SHORT, "1 mate 4? 4H", "2 mate J? JC", "3 mate 7? 7S 7H 7C")
    before = log.running
    log.write(session.change(log.state, before.done[0].seq, Action.parse("1 mate J? JC"), instead=True))
    assert lines(log) == ["1 mate J? JC"]
    assert [str(one.action) for one in log.running.left_out] == ["2 mate J? JC", "3 mate 7? 7S 7H 7C"]
    assert not log.running.sure
    log.write(session.confirm(log.state, log.entries[-1].seq))
    assert log.running.sure
    log.write(session.undo(log.state))
    assert (log.running.done, log.position) == (before.done, before.position)


def test_a_missed_action_is_put_in_where_it_belongs() -> None:
    log = begun(SHORT, "1 mate 4? 4H", "2 mate K? KS")
    log.write(session.change(log.state, log.running.done[1].seq, Action.parse("4 lay AS AH AD AC"), instead=False))
    assert lines(log) == ["1 mate 4? 4H", "4 lay AS AH AD AC", "2 mate K? KS"]
    assert log.running.done[1].by == "hand"
    assert log.running.sure
    with pytest.raises(IllegalAction):
        session.change(log.state, log.running.done[0].seq, Action.parse("3 mate K? KS"), instead=True)
    with pytest.raises(StaleInput):
        session.change(log.state, 1, Action.parse("1 mate K? KS"), instead=True)


def test_a_whole_correction_is_stored_and_read() -> None:
    event = Reexplained(
        "4H", "9H", 3, Action.parse("1 mate 9? 9H"), 3, True, ((4, None), (5, Action.parse("2 mate K? KD")))
    )
    assert event_from_json("re-explained", event_to_json(event)) == event
    assert event_from_json("re-explained", event_to_json(Reexplained())) == Reexplained()


def test_an_older_disagreement_is_still_read() -> None:
    read = event_from_json("table-disagrees", {"text": "The 7 of spades is missing."})
    assert read == TableDisagrees("The 7 of spades is missing.")


# --- whatever is dealt, done and corrected --------------------------------------------------------------------------


@st.composite
def deals(draw: st.DrawFn) -> Log:
    """A part of a random deal of any game, its hands seen or not."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    name = draw(st.sampled_from(("laugh-and-lie-down", "rolling-stone", "sbros")))
    game = game_named(name)
    players = draw(st.sampled_from(game.players))
    setup = game.shuffled(Setup(name, players, chance.randint(1, players)), chance.sample(PACK, 52))
    setup = setup if draw(st.booleans()) else replace(setup, hands={})
    log = Log(setup)
    log.deal(setup)
    for _ in range(draw(st.integers(1, 24))):
        if log.position.over:
            break
        action = chance.choice(log.position.legal_actions())
        try:
            log.play(action)
        except GameError:
            continue
    return log


def corrected(log: Log, data: st.DataObject) -> bool:
    """Whether something was corrected that the rules don't rule out by themselves."""
    entries = [done.seq for done in log.running.done] + [entry.seq for entry in log.running.corrections]
    kind = data.draw(st.sampled_from(("card", "card", "out", "put", "instead")))
    try:
        if kind == "card":
            was, now = data.draw(st.sampled_from(PACK)), data.draw(st.sampled_from(PACK))
            events = session.correct(log.state, str(was), str(now))
        elif kind == "out":
            events = session.undo(log.state, data.draw(st.sampled_from(entries)))
        else:
            place = data.draw(st.integers(0, len(log.running.done) - 1))
            at: Position = replayed(log, place)
            action = data.draw(st.sampled_from(at.legal_actions()))
            events = session.change(log.state, log.running.done[place].seq, action, instead=kind == "instead")
        log.write(events)
    except GameError:
        return False
    return bool(events)


def replayed(log: Log, count: int) -> Position:
    position = game_named(log.position.setup.game).deal(log.position.setup)
    for done in log.running.done[:count]:
        position = position.apply(done.action)
    return position


@settings(max_examples=150, deadline=None)
@given(deals(), st.data())
def test_a_correction_leaves_a_legal_deal_and_undo_restores_it(log: Log, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        if not log.running.done:
            return
        before = log.running
        if not corrected(log, data):
            assert log.running == before
            continue
        assert replayed(log, len(log.running.done)) == log.position
        assert session.fold(log.entries) == log.state
        settlement = log.position.settlement() if log.position.over else None
        if settlement and "pot" in settlement:
            assert sum(seat["net"] for seat in settlement["seats"]) == 0
        last = log.entries[-1]
        if last.kind != "undone":
            after = log.running
            log.write(session.undo(log.state))
            assert same(log.running) == same(before)
            log.write(session.redo(log.state))
            assert same(log.running) == same(after)


def same(deal: session.Deal) -> tuple[object, ...]:
    return deal.position, deal.done, deal.left_out, deal.doubts, deal.corrections
