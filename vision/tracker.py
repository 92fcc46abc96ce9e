"""The tracker: from readings, frame by frame, to a stable view in which each physical card is one track.

A pack holds each card once, so a card is known by its name more than by its place: a card read somewhere new is the
same track if its name is that of a track that is not seen any more. A track that is not read stays, ``covered``,
until its place shows the bare table. A reading where no track lies has to come back several times before it counts.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.cards import UNKNOWN, Card
from assistant.view import Point, SeenCard, Stillness, TableView, Zone
from vision.recogniser import Reading
from vision.votes import Vector, agreement, clearness, name_together, opinion, pinned_vector, posterior, reading_vector
from vision.zones import Layout

Corners = npt.NDArray[np.float64]

NEAR: Final = 0.5
"""A reading can be of a track whose middle is within this many card lengths."""
MATCH_COST: Final = 2.5
CONFIRM: Final = 3
"""Readings that make a card out of a first glimpse."""
FORGET: Final = 4
"""Misses in a row that end a glimpse."""
VOTES: Final = 10
QUIET: Final = 0.15
"""Seconds for which nothing may have moved at a place before a reading there counts."""


class Surroundings(Protocol):
    """What the gate knows of a place on the table (see ``vision.gate.Gate``)."""

    def still_since(self, quad: Sequence[Point]) -> float:
        """When something last moved there (seconds of the source)."""
        ...

    def bare_share(self, quad: Sequence[Point], without: Iterable[Sequence[Point]] = ()) -> float | None:
        """The share (0..1) that shows the bare table; None if that can't be told."""
        ...


@dataclass(slots=True, eq=False)
class _Track:
    number: int
    corners: Corners
    since: float
    last_read: float
    votes: deque[Vector] = field(default_factory=lambda: deque(maxlen=VOTES))
    hits: int = 0
    misses: int = 0
    confirmed: bool = False
    pinned: Vector | None = None
    zone: Zone | None = None
    absent_since: float | None = None
    absent_looks: int = 0
    card: Card = UNKNOWN
    confidence: float = 0.0
    others: tuple[tuple[Card, float], ...] = ()
    total: Vector | None = None

    def share(self) -> Vector:
        """The probabilities (52) of what card this is, by its votes or by a person's word."""
        if self.total is None:
            self.total = posterior([self.pinned] if self.pinned is not None else list(self.votes))
        return self.total

    def vote(self, vector: Vector) -> None:
        self.votes.append(vector)
        self.total = None

    @property
    def quad(self) -> tuple[Point, Point, Point, Point]:
        a, b, c, d = ((float(x), float(y)) for x, y in self.corners)
        return a, b, c, d


@dataclass(frozen=True, slots=True)
class _Glimpse:
    """One reading of the frame in hand, in fractions of the picture."""

    corners: Corners
    vector: Vector
    share: Vector
    confidence: float


