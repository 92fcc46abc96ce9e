"""A recogniser that remembers on disk what it read in each picture, so that a video is followed again in seconds.

What was read by other networks or by other recognition code isn't used: the memory is kept under a fingerprint of both.
"""

from __future__ import annotations

import ast
import hashlib
import pickle
import sqlite3
import time
from pathlib import Path
from typing import Final

import models
from vision.onnx_recogniser import FILES, OnnxRecogniser
from vision.recogniser import Image, Recognition

_ROOT: Final = Path(__file__).resolve().parents[2]


def fingerprint() -> str:
    """Of the networks and of all modules in ``vision`` that the recogniser is made of."""
    found: dict[Path, None] = {}
    waiting = [_ROOT / "vision" / "onnx_recogniser.py"]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found[path] = None
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("vision"):
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                waiting += [_ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in names]
    networks = [models.FOLDER / name for name in FILES]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted((*found, *networks)))).hexdigest()[:16]


class RememberedReadings:
    """See the module. ``fresh``: everything is read anew. ``asked`` counts the looks, ``read`` those read anew.

    ``saved_s`` is the time of one processor that remembering has spared so far, less what it took.
    """

    def __init__(self, recogniser: OnnxRecogniser, memory: Path, *, fresh: bool = False) -> None:
        self._recogniser = recogniser
        self._fresh = fresh
        self._print = fingerprint()
        self.asked = self.read = 0
        self.saved_s = 0.0
        self._store = sqlite3.connect(memory, isolation_level=None, timeout=60)
        self._store.execute("PRAGMA journal_mode=WAL")
        self._store.execute("PRAGMA synchronous=OFF")
        self._store.execute(
            "CREATE TABLE IF NOT EXISTS readings (print TEXT, picture BLOB, seconds REAL, found BLOB,"
            " PRIMARY KEY (print, picture))"
        )
        self._store.execute("DELETE FROM readings WHERE print <> ?", (self._print,))

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        """See ``vision.recogniser.Recogniser``."""
        begin = time.thread_time()
        self.asked += 1
        picture = hashlib.blake2b(image.tobytes(), digest_size=16, salt=b"one" if one_pack else b"any").digest()
        row = None if self._fresh else self._known(picture)
        if row is None:
            start = time.thread_time()
            found = self._recogniser.recognise(image, one_pack=one_pack)
            seconds = time.thread_time() - start
            self.read += 1
            values = (self._print, picture, seconds, pickle.dumps(found))
            self._store.execute("INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?)", values)
        else:
            seconds, found = row
        self.saved_s += seconds - (time.thread_time() - begin)
        return found

    def close(self) -> None:
        """Nothing is asked any more."""
        self._store.close()

    def _known(self, picture: bytes) -> tuple[float, Recognition] | None:
        query = "SELECT seconds, found FROM readings WHERE print = ? AND picture = ?"
        row = self._store.execute(query, (self._print, picture)).fetchone()
        if row is None:
            return None
        found = pickle.loads(row[1])
        assert isinstance(found, Recognition)
        return float(row[0]), found
