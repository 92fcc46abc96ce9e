"""Zones: which part of the picture is the middle of the table, and which belongs to a seat.

A layout is stored as the contract's JSON, in fractions of the picture's width and height (0..1, y down)::

    {"table": [[x, y], ...], "seats": [{"seat": 1, "pile": [[x, y], ...]}, ...]}

Sbros adds ``"centre": [left, right]``, ``"stock"`` and ``"resets": [seat 1, seat 2]``, polygons all of them; its seats
need no piles.

Where nobody drew zones they are proposed (``propose``), and again as the cards show where things lie. Without any card
they follow from the game and the number of players: the middle in the middle, seat 1 at the near edge (the lower one of
the picture), the others clockwise as one sits round a rectangular table.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from assistant.told import later, tell
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, STOCK, TABLE, Point, Zone

Polygon = tuple[Point, ...]
Quad = tuple[Point, Point, Point, Point]
Floats = npt.NDArray[np.float64]
Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom; fractions of the picture."""

SBROS: Final = "sbros"
ROLLING_STONE: Final = "rolling-stone"
HOLD: Final = 0.02
"""A card keeps its zone until its middle is this far (a fraction of the picture) outside of it."""
REACH: Final = 0.04
"""A card outside every zone counts to the nearest one if it is no farther than this."""
LARGEST: Final = 1_000_000
"""Bytes that a layout file may have."""
_NESTED: Final = 0.9
_MOST_POINTS: Final = 200
_LEAST_AREA: Final = 0.0004
_GRAIN: Final = 320

_MIDDLE: Final[Rectangle] = (0.2, 0.25, 0.8, 0.75)
_LEAST_MIDDLE: Final[Rectangle] = (0.35, 0.35, 0.65, 0.65)
_LEAST_TRICK: Final[Rectangle] = (0.3, 0.32, 0.7, 0.68)
_LEAST_SIDE: Final = 0.12
_SLIM: Final = 0.05

_CENTRE: Final[Rectangle] = (0.25, 0.32, 0.75, 0.68)


class LayoutError(ValueError):
    """The layout can't be used; the message is one line: what is wrong and where."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The zones of a table, each with its polygon (at least three points, fractions of the picture).

    ``proposed``: nobody drew them. With Sbros' places the middle as such (TABLE) is only an outline for people: no
    card is said to lie there.

    >>> square = ((0.0, 0.0), (0.2, 0.0), (0.2, 0.2), (0.0, 0.2))
    >>> layout = Layout({TABLE: square, Zone(1): tuple((x + 0.5, y) for x, y in square)})
    >>> str(layout.zone_at((0.1, 0.1))), str(layout.zone_at((0.6, 0.1))), layout.zone_at((0.9, 0.9))
    ('table', 'pile 1', None)
    """

    places: Mapping[Zone, Polygon]
    proposed: bool = field(default=False, compare=False)

    def zone_at(self, point: Point, before: Zone | None = None) -> Zone | None:
        """The zone in which a point lies: of zones that overlap the one in which it lies deeper, but a zone that was
        drawn inside another goes before it.

        ``before`` is the zone where the same card lay: it holds the card a little beyond its border, so that a card
        on the border does not flicker. A point just outside all zones counts to the nearest one.
        """
        depths = {zone: _depth(self.places[zone], point) for zone in self.zones()}
        if before in depths and depths[before] >= -HOLD:
            around = {zone for zone in depths if self._nested(before, zone)}
            if all(depth < HOLD for zone, depth in depths.items() if zone != before and zone not in around):
                return before
        inside = [zone for zone, depth in depths.items() if depth >= 0]
        innermost = [zone for zone in inside if not any(self._nested(other, zone) for other in inside)]
        if innermost or inside:
            return max(innermost or inside, key=depths.__getitem__)
        nearest = max(depths, key=depths.__getitem__, default=None)
        return nearest if nearest is not None and depths[nearest] >= -REACH else None

    def zones(self) -> tuple[Zone, ...]:
        """All zones in which cards may lie: the middle, then the seats by their numbers."""
        named = sorted(self.places, key=lambda zone: (zone.seat or 0, _ORDER.index(zone.part)))
        return tuple(zone for zone in named if zone != TABLE or CENTRE_LEFT not in self.places)

    def polygon(self, zone: Zone) -> Polygon | None:
        """The polygon of a zone; None if the layout has no such zone."""
        return self.places.get(zone)

    @property
    def table(self) -> Polygon:
        """The middle of the table: the pool, the trick, or what holds Sbros' centre cards."""
        return self.places[TABLE]

    @property
    def piles(self) -> dict[int, Polygon]:
        """The pile of each seat that has one."""
        return {zone.seat: self.places[zone] for zone in self.zones() if zone.seat is not None and not zone.part}

    def moved(self, to: Callable[[Point], Point]) -> Layout:
        """The same zones where the camera sees them now: ``to`` says where each point of before lies."""
        return replace(self, places={zone: tuple(map(to, polygon)) for zone, polygon in self.places.items()})

    def as_json(self) -> dict[str, Any]:
        """The contract's JSON object."""
        seats = [{"seat": seat, "pile": _plain(pile)} for seat, pile in self.piles.items()]
        data: dict[str, Any] = {"table": _plain(self.table), "seats": seats}
        if CENTRE_LEFT in self.places:
            data["centre"] = [_plain(self.places[CENTRE_LEFT]), _plain(self.places[CENTRE_RIGHT])]
            data["stock"] = _plain(self.places[STOCK])
            data["resets"] = [_plain(self.places[Zone(seat, "reset")]) for seat in (1, 2)]
        return data

    def _nested(self, inner: Zone | None, outer: Zone) -> bool:
        return inner is not None and inner != outer and _within(self.places[inner], self.places[outer])


