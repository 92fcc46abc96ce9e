"""The tracker: from readings, frame by frame, to a stable view in which each physical card is one track.

A pack holds each card once, so a card is known by its name more than by its place: a card read somewhere new is the
same track if its name is that of a track that is not seen any more. A track that is not read stays, ``covered``,
until its place shows the bare table; one that lies under another card goes along with that card. A reading where no
track lies has to come back several times before it counts.

Places and distances are millimetres on the table (``vision.table_plane``), so that nothing depends on how near the
camera is, how it is turned, or where it was pushed to.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from assistant.cards import UNKNOWN, Card
from assistant.view import Passing, Point, SeenCard, Stillness, TableView, Zone
from vision.card_edges import Grey, exact_outline
from vision.found_again import find_move, find_move_by_marks
from vision.recogniser import Reading
from vision.table_plane import EXACT_MM, HEIGHT_MM, ROUGH_MM, WIDTHS_MM, PlaneLearner, Points, TablePlane, mapped
from vision.votes import Vector, agreement, clearness, name_together, opinion, pinned_vector, posterior, reading_vector
from vision.zones import Layout

Corners = npt.NDArray[np.float64]
"""4 x 2: an outline on the table, millimetres."""
Quad = tuple[Point, Point, Point, Point]
"""An outline in the picture, fractions of its width and height."""

NEAR_MM: Final = 44.0
"""A reading can be of a track whose middle is within this distance."""
MOVED_MM, JUMPED_MM = 31.0, 18.0
"""From where on a card lies elsewhere, and from where on it isn't taken for a reading's inaccuracy."""
MATCH_COST: Final = 2.5
APART: Final = 4.0
"""What it costs to leave a track and a reading apart: more than any one pair that may be, less than a row of pairs in
which each reading is taken for its neighbour."""
OTHER, NAMED = 0.1, 0.6
"""Where something has moved, a card whose name is so likely isn't another that agrees with it so little, if that one
lies elsewhere."""
AGAIN: Final = 0.5
"""So likely must a reading mean the card that is out of sight, if something has moved there since that was read last:
another may lie on it now."""
CLEARLY: Final = 0.75
"""So clearly must a card be read elsewhere, on the average, that was covered and whose place doesn't look bare."""
CONFIRM: Final = 3
"""Readings that make a card out of a first glimpse."""
FORGET: Final = 4
"""Misses in a row that end a glimpse."""
VOTES: Final = 10
TURNED: Final = 0.2
"""Outlines are turned alike if the sine of the angle between them is less."""
QUIET: Final = 0.15
"""Seconds for which nothing may have moved at a place before a reading there counts."""
WELL_KNOWN: Final = 6
"""A card read so often is believed to lie there, unread, for ``TRUSTED`` seconds if nothing has moved at its place."""
TRUSTED: Final = 30.0
LEARNT_AFTER: Final = 4
"""After so many readings at one place a card's outline there teaches the plane; ``AT_ONCE`` cards from one picture."""
AT_ONCE: Final = 2
CARD_MM2: Final = WIDTHS_MM[0] * HEIGHT_MM
SIZED, ABOUT, STRANGE = 4, 1.25, 1.65
"""Among so many readings, most of about the right size, one so many times as large or as small is no card there."""
_ON_TOP: Final = 0.5
PASSING_S: Final = 20.0
"""What was read in passing is remembered so long (seconds)."""


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
    called: Card = UNKNOWN
    named: float = -math.inf
    total: Vector | None = None
    here: int = 0
    taught: bool = False
    under: int | None = None
    under_at: Corners | None = None
    drawn: tuple[Corners, TablePlane, Quad] | None = None

    def share(self) -> Vector:
        """The probabilities (52) of what card this is, by its votes or by a person's word."""
        if self.total is None:
            self.total = posterior([self.pinned] if self.pinned is not None else list(self.votes))
        return self.total

    def vote(self, vector: Vector) -> None:
        self.votes.append(vector)
        self.total = None

    def move_to(self, corners: Corners) -> None:
        self.corners = corners
        self.here, self.taught = 0, False


