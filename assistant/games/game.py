"""The one shape that every game has: set-up, position, legal actions, apply, faults, claims, facts, settlement.

A position is frozen; ``apply`` returns a new one. The engine knows only cards and seats, never a picture.

A game is a module in ``assistant/games/`` with a ``Game`` called ``GAME``; nothing else names it (``assistant.games``
finds it there).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from assistant.cards import Card
from assistant.told import later, tell, words_of


class GameError(ValueError):
    """The root of the engine's errors: a stable ``code`` (kebab-case), the ``rule`` (such as LLD-13) and a reason."""

    def __init__(self, code: str, reason: str, rule: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.rule = rule


class InvalidInput(GameError):
    """The input can't be understood or contradicts itself: an unknown card, a card twice, a wrong hand size.

    ``about`` names the part of a set-up that is meant, in the words of the record (``players``, ``hand 2``,
    ``table``), ``card`` the card in it, where it is one.
    """

    def __init__(self, code: str, reason: str, rule: str = "", about: str = "", card: Card | None = None) -> None:
        super().__init__(code, reason, rule)
        self.about = about
        self.card = card


class IllegalAction(GameError):
    """The rules don't allow the action in this position."""


class AmbiguousInput(GameError):
    """More than one reading is possible, and the choice matters."""


class StaleInput(GameError):
    """The input answers a state that is no longer the current one."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a seat does: ``str`` and ``parse`` are the record's own notation (``2 mate KH KS``)."""

    seat: int
    verb: str
    cards: tuple[Card, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read ``SEAT VERB CARDS...``. Raises InvalidInput."""
        words = text.split()
        if len(words) < 2 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) <= 3):
            pattern = later("'{text}' is no action: write SEAT VERB CARDS, such as 2 mate KH KS")
            raise InvalidInput("bad-action", tell(pattern, text=text))
        try:
            cards = tuple(Card.parse(word) for word in words[2:])
        except ValueError as error:
            raise InvalidInput("bad-card", words_of(error)) from None
        return cls(int(words[0]), words[1].lower(), cards)

    def __str__(self) -> str:
        return " ".join((str(self.seat), self.verb, *map(str, self.cards)))


UNDER_WAY: Final = "under_way"
"""The option of a deal that was joined under way, by a game that needs one: what it was like then. It is that deal's
alone, never the table's."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a deal starts. ``hands`` may miss seats or hold ``??``: an observer does not see them."""

    game: str
    players: int
    dealer: int
    table: tuple[Card, ...] = ()
    hands: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def left_of(self, seat: int) -> int:
        """The seat on the left of a seat."""
        return seat % self.players + 1


@dataclass(frozen=True, slots=True)
class Claim:
    """A fault that somebody may profit from now: ``code`` C1..C5, the offender's seat, what may be taken, by whom."""

    code: str
    seat: int
    cards: tuple[Card, ...]
    claimants: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake that was made. ``action`` is the index of the action in the deal (0-based) at which it arose."""

    code: str
    seat: int
    cards: tuple[Card, ...]
    action: int
    claimed_by: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something worth telling the table: a code, the rule's number, one plain sentence, the seats and cards meant."""

    code: str
    text: str
    rule: str = ""
    seats: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is certain though nobody has said it: it follows from what lies open and from the rules.

    ``code`` says of which kind: ``dead`` (nobody can take ``cards`` any more), ``holds`` (each of ``seats`` holds
    ``cards``; by rank only where no more is known), ``lacks`` (``seats`` hold no card of the rank or suit that the
    text names), ``safe`` (the holder of ``cards`` can't lose this action any more), or a game's own. ``text`` is one
    plain sentence that gives the reason; ``rule`` the rule it rests on.
    """

    code: str
    text: str
    rule: str = ""
    seats: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """What an observer of the table would see: face-up cards by place, and how many each hand and the stock hold."""

    table: tuple[Card, ...]
    piles: Mapping[int, tuple[Card, ...]]
    hands: Mapping[int, int]
    active: tuple[int, ...]
    stock: int = 0


class Position(Protocol):
    """A deal at one moment; frozen."""

    @property
    def setup(self) -> Setup: ...
    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything done so far in the deal."""
        ...

    @property
    def to_act(self) -> int | None:
        """The seat in turn; None when the deal is over."""
        ...

    @property
    def over(self) -> bool: ...
    def legal_actions(self) -> tuple[Action, ...]:
        """Every legal action of every seat that may act, also out of turn; claims are in ``claims``."""
        ...

    def apply(self, action: Action) -> Position:
        """The position after the action. Raises IllegalAction or InvalidInput."""
        ...

    def claims(self) -> tuple[Claim, ...]: ...
    def faults(self) -> tuple[Fault, ...]: ...
    def notices(self) -> tuple[Notice, ...]: ...
    def facts(self) -> tuple[Fact, ...]:
        """What can be inferred with certainty from what is known in this position, most useful first."""
        ...

    def observe(self) -> TableState: ...
    def unseen(self) -> Mapping[str, int]:
        """By rank, how many cards nobody has seen yet."""
        ...

    def settlement(self) -> Mapping[str, Any] | None:
        """The settlement as the contract's JSON object; None while the deal is not over."""
        ...

    @property
    def next_dealer(self) -> int:
        """The seat that deals next, as far as this deal decides it; asked only when the deal is over."""
        ...


class Game(Protocol):
    """Static facts of a game and its way in."""

    @property
    def name(self) -> str:
        """Its name in records and on the command line (``laugh-and-lie-down``)."""
        ...

    @property
    def title(self) -> str:
        """Its name for people (``Laugh and Lie Down``)."""
        ...

    @property
    def verbs(self) -> tuple[str, ...]:
        """What may stand after the seat in an action."""
        ...

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that it can be played with, fewest first."""
        ...

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """Each option with its values, the default first; no values: a whole number."""
        ...

    @property
    def unit(self) -> str:
        """What a deal's result is counted in: ``stakes`` (they sum to nought) or ``points``."""
        ...

    def shuffled(self, setup: Setup, pack: Sequence[Card]) -> Setup:
        """The set-up with a pack (the 52 cards in any order) dealt out: the face-up cards and every hand.

        Cards that the game leaves out are passed over; a stock stays unseen.
        """
        ...

    def deal(self, setup: Setup) -> Position:
        """The position before the first action. Raises InvalidInput."""
        ...


def before_last(game: Game, position: Position, number: int) -> Position:
    """The position before its last ``number`` actions (0..all of them); raises nothing, for they were legal."""
    before = game.deal(position.setup)
    for action in position.actions[: len(position.actions) - number]:
        before = before.apply(action)
    return before
