"""A view of the table as the page draws it, and how the camera fares."""

from __future__ import annotations

from typing import Any, Final

from assistant.games.game import Setup
from assistant.told import tell
from assistant.view import Stillness, TableView
from vision.frames import Frame
from vision.zones import Layout
from web.wording import named, standing_alone
from web.zone_shelf import zones_json

FAILED: Final = tell("following the table failed; what happened is written to the log; add actions by hand")

NOTHING_SEEN: Final[dict[str, Any]] = {
    "frame": 0,
    "t": 0.0,
    "width": 1280,
    "height": 720,
    "stillness": Stillness.STILL.value,
    "zones": [],
    "cards": [],
}
"""The view of a source that has given no picture yet."""


def eye_json(ok: bool, text: str, warning: str, ended: bool, setup: Setup) -> dict[str, Any]:
    """How the camera fares, as the page says it: whether it is well, a line on it, what is wrong with what it sees, and
    whether a recording has ended."""
    return {"ok": ok, "text": standing_alone(text, setup), "warning": named(warning, setup), "ended": ended}


def view_json(view: TableView, number: int, frame: Frame, layout: Layout) -> dict[str, Any]:
    """A view as the page draws it: outlines in fractions of the picture, to four decimals."""
    height, width = frame.image.shape[:2]
    return {
        "frame": number,
        "t": round(frame.t, 2),
        "width": width,
        "height": height,
        "stillness": view.stillness.value,
        "zones": zones_json(layout),
        "cards": [
            {
                "track": card.track,
                "card": str(card.card),
                "confidence": round(card.confidence, 3),
                "zone": None if card.zone is None else str(card.zone),
                "covered": card.covered,
                "quad": [[round(x, 4), round(y, 4)] for x, y in card.quad],
                "others": [str(other) for other, _ in card.others[:4]],
            }
            for card in view.cards
        ],
    }
