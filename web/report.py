"""A report of one deal, to be sent by a person to whoever looks into a fault: one zip file, made when it is asked for.

It goes nowhere by itself. It holds what lay open and what the program made of it; no hand that was told in private, no
address of a camera, no code, no cookie; names and pictures only as far as somebody chose them.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import models
from assistant.games.game import Setup
from assistant.record import Record
from assistant.session import Deal
from assistant.session_events import DealBegun, Entry, TableSet, event_to_json

MOST_PICTURES: Final = 60
LIBRARIES: Final = ("numpy", "opencv-python-headless", "onnxruntime", "Flask")
_README: Final = """\
A report of one deal, made by Mournival because somebody asked for it.

deal.deal      what lay open and what was done, as a deal record
log.jsonl      what was seen, asked, corrected and undone, one event a line
versions.json  the program, its libraries and its networks
pictures/      the pictures that were chosen, named after the events of the log

It was sent nowhere. Look through it before you send it to anybody.
"""


def report(deal: Deal, pictures: Mapping[int, bytes], *, names: bool = False) -> bytes:
    """The report as a zip file's bytes. ``pictures``: JPEG data by entry; ``names``: the players' names are in it."""
    setup = _open(deal.position.setup, names)
    files: dict[str, bytes] = {
        "README.txt": _README.encode(),
        "deal.deal": Record(setup, deal.position.actions).text().encode("utf-8"),
        "log.jsonl": "".join(f"{_line(entry, names)}\n" for entry in deal.log).encode("utf-8"),
        "versions.json": f"{json.dumps(versions(), indent=1)}\n".encode(),
    }
    files |= {f"pictures/{entry}.jpg": jpeg for entry, jpeg in sorted(pictures.items())}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _open(setup: Setup, names: bool) -> Setup:
    return replace(setup, hands={}, names=setup.names if names else ())


def _line(entry: Entry, names: bool) -> str:
    event = entry.event
    if isinstance(event, DealBegun | TableSet):
        event = replace(event, setup=_open(event.setup, names))
    facts: dict[str, Any] = {"seq": entry.seq, "deal": entry.deal, "kind": entry.kind}
    return json.dumps({**facts, **event_to_json(event)}, ensure_ascii=False)


def versions() -> dict[str, Any]:
    """The program, what it runs on, and its networks by the SHA-256 of their files."""
    return {
        "mournival": _version("mournival"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": {name: _version(name) for name in LIBRARIES},
        "models": _networks(),
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


@lru_cache(maxsize=1)
def _networks() -> dict[str, str]:
    where = Path(models.__file__).parent
    found: Sequence[Path] = sorted(where.glob("*.onnx"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in found}
