"""What lies in the middle of the table where a game has no pool: a trick, or two centre cards and a stock."""

from __future__ import annotations

from typing import Any

from assistant.games.game import UNDER_WAY, Position
from assistant.games.rolling_stone import StonePosition
from assistant.games.sbros import SbrosPosition
from web.languages import _
from web.nouns import Noun, suit_noun
from web.wording import capital, seat_name


def middle(position: Position) -> dict[str, Any] | None:
    """The middle as the page lays it out: ``kind``, a title, the cards with what stands under each, and a note.

    None for a game whose table is a pool.
    """
    if isinstance(position, StonePosition):
        return _trick(position)
    return _centre(position) if isinstance(position, SbrosPosition) else None


def beside(position: Position, seat: int) -> dict[str, Any]:
    """What else lies before a seat: ``tricks`` it has won, or the cards that it has put ``aside``. How many tricks
    nobody knows in a deal that was joined under way."""
    pile = position.observe().piles.get(seat, ())
    if isinstance(position, StonePosition):
        joined = UNDER_WAY in position.setup.options
        return {} if joined else {"tricks": len(pile) // position.setup.players}
    return {"aside": [str(card) for card in pile]} if isinstance(position, SbrosPosition) else {}


def _trick(position: StonePosition) -> dict[str, Any]:
    setup, trick = position.setup, position.trick
    played = position.actions[len(position.actions) - len(trick) :]
    cards = [
        {"card": str(card), "under": seat_name(setup, action.seat)} for card, action in zip(trick, played, strict=True)
    ]
    note = capital(_("{suit} are led.", suit=_suit(position))) if trick else ""
    if not trick and position.actions and not position.over:
        last = position.actions[-1]
        if last.verb == "pick-up":
            note = _("{name} picked the trick up.", name=seat_name(setup, last.seat))
        else:
            note = _("{name} took the trick.", name=seat_name(setup, position.to_act or last.seat))
    return {"kind": "trick", "title": _("The trick"), "cards": cards, "note": note, "stock": None}


def _suit(position: StonePosition) -> Noun:
    return suit_noun(next((card.suit for card in position.trick if card.known), ""))


def _centre(position: SbrosPosition) -> dict[str, Any]:
    left, right = position.places.centre
    cards = [{"card": str(left), "under": _("left")}, {"card": str(right), "under": _("right")}]
    note = _("The stock is empty: what was put aside has changed hands.") if position.exchanged else ""
    stock = position.observe().stock
    return {"kind": "centre", "title": _("In the centre"), "cards": cards, "note": note, "stock": stock}
