"""The Flask application: the page, its API, the pictures, and the guard before them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Final

from flask import Flask, Response, abort, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from assistant.session import SessionState
from web.access import Role
from web.access_guard import Lan, asking, guard
from web.access_pages import access
from web.account_page import account
from web.api import Context, api, context
from web.camera_pages import cameras
from web.language_choice import speak_to_everybody
from web.languages import _
from web.live import Board
from web.missed_cards import missed
from web.openapi import openapi
from web.overlay_page import overlay
from web.pack_pages import packs
from web.page_state import page_state
from web.plain_page import plain_pages
from web.refused_page import refused_page, wants_a_page
from web.replay_pages import replays
from web.seat_hints import without_cards
from web.seat_page import seats
from web.setup_page import setup_pages
from web.wording import capital

LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")

log = logging.getLogger("mournival")


def create_app(
    table: Context, *, hosts: Sequence[str] = LOCAL_HOSTS, browser_camera: bool = False, lan: Lan | None = None
) -> Flask:
    """The application for one open session.

    ``hosts``: the names under which the page may be asked for (a page of another site that points its own name at
    this computer gets nothing). ``browser_camera``: the host's page offers its own camera as the source. ``lan``: the
    door to the network; without it whoever reaches the page sits at this computer and is the host.
    """
    app = Flask(__name__)
    app.config["TRUSTED_HOSTS"] = list(hosts)
    app.extensions["mournival"] = table
    speak_to_everybody(app)
    app.register_blueprint(api)
    app.register_blueprint(seats)
    app.register_blueprint(access)
    app.register_blueprint(account)
    app.register_blueprint(cameras)
    app.register_blueprint(packs)
    app.register_blueprint(plain_pages)
    app.register_blueprint(setup_pages)
    app.register_blueprint(missed)
    app.register_blueprint(openapi)
    app.register_blueprint(overlay)
    app.register_blueprint(replays)
    guard(app, lan)
    table.session.listen(lambda state: _keep_hands(table, state))
    table.session.listen(_Shown(table.board))

    @app.get("/")
    def page() -> Response:
        guest = asking()
        role = guest.role
        html = render_template(
            "table.html",
            browser_camera=browser_camera and role is Role.HOST,
            role=role.value,
            own_seat=guest.seat or "",
            lets_in=lan is not None and role is Role.HOST,
        )
        return Response(html, headers={"Cache-Control": "no-store"})

    @app.get("/picture.jpg")
    def picture() -> Response:
        found = context().pictures.jpeg(request.args.get("frame", type=int))
        if found is None:
            abort(404, _("there is no picture yet"))
        number, data = found
        response = Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})
        response.set_etag(f"{context().board.start}-{number}")  # numbers begin anew at each start
        response.make_conditional(request)
        return response

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        own = error.description if error.description != type(error).description else None
        answer = _plain(error.code or 500, own or _of_its_kind(error.code))
        for name, value in error.get_headers():
            if name == "Allow":
                answer.headers[name] = value
        return answer

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        if request.blueprint == seats.name:
            log.error("The page asked for %s and it failed: %s", request.path, without_cards(error))
        else:
            log.exception("The page asked for %s and it failed", request.path)
        return _plain(500, _("something went wrong inside mournival; it is written to its log, and nothing is lost"))

    return app


class _Shown:
    """Posts each state for the browsers; a session's listener. Of a state that can't be shown they get the last one
    that could, with the new one's number, so that whoever reads it can take back what was done."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._last: SessionState | None = None

    def __call__(self, state: SessionState) -> None:
        try:
            self._board.post("state", lambda: page_state(state))
        except Exception:
            if self._last is None:
                raise
            last = self._last
            log.exception("Entry %s is written, and the page can't show what follows from it", state.seq)
            self._board.post("state", lambda: page_state(last) | _not_shown(state))
        else:
            self._last = state


def _not_shown(state: SessionState) -> dict[str, Any]:
    text = _("What was done last can't be shown")
    more = _("It is written down. Take it back with “Undo”, or start the program again.")
    return {"seq": state.seq, "headline": {"text": text, "more": more}}


def _keep_hands(table: Context, state: SessionState) -> None:
    """Only the hands of the deal that is being played are kept."""
    table.hands.on_state(state)
    table.hints.keep(table.hands.askers())


def _of_its_kind(status: int | None) -> str:
    """What is said where the framework refuses, which knows no languages."""
    match status:
        case 404:
            return _("there is nothing at this address: go to the table, at /")
        case 405:
            return _("this address can't be asked for in this way")
        case 413:
            return _("that is too large to be sent")
        case 415:
            return _("the page sends JSON")
    return _("this request can't be read")


def _plain(status: int, text: str) -> Response:
    """One line, as JSON for the API, as a page with the way back for a browser, as text for everybody else."""
    if request.path.startswith("/api/"):
        response = jsonify({"ok": False, "code": "refused", "error": capital(text)})
    elif status in (403, 404) and wants_a_page():
        response = refused_page(text)
    else:
        response = Response(f"{text}\n", mimetype="text/plain")
    response.status_code = status
    return response
