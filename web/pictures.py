"""The newest pictures of the table, as the browsers ask for them: encoded once, however many browsers look."""

from __future__ import annotations

import threading
from typing import Final

import cv2
import numpy as np

from vision.recogniser import Image

KEPT: Final = 4
MAX_WIDTH: Final = 1280
QUALITY: Final = 82


class Pictures:
    """Keeps the last few frames by number. Thread-safe; a frame is encoded when the first browser asks for it."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._frames: dict[int, Image | bytes] = {}

    def put(self, number: int, image: Image) -> None:
        """Keep the frame; the oldest one beyond ``KEPT`` is forgotten. The image must not change any more."""
        with self._mutex:
            self._frames[number] = image
            while len(self._frames) > KEPT:
                del self._frames[min(self._frames)]

    def forget(self) -> None:
        """Keep none of them any more: they show another table."""
        with self._mutex:
            self._frames.clear()

    def jpeg(self, number: int | None = None) -> tuple[int, bytes] | None:
        """The frame with this number, or the newest where it is gone or None; its number and the JPEG."""
        with self._mutex:
            if not self._frames:
                return None
            found = number if number in self._frames else max(self._frames)
            held = self._frames[found]
            if isinstance(held, bytes):
                return found, held
            encoded = _encode(held)
            self._frames[found] = encoded
            return found, encoded


def _encode(image: Image) -> bytes:
    height, width = image.shape[:2]
    if width > MAX_WIDTH:
        image = np.asarray(
            cv2.resize(image, (MAX_WIDTH, max(1, round(height * MAX_WIDTH / width))), interpolation=cv2.INTER_AREA),
            dtype=np.uint8,
        )
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if done else b""
