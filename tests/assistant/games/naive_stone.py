"""Rolling Stone a second time, as plainly as can be: hands are sets of strings, every rule is written out.

The tests compare the engine with it. All hands must be known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.games.game import Action, Setup

HIGH_TO_LOW = "AKQJT98765432"


class NaiveStone:
    """One deal as it goes on; ``do`` changes it."""

    def __init__(self, setup: Setup, hands: Mapping[int, Iterable[str]]) -> None:
        self.players = setup.players
        self.options = setup.options
        self.hands = {seat: set(cards) for seat, cards in hands.items()}
        self.turn = self.after(setup.dealer)
        self.trick: list[tuple[int, str]] = []
        self.just_picked_up: set[str] = set()
        self.pickups_in_a_row = 0
        self.tricks = 0
        self.winners: set[int] = set()

    def after(self, seat: int) -> int:
        if self.options.get("direction") == "anticlockwise":
            return self.players if seat == 1 else seat - 1
        return 1 if seat == self.players else seat + 1

    def leads(self, hand: set[str], picked_up: set[str]) -> set[str]:
        bar = self.options.get("lead_bar", "suit")
        if bar == "suit":
            suits = {card[1] for card in picked_up}
            return {card for card in hand if card[1] not in suits}
        return hand - picked_up if bar == "cards" else set(hand)

    def legal(self) -> set[str]:
        if self.winners:
            return set()
        hand = self.hands[self.turn]
        if not self.trick:
            return {f"{self.turn} play {card}" for card in self.leads(hand, self.just_picked_up)}
        suit = self.trick[0][1][1]
        lines = {f"{self.turn} play {card}" for card in hand if card[1] == suit}
        on_table = {card for _, card in self.trick}
        by_choice = self.options.get("voluntary_pickup") == "on"
        may = bool(self.leads(hand | on_table, on_table)) if by_choice else not lines
        return lines | {f"{self.turn} pick-up"} if may else lines

    def do(self, action: Action) -> None:
        if str(action) not in self.legal():
            raise ValueError(f"{action} is not legal")
        if action.verb == "pick-up":
            self.just_picked_up = {card for _, card in self.trick}
            self.hands[self.turn] |= self.just_picked_up
            self.trick = []
            self.pickups_in_a_row += 1
            self.end_of_trick()
            return
        card = str(action.cards[0])
        self.hands[self.turn].remove(card)
        self.just_picked_up = set()
        self.tricks += not self.trick
        self.trick.append((self.turn, card))
        if not self.hands[self.turn] and self.options.get("end_moment", "last_card_played") == "last_card_played":
            self.winners = {self.turn}
        elif len(self.trick) == self.players:
            self.turn = min(self.trick, key=lambda played: HIGH_TO_LOW.index(played[1][0]))[0]
            self.trick = []
            self.pickups_in_a_row = 0
            self.end_of_trick()
        else:
            self.turn = self.after(self.turn)

    def end_of_trick(self) -> None:
        out = {seat for seat, hand in self.hands.items() if not hand}
        stop = self.options.get("stop", "pickups_15n")
        if stop == "pickups_15n":
            stopped = self.pickups_in_a_row == 15 * self.players
        else:
            stopped = stop != "off" and self.tricks == int(stop.removeprefix("leads_"))
        if out:
            self.winners = out
        elif stopped:
            fewest = min(map(len, self.hands.values()))
            self.winners = {seat for seat, hand in self.hands.items() if len(hand) == fewest}


def could_have_been(setup: Setup, hands: Mapping[int, Iterable[str]], actions: Iterable[Action]) -> NaiveStone | None:
    """The deal after some actions from these hands; None where one of them would not have been legal."""
    deal = NaiveStone(setup, hands)
    for action in actions:
        if str(action) not in deal.legal():
            return None
        deal.do(action)
    return deal