_ORDER: Final = ("", "left", "right", "stock", "reset")
_KEYS: Final = ("table", "seats")
_SBROS_KEYS: Final = ("centre", "stock", "resets")


def read_layout(path: Path, players: int | None = None, game: str | None = None) -> Layout:
    """Read a layout file; see ``layout_from_json``. Raises LayoutError (one line that names the file)."""
    try:
        with path.open("rb") as file:
            read = file.read(LARGEST + 1)
        if len(read) > LARGEST:
            raise LayoutError(f"{path}: larger than {LARGEST} bytes, so no layout")
        text = read.decode("utf-8")
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
    except ValueError:
        raise LayoutError(f"{path}: no layout (a number has too many digits)") from None
    try:
        return layout_from_json(data, players, game)
    except LayoutError as error:
        raise LayoutError(f"{path}: {error}") from None


def layout_from_json(data: Any, players: int | None = None, game: str | None = None) -> Layout:
    """A layout from the contract's JSON object. Raises LayoutError naming the key.

    ``players`` is how many seats it must have (None: as many as it has). ``game``: Sbros needs its own places, the
    others have none; None: whichever the layout has.
    """
    if not isinstance(data, dict) or "table" not in data or "seats" not in data:
        raise LayoutError("a layout is an object with the keys 'table' and 'seats'")
    sbros = game == SBROS or (game is None and any(key in data for key in _SBROS_KEYS))
    _refuse_unknown(data, (*_KEYS, *_SBROS_KEYS) if sbros else _KEYS, "")
    places = {TABLE: _polygon(data["table"], "table"), **_piles(data["seats"], players, needed=not sbros)}
    if sbros:
        places.update(_sbros_places(data))
    return Layout(places)


def _piles(value: Any, players: int | None, *, needed: bool) -> dict[Zone, Polygon]:
    if not isinstance(value, list):
        raise LayoutError("'seats' must be a list of objects with 'seat' and 'pile'")
    piles: dict[Zone, Polygon] = {}
    seats: set[int] = set()
    for number, entry in enumerate(value):
        where = f"seats[{number}]"
        if not isinstance(entry, dict) or type(entry.get("seat")) is not int or ("pile" not in entry and needed):
            raise LayoutError(f"{where}: needs 'seat' (a number) and 'pile' (a list of points)")
        _refuse_unknown(entry, ("seat", "pile"), f"{where}: ")
        seat = entry["seat"]
        if seat in seats:
            raise LayoutError(f"{where}: seat {seat} is there twice")
        seats.add(seat)
        if "pile" in entry:
            piles[Zone(seat)] = _polygon(entry["pile"], f"{where}.pile")
    wanted = set(range(1, (players or len(seats)) + 1))
    if seats != wanted and (needed or not seats <= wanted):
        raise LayoutError(f"the seats must be 1 to {len(wanted)}; they are {', '.join(map(str, sorted(seats)))}")
    return piles


