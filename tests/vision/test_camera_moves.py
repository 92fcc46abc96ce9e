"""A camera that was moved is told from a table on which much happens."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.camera_moves import CameraWatch, Grey, Matrix, camera_shift


def room(seed: int = 0) -> Grey:
    """A table with some things, larger than the picture: 280 x 420, with the noise of one frame."""
    rng = np.random.default_rng(5)
    picture = np.full((280, 420), 90.0)
    for _ in range(70):
        x, y, w, h = rng.integers(0, 400), rng.integers(0, 260), rng.integers(6, 22), rng.integers(6, 22)
        picture[y : y + h, x : x + w] = rng.uniform(20, 240)
    return np.clip(picture + np.random.default_rng(seed).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def seen(x: float = 0.0, y: float = 0.0, turn: float = 0.0, zoom: float = 1.0, seed: int = 0) -> Grey:
    """What a camera that was pushed by (x, y) px, turned (degrees) and brought nearer sees: 180 x 320."""
    matrix = cv2.getRotationMatrix2D((210, 140), turn, zoom)
    matrix[:, 2] += np.array([x - 50, y - 50])
    return np.asarray(cv2.warpAffine(room(seed), matrix, (320, 180)), np.uint8)


def with_hand(picture: Grey, x: int) -> Grey:
    covered = picture.copy()
    cv2.ellipse(covered, (x, 150), (70, 90), 10, 0, 360, 170, -1)
    return covered


def with_cards(picture: Grey, places: list[tuple[int, int]]) -> Grey:
    dealt = picture.copy()
    for x, y in places:
        cv2.rectangle(dealt, (x, y), (x + 24, y + 34), 240, -1)
        cv2.putText(dealt, "7", (x + 4, y + 16), 0, 0.45, 20, 1)
    return dealt


def test_a_resting_camera_has_not_moved() -> None:
    shift = camera_shift(seen(seed=1), seen(seed=2))
    assert shift is not None
    assert not shift.moved


@pytest.mark.parametrize(
    ("x", "y", "turn", "zoom"), [(6, 0, 0, 1), (0, -9, 0, 1), (40, 20, 0, 1), (0, 0, 4, 1), (0, 0, 0, 1.08)]
)
def test_a_pushed_turned_or_nearer_camera_has_moved(x: float, y: float, turn: float, zoom: float) -> None:
    shift = camera_shift(seen(seed=1), seen(x, y, turn, zoom, seed=2))
    assert shift is not None
    assert shift.moved
    if turn == 0 and zoom == 1:
        assert shift.far == pytest.approx(np.hypot(x, y) / 320, abs=0.003)


def test_hands_and_cards_are_no_camera() -> None:
    before = with_cards(seen(seed=1), [(30, 40), (60, 40), (90, 40), (200, 90)])
    for x in range(0, 340, 40):
        now = with_cards(with_hand(seen(seed=2), x), [(130, 60), (160, 60), (190, 60), (250, 20)])
        shift = camera_shift(before, now)
        assert shift is None or not shift.moved


def test_a_moved_camera_is_seen_behind_a_hand() -> None:
    shift = camera_shift(seen(seed=1), with_hand(seen(14, 5, seed=2), 200))
    assert shift is not None
    assert shift.moved


def test_other_light_is_no_movement() -> None:
    shift = camera_shift(seen(seed=1), np.asarray(seen(seed=2) * 0.7, np.uint8))
    assert shift is not None
    assert not shift.moved


@pytest.mark.parametrize("kind", ["plain", "dark", "another room"])
def test_where_nothing_is_recognised_nothing_is_claimed(kind: str) -> None:
    now = {
        "plain": np.full((180, 320), 90, np.uint8),
        "dark": np.zeros((180, 320), np.uint8),
        "another room": np.asarray(np.flip(seen(seed=3)), np.uint8),
    }[kind]
    assert camera_shift(seen(seed=1), now) is None
    assert kind == "another room" or camera_shift(now, now) is None


def looked(watch: CameraWatch, grey: Grey, t: float) -> Matrix | None:
    """Look, and follow what is seen."""
    move = watch.look(grey, t)
    if move is not None:
        watch.went(move, grey, t)
    return move


def test_the_watch_tells_where_the_camera_went_and_accepts_it_in_the_end() -> None:
    watch = CameraWatch(accept=30.0)
    assert all(looked(watch, seen(seed=t), float(t)) is None for t in range(5))
    move = looked(watch, seen(20, seed=5), 5.0)
    assert move is not None
    assert np.allclose(move, np.array([[1, 0, 20 / 320], [0, 1, 0], [0, 0, 1]]), atol=0.004)
    told = []
    for t in range(6, 45):
        assert looked(watch, seen(20, seed=t), float(t)) is None, "it went there once"
        told.append(watch.elsewhere)
    assert told[0]
    assert told[25]
    assert not any(told[32:])
    assert looked(watch, seen(seed=1), 60.0) is not None, "back at the first place, it was moved again"
    assert watch.elsewhere


def test_a_camera_that_was_put_back_stands_where_it_stood() -> None:
    watch = CameraWatch()
    looked(watch, seen(seed=1), 0.0)
    assert looked(watch, seen(14, 6, seed=2), 1.0) is not None
    assert watch.elsewhere
    assert looked(watch, seen(seed=3), 2.0) is not None
    assert not watch.elsewhere


def test_a_small_push_is_followed_but_not_told() -> None:
    watch = CameraWatch()
    watch.look(seen(seed=1), 0.0)
    move = watch.look(seen(3, seed=2), 0.2, disturbed=True)
    assert move is not None
    assert move[0, 2] == pytest.approx(3 / 320, abs=0.002)
    assert not watch.elsewhere


def test_what_seemed_a_move_and_was_none_is_not_asked_again() -> None:
    watch = CameraWatch()
    watch.look(seen(seed=1), 0.0)
    assert watch.look(seen(20, seed=2), 1.0) is not None
    watch.went(np.eye(3), seen(20, seed=2), 1.0)
    assert not watch.elsewhere
    assert watch.look(seen(20, seed=3), 2.0) is None


def test_the_watch_looks_once_a_second_unless_something_happened() -> None:
    watch = CameraWatch()
    watch.look(seen(seed=1), 0.0)
    watch.look(seen(seed=2), 1.0)
    assert watch.look(seen(20, seed=3), 1.3) is None
    assert watch.look(seen(20, seed=3), 1.4, disturbed=True) is not None


def test_the_watch_learns_the_table_as_it_changes() -> None:
    watch = CameraWatch()
    grid = [(x, y) for y in (10, 55, 100) for x in range(10, 290, 32)]
    for count in range(len(grid)):
        assert watch.look(with_cards(seen(seed=count), grid[:count]), float(count)) is None
    assert watch.look(np.roll(with_cards(seen(), grid), 12, axis=1), 100.0) is not None


def test_a_turned_camera_is_known_where_the_turn_leads() -> None:
    shift = camera_shift(seen(seed=1), seen(turn=5, seed=2))
    assert shift is not None
    turn = np.vstack([cv2.getRotationMatrix2D((210 - 50, 140 - 50), 5, 1.0), [0, 0, 1]])
    size = np.diag([1 / 320, 1 / 180, 1.0])
    spots = np.array([[0.2, 0.2, 1], [0.8, 0.2, 1], [0.5, 0.8, 1]])
    there = spots @ shift.matrix.T
    meant = spots @ (size @ turn @ np.linalg.inv(size)).T
    assert np.allclose(there[:, :2] / there[:, 2:], meant[:, :2], atol=0.006)
