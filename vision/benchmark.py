"""Measures recognition, its time and what it finds: ``python -m vision.benchmark [FOLDER...]``.

Without a folder: first the time for rendered pictures of 20 and of 52 cards, then the photographs beside the checkout.

A folder holds pictures and ``labels.jsonl``, one line a picture: ``{"file": ..., "cards": ["QH", ...]}`` or
``{"file": ..., "boxes": [{"card": "QH", ...}]}``. A card counts once a picture, as in a real pack.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from assistant.cards import PACK
from vision.image_intake import PictureError, read_picture
from vision.recogniser import Image, ModelsMissing, Recogniser
from vision.render.packs import house_pack
from vision.render.spread import rows

PHOTOGRAPHS: Final = Path("../shared/photos/val")
"""Where the photographs lie beside a checkout; they are not part of the project."""


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
    score = Score()
    for file, truth in labelled(folder):
        found = recogniser.recognise(read_picture(file), one_pack=True)
        names = Counter(str(reading.card) for reading in found.readings)
        score.count(truth, names, found.ms)
        if names != Counter(truth):
            missed, wrong = sorted(truth - names.keys()), sorted((names - Counter(truth)).elements())
            tell(f"{file.name}: missing {' '.join(missed) or '-'}; wrong or double {' '.join(wrong) or '-'}")
    return score


def time_of(recogniser: Recogniser, picture: Image, times: int = 30) -> tuple[float, float]:
    """Median and 95th percentile of ``times`` recognitions of a decoded picture, in ms, after one to warm up."""
    recogniser.recognise(picture)
    ms = sorted(recogniser.recognise(picture).ms for _ in range(times))
    return statistics.median(ms), ms[int(len(ms) * 0.95)]


def tell_times(recogniser: Recogniser) -> None:
    """Print the time for a table of 20 cards at 1280 x 720 and for a whole pack at 1920 x 1080."""
    for count, height, width, columns in ((20, 720, 1280, 7), (52, 1080, 1920, 13)):
        picture = rows(house_pack(), PACK[:count], height, width, columns)
        median, slow = time_of(recogniser, picture)
        found = len(recogniser.recognise(picture).readings)
        print(f"{width}x{height}, {count} cards: median {median:.0f} ms, p95 {slow:.0f} ms; {found} found", flush=True)


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


def main(arguments: list[str]) -> int:
    """Measure on the folders named, or on all folders of photographs beside the checkout; prints one line each."""
    from vision.onnx_recogniser import OnnxRecogniser

    errors = "--errors" in arguments
    named = [Path(name) for name in arguments if name != "--errors"]
    folders = named or sorted(path.parent for path in PHOTOGRAPHS.glob("*/labels.jsonl"))
    try:
        recogniser = OnnxRecogniser.load()
        if not named:
            tell_times(recogniser)
        if not folders:
            print(f"no photographs in {PHOTOGRAPHS}: name folders that hold pictures and labels.jsonl")
            return 0
        print(f"{'folder':24}{'photos':>8}{'cards':>8}{'recall':>9}{'precision':>11}{'exact':>8}{'ms':>8}")
        for folder in folders:
            score = measure(recogniser, folder, print if errors else lambda _: None)
            median = statistics.median(score.ms) if score.ms else 0.0
            print(
                f"{folder.name:24}{score.photos:>8}{score.cards:>8}{score.recall:>9.3f}{score.precision:>11.3f}"
                f"{score.exact / max(score.photos, 1):>8.3f}{median:>8.0f}",
                flush=True,
            )
    except (ModelsMissing, LabelsError, PictureError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
