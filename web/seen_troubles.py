"""What the follower sees go wrong on the table, as the session writes it down."""

from __future__ import annotations

from assistant import events as seen_events
from assistant.follow_state import FollowState
from assistant.games.game import Notice
from assistant.session import SessionState
from assistant.session_events import MisplayNoticed, SessionEvent, TableDisagrees


def trouble(state: SessionState, event: seen_events.Event) -> list[SessionEvent]:
    """What is written down of an event that is no action: that table and game disagree or agree again, and misplays."""
    match event:
        case seen_events.Desync():
            return [_disagreement(event)]
        case seen_events.Warned(_, "piles-dont-add-up" | "told-otherwise", text):
            return [TableDisagrees(text)]
        case seen_events.Resynced():
            return [TableDisagrees("")]
        case seen_events.Noticed():
            return _misplay(state, event.notice)
    return []


def _disagreement(event: seen_events.Desync) -> TableDisagrees:
    """What the follower says of a disagreement, as it is written down: with the first way to accept the table."""
    missing = tuple((str(card), place) for card, place in event.missing)
    unexpected = tuple((str(card), place) for card, place in event.unexpected)
    accepted = next((way for way in event.ways if way.kind == "accept"), None)
    moves = tuple((str(one.card), one.place, one.to) for way in event.ways for one in way.moves)
    undo, choice = (None, ()) if accepted is None else (accepted.undo, accepted.choice)
    return TableDisagrees(event.text, missing, unexpected, undo, choice, moves)


def _misplay(state: SessionState, notice: Notice) -> list[SessionEvent]:
    """What breaks a rule on the table is written down once. What the position itself says of faults is its own."""
    deal = state.deal
    if deal is None or any(one.open and one.notice == notice for one in deal.misplays):
        return []
    if any((one.code, one.cards) == (notice.code, notice.cards) for one in deal.position.notices()):
        return []
    return [MisplayNoticed(notice.code, notice.text, notice.rule, notice.seats, tuple(map(str, notice.cards)))]


def right_again(state: SessionState, following: FollowState) -> bool:
    """Whether what was against the rules lies there no more."""
    deal = state.deal
    return deal is not None and any(one.open for one in deal.misplays) and following.differs_since is None
