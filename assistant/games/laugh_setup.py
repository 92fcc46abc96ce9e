"""What a deal of Laugh and Lie Down starts from: the options by name, and a set-up that is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NoReturn

from assistant.cards import RANKS, UNKNOWN, Card
from assistant.games.bag import Bag
from assistant.games.game import InvalidInput, Setup
from assistant.games.one_pack import check_pack
from assistant.games.refusals import no_such_dealer, no_such_option, no_such_value, wrong_game, wrong_names
from assistant.games.settlement import SCALES, Scale
from assistant.told import later, tell

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
    "last_hand": ("dealer",),
    "deal_table": ("by_players",),
    "dealer_grace_s": (),
    "stake_value": (),
    "currency": (),
}
"""Every option of the game with its values, the default first.

``deal_table`` also takes ``HAND/STAKES``, the cards dealt to each and the stakes that each puts in (``14/3``);
``dealer_grace_s`` is a number of seconds, ``stake_value`` what a stake is worth in money (``0.50``; left out
where there is none), ``currency`` in which money (``EUR``, ``beans``).
"""

LONGEST_GRACE_S: Final = 600
_STAKE_VALUE: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")
_CURRENCY: Final = re.compile(r"[^\W\d_]{1,8}|[$€£¥₽₣]")
_DEAL_TABLE: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")


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
    last_hand: str = "dealer"
    deal_table: str = "by_players"
    dealer_grace_s: int = 0
    stake_value: str = ""
    currency: str = ""


def rules_of(setup: Setup) -> Rules:
    """The rules that a set-up asks for. Raises InvalidInput that names an unknown option or value."""
    scale = SCALES.get(setup.players)
    if scale is None:
        raise InvalidInput(
            "bad-players",
            tell("Laugh and Lie Down is for 3 to 6 players, not {players}", players=setup.players),
            "LLD-2",
            about="players",
        )
    chosen: dict[str, str] = {}
    grace = 0
    for name, value in setup.options.items():
        values = OPTIONS.get(name)
        if values is None:
            _bad_option("unknown-option", no_such_option("Laugh and Lie Down", name, OPTIONS))
        if name == "dealer_grace_s":
            grace = _grace(value)
            continue
        if name == "deal_table" and value not in values:
            scale = _own_scale(setup.players, value)
        elif name == "stake_value":
            if not _STAKE_VALUE.fullmatch(value):
                pattern = later("one stake is worth an amount of money such as 0.50, not '{value}'")
                _bad_option("bad-option", tell(pattern, value=value))
            if not Decimal(value):
                pattern = later("one stake is worth more than nothing, not '{value}'; without money leave it empty")
                _bad_option("bad-option", tell(pattern, value=value))
        elif name == "currency":
            if not _CURRENCY.fullmatch(value):
                pattern = later("the currency is a code such as EUR or a short word, not '{value}'")
                _bad_option("bad-option", tell(pattern, value=value))
        elif name == "last_hand" and value == "holder":
            reason = tell(
                "the last hand goes to the dealer: kept by its holder it would leave odd piles, and half stakes"
            )
            _bad_option("bad-option", reason, "LLD-24")
        elif value not in values:
            _bad_option("bad-option", no_such_value(name, values, value))
        chosen[name] = value
    return Rules(scale, dealer_grace_s=grace, **chosen)


def scale_of(setup: Setup) -> Scale | None:
    """What a deal of this set-up is played for; None where it is of another game, or none that can be played."""
    if setup.game != NAME:
        return None
    try:
        return rules_of(setup).scale
    except InvalidInput:
        return None


def _grace(value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 3 and int(value) <= LONGEST_GRACE_S):
        pattern = later("option dealer_grace_s is a number of seconds from 0 to {most}, not '{value}'")
        reason = tell(pattern, most=LONGEST_GRACE_S, value=value)
        _bad_option("bad-option", reason, "LLD-8")
    return int(value)


def _own_scale(players: int, value: str) -> Scale:
    """The scale of ``HAND/STAKES``; the bonus follows, so that the pot always ends empty (LLD-2)."""
    match = _DEAL_TABLE.fullmatch(value)
    if match is None:
        pattern = later("option deal_table is by_players or HAND/STAKES such as 14/3, not '{value}'")
        _bad_option("bad-option", tell(pattern, value=value), "LLD-2")
    hand, ante = int(match[1]), int(match[2])
    table = 52 - players * hand
    bonus = players * ante + 1 - table // 2
    if hand < 2 or hand % 2 or table < 2:
        pattern = later("deal_table={value}: the hand is an even number of cards that leaves some for the table")
        reason = tell(pattern, value=value)
        _bad_option("bad-option", reason, "LLD-2")
    if bonus < 0:
        pattern = later("deal_table={value}: the pot of {pot} stakes is too small, {missing} would be missing")
        reason = tell(pattern, value=value, pot=players * ante + 1, missing=-bonus)
        _bad_option("bad-option", reason, "LLD-2")
    return Scale(players, hand, bonus, ante)


def _bad_option(code: str, reason: str, rule: str = "") -> NoReturn:
    raise InvalidInput(code, reason, rule, about="options")


@dataclass(frozen=True, slots=True)
class Dealt:
    """A checked set-up: the table and every hand (by seat, from seat 1), unseen cards as unknown ones."""

    rules: Rules
    table: Bag
    hands: tuple[Bag, ...]


def dealt(setup: Setup) -> Dealt:
    """Check a set-up and lay it out. Raises InvalidInput that names what is wrong and where."""
    if setup.game != NAME:
        raise InvalidInput("wrong-game", wrong_game(NAME, setup.game), about="game")
    rules = rules_of(setup)
    scale = rules.scale
    if not 1 <= setup.dealer <= setup.players:
        raise InvalidInput("bad-dealer", no_such_dealer(setup.dealer, setup.players), "LLD-3", about="dealer")
    if setup.names and len(setup.names) != setup.players:
        raise InvalidInput("bad-names", wrong_names(setup.players, len(setup.names)), about="names")
    if len(setup.table) != scale.table:
        pattern = later("with {players} players {cards} cards lie on the table at the deal, not {lie}")
        reason = tell(pattern, players=setup.players, cards=scale.table, lie=len(setup.table))
        raise InvalidInput("wrong-table-size", reason, "LLD-6", about="table")
    for seat, hand in setup.hands.items():
        if not 1 <= seat <= setup.players:
            raise InvalidInput(
                "no-such-seat",
                f"there is no seat {seat}: seats go from 1 to {setup.players}",
                "LLD-2",
                about=f"hand {seat}",
            )
        if len(hand) != scale.hand:
            raise InvalidInput(
                "wrong-hand-size",
                f"with {setup.players} players each is dealt {scale.hand} cards, but seat {seat} has {len(hand)}",
                "LLD-5",
                about=f"hand {seat}",
            )
    check_pack(setup, "LLD-1")
    unseen = (UNKNOWN,) * scale.hand
    hands = tuple(Bag.of(setup.hands.get(seat, unseen)) for seat in range(1, setup.players + 1))
    return Dealt(rules, Bag.of(setup.table), hands)


def first_dealer(cuts: Mapping[int, Card], rule: str = "lowest_cut") -> tuple[int, ...]:
    """The seats that cut the card which makes the first dealer (LLD-3): one deals, several cut again.

    The ace is low. ``rule`` is a value of the option ``first_dealer`` that cuts decide.

    >>> first_dealer({1: Card.parse("7S"), 2: Card.parse("AH"), 3: Card.parse("AD")})
    (2, 3)
    """
    wanted = (max if rule == "highest_cut" else min)(RANKS.index(card.rank) for card in cuts.values())
    return tuple(seat for seat, card in sorted(cuts.items()) if RANKS.index(card.rank) == wanted)
