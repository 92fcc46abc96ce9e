"""Type for the corner indices: installed fonts fit for card ranks, and the masks of their letters and figures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.render.suit_shapes import Mask

FOLDERS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
FAMILIES: Final = [
    "AccanthisADFStd",
    "BaskervaldADFStd",
    "BebasNeue",
    "C059",
    "Cabin",
    "Caladea",
    "Cantarell",
    "Carlito",
    "CharisSIL",
    "Comfortaa",
    "Courier",
    "DejaVuSans",
    "DejaVuSansCondensed",
    "DejaVuSerif",
    "DejaVuSerifCondensed",
    "Dosis",
    "FreeSans",
    "FreeSerif",
    "GFSBodoniClassic",
    "GFSDidot",
    "GFSNeohellenic",
    "Gentium",
    "GilliusADF",
    "GoudyBookletter1911",
    "IkariusADFStd",
    "Inter",
    "InterDisplay",
    "JunicodeTwoBeta",
    "Jura",
    "Lato",
    "LiberationSans",
    "LiberationSansNarrow",
    "LiberationSerif",
    "LinBiolinum",
    "LinLibertine",
    "NimbusRoman",
    "NimbusSans",
    "NimbusSansNarrow",
    "OldStandard",
    "OpenSans",
    "P052",
    "Prociono",
    "Quicksand",
    "Roboto",
    "RobotoCondensed",
    "RobotoSlab",
    "RomandeADFStd",
    "Tuffy",
    "URWBookman",
    "URWGothic",
    "UniversalisADFStd",
    "Verana",
    "VeranaSans",
    "Vollkorn",
    "YanoneKaffeesatz",
    "texgyreadventor",
    "texgyrebonum",
    "texgyreheros",
    "texgyreheroscn",
    "texgyrepagella",
    "texgyreschola",
    "texgyretermes",
    "cmunrm",
    "cmunbx",
    "cmunss",
    "cmunsx",
    "cmunssdc",
]
TOO_THIN: Final = ("Thin", "Hairline", "ExtraLight", "UltraLight", "Book")
SLANTED: Final = ("Italic", "Oblique", "BdIta", "CondIt", "italic", "_RI", "_I", "-I.", "_RBI", "_RZI")
SIZE: Final = 200
"""Size at which letters are drawn before they are scaled, in pixels."""

FontName = str
"""Path of a font file, empty for the font that comes with Pillow, or a key of ``STROKED``."""

STROKED: Final = {
    "opencv-simplex": cv2.FONT_HERSHEY_SIMPLEX,
    "opencv-duplex": cv2.FONT_HERSHEY_DUPLEX,
    "opencv-complex": cv2.FONT_HERSHEY_COMPLEX,
    "opencv-triplex": cv2.FONT_HERSHEY_TRIPLEX,
}
"""The fonts that come with OpenCV: letters made of strokes."""
BUNDLED: Final[tuple[FontName, ...]] = ("", *STROKED)
"""The fonts that every machine has which runs the program; they know Latin letters only."""


@cache
def find_fonts() -> tuple[FontName, ...]:
    """Installed font files fit for indices, in the order of their file names; only Pillow's own if there are none."""
    wanted = {family.lower() for family in FAMILIES}
    found = {}
    for folder in FOLDERS:
        for path in folder.rglob("*.[ot]tf"):
            family = path.stem.split("-")[0].split("_")[0].lower()
            fits = family in wanted and not any(word in path.stem for word in TOO_THIN)
            if fits and path.stem not in found and _is_even(str(path)):
                found[path.stem] = str(path)
    return tuple(found[stem] for stem in sorted(found)) or ("",)


def pick_font(rng: np.random.Generator, needed: str = "", fonts: Sequence[FontName] = ()) -> FontName:
    """Draw a font that has all signs ``needed``: every family is as likely, upright faces far likelier than slanted.

    ``fonts``: those to draw from, by default the installed ones.
    """
    families: dict[str, list[FontName]] = {}
    offered = fonts or find_fonts()
    able = [name for name in offered if needed.isascii() or _has(name, needed)]
    for name in able or offered:
        family = name if name in STROKED else Path(name).stem.split("-")[0].split("_")[0].lower()
        families.setdefault(family, []).append(name)
    faces = families[sorted(families)[int(rng.integers(len(families)))]]
    upright = [name for name in faces if not any(word in name for word in SLANTED)]
    chosen = upright if upright and rng.random() < 0.9 else faces
    return chosen[int(rng.integers(len(chosen)))]


