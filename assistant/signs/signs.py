"""Signs: what a game shows on the table, and what a change there can mean. One ``Signs`` for each game.

The following (``assistant.following``) knows no game; it asks the game's signs where each known card must lie, which
legal actions explain what the table shows instead, and which of the rules is broken where no legal action does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assistant.cards import Card
from assistant.events import Choice
from assistant.games.game import Position, Setup
from assistant.signs.difference import Difference, Slot
from assistant.view import SeenCard, TableView, Zone


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before the deal: the game's name, the number of players, who deals, options and names."""

    game: str
    players: int
    dealer: int
    options: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card that lay there since the last action and is gone: as it was read best, and from when to when (s).

    ``clear``: when it was seen last with nothing over it.
    """

    seen: SeenCard
    first: float
    last: float
    clear: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Actions that lead from a position to what the table shows.

    ``cost`` in nats, the smaller the likelier; ``hidden`` counts cards that must lie out of sight for it to be true;
    ``guessed`` says that one of them has left no trace anywhere, not even a gap in the pool; ``doubtful`` that even
    the first action may be wrong; ``unfinished`` that more may be to come of what was done; ``confidence`` is the
    probability that the cards are read rightly; ``tracks`` by action. ``grasp``: what may be to come is a second grasp
    of the same hand, which is seen where hands are seen at all.
    """

    actions: Choice
    position: Position
    cost: float
    hidden: int
    confidence: float
    tracks: tuple[tuple[int, ...], ...]
    guessed: bool = False
    unfinished: bool = False
    doubtful: bool = False
    grasp: bool = False


@dataclass(frozen=True, slots=True)
class Misplay:
    """What was done against the rules, as the table shows it: nothing that the game may go on from.

    ``code`` is the engine's reason (``not-the-same-rank``), ``seats`` who did it (empty where that can't be told),
    ``text`` one plain sentence with the cards. ``patient``: it may still be half of something legal, and must stand
    longer before it is told.
    """

    code: str
    seats: tuple[int, ...]
    cards: tuple[Card, ...]
    text: str
    rule: str = ""
    patient: bool = False

    @property
    def key(self) -> str:
        """What tells it from other misplays of the deal."""
        return f"{self.code} {self.seats} {' '.join(map(str, self.cards))}"


class Signs(Protocol):
    """What one game shows on the table."""

    @property
    def game(self) -> str:
        """The game's name in records."""
        ...

    @property
    def deal_zones(self) -> tuple[Zone, ...]:
        """Where the face-up cards of the deal lie; empty: there are none, so the deal begins at the first look."""
        ...

    @property
    def shared(self) -> tuple[Zone, ...]:
        """Where several seats put their cards, so that hands tell whose they are; empty: hands tell too little."""
        ...

    def deal_size(self, terms: Terms) -> int:
        """How many face-up cards a deal under these terms has."""
        ...

    def dealt(self, terms: Terms, cards: Sequence[SeenCard], view: TableView) -> Setup | None:
        """The set-up that these resting cards are the deal of; None: these are no deal (yet).

        ``cards`` are those that count, ``view`` all that is seen. The game itself checks the set-up.
        """
        ...

    def slots(self, position: Position) -> tuple[Slot, ...]:
        """Where each card that the game knows on the table lies."""
        ...

    def certain(self, position: Position) -> tuple[Position, Choice]:
        """The position after all that must happen now and shows nothing, and those actions."""
        ...

    def explain(
        self,
        position: Position,
        difference: Difference,
        view: TableView,
        most: int = 3,
        arrived: Mapping[int, float] | None = None,
        gone: Sequence[Glimpse] = (),
    ) -> list[Explanation]:
        """All explanations of the whole difference by at most ``most`` actions, the likeliest first.

        ``arrived``: when each track was first seen in the middle of the table. ``gone``: the cards that lay in sight
        since the last action and don't any more.
        """
        ...

    def traceless(self, position: Position, view: TableView, gone: Sequence[Glimpse] = ()) -> list[Explanation]:
        """What was done though the table shows just what the game expects: a hand alone tells of it. ``gone`` has the
        cards that may only lie covered, too."""
        ...

    def resting(self, position: Position) -> Choice:
        """What may well have happened where the table rests for long as the game expects it; empty: nothing.

        It leaves no trace, so it is asked, never assumed.
        """
        ...

    def misplay(
        self, position: Position, difference: Difference, view: TableView, gone: Sequence[Glimpse] = ()
    ) -> Misplay | None:
        """What was done against the rules, where a plain reading of the difference says so.

        Where table and game agree (again) the difference is empty, and ``gone`` tells of what was put right meanwhile.
        """
        ...

    def finished(self, position: Position, view: TableView) -> bool:
        """Whether a deal that is over by the rules can be closed: nothing on the table is open any more."""
        ...


def place_name(zone: Zone | None) -> str:
    """``table``, ``pile 2``, ``left`` or ``nowhere`` (between the places)."""
    return "nowhere" if zone is None else str(zone)
