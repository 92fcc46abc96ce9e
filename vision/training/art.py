"""Rasterise the art of installed packages into packs of card faces for training.

``python -m vision.training.art --out training-data/packs --npm node_modules`` writes, per pack, 52 pictures
``<CARD>.png`` (RGBA, 504 px high, cropped to the card), ``back.png`` where the source holds one, and ``pack.json``.
The sources are Debian's ``gnome-cards-data`` and ``kdegames-card-data-kf5`` and a few npm packages; a source that is
not installed is skipped. Complete packs are left alone, so the command can be run again at any time. Packs without
corner indices in two or four corners go to a folder beside, named with ``-other``.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from assistant.cards import PACK, RANKS, Card
from vision.render.drawn_pack import CourtArt, draw_back, draw_pack
from vision.render.packs import Pack, load_pack, write_sheet

HEIGHT: Final = 504
"""Height of every card picture, in pixels (5.7 a millimetre of an 88 mm card)."""

Faces = Mapping[str, Image.Image]
"""Picture by card text (``AS``), and ``back`` where there is one."""


class ArtError(RuntimeError):
    """The art of a pack cannot be read or drawn."""


@dataclass(frozen=True, slots=True)
class Source:
    """One pack to be drawn. ``usual``: it has corner indices in letters of one of ``drawn_pack.LETTERS``."""

    name: str
    origin: str
    licence: str
    draw: Callable[[], Faces]
    present: bool
    indices: int = 2
    family: str = ""
    holdout: bool = False
    usual: bool = True
    letters: str = "english"
    note: str = ""
    outlined: bool = True


def run_rsvg(svg: Path, *options: str) -> Image.Image:
    """Draw an SVG file with rsvg-convert. Raises ArtError."""
    done = subprocess.run(["rsvg-convert", "--unlimited", *options, str(svg)], capture_output=True, check=False)
    if done.returncode or not done.stdout:
        raise ArtError(f"{svg.name}: {done.stderr.decode(errors='replace').strip() or 'drawn empty'}")
    return Image.open(io.BytesIO(done.stdout)).convert("RGBA")


def crop_card(picture: Image.Image, *, height: int = HEIGHT, solid: int = 128) -> Image.Image:
    """Crop a picture to its one card, scale it to ``height`` and cut square corners round.

    ``solid`` is the least alpha that belongs to the card: a soft shadow around it lies below.
    """
    alpha = np.asarray(picture.getchannel("A")) >= solid
    rows, columns = np.flatnonzero(alpha.mean(axis=1) > 0.3), np.flatnonzero(alpha.mean(axis=0) > 0.3)
    if not rows.size or not columns.size:
        raise ArtError("no card in the picture: nothing opaque")
    box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    card = picture.crop(box)
    width = round(card.width * height / card.height)
    card = card.convert("RGBa").resize((width, height), Image.Resampling.LANCZOS).convert("RGBA")
    return round_corners(card)


def round_corners(card: Image.Image) -> Image.Image:
    """Make the corners of a card transparent, radius a twentieth of its width, where they are opaque."""
    corners = [(2, 2), (card.width - 3, 2), (2, card.height - 3), (card.width - 3, card.height - 3)]
    pixels: npt.NDArray[np.uint8] = np.asarray(card.getchannel("A"))
    if max(int(pixels[y, x]) for x, y in corners) < 128:
        return card
    mask = Image.new("L", (card.width * 4, card.height * 4))
    radius = card.width * 4 // 20
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius, fill=255)
    least = np.minimum(pixels, np.asarray(mask.resize(card.size, Image.Resampling.BOX)))
    card.putalpha(Image.fromarray(least))
    return card


def measure_outline(card: Image.Image) -> float:
    """How thick a line is drawn around the edge of a card whose margins are plain, in pixels, 0 if none.

    Drawn packs often have a dark outline so that cards stand out on a screen; a real card is cut, not drawn, there.
    """
    grey = np.asarray(card.convert("L"), dtype=np.float32)
    rows = slice(card.height * 2 // 5, card.height * 3 // 5)
    left, right = grey[rows, :16].mean(axis=0), grey[rows, -16:].mean(axis=0)[::-1]
    darker = [np.flatnonzero(side < np.median(side[8:]) - 20) for side in (left, right)]
    return float(max(int(side[-1]) + 1 if side.size else 0 for side in darker))


def cut_outline(card: Image.Image, thickness: float) -> Image.Image:
    """Cut a card smaller by ``thickness`` pixels on every side, corners kept round, and scale it back to HEIGHT."""
    alpha = np.pad(np.asarray(card.getchannel("A")), 1)
    inside = cv2.distanceTransform((alpha >= 128).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    kept = np.clip((inside - thickness) * 255, 0, 255).astype(np.uint8)
    cut = card.copy()
    cut.putalpha(Image.fromarray(np.minimum(kept, np.asarray(card.getchannel("A")))))
    return crop_card(cut)


def draw_grid(svgz: Path, solid: int = 128) -> Faces:
    """Draw an AisleRiot sheet: 13 columns A to K, rows clubs, diamonds, hearts, spades, then jokers and the back."""
    with tempfile.TemporaryDirectory() as folder:
        svg = Path(folder) / "sheet.svg"
        svg.write_bytes(gzip.decompress(svgz.read_bytes()))
        sheet = run_rsvg(svg, "-h", str(HEIGHT * 5 * 3 // 2))

    def cell(column: int, row: int) -> Image.Image:
        across, down = sheet.width / 13, sheet.height / 5
        edges = (column * across, row * down, (column + 1) * across, (row + 1) * down)
        left, top, right, bottom = (round(edge) for edge in edges)
        return crop_card(sheet.crop((left, top, right, bottom)), solid=solid)

    faces = {rank + suit: cell(x, y) for y, suit in enumerate("CDHS") for x, rank in enumerate(RANKS)}
    return {**faces, "back": cell(2, 4)}


def draw_elements(svgz: Path, solid: int = 128) -> Faces:
    """Draw a KDE deck: one SVG with an element for each card, such as ``10_heart`` or ``king_spade``."""
    words = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
    suits = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
    names = {str(card): f"{words.get(card.rank, card.rank)}_{suits[card.suit]}" for card in PACK}
    names["back"] = "back"
    faces: dict[str, Image.Image] = {}
    with tempfile.TemporaryDirectory() as folder:
        svg = Path(folder) / "deck.svg"
        svg.write_bytes(gzip.decompress(svgz.read_bytes()))
        for card, name in names.items():
            small = run_rsvg(svg, "-i", name).getchannel("A").point(lambda v: 255 * (v > 128)).getbbox()
            if small is None:
                raise ArtError(f"{svgz.name}: element {name} is empty")
            picture = run_rsvg(svg, "-i", name, "-z", f"{HEIGHT * 1.5 / (small[3] - small[1]):.4f}")
            box = picture.getchannel("A").point(lambda v: 255 * (v >= solid)).getbbox()
            faces[card] = crop_card(picture.crop(box), solid=solid)
    return faces


def draw_files(folder: Path, named: Callable[[Card], str], back: str | None = None) -> Faces:
    """Draw a pack of one file for each card (SVG or PNG); ``named`` gives the file of a card."""

    def one(name: str) -> Image.Image:
        path = folder / name
        if path.suffix == ".svg":
            return crop_card(run_rsvg(path, "-h", str(HEIGHT * 3 // 2)))
        return crop_card(Image.open(path).convert("RGBA"))

    faces = {str(card): one(named(card)) for card in PACK}
    return {**faces, "back": one(back)} if back else faces


GNOME: Final = Path("/usr/share/aisleriot/cards")
KDE: Final = Path("/usr/share/carddecks")
TIGULLIO: Final = "tigullio"
AGUILAR: Final = "aguilar"
HELD_OUT: Final = (
    *("gnome-tigullio", "kde-tigullio-international"),
    *("npm-cardsjs", "gnome-anglo-modern", "gnome-anglo-modern-4-color"),
    *("gnome-lattmann", "gnome-ancient-french", "gnome-slavic-costumes"),
)
"""Packs never trained on, so that recognition of unseen packs can be measured: all art of Tigullio and of Aguilar, and
one pack each with German, French and Russian letters.
"""


def list_gnome() -> Iterator[Source]:
    """The sheets of Debian's gnome-cards-data."""
    families = {
        **dict.fromkeys(["anglo", "anglo_bitmap", "gnomangelo", "gnomangelo_bitmap"], "anglo"),
        **dict.fromkeys(["anglo_modern", "anglo_modern_4_color"], AGUILAR),
        **dict.fromkeys(["bellot", "paris", "ancient_french"], "bellot"),
        **dict.fromkeys(["atlasnye", "atlasnye_skat", "Атласные"], "atlasnye"),
        **dict.fromkeys(["neoclassical", "neoclassical_4_color"], "neoclassical"),
        "tigullio": TIGULLIO,
    }
    letters = {
        "ancient_french": "french",
        **dict.fromkeys(["atlasnye_skat", "berlin", "lattmann", "rheinland"], "german"),
        **dict.fromkeys(["slavic_costumes", "Атласные"], "russian"),
    }
    unusual = {
        "guyenne-classic": "courts without indices",
        "swiss-xvii": "Swiss suits",
        "tarocco": "Italian indices F D R",
        "tango_nuevo": "rank and suit in different corners",
    }
    for path in sorted(GNOME.glob("*.svgz")):
        name = path.stem
        family = families.get(name, name)
        full = "gnome-" + ("atlasnye-russian" if name == "Атласные" else name.replace("_", "-"))
        yield Source(
            name=full,
            origin=f"Debian gnome-cards-data, {path.name}",
            licence="GPL-3.0-or-later",
            draw=lambda path=path: draw_grid(path),  # type: ignore[misc]
            present=True,
            indices={"bonded": 4, "dondorf": 4, "guyenne-classic": 0}.get(name, 2),
            family=family,
            holdout=full in HELD_OUT,
            usual=name not in unusual,
            letters=letters.get(name, "english"),
            note=unusual.get(name, ""),
        )


