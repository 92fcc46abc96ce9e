"""What the set-up page asks for while a pack of one's own is learned."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify

from assistant.cards import Card, InvalidCard
from assistant.games.game import GameError, InvalidInput
from assistant.told import tell, words_of
from vision.pack_shelf import PackError
from web.api import context, json_object, refuse, refuse_for, short_text
from web.languages import _
from web.pack_desk import NOTHING, NotNow, PackDesk

packs = Blueprint("packs", __name__, url_prefix="/api/packs")


@packs.get("")
def shown() -> Response:
    """The packs that were learned, the one in use, and how the one in the making stands."""
    desk = context().packs
    response = jsonify({"ok": True, **(NOTHING if desk is None else desk.state())})
    response.headers["Cache-Control"] = "no-store"
    return response


@packs.get("/card/<int:number>.jpg")
def card(number: int) -> Response:
    """A card of the pack in the making, as it was seen."""
    found = _desk().crop(number)
    if found is None:
        abort(404, _("there is no such card"))
    return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@packs.post("/begin")
def begin() -> Response:
    """Begin to learn a pack called ``name``."""
    _desk().begin(short_text(json_object(), "name"))
    return shown()


@packs.post("/picture")
def picture() -> Response:
    """Take the picture that the table's camera shows now."""
    eye = context().eye
    measured = None if eye is None else eye.measured
    if measured is None:
        return refuse(409, "no-picture", _("There is no picture yet: choose a camera first."))
    _desk().take(measured.image)
    return shown()


@packs.post("/forget")
def forget() -> Response:
    """Leave out the picture that was taken last."""
    _desk().forget_last()
    return shown()


@packs.post("/learn")
def learn() -> Response:
    """Learn the pack from what was shown."""
    _desk().learn()
    return shown()


@packs.post("/answer")
def answer() -> Response:
    """The card of this ``number`` is ``card``; null: leave it out."""
    body = json_object()
    number = body.get("number")
    if type(number) is not int:
        raise InvalidInput("bad-request", tell("'{name}' must be a whole number", name="number"))
    try:
        told = None if body.get("card") is None else Card.parse(short_text(body, "card"))
    except InvalidCard as error:
        raise InvalidInput("bad-card", words_of(error)) from None
    if told is not None and not told.known:
        raise InvalidInput("unknown-card", tell("say which card it is, rank and suit"))
    _desk().answer(number, told)
    return shown()


@packs.post("/keep")
def keep() -> Response:
    """Keep what was learned; ``use``: read with it from now on."""
    _desk().keep(json_object().get("use") is True)
    return shown()


@packs.post("/leave")
def leave() -> Response:
    """Forget the pack in the making."""
    _desk().leave()
    return shown()


@packs.post("/use")
def use() -> Response:
    """Read with the pack ``name`` from now on; ``any``: with none of one's own."""
    _desk().use(short_text(json_object(), "name"))
    return shown()


@packs.errorhandler(NotNow)
@packs.errorhandler(PackError)
def not_now(error: ValueError) -> Response:
    """One plain line that says why not."""
    return refuse_for(409 if isinstance(error, NotNow) else 400, "not-now", error)


@packs.errorhandler(GameError)
def refused(error: GameError) -> Response:
    """One plain line that says what is wrong with the request."""
    return refuse_for(400, error.code, error)


def _desk() -> PackDesk:
    desk = context().packs
    if desk is None:
        raise NotNow(_("No camera follows this table."))
    return desk
