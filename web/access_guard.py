"""What stands before every route: hosts, origins, limits, and who may use it; and what goes with every answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from flask import Flask, Response, abort, current_app, redirect, request
from werkzeug.exceptions import MethodNotAllowed, RequestEntityTooLarge
from werkzeug.wrappers import Response as Answer

from web.access import AT_HOME, STRANGER, Guest, Role, allowed
from web.languages import _
from web.local_authority import LocalAuthority
from web.pairing import Pairing
from web.server import DOOR, LOCAL_DOOR

MAX_BODY: Final = 4 * 1024 * 1024
"""Bytes of a picture of the page's camera."""
MAX_JSON: Final = 128 * 1024
UPLOADS: Final = "cameras.upload"
"""The one endpoint that takes more; it looks at the size itself."""
COOKIE: Final = "__Host-mournival"
"""Browsers take a cookie of such a name over TLS only, and for this one host."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class Lan:
    """The door to the network: who is let in through it, who vouches for it, and its addresses (``https://...``)."""

    pairing: Pairing
    authority: LocalAuthority = field(repr=False)
    addresses: tuple[str, ...]


def lan() -> Lan | None:
    """The door to the network of the app that serves the request; None where there is none."""
    found = current_app.extensions.get("mournival-lan")
    assert found is None or isinstance(found, Lan)
    return found


def asking() -> Guest:
    """Who asks. Without a door to the network everybody who gets here sits at this computer."""
    door = lan()
    if door is None or request.environ.get(DOOR) == LOCAL_DOOR:
        return AT_HOME
    return door.pairing.guest(request.cookies.get(COOKIE, "")) or STRANGER


def guard(app: Flask, door: Lan | None) -> None:
    """Put the guard before all routes of the app."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.extensions["mournival-lan"] = door
    app.before_request(_same_site)
    app.before_request(_let_in)
    app.after_request(_guarded)


def _same_site() -> None:
    """Pages of other sites get nothing and move nothing; a link to one of our pages is fine."""
    reads = request.method in ("GET", "HEAD")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none") and not (
        reads and request.headers.get("Sec-Fetch-Mode") == "navigate"
    ):
        abort(403, _("this request comes from another site"))
    if reads:
        return
    if isinstance(request.routing_exception, MethodNotAllowed):
        raise request.routing_exception
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        abort(403, _("this request comes from another site"))
    if request.mimetype not in ("application/json", "image/jpeg", "application/octet-stream"):
        abort(415, _("the page sends JSON"))
    if request.mimetype == "application/json":
        request.max_content_length = MAX_JSON
    if request.endpoint != UPLOADS and (request.content_length or 0) > (request.max_content_length or MAX_BODY):
        raise RequestEntityTooLarge  # before anything of it is read


def _let_in() -> Answer | None:
    """Let through whom the table of routes lets through."""
    rule = request.url_rule
    if rule is None:
        return None  # there is no such route: what follows says so
    guest = asking()
    seat = (request.view_args or {}).get("seat")
    if allowed(guest, request.method, rule.rule, seat if isinstance(seat, int) else None):
        return None
    if guest.role is not Role.STRANGER:
        abort(403, _("this device was let in for something else: ask the host"))
    if request.method != "GET" or request.path.startswith(("/api/", "/picture")):
        abort(401, _("this device has not been let in: ask the host for a code"))
    return redirect("/pair", 303)


def check_seat(seat: int | None) -> None:
    """Refuse, with 403, a command about ``seat`` (None: about none) to whom it is not for, or who was sent off since it
    came. A command asks that while the state stands still that it is decided on."""
    rule = request.url_rule
    if rule is None or not allowed(asking(), request.method, rule.rule, seat):
        abort(403, _("this device was let in for something else: ask the host"))


def _guarded(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    door, guest = lan(), asking()
    if door is not None and guest.id and response.mimetype == "text/event-stream":
        response.response = _WhileIn(response.response, door.pairing, guest)  # type: ignore[arg-type]
    return response


class _WhileIn:
    """A stream that ends once its guest has been sent off; what came after that is not sent any more."""

    def __init__(self, events: Iterator[str], pairing: Pairing, guest: Guest) -> None:
        self._events, self._pairing, self._guest = events, pairing, guest

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        event = next(self._events)
        if not self._pairing.is_in(self._guest):
            raise StopIteration
        return event

    def close(self) -> None:
        self._events.close()  # type: ignore[attr-defined]
