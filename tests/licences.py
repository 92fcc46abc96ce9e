"""The licences of all that mournival runs with: ``python -m tests.licences``; ``make licences``.

Lists each package that the program needs, directly or through others, with its version and licence as its own metadata
give them. Exit status 1 if one could not be handed on with a program under the Apache licence: a licence
of the GNU GPL or AGPL and no other to choose, or none that can be told.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

PROJECT: Final = Path(__file__).resolve().parent.parent / "pyproject.toml"
PERMISSIVE: Final = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|HPND|0BSD|Zlib|Unlicense|MIT-CMU|Historical Permission)",
    re.I,
)
WEAK: Final = re.compile(r"\b(MPL|Mozilla Public|LGPL|Lesser General)", re.I)
"""Licences that ask something of whoever changes the package itself alone."""
STRONG: Final = re.compile(r"(?<!L)\b(A?GPL|(Affero )?General Public License)", re.I)


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package. ``licence`` is empty where its metadata say nothing."""

    name: str
    version: str
    licence: str

    @property
    def fits(self) -> bool:
        """Whether it may be handed on with a program under the Apache licence."""
        if PERMISSIVE.search(self.licence) or WEAK.search(self.licence):
            return not STRONG.search(WEAK.sub("", self.licence)) or " OR " in self.licence
        return False


def packages() -> list[Package]:
    """All packages that the program needs, by name; those that are for other systems and not installed here, not."""
    found: dict[str, Package] = {}
    waiting = list(_needed(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]))
    while waiting:
        needed = waiting.pop()
        try:
            about = metadata.metadata(needed.name)
        except metadata.PackageNotFoundError:
            continue
        key = _plain(needed.name)
        if key not in found:
            found[key] = Package(about["Name"], about["Version"], _licence(about))
            waiting += _needed(metadata.requires(needed.name) or (), frozenset(needed.extras))
    return [found[key] for key in sorted(found)]


def _needed(lines: Iterable[str], extras: frozenset[str] = frozenset()) -> Iterator[Requirement]:
    for line in lines:
        needed = Requirement(line)
        asked = [{"extra": extra} for extra in ("", *extras)]
        if needed.marker is None or any(needed.marker.evaluate(environment) for environment in asked):
            yield needed


def _licence(about: metadata.PackageMetadata) -> str:
    if "License-Expression" in about:
        return about["License-Expression"]
    classified = [
        one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or () if one.startswith("License ::")
    ]
    named = [one for one in classified if one != "OSI Approved"]
    free = " ".join(about.get_all("License") or ())
    return " / ".join(named) or free.strip().partition("\n")[0][:80]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> int:
    """Print the list."""
    listed = packages()
    width = max(len(f"{one.name} {one.version}") for one in listed)
    for one in listed:
        print(f"{f'{one.name} {one.version}':{width}}  {one.licence or 'not told'}{'' if one.fits else '   <- ?'}")
    return 0 if all(one.fits for one in listed) else 1


if __name__ == "__main__":
    sys.exit(main())
