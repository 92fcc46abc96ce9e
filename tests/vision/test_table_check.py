"""The light and distance check: each fault is found with its figure, and a good picture is good."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import pytest

from vision.recogniser import Image
from vision.table_check import LEAST_WIDTH, STEEPEST, Aspect, Finding, Measured, check_table
from vision.table_plane import TablePlane, usual_plane

PLACES: Final = [(60 + 170 * column, 40 + 220 * row) for row in range(2) for column in range(4)]


def table(width: int) -> Measured:
    """A green table with eight sharp white cards with print on them, seen from above."""
    image = np.full((540, 760, 3), (60, 90, 40), np.uint8)
    height = round(width * 88 / 63)
    quads = []
    for x, y in PLACES:
        cv2.rectangle(image, (x, y), (x + width, y + height), (225, 225, 225), -1)
        cv2.rectangle(image, (x + 4, y + 4), (x + width // 4, y + height // 4), (20, 20, 20), -1)
        quads.append(np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32))
    return Measured(image, tuple(quads), usual_plane(760 / 540))


def found(measured: Measured) -> dict[Aspect, Finding]:
    return {one.aspect: one for one in check_table(measured)}


def changed(measured: Measured, image: Image) -> Measured:
    return Measured(image, measured.quads, measured.plane)


def test_a_good_picture_is_good_in_all() -> None:
    findings = check_table(table(110))
    assert {one.aspect for one in findings} == set(Aspect)
    assert all(one.good for one in findings)
    assert found(table(110))[Aspect.DISTANCE].figure == pytest.approx(110, abs=2)


def test_cards_that_are_small_are_told_with_their_width() -> None:
    distance = found(table(34))[Aspect.DISTANCE]
    assert (distance.good, distance.code) == (False, "too-far")
    assert distance.figure == pytest.approx(34, abs=1)
    assert LEAST_WIDTH == 50


@pytest.mark.parametrize(
    ("aspect", "code", "spoilt"),
    [
        (Aspect.LIGHT, "too-dark", lambda image: (image // 6).astype(np.uint8)),
        (Aspect.SHARPNESS, "blurred", lambda image: cv2.GaussianBlur(image, (0, 0), 4)),
    ],
)
def test_bad_light_and_blur_are_told(aspect: Aspect, code: str, spoilt) -> None:  # type: ignore[no-untyped-def]
    good = table(110)
    finding = found(changed(good, spoilt(good.image)))[aspect]
    assert (finding.good, finding.code) == (False, code)


@pytest.mark.parametrize(("degrees", "good"), [(0, True), (40, True), (70, False)])
def test_a_camera_that_looks_from_the_side_is_told_by_how_much(degrees: int, good: bool) -> None:
    flat = usual_plane(760 / 540).matrix
    squeezed = np.diag([1.0, 1 / np.cos(np.radians(degrees)), 1.0]) @ flat
    seen = table(110)
    slant = found(Measured(seen.image, seen.quads, TablePlane(squeezed)))[Aspect.SLANT]
    assert slant.good is good
    assert slant.figure == pytest.approx(degrees, abs=2)
    assert STEEPEST == 55


def test_without_cards_light_and_sharpness_are_all_that_can_be_said() -> None:
    seen = table(110)
    findings = check_table(Measured(seen.image, (), seen.plane))
    assert [one.aspect for one in findings] == [Aspect.CARDS, Aspect.LIGHT, Aspect.SHARPNESS]
    assert (findings[0].good, findings[0].code, findings[0].figure) == (False, "few-cards", 0)
