"""The hands that players tell of themselves: kept in memory alone, each for the browser that told it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from assistant.cards import Card
from assistant.games import game_named
from assistant.games.game import IllegalAction, Position
from assistant.hints import holding
from assistant.session import Deal, SessionState
from assistant.told import tell

MOST: Final = 64
"""Hands that are kept at a time; beyond that the one that was told first is forgotten."""


class Asker(NamedTuple):
    """Who asks: a browser, by its secret token, for a seat."""

    browser: str
    seat: int


@dataclass(frozen=True, slots=True)
class Told:
    """What a seat held after entry ``seq``, in the deal that entry ``deal`` began. Its ``repr`` shows no card."""

    deal: int
    seq: int
    cards: tuple[Card, ...] = field(repr=False)


class OwnHands:
    """The told hands. What the seat plays leaves its hand by itself, for a hand is told as of one moment and every
    action since is applied to it. Thread-safe."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._told: dict[Asker, Told] = {}
        self._mutex = threading.Lock()

    def tell(self, asker: Asker, state: SessionState, cards: tuple[Card, ...]) -> None:
        """The seat holds just these cards now. Raises GameError, naming the card, where it can't."""
        deal = state.deal
        if deal is None or deal.position.over:
            raise IllegalAction("no-deal", tell("no deal is being played: tell the hand once the cards are dealt"))
        holding(deal.position, asker.seat, cards)
        with self._mutex:
            self._told.pop(asker, None)
            self._told[asker] = Told(_began(deal), state.seq, cards)
            while len(self._told) > self._most:
                self._told.pop(next(iter(self._told)))

    def forget(self, asker: Asker) -> None:
        """Forget the hand."""
        with self._mutex:
            self._told.pop(asker, None)

    def forget_browser(self, browser: str) -> None:
        """Forget all hands that this browser told."""
        with self._mutex:
            self._told = {asker: told for asker, told in self._told.items() if asker.browser != browser}

    def told(self, asker: Asker, state: SessionState) -> Told | None:
        """What was told in the deal that is being played."""
        told = self._told.get(asker)
        return told if told is not None and state.deal is not None and told.deal == _began(state.deal) else None

    def askers(self) -> set[Asker]:
        """Who has told a hand in the deal that is being played."""
        return set(self._told)

    def position(self, asker: Asker, state: SessionState) -> Position | None:
        """The deal as the seat sees it with its hand; None where it has told none. A hand without a card needs no
        telling. Raises GameError where what was seen since contradicts what was told."""
        deal = state.deal
        if deal is None:
            return None
        told = self.told(asker, state)
        if told is None:
            empty = deal.position.observe().hands[asker.seat] == 0
            return holding(deal.position, asker.seat, ()) if empty else None
        setup = deal.position.setup
        position = game_named(setup.game).deal(setup)
        for done in deal.done:
            if done.seq <= told.seq:
                position = position.apply(done.action)
        position = holding(position, asker.seat, told.cards)
        for done in deal.done:
            if done.seq > told.seq:
                position = position.apply(done.action)
        return position

    def on_state(self, state: SessionState) -> None:
        """Forget the hands of deals that are not played any more; a session's listener."""
        playing = [*state.aside, *([] if state.deal is None else [state.deal])]
        kept = {_began(deal) for deal in playing if not deal.position.over}
        with self._mutex:
            self._told = {asker: told for asker, told in self._told.items() if told.deal in kept}


def _began(deal: Deal) -> int:
    return deal.log[0].seq
