"""Packs in the data folder: kept, found again, refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.namer import FEATURES
from vision.own_pack import CARDS, Look, OwnPack
from vision.pack_shelf import About, PackError, PackShelf

ABOUT = About("mats", "0123abcd", 52, 6, 52, 45, 51)


def look(seed: int) -> Look:
    rng = np.random.default_rng(seed)
    middle, weights = rng.normal(0, 1, FEATURES), rng.normal(0, 1, (FEATURES + 1, CARDS))
    return Look(middle.astype(np.float32), 2.5, weights.astype(np.float32))


PACK = OwnPack("mats", look(1), look(2))


def refused(shelf: PackShelf, name: str = "mats", namers: str = "0123abcd") -> str:
    with pytest.raises(PackError) as caught:
        shelf.load(name, namers)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_pack_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    shelf = PackShelf(tmp_path / "data")
    assert shelf.names() == []
    shelf.save(PACK, ABOUT)
    back = shelf.load("mats", "0123abcd")
    for kept, loaded in ((PACK.index, back.index), (PACK.card, back.card)):
        assert np.array_equal(kept.weights, loaded.weights)
        assert np.array_equal(kept.middle, loaded.middle)
        assert kept.scale == loaded.scale
    assert shelf.about("mats") == ABOUT
    assert shelf.names() == ["mats"]
    assert sorted(path.name for path in (tmp_path / "data" / "packs").iterdir()) == ["mats.npz"]


def test_another_network_s_pack_and_unknown_names_are_refused(tmp_path: Path) -> None:
    shelf = PackShelf(tmp_path)
    assert "none is enrolled yet" in refused(shelf)
    shelf.save(PACK, ABOUT)
    assert "learned with other networks" in refused(shelf, namers="ffff")
    assert refused(shelf, "bees") == "there is no pack 'bees'; there are: mats"


@pytest.mark.parametrize("name", ["", ".", "..", "../mats", "a/b", "a\\b", "any", "Any", "x" * 41, "mats\n", " mats"])
def test_names_that_are_no_file_names_are_refused(tmp_path: Path, name: str) -> None:
    assert "is no name for a pack" in refused(PackShelf(tmp_path), name)


@pytest.mark.parametrize("name", ["mats", "Piatnik 1882", "Großmutters", "a", "no.7_b-c+d"])
def test_names_that_people_give_are_taken(tmp_path: Path, name: str) -> None:
    shelf = PackShelf(tmp_path)
    shelf.save(OwnPack(name, look(1), look(2)), ABOUT)
    assert shelf.names() == [name]
    assert shelf.load(name, "0123abcd").name == name


@settings(max_examples=40)
@given(data=st.data())
def test_a_damaged_file_is_refused(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Cut off anywhere, or with other bytes from there on; the very last ones say nothing and may be lost."""
    shelf = PackShelf(tmp_path_factory.mktemp("data"))
    path = shelf.save(PACK, ABOUT)
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole) - 24))
    path.write_bytes(whole[:cut] + data.draw(st.sampled_from([b"", b"\0" * 40, b"no pack"])))
    assert "enrol it again" in refused(shelf)


def spoiled(path: Path, **changes: Any) -> None:
    with np.load(path) as stored:
        arrays: dict[str, Any] = dict(stored)
    np.savez(path, **{**arrays, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"card_weights": np.zeros((3, 3), np.float32)},
        {"index_middle": np.full(FEATURES, np.nan, np.float32)},
        {"index_middle": np.array(["x"] * FEATURES)},
        {"index_scale": np.float32(0)},
        {"about": np.array("no json")},
        {"about": np.array(json.dumps({"form": 99}))},
        {"about": np.array(json.dumps({"form": 1, "name": "mats"}))},
    ],
)
def test_a_file_that_holds_something_else_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    shelf = PackShelf(tmp_path)
    spoiled(shelf.save(PACK, ABOUT), **changes)
    assert "enrol it again" in refused(shelf)


def test_the_pack_in_use(tmp_path: Path) -> None:
    shelf = PackShelf(tmp_path)
    assert shelf.in_use() is None
    with pytest.raises(PackError, match="there is no pack 'mats'"):
        shelf.use("mats")
    shelf.save(PACK, ABOUT)
    shelf.use("mats")
    assert shelf.in_use() == "mats"
    shelf.use("any")
    assert shelf.in_use() is None
    (tmp_path / "packs" / "in-use.json").write_text("[1")
    assert shelf.in_use() is None


def test_a_folder_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PackError, match="name another --data folder"):
        PackShelf(tmp_path / "file").save(PACK, ABOUT)
