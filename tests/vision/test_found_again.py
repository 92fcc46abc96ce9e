"""A camera, or a table, that was moved is told from cards that hands move, and found again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.cards import PACK, Card
from tests.vision.seen_tables import Floats, misjudged, outline, poses
from vision.found_again import find_move
from vision.render.camera import Camera
from vision.render.table_scene import Pose
from vision.table_plane import EXACT_MM, TablePlane, cards_seen, fit_plane, mapped, usual_plane

HD = Camera(1280, 720)
LYING = dict(zip(PACK, poses(14, 21), strict=False))


def plane() -> TablePlane:
    quads = [outline(HD, pose) for pose in LYING.values()]
    return fit_plane(cards_seen(quads, 63.0, EXACT_MM), usual_plane(16 / 9), 16 / 9)[0]


def known() -> dict[Card, Floats]:
    return {card: plane().to_table(outline(HD, pose)) for card, pose in LYING.items()}


def seen(camera: Camera, lying: dict[Card, Pose], off: float = 0.04, seed: int = 1) -> list[tuple[Card, Floats]]:
    """Read from either end, with the recogniser's inaccuracy."""
    rng = np.random.default_rng(seed)
    return [
        (card, np.roll(misjudged(outline(camera, pose), off, rng), int(rng.integers(2)) * 2, axis=0))
        for card, pose in lying.items()
    ]


def error(move: Floats | None, camera: Camera) -> float:
    """How far (in shares of the picture's width, in the mean) the cards are from where the move says they are."""
    assert move is not None
    before = np.array([outline(HD, pose).mean(axis=0) for pose in LYING.values()])
    now = np.array([outline(camera, pose).mean(axis=0) for pose in LYING.values()])
    return float(np.linalg.norm((mapped(move, before) - now) * [1, 9 / 16], axis=1).mean())


MOVES = {
    "pushed": replace(HD, aim=(45.0, 10.0)),
    "pushed and turned": replace(HD, aim=(-80.0, 40.0), turn=14.0),
    "turned a quarter": replace(HD, turn=90.0, distance=1600.0),
    "upside down": replace(HD, turn=180.0),
    "at another slant": replace(HD, tilt=38.0, distance=1250.0, turn=-9.0),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_moved_camera_is_found_again(name: str) -> None:
    move = find_move(known(), seen(MOVES[name], LYING), plane(), 63.0, 16 / 9)
    assert error(move, MOVES[name]) < 0.012


@pytest.mark.parametrize("count", [3, 4, 6])
def test_a_few_cards_are_enough(count: int) -> None:
    some = dict(list(LYING.items())[:count])
    move = find_move(known(), seen(MOVES["pushed and turned"], some, 0.03), plane(), 63.0, 16 / 9)
    assert move is not None
    now = np.array([outline(MOVES["pushed and turned"], pose).mean(axis=0) for pose in some.values()])
    before = np.array([outline(HD, pose).mean(axis=0) for pose in some.values()])
    assert np.abs(mapped(move, before) - now).max() < 0.02


def test_two_cards_are_not() -> None:
    some = dict(list(LYING.items())[:2])
    assert find_move(known(), seen(MOVES["pushed"], some), plane(), 63.0, 16 / 9) is None


def test_a_camera_at_rest_has_not_moved() -> None:
    assert find_move(known(), seen(HD, LYING, 0.08), plane(), 63.0, 16 / 9) is None


@pytest.mark.parametrize("count", [1, 3, 7])
def test_cards_that_a_hand_moves_are_no_camera(count: int) -> None:
    pushed = {
        card: replace(pose, x=pose.x + 120.0) if number < count else pose
        for number, (card, pose) in enumerate(LYING.items())
    }
    assert find_move(known(), seen(HD, pushed), plane(), 63.0, 16 / 9) is None


def test_cards_that_are_swept_together_are_no_camera() -> None:
    heap = {card: Pose(300.0 + number, 150.0, 10.0 * number) for number, card in enumerate(LYING)}
    assert find_move(known(), seen(HD, heap), plane(), 63.0, 16 / 9) is None


def test_cards_that_are_laid_out_anew_are_no_camera() -> None:
    anew = dict(zip(LYING, poses(14, 77), strict=True))
    assert find_move(known(), seen(HD, anew), plane(), 63.0, 16 / 9) is None


def test_a_moved_camera_is_found_though_some_cards_moved_too_and_new_ones_came() -> None:
    lying = dict(LYING)
    for card, pose in zip(list(lying)[:3], poses(3, 55), strict=True):
        lying[card] = pose
    lying.update(zip(PACK[20:24], poses(4, 56), strict=True))
    move = find_move(known(), seen(MOVES["upside down"], lying), plane(), 63.0, 16 / 9)
    assert error(move, MOVES["upside down"]) < 0.012


def test_a_few_cards_in_a_row_that_are_placed_inexactly_yet_are_no_move() -> None:
    """While a deal is laid out the plane is known but roughly, and the cards' places by some millimetres only."""
    row = {card: Pose(x, -120.0, 0.0) for card, x in zip(PACK, (-240.0, 85.0, 345.0, 325.0), strict=False)}
    errors = [(2.0, 0.0), (14.0, 20.0), (14.0, 18.0), (-4.0, -8.0)]
    lay = {
        card: plane().to_table(outline(HD, pose)) + error
        for (card, pose), error in zip(row.items(), errors, strict=True)
    }
    assert find_move(lay, seen(HD, row, 0.02), plane(), 63.0, 16 / 9) is None
