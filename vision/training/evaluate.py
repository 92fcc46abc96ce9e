"""Measures the networks on rendered scenes of packs that were held out of training.

``python -m vision.training.make_scenes --holdout --out training-data/holdout --count 400``, then
``python -m vision.training.evaluate``. A card counts where one of its indices is in view (at least 85 %); it is right
where a reading of that name lies on it. Recall is given by the height of the rank's letter, taken as 6 % of the card's.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from vision import geometry
from vision.onnx_recogniser import OnnxRecogniser
from vision.training.scene_samples import LabelledPicture, read_truth

LETTER_SHARE = 0.06
STEPS = (0, 4, 6, 8, 10, 12, 16, 24, 999)
READABLE = 8
"""Packs are compared by the cards whose letters are this high, in px."""


def measure(recogniser: OnnxRecogniser, pictures: list[LabelledPicture]) -> Counter[str]:
    """Counts over all pictures: cards, right ones, wrong readings, by step of letter height."""
    counts: Counter[str] = Counter()
    for picture in tqdm(pictures, unit="picture", mininterval=5):
        image = picture.load()
        names = [card.card for card in picture.cards]
        readings = recogniser.recognise(image, one_pack=len(names) == len(set(names))).readings
        claimed = [False] * len(readings)
        for card in picture.cards:
            near = [
                k
                for k, r in enumerate(readings)
                if geometry.overlap(r.quad, card.quad) > 0.4 or geometry.overlap(np.roll(r.quad, 2, 0), card.quad) > 0.4
            ]
            hits = [k for k in near if str(readings[k].card) == card.card]
            for k in hits:
                claimed[k] = True
            if max((share for _, share in card.indices), default=0.0) < 0.85:
                continue
            letter = geometry.side_lengths(card.quad)[1] * LETTER_SHARE
            step = next(low for low, high in pairwise(STEPS) if letter < high)
            kinds = [f"{step}", card.pack] if letter >= READABLE else [f"{step}"]
            for kind in kinds:
                counts[f"cards {kind}"] += 1
                counts[f"right {kind}"] += bool(hits)
                counts[f"missed {kind}"] += not near
        known = [r for r in readings if r.card.known]
        counts["readings"] += len(known)
        counts["wrong"] += sum(not ok for ok, r in zip(claimed, readings, strict=True) if r.card.known)
        counts["wrong and sure"] += sum(
            not ok for ok, r in zip(claimed, readings, strict=True) if r.card.known and r.confidence > 0.95
        )
    return counts


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, default=Path("training-data/holdout"))
    parser.add_argument("--models", type=Path, default=None)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--pack", action="append", help="only pictures of these packs; the whole name or its beginning")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    pictures = read_truth(options.scenes)
    if options.pack:
        wanted = tuple(options.pack)
        pictures = [p for p in pictures if p.cards and all(card.pack.startswith(wanted) for card in p.cards)]
    counts = measure(OnnxRecogniser.load(options.models, threads=1), pictures[: options.count])
    print(f"{'letter px':>10}{'cards':>8}{'recall':>8}{'unseen':>8}")
    for low, high in pairwise(STEPS):
        cards, right, missed = (counts[f"{what} {low}"] for what in ("cards", "right", "missed"))
        if cards:
            print(f"{low:>5}-{high:<4}{cards:>8}{right / cards:>8.3f}{missed / cards:>8.3f}")
    for pack in sorted({card.pack for picture in pictures for card in picture.cards}):
        cards, right, missed = (counts[f"{what} {pack}"] for what in ("cards", "right", "missed"))
        if cards:
            print(f"{pack:<34}{cards:>6}{right / cards:>8.3f}{missed / cards:>8.3f}")
    print(f"precision {1 - counts['wrong'] / max(1, counts['readings']):.4f} of {counts['readings']} readings")
    print(f"wrong with confidence over 0.95: {counts['wrong and sure']}")


if __name__ == "__main__":
    main()
