"""Light and lens: what a room and a camera do to a picture. Pictures are float32, BGR, 0..1; results are uint8."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.grounds import Floats, smooth_noise

Bytes = npt.NDArray[np.uint8]
Doubles = npt.NDArray[np.float64]


def light(rng: np.random.Generator, picture: Floats) -> Floats:
    """Lamplight over the table: gradient, cast shadows, colour of the lamp, gloss, exposure."""
    height, width = picture.shape[:2]
    field: Floats = np.ones((height, width), np.float32)
    if rng.random() < 0.8:
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        field *= np.asarray(1 + rng.uniform(0, 0.45) * (x * np.cos(angle) + y * np.sin(angle)), np.float32)
    if rng.random() < 0.35:
        corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (width, height)
        mask = np.zeros((height, width), np.float32)
        cv2.fillPoly(mask, [corners.astype(np.int32)], 1.0)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 25)), np.float32)
        field *= np.asarray(1 - rng.uniform(0.15, 0.65) * mask, np.float32)
    lamp = np.ones(3, np.float32)
    if rng.random() < 0.7:
        warmth = rng.normal(0.05, 0.14)
        lamp = np.array([1 - warmth, 1 + rng.normal(0, 0.03), 1 + warmth], np.float32)
    lit = picture * field[..., None] * lamp
    if rng.random() < 0.2:
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        spot = rng.uniform(0, 1, 2) * (width, height)
        radius = rng.uniform(0.05, 0.3) * width
        lit += (rng.uniform(0.1, 0.6) * np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / radius**2))[..., None]
    exposure = np.exp(rng.normal(-0.1, 0.3)) if rng.random() < 0.85 else rng.uniform(0.25, 0.6)
    lit = np.clip(lit * exposure, 0, 1)
    return np.asarray(lit ** np.exp(rng.normal(0, 0.15)), np.float32)


def lens(rng: np.random.Generator, picture: Floats) -> Bytes:
    """Blur, low resolution, noise, sharpening and compression; returns the picture as uint8."""
    height, width = picture.shape[:2]
    if rng.random() < 0.3:
        # A picture that was scaled down and up again: far webcams, digital zoom.
        share = rng.uniform(0.45, 0.95)
        small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        picture = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    if rng.random() < 0.45:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.5)), np.float32)
    if rng.random() < 0.12:
        picture = _motion_blur(rng, picture)
    if rng.random() < 0.6:
        grain = rng.standard_normal((height, width, 3)).astype(np.float32)
        if rng.random() < 0.5:
            grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32) * 1.6
        picture = picture + grain * rng.uniform(0.003, 0.04)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = picture + rng.uniform(0.2, 1.0) * (picture - soft)
    out = np.clip(picture * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.1:
        grey = cv2.cvtColor(out, cv2.COLOR_BGR2GRAY)[..., None]
        share = rng.uniform(0.3, 0.9)
        out = (out * (1 - share) + grey * share).astype(np.uint8)
    return out


def _motion_blur(rng: np.random.Generator, picture: Floats) -> Floats:
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    middle = (length - 1) / 2
    for step in np.linspace(-middle, middle, length * 2):
        kernel[round(middle + step * np.sin(angle)), round(middle + step * np.cos(angle))] = 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)


def worn(rng: np.random.Generator, face: Floats) -> Floats:
    """A printed face after some years: yellowed, faded, unevenly lit by its bend. ``face`` is height x width x 3."""
    paper = np.array([1 - abs(rng.normal(0, 0.07)), 1 - abs(rng.normal(0, 0.03)), 1.0], np.float32)
    face = face * paper * rng.uniform(0.8, 1.0)
    if rng.random() < 0.3:
        face = face + rng.uniform(0.0, 0.18) * (0.85 - face)
    if rng.random() < 0.5:
        height, width = face.shape[:2]
        face = face * (1 + smooth_noise(rng, height, width, 2)[..., None] * rng.uniform(0, 0.06))
    return np.clip(face, 0, 1).astype(np.float32)


def bent(rng: np.random.Generator, patch: Bytes, edge: float) -> Bytes:
    """A card that doesn't lie flat: its picture (BGRA) swings by up to 1.5 % of ``edge`` px along some direction."""
    height, width = patch.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle, wave = rng.uniform(0, np.pi), rng.uniform(0.8, 2.2) * edge
    swing = np.sin((x * np.cos(angle) + y * np.sin(angle)) * (2 * np.pi / wave) + rng.uniform(0, 2 * np.pi))
    swing *= rng.uniform(0.002, 0.015) * edge
    moved_x = np.asarray(x + swing * rng.normal(0, 0.7), np.float32)
    moved_y = np.asarray(y + swing * rng.normal(0, 0.7), np.float32)
    return np.asarray(cv2.remap(patch, moved_x, moved_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)


def edge_line(rng: np.random.Generator, picture: Floats, quad: Floats) -> None:
    """The thickness of a card: a dark or light line along its sides, in place, under the face that is put over it."""
    shift = rng.normal(0, 0.9, 2)
    value = float(rng.choice([rng.uniform(0.05, 0.35), rng.uniform(0.6, 0.9)]))
    corners = np.round((quad + shift) * 8).astype(np.int32)
    cv2.polylines(picture, [corners], True, (value, value, value), 2, cv2.LINE_AA, shift=3)


def distorted(rng: np.random.Generator, picture: Floats) -> tuple[Floats, Callable[[Doubles], Doubles]]:
    """The picture as a cheap wide lens bends it, in some scenes, and what maps its points (N x 2 px) along.

    One radial term (Brown, 1966): r' = r (1 + k r^2), r in half diagonals, k in -0.12..0.06.
    """
    height, width = picture.shape[:2]
    if rng.random() < 0.65:
        return picture, lambda points: points
    k = float(rng.uniform(-0.12, 0.06))
    centre = np.array([width / 2, height / 2])
    unit = float(np.hypot(width, height) / 2)

    def bend(points: Doubles) -> Doubles:
        off = (points - centre) / unit
        return np.asarray(centre + off * (1 + k * (off**2).sum(axis=1, keepdims=True)) * unit, np.float64)

    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    off = np.stack([x - centre[0], y - centre[1]], axis=-1) / unit
    back = off.copy()
    for _ in range(4):  # the inverse, by fixed-point steps
        back = off / (1 + k * (back**2).sum(axis=-1, keepdims=True))
    source = np.asarray(back * unit + centre, np.float32)
    bended = cv2.remap(picture, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(bended, np.float32), bend
