"""Pictures of a player's own hand: looked at for the cards in them and forgotten at once.

A picture is in memory alone while it is looked at. It is in no log: what fails is logged without its text.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from assistant.cards import Card
from vision.recogniser import Reading, Recogniser, Recognition
from web.sent_pictures import PicturesBusy, decoded

NICE: Final = 10
"""How much the table goes before the hands, on the scale of ``nice``."""
SURE: Final = 0.9
"""From where on a name needs no second look: of readings at 0.9 nine in ten are right."""
LEAST: Final = 0.05
"""What another name of a card must have for it to be taken where the first name can't be."""


@dataclass(frozen=True, slots=True)
class SeenHand:
    """The cards that a picture shows, and those ``unsure`` among them. Its ``repr`` shows no card."""

    cards: tuple[Card, ...] = field(repr=False)
    unsure: frozenset[Card] = field(repr=False)


class HandPictures:
    """Looks at one picture after the other, in a thread of its own that gives way to the table's eye."""

    def __init__(self, load: Callable[[], Recogniser]) -> None:
        """``load`` brings the recogniser when the first picture comes. It must not be the table's own one, which
        serves the table's thread alone."""
        self._load = load
        self._recogniser: Recogniser | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="hand pictures", initializer=_give_way)
        self._mutex = threading.Lock()
        self._seats: set[int] = set()

    def look(self, data: bytes, seat: int) -> Recognition:
        """What is in a picture (JPEG) of a seat's hand. Raises ``vision.image_intake.PictureError`` where it is none,
        PicturesBusy where one of this seat is looked at already or waits for it, so that no seat takes another's place,
        ModelsMissing where there are no networks."""
        with self._mutex:
            if seat in self._seats:
                raise PicturesBusy
            self._seats.add(seat)
        try:
            return self._worker.submit(self._look, data).result()
        finally:
            with self._mutex:
                self._seats.remove(seat)

    def _look(self, data: bytes) -> Recognition:
        picture = decoded(data)
        if self._recogniser is None:
            self._recogniser = self._load()
        return self._recogniser.recognise(picture)


def seen_hand(readings: Sequence[Reading], possible: Set[Card]) -> SeenHand:
    """What of the readings may be a hand: of the cards that the seat may hold (``possible``) each at most once. A
    reading of another card stands for the likeliest of its other names that may be held, and is unsure.

    >>> import numpy as np
    >>> king, knave = Card.parse("KS"), Card.parse("JS")
    >>> reading = Reading(king, 0.9, np.zeros((4, 2), np.float32), others=((knave, 0.1),))
    >>> seen = seen_hand([reading], {knave})
    >>> seen.cards == (knave,), seen.unsure == {knave}
    (True, True)
    """
    found: dict[Card, bool] = {}
    for reading in sorted(readings, key=lambda one: -one.confidence):
        names = (reading.card, *(other for other, likely in reading.others if likely >= LEAST))
        card = next((name for name in names if name in possible and name not in found), None)
        if card is not None:
            found[card] = card == reading.card and reading.confidence >= SURE
    return SeenHand(tuple(found), frozenset(card for card, sure in found.items() if not sure))


def _give_way() -> None:
    """Let other threads go first, where the system keeps that by thread (Linux does)."""
    with contextlib.suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
