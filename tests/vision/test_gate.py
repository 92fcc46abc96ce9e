"""The gate on drawn pictures: motion, stillness, light, blur, the bare table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from assistant.view import Stillness
from vision.gate import Gate
from vision.recogniser import Image

CARD = ((0.40, 0.40), (0.46, 0.40), (0.46, 0.56), (0.40, 0.56))
ELSEWHERE = ((0.70, 0.40), (0.76, 0.40), (0.76, 0.56), (0.70, 0.56))


def table(*, light: float = 1.0, seed: int = 0) -> Image:
    """A cloth with some texture, and the camera's noise."""
    cloth = np.random.default_rng(7).normal(90, 6, (360, 640))
    noise = np.random.default_rng(seed).normal(0, 2, (360, 640, 3))
    return np.clip(cloth[..., None] * (0.5, 1.0, 0.6) * light + noise, 0, 255).astype(np.uint8)


def with_card(image: Image, quad: tuple[tuple[float, float], ...] = CARD) -> Image:
    corners = (np.array(quad) * (640, 360)).astype(np.int32)
    cv2.fillConvexPoly(image, corners, (245, 245, 245))
    cv2.putText(image, "7", (int(corners[0][0]) + 5, int(corners[0][1]) + 30), 0, 1, (0, 0, 200), 2)
    return image


def with_hand(image: Image, x: int, y: int = 170) -> Image:
    cv2.ellipse(image, (x, y), (60, 50), 0, 0, 360, (120, 150, 200), -1)
    return image


def run(gate: Gate, pictures: list[Image], start: float = 0.0, step: float = 0.1):  # type: ignore[no-untyped-def]
    reports = []
    for number, picture in enumerate(pictures):
        reports.append(gate.look(picture, start + step * number))
        if reports[-1].move is not None:
            gate.went(reports[-1].move)
    return reports


def test_a_resting_table_becomes_still() -> None:
    reports = run(Gate(), [table(seed=n) for n in range(12)])
    assert reports[-1].stillness is Stillness.STILL
    assert reports[-1].still_for == pytest.approx(1.1)
    assert reports[-1].warnings == ()


def test_a_moving_hand_is_motion_at_its_place_only() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(10)])
    reports = run(gate, [with_hand(table(seed=n), 180 + 12 * n) for n in range(9)], start=1.0)
    assert all(report.stillness is Stillness.MOVING for report in reports)
    assert gate.still_since(CARD) > 1.5
    assert gate.still_since(ELSEWHERE) == 0.0


def test_moving_frames_are_not_worth_it_but_one_a_second_is() -> None:
    gate = Gate()
    reports = run(gate, [with_hand(table(seed=n), 40 + 10 * (n % 50)) for n in range(40)])
    assert 3 <= sum(report.worth for report in reports) <= 7


def test_a_card_that_rests_is_looked_at_though_a_hand_moves_elsewhere() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(20)])
    reports = run(gate, [with_card(with_hand(table(seed=n), 40 + 9 * n, 300)) for n in range(6)], start=2.0)
    assert all(report.stillness is Stillness.MOVING for report in reports)
    assert any(report.worth for report in reports[2:])


def test_a_still_table_is_recognised_often_at_first_and_seldom_later() -> None:
    reports = run(Gate(), [table(seed=n) for n in range(100)])
    early, late = reports[:30], reports[60:]
    assert sum(report.worth for report in early) >= 10
    assert sum(report.worth for report in late) <= 5


def test_a_lamp_is_not_a_hand() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(30)])
    reports = run(gate, [table(seed=n, light=1.0 + 0.02 * n) for n in range(10)], start=3.0)
    assert max(report.moving_share for report in reports) < 0.01


def test_the_bare_table_is_seen_again_when_a_card_is_gone_but_not_under_a_hand() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(30)])
    gate.set_cards([CARD])
    run(gate, [with_card(table(seed=n)) for n in range(30)], start=3.0)
    assert gate.bare_share(CARD) is not None
    assert (gate.bare_share(CARD) or 0) < 0.2
    run(gate, [with_hand(with_card(table(seed=n)), 275) for n in range(60)], start=6.0)
    assert (gate.bare_share(CARD) or 0) < 0.3
    run(gate, [table(seed=n, light=1.1) for n in range(3)], start=12.0)
    assert (gate.bare_share(CARD) or 0) > 0.8


def test_a_place_that_was_never_bare_is_unknown() -> None:
    gate = Gate()
    gate.look(with_card(table()), 0.0)
    gate.set_cards([CARD])
    run(gate, [with_card(table(seed=n)) for n in range(30)], start=0.1)
    assert gate.bare_share(CARD) is None


