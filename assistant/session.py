"""A session: the deals of an evening, one after the other, with their running account.

The log of entries is the truth and the state is its fold: the same log always gives the same state. A command
looks at a state and answers with the events that it wants written; ``advance`` numbers them and folds them in,
so that what the rules refuse is never written. Nothing here knows a clock, a file or a picture.

>>> state, entries = advance(EMPTY, [SessionBegun(Setup("laugh-and-lie-down", players=5, dealer=1))])
>>> state.seq, state.setup.players, [entry.kind for entry in entries]
(1, 5, ['session-begun'])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Protocol

from assistant.cards import Card, InvalidCard
from assistant.games import game_named
from assistant.games.game import (
    Action,
    GameError,
    IllegalAction,
    InvalidInput,
    Notice,
    Position,
    Setup,
    StaleInput,
)
from assistant.match import results_of
from assistant.session_events import (
    ActionTaken,
    Answered,
    Asked,
    CardCorrected,
    Confirmed,
    DealAbandoned,
    DealBegun,
    DealClosed,
    DealReopened,
    Entry,
    MisplayNoticed,
    MisplaysCleared,
    Redone,
    Reexplained,
    SessionBegun,
    SessionEvent,
    SessionResumed,
    TableDisagrees,
    TableSet,
    Undone,
    Withdrawn,
    dealt_as,
    without_table,
)
from assistant.session_mending import mended
from assistant.session_state import ClosedDeal as ClosedDeal
from assistant.session_state import Deal as Deal
from assistant.session_state import Done as Done
from assistant.session_state import LeftOut as LeftOut
from assistant.session_state import Misplay as Misplay
from assistant.session_state import OpenQuestion as OpenQuestion
from assistant.session_state import SessionState as SessionState
from assistant.session_table import of_deal, set_at_table, set_in_deal, setup_after, with_table
from assistant.told import tell


class Journal(Protocol):
    """Where the sessions' logs are kept, one after the other. ``append`` returns only when the entries will survive a
    loss of power."""

    @property
    def seq(self) -> int:
        """The number of the last entry of all; 0 before the first."""
        ...

    @property
    def session(self) -> int:
        """The session that was written last; 0 before the first."""
        ...

    def append(self, entries: Sequence[Entry]) -> None: ...
    def newest_at(self, place: str) -> int | None:
        """The session that was written last of those at ``place``."""
        ...

    def entries(self, session: int | None = None) -> tuple[Entry, ...]:
        """The log of a session (of the one written last, unless said), in order."""
        ...


EMPTY: Final = SessionState()


# --- the fold -------------------------------------------------------------------------------------------------------


def advance(state: SessionState, events: Iterable[SessionEvent]) -> tuple[SessionState, tuple[Entry, ...]]:
    """Number the events and fold them in: the new state and the entries to be written. Raises GameError, and then
    nothing is to be written."""
    entries: list[Entry] = []
    for event in events:
        entries.append(Entry(state.seq + 1, _deal_of(state, event), event))
        state = fold(entries[-1:], state)
    return state, tuple(entries)


def _deal_of(state: SessionState, event: SessionEvent) -> int:
    """The number of the deal that an event is about."""
    match event:
        case SessionBegun():
            return 0
        case DealBegun():
            return state.dealt + 1
        case DealReopened(number):
            return number
    return state.dealt if state.deal is None else state.deal.number


def fold(entries: Iterable[Entry], state: SessionState = EMPTY) -> SessionState:
    """The state after the entries. Raises InvalidInput where the log contradicts itself, or has a gap other than
    before a ``SessionResumed``."""
    for entry in entries:
        resumed = isinstance(entry.event, SessionResumed) and entry.seq > state.seq
        if entry.seq != state.seq + 1 and not resumed:
            raise InvalidInput(
                "log-gap", tell("the log goes from entry {seq} to entry {seq2}", seq=state.seq, seq2=entry.seq)
            )
        state = replace(_step(state, entry), seq=entry.seq)
    return state


def resume(entries: Sequence[Entry]) -> SessionState:
    """The state after a stored session, whose log may start anywhere."""
    return fold(entries, SessionState(seq=entries[0].seq - 1)) if entries else EMPTY


def _step(state: SessionState, entry: Entry) -> SessionState:
    match entry.event:
        case SessionBegun(setup, place):
            return SessionState(seq=state.seq, began=entry.seq, place=place, setup=without_table(setup))
        case SessionResumed():
            return state
        case TableSet():
            return _set_table(state, entry, entry.event)
        case DealBegun(setup, sure, _):
            deal = Deal(entry.deal, (entry,), game_named(setup.game).deal(setup), dealt_surely=sure)
            return replace(state, setup=without_table(setup), dealt=entry.deal, deal=deal, forgotten=None)
        case DealReopened():
            return _reopen(state, entry, entry.event)
        case DealAbandoned():
            return _back(state, entry) if state.aside else replace(_back(state, entry), forgotten=state.deal)
        case DealClosed(nets, sure):
            deal = _running(state)
            in_stakes = game_named(deal.position.setup.game).unit == "stakes"
            if len(nets) != deal.position.setup.players or (in_stakes and sum(nets) != 0):
                raise InvalidInput("unbalanced", tell("a deal has one result for each seat, and stakes sum to nought"))
            closed = ClosedDeal(deal.number, deal.position.setup.dealer, nets, sure, deal)
            back = _back(state, entry)
            return replace(back, closed=tuple(sorted((*state.closed, closed), key=lambda one: one.number)))
        case event:
            deal = _running(state)
            deal = _step_in_deal(replace(deal, log=(*deal.log, entry)), entry, event)
            return replace(state, deal=replace(deal, settled=deal.settled or deal.position.over))


def _reopen(state: SessionState, entry: Entry, event: DealReopened) -> SessionState:
    """Take up a deal again; the one that was being played waits."""
    table, gone = state.setup, state.forgotten
    if gone is not None and gone.number == event.number and state.deal is None:
        setup, deal = _at_table(gone, entry, table if event.table else None)
        return replace(state, deal=deal, setup=setup, forgotten=None)
    found = _closed(state, event.number)
    deal = replace(found, reopened=True, keeps_table=event.table)
    setup, deal = _at_table(deal, entry, table if event.table else None)
    passed_on = table is not None and found.position.over and table.dealer == found.position.next_dealer
    return replace(
        state,
        deal=deal,
        setup=setup,
        closed=tuple(one for one in state.closed if one.number != event.number),
        aside=state.aside if state.deal is None else (*state.aside, state.deal),
        ahead=table if state.deal is None else state.ahead,
        dealer_chosen=event.table and not passed_on if state.deal is None else state.dealer_chosen,
        forgotten=None,
    )


def _closed(state: SessionState, number: int) -> Deal:
    found = next((one.played for one in state.closed if one.number == number), None)
    if found is None:
        raise StaleInput("stale", tell("deal {number} is not in the account any more", number=number))
    return found


def _back(state: SessionState, entry: Entry) -> SessionState:
    """The state without the deal: what waited for it goes on, or the deal has passed on once it is over."""
    deal, setup = _running(state), state.setup
    if state.aside:
        setup, waiting = _at_table(state.aside[-1], entry, setup if deal.keeps_table else None)
        return replace(state, deal=waiting, aside=state.aside[:-1], setup=setup)
    return replace(state, deal=None, setup=setup_after(state, deal), ahead=None, dealer_chosen=False)


def _at_table(deal: Deal, entry: Entry, table: Setup | None) -> tuple[Setup, Deal]:
    """How the table is set up when a deal is taken up, and the deal, after what was set at the table meanwhile; as the
    deal was played without ``table``."""
    setup = without_table(deal.position.setup)
    if table is None:
        return setup, deal
    now = with_table(setup, table)
    wanted = of_deal(deal, now)
    return now, deal if wanted == setup else _set_deal(deal, entry, wanted)


def _set_deal(deal: Deal, entry: Entry, wanted: Setup) -> Deal:
    """The deal computed anew with what was set at ``entry``."""
    return _replay(replace(deal, log=(*deal.log, replace(entry, event=TableSet(wanted)))))


def _step_in_deal(deal: Deal, entry: Entry, event: SessionEvent) -> Deal:
    match event:
        case ActionTaken(action, by, confidence, sure, t):
            position = deal.position.apply(action)
            done = (*deal.done, Done(entry.seq, action, by, confidence, sure, t))
            return replace(deal, position=position, done=done, redo=(), disagreement=_out_of_date(deal.disagreement))
        case Asked(choices, text, t):
            return replace(deal, questions=(*deal.questions, OpenQuestion(entry.seq, choices, text, t)))
        case Answered(question) | Withdrawn(question):
            return replace(deal, questions=tuple(asked for asked in deal.questions if asked.seq != question))
        case TableDisagrees(text):
            return replace(deal, disagreement=event if text else None)
        case MisplayNoticed(code, text, rule, seats, cards):
            notice = Notice(code, text, rule, seats, tuple(map(Card.parse, cards)))
            return replace(deal, misplays=(*deal.misplays, Misplay(entry.seq, notice)))
        case MisplaysCleared():
            return replace(deal, misplays=tuple(replace(one, open=False) for one in deal.misplays))
        case _:
            return _replay(deal)


def _replay(deal: Deal) -> Deal:
    """Compute the deal anew from its log."""
    setup, gathered = _gathered(deal)
    position, wrong = _play(setup, gathered.done), deal.disagreement
    if tuple(one.action for one in deal.done) != tuple(one.action for one in gathered.done):
        wrong = _out_of_date(wrong)
    return replace(gathered, position=position, disagreement=wrong)


def _out_of_date(wrong: TableDisagrees | None) -> TableDisagrees | None:
    """The disagreement after the game went another way: what would accept the table was meant for the game before."""
    return None if wrong is None else replace(wrong, undo=None, choice=(), moves=())


def _gathered(deal: Deal) -> tuple[Setup, Deal]:
    """The deal's set-up and actions as its log says, undone entries left out, corrections put in; nothing is played."""
    undone, redo = _undone(deal.log)
    begun, *rest = deal.log
    assert isinstance(begun.event, DealBegun)
    setup, dealt_surely = begun.event.setup, begun.event.sure
    # What doesn't count keeps its place until the end: corrections say where by the entries beside it.
    done: list[Done] = []
    out, corrections, left_out = set(undone), list[Entry](), list[LeftOut]()
    for entry in rest:
        event = entry.event
        if isinstance(event, ActionTaken):
            done.append(Done(entry.seq, event.action, event.by, event.confidence, event.sure, event.t))
        if entry.seq in undone:
            continue
        match event:
            case CardCorrected(was, now):
                setup, done = _exchange(setup, done, Card.parse(was), Card.parse(now))
                corrections.append(entry)
            case Reexplained():
                setup, done = _put_right(setup, done, entry.seq, event)
                left = [one for one in done if (one.seq, None) in event.changes]
                out |= {one.seq for one in left} | ({event.place} if event.instead else set())
                left_out += [LeftOut(entry.seq, one.action) for one in left]
                corrections.append(entry)
            case Confirmed(target):
                dealt_surely = dealt_surely or target == begun.seq
                done = [replace(one, sure=True) if one.seq == target else one for one in done]
                left_out = [one for one in left_out if one.seq != target]
            case TableSet(wanted):
                setup = dealt_as(wanted, setup)
            case _:
                pass
    counting = tuple(one for one in done if one.seq not in out)
    fresh = replace(deal, done=counting, corrections=tuple(corrections), redo=redo, left_out=tuple(left_out))
    return setup, replace(fresh, dealt_surely=dealt_surely)


