"""What Laugh and Lie Down shows on the table: the pool, and each seat's pile of won cards, face up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.events import Choice
from assistant.games.game import Position, Setup
from assistant.games.laugh_setup import NAME, rules_of
from assistant.signs.difference import Difference, Slot
from assistant.signs.laugh_dealt import names_of_the_deal, without_played
from assistant.signs.laugh_misplays import misplay
from assistant.signs.laugh_retelling import LaughTeller
from assistant.signs.laugh_search import empty_hands, explain
from assistant.signs.retelling import Teller
from assistant.signs.signs import Explanation, Glimpse, Misplay, Terms
from assistant.view import TABLE, SeenCard, TableView, Zone


class LaughSigns:
    """See ``assistant.signs.signs.Signs``."""

    game = NAME
    deal_zones = (TABLE,)
    shared: tuple[Zone, ...] = ()

    def deal_size(self, terms: Terms) -> int:
        """The size of the pool (LLD-6)."""
        return rules_of(Setup(terms.game, terms.players, terms.dealer, (), {}, dict(terms.options))).scale.table

    def dealt(self, terms: Terms, cards: Sequence[SeenCard], view: TableView) -> Setup | None:
        """The pool: whatever lies face up (LLD-6) and was not played already; what is doubtful is left open."""
        if not cards:
            return None
        table = names_of_the_deal(without_played(cards, view.visits, terms.dealer))
        return Setup(terms.game, terms.players, terms.dealer, table, {}, dict(terms.options), terms.names)

    def slots(self, position: Position) -> tuple[Slot, ...]:
        """The pool must show, but for what was never read; of a pile the top alone may. Suits never matter (LLD-1), but
        the deal itself may still be corrected before the first action."""
        state, begun = position.observe(), bool(position.actions)
        slots = [Slot(card, TABLE, shows=bool(card.rank), stays=begun, suitless=begun) for card in state.table]
        for seat, pile in state.piles.items():
            slots += [Slot(card, Zone(seat), shows=False, stays=begun, suitless=begun) for card in pile]
        return tuple(slots)

    def certain(self, position: Position) -> tuple[Position, Choice]:
        """Everybody lies down who is in turn with an empty hand: it shows nothing (LLD-18)."""
        return empty_hands(position)

    def explain(
        self,
        position: Position,
        difference: Difference,
        view: TableView,
        most: int = 3,
        arrived: Mapping[int, float] | None = None,
        gone: Sequence[Glimpse] = (),
    ) -> list[Explanation]:
        """See ``assistant.signs.laugh_search.explain``."""
        glimpsed = _glimpsed(position, difference, view, gone)
        return explain(position, difference, most, arrived, view.visits, glimpsed, view.passing)

    def traceless(self, position: Position, view: TableView, gone: Sequence[Glimpse] = ()) -> list[Explanation]:
        """Nothing: whoever acts shows or takes cards."""
        return []

    def resting(self, position: Position) -> Choice:
        """Nothing: whoever acts shows cards."""
        return ()

    def misplay(
        self, position: Position, difference: Difference, view: TableView, gone: Sequence[Glimpse] = ()
    ) -> Misplay | None:
        """The rules' own reason where a plain reading of the difference is an action that they refuse."""
        return misplay(position, difference, view)

    def teller(self) -> Teller:
        """See ``assistant.signs.laugh_retelling``."""
        return LaughTeller()

    def finished(self, position: Position, view: TableView) -> bool:
        """No claim is open (LLD-23)."""
        return position.over and not position.claims()


def _glimpsed(position: Position, difference: Difference, view: TableView, gone: Sequence[Glimpse]) -> frozenset[str]:
    """The ranks of cards in sight for a moment that belong nowhere: they came from a hand and lie beneath another."""
    pool = position.observe().table
    placed = {*difference.lying, *(moved.seen.track for moved in difference.moved)}
    covered = (seen for seen in view.cards if seen.covered and seen.track not in placed)
    left = (glimpse.seen for glimpse in gone)
    return frozenset(seen.card.rank for seen in (*covered, *left) if seen.card not in pool)
