"""The shape of what is fuzzed: numbered cases, each the same for the same number, and what becomes of one."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

from vision.plain_text import one_line


class Target(Protocol):
    """One way into the program."""

    def case(self, number: int) -> tuple[str, bytes]:
        """What kind of case it is, and its bytes."""
        ...

    def outcome(self, data: bytes) -> str:
        """What became of it, in a word: ``taken``, ``refused`` or the like. Whatever is raised is a fault."""
        ...


def is_one_line(text: str, most: int = 600) -> None:
    """What is told to people is one short line, once what can't be printed is escaped. Raises AssertionError."""
    assert text, "nothing is said"
    assert "\n" not in text, text[:most]
    assert len(one_line(text)) <= most, text[:most]


MEMORY: Final = next((str(path) for path in (Path("/dev/shm"),) if path.is_dir()), None)
"""Where files are only in memory, so that nobody waits for a disk; None where there is no such place."""
