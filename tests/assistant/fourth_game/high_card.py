"""High Card, the smallest game there is, as an example of how a game is added: this file is all of it.

Two to four players are dealt three cards each. In turn each puts one card on his own pile, face up; when everybody has
played one, the highest rank (king high, ace low) wins a point, and equal ones share it. It has one option and one
rule number for each thing it may refuse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from assistant.cards import PACK, RANKS, Card
from assistant.games.game import (
    Action,
    Claim,
    Fact,
    Fault,
    Game,
    IllegalAction,
    InvalidInput,
    Notice,
    Setup,
    TableState,
)

HAND: Final = 3


class HighCard:
    """The static facts, and ``deal`` as the way in."""

    name = "high-card"
    title = "High Card"
    verbs = ("show",)
    players = (2, 3, 4)
    options: Mapping[str, tuple[str, ...]] = {"ace": ("low", "high")}
    unit = "points"

    def shuffled(self, setup: Setup, pack: Sequence[Card]) -> Setup:
        """Three cards each from the dealer's left; the rest is not used (HIC-1)."""
        order = [(setup.dealer + step) % setup.players + 1 for step in range(setup.players)]
        hands = {seat: tuple(pack[HAND * place : HAND * (place + 1)]) for place, seat in enumerate(order)}
        return replace(setup, hands=dict(sorted(hands.items())))

    def deal(self, setup: Setup) -> HighPosition:
        """The position before the first action. Raises InvalidInput."""
        if setup.players not in self.players:
            raise InvalidInput("bad-players", f"High Card is for 2 to 4, not {setup.players}", "HIC-1", about="players")
        for name, value in setup.options.items():
            if value not in self.options.get(name, ()):
                raise InvalidInput("bad-option", f"High Card has no {name}={value}", about="options")
        for seat, hand in setup.hands.items():
            if len(hand) != HAND or not all(card.known for card in hand):
                reason = f"seat {seat} is dealt three known cards, not {len(hand)}"
                raise InvalidInput("wrong-hand-size", reason, "HIC-1", about=f"hand {seat}")
        return HighPosition(setup, ())


GAME: Final[Game] = HighCard()


@dataclass(frozen=True, slots=True)
class HighPosition:
    """A deal at one moment: what was shown is what was done."""

    setup: Setup
    actions: tuple[Action, ...]

    @property
    def to_act(self) -> int | None:
        """The seats in turn from the dealer's left (HIC-2)."""
        done, players = len(self.actions), self.setup.players
        return None if done == players else (self.setup.dealer + done) % players + 1

    @property
    def over(self) -> bool:
        """Everybody has shown a card."""
        return self.to_act is None

    def legal_actions(self) -> tuple[Action, ...]:
        """Any card of the hand in turn, or, where that is not known, any card that has not been shown (HIC-2)."""
        seat = self.to_act
        if seat is None:
            return ()
        shown = {action.cards[0] for action in self.actions}
        elsewhere = {card for other, hand in self.setup.hands.items() if other != seat for card in hand}
        hand = self.setup.hands.get(seat) or [card for card in PACK if card not in shown | elsewhere]
        return tuple(Action(seat, "show", (card,)) for card in hand)

    def apply(self, action: Action) -> HighPosition:
        """The position after the action. Raises IllegalAction or InvalidInput."""
        if action.verb != "show" or not 1 <= action.seat <= self.setup.players:
            raise InvalidInput("unknown-verb", f"'{action}' is nothing that High Card has", "HIC-2")
        if action.seat != self.to_act:
            raise IllegalAction("not-your-turn", f"it is not seat {action.seat}'s turn: '{action}' can't be", "HIC-2")
        if action not in self.legal_actions():
            raise IllegalAction("not-in-hand", f"seat {action.seat} can't show {action.cards}", "HIC-2")
        return replace(self, actions=(*self.actions, action))

    def claims(self) -> tuple[Claim, ...]:
        """None: nothing can be overlooked."""
        return ()

    def faults(self) -> tuple[Fault, ...]:
        """None."""
        return ()

    def notices(self) -> tuple[Notice, ...]:
        """Who is ahead."""
        if not self.actions:
            return ()
        best = max(self.actions, key=self._height)
        text = f"Seat {best.seat} is ahead with {best.cards[0]}."
        return (Notice("ahead", text, "HIC-3", (best.seat,), best.cards),)

    def facts(self) -> tuple[Fact, ...]:
        """None."""
        return ()

    def observe(self) -> TableState:
        """One card on the pile of everybody who has shown."""
        piles = dict.fromkeys(range(1, self.setup.players + 1), ()) | {one.seat: one.cards for one in self.actions}
        hands = {seat: HAND - len(pile) for seat, pile in piles.items()}
        return TableState((), piles, hands, tuple(piles))

    def unseen(self) -> Mapping[str, int]:
        """By rank, how many cards nobody has shown."""
        shown = [action.cards[0].rank for action in self.actions]
        return {rank: 4 - shown.count(rank) for rank in RANKS if shown.count(rank) < 4}

    def settlement(self) -> Mapping[str, Any] | None:
        """A point for the highest card, shared by equal ones (HIC-3)."""
        if not self.over:
            return None
        best = max(map(self._height, self.actions))
        winners = sorted(action.seat for action in self.actions if self._height(action) == best)
        seats = [
            {"seat": seat, "cards": HAND - 1, "score": 1 / len(winners) if seat in winners else 0}
            for seat in range(1, self.setup.players + 1)
        ]
        return {"winners": winners, "seats": seats}

    @property
    def next_dealer(self) -> int:
        """The dealer's left neighbour."""
        return self.setup.left_of(self.setup.dealer)

    def _height(self, action: Action) -> int:
        rank = RANKS.index(action.cards[0].rank)
        return 13 if rank == 0 and self.setup.options.get("ace") == "high" else rank
