"""The detector's reading of its network's cells, with a network that answers from a script."""

from typing import Any

import numpy as np
import pytest

from vision import geometry
from vision.detector import COARSE, FINE, Detector, FoundIndex, without_doubles

QUAD = np.array([[60, 40], [160, 40], [160, 180], [60, 180]], np.float32)


class ScriptedSession:
    """Answers with cells in which one index stands, whatever the picture."""

    def run(self, _: None, feed: dict[str, Any]) -> list[Any]:
        _, _, height, width = feed["image"].shape
        indices = np.zeros((1, 8, height // FINE, width // FINE), np.float32)
        cards = np.zeros((1, 9, height // COARSE, width // COARSE), np.float32)
        indices[:, 0] = -8
        point = geometry.index_point(QUAD)
        column, row = (int(v) for v in point / FINE)
        indices[0, 0, row, column] = 4
        indices[0, 1:3, row, column] = point / FINE - (column + 0.5, row + 0.5)
        indices[0, 3, row, column] = np.log(140 / 64)
        indices[0, 4:, row, column] = (geometry.index_frame(QUAD) / 140).ravel()
        cards[0, 0, row // 2, column // 2] = np.log(140 / 64)
        cards[0, 1:, row // 2, column // 2] = ((QUAD - point) / 140).ravel()
        return [indices, cards]


def test_cells_become_the_index_and_its_card_in_the_pictures_own_pixels() -> None:
    detector = Detector(ScriptedSession())
    for size, factor in ((320, 1.0), (640, 2.0)):
        (found,) = detector.detect(np.zeros((size, size, 3), np.uint8), (320,))
        np.testing.assert_allclose(found.quad, QUAD * factor, atol=0.05)
        np.testing.assert_allclose(found.point, geometry.index_point(QUAD) * factor, atol=0.05)
        np.testing.assert_allclose(found.frame, geometry.index_frame(QUAD) * factor, atol=0.05)
        assert found.score == pytest.approx(0.982, abs=0.001)


def test_two_sizes_give_no_double() -> None:
    detector = Detector(ScriptedSession())
    found = detector.detect(np.zeros((320, 320, 3), np.uint8), (320, 320))
    assert len(found) == 1


def test_doubles_at_one_place_keep_the_better_and_opposite_ends_keep_both() -> None:
    frame = geometry.index_frame(QUAD)
    near = FoundIndex(geometry.index_point(QUAD), frame, QUAD, 0.6)
    better = FoundIndex(geometry.index_point(QUAD) + 2, frame, QUAD + 2, 0.9)
    other_end = FoundIndex(geometry.index_point(QUAD, 2), -frame, np.roll(QUAD, 2, axis=0), 0.5)
    kept = without_doubles([near, other_end, better])
    assert [index.score for index in kept] == [0.9, 0.5]
