"""What is told while cards lie there that can't be taken up as a deal (yet)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assistant.cards import Card
from assistant.games.game import InvalidInput
from assistant.told import as_sentence, later, tell

MID_DEAL: Final = tell(
    "A deal seems to be under way: answer what is asked to join it; otherwise the next deal is followed."
)
UNREAD: Final = tell("A card of the deal can't be read: straighten it, or lay it into better light.")
BESIDE: Final = later(
    "Beside the cards of the deal there is this: {cards}. Take that away to begin, unless a deal is under way already."
)
"""With the ``cards`` that lie there too."""
FEW_BESIDE: Final = 2
"""So many cards beside a complete deal may be there by mistake; more are piles of a deal under way."""


def no_deal(error: InvalidInput, *, under_way: bool) -> tuple[str, str]:
    """The code and the text where the cards that lie there make no deal: what the game says of them, or that one is
    ``under_way``."""
    return ("mid-deal", MID_DEAL) if under_way else ("wrong-deal", as_sentence(error.reason))


def held_up(beside: Sequence[Card]) -> tuple[str, str]:
    """The code and the text where the right number of cards lies there, but others lie ``beside`` them, or one is
    unreadable."""
    if len(beside) > FEW_BESIDE:
        return "mid-deal", MID_DEAL
    return ("cards-beside", tell(BESIDE, cards=tuple(beside))) if beside else ("unread-card", UNREAD)
