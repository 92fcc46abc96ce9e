"""Every page, in daylight and in the dark, as axe sees it: names, roles, order, contrast."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.web.let_in import OpenTable
from tests.web.served import Served
from tests.web.staged_pages import PHASES

pytestmark = pytest.mark.browser

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
TOLD: Final = ("serious", "critical")
"""How much something must hinder somebody to be told here."""
DIALOGS: Final = {"#add": "#action-dialog", "#view": "#view-dialog"}


def hindrances(page: Page) -> list[str]:
    """What axe finds that hinders somebody, each in a line."""
    found: Any = Axe().run(page).response
    return [
        f"{one['impact']} {one['id']}: {node['target']} {node.get('failureSummary', '').splitlines()[1:]}"
        for one in found["violations"]
        if one["impact"] in TOLD
        for node in one["nodes"]
    ]


@pytest.fixture(params=SCHEMES)
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 1366, "height": 768}, color_scheme=request.param, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("phase", PHASES)
def test_the_table_s_page_hinders_nobody(page: Page, tmp_path: Path, phase: str) -> None:
    table = Served(tmp_path)
    try:
        PHASES[phase](table)
        page.goto(table.url)
        expect(page.locator("#headline")).not_to_have_text("One moment")
        expect(page.locator("#live")).to_be_visible()
        assert hindrances(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert hindrances(page) == []
    finally:
        table.close()


def test_the_dialogs_and_the_other_pages_hinder_nobody(page: Page, tmp_path: Path) -> None:
    table = Served(tmp_path)
    try:
        PHASES["playing"](table)
        page.goto(table.url)
        expect(page.locator("#headline")).not_to_have_text("One moment")
        for button, dialog in DIALOGS.items():
            page.click(button)
            expect(page.locator(dialog)).to_be_visible()
            assert hindrances(page) == []
            page.keyboard.press("Escape")
        page.click("#pool [data-card='TC']")
        expect(page.locator("#correct-dialog")).to_be_visible()
        assert hindrances(page) == []
        for path in ("/seat/3", "/overlay", "/overlay?side=left&size=60"):
            page.goto(table.url + path)
            expect(page.locator("#headline")).not_to_have_text("One moment")
            assert hindrances(page) == []
        for path in ("/setup", "/camera", "/plain"):
            page.goto(table.url + path)
            page.wait_for_load_state("networkidle" if path == "/plain" else "load")
            for details in page.locator("details").all():
                details.evaluate("one => { one.open = true }")
            assert hindrances(page) == []
    finally:
        table.close()


def test_the_evening_the_deal_and_the_camera_have_pages_that_hinder_nobody(page: Page, tmp_path: Path) -> None:
    table = Served(tmp_path)
    try:
        PHASES["second deal"](table)
        for path in ("/account", "/deal/1", "/camera"):
            page.goto(table.url + path)
            page.wait_for_load_state("networkidle")
            expect(page.locator("h1")).to_be_visible()
            assert hindrances(page) == []
            page.set_viewport_size({"width": 390, "height": 844})
            assert hindrances(page) == []
            page.set_viewport_size({"width": 1366, "height": 768})
    finally:
        table.close()


def test_the_pages_of_the_door_hinder_nobody(browser: Browser, tmp_path: Path) -> None:
    table = OpenTable(tmp_path)
    table.begin()
    try:
        for scheme in SCHEMES:
            context = browser.new_context(ignore_https_errors=True, color_scheme=scheme, reduced_motion="reduce")
            host, guest = context.new_page(), context.new_page()
            host.goto(f"http://127.0.0.1:{table.local.port}/guests")
            host.get_by_role("button", name="Bertram").click()
            expect(host.locator("#codes img")).to_be_visible()
            assert hindrances(host) == []
            guest.goto(f"https://127.0.0.1:{table.outer.port}/pair")
            assert hindrances(guest) == []
            context.close()
    finally:
        table.close()
