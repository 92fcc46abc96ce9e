"""The frames around a deal's first mistake as pictures: each card's outline and name as the tracker holds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from assistant.events import Event, as_json
from assistant.view import TableView
from tests.following_benchmark.deals import Deal
from tests.following_benchmark.filmed import Filmed
from tests.following_benchmark.followed import SeeingWatcher, follow
from vision.frames import Frame
from vision.outlines import draw_outlines
from vision.recogniser import Image, Reading
from web.cli.watch import Result

BEFORE_S: Final = 4.0
AFTER_S: Final = 8.0
STEP_S: Final = 0.5


def show(deal: Deal, film: Filmed, around: float, folder: Path) -> list[str]:
    """Write the pictures into ``folder``; what the watcher said in that time, line by line."""
    folder.mkdir(parents=True, exist_ok=True)
    told: list[str] = []
    due = max(0.0, around - BEFORE_S)

    def onlooker(frame: Frame, watcher: SeeingWatcher, entries: list[Event | Result]) -> None:
        nonlocal due
        if not around - BEFORE_S <= frame.t <= around + AFTER_S:
            return
        told.extend(f"{frame.t:7.2f} s  {_line(entry)}" for entry in entries)
        if (frame.t < due and not entries) or watcher.seen is None:
            return
        due = frame.t + STEP_S
        path = folder / f"{deal.name}-{frame.t:07.2f}.png"
        cv2.imwrite(str(path), drawn(frame.image, watcher.seen))

    follow(deal, film, onlooker=onlooker)
    return told


def drawn(image: Image, view: TableView) -> Image:
    """The picture with the cards of a view; covered ones in another colour."""
    scale = np.array((image.shape[1], image.shape[0]), np.float32)
    readings = [
        Reading(seen.card, 0.0 if seen.covered else seen.confidence, np.array(seen.quad, np.float32) * scale)
        for seen in view.cards
    ]
    return draw_outlines(image, readings)


def _line(entry: Event | Result) -> str:
    return "the result" if isinstance(entry, Result) else json.dumps(as_json(entry))
