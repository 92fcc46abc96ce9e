"""The network that the product is measured against: one stage that finds the index corners of 52 classes of cards.

It has the detector's body and as much arithmetic, learns from the same windows, and does as everybody does: each index
is an object of its card's class. It isn't part of the program; ``tests/baselines/single_stage.py`` runs it.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from assistant.cards import RANKS, SUITS
from vision import geometry
from vision.detector import COARSE
from vision.geometry import Floats
from vision.training.networks import Body
from vision.training.scene_samples import (
    HIDDEN,
    SHOWN,
    SMALLEST,
    Bytes,
    LabelledPicture,
    bell,
    box_corners,
    label_of,
    mapped,
    random_window,
    upright_from,
)
from vision.training.train_detector import focal_loss, mean_distance

CLASSES: Final = len(RANKS) * len(SUITS)
CHANNELS: Final = CLASSES + 11
"""Outputs of a cell (stride 8): 52 logits (ace of spades, of hearts ... king of clubs), the index's middle (x, y; cells
from the cell's middle), log card height / 64 px, and the card's four corners from the index in card heights (x, y;
clockwise from the top left as this index is read)."""


class SingleStage(nn.Module):
    """N x 3 x H x W (BGR, 0..1; H, W multiples of 32) to N x 63 x H/8 x W/8."""

    def __init__(self) -> None:
        super().__init__()
        self.body = Body()
        # One 3 x 3 at stride 8 costs what the detector's finer 3 x 3 costs: both networks have the same arithmetic.
        self.join = nn.Sequential(nn.Conv2d(64, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True))
        self.head = nn.Conv2d(64, CHANNELS, 1)
        bias = torch.zeros(CHANNELS)
        bias[:CLASSES] = -4.6
        self.head.bias = nn.Parameter(bias)

    def forward(self, x: Tensor) -> Tensor:
        _, eighth = self.body(x)
        return self.head(self.join(eighth))


def single_stage_sample(
    rng: np.random.Generator, labelled: LabelledPicture, size: int
) -> tuple[Bytes, Floats, Floats, Floats]:
    """A random window (size x size x 3) with what the network should answer on its cells: the heat of each class (52),
    the weight (0 where the truth isn't known), and 12 channels: the weight of the rest, then the last 11 outputs.
    """
    window, whole = random_window(rng, labelled, size)
    cells = size // COARSE
    heat = np.zeros((CLASSES, cells, cells), np.float32)
    weight = np.ones((cells, cells), np.float32)
    rest = np.zeros((1 + CHANNELS - CLASSES, cells, cells), np.float32)
    for box in labelled.unsure:
        corners = mapped(whole, box_corners(box))
        cv2.fillConvexPoly(weight, np.round(corners / COARSE).astype(np.int32), 0.0)
    for card in labelled.cards:
        quad = mapped(whole, card.quad)
        rank, suit = label_of(card.card)
        for corner, share in card.indices:
            point = geometry.index_point(quad, corner)
            if share > HIDDEN and 0 <= point[0] < size and 0 <= point[1] < size:
                upright = upright_from(quad, corner)
                _mark(heat[rank * len(SUITS) + suit], weight, rest, upright, point, share >= SHOWN)
    return window, heat, weight, rest


def _mark(heat: Floats, weight: Floats, rest: Floats, quad: Floats, point: Floats, shown: bool) -> None:
    """Write one index into the targets, ``heat`` being that of its class."""
    wide, tall = geometry.side_lengths(quad)
    column, row = int(point[0] / COARSE), int(point[1] / COARSE)
    if tall < SMALLEST or wide < SMALLEST * 0.4 or not shown:
        reach = max(1, round(tall * 0.05 / COARSE))
        weight[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1] = 0.0
        return
    bump, offsets = bell(point / COARSE, max(0.7, tall / COARSE * 0.03), heat.shape)
    near = bump > np.maximum(rest[0], 0.2)
    np.maximum(heat, bump, out=heat)
    rest[0][near] = bump[near]
    rest[1:3, near] = offsets[:, near]
    rest[3][near] = np.log(tall / 64)
    rest[4:, near] = ((quad - point) / tall).reshape(8, 1)


def loss_of(net: nn.Module, batch: Any) -> tuple[Tensor, str]:
    """The detector's losses, with a heat for each class."""
    windows, heat, weight, rest = batch
    x = windows.permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        out = net(x)
    out = out.float()
    focal = focal_loss(out[:, :CLASSES], heat, weight[:, None])
    about = rest[:, 0]
    place = mean_distance(out[:, CLASSES : CLASSES + 2], rest[:, 1:3], about)
    size = mean_distance(out[:, CLASSES + 2 : CLASSES + 3], rest[:, 3:4], about)
    corners = mean_distance(out[:, CLASSES + 3 :], rest[:, 4:], about)
    loss = focal + 0.4 * place + 0.5 * size + 6.0 * corners
    parts = {"heat": focal, "place": place, "size": size, "corners": corners}
    return loss, " ".join(f"{name} {part.item():.3f}" for name, part in parts.items())