def list_kde() -> Iterator[Source]:
    """The decks of kdegames-card-data-kf5, less those that repeat a GNOME sheet or are no French-suited pack."""
    decks = {
        "ancient-egyptians": ("GPL-2.0-or-later", "egyptians", ""),
        "jolly-royal": ("GPL-2.0-or-later", "jolly-royal", ""),
        "nicu-white": ("GPL-2.0-or-later", "ornamental", ""),
        "oxygen": ("GPL-2.0-or-later", "oxygen", "white on dark cards"),
        "oxygen-air": ("GPL-2.0-or-later", "oxygen-air", "index in the top right corner only"),
        "oxygen-white": ("GPL-2.0-or-later", "oxygen", "index in the top right corner only"),
        "penguins": ("GPL-3.0-or-later", "penguins", ""),
        "standard": ("GPL-2.0-or-later", "xpat", ""),
        "tigullio-international": ("LGPL-2.0-or-later", TIGULLIO, ""),
    }
    for name, (licence, family, note) in decks.items():
        files = sorted((KDE / f"svg-{name}").glob("*.svgz"))
        yield Source(
            name=f"kde-{name}",
            origin=f"Debian kdegames-card-data-kf5, svg-{name}",
            licence=licence,
            draw=lambda files=files: draw_elements(files[0]),  # type: ignore[misc]
            present=bool(files),
            family=family,
            holdout=f"kde-{name}" in HELD_OUT,
            usual=not note,
            note=note,
        )


