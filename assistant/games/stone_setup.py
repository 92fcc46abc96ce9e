"""What a deal of Rolling Stone starts from: the options by name, the pack, and a set-up that is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from assistant.cards import SUITS, Card
from assistant.games.game import UNDER_WAY, InvalidInput, Setup
from assistant.games.one_pack import check_pack
from assistant.games.refusals import no_such_dealer, no_such_option, no_such_value, wrong_game, wrong_names
from assistant.games.stone_cards import BIT_OF, RANK_BITS, STRENGTH, SUIT_BITS, bits_of, pack_bits
from assistant.games.stone_hidden import OUT, Places, Slots, deduced
from assistant.games.stone_under_way import UnderWay
from assistant.told import Rank, Told, later, tell

NAME: Final = "rolling-stone"
HAND: Final = 8
"""Cards dealt to each (RST-5)."""
MOST_LEADS: Final = 800
"""The largest N of ``stop=leads_N``: a record of six players then still fits into the lines that a record may have."""

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "players": ("4_to_6", "3"),
    "direction": ("clockwise", "anticlockwise"),
    "lead_bar": ("suit", "cards", "off"),
    "end_moment": ("last_card_played", "trick_finished"),
    "voluntary_pickup": ("off", "on"),
    "stop": ("pickups_15n", "leads_500", "off"),
    "score": ("points", "cards_left"),
    "revoke": ("warn", "retract"),
    "dealer_next": ("left", "winner"),
    "help": ("coach", "referee", "silent"),
}
"""Every option of the game with its values, the default first.

``players=3`` lets three play with 24 cards; ``stop`` takes any ``leads_N`` with N from 1 to 800. A deal that was under
way when it was first seen has one more (``assistant.games.stone_under_way``); its pick-ups in a row and its leads count
from there.
"""
_RULE: Final = {
    "players": "RST-1",
    "direction": "RST-6",
    "lead_bar": "RST-9",
    "end_moment": "RST-11",
    "voluntary_pickup": "RST-12",
    "stop": "RST-13",
    "score": "RST-14",
    "revoke": "RST-15",
    "dealer_next": "RST-4",
    "help": "RST-16",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a deal as the engine uses them.

    ``step`` is 1 where play goes to the left, else -1. The deal stops after ``most_pickups`` pick-ups in a row or
    ``most_leads`` tricks; 0 is never. ``under_way``: what the deal was like when it was first seen, if that
    was not at its start.
    """

    pack: int
    step: int
    most_pickups: int
    most_leads: int
    lead_bar: str
    end_moment: str
    voluntary_pickup: bool
    score: str
    retract: bool
    dealer_next: str
    help: str
    under_way: UnderWay | None = None

    def sizes(self, players: int) -> tuple[int, ...]:
        """How many cards each seat holds as the deal is first seen, seat 1 first."""
        return self.under_way.sizes if self.under_way is not None else (HAND,) * players

    @property
    def barred(self) -> int:
        """What may not be led first, as bits (RST-9)."""
        suit = self.under_way.barred if self.under_way is not None and self.lead_bar == "suit" else ""
        return SUIT_BITS[SUITS.index(suit)] if suit else 0


def rules_of(setup: Setup) -> Rules:
    """The rules that a set-up asks for. Raises InvalidInput that names an unknown option or value."""
    chosen = {name: values[0] for name, values in OPTIONS.items()}
    leads, begun = 0, None
    for name, value in setup.options.items():
        if name == UNDER_WAY:
            begun = _under_way(setup, value)
            continue
        values = OPTIONS.get(name)
        if values is None:
            _bad_option("unknown-option", no_such_option("Rolling Stone", name, OPTIONS))
        if name == "stop" and (match := re.fullmatch(r"leads_([1-9][0-9]{0,2})", value)):
            leads = int(match[1])
            if leads > MOST_LEADS:
                _bad_option(
                    "bad-option",
                    tell("option stop counts at most {most} leads, not {leads}", most=MOST_LEADS, leads=leads),
                    "RST-13",
                )
        elif value not in values:
            shown = ("pickups_15n", "leads_N", "off") if name == "stop" else values
            _bad_option("bad-option", no_such_value(name, shown, value), _RULE[name])
        chosen[name] = value
    players = setup.players
    if chosen["players"] == "3" and players != 3:
        _bad_option(
            "bad-option", tell("option players=3 is for three players, not for {players}", players=players), "RST-1"
        )
    if not 4 <= players <= 6 and not (players == 3 and chosen["players"] == "3"):
        few = later("Rolling Stone is for 4 to 6 players, not {players} (three may play with the option players=3)")
        pattern = few if players == 3 else later("Rolling Stone is for 4 to 6 players, not {players}")
        raise InvalidInput("bad-players", tell(pattern, players=players), "RST-1", about="players")
    if chosen["lead_bar"] == "off" and chosen["stop"] == "off":
        reason = tell("lead_bar=off and stop=off together make deals that never end: choose a stop")
        _bad_option("endless", reason, "RST-13")
    return Rules(
        pack_bits(players),
        1 if chosen["direction"] == "clockwise" else -1,
        15 * players if chosen["stop"] == "pickups_15n" else 0,
        leads,
        chosen["lead_bar"],
        chosen["end_moment"],
        chosen["voluntary_pickup"] == "on",
        chosen["score"],
        chosen["revoke"] == "retract",
        chosen["dealer_next"],
        chosen["help"],
        begun,
    )


