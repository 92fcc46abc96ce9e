"""Fits the weights by which the recogniser knows how sure it is: ``python -m vision.training.fit_certainty``.

On rendered pictures of packs that were held out of training, made for this alone (other seeds than those measured on).
A reading is right if a card of that name lies there. Writes ``models/certainty.json``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

import models
from vision import assembly, geometry
from vision.assembly import CARDS
from vision.certainty import FILE, SIGNS, fit
from vision.onnx_recogniser import OnnxRecogniser
from vision.training.scene_samples import LabelledPicture, read_truth

LIES_THERE = 0.4
"""A reading is of a card where their outlines overlap by this share (intersection over union)."""


def right(picture: LabelledPicture, quad: geometry.Floats, name: str) -> bool:
    """Whether a card of that name lies at this outline."""
    return any(
        card.card == name
        and max(geometry.overlap(quad, card.quad), geometry.overlap(np.roll(quad, 2, 0), card.quad)) > LIES_THERE
        for card in picture.cards
    )


def examples(
    recogniser: OnnxRecogniser, pictures: list[LabelledPicture]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """The signs of every place that is named (N x 8), and whether it is right (N)."""
    shown, truth = [], []
    for picture in tqdm(pictures, unit="picture", mininterval=5):
        places = recogniser.places(picture.load())
        for place, (p, number) in zip(places, assembly.name_all(places, one_pack=True), strict=True):
            best = number if number >= 0 else int(p.argmax())
            shown.append(assembly.signs_of(place, p, best))
            truth.append(right(picture, place.quad, str(CARDS[best])))
    return np.array(shown, np.float64).reshape(-1, len(SIGNS)), np.array(truth, np.bool_)


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folders = [Path("training-data") / name for name in ("holdout-fit", "holdout-fit-deal", "holdout-fit-rows")]
    parser.add_argument("folders", type=Path, nargs="*", default=folders, help="folders of rendered scenes")
    parser.add_argument("--models", type=Path, default=models.FOLDER)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    pictures = [picture for folder in options.folders for picture in read_truth(folder)]
    shown, truth = examples(OnnxRecogniser.load(options.models, threads=1), pictures)
    certainty = fit(shown, truth)
    certainty.save(options.models / FILE)
    print(f"{len(truth)} readings, {truth.mean():.3f} right: {(options.models / FILE).read_text()}")


if __name__ == "__main__":
    main()