@dataclass(frozen=True, slots=True)
class _Glimpse:
    """One reading of the frame in hand: its outline on the table and, as fractions, in the picture."""

    corners: Corners
    shown: Points
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
        self._passing: deque[Passing] = deque()
        self._numbers = itertools.count(1)
        self._table = PlaneLearner(16 / 9)

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
        self._know_plane(readings, size)
        read = [self._glimpse(reading, size) for reading in readings]
        like_cards = _of_like_size([one.corners for one in read])
        if not all(like_cards):
            sized = _of_like_size([track.corners for track in self._live])
            self._live = [
                track for track, like in zip(self._live, sized, strict=True) if like or track.pinned is not None
            ]
        glimpses = _sift([one for one, like in zip(read, like_cards, strict=True) if like])
        pairs = self._match(glimpses, t, place)
        for track, glimpse in pairs:
            self._hit(track, glimpse, t)
        self._forget_passing(t)
        matched = {id(glimpse) for _, glimpse in pairs}
        seen = {id(track) for track, _ in pairs}
        self._miss([track for track in self._live if id(track) not in seen], t, place)
        for glimpse in glimpses:
            if id(glimpse) in matched:
                continue
            if t - place.still_since(_quad(glimpse.shown)) >= QUIET:
                self._begin(glimpse, t)
            self._passes(glimpse, t)
        self._name()
        self._recognise_again(t)
        for track in self._live:
            track.zone = self.layout.zone_at(self._middle(track), track.zone)
        return self.view(t, stillness, still_for)

    def view(self, t: float, stillness: Stillness, still_for: float) -> TableView:
        """The view as it stands, for a frame that was not recognised."""
        cards = [
            SeenCard(
                track=track.number,
                card=track.card,
                confidence=track.confidence,
                zone=track.zone,
                quad=self._quad_of(track),
                covered=track.misses >= 2,
                since=track.since,
                others=track.others,
                named=track.named,
            )
            for track in self._live
            if track.confirmed
        ]
        ordered = tuple(sorted(cards, key=lambda card: card.track))
        return TableView(t, ordered, stillness, still_for, passing=tuple(self._passing))

    def set_layout(self, layout: Layout) -> None:
        """Use other zones from now on; cards are put into them anew."""
        self.layout = layout
        for track in (*self._live, *self._gone):
            track.zone = layout.zone_at(self._middle(track))

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
        self._passing.clear()

    def quads(self) -> list[Quad]:
        """Where cards, and glimpses of cards, lie."""
        return [self._quad_of(track) for track in self._live]

    # --- the table's plane ----------------------------------------------------------------------------------------

    @property
    def plane(self) -> TablePlane:
        """How the picture lies on the table, as far as it is known."""
        return self._table.plane

    def find_move(self, readings: Sequence[Reading], size: tuple[int, int]) -> Points | None:
        """Whether the cards that are read now, all together, lie elsewhere in the picture because camera or table was
        moved: the homography from old to new picture points (see ``vision.found_again``)."""
        known = {track.card: track.corners for track in self._live if track.confirmed and track.card.known}
        seen = [(one.card, one.quad.astype(np.float64) / size) for one in readings if one.card.known]
        return find_move(known, seen, self.plane, self._table.width, size[0] / size[1])

    def see_marks(self, marks: Mapping[int, Points]) -> Points | None:
        """Take in the printed markers that are seen (``vision.markers``). If they say that camera or table was moved:
        the homography from old to new picture points, to be passed to ``carry``; then nothing else is learnt."""
        move = find_move_by_marks(self._table.marks, marks, self.plane, self._table.aspect)
        if move is None and marks:
            self._table.see_marks(marks)
            self._refine()
        return move

    def believes(self, move: Points, readings: Sequence[Reading], size: tuple[int, int]) -> bool:
        """Whether the cards that are read now lie where such a move would have taken them, rather than where they lay.
        Without any known card there is nothing to say against it."""
        known = {track.card: track.corners for track in self._live if track.confirmed and track.card.known}
        seen = [(known[one.card], one.quad.astype(np.float64) / size) for one in readings if one.card in known]
        nearer = []
        for corners, quad in seen:
            lay = self.plane.to_picture(corners).mean(axis=0)
            now = quad.mean(axis=0)
            nearer.append(np.linalg.norm(mapped(move, lay) - now) < np.linalg.norm(lay - now))
        return not nearer or sum(nearer) >= 0.5 * len(nearer)

    def carry(self, move: Points) -> None:
        """Camera or table was moved (``move``: see ``find_move``): cards and zones go with the picture."""
        self._table.carry(move)
        self.layout = self.layout.moved(lambda point: _point(mapped(move, np.array(point))))

    def forget_plane(self) -> None:
        """The camera may stand anywhere now."""
        self._table = PlaneLearner(self._table.aspect)

    def learn_plane(self, grey: Grey | None = None) -> None:
        """Let the cards that lie at rest say how the table lies in the picture; in ``grey``, the whole picture of the
        frame that was seen last, their outlines are found exactly where they lie free."""
        taught = [track for track in self._live if self._teaches(track)][:AT_ONCE]
        for track in taught:
            track.taught = True
            shown = self.plane.to_picture(track.corners)
            exact = None
            if grey is not None:
                size = np.array(grey.shape[::-1], np.float64)
                found = exact_outline(grey, shown * size)
                exact = None if found is None else found / size
            self._table.rest(shown if exact is None else exact, ROUGH_MM if exact is None else EXACT_MM)
        if taught:
            self._refine()

    def _refine(self) -> None:
        before = self.plane
        if self._table.refine():
            self._lay_anew(before)

    def _teaches(self, track: _Track) -> bool:
        return track.confirmed and not track.taught and track.here >= LEARNT_AFTER and not track.misses

    def _know_plane(self, readings: Sequence[Reading], size: tuple[int, int]) -> None:
        """A first idea of the plane from the readings of one frame, while nothing better is known."""
        if abs(self._table.aspect - size[0] / size[1]) > 0.01:
            self._table = PlaneLearner(size[0] / size[1])
        before = self.plane
        if self._table.glimpse([reading.quad.astype(np.float64) / size for reading in readings if reading.card.rank]):
            self._lay_anew(before)

    def _lay_anew(self, before: TablePlane) -> None:
        """The plane is known better: the same places in the picture are other millimetres."""
        for track in (*self._live, *self._gone):
            track.corners = self.plane.to_table(before.to_picture(track.corners))
            if track.under_at is not None:
                track.under_at = self.plane.to_table(before.to_picture(track.under_at))

    def _glimpse(self, reading: Reading, size: tuple[int, int]) -> _Glimpse:
        vector = reading_vector(reading)
        shown = np.asarray(reading.quad, dtype=np.float64) / size
        return _Glimpse(self.plane.to_table(shown), shown, vector, posterior([vector]), reading.confidence)

    def _quad_of(self, track: _Track) -> Quad:
        """Where the track lies in the picture; worked out anew when the card or the plane has changed."""
        drawn = track.drawn
        if drawn is None or drawn[0] is not track.corners or drawn[1] is not self.plane:
            drawn = track.corners, self.plane, _quad(self.plane.to_picture(track.corners))
            track.drawn = drawn
        return drawn[2]

    def _middle(self, track: _Track) -> Point:
        return _point(self.plane.to_picture(track.corners.mean(axis=0)))

    # --- one frame ------------------------------------------------------------------------------------------------

    def _match(self, glimpses: list[_Glimpse], t: float, place: Surroundings) -> list[tuple[_Track, _Glimpse]]:
        """Pairs of tracks and readings that are near each other and mean the same card, the best as a whole.

        Where nothing has moved since the track was last read, it is the same card, whatever the reading says: that
        is a misreading, now or before, and the votes decide.
        """
        if not glimpses or not self._live:
            return []
        distances = _gaps([track.corners for track in self._live], [one.corners for one in glimpses])
        held, read = np.array([track.share() for track in self._live]), np.array([one.share for one in glimpses])
        agreed = held @ read.T
        costs = 1.5 * distances / HEIGHT_MM + 0.5 * np.minimum(6.0, -np.log(agreed + 1e-6))
        strange = (costs > MATCH_COST) & (distances <= NEAR_MM / 2)
        for row in np.flatnonzero(strange.any(axis=1)):
            track = self._live[row]
            strange[row] &= place.still_since(self._quad_of(track)) < track.last_read
        named = (held.max(axis=1) > NAMED)[:, None] & (read.max(axis=1) > NAMED)[None]
        other = (costs <= MATCH_COST) & (agreed < OTHER) & named & (distances > JUMPED_MM) & (distances <= NEAR_MM)
        for row in np.flatnonzero(other.any(axis=1)):
            track = self._live[row]
            other[row] &= place.still_since(self._quad_of(track)) >= track.last_read
        hidden = np.array([track.confirmed and track.misses >= 2 for track in self._live])
        laid = (distances <= NEAR_MM) & (costs <= MATCH_COST) & (agreed < AGAIN) & hidden[:, None]
        for row in np.flatnonzero(laid.any(axis=1)):
            track = self._live[row]
            laid[row] &= place.still_since(self._quad_of(track)) >= track.last_read
        costs[other | laid | (distances > NEAR_MM) | ((costs > MATCH_COST) & ~strange)] = APART
        rows, columns = linear_sum_assignment(costs)
        return [
            (self._live[row], glimpses[column])
            for row, column in zip(rows, columns, strict=True)
            if costs[row, column] < APART
        ]

    def _hit(self, track: _Track, glimpse: _Glimpse, t: float) -> None:
        corners = _turned_like(glimpse.corners, track.corners)
        shift = float(np.linalg.norm(corners.mean(axis=0) - track.corners.mean(axis=0)))
        if shift > MOVED_MM:
            track.since = t
        if shift > JUMPED_MM:
            track.move_to(corners)
        else:
            track.corners = 0.6 * track.corners + 0.4 * corners
        track.here += 1
        track.under, track.under_at = None, None
        track.vote(glimpse.vector)
        track.hits += 1
        track.misses = 0
        track.last_read = t
        track.absent_since, track.absent_looks = None, 0
        track.confirmed = track.confirmed or track.hits >= CONFIRM

    def _miss(self, unread: list[_Track], t: float, place: Surroundings) -> None:
        """Tracks that this frame did not read: covered, or on the way to being gone."""
        unseen = {id(track) for track in unread}
        read = [track for track in self._live if id(track) not in unseen]
        for track in unread:
            quad = self._quad_of(track)
            moved_at = place.still_since(quad)
            track.misses += 1
            if t - moved_at < QUIET:
                track.absent_since = None
                continue
            if not track.confirmed:
                if self._may_be(track):
                    track.hits = 0
                if track.misses >= FORGET:
                    self._live.remove(track)
                continue
            over = [other for other in read if _overlap(track.corners, other.corners) > 0.0]
            bare = place.bare_share(quad, [self._quad_of(other) for other in over])
            untouched = moved_at < track.last_read and track.hits >= WELL_KNOWN and t - track.last_read < TRUSTED
            on_top = [other for other in over if _overlap(track.corners, other.corners) > _ON_TOP]
            if on_top and not any(other.number == track.under for other in on_top):
                track.under, track.under_at = on_top[0].number, on_top[0].corners
            if bare is None and (untouched or any(_overlap(track.corners, other.corners) > 0.35 for other in over)):
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
        upper = next((other for other in self._live if other.number == track.under), None)
        if upper is not None and self._gone_along(track, upper):
            return
        patience, looks = (self.absent, 3) if bare is not None else (self.absent_unknown, 6)
        if upper is not None or any(other.number == track.under for other in self._gone):
            patience = max(patience, self.absent_unknown)  # the upper card, and this one with it, may turn up yet
        if t - track.absent_since >= patience and track.absent_looks >= looks:
            self._live.remove(track)
            self._gone.append(track)

    def _gone_along(self, track: _Track, upper: _Track) -> bool:
        """A card that lay under another whose place is bare now has been moved together with that one."""
        if track.under_at is None or upper.misses or not upper.confirmed:
            return False
        step = upper.corners.mean(axis=0) - track.under_at.mean(axis=0)
        if np.linalg.norm(step) < JUMPED_MM:
            return False
        track.move_to(track.corners + step)
        track.under_at, track.since = upper.corners, upper.since
        track.absent_since = None
        return True

    def _begin(self, glimpse: _Glimpse, t: float) -> None:
        track = _Track(next(self._numbers), glimpse.corners, since=t, last_read=t, hits=1)
        track.vote(glimpse.vector)
        self._live.append(track)

    def _forget_passing(self, t: float) -> None:
        while self._passing and t - self._passing[0].t > PASSING_S:
            self._passing.popleft()

    def _passes(self, glimpse: _Glimpse, t: float) -> None:
        """Remember a reading of which no card may come: what a hand holds, or soon lies beneath another."""
        card, confidence, _ = opinion(glimpse.share, ())
        if card.rank:
            zone = self.layout.zone_at(_point(glimpse.shown.mean(axis=0)))
            self._passing.append(Passing(card, confidence, zone, t))

    def _may_be(self, glimpsed: _Track) -> list[_Track]:
        """The cards as whose second reading, by another index, a mere glimpse may have come about: they lie so near and
        so much alike that what lies beneath would hardly show. A card of its own is read again and again."""
        if glimpsed.confirmed:
            return []
        others = (track for track in self._live if track is not glimpsed and (track.confirmed or not track.misses))
        return [track for track in others if _alike(glimpsed.corners, track.corners)]

    def _name(self) -> None:
        """Name all cards together; a mere glimpse does not take the name of a card, but what may be a second reading of
        one counts with that one's."""
        second = {id(track): self._may_be(track) for track in self._live}
        named = [track for track in self._live if not any(other.confirmed for other in second[id(track)])]
        shares = [track.share() for track in named]
        names = name_together(shares, [0.0 if track.confirmed else 3.0 for track in named])
        for position, track in enumerate(named):
            taken = [name for other, name in enumerate(names) if name is not None and other != position]
            alike = [one for one in self._live if track in second[id(one)]]
            track.card, track.confidence, track.others = opinion(_together([track, *alike]), taken)
            if track.card.known and track.card != track.called:
                track.called, track.named = track.card, track.last_read
            if track.card.rank and track.pinned is None:
                track.confidence = min(track.confidence, clearness(track.votes, track.card))

    def _recognise_again(self, t: float) -> None:
        """A card that turned up here and a track that is not seen any more, of one name: the card was moved."""
        unseen = [*(track for track in self._live if track.confirmed and track.misses >= 2), *self._gone]
        moved = False
        fresh_tracks = [track for track in self._live if CONFIRM <= track.hits < 2 * CONFIRM and track.last_read == t]
        for fresh in fresh_tracks:
            share = fresh.share()
            for old in unseen:
                if agreement(share, old.share()) < 0.5:
                    continue
                left = old in self._gone or old.absent_since is not None
                if not left and old.card.known and clearness(fresh.votes, old.card) < CLEARLY:
                    continue
                fresh.number, fresh.pinned = old.number, old.pinned
                fresh.votes.extendleft(list(old.votes)[-4:])
                fresh.total = None
                for tracks in (self._live, self._gone):
                    if old in tracks:
                        tracks.remove(old)
                unseen.remove(old)
                moved = True
                break
        if moved:
            self._name()


