"""The computer's cameras by name, without opening any."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from vision import cameras


def test_cameras_are_listed_in_order_and_none_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object) -> None:
        raise AssertionError("a camera was opened")

    monkeypatch.setattr(cv2, "VideoCapture", opened)
    monkeypatch.setattr(cameras, "_names", lambda: {812: "HD Webcam", 810: "Integrated"})
    assert list(cameras.listed_cameras().items()) == [(810, "Integrated"), (812, "HD Webcam")]


def test_a_second_device_without_a_picture_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {"video0": "0", "video1": "1"}
    monkeypatch.setattr(cameras, "_names", lambda: {0: "HD Webcam", 1: "HD Webcam"})
    monkeypatch.setattr(Path, "read_text", lambda path, encoding=None: numbers[path.parent.name] + "\n")
    assert cameras.listed_cameras() == {0: "HD Webcam"}
