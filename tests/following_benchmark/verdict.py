"""One deal's verdict: plain numbers and lines of text, as they stand in the result file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant.games.game import Action
from tests.following_benchmark.deals import Deal, played
from tests.following_benchmark.filmed import Done, Filmed
from tests.following_benchmark.followed import Committed, Followed
from tests.following_benchmark.judgement import aligned, done_times, faults_found, faults_told, true_faults


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a deal.

    ``right`` of ``actions``: see ``judgement``. ``outcome``: ``right`` (settled rightly, sure, with no help), ``wrong``
    (settled wrongly without a warning: what must never be), ``unsure`` (settled with a warning, ``nearly``: rightly),
    ``open`` (not settled) or, for a deal that is broken off, ``broken-off``. ``delays``: seconds from the hand leaving
    to the event, for each right action. ``busy``: seconds of one processor. ``lost``: frames that a live camera would
    lose. ``memory``: bytes at the start and at the end. ``first``: what went wrong first; ``first_t`` when, and
    ``kind`` in a word or two.
    """

    name: str
    game: str
    difficulty: str
    players: int
    right: int
    actions: int
    outcome: str
    nearly: bool
    questions: int
    desyncs: int
    undone: int
    faults: int
    missed: tuple[str, ...]
    alarms: tuple[str, ...]
    delays: tuple[float, ...]
    seconds: float
    frames: int
    looks: int
    busy: float
    lost: int
    memory: tuple[int, int]
    kind: str
    first: str
    first_t: float | None
    asked: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The verdict as one JSON object."""
        return asdict(self)


def judge(deal: Deal, film: Filmed, followed: Followed) -> Verdict:
    """Hold what was seen against what was played."""
    whole = played(deal)
    record = whole.record
    true, seen = record.actions, [one.action for one in followed.committed]
    pairs = aligned(true, seen)
    due = true_faults(whole)
    missed, alarms = faults_found(due, faults_told(followed.notices))
    done, lost = done_times(followed.frames)
    kind, first, first_t = _first_wrong(film.done, followed, pairs)
    outcome, nearly = _outcome(whole.positions[-1].settlement(), followed)
    return Verdict(
        name=deal.name,
        game=deal.game,
        difficulty=deal.difficulty,
        players=deal.players,
        right=len(pairs),
        actions=max(len(true), len(seen)),
        outcome=outcome,
        nearly=nearly,
        questions=len(followed.questions),
        desyncs=len(followed.desyncs),
        undone=len(followed.undone),
        faults=len(due),
        missed=tuple(map(str, missed)),
        alarms=tuple(map(str, alarms)),
        delays=tuple(round(delay, 2) for delay in _delays(film.done, followed.committed, pairs, done)),
        seconds=round(followed.frames[-1][0], 2) if followed.frames else 0.0,
        frames=len(followed.frames),
        looks=followed.looks,
        busy=round(sum(cost for _, cost in followed.frames), 2),
        lost=lost,
        memory=followed.memory,
        kind=kind,
        first=first,
        first_t=first_t,
        asked=tuple(f"{question.t:.1f} s: {question.text}" for question in followed.questions),
    )


def _outcome(truth: Mapping[str, Any] | None, followed: Followed) -> tuple[str, bool]:
    if truth is None:
        return "broken-off", followed.sure
    if followed.settlement is None:
        return "open", False
    same = _result(followed.settlement) == _result(truth)
    if followed.sure:
        return ("right" if same else "wrong"), same
    return "unsure", same


def _result(settlement: Mapping[str, Any]) -> object:
    """What a settlement comes to: each seat's net result, or who has won."""
    if "winners" in settlement:
        return sorted(settlement["winners"])
    return [(seat["seat"], seat["net"]) for seat in settlement["seats"]]


def _delays(
    done: Sequence[Done], committed: Sequence[Committed], pairs: Mapping[int, int], dealt: Sequence[float]
) -> list[float]:
    """From each right action's hand leaving to the moment at which a live camera's program would have told of it."""
    left = {one.index: one.t for one in done}
    return [
        (one.t if one.frame is None else dealt[one.frame]) - left[index]
        for index, one in ((index, committed[place]) for index, place in pairs.items())
        if index in left
    ]


def _first_wrong(done: Sequence[Done], followed: Followed, pairs: Mapping[int, int]) -> tuple[str, str, float | None]:
    """What went wrong first: in a word or two, in a line, and when in the video."""
    committed = followed.committed
    if followed.deal_seen is None:
        return "no deal seen", "the deal was not seen", None
    extra = [one for place, one in enumerate(committed) if place not in pairs.values()]
    lacking = [one for one in done if one.index not in pairs]
    if not lacking and not extra:
        return "", "", None
    missing = min(lacking, key=lambda one: one.t, default=None)
    wrong = min(extra, key=lambda one: one.t, default=None)
    if missing is None or (wrong is not None and wrong.t < missing.begin):
        assert wrong is not None
        return f"seen, not done: {wrong.action.verb}", f"{wrong.t:.1f} s: seen {wrong.action}, not done", wrong.t
    near = [one for one in extra if missing.begin <= one.t <= missing.t + 15.0]
    place = f"{missing.t:.1f} s: done {missing.action}"
    if not near:
        loss = min((one.t for one in followed.desyncs), default=math.inf)
        state = "after a desync" if loss < missing.t + 15.0 else "not seen"
        return f"{state}: {missing.action.verb}", f"{place}, {state}", missing.t
    return (
        _difference(missing.action, near[0].action),
        f"{place}, seen {near[0].action} at {near[0].t:.1f} s",
        missing.t,
    )


def _difference(true: Action, seen: Action) -> str:
    if true.verb != seen.verb:
        return f"{true.verb} as {seen.verb}"
    if true.seat != seen.seat:
        return f"{true.verb} by another seat"
    return f"other cards: {true.verb}"
