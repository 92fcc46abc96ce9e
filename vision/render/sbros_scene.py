"""The table of Sbros: two centre cards, the stock, and each seat's temporary discard.

Millimetres on the table (see ``camera``). Seat 1 at the near edge, seat 2 at the far one; left and right as seen in
the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.render.camera import Camera
from vision.render.table_scene import CARD_WIDTH, Place, Pose, Spot, fractions

_PLACES: Final = {  # the strips of the temporary discards
    1: Place(1, (-285.0, 204.0), 0.0, 570.0),
    2: Place(2, (285.0, -238.0), 180.0, 570.0),
}
CENTRE: Final[dict[str, Spot]] = {"left": (-62.0, -18.0), "right": (62.0, -18.0)}
STOCK_SPOT: Final[Spot] = (-262.0, -18.0)
_CENTRE_ROOM: Final = (120.0, 152.0)
_STOCK_ROOM: Final = (110.0, 150.0)


@dataclass(frozen=True, slots=True)
class SbrosScene:
    """The places of a table of Sbros."""

    players: int = 2

    def place(self, seat: int) -> Place:
        """The strip of a seat (1 or 2)."""
        return _PLACES[seat]

    @property
    def aside(self) -> Pose:
        """Where a thing stands that is no card, out of the way."""
        return Pose(330.0, -30.0, -14.0)

    def reset_pose(self, seat: int, index: int, spread: float = 24.0) -> Pose:
        """Where card ``index`` (0-based) of a seat's temporary discard lies."""
        place = self.place(seat)
        x, y = place.at(CARD_WIDTH / 2 + min(index * spread, place.length - CARD_WIDTH))
        return Pose(x, y, place.angle)

    def layout(self, camera: Camera) -> dict[str, Any]:
        """The zones in fractions of the picture, in the form that ``mournival watch --layout`` reads."""
        left, right = (fractions(_rectangle(CENTRE[side], _CENTRE_ROOM), camera) for side in ("left", "right"))
        table = _rectangle((0.0, -18.0), (290.0, _CENTRE_ROOM[1]))
        return {
            "table": fractions(table, camera),
            "seats": [{"seat": 1}, {"seat": 2}],
            "centre": [left, right],
            "stock": fractions(_rectangle(STOCK_SPOT, _STOCK_ROOM), camera),
            "resets": [fractions(self.place(seat).outline(), camera) for seat in (1, 2)],
        }


def _rectangle(middle: Spot, size: Spot) -> npt.NDArray[np.float64]:
    (x, y), (width, height) = middle, (size[0] / 2, size[1] / 2)
    return np.array(
        [[x - width, y - height], [x + width, y - height], [x + width, y + height], [x - width, y + height]]
    )
