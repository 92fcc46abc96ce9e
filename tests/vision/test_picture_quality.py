"""What is said of dark, bright, blurred, glaring and small pictures, and that fair ones are left alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.cards import PACK
from vision.geometry import Floats
from vision.picture_quality import FAULTS, LEAST_HEIGHT, edge_spread, picture_warnings, sentence
from vision.recogniser import Image
from vision.render.packs import house_pack
from vision.render.spread import cloth, lay


def table(tall: float = 150, light: float = 0.8, seed: int = 1) -> tuple[Image, list[Floats]]:
    """Ten cards on a cloth in fair light with a camera's noise, and their quads."""
    picture = cloth(720, 1280, seed)
    quads = [
        lay(picture, house_pack(), PACK[5 * k], (140 + 250 * (k % 5), 190 + 330 * (k // 5)), tall, 23.0 * k)
        for k in range(10)
    ]
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.asarray(np.clip(picture * light + noise, 0, 255), np.uint8), quads


def shaken(image: Image, length: int) -> Image:
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    return np.asarray(cv2.filter2D(image, -1, kernel), np.uint8)


def with_lamp(image: Image, at: tuple[float, float], radius: float) -> Image:
    """A lamp mirrored at a place of the picture."""
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    shine = 400 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / radius**2)
    return np.asarray(np.clip(image + shine[..., None], 0, 255), np.uint8)


def warm(image: Image) -> Image:
    return np.asarray(image * np.array([0.5, 0.8, 1.0]), np.uint8)


@pytest.mark.parametrize("tall", [90, 150, 260])
@pytest.mark.parametrize("light", [0.5, 0.8, 1.0])
def test_a_fair_picture_is_left_alone(tall: float, light: float) -> None:
    picture, quads = table(tall, light)
    assert picture_warnings(picture, quads) == ()
    assert picture_warnings(warm(picture), quads) == ()


@pytest.mark.parametrize("colour", [(70, 110, 60), (20, 20, 22), (60, 60, 140), (215, 220, 222)])
def test_a_bare_cloth_is_left_alone(colour: tuple[int, int, int]) -> None:
    weave = np.random.default_rng(1).normal(0, 4, (480, 640, 1))
    bare = np.clip(np.array(colour) + weave, 0, 255).astype(np.uint8)
    bare[30:90, 40:200] = (90, 140, 190)
    assert picture_warnings(bare, []) == ()


def test_what_is_dark_blurred_shaken_or_far_is_told() -> None:
    picture, quads = table()
    assert picture_warnings(np.asarray(picture * 0.2, np.uint8), quads) == ("too-dark",)
    assert picture_warnings(np.asarray(cv2.GaussianBlur(picture, (0, 0), 4), np.uint8), quads) == ("blurred",)
    assert picture_warnings(shaken(picture, 15), quads) == ("blurred",)
    small, places = table(tall=50)
    assert picture_warnings(small, places) == ("too-far",)


def test_blur_counts_by_the_size_of_the_cards() -> None:
    for tall, spared, told in ((100, 0.8, 2.0), (260, 2.0, 5.0)):
        picture, quads = table(tall)
        assert picture_warnings(np.asarray(cv2.GaussianBlur(picture, (0, 0), spared), np.uint8), quads) == ()
        assert picture_warnings(np.asarray(cv2.GaussianBlur(picture, (0, 0), told), np.uint8), quads) == ("blurred",)


def test_a_lamp_on_a_card_is_glare_and_white_paper_is_not() -> None:
    for tall in (110, 150, 260):
        picture, quads = table(tall)
        for quad in quads[::3]:
            middle = quad.mean(axis=0)
            lit = with_lamp(picture, (float(middle[0]), float(middle[1])), tall / 4)
            assert picture_warnings(lit, quads) == ("glare",)
        assert picture_warnings(with_lamp(picture, (640, 360), 20), quads) == (), "a lamp beside the cards"
        bright, quads = table(tall, light=1.15)
        assert picture_warnings(bright, quads) == ()


def test_washed_out_print_is_told() -> None:
    picture, quads = table()
    washed = np.clip(picture.astype(np.float32) * 0.4 + 170, 0, 255).astype(np.uint8)
    assert picture_warnings(washed, quads) == ("too-bright",)


def test_without_cards_the_whole_picture_is_judged() -> None:
    picture, _ = table(tall=260)
    assert picture_warnings(picture, []) == ()
    assert picture_warnings(np.asarray(picture * 0.1, np.uint8), []) == ("too-dark",)
    assert picture_warnings(np.full((480, 640, 3), 255, np.uint8), []) == ("too-bright",)
    assert picture_warnings(np.asarray(cv2.GaussianBlur(picture, (0, 0), 9), np.uint8), []) == ("blurred",)


@pytest.mark.parametrize("sigma", [1.0, 2.0, 3.0])
def test_the_width_of_edges_is_measured(sigma: float) -> None:
    picture, _ = table(tall=260)
    grey = np.asarray(cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), sigma), cv2.COLOR_BGR2GRAY), np.uint8)
    assert edge_spread(grey) == pytest.approx(sigma, rel=0.35)
    assert edge_spread(np.full((100, 100), 90, np.uint8)) is None


@pytest.mark.parametrize("size", [(16, 20_000), (20_000, 16), (16, 16), (17, 3000)])
def test_odd_sizes_are_no_trouble(size: tuple[int, int]) -> None:
    picture = cloth(*size)
    height, width = size
    outside = np.array([[-50, -50], [width + 50, -50], [width + 50, height + 50], [-50, height + 50]], np.float32)
    away = np.array([[-50, -50], [-40, -50], [-40, -36], [-50, -36]], np.float32)
    assert set(picture_warnings(picture, [])) <= set(FAULTS)
    assert set(picture_warnings(picture, [outside, away])) <= set(FAULTS)


def test_every_warning_is_a_plain_sentence_with_what_to_do() -> None:
    of_the_picture = {"too-dark", "too-bright", "blurred", "glare", "too-far"}
    assert set(FAULTS) == {*of_the_picture, "no-picture", "frozen", "two-packs", "unread-card", "camera-moved"}
    for code in FAULTS:
        text = sentence(code)
        assert text[0].isupper()
        assert text.endswith(".")
        assert ": " in text
        assert len(text) < 110
    _, quads = table(tall=50)
    assert f"are 50 px high in the picture and should be {LEAST_HEIGHT} or more" in sentence("too-far", quads)
