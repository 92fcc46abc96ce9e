"""Pictures that browsers send: how many are decoded at a time, and what the others are told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from tests.web.served import eventually
from vision.image_intake import PictureError, decode_sent
from vision.recogniser import Image
from web import sent_pictures
from web.browser_camera import BrowserCamera
from web.sent_pictures import PLACES, PicturesBusy, decoded

JPEG = cv2.imencode(".jpg", np.full((64, 64, 3), 90, np.uint8))[1].tobytes()


class Slow:
    """Decodes once it is let go; counts how many at a time."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.begun = self.at_a_time = self.most = 0

    def __call__(self, data: bytes, *, name: str) -> Image:
        self.begun += 1
        self.at_a_time += 1
        self.most = max(self.most, self.at_a_time)
        assert self.go_on.wait(20)
        self.at_a_time -= 1
        return decode_sent(data, name=name)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    decoder = Slow()
    monkeypatch.setattr(sent_pictures, "decode_sent", decoder)
    yield decoder
    decoder.go_on.set()


def together(count: int, what: Any) -> tuple[list[threading.Thread], list[str]]:
    """``what`` called so many times at once; what became of each call."""
    ends: list[str] = []

    def one() -> None:
        try:
            what()
            ends.append("taken")
        except PicturesBusy:
            ends.append("busy")

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads, ends


def test_one_picture_is_decoded_at_a_time_and_few_wait(slow: Slow) -> None:
    threads, ends = together(PLACES + 7, lambda: decoded(JPEG))
    eventually(lambda: ends == ["busy"] * 7)
    slow.go_on.set()
    for thread in threads:
        thread.join()
    assert sorted(ends) == ["busy"] * 7 + ["taken"] * PLACES
    assert (slow.begun, slow.most) == (PLACES, 1)


def test_a_picture_of_a_camera_whose_last_one_is_still_decoded_is_not_begun(slow: Slow) -> None:
    camera = BrowserCamera()
    threads, ends = together(10, lambda: camera.offer(JPEG))
    eventually(lambda: ends == ["busy"] * 9)
    assert slow.begun == 1
    slow.go_on.set()
    for thread in threads:
        thread.join()
    camera.offer(JPEG)
    assert slow.begun == 2


def test_a_place_is_free_again_after_a_picture_that_can_not_be_read() -> None:
    camera = BrowserCamera()
    for _ in range(PLACES + 1):
        with pytest.raises(PictureError):
            camera.offer(b"no picture")
    camera.offer(JPEG)
