"""What a deal of Sbros starts from: the options by name, and a set-up that is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.games.bag import Bag
from assistant.games.game import InvalidInput, Setup
from assistant.games.one_pack import check_pack
from assistant.games.refusals import no_such_option, no_such_value, wrong_game
from assistant.told import later, tell

NAME: Final = "sbros"
HAND: Final = 6
"""Cards dealt to each, and up to which one draws (SBR-3, SBR-7)."""
STOCK: Final = 38
"""Cards that are left when both hands and the two centre cards are dealt (SBR-3)."""

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "m2_step": ("any", "adjacent"),
    "reset_face": ("up", "down"),
    "reset_repeat": ("one", "until_playable"),
    "merge": ("exchange", "own"),
    "late_pass": ("forced", "free"),
    "end_on_first_block": ("no", "yes"),
    "help": ("coach", "referee", "silent"),
}
"""Every option of the game with its values, the default first.

``m2_step``: how far above and below the cards of M2 may lie. ``reset_face``: how temporary discards lie.
``reset_repeat``: whether the turn passes after one reset or goes on until a play appears. ``merge``: whose temporary
discard one takes when the stock is empty. ``late_pass``: whether one may pass then though one could play.
``end_on_first_block``: whether the first pass ends the deal instead of two in a row. ``help``: how much is said.
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a deal as the engine uses them; the defaults are those of ``OPTIONS``."""

    m2_step: str = "any"
    reset_face: str = "up"
    reset_repeat: str = "one"
    merge: str = "exchange"
    late_pass: str = "forced"
    end_on_first_block: str = "no"
    help: str = "coach"

    @property
    def adjacent(self) -> bool:
        """M2 takes only the next rank up and down."""
        return self.m2_step == "adjacent"


def rules_of(setup: Setup) -> Rules:
    """The rules that a set-up asks for. Raises InvalidInput that names an unknown option or value."""
    if setup.players != 2:
        raise InvalidInput(
            "bad-players",
            tell("Sbros is for two players, not {players}", players=setup.players),
            "SBR-1",
            about="players",
        )
    for name, value in setup.options.items():
        values = OPTIONS.get(name)
        if values is None:
            raise InvalidInput(
                "unknown-option",
                no_such_option("Sbros", name, OPTIONS),
                about="options",
            )
        if value not in values:
            raise InvalidInput("bad-option", no_such_value(name, values, value), about="options")
    return Rules(**setup.options)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A checked set-up: the centre, both hands, and the cards that each seat will draw as far as they are known."""

    rules: Rules
    centre: tuple[Card, Card]
    hands: tuple[Bag, Bag]
    coming: tuple[tuple[Card, ...], tuple[Card, ...]]


def dealt(setup: Setup) -> Dealt:
    """Check a set-up and lay it out. Raises InvalidInput that names what is wrong and where.

    A hand's first six cards are those dealt; what else is listed are the cards that the seat draws later, in order.
    """
    if setup.game != NAME:
        raise InvalidInput("wrong-game", wrong_game(NAME, setup.game), about="game")
    rules = rules_of(setup)
    if setup.dealer not in (1, 2):
        raise InvalidInput(
            "bad-dealer", tell("the dealer is seat 1 or 2, not {dealer}", dealer=setup.dealer), about="dealer"
        )
    if setup.names and len(setup.names) != 2:
        raise InvalidInput(
            "bad-names", tell("two players need two names, not {names}", names=len(setup.names)), about="names"
        )
    if len(setup.table) != 2:
        pattern = later("two cards lie in the centre at the deal, the left and the right one, not {lie}")
        raise InvalidInput("wrong-table-size", tell(pattern, lie=len(setup.table)), "SBR-3", about="table")
    for seat, hand in setup.hands.items():
        if seat not in (1, 2):
            raise InvalidInput("no-such-seat", f"there is no seat {seat}: seats are 1 and 2", about=f"hand {seat}")
        if not HAND <= len(hand) <= HAND + STOCK:
            raise InvalidInput(
                "wrong-hand-size",
                f"each is dealt {HAND} cards (what is drawn later may follow), but seat {seat} has {len(hand)}",
                "SBR-3",
                about=f"hand {seat}",
            )
    check_pack(setup, "SBR-1")
    first, second = (setup.hands.get(seat, (UNKNOWN,) * HAND) for seat in (1, 2))
    hands = Bag.of(first[:HAND]), Bag.of(second[:HAND])
    return Dealt(rules, (setup.table[0], setup.table[1]), hands, (first[HAND:], second[HAND:]))
