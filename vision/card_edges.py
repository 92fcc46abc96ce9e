"""A card's outline drawn exactly: its four edges, found in the picture near where the recogniser thinks they are.

The recogniser judges an outline from a card's indices and may be 5 to 10 % off. Where a card lies free, the picture
shows its edges to a fraction of a pixel.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

_ALONG = np.linspace(-0.72, 0.72, 24)
"""Where along a side it is looked for, from corner (-1) to corner (1); the round corners are left out."""
_STEPS: Final = 24
_REACH: Final = 0.17
"""How far from where it should be an edge is looked for, as a share of the card's width."""
_TILTS = np.linspace(-12, 12, 25)
_LEAST_STEP: Final = 9.0
"""How much brighter or darker (of 255) a card's edge must be than what lies beside it."""
_SUPPORT: Final = 0.7
_BESIDE: Final = 4
_PAPER: Final = 30.0
"""How much darker than most of its paper a card may be beside its edge."""
_SMALLEST_PX: Final = 24.0


def exact_outline(grey: Grey, quad: Floats) -> Floats | None:
    """The card's four corners, 4 x 2 px, in the order of ``quad``; None where an edge isn't clearly seen.

    ``grey``: the whole picture. The corners are where the straight edges meet, beyond the round ones of the card.
    """
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < _SMALLEST_PX:
        return None
    reach = _REACH * float(lengths[[0, 2]].mean())
    middles, halves = quad + sides / 2, sides / 2
    outward = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths[:, None]
    outward *= np.sign(((middles - quad.mean(axis=0)) * outward).sum(axis=1))[:, None]
    steps = np.arange(-_STEPS - 2, _STEPS + 3) * (reach / _STEPS)
    at = (
        middles[:, None, None]
        + _ALONG[None, :, None, None] * halves[:, None, None]
        + steps[None, None, :, None] * outward[:, None, None]
    ).astype(np.float32)
    flat = at.reshape(4 * len(_ALONG), len(steps), 2)
    seen = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = seen.astype(np.float64).reshape(4, len(_ALONG), -1)
    drops = np.abs(profiles[..., 3:-1] + profiles[..., 4:] - profiles[..., :-4] - profiles[..., 1:-3]) / 2
    paper = float(np.percentile(profiles[:, :, :_STEPS], 75))
    lines = [_line(drop, side[:, 2:-2] - paper) for drop, side in zip(drops, profiles, strict=True)]
    if any(line is None for line in lines):
        return None
    ends = np.array([line for line in lines if line is not None]) * (reach / _STEPS)
    first = middles - halves + ends[:, :1] * outward
    last = middles + halves + ends[:, 1:] * outward
    return _meeting(first, last)


def _line(drops: Floats, light: Floats) -> tuple[float, float] | None:
    """How far out (steps) the edge is at the side's first and last corner.

    ``drops``: how steep the picture is, points along the side x steps from inside to outside; ``light``: how much
    brighter than paper it is there. Of several straight edges, such as the frame of a court card, the card's own edge
    and the grain of a wooden table, it is the outermost clear one with paper inside and none outside.
    """
    count = drops.shape[1]
    offsets = np.arange(count)[:, None, None] + _TILTS[None, :, None] * _ALONG[None, None, :]
    places = np.rint(offsets).astype(int)
    inside = (places >= 0) & (places < count)
    capped = np.minimum(drops, 3 * _LEAST_STEP)
    votes = np.where(inside, capped[np.arange(len(_ALONG))[None, None], np.clip(places, 0, count - 1)], 0.0)
    score = votes.mean(axis=2)
    best = score.max(axis=1)
    points = np.arange(len(_ALONG))
    for k in range(count - 1, -1, -1):
        if best[k] < _LEAST_STEP or best[k] < best[max(0, k - 2) : k + 3].max():
            continue
        near = k + _TILTS[int(np.argmax(score[k]))] * _ALONG
        inner, outer = (np.clip(np.rint(near).astype(int) + by, 0, count - 1) for by in (-_BESIDE, _BESIDE))
        if np.median(light[points, inner]) > -_PAPER and np.median(light[points, outer]) < -_LEAST_STEP:
            return _exactly(drops, near)
    return None


def _exactly(drops: Floats, near: Floats) -> tuple[float, float] | None:
    """The line through the steepest points within two steps of a line, each weighed to a part of a step."""
    count = drops.shape[1]
    window = np.rint(near).astype(int)[:, None] + np.arange(-2, 3)[None]
    held = (window >= 0) & (window < count)
    steep = np.where(held, drops[np.arange(len(near))[:, None], np.clip(window, 0, count - 1)], 0.0)
    total = steep.sum(axis=1)
    seen = steep.max(axis=1) >= _LEAST_STEP
    if seen.mean() < _SUPPORT:
        return None
    middle = (steep * window).sum(axis=1)[seen] / total[seen]
    slope, offset = np.polyfit(_ALONG[seen], middle, 1)
    off = np.abs(middle - offset - slope * _ALONG[seen])
    good = off <= max(0.5, 2 * float(np.median(off)))
    slope, offset = np.polyfit(_ALONG[seen][good], middle[good], 1)
    out = offset - _STEPS
    return float(out - slope), float(out + slope)


def _meeting(first: Floats, last: Floats) -> Floats:
    """Where each line (from ``first`` to ``last``, 4 x 2 each) meets the one before it."""
    ways = last - first
    before, way = np.roll(first, 1, axis=0), np.roll(ways, 1, axis=0)
    cross = way[:, 0] * ways[:, 1] - way[:, 1] * ways[:, 0]
    gap = first - before
    share = (gap[:, 0] * ways[:, 1] - gap[:, 1] * ways[:, 0]) / cross
    return np.asarray(before + share[:, None] * way)
