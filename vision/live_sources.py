"""Frames that come in their own time: a camera at this computer, a stream from the network.

Reading happens in a thread of its own that keeps only the newest picture, so that a slow reader never looks at old
pictures and a device that hangs never hangs the program.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlsplit, urlunsplit

import av
import av.error
import cv2
import numpy as np

from assistant.told import tell
from vision.clock import SYSTEM, Clock
from vision.containers import open_container
from vision.frames import Frame, OpenCloseSource, SourceError
from vision.image_intake import MAX_PIXELS
from vision.plain_text import one_line
from vision.recogniser import Image

_PROTOCOLS: Final = "http,https,httpproxy,tcp,tls,udp,rtp,rtsp,rtsps,srtp,crypto"
"""What a stream may use; files of this computer are not among it."""

_FORMATS: Final = "rtsp,mpjpeg,mjpeg,jpeg_pipe,png_pipe,mpegts,mov,mp4,matroska,webm,flv,avi,asf,ogg,nut,h264,hevc,m4v"
"""What a camera may send that leads nowhere else; lists of addresses (``hls``, ``dash``, ``sdp``) are not among it."""

_SECRET: Final = re.compile(r"[:=&]|pass|pwd|token|secret|auth", re.IGNORECASE)
"""In a part of an address's path: some cameras want name and password there (``/user=anna_password=...``)."""

_READ_TRIES: Final = 25
"""Failed reads of a camera in a row (about a second) after which it counts as gone."""

_MOST_HANGING: Final = 3
"""Readers of one source that may hang in its driver at a time."""


class Device(Protocol):
    """What delivers pictures one by one; both calls may block."""

    def read(self) -> Image:
        """The next picture. Raises SourceError when there will be no more."""
        ...

    def close(self) -> None: ...


class LiveSource(OpenCloseSource):
    """A source that runs by itself: a thread reads, whoever iterates gets the newest picture not yet given.

    ``t`` is the steady clock at the moment of reading. If no picture comes for ``patience`` seconds (the first one
    may take ``first_patience``) iterating raises SourceError ``stalled``. It can be opened again after it was lost.
    A reader that hangs in the driver is left behind after ``join_for`` seconds, until the driver lets it go; while too
    many of them hang, opening raises SourceError ``stalled``, so that threads and open devices do not pile up.
    """

    live = True

    def __init__(
        self,
        name: str,
        connect: Callable[[], Device],
        *,
        patience: float = 5.0,
        first_patience: float = 20.0,
        join_for: float = 2.0,
        clock: Clock = SYSTEM,
    ) -> None:
        super().__init__(name)
        self._connect = connect
        self._patience = patience
        self._first_patience = first_patience
        self._join_for = join_for
        self._clock = clock
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._failure: SourceError | None = None
        self._thread: threading.Thread | None = None
        self._hanging: list[threading.Thread] = []
        self._stop = threading.Event()

    def open(self) -> None:
        """Connect and wait for the first picture. Raises SourceError."""
        if self._thread is not None:
            return
        self._hanging = [thread for thread in self._hanging if thread.is_alive()]
        if len(self._hanging) >= _MOST_HANGING:
            raise SourceError(
                "stalled", tell("{name}: it hangs; pull its plug, wait a moment and plug it in again", name=self.name)
            )
        self._stop = threading.Event()
        self._newest, self._failure = None, None
        thread = threading.Thread(target=self._read_on, args=(self._stop,), name=f"frames of {self.name}", daemon=True)
        thread.start()
        self._thread = thread  # only now: whoever closes the source meanwhile waits for no thread that never began
        try:
            self._wait_for(-1, self._first_patience)
        except SourceError:
            self.close()
            raise

    @property
    def frame_age(self) -> float | None:
        """Seconds since the newest picture came; None before the first one."""
        with self._news:
            return None if self._newest is None else self._clock.steady() - self._newest.t

    def __iter__(self) -> Iterator[Frame]:
        self.open()
        last = -1
        while True:
            frame = self._wait_for(last, self._patience)
            if frame is None:
                return
            last = frame.index
            yield frame

    def close(self) -> None:
        self._stop.set()
        with self._news:
            self._news.notify_all()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(self._join_for)
            if thread.is_alive():  # It hangs in the driver; it is a daemon.
                self._hanging.append(thread)

    def _wait_for(self, last: int, patience: float) -> Frame | None:
        """The newest picture after ``last``; None once closed. Pictures already read come before a failure."""
        stop, deadline = self._stop, self._clock.steady() + patience
        with self._news:
            while True:
                if stop.is_set():
                    return None
                if self._newest is not None and self._newest.index > last:
                    return self._newest
                if self._failure is not None:
                    raise self._failure
                left = deadline - self._clock.steady()
                if left <= 0:
                    raise SourceError(
                        "stalled",
                        tell(
                            "{name}: no picture for {patience} s; check the camera and its cable",
                            name=self.name,
                            patience=f"{patience:.0f}",
                        ),
                    )
                self._clock.wait(self._news, left)

    def _read_on(self, stop: threading.Event) -> None:
        device: Device | None = None
        try:
            device = self._connect()
            index = 0
            while not stop.is_set():
                image = device.read()
                with self._news:
                    if stop.is_set():
                        break
                    self._newest = Frame(index, self._clock.steady(), image)
                    self._news.notify_all()
                index += 1
        except SourceError as error:
            self._fail(error, stop)
        except Exception as error:  # a driver's own error must not end the thread in silence
            self._fail(
                SourceError(
                    "camera-lost", tell("{name}: {error}; connect it again", name=self.name, error=one_line(error))
                ),
                stop,
            )
        finally:
            if device is not None:
                device.close()

    def _fail(self, error: SourceError, stop: threading.Event) -> None:
        with self._news:
            if not stop.is_set():
                self._failure = error
                self._news.notify_all()


