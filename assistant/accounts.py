"""The running accounts of an evening: deals that count alike are added up, others are kept apart.

Stakes are chips: they add up over all deals of a game. Points add up only where they were given in the same way
(RST-14): a point for a win and a card left in the hand are different things.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple, TypeVar

from assistant.games import game_named
from assistant.games.game import Setup
from assistant.match import scoring_of, totals
from assistant.people import Person, people_at

WORTH: Final = "stake_value"
"""The option that says what a stake is worth in money."""
CURRENCY: Final = "currency"
"""The option that says in which money: an ISO 4217 code or any short word."""


class Kind(NamedTuple):
    """What a deal counts in: its game, ``stakes`` or ``points``, and how they are given (the option ``score``)."""

    game: str
    unit: str
    scoring: str | None


class Counted(NamedTuple):
    """A deal that counts: its number in the evening, how it was set up, each seat's result by seat, and who ``sat``
    there (without it those whom the set-up names)."""

    number: int
    setup: Setup
    nets: tuple[float, ...]
    sat: tuple[Person, ...] = ()

    @property
    def people(self) -> tuple[Person, ...]:
        """Who sat at each seat."""
        return self.sat or people_at(self.setup)


@dataclass(frozen=True, slots=True)
class Part:
    """Deals that are paid in the same: their ``currency``, empty where nobody named it; None: in stakes alone."""

    currency: str | None
    deals: tuple[Counted, ...]
    people: tuple[Person, ...]

    @property
    def stakes(self) -> tuple[int, ...]:
        """Each person's sum in stakes; nought together."""
        return tuple(int(total) for total in _sums(self.deals, self.people))

    @property
    def money(self) -> tuple[Decimal, ...] | None:
        """Each person's sum in money, by what a stake was worth in each deal; nought together. None for stakes
        alone."""
        if self.currency is None:
            return None
        paid = [by_person(deal, money_of(deal) or (), self.people) for deal in self.deals]
        return tuple(sum((one or Decimal() for one in his), Decimal()) for his in zip(*paid, strict=True))

    @property
    def one_worth(self) -> bool:
        """Whether a stake was the same in all of them, so that stakes won in one pay what was lost in another."""
        return len({Decimal(deal.setup.options.get(WORTH) or 0) for deal in self.deals}) == 1


@dataclass(frozen=True, slots=True)
class Account:
    """The deals of one kind, oldest first, with the sum of each of the ``people``: of all who played this evening."""

    kind: Kind
    deals: tuple[Counted, ...]
    people: tuple[Person, ...]

    @property
    def totals(self) -> tuple[float, ...]:
        """Each person's exact sum; stakes sum to nought."""
        return _sums(self.deals, self.people)

    @property
    def running(self) -> tuple[tuple[float, ...], ...]:
        """By deal, each person's sum up to it."""
        return tuple(_sums(self.deals[:count], self.people) for count in range(1, len(self.deals) + 1))

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is paid apart, that of the first deal first: the deals of each currency, and those for stakes alone.
        Points are not paid."""
        found: dict[str | None, list[Counted]] = {}
        for deal in self.deals if self.kind.unit == "stakes" else ():
            found.setdefault(_currency_of(deal), []).append(deal)
        return tuple(Part(currency, tuple(deals), self.people) for currency, deals in found.items())


def kind_of(setup: Setup) -> Kind:
    """What a deal of this set-up counts in.

    >>> kind_of(Setup("rolling-stone", 4, 1, options={"score": "cards_left"}))
    Kind(game='rolling-stone', unit='points', scoring='cards_left')
    """
    return Kind(setup.game, game_named(setup.game).unit, scoring_of(setup))


def accounts_of(deals: Iterable[Counted], people: Iterable[Person] = ()) -> tuple[Account, ...]:
    """The accounts of an evening, that of its first deal first; in each first these ``people``, then who else played.
    A deal counts for those who sat there and for what it was played for: what is said later of a stake's worth or of
    who sits where is said of later deals.

    >>> won, left = Setup("rolling-stone", 3, 1), Setup("rolling-stone", 3, 1, options={"score": "cards_left"})
    >>> deals = [Counted(1, won, (1, 0, 0)), Counted(2, left, (0, 5, 2)), Counted(3, won, (0, 1, 0))]
    >>> [([deal.number for deal in one.deals], one.totals) for one in accounts_of(deals)]
    [([1, 3], (1, 1, 0)), ([2], (0, 5, 2))]
    """
    found: dict[Kind, list[Counted]] = {}
    everybody = dict.fromkeys(people)
    for deal in deals:
        found.setdefault(kind_of(deal.setup), []).append(deal)
        everybody |= dict.fromkeys(deal.people)
    return tuple(Account(kind, tuple(those), tuple(everybody)) for kind, those in found.items())


Amount = TypeVar("Amount", float, Decimal)


def by_person(deal: Counted, amounts: Sequence[Amount], people: Iterable[Person]) -> tuple[Amount | None, ...]:
    """A deal's amounts, which are given by seat, by person; None for who did not sit there.

    >>> deal = Counted(1, Setup("sbros", 2, 1, names=("Ann", "Bea")), (1, 0))
    >>> by_person(deal, deal.nets, [Person("Bea"), Person("Cy"), Person("Ann")])
    (0, None, 1)
    """
    found = dict(zip(deal.people, amounts, strict=True))
    return tuple(found.get(person) for person in people)


def _sums(deals: Iterable[Counted], people: Sequence[Person]) -> tuple[float, ...]:
    """Each person's exact sum."""
    return totals((tuple(one or 0 for one in by_person(deal, deal.nets, people)) for deal in deals), len(people))


def money_of(deal: Counted) -> tuple[Decimal, ...] | None:
    """Each seat's result in money; None for a deal that was played for stakes alone, or for points.

    >>> money_of(Counted(1, Setup("laugh-and-lie-down", 3, 1, options={"stake_value": "0.50"}), (3, -1, -2)))
    (Decimal('1.50'), Decimal('-0.50'), Decimal('-1.00'))
    """
    worth = deal.setup.options.get(WORTH)
    return tuple(Decimal(worth) * int(net) for net in deal.nets) if worth else None


def _currency_of(deal: Counted) -> str | None:
    return deal.setup.options.get(CURRENCY, "") if deal.setup.options.get(WORTH) else None
