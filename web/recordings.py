"""The recordings that can be followed instead of a camera: one folder, into which they are put by hand or by upload."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from assistant.told import Told, later, tell, words_of
from vision.file_sources import VideoSource
from vision.frames import SourceError
from vision.image_intake import PICTURE_SUFFIXES, PictureError, is_picture, read_picture

FOLDER_NAME: Final = "recordings"
MAX_UPLOAD: Final = 150_000_000
"""Bytes of one file that is sent by a browser; a larger one is put into the folder by hand."""
AT_A_TIME: Final = 2
KEPT: Final = 12
"""Uploads that there may be; what was put into the folder by hand does not count. Nothing goes by itself."""
VIDEO_SUFFIXES: Final = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mjpeg", ".mpg", ".ts"})
_PIECE: Final = 256 * 1024
_MOST_PICTURES: Final = 2000
_UPLOADED: Final = "upload-"
_BAD_LETTER: Final = re.compile(r"[^\w .()-]+")
_ALBUM: Final = re.compile(r"upload-[\w .()-]{1,80}")


class NotTaken(ValueError):
    """An upload that is not taken, in one line. ``code``: ``too-large``, ``too-many``, ``busy``, ``no-room``,
    ``bad-file``."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Body(Protocol):
    """What an upload is read from, piece by piece."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Recording:
    """A video, or a folder of so many ``pictures`` (0 for a video). ``name`` is its name in the folder."""

    name: str
    pictures: int = 0

    @property
    def uploaded(self) -> bool:
        """Whether a browser sent it."""
        return self.name.startswith(_UPLOADED)


class Recordings:
    """The folder of recordings below the data folder. Nothing outside of it can be named. Thread-safe."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER_NAME
        self._places = threading.BoundedSemaphore(AT_A_TIME)
        self._mutex = threading.Lock()

    def all(self) -> list[Recording]:
        """What lies there, by name."""
        found = []
        with suppress(OSError):
            for entry in os.scandir(self.folder):
                recording = None if entry.name.startswith(".") else _recording(Path(entry.path))
                if recording is not None:
                    found.append(recording)
        return sorted(found, key=lambda one: one.name.casefold())

    def path(self, name: str) -> Path | None:
        """Where the recording of this name lies; None where there is none."""
        return self.folder / name if any(one.name == name for one in self.all()) else None

    def take(self, name: str, size: int | None, body: Body, album: str = "") -> str:
        """Keep what a browser sends as a file called ``name``, of ``size`` bytes, and give its name in the folder.

        ``album``: the name that an earlier picture was given, to keep pictures together. Raises NotTaken, and nothing
        of the file is left then; what is too large is refused before any of it is read.
        """
        shown = _clean(name)
        if size is None:
            raise NotTaken("bad-file", tell("{shown}: its size was not told; choose it again", shown=shown))
        if size > MAX_UPLOAD:
            pattern = later(
                "{shown}: {size} is too large to be sent, at most {most} are taken: "
                "put it into {folder} and choose it there"
            )
            values = {"shown": shown, "size": _told(size), "most": _told(MAX_UPLOAD), "folder": self.folder}
            raise NotTaken("too-large", tell(pattern, **values))
        if not album:
            self._look_for_room(shown)
        with self._place(shown):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                if shutil.disk_usage(self.folder).free < 2 * size + 50_000_000:
                    raise NotTaken(
                        "no-room", tell("{shown}: there is no room on the disk; delete something there", shown=shown)
                    )
                rough = self.folder / f".{secrets.token_hex(8)}"
                try:
                    _write(rough, shown, size, body)
                    return self._keep(rough, shown, album)
                finally:
                    rough.unlink(missing_ok=True)
            except OSError as error:
                raise NotTaken(
                    "no-room",
                    tell("{shown}: can't be stored ({strerror}): make room", shown=shown, strerror=error.strerror),
                ) from None

    @contextmanager
    def _place(self, name: str) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise NotTaken("busy", tell("{name}: other files are being sent; send it when they are through", name=name))
        try:
            yield
        finally:
            self._places.release()

    def _keep(self, rough: Path, name: str, album: str) -> str:
        """Give the checked file its place."""
        picture = is_picture(rough)
        _check(rough, name, picture)
        with self._mutex:
            if not picture or not album:
                self._look_for_room(name)
            if not picture:
                kept = self._free(f"{_UPLOADED}{name}")
                os.replace(rough, self.folder / kept)
                return kept
            if album and not (_ALBUM.fullmatch(album) and (self.folder / album).is_dir()):
                raise NotTaken("bad-file", tell("there is no such upload: choose the pictures again"))
            if not album:
                album = self._free(f"{_UPLOADED}{Path(name).stem}")
                (self.folder / album).mkdir()
            count = sum(1 for _ in (self.folder / album).iterdir())
            if count >= _MOST_PICTURES:
                raise NotTaken(
                    "bad-file",
                    tell("at most {most} pictures are kept together", most=_MOST_PICTURES),
                )
            suffix = Path(name).suffix.lower()
            os.replace(rough, self.folder / album / f"{count + 1:05}{suffix if suffix in PICTURE_SUFFIXES else '.jpg'}")
            return album

    def _free(self, name: str) -> str:
        """The name, or with a number where something is called so."""
        stem, suffix = Path(name).stem, Path(name).suffix
        names = (name if n == 1 else f"{stem} ({n}){suffix}" for n in range(1, 1000))
        return next(one for one in names if not (self.folder / one).exists())

    def _look_for_room(self, name: str) -> None:
        """Raises NotTaken where there are as many uploads as there may be."""
        count = sum(1 for one in self.all() if one.uploaded)
        if count >= KEPT:
            pattern = later("{name}: {count} files that were sent are there already; delete one that is not needed")
            raise NotTaken("too-many", tell(pattern, name=name, count=count))

    def delete(self, name: str) -> bool:
        """Remove an upload; whether there was one of that name. What was put there by hand stays."""
        with self._mutex:
            path = self.path(name) if name.startswith(_UPLOADED) else None
            if path is not None:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
            return path is not None


