"""The page that lends its camera, and what the pages ask and say of cameras, recordings and the picture."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template, request

from assistant.games.game import GameError
from vision.image_intake import PictureError
from web.access import Role
from web.access_guard import asking, lan
from web.api import context, json_object, refuse, refuse_for, short_text
from web.camera_choice import LENT, CameraDesk, CantChoose
from web.languages import _
from web.recordings import MAX_UPLOAD, NotTaken
from web.sent_pictures import PicturesBusy
from web.table_check_words import said_of

_STATUS: Final = {"too-large": 413, "too-many": 409, "busy": 429, "no-room": 503}

cameras = Blueprint("cameras", __name__)


@cameras.get("/camera")
def page() -> Response:
    """The page that lends the camera of the device it is opened on."""
    html = render_template("camera.html", secure_way=lan() is not None, host=asking().role is Role.HOST)
    return Response(html, headers={"Cache-Control": "no-store"})


@cameras.get("/api/cameras")
def listed() -> Response:
    """The cameras and recordings that can be chosen, and which one was."""
    desk = _desk()
    now = None if desk is None else desk.now
    answer: dict[str, Any] = {
        "ok": True,
        "cameras": [] if desk is None else desk.cameras(),
        "recordings": [] if desk is None else [asdict(one) for one in desk.recordings.all()],
        "folder": "" if desk is None else str(desk.recordings.folder),
        "most_bytes": MAX_UPLOAD,
        "now": None if now is None else {"kind": now.kind, "name": now.name},
    }
    response = jsonify(answer)
    response.headers["Cache-Control"] = "no-store"
    return response


@cameras.post("/api/camera")
def choose() -> Response:
    """Follow another camera or a recording from now on; the game goes on. Who was let in as a camera offers its own."""
    desk, wanted = _desk(), json_object()
    if desk is None:
        return _nobody_watches()
    if asking().role is Role.CAMERA and wanted.get("kind", "page") not in LENT:
        return refuse(403, "other-camera", _("this device was let in for something else: ask the host"))
    try:
        desk.choose(wanted)
    except CantChoose as error:
        return refuse_for(409 if error.code in ("waiting", "not-now") else 400, error.code, error)
    return jsonify({"ok": True})


@cameras.post("/api/camera-frame")
def frame() -> Response:
    """One JPEG of the page ``sender``: of its running camera, or a photograph. It sends the next one only after this
    one was answered."""
    eye = context().eye
    if request.mimetype != "image/jpeg":
        return refuse(415, "not-a-jpeg", _("the page's camera sends JPEG pictures only"))
    data = request.get_data()
    try:
        taken = eye is not None and eye.offer(data, request.args.get("sender", "")[:64])
    except PictureError as error:
        return refuse_for(400, "bad-picture", error)
    except PicturesBusy as error:
        return refuse_for(503, "busy", error)
    return Response(status=204) if taken else refuse(409, "other-camera", _("another camera is in use"))


@cameras.post("/api/camera-gone")
def gone() -> Response:
    """The page ``sender`` lends its camera no more."""
    eye, sender = context().eye, short_text(json_object(), "sender")
    if eye is not None:
        eye.gone(sender)
    return jsonify({"ok": True})


@cameras.post("/api/uploads")
def upload() -> Response:
    """A video or a picture as it is (application/octet-stream), called ``name``; pictures of one ``album`` belong
    together. It is read piece by piece, and not at all if it is too large."""
    desk = _desk()
    if desk is None:
        return _nobody_watches()
    if request.mimetype != "application/octet-stream":
        return refuse(415, "not-a-file", _("a file is sent as it is"))
    request.max_content_length = MAX_UPLOAD + 1
    name, album = request.args.get("name", ""), request.args.get("album", "")
    try:
        kept = desk.recordings.take(name, request.content_length, request.stream, album)
    except NotTaken as error:
        return refuse_for(_STATUS.get(error.code, 400), error.code, error)
    return jsonify({"ok": True, "name": kept})


@cameras.post("/api/recordings/delete")
def delete() -> Response:
    """Remove the recording ``name`` that was sent; neither the one that is followed nor what was put there by hand."""
    desk, name = _desk(), short_text(json_object(), "name")
    if desk is None:
        return _nobody_watches()
    try:
        desk.delete(name)
    except CantChoose as error:
        return refuse_for(409 if error.code == "followed" else 400, error.code, error)
    return jsonify({"ok": True})


@cameras.get("/api/table-check")
def check() -> Response:
    """What the present picture says of light, distance, sharpness and slant."""
    eye = context().eye
    measured = None if eye is None else eye.measured
    response = jsonify({"ok": True, **said_of(measured)})
    response.headers["Cache-Control"] = "no-store"
    return response


@cameras.errorhandler(GameError)
def refused(error: GameError) -> Response:
    """One plain line that says what is wrong with the request."""
    return refuse_for(400, error.code, error)


def _desk() -> CameraDesk | None:
    return context().cameras


def _nobody_watches() -> Response:
    return refuse(409, "no-camera", _("no camera follows this table"))
