"""How often pictures are warned of, and whether rightly: ``python -m vision.training.warning_rates FOLDER...``.

A picture whose cards are all read rightly is fair: a warning of it is most likely a false alarm. Folders are those of
``vision.training.reliability``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import islice
from pathlib import Path

import cv2

import models
from vision.onnx_recogniser import OnnxRecogniser
from vision.picture_quality import FAULTS
from vision.training.reliability import pictures


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--models", type=Path, default=models.FOLDER)
    parser.add_argument("--every", type=int, default=1, help="only each n-th picture")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    recogniser = OnnxRecogniser.load(options.models, threads=1)
    for folder in options.folders:
        counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for picture, cards in islice(pictures(folder), 0, None, options.every):
            found = recogniser.recognise(picture)
            fair = {str(reading.card) for reading in found.readings} == cards
            counts[fair].update(("pictures", *found.warnings, *(["any"] if found.warnings else [])))
        for fair, name in ((True, "read in full"), (False, "not read in full")):
            total = counts[fair]["pictures"]
            warned = ", ".join(f"{code} {counts[fair][code]}" for code in ("any", *FAULTS) if counts[fair][code])
            print(f"{folder.name}: {total} pictures {name}; warned of: {warned or 'none'}", flush=True)


if __name__ == "__main__":
    main()
