"""Safe decoding of pictures: bytes or a file in, a BGR picture as displayed out, or one line that says why not.

Everything is decided from the header before a pixel is decoded: the format (JPEG, PNG or WebP), the size in bytes,
the size in pixels and, for JPEG, the number of scans. What comes out is always height x width x 3 uint8 BGR with the
EXIF orientation applied. It is made strip by strip, so that at most about 20 bytes a pixel are in use: 1 GB for the
largest picture that is read.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from vision.plain_text import one_line
from vision.recogniser import Image

MAX_PIXELS: Final = 50_000_000
MAX_BYTES: Final = 40_000_000
MIN_SIDE: Final = 16
MAX_SIDE: Final = 20_000
MAX_SCANS: Final = 64
"""A progressive JPEG has about ten scans; each one makes the decoder go over the whole picture once more."""
PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp"})

_FORMATS: Final = ("JPEG", "PNG", "WEBP")
_EXIF_ORIENTATION: Final = 0x0112
_BACKDROP: Final = 128  # transparent parts become grey, so that a white card keeps its edge
_STRIP: Final = 256
_UPRIGHT: Final[dict[int, Callable[[Image], Image]]] = {
    2: lambda shown: shown[:, ::-1],
    3: lambda shown: shown[::-1, ::-1],
    4: lambda shown: shown[::-1],
    5: lambda shown: shown.swapaxes(0, 1),
    6: lambda shown: shown[::-1].swapaxes(0, 1),
    7: lambda shown: shown[::-1, ::-1].swapaxes(0, 1),
    8: lambda shown: shown[:, ::-1].swapaxes(0, 1),
}
"""What the EXIF orientation asks for (Exif 2.32, tag 0x0112), as views of the stored picture."""

# Pillow warns of odd metadata and of sizes far above our own limit; neither is for the user to read.
warnings.filterwarnings("ignore", module=r"PIL\.")


class PictureError(ValueError):
    """A picture that can't be used; the message is one line: which, why, what to do."""


def read_picture(path: str | os.PathLike[str]) -> Image:
    """Decode a picture file. Raises PictureError (missing, unreadable, too large, no picture, cut off...)."""
    name = one_line(os.fspath(path))
    return decode_picture(_read_bytes(Path(path), name), name=name)


def decode_picture(data: bytes, *, name: str = "the picture") -> Image:
    """Decode the bytes of a JPEG, PNG or WebP; ``name`` is what messages call it. Raises PictureError.

    Grey, palette, CMYK, transparent and 16-bit pictures become 8-bit BGR; of an animation the first frame counts.
    """
    if not data:
        raise PictureError(f"{name}: the file is empty; choose a picture")
    if len(data) > MAX_BYTES:
        raise PictureError(_too_heavy(name, len(data)))
    with _probe(data, name) as picture:
        _check_size(picture.size, name)
        if picture.format in ("JPEG", "MPO") and data.count(b"\xff\xda") > MAX_SCANS:
            raise PictureError(f"{name}: has more than {MAX_SCANS} scans, which no camera makes; save it again as JPEG")
        try:
            return _pixels(picture)
        except MemoryError:
            raise PictureError(f"{name}: there is too little memory for it; save it smaller") from None
        except Exception as error:  # a decoder fed with damaged bytes may raise nearly anything
            raise PictureError(_damaged(name, error)) from None


def is_picture(path: str | os.PathLike[str]) -> bool:
    """Whether the file begins like a JPEG, PNG or WebP picture; the name does not matter."""
    try:
        with open(path, "rb") as file:
            start = file.read(16)
    except OSError:
        return False
    webp = start.startswith(b"RIFF") and start[8:12] == b"WEBP"
    return webp or start.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"))


