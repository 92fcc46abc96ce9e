"""The page in several languages at a time, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.opened_pages import STICKING_OUT
from tests.web.served import Served

pytestmark = pytest.mark.browser

WIDE, PHONE = (1366, 768), (390, 844)


def opened(browser: Browser, served: Served, locale: str, size: tuple[int, int] = WIDE) -> Page:
    context = browser.new_context(locale=locale, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(served.url)
    return page


def test_each_reads_the_own_language_and_may_choose_another(browser: Browser, served: Served) -> None:
    german, russian = opened(browser, served, "de-DE"), opened(browser, served, "ru-RU", PHONE)
    expect(german.locator("#headline")).to_have_text("Agnes gibt")
    expect(russian.locator("#headline")).to_have_text("Сдаёт Agnes")
    served.begin()
    served.play(0, 4)
    for page, turn, done in (
        (german, "Dorothy ist dran", "Cecily nimmt die Kreuzzehn mit der Pikzehn."),
        (russian, "Ходит Dorothy", "Cecily берёт десятку треф десяткой пик."),
    ):
        expect(page.locator("#headline")).to_have_text(turn)
        expect(page.locator("#last")).to_have_text(done)
    assert german.locator("html").get_attribute("lang") == "de"
    assert german.locator("#pool [data-card]").first.get_attribute("aria-label") == "Pikass"

    german.locator("#language").select_option(label="Français")
    expect(german.locator("#headline")).to_have_text("À Dorothy de jouer")
    expect(german.locator("#undo")).to_have_text("Annuler")
    expect(german.locator("html")).to_have_attribute("lang", "fr")
    german.reload()
    expect(german.locator("#language")).to_have_value("fr")
    expect(russian.locator("#undo")).to_have_text("Отменить")
    for page in (german, russian):
        page.context.close()


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
def test_long_words_stick_out_of_nothing(browser: Browser, served: Served, locale: str) -> None:
    served.begin()
    served.play()
    for size in (WIDE, PHONE):
        page = opened(browser, served, locale, size)
        expect(page.locator("#page")).to_have_attribute("data-phase", "settled")
        expect(page.locator("#settlement")).not_to_be_empty()
        assert page.evaluate(STICKING_OUT) == []
        page.context.close()


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
def test_large_type_cuts_no_word_on_a_phone_and_leads_to_the_hints(
    browser: Browser, served: Served, locale: str
) -> None:
    served.begin()
    served.play(0, 4)
    page = opened(browser, served, locale, PHONE)
    expect(page.locator("#to-hints")).to_be_hidden()
    page.evaluate("localStorage.setItem('view-type', 'large')")
    page.reload()
    expect(page.locator("#history button")).not_to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-type", "large")
    assert page.evaluate(STICKING_OUT) == []
    expect(page.locator("#to-hints")).to_be_in_viewport(ratio=1)
    page.click("#to-hints")
    expect(page.locator("#mates li").first).to_be_in_viewport()
    page.context.close()


def test_the_cards_bear_the_letters_of_one_s_own_pack(browser: Browser, served: Served) -> None:
    served.begin()
    served.play(0, 2)
    page = opened(browser, served, "fr-FR")
    jack = page.locator("#pool [data-card='JH'] text").first
    expect(jack).to_have_text("J")
    page.click("#view")
    page.locator("[name='letters'][value='own']").click()  # the page is loaded anew
    expect(jack).to_have_text("V")
    expect(page.locator("#mates .rank-chip")).to_have_text(["A", "3", "6", "8", "10", "V"])
    page.click("#pool [data-card='JH']")
    expect(page.locator("#correct-title")).to_contain_text("V♥")
    expect(page.locator("#all-cards [data-card='KD'] text").first).to_have_text("R")
    page.goto(f"{served.url}/seat/3")
    expect(page.locator("#grid [data-card='QS']")).to_have_text("D♠")
    page.context.close()
    english = opened(browser, served, "en-GB")
    expect(english.locator("#pool [data-card='JH'] text").first).to_have_text("J")
    expect(english.locator("[name='letters']")).to_have_count(0)
    english.context.close()
