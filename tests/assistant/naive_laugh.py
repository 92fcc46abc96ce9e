"""Laugh and Lie Down a second time, as plainly as the rules say it: lists of cards, every hand known, no cleverness.

The tests play it beside the engine; the two share nothing but cards, actions and set-ups. Rule numbers stand where the
rule is followed.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from assistant.cards import Card
from assistant.games.game import Action, Setup

DEFAULTS = {
    "mates_per_turn": "one",
    "prial_take": "should_take_three",
    "missed_mate": "take_back",
    "lay_window": "until_lie_down",
    "claim_window": "until_sweep",
    "claimants": "anyone",
    "empty_hand": "out_at_next_turn",
}
BY_PLAYERS = {3: (14, 2, 2), 4: (10, 2, 3), 5: (8, 2, 5), 6: (6, 2, 5)}
"""Hand, stakes of each, bonus (LLD-2)."""


class Offence(NamedTuple):
    """A mistake that may be claimed: how many cards of which rank, from whom."""

    code: str
    seat: int
    rank: str
    number: int


def of_rank(cards: list[Card], rank: str) -> list[Card]:
    """The cards of a rank."""
    return [card for card in cards if card.rank == rank]


class NaiveDeal:
    """A deal that is played; ``do`` changes it."""

    def __init__(self, setup: Setup) -> None:
        self.players, self.dealer = setup.players, setup.dealer
        self.options = DEFAULTS | {name: value for name, value in setup.options.items() if name in DEFAULTS}
        self.table = list(setup.table)
        self.hands = {seat: list(cards) for seat, cards in setup.hands.items()}
        self.piles: dict[int, list[Card]] = {seat: [] for seat in self.hands}
        self.active = list(range(1, self.players + 1))
        self.turn = self.left(self.dealer)  # LLD-12
        self.turns = 0
        self.may_go_on: int | None = None
        self.last_mater: int | None = None
        self.laid: set[tuple[int, str]] = set()
        self.offences: list[Offence] = []
        self.turns_since_dead: dict[tuple[int, str], int] = {}
        self.turns_of = dict.fromkeys(self.active, 0)

    def left(self, seat: int) -> int:
        """The seat on the left."""
        return seat % self.players + 1

    @property
    def over(self) -> bool:
        """Whether only one player is in (LLD-21)."""
        return len(self.active) == 1

    def won(self, rank: str) -> int:
        """How many cards of the rank are in piles."""
        return sum(len(of_rank(pile, rank)) for pile in self.piles.values())

    # What may be done

    def legal(self) -> set[str]:
        """Every legal action but the claims, as ``line`` writes it."""
        if self.over:
            return set()
        found = self.mates(self.turn)
        if self.may_go_on is not None:
            found |= self.mates(self.may_go_on)
        if not self.mates(self.turn) or self.options["missed_mate"] != "take_back":  # LLD-17, LLD-18
            found.add(line(Action(self.turn, "lie-down", tuple(self.hands[self.turn]))))
        if self.turns == 0:  # LLD-7, LLD-8
            for rank in {card.rank for card in self.table}:
                if len(of_rank(self.table, rank)) == 4:
                    found.add(line(Action(self.dealer, "take", tuple(of_rank(self.table, rank)))))
        for seat in self.active:
            found |= self.lays(seat)
        return found

    def mates(self, seat: int) -> set[str]:
        """LLD-13, LLD-15, LLD-16."""
        found = set()
        for card in self.hands[seat]:
            lying = of_rank(self.table, card.rank)
            if len(lying) == 3:
                found.add(line(Action(seat, "mate", (card, *lying))))
            if len(lying) in (1, 2) or (len(lying) == 3 and self.options["prial_take"] != "auto_three"):
                found |= {line(Action(seat, "mate", (card, other))) for other in lying}
        return found

    def lays(self, seat: int) -> set[str]:
        """LLD-9, LLD-10."""
        found = set()
        for rank in {card.rank for card in self.hands[seat]}:
            held = of_rank(self.hands[seat], rank)
            dead = self.won(rank) == 2
            if len(held) < 2 or (len(held) == 2 and not dead):
                continue
            window = self.options["lay_window"]
            if window == "before_first_turn" and not dead and self.turns:
                continue
            if window == "before_own_next_turn_ends":
                since = self.turns_since_dead.get((seat, rank), 0)
                if self.turns_of[seat] > since:
                    continue
            if len(held) == 4:
                found.add(line(Action(seat, "lay", tuple(held))))
            found |= {line(Action(seat, "lay", pair)) for pair in combinations(held, 2)}
        return found

    def claims(self) -> set[tuple[str, int, str, int, tuple[int, ...]]]:
        """Code, offender, rank, number and claimants of every open claim (LLD-28 to LLD-30)."""
        found = set()
        for offence in self.offences:
            claimants = []
            seat = self.left(offence.seat)
            while seat != offence.seat:
                if self.options["claimants"] == "anyone" or seat in self.active:
                    claimants.append(seat)
                seat = self.left(seat)
            if claimants:
                found.add((*offence, tuple(claimants)))
        return found

    # Doing it

    def do(self, action: Action) -> None:
        """Do a legal action."""
        seat, cards = action.seat, list(action.cards)
        before = {rank: self.won(rank) for rank in {card.rank for card in self.table + self.hands[seat]}}
        if action.verb == "claim":
            self.claim(seat, cards)
        elif action.verb == "take":
            self.win(seat, cards)
        elif action.verb == "lay":
            self.laid.add((seat, cards[0].rank))
            self.win(seat, cards)
        elif action.verb == "mate":
            self.mate(seat, cards)
        else:
            self.lie_down(seat)
        for rank, number in before.items():
            if number < 2 <= self.won(rank):  # the two that are left are dead from now on
                for other in self.active:
                    self.turns_since_dead[other, rank] = self.turns_of[other]
        if self.options["empty_hand"] == "out_at_once" and action.verb in ("mate", "lay") and not self.hands[seat]:
            self.out(seat)
        self.offences = [one for one in self.offences if len(of_rank(self.table, one.rank)) >= one.number]

    def win(self, seat: int, cards: list[Card]) -> None:
        """Put cards into a seat's pile, wherever they are."""
        for place in (self.table, self.hands[seat]):
            place[:] = [card for card in place if card not in cards]
        self.piles[seat] += cards

    def mate(self, seat: int, cards: list[Card]) -> None:
        """LLD-13 to LLD-16."""
        rank = cards[0].rank
        short = len(cards) == 2 and len(of_rank(self.table, rank)) == 3
        self.win(seat, cards)
        self.end_turn(seat)
        if short and self.options["prial_take"] == "should_take_three":
            self.offences.append(Offence("C2", seat, rank, 2))
        self.last_mater = seat
        self.may_go_on = seat if self.options["mates_per_turn"] == "many" else None  # LLD-14

    def lie_down(self, seat: int) -> None:
        """LLD-18, and what the hand gives away (C3, C4, C5, LLD-17)."""
        self.end_turn(seat, passes=False)
        for rank in sorted({card.rank for card in self.hands[seat]}):
            held, lying = len(of_rank(self.hands[seat], rank)), len(of_rank(self.table, rank))
            if lying:
                self.offences.append(Offence("missed-mate", seat, rank, 4 if lying == 3 else 2))
                if held == 3:  # L6: the mate, and the lay of the other two
                    self.offences.append(Offence("C3", seat, rank, 2))
            elif held == 4:
                self.offences.append(Offence("C5", seat, rank, 4))
            elif held == 3:
                self.offences.append(Offence("C3", seat, rank, 2))
            elif held == 2 and (seat, rank) in self.laid:
                self.offences.append(Offence("C5", seat, rank, 2))
            elif held == 2 and self.won(rank) == 2:
                self.offences.append(Offence("C4", seat, rank, 2))
        self.table += self.hands[seat]
        self.hands[seat] = []
        self.may_go_on = None
        self.out(seat)

    def end_turn(self, seat: int, passes: bool = True) -> None:
        """What a mate or a lie-down does besides: C1 opens (LLD-8), claims may close (LLD-30), the turn passes."""
        if self.options["claim_window"] == "until_next_action":
            self.offences = []
        if self.turns == 0:
            for rank in sorted({card.rank for card in self.table}):
                if len(of_rank(self.table, rank)) == 4:
                    self.offences.append(Offence("C1", self.dealer, rank, 4))
        self.turns += 1
        self.turns_of[seat] += 1
        if passes and seat == self.turn:
            self.pass_turn()

    def pass_turn(self) -> None:
        """To the left, over those still in (LLD-12)."""
        self.turn = self.left(self.turn)
        while self.turn not in self.active:
            self.turn = self.left(self.turn)

    def out(self, seat: int) -> None:
        """Out of turns for this deal."""
        self.active.remove(seat)
        if self.may_go_on == seat:
            self.may_go_on = None
        if self.turn == seat:
            self.pass_turn()

    def claim(self, seat: int, cards: list[Card]) -> None:
        """LLD-28, LLD-29."""
        fitting = (cards[0].rank, len(cards))
        meant = next(one for one in self.offences if (one.rank, one.number) == fitting and one.seat != seat)
        self.offences.remove(meant)
        self.win(seat, cards)

    # The end

    def nets(self) -> dict[int, int]:
        """Each seat's result in stakes, counted counter by counter (LLD-22 to LLD-26)."""
        par, ante, bonus = BY_PLAYERS[self.players]
        purse = {seat: -ante - (seat == self.dealer) for seat in self.piles}
        pot = -sum(purse.values())
        last = self.active[0]
        if self.options["empty_hand"] == "out_at_once" and self.last_mater:
            last = self.last_mater
        purse[last] += bonus
        pot -= bonus
        rest = self.table + [card for hand in self.hands.values() for card in hand]
        counted = {seat: len(pile) + (len(rest) if seat == self.dealer else 0) for seat, pile in self.piles.items()}
        for pays in (True, False):  # losers first
            for seat, cards in counted.items():
                difference = cards - par
                if (difference < 0) == pays:
                    assert difference % 2 == 0
                    purse[seat] += difference // 2
                    pot -= difference // 2
                    assert pot >= 0
        assert pot == 0
        return purse


def line(action: Action) -> str:
    """An action as text in which the order of the cards, where it means nothing, is always the same."""
    first = [str(action.cards[0])] if action.verb == "mate" else []
    rest = sorted(map(str, action.cards[1:] if action.verb == "mate" else action.cards))
    return " ".join((str(action.seat), action.verb, *first, *rest))


def state(deal: Any) -> tuple[object, ...]:
    """What must agree after every action: the place of every card, who is in and whose turn it is."""
    return (
        sorted(deal.table),
        {seat: sorted(hand) for seat, hand in deal.hands.items()},
        {seat: sorted(pile) for seat, pile in deal.piles.items()},
        tuple(deal.active),
        None if deal.over else deal.turn,
    )
