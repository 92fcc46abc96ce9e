"""Renders the training scenes: ``python -m vision.training.make_scenes --count 16000``.

Scenes are written in shards of 50: ``scenes/00007/000.jpg`` ... with ``scenes/00007/truth.jsonl``. A shard is seeded
by its number, so that a broken run is taken up where it ended and gives the same scenes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shutil
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from vision.training.layouts import KINDS
from vision.training.scenes import ArtPack, load_packs, render_scene

SHARD = 50
_packs: tuple[ArtPack, ...] = ()


def _load(art: Path, holdout: bool) -> None:
    """Load the packs once, before the workers are forked: they share the memory."""
    global _packs
    cv2.setNumThreads(1)
    _packs = load_packs(art, holdout=holdout)


def _make_shard(number: int, *, out: Path, seed: int, size: int, kind: str) -> int:
    folder = out / f"{number:05d}"
    if (folder / "truth.jsonl").exists():
        return number
    rough = out / f"{number:05d}.part"
    shutil.rmtree(rough, ignore_errors=True)
    rough.mkdir(parents=True)
    lines = []
    for k in range(SHARD):
        rng = np.random.default_rng([seed, number, k])
        picture, truth = render_scene(rng, _packs, size, kind)
        name = f"{k:03d}.jpg"
        cv2.imwrite(str(rough / name), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))])
        cards = [
            {
                "card": c.card,
                "quad": np.round(c.quad, 2).tolist(),
                "visible": round(c.visible, 3),
                "indices": [[corner, round(share, 3)] for corner, share in c.indices],
                "pack": c.pack,
            }
            for c in truth
        ]
        lines.append(json.dumps({"file": name, "cards": cards}, separators=(",", ":")))
    (rough / "truth.jsonl").write_text("\n".join(lines) + "\n")
    shutil.rmtree(folder, ignore_errors=True)
    rough.rename(folder)
    return number


def main() -> None:
    """Make the scenes that are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, default=Path("training-data/packs"))
    parser.add_argument("--out", type=Path, default=Path("training-data/scenes"))
    parser.add_argument("--count", type=int, default=16000)
    parser.add_argument("--seed", type=int, default=1665)
    parser.add_argument("--size", type=int, default=640)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--holdout", action="store_true", help="use the packs that are held out of training")
    parser.add_argument("--layout", choices=KINDS, default="any", help="deal: four fans; rows: 12 to 52 cards")
    options = parser.parse_args()
    shards = -(-options.count // SHARD)
    make = partial(_make_shard, out=options.out, seed=options.seed, size=options.size, kind=options.layout)
    _load(options.art, options.holdout)
    with multiprocessing.get_context("fork").Pool(options.workers) as pool:
        for _ in tqdm(pool.imap_unordered(make, range(shards)), total=shards, unit="shard"):
            pass


if __name__ == "__main__":
    main()
