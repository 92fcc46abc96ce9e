"""Finding oneself again: the same things lie at new places in the picture, because camera or table was moved.

A hand moves a card, or some; whoever pushes the camera, or the table, moves all of them at once and leaves their places
among each other as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.cards import Card
from vision.table_plane import (
    Points,
    TablePlane,
    cards_seen,
    fit_plane,
    fit_to_places,
    mapped,
    marks_seen,
    rigid,
)

_LEAST: Final = 3
_ALL_BUT: Final = 0.75
"""The share of the cards seen that must have moved alike."""
_RESTING: Final = 0.5
"""The share that may still lie, or seem to lie, where it lay: the middle of a picture that was turned, or brought
nearer."""
_FEW_RESTING: Final = 0.3
"""The same of fewer cards than ``_MANY``: there half of them may be a mistake of some millimetres in an early plane."""
_MANY: Final = 7
"""From so many cards on their middles alone tell of any camera's place; with fewer their outlines must help."""
_AT_PLACE_MM: Final = 16.0
_AT_REST_MM: Final = 14.0
_ALIKE_MM: Final = 24.0
_LEAST_MARKS: Final = 2
_MARK_MM: Final = 6.0
_SPREAD_MM: Final = 130.0
"""Cards must lie at least so far apart to tell a moved table from a pushed heap."""


def find_move(
    known: Mapping[Card, Points], seen: Sequence[tuple[Card, Points]], plane: TablePlane, width: float, aspect: float
) -> Points | None:
    """The homography from old to new picture points, if the cards seen say that camera or table was moved.

    ``known``: where the cards lie, outlines in mm (4 x 2). ``seen``: names and outlines in the new picture.
    ``plane``: the table as the camera stood. Each card that is seen under a known name tells of one place; the most
    that have moved by one turn and shift decide (RANSAC, Fischler and Bolles 1981).
    """
    named = [(known[card], quad) for card, quad in seen if card in known]
    if len(named) < _LEAST:
        return None
    places = np.array([place for place, _ in named])
    quads = np.array([quad for _, quad in named])
    before, shown = places.mean(axis=1), quads.mean(axis=1)
    resting = _RESTING if len(named) >= _MANY else _FEW_RESTING
    if np.mean(np.linalg.norm(plane.to_table(shown) - before, axis=1) < _AT_REST_MM) > resting:
        return None
    there, alike = _under_one_camera(shown, before) if len(named) >= _MANY else (None, None)
    if there is None or alike is None:
        fresh, _ = fit_plane(cards_seen([quad for _, quad in seen], width), plane, aspect)
        now = fresh.to_table(shown)
        alike = _alike(now, before)
        if alike.sum() < _LEAST:
            return None
        there = TablePlane(rigid(now[alike], before[alike]) @ fresh.matrix)
    if alike.mean() < _ALL_BUT or np.ptp(before[alike], axis=0).max() < _SPREAD_MM:
        return None
    goals = np.array([_turned(there.to_table(quad), place) for quad, place in zip(quads, places, strict=True)])
    found = fit_to_places(cards_seen(list(quads[alike]), width), goals[alike], aspect)
    return plane.move_to(found)


def find_move_by_marks(
    known: Mapping[int, Points], seen: Mapping[int, Points], plane: TablePlane, aspect: float
) -> Points | None:
    """The same from printed markers, of which two are enough: ``known`` and ``seen`` are their outlines in the old and
    the new picture. One that lies elsewhere among the others was moved by somebody."""
    numbers = [number for number in known if number in seen]
    if len(numbers) < _LEAST_MARKS:
        return None
    places = plane.to_table(np.array([known[number] for number in numbers]))
    if (
        np.linalg.norm(plane.to_table(np.array([seen[number] for number in numbers])) - places, axis=2) < _MARK_MM
    ).any():
        return None
    things = marks_seen({number: seen[number] for number in numbers})
    there = fit_to_places(things, places, aspect)
    if np.linalg.norm(there.to_table(things.quads) - places, axis=2).max() > _MARK_MM:
        return None
    return plane.move_to(there)


def _under_one_camera(shown: Points, places: Points) -> tuple[TablePlane | None, npt.NDArray[np.bool_] | None]:
    """The plane on which most of these picture points lie at their places (mm), and which of them do."""
    matrix, inliers = cv2.findHomography(shown, places, cv2.RANSAC, _AT_PLACE_MM)
    if matrix is None or inliers.sum() < max(_MANY, _ALL_BUT * len(shown)):
        return None, None
    return TablePlane(np.asarray(matrix, np.float64)), np.asarray(inliers.ravel() == 1)


def _alike(now: Points, before: Points) -> npt.NDArray[np.bool_]:
    """Which points have gone from ``now`` to ``before`` by one turn and shift: a mask of the largest such group."""
    best = np.zeros(len(now), np.bool_)
    for one, other in combinations(range(len(now)), 2):
        pair = [one, other]
        if abs(np.linalg.norm(now[one] - now[other]) - np.linalg.norm(before[one] - before[other])) > _ALIKE_MM:
            continue
        off = np.linalg.norm(mapped(rigid(now[pair], before[pair]), now) - before, axis=1)
        if (off < _ALIKE_MM).sum() > best.sum():
            best = off < _ALIKE_MM
    if best.sum() < 2:
        return best
    off = np.linalg.norm(mapped(rigid(now[best], before[best]), now) - before, axis=1)
    return np.asarray(off < _ALIKE_MM)


def _turned(corners: Points, like: Points) -> Points:
    """``like``, begun at the corner that fits: a card may be read from either end."""
    turns = [np.roll(like, turn, axis=0) for turn in (0, 2)]
    return min(turns, key=lambda turned: float(np.abs(turned - corners).sum()))