def draw_rank(text: str, font: FontName, height: int, width: float, *, weight: float = 0.0, kern: float = 0.0) -> Mask:
    """The mask of a rank, its capital letters and figures ``height`` pixels high; the tail of a Q may hang lower.

    ``width``: 1 as the font has it, less for condensed. ``weight``: how much bolder, as a share of the height.
    ``kern``: how far the figures of 10 stand apart, as a share of the height, negative for closer.
    """
    glyphs = [_glyph(sign, font, weight) for sign in text]
    low = max(glyph.shape[0] for glyph, _ in glyphs)
    step = round(kern * SIZE)
    total = sum(glyph.shape[1] for glyph, _ in glyphs) + step * (len(glyphs) - 1)
    word = np.zeros((low, max(total, 1)), np.uint8)
    left = 0
    for glyph, _ in glyphs:
        part = word[: glyph.shape[0], left : left + glyph.shape[1]]
        np.maximum(part, glyph[:, : part.shape[1]], out=part)
        left += glyph.shape[1] + step
    scale = height / max(capital for _, capital in glyphs)
    size = (max(2, round(word.shape[1] * scale * width)), max(2, round(low * scale)))
    return np.asarray(cv2.resize(word, size, interpolation=cv2.INTER_AREA), np.uint8)


@cache
def _has(name: FontName, signs: str) -> bool:
    """Whether a font draws each sign, and not its mark for a missing one."""
    missing = _raw("\U000e0fff", name, 0)[0]
    drawn = [_raw(sign, name, 0)[0] for sign in signs]
    return all(mask.shape != missing.shape or bool((mask != missing).any()) for mask in drawn)


@cache
def _load(name: FontName) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(name, SIZE) if name else _bundled()


def _bundled() -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(SIZE)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType: install a Pillow wheel that has it")
    return font


def _raw(sign: str, name: FontName, stroke: int) -> tuple[Mask, int]:
    """A letter cropped close, and the row of its baseline within the crop."""
    if name in STROKED:
        return _stroked(sign, STROKED[name], stroke)
    canvas = Image.new("L", (SIZE * 2, SIZE * 2))
    baseline = int(SIZE * 1.4)
    draw = ImageDraw.Draw(canvas)
    draw.text((SIZE // 2, baseline), sign, font=_load(name), fill=255, anchor="ls", stroke_width=stroke)
    box = canvas.getbbox()
    if box is None:
        return np.zeros((1, 1), np.uint8), 1
    return np.asarray(canvas.crop(box), np.uint8), baseline + stroke - box[1]


def _stroked(sign: str, face: int, stroke: int) -> tuple[Mask, int]:
    canvas = np.zeros((SIZE * 2, SIZE * 2), np.uint8)
    baseline = int(SIZE * 1.4)
    thick = SIZE // 14 + 2 * stroke
    cv2.putText(canvas, sign, (SIZE // 2, baseline), face, SIZE / 22, 255, thick, cv2.LINE_AA)
    x, y, width, height = cv2.boundingRect(canvas)
    return canvas[y : y + height, x : x + width], baseline + thick // 2 - y


@cache
def _glyph(sign: str, name: FontName, weight: float) -> tuple[Mask, int]:
    """A letter or figure scaled so that it stands SIZE pixels above the baseline, and that height."""
    mask, above = _raw(sign, name, round(weight * SIZE))
    scale = SIZE / max(above, 1)
    size = (max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8), SIZE


def _is_even(name: FontName) -> bool:
    """Whether figures stand as high as capitals and nothing but Q hangs below the line."""
    try:
        signs = {sign: _raw(sign, name, 0) for sign in "AKQJ0123456789"}
    except OSError:
        return False
    tall = signs["K"][1]
    even = all(0.85 * tall < above < 1.15 * tall for _, above in signs.values())
    return even and all(mask.shape[0] < 1.08 * above for sign, (mask, above) in signs.items() if sign != "Q")
