"""Looking back at a deal: its page, the table step by step, the pictures that were kept, and the report that is made of
it when somebody asks."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request

from assistant.games.game import InvalidInput
from assistant.session import Deal
from assistant.told import tell
from web.access import Role
from web.access_guard import asking
from web.api import context, game_error, json_object, refuse
from web.kept_pictures import KeptPictures
from web.languages import _
from web.past_evenings import asked_evening, deals_of
from web.replay import story, table_at
from web.report import MOST_PICTURES, report

replays = Blueprint("replays", __name__)
replays.register_error_handler(InvalidInput, game_error)


@replays.get("/deal/<int:deal>")
def page(deal: int) -> Response:
    """The page; it tells what happened without any script, and steps through it with one."""
    asked = asked_evening()
    found = _deal(deal)
    entries = _kept().entries() if context().kept is not None else frozenset()
    told = story(found, entries)
    host = asking().role is Role.HOST
    html = render_template(
        "deal.html",
        told=told,
        evening=asked.number,
        query=f"?evening={asked.number}" if asked.number else "",
        host=host,
        reopens=host and not asked.number and any(one.number == deal for one in asked.state.closed),
        seq=asked.state.seq,
    )
    return Response(html, headers={"Cache-Control": "no-store"})


@replays.get("/api/deals/<int:deal>/step")
def step(deal: int) -> Response:
    """The table after ``at`` actions of the deal."""
    try:
        return jsonify({"ok": True, **table_at(_deal(deal), request.args.get("at", 0, type=int))})
    except IndexError:
        return refuse(404, "no-step", _("the deal has no such step any more: load the page anew"))


@replays.get("/api/deals/<int:deal>/picture.jpg")
def picture(deal: int) -> Response:
    """The picture that was kept of the deal's ``entry``."""
    entry = request.args.get("entry", 0, type=int)
    jpeg = _kept().jpeg(entry) if entry in _entries(_deal(deal)) else None
    if jpeg is None:
        abort(404, _("no picture was kept of that"))
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@replays.get("/api/recording")
def recording() -> Response:
    """Whether pictures are being kept; the host is told how many there are as well."""
    kept = context().kept
    told: dict[str, Any] = {"on": kept is not None and kept.on}
    if kept is not None and asking().role is Role.HOST:
        told = kept.told().as_json()
    return jsonify({"ok": True, **told})


@replays.post("/api/recording")
def switch() -> Response:
    """Keep a picture with each action from now on (``on``), or no longer."""
    on = json_object().get("on")
    if not isinstance(on, bool):
        raise InvalidInput("bad-request", tell("'on' must be true or false"))
    _kept().switch(on)
    return jsonify({"ok": True, **_kept().told().as_json()})


@replays.post("/api/recording/delete")
def delete() -> Response:
    """Delete all pictures that were kept."""
    json_object()
    try:
        _kept().delete()
    except OSError as error:
        return refuse(
            503,
            "not-deleted",
            _("a picture can't be deleted ({strerror}): see the folder's permissions", strerror=error.strerror),
        )
    return jsonify({"ok": True, **_kept().told().as_json()})


@replays.post("/api/report")
def make_report() -> Response:
    """A report of ``deal`` as a zip file, with the ``pictures`` that are named by their entries, and with ``names``."""
    body = json_object()
    number, chosen, names = body.get("deal"), body.get("pictures", []), body.get("names", False)
    if not isinstance(number, int) or isinstance(number, bool) or not isinstance(names, bool):
        raise InvalidInput("bad-request", tell("'deal' must be a deal's number, 'names' true or false"))
    if not (isinstance(chosen, list) and all(isinstance(one, int) and not isinstance(one, bool) for one in chosen)):
        raise InvalidInput("bad-request", tell("'pictures' must be a list of entries"))
    if len(chosen) > MOST_PICTURES:
        raise InvalidInput("too-many", tell("a report takes at most {most} pictures", most=MOST_PICTURES))
    found = _deal(number)
    own = _entries(found)
    jpegs = {entry: _kept().jpeg(entry) for entry in chosen if entry in own}
    data = report(found, {entry: jpeg for entry, jpeg in jpegs.items() if jpeg is not None}, names=names)
    headers = {
        "Content-Disposition": f'attachment; filename="mournival-deal-{number}.zip"',
        "Cache-Control": "no-store",
    }
    return Response(data, mimetype="application/zip", headers=headers)


def _deal(number: int) -> Deal:
    found = deals_of(asked_evening().state).get(number)
    if found is None:
        abort(404, _("there is no deal {number} in this evening", number=number))
    return found


def _entries(deal: Deal) -> set[int]:
    return {entry.seq for entry in deal.log}


def _kept() -> KeptPictures:
    kept = context().kept
    if kept is None:
        abort(404, _("no pictures are kept here"))
    return kept
