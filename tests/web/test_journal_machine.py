"""Whatever is done to a session, in whatever order, with crashes in between: the journal holds it, as a model says."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from assistant import session as deciding
from assistant.cards import PACK, Card
from assistant.games import game_named
from assistant.games.game import Action, GameError, IllegalAction, Position
from assistant.match import results_of
from assistant.session import SessionState, resume
from assistant.session_events import JOINED, ActionTaken, Asked, CardCorrected, DealBegun, Reexplained, SessionEvent
from tests.scripted_clock import ScriptedClock
from tests.web.served import RECORD
from web.help_level import COACH, LEVELS, level_of, with_level
from web.journal import FILE_NAME, SqliteJournal
from web.open_session import OpenSession

DEALT = replace(RECORD.setup, hands={})
LOG = FILE_NAME + "-wal"
MARK = "journal.last"

Decide = Callable[[SessionState], Iterable[SessionEvent]]


@dataclass(frozen=True)
class Step:
    """Something that was done in the deal: an action, or two cards exchanged; undone, it does not count."""

    what: Action | tuple[Card, Card]
    counts: bool = True


@dataclass
class Played:
    """A deal as the model has it. An undo takes the newest step that counts, but none of the ``made_up`` first ones; a
    redo the one that was undone last; a new step ends what may be redone. ``mended``: it was in the account before."""

    number: int
    dealer: int
    steps: list[Step] = field(default_factory=list)
    undone: list[int] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)
    made_up: int = 0
    mended: bool = False

    @property
    def newest(self) -> int | None:
        """The step that an undo takes."""
        counting = [place for place, step in enumerate(self.steps) if step.counts and place >= self.made_up]
        return max(counting, default=None)


def exchanged(cards: tuple[Card, ...], one: Card, other: Card) -> tuple[Card, ...]:
    return tuple(other if card == one else one if card == other else card for card in cards)


class Sessions(RuleBasedStateMachine):
    """A session over a journal in a folder, and beside it the deals as plain lists of steps.

    ``deal`` is the one that is played, ``waiting`` are those that wait while an earlier one is put right, ``account``
    holds those that are settled with what each seat got. ``dealer`` is the seat that deals next, and ``ahead`` the
    one that will again after a deal that was taken up between two deals. The ``level`` of help is the table's.
    """

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="mournival-machine-"))
        self.folder, self.crashes, self.hours = self.root / "0", 0, 0
        self.deal: Played | None = None
        self.forgotten: Played | None = None
        self.waiting: list[Played] = []
        self.account: dict[int, tuple[Played, tuple[float, ...]]] = {}
        self.dealer, self.level, self.dealt = DEALT.dealer, COACH, 0
        self.ahead: int | None = None
        self.open()
        self.known = self.journal.entries()

    def open(self) -> None:
        self.journal = SqliteJournal(self.folder, clock=ScriptedClock(wall=lambda: 1e9 + 3600 * self.hours))
        assert self.journal.remark == ""
        self.session = OpenSession(self.journal, replace(DEALT, table=()))
        if self.deal is not None:
            self.deal.questions = []

    def teardown(self) -> None:
        self.journal.close()
        shutil.rmtree(self.root)

    # The model

    @property
    def running(self) -> Played:
        assert self.deal is not None
        return self.deal

    def position(self, deal: Played, steps: list[Step] | None = None) -> Position:
        """The deal played anew with the steps that count, each exchange applied to all that was before it."""
        table, actions = DEALT.table, list[Action]()
        for step in deal.steps if steps is None else steps:
            if not step.counts:
                continue
            if isinstance(step.what, Action):
                actions.append(step.what)
            else:
                one, other = step.what
                table = exchanged(table, one, other)
                actions = [replace(action, cards=exchanged(action.cards, one, other)) for action in actions]
        setup = with_level(replace(DEALT, table=table, dealer=deal.dealer), self.level)
        position = game_named(DEALT.game).deal(setup)
        for action in actions:
            position = position.apply(action)
        return position

    def wanted(self, decide: Decide, steps: list[Step], undone: list[int]) -> bool:
        """Do it, and whether it was done; the session allows it just where the deal with these steps can be played."""

        def plainly(state: SessionState) -> Iterable[SessionEvent]:
            events = tuple(decide(state))
            if any(isinstance(event, Reexplained) for event in events):
                raise IllegalAction("another-way", "what followed would become something else")
            return events

        try:
            self.position(self.running, steps)
            possible = True
        except GameError:
            possible = False
        try:
            self.session.perform(plainly)
        except GameError:
            assert not possible
        else:
            assert possible
            self.running.steps, self.running.undone = steps, undone
        return possible

    def counting(self, index: int, counts: bool) -> list[Step]:
        steps = self.running.steps
        return [replace(step, counts=counts) if place == index else step for place, step in enumerate(steps)]

    def legal(self) -> tuple[Action, ...]:
        position = self.position(self.running)
        return () if position.over else tuple(position.legal_actions())

    def played_on(self, deal: Played, choices: list[int]) -> list[Action]:
        """Actions that the rules allow from here, one for each choice."""
        actions, position = list[Action](), self.position(deal)
        for choice in choices:
            if position.over:
                break
            legal = position.legal_actions()
            actions.append(legal[choice % len(legal)])
            position = position.apply(actions[-1])
        return actions

    def go_back(self) -> None:
        """The deal is not played any more: what waited goes on, or the next one will come."""
        deal, position = self.running, self.position(self.running)
        self.deal = self.waiting.pop() if self.waiting else None
        if self.deal is None:
            passes_on = position.over and deal.number == self.dealt
            self.dealer = position.next_dealer if passes_on else self.ahead or deal.dealer
            self.ahead = None

    # What may happen

    @rule()
    @precondition(lambda self: self.deal is None)
    def begin(self) -> None:
        self.session.perform(lambda now: deciding.begin_deal(now, replace(self.session.setup, table=DEALT.table)))
        self.dealt, self.forgotten = self.dealt + 1, None
        self.deal = Played(self.dealt, self.dealer)

    @rule(choices=st.lists(st.integers(0, 99), min_size=1, max_size=12))
    @precondition(lambda self: self.deal is None)
    def join(self, choices: list[int]) -> None:
        """A deal is begun that is under way already: what happened before is made up."""
        joined = Played(self.dealt + 1, self.dealer)
        actions = self.played_on(joined, choices)
        begun = DealBegun(replace(self.session.setup, table=DEALT.table))
        self.session.perform(lambda _: [begun, *(ActionTaken(action, JOINED) for action in actions)])
        joined.steps, joined.made_up = [Step(action) for action in actions], len(actions)
        self.deal, self.dealt, self.forgotten = joined, joined.number, None

    @rule(choices=st.lists(st.integers(0, 99), min_size=1, max_size=6))
    @precondition(lambda self: self.deal is not None)
    def act(self, choices: list[int]) -> None:
        for choice in choices:
            if legal := self.legal():
                action = legal[choice % len(legal)]
                steps = [*self.running.steps, Step(action)]
                assert self.wanted(lambda now, done=action: deciding.act(now, done), steps, [])  # type: ignore[misc]
                self.running.questions = []

    @rule(choices=st.lists(st.integers(0, 99), min_size=60, max_size=60))
    @precondition(lambda self: self.deal is not None and self.legal())
    def play_to_the_end(self, choices: list[int]) -> None:
        """The camera sees all that follows."""
        actions = self.played_on(self.running, choices)
        self.session.perform(lambda _: [ActionTaken(action) for action in actions])
        self.running.steps = [*self.running.steps, *(Step(action) for action in actions)]
        self.running.undone = []

    @rule(choices=st.lists(st.integers(0, 99), min_size=1, max_size=3))
    @precondition(lambda self: self.deal is not None and self.legal())
    def ask(self, choices: list[int]) -> None:
        legal = self.legal()
        asked = Asked(tuple((legal[choice % len(legal)],) for choice in choices), "Which?")
        self.session.perform(lambda _: [asked])
        self.running.questions = [*self.running.questions, self.session.state.seq]

    @rule(which=st.integers(0, 9), choice=st.none() | st.integers(0, 9))
    @precondition(lambda self: self.deal is not None and self.deal.questions)
    def answer(self, which: int, choice: int | None) -> None:
        deal = self.session.state.deal
        assert deal is not None
        question = deal.questions[which % len(deal.questions)]
        told = None if choice is None else choice % len(question.choices)
        steps, undone = self.running.steps, self.running.undone
        if told is not None:
            steps, undone = [*steps, *(Step(action) for action in question.choices[told])], []
        if self.wanted(lambda now: deciding.answer(now, question.seq, told), steps, undone):
            self.running.questions = [seq for seq in self.running.questions if seq != question.seq]

    @rule()
    @precondition(lambda self: self.deal is not None and self.deal.newest is not None)
    def undo(self) -> None:
        newest = self.running.newest
        assert newest is not None
        self.wanted(deciding.undo, self.counting(newest, False), [*self.running.undone, newest])

    @rule()
    @precondition(lambda self: self.deal is not None and self.deal.undone)
    def redo(self) -> None:
        *others, last = self.running.undone
        self.wanted(deciding.redo, self.counting(last, True), others)

    @rule(one=st.sampled_from(PACK), other=st.sampled_from(PACK))
    @precondition(lambda self: self.deal is not None)
    def correct(self, one: Card, other: Card) -> None:
        if one != other:
            event = CardCorrected(str(one), str(other))
            self.wanted(lambda _: [event], [*self.running.steps, Step((one, other))], [])

    @rule()
    @precondition(lambda self: self.deal is not None and self.position(self.deal).over)
    def next_deal(self) -> None:
        settled = self.position(self.running).settlement()
        assert settled is not None
        self.session.perform(deciding.next_deal)
        nets = tuple(results_of(settled, DEALT.players))
        self.account[self.running.number] = (self.running, nets)
        self.go_back()

    @rule()
    @precondition(lambda self: self.deal is not None and not self.deal.mended)
    def begin_over(self) -> None:
        self.session.perform(deciding.abandon_deal)
        self.forgotten = self.running
        self.go_back()

    @rule()
    @precondition(lambda self: self.deal is None and self.forgotten is not None)
    def undo_beginning_over(self) -> None:
        self.session.perform(deciding.undo)
        self.deal, self.forgotten = self.forgotten, None

    @rule(which=st.integers(0, 9))
    @precondition(lambda self: self.account)
    def reopen_an_earlier_deal(self, which: int) -> None:
        number = sorted(self.account)[which % len(self.account)]
        self.session.perform(lambda now: deciding.reopen(now, number))
        if self.deal is None:
            self.ahead = self.dealer
        else:
            self.waiting.append(self.deal)
        self.deal, _ = self.account.pop(number)
        self.deal.mended, self.forgotten = True, None

    @rule(level=st.sampled_from(LEVELS))
    def set_help(self, level: str) -> None:
        self.session.perform(lambda now: deciding.set_table(now, with_level(self.session.setup, level)))
        self.level = level

    @rule(hours=st.integers(-1, 1))
    def set_clock(self, hours: int) -> None:
        self.hours += hours

    @rule()
    def close_and_open(self) -> None:
        self.journal.close()
        self.open()

    @rule()
    def open_without_closing(self) -> None:
        self.open()

    @rule()
    def lose_power(self) -> None:
        """The files as they lie on the disk are all that is left."""
        self.go_on_with(self.files())

    @rule(left=st.floats(0, 1, exclude_max=True), names=st.permutations(["Ann", "Bob", "Cid", "Dot"]))
    def lose_power_while_writing(self, left: float, names: list[str]) -> None:
        """Of what was being written last only a part has come to the disk."""
        before = self.files()
        setup = replace(self.session.setup, names=tuple(names))
        self.session.perform(lambda now: deciding.set_table(now, setup))
        after = self.files()
        had, has = len(before.get(LOG, b"")), len(after[LOG])
        cut = after[LOG][: had + int(left * (has - had))]
        self.go_on_with({**after, MARK: before[MARK], LOG: cut})

    def files(self) -> dict[str, bytes]:
        return {name: path.read_bytes() for name in (FILE_NAME, LOG, MARK) if (path := self.folder / name).is_file()}

    def go_on_with(self, files: dict[str, bytes]) -> None:
        self.journal.close()
        self.crashes += 1
        self.folder = self.root / str(self.crashes)
        self.folder.mkdir()
        for name, data in files.items():
            (self.folder / name).write_bytes(data)
        self.open()

    # What always holds

    @invariant()
    def nothing_is_lost_or_changed(self) -> None:
        entries = self.journal.entries()
        assert entries[: len(self.known)] == self.known
        assert self.journal.verify() == len(entries) == self.session.state.seq
        self.known = entries
        assert resume(entries) == self.session.state

    @invariant()
    def the_state_is_the_model_s(self) -> None:
        state, deal = self.session.state, self.deal
        assert [(one.number, one.nets) for one in state.closed] == [
            (number, nets) for number, (_, nets) in sorted(self.account.items())
        ]
        assert [one.number for one in state.aside] == [one.number for one in self.waiting]
        setup = self.session.setup
        assert (setup.dealer, level_of(setup)) == (self.dealer if deal is None else deal.dealer, self.level)
        assert (state.deal is None) == (deal is None)
        if state.deal is not None and deal is not None:
            played, modelled = state.deal.position, self.position(deal)
            assert state.deal.number == deal.number
            assert played.actions == modelled.actions
            assert played.setup.table == modelled.setup.table
            assert played.observe() == modelled.observe()
            assert len(state.deal.redo) == len(deal.undone)
            assert [question.seq for question in state.deal.questions] == deal.questions

    @invariant()
    def stakes_sum_to_nought(self) -> None:
        state = self.session.state
        assert [sum(one.nets) for one in state.closed] == [0] * len(state.closed)
        assert sum(state.account) == 0


Sessions.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestSessions = Sessions.TestCase
