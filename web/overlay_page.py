"""A transparent page for a stream: the scores and what was done last, laid over a picture of the table by OBS."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, render_template, request

SIDES: Final = ("bottom", "top", "left", "right")
PARTS: Final = ("all", "scores", "last")
SIZES: Final = range(50, 301)
"""Per cent of the usual size."""

overlay = Blueprint("overlay", __name__)


@overlay.get("/overlay")
def page() -> Response:
    """The page. ``side`` says along which edge it stands, ``size`` how large it is (per cent), ``show`` which part of
    it. What can't be is refused with 400 and one line, so that a slip in OBS's settings is seen there."""
    side, part = request.args.get("side", SIDES[0]), request.args.get("show", PARTS[0])
    size = request.args.get("size", "100")
    if side not in SIDES:
        abort(400, f"side is one of {', '.join(SIDES)}")
    if part not in PARTS:
        abort(400, f"show is one of {', '.join(PARTS)}")
    if not (size.isascii() and size.isdecimal() and len(size) <= 3 and int(size) in SIZES):
        abort(400, f"size is a number of per cent from {SIZES[0]} to {SIZES[-1]}")
    html = render_template("overlay.html", side=side, part=part, size=int(size))
    return Response(html, headers={"Cache-Control": "no-store"})
