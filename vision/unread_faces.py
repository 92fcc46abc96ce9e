"""A card that nobody could read, and is read at last: from then on it is the same card, with the number that it had."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from assistant.cards import Card
from assistant.view import Point, SeenCard
from vision.face_down import Surroundings

SLACK: Final = 0.5
"""Seconds for which something may still move where a face is seen first: the hand that laid it there."""


class UnreadFaces:
    """Joins the faces that nobody can read (``vision.face_down.BackWatch``) to the tracker's cards, as long as nothing
    has moved where they lie."""

    def __init__(self) -> None:
        self._faces: dict[int, SeenCard] = {}
        self._known: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._named: dict[int, Card] = {}

    def joined(
        self, cards: Sequence[SeenCard], unread: Sequence[SeenCard], place: Surroundings
    ) -> tuple[SeenCard, ...]:
        """All cards of the view. ``cards`` are those that were read, ``unread`` the faces that weren't, ``place`` says
        what moved. A card that is read where a face lay takes over its number."""
        lying = {number: face for number, face in self._faces.items() if _unmoved(face, place)}
        for seen in cards:
            if seen.track not in self._known and not seen.covered:
                self._known.add(seen.track)
                same = next((face for face in lying.values() if _lies_on(face, (seen,))), None)
                if same is not None:
                    self._numbers[seen.track] = lying.pop(same.track).track
        still = [face for face in unread if not _lies_on(face, cards)]
        self._faces = {**lying, **{face.track: face for face in still}}
        return (*(self._renumbered(seen) for seen in cards), *(self._as_named(face) for face in still))

    def track_of(self, number: int) -> int:
        """The tracker's number of a card by that which the view has."""
        return next((track for track, shown in self._numbers.items() if shown == number), number)

    def pin(self, number: int, card: Card | None) -> bool:
        """A person says which card a face is, whatever is read of it later; None: it is as it is read. False if there
        is no such face."""
        if card is None:
            self._named.pop(number, None)
        else:
            self._named[number] = card
        return number in self._faces

    def clear(self) -> None:
        """Forget all of them: other cards follow."""
        self._faces.clear()
        self._known.clear()
        self._numbers.clear()
        self._named.clear()

    def _renumbered(self, seen: SeenCard) -> SeenCard:
        number = self._numbers.get(seen.track)
        return seen if number is None else self._as_named(replace(seen, track=number))

    def _as_named(self, face: SeenCard) -> SeenCard:
        named = self._named.get(face.track)
        return face if named is None else replace(face, card=named, confidence=1.0, others=())


def _unmoved(face: SeenCard, place: Surroundings) -> bool:
    return place.still_since(face.quad) <= face.since + SLACK


def _lies_on(seen: SeenCard, cards: Iterable[SeenCard]) -> bool:
    """Whether the middle of a card is within another one's outline, too."""
    middle: Point = sum(x for x, _ in seen.quad) / 4, sum(y for _, y in seen.quad) / 4
    return any(cv2.pointPolygonTest(np.array(one.quad, np.float32), middle, False) >= 0 for one in cards)
