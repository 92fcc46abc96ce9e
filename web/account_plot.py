"""The running account as a plot: a line for each player, told apart by marks and dashes as well as by colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

WIDTH: Final = 640
HEIGHT: Final = 300
LEFT: Final = 46
RIGHT: Final = 128
TOP: Final = 16
BOTTOM: Final = 34
NAME_APART: Final = 17
"""Between the names at the lines' ends, in the plot's own units."""
MARKS: Final = ("M-4-4h8v8h-8z", "M0-5L5 4H-5z", "M0-5L5 0 0 5-5 0z", "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
                "M-5-5L5 5M5-5L-5 5", "M-6 0H6M0-6V6")  # fmt: skip
"""A square, a triangle, a diamond, a circle, a cross and a plus."""


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line: its ``points``, a mark at each of ``places``, and at ``name_y`` the name with the ``total``."""

    seat: int
    name: str
    points: str
    places: tuple[tuple[float, float], ...]
    mark: str
    name_y: float
    total: str


@dataclass(frozen=True, slots=True)
class Plot:
    """What is drawn: the lines, the levels (their height and what stands at them) and the deals along the foot."""

    width: int
    height: int
    left: int
    right: int
    nought: float
    lines: tuple[Line, ...]
    levels: tuple[tuple[float, str], ...]
    deals: tuple[tuple[float, str], ...]
    foot: int


def account_plot(account: dict[str, Any], names: Sequence[str]) -> Plot:
    """The plot of one of ``web.evening``'s accounts. Each line begins at nought."""
    running = [[0.0] * len(names), *account["running"]]
    low, high = min(map(min, running)), max(map(max, running))
    step = _step(high - low)
    bottom, top = step * _down(low / step), step * -_down(-high / step)
    top = top if top > bottom else bottom + step
    right = WIDTH - RIGHT

    def across(place: int) -> float:
        return round(LEFT + (right - LEFT) * place / (len(running) - 1), 1)

    def up(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (top - value) / (top - bottom), 1)

    ends = _apart([up(sums) for sums in running[-1]])
    lines = []
    for seat, name in enumerate(names, 1):
        places = tuple((across(place), up(sums[seat - 1])) for place, sums in enumerate(running))
        text = " ".join(f"{x},{y}" for x, y in places)
        mark, total = MARKS[(seat - 1) % len(MARKS)], account["shownTotals"][seat - 1]
        lines.append(Line(seat, name, text, places[1:], mark, ends[seat - 1], total))
    count = round((top - bottom) / step)
    levels = tuple(
        (up(bottom + step * place), f"{bottom + step * place:g}".replace("-", "−")) for place in range(count + 1)
    )
    every = -(-len(account["deals"]) // 12)
    deals = tuple(
        (across(place), str(deal["deal"]))
        for place, deal in enumerate(account["deals"], 1)
        if place % every == 0 or place == len(account["deals"])
    )
    return Plot(WIDTH, HEIGHT, LEFT, right, up(0), tuple(lines), levels, deals, HEIGHT - BOTTOM)


def _down(value: float) -> int:
    return int(value // 1)


def _step(span: float) -> float:
    """A round step between levels of which three to six fit into the span."""
    size = 1.0
    while True:
        for step in (1, 2, 5):
            if span / (step * size) <= 5:
                return step * size
        size *= 10


def _apart(heights: Sequence[float]) -> list[float]:
    """The heights for the names: in the lines' order, so far apart that each can be read, and all in the plot."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    placed = [0.0] * len(heights)
    least = float(TOP)
    for place in order:
        placed[place] = max(heights[place], least)
        least = placed[place] + NAME_APART
    most = float(HEIGHT - BOTTOM)
    for place in reversed(order):
        placed[place] = round(min(placed[place], most), 1)
        most = placed[place] - NAME_APART
    return placed
