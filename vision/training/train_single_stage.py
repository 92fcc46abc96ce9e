"""Trains the network that the product is measured against: ``python -m vision.training.train_single_stage``, then
writes ``tests/baselines/single_stage.onnx``.

Goes on from ``training-data/single-stage.pt`` if it is there; begins with the body of ``--body``, a checkpoint of the
detector, if one is named. ``--export-only`` writes the ONNX file from the checkpoint.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from vision.training import loop
from vision.training.scene_samples import LabelledPicture, read_truth
from vision.training.single_stage import SingleStage, loss_of, single_stage_sample
from vision.training.train_detector import SIZE, Arrays, Sources, Windows


def arrays(rng: np.random.Generator, labelled: LabelledPicture) -> Arrays:
    """A window with its targets, as ``loss_of`` takes them."""
    return single_stage_sample(rng, labelled, SIZE)


def take_body(net: nn.Module, checkpoint: Path) -> None:
    """Begin with the averaged weights of another network's body."""
    mean = torch.load(checkpoint)["mean"]
    body = {name.removeprefix("body."): value for name, value in mean.items() if name.startswith("body.")}
    net.get_submodule("body").load_state_dict(body)


def main() -> None:
    """Train, then export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, default=Path("training-data/scenes"))
    parser.add_argument("--photos", type=Path, default=Path("training-data/photos"), help="photographs with quads")
    parser.add_argument("--body", type=Path, help="a checkpoint of the detector")
    parser.add_argument("--checkpoint", type=Path, default=Path("training-data/single-stage.pt"))
    parser.add_argument("--out", type=Path, default=Path("tests/baselines/single_stage.onnx"))
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--export-only", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    net: nn.Module = SingleStage()
    if options.export_only:
        net.load_state_dict(torch.load(options.checkpoint)["mean"])
    else:
        if options.body:
            take_body(net, options.body)
        sources: Sources = [(0.8, read_truth(options.scenes))]
        photos = read_truth(options.photos)
        if photos:
            sources.append((0.2, photos))
        windows = Windows(sources, options.seed, arrays)
        batches = DataLoader(windows, options.batch, num_workers=1, prefetch_factor=4)
        net = loop.train(net, iter(batches), loss_of, loop.Plan(options.steps, options.rate, options.checkpoint))
    moving = {0: "n", 2: "h", 3: "w"}
    loop.export(net, torch.zeros(1, 3, 320, 320), options.out, inputs="image", outputs=("cells",), moving=moving)


if __name__ == "__main__":
    main()
