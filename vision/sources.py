"""From what a user writes after ``--camera`` to a source of frames."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from assistant.told import tell
from vision.file_sources import FolderSource, PictureSource, VideoSource
from vision.frames import Frame, FrameSource, FrozenPicture, SourceError
from vision.image_intake import is_picture
from vision.live_sources import AddressSource, CameraSource, camera_name, masked
from vision.plain_text import one_line

__all__ = [
    "AddressSource",
    "CameraSource",
    "FolderSource",
    "Frame",
    "FrameSource",
    "FrozenPicture",
    "PictureSource",
    "SourceError",
    "VideoSource",
    "open_source",
]

SCHEMES: Final = ("rtsp", "rtsps", "http", "https")
_BARE_ADDRESS: Final = re.compile(r"[^/\\:]+:[^/\\]*@[^/\\]")
"""``anna:secret@10.0.0.7``: no file is meant, and it must not be told as one that is missing."""


def open_source(text: str, *, size: tuple[int, int] = (1280, 720), seconds: float = 1.0) -> FrameSource:
    """The source that ``text`` names, opened: close it, or use it in a ``with`` statement.

    ``text`` is a device index (``0``), a video file, a picture, a folder of pictures, or an ``rtsp://``, ``http://``
    or ``https://`` address. ``size`` is asked of a camera; ``seconds`` lie between the pictures of a folder.
    Raises SourceError.
    """
    source = source_for(text, size=size, seconds=seconds)
    source.open()
    return source


def source_for(
    text: str, *, size: tuple[int, int] = (1280, 720), seconds: float = 1.0, at: Callable[[str], str] | None = None
) -> FrameSource:
    """As ``open_source``, but not opened yet. ``at``: where in the network an address is opened (``AddressSource``).
    Raises SourceError where ``text`` can't name a source."""
    text = text.strip()
    if not text:
        raise SourceError("not-a-source", tell("no camera named: give an index, a video file, a folder or an address"))
    if text == "browser":
        raise SourceError("not-a-source", tell("browser: the page's own camera works with `mournival run` only"))
    if text.isascii() and text.isdecimal():
        if len(text) > 3:
            raise SourceError(
                "no-camera",
                tell(
                    "{name}: there is no such camera; connect it, or choose another in the set-up",
                    name=camera_name(text[:12]),
                ),
            )
        return CameraSource(int(text), size=size)
    scheme, mark, rest = text.partition("://")
    if mark:
        if scheme.lower() not in SCHEMES:
            raise SourceError(
                "bad-address",
                tell("{text}: this kind of address isn't known; use rtsp://, http:// or https://", text=masked(text)),
            )
        if not rest.partition("/")[0].rpartition("@")[2].strip(":"):
            raise SourceError("bad-address", tell("{text}: the address names no computer; check it", text=masked(text)))
        try:
            urlsplit(text).port  # noqa: B018  it is looked at here only to be refused
        except ValueError:
            raise SourceError(
                "bad-address",
                tell(
                    "{text}: the address can't be read; in a password write %2F for /, %3F for ? and %23 for #",
                    text=masked(text),
                ),
            ) from None
        return AddressSource(scheme.lower() + mark + rest, at=at)
    if _BARE_ADDRESS.match(text) and not os.path.exists(text):
        raise SourceError("bad-address", tell("an address with a name and a password begins with rtsp:// or http://"))
    return _from_path(Path(text), seconds)


def _from_path(path: Path, seconds: float) -> FrameSource:
    try:
        if path.is_dir():
            return FolderSource(path, seconds)
        return PictureSource(path) if is_picture(path) else VideoSource(path)
    except (OSError, ValueError) as error:
        raise SourceError(
            "missing-file", tell("{path}: can't be read ({error})", path=one_line(path), error=one_line(error))
        ) from None
