"""The OpenAPI 3.1 document of every route, made from the one table of routes and what is said of each."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, Response

from web.access import ROUTES, Role
from web.openapi_routes import CHANNELS, DESCRIBED, JSON, Described
from web.openapi_values import SCHEMAS, Schema, ref, whole

VERSION: Final = "1"
"""Of what the document describes; it grows when something that others rely on goes or changes."""
_PARAMETER: Final = re.compile(r"<(?:(\w+):)?(\w+)>")
_ABOUT: Final = """\
Mournival's page and its live updates, for others to build on. Without `--lan` it is served on 127.0.0.1 alone and \
whoever reaches it is the host; through the door to the network a cookie says who asks. `x-roles` names the roles that \
may use a route; others get 401 (not let in) or 403.

A POST must come as `application/json` (or the media type that is named) and, from a browser, from a page of this \
very address. Every refusal is one line for people and a `code` for programs.

`/api/stream` tells the channels that `x-channels` names as server-sent events; `/api/state` tells the same for \
clients without a stream. Objects may carry more than is described here."""

openapi = Blueprint("openapi", __name__)


@openapi.get("/openapi.json")
def shown() -> Response:
    """The document."""
    return Response(_text(), mimetype=JSON, headers={"Cache-Control": "no-cache"})


@functools.cache
def _text() -> str:
    return json.dumps(document(), ensure_ascii=False)


def document() -> dict[str, Any]:
    """The document as a JSON object. A route that nothing is said of is left out; the tests name it."""
    paths: dict[str, dict[str, Any]] = {}
    for (method, rule), described in DESCRIBED.items():
        paths.setdefault(_path(rule), {})[method.lower()] = _operation(method, rule, described)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Mournival", "version": VERSION, "description": _ABOUT, "license": {"name": "Apache-2.0"}},
        "servers": [{"url": "http://127.0.0.1:8765", "description": "at the computer itself"}],
        "paths": paths,
        "components": {"schemas": dict(SCHEMAS)},
    }


def _path(rule: str) -> str:
    """The rule in OpenAPI's notation.

    >>> _path("/seat/<int:seat>")
    '/seat/{seat}'
    """
    return _PARAMETER.sub(r"{\2}", rule)


def _operation(method: str, rule: str, described: Described) -> dict[str, Any]:
    if rule == "/api/state":
        channels = {name: ref(channel.schema) for name, channel in CHANNELS.items()}
        described = Described(described.summary, _with(described.gives, channels), query=described.query)
    api = rule.startswith("/api/")
    operation: dict[str, Any] = {
        "operationId": f"{method.lower()} {_path(rule)}",
        "summary": described.summary,
        "x-roles": [role.value for role in Role if role in ROUTES.get((method, rule), (Role.HOST,))],
        "responses": {**_good(described), "4XX": _refusal(api), **({"503": _refusal(api)} if described.busy else {})},
    }
    if method == "GET" and not rule.startswith(("/api/", "/picture")):
        operation["responses"]["303"] = {"description": "Not let in: give a code first."}
    if described.gives == "image/jpeg":
        operation["responses"]["304"] = {"description": "The picture that the client has is still the newest."}
    parameters = [*_in_path(rule), *_in_query(described)]
    if parameters:
        operation["parameters"] = parameters
    if described.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(described.body, described.example)}
    if rule == "/api/stream":
        operation["x-channels"] = {
            name: {"schema": ref(channel.schema), "example": channel.example} for name, channel in CHANNELS.items()
        }
    return operation


def _with(schema: Schema | str | None, channels: Mapping[str, Schema]) -> Schema:
    assert isinstance(schema, Mapping)
    return {**schema, "properties": {**schema["properties"], **channels}}


def _good(described: Described) -> dict[str, Any]:
    if described.gives is None:
        return {"204": {"description": "Taken."}}
    return {"200": {"description": described.summary, "content": _content(described.gives, None)}}


def _refusal(api: bool) -> dict[str, Any]:
    """Why not: JSON of the API, of pages one line of text."""
    content = {JSON: {"schema": ref("Refusal")}} if api else {"text/plain": {"schema": {"type": "string"}}}
    return {"description": "Refused; nothing was done.", "content": content}


def _content(what: Schema | str, example: Mapping[str, Any] | None) -> dict[str, Any]:
    if isinstance(what, str):
        return {what: {}}
    return {JSON: {"schema": what} | ({} if example is None else {"example": example})}


def _in_path(rule: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": whole("", 0) if kind == "int" else {"type": "string"}}
        for kind, name in _PARAMETER.findall(rule)
    ]


def _in_query(described: Described) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": schema} for name, schema in described.query.items()]
