"""What dialogs say in a real browser: what is refused while one is open, and that the table has moved on under it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant import session as deciding
from tests.web.opened_pages import Opened
from tests.web.served import Served

pytestmark = pytest.mark.browser

ON_TOP = """one => {
  const box = one.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return one.getAttribute("role") === "alert" && one.contains(document.elementFromPoint(x, y));
}"""


def seen(page: Page, text: str) -> None:
    """The refusal is said where it can be seen, and heard: no open dialog lies over it."""
    toast: Locator = page.get_by_role("alert").filter(has_text=text)  # what a dialog makes inert has no role
    expect(toast).to_be_in_viewport()
    assert toast.evaluate(ON_TOP)


def test_what_is_refused_in_a_dialog_is_seen_there(opened: Opened, served: Served) -> None:
    served.begin()
    for page in (opened(), opened(390, 844)):
        page.click("#add")
        page.click("#own-action summary")
        for card in ("KS", "2H"):
            page.click(f"#action-cards [data-card='{card}']")
        page.click("#send-action")
        seen(page, "not of one rank")
        expect(page.locator("#action-dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#toast")).to_be_visible()  # and still when the dialog is gone


def test_a_dialog_offers_what_the_table_was_and_says_what_changed_meanwhile(opened: Opened, served: Served) -> None:
    served.begin()
    served.play(0, 12)
    first, second = opened(), opened()
    newest = served.deal.done[-1]
    early = served.deal.done[1]
    expect(second.locator("body")).to_have_attribute("data-seq", str(served.state.seq))
    second.click(f"[data-key='change-{early.seq}']")
    expect(second.locator("#offers button").first).to_be_visible()
    expect(second.locator("#action-moved")).to_be_hidden()
    first.click(f"[data-key='undo-{newest.seq}']")
    expect(second.locator("#action-news li")).to_have_count(1)
    expect(second.locator("#action-news")).to_contain_text("Taken back: ")
    done = [str(one.action) for one in served.deal.done]
    second.locator("#offers button").first.click()
    seen(second, "the table has moved on since")
    assert [str(one.action) for one in served.deal.done] == done
    second.click("#look-again")
    expect(second.locator("#action-moved")).to_be_hidden()
    second.locator("#offers button").last.click()
    expect(second.locator("#action-dialog")).to_be_hidden()
    assert [str(one.action) for one in served.deal.done] != done


def test_every_dialog_names_the_state_on_which_its_offers_rest(opened: Opened, served: Served) -> None:
    served.begin()
    page = opened()
    page.click("#pool [data-card='JH']")
    other = "2 mate 8C 8H"
    move_on(page, served, other)
    page.click("#likely [data-card='JD']")
    seen(page, "the table has moved on since")
    page.click("#missed")
    page.click("#missed-cards [data-card='JD']")
    expect(page.locator("#missed-ways button").first).to_be_visible()
    served.session.perform(deciding.undo)
    page.locator("#missed-ways button").first.click()
    seen(page, "the table has moved on since")
    assert served.deal.done == ()
    page.click("#add")
    page.click("#own-action summary")
    page.click("#action-cards [data-card='QS']")
    move_on(page, served, other)
    page.click("#look-again")
    expect(page.locator("#composed")).to_contain_text("Q♠")  # what was put together stays
    assert len(served.deal.done) == 1


def move_on(page: Page, served: Served, line: str) -> None:
    """The table goes on, and the page has the news."""
    served.act(line)
    expect(page.locator("body")).to_have_attribute("data-seq", str(served.state.seq))