def _recording(path: Path) -> Recording | None:
    try:
        if path.is_dir():
            pictures = sum(1 for one in path.iterdir() if one.suffix.lower() in PICTURE_SUFFIXES)
            return Recording(path.name, pictures) if pictures else None
        return Recording(path.name) if path.is_file() and path.suffix.lower() in VIDEO_SUFFIXES else None
    except OSError:
        return None


def _write(path: Path, name: str, size: int, body: Body) -> None:
    left = size
    with path.open("wb") as file:
        while left:
            piece = body.read(min(_PIECE, left))
            if not piece:
                raise NotTaken("bad-file", tell("{name}: it was cut off on its way; send it again", name=name))
            file.write(piece)
            left -= len(piece)


def _check(path: Path, name: str, picture: bool) -> None:
    """Whether it is what it must be. Raises NotTaken."""
    try:
        if picture:
            read_picture(path)
            return
        with VideoSource(path) as video:
            next(iter(video), None)
    except (PictureError, SourceError) as error:
        raise NotTaken("bad-file", _renamed(words_of(error), path, name)) from None
    if Path(name).suffix.lower() not in VIDEO_SUFFIXES:
        raise NotTaken(
            "bad-file", tell("{name}: is a video by another name; give it its own ending, such as .mp4", name=name)
        )


def _clean(name: str) -> str:
    """A file's name without folders and odd letters."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return _BAD_LETTER.sub("_", last)[-60:].strip(" .") or "file"


def _told(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB"


def _renamed(words: str, path: Path, name: str) -> str:
    """What is said of the file at ``path``, with the name that its sender knows."""
    if isinstance(words, Told):
        return tell(words.pattern, **{**words.values, "name": name})
    return words.replace(str(path), name)
