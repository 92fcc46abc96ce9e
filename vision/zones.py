"""Zones: which part of the picture is the pool and which is a seat's pile.

A layout is stored as the contract's JSON, in fractions of the picture's width and height (0..1, y down)::

    {"table": [[x, y], ...], "seats": [{"seat": 1, "pile": [[x, y], ...]}, ...]}

Without a layout the zones are proposed from the number of players: the pool in the middle, seat 1 at the near edge
and the others clockwise as one sits round a rectangular table. Once the pool lies there, its own cards say how far
it reaches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from assistant.view import TABLE, Point, Zone

Polygon = tuple[Point, ...]
Quad = tuple[Point, Point, Point, Point]

HOLD: Final = 0.02
"""A card keeps its zone until its middle is this far (a fraction of the picture) outside of it."""
REACH: Final = 0.04
"""A card outside every zone counts to the nearest one if it is no farther than this."""
_DEFAULT_POOL: Final = (0.2, 0.25, 0.8, 0.75)
_LEAST_SIDE: Final = 0.12


class LayoutError(ValueError):
    """The layout can't be used; the message is one line: what is wrong and where."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The zones of a table: the pool's polygon and the pile polygon of each seat.

    >>> layout = propose(4)
    >>> str(layout.zone_at((0.5, 0.5))), str(layout.zone_at((0.5, 0.95))), str(layout.zone_at((0.05, 0.5)))
    ('table', 'pile 1', 'pile 2')
    """

    table: Polygon
    piles: Mapping[int, Polygon]
    proposed: bool = field(default=False, compare=False)

    def zone_at(self, point: Point, before: Zone | None = None) -> Zone | None:
        """The zone in which a point lies; the pool goes before the piles where they overlap.

        ``before`` is the zone where the same card lay: it holds the card a little beyond its border, so that a card
        on the border does not flicker. A point just outside all zones counts to the nearest one.
        """
        if before is not None and (polygon := self.polygon(before)) and _depth(polygon, point) >= -HOLD:
            others = [zone for zone in self.zones() if zone != before and _depth(self._of(zone), point) >= HOLD]
            if not others:
                return before
        depths = [(zone, _depth(self._of(zone), point)) for zone in self.zones()]
        for zone, depth in depths:
            if depth >= 0:
                return zone
        zone, depth = max(depths, key=lambda entry: entry[1])
        return zone if depth >= -REACH else None

    def zones(self) -> tuple[Zone, ...]:
        """All zones, the pool first."""
        return (TABLE, *(Zone(seat) for seat in sorted(self.piles)))

    def polygon(self, zone: Zone) -> Polygon | None:
        """The polygon of a zone; None if the layout has no such zone."""
        return self.table if zone.seat is None else self.piles.get(zone.seat)

    def _of(self, zone: Zone) -> Polygon:
        return self.table if zone.seat is None else self.piles[zone.seat]

    def as_json(self) -> dict[str, Any]:
        """The contract's JSON object."""
        return {
            "table": [list(point) for point in self.table],
            "seats": [
                {"seat": seat, "pile": [list(point) for point in pile]} for seat, pile in sorted(self.piles.items())
            ],
        }


def read_layout(path: Path, players: int | None = None) -> Layout:
    """Read a layout file; ``players`` is how many seats it must have. Raises LayoutError (one line)."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(
            f"{path}: the layout can't be read ({getattr(error, 'strerror', None) or 'no text'})"
        ) from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise LayoutError(f"{path}: line {error.lineno}: no JSON ({error.msg})") from None
    except RecursionError:
        raise LayoutError(f"{path}: no layout (brackets nested too deeply)") from None
    try:
        return layout_from_json(data, players)
    except LayoutError as error:
        raise LayoutError(f"{path}: {error}") from None


def layout_from_json(data: Any, players: int | None = None) -> Layout:
    """A layout from the contract's JSON object. Raises LayoutError naming the key."""
    if not isinstance(data, dict) or "table" not in data or "seats" not in data:
        raise LayoutError("a layout is an object with the keys 'table' and 'seats'")
    table = _polygon(data["table"], "table")
    if not isinstance(data["seats"], list):
        raise LayoutError("'seats' must be a list of objects with 'seat' and 'pile'")
    piles: dict[int, Polygon] = {}
    for number, entry in enumerate(data["seats"]):
        where = f"seats[{number}]"
        if not isinstance(entry, dict) or not isinstance(entry.get("seat"), int) or "pile" not in entry:
            raise LayoutError(f"{where}: needs 'seat' (a number) and 'pile' (a list of points)")
        if entry["seat"] in piles:
            raise LayoutError(f"{where}: seat {entry['seat']} is there twice")
        piles[entry["seat"]] = _polygon(entry["pile"], f"{where}.pile")
    wanted = set(range(1, (players or len(piles)) + 1))
    if set(piles) != wanted:
        raise LayoutError(f"the seats must be 1 to {len(wanted)}; they are {', '.join(map(str, sorted(piles)))}")
    return Layout(table, piles)


