"""What a deal of Laugh and Lie Down starts from: the options by name, and a set-up that is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assistant.cards import RANKS, UNKNOWN, Card
from assistant.games.bag import Bag, rank_of
from assistant.games.game import InvalidInput, Setup
from assistant.games.settlement import SCALES, Scale

NAME: Final = "laugh-and-lie-down"

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "mates_per_turn": ("one", "many"),
    "prial_take": ("should_take_three", "auto_three", "free_choice"),
    "missed_mate": ("take_back", "noticer_takes_pair"),
    "lay_window": ("until_lie_down", "before_first_turn", "before_own_next_turn_ends"),
    "claim_window": ("until_sweep", "until_next_action"),
    "claimants": ("anyone", "in_only"),
    "empty_hand": ("out_at_next_turn", "out_at_once"),
    "help": ("coach", "referee", "silent"),
    "first_dealer": ("lowest_cut", "highest_cut", "chosen"),
    "dealer_grace_s": (),
}
"""Every option of the game with its values, the default first; ``dealer_grace_s`` takes a number of seconds."""

LONGEST_GRACE_S: Final = 600


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a deal as the engine uses them; the defaults are those of ``OPTIONS``."""

    scale: Scale
    mates_per_turn: str = "one"
    prial_take: str = "should_take_three"
    missed_mate: str = "take_back"
    lay_window: str = "until_lie_down"
    claim_window: str = "until_sweep"
    claimants: str = "anyone"
    empty_hand: str = "out_at_next_turn"
    help: str = "coach"
    first_dealer: str = "lowest_cut"
    dealer_grace_s: int = 0


def rules_of(setup: Setup) -> Rules:
    """The rules that a set-up asks for. Raises InvalidInput that names an unknown option or value."""
    scale = SCALES.get(setup.players)
    if scale is None:
        raise InvalidInput(
            "bad-players",
            f"Laugh and Lie Down is for 3 to 6 players, not {setup.players}",
            "LLD-2",
            about="players",
        )
    chosen: dict[str, str] = {}
    grace = 0
    for name, value in setup.options.items():
        values = OPTIONS.get(name)
        if values is None:
            raise InvalidInput(
                "unknown-option",
                f"there is no option '{name}' in Laugh and Lie Down: it has {', '.join(OPTIONS)}",
                about="options",
            )
        if name == "dealer_grace_s":
            if not (value.isascii() and value.isdigit() and len(value) <= 3 and int(value) <= LONGEST_GRACE_S):
                raise InvalidInput(
                    "bad-option",
                    f"option dealer_grace_s is a number of seconds from 0 to {LONGEST_GRACE_S}, not '{value}'",
                    about="options",
                )
            grace = int(value)
        elif value not in values:
            raise InvalidInput(
                "bad-option", f"option {name} can be {', '.join(values)}, not '{value}'", about="options"
            )
        else:
            chosen[name] = value
    return Rules(scale, dealer_grace_s=grace, **chosen)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A checked set-up: the table and every hand (by seat, from seat 1), unseen cards as unknown ones."""

    rules: Rules
    table: Bag
    hands: tuple[Bag, ...]


def dealt(setup: Setup) -> Dealt:
    """Check a set-up and lay it out. Raises InvalidInput that names what is wrong and where."""
    if setup.game != NAME:
        raise InvalidInput("wrong-game", f"this is {NAME}, not '{setup.game}'", about="game")
    rules = rules_of(setup)
    scale = rules.scale
    if not 1 <= setup.dealer <= setup.players:
        raise InvalidInput(
            "bad-dealer", f"the dealer is a seat from 1 to {setup.players}, not {setup.dealer}", about="dealer"
        )
    if setup.names and len(setup.names) != setup.players:
        raise InvalidInput(
            "bad-names", f"{setup.players} players need {setup.players} names, not {len(setup.names)}", about="names"
        )
    if len(setup.table) != scale.table:
        raise InvalidInput(
            "wrong-table-size",
            f"with {setup.players} players {scale.table} cards lie on the table at the deal, not {len(setup.table)}",
            "LLD-6",
            about="table",
        )
    for seat, hand in setup.hands.items():
        if not 1 <= seat <= setup.players:
            raise InvalidInput(
                "no-such-seat", f"there is no seat {seat}: seats go from 1 to {setup.players}", about=f"hand {seat}"
            )
        if len(hand) != scale.hand:
            raise InvalidInput(
                "wrong-hand-size",
                f"with {setup.players} players each is dealt {scale.hand} cards, but seat {seat} has {len(hand)}",
                "LLD-5",
                about=f"hand {seat}",
            )
    _check_pack(setup)
    unseen = (UNKNOWN,) * scale.hand
    hands = tuple(Bag.of(setup.hands.get(seat, unseen)) for seat in range(1, setup.players + 1))
    return Dealt(rules, Bag.of(setup.table), hands)


def _check_pack(setup: Setup) -> None:
    """No card twice, no more than four of a rank (LLD-1)."""
    places = [("table", setup.table), *((f"hand {seat}", setup.hands[seat]) for seat in sorted(setup.hands))]
    where: dict[Card, str] = {}
    counts = [0] * 13
    for place, cards in places:
        for card in cards:
            if card.known and card in where:
                raise InvalidInput(
                    "card-twice",
                    f"{card} is there twice: in '{where[card]}' and in '{place}'; a pack holds it once",
                    "LLD-1",
                    about=place,
                    card=card,
                )
            where[card] = place
            rank = rank_of(card)
            if rank is None:
                continue
            counts[rank] += 1
            if counts[rank] > 4:
                raise InvalidInput(
                    "five-of-a-rank",
                    f"a pack holds four of rank {RANKS[rank]}, not five",
                    "LLD-1",
                    about=place,
                    card=card,
                )


def first_dealer(cuts: Mapping[int, Card], rule: str = "lowest_cut") -> tuple[int, ...]:
    """The seats that cut the card which makes the first dealer (LLD-3): one deals, several cut again.

    The ace is low. ``rule`` is a value of the option ``first_dealer`` that cuts decide.

    >>> first_dealer({1: Card.parse("7S"), 2: Card.parse("AH"), 3: Card.parse("AD")})
    (2, 3)
    """
    wanted = (max if rule == "highest_cut" else min)(RANKS.index(card.rank) for card in cuts.values())
    return tuple(seat for seat, card in sorted(cuts.items()) if RANKS.index(card.rank) == wanted)
