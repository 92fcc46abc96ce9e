"""``mournival recognise``: the cards in pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vision.image_intake import PictureError, read_picture
from vision.picture_quality import sentence
from vision.plain_text import one_line
from vision.recogniser import Image, ModelsMissing, Reading, Recogniser, Recognition
from web.cli import Unusable, tell
from web.cli.pack_choice import chosen_pack, pack_option, packs_option

if TYPE_CHECKING:
    from vision.onnx_recogniser import OnnxRecogniser


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture.")
@click.option(
    "--deck",
    type=click.Choice(["one", "any"]),
    default="one",
    show_default=True,
    help="one: a pack holds each card once; any: the same card may lie there twice.",
)
@click.option("--draw", "drawn", metavar="FOLDER", help="Also write the pictures there, with outlines and names.")
@pack_option
@packs_option
def recognise(
    files: tuple[str, ...], as_json: bool, deck: str, drawn: str | None, pack: str | None, folder: Path | None
) -> None:
    """Name the cards in pictures (JPEG, PNG, WebP)."""
    drawing = None if drawn is None else DrawnPictures(drawn)
    recogniser = load_recogniser(pack, folder)
    unreadable = 0
    for file in files:
        try:
            image = read_picture(file)
        except PictureError as error:
            tell(error)
            unreadable += 1
            continue
        found = recogniser.recognise(image, one_pack=deck == "one")
        click.echo(json.dumps(as_object(file, image, found)) if as_json else as_text(file, image, found))
        for code in () if as_json else found.warnings:
            tell(f"{file}: {sentence(code, [reading.quad for reading in found.readings])}")
        if drawing is not None:
            drawing.write(file, image, found.readings)
    if unreadable:
        raise SystemExit(2)


def load_recogniser(pack: str | None = None, folder: Path | None = None) -> OnnxRecogniser:
    """The networks, reading with a pack of one's own (see ``web.cli.pack_choice``) from a data folder.

    Raises Unusable (one line, exit 2) where anything is missing. Loaded late: the networks are slow to load.
    """
    from vision.onnx_recogniser import OnnxRecogniser

    try:
        recogniser = OnnxRecogniser.load()
    except ModelsMissing as error:
        raise Unusable(str(error)) from None
    return recogniser.knowing(chosen_pack(pack, folder, recogniser.namers))


def beside(recogniser: Recogniser) -> Recogniser:
    """Another recogniser like this one, for another thread. It works in that thread alone and takes no second core."""
    from vision.onnx_recogniser import OnnxRecogniser

    if not isinstance(recogniser, OnnxRecogniser):
        return recogniser
    return OnnxRecogniser.load(threads=1).knowing(recogniser.pack)


def as_object(file: str, image: Image, found: Recognition) -> dict[str, object]:
    """The contract's JSON object of one picture; pixels with one decimal, shares with four."""
    return {
        "file": file,
        "width": image.shape[1],
        "height": image.shape[0],
        "ms": round(found.ms, 1),
        "cards": [
            {
                "card": str(reading.card),
                "confidence": round(float(reading.confidence), 4),
                "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.quad],
                "visible": round(float(reading.visible), 4),
            }
            for reading in found.readings
        ],
        "warnings": list(found.warnings),
    }


def as_text(file: str, image: Image, found: Recognition) -> str:
    """One line for people: the cards from left to right, a question mark after those that aren't sure."""
    height, width = image.shape[:2]
    in_order = sorted(found.readings, key=lambda reading: float(reading.quad[:, 0].mean()))
    names = " ".join(f"{reading.card}{'' if reading.confidence >= 0.9 else '(?)'}" for reading in in_order)
    count = len(in_order)
    cards = "no cards" if not count else f"{count} card{'s' if count > 1 else ''}: {names}"
    remarks = f" [{', '.join(found.warnings)}]" if found.warnings else ""
    return f"{one_line(file)} ({width} x {height}, {found.ms:.0f} ms): {cards}{remarks}"


class DrawnPictures:
    """A folder that takes the pictures with outlines and names drawn in: ``a-cards.jpg`` for ``a.png``.

    The name differs from the picture's own, so that drawing into the pictures' folder spares the pictures.
    """

    def __init__(self, folder: str) -> None:
        """Makes the folder. Raises Unusable."""
        self._folder = Path(folder)
        self._taken: set[str] = set()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Unusable(f"{one_line(folder)}: can't make this folder ({error.strerror}); name another") from None

    def write(self, file: str, image: Image, readings: Iterable[Reading]) -> None:
        """Write one picture as JPEG. Raises Unusable."""
        import cv2

        from vision.outlines import draw_outlines

        _, data = cv2.imencode(".jpg", draw_outlines(image, readings))
        path = self._folder / self._free_name(Path(file).stem)
        try:
            path.write_bytes(data.tobytes())
        except OSError as error:
            raise Unusable(f"{one_line(path)}: can't be written ({error.strerror}); name another folder") from None

    def _free_name(self, stem: str) -> str:
        """The name, numbered if a picture of that name from another folder was written already."""
        name, number = f"{stem}-cards.jpg", 1
        while name.casefold() in self._taken:
            number += 1
            name = f"{stem}-cards-{number}.jpg"
        self._taken.add(name.casefold())
        return name
