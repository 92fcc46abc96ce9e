from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant import session as deciding
from tests.web.let_in import OpenTable
from tests.web.served import Served
from web.access import Role
from web.kept_pictures import FOLDER_NAME, KeptPictures

JPEG = b"\xff\xd8\xff"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    held = Served(tmp_path)
    held.pictures.put(1, np.full((360, 640, 3), (60, 90, 40), np.uint8))
    yield held
    held.close()


def kept_of(served: Served) -> KeptPictures:
    kept = served.app.extensions["mournival"].kept
    assert isinstance(kept, KeptPictures)
    return kept


def files(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER_NAME).glob("*")) if (folder / FOLDER_NAME).exists() else []


def test_nothing_is_kept_unless_somebody_switched_it_on(served: Served, tmp_path: Path) -> None:
    served.begin()
    served.play(0, 5)
    assert files(tmp_path) == []
    assert served.get("/api/recording") == (200, {"ok": True, "on": False, "pictures": 0, "bytes": 0, "trouble": ""})


def test_one_picture_is_kept_with_each_action_and_all_go_at_one_word(served: Served, tmp_path: Path) -> None:
    served.begin()
    served.play(0, 2)
    assert served.post("/api/recording", {"on": True})[0] == 200
    served.play(2, 5)
    deal = served.deal
    assert [int(path.stem) for path in files(tmp_path)] == [done.seq for done in deal.done[2:]]
    assert all(path.read_bytes().startswith(JPEG) for path in files(tmp_path))
    told = served.get("/api/recording")[1]
    assert (told["on"], told["pictures"]) == (True, 3)
    assert told["bytes"] == sum(path.stat().st_size for path in files(tmp_path))
    assert served.post("/api/recording", {"on": False})[0] == 200
    served.play(5, 6)
    assert len(files(tmp_path)) == 3
    assert served.post("/api/recording/delete", {})[1]["pictures"] == 0
    assert files(tmp_path) == []


def test_the_oldest_go_when_there_are_too_many(served: Served, tmp_path: Path) -> None:
    served.begin()
    one = served.pictures.jpeg()
    assert one is not None
    kept = KeptPictures(served.session, served.pictures, most=3 * len(one[1]))
    kept.switch(True)
    served.play(0, 7)
    assert sorted(kept.entries()) == [done.seq for done in served.deal.done[4:]]
    assert len(files(tmp_path)) == 3


def test_a_disk_that_takes_no_picture_ends_the_keeping_and_not_the_game(served: Served, tmp_path: Path) -> None:
    (tmp_path / FOLDER_NAME).write_bytes(b"")  # a file where the folder has to be
    kept = kept_of(served)
    kept.switch(True)
    served.begin()
    served.play(0, 2)
    assert len(served.deal.done) == 2
    assert not kept.on
    assert "no more pictures are kept" in kept.told().trouble
    assert served.get("/api/recording")[1]["trouble"]


def test_corrections_of_an_earlier_deal_keep_no_picture(served: Served, tmp_path: Path) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)
    served.begin()
    kept_of(served).switch(True)
    served.session.perform(lambda now: deciding.reopen(now, 1))
    served.session.perform(deciding.undo)
    served.session.perform(deciding.redo)
    assert served.state.mending
    assert files(tmp_path) == []


def test_the_switch_and_the_pictures_are_only_answered_in_their_form(served: Served) -> None:
    for body in ({}, {"on": 1}, {"on": "yes"}):
        assert served.post("/api/recording", body)[0] == 400
    assert not kept_of(served).on


def test_everybody_is_told_that_pictures_are_kept_and_the_host_alone_how_many(tmp_path: Path) -> None:
    table = OpenTable(tmp_path)
    try:
        assert table.at_home().post("/api/recording", {"on": True}).status == 200
        for device in (table.let_in(Role.VIEWER), table.let_in(Role.PLAYER, 2), table.stranger()):
            assert device.get("/api/recording").json == {"ok": True, "on": True}
            assert device.post("/api/recording", {"on": False}).status in (401, 403)
        assert json.loads(table.let_in(Role.HOST).get("/api/recording").body)["pictures"] == 0
    finally:
        table.close()
