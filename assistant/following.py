"""Following: what the table shows, turned into the actions of the game. Pure: no clock, no picture, no hidden state.

Use (the command line and the page's loop do just this)::

    follower = Follower(game, Terms("laugh-and-lie-down", players=5, dealer=5))
    state, position = FollowState(), None
    for view in views:                                  # assistant.view.TableView, from the tracker
        step = follower.follow(state, position, view)
        state, position = step.state, step.position     # position: None until the deal was seen
        for event in step.events: ...                   # assistant.events, in order

The caller owns the position. ``step.position`` is ``position`` with all of ``step.events`` applied (``DealSeen``,
``ActionSeen``, ``Undone``); a caller with a log of its own may fold the events itself and pass its result next time.
Anybody may replace the position between two steps: answer a question by applying the choice's actions, take an
action back, put another in its place. The follower compares the new position with the table again. An action that
somebody took back is not committed again from the same picture: the follower asks first.
A new deal begins with ``FollowState()`` and position None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from assistant.disagreement import desync, doubts_at_the_end, sentence, ways_back
from assistant.events import (
    ActionSeen,
    Choice,
    DealSeen,
    Event,
    GameOver,
    Noticed,
    Question,
    QuestionClosed,
    Resynced,
    Undone,
    Warned,
    choice_line,
    question_line,
)
from assistant.games.game import Action, Game, InvalidInput, Notice, Position, Setup
from assistant.glimpses import fingerprint, glimpsed, out_of_sight
from assistant.patience import Patience
from assistant.rereading import CLEAR, Place, kept, misread, placed, put_right, without_misread
from assistant.signs import signs_of
from assistant.signs.difference import Difference, Lying, compare, without_covered, without_faint
from assistant.signs.signs import Explanation, Glimpse, Misplay, Signs, Terms
from assistant.view import TABLE, SeenCard, Stillness, TableView

MARGIN: Final = 2.0
"""An explanation is the only one if the next is less likely by exp(2), about seven times."""
MOST_AT_ONCE: Final = 16
"""Cards that may differ when more than three actions are considered."""
SEARCHES_KEPT: Final = 16
FEW_BESIDE: Final = 2
"""So many cards beside a complete deal may be there by mistake; more are piles of a deal under way."""
MID_DEAL: Final = (
    "A deal seems to be under way: say whose turn it is and how many cards each player holds to join it; otherwise the "
    "next deal is followed."
)


@dataclass(frozen=True, slots=True)
class FollowState:
    """What following remembers between two views. Frozen; the empty one starts a deal. Fields are its own affair,
    except ``question`` (the open one), ``desynced`` and ``sure`` (nothing so far rests on a guess).

    ``held``: what the table has shown since ``held_since`` (an explanation, an undoing, a deal); ``differs_since``:
    since when it shows what can't be explained; ``known``: the actions of the position that was returned last;
    ``refused``: explanations that a person has taken back; ``asked``: questions so far; ``told``: warnings given;
    ``first``: with what the likely explanations begin, since ``first_since``;
    ``in_pool``: when each track was first seen in the pool; ``lately``: by track, what lay in sight since the last
    action; ``lying``: by track, which card it was when table and game agreed last; ``places``: by track, which card of
    which action it is; ``reread``: which of them are read otherwise, since ``reread_since``.
    """

    question: Question | None = None
    desynced: bool = False
    sure: bool = True
    held: tuple[str, ...] = ()
    held_since: float = 0.0
    differs_since: float | None = None
    known: tuple[Action, ...] = ()
    refused: frozenset[str] = frozenset()
    asked: int = 0
    told: frozenset[str] = frozenset()
    first: str = ""
    first_since: float = 0.0
    in_pool: Mapping[int, float] = field(default_factory=dict)
    lately: Mapping[int, Glimpse] = field(default_factory=dict)
    lying: Mapping[int, Lying] = field(default_factory=dict)
    places: Mapping[int, Place] = field(default_factory=dict)
    reread: str = ""
    reread_since: float = 0.0
    over: bool = False

    def holding(self, what: tuple[str, ...], t: float) -> FollowState:
        """The state in which the table shows ``what``, since now if it showed something else before."""
        return self if self.held == what else replace(self, held=what, held_since=t)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of following: the new state, the position after the events, and the events in order."""

    state: FollowState
    position: Position | None
    events: tuple[Event, ...] = ()


