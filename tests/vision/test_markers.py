"""Printed markers: what is printed is found again, fixes the plane, and tells where a moved camera stands."""

from __future__ import annotations

import re
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.seen_tables import plane_error
from vision.card_edges import Grey
from vision.found_again import find_move_by_marks
from vision.markers import COUNT, INSTRUCTIONS, MARKER_MM, PAPERS, find_markers, sheet_pdf, sheet_squares, sheet_svg
from vision.render.camera import Camera
from vision.table_plane import PlaneLearner, Points, mapped, usual_plane

HD = Camera(1280, 720)
SPOTS = {0: (-380.0, -190.0), 1: (370.0, -200.0), 2: (350.0, 190.0), 3: (-360.0, 180.0)}


def printed(paper: str = "a4", dots: float = 8.0) -> Grey:
    """The sheet as a printer makes it, ``dots`` to the millimetre."""
    width, height = PAPERS[paper]
    sheet = np.full((round(height * dots), round(width * dots)), 255, np.uint8)
    for x, y, side in sheet_squares(paper):
        sheet[round(y * dots) : round((y + side) * dots), round(x * dots) : round((x + side) * dots)] = 0
    return sheet


def table(camera: Camera, spots: dict[int, tuple[float, float]] = SPOTS) -> Grey:
    """A grey table with the cut-out markers at some places (mm), each turned a little."""
    seen = np.full((camera.height, camera.width), 110, np.uint8)
    sheet, step = printed(), MARKER_MM + 24.0
    left, top = (PAPERS["a4"][0] - 2 * step) / 2, 30.0
    for number, (x, y) in spots.items():
        column, row = number % 2, number // 2
        cut = sheet[
            round((top + row * step) * 8) : round((top + (row + 1) * step) * 8),
            round((left + column * step) * 8) : round((left + (column + 1) * step) * 8),
        ]
        lay = cv2.getRotationMatrix2D((0, 0), 13 * number, 1.0)
        to_table = np.vstack([lay, [0, 0, 1]]) @ np.array([[1 / 8, 0, -step / 2], [0, 1 / 8, -step / 2], [0, 0, 1]])
        to_table[:2] += np.array([[x], [y]]) * to_table[2]
        size = (camera.width, camera.height)
        # Shrunk in two steps, so that it is as soft as a lens would have it.
        double = np.diag([2.0, 2.0, 1.0]) @ camera.plane() @ to_table
        drawn = cv2.warpPerspective(cut, double, (2 * size[0], 2 * size[1]), borderValue=0)
        there = cv2.warpPerspective(np.full_like(cut, 255), double, (2 * size[0], 2 * size[1]), borderValue=0)
        drawn, there = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (drawn, there))
        seen = np.where(there > 127, drawn, seen).astype(np.uint8)
    return seen


def outlines(camera: Camera, spots: dict[int, tuple[float, float]] = SPOTS) -> dict[int, Points]:
    return find_markers(table(camera, spots))


@pytest.mark.parametrize("paper", PAPERS)
def test_the_printed_sheet_holds_all_markers_at_their_size(paper: str) -> None:
    found = find_markers(printed(paper, 4.0))
    assert sorted(found) == list(range(COUNT))
    for quad in found.values():
        sides = np.linalg.norm((np.roll(quad, -1, axis=0) - quad) * PAPERS[paper], axis=1)
        assert sides == pytest.approx(np.full(4, MARKER_MM), abs=0.5)


def test_the_markers_lie_within_the_paper() -> None:
    for paper, (width, height) in PAPERS.items():
        for x, y, side in sheet_squares(paper):
            assert 5 < x < x + side < width - 5
            assert 5 < y < y + side < height - 5


def test_the_pdf_draws_the_same_squares_and_its_table_of_contents_is_right() -> None:
    data = sheet_pdf("a4")
    drawn = re.findall(rb"^([\d.]+) ([\d.]+) ([\d.]+) [\d.]+ re$", data, re.MULTILINE)[: len(sheet_squares("a4"))]
    for (x, y, side), (left, bottom, across) in zip(sheet_squares("a4"), drawn, strict=True):
        assert (float(left), float(across)) == pytest.approx((x, side), abs=0.001)
        assert 297 - float(bottom) - side == pytest.approx(y, abs=0.01)
    start = int(data.split(b"startxref\n")[1].split()[0])
    assert data[start : start + 4] == b"xref"
    for number, offset in enumerate(re.findall(rb"^(\d{10}) 00000 n", data, re.MULTILINE), start=1):
        assert data[int(offset) :].startswith(b"%d 0 obj" % number)
    assert INSTRUCTIONS.encode() in data


def test_the_svg_is_as_large_as_the_paper() -> None:
    text = sheet_svg("letter")
    assert 'width="215.9mm" height="279.4mm"' in text
    assert text.count("h8.333v8.333") == len(sheet_squares("letter"))
    assert INSTRUCTIONS in text


@pytest.mark.parametrize(
    "camera", [HD, replace(HD, tilt=38.0, distance=1300.0), replace(HD, turn=180.0), Camera(3840, 2160)]
)
def test_markers_alone_fix_the_plane(camera: Camera) -> None:
    found = outlines(camera)
    assert sorted(found) == [0, 1, 2, 3]
    learner = PlaneLearner(16 / 9)
    learner.see_marks(found)
    assert learner.refine()
    assert plane_error(learner.plane, camera)[0] < 4.0


def test_a_moved_camera_is_found_by_two_markers() -> None:
    elsewhere = replace(HD, turn=160.0, aim=(30.0, -10.0), distance=1450.0)
    plane = PlaneLearner(16 / 9)
    plane.see_marks(outlines(HD))
    plane.refine()
    now = {number: quad for number, quad in outlines(elsewhere).items() if number in (0, 2)}
    move = find_move_by_marks(plane.marks, now, plane.plane, 16 / 9)
    assert move is not None
    spot = np.array([[100.0, 50.0, 0.0]])
    before, after = (camera.project(spot) / (1280, 720) for camera in (HD, elsewhere))
    assert np.allclose(mapped(move, before), after, atol=0.012)


def test_a_marker_that_somebody_pushed_is_no_camera() -> None:
    pushed = {**SPOTS, 1: (300.0, -150.0)}
    assert find_move_by_marks(outlines(HD), outlines(HD, pushed), usual_plane(16 / 9), 16 / 9) is None


def test_no_marker_is_seen_where_there_is_none() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (360, 640), np.uint8)
    assert find_markers(noise) == {}
