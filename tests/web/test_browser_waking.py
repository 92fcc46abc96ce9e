"""A page of which some script does not load, or whose link is cut without a word, in a real browser: it says so, and
goes on by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.web.served import Served

pytestmark = pytest.mark.browser


def test_a_page_of_which_a_part_did_not_load_says_so_and_is_loaded_again(browser: Browser, served: Served) -> None:
    served.begin()
    page = browser.new_page()
    for path, part in (("/", "kept.js"), ("/seat/2", "seat.js"), ("/overlay", "live.js")):
        page.route(f"**/static/{part}*", lambda route: route.abort())
        page.goto(served.url + path)
        expect(page.get_by_role("alert").filter(has_text="This page did not load as a whole.")).to_be_in_viewport()
        page.unroute_all()
        page.get_by_role("button", name="Load it again").click()
        expect(page.locator("#headline")).not_to_have_text("One moment")
        expect(page.locator(".stopped")).to_have_count(0)
    page.close()


def test_a_page_that_waits_in_vain_says_so_and_loads_itself_anew(browser: Browser, served: Served) -> None:
    served.begin()
    page = browser.new_page()
    page.clock.install()
    asked: list[Route] = []

    def first_in_vain(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.continue_()

    page.route("**/static/main.js*", first_in_vain)
    page.goto(served.url, wait_until="commit")
    expect(page.locator("#headline")).to_have_text("One moment")
    page.clock.fast_forward(5000)
    expect(page.locator(".stopped")).to_have_count(0)
    page.clock.fast_forward(6000)
    expect(page.get_by_role("alert").filter(has_text="This page did not load as a whole.")).to_be_visible()
    page.clock.fast_forward(21000)
    expect(page.locator("#headline")).to_have_text("Bertram's turn")
    expect(page.locator(".stopped")).to_have_count(0)
    assert len(asked) == 2
    page.close()


@pytest.mark.parametrize("path", ["/", "/seat/2"])
def test_a_link_that_says_nothing_for_long_is_told_and_taken_up_again(
    browser: Browser, served: Served, path: str
) -> None:
    served.begin()
    page = browser.new_page()
    page.clock.install()
    page.goto(served.url + path)
    eye = page.locator("#eye-text")
    expect(page.locator("#headline")).not_to_have_text("One moment")
    held: list[Route] = []
    page.route("**/api/stream", lambda route: held.append(route))
    with page.expect_request("**/api/stream"):  # which waits in vain
        page.clock.fast_forward(26000)
    expect(eye).to_have_text("The program does not answer")
    page.unroute_all()
    page.clock.fast_forward(26000)
    expect(eye).not_to_have_text("The program does not answer")
    page.close()