def _sbros_places(data: dict[str, Any]) -> dict[Zone, Polygon]:
    for key in _SBROS_KEYS:
        if key not in data:
            raise LayoutError(f"a layout for Sbros needs the key '{key}'")
    left, right = _two(data["centre"], "centre", "left and right")
    first, second = _two(data["resets"], "resets", "seat 1 and seat 2")
    stock = _polygon(data["stock"], "stock")
    return {
        CENTRE_LEFT: left,
        CENTRE_RIGHT: right,
        STOCK: stock,
        Zone(1, "reset"): first,
        Zone(2, "reset"): second,
    }


def _two(value: Any, key: str, which: str) -> tuple[Polygon, Polygon]:
    if not isinstance(value, list) or len(value) != 2:
        raise LayoutError(f"'{key}' must be a list of two polygons, {which}")
    return _polygon(value[0], f"{key}[0]"), _polygon(value[1], f"{key}[1]")


def _refuse_unknown(entry: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in entry:
        if key not in known:
            raise LayoutError(f"{where}unknown key {json.dumps(key)[:60]}: there are {', '.join(known)}")


def _polygon(value: Any, key: str) -> Polygon:
    return polygon_from_json(value, f"'{key}'")


def polygon_from_json(value: Any, where: str) -> Polygon:
    """A polygon of a layout; ``where`` names it in errors. Raises LayoutError: no polygon, or one that encloses
    nothing or crosses itself."""
    if not isinstance(value, list) or len(value) < 3:
        raise LayoutError(tell("{where} must be a list of at least three points [x, y]", where=where))
    if len(value) > _MOST_POINTS:
        pattern = later("{where} has {count} points: {most} are the most")
        raise LayoutError(tell(pattern, where=where, count=len(value), most=_MOST_POINTS))
    points: list[Point] = []
    for point in value:
        numbers = isinstance(point, list) and len(point) == 2 and all(type(part) in (int, float) for part in point)
        if not numbers or not all(-0.5 <= part <= 1.5 for part in point):
            pattern = later("{where}: {point} is no point [x, y] in fractions of the picture (0 to 1)")
            raise LayoutError(tell(pattern, where=where, point=json.dumps(point)[:60]))
        points.append((float(point[0]), float(point[1])))
    corners = [point for number, point in enumerate(points) if point != points[number - 1]]
    if _crosses_itself(corners):
        raise LayoutError(tell("{where} crosses itself: give its corners in their order round the edge", where=where))
    if abs(_area(corners)) < _LEAST_AREA:
        raise LayoutError(tell("{where} is empty: its corners enclose next to nothing", where=where))
    return tuple(corners)


def _crosses_itself(corners: list[Point]) -> bool:
    """Whether two sides that are no neighbours meet."""
    sides = [(corners[number - 1], corner) for number, corner in enumerate(corners)]
    count = len(sides)
    return any(
        _meet(*sides[one], *sides[other])
        for one in range(count)
        for other in range(one + 2, count)
        if (other + 1) % count != one
    )


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _area(corners: list[Point]) -> float:
    after = [*corners[1:], *corners[:1]]
    return math.fsum(x * v - u * y for (x, y), (u, v) in zip(corners, after, strict=True)) / 2


def _depth(polygon: Polygon, point: Point) -> float:
    """How deep a point lies inside a polygon (negative: how far outside)."""
    outline = np.array(polygon, dtype=np.float32)
    return float(cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), True))


@lru_cache(maxsize=512)
def _within(inner: Polygon, outer: Polygon) -> bool:
    """Whether nearly all of the first polygon lies in the second, and the second is clearly the larger one."""
    one, other = _mask(inner), _mask(outer)
    return int((one & other).sum()) >= _NESTED * int(one.sum()) and int(other.sum()) > 1.2 * int(one.sum())


