"""Recognition under other light, sizes, directions and compression; and that those conditions are what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import pytest

from vision.onnx_recogniser import OnnxRecogniser
from vision.recogniser import Image
from vision.render.packs import house_pack
from vision.robustness import (
    SURE,
    Condition,
    Sample,
    Tally,
    brightened,
    compressed,
    conditions,
    light_gains,
    rendered_samples,
    scaled,
    table,
    tally,
    tinted,
    turned,
)

LEAST_RECALL: Final = 0.95
"""Under every condition, on two rendered pictures of the house pack: one card of twenty may be missed."""
STEP: Final = 45


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return list(rendered_samples([house_pack()], 4))[1:3]


@pytest.fixture(scope="module")
def recogniser() -> OnnxRecogniser:
    return OnnxRecogniser.load()


@pytest.mark.parametrize("condition", conditions(STEP), ids=lambda condition: condition.name)
def test_cards_are_read_and_none_is_wrong_and_sure(
    recogniser: OnnxRecogniser, samples: Sequence[Sample], condition: Condition
) -> None:
    count = tally(recogniser, samples, condition)
    assert count.recall >= LEAST_RECALL
    assert count.wrong_and_sure == 0, f"a wrong card at {SURE} or more"


def test_all_conditions_that_are_promised_are_there() -> None:
    names = [condition.name for condition in conditions(30)]
    assert len(names) == len(set(names))
    wanted = [f"turned by {degrees}°" for degrees in range(30, 360, 30)]
    wanted += ["as it is", "mirrored ground", "scaled by 0.5", "scaled by 2", "JPEG quality 30", "JPEG quality 95"]
    wanted += ["brightness times 0.4", "brightness times 1.6", "light of 2700 K", "light of 7500 K"]
    assert set(wanted) <= set(names)


def test_a_turned_picture_holds_all_of_it() -> None:
    picture = np.full((60, 100, 3), 200, np.uint8)
    picture[:10, :10] = (0, 0, 255)
    assert turned(picture, 90).shape == (100, 60, 3)
    assert np.abs(turned(picture, 90)[:10, -10:].astype(int) - (0, 0, 255)).mean() < 30, "turned clockwise"
    for degrees in (10, 45, 120, 200, 330):
        lit = float((turned(picture, degrees) > 0).any(axis=2).sum())
        assert lit == pytest.approx(6000, rel=0.06)


def test_sizes_quality_and_brightness(samples: Sequence[Sample]) -> None:
    picture = samples[0].picture
    assert scaled(picture, 0.5).shape == (360, 640, 3)
    assert scaled(picture, 2).shape == (1440, 2560, 3)
    loss = [float(np.abs(compressed(picture, q).astype(int) - picture).mean()) for q in (95, 70, 50, 30)]
    assert loss == sorted(loss)
    assert loss[0] > 0
    assert (brightened(picture, 1.6) == np.minimum(picture * 1.6, 255).astype(np.uint8)).all()
    assert brightened(picture, 0.4).max() <= 102


def test_light_is_that_of_a_black_body() -> None:
    assert light_gains(6500) == pytest.approx(np.ones(3))
    for kelvin in (2700, 3500, 4500, 5500, 7500):
        blue, green, red = light_gains(kelvin)
        assert 0.0722 * blue + 0.7152 * green + 0.2126 * red == pytest.approx(1)
        assert (red > green > blue) == (kelvin < 6500)
    ratios = [light_gains(kelvin)[0] / light_gains(kelvin)[2] for kelvin in (2700, 3500, 4500, 5500, 7500)]
    assert ratios == sorted(ratios)
    assert light_gains(2700)[0] == pytest.approx(0.25, abs=0.1), "a bulb has a quarter of daylight's blue"
    grey = np.full((4, 4, 3), 118, np.uint8)
    assert np.abs(tinted(grey, 6500).astype(int) - grey).max() <= 1
    assert tinted(grey, 2700)[0, 0].tolist() == sorted(tinted(grey, 2700)[0, 0].tolist())


def test_only_the_ground_is_mirrored(samples: Sequence[Sample]) -> None:
    sample = samples[0]
    plain = sample.picture.astype(int)
    assert len(sample.other_grounds) == 2
    for other in sample.other_grounds:
        differs = np.asarray(cv2.blur((np.abs(other - plain).max(axis=2) > 4).astype(np.float32), (9, 9)) > 0.2)
        cards = np.asarray(cv2.blur(sample.picture, (5, 5)).min(axis=2) > 120)
        assert differs[~cards].mean() > 3 * differs[cards].mean()


def test_pictures_are_the_same_each_time() -> None:
    first, again = (next(rendered_samples([house_pack()], 1)) for _ in range(2))
    assert np.array_equal(first.picture, again.picture)
    assert first.cards == again.cards
    assert len(first.cards) == 10


def test_figures_as_markdown() -> None:
    condition = Condition("as it is", "as it is", lambda sample: [sample.picture])
    told = table([(condition, Tally(2, 20, 18, 19, 1))])
    assert told.splitlines()[-1] == "| as it is | 20 | 0.900 | 0.947 | 1 |"
    assert Tally().precision == 1.0


def test_a_condition_that_cannot_be_made_counts_nothing(recogniser: OnnxRecogniser) -> None:
    bare: Image = np.zeros((40, 40, 3), np.uint8)
    mirrored = next(condition for condition in conditions() if condition.group == "mirrored ground")
    assert tally(recogniser, [Sample("photograph", bare, frozenset({"KH"}))], mirrored) == Tally()
