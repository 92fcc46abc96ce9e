"""The page's own camera as a source of frames: the browser sends pictures, the table watch takes the newest."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from vision.clock import SYSTEM, Clock
from vision.frames import Frame, OpenCloseSource, SourceError
from vision.image_intake import decode_picture
from vision.recogniser import Image


class BrowserCamera(OpenCloseSource):
    """Pictures arrive by ``offer``; only the newest waits, so a slow reader never looks at old ones.

    ``patience`` is how long (seconds) no picture may come before the source counts as lost; ``t`` is the
    steady clock's. It can be opened again after it was lost.
    """

    live = True

    def __init__(self, patience: float = 8.0, *, clock: Clock = SYSTEM) -> None:
        super().__init__("the page's camera")
        self._patience = patience
        self._clock = clock
        self._news = threading.Condition()
        self._newest: Image | None = None
        self._count = 0
        self._closed = False

    def offer(self, jpeg: bytes) -> None:
        """Take a picture as the browser sent it. Raises PictureError (one line)."""
        image = decode_picture(jpeg, name="the picture of the page's camera")
        with self._news:
            self._newest = image
            self._news.notify_all()

    def open(self) -> None:
        self._closed = False

    def __iter__(self) -> Iterator[Frame]:
        while not self._closed:
            with self._news:
                if self._newest is None and not self._closed:
                    self._clock.wait(self._news, self._patience)
                image, self._newest = self._newest, None
            if self._closed:
                return
            if image is None:
                raise SourceError("stalled", "no picture from the page's camera: open the page and allow its camera")
            yield Frame(self._count, self._clock.steady(), image)
            self._count += 1

    def close(self) -> None:
        with self._news:
            self._closed = True
            self._news.notify_all()
