"""Trains the two namers: ``python -m vision.training.train_namers index`` and ``... card``.

Each writes its ONNX file (``models/index-namer.onnx``, ``models/card-namer.onnx``) and goes on from its checkpoint.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision import geometry
from vision.training import loop
from vision.training.networks import Namer
from vision.training.scene_samples import (
    Crop,
    LabelledPicture,
    card_samples,
    index_samples,
    jitter_colours,
    read_truth,
)

SHAPES = {"index": geometry.INDEX_CROP, "card": geometry.CARD_CROP}
POOL = 1500
"""Crops are drawn at random from a pool of this many, so that a batch mixes many pictures."""


class Crops(IterableDataset[tuple[Tensor, ...]]):
    """Endless crops of one kind; each source of pictures is drawn from with its own weight."""

    def __init__(self, kind: str, sources: list[tuple[float, list[LabelledPicture]]], seed: int) -> None:
        self.cut = index_samples if kind == "index" else card_samples
        self.sources = sources
        self.seed = seed

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, 0 if worker is None else worker.id])
        weights = np.array([weight for weight, _ in self.sources])
        pool: list[Crop] = []
        while True:
            while len(pool) < POOL:
                pictures = self.sources[int(rng.choice(len(weights), p=weights / weights.sum()))][1]
                labelled = pictures[int(rng.integers(len(pictures)))]
                pyramid = geometry.Pyramid(labelled.load())
                pool.extend(self.cut(rng, labelled, pyramid))
            place = int(rng.integers(len(pool)))
            pool[place], pool[-1] = pool[-1], pool[place]
            crop, rank, suit, face = pool.pop()
            picture = _spoiled(rng, jitter_colours(rng, crop))
            yield torch.from_numpy(picture), torch.tensor([rank, suit, face])


def _spoiled(rng: np.random.Generator, crop: Any) -> Any:
    """Now and then a crop is blurred, or a patch of it hidden."""
    if rng.random() < 0.2:
        crop = cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.4, 1.3))
    if rng.random() < 0.12:
        height, width = crop.shape[:2]
        x, y = rng.integers(width), rng.integers(height)
        crop[y : y + int(rng.integers(4, height // 3)), x : x + int(rng.integers(4, width // 3))] = rng.integers(256)
    return np.ascontiguousarray(crop)


def loss_of(net: nn.Module, batch: Any) -> tuple[Tensor, str]:
    """Cross-entropy of rank and suit where a face shows, and of whether one shows."""
    crops, labels = batch
    x = crops.permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        out, _ = net(x)
    out = out.float()
    face = labels[:, 2] == 1
    count = face.sum().clamp(min=1)
    rank = nn.functional.cross_entropy(out[face, :13], labels[face, 0], reduction="sum", label_smoothing=0.02) / count
    suit = nn.functional.cross_entropy(out[face, 13:17], labels[face, 1], reduction="sum", label_smoothing=0.02) / count
    shows = nn.functional.binary_cross_entropy_with_logits(out[:, 17], face.float())
    right = (out[face, :13].argmax(1) == labels[face, 0]) & (out[face, 13:17].argmax(1) == labels[face, 1])
    return rank + suit + shows, f"rank {rank.item():.3f} suit {suit.item():.3f} right {right.float().mean().item():.3f}"


def main() -> None:
    """Train, then export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(SHAPES))
    parser.add_argument("--scenes", type=Path, default=Path("training-data/scenes"))
    parser.add_argument("--photos", type=Path, default=Path("training-data/photos"), help="photographs with quads")
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=160)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--export-only", action="store_true")
    options = parser.parse_args()
    checkpoint = options.checkpoint or Path(f"training-data/{options.kind}-namer.pt")
    out = options.out or Path(f"models/{options.kind}-namer.onnx")
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    width, height = SHAPES[options.kind]
    net: nn.Module = Namer(height, width)
    if options.export_only:
        net.load_state_dict(torch.load(checkpoint)["mean"])
    else:
        sources = [(0.85, read_truth(options.scenes))]
        photos = read_truth(options.photos)
        if photos:
            sources.append((0.15, photos))
        batches = DataLoader(
            Crops(options.kind, sources, options.seed), options.batch, num_workers=1, prefetch_factor=4
        )
        plan = loop.Plan(options.steps, options.rate, checkpoint)
        net = loop.train(net, iter(batches), loss_of, plan)
    example = torch.zeros(2, 3, height, width)
    loop.export(net, example, out, inputs="crops", outputs=("logits", "features"), moving={0: "n"})


if __name__ == "__main__":
    main()
