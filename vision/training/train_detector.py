"""Trains the detector: ``python -m vision.training.train_detector``, then writes ``models/detector.onnx``.

Goes on from ``training-data/detector.pt`` if it is there. ``--export-only`` writes the ONNX file from the checkpoint.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision import geometry
from vision.training import loop
from vision.training.networks import Detector
from vision.training.scene_samples import SHOWN, LabelledPicture, detector_sample, read_truth

SIZE = 384
MANY = 5
"""Indices in view from which on a scene can be a fan."""


Arrays = tuple[npt.NDArray[Any], ...]
Sources = list[tuple[float, list[LabelledPicture]]]
"""Kinds of labelled pictures, each with how often it is drawn from."""


def detector_arrays(rng: np.random.Generator, labelled: LabelledPicture) -> Arrays:
    """A window with its targets, as ``loss_of`` takes them."""
    window, targets = detector_sample(rng, labelled, SIZE)
    return window, targets.heat, targets.weight, targets.indices, targets.cards


def is_fanned(labelled: LabelledPicture) -> bool:
    """Whether most indices in view have another closer than a quarter of a card: they are the hard ones to part."""
    places = [
        (geometry.index_point(card.quad, corner), geometry.side_lengths(card.quad)[1])
        for card in labelled.cards
        for corner, share in card.indices
        if share > SHOWN
    ]
    if len(places) < MANY:
        return False
    points, talls = np.stack([point for point, _ in places]), np.array([tall for _, tall in places])
    apart = np.linalg.norm(points[:, None] - points[None], axis=2) + np.diag(np.full(len(points), np.inf))
    return bool((apart.min(axis=1) < 0.25 * talls).mean() > 0.5)


class Windows(IterableDataset[tuple[Tensor, ...]]):
    """Endless random windows, each made by ``cut``."""

    def __init__(
        self,
        sources: Sources,
        seed: int,
        cut: Callable[[np.random.Generator, LabelledPicture], Arrays] = detector_arrays,
    ) -> None:
        self.sources = sources
        self.seed = seed
        self.cut = cut

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, 0 if worker is None else worker.id])
        weights = np.array([weight for weight, _ in self.sources])
        while True:
            pictures = self.sources[int(rng.choice(len(weights), p=weights / weights.sum()))][1]
            parts = self.cut(rng, pictures[int(rng.integers(len(pictures)))])
            yield tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in parts)


def loss_of(net: nn.Module, batch: Any) -> tuple[Tensor, str]:
    """Focal loss on the heat (Zhou et al., Objects as Points, 2019) and L1 losses on the geometry."""
    windows, heat, weight, indices, cards = batch
    x = windows.permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        fine, coarse = net(x)
    fine, coarse = fine.float(), coarse.float()
    focal = focal_loss(fine[:, 0], heat, weight)
    near, about = indices[:, 0], cards[:, 0]
    place = mean_distance(fine[:, 1:3], indices[:, 1:3], near)
    frame = mean_distance(fine[:, 4:], indices[:, 4:], near)
    size = mean_distance(fine[:, 3:4], indices[:, 3:4], near) + mean_distance(coarse[:, :1], cards[:, 1:2], about)
    corners = mean_distance(coarse[:, 1:], cards[:, 2:], about)
    loss = focal + 0.4 * place + 0.5 * size + 3.0 * frame + 6.0 * corners
    parts = {"heat": focal, "place": place, "size": size, "frame": frame, "corners": corners}
    return loss, " ".join(f"{name} {part.item():.3f}" for name, part in parts.items())


def focal_loss(logit: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """The focal loss of a heat map, per true peak."""
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    peak = (heat > 0.999).float() * weight
    lost = -torch.log(p) * (1 - p) ** 2 * peak
    false = -torch.log(1 - p) * p**2 * (1 - heat) ** 4 * (1 - peak) * weight
    return (lost.sum() + false.sum()) / peak.sum().clamp(min=1)


def mean_distance(answer: Tensor, truth: Tensor, mask: Tensor) -> Tensor:
    """The mean distance of each channel's answer from the truth, where there is one."""
    return ((answer - truth).abs().mean(1) * mask).sum() / mask.sum().clamp(min=1)


def main() -> None:
    """Train, then export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, default=Path("training-data/scenes"))
    parser.add_argument("--photos", type=Path, default=Path("training-data/photos"), help="photographs with quads")
    parser.add_argument("--checkpoint", type=Path, default=Path("training-data/detector.pt"))
    parser.add_argument("--start", type=Path, help="begin with the averaged weights of this checkpoint")
    parser.add_argument("--fans", type=float, default=0.0, help="share of windows from scenes with narrow fans")
    parser.add_argument("--out", type=Path, default=Path("models/detector.onnx"))
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export-only", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    net: nn.Module = Detector()
    if options.export_only:
        net.load_state_dict(torch.load(options.checkpoint)["mean"])
    else:
        if options.start:
            net.load_state_dict(torch.load(options.start)["mean"])
        scenes, photos = read_truth(options.scenes), read_truth(options.photos)
        fans = [scene for scene in scenes if is_fanned(scene)]
        sources = [(0.8 - options.fans, scenes), (options.fans, fans), (0.2, photos)]
        sources = [(share, pictures) for share, pictures in sources if share and pictures]
        batches = DataLoader(Windows(sources, options.seed), options.batch, num_workers=1, prefetch_factor=8)
        plan = loop.Plan(options.steps, options.rate, options.checkpoint)
        net = loop.train(net, iter(batches), loss_of, plan)
    example = torch.zeros(1, 3, 320, 320)
    loop.export(
        net, example, options.out, inputs="image", outputs=("indices", "cards"), moving={0: "n", 2: "h", 3: "w"}
    )


if __name__ == "__main__":
    main()
