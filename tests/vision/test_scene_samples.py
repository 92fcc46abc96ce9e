"""What the detector is taught, read back by the code that reads its answers."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import geometry
from vision.detector import Detector, FoundIndex
from vision.geometry import Floats
from vision.recogniser import Image
from vision.training.scene_samples import LabelledPicture, Targets, TrueCard, detector_sample

SIZE = 384


class TargetSession:
    """Answers with the targets of one window, as a network that has learned all would."""

    def __init__(self, targets: Targets) -> None:
        heat = np.clip(targets.heat, 1e-4, 1 - 1e-4)
        self.indices = np.concatenate([np.log(heat / (1 - heat))[None], targets.indices[1:]])
        self.cards = targets.cards[1:]

    def run(self, _: None, __: dict[str, Image]) -> list[Floats]:
        return [self.indices[None], self.cards[None]]


def fan(folder: Path, indices: tuple[tuple[int, float], ...]) -> LabelledPicture:
    """A picture file with five cards, each turned a little more than the one before."""
    cv2.imwrite(str(folder / "fan.png"), np.full((640, 640, 3), 90, np.uint8))
    cards = []
    for k in range(5):
        angle = np.radians(-30 + 15 * k)
        across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        middle = np.array([200 + 60 * k, 320])
        quad = np.stack([middle + 60 * x * across + 85 * y * down for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        cards.append(TrueCard("7H", np.asarray(quad, np.float32), 1.0, indices))
    return LabelledPicture(folder / "fan.png", tuple(cards))


def found_in(window: Image, targets: Targets) -> list[FoundIndex]:
    return Detector(TargetSession(targets)).detect(window, (SIZE,))


@pytest.mark.parametrize("seed", range(6))
def test_targets_read_back_are_the_cards(tmp_path: Path, seed: int) -> None:
    """Each index found lies on a card whose index stands there, with its outline and its axes to a pixel or two."""
    labelled = fan(tmp_path, ((0, 1.0), (2, 1.0)))
    window, targets = detector_sample(np.random.default_rng(seed), labelled, SIZE)
    found = found_in(window, targets)
    peaks = int((targets.heat > 0.999).sum())
    assert len(found) == peaks > 0
    shapes = {round(geometry.side_lengths(index.quad)[0] / index.tall, 2) for index in found}
    assert all(abs(shape - 60 / 85) < 0.02 for shape in shapes)
    for index in found:
        assert np.linalg.norm(geometry.index_point(index.quad) - index.point) < 0.01 * index.tall + 0.5
        np.testing.assert_allclose(index.frame, geometry.index_frame(index.quad), atol=0.02 * index.tall + 0.5)


def test_what_is_half_hidden_is_neither_taught_nor_denied(tmp_path: Path) -> None:
    window, targets = detector_sample(np.random.default_rng(1), fan(tmp_path, ((0, 0.5),)), SIZE)
    assert not found_in(window, targets)
    assert (targets.weight == 0).any()


def test_what_is_hidden_is_denied(tmp_path: Path) -> None:
    _, targets = detector_sample(np.random.default_rng(1), fan(tmp_path, ((0, 0.1),)), SIZE)
    assert not targets.heat.any()
    assert (targets.weight == 1).all()


def test_the_right_hand_index_of_a_four_index_pack_is_read_upright(tmp_path: Path) -> None:
    """Corner 1 is read the same way up as corner 0, corner 3 as corner 2."""
    window, targets = detector_sample(np.random.default_rng(2), fan(tmp_path, ((1, 1.0),)), SIZE)
    for index in found_in(window, targets):
        assert np.linalg.norm(geometry.index_point(index.quad, 1) - index.point) < 0.01 * index.tall + 0.5
