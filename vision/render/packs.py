"""Packs of card faces as pictures: read from a folder, and the house pack that comes with the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from assistant.cards import PACK, RANKS, SUITS, Card

Face = npt.NDArray[np.uint8]
"""A card's picture: height x width x 4, RGBA, 0..255; the card fills it, its round corners are transparent."""

HOUSE: Final = Path(__file__).parent / "house_pack"


class InvalidPack(ValueError):
    """The folder holds no complete pack of card faces."""


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The 52 faces of a pack. ``indices``: in how many corners rank and suit stand, 2 or 4.

    ``letters``: the tradition of its indices, a key of ``vision.render.drawn_pack.LETTERS``.
    """

    name: str
    faces: Mapping[Card, Face]
    back: Face | None = None
    indices: int = 2
    letters: str = "english"


def load_pack(folder: Path) -> Pack:
    """Read a pack: ``pack.json``, 52 pictures named as ``AS.png`` and perhaps ``back.png``. Raises InvalidPack."""
    try:
        about = json.loads((folder / "pack.json").read_text(encoding="utf-8"))
        faces = {card: _read(folder / f"{card}.png") for card in PACK}
        back = folder / "back.png"
        picture = _read(back) if back.is_file() else None
        letters = str(about.get("letters", "english"))
        return Pack(str(about["name"]), MappingProxyType(faces), picture, int(about["indices"]), letters)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidPack(f"'{folder}' is no pack of cards: {error}") from error


@cache
def house_pack() -> Pack:
    """The pack that comes with the program: English pattern by Adrian Kennard, see house_pack/LICENCE.md.

    >>> house_pack().faces[Card.parse("QH")].shape
    (504, 359, 4)
    """
    about = json.loads((HOUSE / "pack.json").read_text(encoding="utf-8"))
    sheet = _read(HOUSE / "faces.webp")
    height, width = sheet.shape[0] // len(SUITS), sheet.shape[1] // len(RANKS)
    faces = {
        Card(rank, suit): sheet[y * height : (y + 1) * height, x * width : (x + 1) * width]
        for y, suit in enumerate(SUITS)
        for x, rank in enumerate(RANKS)
    }
    return Pack(str(about["name"]), MappingProxyType(faces), _read(HOUSE / "back.webp"), int(about["indices"]))


def write_sheet(faces: Mapping[Card, Face], path: Path) -> None:
    """Write 52 faces of one size as a sheet: a row for each of spades, hearts, diamonds, clubs; columns A to K."""
    rows = [np.concatenate([faces[Card(rank, suit)] for rank in RANKS], axis=1) for suit in SUITS]
    Image.fromarray(np.concatenate(rows)).save(path, quality=88, method=6, exact=False)


def _read(path: Path) -> Face:
    with Image.open(path) as picture:
        face = np.asarray(picture.convert("RGBA"))
    face.flags.writeable = False
    return face
