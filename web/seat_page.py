"""A page for one seat: a player tells the own hand on it and sees what to do with it.

The hand belongs to the browser that told it, known by a secret in a cookie; a guest's browser has one already, from
when it was let in. The hand is in no answer to anybody else.
"""

from __future__ import annotations

import logging
import re
import secrets
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, abort, jsonify, render_template, request

from assistant.cards import InvalidCard, parse_cards
from assistant.games.game import GameError, InvalidInput
from assistant.hints import possible
from assistant.session import SessionState
from assistant.told import words_of
from vision.image_intake import PictureError
from vision.recogniser import ModelsMissing
from web.access_guard import asking
from web.api import context, json_object, refuse, refuse_for, short_text
from web.hand_pictures import seen_hand
from web.help_level import hints_shown
from web.languages import _
from web.own_hands import Asker
from web.seat_hints import without_cards
from web.seat_state import Known, seat_state, seen_state
from web.sent_pictures import PicturesBusy
from web.wording import capital, named

COOKIE: Final = "mournival-hand"
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{32}")
PATIENCE_S: Final = 0.4
"""How long an answer waits for the hints; after that it goes without them, and the page asks again."""

log = logging.getLogger("mournival")

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
    """What the seat's page shows to this browser; ``since``, the entry that it saw last, says what it missed."""
    _must_be(seat)
    return _answer(seat, request.args.get("since", type=int))


@seats.post("/api/seat/<int:seat>/hand")
def tell(seat: int) -> Response:
    """The seat holds ``cards`` now."""
    _must_be(seat)
    text = short_text(json_object(), "cards")
    asker = _asker(seat)
    if asker is None:
        return refuse(403, "no-cookie", _("this browser keeps no cookies: allow them here, then open the page again"))
    try:
        cards = parse_cards(text)
    except InvalidCard as error:
        raise InvalidInput("bad-card", words_of(error)) from None
    context().hands.tell(asker, context().session.state, cards)
    return _answer(seat)


@seats.post("/api/seat/<int:seat>/picture")
def picture(seat: int) -> Response:
    """The cards of the seat's hand in a picture, to be looked over; they are not told by that."""
    _must_be(seat)
    state, looking = context().session.state, context().hand_pictures
    if request.mimetype != "image/jpeg":
        return refuse(415, "not-a-jpeg", _("a picture of a hand comes as JPEG"))
    if looking is None:
        return refuse(409, "no-recogniser", _("pictures of hands are not read here: tap the cards"))
    if state.deal is None or state.deal.position.over:
        return refuse(409, "no-deal", _("no deal is being played: show the hand once the cards are dealt"))
    offered, data = possible(state.deal.position, seat), request.get_data(cache=False)
    try:
        seen = seen_hand(looking.look(data, seat).readings, offered)
    except PictureError as error:
        return refuse_for(400, "bad-picture", error)
    except PicturesBusy as error:
        return refuse_for(503, "busy", error)
    except ModelsMissing as error:
        log.error("Pictures of hands are not read: %s", without_cards(error))
        return refuse(409, "no-recogniser", _("pictures of hands are not read here: tap the cards"))
    except Exception as error:  # the networks may fail in any way, and what they say may name cards
        log.error("A picture of a hand could not be read: %s", without_cards(error))
        return refuse(500, "unread", _("the picture could not be read: tap the cards"))
    response = jsonify(seen_state(seen, state.deal.position.observe().hands[seat]))
    response.headers["Cache-Control"] = "no-store"
    return response


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
    return refuse(400, error.code, f"{capital(reason)}.")


def _answer(seat: int, since: int | None = None) -> Response:
    state, looking = context().session.state, context().hand_pictures
    page = seat_state(state, seat, _known(state, _asker(seat)), since)
    response = jsonify(page | {"camera": looking is not None})
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
    if position is None or position.over or not hints_shown(position.setup):
        return known
    try:
        return replace(known, hints=context().hints.ask(asker, position, PATIENCE_S))
    except GameError as error:
        return replace(known, no_hints=error.reason)


def _must_be(seat: int) -> None:
    players = context().session.setup.players
    if not 1 <= seat <= players:
        abort(404, _("there is no seat {seat}: seats go from 1 to {players}", seat=seat, players=players))


def _asker(seat: int) -> Asker | None:
    browser = _browser()
    return None if browser is None else Asker(browser, seat)


def _browser() -> str | None:
    guest = asking()
    if guest.id:
        return guest.id
    token = request.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None
