"""A seat's own page in a real browser: a hand is tapped, hints are shown, and what is played leaves the hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant import session as deciding
from tests.web.opened_pages import STICKING_OUT, Opened
from tests.web.served import RECORD, Served

pytestmark = pytest.mark.browser

HAND = list(map(str, RECORD.setup.hands[2]))


def cell(page: Page, card: str) -> Locator:
    return page.locator(f"#grid [data-card='{card}']")


def tap(page: Page, cards: list[str]) -> None:
    for card in cards:
        cell(page, card).click()


def hand(page: Page) -> Locator:
    return page.locator("#hand [data-card]")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (360, 640)])
def test_a_hand_is_tapped_and_a_mate_on_the_table_leaves_it(
    opened: Opened, served: Served, width: int, height: int
) -> None:
    page = opened(width, height, "/")
    page.click("[data-seat='2'] .own-hand")
    expect(page.locator("#headline")).to_have_text("Agnes deals")
    served.begin()
    expect(page.locator("#headline")).to_have_text("Your turn")
    expect(page.locator("#more")).to_have_text("Tap the ten cards in your hand.")
    expect(page.locator("#grid button")).to_have_count(40)
    expect(cell(page, "7S")).to_have_count(0)
    tap(page, HAND[:9])
    expect(page.locator("#tally")).to_have_text("9 of 10")
    expect(page.locator("#tell")).to_be_disabled()
    tap(page, HAND[9:])
    assert page.evaluate(STICKING_OUT) == []
    page.click("#tell")
    expect(hand(page)).to_have_count(10)
    first = page.locator(".ranked li").first
    expect(first.locator(".worth")).to_contain_text("give or take")
    first.locator("summary").click()
    expect(first.locator("details p")).to_be_visible()
    expect(page.locator(".ranked")).to_contain_text("Take the three sevens with the seven of diamonds.")
    assert page.evaluate(STICKING_OUT) == []
    served.play(0, 2)
    expect(page.locator("#headline")).to_have_text("Cecily's turn")
    expect(hand(page)).to_have_count(9)
    expect(page.locator("#hand [data-card='7D']")).to_have_count(0)
    expect(page.locator(".list h2")).to_have_text(["At your turn, as the table lies now"])
    served.play(2)
    expect(page.locator("#headline")).to_have_text("The deal is over")
    expect(page.locator("#own")).to_be_hidden()
    assert opened.complaints == []


def test_cards_are_changed_and_a_hand_that_can_not_be_says_why(opened: Opened, served: Served) -> None:
    served.begin()
    page = opened(path="/seat/2")
    tap(page, [*HAND[:9], "KC"])
    page.click("#tell")
    expect(hand(page)).to_have_count(10)
    page.click("#change")
    expect(cell(page, "KC")).to_have_attribute("aria-pressed", "true")
    tap(page, ["KC"])
    page.click("#keep")
    expect(page.locator("#hand [data-card='KC']")).to_have_count(1)
    page.click("#change")
    tap(page, ["KC", HAND[9]])
    page.click("#tell")
    expect(page.locator(f"#hand [data-card='{HAND[9]}']")).to_have_count(1)
    served.play(0, 2)
    served.act("3 mate TD TC")
    expect(page.locator("#wrong")).to_contain_text("10♦")
    expect(cell(page, HAND[0])).to_have_attribute("aria-pressed", "true")
    expect(cell(page, "TD")).to_have_count(0)
    expect(page.locator("#tally")).to_have_text("8 of 9")


def test_the_hand_is_tapped_with_the_keyboard(opened: Opened, served: Served) -> None:
    served.begin()
    page = opened(path="/seat/2")
    expect(cell(page, "AC")).to_have_attribute("tabindex", "0")
    expect(page.locator("#grid [tabindex='0']")).to_have_count(1)
    cell(page, "AC").focus()
    page.keyboard.press("Space")
    expect(cell(page, "AC")).to_have_attribute("aria-pressed", "true")
    for key in ("ArrowRight", "ArrowUp", "Enter", "ArrowUp", "ArrowUp", "Space"):
        page.keyboard.press(key)
    expect(page.locator("#grid [aria-pressed='true']")).to_have_count(3)
    for card in ("2D", "2S"):
        expect(cell(page, card)).to_have_attribute("aria-pressed", "true")
    expect(cell(page, "2S")).to_be_focused()
    expect(cell(page, "2S")).to_have_accessible_name("two of spades")


def test_another_browser_sees_nothing_of_it(opened: Opened, served: Served) -> None:
    served.begin()
    page, stranger = opened(path="/seat/2"), opened(path="/seat/2")
    tap(page, HAND)
    page.click("#tell")
    expect(hand(page)).to_have_count(10)
    page.reload()
    expect(hand(page)).to_have_count(10)
    stranger.reload()
    expect(stranger.locator("#more")).to_have_text("Tap the ten cards in your hand.")
    assert "mournival" not in page.evaluate("document.cookie")


ASLEEP = """asleep => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => asleep });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_tap_is_not_lost_and_what_was_opened_stays_open_while_the_table_goes_on(
    opened: Opened, served: Served
) -> None:
    served.begin()
    page = opened(path="/seat/3")
    page.evaluate("window.first = document.querySelector(\"#grid [data-card='KC']\")")
    tap(page, ["KC"])
    served.play(0, 2)
    expect(page.locator("#headline")).to_have_text("Your turn")
    assert page.evaluate("window.first.isConnected")
    expect(cell(page, "KC")).to_have_attribute("aria-pressed", "true")
    other = opened(path="/seat/2")
    tap(other, [card for card in HAND if card != "7D"])
    other.click("#tell")
    why = other.locator("[data-line='2 mate 3C 3S'] details")
    why.locator("summary").click()
    served.play(2, 4)
    expect(other.locator("#headline")).to_have_text("Dorothy's turn")
    expect(why.locator("p")).to_be_visible()
    assert opened.complaints == []


def test_a_phone_that_slept_says_what_it_missed_and_shows_nothing_old(opened: Opened, served: Served) -> None:
    served.begin()
    page = opened(390, 844, "/seat/2")
    tap(page, HAND)
    page.click("#tell")
    expect(hand(page)).to_have_count(10)
    page.evaluate(ASLEEP, True)
    expect(page.locator("#page")).to_have_attribute("data-fresh", "no")
    served.play(0, 4)
    expect(hand(page)).to_have_count(10)
    page.evaluate(ASLEEP, False)
    expect(page.locator("#page")).to_have_attribute("data-fresh", "yes")
    expect(hand(page)).to_have_count(9)
    expect(page.locator("#missed li")).to_have_count(4)
    expect(page.locator("#missed li").first).to_contain_text("Agnes")
    page.click("#missed-close")
    expect(page.locator("#missed")).to_be_hidden()

    # A browser that threw the page away meanwhile loads it anew, and it still says so.
    page.evaluate(ASLEEP, True)
    served.play(4, 6)
    page.reload()
    expect(page.locator("#missed li")).to_have_count(2)

    # Another deal: nothing of the last one is left.
    page.evaluate(ASLEEP, True)
    served.session.perform(lambda now: deciding.abandon_deal(now, "begun over"))
    served.begin()
    page.evaluate(ASLEEP, False)
    expect(page.locator("#more")).to_have_text("Tap the ten cards in your hand.")
    expect(page.locator("#grid [aria-pressed='true']")).to_have_count(0)
    expect(page.locator("#missed li")).to_have_text(["The cards of deal 2 were dealt."])
    assert opened.complaints == []