def camera_name(index: int | str) -> str:
    """What messages call a camera of this computer.

    >>> camera_name(1)
    'camera 1'
    """
    return tell("camera {index}", index=index)


class CameraSource(LiveSource):
    """A camera at this computer, by its index. MJPG at 1280x720 is asked for; the camera may give another size."""

    def __init__(self, index: int, *, size: tuple[int, int] = (1280, 720), patience: float = 5.0) -> None:
        super().__init__(camera_name(index), lambda: _Camera(index, size), patience=patience)
        self.index = index


class AddressSource(LiveSource):
    """A stream from the network: ``rtsp://``, ``http://`` or ``https://``. Passwords never show in messages.

    ``at`` gives the number of the computer with this name, or raises SourceError. It is asked at each opening, the
    computer is opened at that very number, and is followed nowhere else: no redirection, no list of other addresses.
    """

    def __init__(self, address: str, *, patience: float = 8.0, at: Callable[[str], str] | None = None) -> None:
        super().__init__(
            masked(address), lambda: _Stream(address, patience, at), patience=patience, first_patience=patience + 4.0
        )


def masked(address: str) -> str:
    """The address without what may be secret: user, password, query, and parts of the path that look like either.

    Where it can't be told how far the password goes, nothing but the scheme is left. A file's address holds none.

    >>> masked("rtsp://anna:secret@10.0.0.7:554/stream?token=1")
    'rtsp://***@10.0.0.7:554/stream?***'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = None
    if parts is None or "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return one_line(address.partition("://")[0] + "://***")
    if parts.scheme == "file" and not parts.netloc:
        return one_line(address)
    place = parts.netloc.rpartition("@")[2]
    if place != parts.netloc:
        place = "***@" + place
    path = "/".join("***" if _SECRET.search(part) else part for part in parts.path.split("/"))
    return one_line(urlunsplit((parts.scheme, place, path, "***" if parts.query else "", "")))


def quieten_opencv() -> None:
    """Keep OpenCV's own remarks about missing cameras off standard error."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    set_level: Any = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel  # 4 and 5 differ
    set_level(0)


def capture_backend() -> int:
    """OpenCV's way to the cameras of this system; on Windows DirectShow, which opens far faster than the default."""
    return {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}.get(
        sys.platform, cv2.CAP_ANY
    )


