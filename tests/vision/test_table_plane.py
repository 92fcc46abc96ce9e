"""The table's plane, learnt from outlines of cards as cameras see them, against what is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.seen_tables import misjudged, outline, plane_error, poses
from vision.render.camera import Camera
from vision.table_plane import (
    EXACT_MM,
    PlaneLearner,
    cards_seen,
    fit_plane,
    fit_to_places,
    mapped,
    usual_plane,
)

HD = Camera(1280, 720)
CAMERAS = {
    "from above": replace(HD, tilt=0.0),
    "at a slant": HD,
    "at a steep slant": replace(HD, tilt=42.0, distance=1300.0),
    "turned": replace(HD, turn=33.0),
    "upside down": replace(HD, turn=180.0),
    "with a long lens": replace(HD, focal=1.9, distance=1800.0),
    "portrait": Camera(720, 1280, focal=2.2, distance=1500.0),
}


@pytest.mark.parametrize("name", CAMERAS)
def test_true_outlines_give_the_true_plane(name: str) -> None:
    camera = CAMERAS[name]
    aspect = camera.width / camera.height
    quads = [outline(camera, pose) for pose in poses(10, 1, 250, 170)]
    plane, _ = fit_plane(cards_seen(quads, 63.0), usual_plane(aspect), aspect)
    mean, most = plane_error(plane, camera)
    assert mean < 0.5
    assert most < 2.5


def test_many_misjudged_outlines_together_are_better_than_a_few() -> None:
    rng = np.random.default_rng(2)
    errors = []
    for count in (2, 12, 60):
        quads = [misjudged(outline(HD, pose), 0.07, rng) for pose in poses(count, 3)]
        plane, _ = fit_plane(cards_seen(quads, 63.0), usual_plane(16 / 9), 16 / 9)
        errors.append(plane_error(plane, HD)[0])
    assert errors[2] < errors[1] < errors[0] < 60
    assert errors[1] < 15
    assert errors[2] < 6


def test_some_wild_outlines_do_not_matter() -> None:
    quads = [outline(HD, pose) for pose in poses(12, 4)]
    for number in (2, 7, 9):
        quads[number] = quads[number].mean(axis=0) + 1.5 * (quads[number] - quads[number].mean(axis=0))
    plane, _ = fit_plane(cards_seen(quads, 63.0, EXACT_MM), usual_plane(16 / 9), 16 / 9)
    assert plane_error(plane, HD)[0] < 3.0


@pytest.mark.parametrize("width", [63.0, 57.0])
def test_the_size_of_the_cards_is_told_from_many_of_them(width: float) -> None:
    rng = np.random.default_rng(5)
    learner = PlaneLearner(16 / 9)
    for pose in poses(12, 6):
        learner.rest(misjudged(outline(HD, pose, width), 0.01, rng), EXACT_MM)
        learner.refine()
    assert learner.width == width
    assert plane_error(learner.plane, HD)[0] < 4.0


def test_one_card_says_how_near_the_camera_is() -> None:
    near = replace(HD, tilt=0.0, distance=600.0)
    learner = PlaneLearner(16 / 9)
    assert learner.glimpse([outline(near, poses(1, 1, 60, 60)[0])])
    across = np.ptp(learner.plane.to_table(np.array([[0.0, 0.5], [1.0, 0.5]]))[:, 0])
    assert across == pytest.approx(600 / 1.1, rel=0.02)


def test_places_stay_as_the_plane_is_known_better() -> None:
    rng = np.random.default_rng(7)
    learner = PlaneLearner(16 / 9)
    quads = [misjudged(outline(HD, pose), 0.05, rng) for pose in poses(20, 8)]
    learner.glimpse(quads[:6])
    before = learner.plane.to_table(np.array(quads).mean(axis=1))
    for quad in quads:
        learner.rest(quad)
        learner.refine()
    after = learner.plane.to_table(np.array(quads).mean(axis=1))
    assert learner.learnt >= 15
    assert np.linalg.norm(after - before, axis=1).mean() < 12.0


def test_places_stay_where_the_camera_is_moved() -> None:
    elsewhere = replace(HD, aim=(80.0, -30.0), turn=25.0, tilt=30.0)
    lying = poses(14, 9)
    learner = PlaneLearner(16 / 9)
    for pose in lying:
        learner.rest(outline(HD, pose), EXACT_MM)
    assert learner.refine()
    places = learner.plane.to_table(np.array([outline(HD, pose) for pose in lying]))
    pixels = np.diag([1 / 1280, 1 / 720, 1.0])
    move = pixels @ elsewhere.plane() @ np.linalg.inv(pixels @ HD.plane())
    learner.carry(move)
    now = learner.plane.to_table(np.array([outline(elsewhere, pose) for pose in lying]))
    assert np.allclose(now, places, atol=0.1)
    assert plane_error(learner.plane, elsewhere)[0] < 0.5


def test_a_camera_finds_itself_by_known_places() -> None:
    elsewhere = replace(HD, aim=(-60.0, 20.0), turn=170.0, distance=1250.0)
    lying = poses(6, 10)
    plane = usual_plane(16 / 9)
    places = plane.to_table(np.array([outline(HD, pose) for pose in lying]))
    true = np.array([pose.outline()[:, :2] for pose in lying])
    there = fit_to_places(cards_seen([outline(elsewhere, pose) for pose in lying], 63.0, EXACT_MM), true, 16 / 9)
    assert plane_error(there, elsewhere)[0] < 1.0
    spot = np.array([10.0, 20.0])
    assert np.allclose(there.to_table(there.to_picture(spot)), spot)
    assert places.shape == true.shape


def test_a_move_leads_from_one_picture_to_the_other() -> None:
    plane = usual_plane(16 / 9)
    move = np.array([[0.9, 0.1, 0.02], [-0.05, 1.1, 0.03], [0.02, 0.01, 1.0]])
    spots = np.array([[0.2, 0.3], [0.7, 0.8]])
    carried = plane.carried(move)
    assert np.allclose(carried.to_table(mapped(move, spots)), plane.to_table(spots))
    assert np.allclose(plane.move_to(carried), move)
