"""The hints on the table's page, each with its rule, and how much is said: chosen by the host with one click, heeded by
every page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from assistant.session_events import ActionTaken
from tests.web.let_in import OpenTable
from tests.web.opened_pages import STICKING_OUT
from tests.web.served import RECORD
from web.access import Role

pytestmark = pytest.mark.browser

HAND = " ".join(map(str, RECORD.setup.hands[2]))


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_the_host_says_with_one_click_how_much_is_told_and_every_page_heeds_it(
    table: OpenTable, browser: Browser, width: int, height: int
) -> None:
    complaints: list[str] = []
    host = browser.new_context(viewport={"width": width, "height": height}).new_page()
    guest = browser.new_context(ignore_https_errors=True, viewport={"width": 390, "height": 844}).new_page()
    for page in (host, guest):
        page.on("pageerror", lambda error: complaints.append(str(error)))
    host.goto(f"http://127.0.0.1:{table.local.port}/")
    guest.goto(f"https://127.0.0.1:{table.outer.port}/pair#{table.door.pairing.invite(Role.PLAYER, 2)}")
    guest.wait_for_url("**/seat/2")
    assert (
        guest.evaluate(
            """cards => fetch("/api/seat/2/hand", { method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ cards }) }).then((answer) => answer.status)""",
            HAND,
        )
        == 200
    )
    guest.reload()
    expect(guest.locator(".list li").first).to_be_visible()

    # A line's rule opens, and stays open while the table goes on.
    expect(host.locator("#mates-title")).to_have_text("What Bertram may mate")
    jack = host.locator("#mates li", has_text="A jack takes the jack of hearts.")
    jack.locator("summary").click()
    expect(jack.locator("details p")).to_contain_text("(LLD-13)")
    table.session.perform(lambda _: [ActionTaken(action) for action in RECORD.actions[:2]])
    expect(host.locator("#mates-title")).to_have_text("What Cecily may mate")
    expect(jack.locator("details p")).to_be_visible()
    expect(host.locator("#more-hints")).to_contain_text("Nobody can mate 7♥ 7♣ any more")
    expect(host.locator("#claims")).to_contain_text("May claim: Cecily, Dorothy, Agnes.")
    assert host.evaluate(STICKING_OUT) == []

    host.get_by_role("button", name="Referee").click()
    expect(host.locator("#mates li")).to_have_count(0)
    expect(host.locator("#claims")).to_be_empty()
    expect(host.locator("#headline")).to_have_text("Cecily's turn")
    expect(guest.locator(".note")).to_contain_text("wants no hints")
    expect(guest.locator(".list li")).to_have_count(0)

    host.get_by_role("button", name="Silent").click()
    for page in (host, guest):
        expect(page.locator("#headline")).to_have_text("The deal is being played")
    guest.goto(f"https://127.0.0.1:{table.outer.port}/")
    expect(guest.locator("#headline")).to_have_text("The deal is being played")
    expect(guest.locator("#help-level")).to_be_hidden()
    expect(guest.locator("#mates-panel")).to_be_hidden()

    host.get_by_role("button", name="Coach").click()
    expect(host.get_by_role("button", name="Coach")).to_have_attribute("aria-pressed", "true")
    expect(guest.locator("#mates li")).to_have_count(6)
    assert complaints == []
    for page in (host, guest):
        page.context.close()
