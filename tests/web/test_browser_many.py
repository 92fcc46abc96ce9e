"""Eight browsers at one table, and how heavy the page is that they fetch."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.page_benchmark import PAGES, open_pages, weights
from tests.web.served import Served
from tests.web.staged_pages import playing

pytestmark = pytest.mark.browser

HEAVIEST: Final = 300_000
"""Bytes of the page without the picture."""


def test_an_action_reaches_eight_browsers_and_each_may_act(browser: Browser, tmp_path: Path) -> None:
    table = Served(tmp_path)
    try:
        playing(table)
        pages = open_pages(browser, table.url, PAGES)
        table.act("3 mate TS TC")
        for page in pages:
            expect(page.locator("#headline")).to_have_text("Dorothy's turn")
            expect(page.locator("[data-seat='3'] .pile [data-card]")).to_have_count(2)
        for page in pages[::2]:
            page.click("#undo")
            expect(pages[-1].locator("#headline")).to_have_text("Cecily's turn")
            page.click("#redo")
            expect(pages[-1].locator("#headline")).to_have_text("Dorothy's turn")
        for page in pages:
            expect(page.locator("#last")).to_have_text("Cecily takes the ten of clubs with the ten of spades.")
            page.context.close()
    finally:
        table.close()


def test_the_page_is_light(browser: Browser, tmp_path: Path) -> None:
    table = Served(tmp_path)
    try:
        playing(table)
        for path in ("/", "/seat/3", "/overlay"):
            parts = weights(browser, table.url + path)
            assert f"/static/{'main' if path == '/' else path.split('/')[1]}.js" in parts
            assert sum(parts.values()) < HEAVIEST, parts
    finally:
        table.close()
