"""Looking back at a deal, and the report of it."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import models
from assistant import session as deciding
from assistant.record import parse_record
from assistant.session_events import ActionTaken
from tests.web.evenings import play_deal
from tests.web.let_in import OpenTable
from tests.web.served import RECORD, Served
from web.access import Role
from web.replay import story, table_at


def finished(served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)


def step(served: Served, deal: int, at: int) -> Any:
    status, told = served.get(f"/api/deals/{deal}/step?at={at}")
    assert status == 200, told
    return told


def test_each_step_shows_the_table_as_it_was(served: Served) -> None:
    finished(served)
    first = step(served, 1, 0)
    assert sorted(card for group in first["table"] for card in group["cards"]) == sorted(map(str, RECORD.setup.table))
    assert [seat["count"] for seat in first["seats"]] == [0, 0, 0, 0]
    after = step(served, 1, 2)
    assert after["moved"] == [str(card) for card in RECORD.actions[1].cards]
    pile = [card for group in after["seats"][RECORD.actions[1].seat - 1]["pile"] for card in group]
    assert set(after["moved"]) <= set(pile)
    last = step(served, 1, len(RECORD.actions))
    assert last["table"] == []
    assert [seat["count"] for seat in last["seats"]] == [14, 14, 6, 18]
    assert served.get(f"/api/deals/1/step?at={len(RECORD.actions) + 1}")[0] == 404
    assert served.get("/api/deals/2/step?at=0")[0] == 404


@pytest.mark.parametrize("game", ["laugh-and-lie-down", "rolling-stone"])
def test_every_step_of_every_game_can_be_shown(served: Served, game: str) -> None:
    play_deal(served.session, 5, game=game)
    deal = served.state.closed[0].played
    told = story(deal, frozenset())
    assert len(told["steps"]) == len(deal.done) + 1
    for at in range(len(deal.done) + 1):
        assert table_at(deal, at)["step"] == at
    assert [one["name"] for one in told["results"]] == ["Agnes", "Bertram", "Cecily", "Dorothy"]


def test_the_page_tells_what_happened_without_a_script(served: Served) -> None:
    finished(served)
    status, page = served.get("/deal/1")
    text = page.decode()
    assert status == 200
    assert "Deal 1, Laugh and Lie Down" in text
    lines = re.findall(r'<span class="say">([^<]+)</span>', text)
    assert len(lines) == len(RECORD.actions) + 1
    assert lines[0] == "Agnes has dealt."
    assert lines[-1] == "Bertram lies down with three cards."
    assert served.get("/deal/7")[0] == 404


def test_a_running_deal_can_be_looked_back_at(served: Served) -> None:
    served.begin()
    served.play(0, 3)
    assert step(served, 1, 3)["step"] == 3
    assert "It is not over yet." in served.get("/deal/1")[1].decode()


def test_a_picture_that_was_kept_belongs_to_its_deal_alone(served: Served) -> None:
    served.pictures.put(1, np.full((360, 640, 3), (60, 90, 40), np.uint8))
    served.post("/api/recording", {"on": True})
    finished(served)
    served.begin()
    entry = served.state.closed[0].played.done[3].seq
    status, jpeg = served.get(f"/api/deals/1/picture.jpg?entry={entry}")
    assert (status, jpeg[:3]) == (200, b"\xff\xd8\xff")
    assert served.get(f"/api/deals/2/picture.jpg?entry={entry}")[0] == 404
    assert served.get("/api/deals/1/picture.jpg?entry=1")[0] == 404
    assert f'data-picture="{entry}"' in served.get("/deal/1")[1].decode()


def packed(served: Served, body: Any) -> dict[str, bytes]:
    status, data = served.post("/api/report", body)
    assert status == 200, data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_report_holds_record_log_versions_and_the_chosen_pictures(served: Served) -> None:
    served.pictures.put(1, np.full((360, 640, 3), (60, 90, 40), np.uint8))
    served.post("/api/recording", {"on": True})
    finished(served)
    deal = served.state.closed[0].played
    chosen = [deal.done[2].seq, deal.done[4].seq]
    found = packed(served, {"deal": 1, "pictures": chosen})
    assert set(found) == {
        *("README.txt", "deal.deal", "log.jsonl", "versions.json"),
        *(f"pictures/{entry}.jpg" for entry in chosen),
    }
    record = parse_record(found["deal.deal"].decode())
    assert record.actions == RECORD.actions
    assert record.setup.table == RECORD.setup.table
    events = [json.loads(line) for line in found["log.jsonl"].decode().splitlines()]
    assert [event["seq"] for event in events] == [entry.seq for entry in deal.log]
    versions = json.loads(found["versions.json"])
    folder = Path(models.__file__).parent
    assert versions["models"] == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.onnx")
    }
    assert versions["mournival"]


def test_neither_hands_nor_unasked_names_nor_addresses_are_in_a_report(served: Served, tmp_path: Path) -> None:
    known = replace(served.session.setup, table=RECORD.setup.table, hands=RECORD.setup.hands, dealer=1)
    served.session.perform(lambda now: deciding.begin_deal(now, known))
    served.play(0, 4)
    second = RECORD.actions[4]
    served.write(ActionTaken(second, sure=False))
    for names in (False, True):
        found = packed(served, {"deal": 1, "names": names})
        whole = b"\n".join(found.values()).decode()
        assert ("Bertram" in whole) is names
        assert parse_record(found["deal.deal"].decode()).setup.hands == {}
        begun = json.loads(found["log.jsonl"].decode().splitlines()[0])
        assert begun["hands"] == {}
        assert str(tmp_path) not in whole
        assert "127.0.0.1" not in whole


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"deal": "1"},
        {"deal": True},
        {"deal": 1, "pictures": "all"},
        {"deal": 1, "pictures": [True]},
        {"deal": 1, "names": 1},
        {"deal": 1, "pictures": list(range(61))},
    ],
)
def test_a_report_is_asked_for_in_its_form(served: Served, body: Any) -> None:
    finished(served)
    assert served.post("/api/report", body)[0] == 400


def test_a_picture_of_another_deal_or_none_is_left_out_of_a_report(served: Served) -> None:
    finished(served)
    assert not [name for name in packed(served, {"deal": 1, "pictures": [1, 99999]}) if name.startswith("pictures/")]
    assert served.post("/api/report", {"deal": 4})[0] == 404


def test_only_the_host_makes_reports_and_everybody_may_look_back(tmp_path: Path) -> None:
    table = OpenTable(tmp_path)
    try:
        table.begin()
        viewer, player = table.let_in(Role.VIEWER), table.let_in(Role.PLAYER, 2)
        for device in (viewer, player):
            assert device.get("/deal/1").status == 200
            assert device.get("/api/deals/1/step?at=0").json["ok"]
            assert device.post("/api/report", {"deal": 1}).status == 403
            assert device.post("/api/reopen", {"deal": 1, "seen": table.session.state.seq}).status == 403
            assert device.get("/account?evening=1").status == 403
        assert "report" not in viewer.get("/deal/1").text.lower().replace("/api/report", "")
        assert table.at_home().post("/api/report", {"deal": 1}).status == 200
    finally:
        table.close()