def _undone(log: Sequence[Entry]) -> tuple[frozenset[int], tuple[int, ...]]:
    """Which entries don't count, and which of them may be done again (an action or correction since ends that)."""
    undone: set[int] = set()
    redo: list[int] = []
    for entry in log:
        match entry.event:
            case Undone(target):
                undone.add(target)
                redo.append(target)
            case Redone(target):
                undone.discard(target)
                redo = [seq for seq in redo if seq != target]
            case ActionTaken() | CardCorrected() | Reexplained():
                redo = []
            case _:
                pass
    for entry in reversed(log):
        if isinstance(entry.event, Reexplained) and entry.seq not in undone:
            undone.add(entry.event.out)
    return frozenset(undone), tuple(redo)


def _put_right(setup: Setup, done: list[Done], seq: int, event: Reexplained) -> tuple[Setup, list[Done]]:
    """What the correction at entry ``seq`` makes of the deal, except for what it leaves out."""
    if event.was:
        setup, done = _exchange(setup, done, Card.parse(event.was), Card.parse(event.now))
    became = {target: action for target, action in event.changes if action is not None}
    done = [replace(one, action=became[one.seq], sure=False) if one.seq in became else one for one in done]
    if event.put is not None:
        at = next((place for place, one in enumerate(done) if one.seq == event.place), len(done))
        t = done[min(at, len(done) - 1)].t if done else 0.0
        done = [*done[:at], Done(seq, event.put, "hand", 1.0, True, t), *done[at:]]
    return setup, done