class Follower:
    """Follows one deal after another of a game under the same terms.

    ``anywhere``: the zones are a mere proposal until the deal, so the dealt cards count wherever they lie; the caller
    then proposes zones that fit them.
    """

    def __init__(self, game: Game, terms: Terms, patience: Patience | None = None, *, anywhere: bool = False) -> None:
        self.game = game
        self._signs: Signs = signs_of(game.name)
        self.anywhere = anywhere
        self.terms = terms
        self._found: dict[object, list[Explanation]] = {}  # the last searches, kept only to save time
        self.patience = patience or Patience()

    def follow(self, state: FollowState, position: Position | None, view: TableView) -> Step:
        """Compare the position with the view; commit, ask or wait.

        Views must come in the order of their times. A position other than the one returned last is taken as a
        person's word; what that person took back is not committed again unasked.
        """
        if position is None:
            return self._await_deal(state, view)
        if state.known != position.actions:
            state = _heeding(state, position.actions)
        state = replace(state, lately=glimpsed(state.lately, view))
        new = {seen.track: view.t for seen in view.in_zone(TABLE) if seen.track not in state.in_pool}
        if new:
            state = replace(state, in_pool={**state.in_pool, **new})
        certain, done = self._signs.certain(position)
        if done:
            events = tuple(ActionSeen(view.t, action, 1.0, state.sure) for action in done)
            state, closed = _close_question(state, view.t)
            step = self._go_on(replace(state, known=certain.actions, held=()), certain, view)
            return replace(step, events=(*events, *closed, *step.events))
        return self._go_on(state, position, view)

    def _compare(self, state: FollowState, position: Position, view: TableView) -> Difference:
        return compare(self._signs.slots(position), view, state.lying)

    def _lying(self, state: FollowState, difference: Difference) -> FollowState:
        """The state that remembers which cards lie where the game has them."""
        if all(state.lying.get(track) == card for track, card in difference.lying.items()):
            return state
        return replace(state, lying={**state.lying, **difference.lying})

    # --- the deal -------------------------------------------------------------------------------------------------

    def _await_deal(self, state: FollowState, view: TableView) -> Step:
        """The deal starts when its face-up cards lie in their places, each known, and rest; without any, at once."""
        zones = self._signs.deal_zones
        cards = [seen for seen in view.cards if self.anywhere or seen.zone in zones]
        elsewhere = len(view.cards) - len(cards) if zones else 0
        state = state.holding(("deal", *(str(seen.card) for seen in cards), str(elsewhere)), view.t)
        rested = view.t - state.held_since
        if zones and (not cards or view.stillness is Stillness.MOVING or rested < self.patience.deal):
            return Step(state, None)
        setup = self._signs.dealt(self.terms, cards, view)
        if setup is None:
            return Step(state, None)
        try:
            position = self.game.deal(setup)
        except InvalidInput as error:
            if rested < self.patience.desync or error.code in state.told:
                return Step(state, None)
            state = replace(state, told=state.told | {error.code})
            under_way = error.code == "wrong-table-size" and elsewhere > 0 and not self.anywhere
            code, text = ("mid-deal", MID_DEAL) if under_way else ("wrong-deal", sentence(error.reason))
            return Step(state, None, (Warned(view.t, code, text),))
        if zones and (elsewhere or any(not seen.card.rank for seen in cards)):
            return self._held_up(state, view, [seen for seen in view.cards if seen not in cards])
        confidence = math.prod(seen.confidence for seen in cards) if zones else 1.0
        state = FollowState(known=position.actions, asked=state.asked)
        return Step(state, position, (DealSeen(view.t, setup, confidence),))

    def _held_up(self, state: FollowState, view: TableView, beside: Sequence[SeenCard]) -> Step:
        """The right number of cards lies there, but one is unreadable, or others lie ``beside`` them: told once."""
        named = " and ".join(str(seen.card) if seen.card.rank else "another card" for seen in beside)
        code, text = "unread-card", "A card of the deal can't be read: straighten it, or lay it into better light."
        if len(beside) > FEW_BESIDE:
            code, text = "mid-deal", MID_DEAL
        elif beside:
            code, text = "cards-beside", f"Beside the cards of the deal there is {named}: take that away to begin."
        if view.t - state.held_since < self.patience.desync or code in state.told:
            return Step(state, None)
        return Step(replace(state, told=state.told | {code}), None, (Warned(view.t, code, text),))

    def _dealt_otherwise(self, state: FollowState, position: Position, view: TableView) -> Step | None:
        """Before the first action: a card of the deal was misread, and it is another one now."""
        cards = [seen for seen in view.cards if seen.zone in self._signs.deal_zones]
        if position.actions or len(cards) != len(position.setup.table) or len(view.cards) != len(cards):
            return None
        shown = self._signs.dealt(self.terms, cards, view)
        if shown is None or any(not seen.card.rank for seen in cards):
            return None
        state = state.holding(("deal", *(str(seen.card) for seen in cards)), view.t)
        if view.t - state.held_since < self.patience.hidden or view.stillness is Stillness.MOVING:
            return Step(state, position)
        setup = replace(position.setup, table=shown.table)
        try:
            position = self.game.deal(setup)
        except InvalidInput:
            return None
        state = FollowState(known=position.actions, asked=state.asked)
        return Step(state, position, (DealSeen(view.t, setup, math.prod(seen.confidence for seen in cards)),))

    # --- the play -------------------------------------------------------------------------------------------------

    def _go_on(self, state: FollowState, position: Position, view: TableView) -> Step:
        if position.over and (state.over or self._signs.finished(position, view)):
            after = self._after_the_end if state.over else self._close
            return after(state, position, view)
        difference = self._compare(state, position, view)
        state = self._lying(state, difference)
        state, difference, step = self._read_anew(state, position, view, difference)
        if step is not None:
            return step
        found: list[Explanation] = []
        for clear in dict.fromkeys(way(difference) for way in (lambda whole: whole, without_faint, without_covered)):
            if not clear:
                return self._in_hindsight(self._in_agreement(state, position, view), position, view)
            found = found or self._explained(state, position, view, clear)
        gone = out_of_sight(state.lately, view)
        misplay = None if found and not found[0].guessed else self._signs.misplay(position, difference, view, gone)
        if found and misplay is None:
            return self._weigh(replace(state, differs_since=None), position, view, found)
        if position.over:
            return self._await_sweep(state, position, view, difference, misplay)
        for other in (self._gone_on, self._dealt_otherwise, self._undo, self._plain):
            if (step := other(state, position, view)) is not None:
                return step
        return self._at_a_loss(state, position, view, difference, misplay)

    def _read_anew(
        self, state: FollowState, position: Position, view: TableView, difference: Difference
    ) -> tuple[FollowState, Difference, Step | None]:
        """A card of a committed action is read otherwise now: once that lasts, the record is put right from there on.

        Until then the card passes for what the record calls it.
        """
        since = state.reread_since if state.reread else view.t
        seen = misread(position, state.places, difference, view, since)
        mended = put_right(self.game, position, state.places, seen) if seen else None
        if mended is None:
            return replace(state, reread=""), difference, None
        key = " ".join(f"{one.track} {one.card}" for one in seen)
        if state.reread != key:
            state = replace(state, reread=key, reread_since=view.t)
        clear = view.stillness is not Stillness.MOVING and all(one.confidence >= CLEAR for one in seen)
        if not clear or view.t - state.reread_since < self.patience.hidden:
            return state, without_misread(difference, position, state.places, seen), None
        after, first = mended
        back, anew = position.actions[: first - 1 if first else None : -1], after.actions[first:]
        state, closed = _close_question(replace(state, known=after.actions, reread="", held=()), view.t)
        why = "a card is read otherwise now: " + " and ".join(str(one.card) for one in seen)
        undone = tuple(Undone(view.t, action, why) for action in back)
        sure = min(one.confidence for one in seen)
        done = tuple(ActionSeen(view.t, action, sure, state.sure) for action in anew)
        return state, difference, Step(state, after, (*closed, *undone, *done))

    def _close(self, state: FollowState, position: Position, view: TableView) -> Step:
        """The deal is over: before it is settled, the piles must show no other cards than those that are counted."""
        difference = self._compare(state, position, view)
        doubts = doubts_at_the_end(self._signs.slots(position), difference, position.setup.dealer)
        state = state.holding(("close", str(bool(doubts))), view.t)
        if doubts and (view.t - state.held_since < self.patience.hidden or view.stillness is Stillness.MOVING):
            return Step(state, position)
        warned = (Warned(view.t, "piles-dont-add-up", " ".join(doubts)),) if doubts else ()
        state = replace(state, over=True, sure=state.sure and not doubts)
        return Step(state, position, (*warned, GameOver(view.t, state.sure)))

    def _after_the_end(self, state: FollowState, position: Position, view: TableView) -> Step:
        """The deal is settled; what is done against the rules in clearing the table is still told."""
        difference = self._compare(state, position, view)
        misplay = self._signs.misplay(position, difference, view) if difference else None
        if misplay is None:
            return Step(state.holding((), view.t), position)
        state = state.holding(("loss", misplay.key), view.t)
        state, told = self._told(state, view, misplay, view.t - state.held_since)
        return Step(state, position, told)

    def _explained(
        self, state: FollowState, position: Position, view: TableView, difference: Difference
    ) -> list[Explanation]:
        """The explanations: by three actions at most, or by more where the table has run ahead and rests."""
        gone = out_of_sight(state.lately, view)
        found = self._searched(state, position, view, difference, 3, gone)
        if not found and view.stillness is Stillness.STILL and difference.size <= MOST_AT_ONCE:
            found = self._searched(state, position, view, difference, 6, gone)
        return found

    def _searched(
        self,
        state: FollowState,
        position: Position,
        view: TableView,
        difference: Difference,
        most: int,
        gone: tuple[Glimpse, ...] = (),
    ) -> list[Explanation]:
        """What explains the difference; searched once for each look of the table."""
        key = (position.actions, most, difference.outline, fingerprint(view), gone)
        if key not in self._found:
            if len(self._found) >= SEARCHES_KEPT:
                self._found.clear()
            self._found[key] = self._signs.explain(position, difference, view, most, state.in_pool, gone)
        return self._found[key]

    def _gone_on(self, state: FollowState, position: Position, view: TableView) -> Step | None:
        """The table went on while a question stood open that nobody answers here: take its first choice that fits."""
        question = state.question
        if question is None or self.patience.answer is None:
            return None
        for choice in question.choices:
            after = position
            for action in choice:
                after = after.apply(action)
            difference = self._compare(state, after, view)
            if difference and not self._signs.explain(after, difference, view, 3, state.in_pool):
                continue
            state = state.holding(("gone on", choice_line(choice)), view.t)
            if view.t - state.held_since < self.patience.still:
                return Step(state, position)
            closed = QuestionClosed(view.t, question.number)
            state = replace(state, question=None, sure=False, held=(), known=after.actions)
            seen = tuple(ActionSeen(view.t, action, 0.5, False) for action in choice)
            return Step(state, after, (closed, *seen))
        return None

    def _in_agreement(self, state: FollowState, position: Position, view: TableView) -> Step:
        state = replace(state, differs_since=None).holding((), view.t)
        events: tuple[Event, ...] = ()
        rested = view.t - state.held_since
        perhaps = self._signs.resting(position) if rested >= self.patience.sweep else ()
        if perhaps and choice_line(perhaps) not in state.refused and view.stillness is Stillness.STILL:
            if state.question is None:
                return self._put(state, position, view, (perhaps,))
            return Step(state, position)
        if state.question and rested >= self.patience.still:
            state, events = _close_question(state, view.t)
        if state.desynced and view.t - state.held_since >= self.patience.still:
            state, events = replace(state, desynced=False), (*events, Resynced(view.t))
        if position.over and view.t - state.held_since >= self.patience.sweep:
            step = self._close(state, position, view)
            return replace(step, events=(*events, *step.events))
        return Step(state, position, events)

    def _in_hindsight(self, step: Step, position: Position, view: TableView) -> Step:
        """With what was done against the rules and is put right again, or shows only now."""
        if step.position is not position or view.stillness is not Stillness.STILL:
            return step
        misplay = self._signs.misplay(position, Difference(), view, out_of_sight(step.state.lately, view, covered=True))
        if misplay is None:
            return step
        state, told = self._told(step.state, view, misplay, math.inf)
        return replace(step, state=state, events=(*step.events, *told))

    def _weigh(self, state: FollowState, position: Position, view: TableView, found: list[Explanation]) -> Step:
        """Commit the best explanation if it is the only one and rests long enough; else wait or ask."""
        best = found[0]
        rivals = [other for other in found[1:] if other.cost - best.cost < MARGIN]
        refused = choice_line(best.actions) in state.refused
        choices = (best, *rivals)
        state = state.holding(tuple(sorted(choice_line(one.actions) for one in choices)), view.t)
        rested = view.t - state.held_since
        firsts = tuple(dict.fromkeys(one.actions[:1] for one in choices))
        first = "/".join(sorted(map(choice_line, firsts)))
        if state.first != first:
            state = replace(state, first=first, first_since=view.t)
        plain = not (rivals or refused or best.guessed)
        if plain and rested >= self._needed(state, view, best):
            return self._commit(state, view, best, sure=not (state.desynced and best.hidden))
        more = len(firsts) == 1 and all(len(one.actions) > 1 for one in choices) and not state.refused
        if more and (best.tracks[0] or not best.guessed) and view.t - state.first_since >= self.patience.hidden:
            return self._commit_first(state, position, view, best, sure=True)
        if plain:
            return Step(state, position)
        asked = self._ask_first(state, position, view, best, firsts[:3]) if len(firsts) > 1 else None
        return asked or self._ask(state, position, view, choices[:3], rested)

    def _ask_first(
        self, state: FollowState, position: Position, view: TableView, best: Explanation, firsts: tuple[Choice, ...]
    ) -> Step | None:
        """The table goes on and on, and what happened first is still one of a few things: ask that alone."""
        asked, answer = state.question, self.patience.answer
        if asked is None:
            restless = view.t - state.held_since < self.patience.ask
            due = restless and view.t - state.first_since >= 2 * self.patience.ask
            return self._put(state, position, view, firsts) if due else None
        if set(asked.choices) != set(firsts):
            return None
        if answer is None or view.t - asked.t < answer or state.refused:
            return Step(state, position)
        return self._commit_first(state, position, view, best, sure=False)

    def _commit_first(
        self, state: FollowState, position: Position, view: TableView, best: Explanation, *, sure: bool
    ) -> Step:
        """The table goes on and on, but what happened first is the same whatever explains the rest."""
        action, tracks = best.actions[0], best.tracks[0]
        begun = replace(best, actions=(action,), position=position.apply(action), tracks=(tracks,))
        lately = {track: glimpse for track, glimpse in state.lately.items() if track not in tracks}
        step = self._commit(state, view, begun, sure=sure)
        return replace(step, state=replace(step.state, lately=lately))

    def _needed(self, state: FollowState, view: TableView, best: Explanation) -> float:
        """How long the explanation must have rested."""
        patience = self.patience
        known = all(card.rank for action in best.actions for card in action.cards)
        if state.desynced or best.unfinished or not known:
            return patience.hidden
        if view.stillness is Stillness.STILL and all(visit.end is not None for visit in view.visits):
            return patience.covered if best.hidden else patience.gone
        if best.hidden:
            return patience.hidden
        return patience.still if view.stillness is Stillness.STILL else patience.busy

    def _ask(
        self, state: FollowState, position: Position, view: TableView, choices: tuple[Explanation, ...], rested: float
    ) -> Step:
        asked = state.question
        options = tuple(choice.actions for choice in choices)
        if asked is None or set(asked.choices) != set(options):
            if rested < self.patience.ask * (2 if choices[0].guessed else 1):
                return Step(state, position)
            return self._put(state, position, view, options)
        answer = self.patience.answer
        if answer is None or view.t - asked.t < answer or choice_line(choices[0].actions) in state.refused:
            return Step(state, position)
        return self._commit(state, view, choices[0], sure=False)

    def _put(self, state: FollowState, position: Position, view: TableView, options: tuple[Choice, ...]) -> Step:
        """Ask what happened; an open question is closed."""
        state, closed = _close_question(state, view.t)
        question = Question(view.t, state.asked + 1, options, question_line(options))
        state = replace(state, question=question, asked=state.asked + 1)
        return Step(state, position, (*closed, question))

    def _commit(self, state: FollowState, view: TableView, best: Explanation, *, sure: bool) -> Step:
        state, events = _close_question(state, view.t)
        if state.desynced:
            events = (*events, Resynced(view.t))
        state = replace(
            state,
            desynced=False,
            sure=state.sure and sure,
            held=(),
            held_since=view.t,
            known=best.position.actions,
            refused=frozenset(),
            first="",
            lately=glimpsed({}, view),
            places=placed(state.places, view, best.position, best.tracks),
        )
        seen = tuple(
            ActionSeen(view.t, action, best.confidence, state.sure, tracks)
            for action, tracks in zip(best.actions, best.tracks, strict=True)
        )
        return Step(state, best.position, (*events, *seen))

    def _undo(self, state: FollowState, position: Position, view: TableView) -> Step | None:
        """The last action, or the last two, did not happen after all: the table shows what was before."""
        for back in (1, 2):
            if len(position.actions) < back:
                return None
            before = self._replayed(position.setup, position.actions[:-back])
            difference = self._compare(state, before, view)
            moving = view.stillness is Stillness.MOVING
            clear = not moving and 0 < difference.size <= MOST_AT_ONCE
            found = self._searched(state, before, view, difference, back + 2) if clear else []
            only = found and not found[0].guessed and (len(found) == 1 or found[1].cost - found[0].cost >= MARGIN)
            if difference and not only:
                continue
            undone = position.actions[: -back - 1 : -1]
            state = state.holding(("undo", *map(str, undone), *(map(str, found[0].actions) if found else ())), view.t)
            needed = self.patience.hidden * (1 if not found else 2)
            if view.t - state.held_since < needed or view.stillness is Stillness.MOVING:
                return Step(state, position)
            why = (
                "the table shows it as it was before"
                if not found
                else f"the table shows {choice_line(found[0].actions)}"
            )
            events: tuple[Event, ...] = tuple(Undone(view.t, action, why) for action in undone)
            if found:
                step = self._commit(state, view, found[0], sure=True)
                return replace(step, events=(*events, *step.events))
            state, closed = _close_question(replace(state, known=before.actions, held=(), desynced=False), view.t)
            return Step(state, before, (*closed, *events))
        return None

    def _plain(self, state: FollowState, position: Position, view: TableView) -> Step | None:
        """The whole is not understood (yet), but what lies in one place for some time can only be one action.

        So one card that nobody can place doesn't hold up what is plain beside it.
        """
        if state.desynced or state.question is not None:
            return None
        whole = self._compare(state, position, view)
        places = [*(one.zone for one in whole.moved), *(one.zone for one in whole.fresh if one.zone is not None)]
        for zone in dict.fromkeys(places):
            moved = tuple(one for one in whole.moved if one.zone == zone)
            fresh = tuple(one for one in whole.fresh if one.zone == zone and not one.covered)
            came = max((one.since for one in (*(move.seen for move in moved), *fresh)), default=view.t)
            passed = zone != TABLE and any(one.track in state.in_pool for one in fresh)  # it came with what is unclear
            if passed or view.t - came < self.patience.hidden:
                continue
            # What is missing of the same rank may belong to it.
            ranks = {*(move.card.rank for move in moved), *(one.card.rank for one in fresh)}
            missing = tuple(slot for slot in whole.missing if slot.card.rank in ranks)
            found = self._searched(state, position, view, Difference(moved, missing, fresh), 1)
            if not found or found[0].hidden or found[0].guessed or found[0].unfinished:
                continue
            if len(found) == 1 or found[1].cost - found[0].cost >= MARGIN:
                return self._commit(state, view, found[0], sure=True)
        return None

    def _replayed(self, setup: Setup, actions: tuple[Action, ...]) -> Position:
        position = self.game.deal(setup)
        for action in actions:
            position = position.apply(action)
        return position

    # --- when nothing fits ----------------------------------------------------------------------------------------

    def _await_sweep(
        self, state: FollowState, position: Position, view: TableView, difference: Difference, misplay: Misplay | None
    ) -> Step:
        """After the end with a claim open: the pool swept to the dealer, or a long rest, closes the deal."""
        left = len(position.observe().table) - len(difference.moved) - len(difference.missing)
        state = state.holding(("sweep", str(left), misplay.key if misplay else ""), view.t)
        rested = view.t - state.held_since
        told: tuple[Event, ...] = ()
        if misplay is not None:
            state, told = self._told(state, view, misplay, rested)
        swept = left == 0 and rested >= self.patience.hidden
        step = self._close(state, position, view) if swept or rested >= self.patience.sweep else Step(state, position)
        return replace(step, events=(*told, *step.events))

    def _at_a_loss(
        self, state: FollowState, position: Position, view: TableView, difference: Difference, misplay: Misplay | None
    ) -> Step:
        """No explanation: say so once it has lasted, and commit nothing."""
        cards = sorted(str(slot.card) for slot in difference.missing)
        cards += sorted(str(seen.card) for seen in difference.fresh)
        moved = sorted(f"{one.card} {one.zone}" for one in difference.moved)
        state = state.holding(("loss", *cards, *moved), view.t)
        if state.differs_since is None:
            state = replace(state, differs_since=view.t)
        since = view.t if state.differs_since is None else state.differs_since
        lasted = max(view.t - state.held_since, (view.t - since) / 3)
        told: tuple[Event, ...] = ()
        if misplay is not None:
            state, told = self._told(state, view, misplay, view.t - state.held_since)
        resting = view.stillness is Stillness.STILL or lasted >= 2 * self.patience.desync
        if state.desynced or lasted < self.patience.desync or not resting:
            return Step(state, position, told)
        state, closed = _close_question(replace(state, desynced=True), view.t)
        ways = ways_back(self.game, self._signs, position, view, state.in_pool, state.lying)
        return Step(state, position, (*told, *closed, desync(view.t, difference, misplay, ways)))

    def _told(
        self, state: FollowState, view: TableView, misplay: Misplay, lasted: float
    ) -> tuple[FollowState, tuple[Event, ...]]:
        """A misplay is told once, when it has stood for a while."""
        needed = self.patience.misplay * (1.6 if misplay.patient else 1.0)
        if lasted < needed or view.stillness is Stillness.MOVING or misplay.key in state.told:
            return state, ()
        notice = Notice(misplay.code, sentence(misplay.text), misplay.rule, misplay.seats, misplay.cards)
        return replace(state, told=state.told | {misplay.key}), (Noticed(view.t, notice),)


def _heeding(state: FollowState, actions: tuple[Action, ...]) -> FollowState:
    """The state after a person changed the position: what was taken back is refused until something else happens."""
    known = state.known
    refused: frozenset[str] = frozenset()
    if len(actions) < len(known) and known[: len(actions)] == actions:
        back = known[len(actions) :]
        refused = frozenset(choice_line(back[:number]) for number in range(1, len(back) + 1))
    places = kept(state.places, known, actions)
    return replace(state, known=actions, refused=refused, held=(), differs_since=None, places=places, over=False)


def _close_question(state: FollowState, t: float) -> tuple[FollowState, tuple[Event, ...]]:
    if state.question is None:
        return state, ()
    return replace(state, question=None), (QuestionClosed(t, state.question.number),)