def _mask(polygon: Polygon) -> npt.NDArray[np.bool_]:
    """The polygon as points of a picture that reaches half a picture beyond each side."""
    mask: npt.NDArray[Any] = np.zeros((2 * _GRAIN, 2 * _GRAIN), np.uint8)
    cv2.fillPoly(mask, [np.rint((np.array(polygon) + 0.5) * _GRAIN).astype(np.int32)], 1)
    return mask.astype(np.bool_)


def _plain(polygon: Polygon) -> list[list[float]]:
    return [list(point) for point in polygon]


# --- proposals -----------------------------------------------------------------------------------------------


def propose(game: str, players: int, cards: Iterable[Quad] = (), backs: Iterable[Quad] = ()) -> Layout:
    """Zones for a game of 2 to 6 players. Raises LayoutError.

    ``cards`` are the outlines of face-up cards that are known to lie in the middle: the dealt pool (and later what was
    laid down there), the cards of the first tricks, Sbros' two centre cards. ``backs`` are those of face-down cards
    and heaps: Sbros' stock, Rolling Stone's won tricks.

    >>> layout = propose("laugh-and-lie-down", 4)
    >>> str(layout.zone_at((0.5, 0.5))), str(layout.zone_at((0.5, 0.95))), str(layout.zone_at((0.05, 0.5)))
    ('table', 'pile 1', 'pile 2')
    """
    if not 2 <= players <= 6:
        raise LayoutError(f"zones for {players} players can't be proposed: 2 to 6 are possible")
    up, down = _corners(cards), _corners(backs)
    if game == SBROS:
        return _sbros(up, down)
    middle = _middle(up, down, trick=game == ROLLING_STONE)
    if players == 3:
        middle = (middle[0], 0.0, middle[2], middle[3])
    piles = {Zone(seat): _rectangle(*side) for seat, side in enumerate(_sides(players, middle), start=1)}
    return Layout({TABLE: _rectangle(*middle), **piles}, proposed=True)


def _middle(cards: Floats, backs: Floats, *, trick: bool) -> Rectangle:
    """The rectangle round the middle's cards; each side keeps room for the piles where the cards leave it.

    A card belongs where its middle lies: half a card inside the edge in the middle, half a card outside in a pile. The
    margin is a fifth of a card round a pool, which lies complete, and a whole card round a trick, which grows.
    """
    if not len(cards):
        low, high = np.array(_MIDDLE[:2]), np.array(_MIDDLE[2:])
    else:
        extent = np.median(np.ptp(cards, axis=1), axis=0)
        margin = extent * (1.0 if trick else 0.2)
        least = np.array(_LEAST_TRICK if trick else _LEAST_MIDDLE)
        low = np.maximum(cards.min(axis=(0, 1)) - margin, _LEAST_SIDE)
        high = np.minimum(cards.max(axis=(0, 1)) + margin, 1 - _LEAST_SIDE)
        middles = cards.mean(axis=1)
        # What lies there already stays in, however near to the picture's edge it is; what comes later needs the usual
        # room in the middle.
        low = np.maximum(0.0, np.minimum(np.minimum(low, least[:2]), middles.min(axis=0) - 0.3 * extent))
        high = np.minimum(1.0, np.maximum(np.maximum(high, least[2:]), middles.max(axis=0) + 0.3 * extent))
    for back in backs:
        _leave_out(back, low, high, cards.mean(axis=1) if len(cards) else np.full((1, 2), 0.5))
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _leave_out(back: Floats, low: Floats, high: Floats, keep: Floats) -> None:
    """Draw in the rectangle's side that is nearest to a face-down card, unless a card that must stay is in the way."""
    middle, least, most = back.mean(axis=0), back.min(axis=0), back.max(axis=0)
    if (middle <= low).any() or (middle >= high).any():
        return
    ways = []
    for axis in (0, 1):
        if keep[:, axis].min() > most[axis]:
            ways.append((most[axis] - low[axis], axis, low, most[axis]))
        if keep[:, axis].max() < least[axis]:
            ways.append((high[axis] - least[axis], axis, high, least[axis]))
    if ways:
        _, axis, side, value = min(ways, key=lambda way: way[0])
        side[axis] = value


