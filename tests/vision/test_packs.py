"""Packs of card faces: complete, of one form, and the same again for the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from assistant.cards import PACK, Card
from vision.render.drawn_pack import PIPS, CourtArt, draw_pack
from vision.render.packs import HOUSE, Face, InvalidPack, Pack, house_pack, load_pack
from vision.render.suit_shapes import SuitShapes


def assert_complete(pack: Pack) -> None:
    assert set(pack.faces) == set(PACK)
    assert pack.indices in (2, 4)
    for face in [*pack.faces.values(), *([pack.back] if pack.back is not None else [])]:
        assert face.dtype == np.uint8
        height, width, channels = face.shape
        assert (height, channels) == (504, 4)
        assert 0.6 < width / height < 0.76
        assert face[[0, 0, -1, -1], [0, -1, 0, -1], 3].max() < 128, "corners are cut round"
        assert face[[0, -1, height // 2, height // 2], [width // 2, width // 2, 0, -1], 3].min() > 128, "edges reached"
        assert face[height // 2, width // 2, 3] == 255


def ink_share(face: Face) -> float:
    """The share of a card that is printed, seen in its middle, away from the corner indices."""
    middle = face[40:-40, 90:-90, :3].astype(np.int16)
    ground = np.median(face[5:500, 6:10, :3].reshape(-1, 3), axis=0)
    return float((np.abs(middle - ground).max(axis=2) > 60).mean())


def test_house_pack_is_complete() -> None:
    pack = house_pack()
    assert_complete(pack)
    assert pack.back is not None


def test_house_pack_is_small_and_licensed() -> None:
    assert sum(path.stat().st_size for path in HOUSE.iterdir()) < 1_500_000
    assert "CC0" in (HOUSE / "LICENCE.md").read_text(encoding="utf-8")


def test_faces_of_the_house_pack_differ_and_are_in_place() -> None:
    faces = house_pack().faces
    assert len({face.tobytes() for face in faces.values()}) == 52
    for card in PACK:
        corner = faces[card][8:130, 8:70, :3].astype(int)
        red = bool(((corner[..., 0] - corner[..., 2]) > 100).mean() > 0.03)
        assert red == (card.suit in "HD"), card
    for suit in "SHDC":
        shares = [ink_share(faces[Card(rank, suit)]) for rank in "2468T"]
        assert shares == sorted(shares), "more pips, more ink"


@pytest.mark.parametrize("seed", [0, 5, 23])
def test_drawn_pack_is_complete(seed: int) -> None:
    assert_complete(draw_pack(seed))


def test_drawn_pack_is_the_same_for_its_seed() -> None:
    first, again, other = draw_pack(11), draw_pack(11), draw_pack(12)
    assert all(np.array_equal(first.faces[card], again.faces[card]) for card in PACK)
    assert np.array_equal(first.back, again.back)  # type: ignore[arg-type]
    assert not any(np.array_equal(first.faces[card], other.faces[card]) for card in PACK)


def test_lent_courts_come_from_the_lender() -> None:
    house = house_pack()
    lender = CourtArt("house", "CC0-1.0", house.faces, (0.155, 0.11, 0.845, 0.89))
    names = {draw_pack(seed, [lender]).name.partition("+")[2] for seed in range(6)}
    assert "house" in names


def test_a_number_card_has_as_many_pips_as_its_rank() -> None:
    for rank, places in PIPS.items():
        assert len(places) == len(set(places)) == (10 if rank == "T" else int(rank))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(16, 90))
def test_suit_signs_stay_distinct(seed: int, height: int) -> None:
    shapes = SuitShapes.random(np.random.default_rng(seed))
    masks = {}
    for suit in "SHDC":
        mask = shapes.mask(suit, height)
        assert mask.shape[0] == height
        across = np.array(Image.fromarray(mask).resize((32, 32))) > 127
        assert across[8:24].any(axis=1).all(), "one piece, no gap across"
        masks[suit] = across
    for one in "SHDC":
        for two in "SHDC":
            if one < two:
                both, either = masks[one] & masks[two], masks[one] | masks[two]
                assert both.sum() < 0.9 * either.sum(), f"{one} looks like {two}"


def test_a_folder_is_read(tmp_path: Path) -> None:
    for card, face in house_pack().faces.items():
        Image.fromarray(face).save(tmp_path / f"{card}.png")
    (tmp_path / "pack.json").write_text(json.dumps({"name": "mine", "indices": 4}))
    pack = load_pack(tmp_path)
    assert (pack.name, pack.indices, pack.back) == ("mine", 4, None)
    assert np.array_equal(pack.faces[Card("Q", "H")], house_pack().faces[Card("Q", "H")])


def test_a_folder_without_a_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pack.json").write_text(json.dumps({"name": "mine", "indices": 2}))
    with pytest.raises(InvalidPack, match=r"AS\.png"):
        load_pack(tmp_path)
