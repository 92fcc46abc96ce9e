"""The table of figures, and what went wrong in which deal, as plain text."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tests.following_benchmark.verdict import Verdict

_LABEL, _COLUMN = 42, 13
CORES: Final = 2
"""Processors of the computer that the aims are meant for; one frame is worked on by one of them at a time."""


def figures(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The table, line by line: a column for each game and difficulty, and one for all."""
    groups = {"all": list(verdicts)}
    for one in verdicts:
        groups.setdefault(f"{one.game} {one.difficulty}", []).append(one)
    columns = {name: groups[name] for name in (*sorted(groups.keys() - {"all"}), "all")}
    yield " " * _LABEL + "".join(f"{name:>{_COLUMN}}" for name in columns) + f"{'aim':>{_COLUMN}}"
    for label, cell, aim in _ROWS:
        yield (
            f"{label:<{_LABEL}}"
            + "".join(f"{cell(group):>{_COLUMN}}" for group in columns.values())
            + (f"{aim:>{_COLUMN}}")
        )


def deal_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A line for each deal, and below it what went wrong."""
    for one in verdicts:
        counts = f"{one.right}/{one.actions} right, {one.questions} asked, {one.desyncs} lost, {one.undone} undone"
        yield f"{one.name:<18} {one.players} players  {one.outcome:<10} {counts}"
        if one.first:
            yield f'    first: {one.first}    (make bench-following ARGS="--show {one.name}")'
        if one.missed:
            yield f"    faults missed: {', '.join(one.missed)}"
        if one.alarms:
            yield f"    false alarms: {', '.join(one.alarms)}"
        for line in one.asked:
            yield f"    asked: {line}"


def kinds(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What went wrong first in how many deals, and what that cost in actions, the heaviest first."""
    count = Counter(one.kind for one in verdicts if one.kind)
    cost = {kind: sum(one.actions - one.right for one in verdicts if one.kind == kind) for kind in count}
    for kind in sorted(count, key=lambda kind: -cost[kind]):
        yield f"{cost[kind]:>5} actions in {count[kind]:>2} deals   {kind}"


def wrong_unwarned(verdicts: Sequence[Verdict]) -> list[str]:
    """The deals that were settled wrongly without a warning."""
    return [one.name for one in verdicts if one.outcome == "wrong"]


Cell = Callable[[Sequence[Verdict]], str]


def _share(part: Callable[[Verdict], int], whole: Callable[[Verdict], int]) -> Cell:
    def cell(group: Sequence[Verdict]) -> str:
        total = sum(map(whole, group))
        return "-" if not total else f"{sum(map(part, group)) / total:.3f}"

    return cell


def _settled(group: Sequence[Verdict]) -> str:
    whole = [one for one in group if one.outcome != "broken-off"]
    return "-" if not whole else f"{sum(one.outcome == 'right' for one in whole) / len(whole):.3f}"


def _count(outcome: str) -> Cell:
    return lambda group: str(sum(one.outcome == outcome for one in group))


def _questions(group: Sequence[Verdict]) -> str:
    numbers = [one.questions for one in group]
    return f"{statistics.median(numbers):g} ({max(numbers)})"


def _alarms(group: Sequence[Verdict]) -> str:
    return f"{sum(len(one.alarms) for one in group) / len(group):.2f}"


def _delay(group: Sequence[Verdict]) -> str:
    delays = sorted(delay for one in group for delay in one.delays)
    if not delays:
        return "-"
    slow = delays[min(len(delays) - 1, math.ceil(0.95 * len(delays)) - 1)]
    return f"{statistics.median(delays):.1f} ({slow:.1f})"


def _speed(group: Sequence[Verdict]) -> str:
    busy = sum(one.busy for one in group)
    return "-" if not busy else f"{sum(one.frames for one in group) / busy:.1f}"


def _memory(group: Sequence[Verdict]) -> str:
    begin, end = (max(one.memory[place] for one in group) / 1e6 for place in (0, 1))
    return f"{begin:.0f} > {end:.0f}"


_ROWS: Final[tuple[tuple[str, Cell, str], ...]] = (
    ("deals", lambda group: str(len(group)), ""),
    ("actions right", _share(lambda one: one.right, lambda one: one.actions), "0.99"),
    ("settled rightly with no help", _settled, "0.95"),
    ("settled wrongly without a warning", _count("wrong"), "0"),
    ("settled with a warning", _count("unsure"), ""),
    ("not settled", _count("open"), ""),
    ("questions a deal: median (most)", _questions, "0, hard 2"),
    ("faults found", _share(lambda one: one.faults - len(one.missed), lambda one: one.faults), "0.98"),
    ("false alarms a deal", _alarms, "0.05"),
    ("hand gone to told, s: median (p95)", _delay, "p95 1.5"),
    ("frames a second, one processor", _speed, "10"),
    ("frames lost by a live camera", _share(lambda one: one.lost, lambda one: one.frames), "0"),
    ("looks a frame", _share(lambda one: one.looks, lambda one: one.frames), ""),
    ("memory, MB: start > end", _memory, "flat"),
)
