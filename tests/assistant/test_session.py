from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import session
from assistant.cards import PACK, Card
from assistant.games import game_named
from assistant.games.game import Action, GameError, IllegalAction, InvalidInput, Position, Setup, StaleInput
from assistant.record import Record, parse_record
from assistant.session import EMPTY, SessionState, advance, fold, resume
from assistant.session_events import (
    ActionTaken,
    Asked,
    Entry,
    MisplayNoticed,
    MisplaysCleared,
    SessionEvent,
    SessionResumed,
    TableDisagrees,
    event_from_json,
    event_to_json,
)

HERE = Path(__file__).parent
DEAL: Record = parse_record((HERE / "deal_1.deal").read_text(encoding="utf-8"))
LINES = tuple(DEAL.actions)


class Log:
    """A session with its log, as whoever keeps it would hold it."""

    def __init__(self, setup: Setup = DEAL.setup) -> None:
        self.state: SessionState = EMPTY
        self.entries: list[Entry] = []
        self.write(session.begin_session(setup))

    def write(self, events: tuple[SessionEvent, ...]) -> None:
        self.state, entries = advance(self.state, events)
        self.entries += entries

    def deal(self, setup: Setup = DEAL.setup) -> None:
        self.write(session.begin_deal(self.state, setup))

    def play(self, *actions: Action) -> None:
        for action in actions:
            self.write((ActionTaken(action),))

    @property
    def running(self) -> session.Deal:
        assert self.state.deal is not None
        return self.state.deal

    @property
    def position(self) -> Position:
        return self.running.position


def dealt(count: int = 0) -> Log:
    log = Log()
    log.deal()
    log.play(*LINES[:count])
    return log


def test_a_whole_deal_settles_and_goes_into_the_account() -> None:
    log = dealt(len(LINES))
    assert log.position.over
    log.write(session.next_deal(log.state))
    assert log.state.deal is None
    assert log.state.account == (1, 0, 6, -4, -3)
    assert log.state.setup is not None
    assert log.state.setup.dealer == DEAL.setup.dealer % 5 + 1


def test_the_deal_passes_round_the_table_and_the_account_runs_on() -> None:
    log = Log()
    dealers = []
    for _ in range(6):
        assert log.state.setup is not None
        dealers.append(log.state.setup.dealer)
        log.deal(replace(DEAL.setup, dealer=1))
        log.play(*LINES)
        log.write(session.next_deal(log.state))
        log.write(session.set_table(log.state, replace(log.state.setup, dealer=dealers[-1] % 5 + 1)))
    assert dealers == [1, 2, 3, 4, 5, 1]
    assert log.state.account == (6, 0, 36, -24, -18)
    assert sum(log.state.account) == 0
    assert [deal.number for deal in log.state.closed] == [1, 2, 3, 4, 5, 6]


def test_next_deal_waits_for_the_end() -> None:
    log = dealt(3)
    with pytest.raises(IllegalAction, match="not over"):
        session.next_deal(log.state)


def test_a_new_deal_closes_the_settled_one_by_itself() -> None:
    log = dealt(len(LINES))
    log.deal(replace(DEAL.setup, dealer=2))
    assert log.state.account == (1, 0, 6, -4, -3)
    assert log.running.number == 2


def test_undo_takes_back_the_newest_and_redo_does_it_again() -> None:
    log = dealt(5)
    before = log.position
    log.play(LINES[5])
    after = log.position
    log.write(session.undo(log.state))
    assert log.position == before
    log.write(session.redo(log.state))
    assert log.position == after


def test_redo_ends_with_something_new() -> None:
    log = dealt(3)
    log.write(session.undo(log.state))
    log.play(LINES[2])
    with pytest.raises(IllegalAction):
        session.redo(log.state)


def test_an_earlier_action_is_taken_out_and_what_stays_possible_stays() -> None:
    log = dealt(6)
    lay = next(done for done in log.running.done if done.action.verb == "lay")
    log.write(session.undo(log.state, lay.seq))
    assert log.entries[-1].kind == "undone"
    assert log.position.actions == tuple(line for line in LINES[:6] if line != lay.action)


def test_nothing_to_undo_is_said() -> None:
    log = dealt()
    with pytest.raises(IllegalAction, match="nothing"):
        session.undo(log.state)
    with pytest.raises(IllegalAction, match="nothing"):
        session.redo(log.state)


