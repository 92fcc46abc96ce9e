"""The table for browsers without JavaScript: a page of plain HTML, which may load itself anew every few seconds."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, render_template, request

from assistant.cards import Card
from web.api import context
from web.nouns import card_noun
from web.page_state import page_state

AGAIN_S: Final = 5

plain_pages = Blueprint("plain", __name__)


@plain_pages.get("/plain")
def page() -> Response:
    """Whose turn it is, what lies there, the piles, the settlement and the account. ``by_itself``: it looks again and
    again; nobody has to read faster than he can."""
    table = context()
    html = render_template(
        "plain.html",
        state=page_state(table.session.state),
        named=lambda card: card_noun(Card.parse(card)),
        again=AGAIN_S if "by_itself" in request.args else 0,
        signed=signed,
        counted=bool(table.session.state.closed),
        picture=table.pictures.jpeg() is not None,
    )
    return Response(html, headers={"Cache-Control": "no-store"})


def signed(count: float) -> str:
    """A result or account with its sign, a true minus: ``+5``, ``0``, ``−1.5``."""
    return f"{count:+g}".replace("-", "−") if count else "0"
