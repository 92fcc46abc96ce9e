"""What a session is at one moment: frozen values, which ``assistant.session`` folds from the log."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.accounts import Counted, accounts_of, kind_of
from assistant.games.game import Action, Notice, Position, Setup
from assistant.people import Person, Renaming, people_at, who_sat
from assistant.session_events import JOINED, DealBegun, Entry, TableDisagrees
from assistant.told import tell


@dataclass(frozen=True, slots=True)
class Done:
    """One action that counts, as it stands after all corrections; ``seq`` is its entry."""

    seq: int
    action: Action
    by: str
    confidence: float
    sure: bool
    t: float


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits for an answer; ``seq`` is its entry."""

    seq: int
    choices: tuple[tuple[Action, ...], ...]
    text: str
    t: float


@dataclass(frozen=True, slots=True)
class Misplay:
    """Something against the rules that was seen; ``open`` until the table is right again. ``seq`` is its entry."""

    seq: int
    notice: Notice
    open: bool = True


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An action that no longer counts because the correction at entry ``seq`` made it impossible."""

    seq: int
    action: Action


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal that is being played, or the settled one before "next deal".

    ``log`` holds its entries; ``redo`` the undone entries that may still be done again, the next one last.
    ``reopened``: it was in the account already and was taken up again to be put right; ``keeps_table``: what is set
    meanwhile holds for the table afterwards. ``settled``: its end was reached once, whatever was undone since.
    ``disagreement``: how table and game differ now; None where they fit. ``misplays``: what was seen against the
    rules. ``left_out``: what corrections made impossible, until somebody says that it is right so.
    """

    number: int
    log: tuple[Entry, ...]
    position: Position
    done: tuple[Done, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    corrections: tuple[Entry, ...] = ()
    redo: tuple[int, ...] = ()
    disagreement: TableDisagrees | None = None
    misplays: tuple[Misplay, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    dealt_surely: bool = True
    reopened: bool = False
    keeps_table: bool = False
    settled: bool = False

    @property
    def newest_t(self) -> float:
        """The source's time (seconds) of the newest thing that was seen of this deal."""
        begun = self.log[0].event
        times = [done.t for done in self.done if done.by == "camera"]
        return max(times, default=begun.t if isinstance(begun, DealBegun) else 0.0)

    @property
    def sure(self) -> bool:
        """Whether what this deal settles rests on nothing open, guessed or contradicted."""
        return not self.doubts

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why the deal is not sure, one plain sentence each."""
        reasons: list[str] = [] if self.dealt_surely else [tell("Not every card of the deal was read surely.")]
        if self.questions:
            reasons.append(
                tell("A question is still open.") if len(self.questions) == 1 else tell("Questions are still open.")
            )
        reasons += [tell("Not sure of: {action}.", action=done.action) for done in self.done if not done.sure]
        reasons += [
            tell("Left out, as a correction made it impossible: {action}.", action=one.action) for one in self.left_out
        ]
        if self.disagreement is not None:
            reasons.append(self.disagreement.text)
        return tuple(reasons)

    @property
    def last(self) -> Entry | None:
        """The newest action or correction that counts: what "undo" takes back. What was made up stays."""
        seqs = [done.seq for done in self.done if done.by != JOINED] + [entry.seq for entry in self.corrections]
        return next((entry for entry in self.log if entry.seq == max(seqs)), None) if seqs else None


@dataclass(frozen=True, slots=True)
class ClosedDeal:
    """A deal that is in the account; ``played`` is all of it."""

    number: int
    dealer: int
    nets: tuple[float, ...]
    sure: bool
    played: Deal


@dataclass(frozen=True, slots=True)
class SessionState:
    """The session at one moment. ``seq`` is the last entry's number, ``began`` its first one's; ``place`` is which
    table it is at, ``setup`` how the next deal will be played, ``dealt`` how many deals have begun in it.

    ``aside``: while an earlier deal is put right, the deals that wait for it, the next one last; ``ahead``: how the
    next deal was to be played, where none waits, and ``dealer_chosen`` whether somebody chose who deals then.
    ``forgotten``: the deal that was begun over just now. ``renamings``: who was called otherwise in earlier deals.
    """

    seq: int = 0
    began: int = 0
    place: str = ""
    setup: Setup | None = None
    dealt: int = 0
    deal: Deal | None = None
    closed: tuple[ClosedDeal, ...] = ()
    aside: tuple[Deal, ...] = ()
    ahead: Setup | None = None
    dealer_chosen: bool = False
    forgotten: Deal | None = None
    renamings: tuple[Renaming, ...] = ()

    def counted(self, number: int, setup: Setup, nets: tuple[float, ...]) -> Counted:
        """What a deal of this evening brings to whom."""
        return Counted(number, setup, nets, who_sat(number, setup, self.renamings))

    @property
    def in_account(self) -> tuple[Counted, ...]:
        """The closed deals."""
        return tuple(self.counted(one.number, one.played.position.setup, one.nets) for one in self.closed)

    @property
    def account(self) -> tuple[float, ...]:
        """By seat, what who sits there in the deal that is open, else at the table, has over the closed deals that
        count as the next one will; a deal that is only settled is not in it. Stakes sum to nought over all who played.
        """
        if self.setup is None:
            return ()
        kind = kind_of(self.setup)
        deal = self.deal
        people = people_at(self.setup) if deal is None else self.counted(deal.number, deal.position.setup, ()).people
        found = next((one for one in accounts_of(self.in_account, people) if one.kind == kind), None)
        return found.totals[: len(people)] if found else (0,) * len(people)

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody who sat in a deal of this evening, as they are called now."""
        deals = [one.played for one in self.closed] + [*self.aside, *([self.deal] if self.deal else [])]
        sat = (who_sat(deal.number, deal.position.setup, self.renamings) for deal in deals)
        return tuple(dict.fromkeys(person for people in sat for person in people))

    @property
    def mending(self) -> bool:
        """Whether an earlier deal is being put right, so that what lies on the table is not this deal's."""
        deal = self.deal
        if deal is None or not deal.reopened:
            return False
        return bool(self.aside) or deal.number != self.dealt or not deal.position.over

    @property
    def at_table(self) -> Deal | None:
        """The deal whose cards lie on the table, whichever is being put right."""
        return self.aside[0] if self.aside else None if self.mending else self.deal
