"""Letting a phone in, in a real browser: the host's page, the code behind the link, the player's own page, sent off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.let_in import OpenTable

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OpenTable]:
    held = OpenTable(tmp_path)
    held.begin()
    yield held
    held.close()


def test_a_phone_comes_in_by_the_code_and_is_sent_off(table: OpenTable, browser: Browser) -> None:
    host = browser.new_page()
    host.goto(f"http://127.0.0.1:{table.local.port}/guests")
    host.get_by_role("button", name="Bertram").click()
    expect(host.locator("#codes img")).to_be_visible()
    expect(host.locator(".fingerprint")).to_have_text(table.door.authority.fingerprint)
    code = host.locator("#code").text_content()

    phone = browser.new_context(ignore_https_errors=True, viewport={"width": 390, "height": 800}).new_page()
    complaints: list[str] = []
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    phone.goto(f"https://127.0.0.1:{table.outer.port}/pair#{code}")
    phone.wait_for_url("**/seat/2")
    expect(phone.locator("#more")).to_contain_text("ten cards")
    assert phone.evaluate("document.cookie") == ""

    phone.goto(f"https://127.0.0.1:{table.outer.port}/")
    expect(phone.locator("#headline")).to_have_text("Bertram's turn")
    expect(phone.locator("#settings")).to_be_hidden()

    host.get_by_role("button", name="Send off").click()
    expect(host.locator("#guests")).to_have_text("Nobody but you.")
    phone.goto(f"https://127.0.0.1:{table.outer.port}/seat/2")
    phone.wait_for_url("**/pair")
    assert complaints == []
    host.context.close()
    phone.context.close()
