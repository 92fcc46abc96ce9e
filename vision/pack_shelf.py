"""The packs that were learned, kept by name in the data folder: ``packs/NAME.npz``, and which of them is in use."""

from __future__ import annotations

import json
import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from assistant.told import later, tell
from vision.namer import FEATURES
from vision.own_pack import CARDS, Look, OwnPack
from vision.plain_text import one_line

ANY: Final = "any"
"""Stands for no pack of one's own: cards are read in general."""
_FORM: Final = 1
_NAME: Final = re.compile(r"\w(?:[\w .+-]{0,38}[\w+-])?")
_LARGEST: Final = 4_000_000
_IN_USE: Final = "in-use.json"


class PackError(ValueError):
    """A pack can't be kept or taken; the message is one line: which, why, what to do."""


@dataclass(frozen=True, slots=True)
class About:
    """What a stored pack says of itself: name, the namers it was learned with, how many different cards and pictures,
    and how many of its ``known`` cards were read right before and after."""

    name: str
    namers: str
    cards: int
    pictures: int
    known: int
    before: int
    after: int


class PackShelf:
    """The packs in one data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "packs"

    def names(self) -> list[str]:
        """The packs' names in order of the alphabet."""
        if not self._folder.is_dir():
            return []
        return sorted((path.stem for path in self._folder.glob("*.npz")), key=str.casefold)

    def check(self, name: str) -> None:
        """Raises PackError if a pack can't have this name."""
        self._path(name)

    def save(self, pack: OwnPack, about: About) -> Path:
        """Keep a pack, in the place of an older one of that name. Raises PackError."""
        path = self._path(pack.name)
        arrays: dict[str, Any] = {
            f"{kind}_{what}": np.asarray(getattr(look, what))
            for kind, look in (("index", pack.index), ("card", pack.card))
            for what in ("middle", "scale", "weights")
        }
        said = {"form": _FORM, **{name: getattr(about, name) for name in About.__slots__}}
        rough = path.with_name(path.stem + ".part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with rough.open("wb") as file:
                np.savez(file, about=np.array(json.dumps(said)), **arrays)
            os.replace(rough, path)
        except OSError as error:
            reason = one_line(error.strerror or error)
            pattern = later("{path}: can't be written ({why}); make room or name another --data folder")
            raise PackError(tell(pattern, path=path, why=reason)) from None
        return path

    def about(self, name: str) -> About:
        """What a pack says of itself. Raises PackError."""
        return self._read(name)[1]

    def load(self, name: str, namers: str) -> OwnPack:
        """A pack that was learned with these namers. Raises PackError: unknown, damaged, another network's."""
        pack, about = self._read(name)
        if about.namers != namers:
            raise PackError(
                tell(
                    "the pack '{name}' was learned with other networks than these: enrol it again "
                    "(mournival deck enrol '{name}' PICTURE...)",
                    name=name,
                )
            )
        return pack

    def use(self, name: str) -> None:
        """From now on ``name`` is the pack in use; ``ANY`` for none. Raises PackError."""
        if name != ANY:
            self.about(name)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / _IN_USE).write_text(json.dumps({"pack": name}) + "\n", encoding="utf-8")
        except OSError as error:
            reason = one_line(error.strerror or error)
            pattern = later("{path}: can't be written ({why}); name another --data folder")
            raise PackError(tell(pattern, path=self._folder, why=reason)) from None

    def in_use(self) -> str | None:
        """The name of the pack in use; None if there is none."""
        try:
            name = json.loads((self._folder / _IN_USE).read_text(encoding="utf-8"))["pack"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return name if isinstance(name, str) and name != ANY else None

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name) or name.casefold() == ANY:
            pattern = later("'{name}' is no name for a pack: take 1 to 40 letters, digits, spaces, - or _, not '{any}'")
            raise PackError(tell(pattern, name=one_line(name), any=ANY))
        return self._folder / f"{name}.npz"

    def _read(self, name: str) -> tuple[OwnPack, About]:
        path = self._path(name)
        if not path.is_file():
            there = ", ".join(self.names())
            if there:
                raise PackError(tell("there is no pack '{name}'; there are: {there}", name=name, there=there))
            pattern = later("there is no pack '{name}'; none is enrolled yet (mournival deck enrol NAME PICTURE...)")
            raise PackError(tell(pattern, name=name))
        try:
            if path.stat().st_size > _LARGEST:
                raise ValueError("too large")
            with np.load(path, allow_pickle=False) as stored:
                said = json.loads(str(stored["about"]))
                if said.pop("form") != _FORM:
                    raise ValueError("another form")
                about = _checked(About(**{**said, "name": name}))
                return OwnPack(name, _look(stored, "index"), _look(stored, "card")), about
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            pattern = later("{path}: the stored pack is damaged or of another version; enrol it again")
            raise PackError(tell(pattern, path=path)) from None


def _checked(about: About) -> About:
    if not all(isinstance(getattr(about, name), kind) for name, kind in _KINDS.items()):
        raise ValueError("not what is stored")
    return about


_KINDS: Final[dict[str, type]] = {
    "name": str, "namers": str, "cards": int, "pictures": int, "known": int, "before": int, "after": int,
}  # fmt: skip


def _look(stored: Any, kind: str) -> Look:
    """One look out of the stored arrays. Raises ValueError and KeyError."""
    middle, scale, weights = (stored[f"{kind}_{what}"] for what in ("middle", "scale", "weights"))
    if middle.shape != (FEATURES,) or scale.shape != () or weights.shape != (FEATURES + 1, CARDS):
        raise ValueError("wrong shapes")
    if not all(np.issubdtype(each.dtype, np.floating) and np.isfinite(each).all() for each in (middle, scale, weights)):
        raise ValueError("no numbers")
    if scale <= 0:
        raise ValueError("no scale")
    return Look(middle.astype(np.float32), float(scale), weights.astype(np.float32))
