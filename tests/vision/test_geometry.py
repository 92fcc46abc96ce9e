"""The geometry of quads and crops."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision import geometry

UPRIGHT = np.array([[100, 100], [200, 100], [200, 240], [100, 240]], np.float32)


def turned(quad: geometry.Floats, degrees: float) -> geometry.Floats:
    angle = np.radians(degrees)
    middle = quad.mean(axis=0)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((quad - middle) @ spin.T + middle, np.float32)


def test_side_lengths_and_area_of_an_upright_card() -> None:
    assert geometry.side_lengths(UPRIGHT) == (100.0, 140.0)
    assert geometry.area(UPRIGHT) == 14000.0


def test_the_index_points_of_the_two_ends_mirror_each_other() -> None:
    first, second = geometry.index_point(UPRIGHT, 0), geometry.index_point(UPRIGHT, 2)
    np.testing.assert_allclose((first + second) / 2, UPRIGHT.mean(axis=0), atol=0.01)
    assert first[0] < second[0]
    assert first[1] < second[1]


@pytest.mark.parametrize("corner", range(4))
def test_the_frame_at_an_index_is_how_the_card_moves_there(corner: int) -> None:
    """On a slanted card: a small step across or down the card moves the point by that share of the frame."""
    slanted = np.array([[10, 20], [140, 60], [150, 260], [-40, 220]], np.float32)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, slanted)
    u, v = geometry.INDEX_POINT
    at = np.array([u if corner in (0, 3) else 1 - u, v if corner < 2 else 1 - v])

    def seen(share: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray(cv2.perspectiveTransform(share[None, None], matrix)[0, 0], np.float64)

    np.testing.assert_allclose(geometry.index_point(slanted, corner), seen(at), atol=0.01)
    for axis in (0, 1):
        step = np.eye(2)[axis] * 1e-3
        moved = (seen(at + step) - seen(at - step)) / 2e-3
        np.testing.assert_allclose(geometry.index_frame(slanted, corner)[axis], moved, rtol=1e-3, atol=0.05)


def test_overlap_of_the_same_of_half_and_of_apart() -> None:
    assert geometry.overlap(UPRIGHT, UPRIGHT) == pytest.approx(1.0)
    assert geometry.overlap(UPRIGHT, UPRIGHT + np.array([50, 0], np.float32)) == pytest.approx(1 / 3, abs=0.01)
    assert geometry.overlap(UPRIGHT, UPRIGHT + np.array([500, 0], np.float32)) == 0.0


@pytest.mark.parametrize("degrees", [0, 37, 90, 180, 271])
def test_crops_straighten_a_card_whichever_way_it_lies(degrees: float) -> None:
    """A red patch where the index stands comes out in the middle of the index crop and at the card crop's top left."""
    quad = turned(UPRIGHT, degrees)
    picture = np.full((400, 400, 3), 255, np.uint8)
    point = geometry.index_point(quad)
    y, x = np.mgrid[:400, :400]
    picture[(x - point[0]) ** 2 + (y - point[1]) ** 2 < 36] = (0, 0, 255)
    pyramid = geometry.Pyramid(picture)
    index = geometry.index_crop(pyramid, geometry.index_frame(quad), point)
    card = geometry.card_crop(pyramid, quad)
    assert index.shape == (96, 48, 3)
    assert card.shape == (96, 64, 3)
    rows, columns = np.nonzero(index[..., 1] < 100)
    assert abs(columns.mean() - 24) < 2
    assert 30 < rows.mean() < 50
    rows, columns = np.nonzero(card[..., 1] < 100)
    assert rows.mean() < 30
    assert columns.mean() < 20


def test_a_pyramid_shrinks_only_as_far_as_asked() -> None:
    pyramid = geometry.Pyramid(np.zeros((400, 600, 3), np.uint8))
    assert pyramid.level(0.5)[0].shape[:2] == (400, 600)
    level, scale = pyramid.level(4.0)
    assert level.shape[:2] == (100, 150)
    assert scale == 0.25