def test_the_same_thing_is_not_undone_twice() -> None:
    log = dealt(2)
    target = log.running.done[-1].seq
    log.write(session.undo(log.state, target))
    with pytest.raises(StaleInput):
        session.undo(log.state, target)


def test_a_misread_table_card_is_exchanged_everywhere() -> None:
    swapped = {Card.parse("7S"): Card.parse("7C"), Card.parse("7C"): Card.parse("7S")}
    wrong = _exchanged(DEAL.setup, swapped)
    log = Log()
    log.deal(wrong)
    for action in LINES[:8]:
        log.play(replace(action, cards=tuple(swapped.get(card, card) for card in action.cards)))
    log.write(session.correct(log.state, "7C", "7S"))
    right = game_named(DEAL.setup.game).deal(DEAL.setup)
    for action in LINES[:8]:
        right = right.apply(action)
    assert log.position == right
    log.play(*LINES[8:])
    assert log.position.settlement() is not None


def test_a_correction_can_be_undone() -> None:
    log = dealt(4)
    before = log.position
    log.write(session.correct(log.state, "7S", "7C"))
    assert log.position != before
    log.write(session.undo(log.state))
    assert log.position == before


@pytest.mark.parametrize(("was", "now"), [("7?", "7S"), ("7S", "??"), ("7S", "11S")])
def test_only_known_cards_are_corrected(was: str, now: str) -> None:
    with pytest.raises(InvalidInput):
        session.correct(dealt().state, was, now)


def test_an_answered_question_becomes_its_actions() -> None:
    log = dealt()
    log.write((Asked(((LINES[0], LINES[1]), (LINES[0],)), "Which?"),))
    question = log.running.questions[0]
    assert not log.running.sure
    log.write(session.answer(log.state, question.seq, 0))
    assert log.position.actions == LINES[:2]
    assert log.running.sure
    with pytest.raises(StaleInput):
        session.answer(log.state, question.seq, 1)


def test_something_else_closes_the_question_without_an_action() -> None:
    log = dealt()
    log.write((Asked(((LINES[0],),), "Which?"),))
    log.write(session.answer(log.state, log.running.questions[0].seq, None))
    assert not log.running.questions
    assert not log.position.actions


def test_an_action_by_hand_withdraws_the_question() -> None:
    log = dealt()
    log.write((Asked(((LINES[0],),), "Which?"),))
    log.write(session.act(log.state, LINES[0]))
    assert not log.running.questions
    assert log.running.done[-1].by == "hand"


def test_an_unsure_action_makes_the_settlement_unsure_until_confirmed() -> None:
    log = dealt(len(LINES) - 1)
    log.write((ActionTaken(LINES[-1], sure=False, confidence=0.6),))
    assert log.position.over
    assert not log.running.sure
    assert any(str(LINES[-1]) in doubt for doubt in log.running.doubts)
    log.write(session.confirm(log.state, log.running.done[-1].seq))
    assert log.running.sure


def test_what_breaks_a_rule_is_told_until_the_table_is_right_again() -> None:
    log = dealt(2)
    log.write((MisplayNoticed("not-the-same-rank", "A king on a queen.", "LLD-13", (3,), ("KH", "QS")),))
    told = log.running.misplays
    assert [(one.notice.code, one.notice.cards, one.open) for one in told] == [
        ("not-the-same-rank", (Card.parse("KH"), Card.parse("QS")), True)
    ]
    log.write(session.undo(log.state))
    assert log.running.misplays == told
    log.write((MisplaysCleared(),))
    assert [one.open for one in log.running.misplays] == [False]


def test_a_disagreement_makes_the_settlement_unsure() -> None:
    log = dealt(len(LINES))
    log.write((TableDisagrees("The 7 of spades is missing."),))
    assert log.running.doubts == ("The 7 of spades is missing.",)
    log.write(session.next_deal(log.state))
    assert not log.state.closed[0].sure


def test_options_and_names_change_in_the_middle_of_a_deal() -> None:
    log = dealt(4)
    names = ("Ann", "Bea", "Cy", "Di", "Ed")
    log.write(session.set_table(log.state, replace(DEAL.setup, names=names, options={"help": "referee"})))
    assert log.position.setup.names == names
    assert log.position.actions == LINES[:4]
    with pytest.raises(IllegalAction, match="between deals"):
        log.write(session.set_table(log.state, Setup(DEAL.setup.game, 4, 1)))


