"""One pack in the making: the pictures that were looked at, and what people said of their cards.

What looks at pictures and learns is loaded when it is first needed: it is slow to load.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.cards import Card
from vision.pack_shelf import About
from vision.plain_text import one_line
from vision.recogniser import Image

if TYPE_CHECKING:
    from vision.enrolment import Learned, SeenCard
    from vision.onnx_recogniser import OnnxRecogniser


class Enrolment:
    """Pictures are taken in by ``look``; what people say of cards comes by ``tell`` and ``answer``."""

    def __init__(self, name: str, recogniser: OnnxRecogniser) -> None:
        self.name = name
        self.recogniser = recogniser
        self.files: list[str] = []
        self.seen: list[SeenCard] = []
        self.told: dict[int, Card | None] = {}

    def look(self, file: str, image: Image) -> int:
        """Take in a picture; how many cards were seen in it."""
        from vision.enrolment import look_at

        found = look_at(self.recogniser, image, len(self.files))
        self.files.append(file)
        self.seen += found
        return len(found)

    def forget_last(self) -> None:
        """Leave out the picture that was taken in last, and what was said of its cards."""
        if self.files:
            self.files.pop()
            self.seen = [one for one in self.seen if one.picture < len(self.files)]
            self.told = {number: card for number, card in self.told.items() if number < len(self.seen)}

    def place(self, number: int) -> tuple[str, int, int]:
        """Where a card lies: the file, the card's number there (from 1) and of how many."""
        here = self.in_picture(self.seen[number].picture)
        return self.files[self.seen[number].picture], here.index(number) + 1, len(here)

    def in_picture(self, picture: int) -> list[int]:
        """The numbers of a picture's cards."""
        return [number for number, one in enumerate(self.seen) if one.picture == picture]

    def tell(self, labels: Mapping[str, tuple[Card, ...]]) -> list[str]:
        """Take in what a labels file says; remarks, one line each, on what does not fit."""
        from vision.enrolment import told_in_picture

        remarks, used = [], set()
        for picture, file in enumerate(self.files):
            key = next((key for key in (file, Path(file).name) if key in labels), None)
            if key is None:
                continue
            used.add(key)
            numbers = self.in_picture(picture)
            told, missed = told_in_picture(labels[key], [self.seen[number] for number in numbers])
            self.told |= {number: told[k] for k, number in enumerate(numbers)}
            if missed:
                names = " ".join(map(str, missed))
                remarks.append(f"{one_line(file)}: {names} can't be seen; show them again to have them learned")
        strange = [one_line(key) for key in labels if key not in used]
        return remarks + ([f"the labels also name other pictures: {', '.join(strange[:5])}"] if strange else [])

    def answer(self, number: int, card: Card | None) -> bool:
        """The card is this one (None: leave it out); False where another of its picture was already named so."""
        here = {self.told.get(k) for k in self.in_picture(self.seen[number].picture) if k != number}
        if card is not None and card in here:
            return False
        self.told[number] = card
        return True

    def learn(self) -> Learned:
        """Learn the pack from what is there. Raises ``vision.enrolment.TooFewCards``."""
        from vision.enrolment import learn

        return learn(self.name, self.seen, self.told)

    def shown(self) -> frozenset[Card]:
        """The cards that were seen so far, as they are read in general; some may be misread."""
        from vision.assembly import assign

        pictures = range(len(self.files))
        read = (assign([self.seen[k].place for k in self.in_picture(picture)], one_pack=True) for picture in pictures)
        return frozenset(reading.card for readings in read for reading in readings if reading.card.known)

    def missing(self, learned: Learned) -> list[Card]:
        """The cards of the pack that were not learned."""
        from vision.assembly import CARDS

        return [card for card in CARDS if card not in learned.learned]

    def about(self, learned: Learned) -> About:
        """What the stored pack will say of itself."""
        cards, figures = len(learned.learned), (learned.known, learned.before, learned.after)
        return About(self.name, self.recogniser.namers, cards, len(self.files), *figures)
