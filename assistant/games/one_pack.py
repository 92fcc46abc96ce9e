"""What holds of any set-up that is dealt from one pack."""

from __future__ import annotations

from assistant.cards import RANKS, Card
from assistant.games.bag import rank_of
from assistant.games.game import InvalidInput, Setup


def check_pack(setup: Setup, rule: str) -> None:
    """See that no card is there twice, and no more than four of a rank, on the table and in all hands together.

    ``rule`` is the number of the game's rule that says so. Raises InvalidInput that names place and card.
    """
    places = [("table", setup.table), *((f"hand {seat}", setup.hands[seat]) for seat in sorted(setup.hands))]
    where: dict[Card, str] = {}
    counts = [0] * len(RANKS)
    for place, cards in places:
        for card in cards:
            if card.known and card in where:
                reason = f"{card} is there twice: in '{where[card]}' and in '{place}'; a pack holds it once"
                raise InvalidInput("card-twice", reason, rule, about=place, card=card)
            where[card] = place
            rank = rank_of(card)
            if rank is None:
                continue
            counts[rank] += 1
            if counts[rank] > 4:
                reason = f"a pack holds four of rank {RANKS[rank]}, not five"
                raise InvalidInput("five-of-a-rank", reason, rule, about=place, card=card)
