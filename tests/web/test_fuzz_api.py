"""Generated requests, a short run of them: no answer is an error of the program's, and each is as the document says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.asked_tables import ASKERS, HOME, SITUATIONS, asked_table
from tests.web.fuzz_api import BODIES, HEADERS, run
from web.access import ROUTES

POSTED = [rule for method, rule in ROUTES if method == "POST"]


def test_generated_requests_are_answered_as_the_document_says() -> None:
    figures = run(560, start=1669)
    assert figures.wrong == []
    assert figures.requests == 560
    assert figures.changes > 3
    assert {200, 400, 401, 403, 409} <= set(figures.statuses)


def test_what_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("web.api.json_object", broken)
    figures = run(140, start=3)
    assert figures.statuses[500]
    assert all("RuntimeError" in one for one in figures.wrong)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_bodies_and_headers_that_hurt_are_refused_in_one_line(tmp_path: Path, situation: str) -> None:
    with asked_table(tmp_path, situation) as table:
        for rule in POSTED:
            path = rule.replace("<int:seat>", "2")
            for data, kind in BODIES:
                answer = table.ask(HOME, "POST", path, data=data, content_type=kind)
                assert answer.status < 500, (path, data[:20], answer)
        for headers in HEADERS:
            for asker in ASKERS:
                assert table.ask(asker, "GET", "/", headers=headers).status < 500


@pytest.mark.parametrize("evening", ["1", "2", "0", "-1", str(2**63 - 1), str(2**63), "9" * 400, "x", ""])
def test_an_evening_of_any_number_is_shown_or_refused(tmp_path: Path, evening: str) -> None:
    with asked_table(tmp_path, "settled") as table:
        for method, rule in ROUTES:
            if method == "GET" and rule != "/api/stream":
                path = rule.replace("<int:seat>", "2").replace("<int:deal>", "1").replace("<code>", "en")
                answer = table.ask(HOME, method, path, query_string={"evening": evening})
                assert answer.status < 500, (path, answer)


@pytest.mark.parametrize(
    "points", [None, 0.5, [None], [0.5, 0.5, 0.5], [[0.1, 0.1], None, [0.5, 0.5]], [["a"], [], [1]]]
)
def test_a_zone_that_is_no_polygon_is_refused(tmp_path: Path, points: object) -> None:
    with asked_table(tmp_path, "playing") as table:
        answer = table.ask(HOME, "POST", "/api/zones", json={"zones": {"table": points}})
        assert answer.status == 400, answer
