"""Hands: which seat's hand came in over the table, from when to when, and over which zones.

A hand is what moves, or looks other than the resting table, and is joined to the picture's border: there its arm comes
in. The seat is the one whose place at the border is nearest to where that arm comes from. What happens to the picture
as a whole (the lamp, a push at the camera) is no hand, and neither is what does not move when it appears.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.view import Point, Visit, Zone
from vision.zones import Layout

Grey = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Spots = npt.NDArray[np.float64]
"""N x 2, or one point (2): points of the small picture, x and y."""

KEPT_S: Final = 60.0
"""How long a visit is remembered after its end."""
_GONE_S: Final = 0.3
_QUIET_S: Final = 0.5
_STIFF_S: Final = 1.5
_GHOST_S: Final = 0.6
_LONGEST_REST_S: Final = 12.0
_CONTRAST: Final = 14.0
_STEADY: Final = 0.01

# Shares of the picture: of its area, of its width, of its height.
_LEAST_ARM, _LEAST_RESTING_ARM, _LEAST_OVER = 0.004, 0.016, 0.0012
_LEAST_RUN, _JOINED_RUNS, _SAME_ARM = 0.02, 0.04, 0.16
_LEAST_REACH, _LEAST_WAY, _UPPER_ARM, _FOREARM, _RIGHT_HAND = 0.06, 0.015, 0.5, 0.6, 0.06
_WHOLE: Final = 0.5
_CELLS: Final = 0.7
_CLEAR_VOTE: Final = 0.6


@dataclass(slots=True, eq=False)
class _Arm:
    """An arm that is, or may be, in the picture. ``crossing``: where it crosses the border. ``shallow`` and ``deep``:
    how far into the picture it has reached at least and at most."""

    crossing: Spots
    begin: float
    last: float
    moved: float
    motions: int = 0
    shallow: float = np.inf
    deep: float = 0.0
    votes: Counter[int] = field(default_factory=Counter)
    over: dict[Zone, None] = field(default_factory=dict)

    @property
    def sure(self) -> bool:
        """One that moved in more than two pictures, and in or out: a flicker of the light does not."""
        return self.motions >= 3 and self.deep - self.shallow >= _LEAST_WAY

    def visit(self, end: float | None) -> Visit:
        seat, votes = max(self.votes.items(), key=lambda entry: entry[1], default=(None, 0))
        clear = votes >= _CLEAR_VOTE * sum(self.votes.values())
        return Visit(seat if clear else None, self.begin, end, tuple(self.over))


@dataclass(frozen=True, slots=True)
class _Shape:
    """Something at the border: its points (columns and rows of the small picture) and where it crosses the border."""

    xs: npt.NDArray[np.int64]
    ys: npt.NDArray[np.int64]
    crossings: tuple[Spots, ...]


@dataclass(frozen=True, slots=True)
class _Region:
    """One arm as it is seen in one picture. ``reach``: how far from the border it goes, as a share of the height."""

    mask: Mask
    crossing: Spots
    shoulder: Spots
    reach: float


class HandWatch:
    """Watches for hands in the small pictures of one camera; ``look`` at each, in order.

    ``layout`` gives the zones, and by them the seats' places.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._table: Grey | None = None
        self._changed: npt.NDArray[np.float64] = np.zeros((0, 0), np.float64)
        self._arms: list[_Arm] = []
        self._past: list[Visit] = []
        self._disturbed = -1e9
        self._gain = 1.0
        self._cards: tuple[Sequence[Point], ...] = ()
        self._zones: dict[Zone, Mask] = {}
        self._places: dict[int, Spots] = {}

    def set_layout(self, layout: Layout) -> None:
        """Use other zones from now on."""
        if layout == self._layout:
            return
        self._layout = layout
        if self._table is not None:
            self._lay_out(self._table.shape)

    def begin_again(self) -> None:
        """Forget what the table looks like, and all visits: other pictures follow."""
        self._table = None
        self._arms.clear()
        self._past.clear()

    def look(self, grey: Grey, moving: Mask, t: float, cards: Iterable[Sequence[Point]] = ()) -> tuple[Visit, ...]:
        """Take in a small grey picture (0..255) of time ``t`` (seconds) and which of its points move; the visits of
        the last minute, the earliest first. ``cards``: outlines of the cards that are known to lie there (fractions of
        the picture), which are no arms even where they reach the border."""
        if self._table is None or self._table.shape != grey.shape:
            self._table = grey.copy()
            self._changed = np.full(grey.shape, t)
            self._arms.clear()
            self._lay_out(grey.shape)
        self._changed[moving] = t
        self._cards = tuple(cards)
        strange, gain = self._strange(self._table, grey)
        moving = moving & strange if abs(gain - self._gain) > _STEADY else moving
        strange |= moving
        self._gain = gain
        if strange.mean() > _WHOLE or _everywhere(moving):
            self._disturbed = t
        regions: list[_Region] = []
        if t - self._disturbed > _QUIET_S:
            regions = self._follow(list(_shapes(strange)), grey, moving, t)
        elif strange.mean() <= _WHOLE:
            for arm in self._arms:
                arm.last = t
        self._close(t)
        self._learn(grey, regions, t)
        return self.visits

    @property
    def visits(self) -> tuple[Visit, ...]:
        """The visits of the last minute, the earliest first."""
        now = [arm.visit(None) for arm in self._arms if arm.sure]
        return tuple(sorted([*self._past, *now], key=lambda visit: visit.begin))

    # --- one picture ----------------------------------------------------------------------------------------------

    @staticmethod
    def _strange(table: Grey, grey: Grey) -> tuple[Mask, float]:
        """The points that look other than the resting table, whatever the lamp does to the whole of it; and how much
        brighter the whole is."""
        known = table[::4, ::4] > 8
        ratios = grey[::4, ::4][known] / table[::4, ::4][known]
        gain = float(np.median(ratios)) if ratios.size else 1.0
        expected = cv2.blur(table, (3, 3)) * gain
        difference = cv2.absdiff(cv2.blur(grey, (3, 3)), expected)
        # White things were too bright for the camera: they do not follow the lamp.
        return np.asarray(difference > _CONTRAST + abs(gain - 1) * expected, np.bool_), gain

    def _follow(self, shapes: list[_Shape], grey: Grey, moving: Mask, t: float) -> list[_Region]:
        """Each shape holds arms that were there before, or else new ones; the regions of all arms."""
        free, regions = list(self._arms), []
        for shape in shapes:
            known: list[tuple[Spots, _Arm]] = []
            for crossing in shape.crossings:
                near = {id(arm): float(np.linalg.norm(arm.crossing - crossing)) for arm in free}
                arm = min(free, key=lambda one: near[id(one)], default=None)
                if arm is not None and near[id(arm)] <= _SAME_ARM * moving.shape[1]:
                    free.remove(arm)
                    known.append((crossing, arm))
            if not known and bool(moving[shape.ys, shape.xs].any()):
                # Where an arm is known, what reaches the border elsewhere is its hand: a second arm comes in by itself.
                fresh = [(crossing, _Arm(crossing, t, t, t)) for crossing in shape.crossings]
                self._arms += [arm for _, arm in fresh]
                known = fresh
            crossings = [crossing for crossing, _ in known]
            for (_, arm), region in zip(known, _regions(shape, crossings, moving.shape), strict=True):
                if self._still_an_arm(arm, region, grey, moving, t):
                    arm.crossing, arm.last = region.crossing, t
                    self._note(arm, region)
                    regions.append(region)
        return regions

    def _still_an_arm(self, arm: _Arm, region: _Region, grey: Grey, moving: Mask, t: float) -> bool:
        """Whether it is the arm that is seen: not a card at the border that lies otherwise now, nor the place where
        an arm lay so long that it was taken for the table."""
        assert self._table is not None
        if bool((moving & region.mask).any()):
            arm.motions += 1
            arm.moved = t
        stiff = t - arm.moved
        if stiff <= _GHOST_S:
            return True
        if _outline_strength(grey, region.mask) < _outline_strength(self._table, region.mask):
            return False
        rest = region.mask & ~self._known_cards(region.mask.shape)
        return float(rest.mean()) >= (_LEAST_ARM if stiff <= _STIFF_S else _LEAST_RESTING_ARM)

    def _known_cards(self, shape: tuple[int, ...]) -> Mask:
        mask: npt.NDArray[Any] = np.zeros(shape, np.uint8)
        for quad in self._cards:
            corners = np.array(quad)
            corners = corners.mean(axis=0) + 1.2 * (corners - corners.mean(axis=0))
            cv2.fillConvexPoly(mask, np.rint(corners * (shape[1], shape[0])).astype(np.int32), 1)
        return mask.astype(np.bool_)

    def _note(self, arm: _Arm, region: _Region) -> None:
        arm.shallow, arm.deep = min(arm.shallow, region.reach), max(arm.deep, region.reach)
        if self._places:
            seat = min(self._places, key=lambda one: float(np.linalg.norm(self._places[one] - region.shoulder)))
            arm.votes[seat] += 1
        least = _LEAST_OVER * region.mask.size
        for zone, place in self._zones.items():
            if zone not in arm.over and np.count_nonzero(place & region.mask) >= least:
                arm.over[zone] = None

    def _close(self, t: float) -> None:
        for arm in [arm for arm in self._arms if t - arm.last > _GONE_S or t - arm.moved > _LONGEST_REST_S]:
            self._arms.remove(arm)
            if arm.sure:
                self._past.append(arm.visit(arm.last if t - arm.last > _GONE_S else arm.moved))
        self._past = [visit for visit in self._past if visit.end is None or t - visit.end <= KEPT_S]

    def _learn(self, grey: Grey, regions: list[_Region], t: float) -> None:
        """What has been quiet for a while and is no arm is the table, as it lies now."""
        assert self._table is not None
        quiet = t - self._changed > _QUIET_S
        for region in regions:
            quiet &= ~_around(region.mask)
        self._table[quiet] = grey[quiet]

    def _lay_out(self, shape: tuple[int, ...]) -> None:
        height, width = shape[:2]
        self._zones = {zone: _filled(self._layout, zone, height, width) for zone in self._layout.zones()}
        middles: dict[int, list[Spots]] = {}
        for zone in self._layout.zones():
            if zone.seat is not None:
                middles.setdefault(zone.seat, []).append(np.array(self._layout.places[zone]).mean(axis=0))
        size = np.array([width, height], np.float64)
        self._places = {seat: _shoulder_of(np.mean(points, axis=0) * size, size) for seat, points in middles.items()}