class _Camera:
    """An open camera."""

    def __init__(self, index: int, size: tuple[int, int]) -> None:
        """Raises SourceError: no such camera, may not be used, busy."""
        self._name = camera_name(index)
        quieten_opencv()
        _check_device(index, self._name)
        self._capture = cv2.VideoCapture(index, capture_backend())
        if not self._capture.isOpened():
            raise SourceError(
                "no-camera" if sys.platform != "linux" else "camera-busy",
                tell(
                    "{name}: can't be opened; connect it, close other programs that use it, or choose another in the "
                    "set-up",
                    name=self._name,
                ),
            )
        for setting, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._capture.set(setting, value)
        self._any = False

    def read(self) -> Image:
        for _ in range(_READ_TRIES):
            good, picture = self._capture.read()
            if good and picture is not None and picture.size:
                self._any = True
                return np.asarray(picture, dtype=np.uint8)
            time.sleep(0.04)
        if self._any:
            raise SourceError("camera-lost", tell("{name}: gives no more pictures; plug it in again", name=self._name))
        raise SourceError(
            "camera-busy", tell("{name}: gives no picture; close other programs that use it", name=self._name)
        )

    def close(self) -> None:
        self._capture.release()


def _check_device(index: int, name: str) -> None:
    """On Linux the device file tells more than OpenCV does."""
    if sys.platform != "linux":
        return
    device = Path(f"/dev/video{index}")
    if not device.exists():
        raise SourceError(
            "no-camera",
            tell("{name}: there is no such camera; connect it, or choose another in the set-up", name=name),
        )
    if not os.access(device, os.R_OK | os.W_OK):
        raise SourceError(
            "no-camera",
            tell("{name}: {device} may not be used; add your user to the group 'video'", name=name, device=device),
        )


class _Stream:
    """An open network stream."""

    def __init__(self, address: str, patience: float, at: Callable[[str], str] | None = None) -> None:
        """Raises SourceError: no answer, refused, no picture in it."""
        self._name = masked(address)
        options = {"protocol_whitelist": _PROTOCOLS, "rtsp_transport": "tcp", "fflags": "nobuffer"}
        if at is not None:
            address, host = _at_number(address, at)
            options |= {"max_redirects": "0", "format_whitelist": _FORMATS, "headers": f"Host: {host}\r\n"}
        try:
            self._container = open_container(address, options, patience)
        except (av.error.FFmpegError, OSError, ValueError) as error:
            raise SourceError(
                "no-answer",
                tell("{name}: {error}; check the address and the camera", name=self._name, error=_why(error)),
            ) from None
        if not self._container.streams.video:
            self._container.close()
            raise SourceError(
                "no-answer", tell("{name}: no picture comes from there; check the address", name=self._name)
            )
        stream = self._container.streams.video[0]
        stream.thread_type = "SLICE"  # frame threads would hold pictures back
        self._pictures = self._container.decode(stream)

    def read(self) -> Image:
        for _ in range(_READ_TRIES):
            try:
                picture = next(self._pictures)
            except (StopIteration, EOFError):
                raise SourceError(
                    "camera-lost", tell("{name}: the stream has ended; start it again", name=self._name)
                ) from None
            except av.error.InvalidDataError:
                continue
            except (av.error.FFmpegError, OSError) as error:
                raise SourceError(
                    "camera-lost", tell("{name}: {error}; check the camera", name=self._name, error=_why(error))
                ) from None
            if picture.width * picture.height > MAX_PIXELS:
                raise SourceError(
                    "no-answer",
                    tell(
                        "{name}: {width} x {height} is too large; set the camera lower",
                        name=self._name,
                        width=picture.width,
                        height=picture.height,
                    ),
                )
            return np.asarray(picture.to_ndarray(format="bgr24"), dtype=np.uint8)
        raise SourceError("camera-lost", tell("{name}: the stream is damaged; start it again", name=self._name))

    def close(self) -> None:
        self._container.close()


def _at_number(address: str, at: Callable[[str], str]) -> tuple[str, str]:
    """The address with the computer's number in the place of its name, and how it calls itself, with its port."""
    parts = urlsplit(address)
    user, mark, called = parts.netloc.rpartition("@")
    number = at(parts.hostname or "")
    port = "" if parts.port is None else f":{parts.port}"
    place = (f"[{number}]" if ":" in number else number) + port
    return urlunsplit((parts.scheme, user + mark + place, *parts[2:])), called


def _why(error: Exception) -> str:
    """The reason without the address, which may hold a password."""
    if isinstance(error, av.error.ExitError):
        return tell("no answer in time")
    if isinstance(error, av.error.HTTPUnauthorizedError):
        return tell("name or password is wrong")
    if isinstance(error, av.error.InvalidDataError):
        return tell("what comes from there is no video")
    return one_line(getattr(error, "strerror", None) or type(error).__name__).lower()
