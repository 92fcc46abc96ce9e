"""From what a user writes after ``--camera`` to a source of frames."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vision.file_sources import FolderSource, PictureSource, VideoSource
from vision.frames import Frame, FrameSource, FrozenPicture, SourceError
from vision.image_intake import is_picture
from vision.live_sources import AddressSource, CameraSource, masked
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


def open_source(text: str, *, size: tuple[int, int] = (1280, 720), seconds: float = 1.0) -> FrameSource:
    """The source that ``text`` names, opened: close it, or use it in a ``with`` statement.

    ``text`` is a device index (``0``), a video file, a picture, a folder of pictures, or an ``rtsp://``, ``http://``
    or ``https://`` address. ``size`` is asked of a camera; ``seconds`` lie between the pictures of a folder.
    Raises SourceError.
    """
    source = source_for(text, size=size, seconds=seconds)
    source.open()
    return source


def source_for(text: str, *, size: tuple[int, int] = (1280, 720), seconds: float = 1.0) -> FrameSource:
    """As ``open_source``, but not opened yet. Raises SourceError where ``text`` can't name a source."""
    text = text.strip()
    if not text:
        raise SourceError("not-a-source", "no camera named: give an index, a video file, a folder or an address")
    if text == "browser":
        raise SourceError("not-a-source", "browser: the page's own camera works with `mournival run` only")
    if text.isascii() and text.isdecimal():
        if len(text) > 3:
            raise SourceError("no-camera", f"camera {text[:12]}: there is no such camera; see `mournival cameras`")
        return CameraSource(int(text), size=size)
    scheme, mark, rest = text.partition("://")
    if mark:
        if scheme.lower() not in SCHEMES:
            raise SourceError(
                "bad-address", f"{masked(text)}: this kind of address isn't known; use rtsp://, http:// or https://"
            )
        if not rest.partition("/")[0].rpartition("@")[2].strip(":"):
            raise SourceError("bad-address", f"{masked(text)}: the address names no computer; check it")
        return AddressSource(scheme.lower() + mark + rest)
    return _from_path(Path(text), seconds)


def _from_path(path: Path, seconds: float) -> FrameSource:
    try:
        if path.is_dir():
            return FolderSource(path, seconds)
        return PictureSource(path) if is_picture(path) else VideoSource(path)
    except (OSError, ValueError) as error:
        raise SourceError("missing-file", f"{one_line(path)}: can't be read ({one_line(error)})") from None
