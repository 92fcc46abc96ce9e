"""Looks drawn at random: styles by class, hands, grounds, and packs that need no installed font."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import numpy as np
import pytest

from vision.render import index_fonts
from vision.render.drawn_pack import draw_pack, draw_plain_pack
from vision.render.film import Style
from vision.render.ground import GROUNDS, UNSEEN_GROUNDS, ground_picture
from vision.render.habits import Habits
from vision.render.hands import BARE, Look, hand_picture
from vision.render.styles import CLASSES, random_look, random_style


def drawn(difficulty: str, count: int = 30) -> list[Style]:
    return [random_style(np.random.default_rng(seed), difficulty) for seed in range(count)]


def test_the_same_seed_gives_the_same_style_and_another_another() -> None:
    assert drawn("hard", 5) == drawn("hard", 5)
    assert len({repr(style) for style in drawn("middle")}) == 30


def test_the_classes_differ_in_what_makes_a_table_hard() -> None:
    easy, middle, hard = (drawn(difficulty) for difficulty in CLASSES)
    assert {style.habits for style in easy} == {Habits()}
    assert not any(style.habits.squared or style.habits.heap or style.habits.rest for style in middle)
    for style in hard:
        assert style.habits.squared != style.habits.heap
        assert style.habits.overlap == 0.3
        assert style.habits.bumps > 0
    measures: list[Callable[[Style], float]] = [
        lambda style: style.lighting.noise,
        lambda style: -style.lighting.level,
        lambda style: -style.pace.still,
    ]
    for measure in measures:
        means = [np.mean([measure(style) for style in styles]) for styles in (easy, middle, hard)]
        assert means == sorted(means)


@pytest.mark.parametrize("difficulty", CLASSES)
def test_every_style_sees_the_whole_table_in_a_picture_of_1280_by_720(difficulty: str) -> None:
    corners = np.array([[x, y, 0.0] for x in (-400.0, 400.0) for y in (-260.0, 240.0)])
    for style in drawn(difficulty):
        seen = style.camera.project(corners)
        assert (style.camera.width, style.camera.height, style.fps) == (1280, 720, 10)
        assert seen.min() > 0
        assert np.all(seen < [1280, 720])


def test_grounds_can_be_chosen_and_are_all_drawn_otherwise() -> None:
    chosen = {random_style(np.random.default_rng(seed), "easy", ("stone", "plaid")).ground for seed in range(20)}
    assert chosen == {"stone", "plaid"}
    assert {style.ground for style in drawn("easy", 120)} == {*GROUNDS, *UNSEEN_GROUNDS}


def test_an_unknown_class_is_named() -> None:
    with pytest.raises(ValueError, match="no class 'cruel'"):
        random_style(np.random.default_rng(0), "cruel")


@pytest.mark.parametrize("kind", UNSEEN_GROUNDS)
def test_the_unseen_grounds_are_new_and_vary_by_seed(kind: str) -> None:
    assert kind not in GROUNDS
    first, again, other = (ground_picture(kind, seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert np.abs(first.mean(axis=(0, 1)) - other.mean(axis=(0, 1))).max() > 5


def test_hands_differ_in_sleeves_sides_and_sizes() -> None:
    looks = [random_look(np.random.default_rng(seed)) for seed in range(60)]
    assert {look.cuff >= BARE for look in looks} == {look.left for look in looks} == {True, False}
    assert min(look.size for look in looks) < 0.9 < 1.0 < max(look.size for look in looks)


def test_a_bare_arm_shows_skin_where_another_shows_its_sleeve() -> None:
    skin, cloth = (120, 160, 220), (200, 60, 40)
    sleeved, bare = (hand_picture(Look(skin, cloth, cuff=cuff), "flat", 0).pixels for cuff in (168.0, BARE))
    row, column = int((400 + 45) * 1.5), int((24 + 90) * 1.5)
    assert int(sleeved[row, column, 0]) > int(sleeved[row, column, 2])
    assert int(bare[row, column, 2]) > int(bare[row, column, 0])
    assert bare[row, column, 3] > 250


def test_a_plain_pack_needs_no_installed_font(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_there() -> NoReturn:
        raise AssertionError("installed fonts were looked for")

    monkeypatch.setattr(index_fonts, "find_fonts", none_there)
    packs = [draw_plain_pack(seed) for seed in (3, 3, 4)]
    for pack in packs:
        assert len(pack.faces) == 52
        assert pack.back is not None
    assert all(np.array_equal(packs[0].faces[card], packs[1].faces[card]) for card in packs[0].faces)
    assert not all(np.array_equal(packs[0].faces[card], packs[2].faces[card]) for card in packs[0].faces)


def test_a_plain_pack_is_none_of_the_drawn_ones() -> None:
    plain, drawn_one = draw_plain_pack(3), draw_pack(3)
    assert plain.name != drawn_one.name
    assert not all(np.array_equal(plain.faces[card], drawn_one.faces[card]) for card in plain.faces)
