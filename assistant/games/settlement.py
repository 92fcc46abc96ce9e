"""The settlement of Laugh and Lie Down: from the cards in the piles to the stakes (rules LLD-22 to LLD-26)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from assistant.games.game import GameError


class SettlementRefused(GameError):
    """The piles can't be right, so no stake is named: a card was lost, misread or put on a wrong pile."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a deal is played for (LLD-2), by number of players.

    ``hand``: cards dealt to each, which is also par; ``bonus``: stakes for the last in. Each player puts in ``ante``
    stakes, the dealer one more (LLD-4).
    """

    players: int
    hand: int
    bonus: int
    ante: int = 2

    @property
    def par(self) -> int:
        """Cards with which a player neither gains nor loses."""
        return self.hand

    @property
    def table(self) -> int:
        """Cards that are laid out face up."""
        return 52 - self.players * self.hand

    @property
    def pot(self) -> int:
        """Stakes in the pot before the settlement."""
        return self.players * self.ante + 1


SCALES: Final[Mapping[int, Scale]] = {
    scale.players: scale for scale in (Scale(3, 14, 2), Scale(4, 10, 3), Scale(5, 8, 5), Scale(6, 6, 5))
}


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's part of the settlement, in stakes; ``cards`` is its pile with the sweep."""

    seat: int
    cards: int
    staked: int
    paid_in: int
    received: int

    @property
    def net(self) -> int:
        """The deal's whole result for the seat, its stake included."""
        return self.received - self.paid_in - self.staked


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who pays what; ``bonus_seat`` is the last in."""

    pot: int
    bonus_seat: int
    bonus: int
    seats: tuple[SeatResult, ...]

    def as_json(self) -> dict[str, Any]:
        """The settlement as ``mournival check --json`` writes it."""
        return {
            "pot": self.pot,
            "bonus": {"seat": self.bonus_seat, "stakes": self.bonus},
            "seats": [
                {
                    "seat": seat.seat,
                    "cards": seat.cards,
                    "staked": seat.staked,
                    "paid_in": seat.paid_in,
                    "received": seat.received,
                    "net": seat.net,
                }
                for seat in self.seats
            ],
        }


def settle(scale: Scale, dealer: int, last_in: int, piles: Mapping[int, int]) -> Settlement:
    """Settle a deal from each seat's number of cards, the sweep already in the dealer's pile (LLD-24).

    The last in draws the bonus, each seat then gains or loses one stake for two cards above or below par; losers pay
    in first, winners draw, and the pot is empty. Raises SettlementRefused where a pile is odd or the piles do not
    make up the pack.

    >>> settle(SCALES[5], 1, 3, {1: 16, 2: 12, 3: 14, 4: 4, 5: 6}).seats[2].net
    6
    """
    odd = [f"seat {seat} has {cards}" for seat, cards in sorted(piles.items()) if cards % 2 or cards < 0]
    if odd:
        raise SettlementRefused(
            "odd-pile", f"every pile holds an even number of cards, but {', '.join(odd)}: count again", "LLD-25"
        )
    if sum(piles.values()) != 52 or set(piles) != set(range(1, scale.players + 1)):
        raise SettlementRefused(
            "not-52-cards",
            f"the piles of the {scale.players} seats hold {sum(piles.values())} cards, not 52: look for the others",
            "LLD-25",
        )
    seats = []
    for seat in sorted(piles):
        gain = (piles[seat] - scale.par) // 2
        received = max(gain, 0) + (scale.bonus if seat == last_in else 0)
        staked = scale.ante + (1 if seat == dealer else 0)
        seats.append(SeatResult(seat, piles[seat], staked, max(-gain, 0), received))
    return Settlement(scale.pot, last_in, scale.bonus, tuple(seats))
