"""Warnings that neither flicker nor nag: a fault is told once it lasts, and is over once it stays away."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


class LastingWarnings:
    """Takes the faults of each picture, gives those that hold.

    A fault begins to hold when it was there in at least ``share`` of the looks of the last ``after`` seconds, and
    holds until it has not been seen for ``gone`` seconds.

    >>> lasting = LastingWarnings(after=2.0, gone=3.0)
    >>> [lasting.feed(t, ["blurred"] if 1 <= t <= 4 else []) for t in range(9)]
    [(), (), (), ('blurred',), ('blurred',), ('blurred',), ('blurred',), (), ()]
    """

    def __init__(self, *, after: float = 2.0, gone: float = 3.0, share: float = 0.75) -> None:
        self._after = after
        self._gone = gone
        self._share = share
        self._looks: deque[tuple[float, frozenset[str]]] = deque()
        self._seen: dict[str, float] = {}
        self._holding: dict[str, None] = {}

    def feed(self, t: float, codes: Iterable[str]) -> tuple[str, ...]:
        """The codes that hold at time ``t`` (seconds), the oldest first, when these are seen now.

        A time before the last one is another source: what was seen of the one before is forgotten.
        """
        if self._looks and t < self._looks[-1][0]:
            self._looks.clear()
            self._seen.clear()
            self._holding.clear()
        now = frozenset(codes)
        self._looks.append((t, now))
        while len(self._looks) > 1 and self._looks[1][0] <= t - self._after:
            self._looks.popleft()
        self._seen.update(dict.fromkeys(now, t))
        for code in [code for code in self._holding if t - self._seen[code] >= self._gone]:
            del self._holding[code]
        if t - self._looks[0][0] >= self._after:
            for code in sorted(now):
                if sum(code in seen for _, seen in self._looks) >= self._share * len(self._looks):
                    self._holding.setdefault(code)
        return tuple(self._holding)