def _exchange(setup: Setup, done: list[Done], was: Card, now: Card) -> tuple[Setup, list[Done]]:
    """Put ``now`` for ``was`` and ``was`` for ``now`` wherever the deal names them."""

    def cards(old: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(now if card == was else was if card == now else card for card in old)

    hands = {seat: cards(hand) for seat, hand in setup.hands.items()}
    acts = [replace(one, action=replace(one.action, cards=cards(one.action.cards))) for one in done]
    return replace(setup, table=cards(setup.table), hands=hands), acts


def _play(setup: Setup, done: Iterable[Done]) -> Position:
    position = game_named(setup.game).deal(setup)
    for one in done:
        try:
            position = position.apply(one.action)
        except GameError as error:
            raise IllegalAction(
                "breaks-later-action",
                tell(
                    "then '{action}' would not be possible any more: {reason}", action=one.action, reason=error.reason
                ),
                error.rule,
            ) from None
    return position


def _set_table(state: SessionState, entry: Entry, event: TableSet) -> SessionState:
    deal, setup, called = state.deal, event.setup, set_at_table(state, event)
    if deal is not None:
        running = deal.position.setup
        if (setup.game, setup.players) != (running.game, running.players):
            raise IllegalAction(
                "deal-running", tell("the game and the number of players can change only between deals")
            )
        deal = _set_deal(deal, entry, set_in_deal(deal, state.setup, event, called))
    elif state.closed and state.setup is not None and setup.players != state.setup.players:
        raise IllegalAction(
            "account-open", tell("with other players begin a new session: this one's account has its seats")
        )
    return replace(state, setup=without_table(setup), deal=deal, renamings=(*state.renamings, *called))


def _running(state: SessionState) -> Deal:
    if state.deal is None:
        raise IllegalAction("no-deal", tell("no deal is being played: the cards have to be dealt first"))
    return state.deal


# --- commands: what somebody wants, answered with the events to be written -------------------------------------------


def check_fresh(state: SessionState, seen: int) -> None:
    """Raise StaleInput unless ``seen``, the sequence number that the sender saw last, is the current one."""
    if seen != state.seq:
        raise StaleInput("stale", tell("the table has moved on since: look again, then repeat it if it still holds"))


def begin_session(setup: Setup, place: str = "table") -> tuple[SessionEvent, ...]:
    """Start a new session with an account at nought. Raises InvalidInput for a set-up that no game has."""
    _check(setup)
    return (SessionBegun(without_table(setup), place),)


def set_table(state: SessionState, setup: Setup, renamed: Iterable[int] = ()) -> tuple[SessionEvent, ...]:
    """Change names, dealer, options, players or game; at the ``renamed`` seats sits who sat there before, called
    otherwise."""
    _check(setup)
    wanted = without_table(setup)
    return () if wanted == state.setup else (TableSet(wanted, tuple(renamed)),)


def _check(setup: Setup) -> None:
    """Whether a deal could be played like this, whatever cards will lie on the table. Raises InvalidInput."""
    try:
        game_named(setup.game).deal(without_table(setup))
    except InvalidInput as error:
        if error.about != "table":
            raise


def begin_deal(state: SessionState, setup: Setup, *, sure: bool = True, t: float = 0.0) -> tuple[SessionEvent, ...]:
    """The cards are dealt. A settled deal that is still open is put into the account first. Raises IllegalAction while
    an earlier deal is put right."""
    if state.mending and state.deal is not None:
        raise _mending(state.deal)
    closing = next_deal(state) if state.deal is not None else ()
    return (*closing, DealBegun(setup, sure, t))


def _mending(deal: Deal) -> IllegalAction:
    text = tell("deal {number} is open again to be put right: finish that first", number=deal.number)
    return IllegalAction("mending", text)


def next_deal(state: SessionState) -> tuple[SessionEvent, ...]:
    """Put the settled deal into the account and pass the deal to the left; after an earlier deal that was put right go
    on with what waited for it. Raises IllegalAction before its end."""
    deal = _running(state)
    settlement = deal.position.settlement()
    if settlement is None:
        raise IllegalAction("not-over", tell("the deal is not over yet"))
    return (DealClosed(results_of(settlement, deal.position.setup.players), deal.sure),)


def abandon_deal(state: SessionState, why: str = "") -> tuple[SessionEvent, ...]:
    """Forget the running deal: it is dealt again, and the same seat deals. Raises IllegalAction for one that was in
    the account and is put right."""
    deal = _running(state)
    if deal.reopened:
        raise _mending(deal)
    return (DealAbandoned(why),)


def act(state: SessionState, action: Action, *, by: str = "hand") -> tuple[SessionEvent, ...]:
    """Enter an action by hand; open questions are withdrawn, as this says what happened."""
    deal = _running(state)
    return (ActionTaken(action, by), *_withdrawn(deal, "entered by hand"))


def answer(state: SessionState, question: int, choice: int | None) -> tuple[SessionEvent, ...]:
    """Answer the question asked at entry ``question``: a choice counted from 0, or None for "something else"."""
    asked = next((one for one in _running(state).questions if one.seq == question), None)
    if asked is None:
        raise StaleInput("stale", tell("this question is not open any more"))
    if choice is None:
        return (Answered(question, None),)
    if not 0 <= choice < len(asked.choices):
        raise InvalidInput(
            "bad-choice", tell("the question has the choices 1 to {choices}", choices=len(asked.choices))
        )
    return (Answered(question, choice), *(ActionTaken(action, "answer") for action in asked.choices[choice]))


def accept_table(state: SessionState) -> tuple[SessionEvent, ...]:
    """The table is right: what the disagreement says did not happen is undone, and what did is done."""
    deal = _running(state)
    wrong = deal.disagreement
    if wrong is None:
        raise StaleInput("stale", tell("table and game agree again"))
    if wrong.undo is None:
        reason = "no legal turns lead to what lies there: put the cards back, or say what happened"
        raise IllegalAction("no-way-back", reason)
    undone = deal.done[len(deal.done) - wrong.undo :]
    back = [Undone(one.seq, "the table is right") for one in reversed(undone)]
    return (*back, *(ActionTaken(action, "answer") for action in wrong.choice), TableDisagrees(""))


def accept_game(state: SessionState) -> tuple[SessionEvent, ...]:
    """The deal is over and counted rightly, whatever lies there."""
    deal = _running(state)
    if not deal.position.over:
        raise IllegalAction("not-over", tell("the deal goes on: put the cards as the game expects them"))
    return () if deal.disagreement is None else (TableDisagrees(""),)


def correct(state: SessionState, was: str, now: str) -> tuple[SessionEvent, ...]:
    """The card taken for ``was`` is ``now``. Raises InvalidInput unless both are known and ``was`` is in the deal."""
    try:
        old, new = Card.parse(was), Card.parse(now)
    except InvalidCard as error:
        raise InvalidInput("bad-card", str(error)) from None
    if not (old.known and new.known):
        raise InvalidInput("unknown-card", tell("only a known card can be corrected, and only to a known one"))
    if old == new:
        return ()
    deal = _running(state)
    named = set(deal.position.setup.table) | {card for one in deal.done for card in one.action.cards}
    if old not in named:
        raise StaleInput("stale", tell("{old} is not in this deal any more", old=old))
    return _explained_anew(state, CardCorrected(str(old), str(new)), Reexplained(str(old), str(new)))


def change(state: SessionState, target: int, action: Action, *, instead: bool) -> tuple[SessionEvent, ...]:
    """Put an action before the one at entry ``target``, or ``instead`` of it. Raises what the rules say against it."""
    deal = _running(state)
    if target not in {done.seq for done in deal.done}:
        raise StaleInput("stale", tell("this has been undone already"))
    fix = Reexplained(put=action, place=target, instead=instead)
    return (*_explained_anew(state, None, fix), *_withdrawn(deal, "entered by hand"))


def position_before(deal: Deal, target: int) -> Position | None:
    """The position in which the action at entry ``target`` was done; None where it does not count."""
    place = next((place for place, one in enumerate(deal.done) if one.seq == target), None)
    return None if place is None else _play(deal.position.setup, deal.done[:place])


def undo(state: SessionState, target: int | None = None, why: str = "") -> tuple[SessionEvent, ...]:
    """Take back the newest action or correction, or the one at entry ``target``: what followed is explained anew. Where
    nothing has been done in the deal, the deal before it is taken up again."""
    before = _before(state)
    if target is None and before is not None and (state.deal is None or state.deal.last is None):
        return reopen(state, before)
    deal = _running(state)
    last = deal.last
    if last is None:
        raise IllegalAction("nothing-to-undo", tell("nothing has been done in this deal that could be undone"))
    if target is None:
        target = last.seq
    elif target not in {done.seq for done in deal.done} | {entry.seq for entry in deal.corrections}:
        raise StaleInput("stale", tell("this has been undone already"))
    return _explained_anew(state, Undone(target, why), Reexplained(out=target))


def _before(state: SessionState) -> int | None:
    """The deal that "undo" takes up again where there is nothing to be undone in the one that is being played."""
    if state.deal is None and state.forgotten is not None:
        return state.forgotten.number
    earlier = [one.number for one in state.closed if state.deal is None or one.number < state.deal.number]
    return max(earlier, default=None)


def reopen(state: SessionState, number: int) -> tuple[SessionEvent, ...]:
    """Take deal ``number`` out of the account to put it right. Raises StaleInput where it is not in it."""
    if state.deal is not None or state.forgotten is None or state.forgotten.number != number:
        _closed(state, number)
    return (DealReopened(number, table=True),)


def undoes(state: SessionState) -> Entry | int | None:
    """What "undo" takes back: an action or correction, or the closing of the deal with this number; None: nothing."""
    last = None if state.deal is None else state.deal.last
    return _before(state) if last is None else last


def _explained_anew(state: SessionState, plain: SessionEvent | None, fix: Reexplained) -> tuple[SessionEvent, ...]:
    """The ``plain`` correction where all that followed stays possible, else ``fix`` with what becomes of it."""
    deal = _running(state)
    seq = state.seq + 1
    if plain is not None:
        with suppress(IllegalAction):
            _step(state, Entry(seq, deal.number, plain))
            return (plain,)
    setup, gathered = _gathered(replace(deal, log=(*deal.log, Entry(seq, deal.number, fix))))
    done = gathered.done
    position = game_named(setup.game).deal(setup)
    at = next((place for place, one in enumerate(done) if one.seq == seq), -1)
    for one in done[: at + 1]:
        position = position.apply(one.action)
    return (replace(fix, changes=mended(position, [(one.seq, one.action) for one in done[at + 1 :]])),)


def _withdrawn(deal: Deal, why: str) -> tuple[SessionEvent, ...]:
    return tuple(Withdrawn(question.seq, why) for question in deal.questions)


def redo(state: SessionState) -> tuple[SessionEvent, ...]:
    """Do again what was undone last, as long as nothing was done since; of a deal that was taken up again, and is over,
    at last that it is closed."""
    deal = _running(state)
    if not deal.redo and deal.reopened and deal.position.over:
        return next_deal(state)
    if not deal.redo:
        raise IllegalAction("nothing-to-redo", tell("nothing was undone that could be done again"))
    return (Redone(deal.redo[-1]),)


def confirm(state: SessionState, target: int) -> tuple[SessionEvent, ...]:
    """Say that the unsure entry ``target`` (an action, or the deal itself) is right."""
    deal = _running(state)
    unsure = {one.seq for one in deal.done if not one.sure} | {one.seq for one in deal.left_out}
    unsure |= set() if deal.dealt_surely else {deal.log[0].seq}
    if target not in unsure:
        raise StaleInput("stale", tell("this is not in doubt any more"))
    return (Confirmed(target),)
