"""Telling a deal anew from all that has lain on the table: what a game's teller is asked and what it answers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

from assistant.events import Choice
from assistant.games.game import Action, Position
from assistant.signs.lain import AllLain
from assistant.view import TableView


@dataclass(frozen=True, slots=True)
class Retelling:
    """One way in which it all may have been.

    ``actions`` are those of the whole deal, ``tracks`` of those that were told anew (empty where nobody saw the cards).
    ``cost`` in nats, the smaller the likelier.
    """

    actions: Choice
    tracks: tuple[tuple[int, ...], ...]
    position: Position
    cost: float


class Teller(Protocol):
    """Tells a single deal anew; what it remembers of the last time only saves time."""

    @property
    def preferred(self) -> float:
        """What was told stands unless something is so much likelier (nats)."""
        ...

    @property
    def judges(self) -> bool:
        """Whether what it tells of a whole deal is good enough to doubt a settlement by."""
        ...

    def remembered(self, before: AllLain, view: TableView) -> AllLain:
        """What has lain on the table, with what a view adds."""
        ...

    def outline(self, lain: AllLain, now: float) -> object:
        """What of it matters: where it is the same, so are the ways."""
        ...

    def tell(self, start: Position, lain: AllLain, now: float) -> list[Retelling]:
        """The likeliest ways from a position to what lies there now (seconds), the likeliest first."""
        ...

    def sense(self, action: Action) -> Hashable:
        """What an action tells: where it is the same, what was told stands, with all that it names."""
        ...
