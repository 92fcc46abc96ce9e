"""The eye over one table: a frame goes in, the view of the table comes out.

The one place where gate, recogniser and tracker work together. What else is seen in the same frames (cards that lie
face down, hands that come in) is put into the view here. When camera or table was moved, the eye finds itself again,
and cards, zones and the bare table go along.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from assistant.cards import Card
from assistant.view import Stillness, TableView
from vision.blank_pictures import BlankPictures
from vision.card_edges import Grey
from vision.face_down import BackWatch
from vision.frames import Frame
from vision.gate import Gate
from vision.grown_piles import GrownPiles
from vision.markers import find_markers
from vision.recogniser import Reading, Recogniser
from vision.table_plane import Points, TablePlane
from vision.tracker import Tracker
from vision.unread_faces import UnreadFaces
from vision.visits import HandWatch
from vision.zones import Layout

FOUND_AGAIN_S: Final = 0.6
"""For so long after a move of the camera the table does not count as still."""

MARKS_EVERY_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Look:
    """What came of one frame.

    ``recognised``: whether the cards were read in it; else ``view`` is the one before at a later time, and there are
    no ``readings``. ``warnings`` are codes of ``vision.picture_quality.FAULTS``; ``twice`` are the cards that lie there
    twice.
    """

    view: TableView
    recognised: bool = False
    readings: tuple[Reading, ...] = ()
    warnings: tuple[str, ...] = ()
    twice: tuple[Card, ...] = ()


class TableEye:
    """Follows one table through one camera; ``look`` at every frame, in order. It is used by one thread."""

    def __init__(self, recogniser: Recogniser, layout: Layout) -> None:
        self._recogniser = recogniser
        self._blank = BlankPictures()
        self._gate = Gate()
        self._tracker = Tracker(layout)
        self._hands = HandWatch(layout)
        self._backs = BackWatch()
        self._unread = UnreadFaces()
        self._grown = GrownPiles()
        self._measured = False
        self._given = layout
        self._moved_at = -FOUND_AGAIN_S
        self._marks_at = -MARKS_EVERY_S

    @property
    def layout(self) -> Layout:
        """The zones, as they lie in the picture now."""
        return self._tracker.layout

    @property
    def plane(self) -> TablePlane:
        """Where a point of the picture lies on the table, as far as it is known."""
        return self._tracker.plane

    def look(self, frame: Frame) -> Look:
        """Take in the next frame."""
        image, t = frame.image, frame.t
        if self._blank.blank(image):
            return Look(self.view(t, Stillness.MOVING, 0.0), True, (), ("no-picture",))
        report = self._gate.look(image, t)
        self._hands.set_layout(self.layout)
        self._hands.look(*self._gate.motion, t, self._tracker.quads())
        if not report.worth:
            return Look(self._with_grown_piles(self.view(t, report.stillness, report.still_for)))
        found = self._recogniser.recognise(image, one_pack=True)
        size = (image.shape[1], image.shape[0])
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        self._find_itself(report.move, found.readings, size, t)
        self._look_for_marks(grey, t)
        seen = self._tracker.see(found.readings, size, t, self._gate, report.stillness, report.still_for)
        self._measured |= bool(seen.cards)
        self._tracker.learn_plane(grey)
        if self._measured and report.stillness is Stillness.STILL:
            self._backs.look(image, t, self.plane, self._tracker.quads(), self._gate)
        self._gate.set_cards([*self._tracker.quads(), *self._backs.quads()])
        view = self._with_grown_piles(self.view(t, report.stillness, report.still_for))
        packs = ("two-packs",) if found.twice else ()
        middle = any(one.zone is not None and one.zone.seat is None for one in self._backs.unread(t, self.layout))
        unread = ("unread-card",) if middle else ()
        warnings = (*report.warnings, *packs, *unread, *found.warnings)
        return Look(view, True, found.readings, warnings, found.twice)

    def _with_grown_piles(self, view: TableView) -> TableView:
        """The view in zones that nobody drew, widened where a seat's pile turns out to lie."""
        grown = self._grown.look(self.layout, view)
        if grown is None:
            return view
        self._tracker.set_layout(grown)
        return self.view(view.t, view.stillness, view.still_for)

    def _find_itself(self, move: Points | None, readings: tuple[Reading, ...], size: tuple[int, int], t: float) -> None:
        """Was camera or table moved? The picture as a whole may say so, if the cards don't say otherwise; or they say
        it themselves."""
        if move is not None and not self._tracker.believes(move, readings, size):
            self._gate.went(None)
            move = None
        if move is None:
            move = self._tracker.find_move(readings, size)
        if move is not None:
            self._go_along(move, t)

    def _look_for_marks(self, grey: Grey, t: float) -> None:
        """Once a second the printed markers are looked for: most tables have none."""
        if t - self._marks_at < MARKS_EVERY_S:
            return
        self._marks_at = t
        move = self._tracker.see_marks(find_markers(grey))
        if move is not None:
            self._go_along(move, t)

    def _go_along(self, move: Points, t: float) -> None:
        self._gate.went(move)
        self._tracker.carry(move)
        self._backs.carry(move)
        self._moved_at = t

    def view(self, t: float, stillness: Stillness, still_for: float) -> TableView:
        """The view as it stands, for a time at which nothing new was seen."""
        view = self._tracker.view(t, stillness, still_for)
        cards = self._unread.joined(view.cards, self._backs.unread(t, self.layout), self._gate)
        backs = self._backs.seen(self.layout)
        view = replace(view, cards=cards, backs=backs, visits=self._hands.visits)
        if stillness is Stillness.STILL and t - self._moved_at < FOUND_AGAIN_S:
            return replace(view, stillness=Stillness.SETTLING, still_for=0.0)
        return view

    def set_layout(self, layout: Layout) -> None:
        """Use other zones from now on, given for the picture as it is now; cards are put into them anew."""
        self._given = layout
        self._tracker.set_layout(layout)

    def pin(self, number: int, card: Card | None) -> bool:
        """A person says which card a track is (None: go by the readings again). False if there is no such track."""
        face = self._unread.pin(number, card)
        return self._tracker.pin(self._unread.track_of(number), card) or face

    def read_with(self, recogniser: Recogniser) -> None:
        """Read the cards with another recogniser from now on."""
        self._recogniser = recogniser

    def clear(self) -> None:
        """Forget all cards: a new deal. The camera and the bare table are as they were."""
        self._tracker.clear()
        self._backs.clear()
        self._unread.clear()
        self._grown.clear()

    def begin_again(self) -> None:
        """Forget the camera, too: other frames follow, or a recording is played from its start."""
        self._blank, self._gate = BlankPictures(), Gate()
        self._hands.begin_again()
        self._backs, self._measured = BackWatch(), False
        self._unread.clear()
        self._tracker.clear()
        self._grown.clear()
        self._tracker.forget_plane()
        self._tracker.set_layout(self._given)
        self._moved_at, self._marks_at = -FOUND_AGAIN_S, -MARKS_EVERY_S
