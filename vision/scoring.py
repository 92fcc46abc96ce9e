"""Counts what a recogniser finds in pictures whose cards are known.

A folder of such pictures holds ``labels.jsonl``, one line a picture: ``{"file": ..., "cards": ["QH", ...]}`` or
``{"file": ..., "boxes": [{"card": "QH", ...}]}``. A card counts once a picture, as in a real pack.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.image_intake import read_picture
from vision.recogniser import Image, Recogniser


class LabelsError(ValueError):
    """A folder that can't be measured on; one line."""


@dataclass(slots=True)
class Score:
    """What was counted in one folder. ``ms`` holds the time of each picture."""

    photos: int = 0
    cards: int = 0
    right: int = 0
    named: int = 0
    exact: int = 0
    ms: list[float] = field(default_factory=list)

    def count(self, truth: frozenset[str], found: Counter[str], ms: float) -> None:
        """Add one picture."""
        self.photos += 1
        self.cards += len(truth)
        self.right += len(truth & found.keys())
        self.named += found.total()
        self.exact += found == Counter(truth)
        self.ms.append(ms)

    @property
    def recall(self) -> float:
        """The share of the cards that were found and named rightly."""
        return self.right / self.cards if self.cards else 1.0

    @property
    def precision(self) -> float:
        """The share of the named cards that are really there."""
        return self.right / self.named if self.named else 1.0


def measure(recogniser: Recogniser, folder: Path, tell: Callable[[str], None] = lambda _: None) -> Score:
    """Recognise all pictures of a folder; ``tell`` gets one line for each picture that is not right in full.

    Raises LabelsError or PictureError.
    """
    pictures = ((file.name, read_picture(file), truth) for file, truth in labelled(folder))
    return measure_pictures(recogniser, pictures, tell)


def measure_pictures(
    recogniser: Recogniser,
    pictures: Iterable[tuple[str, Image, frozenset[str]]],
    tell: Callable[[str], None] = lambda _: None,
) -> Score:
    """The same for decoded pictures, each with its name and the names of its cards."""
    score = Score()
    for name, picture, truth in pictures:
        found = recogniser.recognise(picture, one_pack=True)
        names = Counter(str(reading.card) for reading in found.readings)
        score.count(truth, names, found.ms)
        if names != Counter(truth):
            missed, wrong = sorted(truth - names.keys()), sorted((names - Counter(truth)).elements())
            tell(f"{name}: missing {' '.join(missed) or '-'}; wrong or double {' '.join(wrong) or '-'}")
    return score


def labelled(folder: Path) -> Iterator[tuple[Path, frozenset[str]]]:
    """The pictures of a folder with the cards that a person can read in them. Raises LabelsError."""
    labels = folder / "labels.jsonl"
    try:
        lines = labels.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise LabelsError(f"{labels}: can't be read ({error.strerror}); name a folder of labelled pictures") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row: dict[str, Any] = json.loads(line)
                cards = row["cards"] if "cards" in row else [box["card"] for box in row["boxes"]]
                yield folder / row["file"], frozenset(cards)
            except (ValueError, KeyError, TypeError) as error:
                raise LabelsError(f"{labels}, line {number}: is no label ({type(error).__name__}: {error})") from None
