"""The exact outline of a card, from a rough one, on drawn pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.seen_tables import Floats, misjudged, outline
from vision.card_edges import Grey, exact_outline
from vision.render.camera import Camera
from vision.render.table_scene import Pose

HD = Camera(1280, 720)
POSES = [Pose(-180, 60, 12), Pose(40, -90, 75), Pose(220, 110, 200), Pose(0, 0, 0)]


def picture(poses: list[Pose], ground: str = "cloth", court: bool = True, camera: Camera = HD) -> Grey:
    """Cards with round corners, and the frame that court cards have, drawn four times as large and shrunk."""
    rng = np.random.default_rng(4)
    canvas = np.full((camera.height * 4, camera.width * 4), 75, np.uint8)
    if ground == "boards":
        for y in range(0, canvas.shape[0], 46):
            cv2.line(canvas, (0, y), (canvas.shape[1], y + 60), int(rng.integers(20, 130)), 9)
    if ground == "white":
        canvas[:] = 243
    for pose in poses:
        card = outline(camera, pose) * (camera.width, camera.height)
        _fill(canvas, card, 240)
        if court:
            middle = card.mean(axis=0)
            inner = np.rint((middle + 0.8 * (card - middle)) * 4).astype(np.int32)
            cv2.polylines(canvas, [inner], True, 40, 5, cv2.LINE_AA)
    small = cv2.resize(canvas, (camera.width, camera.height), interpolation=cv2.INTER_AREA).astype(np.float64)
    return np.clip(small + rng.normal(0, 2.5, small.shape), 0, 255).astype(np.uint8)


def _fill(canvas: Grey, card: Floats, grey: int) -> None:
    """A card whose corners are cut by a fifteenth of its width."""
    points = []
    for k in range(4):
        for other in ((k - 1) % 4, (k + 1) % 4):
            points.append(card[k] + 0.06 * (card[other] - card[k]))
    cv2.fillConvexPoly(canvas, np.rint(np.array(points) * 4).astype(np.int32), grey, cv2.LINE_AA)


def true(pose: Pose) -> Floats:
    return outline(HD, pose) * (HD.width, HD.height)


@pytest.mark.parametrize("ground", ["cloth", "boards"])
@pytest.mark.parametrize("court", [True, False])
def test_the_edges_of_a_free_card_are_found(ground: str, court: bool) -> None:
    grey = picture(POSES, ground, court)
    rng = np.random.default_rng(1)
    for pose in POSES:
        found = exact_outline(grey, misjudged(true(pose), 0.04, rng))
        assert found is not None
        assert np.abs(found - true(pose)).max() < 1.5


def test_a_card_that_another_covers_has_no_exact_outline() -> None:
    below, above = Pose(0, 0, 0), Pose(30, 25, 5)
    grey = picture([below, above])
    found = exact_outline(grey, true(below))
    assert found is None or np.abs(found - true(below)).max() < 1.5
    top = exact_outline(grey, true(above))
    assert top is None or np.abs(top - true(above)).max() < 1.5


def test_white_on_white_and_nothing_at_all_are_not_guessed() -> None:
    assert exact_outline(picture([POSES[0]], "white", court=False), true(POSES[0])) is None
    assert exact_outline(picture([]), true(POSES[0])) is None


def test_a_card_of_a_few_pixels_is_left_alone() -> None:
    far = Camera(320, 180, distance=2500.0)
    grey = picture([POSES[3]], camera=far)
    assert exact_outline(grey, outline(far, POSES[3]) * (320, 180)) is None
