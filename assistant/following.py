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
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from assistant.cards import UNKNOWN
from assistant.deal_awaited import DealAwaited
from assistant.disagreement import desync, doubts_at_the_end, ways_back
from assistant.events import (
    ActionSeen,
    Choice,
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
from assistant.follow_state import FollowState, Step
from assistant.games.game import Game, Notice, Position, before_last
from assistant.glimpses import beyond_first, came_to_pool, fingerprint, glimpsed, out_of_sight, went_since
from assistant.hindsight import NO_TRACE, Anew, Hindsight, heeding
from assistant.patience import Patience, hands_gone, hands_over, rest_needed
from assistant.rereading import CLEAR, placed, put_right, reread, without_misread
from assistant.signs import signs_of
from assistant.signs.difference import Difference, compare, laid, unlikely_faint, without_covered, without_faint
from assistant.signs.signs import Explanation, Glimpse, Misplay, Signs, Terms
from assistant.signs.visitors import against_hands, away
from assistant.told import as_sentence, tell, together
from assistant.view import TABLE, Stillness, TableView, Zone

MARGIN: Final = 2.0
"""An explanation is the only one if the next is less likely by exp(2), about seven times."""
MOST_AT_ONCE: Final = 16
"""Cards that may differ when more than three actions are considered."""
SEARCHES_KEPT: Final = 16
REACHED: Final = 12.0
"""Seconds for which a hand over a place tells that its seat may have acted there."""
EXPLAINED: Final = 3
"""A deal that is told anew leaves one of so many differences at most."""


class Follower:
    """Follows one deal after another of a game under the same terms.

    ``anywhere``: the zones are a mere proposal until the deal, so the dealt cards count wherever they lie; the caller
    then proposes zones that fit them.
    """

    def __init__(self, game: Game, terms: Terms, patience: Patience | None = None, *, anywhere: bool = False) -> None:
        self.game = game
        self._signs: Signs = signs_of(game.name)
        self._hindsight = Hindsight(game, self._signs)
        self.anywhere = anywhere
        self.terms = terms
        self._found: dict[object, list[Explanation]] = {}  # the last searches, kept only to save time
        self.patience = patience or Patience()
        self._awaited = DealAwaited(game, self._signs, terms, self.patience)

    def follow(self, state: FollowState, position: Position | None, view: TableView) -> Step:
        """Compare the position with the view; commit, ask or wait.

        Views must come in the order of their times. A position other than the one returned last is taken as a
        person's word; what that person took back is not committed again unasked.
        """
        if position is None:
            return self._awaited.look(state, view, anywhere=self.anywhere)
        if state.known != position.actions:
            state = heeding(state, position.actions)
        in_pool = came_to_pool(state.in_pool, state.lately, view)
        past = self._hindsight.seen(state.past, view, position)
        state = replace(state, in_pool=in_pool, lately=glimpsed(state.lately, view), past=past)
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

    # --- the play -------------------------------------------------------------------------------------------------

    def _go_on(self, state: FollowState, position: Position, view: TableView) -> Step:
        lost = state.differs_since is not None and view.t - state.differs_since >= self.patience.ask
        asked = state.question is not None
        state, anew = self._hindsight.weighed(state, position, view, lost=lost, asked=asked)
        if anew is not None and (told := self._told_anew(state, position, view, anew)) is not None:
            return told
        if position.over and (state.over or self._signs.finished(position, view)):
            after = self._after_the_end if state.over else self._close
            return after(state, position, view)
        if UNKNOWN in position.setup.table and (step := self._awaited.otherwise(state, position, view)) is not None:
            return step
        difference = self._compare(state, position, view)
        state = self._lying(state, difference)
        state, difference, step = self._read_anew(state, position, view, difference)
        if step is not None:
            return step
        found, gone = list[Explanation](), out_of_sight(state.lately, view)
        for clear in dict.fromkeys(way(difference) for way in (lambda whole: whole, without_faint, without_covered)):
            if not clear:
                done = self._signs.traceless(position, view, out_of_sight(state.lately, view, covered=True))
                if done and not done[0].guessed:
                    return self._weigh(replace(state, differs_since=None), position, view, done)
                return self._in_hindsight(self._in_agreement(state, position, view, done), position, view)
            if not found or found[0].guessed:
                plainer = self._explained(state, position, view, clear)
                found = plainer if plainer and not plainer[0].guessed else found or plainer
            elif clear == without_faint(difference):
                found = _likelier(found, self._explained(state, position, view, clear), unlikely_faint(difference))
        misplay = None if found and not found[0].guessed else self._signs.misplay(position, difference, view, gone)
        if found and misplay is None:
            return self._weigh(replace(state, differs_since=None), position, view, found)
        if position.over:
            step = self._went_on(state, position, view)
            return step or self._await_sweep(state, position, view, difference, misplay)
        for other in (self._gone_on, self._awaited.otherwise, self._undo, self._plain):
            if (step := other(state, position, view)) is not None:
                return step
        return self._at_a_loss(state, position, view, difference, misplay)

    def _told_anew(self, state: FollowState, position: Position, view: TableView, anew: Anew) -> Step | None:
        """What was done is told otherwise, if that explains most of what the table shows otherwise than the game."""
        slots = self._signs.slots(anew.done.position)
        lying = {**state.lying, **laid(slots, view, anew.tracks)}
        left, before = compare(slots, view, lying).size, self._compare(state, position, view).size
        if left >= before or left > max(1, before // EXPLAINED):
            return None
        told = self._commit(replace(state, differs_since=None), view, anew.done, sure=anew.sure)
        lying = {**told.state.lying, **laid(slots, view, anew.tracks)}
        past = told.state.past.doubting(None, view.t)
        state = replace(told.state, lying=lying, past=replace(past, times=past.times + 1))
        return replace(told, state=state, events=(*anew.undone, *told.events))

    def _read_anew(
        self, state: FollowState, position: Position, view: TableView, difference: Difference
    ) -> tuple[FollowState, Difference, Step | None]:
        """A card of a committed action is read otherwise now: once that lasts, the record is put right from there on.

        Until then the card passes for what the record calls it.
        """
        since = state.reread_since if state.reread else view.t
        places, seen = reread(position, state.places, difference, view, since)
        mended = put_right(self.game, position, places, seen) if seen else None
        if mended is None:
            return replace(state, reread=""), difference, None
        key = " ".join(f"{one.track} {one.card}" for one in seen)
        if state.reread != key:
            state = replace(state, reread=key, reread_since=view.t)
        clear = view.stillness is not Stillness.MOVING and all(one.confidence >= CLEAR for one in seen)
        if not clear or view.t - state.reread_since < self.patience.hidden:
            return state, without_misread(difference, position, places, seen), None
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
        doubts = doubts_at_the_end(self._signs.slots(position), difference, position.setup.dealer, state.lying)
        state = state.holding(("close", str(bool(doubts))), view.t)
        if doubts and (view.t - state.held_since < self.patience.hidden or view.stillness is Stillness.MOVING):
            return Step(state, position)
        warned = [Warned(view.t, "piles-dont-add-up", together(doubts))] if doubts else []
        if self._hindsight.contested(state.past, position):
            text = tell("What lay on the table fits another course of the deal better. Please check what was played.")
            warned.append(Warned(view.t, "told-otherwise", text))
        state = replace(state, over=True, sure=state.sure and not warned)
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

    def _in_agreement(
        self, state: FollowState, position: Position, view: TableView, guessed: Sequence[Explanation]
    ) -> Step:
        """The table shows what the game expects; what may have been done all the same (``guessed``) is asked."""
        past = state.past.resting(position, view)
        standing = frozenset(one for one in state.standing if one[1] != len(state.known))
        state = replace(state, differs_since=None, past=past, broken="", standing=standing).holding((), view.t)
        events: tuple[Event, ...] = ()
        rested = view.t - state.held_since
        asked, answer = state.question, self.patience.answer
        perhaps = self._signs.resting(position)
        idle = min(rested, away(view))
        due = (guessed or idle >= self.patience.sweep) if asked is None else asked.choices == (perhaps,)
        if perhaps and due and choice_line(perhaps) not in state.refused:
            if asked is None and view.stillness is Stillness.STILL and away(view) >= self.patience.ask:
                return self._put(state, position, view, (perhaps,))
            if guessed and asked is not None and answer is not None and view.t - asked.t >= answer:
                return self._commit(state, view, guessed[0], sure=False)
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
        patience = self.patience.hidden if state.desynced else rest_needed(self.patience, view, best)
        if plain and rested >= patience:
            return self._commit(state, view, best, sure=not (state.desynced and best.hidden))
        more = len(firsts) == 1 and all(_goes_on(one) and not one.doubtful for one in choices)
        more = more and (best.tracks[0] or not best.guessed) and not state.refused
        if more and view.t - state.first_since >= self.patience.hidden:
            # In a place of the seat's own the cards in sight tell enough of the first action.
            sure = not (best.guessed and self._signs.shared)
            return self._commit_first(state, position, view, best, sure=sure)
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
        first = replace(best, actions=best.actions[:1], tracks=best.tracks[:1])
        begun = replace(first, position=position.apply(best.actions[0]))
        was, now = self._signs.slots(position), self._signs.slots(begun.position)
        lately = beyond_first(state.lately, view, best.tracks[0], was, now)
        step = self._commit(state, view, begun, sure=sure)
        return replace(step, state=replace(step.state, lately=lately))

    def _ask(
        self, state: FollowState, position: Position, view: TableView, choices: tuple[Explanation, ...], rested: float
    ) -> Step:
        asked = state.question
        options = tuple(choice.actions for choice in choices)
        if asked is None or set(asked.choices) != set(options):
            if rested < self.patience.ask * (2 if choices[0].guessed or hands_over(view) else 1):
                return Step(state, position)
            return self._put(state, position, view, options)
        answer = self.patience.answer
        if answer is None or view.t - asked.t < answer or choice_line(choices[0].actions) in state.refused:
            return Step(state, position)
        return self._commit(state, view, choices[0], sure=False)

    def _put(self, state: FollowState, position: Position, view: TableView, options: tuple[Choice, ...]) -> Step:
        """Ask what happened, unless it is far likelier that what was told before is wrong; an open question is
        closed."""
        anew = self._hindsight.rather(state, position, view)
        if anew is not None and (told := self._told_anew(state, position, view, anew)) is not None:
            return told
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
            sure=state.sure and sure and not _against_hands(view, best, self._signs.shared),
            held=(),
            held_since=view.t,
            broken="",
            known=best.position.actions,
            refused=frozenset(),
            first="",
            lately=glimpsed(self._later(state, view, best), view),
            places=placed(state.places, view, best.position, best.tracks),
            lying={**state.lying, **laid(self._signs.slots(best.position), view, best.tracks)},
        )
        seen = tuple(
            ActionSeen(view.t, action, best.confidence, state.sure, tracks)
            for action, tracks in zip(best.actions, best.tracks, strict=True)
        )
        return Step(state, best.position, (*events, *seen))

    def _later(self, state: FollowState, view: TableView, done: Explanation) -> dict[int, Glimpse]:
        """What came and went after these actions: after the cards that they took were gone."""
        before = before_last(self.game, done.position, len(done.actions))
        return went_since(state.lately, view, done.tracks, self._signs.slots(before))

    def _undo(self, state: FollowState, position: Position, view: TableView) -> Step | None:
        """The last action, or the last two, did not happen after all: the table shows what was before."""
        for back in (1, 2):
            if len(position.actions) < back:
                return None
            before = before_last(self.game, position, back)
            difference = self._compare(state, before, view)
            clear = view.stillness is not Stillness.MOVING and 0 < difference.size <= MOST_AT_ONCE
            gone = out_of_sight(state.lately, view)
            found = self._searched(state, before, view, difference, back + 2, gone) if clear else []
            only = found and not found[0].guessed and (len(found) == 1 or found[1].cost - found[0].cost >= MARGIN)
            if difference and not only:
                continue
            undone = position.actions[: -back - 1 : -1]
            state = state.holding(("undo", *map(str, undone), *(map(str, found[0].actions) if found else ())), view.t)
            needed = self.patience.hidden * (1 if not found else 2)
            traceless = position.over and not any(action.cards for action in undone)
            if found and (traceless or self._signs.slots(before) == self._signs.slots(position)):
                needed = max(self.patience.still, rest_needed(self.patience, view, found[0]))  # it showed nothing
            if view.t - state.held_since < needed or view.stillness is Stillness.MOVING:
                return Step(state, position)
            shown = choice_line(found[0].actions) if found else "it as it was before"
            events: tuple[Event, ...] = tuple(Undone(view.t, action, f"the table shows {shown}") for action in undone)
            if found:
                step = self._commit(state, view, found[0], sure=True)
                return replace(step, events=(*events, *step.events))
            state, closed = _close_question(replace(state, known=before.actions, held=(), desynced=False), view.t)
            return Step(state, before, (*closed, *events))
        return None

    def _went_on(self, state: FollowState, position: Position, view: TableView) -> Step | None:
        """The deal seemed to be over, though its last action shows nothing, and it goes on."""
        before = before_last(self.game, position, 1)
        on = not position.claims() and self._compare(state, before, view)
        return self._undo(state, position, view) if on else None

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
            if passed or view.t - came < self.patience.still:
                continue
            # What is missing of the same rank, or of the same trick, may belong to it.
            ranks = {*(move.card.rank for move in moved), *(one.card.rank for one in fresh)}
            missing = tuple(slot for slot in whole.missing if slot.card.rank in ranks or slot.anywhere)
            gone = out_of_sight(state.lately, view)
            found = self._searched(state, position, view, Difference(moved, missing, fresh), 1, gone)
            if not found or found[0].hidden or found[0].guessed or found[0].unfinished:
                continue
            lasted = hands_gone(view, found[0]) or view.t - came >= self.patience.hidden
            if lasted and (len(found) == 1 or found[1].cost - found[0].cost >= MARGIN):
                return self._commit(state, view, found[0], sure=True)
        return None

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
        """No explanation: say so once it has lasted, and again once something else lies there; commit nothing."""
        cards = sorted(str(slot.card) for slot in difference.missing)
        cards += sorted(str(seen.card) for seen in difference.fresh)
        moved = sorted(f"{one.card} {one.zone}" for one in difference.moved)
        state = state.holding(("loss", *cards, *moved), view.t)
        since = view.t if state.differs_since is None else state.differs_since
        state = replace(state, differs_since=since)
        lasted = max(view.t - state.held_since, 0.0 if state.desynced else (view.t - since) / 3)
        told: tuple[Event, ...] = ()
        if misplay is None:
            state = replace(state, broken="")
        else:
            shown = sorted(one.track for one in (*difference.fresh, *(moved.seen for moved in difference.moved)))
            broken = f"{misplay.code} {misplay.seats} {shown}"
            state = state if state.broken == broken else replace(state, broken=broken, broken_since=view.t)
            state, told = self._told(state, view, misplay, view.t - min(state.held_since, state.broken_since))
        resting = view.stillness is Stillness.STILL or lasted >= 2 * self.patience.desync
        told_so = state.desynced and state.told_as == state.held
        if told_so or lasted < self.patience.desync or not resting:
            return Step(state, position, told)
        state, closed = _close_question(replace(state, desynced=True, told_as=state.held), view.t)
        ways = ways_back(self.game, self._signs, position, view, state.in_pool, state.lying)
        return Step(state, position, (*told, *closed, desync(view.t, difference, misplay, ways)))

    def _told(
        self, state: FollowState, view: TableView, misplay: Misplay, lasted: float
    ) -> tuple[FollowState, tuple[Event, ...]]:
        """A misplay is told once, when it has stood for a while; so is one that is taken back card by card. While table
        and game disagree nobody is told of any: it is likelier that the game is wrong. So it is where somebody seems to
        do the same again and has not taken the first back."""
        needed = self.patience.misplay * (1.6 if misplay.patient else 1.0)
        doubted = state.past.doubted or state.desynced  # rather misread
        if doubted or lasted < needed or view.stillness is Stillness.MOVING or misplay.key in state.told:
            return state, ()
        each = {f"{card} {misplay.seats} after {len(state.known)} actions" for card in misplay.cards}
        fault = f"{misplay.code} {misplay.seats}"
        cause = f"{fault} after {len(state.known)} actions since {state.differs_since}"
        stands = any(told == fault and number != len(state.known) for told, number in state.standing)
        if stands or cause in state.told or (each and each <= state.told):
            return state, ()
        state = replace(state, standing=state.standing | {(fault, len(state.known))})
        notice = Notice(misplay.code, as_sentence(misplay.text), misplay.rule, misplay.seats, misplay.cards)
        return replace(state, told=state.told | {misplay.key, cause} | each), (Noticed(view.t, notice),)


def _likelier(found: list[Explanation], plainer: list[Explanation], left_out: float) -> list[Explanation]:
    """What explains the table without its faint cards, if leaving them out (nats) is clearly the likelier story."""
    plain = bool(plainer) and not plainer[0].guessed
    return plainer if plain and plainer[0].cost + left_out + MARGIN <= found[0].cost else found


def _against_hands(view: TableView, done: Explanation, zones: Sequence[Zone]) -> bool:
    """Whether somebody else's hand alone was there when one of the actions was done, or a seat that did nothing, by
    what came after, had its hand there."""
    here = {seen.track: seen for seen in view.cards}
    idle = {
        action.seat
        for action, used in zip(done.actions[:-1], done.tracks, strict=False)
        if action.verb == NO_TRACE and not used
    }
    reached = (visit for visit in view.visits if visit.seat in idle and visit.begin >= view.t - REACHED)
    return any(not set(zones).isdisjoint(visit.over) for visit in reached) or any(
        against_hands(view, action.seat, [here[track] for track in used if track in here], zones)
        for action, used in zip(done.actions, done.tracks, strict=True)
    )


def _goes_on(found: Explanation) -> bool:
    """Whether the table tells of more than a single action: an empty hand that lies down shows nothing."""
    return len(found.actions) > 1 and any(action.cards or action.verb != "lie-down" for action in found.actions[1:])


def _close_question(state: FollowState, t: float) -> tuple[FollowState, tuple[Event, ...]]:
    if state.question is None:
        return state, ()
    return replace(state, question=None), (QuestionClosed(t, state.question.number),)