def list_npm(folder: Path | None) -> Iterator[Source]:
    """The npm packages unpacked in ``folder`` (its node_modules)."""
    if folder is None:
        return
    words = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
    suits = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}

    def source(name: str, package: str, licence: str, inside: str, named: Callable[[Card], str], **more: str) -> Source:
        path, family = folder / package / inside, more["family"]
        return Source(
            name=f"npm-{name}",
            origin=f"npm {package}, {inside}",
            licence=licence,
            draw=lambda: draw_files(path, named, more.get("back")),
            present=path.is_dir(),
            family=family,
            holdout=f"npm-{name}" in HELD_OUT,
        )

    yield source(
        "svg-cards",
        "svg-cards",
        "LGPL-2.1-only",
        "png/2x",
        lambda card: f"{suits[card.suit]}_{words.get(card.rank, card.rank)}.png",
        back="back-red.png",
        family="bellot",
    )
    yield source(
        "cardsjs",
        "cardsJS",
        "LGPL-3.0-or-later",
        "cards",
        lambda card: f"{card}.svg",
        back="Red_Back.svg",
        family=AGUILAR,
    )
    for variant in ("2color", "2color-bf", "4color", "4color-bf"):
        yield source(
            f"kennard-{variant}",
            "@heruka_urgyen/react-playing-cards",
            "CC0-1.0",
            f"src/images/{variant}",
            lambda card: f"{card}.svg",
            family="kennard",
        )


