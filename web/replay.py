"""A deal looked back at: the table as it was at each action, in the words of the page."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from assistant.accounts import kind_of
from assistant.games import game_named
from assistant.session import Deal
from assistant.session_events import JOINED
from web.evening import counted_of, shown
from web.languages import _
from web.page_state import table_shown
from web.wording import action_sentence, game_title, seat_name


def story(deal: Deal, pictures: Collection[int]) -> dict[str, Any]:
    """The deal as its page begins with it: what happened, step by step from the deal on (step 0), and how it ended.

    ``pictures``: the entries of which there is one. Each step has its sentence, whether it is ``sure``, its ``seat``
    (0: none), its ``entry`` and, as ``picture``, the same entry where there is one of it. Actions that were made up, as
    the deal was joined under way, are not told one by one.
    """
    setup = deal.position.setup
    begun = deal.log[0].seq
    steps = [_told(_("{name} has dealt.", name=seat_name(setup, setup.dealer)), 0, True, begun, pictures)]
    for done in deal.done:
        text = (
            _("What happened before the deal was joined.") if done.by == JOINED else action_sentence(done.action, setup)
        )
        steps.append(_told(text, done.action.seat, done.sure, done.seq, pictures))
    counted = counted_of(deal)
    return {
        "deal": deal.number,
        "game": game_title(setup.game),
        "dealer": seat_name(setup, setup.dealer),
        "over": deal.position.over,
        "sure": deal.sure,
        "steps": steps,
        "results": []
        if counted is None
        else [
            {"name": seat_name(setup, seat), "result": shown(net, kind_of(setup))}
            for seat, net in enumerate(counted.nets, start=1)
        ],
    }


def _told(text: str, seat: int, sure: bool, entry: int, pictures: Collection[int]) -> dict[str, Any]:
    ended = text if text.endswith((".", "!", "?")) else f"{text}."
    return {"text": ended, "seat": seat, "sure": sure, "entry": entry, "picture": entry if entry in pictures else None}


def table_at(deal: Deal, step: int) -> dict[str, Any]:
    """The table after so many actions; ``moved`` are the cards of the last. Raises IndexError for a step that the deal
    has not."""
    if not 0 <= step <= len(deal.done):
        raise IndexError(step)
    position = game_named(deal.position.setup.game).deal(deal.position.setup)
    for done in deal.done[:step]:
        position = position.apply(done.action)
    cards = deal.done[step - 1].action.cards if step else ()
    return {"step": step, "moved": list(map(str, cards)), **table_shown(position)}