def _under_way(setup: Setup, value: str) -> UnderWay:
    begun = UnderWay.parse(value)
    if begun is None or not begun.fits(setup.players, HAND):
        held = "-".join([str(HAND)] * setup.players)
        pattern = later("option {name} says who leads and how many cards each holds, as in 2_leads_{held}, not {value}")
        _bad_option("bad-option", tell(pattern, name=UNDER_WAY, held=held, value=value), "RST-5")
    return begun


def _bad_option(code: str, reason: str, rule: str = "RST-1") -> NoReturn:
    raise InvalidInput(code, reason, rule, about="options")


def following(setup: Setup, rules: Rules, seat: int) -> int:
    """The seat after a seat in the direction of play."""
    return (seat - 1 + rules.step) % setup.players + 1


def dealt(setup: Setup, rules: Rules) -> Places:
    """Check a set-up and lay it out: what is known of every hand. Raises InvalidInput that names what is wrong."""
    players = setup.players
    if setup.game != NAME:
        raise InvalidInput("wrong-game", wrong_game(NAME, setup.game), "RST-1", about="game")
    if not 1 <= setup.dealer <= players:
        raise InvalidInput("bad-dealer", no_such_dealer(setup.dealer, players), "RST-4", about="dealer")
    if setup.names and len(setup.names) != players:
        raise InvalidInput("bad-names", wrong_names(players, len(setup.names)), "RST-1", about="names")
    if setup.table:
        reason = f"no card lies on the table at the deal, but the set-up has {' '.join(map(str, setup.table))} there"
        raise InvalidInput("wrong-table-size", reason, "RST-5", about="table", card=setup.table[0])
    for seat, hand in setup.hands.items():
        if not 1 <= seat <= players:
            reason = f"there is no seat {seat}: seats go from 1 to {players}"
            raise InvalidInput("no-such-seat", reason, "RST-1", about=f"hand {seat}")
        size = rules.sizes(players)[seat - 1]
        if len(hand) != size:
            has = f"seat {seat} has {len(hand)}"
            reason = f"each is dealt {HAND} cards, but {has}" if rules.under_way is None else f"{has} cards, not {size}"
            raise InvalidInput("wrong-hand-size", reason, "RST-5", about=f"hand {seat}")
    _check_cards(setup, rules)
    return _laid_out(setup, rules)


def not_in_the_pack(players: int, card: Card) -> Told:
    """Why a card can't be in the pack, in one sentence without its full stop."""
    lowest = STRENGTH[-2 * players]
    pattern = later("{card} is not in the pack: with {players} players the lowest cards are the {rank.many}")
    return tell(pattern, card=card, players=players, rank=Rank(lowest))


def _check_cards(setup: Setup, rules: Rules) -> None:
    """Only cards of the stripped pack, none twice, no more than four of a rank (RST-2)."""
    for seat in sorted(setup.hands):
        for card in setup.hands[seat]:
            if card.rank and not RANK_BITS[card.rank] & rules.pack:
                reason = not_in_the_pack(setup.players, card)
                raise InvalidInput("wrong-pack", reason, "RST-2", about=f"hand {seat}", card=card)
    check_pack(setup, "RST-2")


def _laid_out(setup: Setup, rules: Rules) -> Places:
    hands = tuple(bits_of(setup.hands.get(seat, ())) for seat in range(1, setup.players + 1))
    free = rules.pack & ~sum(hands)
    slots: list[Slots] = []
    for seat in range(1, setup.players + 1):
        cards = setup.hands.get(seat)
        if cards is None:
            slots.append(Slots(seat, free, free, rules.sizes(setup.players)[seat - 1]))
            continue
        partly = [card.rank for card in cards if not BIT_OF[card.code]]
        for rank in dict.fromkeys(partly):
            bits = RANK_BITS[rank] & free if rank else free
            slots.append(Slots(seat, bits, bits, partly.count(rank)))
    out = HAND * setup.players - sum(rules.sizes(setup.players))
    if out:
        slots.append(Slots(OUT, free, free, out))
    places = deduced(Places(hands, tuple(slots)))
    assert places is not None, "a set-up with no rank five times can be dealt"
    return places


def first_dealer(draws: Mapping[int, Card]) -> tuple[int, ...]:
    """The seats that drew the highest card from the stripped pack (RST-4): one deals, several draw again.

    >>> first_dealer({1: Card.parse("KS"), 2: Card.parse("AH"), 3: Card.parse("7D"), 4: Card.parse("AC")})
    (2, 4)
    """
    highest = max(STRENGTH.index(card.rank) for card in draws.values())
    return tuple(seat for seat, card in sorted(draws.items()) if STRENGTH.index(card.rank) == highest)