LENT: Final[Mapping[str, tuple[float, float, float, float]]] = MappingProxyType(
    {
        **dict.fromkeys(["gnome-anglo", "gnome-anglo-bitmap", "gnome-gnomangelo"], (0.155, 0.105, 0.845, 0.895)),
        **dict.fromkeys(["gnome-anglo-poker", "npm-kennard-2color"], (0.155, 0.11, 0.845, 0.89)),
        "gnome-neoclassical": (0.14, 0.05, 0.86, 0.95),
        **dict.fromkeys(["gnome-atlasnye", "gnome-orell"], (0.14, 0.05, 0.86, 0.95)),
        **dict.fromkeys(["gnome-paris", "gnome-bellot"], (0.15, 0.02, 0.85, 0.98)),
        "gnome-bonded": (0.18, 0.12, 0.82, 0.88),
        "gnome-dondorf": (0.18, 0.1, 0.82, 0.9),
        "kde-standard": (0.165, 0.11, 0.835, 0.89),
        "kde-ancient-egyptians": (0.19, 0.1, 0.81, 0.9),
    }
)
"""Packs that lend their courts to drawn packs, and the part of a card the figure takes up, clear of the indices."""


def list_lenders(out: Path) -> list[CourtArt]:
    """The packs already drawn in ``out`` that lend their courts; none that is held out."""
    lenders = []
    for name, box in LENT.items():
        folder = out / name
        if is_complete(folder):
            about = json.loads((folder / "pack.json").read_text())
            if not about["holdout"]:
                lenders.append(CourtArt(name, about["licence"], load_pack(folder).faces, box))
    return lenders


def list_drawn(count: int, out: Path) -> Iterator[Source]:
    """Packs drawn at random, seeds 0 to ``count`` - 1."""
    lenders = list_lenders(out) if count else []
    licences = {lender.name: lender.licence for lender in lenders}
    for seed in range(count):
        folder = out / f"drawn-{seed:04d}"
        if is_complete(folder):
            yield Source(folder.name, "drawn", "Apache-2.0", dict, present=True)
            continue
        pack = draw_pack(seed, lenders)
        faces = {str(card): Image.fromarray(face) for card, face in pack.faces.items()}
        if pack.back is not None:
            faces["back"] = Image.fromarray(pack.back)
        lender = pack.name.partition("+")[2]
        yield Source(
            name=folder.name,
            origin=f"drawn from seed {seed}" + (f", court figures of {lender}" if lender else ""),
            licence=f"Apache-2.0; court figures {licences[lender]}" if lender else "Apache-2.0",
            draw=lambda faces=faces: faces,  # type: ignore[misc]
            present=True,
            indices=pack.indices,
            letters=pack.letters,
            family="drawn",
            outlined=False,
        )


def is_complete(folder: Path) -> bool:
    """Whether a pack has been written to the end: pack.json is written last."""
    return (folder / "pack.json").is_file() and all((folder / f"{card}.png").is_file() for card in PACK)


