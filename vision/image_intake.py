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

from assistant.told import Told, tell
from vision.plain_text import one_line
from vision.recogniser import Image

MAX_PIXELS: Final = 50_000_000
MAX_BYTES: Final = 40_000_000
MIN_SIDE: Final = 16
MAX_SIDE: Final = 20_000
SENT_PIXELS: Final = 8_000_000
"""As many a picture has at most that was sent; the pages send no more than 6. A larger one is decoded smaller."""
THE_PICTURE: Final = tell("the picture")
"""What messages call a picture that has no name."""
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


def decode_picture(data: bytes, *, name: str = THE_PICTURE) -> Image:
    """Decode the bytes of a JPEG, PNG or WebP; ``name`` is what messages call it. Raises PictureError.

    Grey, palette, CMYK, transparent and 16-bit pictures become 8-bit BGR; of an animation the first frame counts.
    """
    return _decode(data, name, _FORMATS)


def decode_sent(data: bytes, *, name: str = THE_PICTURE) -> Image:
    """Decode a JPEG that a browser sent: like ``decode_picture``, but of other formats nothing is decoded, and what
    has more than ``SENT_PIXELS`` comes out with a half, a quarter or an eighth of each side, without ever being whole
    in memory. That needs a plain JPEG; a progressive one of that size is refused. Raises PictureError."""
    return _decode(data, name, ("JPEG",), shrunk=True)


def _decode(data: bytes, name: str, formats: tuple[str, ...], *, shrunk: bool = False) -> Image:
    if not data:
        raise PictureError(tell("{name}: the file is empty; choose a picture", name=name))
    if len(data) > MAX_BYTES:
        raise PictureError(_too_heavy(name, len(data)))
    with _probe(data, name, formats) as picture:
        _check_size(picture.size, name, SENT_PIXELS if shrunk and "progressive" in picture.info else MAX_PIXELS)
        if picture.format in ("JPEG", "MPO") and data.count(b"\xff\xda") > MAX_SCANS:
            raise PictureError(
                tell(
                    "{name}: has more than {most} scans, which no camera makes; save it again as JPEG",
                    name=name,
                    most=MAX_SCANS,
                )
            )
        try:
            if shrunk:
                _shrink(picture)
            return _pixels(picture)
        except MemoryError:
            raise PictureError(tell("{name}: there is too little memory for it; save it smaller", name=name)) from None
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
            raise PictureError(tell("{name}: is a folder; name the pictures in it", name=name))
        if not path.exists():
            raise PictureError(tell("{name}: no such file; check the name", name=name))
        if not path.is_file():
            raise PictureError(tell("{name}: is no ordinary file; name a picture", name=name))
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise PictureError(_too_heavy(name, size))
        return path.read_bytes()
    except PermissionError:
        raise PictureError(tell("{name}: may not be read; check the file's permissions", name=name)) from None
    except (OSError, ValueError) as error:
        if isinstance(error, PictureError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(
            tell("{name}: can't be read ({reason}); check the name and the disk", name=name, reason=one_line(reason))
        ) from None


def _probe(data: bytes, name: str, formats: tuple[str, ...]) -> Pillow.Image:
    """Open by the header alone."""
    try:
        return Pillow.open(io.BytesIO(data), formats=formats)
    except Pillow.DecompressionBombError:
        raise PictureError(_too_many_pixels(name)) from None
    except UnidentifiedImageError:
        raise PictureError(_unreadable(name, data)) from None
    except Exception as error:
        raise PictureError(_damaged(name, error)) from None


def _unreadable(name: str, data: bytes) -> Told:
    what = _what_it_is(data)
    if what is None and data.startswith((b"RIFF", b"\x89PNG")):
        return tell("{name}: is no JPEG, and nothing else is taken here; save it as JPEG", name=name)
    if what is None:
        return tell("{name}: is no picture that can be read; use a JPEG, PNG or WebP file", name=name)
    return tell("{name}: is no picture that can be read; use a JPEG, PNG or WebP file ({what})", name=name, what=what)


def _what_it_is(data: bytes) -> Told | None:
    """A hint for the formats that people do have, or nothing."""
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"heif", b"avif"):
        return tell("this looks like HEIC or AVIF: export it as JPEG")
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return tell("this is a GIF")
    if data[:2] == b"BM":
        return tell("this is a BMP")
    if data[:4] in (b"II*\0", b"MM\0*"):
        return tell("this is a TIFF or raw picture")
    if data[:4] == b"%PDF":
        return tell("this is a PDF")
    return None


def _check_size(size: tuple[int, int], name: str, most: int) -> None:
    width, height = size
    if width * height > most:
        raise PictureError(_too_many_pixels(name, f"{width} x {height}", most))
    if max(width, height) > MAX_SIDE:
        raise PictureError(
            tell(
                "{name}: {width} x {height} pixels is too long; at most {most} a side are read, cut it",
                name=name,
                width=width,
                height=height,
                most=MAX_SIDE,
            )
        )
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            tell(
                "{name}: {width} x {height} pixels is too small; at least {least} x {least} are needed",
                name=name,
                width=width,
                height=height,
                least=MIN_SIDE,
            )
        )


def _shrink(picture: Pillow.Image) -> None:
    """Have a JPEG decoded smaller where it is too large."""
    width, height = picture.size
    by = next(by for by in (1, 2, 4, 8) if width * height <= SENT_PIXELS * by * by)
    picture.draft(None, (width // by, height // by))


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


def _too_heavy(name: str, size: int) -> Told:
    values = {"name": name, "size": round(size / 1e6), "most": round(MAX_BYTES / 1e6)}
    return tell("{name}: {size} MB is too large; at most {most} MB are read, save it smaller", **values)


def _too_many_pixels(name: str, size: str = "", most: int = MAX_PIXELS) -> Told:
    values = {"name": name, "size": size, "most": most // 1_000_000}
    if not size:
        return tell("{name}: too large; at most {most} megapixels are read, save it smaller", **values)
    return tell("{name}: {size} is too large; at most {most} megapixels are read, save it smaller", **values)


def _damaged(name: str, error: Exception) -> Told:
    if "truncated" in str(error).lower():
        return tell("{name}: the picture is cut off; copy or save it again", name=name)
    reason = one_line(error) or type(error).__name__
    return tell("{name}: the picture is damaged ({reason}); copy or save it again", name=name, reason=reason)
