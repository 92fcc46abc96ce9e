"""The mistakes of Laugh and Lie Down that others may profit from (claims C1 to C5, LLD-28 to LLD-31).

A mistake is remembered from the action that made it until the cards are claimed or have left the table. One more
kind, ``missed-mate``, exists only under the option ``missed_mate=noticer_takes_pair``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from assistant.cards import Card
from assistant.games.bag import Bag

RULE_OF: Final = {
    "C1": "LLD-8",
    "C2": "LLD-16",
    "C3": "LLD-9b",
    "C4": "LLD-9c",
    "C5": "LLD-9a",
    "missed-mate": "LLD-17",
}

RANK_NAMES: Final = (
    *("aces", "twos", "threes", "fours", "fives", "sixes", "sevens"),
    *("eights", "nines", "tens", "jacks", "queens", "kings"),
)
"""What several cards of a rank are called, by the rank's number (0..12)."""


class Mistake(NamedTuple):
    """One mistake: who made it at which action, how many table cards of which rank it gives away."""

    code: str
    seat: int
    rank: int
    need: int
    action: int
    cards: tuple[Card, ...]
    open: bool = True
    claimed_by: int | None = None

    def told(self) -> str:
        """What happened, in one plain sentence."""
        cards, ranks = " ".join(map(str, self.cards)), RANK_NAMES[self.rank]
        match self.code:
            case "C1":
                what = f"left the mournival of {ranks} ({cards}) on the table"
            case "C2":
                what = f"took only one of three {ranks} and left {cards}"
            case "C3":
                what = f"lay down with three {ranks}, two of which could have been laid (such as {cards})"
            case "C4":
                what = f"lay down with the dead pair {cards}"
            case "C5":
                part = "the mournival" if self.need == 4 else "the second pair of the mournival"
                what = f"lay down with {part} of {ranks} ({cards})"
            case _:
                what = f"lay down and could have mated {ranks} ({cards})"
        return f"Seat {self.seat} {what}."

    def text(self) -> str:
        """What happened and what may be claimed for it."""
        number = "all four" if self.need == 4 else "both" if self.code != "C3" else "two of them"
        return f"{self.told()} Whoever calls it takes {number}."


def on_lying_down(
    seat: int, shown: Bag, table: Bag, won: Bag, laid: frozenset[tuple[int, int]], action: int
) -> list[Mistake]:
    """What a hand gives away as it is shown: C3, C4, C5, and mates that were missed.

    A rank may give away two things: a pair royal whose fourth card lies there is a missed mate and C3 (LLD-9b).
    ``table`` and ``won`` are as they were before the hand came down, ``laid`` the seats and ranks laid before.
    """
    mistakes = []
    for rank in range(13):
        held = shown.count(rank)
        if not held:
            continue
        lying = table.count(rank)
        cards = shown.of_rank(rank)
        if lying:
            taken = lying if lying == 3 else 1
            mate = (cards[0], *table.of_rank(rank)[:taken])
            mistakes.append(Mistake("missed-mate", seat, rank, len(mate), action, mate))
            if held == 3:
                # The fourth lay there: one of the three mates it, and the other two could be laid before or after.
                mistakes.append(Mistake("C3", seat, rank, 2, action, cards[1:]))
        elif held == 4:
            mistakes.append(Mistake("C5", seat, rank, 4, action, cards))
        elif held == 3:
            mistakes.append(Mistake("C3", seat, rank, 2, action, cards[:2]))
        elif held == 2 and (seat, rank) in laid:
            mistakes.append(Mistake("C5", seat, rank, 2, action, cards))
        elif held == 2 and won.count(rank) == 2:
            mistakes.append(Mistake("C4", seat, rank, 2, action, cards))
    return mistakes


def still_open(mistakes: Iterable[Mistake], table: Bag) -> tuple[Mistake, ...]:
    """The mistakes, those closed whose cards have left the table (LLD-30)."""
    return tuple(
        mistake._replace(open=False) if mistake.open and table.count(mistake.rank) < mistake.need else mistake
        for mistake in mistakes
    )
