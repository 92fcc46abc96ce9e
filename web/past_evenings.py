"""Evenings of the journal, this one and earlier ones, and their deals."""

from __future__ import annotations

from dataclasses import dataclass

from flask import abort, request

from assistant.games.game import GameError
from assistant.session import Deal, SessionState, resume
from web.access import Role
from web.access_guard import asking
from web.api import context
from web.journal import JournalError, SqliteJournal, StoredSession
from web.languages import _


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening that is looked at: its state, and its number where it is an earlier one."""

    state: SessionState
    number: int | None = None


def asked_evening() -> Evening:
    """The evening that the request is about: this one, or the stored session ``evening``, which is the host's to see.
    404 where there is no such session."""
    number = request.args.get("evening", type=int)
    journal = context().session.journal
    if number is None or (number == journal.session and asking().role is Role.HOST):
        return Evening(context().session.state)
    if asking().role is not Role.HOST:
        abort(403, _("earlier evenings are the host's to look at"))
    try:
        entries = journal.entries(number) if number > 0 else ()
        state = resume(entries)
    except (GameError, JournalError) as error:
        abort(404, _("evening {number} can't be read: {error}", number=number, error=error))
    if state.setup is None:
        abort(404, _("there is no evening {number} in the journal", number=number))
    return Evening(state, number)


def earlier_evenings() -> tuple[StoredSession, ...]:
    """The stored sessions with a deal in them but for this one, the newest first; none for anybody but the host."""
    journal = context().session.journal
    if asking().role is not Role.HOST or not isinstance(journal, SqliteJournal):
        return ()
    return tuple(one for one in reversed(journal.sessions()) if one.deals and one.session != journal.session)


def deals_of(state: SessionState) -> dict[int, Deal]:
    """All deals of an evening that count or may yet, by their numbers."""
    found = [one.played for one in state.closed] + list(state.aside)
    return {deal.number: deal for deal in sorted([*found, *([state.deal] if state.deal else [])], key=_number)}


def _number(deal: Deal) -> int:
    return deal.number