def with_things(image: Image, aside: int = 0) -> Image:
    """A table with things on it, seen by a camera that was pushed ``aside`` px."""
    rng = np.random.default_rng(3)
    for x, y, size in zip(rng.integers(20, 560, 40), rng.integers(10, 330, 40), rng.integers(8, 30, 40), strict=True):
        grey = int(20 + 200 * (x + y) % 200)
        cv2.rectangle(image, (int(x) + aside, int(y)), (int(x + size) + aside, int(y + size)), (grey, grey, grey), -1)
    return image


def test_a_camera_that_was_pushed_is_warned_of_and_one_that_was_put_back_is_not() -> None:
    gate = Gate()
    rest = run(gate, [with_things(table(seed=n)) for n in range(40)])
    assert {report.warnings for report in rest} == {()}
    pushed = run(gate, [with_things(table(seed=n), 24) for n in range(30)], start=4.0)
    assert pushed[-1].warnings == ("camera-moved",)
    back = run(gate, [with_things(table(seed=n)) for n in range(30)], start=7.0)
    assert back[-1].warnings == ()


def test_what_was_bare_is_learnt_anew_once_the_camera_has_moved() -> None:
    gate = Gate()
    run(gate, [with_things(table(seed=n)) for n in range(40)])
    things = with_things(table(), 24)
    run(gate, [with_things(table(seed=n), 24) for n in range(40)], start=4.0)
    gate.look(things, 8.0)
    assert (gate.bare_share(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))) or 0.0) > 0.95


def test_a_lamp_that_goes_on_moves_neither_cloth_nor_cards() -> None:
    gate = Gate()
    run(gate, [with_card(table(seed=n)) for n in range(10)])
    lit = [np.clip(with_card(table(seed=n)) * np.array([0.6, 0.68, 0.72]), 0, 255).astype(np.uint8) for n in range(4)]
    assert max(report.moving_share for report in run(gate, lit, start=1.0)) < 0.01
    assert gate.still_since(CARD) == 0.0


def test_a_hand_in_changing_light_is_still_seen() -> None:
    gate = Gate()
    run(gate, [with_card(table(seed=n)) for n in range(10)])
    lit = np.clip(with_hand(with_card(table(seed=3)), 275) * 0.7, 0, 255).astype(np.uint8)
    assert gate.look(lit, 1.0).stillness is Stillness.MOVING
    assert gate.still_since(CARD) == 1.0


def test_a_lost_frame_says_nothing() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(12)])
    hand = with_hand(table(seed=50), 300)
    first = gate.look(hand, 1.2)
    again = [gate.look(hand.copy(), 1.2 + 0.1 * number) for number in range(1, 8)]
    assert first.stillness is Stillness.MOVING
    assert {report.stillness for report in again} == {Stillness.MOVING}
    assert not any(report.worth for report in again)


def test_where_all_frames_at_rest_are_the_same_they_count() -> None:
    reports = run(Gate(), [table() for _ in range(12)])
    assert reports[-1].stillness is Stillness.STILL
    assert sum(report.worth for report in reports) >= 4


def test_a_slow_hand_is_seen_by_a_quick_camera() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(30)], step=1 / 30)
    reports = run(gate, [with_hand(table(seed=n), 200 + n) for n in range(60)], start=1.0, step=1 / 30)
    assert all(report.stillness is Stillness.MOVING for report in reports[5:])


def test_two_frames_a_second_are_enough_to_settle() -> None:
    gate = Gate()
    reports = run(gate, [with_hand(table(seed=n), 100 + 90 * n) for n in range(4)], step=0.5)
    rest = run(gate, [table(seed=n) for n in range(4)], start=2.0, step=0.5)
    assert reports[-1].stillness is Stillness.MOVING
    assert rest[-1].stillness is Stillness.STILL
    assert rest[-1].worth


def test_a_lamp_that_goes_off_while_a_card_lies_there_changes_the_table_beneath_it_too() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(30)])
    gate.set_cards([CARD])
    run(gate, [with_card(table(seed=n)) for n in range(20)], start=3.0)
    run(gate, [with_card(table(seed=n, light=0.7)) for n in range(150)], start=5.0)
    assert (gate.bare_share(CARD) or 0) < 0.2
    run(gate, [table(seed=n, light=0.7) for n in range(4)], start=20.0)
    assert (gate.bare_share(CARD) or 0) > 0.8


def test_a_card_that_nobody_reads_is_not_soon_taken_for_the_table() -> None:
    gate = Gate()
    run(gate, [table(seed=n) for n in range(30)])
    run(gate, [with_card(table(seed=n)) for n in range(100)], start=3.0)
    assert (gate.bare_share(CARD) or 0) < 0.3
    run(gate, [table(seed=n) for n in range(4)], start=13.0)
    assert (gate.bare_share(CARD) or 0) > 0.8