def _gaps(tracks: list[Corners], outlines: list[Corners]) -> Corners:
    """The distances (mm) of the middles of all tracks from those of all readings."""
    middles, others = np.array(tracks).mean(axis=1), np.array(outlines).mean(axis=1)
    return np.asarray(np.linalg.norm(middles[:, None] - others[None], axis=2), dtype=np.float64)


def _of_like_size(outlines: list[Corners]) -> list[bool]:
    """Which can be cards of this table by their size: not one in a drawing, on a screen, or held up to the lens. Where
    most are of another size the camera has been moved, and all may be."""
    sizes = [math.sqrt(cv2.contourArea(outline.astype(np.float32)) / CARD_MM2) for outline in outlines]
    if len(sizes) < SIZED or not 1 / ABOUT < float(np.median(sizes)) < ABOUT:
        return [True] * len(sizes)
    return [1 / STRANGE < size < STRANGE for size in sizes]


def _sift(glimpses: list[_Glimpse]) -> list[_Glimpse]:
    """Leave out second readings of one card: the same place, or nearly the same place and the same name."""
    if not glimpses:
        return []
    ordered = sorted(glimpses, key=lambda entry: -entry.confidence)
    outlines = [glimpse.corners for glimpse in ordered]
    near = _gaps(outlines, outlines) < 1.3 * HEIGHT_MM
    kept: list[int] = []
    for number, glimpse in enumerate(ordered):
        if not any(near[number, other] and _same(glimpse, ordered[other]) for other in kept):
            kept.append(number)
    return [ordered[number] for number in kept]