def write_pack(folder: Path, source: Source) -> None:
    """Draw a pack and write its pictures, then its description. Raises ArtError."""
    folder.mkdir(parents=True, exist_ok=True)
    faces = source.draw()
    thickness = measure_outline(faces["2H"]) if source.outlined else 0.0
    cut = {
        name: cut_outline(picture, thickness) if thickness and name != "back" else picture
        for name, picture in faces.items()
    }
    width = cut["2H"].width
    for name, card in cut.items():
        same = card if card.width == width else card.resize((width, HEIGHT), Image.Resampling.LANCZOS)
        same.save(folder / "unfinished", "PNG")
        (folder / "unfinished").replace(folder / f"{name}.png")
    about = {
        "name": source.name,
        "source": source.origin,
        "licence": source.licence,
        "indices": source.indices,
        "holdout": source.holdout,
        "family": source.family,
        "letters": source.letters,
    }
    (folder / "pack.json").write_text(json.dumps(about | ({"note": source.note} if source.note else {}), indent=1))


def write_all(sources: Iterable[Source], out: Path) -> int:
    """Write every pack that is not there yet; returns how many could not be drawn."""
    failed = 0
    for source in sources:
        folder = (out if source.usual else out.with_name(out.name + "-other")) / source.name
        if not source.present or is_complete(folder):
            print(f"{source.name}: {'already there' if source.present else 'not installed, skipped'}", flush=True)
            continue
        try:
            write_pack(folder, source)
            print(f"{source.name}: 52 faces, {source.licence}", flush=True)
        except (ArtError, OSError) as error:
            failed += 1
            print(f"{source.name}: {error}", file=sys.stderr, flush=True)
    return failed


def write_list(out: Path) -> None:
    """Write ``out``.md: every pack with its source and licence, for a model card; drawn packs summed up."""
    lines = ["| Pack | Source | Licence | Art family | Indices | Use |", "|---|---|---|---|---|---|"]
    drawn: dict[str, int] = {}
    for about_file in sorted(out.glob("*/pack.json")):
        about = json.loads(about_file.read_text())
        if about["family"] == "drawn":
            drawn[about["licence"]] = drawn.get(about["licence"], 0) + 1
            continue
        use = "held out" if about["holdout"] else "training"
        values = (about["name"], about["source"], about["licence"], about["family"], about["indices"], use)
        lines.append("| " + " | ".join(str(value) for value in values) + " |")
    for licence, count in sorted(drawn.items()):
        lines.append(f"| {count} drawn packs | vision.render.drawn_pack | {licence} | drawn | 2 or 4 | training |")
    out.with_name(out.name + ".md").write_text("# Packs of card art\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


def write_house(pack: Pack, folder: Path) -> None:
    """Write a pack as one sheet, with a drawn back: the form that ``vision.render.packs.house_pack`` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    write_sheet(pack.faces, folder / "faces.webp")
    back = draw_back(np.random.default_rng(1), pack.faces[PACK[0]].shape[1])
    Image.fromarray(back).save(folder / "back.webp", quality=88, method=6)
    about = {
        "name": "house",
        "source": "Adrian Kennard, English pattern",
        "licence": "CC0-1.0",
        "indices": pack.indices,
    }
    (folder / "pack.json").write_text(json.dumps(about, indent=1) + "\n")


def main(arguments: list[str] | None = None) -> int:
    """The command; exit status 2 if some pack could not be drawn."""
    parser = argparse.ArgumentParser(description="Draw card packs for training")
    parser.add_argument("--out", type=Path, default=Path("training-data/packs"))
    parser.add_argument("--npm", type=Path, help="a node_modules folder with card packages")
    parser.add_argument("--drawn", type=int, default=0, help="how many packs to draw at random")
    parser.add_argument("--house", type=Path, help="write the pack that comes with the program into this folder, too")
    options = parser.parse_args(arguments)
    failed = write_all([*list_npm(options.npm), *list_gnome(), *list_kde()], options.out)
    failed += write_all(list_drawn(options.drawn, options.out), options.out)
    write_list(options.out)
    if options.house:
        write_house(load_pack(options.out / "npm-kennard-2color"), options.house)
    return 2 if failed else 0


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
