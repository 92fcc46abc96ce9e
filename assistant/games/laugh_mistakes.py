"""The mistakes of Laugh and Lie Down that others may profit from (claims C1 to C5, LLD-28 to LLD-31).

A mistake is remembered from the action that made it until the cards are claimed or have left the table. One more
kind, ``missed-mate``, exists only under the option ``missed_mate=noticer_takes_pair``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from assistant.cards import RANKS, Card
from assistant.games.bag import Bag
from assistant.told import Rank, Seat, Told, later, tell

RULE_OF: Final = {
    "C1": "LLD-8",
    "C2": "LLD-16",
    "C3": "LLD-9b",
    "C4": "LLD-9c",
    "C5": "LLD-9a",
    "missed-mate": "LLD-17",
}


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

    def told(self) -> Told:
        """What happened, in one plain sentence."""
        return tell(self._pattern(), seat=Seat(self.seat), rank=Rank(RANKS[self.rank]), cards=self.cards)

    def _pattern(self) -> str:
        match self.code:
            case "C1":
                return later("{seat} left the mournival of {rank.many} ({cards}) on the table.")
            case "C2":
                return later("{seat} took only one of three {rank.many} and left {cards}.")
            case "C3":
                return later(
                    "{seat} lay down with three {rank.many}, two of which could have been laid (such as {cards})."
                )
            case "C4":
                return later("{seat} lay down with the dead pair {cards}.")
            case "C5" if self.need == 4:
                return later("{seat} lay down with the mournival of {rank.many} ({cards}).")
            case "C5":
                return later("{seat} lay down with the second pair of the mournival of {rank.many} ({cards}).")
            case _:
                return later("{seat} lay down and could have mated {rank.many} ({cards}).")

    def text(self) -> Told:
        """What happened and what may be claimed for it."""
        if self.need == 4:
            return tell("{what} Whoever calls it takes all four.", what=self.told())
        if self.code == "C3":
            return tell("{what} Whoever calls it takes two of them.", what=self.told())
        return tell("{what} Whoever calls it takes both.", what=self.told())


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
