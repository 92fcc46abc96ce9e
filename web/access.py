"""Who may ask for what: the roles, and the one table of all routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What somebody is here. A camera is a device that lends its own and does nothing else; a stranger has not been let
    in."""

    HOST = "host"
    PLAYER = "player"
    VIEWER = "viewer"
    CAMERA = "camera"
    STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who asks for a page. ``seat``: a player's own, else None. ``id`` is no secret: it opens nothing."""

    id: str
    role: Role
    seat: int | None = None


AT_HOME: Final = Guest("", Role.HOST)
"""Whoever sits at the computer itself."""
STRANGER: Final = Guest("", Role.STRANGER)

_HOSTS: Final = frozenset({Role.HOST})
_SEATED: Final = frozenset({Role.HOST, Role.PLAYER})
_READERS: Final = frozenset({Role.HOST, Role.PLAYER, Role.VIEWER})
_CAMERAS: Final = frozenset({Role.HOST, Role.CAMERA})
_ALL: Final = frozenset(Role)

ROUTES: Final[Mapping[tuple[str, str], frozenset[Role]]] = {
    ("GET", "/pair"): _ALL,
    ("POST", "/api/pair"): _ALL,
    ("GET", "/authority.crt"): _ALL,
    ("GET", "/static/<path:filename>"): _ALL,
    ("GET", "/texts/<code>.js"): _ALL,
    ("GET", "/"): _READERS,
    ("GET", "/openapi.json"): _READERS,
    ("GET", "/overlay"): _READERS,
    ("GET", "/picture.jpg"): _READERS,
    ("GET", "/api/state"): _READERS,
    ("GET", "/api/stream"): _READERS,
    ("GET", "/api/record.deal"): _READERS,
    ("GET", "/account"): _READERS,
    ("GET", "/api/evening.csv"): _READERS,
    ("GET", "/api/deals/<int:deal>/record.deal"): _READERS,
    ("GET", "/deal/<int:deal>"): _READERS,
    ("GET", "/api/deals/<int:deal>/step"): _READERS,
    ("GET", "/api/deals/<int:deal>/picture.jpg"): _READERS,
    ("GET", "/api/recording"): _ALL,
    ("POST", "/api/recording"): _HOSTS,
    ("POST", "/api/recording/delete"): _HOSTS,
    ("POST", "/api/report"): _HOSTS,
    ("GET", "/seat/<int:seat>"): _SEATED,
    ("GET", "/api/seat/<int:seat>"): _SEATED,
    ("POST", "/api/seat/<int:seat>/hand"): _SEATED,
    ("POST", "/api/seat/<int:seat>/picture"): _SEATED,
    ("POST", "/api/seat/<int:seat>/forget"): _SEATED,
    ("POST", "/api/answer"): _SEATED,
    ("GET", "/api/offers"): _HOSTS,
    ("GET", "/api/ways"): _HOSTS,
    ("POST", "/api/undo"): _HOSTS,
    ("POST", "/api/redo"): _HOSTS,
    ("POST", "/api/action"): _HOSTS,
    ("POST", "/api/change"): _HOSTS,
    ("POST", "/api/confirm"): _HOSTS,
    ("POST", "/api/correct"): _HOSTS,
    ("POST", "/api/accept"): _HOSTS,
    ("POST", "/api/begin"): _HOSTS,
    ("POST", "/api/join"): _HOSTS,
    ("POST", "/api/next"): _HOSTS,
    ("POST", "/api/again"): _HOSTS,
    ("POST", "/api/reopen"): _HOSTS,
    ("POST", "/api/setup"): _HOSTS,
    ("POST", "/api/help"): _HOSTS,
    ("POST", "/api/session"): _HOSTS,
    ("POST", "/api/zones"): _HOSTS,
    ("GET", "/plain"): _READERS,
    ("GET", "/setup"): _HOSTS,
    ("GET", "/camera"): _CAMERAS,
    ("GET", "/api/cameras"): _HOSTS,
    ("POST", "/api/camera"): _CAMERAS,
    ("POST", "/api/camera-frame"): _CAMERAS,
    ("POST", "/api/camera-gone"): _CAMERAS,
    ("POST", "/api/uploads"): _HOSTS,
    ("POST", "/api/recordings/delete"): _HOSTS,
    ("GET", "/api/table-check"): _HOSTS,
    ("GET", "/api/packs"): _HOSTS,
    ("GET", "/api/packs/card/<int:number>.jpg"): _HOSTS,
    ("POST", "/api/packs/begin"): _HOSTS,
    ("POST", "/api/packs/picture"): _HOSTS,
    ("POST", "/api/packs/forget"): _HOSTS,
    ("POST", "/api/packs/learn"): _HOSTS,
    ("POST", "/api/packs/answer"): _HOSTS,
    ("POST", "/api/packs/keep"): _HOSTS,
    ("POST", "/api/packs/leave"): _HOSTS,
    ("POST", "/api/packs/use"): _HOSTS,
    ("GET", "/guests"): _HOSTS,
    ("GET", "/api/guests"): _HOSTS,
    ("POST", "/api/guests/invite"): _HOSTS,
    ("POST", "/api/guests/send-off"): _HOSTS,
}
"""Method and rule of each route, and the roles that may use it. What is not in the table is the host's alone."""


def allowed(guest: Guest, method: str, rule: str, seat: int | None) -> bool:
    """Whether the guest may use the route. ``seat``: which seat the request is about, None if it is about none; a
    player's must be the own one.

    >>> allowed(Guest("a", Role.PLAYER, 2), "GET", "/seat/<int:seat>", 3)
    False
    """
    if guest.role not in ROUTES.get(("GET" if method == "HEAD" else method, rule), _HOSTS):
        return False
    return guest.role is not Role.PLAYER or seat is None or seat == guest.seat
