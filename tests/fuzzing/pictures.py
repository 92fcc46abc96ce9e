"""Damaged picture files, as ``tests.vision.fuzz_images`` makes them, against the intake."""

from __future__ import annotations

from tests.vision.fuzz_images import case, outcome, whole_files


class PictureFiles:
    """One small file of every kind, damaged."""

    def __init__(self) -> None:
        self._files = whole_files()

    def case(self, number: int) -> tuple[str, bytes]:
        """See ``Target``."""
        return case(number, self._files)

    def outcome(self, data: bytes) -> str:
        """It is decoded, or refused in one line."""
        return outcome(data)
