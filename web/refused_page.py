"""What a browser shows where a page is not there, or not for who asks: why, in one line, and the way back."""

from __future__ import annotations

from flask import Response, render_template, request

from web.access import Role
from web.access_guard import asking
from web.wording import capital


def wants_a_page() -> bool:
    """Whether somebody's browser was sent to this address, and not a script or a program."""
    return request.accept_mimetypes.best_match(["text/plain", "text/html"]) == "text/html"


def refused_page(text: str) -> Response:
    """The page that says ``text``; a player's leads to the own hand, too."""
    guest = asking()
    home = "/camera" if guest.role is Role.CAMERA else "/"
    html = render_template("refused.html", text=f"{capital(text)}.", seat=guest.seat, home=home)
    return Response(html, headers={"Cache-Control": "no-store"})
