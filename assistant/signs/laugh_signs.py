"""What Laugh and Lie Down shows on the table: the pool, and each seat's pile of won cards, face up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assistant.cards import Card
from assistant.events import Choice
from assistant.games.game import Action, GameError, Position, Setup
from assistant.games.laugh_setup import NAME
from assistant.signs.difference import Difference, Slot
from assistant.signs.laugh_search import empty_hands, explain
from assistant.signs.signs import Explanation, Glimpse, Misplay, Terms
from assistant.view import TABLE, SeenCard, TableView, Zone


class LaughSigns:
    """See ``assistant.signs.signs.Signs``."""

    game = NAME
    deal_zones = (TABLE,)

    def dealt(self, terms: Terms, cards: Sequence[SeenCard], view: TableView) -> Setup | None:
        """The pool: whatever lies face up (LLD-6)."""
        if not cards:
            return None
        table = tuple(seen.card for seen in cards)
        return Setup(terms.game, terms.players, terms.dealer, table, {}, dict(terms.options), terms.names)

    def slots(self, position: Position) -> tuple[Slot, ...]:
        """The pool must show; of a pile the top alone may."""
        state = position.observe()
        pool = tuple(Slot(card, TABLE) for card in state.table)
        return pool + tuple(Slot(card, Zone(seat), shows=False) for seat, pile in state.piles.items() for card in pile)

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
        return explain(position, difference, most, arrived)

    def resting(self, position: Position) -> Choice:
        """Nothing: whoever acts shows cards."""
        return ()

    def misplay(self, position: Position, difference: Difference, view: TableView) -> Misplay | None:
        """The rules' own reason where a plain reading of the difference is an action that they refuse."""
        for action in _plain_readings(position, difference):
            try:
                position.apply(action)
            except GameError as error:
                if error.code == "not-the-whole-hand":
                    continue  # more of it may be to come
                return Misplay(error.code, (action.seat,), action.cards, f"{action}: {error.reason}", error.rule)
        return None

    def finished(self, position: Position, view: TableView) -> bool:
        """No claim is open (LLD-23)."""
        return position.over and not position.claims()


def _plain_readings(position: Position, difference: Difference) -> Iterator[Action]:
    hands: dict[int, list[Card]] = {}
    tables: dict[int, list[Card]] = {}
    shown: list[Card] = []
    for seen in difference.fresh:
        if seen.zone is not None and seen.zone.seat is not None:
            hands.setdefault(seen.zone.seat, []).append(seen.card)
        elif seen.zone is not None:
            shown.append(seen.card)
    for moved in difference.moved:
        if moved.seat is not None:
            tables.setdefault(moved.seat, []).append(moved.card)
    for seat, cards in hands.items():
        taken = tables.get(seat) or [slot.card for slot in difference.missing]
        if len(cards) == 1 and len(taken) in (1, 2, 3):
            yield Action(seat, "mate", (cards[0], *taken))
        elif len(cards) in (2, 4) and not tables.get(seat):
            yield Action(seat, "lay", tuple(cards))
    for seat, cards in tables.items():
        if seat not in hands and len(cards) >= 2:
            yield Action(seat, "claim", tuple(cards))
    if shown and position.to_act is not None:
        yield Action(position.to_act, "lie-down", tuple(shown))
