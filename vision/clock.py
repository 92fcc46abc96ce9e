"""The clock, as whatever waits, stamps or grows old sees it: injected, so that tests have one of their own."""

from __future__ import annotations

import time
from typing import Final, Protocol


class Waitable(Protocol):
    """What can be waited for: ``threading.Event`` and, while it is held, ``threading.Condition``."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait up to ``timeout`` seconds; whether it came."""
        ...


class Clock(Protocol):
    """What the time is, two ways, and how long to wait."""

    def wall(self) -> float:
        """Seconds since 1970. It may be set back or forth at any moment."""
        ...

    def steady(self) -> float:
        """Seconds since some moment; it never goes back."""
        ...

    def wait(self, what: Waitable, seconds: float) -> bool:
        """Wait for ``what``, but no longer than so many seconds; whether it came."""
        ...


class SystemClock:
    """The computer's own."""

    def wall(self) -> float:
        """See ``Clock``."""
        return time.time()

    def steady(self) -> float:
        """See ``Clock``."""
        return time.monotonic()

    def wait(self, what: Waitable, seconds: float) -> bool:
        """See ``Clock``."""
        return what.wait(seconds)


SYSTEM: Final[Clock] = SystemClock()