def _shoulder_of(point: Spots, size: Spots) -> Spots:
    """Where the arm of the player comes from whose cards lie at a point: beyond the nearest border, a little to the
    player's right, as most people play with the right hand."""
    beyond, right = _UPPER_ARM * size[1], _RIGHT_HAND * size[1]
    ways = [
        (point[0], np.array([-beyond, point[1] + right])),
        (size[0] - point[0], np.array([size[0] + beyond, point[1] - right])),
        (point[1], np.array([point[0] - right, -beyond])),
        (size[1] - point[1], np.array([point[0] + right, size[1] + beyond])),
    ]
    return min(ways, key=lambda way: float(way[0]))[1]


def _everywhere(moving: Mask) -> bool:
    """Whether something moves in most parts of the picture at once."""
    height, width = moving.shape
    parts = moving[: height // 6 * 6, : width // 10 * 10].reshape(6, height // 6, 10, width // 10)
    return bool(parts.any(axis=(1, 3)).mean() > _CELLS)


def _shapes(strange: Mask) -> Iterator[_Shape]:
    """What is joined to the border and reaches far enough into the picture."""
    height, width = strange.shape
    closed = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    edge = _edge(height, width)
    along = labels[edge[:, 1], edge[:, 0]]
    for label in np.unique(along[along > 0]):
        if stats[label, cv2.CC_STAT_AREA] < _LEAST_ARM * strange.size:
            continue
        runs = _runs(along == label, round(_JOINED_RUNS * width))
        crossings = [edge[run].mean(axis=0) for run in runs if len(run) >= _LEAST_RUN * width]
        ys, xs = np.nonzero(labels == label)
        depths = np.minimum.reduce([xs, ys, width - 1 - xs, height - 1 - ys])
        if crossings and depths.max() >= _LEAST_REACH * height:
            yield _Shape(xs, ys, tuple(crossings))


def _regions(shape: _Shape, crossings: list[Spots], size: tuple[int, ...]) -> Iterator[_Region]:
    """The shape's parts, each with the crossing that is nearest to it."""
    points = np.column_stack([shape.xs, shape.ys]).astype(np.float64)
    if not crossings:
        return
    nearest = np.argmin([np.linalg.norm(points - crossing, axis=1) for crossing in crossings], axis=0)
    for number, crossing in enumerate(crossings):
        yield _region(points[nearest == number], crossing, size)


def _region(points: Spots, crossing: Spots, shape: tuple[int, ...]) -> _Region:
    mask = np.zeros(shape, np.bool_)
    mask[points[:, 1].astype(int), points[:, 0].astype(int)] = True
    away = np.linalg.norm(points - crossing, axis=1)
    near = points[away < _FOREARM * shape[0]]
    way = crossing - (near if len(near) else points).mean(axis=0)
    length = float(np.linalg.norm(way))
    shoulder = crossing + (_UPPER_ARM * shape[0] / length * way if length > 0 else 0.0)
    depths = np.minimum(points, np.array([shape[1] - 1, shape[0] - 1]) - points).min(axis=1)
    return _Region(mask, crossing, shoulder, float(depths.max()) / shape[0])


def _edge(height: int, width: int) -> npt.NDArray[np.int64]:
    """The points next to the border, once round: N x 2."""
    xs, ys = np.arange(1, width - 1), np.arange(1, height - 1)
    sides = [
        (xs, np.full_like(xs, 1)),
        (np.full_like(ys, width - 2), ys),
        (xs[::-1], np.full_like(xs, height - 2)),
        (np.full_like(ys, 1), ys[::-1]),
    ]
    return np.concatenate([np.column_stack(side) for side in sides])


def _runs(touched: npt.NDArray[np.bool_], gap: int) -> list[npt.NDArray[np.int64]]:
    """The stretches of a closed line that are touched, small gaps left out."""
    found = np.flatnonzero(touched)
    if not len(found):
        return []
    runs = np.split(found, np.flatnonzero(np.diff(found) > gap) + 1)
    if len(runs) > 1 and found[0] + len(touched) - found[-1] <= gap:
        runs = [np.concatenate([runs[-1], runs[0]]), *runs[1:-1]]
    return runs


def _around(mask: Mask) -> Mask:
    """An arm with all that it may hide: parts of a sleeve can look just like the table."""
    whole: npt.NDArray[Any] = np.zeros(mask.shape, np.uint8)
    points = cv2.findNonZero(mask.astype(np.uint8))
    if points is not None:
        cv2.fillConvexPoly(whole, cv2.convexHull(points), 1)
    return np.asarray(cv2.dilate(whole, np.ones((15, 15), np.uint8)), np.bool_)


def _outline_strength(grey: Grey, mask: Mask) -> float:
    """How clearly a picture changes along the outline of a region."""
    spread = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 0
    soft = cv2.blur(grey, (3, 3))
    slope = np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return float(slope[spread].mean()) if spread.any() else 0.0


def _filled(layout: Layout, zone: Zone, height: int, width: int) -> Mask:
    mask: npt.NDArray[Any] = np.zeros((height, width), np.uint8)
    outline = np.array(layout.places[zone]) * (width, height)
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 1)
    return mask.astype(np.bool_)
