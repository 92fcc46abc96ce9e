"""When a trouble that lasts is worth a line in the terminal again."""

from __future__ import annotations

from typing import Final

from vision.clock import Clock

AGAIN_S: Final = (60.0, 600.0, 3600.0)
"""So long after a line it may be said once more, then after the next pause, then after the last one for good."""


class SaidAgain:
    """The troubles since all was well: each is said at once, and again only after growing pauses."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._said: dict[str, tuple[float, int]] = {}

    def worth_saying(self, text: str) -> bool:
        """Whether this trouble is to be said now; then it counts as said."""
        now = self._clock.steady()
        last, times = self._said.get(text, (0.0, 0))
        if times and now - last < AGAIN_S[min(times, len(AGAIN_S)) - 1]:
            return False
        self._said[text] = (now, times + 1)
        return True

    def all_well(self) -> None:
        """What comes now is a new trouble."""
        self._said.clear()