def _read_bytes(path: Path, name: str) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(f"{name}: is a folder; name the pictures in it")
        if not path.exists():
            raise PictureError(f"{name}: no such file; check the name")
        if not path.is_file():
            raise PictureError(f"{name}: is no ordinary file; name a picture")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise PictureError(_too_heavy(name, size))
        return path.read_bytes()
    except PermissionError:
        raise PictureError(f"{name}: may not be read; check the file's permissions") from None
    except (OSError, ValueError) as error:
        if isinstance(error, PictureError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(f"{name}: can't be read ({one_line(reason)}); check the name and the disk") from None


def _probe(data: bytes, name: str) -> Pillow.Image:
    """Open by the header alone."""
    try:
        return Pillow.open(io.BytesIO(data), formats=_FORMATS)
    except Pillow.DecompressionBombError:
        raise PictureError(_too_many_pixels(name)) from None
    except UnidentifiedImageError:
        raise PictureError(
            f"{name}: is no picture that can be read; use a JPEG, PNG or WebP file{_what_it_is(data)}"
        ) from None
    except Exception as error:
        raise PictureError(_damaged(name, error)) from None


def _what_it_is(data: bytes) -> str:
    """A hint for the formats that people do have, or nothing."""
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"heif", b"avif"):
        return " (this looks like HEIC or AVIF: export it as JPEG)"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return " (this is a GIF)"
    if data[:2] == b"BM":
        return " (this is a BMP)"
    if data[:4] in (b"II*\0", b"MM\0*"):
        return " (this is a TIFF or raw picture)"
    if data[:4] == b"%PDF":
        return " (this is a PDF)"
    return ""


def _check_size(size: tuple[int, int], name: str) -> None:
    width, height = size
    if width * height > MAX_PIXELS:
        raise PictureError(_too_many_pixels(name, f"{width} x {height} is "))
    if max(width, height) > MAX_SIDE:
        raise PictureError(f"{name}: {width} x {height} pixels is too long; at most {MAX_SIDE} a side are read, cut it")
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            f"{name}: {width} x {height} pixels is too small; at least {MIN_SIDE} x {MIN_SIDE} are needed"
        )


def _pixels(picture: Pillow.Image) -> Image:
    orientation = _orientation(picture)
    picture.load()
    width, height = picture.size
    stored = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _STRIP):
        stored[top : top + _STRIP] = _bgr(picture.crop((0, top, width, min(height, top + _STRIP))))
    return np.ascontiguousarray(_UPRIGHT[orientation](stored)) if orientation in _UPRIGHT else stored


def _bgr(strip: Pillow.Image) -> Image:
    """A strip of a picture of any mode: BGR, transparent parts grey, of 16 bits the upper eight."""
    if strip.mode.startswith("I") or strip.mode == "F":
        deep = np.asarray(strip).astype(np.int64)
        grey = np.asarray(np.clip(deep, 0, 65535) >> 8, np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if strip.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in strip.info:
        coloured = strip.convert("RGBA")
        backdrop = Pillow.new("RGBA", coloured.size, (_BACKDROP, _BACKDROP, _BACKDROP, 255))
        strip = Pillow.alpha_composite(backdrop, coloured)
    return np.asarray(strip.convert("RGB"), np.uint8)[:, :, ::-1]


def _orientation(picture: Pillow.Image) -> int:
    """The EXIF orientation 1..8; damaged EXIF data does not spoil a picture."""
    try:
        return int(picture.getexif().get(_EXIF_ORIENTATION, 1))
    except Exception:
        return 1


def _too_heavy(name: str, size: int) -> str:
    return f"{name}: {size / 1e6:.0f} MB is too large; at most {MAX_BYTES / 1e6:.0f} MB are read, save it smaller"


def _too_many_pixels(name: str, is_size: str = "") -> str:
    limit = MAX_PIXELS // 1_000_000
    return f"{name}: {is_size}too large; at most {limit} megapixels are read, save it smaller"


def _damaged(name: str, error: Exception) -> str:
    if "truncated" in str(error).lower():
        return f"{name}: the picture is cut off; copy or save it again"
    return f"{name}: the picture is damaged ({one_line(error) or type(error).__name__}); copy or save it again"
