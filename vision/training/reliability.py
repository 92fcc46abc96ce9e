"""Shows whether confidences mean what they say: ``python -m vision.training.reliability FOLDER...``.

A folder holds labelled photographs (``labels.jsonl``) or, in folders below it, rendered scenes (``truth.jsonl``). A
reading is right if a card of that name is in the picture, once. Prints the bins of each folder, and draws those of all
photographs and of all scenes (``--out``, SVG).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import cv2

import models
from vision.calibration import Bin, Said, above, expected_error, reliability
from vision.image_intake import read_picture
from vision.onnx_recogniser import OnnxRecogniser
from vision.recogniser import Image, Reading
from vision.scoring import labelled
from vision.training.scene_samples import read_truth

CERTAIN = 0.99
LEAST_VISIBLE = 0.02
TICKS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
SIZE, MARGIN = 420, 56
COLOURS = {"photographs": "#c1440e", "rendered scenes": "#1b6ca8"}


def kind_of(folder: Path) -> str:
    """``rendered scenes`` or ``photographs``."""
    rendered = not (folder / "labels.jsonl").is_file() and any(folder.glob("**/truth.jsonl"))
    return "rendered scenes" if rendered else "photographs"


def pictures(folder: Path) -> Iterator[tuple[Image, frozenset[str]]]:
    """The pictures of a folder with the names of their cards. Raises LabelsError or PictureError."""
    if kind_of(folder) == "photographs":
        for file, cards in labelled(folder):
            yield read_picture(file), cards
    else:
        for scene in read_truth(folder):
            yield scene.load(), frozenset(card.card for card in scene.cards if card.visible >= LEAST_VISIBLE)


def said_of(readings: Sequence[Reading], cards: frozenset[str]) -> list[Said]:
    """The confidence of each card that is named in full, and whether it is there; a second one of a name is wrong."""
    left = set(cards)
    said = []
    for reading in sorted(readings, key=lambda reading: -reading.confidence):
        if reading.card.known:
            name = str(reading.card)
            said.append((float(reading.confidence), name in left))
            left.discard(name)
    return said


def told(name: str, said: Sequence[Said]) -> str:
    """The bins of a folder as lines of text."""
    bins = reliability(said)
    lines = [f"{name}: {len(said)} cards named, expected calibration error {expected_error(bins):.4f}"]
    for part in bins:
        low, high = part.interval
        share = f"{part.share:.4f} right ({low:.3f} to {high:.3f})"
        lines.append(f"  {part.low:.3f} to {part.high:.3f}: {part.count:5} at {part.said:.4f} in the mean, {share}")
    sure = above(said, CERTAIN)
    if sure is not None:
        lines.append(f"  at {CERTAIN} or more: {sure.count - sure.right} of {sure.count} wrong")
    return "\n".join(lines)


def drawn(parts: Mapping[str, Sequence[Bin]]) -> str:
    """Bins by kind of picture as one SVG: what was said across, what was so upwards, both by their odds."""
    side = SIZE + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side + 20 * len(parts)}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{side}" height="{side + 20 * len(parts)}" fill="white"/>',
    ]
    for tick in TICKS:
        at = _along(tick)
        lines += [
            f'<path d="M{MARGIN} {side - at:.1f}H{MARGIN + SIZE}M{at:.1f} {MARGIN}V{MARGIN + SIZE}" stroke="#ddd"/>',
            f'<text x="{at:.1f}" y="{MARGIN + SIZE + 16}" text-anchor="middle">{tick:g}</text>',
            f'<text x="{MARGIN - 6}" y="{side - at + 4:.1f}" text-anchor="end">{tick:g}</text>',
        ]
    low, high = _along(0.5), _along(0.999)
    lines += [
        f'<path d="M{low} {side - low}L{high} {side - high}" stroke="#888" stroke-dasharray="5 4"/>',
        f'<text x="{side / 2}" y="{MARGIN + SIZE + 36}" text-anchor="middle">confidence</text>',
        f'<text transform="translate(14 {side / 2}) rotate(-90)" text-anchor="middle">share that is right</text>',
    ]
    for number, (name, bins) in enumerate(parts.items()):
        colour = COLOURS[name]
        for part in bins:
            lines.append(_mark(part, colour, side))
        y = side + 20 * number
        lines.append(f'<circle cx="{MARGIN + 6}" cy="{y - 4}" r="5" fill="{colour}"/>')
        lines.append(f'<text x="{MARGIN + 18}" y="{y}">{name}, {sum(part.count for part in bins)} cards</text>')
    return "\n".join([*lines, "</svg>", ""])


def _mark(part: Bin, colour: str, side: float) -> str:
    """A dot for a bin, the larger the more it holds, and a line for its interval."""
    x = _along(part.said)
    low, high = (side - _along(bound) for bound in part.interval)
    radius = 2 + 2 * math.log10(part.count)
    line = f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{colour}" opacity="0.5"/>'
    return f'{line}<circle cx="{x:.1f}" cy="{side - _along(part.share):.1f}" r="{radius:.1f}" fill="{colour}"/>'


def _along(share: float) -> float:
    """Where a share stands on an axis, px: by its log-odds, from 0.5 to 0.999."""
    kept = min(max(share, 0.5), 0.999)
    return MARGIN + SIZE * math.log(kept / (1 - kept)) / math.log(999)


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--models", type=Path, default=models.FOLDER)
    parser.add_argument("--every", type=int, default=1, help="only each n-th picture")
    parser.add_argument("--out", type=Path, help="the SVG to write")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    recogniser = OnnxRecogniser.load(options.models, threads=1)
    all_said: dict[str, list[Said]] = {}
    for folder in options.folders:
        said: list[Said] = []
        for picture, cards in islice(pictures(folder), 0, None, options.every):
            said += said_of(recogniser.recognise(picture).readings, cards)
        print(told(folder.name, said), flush=True)
        all_said.setdefault(kind_of(folder), []).extend(said)
    if options.out:
        bins = {kind: reliability(said) for kind, said in all_said.items()}
        options.out.write_text(drawn(bins), encoding="utf-8")


if __name__ == "__main__":
    main()
