"""The scenes that the networks learn from: the truth must be where the cards are drawn."""

import cv2
import numpy as np
import pytest

from vision.render.packs import house_pack
from vision.training import layouts, optics
from vision.training.decoys import decoy
from vision.training.scenes import ArtPack, face_of, render_scene


@pytest.fixture(scope="module")
def pack() -> ArtPack:
    """The house pack as art, BGRA."""
    faces = tuple(
        face_of(str(card), np.ascontiguousarray(picture[..., [2, 1, 0, 3]]))
        for card, picture in house_pack().faces.items()
    )
    return ArtPack("house", faces, None, 2)


@pytest.mark.parametrize("seed", range(8))
def test_what_a_pack_prints_shows_within_the_quads_of_the_truth(pack: ArtPack, seed: int) -> None:
    """The same scene with a pack and with blank cards differs inside the true quads, and hardly elsewhere."""
    blank = ArtPack("blank", tuple(face_of(f.card, np.full_like(f.levels[0], 255)) for f in pack.faces), None, 2)
    printed, truth = render_scene(np.random.default_rng(seed), [pack], 320)
    plain, _ = render_scene(np.random.default_rng(seed), [blank], 320)
    differs = np.abs(printed.astype(int) - plain).max(axis=2) > 60
    inside = np.zeros(differs.shape, np.uint8)
    for card in truth:
        grown = (card.quad - card.quad.mean(axis=0)) * 1.1 + card.quad.mean(axis=0)
        cv2.fillConvexPoly(inside, np.round(grown).astype(np.int32), 1)
    assert differs[inside == 0].sum() <= 0.1 * differs.sum()


def test_points_move_along_with_the_picture_that_a_lens_bends() -> None:
    """White spots on black stand, after the lens, where the map says."""
    bent = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        picture = np.zeros((400, 400, 3), np.float32)
        spots = np.array([[60.0, 70.0], [330.0, 80.0], [200.0, 200.0], [90.0, 310.0]])
        for x, y in spots.astype(int):
            picture[y - 2 : y + 3, x - 2 : x + 3] = 1.0
        after, bend = optics.distorted(rng, picture)
        moved = bend(spots)
        bent += bool(np.abs(moved - spots).max() > 1)
        for x, y in moved:
            window = after[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5, 0]
            rows, columns = np.nonzero(window > 0.5)
            assert abs(rows.mean() - 4) < 1
            assert abs(columns.mean() - 4) < 1
    assert bent >= 2


def test_layouts_hold_as_many_cards_as_their_kind_says() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        assert len(layouts.layout(rng, "deal")) == 52
        assert 12 <= len(layouts.layout(rng, "rows")) <= 52
        assert 1 <= len(layouts.layout(rng)) <= 80


def test_decoys_of_all_kinds_are_pictures_with_alpha() -> None:
    for seed in range(30):
        picture = decoy(np.random.default_rng(seed))
        assert picture.dtype == np.uint8
        assert picture.shape[0] == 300
        assert picture.shape[2] == 4
        assert picture[150, picture.shape[1] // 2, 3] == 255
