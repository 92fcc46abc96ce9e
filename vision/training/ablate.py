"""What each part of the recogniser is worth: ``python -m vision.training.ablate [FOLDER...]``.

Takes parts away, one at a time, and measures on the rendered scenes of held-out packs and on the folders of labelled
photographs that are named. Prints a Markdown table of recall and precision for ``models/EXPERIMENTS.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2

import models
from vision.detector import FoundIndex
from vision.onnx_recogniser import OnnxRecogniser, Weighing
from vision.recogniser import Image, Recognition
from vision.scoring import measure
from vision.training.evaluate import READABLE, STEPS
from vision.training.evaluate import measure as measure_scenes
from vision.training.scene_samples import read_truth


class _OneLook(OnnxRecogniser):
    """Looks once, at the whole picture scaled to ``long_side`` px."""

    long_side = 1152

    def find(self, image: Image) -> list[FoundIndex]:
        return self._detector.detect(image, (min(self.long_side, 2 * max(image.shape[:2])),))


class _CoarseLook(_OneLook):
    long_side = 416


class _EachAlone(OnnxRecogniser):
    """Names each card by itself: a card may be named twice."""

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        return super().recognise(image, one_pack=False)


def variants(folder: Path) -> Iterator[tuple[str, OnnxRecogniser]]:
    """Each way to leave something out, with its name."""
    yield "as it ships", OnnxRecogniser.load(folder, threads=1)
    whole = OnnxRecogniser.load(folder, threads=1)
    for name, weighing in (
        ("named by indices alone", Weighing(1.0, 0.0)),
        ("named by whole cards alone", Weighing(0.0, 1.0)),
    ):
        yield name, whole.weighed(weighing)
    yield "one look, 1152 px", _OneLook.load(folder, threads=1)
    yield "one look, 416 px", _CoarseLook.load(folder, threads=1)
    yield "each card named by itself", _EachAlone.load(folder, threads=1)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    scenes = [Path("training-data") / name for name in ("holdout", "holdout-deal", "holdout-rows")]
    parser.add_argument("folders", type=Path, nargs="*", help="folders of labelled photographs")
    parser.add_argument("--scenes", type=Path, nargs="*", default=scenes)
    parser.add_argument("--models", type=Path, default=models.FOLDER)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    heads = [*(folder.name for folder in options.scenes), *(folder.name for folder in options.folders)]
    print("| variant | " + " | ".join(heads) + " |\n|---" * 1 + "|---" * len(heads) + "|")
    for name, recogniser in variants(options.models):
        cells = []
        for folder in options.scenes:
            counts = measure_scenes(recogniser, read_truth(folder)[: options.count])
            steps = [step for step in STEPS if step >= READABLE]
            cards = sum(counts[f"cards {step}"] for step in steps)
            right = sum(counts[f"right {step}"] for step in steps)
            cells.append(f"{right / max(cards, 1):.3f} / {1 - counts['wrong'] / max(counts['readings'], 1):.3f}")
        for folder in options.folders:
            score = measure(recogniser, folder)
            cells.append(f"{score.recall:.3f} / {score.precision:.3f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
