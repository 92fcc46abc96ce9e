"""The pages for letting others in: the host's, with the code, and the one where a device gives it."""

from __future__ import annotations

from typing import Any, Final

import segno
from flask import Blueprint, Response, abort, jsonify, render_template, request

from assistant.games.game import GameError, InvalidInput
from assistant.told import tell
from web.access import Guest, Role
from web.access_guard import COOKIE, Lan, asking, lan
from web.api import context, json_object, refuse, refuse_for, short_text
from web.languages import _
from web.pairing import CODE_S, GUEST_S, NotLetIn, TooManyTries, written
from web.wording import seat_name

CERTIFICATE_TYPE: Final = "application/x-x509-ca-cert"

access = Blueprint("access", __name__)


@access.get("/pair")
def pair() -> Response:
    """Where a device gives its code; the code in a link stands behind ``#`` and is in no request but the one below."""
    _lan()
    return Response(render_template("pair.html"), headers={"Cache-Control": "no-store"})


@access.post("/api/pair")
def enter() -> Response:
    """The ``code`` is given: the device is in, and gets its cookie."""
    code = short_text(json_object(), "code")
    try:
        guest, secret = _lan().pairing.enter(code, request.remote_addr or "")
    except TooManyTries as error:
        return refuse_for(429, "too-many-tries", error)
    except NotLetIn as error:
        return refuse_for(403, "wrong-code", error)
    response = jsonify({"ok": True, "page": _first_page(guest)})
    response.set_cookie(COOKIE, secret, max_age=int(GUEST_S), secure=True, httponly=True, samesite="Strict", path="/")
    return response


@access.get("/authority.crt")
def authority() -> Response:
    """The authority's certificate, for phones to install."""
    headers = {"Content-Disposition": 'attachment; filename="mournival.crt"', "Cache-Control": "no-store"}
    return Response(_lan().authority.der, mimetype=CERTIFICATE_TYPE, headers=headers)


@access.get("/guests")
def guests() -> Response:
    """The host's page for letting others in."""
    door = _lan()
    html = render_template(
        "guests.html",
        names=_names(),
        addresses=door.addresses,
        fingerprint=door.authority.fingerprint,
    )
    return Response(html, headers={"Cache-Control": "no-store"})


@access.get("/api/guests")
def who() -> Response:
    """Who is in, and the names of the seats that somebody may be let in to."""
    shown = [_shown(guest) for guest in _lan().pairing.guests()]
    response = jsonify({"ok": True, "guests": shown, "names": _names()})
    response.headers["Cache-Control"] = "no-store"
    return response


@access.post("/api/guests/invite")
def invite() -> Response:
    """A new one-time code for a ``role``, and for a player's ``seat``; with its link and QR code for each address."""
    body, door = json_object(), _lan()
    role, seat = short_text(body, "role"), body.get("seat")
    if role not in (Role.HOST, Role.PLAYER, Role.VIEWER, Role.CAMERA):
        raise InvalidInput("bad-role", tell("say whether it is a host, a player, a viewer or a camera"))
    if role == Role.PLAYER and (type(seat) is not int or not 1 <= seat <= context().session.setup.players):
        raise InvalidInput("bad-seat", tell("say at which seat the player sits"))
    code = door.pairing.invite(Role(role), seat if role == Role.PLAYER else None)
    links = [f"{address}/pair#{code}" for address in door.addresses]
    pictures = [segno.make(link, error="m", micro=False).svg_data_uri(scale=6, border=3) for link in links]
    shown = [{"link": link, "qr": picture} for link, picture in zip(links, pictures, strict=True)]
    guest = door.pairing.invited(code)
    response = jsonify(
        {
            "ok": True,
            "id": None if guest is None else guest.id,
            "code": written(code),
            "seconds": int(CODE_S),
            "links": shown,
        }
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@access.post("/api/guests/send-off")
def send_off() -> Response:
    """The guest with this ``id`` is in no more; what it told of its hand is forgotten."""
    gone = _lan().pairing.send_off(short_text(json_object(), "id"))
    if gone is None:
        return refuse(404, "no-guest", _("this device is not in any more"))
    context().hands.forget_browser(gone.id)
    context().hints.keep(context().hands.askers())
    return jsonify({"ok": True})


@access.errorhandler(GameError)
def refused(error: GameError) -> Response:
    """One plain line that says what is wrong with the request."""
    return refuse_for(400, error.code, error)


def _names() -> list[str]:
    setup = context().session.setup
    return [seat_name(setup, seat) for seat in range(1, setup.players + 1)]


def _first_page(guest: Guest) -> str:
    if guest.role is Role.CAMERA:
        return "/camera"
    return "/" if guest.seat is None else f"/seat/{guest.seat}"


def _shown(guest: Guest) -> dict[str, Any]:
    name = None if guest.seat is None else seat_name(context().session.setup, guest.seat)
    return {"id": guest.id, "role": guest.role.value, "seat": guest.seat, "name": name, "own": guest == asking()}


def _lan() -> Lan:
    door = lan()
    if door is None:
        abort(404, _("this table is open to this computer alone: start with --lan to let others in"))
    return door
