"""Known weaknesses of what the project is built and run with: ``python -m tests.audit [DATABASE]``; ``make audit``.

DATABASE is a stored copy of the advisories for Python packages in the form of OSV (https://ossf.github.io/osv-schema/):
a folder of JSON files or the zip of them, as https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip is. Each
version in ``requirements-ci.txt`` is held against it. Without DATABASE ``pip-audit`` asks PyPI, which needs a network.
Exit status 1 if anything is known of a version, 2 if there is no usable database.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from packaging.version import InvalidVersion, Version

LOCK: Final = Path(__file__).resolve().parent.parent / "requirements-ci.txt"
_PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*])?==([^\s;\\]+)")


class Weakness(NamedTuple):
    """What is known of a version: the advisory's number, and one line about it."""

    package: str
    version: str
    advisory: str
    about: str


def pinned(text: str) -> dict[str, str]:
    """The versions of a lock file by package."""
    found = (_PINNED.match(line) for line in text.splitlines())
    return {_plain(one[1]): one[2] for one in found if one is not None}


def advisories(database: Path) -> Iterator[Mapping[str, Any]]:
    """The advisories of a stored database. Raises OSError, ValueError or zipfile.BadZipFile."""
    if database.is_dir():
        for path in sorted(database.rglob("*.json")):
            yield json.loads(path.read_bytes())
        return
    with zipfile.ZipFile(database) as stored:
        for name in sorted(stored.namelist()):
            if name.endswith(".json"):
                yield json.loads(stored.read(name))


def weaknesses(versions: Mapping[str, str], known: Iterable[Mapping[str, Any]]) -> list[Weakness]:
    """What the advisories say of these versions; what was withdrawn does not count."""
    found = []
    for advisory in known:
        if advisory.get("withdrawn"):
            continue
        for affected in advisory.get("affected", ()):
            package = affected.get("package", {})
            name = _plain(str(package.get("name", "")))
            if package.get("ecosystem") == "PyPI" and name in versions and _touches(affected, versions[name]):
                about = str(advisory.get("summary") or advisory.get("details") or "").partition("\n")[0][:120]
                found.append(Weakness(name, versions[name], str(advisory.get("id", "?")), about))
    return sorted(set(found))


def _touches(affected: Mapping[str, Any], version: str) -> bool:
    """Whether a version is among the affected ones. See "evaluation algorithm" in the schema."""
    if version in affected.get("versions", ()):
        return True
    return any(
        _within(one.get("events", ()), version) for one in affected.get("ranges", ()) if one.get("type") == "ECOSYSTEM"
    )


def _within(events: Iterable[Mapping[str, str]], version: str) -> bool:
    ours, inside = Version(version), False
    for kind, at in sorted(((kind, at) for event in events for kind, at in event.items()), key=_order):
        try:
            place = Version("0" if at == "0" else at)
        except InvalidVersion:
            continue
        if kind == "introduced" and ours >= place:
            inside = True
        elif (kind == "fixed" and ours >= place) or (kind == "last_affected" and ours > place):
            inside = False
    return inside


def _order(event: tuple[str, str]) -> tuple[Version, bool]:
    try:
        return Version(event[1]), event[0] != "introduced"
    except InvalidVersion:
        return Version("0"), False


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> int:
    """Audit the lock file."""
    if len(sys.argv) < 2:
        command = [sys.executable, "-m", "pip_audit", "--strict", "--disable-pip", "--require-hashes", "-r", str(LOCK)]
        return subprocess.run(command, check=False).returncode
    versions = pinned(LOCK.read_text(encoding="utf-8"))
    try:
        known = list(advisories(Path(sys.argv[1])))
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        print(f"{sys.argv[1]}: no usable database ({error})", file=sys.stderr)
        return 2
    found = weaknesses(versions, known)
    for one in found:
        print(f"{one.package} {one.version}: {one.advisory}: {one.about}")
    print(f"{len(versions)} packages held against {len(known)} advisories: {len(found)} known weaknesses")
    return 1 if found else 0 if known else 2


if __name__ == "__main__":
    sys.exit(main())
