"""Sbros played with real cards, written a second time from the rule text and as plainly as can be.

It knows every card, deals from a real stock and lists what is legal by trying all pairs of cards. The engine's
positions are compared with it. Nothing of the engine's rules is used here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from assistant.cards import PACK, RANKS, Card, parse_cards
from assistant.games.bag import Bag
from assistant.games.game import Action, Setup
from assistant.games.sbros import GAME, SbrosPosition
from assistant.games.sbros_places import Places
from assistant.games.sbros_setup import rules_of
from assistant.record import Record

SBROS = "sbros"


def height(card: Card) -> int:
    return RANKS.index(card.rank)


def covers(left: Card, right: Card, a: Card, b: Card, adjacent: bool = False) -> bool:
    """SBR-5 in its own words: a on the left card, b on the right one."""
    if a == b:
        return False
    if a.rank == left.rank and b.rank == right.rank:
        return True
    if a.suit == left.suit and b.suit == right.suit:
        up, other = height(a) - height(left), height(b) - height(right)
        if up * other < 0 and (not adjacent or {up, other} == {1, -1}):
            return True
    if a.rank != b.rank:
        return False
    low, high = sorted((height(left), height(right)))
    return low < height(a) < high or left.rank == right.rank


@dataclass
class RealTable:
    """A deal with every card known; ``lists`` holds what each seat was dealt and drew, in order."""

    setup: Setup
    stock: list[Card]
    hands: dict[int, list[Card]]
    centre: list[Card]
    turn: int
    lists: dict[int, list[Card]]
    aside: dict[int, list[Card]] = field(default_factory=lambda: {1: [], 2: []})
    actions: list[Action] = field(default_factory=list)
    passes: int = 0
    over: bool = False
    seen: list[Card] = field(default_factory=list)

    def option(self, name: str, default: str) -> str:
        return self.setup.options.get(name, default)

    def plays(self, seat: int) -> list[tuple[Card, Card]]:
        hand, (left, right) = self.hands[seat], self.centre
        adjacent = self.option("m2_step", "any") == "adjacent"
        return [(a, b) for a in hand for b in hand if covers(left, right, a, b, adjacent)]

    def legal(self) -> list[Action]:
        if self.over:
            return []
        seat = self.turn
        plays = self.plays(seat)
        actions = [Action(seat, "cover", play) for play in plays]
        if self.stock and not plays:
            actions += [Action(seat, "reset", (card,)) for card in self.hands[seat]]
        if not self.stock and (not plays or self.option("late_pass", "forced") == "free"):
            actions.append(Action(seat, "pass"))
        return actions

    def do(self, action: Action) -> None:
        """Carry out an action, legal or not."""
        seat, hand = action.seat, self.hands[action.seat]
        self.actions.append(action)
        had_stock = bool(self.stock)
        for card in action.cards:
            hand.remove(card)
        if action.verb == "cover":
            self.seen += self.centre
            self.centre = list(action.cards)
        elif action.verb == "reset":
            self.aside[seat] += action.cards
        while self.stock and len(hand) < 6:
            card = self.stock.pop(0)
            hand.append(card)
            self.lists[seat].append(card)
        self.passes = self.passes + 1 if action.verb == "pass" else 0
        if had_stock and not self.stock:
            own = self.option("merge", "exchange") == "own"
            for taker in (1, 2):
                self.hands[taker] += self.aside[taker if own else 3 - taker]
            self.aside = {1: [], 2: []}
        self.over = not hand or self.passes == (1 if self.option("end_on_first_block", "no") == "yes" else 2)
        if action.verb != "reset" or self.option("reset_repeat", "one") == "one":
            self.turn = 3 - seat

    def record(self, *, known: str = "all") -> Record:
        """The deal's record: with ``all`` cards of the hands, the ``dealt`` ones only, or ``none``."""
        size = {"all": 44, "dealt": 6, "none": 0}[known]
        hands = {seat: tuple(cards[:size]) for seat, cards in self.lists.items() if size}
        return Record(replace(self.setup, hands=hands), tuple(self.actions))


def real_table(seed: int = 0, *, dealer: int = 1, options: Mapping[str, str] | None = None) -> RealTable:
    """A shuffled pack dealt out."""
    pack = list(PACK)
    random.Random(seed).shuffle(pack)
    setup = Setup(SBROS, 2, dealer, tuple(pack[:2]), {}, dict(options or {}))
    hands = {1: pack[2:8], 2: pack[8:14]}
    return RealTable(setup, pack[14:], hands, pack[:2], 3 - dealer, {seat: list(hand) for seat, hand in hands.items()})


Choice = Callable[[RealTable, list[Action], random.Random], Action]


def any_action(table: RealTable, legal: list[Action], chance: random.Random) -> Action:
    """Choose at random."""
    return chance.choice(legal)


def careless(table: RealTable, legal: list[Action], chance: random.Random) -> Action:
    """Choose at random, and now and then put a card aside or pass though a play is there."""
    if chance.random() < 0.25:
        if table.stock:
            return Action(table.turn, "reset", (chance.choice(table.hands[table.turn]),))
        return Action(table.turn, "pass")
    return chance.choice(legal)


def played(
    seed: int = 0, *, dealer: int = 1, options: Mapping[str, str] | None = None, choose: Choice = any_action
) -> RealTable:
    """A deal played to its end."""
    table = real_table(seed, dealer=dealer, options=options)
    chance = random.Random(seed + 1)
    while not table.over:
        table.do(choose(table, table.legal(), chance))
    return table


def begun(setup: Setup) -> SbrosPosition:
    """The engine's position before the first action."""
    position = GAME.deal(setup)
    assert isinstance(position, SbrosPosition)
    return position


def folded(record: Record) -> list[SbrosPosition]:
    """Every position of a record."""
    positions = [begun(record.setup)]
    for action in record.actions:
        positions.append(positions[-1].apply(action))
    return positions


def at(
    centre: str,
    hands: Mapping[int, str],
    *,
    to_act: int = 2,
    stock: int = 38,
    resets: Mapping[int, str] | None = None,
    options: Mapping[str, str] | None = None,
) -> SbrosPosition:
    """A position in the middle of a deal with just these cards in the hands and on the table.

    With a stock of less than six cards those that are not named are covered, but for so many that lie in the stock.
    """
    setup = Setup(SBROS, 2, 3 - to_act, parse_cards(centre), options=options or {})
    bags = Bag.of(parse_cards(hands.get(1, ""))), Bag.of(parse_cards(hands.get(2, "")))
    left, right = parse_cards(centre)
    aside = (parse_cards((resets or {}).get(1, "")), parse_cards((resets or {}).get(2, "")))
    places = Places.at_the_start((left, right), bags, ((), ()))
    named = Bag.of((left, right, *aside[0], *aside[1])).known | bags[0].known | bags[1].known
    rest = [card for card in sorted(PACK) if not named >> card.code & 1]
    covered = Bag.of(rest[: len(rest) - stock] if stock < 6 else ())
    placed = places.placed._replace(known=named | covered.known)
    places = places._replace(stock=stock, resets=aside, covered=covered, placed=placed)
    return SbrosPosition(setup, rules_of(setup), (), places, to_act, 0, None if stock else -2)


def do(position: SbrosPosition, *lines: str) -> SbrosPosition:
    """The position after some actions, as the record writes them."""
    for line in lines:
        position = position.apply(Action.parse(line))
    return position


def legal(position: SbrosPosition) -> set[str]:
    """The legal actions, as the record writes them."""
    return {str(action) for action in position.legal_actions()}
