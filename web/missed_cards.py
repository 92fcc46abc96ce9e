"""A card that was missed, or that does not lie there: the page is told what may have happened, and takes one of it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from assistant.card_ways import Way, ways_in, ways_out
from assistant.cards import Card, InvalidCard
from assistant.games.game import Action, Setup
from assistant.session import Deal
from web.api import context, refuse_for
from web.languages import _
from web.wording import action_sentence

missed = Blueprint("missed", __name__, url_prefix="/api")


@missed.get("/ways")
def ways() -> Response:
    """How ``card`` may have come to lie where nobody saw it come; with ``wrong`` how it came to be thought of."""
    try:
        card = Card.parse(request.args.get("card", ""))
    except InvalidCard as error:
        return refuse_for(400, "bad-card", error)
    state = context().session.state
    found = ways_out(state, card) if request.args.get("wrong") else ways_in(state, card)
    deal = state.deal
    told = [] if deal is None else [_told(way, deal) for way in found]
    return jsonify({"ok": True, "seq": state.seq, "ways": told})


def _told(way: Way, deal: Deal) -> dict[str, Any]:
    """A way in words, with the command that takes it: its ``path`` below ``/api/`` and the rest of its ``body``."""
    setup = deal.position.setup
    there = next((done.action for done in deal.done if done.seq == way.target), None)
    text = _sentence(way, there, setup)
    if way.action is None:
        return {"text": text, "path": "undo", "body": {"target": way.target}}
    if not way.target:
        return {"text": text, "path": "action", "body": {"line": str(way.action)}}
    body = {"line": str(way.action), "target": way.target, "instead": way.instead}
    return {"text": text, "path": "change", "body": body}


def _sentence(way: Way, there: Action | None, setup: Setup) -> str:
    was = "" if there is None else action_sentence(there, setup)
    if way.action is None:
        return _("This did not happen: {action}.", action=was)
    now = action_sentence(way.action, setup)
    if there is None:
        return _("{action}.", action=now)
    if way.action.verb == "lie-down":
        unread = sum(not card.known for card in way.action.cards) > sum(not card.known for card in there.cards)
        if unread:
            return _("It was another card, which nobody read: {action}.", action=now)
        return _("It was among the cards when this happened: {action}.", action=now)
    if way.instead:
        return _("{action}, and not: {other}.", action=now, other=was)
    return _("{action}, before this: {other}.", action=now, other=was)
