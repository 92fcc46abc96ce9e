"""Where the zones of a table are kept: those that somebody drew, and those that were proposed for the running deal.

Each place (the table, the demo, a recording) has its own, and each number of players at each game.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from assistant.games.game import Setup
from assistant.told import Place, tell
from assistant.view import TABLE, Zone
from vision.zones import Layout, LayoutError, layout_from_json, polygon_from_json, read_layout

TABLE_PLACE: Final = "table"

log = logging.getLogger("mournival")


class ZoneShelf:
    """The stored zones of one place in the data folder. What can't be read counts as not there."""

    def __init__(self, folder: Path, place: str) -> None:
        self._folder = folder
        self._end = "" if place == TABLE_PLACE else "-" + hashlib.sha256(place.encode("utf-8")).hexdigest()[:12]

    def drawn(self, setup: Setup) -> Layout | None:
        """The zones that somebody drew for this game with so many players."""
        return self._read(self._path("zones", setup), setup)

    def keep_drawn(self, setup: Setup, layout: Layout) -> None:
        """Somebody drew these; they are used from now on."""
        self._write(self._path("zones", setup), layout)

    def forget_drawn(self, setup: Setup) -> None:
        """The program's proposal is wanted again."""
        try:
            self._path("zones", setup).unlink(missing_ok=True)
        except OSError:
            log.warning("the zones could not be taken out of %s", self._folder)

    def proposed(self, setup: Setup) -> Layout | None:
        """The zones that were proposed last, so that a running deal goes on with them."""
        return self._read(self._path("layout", setup), setup)

    def keep_proposed(self, setup: Setup, layout: Layout) -> None:
        """These are the running deal's."""
        self._write(self._path("layout", setup), layout)

    def _path(self, kind: str, setup: Setup) -> Path:
        return self._folder / f"{kind}-{setup.game}-{setup.players}{self._end}.json"

    @staticmethod
    def _read(path: Path, setup: Setup) -> Layout | None:
        try:
            return read_layout(path, setup.players, setup.game)
        except LayoutError:
            return None

    def _write(self, path: Path, layout: Layout) -> None:
        try:
            path.write_text(json.dumps(layout.as_json()), encoding="utf-8")
        except OSError:
            log.warning("the zones could not be stored in %s", self._folder)


def zones_json(layout: Layout) -> list[dict[str, Any]]:
    """The zones as the page draws them: ``zone`` is the name by which ``with_zones`` knows it."""
    shown = [zone for zone in layout.places if zone in layout.zones()]
    return [
        {"zone": str(zone), "seat": zone.seat, "part": zone.part, "polygon": _rounded(layout.places[zone])}
        for zone in sorted(shown, key=lambda zone: (zone.seat or 0, zone.part))
    ]


def with_zones(layout: Layout, drawn: Mapping[str, Any], setup: Setup) -> Layout:
    """The layout with some of its zones drawn anew. Raises LayoutError where one is no polygon."""
    names: dict[str, Zone] = {str(zone): zone for zone in layout.places}
    places: dict[Zone, Any] = dict(layout.places)
    for name, polygon in drawn.items():
        if name not in names:
            raise LayoutError(tell("there is no zone '{name}' on this table: draw its zones anew", name=name[:40]))
        places[names[name]] = polygon_from_json(polygon, tell("the zone {place}", place=Place(name)))
    if TABLE not in places:
        raise LayoutError(tell("the middle of the table is missing"))
    return layout_from_json(_unchecked(places), setup.players, setup.game)


def _unchecked(places: Mapping[Zone, Any]) -> dict[str, Any]:
    """The contract's JSON object of places that nobody has checked yet."""
    data: dict[str, Any] = json.loads(json.dumps(Layout(places).as_json()))
    return data


def _rounded(polygon: Any) -> list[list[float]]:
    return [[round(x, 4), round(y, 4)] for x, y in polygon]
