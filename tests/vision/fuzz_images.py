"""Damaged picture files against the intake: ``python -m tests.vision.fuzz_images --count 100000``.

Each case is a whole file of some kind, damaged by a few mutations; it must be decoded, or refused by PictureError with
one line. A decoder that crashes or hangs ends the process; the last line of standard error is then the case, which
``--first N --count 1`` plays again. Memory is limited to what was there at the start and ``--memory`` MB more.
"""

from __future__ import annotations

import argparse
import faulthandler
import io
import json
import random
import struct
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np
from PIL import Image as Pillow

from vision.image_intake import PictureError, decode_picture

HANGS_AFTER_S: Final = 60.0
EXIF: Final = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
WORDS: Final = tuple(
    struct.pack(order + kind, number)
    for order in "<>"
    for kind, number in (
        ("H", 0),
        ("H", 1),
        ("H", 0x7FFF),
        ("H", 0xFFFF),
        ("I", 0),
        ("I", 0x7FFFFFFF),
        ("I", 0xFFFFFFFF),
        ("I", 6000),
    )
)
"""Numbers at which lengths, sizes and counts break."""


def whole_files() -> dict[str, bytes]:
    """One small file of every kind that people may hand over, by name."""
    rng = np.random.default_rng(3)
    rgb = Pillow.fromarray(np.clip(rng.normal(128, 60, (40, 48, 3)), 0, 255).astype(np.uint8))
    grey, palette, alpha = rgb.convert("L"), rgb.quantize(16), rgb.convert("RGBA")
    alpha.putalpha(grey)
    deep = Pillow.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    second = rgb.transpose(Pillow.Transpose.ROTATE_180)
    film = {"save_all": True, "append_images": [second]}
    kinds: dict[str, tuple[Pillow.Image, str, dict[str, object]]] = {
        "jpeg": (rgb, "JPEG", {"exif": EXIF}),
        "jpeg progressive": (rgb, "JPEG", {"progressive": True, "restart_marker_rows": 1}),
        "jpeg grey": (grey, "JPEG", {}),
        "jpeg cmyk": (rgb.convert("CMYK"), "JPEG", {}),
        "jpeg of two pictures": (rgb, "MPO", film),
        "png": (rgb, "PNG", {"exif": EXIF[6:]}),
        "png with alpha": (alpha, "PNG", {}),
        "png with a palette": (palette, "PNG", {"transparency": 3}),
        "png of 16 bits": (deep, "PNG", {}),
        "png of 1 bit": (rgb.convert("1"), "PNG", {}),
        "png animated": (rgb, "PNG", film),
        "webp": (rgb, "WEBP", {"exif": EXIF}),
        "webp lossless": (alpha, "WEBP", {"lossless": True}),
        "webp animated": (alpha, "WEBP", film),
        "gif animated": (palette, "GIF", film),
        "tiff": (rgb, "TIFF", {"compression": "tiff_lzw"}),
        "bmp": (rgb, "BMP", {}),
    }
    files = {}
    for name, (picture, kind, how) in kinds.items():
        buffer = io.BytesIO()
        picture.save(buffer, kind, **how)
        files[name] = buffer.getvalue()
    return files


def damaged(chance: random.Random, whole: bytes, other: bytes) -> bytes:
    """A few mutations of a file; a PNG's checksums are mended now and then, so that what is behind them is reached."""
    data = bytearray(whole)
    for _ in range(chance.choice((1, 1, 2, 3, 6, 20))):
        # Headers come first in a file and matter most.
        end = len(data) if chance.random() < 0.6 else min(len(data), 64)
        chance.choice(_MUTATIONS)(chance, data, chance.randrange(max(1, end)), other)
    return mended(bytes(data)) if chance.random() < 0.7 else bytes(data)


def _flip(chance: random.Random, data: bytearray, at: int, _: bytes) -> None:
    data[at : at + 1] = bytes([chance.randrange(256)])


def _drop(chance: random.Random, data: bytearray, at: int, _: bytes) -> None:
    del data[at : at + chance.choice((1, 4, 30, 200))]


def _add(chance: random.Random, data: bytearray, at: int, _: bytes) -> None:
    data[at:at] = chance.randbytes(chance.choice((1, 4, 30)))


def _number(chance: random.Random, data: bytearray, at: int, _: bytes) -> None:
    word = chance.choice(WORDS)
    data[at : at + len(word)] = word


def _again(chance: random.Random, data: bytearray, at: int, _: bytes) -> None:
    data[at:at] = data[at : at + chance.choice((4, 30, 200))] * chance.choice((1, 3, 30))


def _cut(_: random.Random, data: bytearray, at: int, __: bytes) -> None:
    del data[at:]


def _graft(chance: random.Random, data: bytearray, at: int, other: bytes) -> None:
    start = chance.randrange(len(other))
    data[at : at + 40] = other[start : start + 40]


_MUTATIONS: Final[tuple[Callable[[random.Random, bytearray, int, bytes], None], ...]] = (
    _flip,
    _flip,
    _drop,
    _add,
    _number,
    _number,
    _again,
    _cut,
    _graft,
)


def mended(data: bytes) -> bytes:
    """A PNG with the checksums of its chunks made right (PNG specification, section 5.3); other files as they are."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return data
    out, at = bytearray(data), 8
    while at + 12 <= len(out):
        length = int.from_bytes(out[at : at + 4], "big")
        if at + 12 + length > len(out):
            break
        out[at + 8 + length : at + 12 + length] = struct.pack(">I", zlib.crc32(out[at + 4 : at + 8 + length]))
        at += 12 + length
    return bytes(out)


def case(number: int, files: dict[str, bytes]) -> tuple[str, bytes]:
    """The kind and the bytes of a case; the same for the same number."""
    chance = random.Random(number)
    names = sorted(files)
    name = names[number % len(names)]
    return name, damaged(chance, files[name], files[chance.choice(names)])


def outcome(data: bytes) -> str:
    """``decoded`` or ``refused``; raises AssertionError where a promise of the intake is broken."""
    try:
        picture = decode_picture(data, name="p")
    except PictureError as error:
        line = str(error)
        assert line.startswith("p: "), line
        assert line.isprintable(), line
        assert len(line) < 400, line
        assert "too little memory" not in line, line
        return "refused"
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    return "decoded"


def limit_memory(megabytes: int) -> bool:
    """Limit this process to so much more address space than it has now; False where the system can't do it."""
    if sys.platform != "linux":
        return False
    import resource

    with open("/proc/self/statm") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + megabytes * 1_000_000, resource.RLIM_INFINITY))
    return True


def main() -> int:
    """Run the cases; prints one JSON object: cases, decoded, refused, the limit of memory in MB (0: none)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--memory", type=int, default=1000, help="MB that a case may need")
    options = parser.parse_args()
    faulthandler.enable()
    files = whole_files()
    limited = limit_memory(options.memory)
    counts: Counter[str] = Counter()
    for number in range(options.first, options.first + options.count):
        name, data = case(number, files)
        print(f"\rcase {number} ({name})   ", end="", file=sys.stderr, flush=True)
        faulthandler.dump_traceback_later(HANGS_AFTER_S, exit=True)
        counts[outcome(data)] += 1
        faulthandler.cancel_dump_traceback_later()
    print(file=sys.stderr)
    print(json.dumps({"cases": counts.total(), **counts, "megabytes": options.memory * limited}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
