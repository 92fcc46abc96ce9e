"""Pictures that browsers send: one at a time is decoded in the whole program, so that many of them take little memory
and keep nobody waiting."""

from __future__ import annotations

import threading
from typing import Final

from assistant.told import Told, tell
from vision.image_intake import THE_PICTURE, decode_sent
from vision.recogniser import Image

PLACES: Final = 3
"""Pictures that are decoded or wait for it."""

_places: Final = threading.BoundedSemaphore(PLACES)
_one: Final = threading.Lock()


class PicturesBusy(Exception):
    """So many pictures wait already that this one is not looked at; a moment later it may be."""

    def __init__(self) -> None:
        super().__init__(tell("another picture is being read just now: try again in a moment"))


def decoded(data: bytes, *, name: str | Told = THE_PICTURE) -> Image:
    """The picture that somebody sent, a JPEG; ``name`` is what messages call it. Raises PictureError, and PicturesBusy
    before anything is decoded."""
    if not _places.acquire(blocking=False):
        raise PicturesBusy
    try:
        with _one:
            return decode_sent(data, name=name)
    finally:
        _places.release()
