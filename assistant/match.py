"""A match: deals one after the other, who deals next, and the running account in stakes or points.

A match is a value, the fold of its finished deals. As the seats are not equally good, it is even after a whole number
of rounds in which everybody deals equally often (LLD-27); nobody is kept from stopping earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from assistant.games import game_named
from assistant.games.game import IllegalAction, InvalidInput, Position, Setup

_SHARES: Final = 60
"""A point that several share is a fraction with at most this denominator: 2 to 6 of them divide it."""


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """A deal that counts: its dealer, each seat's result by seat, who deals next, and a stake's value in money."""

    dealer: int
    results: tuple[Fraction, ...]
    next_dealer: int
    stake_value: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The finished deals of a game, oldest first, and what they come to.

    ``scoring`` is the game's option ``score`` as its first deal had it (RST-14); None where no deal or no such option.

    >>> match = Match("sbros", 2, (FinishedDeal(1, (Fraction(1), Fraction(0)), 2),))
    >>> match.account, match.next_dealer, match.even
    ((Fraction(1, 1), Fraction(0, 1)), 2, False)
    """

    game: str
    players: int
    deals: tuple[FinishedDeal, ...] = ()
    scoring: str | None = None

    def after(self, position: Position) -> Match:
        """The match with one more deal. Raises IllegalAction where it is not over, InvalidInput where it is of
        another game, number of players or way of scoring, or the settlement's own error."""
        setup = position.setup
        if (setup.game, setup.players) != (self.game, self.players):
            what = f"a match of {self.game} for {self.players} has no deal of {setup.game} for {setup.players}"
            raise InvalidInput("other-match", f"{what}: begin another match", about="game")
        scoring = scoring_of(setup)
        if self.deals and scoring != self.scoring:
            what = f"a match with score={self.scoring} has no deal with score={scoring}"
            raise InvalidInput("other-match", f"{what}: begin another match", "RST-14", about="options")
        settlement = position.settlement()
        if settlement is None:
            raise IllegalAction("not-over", "the deal is not over yet, so it can't count")
        value = setup.options.get("stake_value")
        deal = FinishedDeal(
            setup.dealer,
            tuple(exact(result) for result in results_of(settlement, self.players)),
            position.next_dealer,
            Decimal(value) if value else None,
        )
        return replace(self, deals=(*self.deals, deal), scoring=scoring)

    @property
    def account(self) -> tuple[Fraction, ...]:
        """Each seat's sum over all deals, in the game's unit; stakes sum to nought."""
        return tuple(sum((deal.results[seat] for deal in self.deals), Fraction()) for seat in range(self.players))

    @property
    def money(self) -> tuple[Decimal, ...] | None:
        """Each seat's sum in money; None where a deal was played without a value for the stake."""
        sums = [Decimal()] * self.players
        for deal in self.deals:
            if deal.stake_value is None:
                return None
            sums = [sum_ + deal.stake_value * int(result) for sum_, result in zip(sums, deal.results, strict=True)]
        return tuple(sums) if self.deals else None

    @property
    def unit(self) -> str:
        """``stakes`` or ``points``."""
        return game_named(self.game).unit

    @property
    def next_dealer(self) -> int | None:
        """Who deals the next deal; None before the first, whose dealer is cut or drawn for (LLD-3, RST-4, SBR-2)."""
        return self.deals[-1].next_dealer if self.deals else None

    @property
    def even(self) -> bool:
        """Whether everybody has dealt equally often, so that the match may fairly end (LLD-27)."""
        dealers = [deal.dealer for deal in self.deals]
        return len({dealers.count(seat) for seat in range(1, self.players + 1)}) == 1

    @property
    def out_of_turn(self) -> tuple[int, ...]:
        """The deals (counted from 1) that another seat dealt than the one before had passed the deal to."""
        pairs = zip(self.deals, self.deals[1:], strict=False)
        return tuple(number for number, (one, next_) in enumerate(pairs, 2) if next_.dealer != one.next_dealer)


def match_of(deals: Iterable[Position]) -> Match:
    """The match that some finished deals make, at least one. Raises as ``Match.after`` does."""
    first, *others = deals
    match = Match(first.setup.game, first.setup.players).after(first)
    for position in others:
        match = match.after(position)
    return match


def scoring_of(setup: Setup) -> str | None:
    """How a deal of this set-up is scored, the option ``score``; None for a game that has no such option."""
    values = game_named(setup.game).options.get("score")
    return setup.options.get("score", values[0]) if values else None


def results_of(settlement: Mapping[str, Any], players: int) -> tuple[float, ...]:
    """Each seat's result of a settlement as the contract writes it: its net in stakes, or its score in points."""
    found = {int(seat["seat"]): seat.get("net", seat.get("score", 0)) for seat in settlement["seats"]}
    return tuple(found.get(seat, 0) for seat in range(1, players + 1))


def exact(result: float) -> Fraction:
    """A result as the fraction it stands for.

    >>> exact(0.3333333333333333), exact(-4)
    (Fraction(1, 3), Fraction(-4, 1))
    """
    return Fraction(result).limit_denominator(_SHARES)


def plain(result: Fraction) -> float:
    """A fraction as a plain number, a whole one where it is whole."""
    return int(result) if result.denominator == 1 else float(result)


def totals(results: Iterable[tuple[float, ...]], players: int) -> tuple[float, ...]:
    """Each seat's exact sum over the results of several deals.

    >>> totals([(1 / 3, 1 / 3, 1 / 3), (0, 2 / 3, 1)], 3)
    (0.3333333333333333, 1, 1.3333333333333333)
    """
    rows = list(results)
    return tuple(plain(sum((exact(row[seat]) for row in rows), Fraction())) for seat in range(players))
