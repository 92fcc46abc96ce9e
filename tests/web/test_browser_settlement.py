"""The settlement that is played step by step, and the evening's page, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.evenings import play_deal
from tests.web.opened_pages import STICKING_OUT, Opened
from tests.web.served import RECORD, Served

pytestmark = pytest.mark.browser


def pot(page: Page) -> str:
    return page.inner_text(".pot b")


def test_each_payment_can_be_followed_at_one_s_own_pace(opened: Opened, served: Served) -> None:
    served.begin()
    served.play()
    page = opened()
    expect(page.locator(".steps li")).to_have_count(11)
    expect(page.locator(".step-now")).to_contain_text("The results add up to nothing")
    expect(page.locator(".step-next")).to_be_disabled()
    for _ in range(10):
        page.click(".step-back")
    expect(page.locator(".step-back")).to_be_disabled()
    assert pot(page) == "3"
    expect(page.locator("[data-of='1'] b")).to_have_text("−3")
    expect(page.locator("[data-of='1'] .stage-cards")).to_have_text("6 of par 10")
    pots = [pot(page)]
    for _ in range(10):
        page.click(".step-next")
        pots.append(pot(page))
    assert pots == ["3", "5", "7", "9", "6", "6", "8", "6", "4", "0", "0"]
    expect(page.locator("[data-of='1'] .stage-cards")).to_have_text("14 of par 10")
    expect(page.locator(".stage-seat b")).to_have_text(["−1", "0", "−4", "+5"])
    page.locator(".steps li").nth(6).locator("summary").click()
    expect(page.locator(".steps li").nth(6)).to_contain_text("for every two below par one pays a stake. (LLD-25)")
    assert opened.complaints == []


def test_the_account_is_reached_from_the_first_settlement(opened: Opened, served: Served) -> None:
    served.begin()
    served.play()
    for page in (opened(1366, 768), opened(390, 844)):
        page.get_by_role("link", name="The account").click()
        page.wait_for_url("**/account")
        expect(page.locator(".deals tbody tr").first).to_contain_text("not closed yet")
        expect(page.locator(".payments li").first).to_be_visible()
        expect(page.get_by_role("button", name="Print")).to_be_visible()


def test_a_settlement_plays_by_itself_once_and_can_be_skipped(opened: Opened, served: Served) -> None:
    served.begin()
    served.play(0, len(RECORD.actions) - 1)
    page = opened()
    expect(page.locator("#history li").first).to_be_visible()
    served.play(len(RECORD.actions) - 1)
    expect(page.locator(".step-play")).to_have_text("Pause")
    expect(page.locator(".settled tbody .net").first).to_have_text("−1")  # the result stands there from the start
    page.click(".step-end")
    assert pot(page) == "0"
    expect(page.locator(".step-play")).to_have_text("Show it again")
    page.click(".step-play")
    expect(page.locator(".step-play")).to_have_text("Pause")
    page.click(".step-play")
    expect(page.locator(".step-play")).to_have_text("Play")
    page.reload()
    expect(page.locator(".step-play")).to_have_text("Show it again")


def test_who_wants_no_motion_gets_none(browser: Browser, served: Served) -> None:
    served.begin()
    served.play(0, len(RECORD.actions) - 1)
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(served.url)
    expect(page.locator("#history li").first).to_be_visible()
    served.play(len(RECORD.actions) - 1)
    expect(page.locator(".step-play")).to_have_text("Show it again")
    page.click(".step-back")
    page.click(".step-next")
    expect(page.locator(".flying")).to_have_count(0)
    context.close()


def test_points_are_told_step_by_step_without_a_pot(opened: Opened, served: Served) -> None:
    play_deal(served.session, 3, game="rolling-stone", close=False)
    page = opened(390, 844)
    expect(page.locator(".settled h2")).to_have_text("Result")
    expect(page.locator(".steps li")).to_have_count(5)
    expect(page.locator(".pot")).to_have_count(0)
    expect(page.locator(".steps li").first).to_contain_text("has no card left and wins the deal.")
    assert page.evaluate(STICKING_OUT) == []


def test_the_evening_s_page_follows_and_is_printed_on_one_sheet(
    opened: Opened, browser: Browser, served: Served
) -> None:
    for seed in range(6):
        play_deal(served.session, seed, options={"stake_value": "0.20"})
    table = opened()
    table.click("#to-evening a, .to-evening a")
    expect(table.locator("h1")).to_have_text("The evening's account")
    expect(table.locator(".deals").first.locator("tbody tr")).to_have_count(6)
    play_deal(served.session, 6, options={"stake_value": "0.20"})
    expect(table.locator(".deals").first.locator("tbody tr")).to_have_count(7)
    expect(table.locator(".payments li").first).to_have_text(re.compile(r"pays .* stakes?, which is \d+\.\d\d\."))
    with table.expect_download() as saved:
        table.click("text=Table for spreadsheets (CSV)")
    assert saved.value.path().read_bytes().startswith(b"\xef\xbb\xbf")
    table.emulate_media(media="print")
    table.set_viewport_size({"width": 703, "height": 1032})  # A4 less its margins
    assert table.evaluate("document.documentElement.scrollHeight") <= 1032
    expect(table.locator(".take").first).to_be_hidden()
    expect(table.locator(".payments li").first).to_be_visible()
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(f"{served.url}/account")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.context.close()
    assert opened.complaints == []


LINES = """cells => cells.map(cell => {
  const text = document.createRange(); text.selectNodeContents(cell);
  return new Set([...text.getClientRects()].map(line => line.top)).size;
})"""
"""On how many lines each of the cells is written."""


def test_no_amount_is_broken_and_an_evening_in_two_currencies_is_printed_whole(opened: Opened, served: Served) -> None:
    for seed in range(6):
        worth = {"stake_value": "12.50", "currency": "CHF" if seed < 3 else "EUR"}
        play_deal(served.session, seed, options=worth)
    for seed in range(2):
        play_deal(served.session, seed, game="rolling-stone")
    play_deal(served.session, 6, options={"stake_value": "2", "currency": "beans"})
    page = opened(390, 844)
    assert set(page.locator("#account td:not(:empty)").evaluate_all(LINES)) == {1}
    expect(page.locator("#account tfoot")).to_contain_text("beans")
    page.goto(f"{served.url}/account")
    amounts = page.locator(".account-part > .account-parts td:not(.dealer)")
    assert set(amounts.evaluate_all(LINES)) == {1}
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1032})  # A4 less its margins
    assert set(amounts.evaluate_all(LINES)) == {1}
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    for part in page.locator(".account-part").all():
        table, pay = part.locator(".deals").first.bounding_box(), part.locator(".pay").bounding_box()
        assert table is not None
        assert pay is not None
        assert table["x"] + table["width"] <= 703
        assert table["y"] + table["height"] <= pay["y"]
    rows = page.locator(".deals tr, .payments li, .plot")
    assert set(rows.evaluate_all("all => all.map(one => getComputedStyle(one).breakInside)")) == {"avoid"}
    assert opened.complaints == []
