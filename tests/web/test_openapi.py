"""The OpenAPI document: every route is in it and nothing else, and what it says of the answers is so."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.web.demo_script import Script, TimedSource
from tests.web.served import Served, eventually
from web.access import ROUTES
from web.cli.run import demo_table
from web.journal import SqliteJournal
from web.languages import SOURCE
from web.live import Board
from web.open_session import OpenSession
from web.openapi import document
from web.openapi_routes import CHANNELS, DESCRIBED
from web.openapi_values import SCHEMAS
from web.page_state import page_state
from web.pictures import Pictures
from web.table_watch import TableWatch, Watched

DOCUMENT = json.loads(json.dumps(document()))


def check(name: str, value: Any) -> None:
    """Hold a value to the document's schema of this name."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    jsonschema_rs.validator_for(schema).validate(value)


def test_every_route_is_described_and_no_other_is() -> None:
    missing = dict.fromkeys(set(ROUTES) - set(DESCRIBED), "describe it in web/openapi_routes.py")
    assert (missing, set(DESCRIBED) - set(ROUTES)) == ({}, set())


def test_the_document_is_served_and_whole(served: Served) -> None:
    status, told = served.get("/openapi.json")
    assert (status, told) == (200, DOCUMENT)
    assert told["openapi"] == "3.1.0"
    operations = [(path, method) for path, item in told["paths"].items() for method in item]
    assert len(operations) == len(ROUTES)
    names = [told["paths"][path][method]["operationId"] for path, method in operations]
    assert len(set(names)) == len(names)
    assert all(told["paths"][path][method]["summary"] for path, method in operations)


def references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if "$ref" in value:
            yield value["$ref"]
        for one in value.values():
            yield from references(one)
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


def test_each_reference_leads_to_a_schema_and_each_schema_is_one() -> None:
    assert {one.rpartition("/")[2] for one in references(DOCUMENT)} <= set(SCHEMAS)
    for name in SCHEMAS:
        jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]})


def test_the_roles_are_those_of_the_table() -> None:
    for (method, rule), roles in ROUTES.items():
        path = rule.replace("<int:seat>", "{seat}").replace("<path:filename>", "{filename}")
        for kind in ("int:", "path:", ""):
            path = path.replace(f"<{kind}", "{").replace(">", "}")
        assert set(DOCUMENT["paths"][path][method.lower()]["x-roles"]) == {str(role) for role in roles}


@pytest.mark.parametrize("route", [route for route, one in DESCRIBED.items() if one.example is not None], ids=str)
def test_each_example_of_what_is_sent_is_as_described(route: tuple[str, str]) -> None:
    described = DESCRIBED[route]
    assert isinstance(described.body, Mapping)
    schema = {**json.loads(json.dumps(described.body)), "components": DOCUMENT["components"]}
    jsonschema_rs.validator_for(schema).validate(described.example)


@pytest.mark.parametrize("name", CHANNELS)
def test_each_channel_s_example_is_as_described(name: str) -> None:
    check(CHANNELS[name].schema, json.loads(json.dumps(CHANNELS[name].example)))


def test_the_state_is_as_described_all_through_a_deal(served: Served) -> None:
    seen: set[str] = set()
    for place in range(-1, 45):
        if place == 0:
            served.begin()
        elif place > 0:
            served.play(place - 1, place)
        state = json.loads(served.board.newer(0)["state"].text)
        check("State", state)
        seen |= set(state)
    assert served.deal.position.over
    assert seen - set(SCHEMAS["State"]["properties"]) == set()
    check("Seat", served.get("/api/seat/2")[1])
    assert set(served.get("/api/seat/2")[1]) - set(SCHEMAS["Seat"]["properties"]) == set()


def test_what_the_camera_s_side_tells_is_as_described(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    table, script, board = demo_table(1.0), Script(), Board()
    session = OpenSession(journal, table.setup)
    watched = Watched(lambda: TimedSource(script), "Demo table", live=False, speed=1e6)
    watch = TableWatch(watched, session, script, board, Pictures(), layout=table.layout)
    told: dict[str, list[Any]] = {}
    watch.start()
    try:
        eventually(lambda: session.state.seq > 6)
        watch.draw_zones(None)
        for name, posted in board.newer(0).items():
            told.setdefault(name, []).append(json.loads(posted.told(1e12, SOURCE)))
    finally:
        watch.stop()
        journal.close()
    assert page_state(session.state)["phase"] == "playing"
    assert set(told) <= set(CHANNELS)
    assert {"view", "eye", "zones", "joining"} <= set(told)
    for name, values in told.items():
        for value in values:
            check(CHANNELS[name].schema, value)
            assert set(value) - set(SCHEMAS[CHANNELS[name].schema]["properties"]) == set()


def test_the_news_are_told_in_the_same_form_with_and_without_a_stream(served: Served) -> None:
    served.board.post("remark", {"text": ""})
    answer = served.get("/api/state")[1]
    schema = DOCUMENT["paths"]["/api/state"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema_rs.validator_for({**schema, "components": DOCUMENT["components"]}).validate(answer)
    assert set(answer) - {"start", "version"} <= set(CHANNELS)
    stream = served.board.stream()
    assert stream is not None
    events = [next(stream) for _ in range(3)]
    assert events[0].startswith("retry:")
    for event in events[1:]:
        name, data = event.removesuffix("\n\n").split("\n")
        check(CHANNELS[name.removeprefix("event: ")].schema, json.loads(data.removeprefix("data: ")))
