"""Whoever says to the browser what stands on a button presses it: each one's name holds what can be read there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant import session as deciding
from assistant.session_events import ActionTaken
from tests.web.let_in import OpenTable
from tests.web.served import RECORD

pytestmark = pytest.mark.browser

OTHERWISE_NAMED = """() => [...document.querySelectorAll("button, a[href], summary, [role=button]")]
.filter((one) => one.checkVisibility() && !one.dataset.card) // a card's sign is a picture of it
.map((one) => {
  const shown = one.cloneNode(true);
  for (const hidden of shown.querySelectorAll("svg, [aria-hidden=true]")) hidden.remove();
  const named = (one.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
  const name = one.getAttribute("aria-label") ?? named.map((other) => other?.textContent ?? "").join(" ");
  return [shown.textContent, name].map((text) => text.replace(/\\s+/g, " ").trim().toLowerCase());
})
.filter(([shown, name]) => name && /[\\p{L}\\d]/u.test(shown) && !name.includes(shown))
.map(([shown, name]) => `${shown} is called ${name}`)"""
"""What is called otherwise than it reads (WCAG 2.5.3)."""


def play(table: OpenTable, first: int, last: int | None) -> None:
    for action in RECORD.actions[first:last]:
        table.session.perform(lambda _, action=action: (ActionTaken(action, sure=False),))  # type: ignore[misc]


def test_what_stands_on_a_button_is_in_its_name(table: OpenTable, browser: Browser) -> None:
    home = f"http://127.0.0.1:{table.local.port}"
    pages: dict[str, Page] = {}
    play(table, 0, 12)
    for locale in ("en-GB", "de-DE", "fr-FR", "pt-BR", "ru-RU"):
        page = pages[locale] = browser.new_context(locale=locale).new_page()
        page.goto(home)
        expect(page.locator("#history button")).not_to_have_count(0)
        assert page.evaluate(OTHERWISE_NAMED) == []
        page.goto(f"{home}/seat/3")
        expect(page.locator("#grid button")).not_to_have_count(0)
        assert page.evaluate(OTHERWISE_NAMED) == []
    play(table, 12, None)
    table.session.perform(deciding.next_deal)
    for path in ("/account", "/deal/1", "/setup", "/guests", "/camera"):
        for locale in ("en-GB", "ru-RU") if path == "/account" else ("en-GB",):
            pages[locale].goto(home + path)
            pages[locale].wait_for_load_state("networkidle" if path == "/deal/1" else "load")
            assert pages[locale].evaluate(OTHERWISE_NAMED) == []
    for page in pages.values():
        page.context.close()


def test_a_button_that_is_called_otherwise_is_seen_by_this_test(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content('<button aria-label="Undo: this">Take out</button><button aria-label="Close">&times;</button>')
    assert page.evaluate(OTHERWISE_NAMED) == ["take out is called undo: this"]
    page.close()
