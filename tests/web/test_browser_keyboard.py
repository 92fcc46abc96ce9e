"""The table by keyboard alone, as tables of words, and in the view that somebody chose."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Page, expect

from tests.web.opened_pages import STICKING_OUT, Opened
from tests.web.served import Served
from tests.web.staged_pages import SBROS, playing, record

pytestmark = pytest.mark.browser


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_deal_is_followed_put_right_and_answered_without_a_mouse(opened: Opened, served: Served) -> None:
    playing(served)
    page = opened()
    press(page, "Tab")
    expect(page.locator(".skip")).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#page")).to_be_focused()

    outline = page.locator("#outlines [data-card='JH']")
    outline.focus()
    press(page, " ")
    expect(page.locator("#correct-dialog")).to_be_visible()
    press(page, "Escape")
    expect(outline).to_be_focused()

    page.locator("#pool [data-card='TC']").focus()
    press(page, "Enter")
    page.locator("#likely [data-card='TS']").focus()
    press(page, "Enter")
    expect(page.locator("#pool [data-card='TS']")).to_have_count(1)
    expect(page.locator("main :focus, main:focus")).to_have_count(1)
    press(page, "u")
    expect(page.locator("#pool [data-card='TC']")).to_have_count(1)
    press(page, "1")
    expect(page.locator("#headline")).to_have_text("Dorothy's turn")

    page.locator("#add").focus()
    press(page, "Enter")
    page.locator("#action-seats [aria-checked='true']").focus()
    press(page, "ArrowRight")
    expect(page.locator("#action-seats [aria-checked='true']")).to_have_text("Agnes")
    expect(page.locator("#action-seats [aria-checked='true']")).to_be_focused()
    press(page, "ArrowLeft", "Escape")
    expect(page.locator("#add")).to_be_focused()
    assert opened.complaints == []


def test_the_cards_stand_in_a_table_of_words(opened: Opened, served: Served) -> None:
    playing(served)
    page = opened()
    rows = page.locator("#cards-table tbody tr")
    expect(rows.filter(has_text="On the table").first).to_contain_text("ace of spades, ace of hearts, ace of diamonds")
    agnes = rows.filter(has=page.locator("th", has_text="Agnes"))
    expect(agnes).to_contain_text("8 in hand; 2 cards, par 10; Pile: four of hearts, four of diamonds")
    levels = "all => all.map((one) => Number(one.tagName[1]))"
    found: list[int] = page.locator("h1:visible, h2:visible, h3:visible").evaluate_all(levels)
    assert found[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(found))


def test_the_view_is_chosen_and_kept_in_the_browser(opened: Opened, served: Served) -> None:
    playing(served)
    page = opened(1366, 768)
    face = page.locator("#pool [data-card='3D']")
    usual = face.bounding_box()
    press(page, "Tab")
    page.locator("#view").focus()
    press(page, "Enter")
    for name, value in (("scheme", "dark"), ("type", "large"), ("suits", "four")):
        page.check(f"[name={name}][value={value}]")
    press(page, "Escape")
    expect(page.locator("#view")).to_be_focused()
    page.reload()
    expect(page.locator("#headline")).to_have_text("Cecily's turn")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 25, 23)"
    colours = [
        page.locator(f"#pool [data-suit='{suit}']").first.evaluate("one => getComputedStyle(one).color")
        for suit in "SHDC"
    ]
    assert len(set(colours)) == 4
    large = face.bounding_box()
    assert usual is not None
    assert large is not None
    assert large["width"] > usual["width"] * 1.3
    assert page.evaluate(STICKING_OUT) == []
    page.click("#view")
    expect(page.locator("[name=type][value=large]")).to_be_checked()
    page.set_viewport_size({"width": 390, "height": 844})
    press(page, "Escape")
    assert page.evaluate(STICKING_OUT) == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768), (1366, 768)])
def test_the_cards_are_as_large_as_their_place_allows(opened: Opened, served: Served, width: int, height: int) -> None:
    record(served, SBROS)
    page = opened(width, height)
    expect(page.locator("#pool .heap")).to_have_text("35")
    box = page.locator("#pool [data-card='JS']").bounding_box()
    assert box is not None
    assert box["width"] >= 78
    assert page.locator(".pool").evaluate("box => box.scrollHeight - box.clientHeight") <= 0
    assert page.evaluate(STICKING_OUT) == []
