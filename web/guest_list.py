"""Who is in, kept in the data folder, so that nobody has to be let in again when the program was started anew.

Only digests of the secrets are written, and the file is its owner's alone: whoever reads it can't come in with it.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from web.access import Guest, Role

FILE_NAME: Final = "guests.json"
_LARGEST: Final = 100_000
"""Bytes; a full list is far smaller."""


class Listed(NamedTuple):
    """A guest, the digest of its secret, and until when it is in (seconds since 1970)."""

    digest: str
    guest: Guest
    until: float


class GuestList:
    """The list in one data folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def read(self) -> tuple[Listed, ...]:
        """Who was in. Nobody, where the file can't be read, is damaged, or could have been written by others."""
        try:
            with self._path.open("rb") as file:
                about = os.fstat(file.fileno())
                if sys.platform != "win32" and (
                    about.st_uid != os.getuid() or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
                ):
                    return ()
                data = json.loads(file.read(_LARGEST + 1))
            return tuple(_listed(one) for one in data)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return ()

    def write(self, guests: Iterable[Listed]) -> bool:
        """Keep the list; whether that could be done. If not, nobody is on it any more: who was sent off stays out."""
        data = [
            {"digest": digest, "id": guest.id, "role": str(guest.role), "seat": guest.seat, "until": until}
            for digest, guest, until in guests
        ]
        fresh = self._path.with_suffix(".fresh")
        try:
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump(data, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, self._path)
        except OSError:
            for path in (self._path, fresh):
                with suppress(OSError):
                    path.unlink()
            return False
        return True


def _listed(one: dict[str, object]) -> Listed:
    """An entry of the file. Raises ValueError, KeyError or TypeError where it is none."""
    digest, id, seat, until = one["digest"], one["id"], one["seat"], one["until"]
    role = Role(str(one["role"]))
    texts = isinstance(digest, str) and isinstance(id, str) and len(digest) == 64 and 0 < len(id) <= 64
    if not texts or role is Role.STRANGER or type(until) not in (int, float):
        raise ValueError("no guest")
    if (role is Role.PLAYER) != (type(seat) is int):
        raise ValueError("a player has a seat, and nobody else")
    return Listed(str(digest), Guest(str(id), role, seat if isinstance(seat, int) else None), float(str(until)))
