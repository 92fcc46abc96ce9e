"""Which language an answer is in, and the page's catalogues for its scripts."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any, Final

from flask import Blueprint, Flask, Response, abort, request

from web.languages import _, _n, catalogue, chosen, language, languages, plural_forms, speak
from web.nouns import noun_tables

COOKIE: Final = "mournival-language"
"""Set by the page's menu, read here."""
YEAR_S: Final = 365 * 24 * 3600

texts = Blueprint("texts", __name__)


def speak_to_everybody(app: Flask) -> None:
    """Let the app answer each in the own language."""
    app.register_blueprint(texts)
    app.before_request(lambda: speak(asked_for()))
    app.jinja_env.globals.update({"_": _, "_n": _n})
    app.context_processor(lambda: {"language": language(), "languages": languages(), "texts_at": texts_at(language())})


def asked_for() -> str:
    """The language of the request: the one chosen by hand, else the browser's."""
    return chosen(request.cookies.get(COOKIE), [name for name, _quality in request.accept_languages])


def texts_at(code: str) -> str:
    """The address of a language's catalogue, which names its version."""
    return f"/texts/{code}.js?{hashlib.sha256(_script(code).encode()).hexdigest()[:12]}"


@texts.get("/texts/<code>.js")
def script(code: str) -> Response:
    """A language's catalogue for the page's scripts, as an ES module; an address never holds another version."""
    if code not in languages():
        abort(404, _("there is no such language here"))
    headers = {"Cache-Control": f"max-age={YEAR_S}, immutable"}
    return Response(_script(code), mimetype="text/javascript", headers=headers)


@lru_cache
def _script(code: str) -> str:
    found = catalogue(code)
    said: dict[str, Any] = {}
    for message in found:
        if message.id and message.string and any(path.endswith(".js") for path, _line in message.locations):
            text = message.id if isinstance(message.id, str) else "\0".join(message.id)
            said[text] = message.string
    said = {text: own for text, own in said.items() if own != text and any(own)}
    whole = {"texts": said, "nouns": noun_tables(code), "plural": plural_forms(code)}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return f"export const {{ texts, nouns, plural }} = {text};\n"