def _sides(players: int, middle: Rectangle) -> tuple[Rectangle, ...]:
    """Where each seat's cards lie: the sides around the middle, seat 1 first (of six: the near side's right half)."""
    left, top, right, bottom = middle
    x0, y0, x1, y1 = min(0.0, left - _SLIM), min(0.0, top - _SLIM), max(1.0, right + _SLIM), max(1.0, bottom + _SLIM)
    half = (left + right) / 2
    near, far = (left, bottom, right, y1), (left, y0, right, top)
    whole_left, whole_right = (x0, y0, left, y1), (right, y0, x1, y1)
    return {
        2: (near, far),
        3: (near, whole_left, whole_right),
        4: (near, whole_left, far, whole_right),
        5: (near, (x0, top, left, y1), (x0, y0, half, top), (half, y0, x1, top), (right, top, x1, y1)),
        6: (
            (half, bottom, x1, y1),
            (x0, bottom, half, y1),
            (x0, top, left, bottom),
            (x0, y0, half, top),
            (half, y0, x1, top),
            (right, top, x1, bottom),
        ),
    }[players]


def _sbros(cards: Floats, backs: Floats) -> Layout:
    """Two centre piles side by side, the stock where a heap lies, and each seat's put-aside cards between the centre
    and its edge. Only what lies beyond the centre's upper and lower side is put aside."""
    centre = _CENTRE
    divide = (np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    if len(cards) >= 2:
        middles = cards.mean(axis=1)
        ordered = middles[np.argsort(middles[:, 0])]
        half = len(ordered) // 2
        left, right = ordered[:half].mean(axis=0), ordered[half:].mean(axis=0)
        extent = np.median(np.ptp(cards, axis=1), axis=0)
        # New cards are put on these, a little aside; a card whose middle is farther off lies elsewhere.
        low = np.maximum(0.0, middles.min(axis=0) - np.array([1.1, 0.75]) * extent)
        high = np.minimum(1.0, middles.max(axis=0) + np.array([1.1, 0.75]) * extent)
        centre = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        divide = ((left + right) / 2, right - left)
    box = np.array(_rectangle(*centre))
    stock = _stock(centre, backs)
    places: dict[Zone, Polygon] = {
        TABLE: _rectangle(*centre),
        CENTRE_LEFT: _half(box, divide[0], -divide[1]),
        CENTRE_RIGHT: _half(box, divide[0], divide[1]),
        STOCK: stock,
        Zone(1, "reset"): _rectangle(0.0, min(centre[3], 1 - _SLIM), 1.0, 1.0),
        Zone(2, "reset"): _rectangle(0.0, 0.0, 1.0, max(centre[1], _SLIM)),
    }
    return Layout(places, proposed=True)


def _stock(centre: Rectangle, backs: Floats) -> Polygon:
    """Round the face-down cards, the nearest to the table's middle first; before they are seen, at the roomier side."""
    if len(backs):
        far = np.abs(backs.mean(axis=1) - 0.5).max(axis=1)
        heap = backs[int(far.argmin())]
        margin = np.ptp(heap, axis=0) * 0.35
        low, high = np.maximum(0.0, heap.min(axis=0) - margin), np.minimum(1.0, heap.max(axis=0) + margin)
        return _rectangle(*low.tolist(), *high.tolist())
    left, top, right, bottom = centre
    if left > 1 - right + 0.02:
        return _rectangle(0.0, top, max(left - 0.01, _SLIM), bottom)
    return _rectangle(min(right + 0.01, 1 - _SLIM), top, 1.0, bottom)


def _half(box: Floats, point: Floats, inwards: Floats) -> Polygon:
    """The part of a convex polygon on one side of a line: ``inwards`` is the line's normal."""
    kept: list[Point] = []
    heights = (box - point) @ inwards
    for number, corner in enumerate(box):
        before, height, last = heights[number - 1], heights[number], box[number - 1]
        if (before < 0) != (height < 0):
            cut = last + (corner - last) * before / (before - height)
            kept.append((round(float(cut[0]), 4), round(float(cut[1]), 4)))
        if height >= 0:
            kept.append((float(corner[0]), float(corner[1])))
    return tuple(kept)


def _corners(quads: Iterable[Quad]) -> Floats:
    corners: Any = [np.asarray(quad, np.float64) for quad in quads]
    return np.array(corners, np.float64).reshape(-1, 4, 2)


def _rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple((round(x, 4), round(y, 4)) for x, y in corners)
