"""What was seen of a deal, held against what was played: actions, settlement, faults and delays.

**When an action counts as right.** The truth's actions and the seen ones are aligned in their order so that as many as
possible match. Two match if seat and verb are the same and the cards can be the same: a card known only in part
(``7?``, ``??``) matches each card that it may be; the first card of a mate, and both of a cover, have their own places,
all others match in any order. What remains of the two is matched once more where only the order differs and the order
makes no difference: an action out of turn (a lay, the dealer's take, a claim) may stand elsewhere as long as nothing
between the two places is done by the same seat or with cards of its rank. The share of right actions is the number of
matched ones over that of the truth's or of the seen ones, whichever are more.

**Which faults count.** Those that the rules tell of when the truth is replayed without knowing the hands, and the
misplays that were filmed: each by code, seat and cards. A seen one is found if code and seat are right; where the
seat isn't told, the code is enough. What is seen beyond that is a false alarm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from assistant.cards import Card
from assistant.games.game import Action, Notice
from tests.following_benchmark.played import Played

INFORMING: Final = frozenset(
    {
        *("mournival", "pair-royal", "may-lay", "last-in"),
        *("opening", "to-lead", "lead-bar", "must-pick-up", "one-card", "stop-near", "won", "stopped"),
        *("exchange", "must-pass", "must-reset", "stock-low", "one-pass", "drawn", "gone-out", "blocked"),
        "somebody-revoked",
    }
)
"""Codes of notices that tell of no fault of a certain seat."""
_OUT_OF_TURN: Final = ("lay", "take", "claim")
_IN_PLACE: Final = {"mate": 1, "cover": 2}
"""How many of an action's cards, from the first, have a place of their own."""


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """A fault by its code; ``seats``: who made it, none where that can't be told."""

    code: str
    seats: tuple[int, ...]
    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return f"{self.code} by {'/'.join(map(str, self.seats)) or '?'}"


def same_action(true: Action, seen: Action) -> bool:
    """Whether a seen action is the true one, as far as it is known.

    >>> same_action(Action.parse("3 mate 7H 7S"), Action.parse("3 mate 7? 7S"))
    True
    """
    if (true.seat, true.verb, len(true.cards)) != (seen.seat, seen.verb, len(seen.cards)):
        return False
    first = _IN_PLACE.get(true.verb, 0)
    placed = zip(true.cards[:first], seen.cards[:first], strict=True)
    return all(one.matches(other) for one, other in placed) and _match_all(true.cards[first:], seen.cards[first:])


def _match_all(true: tuple[Card, ...], seen: tuple[Card, ...]) -> bool:
    """Whether the cards can be paired off, each with one that it may be."""
    if not true:
        return True
    ordered = sorted(seen, key=lambda card: (not card.rank, not card.suit))
    first, rest = ordered[0], tuple(ordered[1:])
    return any(
        card.matches(first) and _match_all((*true[:place], *true[place + 1 :]), rest) for place, card in enumerate(true)
    )


def aligned(true: Sequence[Action], seen: Sequence[Action]) -> dict[int, int]:
    """Which true action (by index) is which seen one."""
    pairs = _in_order(true, seen)
    free = [index for index in range(len(seen)) if index not in pairs.values()]
    for index, action in enumerate(true):
        if index in pairs or action.verb not in _OUT_OF_TURN:
            continue
        for other in free:
            if same_action(action, seen[other]) and _may_stand(action, other, index, true, seen, pairs):
                pairs[index] = other
                free.remove(other)
                break
    return pairs


def _in_order(true: Sequence[Action], seen: Sequence[Action]) -> dict[int, int]:
    """The longest alignment in order."""
    best = [[0] * (len(seen) + 1) for _ in range(len(true) + 1)]
    for i in reversed(range(len(true))):
        for j in reversed(range(len(seen))):
            matched = best[i + 1][j + 1] + 1 if same_action(true[i], seen[j]) else 0
            best[i][j] = max(matched, best[i + 1][j], best[i][j + 1])
    pairs, i, j = {}, 0, 0
    while i < len(true) and j < len(seen):
        if same_action(true[i], seen[j]) and best[i][j] == best[i + 1][j + 1] + 1:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _may_stand(
    action: Action, place: int, index: int, true: Sequence[Action], seen: Sequence[Action], pairs: dict[int, int]
) -> bool:
    """Whether an action out of turn may as well stand at ``place`` of the seen ones: nothing it passes concerns it."""
    ranks = {card.rank for card in action.cards}
    passed = [seen[other] for one, other in pairs.items() if (one < index) != (other < place) and other != place]
    return all(one.seat != action.seat and not ranks & {card.rank for card in one.cards} for one in passed)


def right_share(true: Sequence[Action], seen: Sequence[Action]) -> tuple[int, int]:
    """How many actions are right, and of how many."""
    return len(aligned(true, seen)), max(len(true), len(seen))


def faults_told(notices: Iterable[Notice]) -> list[FaultSeen]:
    """The faults among some notices, each once."""
    found: dict[FaultSeen, None] = {}
    for notice in notices:
        if notice.code not in INFORMING:
            found[FaultSeen(notice.code, notice.seats, tuple(sorted(notice.cards)))] = None
    return list(found)


def true_faults(played: Played) -> list[FaultSeen]:
    """The faults that an observer of the whole deal can know of, and the misplays."""
    told = faults_told(notice for position in played.positions for notice in position.notices())
    misplays = [FaultSeen(one.words, (one.step.seat,), tuple(sorted(one.step.cards))) for one in played.misplays]
    return [*told, *misplays]


def faults_found(true: Sequence[FaultSeen], seen: Sequence[FaultSeen]) -> tuple[list[FaultSeen], list[FaultSeen]]:
    """The true faults that were missed, and the seen ones that are false alarms."""
    missed, alarms = [], list(seen)
    for fault in true:
        fits = [
            one for one in alarms if one.code == fault.code and (not one.seats or set(fault.seats) & set(one.seats))
        ]
        if not fits:
            missed.append(fault)
            continue
        alarms.remove(max(fits, key=lambda one: (one.cards == fault.cards, bool(one.seats))))
    return missed, alarms


def done_times(frames: Sequence[tuple[float, float]]) -> tuple[list[float], int]:
    """When a live camera's frames would have been dealt with, and how many would be lost.

    ``frames``: each frame's time and how long (seconds) it keeps the program busy. A frame that comes while the one
    before it is still worked on waits; of several that wait only the newest is kept. What a lost frame would have
    shown is taken to be seen when the next one is done.
    """
    done, lost, busy = [0.0] * len(frames), 0, -math.inf
    waiting: list[int] = []
    for index, (t, cost) in enumerate(frames):
        waiting.append(index)
        upcoming = frames[index + 1][0] if index + 1 < len(frames) else math.inf
        begin = max(t, busy)
        if begin >= upcoming:
            continue  # the next frame is there before this one is begun
        busy = begin + cost
        lost += len(waiting) - 1
        for one in waiting:
            done[one] = busy
        waiting = []
    return done, lost
