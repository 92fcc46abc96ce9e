"""Frames from files: a video, a folder of pictures, a single picture."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import av
import av.error
import numpy as np

from assistant.told import Told, tell, words_of
from vision.containers import open_container
from vision.frames import Frame, OpenCloseSource, SourceError
from vision.image_intake import MAX_PIXELS, PICTURE_SUFFIXES, PictureError, read_picture
from vision.plain_text import one_line
from vision.recogniser import Image

_CONTAINERS: Final = "mov,matroska,avi,mpegts,mpeg,mpegvideo,h264,hevc,flv,asf,ogg,ivf,m4v,dv,nut,gif,mjpeg"
"""Real video only: FFmpeg would also take playlists, which lead elsewhere, and plain text."""

_CUT_SHORT_BY: Final = 1.0
"""Seconds that may be missing at a video's end, because containers round their length."""


class VideoSource(OpenCloseSource):
    """A video file; ``t`` is the video's own time from its first picture, and every frame is given.

    A file that ends in the middle gives all that is there and then sets ``cut_short``. Turned phone videos are set
    upright.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(one_line(os.fspath(path)))
        self._path = Path(path)
        self._container: Any = None
        self._closed = False
        self._iterating = False

    def open(self) -> None:
        """Raises SourceError: missing, not a video, no picture in it, too large."""
        if self._container is not None:
            return
        _check_file(self._path, self.name)
        options = {"protocol_whitelist": "file", "format_whitelist": _CONTAINERS}
        try:
            container = open_container(os.fspath(self._path.absolute()), options)
        except (av.error.FFmpegError, OSError, ValueError):
            raise SourceError(
                "not-a-video", tell("{name}: {wrong}", name=self.name, wrong=_what_is_wrong(self._path))
            ) from None
        if not container.streams.video:
            container.close()
            raise SourceError(
                "not-a-video", tell("{name}: there is no picture in this file; name a video", name=self.name)
            )
        stream = container.streams.video[0]
        if (stream.width or 0) * (stream.height or 0) > MAX_PIXELS:
            container.close()
            raise SourceError(
                "not-a-video",
                tell(
                    "{name}: {width} x {height} is too large; record it smaller",
                    name=self.name,
                    width=stream.width,
                    height=stream.height,
                ),
            )
        stream.thread_type = "AUTO"
        self._container, self._closed = container, False

    @property
    def duration(self) -> float | None:
        """The length in seconds that the file states; None where it does not."""
        self.open()
        length = self._container.duration
        return None if length is None else float(length / av.time_base)

    def __iter__(self) -> Iterator[Frame]:
        self.open()
        self._iterating = True
        try:
            yield from self._frames()
        finally:
            self._iterating = False
            self._release()

    def _frames(self) -> Iterator[Frame]:
        container, length = self._container, self.duration
        rate = float(container.streams.video[0].average_rate or 25)
        index, before, t = 0, None, 0.0
        broken = False
        packets = container.demux(container.streams.video[0])
        while not self._closed:
            try:
                packet = next(packets)
            except StopIteration:
                break
            except (av.error.FFmpegError, OSError):
                broken = True
                break
            try:
                pictures = packet.decode()
            except av.error.FFmpegError:
                broken = True
                continue  # a later picture may be whole again
            for picture in pictures:
                own = index / rate if picture.time is None else float(picture.time)
                if before is not None:  # a clock that was set back goes on from where it was
                    t += own - before if own >= before else 1 / rate
                before = own
                yield Frame(index, t, _upright(picture))
                index += 1
        if self._closed:
            return
        if index == 0:
            raise SourceError(
                "not-a-video", tell("{name}: no picture of this video can be read; record it again", name=self.name)
            )
        if length is not None and t + _CUT_SHORT_BY + 1 / rate < length:
            self.cut_short = tell(
                "{name}: the video ends in the middle, at {t} s of {length} s; what came before counts",
                name=self.name,
                t=round(t, 1),
                length=round(length, 1),
            )
        elif broken:
            self.cut_short = tell(
                "{name}: parts of the video are damaged and were left out; what could be read counts", name=self.name
            )

    def close(self) -> None:
        self._closed = True
        if not self._iterating:  # a decoder at work must not lose its container: the loop closes it then
            self._release()

    def _release(self) -> None:
        container, self._container = self._container, None
        if container is not None:
            container.close()


class FolderSource(OpenCloseSource):
    """A folder of pictures in the order of their names (``2.jpg`` before ``10.jpg``), ``seconds`` apart.

    A picture that can't be read is left out and noted in ``skipped``.
    """

    def __init__(self, path: str | os.PathLike[str], seconds: float = 1.0) -> None:
        super().__init__(one_line(os.fspath(path)))
        self._path = Path(path)
        self._seconds = seconds
        self._files: list[Path] | None = None

    def open(self) -> None:
        """Raises SourceError: missing, may not be read, no pictures in it."""
        if self._files is not None:
            return
        self._files = pictures_in(self._path)

    def __iter__(self) -> Iterator[Frame]:
        self.open()
        assert self._files is not None
        shown = 0
        for index, path in enumerate(self._files):
            try:
                image = read_picture(path)
            except PictureError as error:
                self.skipped.append(words_of(error))
                continue
            shown += 1
            yield Frame(index, index * self._seconds, image)
        if not shown:
            raise SourceError(
                "bad-picture",
                tell("{name}: none of its pictures can be read ({why})", name=self.name, why=self.skipped[0]),
            )


def pictures_in(folder: Path) -> list[Path]:
    """The pictures in a folder in the order of their names (``2.jpg`` before ``10.jpg``). Raises SourceError."""
    name = one_line(os.fspath(folder))
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
    except OSError as error:
        reason = one_line(error.strerror or error)
        raise SourceError(
            "missing-file", tell("{name}: can't be read ({reason}); check the folder", name=name, reason=reason)
        ) from None
    if not found:
        raise SourceError(
            "empty-folder", tell("{name}: no pictures in this folder; put JPEG, PNG or WebP files there", name=name)
        )
    return sorted(found, key=_by_number)


class PictureSource(OpenCloseSource):
    """A single picture: one frame at 0 s."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(one_line(os.fspath(path)))
        self._path = Path(path)
        self._image: Image | None = None

    def open(self) -> None:
        """Raises SourceError for a picture that can't be decoded."""
        if self._image is None:
            try:
                self._image = read_picture(self._path)
            except PictureError as error:
                raise SourceError("bad-picture", words_of(error)) from None

    def __iter__(self) -> Iterator[Frame]:
        self.open()
        assert self._image is not None
        yield Frame(0, 0.0, self._image)


