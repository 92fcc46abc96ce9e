"""An eye for pages that need one and nothing of it: it takes everything and sees nothing."""

from __future__ import annotations

from typing import Any

from assistant.cards import Card
from assistant.joining import Answers
from vision.table_check import Measured


class FakeEye:
    """Does nothing; what a test is about it does itself."""

    measured: Measured | None = None

    def correct(self, was: Card, now: Card, track: int | None = None) -> None:
        """Nothing is corrected here."""

    def draw_zones(self, zones: Any) -> None:
        """No zones are drawn here."""

    def join(self, answers: Answers, seen: int) -> None:
        """Nothing is joined here."""

    def offer(self, jpeg: bytes, sender: str = "") -> bool:
        """No picture is taken."""
        return False

    def gone(self, sender: str = "") -> None:
        """Nobody was there."""
