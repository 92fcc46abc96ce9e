"""Whether memory stays flat: one deal's video again and again, for an hour of video time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import cv2

from assistant.games import game_named
from assistant.signs.signs import Terms
from tests.following_benchmark.deals import Deal, played
from tests.following_benchmark.filmed import Filmed
from tests.following_benchmark.followed import frames_of, layout_of, memory_of, resident
from tests.following_benchmark.remembered import RememberedReadings
from vision.frames import Frame
from vision.onnx_recogniser import OnnxRecogniser
from web.cli.watch import Watcher

HOUR_S: Final = 3600.0
EVERY_S: Final = 300.0


class SameDealer(Watcher):
    """The watcher, for whom the same seat deals again after each deal, as the same video shows it."""

    def _begin(self, terms: Terms) -> None:
        super()._begin(replace(terms, dealer=self.dealer))

    def __init__(self, deal: Deal, film: Filmed, recogniser: RememberedReadings) -> None:
        setup = played(deal).record.setup
        self.dealer = setup.dealer
        terms = Terms(setup.game, setup.players, setup.dealer, dict(setup.options))
        super().__init__(game_named(setup.game), terms, recogniser, layout_of(deal, film))


def endure(deal: Deal, film: Filmed, *, fresh: bool, seconds: float = HOUR_S) -> Iterator[tuple[float, int, int]]:
    """Every five minutes of at least ``seconds``: the video time, the memory held in bytes, the deals settled."""
    cv2.setNumThreads(1)
    recogniser = RememberedReadings(OnnxRecogniser.load(threads=1), memory_of(film), fresh=fresh)
    watcher = SameDealer(deal, film, recogniser)
    due, begun, t = 0.0, 0.0, 0.0
    while t < seconds:
        for frame in frames_of(film):
            t = begun + frame.t
            watcher.look(Frame(frame.index, t, frame.image))
            if t >= due:
                yield t, resident(), watcher.settled
                due += EVERY_S
        begun = t + 1.0
    recogniser.close()