def propose(players: int, pool: Iterable[Quad] = ()) -> Layout:
    """Zones for 2 to 6 players; ``pool`` are the outlines of the dealt pool cards, if they lie there already.

    The pool is the rectangle round its cards, with a margin, and the sides around it belong to the seats: seat 1 at
    the near edge (the lower one of the picture; for 6 players its right half), the others clockwise.
    """
    if not 2 <= players <= 6:
        raise LayoutError(f"zones for {players} players can't be proposed: 2 to 6 are possible")
    left, top, right, bottom = _pool_rectangle(tuple(pool))
    if players == 3:
        top = 0.0
    middle = (left + right) / 2
    near, far = (left, bottom, right, 1.0), (left, 0.0, right, top)
    sides = {
        2: (near, far),
        3: (near, (0.0, 0.0, left, 1.0), (right, 0.0, 1.0, 1.0)),
        4: (near, (0.0, 0.0, left, 1.0), far, (right, 0.0, 1.0, 1.0)),
        5: (near, (0.0, top, left, 1.0), (0.0, 0.0, middle, top), (middle, 0.0, 1.0, top), (right, top, 1.0, 1.0)),
        6: (
            (middle, bottom, 1.0, 1.0),
            (0.0, bottom, middle, 1.0),
            (0.0, top, left, bottom),
            (0.0, 0.0, middle, top),
            (middle, 0.0, 1.0, top),
            (right, top, 1.0, bottom),
        ),
    }[players]
    piles = {seat: _rectangle(*side) for seat, side in enumerate(sides, start=1)}
    return Layout(_rectangle(left, top, right, bottom), piles, proposed=True)


def _pool_rectangle(pool: tuple[Quad, ...]) -> tuple[float, float, float, float]:
    """The rectangle round the pool's cards with a fifth of a card's margin; each side keeps room for the piles.

    A card belongs where its middle lies: half a card inside the edge in the pool, half a card outside in a pile.
    """
    if not pool:
        return _DEFAULT_POOL
    corners = np.array(pool, dtype=np.float64)
    extent = corners.max(axis=1) - corners.min(axis=1)
    margin = np.median(extent, axis=0) / 5
    low = np.maximum(corners.min(axis=(0, 1)) - margin, _LEAST_SIDE)
    high = np.minimum(corners.max(axis=(0, 1)) + margin, 1 - _LEAST_SIDE)
    # A pool dealt in a corner still leaves the usual room in the middle for what is laid down later.
    low = np.minimum(low, 0.35)
    high = np.maximum(high, 0.65)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple((round(x, 4), round(y, 4)) for x, y in corners)


def _depth(polygon: Polygon, point: Point) -> float:
    """How deep a point lies inside a polygon (negative: how far outside)."""
    outline = np.array(polygon, dtype=np.float32)
    return float(cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), True))


def _polygon(value: Any, where: str) -> Polygon:
    if not isinstance(value, list) or len(value) < 3:
        raise LayoutError(f"'{where}' must be a list of at least three points [x, y]")
    points = []
    for point in value:
        numbers = isinstance(point, list) and len(point) == 2 and all(type(part) in (int, float) for part in point)
        if not numbers or not all(-0.5 <= part <= 1.5 for part in point):
            raise LayoutError(f"'{where}': {point} is no point [x, y] in fractions of the picture (0 to 1)")
        points.append((float(point[0]), float(point[1])))
    return tuple(points)
