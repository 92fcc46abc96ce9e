"""What people said the cards are, held against what the networks go on reading.

A card that is misread once is misread again, wherever it goes. The session's corrections are the truth of it; here
each is tied to the card on the table that it is about.
"""

from __future__ import annotations

from typing import Final, Protocol

from assistant.cards import Card
from assistant.session import Deal
from assistant.session_events import CardCorrected
from assistant.view import TableView

LOOK_FOR_S: Final = 15.0
"""How long a correction made before the program was started again is looked for by the name that was read."""

Pins = list[tuple[int, Card]]
"""Tracks and what each of them is."""


class Pinning(Protocol):
    """The part of the tracker that takes a person's word."""

    def pin(self, number: int, card: Card | None) -> bool:
        """The track is this card; None: go by the readings again."""
        ...


class CorrectedCards:
    """Ties corrections to tracks: ``say`` by the page, from any thread; ``hold`` by the loop, for every view."""

    def __init__(self) -> None:
        self._said: list[tuple[Card, Card, int | None]] = []
        self._meant: dict[tuple[Card, Card], Pins] = {}
        self._pinned: dict[int, Pins] = {}
        self._first_t: float | None = None

    def say(self, was: Card, now: Card, track: int | None = None) -> None:
        """Somebody says that ``was`` is ``now``; ``track`` is the card that was clicked, if it was in the picture."""
        self._said.append((was, now, track))

    def hold(self, tracker: Pinning, view: TableView, deal: Deal | None) -> None:
        """Hold the tracker to the corrections that count now, and let go of those that were undone.

        Without a deal nothing is written down: then what was said of the cards in view is held as it is.
        """
        self._first_t = view.t if self._first_t is None else self._first_t
        while self._said:
            was, now, track = self._said.pop(0)
            pins = _pins(view, was, now, track)
            self._meant[was, now] = pins
            _pin(tracker, pins)
        wanted = _corrections(deal)
        for seq in [seq for seq in self._pinned if seq not in wanted]:
            _pin(tracker, [(number, None) for number, _ in self._pinned.pop(seq)])
        for seq, (was, now) in wanted.items():
            held = self._pinned.get(seq)
            if held is not None and not _moved(view, held, now):
                continue
            pins = self._meant.pop((was, now), []) or _pins(view, was, now)
            if pins or (held is None and view.t - self._first_t > LOOK_FOR_S):
                self._pinned[seq] = pins
            _pin(tracker, pins)


def _corrections(deal: Deal | None) -> dict[int, tuple[Card, Card]]:
    """By entry, what was taken for what."""
    found: dict[int, tuple[Card, Card]] = {}
    for entry in deal.corrections if deal is not None else ():
        if isinstance(entry.event, CardCorrected):
            found[entry.seq] = Card.parse(entry.event.was), Card.parse(entry.event.now)
    return found


def _pins(view: TableView, was: Card, now: Card, track: int | None = None) -> Pins:
    """Which tracks are to be what, so that ``was`` and ``now`` are exchanged; none where ``was`` is not in view."""
    named = {card.card: card.track for card in view.cards}
    number = named.get(was) if track is None else track
    if number is None:
        return []
    other = named.get(now)
    exchanged = [(other, was)] if other is not None and other != number and was.known else []
    return [(number, now), *exchanged]


def _moved(view: TableView, held: Pins, now: Card) -> bool:
    """Whether the corrected card is no more where it was held: where it lies now it is misread again."""
    tracks = {number for number, card in held if card == now}
    return bool(tracks) and not any(card.track in tracks or card.card == now for card in view.cards)


def _pin(tracker: Pinning, pins: Pins | list[tuple[int, None]]) -> None:
    for number, card in pins:
        tracker.pin(number, card)
