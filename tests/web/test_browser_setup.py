"""The set-up page in a real browser, on a phone: everything in one column, the seats as the picture has them, cameras
chosen and files sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from assistant import session as deciding
from tests.web.opened_pages import STICKING_OUT
from tests.web.served import Served
from tests.web.test_browser_troubles import Drawing
from tests.web.test_recordings import FakeWatch
from web import camera_choice
from web.camera_choice import CameraDesk, Home
from web.cli.run import DEMO

pytestmark = pytest.mark.browser


@pytest.fixture
def watch() -> FakeWatch:
    return FakeWatch()


@pytest.fixture
def served(tmp_path: Path, watch: FakeWatch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(camera_choice, "listed_cameras", lambda: {0: "Integrated Camera", 2: "HD Webcam"})
    drawing = Drawing()
    held = Served(tmp_path, eye=lambda *_: drawing)
    drawing.served = held
    desk = CameraDesk(watch, held.session, Home(tmp_path, lambda place: None))
    held.app.extensions["mournival"] = replace(held.app.extensions["mournival"], cameras=desk)
    drawing.show()
    yield held
    held.close()


@pytest.fixture
def phone(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{served.url}/setup")
    expect(page.locator("#setup-names input[type=text]")).to_have_count(4)
    yield page
    context.close()


def test_on_a_phone_the_seats_are_those_of_the_picture_and_go_round(phone: Page, served: Served) -> None:
    expect(phone.locator("#live")).to_be_visible()
    expect(phone.locator(".name-row .at")).to_have_text(["at the bottom", "at the left", "at the top", "at the right"])
    expect(phone.locator("#outlines .zone-name")).to_have_count(4)
    assert phone.evaluate(STICKING_OUT) == []
    phone.fill("[aria-label='Name of seat 1']", "Zoë")
    expect(phone.locator("#outlines")).to_contain_text("Zoë")
    phone.click("#setup-round")
    assert phone.input_value("[aria-label='Name of seat 2']") == "Zoë"
    expect(phone.locator("[name='dealer'][value='2']")).to_be_checked()
    phone.click("#setup-options-box summary")
    assert phone.evaluate(STICKING_OUT) == []
    phone.click("#setup-save")
    expect(phone.locator("#setup-saved")).to_have_text("Saved.")
    assert served.session.setup.names == ("Dorothy", "Zoë", "Bertram", "Cecily")
    assert served.session.setup.dealer == 2


def test_what_is_being_typed_stays_when_the_set_up_is_changed_elsewhere(phone: Page, served: Served) -> None:
    first, second = (phone.locator(f"[aria-label='Name of seat {seat}']") for seat in (1, 2))
    first.fill("")
    first.press_sequentially("Zo")
    other = {
        "seen": served.session.state.seq,
        "game": served.session.setup.game,
        "players": 4,
        "dealer": 3,
        "names": ["Ann", "Bea", "Cecily", "Dorothy"],
        "options": {"help": "silent"},
    }
    assert served.post("/api/setup", other)[0] == 200
    expect(second).to_have_value("Bea")
    expect(first).to_have_value("Zo")
    expect(first).to_be_focused()
    expect(phone.locator("[name='dealer'][value='3']")).to_be_checked()
    expect(phone.locator("[data-option='help']")).to_have_value("silent")
    expect(phone.locator("#setup-saved")).to_contain_text("The set-up was changed elsewhere")
    first.press_sequentially("ë")
    phone.locator("#setup-save").click()
    expect(phone.locator("#setup-saved")).to_have_text("Saved.")
    assert served.session.setup.names == ("Zoë", "Bea", "Cecily", "Dorothy")
    assert served.session.setup.options == {"help": "silent"}
    other["seen"], other["names"] = served.session.state.seq, ["Dora", "Bea", "Cecily", "Dorothy"]
    assert served.post("/api/setup", other)[0] == 200
    expect(first).to_have_value("Dora")


def test_who_stands_in_for_a_name_is_asked_and_a_stake_of_nothing_is_not_saved(phone: Page, served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)
    sums, asked = list(served.state.account), list[str]()

    def save(first: str, *, same: bool) -> None:
        def answer(dialog: Dialog) -> None:
            asked.append(dialog.message)
            if same:
                dialog.accept()
            else:
                dialog.dismiss()

        phone.once("dialog", answer)
        phone.fill("[aria-label='Name of seat 1']", first)
        phone.click("#setup-save")
        expect(phone.locator("#setup-saved")).to_have_text("Saved.")

    expect(phone.locator("input[name=dealer]:checked")).to_have_value(str(served.session.setup.dealer))
    save("Zoë", same=True)
    assert list(served.state.account) == sums
    save("Yan", same=False)
    assert list(served.state.account) == [0, *sums[1:]]
    assert [text.split(" the same person as ")[0] for text in asked] == ["Is Zoë", "Is Yan"]
    seq = served.state.seq
    phone.fill("#setup-worth", "0,00")
    expect(phone.locator("#setup-worth-said")).to_contain_text("That is no money")
    phone.click("#setup-save")
    expect(phone.locator("#setup-saved")).to_contain_text("Not saved")
    assert (served.state.seq, "stake_value" in served.session.setup.options) == (seq, False)
    phone.fill("#setup-worth", "0,50")
    phone.fill("#setup-currency", "JPY")
    expect(phone.locator("#setup-worth-said")).to_contain_text("¥1.50")


def test_zones_are_drawn_by_finger_and_by_keys(phone: Page, served: Served) -> None:
    phone.tap("#zones-edit")
    corner = phone.locator("#zones .chosen .corner").first
    before = corner.get_attribute("transform")
    corner.focus()
    phone.keyboard.press("ArrowRight")
    assert corner.get_attribute("transform") != before
    box = corner.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    phone.tap("#zones-save")
    expect(phone.locator("#zones-tools")).to_be_hidden()


def test_cameras_are_chosen_by_name_and_files_are_sent(phone: Page, watch: FakeWatch, tmp_path: Path) -> None:
    expect(phone.locator("#cameras button")).to_have_text(["Integrated Camera", "HD Webcam"])
    phone.click("#cameras >> text=HD Webcam")
    expect(phone.locator("#cameras [aria-pressed='true']")).to_have_text("HD Webcam")
    for number in (1, 2):
        picture = np.full((90, 160, 3), 80 * number, np.uint8)
        (tmp_path / f"table {number}.jpg").write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    phone.click("#recordings-box summary")
    phone.set_input_files("#files", [tmp_path / "table 1.jpg", tmp_path / "table 2.jpg"])
    expect(phone.locator("#recordings .source")).to_have_text("upload-table 1: 2 pictures")
    phone.set_input_files("#files", DEMO / "table.mp4")
    expect(phone.locator("#recordings .source")).to_have_count(2)
    phone.click("#recordings >> text=upload-table.mp4")
    expect(phone.locator("#recordings [aria-pressed='true']")).to_have_text("upload-table.mp4")
    expect(phone.locator("#recordings .delete")).to_have_count(1)
    assert phone.evaluate(STICKING_OUT) == []
    phone.once("dialog", lambda dialog: dialog.accept())
    phone.click("[aria-label='Delete upload-table 1']")
    expect(phone.locator("#recordings .source")).to_have_text(["upload-table.mp4"])
    (tmp_path / "cards.jpg").write_text("These are my cards.\n")
    phone.set_input_files("#files", tmp_path / "cards.jpg")
    expect(phone.locator("#toast")).to_contain_text("neither a video nor a picture")
    phone.locator("#address-form").evaluate("one => { one.closest('details').open = true }")
    phone.fill("#address", "rtsp://anna:geheim@127.0.0.1/1")
    phone.press("#address", "Enter")
    expect(phone.locator("#address")).to_have_value("")
    assert watch.followed == ["HD Webcam", "upload-table.mp4", "rtsp://***@127.0.0.1/1"]
    assert "geheim" not in phone.content()