def _same(one: _Glimpse, other: _Glimpse) -> bool:
    share = _overlap(one.corners, other.corners)
    return share > 0.93 or (share > 0.3 and agreement(one.share, other.share) > 0.3)


def _overlap(one: Corners, other: Corners) -> float:
    """The share (0..1) of the smaller outline that the two have in common."""
    if np.any(one.max(axis=0) < other.min(axis=0)) or np.any(other.max(axis=0) < one.min(axis=0)):
        return 0.0
    first, second = one.astype(np.float32), other.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(first, second)
    least = min(cv2.contourArea(first), cv2.contourArea(second))
    return float(area) / least if least > 0 else 0.0


def _alike(one: Corners, other: Corners) -> bool:
    """Whether two outlines lie in nearly the same place and are turned alike, either end up."""
    if np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > JUMPED_MM:
        return False
    (x, y), (u, v) = _direction(one), _direction(other)
    return abs(float(x * v - y * u)) < TURNED


def _direction(corners: Corners) -> Points:
    """The direction (of length 1) in which the longer sides run."""
    sides = np.diff(np.vstack([corners, corners[:1]]), axis=0)
    along = max((sides[0] - sides[2], sides[1] - sides[3]), key=lambda side: float(np.linalg.norm(side)))
    return np.asarray(along / max(float(np.linalg.norm(along)), 1e-9), dtype=np.float64)


def _together(tracks: Sequence[_Track]) -> Vector:
    """The probabilities (52) of what a card is by the readings of several tracks, each of them by its votes."""
    if len(tracks) == 1:
        return tracks[0].share()
    weights = [len(track.votes) for track in tracks]
    return np.asarray(np.average([track.share() for track in tracks], axis=0, weights=weights), dtype=np.float64)


def _turned_like(corners: Corners, before: Corners) -> Corners:
    """The outline started at the corner that fits the earlier outline best: the other index may have been read."""
    turns = [np.roll(corners, turn, axis=0) for turn in range(4)]
    return min(turns, key=lambda turned: float(np.abs(turned - before).sum()))


def _quad(corners: Points) -> Quad:
    a, b, c, d = (_point(corner) for corner in corners)
    return a, b, c, d


def _point(place: Points) -> Point:
    return float(place[0]), float(place[1])
