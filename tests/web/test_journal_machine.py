"""Whatever is done to a session, in whatever order, with crashes in between: the journal holds it, as a model says."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from assistant import session as deciding
from assistant.cards import PACK, Card
from assistant.games import game_named
from assistant.games.game import Action, GameError, IllegalAction, Position
from assistant.session import SessionState, resume
from assistant.session_events import CardCorrected, Reexplained, SessionEvent
from tests.scripted_clock import ScriptedClock
from tests.web.served import RECORD
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


def exchanged(cards: tuple[Card, ...], one: Card, other: Card) -> tuple[Card, ...]:
    return tuple(other if card == one else one if card == other else card for card in cards)


class Sessions(RuleBasedStateMachine):
    """A session over a journal in a folder, and beside it the steps of the running deal as a plain list.

    An undo takes the newest step that counts, a redo the one that was undone last; a new step ends what may be redone.
    """

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="mournival-machine-"))
        self.folder, self.crashes, self.hours = self.root / "0", 0, 0
        self.steps: list[Step] | None = None
        self.undone: list[int] = []
        self.dealer, self.closed = DEALT.dealer, 0
        self.open()
        self.known = self.journal.entries()

    def open(self) -> None:
        self.journal = SqliteJournal(self.folder, clock=ScriptedClock(wall=lambda: 1e9 + 3600 * self.hours))
        assert self.journal.remark == ""
        self.session = OpenSession(self.journal, replace(DEALT, table=()))

    def teardown(self) -> None:
        self.journal.close()
        shutil.rmtree(self.root)

    # The model

    def position(self, steps: list[Step]) -> Position:
        """The deal played anew with the steps that count, each exchange applied to all that was before it."""
        table, actions = DEALT.table, list[Action]()
        for step in steps:
            if not step.counts:
                continue
            if isinstance(step.what, Action):
                actions.append(step.what)
            else:
                one, other = step.what
                table = exchanged(table, one, other)
                actions = [replace(action, cards=exchanged(action.cards, one, other)) for action in actions]
        position = game_named(DEALT.game).deal(replace(DEALT, table=table, dealer=self.dealer))
        for action in actions:
            position = position.apply(action)
        return position

    def wanted(self, decide: Decide, steps: list[Step], undone: list[int]) -> None:
        """Do it; the session allows it just where the deal with these steps can be played."""

        def plainly(state: SessionState) -> Iterable[SessionEvent]:
            events = tuple(decide(state))
            if any(isinstance(event, Reexplained) for event in events):
                raise IllegalAction("another-way", "what followed would become something else")
            return events

        try:
            self.position(steps)
            possible = True
        except GameError:
            possible = False
        try:
            self.session.perform(plainly)
        except GameError:
            assert not possible
        else:
            assert possible
            self.steps, self.undone = steps, undone

    def counting(self, index: int, counts: bool) -> list[Step]:
        assert self.steps is not None
        return [replace(step, counts=counts) if place == index else step for place, step in enumerate(self.steps)]

    # What may happen

    @rule()
    @precondition(lambda self: self.steps is None)
    def begin(self) -> None:
        self.session.perform(lambda now: deciding.begin_deal(now, replace(DEALT, dealer=self.dealer)))
        self.steps, self.undone = [], []

    @rule(choices=st.lists(st.integers(0, 99), min_size=1, max_size=6))
    @precondition(lambda self: self.steps is not None)
    def act(self, choices: list[int]) -> None:
        for choice in choices:
            assert self.steps is not None
            position = self.position(self.steps)
            legal = () if position.over else position.legal_actions()
            if legal:
                action = legal[choice % len(legal)]
                self.wanted(lambda now, done=action: deciding.act(now, done), [*self.steps, Step(action)], [])  # type: ignore[misc]

    @rule()
    @precondition(lambda self: self.steps and any(step.counts for step in self.steps))
    def undo(self) -> None:
        assert self.steps is not None
        newest = max(place for place, step in enumerate(self.steps) if step.counts)
        self.wanted(deciding.undo, self.counting(newest, False), [*self.undone, newest])

    @rule()
    @precondition(lambda self: self.steps is not None and self.undone)
    def redo(self) -> None:
        self.wanted(deciding.redo, self.counting(self.undone[-1], True), self.undone[:-1])

    @rule(one=st.sampled_from(PACK), other=st.sampled_from(PACK))
    @precondition(lambda self: self.steps is not None)
    def correct(self, one: Card, other: Card) -> None:
        assert self.steps is not None
        if one != other:
            event = CardCorrected(str(one), str(other))
            self.wanted(lambda _: [event], [*self.steps, Step((one, other))], [])

    @rule()
    @precondition(lambda self: self.steps is not None and self.position(self.steps).over)
    def settle(self) -> None:
        assert self.steps is not None
        self.dealer, self.closed = self.position(self.steps).next_dealer, self.closed + 1
        self.session.perform(deciding.next_deal)
        self.steps = None

    @rule()
    @precondition(lambda self: self.steps is not None)
    def begin_over(self) -> None:
        self.session.perform(deciding.abandon_deal)
        self.steps = None

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
        state = self.session.state
        assert len(state.closed) == self.closed
        assert (state.deal is None) == (self.steps is None)
        if state.deal is not None and self.steps is not None:
            position = self.position(self.steps)
            played, modelled = state.deal.position, position
            assert played.actions == modelled.actions
            assert (played.setup.table, played.setup.dealer) == (modelled.setup.table, modelled.setup.dealer)
            assert played.observe() == modelled.observe()
            assert len(state.deal.redo) == len(self.undone)


Sessions.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestSessions = Sessions.TestCase