def _check_file(path: Path, name: str) -> None:
    try:
        if not path.exists():
            raise SourceError("missing-file", tell("{name}: no such file; check the name", name=name))
        if not path.is_file():
            raise SourceError("missing-file", tell("{name}: is no ordinary file; name a video or a picture", name=name))
        with path.open("rb") as file:
            empty = not file.read(1)
    except (OSError, ValueError) as error:
        reason = one_line(getattr(error, "strerror", None) or error)
        raise SourceError(
            "missing-file",
            tell("{name}: can't be read ({reason}); check the name and permissions", name=name, reason=reason),
        ) from None
    if empty:
        raise SourceError("not-a-video", tell("{name}: the file is empty; name another", name=name))


def _what_is_wrong(path: Path) -> Told:
    with path.open("rb") as file:
        start = file.read(12)
    if start[4:8] == b"ftyp" or start[:4] == b"\x1aE\xdf\xa3":  # the marks of MP4 and Matroska
        return tell("the video is cut off or damaged and can't be opened; copy or record it again")
    return tell("is neither a video nor a picture that can be read; name another file")


def _upright(picture: Any) -> Image:
    """A decoded picture as BGR, turned as its display matrix says (degrees against the clock)."""
    image: Image = picture.to_ndarray(format="bgr24")
    turns = round(picture.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, turns)) if turns else image


def _by_number(path: Path) -> list[tuple[int, int, str]]:
    """A sort key that reads numbers as numbers."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]
