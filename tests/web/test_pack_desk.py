"""A pack is learned on the page, step by step; the networks and the eye are scripted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.scripted_pack import ScriptedPack
from tests.web.fake_eye import FakeEye
from tests.web.served import Served, eventually
from tests.web.test_cli_deck import SPREADS, Eye
from vision.pack_shelf import PackShelf
from vision.table_check import Measured
from vision.table_plane import usual_plane
from web.pack_desk import PackDesk


class Watch(FakeEye):
    """Shows the spread whose number it is told; notes for how long the game is held and what it reads with."""

    def __init__(self) -> None:
        self.held: list[float] = []
        self.reads_with: list[Any] = []

    def show(self, spread: int) -> None:
        self.measured = Measured(np.full((90, 1100, 3), 40 * spread, np.uint8), (), usual_plane(16 / 9))

    def hold(self, seconds: float) -> None:
        self.held.append(seconds)

    def read_with(self, recogniser: Any) -> None:
        self.reads_with.append(recogniser)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def served(tmp_path: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    scripted = Eye(ScriptedPack(1))
    monkeypatch.setattr("vision.enrolment.look_at", scripted.look_at)
    held = Served(tmp_path, eye=lambda *_: watch)
    desk = PackDesk(tmp_path, lambda: scripted, watch)  # type: ignore[arg-type, return-value]
    held.app.extensions["mournival"] = replace(held.app.extensions["mournival"], packs=desk)
    yield held
    held.close()


def asked(served: Served, path: str, **body: Any) -> Any:
    """A step, and how it stands when it is done."""
    status, told = served.post(f"/api/packs/{path}", body)
    assert status == 200, told
    eventually(lambda: served.get("/api/packs")[1]["busy"] == "")
    return served.get("/api/packs")[1]


def test_a_pack_is_learned_and_used_and_the_game_is_held_meanwhile(
    served: Served, watch: Watch, tmp_path: Path
) -> None:
    assert served.post("/api/packs/picture", {})[0] == 409
    assert asked(served, "begin", name="mats")["making"]["pictures"] == []
    assert watch.held[-1] > 0
    for number in range(len(SPREADS)):
        watch.show(number)
        told = asked(served, "picture")
    making = told["making"]
    assert making["pictures"] == [13, 13, 13, 13]
    assert making["learned"] is None
    assert served.get("/api/packs/card/0.jpg")[1].startswith(b"\xff\xd8")
    assert served.get("/api/packs/card/99.jpg")[0] == 404
    told = asked(served, "learn")
    assert told["making"]["doubtful"] == []
    assert told["making"]["missing"] == []
    learned = told["making"]["learned"]
    assert learned["known"] == 52
    assert learned["after"] > learned["before"]
    told = asked(served, "keep", use=True)
    assert (told["making"], told["in_use"], told["packs"][0]["name"]) == (None, "mats", "mats")
    assert watch.held[-1] == 0
    assert len(watch.reads_with) == 1
    assert PackShelf(tmp_path).about("mats").cards == 52


def test_what_can_not_be_done_now_is_told_in_one_line(served: Served, watch: Watch) -> None:
    for path, body in (
        ("learn", {}),
        ("keep", {"use": True}),
        ("answer", {"number": 0, "card": "KH"}),
        ("begin", {"name": "../mats"}),
        ("use", {"name": "nowhere"}),
    ):
        status, told = served.post(f"/api/packs/{path}", body)
        assert status in (400, 409), path
        assert told["error"].count("\n") == 0
    watch.show(0)
    asked(served, "begin", name="mats")
    asked(served, "picture")
    assert asked(served, "forget")["making"]["pictures"] == []
    assert served.post("/api/packs/answer", {"number": 0, "card": "KX"})[0] == 400
    assert asked(served, "leave")["making"] is None
