"""The eye over one table: a frame goes in, the view of the table comes out.

The one place where gate, recogniser and tracker work together. What else is seen in the same frames (cards that lie
face down, hands that come in) is put into the view here.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.cards import Card
from assistant.view import Stillness, TableView
from vision.frames import Frame
from vision.gate import Gate
from vision.recogniser import Reading, Recogniser
from vision.tracker import Tracker
from vision.zones import Layout


@dataclass(frozen=True, slots=True)
class Look:
    """What came of one frame.

    ``recognised``: whether the cards were read in it; else ``view`` is the one before at a later time, and there are
    no ``readings``. ``warnings`` are codes of ``vision.picture_quality.FAULTS``.
    """

    view: TableView
    recognised: bool = False
    readings: tuple[Reading, ...] = ()
    warnings: tuple[str, ...] = ()


class TableEye:
    """Follows one table through one camera; ``look`` at every frame, in order. It is used by one thread."""

    def __init__(self, recogniser: Recogniser, layout: Layout) -> None:
        self._recogniser = recogniser
        self._gate = Gate()
        self._tracker = Tracker(layout)

    @property
    def layout(self) -> Layout:
        """The zones, as they lie in the picture now."""
        return self._tracker.layout

    def look(self, frame: Frame) -> Look:
        """Take in the next frame."""
        image, t = frame.image, frame.t
        report = self._gate.look(image, t)
        if not report.worth:
            return Look(self.view(t, report.stillness, report.still_for))
        found = self._recogniser.recognise(image, one_pack=True)
        size = (image.shape[1], image.shape[0])
        view = self._tracker.see(found.readings, size, t, self._gate, report.stillness, report.still_for)
        self._gate.set_cards(self._tracker.quads())
        return Look(view, True, found.readings, (*report.warnings, *found.warnings))

    def view(self, t: float, stillness: Stillness, still_for: float) -> TableView:
        """The view as it stands, for a time at which nothing new was seen."""
        return self._tracker.view(t, stillness, still_for)

    def set_layout(self, layout: Layout) -> None:
        """Use other zones from now on; cards are put into them anew."""
        self._tracker.set_layout(layout)

    def pin(self, number: int, card: Card | None) -> bool:
        """A person says which card a track is (None: go by the readings again). False if there is no such track."""
        return self._tracker.pin(number, card)

    def clear(self) -> None:
        """Forget all cards: a new deal. The camera and the bare table are as they were."""
        self._tracker.clear()

    def begin_again(self) -> None:
        """Forget the camera, too: other frames follow, or a recording is played from its start."""
        self._gate = Gate()
        self._tracker.clear()
