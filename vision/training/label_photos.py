"""Turns photographs that are labelled with boxes into training truth with quads.

``python -m vision.training.label_photos FOLDER...`` reads each folder's ``labels.jsonl`` (axis-aligned boxes of whole
cards), lets the present detector outline the cards, and keeps an outline where it fits a labelled box. What doesn't
fit any box is marked unsure and left out of the training. The photographs stay where they are.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from vision import geometry
from vision.assembly import joint
from vision.detector import FoundIndex
from vision.geometry import Floats, Pyramid
from vision.onnx_recogniser import OnnxRecogniser
from vision.training.scene_samples import label_of

_FITS = 0.62
_CONTRADICTS = 0.004


def _bounds(quad: Floats, width: int, height: int) -> tuple[float, float, float, float]:
    x0, y0 = quad.min(axis=0)
    x1, y1 = quad.max(axis=0)
    return max(0.0, float(x0)), max(0.0, float(y0)), min(float(width), float(x1)), min(float(height), float(y1))


def _iou(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    wide = min(a[2], b[2]) - max(a[0], b[0])
    tall = min(a[3], b[3]) - max(a[1], b[1])
    if wide <= 0 or tall <= 0:
        return 0.0
    common = wide * tall
    return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common)


def label(recogniser: OnnxRecogniser, path: Path, row: dict[str, Any]) -> dict[str, Any] | None:
    """The truth of one photograph, or None where nothing fits."""
    image = np.asarray(cv2.imread(str(path)), np.uint8)
    height, width = image.shape[:2]
    found = recogniser.find(image)
    pyramid = Pyramid(image)
    cards, unsure = [], []
    used: set[int] = set()
    for box in row["boxes"]:
        bounds = tuple(float(v) for v in box["box"])
        fits = [
            k
            for k, index in enumerate(found)
            if k not in used and _iou(_bounds(index.quad, width, height), bounds) > _FITS
        ]
        fits = [k for k in fits if not _contradicts(recogniser, pyramid, found[k], box["card"])]
        if not fits:
            unsure.append(bounds)
            continue
        used.update(fits)
        cards.append(_card(box["card"], [found[k] for k in fits]))
    for k, index in enumerate(found):
        bounds = _bounds(index.quad, width, height)
        if k in used or index.score <= 0.4 or _surely_no_card(bounds, row, width, height):
            continue
        if not _inside_a_card(index.point, cards, row):
            unsure.append(bounds)
    if not cards:
        return None
    return {"file": str(path.resolve()), "cards": cards, "unsure": [[round(v, 1) for v in b] for b in unsure]}


def _surely_no_card(bounds: tuple[float, ...], row: dict[str, Any], width: int, height: int) -> bool:
    """Every card that isn't cut off by the border is labelled, so what lies clear of all boxes and borders is none."""
    inside = bounds[0] > 2 and bounds[1] > 2 and bounds[2] < width - 2 and bounds[3] < height - 2
    return inside and not any(_iou(bounds, tuple(float(v) for v in box["box"])) > 0 for box in row["boxes"])


def _inside_a_card(point: Floats, cards: list[dict[str, Any]], row: dict[str, Any]) -> bool:
    """Whether a place lies within one outlined card alone, away from its corners: what seems an index there is none."""
    x, y = float(point[0]), float(point[1])
    boxes = [box["box"] for box in row["boxes"]]
    if sum(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes) != 1:
        return False
    for card in cards:
        quad = np.array(card["quad"], np.float32)
        if cv2.pointPolygonTest(quad, (x, y), False) > 0:
            away = min(float(np.linalg.norm(geometry.index_point(quad, corner) - point)) for corner in range(4))
            return away > 0.14 * geometry.side_lengths(quad)[1]
    return False


def _contradicts(recogniser: OnnxRecogniser, pyramid: Pyramid, index: FoundIndex, card: str) -> bool:
    """Whether the index surely shows another card: two cards' boxes can look alike."""
    names = recogniser.index_namer.name(geometry.index_crop(pyramid, index.frame, index.point)[None])
    rank, suit = label_of(card)
    return float(np.exp(joint(names.ranks, names.suits)[0, rank * 4 + suit])) < _CONTRADICTS


def _card(card: str, fits: list[FoundIndex]) -> dict[str, Any]:
    way = geometry.directions(np.stack([f.quad for f in fits]))
    turned = [np.roll(f.quad, 2, axis=0) if float(way[k] @ way[0]) < 0 else f.quad for k, f in enumerate(fits)]
    quad = np.asarray(np.mean(turned, axis=0), np.float32)
    # Whether the pack has indices in two corners or in four isn't known: the corners not found stay undecided.
    shares = dict.fromkeys(range(4), 0.5)
    for index in fits:
        near = min(range(4), key=lambda c: float(np.linalg.norm(geometry.index_point(quad, c) - index.point)))
        shares[near] = 1.0
    return {
        "card": card,
        "quad": np.round(quad, 2).tolist(),
        "visible": 1.0 if len(fits) > 1 else 0.6,
        "indices": sorted([corner, share] for corner, share in shares.items()),
    }


def main() -> None:
    """Label every folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path("training-data/photos"))
    parser.add_argument("--models", type=Path, default=None)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    recogniser = OnnxRecogniser.load(options.models, threads=1)
    for folder in options.folders:
        rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
        lines, kept, total = [], 0, 0
        for row in tqdm(rows, desc=folder.name, unit="photo"):
            truth = label(recogniser, folder / row["file"], row)
            total += len(row["boxes"])
            if truth is not None:
                kept += len(truth["cards"])
                lines.append(json.dumps(truth, separators=(",", ":")))
        place = options.out / folder.name
        place.mkdir(parents=True, exist_ok=True)
        (place / "truth.jsonl").write_text("\n".join(lines) + "\n")
        print(f"{folder.name}: {len(lines)} of {len(rows)} photographs, {kept} of {total} cards outlined")


if __name__ == "__main__":
    main()
