"""The networks that ship, on pictures rendered here with the house pack, and on photographs where they are at hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

import models
from assistant.cards import PACK, Card, parse_cards
from vision import geometry
from vision.onnx_recogniser import FILES, OnnxRecogniser
from vision.recogniser import Image, ModelsMissing
from vision.render.packs import house_pack
from vision.render.spread import cloth, lay, rows


@pytest.fixture(scope="module")
def recogniser() -> OnnxRecogniser:
    return OnnxRecogniser.load()


def named(recogniser: OnnxRecogniser, picture: Image, *, one_pack: bool = True) -> list[str]:
    return sorted(str(reading.card) for reading in recogniser.recognise(picture, one_pack=one_pack).readings)


def test_every_card_of_the_pack_is_named_and_placed(recogniser: OnnxRecogniser) -> None:
    """All 52, upright and turned, thirteen a picture: at most one may be missed, and none may be wrong."""
    missed: list[Card] = []
    fits: list[float] = []
    for k in range(0, 52, 13):
        picture = cloth(720, 1280)
        quads = {
            card: lay(picture, house_pack(), card, (100 + 180 * (i % 7), 180 + 330 * (i // 7)), 150, 29.0 * i + k)
            for i, card in enumerate(PACK[k : k + 13])
        }
        readings = {reading.card: reading for reading in recogniser.recognise(picture).readings}
        assert set(readings) <= set(quads)
        missed += [card for card in quads if card not in readings]
        for card, reading in readings.items():
            either = (reading.quad, np.roll(reading.quad, 2, axis=0))
            fits.append(max(geometry.overlap(quad, quads[card]) for quad in either))
            assert 0.5 <= reading.confidence <= 1.0
    assert len(missed) <= 1
    assert min(fits) > 0.6
    assert sum(fits) / len(fits) > 0.8


def test_a_fan_shows_only_indices_and_is_read(recogniser: OnnxRecogniser) -> None:
    cards = parse_cards("2S 5H 9C KD TS QH 7D")
    picture = cloth(720, 1280)
    for k, card in enumerate(cards):
        lay(picture, house_pack(), card, (400 + 62 * k, 380 + (k - 3) ** 2 * 4), 300, -18 + 6 * k)
    found = named(recogniser, picture)
    assert len(set(found) & set(map(str, cards))) >= 6
    assert set(found) <= set(map(str, cards))


def test_a_whole_pack_in_rows_is_read_once_each(recogniser: OnnxRecogniser) -> None:
    found = named(recogniser, rows(house_pack(), PACK, 1080, 1920, 13))
    assert len(found) == len(set(found)) >= 50


def test_a_bare_table_has_no_cards(recogniser: OnnxRecogniser) -> None:
    assert named(recogniser, cloth(720, 1280)) == []


def test_one_pack_holds_a_card_once_and_two_packs_twice(recogniser: OnnxRecogniser) -> None:
    picture = cloth(600, 800)
    for x in (200, 580):
        lay(picture, house_pack(), Card.parse("KH"), (x, 300), 260)
    assert named(recogniser, picture) == ["KH"]
    assert named(recogniser, picture, one_pack=False) == ["KH", "KH"]


def test_a_dark_or_blurred_picture_is_told(recogniser: OnnxRecogniser) -> None:
    picture = cloth(600, 800)
    lay(picture, house_pack(), Card.parse("KH"), (400, 300), 260)
    dark = (picture * 0.12).astype(np.uint8)
    smeared = np.asarray(cv2.GaussianBlur(picture, (0, 0), 15), np.uint8)
    assert "too-dark" in recogniser.recognise(dark).warnings
    assert "blurred" in recogniser.recognise(smeared).warnings
    assert recogniser.recognise(picture).warnings == ()


@pytest.mark.parametrize("size", [(16, 16), (2000, 40), (40, 2000)])
def test_odd_sizes_are_no_trouble(recogniser: OnnxRecogniser, size: tuple[int, int]) -> None:
    assert named(recogniser, cloth(*size)) == []


def test_missing_networks_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelsMissing, match=FILES[0]) as caught:
        OnnxRecogniser.load(tmp_path)
    assert "\n" not in str(caught.value)
    for name in FILES:
        (tmp_path / name).write_bytes(b"no network")
    with pytest.raises(ModelsMissing, match=FILES[0]) as caught:
        OnnxRecogniser.load(tmp_path)
    assert "\n" not in str(caught.value)


def test_exchanged_networks_are_told_in_one_line(tmp_path: Path) -> None:
    for name, other in zip(FILES, (FILES[0], FILES[2], FILES[1]), strict=True):
        (tmp_path / name).write_bytes((models.FOLDER / other).read_bytes())
    with pytest.raises(ModelsMissing, match=r"index-namer\.onnx: the file holds another network"):
        OnnxRecogniser.load(tmp_path)


def test_the_networks_are_small_enough_to_ship() -> None:
    assert sum((models.FOLDER / name).stat().st_size for name in FILES) < 15_000_000


@pytest.mark.parametrize(("folder", "recall", "precision"), [("tables", 0.85, 0.95), ("pinochle", 0.85, 0.95)])
def test_photographs_of_packs_and_tables_never_seen(
    recogniser: OnnxRecogniser, photos: Path, folder: str, recall: float, precision: float
) -> None:
    place = photos / "val" / folder
    counts: Counter[str] = Counter()
    for line in (place / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        want = {box["card"] for box in row["boxes"]} if "boxes" in row else set(row["cards"])
        picture = cv2.imread(str(place / row["file"]))
        assert picture is not None
        got = [str(reading.card) for reading in recogniser.recognise(np.asarray(picture, np.uint8)).readings]
        counts.update(want=len(want), got=len(got), hit=len(want & set(got)))
    assert counts["hit"] >= recall * counts["want"]
    assert counts["hit"] >= precision * counts["got"]
