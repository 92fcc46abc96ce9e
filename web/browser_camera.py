"""Pictures that a browser sends as a source of frames: a camera that runs, or photographs taken one by one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

from assistant.told import tell
from vision.clock import SYSTEM, Clock
from vision.frames import Frame, OpenCloseSource, SourceError
from vision.recogniser import Image
from web.sent_pictures import PicturesBusy, decoded

LOOKED_AT_S: Final = 2.5
"""For so long a photograph is looked at again and again: a card counts once it was read several times."""
_AGAIN_S, _THEN_S = 0.25, 1.0


class SentPictures(OpenCloseSource):
    """Pictures arrive by ``offer``; only the newest waits, so a slow reader never looks at old ones.

    ``sender`` names the one page whose pictures are taken, lest two cameras are mixed; empty: the first that sends.
    """

    live = True

    def __init__(self, name: str, *, sender: str = "", clock: Clock = SYSTEM) -> None:
        super().__init__(name)
        self.sender = sender
        self._anybody = not sender
        self._clock = clock
        self._news = threading.Condition()
        self._decoding = threading.Lock()
        self._newest: Image | None = None
        self._came_at: float | None = None
        self._count = 0
        self._closed = False

    @property
    def frame_age(self) -> float | None:
        """Seconds since the newest picture came; None before the first one."""
        came_at = self._came_at
        return None if came_at is None else self._clock.steady() - came_at

    def takes(self, sender: str) -> bool:
        """Whether this page's pictures are taken."""
        with self._news:
            if self._anybody and not self.sender:
                self.sender = sender
            return self.sender == sender

    def offer(self, jpeg: bytes) -> None:
        """Take a picture as the browser sent it. Raises PictureError (one line), and PicturesBusy where the one before
        is still being decoded."""
        if not self._decoding.acquire(blocking=False):
            raise PicturesBusy
        try:
            image = decoded(jpeg, name=tell("the picture of the page's camera"))
        finally:
            self._decoding.release()
        with self._news:
            self._newest, self._came_at = image, self._clock.steady()
            self._news.notify_all()

    def open(self) -> None:
        self._closed = False

    def close(self) -> None:
        with self._news:
            self._closed = True
            self._news.notify_all()


class BrowserCamera(SentPictures):
    """A browser's camera. ``patience`` is how long (seconds) no picture may come before it counts as lost; ``t`` is
    the steady clock's. It can be opened again after it was lost."""

    def __init__(self, patience: float = 4.0, *, sender: str = "", clock: Clock = SYSTEM) -> None:
        super().__init__(tell("the page's camera"), sender=sender, clock=clock)
        self._patience = patience
        self._gone = self._off = False

    def offer(self, jpeg: bytes) -> None:
        """See ``SentPictures``; whoever sends is there again."""
        super().offer(jpeg)
        self._gone = self._off = False

    def gone(self) -> None:
        """The browser says that it sends no more."""
        with self._news:
            self._gone = self._off = True
            self._news.notify_all()

    def __iter__(self) -> Iterator[Frame]:
        while not self._closed:
            with self._news:
                if self._newest is None and not self._closed and not self._gone:
                    self._clock.wait(self._news, self._patience)
                image, self._newest = self._newest, None
                self._gone = self._gone and image is not None
                if image is None and self._anybody:
                    self.sender = ""
            if self._closed:
                return
            if image is None:
                said = tell("it was switched off") if self._off else tell("no picture comes from it")
                raise SourceError(
                    "stalled", tell("the page's camera: {said}; start it again on the page that lends it", said=said)
                )
            yield Frame(self._count, self._clock.steady(), image)
            self._count += 1


class Photographs(SentPictures):
    """Photographs of the table, taken one by one: each stands for the table until the next one comes.

    ``name`` is the same for all; a frame's ``index`` is the photograph's number.
    """

    def __init__(self, *, sender: str = "", clock: Clock = SYSTEM) -> None:
        super().__init__(tell("photographs"), sender=sender, clock=clock)

    def __iter__(self) -> Iterator[Frame]:
        image: Image | None = None
        until = 0.0
        while not self._closed:
            with self._news:
                if self._newest is None and not self._closed:
                    busy = image is not None and self._clock.steady() < until
                    self._clock.wait(self._news, _AGAIN_S if busy else _THEN_S)
                new, self._newest = self._newest, None
            if self._closed:
                return
            if new is not None:
                image, until = new, self._clock.steady() + LOOKED_AT_S
                self._count += 1
            if image is not None:
                yield Frame(self._count, self._clock.steady(), image)