def test_what_was_seen_must_be_the_newest() -> None:
    log = dealt(2)
    session.check_fresh(log.state, log.state.seq)
    with pytest.raises(StaleInput):
        session.check_fresh(log.state, log.state.seq - 1)


@pytest.mark.parametrize(
    "setup",
    [
        Setup("laugh-and-lie-down", 5, 6),
        Setup("laugh-and-lie-down", 5, 1, names=("Ann",)),
        Setup("bridge", 4, 1),
    ],
)
def test_a_set_up_that_can_not_be_is_refused(setup: Setup) -> None:
    with pytest.raises(InvalidInput):
        session.begin_session(setup)


def test_a_log_with_a_gap_is_refused() -> None:
    log = dealt(2)
    with pytest.raises(InvalidInput, match="goes from"):
        fold([*log.entries[:2], log.entries[3]])


def test_only_a_session_that_is_resumed_may_leave_others_out() -> None:
    log = dealt(2)
    before = fold(log.entries)
    assert fold([Entry(before.seq + 7, before.dealt, SessionResumed(1))], before) == replace(before, seq=before.seq + 7)
    with pytest.raises(InvalidInput, match="goes from"):
        fold([Entry(before.seq, before.dealt, SessionResumed(1))], before)


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no event"):
        event_from_json("moonrise", {})
    with pytest.raises(InvalidInput, match="can't be read"):
        event_from_json("action", {"action": "2 mate"})


def _exchanged(setup: Setup, swapped: dict[Card, Card]) -> Setup:
    def change(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(swapped.get(card, card) for card in cards)

    hands = {seat: change(hand) for seat, hand in setup.hands.items()}
    return replace(setup, table=change(setup.table), hands=hands)


@st.composite
def played(draw: st.DrawFn) -> Log:
    """A session in which anything allowed may have happened, in any order."""
    log = Log()
    log.deal(DEAL.setup if draw(st.booleans()) else replace(DEAL.setup, hands={}))
    for _ in range(draw(st.integers(0, 25))):
        kind = draw(st.sampled_from(("act", "act", "act", "undo", "redo", "correct", "ask", "answer", "confirm")))
        try:
            _happen(log, kind, draw)
        except GameError:
            continue
    return log


def _happen(log: Log, kind: str, draw: st.DrawFn) -> None:
    deal = log.state.deal
    assert deal is not None
    legal = () if deal.position.over else deal.position.legal_actions()
    match kind:
        case "act" if legal:
            action = draw(st.sampled_from(legal))
            log.write((ActionTaken(action, sure=draw(st.booleans()), t=float(log.state.seq)),))
        case "undo":
            log.write(session.undo(log.state))
        case "redo":
            log.write(session.redo(log.state))
        case "correct":
            log.write(session.correct(log.state, str(draw(st.sampled_from(PACK))), str(draw(st.sampled_from(PACK)))))
        case "ask" if legal:
            log.write((Asked(((draw(st.sampled_from(legal)),),)),))
        case "answer" if deal.questions:
            log.write(session.answer(log.state, deal.questions[0].seq, draw(st.sampled_from((0, None)))))
        case "confirm" if deal.done:
            log.write(session.confirm(log.state, deal.done[-1].seq))


@settings(max_examples=60, deadline=None)
@given(played())
def test_the_state_is_the_fold_of_the_log_as_it_is_stored(log: Log) -> None:
    stored = [(entry.seq, entry.deal, entry.kind, json.dumps(event_to_json(entry.event))) for entry in log.entries]
    read = [Entry(seq, deal, event_from_json(kind, json.loads(text))) for seq, deal, kind, text in stored]
    assert read == log.entries
    assert fold(read) == log.state
    assert resume(read) == log.state


@settings(max_examples=60, deadline=None)
@given(played(), st.data())
def test_undo_restores_what_was_before_and_redo_what_was_after(log: Log, data: st.DataObject) -> None:
    before = log.position
    if before.over:
        return
    log.play(data.draw(st.sampled_from(before.legal_actions())))
    after = log.position
    log.write(session.undo(log.state))
    assert log.position == before
    log.write(session.redo(log.state))
    assert log.position == after


@settings(max_examples=60, deadline=None)
@given(played())
def test_the_position_is_that_of_the_actions_that_count(log: Log) -> None:
    deal = log.running
    position = game_named(deal.position.setup.game).deal(deal.position.setup)
    for done in deal.done:
        position = position.apply(done.action)
    assert position == deal.position
    assert deal.position.actions == tuple(done.action for done in deal.done)
