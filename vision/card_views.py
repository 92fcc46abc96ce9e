"""Views of a card that was found: as it was seen, and as a less lucky look would have seen it.

So a card that is shown once is known again from farther away, under another lamp, half covered and with its outline a
little off. Strange views show no card well: what is read in them must not change by learning how a pack looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.assembly import Place
from vision.geometry import Pyramid

Crop = npt.NDArray[np.uint8]
Crops = npt.NDArray[np.uint8]

SHAKEN: Final = 8
"""So many shaken views are made of each crop."""
_COVERED: Final = 0.6
_STRANGE_INDICES, _STRANGE_CARDS = 2, 4


@dataclass(frozen=True, slots=True)
class Views:
    """Crops of one card's n indices (N x 96 x 48 x 3; the first n as they were found), of its face (M x 96 x 64 x 3;
    the first as found), and strange ones of both."""

    index: Crops
    card: Crops
    strange_index: Crops
    strange_card: Crops


def views_of(rng: np.random.Generator, pyramid: Pyramid, places: Sequence[Place], shaken: int = SHAKEN) -> list[Views]:
    """The views of all cards in a picture; ``shaken`` of each crop, and no strange ones either if that is 0."""
    indices = [[geometry.index_crop(pyramid, one.found.frame, one.found.point) for one in p.indices] for p in places]
    cards = [geometry.card_crop(pyramid, place.quad) for place in places]
    all_indices = [crop for crops in indices for crop in crops]
    made = []
    for place, own, card in zip(places, indices, cards, strict=True):
        index_views, card_views = list(own), [card]
        strange_indices: list[Crop] = []
        strange_cards: list[Crop] = []
        for k in range(shaken):
            index_views += _shaken_indices(rng, pyramid, place)
            card_views.append(_shaken_card(rng, pyramid, place, turned=bool(k % 2), others=cards))
        if shaken:
            strange_indices = [
                _strange_index(rng, pyramid, place, k, all_indices)
                for k in range(len(own))
                for _ in range(_STRANGE_INDICES)
            ]
            strange_cards = [_strange_card(rng, pyramid, place, cards) for _ in range(_STRANGE_CARDS)]
        made.append(
            Views(
                _stacked(index_views, geometry.INDEX_CROP),
                _stacked(card_views, geometry.CARD_CROP),
                _stacked(strange_indices, geometry.INDEX_CROP),
                _stacked(strange_cards, geometry.CARD_CROP),
            )
        )
    return made


def _stacked(crops: Sequence[Crop], size: tuple[int, int]) -> Crops:
    return np.stack(crops) if crops else np.zeros((0, size[1], size[0], 3), np.uint8)


def _shaken_indices(rng: np.random.Generator, pyramid: Pyramid, place: Place) -> list[Crop]:
    crops = []
    for found in (index.found for index in place.indices):
        lean = np.array([[0, rng.normal(0, 0.04)], [rng.normal(0, 0.04), 0]])
        change = np.diag(np.exp(rng.normal(0, 0.06) + rng.normal(0, 0.03, 2))) + lean
        aim = found.point + rng.normal(0, 0.016, 2) @ found.frame
        crop = geometry.index_crop(pyramid, np.asarray(change @ found.frame, np.float32), np.asarray(aim, np.float32))
        crops.append(_in_other_light(rng, crop))
    return crops


def _shaken_card(
    rng: np.random.Generator, pyramid: Pyramid, place: Place, *, turned: bool, others: Sequence[Crop]
) -> Crop:
    """The card with its outline a little off, also read from its other end, often partly covered by another one."""
    tall = geometry.side_lengths(place.quad)[1]
    moved = place.quad + rng.normal(0, 0.016 * tall, (4, 2)) + rng.normal(0, 0.016 * tall, 2)
    crop = geometry.card_crop(pyramid, np.asarray(np.roll(moved, 2 * turned, axis=0), np.float32))
    if rng.random() < _COVERED:
        crop = _covered(rng, crop, others, least=0.15)
    return _in_other_light(rng, crop)


def _strange_index(
    rng: np.random.Generator, pyramid: Pyramid, place: Place, number: int, others: Sequence[Crop]
) -> Crop:
    """An index that is nearly covered, missed by far, or seen lying or on its head."""
    found = place.indices[number].found
    frame, point, chance = found.frame, found.point, rng.random()
    if chance < 0.3:
        point = np.asarray(point + rng.uniform(-0.35, 0.35, 2) @ frame, np.float32)
    elif chance < 0.5:
        across, down = frame
        frame = np.stack([(down, -across), (-across, -down), (-down, across)][int(rng.integers(3))])
    crop = geometry.index_crop(pyramid, frame, point)
    if chance >= 0.5:
        crop = _covered(rng, crop, others, least=0.05)
    return _in_other_light(rng, crop)


def _strange_card(rng: np.random.Generator, pyramid: Pyramid, place: Place, others: Sequence[Crop]) -> Crop:
    """A card that is nearly covered, or missed by far."""
    if rng.random() < 0.6:
        return _in_other_light(rng, _covered(rng, geometry.card_crop(pyramid, place.quad), others, least=0.03))
    off = rng.normal(0, 0.3, 2) * geometry.side_lengths(place.quad)[1]
    return _in_other_light(rng, geometry.card_crop(pyramid, np.asarray(place.quad + off, np.float32)))


def _covered(rng: np.random.Generator, crop: Crop, others: Sequence[Crop], least: float) -> Crop:
    """A crop over which another lies, from the right or from below, so that at ``least`` this share stays in view."""
    height, width = crop.shape[:2]
    if rng.random() < 0.3:
        shift = rng.normal(0, 0.05) * width, rng.uniform(max(least, 0.3), 1) * height
    else:
        shift = rng.uniform(least, 1) * width, rng.normal(0, 0.08) * height
    turn = rng.normal(0, 0.17)
    matrix = np.array([[np.cos(turn), -np.sin(turn), shift[0]], [np.sin(turn), np.cos(turn), shift[1]]], np.float32)
    other = others[int(rng.integers(len(others)))]
    over = cv2.warpAffine(other, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(np.ones((3 * height, 3 * width), np.uint8), matrix, (width, height))
    edge = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    laid = np.where(mask[..., None] > 0, over, crop)
    laid[edge] = (laid[edge] * rng.uniform(0.4, 1)).astype(np.uint8)
    return np.asarray(laid, np.uint8)


def _in_other_light(rng: np.random.Generator, crop: Crop) -> Crop:
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
