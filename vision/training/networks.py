"""The networks: one that finds indices with their cards, two that name what was found. Plain convolutions only, so
that they run anywhere and quantise well.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

INDEX_CHANNELS = 8
"""Outputs of a fine cell (stride 4): index logit, its middle's x and y (cells from the cell's middle), log card height
/ 64 px at the index, and the card's own axes there, across (x, y) and down (x, y), in these card heights."""
CARD_CHANNELS = 9
"""Outputs of a coarse cell (stride 8): log card height / 64 px, and the card's four corners from the index in card
heights (x, y; clockwise from the top left as this index is read)."""


def _conv(inside: int, outside: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Bottleneck(nn.Module):
    """1x1 down, 3x3, 1x1 up, added to the input."""

    def __init__(self, channels: int, inner: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(channels, inner, 1),
            _conv(inner, inner),
            nn.Conv2d(inner, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )
        self.act = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.act(x + self.body(x))


class Body(nn.Module):
    """The picture's features at strides 4 (32 channels) and 8 (64 channels)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 3, 2), _conv(16, 32, 3, 2))
        self.eighth = nn.Sequential(_conv(32, 64, 3, 2), Bottleneck(64, 32), Bottleneck(64, 32))
        self.sixteenth = nn.Sequential(_conv(64, 96, 3, 2), Bottleneck(96, 48), Bottleneck(96, 48), Bottleneck(96, 48))
        self.thirtysecond = nn.Sequential(_conv(96, 160, 3, 2), Bottleneck(160, 80), Bottleneck(160, 80))
        self.down_to_sixteenth = _conv(160, 96, 1)
        self.join_sixteenth = Bottleneck(96, 48)
        self.down_to_eighth = _conv(96, 64, 1)
        self.join_eighth = nn.Sequential(Bottleneck(64, 32), _conv(64, 64))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        quarter = self.stem(x)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        deep = self.thirtysecond(sixteenth)
        up = nn.functional.interpolate(self.down_to_sixteenth(deep), scale_factor=2.0, mode="nearest")
        sixteenth = self.join_sixteenth(sixteenth + up)
        up = nn.functional.interpolate(self.down_to_eighth(sixteenth), scale_factor=2.0, mode="nearest")
        return quarter, self.join_eighth(eighth + up)


class Detector(nn.Module):
    """Finds index corners: N x 3 x H x W (BGR, 0..1; H, W multiples of 32) to fine cells N x 8 x H/4 x W/4, where
    the indices are, and coarse cells N x 9 x H/8 x W/8, the outlines of their cards.

    The indices of a narrow fan stand a few pixels apart: only fine cells keep them apart and give their place.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = Body()
        self.card_head = nn.Conv2d(64, CARD_CHANNELS, 1)
        self.down_to_quarter = _conv(64, 32, 1)
        self.join_quarter = _conv(32, 32)
        self.index_head = nn.Conv2d(32, INDEX_CHANNELS, 1)
        bias = torch.zeros(INDEX_CHANNELS)
        bias[0] = -4.6
        self.index_head.bias = nn.Parameter(bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        quarter, eighth = self.body(x)
        up = nn.functional.interpolate(self.down_to_quarter(eighth), scale_factor=2.0, mode="nearest")
        return self.index_head(self.join_quarter(quarter + up)), self.card_head(eighth)


NAMER_FEATURES = 160


class Namer(nn.Module):
    """Names a straightened crop: N x 3 x H x W (BGR, 0..1) to N x 18 logits: 13 ranks, 4 suits, "is a card's face",
    and the N x 160 features that they follow from, by which a pack can be told from another.

    Ranks and suits are named apart: what a seven looks like does not depend on its suit.
    """

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 20, 3, 2), _conv(20, 32), _conv(32, 56, 3, 2), Bottleneck(56, 40), _conv(56, 96, 3, 2),
            Bottleneck(96, 64), Bottleneck(96, 64), _conv(96, 128, 3, 2),
        )  # fmt: skip
        self.features = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(128 * -(-height // 16) * -(-width // 16), NAMER_FEATURES),
            nn.ReLU(inplace=True),
        )
        self.names = nn.Sequential(nn.Dropout(0.2), nn.Linear(NAMER_FEATURES, 18))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        features = self.features(self.body(x))
        return self.names(features), features
