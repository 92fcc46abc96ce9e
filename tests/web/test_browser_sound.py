"""What is heard: only news, in the page's language, only when somebody wants it."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from assistant import session as deciding
from assistant.games.game import Action
from assistant.session_events import Asked
from tests.web.opened_pages import Opened
from tests.web.served import Served

pytestmark = pytest.mark.browser

LISTEN: Final = """() => {
  window.heard = [];
  window.languages = new Set();
  window.SpeechSynthesisUtterance = class extends EventTarget { constructor(text) { super(); this.text = text; } };
  const speak = (one) => { window.heard.push(one.text); window.languages.add(one.lang); };
  const voice = { speak, cancel() {}, pending: false };
  Object.defineProperty(window, "speechSynthesis", { configurable: true, value: voice });
}"""


def listening(page: Page) -> Page:
    """The page, made to speak; what it says is kept instead of said."""
    page.evaluate(LISTEN)
    page.click("#view")
    page.check("[name=speech]")
    page.keyboard.press("Escape")
    page.evaluate("window.heard.length = 0")
    return page


def heard(page: Page, headline: str) -> list[str]:
    """What was said up to the headline, and forgotten."""
    expect(page.locator("#headline")).to_have_text(headline)
    said: list[str] = page.evaluate("window.heard.splice(0)")
    return said


def test_nothing_is_said_until_it_is_chosen(opened: Opened, served: Served) -> None:
    page = opened()
    page.evaluate(LISTEN)
    served.begin()
    served.play(0, 2)
    assert heard(page, "Cecily's turn") == []
    expect(page.locator("#mute")).to_be_hidden()


def test_only_news_is_said(opened: Opened, served: Served) -> None:
    page = listening(opened())
    served.begin()
    assert heard(page, "Bertram's turn") == ["Bertram's turn"]
    served.play(0, 2)
    said = heard(page, "Cecily's turn")
    assert said[:4] == [
        "Agnes lays two fours from the hand",
        "Bertram's turn",
        "Bertram takes the seven of spades with the seven of diamonds",
        "Cecily's turn",
    ]
    assert "seven of hearts" in said[4]
    page.click("#undo")
    assert heard(page, "Bertram's turn") == []
    page.click("#redo")
    assert heard(page, "Cecily's turn") == []
    page.click("#pool [data-card='JH']")
    page.click("#likely [data-card='JD']")
    expect(page.locator("#pool [data-card='JD']")).to_have_count(1)
    assert heard(page, "Cecily's turn") == []
    served.act("3 mate TS TC")
    assert heard(page, "Dorothy's turn") == ["Cecily takes the ten of clubs with the ten of spades", "Dorothy's turn"]
    assert page.evaluate("[...window.languages]") == ["en"]


def test_what_came_before_is_not_said_again_after_a_lost_connection(opened: Opened, served: Served) -> None:
    page = listening(opened())
    served.begin()
    served.play(0, 2)
    heard(page, "Cecily's turn")
    page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    served.act("3 mate TS TC")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert heard(page, "Dorothy's turn") == ["Cecily takes the ten of clubs with the ten of spades", "Dorothy's turn"]


def test_it_is_said_once_that_an_earlier_deal_is_put_right(opened: Opened, served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)
    served.begin()
    page = listening(opened())
    served.session.perform(lambda now: deciding.reopen(now, 1))
    [said] = heard(page, "The pot is settled")
    assert said.startswith("Deal 1 is open again to be put right.")
    served.session.perform(deciding.next_deal)
    assert heard(page, "Bertram's turn") == ["Deal 1 is closed again."]


def test_a_question_is_said_and_the_key_m_mutes(opened: Opened, served: Served) -> None:
    page = listening(opened())
    served.begin()
    heard(page, "Bertram's turn")
    choices = ((Action.parse("2 mate TD TC"),), (Action.parse("2 mate JD JH"),))
    served.write(Asked(choices))
    expect(page.locator(".ask")).to_be_visible()
    assert heard(page, "Bertram's turn") == ["Which of these happened?"]
    page.keyboard.press("m")
    expect(page.locator("#mute")).to_have_text("Unmute")
    page.keyboard.press("1")
    assert heard(page, "Cecily's turn") == []
    page.keyboard.press("m")
    expect(page.locator("#mute")).to_have_text("Mute")
    served.act("3 mate JS JH")
    assert heard(page, "Dorothy's turn")[-1] == "Dorothy's turn"


def test_it_speaks_the_page_s_language(opened: Opened, served: Served) -> None:
    page = opened()
    page.select_option("#language", "de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("[data-seat]")).to_have_count(4)
    listening(page)
    served.begin()
    expect(page.locator("#pool [data-card]")).to_have_count(12)
    assert page.evaluate("window.heard") == [page.locator("#headline").text_content()]
    assert page.evaluate("[...window.languages]") == ["de"]
