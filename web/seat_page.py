"""A page for one seat: a player tells the own hand on it and sees what to do with it.

The hand belongs to the browser that told it, known by a secret in a cookie; a guest's browser has one already, from
when it was let in. The hand is in no answer to anybody else.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, abort, jsonify, render_template, request

from assistant.cards import InvalidCard, parse_cards
from assistant.games.game import GameError, InvalidInput
from assistant.session import SessionState
from web.access_guard import asking
from web.api import context, json_object, refuse, short_text
from web.own_hands import Asker
from web.seat_state import Known, seat_state, speaks
from web.wording import named

COOKIE: Final = "mournival-hand"
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{32}")
PATIENCE_S: Final = 0.4
"""How long an answer waits for the hints; after that it goes without them, and the page asks again."""

seats = Blueprint("seats", __name__)


@seats.get("/seat/<int:seat>")
def page(seat: int) -> Response:
    """The page; it gives the browser its secret."""
    _must_be(seat)
    response = Response(render_template("seat.html", seat=seat), headers={"Cache-Control": "no-store"})
    if _browser() is None:
        response.set_cookie(COOKIE, secrets.token_urlsafe(24), httponly=True, samesite="Strict")
    return response


@seats.get("/api/seat/<int:seat>")
def shown(seat: int) -> Response:
    """What the seat's page shows to this browser."""
    _must_be(seat)
    return _answer(seat)


@seats.post("/api/seat/<int:seat>/hand")
def tell(seat: int) -> Response:
    """The seat holds ``cards`` now."""
    _must_be(seat)
    text = short_text(json_object(), "cards")
    asker = _asker(seat)
    if asker is None:
        return refuse(403, "no-cookie", "this browser keeps no cookies: allow them here, then open the page again")
    try:
        cards = parse_cards(text)
    except InvalidCard as error:
        raise InvalidInput("bad-card", str(error)) from None
    context().hands.tell(asker, context().session.state, cards)
    return _answer(seat)


@seats.post("/api/seat/<int:seat>/forget")
def forget(seat: int) -> Response:
    """Forget the hand of the seat."""
    _must_be(seat)
    asker = _asker(seat)
    if asker is not None:
        context().hands.forget(asker)
        context().hints.keep(context().hands.askers())
    return _answer(seat)


@seats.errorhandler(GameError)
def refused(error: GameError) -> Response:
    """One plain line that names the card."""
    setup = context().session.setup
    reason = named(error.reason, setup)
    return refuse(400, error.code, f"{reason[0].upper()}{reason[1:]}.")


def _answer(seat: int) -> Response:
    state = context().session.state
    response = jsonify(seat_state(state, seat, _known(state, _asker(seat))))
    response.headers["Cache-Control"] = "no-store"
    return response


def _known(state: SessionState, asker: Asker | None) -> Known:
    """What this browser has told, and the hints that follow from it."""
    if asker is None or state.deal is None:
        return Known()
    told = context().hands.told(asker, state)
    known = Known(told=told.cards if told is not None else ())
    try:
        position = context().hands.position(asker, state)
    except GameError as error:
        return replace(known, wrong=error.reason)
    known = replace(known, position=position)
    if position is None or position.over or not speaks(position.setup):
        return known
    try:
        return replace(known, hints=context().hints.ask(asker, position, PATIENCE_S))
    except GameError as error:
        return replace(known, no_hints=error.reason)


def _must_be(seat: int) -> None:
    players = context().session.setup.players
    if not 1 <= seat <= players:
        abort(404, f"there is no seat {seat}: seats go from 1 to {players}")


def _asker(seat: int) -> Asker | None:
    browser = _browser()
    return None if browser is None else Asker(browser, seat)


def _browser() -> str | None:
    guest = asking()
    if guest.id:
        return guest.id
    token = request.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None
