"""Views of a card that was found: its crops as they are, and shaken as a less lucky look would have cut and lit them.

So a card that is shown once is known again from farther away, under another lamp and with its outline a little off.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.assembly import Place
from vision.geometry import Floats, Pyramid

Crops = npt.NDArray[np.uint8]

SHAKEN: Final = 8
"""So many shaken views are made of each crop."""


def index_views(rng: np.random.Generator, pyramid: Pyramid, place: Place, shaken: int = SHAKEN) -> Crops:
    """Crops of a card's n indices, N x 96 x 48 x 3: first the n as they were found, then ``shaken`` times n more."""
    width, height = geometry.INDEX_CROP
    found = [index.found for index in place.indices]
    crops = [geometry.index_crop(pyramid, index.frame, index.point) for index in found]
    for _ in range(shaken):
        for index in found:
            aim = index.point + rng.normal(0, 0.016, 2) @ index.frame
            crop = geometry.index_crop(pyramid, _shaken_frame(rng, index.frame), np.asarray(aim, np.float32))
            crops.append(_in_other_light(rng, crop))
    return np.stack(crops) if crops else np.zeros((0, height, width, 3), np.uint8)


def card_views(rng: np.random.Generator, pyramid: Pyramid, place: Place, shaken: int = SHAKEN) -> Crops:
    """Crops of the whole card, N x 96 x 64 x 3: first as found, then shaken ones, every other one turned over."""
    tall = geometry.side_lengths(place.quad)[1]
    crops = [geometry.card_crop(pyramid, place.quad)]
    for k in range(shaken):
        moved = place.quad + rng.normal(0, 0.016 * tall, (4, 2)) + rng.normal(0, 0.016 * tall, 2)
        quad = np.asarray(np.roll(moved, 2 * (k % 2), axis=0), np.float32)
        crops.append(_in_other_light(rng, geometry.card_crop(pyramid, quad)))
    return np.stack(crops)


def _shaken_frame(rng: np.random.Generator, frame: Floats) -> Floats:
    """A card's axes, turned, stretched and leaned a little."""
    change = np.diag(np.exp(rng.normal(0, 0.06) + rng.normal(0, 0.03, 2))) + rng.normal(0, 0.04, (2, 2)) * (
        1 - np.eye(2)
    )
    return np.asarray(change @ frame, np.float32)


def _in_other_light(rng: np.random.Generator, crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A crop in lighter, darker, warmer or colder light, less sharp, from farther away, with a worse camera."""
    gain = np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.15, 3))
    light = 255 * (np.arange(256) / 255)[:, None] ** np.exp(rng.normal(0, 0.25)) * gain + rng.normal(0, 6)
    lit = cv2.LUT(crop, np.clip(light, 0, 255).astype(np.uint8)[None])
    if rng.random() < 0.5:
        lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.3, 1.5))
    if rng.random() < 0.5:
        height, width = crop.shape[:2]
        away = rng.uniform(1, 4)
        small = cv2.resize(lit, (round(width / away), round(height / away)), interpolation=cv2.INTER_AREA)
        lit = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.clip(lit + rng.normal(0, rng.uniform(0, 8), crop.shape), 0, 255).astype(np.uint8)
