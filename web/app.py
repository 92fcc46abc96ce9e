"""The Flask application: the page, its API, the pictures, and the guard before them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from flask import Flask, Response, abort, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from assistant.games import GAMES as BUILT
from assistant.session import SessionState
from web.access import Role
from web.access_guard import Lan, asking, guard
from web.access_pages import access
from web.api import Context, api, context
from web.page_state import page_state
from web.seat_hints import without_cards
from web.seat_page import seats

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
    app.register_blueprint(api)
    app.register_blueprint(seats)
    app.register_blueprint(access)
    guard(app, lan)
    table.session.listen(lambda state: _keep_hands(table, state))
    table.session.listen(lambda state: table.board.post("state", page_state(state)))

    @app.get("/")
    def page() -> Response:
        games = [(name, game.title, " ".join(map(str, game.players))) for name, game in BUILT.items()]
        role = asking().role
        html = render_template(
            "table.html",
            games=games,
            browser_camera=browser_camera and role is Role.HOST,
            role=role.value,
            lets_in=lan is not None and role is Role.HOST,
        )
        return Response(html, headers={"Cache-Control": "no-store"})

    @app.get("/picture.jpg")
    def picture() -> Response:
        found = context().pictures.jpeg(request.args.get("frame", type=int))
        if found is None:
            abort(404, "there is no picture yet")
        number, data = found
        response = Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})
        response.set_etag(f"{context().board.start}-{number}")  # numbers begin anew at each start
        response.make_conditional(request)
        return response

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        return _plain(error.code or 500, error.description or error.name)

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        if request.blueprint == seats.name:
            log.error("The page asked for %s and it failed: %s", request.path, without_cards(error))
        else:
            log.exception("The page asked for %s and it failed", request.path)
        return _plain(500, "something went wrong inside mournival; it is written to its log, and nothing is lost")

    return app


def _keep_hands(table: Context, state: SessionState) -> None:
    """Only the hands of the deal that is being played are kept."""
    table.hands.on_state(state)
    table.hints.keep(table.hands.askers())


def _plain(status: int, text: str) -> Response:
    """One line, as JSON for the API and as text for everybody else."""
    if request.path.startswith("/api/"):
        response = jsonify({"ok": False, "code": "refused", "error": text})
    else:
        response = Response(f"{text}\n", mimetype="text/plain")
    response.status_code = status
    return response
