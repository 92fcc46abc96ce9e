"""A player's phone with its camera, in a real browser: paired by code, it is shown the hand and shows the hints; nobody
else sees any of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Browser, BrowserType, Locator, Page, expect

from assistant.cards import parse_cards
from tests.web.hand_fans import fan, jpeg
from tests.web.let_in import OpenTable
from tests.web.opened_pages import STICKING_OUT
from tests.web.served import RECORD
from vision.onnx_recogniser import OnnxRecogniser
from vision.recogniser import Image
from web.access import Role
from web.hand_pictures import HandPictures

pytestmark = pytest.mark.browser

HAND = list(map(str, RECORD.setup.hands[2]))
PHONE: dict[str, Any] = {"ignore_https_errors": True, "viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OpenTable]:
    held = OpenTable(tmp_path, hand_pictures=HandPictures(lambda: OnnxRecogniser.load(threads=1)))
    held.begin()
    yield held
    held.close()


def film(path: Path, picture: Image) -> Path:
    """A video of one picture, as the browser's false camera plays it (Y4M, 4:2:0)."""
    height, width = picture.shape[:2]
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes()
    head = f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\n".encode()
    path.write_bytes(head + b"FRAME\n" + planes + b"FRAME\n" + planes)
    return path


@pytest.fixture
def phone(browser_type: BrowserType, browser_type_launch_args: dict[str, Any], tmp_path: Path) -> Iterator[Browser]:
    """A browser before whose camera the hand is held, all but its first card."""
    shown = film(tmp_path / "hand.y4m", fan(parse_cards(" ".join(HAND)), first=1))
    flags = [*browser_type_launch_args["args"], f"--use-file-for-fake-video-capture={shown}"]
    held = browser_type.launch(**{**browser_type_launch_args, "args": flags})
    yield held
    held.close()


def let_in(browser: Browser, table: OpenTable, seat: int, complaints: list[str]) -> Page:
    """A phone's page of a seat, paired by the code behind the link."""
    code = table.door.pairing.invite(Role.PLAYER, seat)
    page = browser.new_context(**PHONE, permissions=["camera"]).new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"https://127.0.0.1:{table.outer.port}/pair#{code}")
    page.wait_for_url(f"**/seat/{seat}")
    return page


def cell(page: Page, card: str) -> Locator:
    return page.locator(f"#grid [data-card='{card}']")


def test_a_hand_that_is_shown_to_the_phone_brings_hints_on_that_phone_alone(
    table: OpenTable, phone: Browser, browser: Browser
) -> None:
    complaints: list[str] = []
    page, other = let_in(phone, table, 2, complaints), let_in(browser, table, 3, complaints)
    page.click("#look")
    expect(page.locator("#viewfinder")).to_be_visible()
    expect(page.locator("#seen")).to_contain_text("I see 9 of 10 cards.")
    for card in HAND[1:]:
        expect(cell(page, card)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#tally")).to_have_text("9 of 10")
    assert page.evaluate(STICKING_OUT) == []
    page.click("#enough")
    expect(page.locator("#viewfinder")).to_be_hidden()
    assert page.evaluate("document.getElementById('video').srcObject") is None

    # A card that was seen wrong is untapped, the missing ones are tapped.
    page.on("request", lambda request: pytest.fail(request.url) if request.url.endswith("/picture") else None)
    cell(page, HAND[1]).tap()
    expect(page.locator("#tally")).to_have_text("8 of 10")
    for card in HAND[:2]:
        cell(page, card).tap()
    page.click("#tell")
    expect(page.locator("#hand [data-card]")).to_have_count(10)
    expect(page.locator(".ranked li").first.locator(".worth")).to_contain_text("give or take")
    why = page.locator(".ranked li").first.locator("details")
    why.locator("summary").tap()
    expect(why.locator("summary")).to_contain_text("Rule LLD-")
    expect(why.locator("p")).to_be_visible()
    assert page.evaluate(STICKING_OUT) == []

    other.reload()
    expect(other.locator("#more")).to_contain_text("cards in your hand")
    expect(other.locator("#grid [aria-pressed='true']")).to_have_count(0)
    expect(other.locator("#hand [data-card]")).to_have_count(0)
    table_page = browser.new_page()
    table_page.goto(f"http://127.0.0.1:{table.local.port}/")
    expect(table_page.locator("#headline")).to_have_text("Bertram's turn")
    assert not table_page.evaluate(
        "cards => cards.filter((card) => document.querySelector(`[data-card='${card}']`))", HAND
    )
    assert complaints == []
    for one in (page, other, table_page):
        one.context.close()


def test_without_a_camera_a_photograph_is_taken(table: OpenTable, browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    page = let_in(browser, table, 2, complaints)
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
    page.reload()
    expect(page.locator("#photo-label")).to_be_visible()
    expect(page.locator("#look")).to_be_hidden()
    photograph, text = tmp_path / "hand.jpg", tmp_path / "diary.jpg"
    photograph.write_bytes(jpeg(fan(parse_cards(" ".join(HAND)), width=2560, height=1440)))
    text.write_text("Dear diary", encoding="utf-8")
    page.set_input_files("#photo", text)
    expect(page.locator("#toast")).to_contain_text("no picture that this browser can show")
    page.set_input_files("#photo", photograph)
    expect(page.locator("#seen")).to_contain_text("I see 10 of 10 cards.")
    page.click("#tell")
    expect(page.locator("#hand [data-card]")).to_have_count(10)
    assert complaints == []
    page.context.close()


def test_a_camera_that_is_refused_leaves_the_photograph(table: OpenTable, browser: Browser) -> None:
    page = let_in(browser, table, 2, [])
    page.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    page.reload()
    page.click("#look")
    expect(page.locator("#toast")).to_contain_text("take a photograph, or tap the cards")
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator("#photo-label")).to_be_visible()
    page.context.close()