class Tracker:
    """Holds the cards of one table from frame to frame.

    ``layout`` gives the zones. ``absent`` is how long (seconds) a card's place must show the bare table until the
    card is gone, ``absent_unknown`` the same where nobody knows what the bare table looks like.
    """

    def __init__(self, layout: Layout, *, absent: float = 0.7, absent_unknown: float = 2.5) -> None:
        self.layout = layout
        self.absent = absent
        self.absent_unknown = absent_unknown
        self._live: list[_Track] = []
        self._gone: list[_Track] = []
        self._numbers = itertools.count(1)
        self._aspect = 16 / 9

    def see(
        self,
        readings: Sequence[Reading],
        size: tuple[int, int],
        t: float,
        place: Surroundings,
        stillness: Stillness = Stillness.STILL,
        still_for: float = 0.0,
    ) -> TableView:
        """Take in the readings of a frame of ``size`` (width, height in pixels) at time ``t``; the view after it."""
        self._aspect = size[0] / size[1]
        glimpses = _sift([_glimpse(reading, size) for reading in readings])
        pairs = self._match(glimpses, t, place)
        for track, glimpse in pairs:
            self._hit(track, glimpse, t)
        matched = {id(glimpse) for _, glimpse in pairs}
        seen = {id(track) for track, _ in pairs}
        self._miss([track for track in self._live if id(track) not in seen], t, place)
        for glimpse in glimpses:
            if id(glimpse) not in matched and t - place.still_since(_points(glimpse.corners)) >= QUIET:
                self._begin(glimpse, t)
        self._name()
        self._recognise_again(t)
        for track in self._live:
            middle = track.corners.mean(axis=0)
            track.zone = self.layout.zone_at((float(middle[0]), float(middle[1])), track.zone)
        return self.view(t, stillness, still_for)

    def view(self, t: float, stillness: Stillness, still_for: float) -> TableView:
        """The view as it stands, for a frame that was not recognised."""
        cards = [
            SeenCard(
                track=track.number,
                card=track.card,
                confidence=track.confidence,
                zone=track.zone,
                quad=track.quad,
                covered=track.misses >= 2,
                since=track.since,
                others=track.others,
            )
            for track in self._live
            if track.confirmed
        ]
        return TableView(t, tuple(sorted(cards, key=lambda card: card.track)), stillness, still_for)

    def set_layout(self, layout: Layout) -> None:
        """Use other zones from now on; cards are put into them anew."""
        self.layout = layout
        for track in (*self._live, *self._gone):
            middle = track.corners.mean(axis=0)
            track.zone = layout.zone_at((float(middle[0]), float(middle[1])))

    def pin(self, number: int, card: Card | None) -> bool:
        """A person says which card a track is (None: go by the readings again). False if there is no such track."""
        for track in (*self._live, *self._gone):
            if track.number == number:
                track.pinned, track.total = None if card is None else pinned_vector(card), None
                self._name()
                return True
        return False

    def clear(self) -> None:
        """Forget all cards: a new deal. Track numbers go on."""
        self._live.clear()
        self._gone.clear()

    def quads(self) -> list[tuple[Point, Point, Point, Point]]:
        """Where cards, and glimpses of cards, lie."""
        return [track.quad for track in self._live]

    # --- one frame ------------------------------------------------------------------------------------------------

    def _match(self, glimpses: list[_Glimpse], t: float, place: Surroundings) -> list[tuple[_Track, _Glimpse]]:
        """Pairs of tracks and readings that are near each other and mean the same card, the best as a whole.

        Where nothing has moved since the track was last read, it is the same card, whatever the reading says: that
        is a misreading, now or before, and the votes decide.
        """
        if not glimpses or not self._live:
            return []
        distances = self._distances(self._live, glimpses)
        agreed = np.array([track.share() for track in self._live]) @ np.array([one.share for one in glimpses]).T
        costs = 1.5 * distances + 0.5 * np.minimum(6.0, -np.log(agreed + 1e-6))
        strange = (costs > MATCH_COST) & (distances <= NEAR / 2)
        for row in np.flatnonzero(strange.any(axis=1)):
            track = self._live[row]
            strange[row] &= place.still_since(track.quad) < track.last_read
        costs[(distances > NEAR) | ((costs > MATCH_COST) & ~strange)] = 1e3
        rows, columns = linear_sum_assignment(costs)
        return [
            (self._live[row], glimpses[column])
            for row, column in zip(rows, columns, strict=True)
            if costs[row, column] < 1e3
        ]

    def _hit(self, track: _Track, glimpse: _Glimpse, t: float) -> None:
        corners = _turned_like(glimpse.corners, track.corners)
        shift = self._distance(corners, track.corners)
        if shift > 0.35:
            track.since = t
        track.corners = corners if shift > 0.2 else 0.6 * track.corners + 0.4 * corners
        track.vote(glimpse.vector)
        track.hits += 1
        track.misses = 0
        track.last_read = t
        track.absent_since, track.absent_looks = None, 0
        track.confirmed = track.confirmed or track.hits >= CONFIRM

    def _miss(self, unread: list[_Track], t: float, place: Surroundings) -> None:
        """Tracks that this frame did not read: covered, or on the way to being gone."""
        read = [track.quad for track in self._live if not any(track is other for other in unread)]
        for track in unread:
            quiet = t - place.still_since(track.quad) >= QUIET
            track.misses += 1
            if not quiet:
                track.absent_since = None
                continue
            if not track.confirmed:
                if track.misses >= FORGET:
                    self._live.remove(track)
                continue
            over = [quad for quad in read if _overlap(track.corners, np.array(quad)) > 0.0]
            bare = place.bare_share(track.quad, over)
            if bare is None and any(_overlap(track.corners, np.array(quad)) > 0.35 for quad in over):
                track.absent_since = None
                continue
            self._maybe_gone(track, bare, t)

    def _maybe_gone(self, track: _Track, bare: float | None, t: float) -> None:
        if bare is not None and bare < 0.6:
            track.absent_since = None
            return
        if track.absent_since is None:
            track.absent_since, track.absent_looks = t, 0
        track.absent_looks += 1
        patience, looks = (self.absent, 3) if bare is not None else (self.absent_unknown, 6)
        if t - track.absent_since >= patience and track.absent_looks >= looks:
            self._live.remove(track)
            self._gone.append(track)

    def _begin(self, glimpse: _Glimpse, t: float) -> None:
        track = _Track(next(self._numbers), glimpse.corners, since=t, last_read=t, hits=1)
        track.vote(glimpse.vector)
        self._live.append(track)

    def _name(self) -> None:
        """Name all cards together; a mere glimpse does not take the name of a card."""
        shares = [track.share() for track in self._live]
        names = name_together(shares, [0.0 if track.confirmed else 3.0 for track in self._live])
        for position, track in enumerate(self._live):
            taken = [name for other, name in enumerate(names) if name is not None and other != position]
            track.card, track.confidence, track.others = opinion(shares[position], taken)
            if track.card.rank and track.pinned is None:
                track.confidence = min(track.confidence, clearness(track.votes, track.card))

    def _recognise_again(self, t: float) -> None:
        """A card that turned up here and a track that is not seen any more, of one name: the card was moved."""
        unseen = [*(track for track in self._live if track.confirmed and track.misses >= 2), *self._gone]
        fresh_tracks = [track for track in self._live if CONFIRM <= track.hits < 2 * CONFIRM and track.last_read == t]
        for fresh in fresh_tracks:
            share = fresh.share()
            for old in unseen:
                if agreement(share, old.share()) < 0.5:
                    continue
                fresh.number, fresh.pinned = old.number, old.pinned
                fresh.votes.extendleft(list(old.votes)[-4:])
                fresh.total = None
                for tracks in (self._live, self._gone):
                    if old in tracks:
                        tracks.remove(old)
                unseen.remove(old)
                break
        self._name()

    def _distance(self, one: Corners, other: Corners) -> float:
        """The distance of two middles in lengths of a card."""
        return float(self._gaps(one.mean(axis=0)[None], np.array([other]))[0, 0])

    def _distances(self, tracks: list[_Track], glimpses: list[_Glimpse]) -> Corners:
        """The distances of all tracks from all readings, in lengths of a card."""
        return self._gaps(
            np.array([one.corners.mean(axis=0) for one in tracks]), np.array([one.corners for one in glimpses])
        )

    def _gaps(self, middles: Corners, outlines: Corners) -> Corners:
        stretch = np.array([self._aspect, 1.0])
        lengths = np.maximum(np.linalg.norm((outlines[:, 3] - outlines[:, 0]) * stretch, axis=1), 1e-4)
        gaps = np.linalg.norm((middles[:, None] - outlines.mean(axis=1)[None]) * stretch, axis=2)
        return np.asarray(gaps / lengths, dtype=np.float64)


