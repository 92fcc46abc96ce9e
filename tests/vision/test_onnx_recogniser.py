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
from vision.geometry import Floats
from vision.onnx_recogniser import FILES, OnnxRecogniser
from vision.recogniser import Image, ModelsMissing
from vision.render.packs import house_pack


@pytest.fixture(scope="module")
def recogniser() -> OnnxRecogniser:
    return OnnxRecogniser.load()


def cloth(height: int, width: int, seed: int = 1) -> Image:
    """A green cloth with a weave."""
    weave = np.random.default_rng(seed).normal(0, 6, (height, width, 1))
    return np.clip(np.array([70, 110, 60]) + weave, 0, 255).astype(np.uint8)


def lay(picture: Image, card: Card, x: float, y: float, tall: float, degrees: float = 0.0) -> Floats:
    """Draw a card with its centre at x, y into the picture; returns its quad."""
    face = house_pack().faces[card]
    height, width = face.shape[:2]
    half = np.array([tall * width / height, tall]) / 2
    angle = np.radians(degrees)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    quad = np.asarray((np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ spin.T + (x, y), np.float32)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad)
    size = (picture.shape[1], picture.shape[0])
    shrunk = cv2.GaussianBlur(face, (0, 0), max(0.01, height / tall / 2.5))
    patch = cv2.warpPerspective(shrunk, matrix, size).astype(np.float32)
    alpha = patch[..., 3:] / 255
    picture[:] = (picture * (1 - alpha) + patch[..., 2::-1] * alpha).astype(np.uint8)
    return quad


def named(recogniser: OnnxRecogniser, picture: Image, *, one_pack: bool = True) -> list[str]:
    return sorted(str(reading.card) for reading in recogniser.recognise(picture, one_pack=one_pack).readings)


def test_every_card_of_the_pack_is_named_and_placed(recogniser: OnnxRecogniser) -> None:
    """All 52, upright and turned, thirteen a picture: at most one may be missed, and none may be wrong."""
    missed: list[Card] = []
    fits: list[float] = []
    for k in range(0, 52, 13):
        picture = cloth(720, 1280)
        quads = {
            card: lay(picture, card, 100 + 180 * (i % 7), 180 + 330 * (i // 7), 220, degrees=29.0 * i + k)
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
    assert min(fits) > 0.4
    assert sum(fits) / len(fits) > 0.8


def test_a_fan_shows_only_indices_and_is_read(recogniser: OnnxRecogniser) -> None:
    cards = parse_cards("2S 5H 9C KD TS QH 7D")
    picture = cloth(720, 1280)
    for k, card in enumerate(cards):
        lay(picture, card, 400 + 62 * k, 380 + (k - 3) ** 2 * 4, 300, degrees=-18 + 6 * k)
    found = named(recogniser, picture)
    assert len(set(found) & set(map(str, cards))) >= 6
    assert set(found) <= set(map(str, cards))


def test_a_bare_table_has_no_cards(recogniser: OnnxRecogniser) -> None:
    assert named(recogniser, cloth(720, 1280)) == []


def test_one_pack_holds_a_card_once_and_two_packs_twice(recogniser: OnnxRecogniser) -> None:
    picture = cloth(600, 800)
    for x in (200, 580):
        lay(picture, Card.parse("KH"), x, 300, 260)
    assert named(recogniser, picture) == ["KH"]
    assert named(recogniser, picture, one_pack=False) == ["KH", "KH"]


def test_a_dark_or_blurred_picture_is_told(recogniser: OnnxRecogniser) -> None:
    picture = cloth(600, 800)
    lay(picture, Card.parse("KH"), 400, 300, 260)
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
