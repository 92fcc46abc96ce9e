"""Picture intake: what is decoded, how, and what is refused with one line."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from tests.conftest import ROOT
from tests.vision.fuzz_images import case, mended, whole_files
from vision.image_intake import (
    MAX_BYTES,
    MAX_SCANS,
    SENT_PIXELS,
    PictureError,
    decode_picture,
    decode_sent,
    is_picture,
    read_picture,
)

pytestmark = pytest.mark.filterwarnings("ignore")  # Pillow's, which the program does not show either


def picture(width: int = 64, height: int = 48) -> Pillow.Image:
    """Left half red, right half blue, a green band on top."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2] = (255, 0, 0)
    pixels[:, width // 2 :] = (0, 0, 255)
    pixels[: height // 4] = (0, 255, 0)
    return Pillow.fromarray(pixels)


def encoded(image: Pillow.Image, kind: str, **how: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **how)
    return buffer.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(PictureError) as caught:
        decode_picture(data, name="p.jpg")
    message = str(caught.value)
    assert message.startswith("p.jpg: ")
    assert len(message.splitlines()) == 1
    return message


def near(pixel: Any, colour: tuple[int, int, int], by: int = 40) -> bool:
    return all(abs(int(a) - b) <= by for a, b in zip(pixel, colour, strict=True))


@pytest.mark.parametrize(("kind", "how"), [("JPEG", {"quality": 95}), ("PNG", {}), ("WEBP", {"lossless": True})])
def test_the_three_formats_come_out_as_bgr(kind: str, how: dict[str, Any]) -> None:
    image = decode_picture(encoded(picture(), kind, **how))
    assert image.shape == (48, 64, 3)
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert near(image[40, 5], (0, 0, 255))
    assert near(image[40, 60], (255, 0, 0))
    assert near(image[3, 30], (0, 255, 0))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_shows_the_same_picture(orientation: int) -> None:
    undo = {
        1: None,
        2: Pillow.Transpose.FLIP_LEFT_RIGHT,
        3: Pillow.Transpose.ROTATE_180,
        4: Pillow.Transpose.FLIP_TOP_BOTTOM,
        5: Pillow.Transpose.TRANSPOSE,
        6: Pillow.Transpose.ROTATE_90,
        7: Pillow.Transpose.TRANSVERSE,
        8: Pillow.Transpose.ROTATE_270,
    }[orientation]
    stored = picture() if undo is None else picture().transpose(undo)
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    for kind in ("PNG", "WEBP"):
        shown = decode_picture(encoded(stored, kind, exif=exif, **({"lossless": True} if kind == "WEBP" else {})))
        assert np.array_equal(shown, decode_picture(encoded(picture(), "PNG")))


def test_damaged_exif_does_not_spoil_the_picture() -> None:
    data = encoded(picture(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff\x01\x02")
    assert decode_picture(data).shape == (48, 64, 3)


def test_grey_palette_and_black_and_white() -> None:
    for mode in ("L", "P", "1"):
        assert decode_picture(encoded(picture().convert(mode), "PNG")).shape == (48, 64, 3)


def test_cmyk_keeps_its_colours() -> None:
    image = decode_picture(encoded(picture().convert("CMYK"), "JPEG", quality=95))
    assert near(image[40, 5], (0, 0, 255), 60)
    assert near(image[40, 60], (255, 0, 0), 60)


def test_what_is_transparent_becomes_grey_and_what_is_not_stays() -> None:
    cut_out = picture().convert("RGBA")
    cut_out.paste((255, 255, 255, 0), (0, 0, 64, 12))
    image = decode_picture(encoded(cut_out, "PNG"))
    assert tuple(image[3, 30]) == (128, 128, 128)
    assert tuple(image[40, 5]) == (0, 0, 255)


def test_sixteen_bit_grey_keeps_its_steps() -> None:
    ramp = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (32, 1))
    image = decode_picture(encoded(Pillow.fromarray(ramp), "PNG"))
    assert image[0, 0, 0] == 0
    assert image[0, -1, 0] == 255
    assert abs(int(image[0, 32, 0]) - 130) < 4


def test_sixteen_bit_colour() -> None:
    row = b"\0" + struct.pack(">3H", 0xFFFF, 0x8000, 0) * 20
    header = struct.pack(">IIBBBBB", 20, 20, 16, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(row * 20)), (b"IEND", b""))
    )
    assert near(decode_picture(data)[10, 10], (0, 128, 255), 1)


def test_pictures_higher_than_a_strip_are_whole() -> None:
    rng = np.random.default_rng(5)
    rgba = rng.integers(0, 256, (600, 40, 4), dtype=np.uint8)
    rgba[:, :20, 3] = 255
    image = decode_picture(encoded(Pillow.fromarray(rgba), "PNG"))
    assert np.array_equal(image[:, :20], rgba[:, :20, 2::-1])
    assert (image[:, 20:][rgba[:, 20:, 3] == 0] == 128).all()
    turned = Pillow.Exif()
    turned[0x0112] = 6
    shown = decode_picture(encoded(Pillow.fromarray(rgba[:, :, :3]), "PNG", exif=turned))
    assert np.array_equal(shown, np.rot90(rgba[:, :, 2::-1], -1))


def test_a_jpeg_of_very_many_scans_is_refused() -> None:
    data = encoded(picture(), "JPEG", progressive=True)
    start, end = data.index(b"\xff\xda"), len(data) - 2
    scan = data[data.rindex(b"\xff\xda") : end]
    assert decode_picture(data[:end] + scan + data[end:]).shape == (48, 64, 3)
    assert "scans" in refusal(data[:start] + scan * (MAX_SCANS + 1) + data[end:])


def test_a_picture_that_memory_does_not_suffice_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("vision.image_intake._pixels", no_memory)
    assert "too little memory" in refusal(encoded(picture(), "PNG"))


def test_of_several_pictures_in_a_jpeg_the_first_counts() -> None:
    data = encoded(picture(), "MPO", save_all=True, append_images=[picture().convert("L").convert("RGB")], quality=95)
    assert near(decode_picture(data)[40, 5], (0, 0, 255))


def test_of_an_animation_the_first_frame_counts() -> None:
    frames = [Pillow.new("RGB", (32, 32), colour) for colour in ("red", "blue")]
    for kind in ("WEBP", "PNG"):
        image = decode_picture(encoded(frames[0], kind, save_all=True, append_images=frames[1:], lossless=True))
        assert near(image[10, 10], (0, 0, 255))


def test_a_truncated_jpeg_is_refused() -> None:
    data = encoded(picture(800, 600), "JPEG")
    assert "cut off" in refusal(data[: len(data) // 2])
    assert "cut off" in refusal(data[: len(data) * 9 // 10])


def test_truncated_png_and_webp_are_refused() -> None:
    noise = Pillow.fromarray(np.random.default_rng(1).integers(0, 255, (80, 80, 3), dtype=np.uint8))
    for kind in ("PNG", "WEBP"):
        data = encoded(noise, kind)
        assert "copy or save it again" in refusal(data[: len(data) // 2])


def png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body)) + b"\0\0\0\0IDAT"


@pytest.mark.parametrize("side", [7_100, 10_000, 30_000, 2_000_000])
def test_huge_pictures_are_refused_by_their_header(side: int) -> None:
    message = refusal(png_header(side, side))
    assert "too large" in message
    assert "50 megapixels" in message


def test_what_was_sent_is_a_jpeg_or_nothing_of_it_is_decoded() -> None:
    for kind in ("PNG", "WEBP"):
        with pytest.raises(PictureError, match="is no JPEG"):
            decode_sent(encoded(picture(), kind))
    with pytest.raises(PictureError, match="50 megapixels"):
        decode_sent(encoded(Pillow.new("L", (7_100, 7_100)), "JPEG"))


def test_a_large_picture_that_was_sent_is_decoded_smaller() -> None:
    turned = Pillow.Exif()
    turned[0x0112] = 6
    for size, shape in (
        ((2400, 1800), (2400, 1800, 3)),
        ((4000, 3000), (2000, 1500, 3)),
        ((8000, 6000), (2000, 1500, 3)),
    ):
        shown = decode_sent(encoded(picture(*size), "JPEG", exif=turned))
        assert shown.shape == shape
        assert near(shown[shape[0] // 4, shape[1] // 4], (0, 0, 255))
        assert near(shown[-9, 9], (255, 0, 0))
        assert shown.shape[0] * shown.shape[1] <= SENT_PIXELS
    with pytest.raises(PictureError, match="at most 8 megapixels"):
        decode_sent(encoded(Pillow.new("L", (4000, 3000)), "JPEG", progressive=True))


def test_a_strip_is_refused_by_its_header() -> None:
    assert "too long" in refusal(png_header(20_001, 40))
    assert "too long" in refusal(png_header(40, 900_000))


def test_tiny_pictures_are_refused() -> None:
    assert "15 x 400" in refusal(encoded(picture(15, 400), "PNG"))
    assert decode_picture(encoded(picture(16, 16), "PNG")).shape == (16, 16, 3)


def test_heavy_files_are_refused_before_they_are_read(tmp_path: Path) -> None:
    heavy = tmp_path / "heavy.jpg"
    with heavy.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(PictureError, match="MB is too large"):
        read_picture(heavy)
    assert "MB is too large" in refusal(b"\xff\xd8\xff" + bytes(MAX_BYTES))


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "PPM"])
def test_other_formats_are_refused_by_content(kind: str) -> None:
    assert "use a JPEG, PNG or WebP" in refusal(encoded(picture(), kind))


def test_what_is_no_picture(tmp_path: Path) -> None:
    assert "empty" in refusal(b"")
    assert "no picture" in refusal(b"hello, this is a letter\n" * 50)
    assert "no picture" in refusal(os.urandom(64))
    assert "HEIC" in refusal(b"\0\0\0\x18ftypheic" + bytes(60))
    for path, words in (
        (tmp_path, "folder"),
        (tmp_path / "none.jpg", "no such file"),
        (tmp_path / "a\0b", "no such file"),
    ):
        with pytest.raises(PictureError, match=words):
            read_picture(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(PictureError, match="no ordinary file"):
        read_picture(tmp_path / "pipe.jpg")


def test_messages_stay_on_one_line() -> None:
    with pytest.raises(PictureError) as caught:
        read_picture("two\nlines.jpg")
    assert len(str(caught.value).splitlines()) == 1


def test_is_picture_looks_at_the_content(tmp_path: Path) -> None:
    for kind in ("JPEG", "PNG", "WEBP", "GIF"):
        (tmp_path / "file.txt").write_bytes(encoded(picture(), kind))
        assert is_picture(tmp_path / "file.txt") == (kind != "GIF")
    assert not is_picture(tmp_path / "missing")
    assert not is_picture(tmp_path)


def test_mutated_files_decode_or_are_refused_with_one_line_in_bounded_memory() -> None:
    """In a process of its own, so that a decoder's crash is seen. More of the same: ``make fuzz-images``."""
    command = [sys.executable, "-m", "tests.vision.fuzz_images", "--count", "4000", "--memory", "600"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-600:]
    told = json.loads(done.stdout)
    assert told["cases"] == 4000
    assert told["decoded"] > 400, "most of what is damaged a little still decodes: deep code is reached"
    assert told["refused"] > 400


def test_the_fuzzer_mends_checksums_and_repeats_a_case() -> None:
    files = whole_files()
    torn = bytearray(files["png"])
    torn[-20] ^= 0xFF
    assert mended(bytes(torn)) != bytes(torn)
    assert mended(mended(bytes(torn))) == mended(bytes(torn))
    assert mended(files["png"]) == files["png"]
    assert case(77, files) == case(77, files) != case(78, files)
