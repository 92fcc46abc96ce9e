"""Grounds that cards lie on, and things that lie on or between the cards. All procedural, all from one generator.

Pictures are float32, BGR, 0..1 unless said otherwise.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def smooth_noise(rng: np.random.Generator, height: int, width: int, cells: float, aspect: float = 1.0) -> Floats:
    """Value noise of about ``cells`` cells, stretched by ``aspect`` along x: height x width, mean 0, std about 1."""
    rows = max(2, int(cells))
    columns = max(2, int(cells / aspect))
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def random_colour(rng: np.random.Generator, low: float = 0.05, high: float = 0.95) -> Floats:
    """A BGR colour, three floats, more often dull than gaudy."""
    value = rng.uniform(low, high)
    tint = rng.normal(0, rng.choice([0.03, 0.1, 0.25]), 3)
    return np.asarray(np.clip(value + tint, 0.0, 1.0), np.float32)


def _cloth(rng: np.random.Generator, size: int) -> Floats:
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = random_colour(rng)
    weave = rng.standard_normal((size, size)).astype(np.float32)
    weave = cv2.GaussianBlur(weave, (0, 0), rng.uniform(0.4, 1.6)) * rng.uniform(0.01, 0.09)
    folds = smooth_noise(rng, size, size, rng.uniform(2, 9)) * rng.uniform(0.0, 0.07)
    picture += (weave + folds)[..., None]
    return picture


def _wood(rng: np.random.Generator, size: int) -> Floats:
    base = np.array([0.25, 0.42, 0.6], np.float32) * rng.uniform(0.25, 1.5)
    base += rng.normal(0, 0.05, 3).astype(np.float32)
    grain = smooth_noise(rng, size, size, rng.uniform(40, 160), aspect=rng.uniform(10, 40))
    broad = smooth_noise(rng, size, size, rng.uniform(4, 14), aspect=rng.uniform(3, 10))
    picture = base + (grain * rng.uniform(0.02, 0.07) + broad * rng.uniform(0.02, 0.06))[..., None]
    if rng.random() < 0.4:
        step = int(rng.uniform(size / 9, size / 2.5))
        picture[int(rng.integers(step)) :: step] *= rng.uniform(0.4, 0.85)
    return np.ascontiguousarray(np.rot90(picture) if rng.random() < 0.5 else picture, np.float32)


def _pattern(rng: np.random.Generator, size: int) -> Floats:
    """Checks, stripes, dots: a tablecloth, a carpet, tiles."""
    period = rng.uniform(size / 40, size / 5)
    angle = rng.uniform(0, np.pi)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    u = (x * np.cos(angle) + y * np.sin(angle)) * (2 * np.pi / period)
    v = (-x * np.sin(angle) + y * np.cos(angle)) * (2 * np.pi / (period * rng.uniform(0.6, 1.6)))
    kind = rng.integers(4)
    if kind == 0:
        wave = np.sign(np.sin(u) * np.sin(v))
    elif kind == 1:
        wave = np.tanh(np.sin(u) * rng.uniform(1, 6))
    elif kind == 2:
        wave = np.where(np.sin(u) + np.sin(v) > rng.uniform(0.3, 1.4), 1.0, -1.0)
    else:
        wave = np.sin(u + 2 * np.sin(v * 0.5)) * np.cos(v)
    share = ((wave + 1) / 2).astype(np.float32)[..., None]
    return np.asarray(share * random_colour(rng) + (1 - share) * random_colour(rng), np.float32)


def _blotches(rng: np.random.Generator, size: int) -> Floats:
    picture = np.empty((size, size, 3), np.float32)
    colours = [random_colour(rng) for _ in range(3)]
    weights = [smooth_noise(rng, size, size, rng.uniform(2, 30)) * rng.uniform(0.5, 3) for _ in range(3)]
    top = np.exp(np.stack(weights) - np.max(weights, axis=0))
    top /= top.sum(axis=0)
    picture[:] = sum(w[..., None] * c for w, c in zip(top, colours, strict=True))
    return picture


def draw_clutter(rng: np.random.Generator, picture: Floats, things: int, reach: float = 0.25) -> None:
    """Draw coloured shapes, lines and print into a picture, in place: what lies about on tables and is no card."""
    size = picture.shape[0]
    for _ in range(things):
        colour = tuple(float(c) for c in random_colour(rng))
        centre = rng.uniform(0, size, 2)
        span = rng.uniform(0.02, reach) * size
        kind = rng.integers(6)
        if kind == 0:
            axes = (int(span / 2) + 1, int(span * rng.uniform(0.3, 1) / 2) + 1)
            cv2.ellipse(
                picture, tuple(int(c) for c in centre), axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA
            )
        elif kind == 1:
            box = cv2.boxPoints((tuple(centre), (span, span * rng.uniform(0.2, 1.4)), rng.uniform(0, 180)))
            cv2.fillPoly(picture, [box.astype(np.int32)], colour, cv2.LINE_AA)
        elif kind == 2:
            box = cv2.boxPoints((tuple(centre), (span, span * rng.uniform(0.3, 1.4)), rng.uniform(0, 180)))
            cv2.polylines(picture, [box.astype(np.int32)], True, colour, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind == 3:
            end = centre + rng.normal(0, span, 2)
            cv2.line(
                picture,
                tuple(int(c) for c in centre),
                tuple(int(c) for c in end),
                colour,
                int(rng.integers(1, 9)),
                cv2.LINE_AA,
            )
        elif kind == 4:
            text = "".join(rng.choice(list("abcdefghijkmnopqrstuvwxyzAEJKQ0123456789.,:-"), int(rng.integers(2, 14))))
            ink = np.zeros((size, size), np.uint8)
            font, scale, thick = int(rng.integers(0, 8)), rng.uniform(0.3, 1.6), int(rng.integers(1, 4))
            cv2.putText(ink, text, _pixel(centre), font, scale, 255, thick, cv2.LINE_AA)
            picture[ink > 127] = colour
        else:
            corners = centre + rng.normal(0, span / 2, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(picture, [corners.astype(np.int32)], colour, cv2.LINE_AA)


def ground(rng: np.random.Generator, size: int) -> Floats:
    """A square ground of ``size`` px: cloth, wood, pattern, blotches or plain, sometimes cluttered."""
    makers = [_cloth, _cloth, _wood, _wood, _pattern, _blotches]
    picture = makers[int(rng.integers(len(makers)))](rng, size)
    if rng.random() < 0.5:
        draw_clutter(rng, picture, int(rng.integers(1, 25)))
    if rng.random() < 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 3)), np.float32)
    return np.clip(picture, 0.0, 1.0)


def hand(rng: np.random.Generator, size: int, reach: float) -> tuple[Floats, Floats]:
    """A hand with sleeve that comes in from a border: its picture and its alpha (size x size), ``reach`` px long."""
    alpha = np.zeros((size, size), np.float32)
    tip = rng.uniform(0.1 * size, 0.9 * size, 2)
    angle = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    palm = tip + along * reach * 0.55
    for spread in np.linspace(-0.28, 0.28, 4) + rng.normal(0, 0.04, 4):
        end = tip + across * spread * reach + along * abs(spread) * reach * rng.uniform(0.2, 0.8)
        _stroke(alpha, palm + across * spread * reach * 0.7, end, reach * 0.15)
    axes = (int(reach * 0.32) + 1, int(reach * 0.27) + 1)
    cv2.ellipse(alpha, _pixel(palm), axes, float(np.degrees(angle)), 0, 360, 1.0, -1)
    thumb = palm + along * reach * 0.1
    _stroke(alpha, thumb, thumb - along * reach * 0.4 + across * reach * 0.4, reach * 0.16)
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = np.array([0.45, 0.6, 0.85], np.float32) * rng.uniform(0.35, 1.1)
    sleeve = np.zeros_like(alpha)
    _stroke(sleeve, palm + along * reach * 0.5, palm + along * size * 2, reach * 0.5)
    picture = picture * (1 - sleeve[..., None]) + sleeve[..., None] * random_colour(rng)
    picture += (smooth_noise(rng, size, size, 12) * 0.05)[..., None]
    return np.clip(picture, 0, 1), np.maximum(alpha, sleeve)


def _pixel(point: npt.NDArray[np.floating]) -> tuple[int, int]:
    return int(np.clip(point[0], -9999, 9999)), int(np.clip(point[1], -9999, 9999))


def _stroke(layer: Floats, start: npt.NDArray[np.floating], end: npt.NDArray[np.floating], width: float) -> None:
    cv2.line(layer, _pixel(start), _pixel(end), 1.0, max(2, int(width)))
