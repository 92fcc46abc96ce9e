"""Which camera is followed: chosen on the page while the program runs, and remembered for the next evening.

Every camera looks at the same table, so the game goes on when another one is chosen. A recording is another table with
a game of its own; the real table's game waits until a camera is chosen again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from assistant.games.game import GameError
from assistant.told import tell, words_of
from vision.cameras import listed_cameras
from vision.frames import FrameSource, SourceError
from vision.live_sources import CameraSource, masked
from vision.sources import source_for
from vision.zones import Layout
from web.browser_camera import BrowserCamera, Photographs
from web.journal import JournalError
from web.near_addresses import check_near, number_near
from web.open_session import OpenSession
from web.recordings import Recordings
from web.table_watch import Watched
from web.zone_shelf import TABLE_PLACE, ZoneShelf

REMEMBERED: Final = "camera.json"
LENT: Final = ("page", "photographs")
"""The kinds of source that a page lends."""
_LONGEST: Final = 400

log = logging.getLogger("mournival")


class CantChoose(ValueError):
    """This camera can't be followed, in one line. ``code`` names the kind of trouble for programs."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Follows(Protocol):
    """Whoever watches the table, as far as its source is concerned (``web.table_watch.TableWatch``)."""

    @property
    def writing_waits(self) -> bool: ...

    def change(
        self,
        watched: Watched,
        shelf: ZoneShelf | None,
        *,
        layout: Layout | None = None,
        go: Callable[[], None] | None = None,
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Home:
    """Where the real table's things are kept: the data ``folder``. ``enter`` takes the session to a place; ``demo`` is
    the demo table (None: there is none here)."""

    folder: Path
    enter: Callable[[str], None]
    demo: Callable[[], Choice] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A source that can be followed. ``place`` is whose game it shows, ``zones`` whose zones it uses, ``kept`` what is
    remembered of it for the next evening (None: nothing). One that knows its ``layout`` keeps no zones, and ``enter``
    takes the session to a place that is like no other."""

    kind: str
    name: str
    open: Callable[[], FrameSource]
    place: str = TABLE_PLACE
    zones: str = TABLE_PLACE
    live: bool = True
    kept: Mapping[str, Any] | None = None
    layout: Layout | None = None
    enter: Callable[[], None] | None = None

    @property
    def watched(self) -> Watched:
        """The source as it is watched."""
        return Watched(self.open, self.name, live=self.live)


class CameraDesk:
    """Where the camera is chosen. ``now`` is what was chosen last; None as long as nobody has chosen here.
    ``own_ports`` are those of this program's own page, which is no camera."""

    def __init__(self, watch: Follows, session: OpenSession, home: Home) -> None:
        self._watch = watch
        self._session = session
        self._home = home
        self.recordings = Recordings(home.folder)
        self.now: Choice | None = None
        self.own_ports: Collection[int] = ()

    def cameras(self) -> list[dict[str, Any]]:
        """The cameras of this computer, each with its index and name."""
        return [{"index": index, "name": name} for index, name in listed_cameras().items()]

    def choose(self, wanted: Mapping[str, Any]) -> None:
        """Follow the source that a page names: ``kind`` is ``camera``, ``page``, ``photographs``, ``address``,
        ``recording`` or ``demo``. Raises CantChoose, and then everything is as before."""
        choice = self._choice(wanted)
        if choice.place != self._session.state.place and self._watch.writing_waits:
            raise CantChoose(
                "waiting", tell("what the camera saw is not written down yet: make room on the disk first")
            )
        shelf = None if choice.layout is not None else ZoneShelf(self._home.folder, choice.zones)
        enter = choice.enter or partial(self._home.enter, choice.place)
        watched = replace(choice.watched, came=partial(self._remember, choice))
        try:
            self._watch.change(watched, shelf, layout=choice.layout, go=enter)
        except (GameError, JournalError, SourceError) as error:
            raise CantChoose("not-now", words_of(error)) from None
        self.now = choice

    def _remember(self, choice: Choice) -> None:
        """It has given a picture: the next evening begins with it, or where it can't, as if none had been chosen. What
        shows another place says nothing of the table's camera."""
        if choice.place == TABLE_PLACE:
            _remember(self._home.folder, choice.kept)

    def delete(self, name: str) -> None:
        """Remove a recording that a browser sent. Raises CantChoose for the one that is followed, and for any other."""
        if self.now is not None and (self.now.kind, self.now.name) == ("recording", name):
            raise CantChoose("followed", tell("{name}: this is being followed; choose another camera first", name=name))
        if not self.recordings.delete(name):
            raise CantChoose(
                "no-recording", tell("there is no such recording in {folder}", folder=self.recordings.folder)
            )

    def _choice(self, wanted: Mapping[str, Any]) -> Choice:
        kind = wanted.get("kind")
        match kind:
            case "camera":
                return self._camera(wanted.get("index"), wanted.get("name"))
            case "page" | "photographs":
                sender = wanted.get("sender")
                if not isinstance(sender, str) or not 8 <= len(sender) <= 64:
                    raise CantChoose("bad-request", tell("the page that lends its camera has to say which one it is"))
                return _lent(kind, sender)
            case "address":
                return _address(wanted.get("address"), self.own_ports)
            case "recording":
                return self._recording(wanted.get("name"))
            case "demo" if self._home.demo is not None:
                return self._home.demo()
        raise CantChoose("bad-request", tell("say which kind of camera it is"))

    def _camera(self, index: object, name: object) -> Choice:
        there = listed_cameras()
        if not isinstance(index, int) or isinstance(index, bool) or index not in there or there[index] != name:
            raise CantChoose("no-camera", tell("this camera is not there any more: look for cameras again"))
        source = CameraSource(index)
        kept = {"kind": "camera", "index": index, "name": name}
        return Choice("camera", there[index], lambda: source, zones=camera_zones(there[index]), kept=kept)

    def _recording(self, name: object) -> Choice:
        path = self.recordings.path(name) if isinstance(name, str) else None
        if path is None:
            raise CantChoose(
                "no-recording", tell("there is no such recording in {folder}", folder=self.recordings.folder)
            )
        place = f"recording {path.resolve()}"
        return Choice("recording", path.name, lambda: source_for(str(path)), place, place, live=False)


def camera_zones(name: str) -> str:
    """Whose zones a camera of this computer uses: its own, since another one stands elsewhere."""
    return f"{TABLE_PLACE} camera {name}"


def remembered(folder: Path) -> str | None:
    """The camera that was followed last in this data folder, as ``--camera`` takes it; None where nobody chose one.
    Raises SourceError where it can't be followed now."""
    try:
        kept = json.loads((folder / REMEMBERED).read_text(encoding="utf-8"))
        address = str(kept["address"]) if kept["kind"] == "address" else ""
        index, name = (0, "") if address else (int(kept["index"]), str(kept["name"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if address:
        check_near(address)
        return address
    there = listed_cameras()
    found = [index] if there.get(index) == name else [other for other, called in there.items() if called == name]
    if not found:
        raise SourceError("no-camera", tell("{name}: it is not plugged in", name=name))
    return str(found[0])


def _lent(kind: str, sender: str) -> Choice:
    source: BrowserCamera | Photographs
    source = BrowserCamera(sender=sender) if kind == "page" else Photographs(sender=sender)
    name = tell("The page's camera") if kind == "page" else tell("Photographs")
    return Choice(kind, name, lambda: source, zones=f"{TABLE_PLACE} {kind}")


def _address(text: object, own_ports: Collection[int]) -> Choice:
    if not isinstance(text, str) or len(text) > _LONGEST or "://" not in text:
        raise CantChoose("bad-address", tell("write the camera's whole address, such as rtsp://10.0.0.7/1"))
    address = text.strip()
    try:
        source = source_for(address, at=number_near)
        check_near(address, own_ports)
    except (SourceError, ValueError) as error:
        words = words_of(error) if isinstance(error, SourceError) else tell("check the address")
        raise CantChoose("bad-address", words) from None
    plain = masked(address) == address
    kept = {"kind": "address", "address": address} if plain else None
    return Choice("address", source.name, lambda: source, zones=f"{TABLE_PLACE} {source.name}", kept=kept)


def _remember(folder: Path, kept: Mapping[str, Any] | None) -> None:
    with suppress(OSError):
        if kept is None:
            (folder / REMEMBERED).unlink(missing_ok=True)
            return
        (folder / REMEMBERED).write_text(json.dumps(kept), encoding="utf-8")
