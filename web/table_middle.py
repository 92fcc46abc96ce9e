"""What lies in the middle of the table where a game has no pool: a trick, or two centre cards and a stock."""

from __future__ import annotations

from typing import Any

from assistant.cards import RANKS
from assistant.games.game import Position
from assistant.games.rolling_stone import StonePosition
from assistant.games.sbros import SbrosPosition
from assistant.games.stone_cards import cards_of
from web.wording import SUIT_NAMES, a_rank, cards_phrase, rank_name, seat_name


def middle(position: Position) -> dict[str, Any] | None:
    """The middle as the page lays it out: ``kind``, a title, the cards with what stands under each, and a note.

    None for a game whose table is a pool.
    """
    if isinstance(position, StonePosition):
        return _trick(position)
    return _centre(position) if isinstance(position, SbrosPosition) else None


def advice(position: Position) -> list[str]:
    """What the seat in turn may do, in plain sentences; none for a game whose mates are listed."""
    if position.over:
        return []
    if isinstance(position, StonePosition):
        return _stone_advice(position)
    return _sbros_advice(position) if isinstance(position, SbrosPosition) else []


def beside(position: Position, seat: int) -> dict[str, Any]:
    """What else lies before a seat: ``tricks`` it has won, or the cards that it has put ``aside``."""
    pile = position.observe().piles.get(seat, ())
    if isinstance(position, StonePosition):
        return {"tricks": len(pile) // position.setup.players}
    return {"aside": [str(card) for card in pile]} if isinstance(position, SbrosPosition) else {}


def _trick(position: StonePosition) -> dict[str, Any]:
    setup, trick = position.setup, position.trick
    played = position.actions[len(position.actions) - len(trick) :]
    cards = [
        {"card": str(card), "under": seat_name(setup, action.seat)} for card, action in zip(trick, played, strict=True)
    ]
    note = f"{_suit(position).capitalize()} are led." if trick else ""
    if not trick and position.actions and not position.over:
        last = position.actions[-1]
        who = seat_name(setup, last.seat if last.verb == "pick-up" else position.to_act or last.seat)
        note = f"{who} picked the trick up." if last.verb == "pick-up" else f"{who} took the trick."
    return {"kind": "trick", "title": "The trick", "cards": cards, "note": note, "stock": None}


def _suit(position: StonePosition) -> str:
    return SUIT_NAMES.get(next((card.suit for card in position.trick if card.known), ""), "one suit")


def _stone_advice(position: StonePosition) -> list[str]:
    if position.trick:
        suit = _suit(position)
        return [f"Play one of the {suit}.", "Without any: pick the whole trick up, and lead next."]
    barred = cards_of(position.barred)
    if not barred:
        return ["Lead any card."]
    whole = position.rules.lead_bar == "suit"
    what = SUIT_NAMES[barred[0].suit] if whole else cards_phrase(barred)
    return [f"Lead any card but {what}, just picked up."]


def _centre(position: SbrosPosition) -> dict[str, Any]:
    left, right = position.places.centre
    cards = [{"card": str(left), "under": "left"}, {"card": str(right), "under": "right"}]
    note = "The stock is empty: what was put aside has changed hands." if position.exchanged else ""
    stock = position.observe().stock
    return {"kind": "centre", "title": "In the centre", "cards": cards, "note": note, "stock": stock}


def _sbros_advice(position: SbrosPosition) -> list[str]:
    left, right = position.places.centre
    if not (left.rank and right.rank):
        return ["Cover both centre cards."]
    low, high = sorted((RANKS.index(left.rank), RANKS.index(right.rank)))
    ways = [f"{a_rank(left.rank)} on the left and {a_rank(right.rank)} on the right"]
    if left.known and right.known:
        suits = f"a {SUIT_NAMES[left.suit][:-1]} on the left and a {SUIT_NAMES[right.suit][:-1]} on the right"
        ways.append(f"{suits}, one of them higher and the other lower than what it covers")
    if low == high:
        ways.append("any pair")
    elif high - low == 2:
        ways.append(f"two {rank_name(RANKS[low + 1], 2)}")
    elif high - low > 2:
        ways.append(f"a pair from the {rank_name(RANKS[low + 1], 2)} to the {rank_name(RANKS[high - 1], 2)}")
    said = [f"Cover both cards: {'; or '.join(ways)}."]
    said.append("Without a play: pass." if position.exchanged else "Without a play: put one card aside and draw one.")
    return said