def _glimpse(reading: Reading, size: tuple[int, int]) -> _Glimpse:
    vector = reading_vector(reading)
    corners = np.asarray(reading.quad, dtype=np.float64) / np.array(size, dtype=np.float64)
    return _Glimpse(corners, vector, posterior([vector]), reading.confidence)


def _sift(glimpses: list[_Glimpse]) -> list[_Glimpse]:
    """Leave out second readings of one card: the same place, or nearly the same place and the same name."""
    kept: list[_Glimpse] = []
    for glimpse in sorted(glimpses, key=lambda entry: -entry.confidence):
        if not any(_same(glimpse, other) for other in kept):
            kept.append(glimpse)
    return kept


def _same(one: _Glimpse, other: _Glimpse) -> bool:
    share = _overlap(one.corners, other.corners)
    return share > 0.93 or (share > 0.3 and agreement(one.share, other.share) > 0.3)


def _overlap(one: Corners, other: Corners) -> float:
    """The share (0..1) of the smaller outline that the two have in common."""
    if np.any(one.max(axis=0) < other.min(axis=0)) or np.any(other.max(axis=0) < one.min(axis=0)):
        return 0.0
    first, second = (np.asarray(corners * 1000, dtype=np.float32) for corners in (one, other))
    area, _ = cv2.intersectConvexConvex(first, second)
    least = min(cv2.contourArea(first), cv2.contourArea(second))
    return float(area) / least if least > 0 else 0.0


def _turned_like(corners: Corners, before: Corners) -> Corners:
    """The outline started at the corner that fits the earlier outline best: the other index may have been read."""
    turns = [np.roll(corners, turn, axis=0) for turn in range(4)]
    return min(turns, key=lambda turned: float(np.abs(turned - before).sum()))


def _points(corners: Corners) -> list[Point]:
    return [(float(x), float(y)) for x, y in corners]
