"""Which pack the cards are read with: ``--pack NAME``, else the one in use (``mournival deck use``), else none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from vision.own_pack import OwnPack
from vision.pack_shelf import ANY, PackError, PackShelf
from web.cli import Unusable, tell
from web.journal import default_folder


def pack_option(command: Callable[..., None]) -> Callable[..., None]:
    """Adds ``--pack`` to a command."""
    told = f"Read with the look of your own pack (see mournival deck); '{ANY}' for none."
    return click.option("--pack", metavar="NAME", help=told)(command)


def packs_option(command: Callable[..., None]) -> Callable[..., None]:
    """Adds ``--data`` to a command that needs nothing but packs of the data folder."""
    return click.option("--data", "folder", metavar="DIR", type=Path, help="Where your packs are kept.")(command)


def chosen_pack(name: str | None, folder: Path | None, namers: str) -> OwnPack | None:
    """The pack to read with. Raises Unusable if ``name`` can't be had; the one in use is then left out, with a word."""
    shelf = PackShelf(folder or default_folder())
    wanted = shelf.in_use() if name is None else name
    if wanted is None or wanted.casefold() == ANY:
        return None
    try:
        return shelf.load(wanted, namers)
    except PackError as error:
        if name is not None:
            raise Unusable(str(error)) from None
        tell(f"The pack in use is left out: {error}")
        return None
