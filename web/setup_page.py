"""The set-up page: what is played and by whom, the camera and how well it sees, one's own pack."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from assistant.games import GAMES
from web.access_guard import lan
from web.wording import game_title

setup_pages = Blueprint("setup", __name__)


@setup_pages.get("/setup")
def page() -> Response:
    """The page, for hosts."""
    games = [(name, game_title(name), " ".join(map(str, game.players))) for name, game in GAMES.items()]
    html = render_template("setup.html", games=games, lets_in=lan() is not None)
    return Response(html, headers={"Cache-Control": "no-store"})
