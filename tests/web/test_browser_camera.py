"""The page's own camera in a real browser, which takes a video for its webcam: the beginning of a deal is followed
through it, also when it is switched off and on again; and what the page says where no camera may run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from tests.web.conftest import FLAGS
from tests.web.served import RECORD, Served, eventually
from vision.file_sources import VideoSource
from vision.recogniser import Image
from web.camera_choice import CameraDesk, Home
from web.cli.recognise import load_recogniser
from web.cli.run import DEMO
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.table_watch import TableWatch, Watched
from web.zone_shelf import ZoneShelf

pytestmark = pytest.mark.browser

RATE: Final = 30
"""Chromium plays a file of JPEGs with so many pictures a second."""
DEALT_S, LAID_S, END_S = 11.2, 15.6, 15.7
"""When the demo's cards lie there, and when the first pair has been laid."""
HOLDS: Final = {DEALT_S: 14, LAID_S: 30}
"""For so many seconds the table stays as it is then: a busy computer looks at it seldom."""
SIZE: Final = (960, 540)


def jpeg(image: Image, grain: Image) -> bytes:
    """A picture as a camera would give it, with a little grain: no two are alike to the bit."""
    small = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", cv2.add(small, grain), [cv2.IMWRITE_JPEG_QUALITY, 80])
    assert done
    return data.tobytes()


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo from the empty table to the first pair that is laid."""
    path = tmp_path_factory.mktemp("camera") / "table.mjpeg"
    rng = np.random.default_rng(1)
    grains = [rng.integers(0, 5, (SIZE[1], SIZE[0], 3), np.uint8) for _ in range(12)]
    holds, written = dict(HOLDS), 0
    with VideoSource(DEMO / "table.mp4") as video, path.open("wb") as file:
        for frame in video:
            if frame.t > END_S:
                break
            while written < frame.t * RATE:
                file.write(jpeg(frame.image, grains[written % len(grains)]))
                written += 1
            for at in [at for at in holds if frame.t >= at]:
                still = [jpeg(frame.image, grain) for grain in grains]
                for number in range(holds.pop(at) * RATE):
                    file.write(still[number % len(still)])
    return path


class Table(Served):
    """The page of a table that nobody follows yet; the networks are those that ship."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, eye=self.watching)
        self.desk = CameraDesk(self.watch, self.session, Home(folder, lambda place: None))
        context = self.app.extensions["mournival"]
        self.app.extensions["mournival"] = replace(context, cameras=self.desk)
        self.watch.start()

    def watching(self, session: OpenSession, board: Board, pictures: Pictures) -> TableWatch:
        nothing = Watched(lambda: VideoSource(self.journal.path.parent / "nothing.mp4"), "Nothing", live=True)
        shelf = ZoneShelf(self.journal.path.parent, "table")
        self.watch = TableWatch(nothing, session, load_recogniser("any"), board, pictures, shelf=shelf)
        return self.watch

    def close(self) -> None:
        self.watch.stop()
        super().close()

    @property
    def eye(self) -> Any:
        return self.get("/api/state")[1]["eye"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    held = Table(tmp_path)
    yield held
    held.close()


@pytest.fixture
def phone(browser_type: BrowserType, browser_type_launch_args: dict[str, Any], clip: Path) -> Iterator[Page]:
    flags = [*FLAGS, f"--use-file-for-fake-video-capture={clip}"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": flags})
    yield browser.new_page(viewport={"width": 390, "height": 844})
    browser.close()


def test_the_beginning_of_a_deal_is_followed_through_a_browser_s_camera(phone: Page, table: Table) -> None:
    complaints: list[str] = []
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    phone.goto(f"{table.url}/camera")
    expect(phone.locator("#preview-none")).to_be_hidden()
    phone.click("#start")
    expect(phone.locator("#sending")).to_have_attribute("data-state", "sending")
    eventually(lambda: table.state.deal is not None)
    assert set(table.deal.position.setup.table) == set(RECORD.setup.table)

    phone.click("#stop")
    eventually(lambda: not table.eye["ok"])
    assert "switched off" in table.eye["text"]
    expect(phone.locator("#sending")).to_contain_text("Stopped")
    phone.click("#start")
    eventually(lambda: table.eye["ok"])
    eventually(lambda: table.deal.done)
    assert str(table.deal.done[0].action) in ("1 lay 4H 4D", "1 lay 4D 4H")
    assert (table.deal.number, table.get("/api/table-check")[1]["lines"] != []) == (1, True)

    table.post("/api/camera", {"kind": "photographs", "sender": "another page"})
    expect(phone.locator("#sending")).to_contain_text("Another camera follows the table now")
    assert complaints == []


def test_a_page_that_is_not_secure_says_so_and_takes_photographs(
    browser: Browser, table: Table, tmp_path: Path
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto(f"{table.url}/camera")
    expect(page.locator("#insecure-why")).to_contain_text("not secure")
    expect(page.locator("#live-part")).to_be_hidden()
    large = np.random.default_rng(2).integers(0, 255, (1500, 3000, 3), np.uint8)
    (tmp_path / "table.jpg").write_bytes(cv2.imencode(".jpg", large)[1].tobytes())
    page.set_input_files("#photo", tmp_path / "table.jpg")
    expect(page.locator("#photo-said")).to_contain_text("The photograph is there")
    eventually(lambda: table.get("/api/state")[1].get("view", {}).get("width") == 2400)
    (tmp_path / "cards.jpg").write_text("These are my cards.\n")
    page.set_input_files("#photo", tmp_path / "cards.jpg")
    expect(page.locator("#toast")).to_have_text(re.compile("picture"))
    page.close()
