"""Which cameras this computer has."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from vision.live_sources import capture_backend, quieten_opencv

_ASKED: Final = ((640, 480), (1280, 720), (1920, 1080))
_PROBED: Final = 6


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera: the index that ``--camera`` takes, its name, and the sizes that it gives (width, height).

    ``sizes`` is empty where the camera is there but can't be opened, because it is busy or not allowed.
    """

    index: int
    name: str
    sizes: tuple[tuple[int, int], ...]


def find_cameras() -> tuple[Camera, ...]:
    """The cameras in the order of their index; each is opened for a moment. Nothing is printed."""
    quieten_opencv()
    found = tuple(Camera(index, name, _sizes(index)) for index, name in sorted(_names().items()))
    working = {camera.name for camera in found if camera.sizes}
    # a Linux camera often has a second device of the same name that carries no picture
    return tuple(camera for camera in found if camera.sizes or camera.name not in working)


def listed_cameras() -> dict[int, str]:
    """The cameras' names by their index, as the system lists them; none is opened, so one that is in use is among them.
    Without a list of the system's each is tried."""
    quieten_opencv()
    return {index: name for index, name in sorted(_names().items()) if _gives_pictures(index)}


def _gives_pictures(index: int) -> bool:
    """A Linux camera's second device carries no picture; it is the device's number 1."""
    number = Path(f"/sys/class/video4linux/video{index}/index")
    try:
        return number.read_text(encoding="ascii").strip() == "0"
    except (OSError, ValueError):
        return True


def first_camera() -> int | None:
    """The index of the first camera that gives a picture; None where there is none. Nothing is printed."""
    quieten_opencv()
    return next((index for index in sorted(_names()) if _answers(index)), None)


def _names() -> dict[int, str]:
    """Index and name of every camera, by the system's own list; without one, the first few indices are tried."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras

        listed = {camera.index: camera.name for camera in enumerate_cameras(capture_backend())}
    except Exception:  # an optional convenience: whatever goes wrong in it, probing still works
        listed = {}
    if listed:
        return listed
    if sys.platform == "linux":
        return {
            int(device.name[5:]): device.name for device in Path("/dev").glob("video*") if device.name[5:].isdecimal()
        }
    return {index: f"camera {index}" for index in range(_PROBED) if _answers(index)}


def _answers(index: int) -> bool:
    """Whether a camera gives a picture, in whatever size."""
    capture = cv2.VideoCapture(index, capture_backend())
    try:
        return capture.isOpened() and capture.read()[0]
    finally:
        capture.release()


def _sizes(index: int) -> tuple[tuple[int, int], ...]:
    """The sizes that the camera really takes when asked."""
    capture = cv2.VideoCapture(index, capture_backend())
    try:
        if not capture.isOpened():
            return ()
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        taken = set()
        for width, height in _ASKED:
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            taken.add((int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))))
        good, _ = capture.read()
        return tuple(sorted(taken)) if good else ()
    finally:
        capture.release()
