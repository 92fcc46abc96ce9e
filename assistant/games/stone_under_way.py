"""A deal of Rolling Stone that was under way when it was first seen: who led then, and how many cards each held.

Which cards those are, and which have left play, nobody saw. It is kept as an option of the set-up (``UNDER_WAY``), so
that a record tells it: ``under_way=2_leads_7-5-9-3``, or ``2_leads_7-5-9-3_not_C`` where clubs may not be led
(RST-9).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from assistant.cards import SUITS

_TEXT: Final = re.compile(r"([1-6])_leads_([0-9]{1,2}(?:-[0-9]{1,2}){2,5})(?:_not_([SHDC]))?")


@dataclass(frozen=True, slots=True)
class UnderWay:
    """The trick that begins is led by ``leader``; each seat (seat 1 first) holds so many cards before it.

    ``barred``: the suit that may not be led, because ``leader`` has just picked it up; empty if there is none.

    >>> UnderWay.parse("2_leads_7-5-9-3")
    UnderWay(leader=2, sizes=(7, 5, 9, 3), barred='')
    """

    leader: int
    sizes: tuple[int, ...]
    barred: str = ""

    @classmethod
    def parse(cls, text: str) -> UnderWay | None:
        """What the option's value says; None where it says no such thing."""
        found = _TEXT.fullmatch(text)
        return None if found is None else cls(int(found[1]), tuple(map(int, found[2].split("-"))), found[3] or "")

    def __str__(self) -> str:
        bar = f"_not_{self.barred}" if self.barred else ""
        return f"{self.leader}_leads_{'-'.join(map(str, self.sizes))}{bar}"

    def fits(self, players: int, dealt: int) -> bool:
        """Whether so many players, to each of whom ``dealt`` cards were dealt, can hold these cards between two tricks.

        Each holds a card still, and since a completed trick takes one card of each out of play, what is held is a
        multiple of their number.
        """
        held = sum(self.sizes)
        return (
            len(self.sizes) == players
            and 1 <= self.leader <= players
            and min(self.sizes) > 0
            and held % players == 0
            and held <= players * dealt
            and (not self.barred or self.barred in SUITS)
        )
