"""A table made by hand that a follower looks at: cards are put down and taken, hands come and go, time passes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from assistant.cards import Card
from assistant.events import ActionSeen, Event
from assistant.follow_state import FollowState
from assistant.following import Follower
from assistant.games.game import Game, Position
from assistant.patience import Patience
from assistant.signs.signs import Terms
from assistant.view import FaceDown, Point, Quad, SeenCard, Stillness, TableView, Visit, Zone

QUAD = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
LOOK = 0.2
"""Seconds between two looks."""

Reading = tuple[Card, float, tuple[tuple[Card, float], ...]]


@dataclass(slots=True)
class _Lying:
    track: int
    zone: Zone | None
    since: float
    seen_from: float
    covered: bool = False
    reading: Reading | None = None
    named: float = -math.inf
    quad: Quad = QUAD


class StagedTable:
    """``position`` is what the follower believes, ``events`` what it said."""

    def __init__(
        self,
        game: Game,
        terms: Terms,
        start: Position | None = None,
        patience: Patience | None = None,
        *,
        anywhere: bool = False,
    ) -> None:
        self.follower = Follower(game, terms, patience, anywhere=anywhere)
        self.state = FollowState()
        self.position = start
        self.events: list[Event] = []
        self.t = 0.0
        self.visits: list[Visit] = []
        self.backs: list[FaceDown] = []
        self._lying: dict[str, _Lying] = {}
        self._tracks = 0
        self._moved = -10.0

    # What happens

    def put(
        self,
        names: str,
        zone: Zone | None,
        *,
        seen_after: float = 0.0,
        reading: Reading | None = None,
        at: Point | None = None,
    ) -> None:
        """Cards are put down; each is seen so many seconds later. ``at``: where the upper left corner lies."""
        for name in names.split():
            self._tracks += 1
            quad = QUAD if at is None else _upright(at)
            self._lying[name] = _Lying(self._tracks, zone, self.t, self.t + seen_after, reading=reading, quad=quad)
        self._moved = self.t

    def take(self, names: str) -> None:
        """Cards are taken away."""
        for name in names.split():
            del self._lying[name]
        self._moved = self.t

    def shift(self, name: str, zone: Zone | None) -> None:
        """A card is moved a little, or to another place."""
        self._lying[name].zone, self._lying[name].since = zone, self.t
        self._moved = self.t

    def cover(self, names: str, covered: bool = True) -> None:
        """Something lies over cards, or no longer."""
        for name in names.split():
            self._lying[name].covered = covered

    def read(self, name: str, reading: Reading | None) -> None:
        """How a card is read from now on."""
        self._lying[name].reading, self._lying[name].named = reading, self.t

    def turn_down(self, zone: Zone) -> None:
        """A face-down packet is put down."""
        self.backs.append(FaceDown(zone, QUAD, self.t))

    def hand(self, seat: int | None, seconds: float = 0.8, over: Iterable[Zone] = ()) -> None:
        """A hand comes in now and goes again."""
        self.visits.append(Visit(seat, self.t, self.t + seconds, tuple(over)))

    def stir(self) -> None:
        """Something moves that is no card."""
        self._moved = self.t

    @property
    def lying(self) -> list[str]:
        """The cards on the table."""
        return list(self._lying)

    # Looking

    def view(self) -> TableView:
        """What is seen at this moment."""
        cards = tuple(self._seen(name, one) for name, one in self._lying.items() if one.seen_from <= self.t)
        visits = tuple(
            Visit(one.seat, one.begin, None if one.end is not None and one.end > self.t else one.end, one.over)
            for one in self.visits
            if one.begin <= self.t < one.begin + 60
        )
        still = self.t - self._moved
        stillness = Stillness.STILL if still >= 0.3 else Stillness.SETTLING
        return TableView(self.t, cards, stillness, still, tuple(self.backs), visits)

    def wait(self, seconds: float, *, blind: bool = False) -> list[Event]:
        """Time passes; what the follower says meanwhile. ``blind``: nobody looks."""
        came: list[Event] = []
        end = round(self.t + seconds, 3)
        while self.t < end:
            self.t = round(min(self.t + LOOK, end), 3)
            if not blind:
                step = self.follower.follow(self.state, self.position, self.view())
                self.state, self.position = step.state, step.position
                came += step.events
        self.events += came
        return came

    def _seen(self, name: str, one: _Lying) -> SeenCard:
        card, confidence, others = one.reading or (Card.parse(name), 0.97, ())
        return SeenCard(one.track, card, confidence, one.zone, one.quad, one.covered, one.since, others, one.named)


def _upright(at: Point) -> Quad:
    (x, y), (right, bottom) = at, (at[0] + 0.07, at[1] + 0.17)
    return (x, y), (right, y), (right, bottom), (x, bottom)


def lines(events: Iterable[Event]) -> list[str]:
    """The actions among events."""
    return [str(event.action) for event in events if isinstance(event, ActionSeen)]


def kinds(events: Iterable[Event]) -> list[str]:
    """The kinds of events."""
    return [type(event).__name__ for event in events]
