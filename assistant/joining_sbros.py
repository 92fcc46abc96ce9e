"""Joining a deal of Sbros that is under way: a legal history that leads to the centre and the cards put aside.

The two top cards and what is put aside are seen; whose turn it is and how many cards the stock holds is asked. As long
as the stock lasts both hold six cards, a play draws two and a card put aside one (SBR-7, SBR-9): so the number of plays
follows. What was played is nobody's knowledge, so it stays unknown in the history, as does the dealt centre.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from assistant.cards import UNKNOWN, Card
from assistant.games.game import Action, Game, GameError, Position, Setup
from assistant.games.sbros_setup import STOCK, rules_of
from assistant.joining import NO_COURSE, Answers, CantJoin
from assistant.signs.signs import Terms
from assistant.told import Seat, later, tell
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, TableView, Zone

SEATS: Final = (1, 2)
UNSEEN: Final = (UNKNOWN, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Centre:
    """What lies face up in the middle of a deal: the cards that show of the left and the right pile, and what each
    seat has put aside (seats that put nothing aside left out)."""

    left: tuple[Card, ...]
    right: tuple[Card, ...]
    aside: Mapping[int, tuple[Card, ...]]

    @property
    def cards(self) -> int:
        """How many cards show."""
        return len(self.left) + len(self.right) + sum(map(len, self.aside.values()))


def centre(view: TableView) -> Centre | None:
    """What lies there; None unless both piles show, something is put aside, and every card of it is known.

    With nothing put aside the table looks like that of a new deal.
    """
    places = {CENTRE_LEFT: list[Card](), CENTRE_RIGHT: [], Zone(1, "reset"): [], Zone(2, "reset"): []}
    for seen in view.cards:
        if seen.zone in places and not seen.covered:
            places[seen.zone].append(seen.card)
    left, right, *aside = map(tuple, places.values())
    whole = left and right and any(aside) and all(card.known for cards in places.values() for card in cards)
    return (
        Centre(left, right, {seat: cards for seat, cards in zip(SEATS, aside, strict=True) if cards}) if whole else None
    )


def joined(game: Game, terms: Terms, there: Centre, answers: Answers) -> Position:
    """A position with just this centre, these cards put aside, this stock and turn, by legal actions from a deal.

    Raises CantJoin where a pile's top can't be told, or the answers contradict what lies there.
    """
    for pile in (there.left, there.right):
        if len(pile) != 1:
            text = later("{cards} lie in one pile: push it together, so that only its top card shows")
            raise CantJoin(tell(text, cards=pile))
    stock, aside = answers.stock or 0, {seat: there.aside.get(seat, ()) for seat in SEATS}
    plays, rest = divmod(STOCK - stock - sum(map(len, aside.values())), 2)
    if stock < 1 or plays < 0 or rest:
        text = later(
            "{n} cards in the stock don't go with those put aside (a play draws two, a reset one): count again"
        )
        raise CantJoin(tell(text, n=stock))
    bare = Setup(terms.game, terms.players, terms.dealer, (), {}, dict(terms.options), terms.names)
    deal = _Deal(bare, plays, aside, (there.left[0], there.right[0]))
    position = deal.played(game)
    if position.to_act != answers.to_act:
        text = later("with {n} cards in the stock it is not the turn of {seat}: count again")
        raise CantJoin(tell(text, n=stock, seat=Seat(answers.to_act)))
    return position


@dataclass(frozen=True, slots=True)
class _Deal:
    """What is known of a deal: how many plays there were, and what they left."""

    setup: Setup
    plays: int
    aside: Mapping[int, tuple[Card, ...]]
    tops: tuple[Card, Card]

    def played(self, game: Game) -> Position:
        """The deal's actions done, the last play as late as the turns allow, so that no card is said to have been put
        aside on a centre that may have come after it. Raises CantJoin."""
        turns = tuple(self._turns())
        plays = [at for at, (_, verb) in enumerate(turns) if verb == "cover"]
        if len(plays) != self.plays:
            raise CantJoin(tell(NO_COURSE))
        after = {seat for seat, _ in turns[plays[-1] + 1 if plays else 0 :]}
        if any(len(self.aside[seat]) > 1 for seat in after):
            raise CantJoin(tell("which card was put aside last can't be told: join after the next play"))
        waiting = {seat: iter(cards) for seat, cards in self.aside.items()}
        try:
            position = game.deal(replace(self.setup, table=UNSEEN if plays else self.tops))
            for at, (seat, verb) in enumerate(turns):
                tops = self.tops if verb == "cover" and at == plays[-1] else UNSEEN
                position = position.apply(Action(seat, verb, tops if verb == "cover" else (next(waiting[seat]),)))
        except GameError:
            raise CantJoin(tell(NO_COURSE)) from None
        return position

    def _turns(self) -> Iterator[tuple[int, str]]:
        """Who did what in turn: each seat puts its cards aside first, and plays then."""
        seats = self.setup.left_of(self.setup.dealer), self.setup.dealer
        left = {seat: len(self.aside[seat]) for seat in seats}
        if rules_of(self.setup).reset_repeat == "one":
            for number in range(self.plays + sum(left.values())):
                seat = seats[number % 2]
                yield seat, "reset" if left[seat] else "cover"
                left[seat] = max(0, left[seat] - 1)
            return
        for number in range(self.plays + 1):
            seat = seats[number % 2]
            yield from [(seat, "reset")] * left[seat]
            left[seat] = 0
            if number < self.plays:
                yield seat, "cover"
