"""Putting things right in a real browser: over a settled deal, by two people at once, on a page that is behind."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from assistant import session as deciding
from assistant.games.game import Action
from assistant.session_events import Asked
from tests.web.opened_pages import Opened
from tests.web.served import RECORD, Served, eventually

pytestmark = pytest.mark.browser


def headline(page: Page) -> object:
    return page.locator("#headline")


def settle(served: Served) -> None:
    served.begin()
    served.play()


def test_undo_and_redo_reach_over_a_settled_deal_and_the_account_follows(opened: Opened, served: Served) -> None:
    settle(served)
    one, other = opened(), opened(390, 844)
    one.click("#next-deal")
    expect(other.locator("[data-seat='4'] .money")).to_have_text("Account +5")
    served.begin()
    expect(one.locator("#headline")).to_have_text("Bertram's turn")
    one.click("#undo")  # nothing was done in deal 2 yet: deal 1 is open again
    for page in (one, other):
        expect(page.locator("#mending")).to_contain_text("Deal 1 is open again to be put right. Deal 2 waits")
        expect(page.locator("#headline")).to_have_text("The pot is settled")
    one.click("#undo")
    expect(one.locator("#headline")).to_have_text("Bertram's turn")
    expect(one.locator("[data-key='mending-back']")).to_be_disabled()
    other.click("#redo")
    expect(one.locator("#headline")).to_have_text("The pot is settled")
    laid = served.deal.done[0]
    assert str(laid.action) == "1 lay 4H 4D"
    one.click(f"[data-key='undo-{laid.seq}']")  # the fours were not laid: Agnes, the dealer, sweeps them
    expect(one.locator(".settled tbody .net")).to_have_text(["0", "0", "−4", "+4"])
    one.click("[data-key='mending-back']")
    for page in (one, other):
        expect(page.locator("#where")).to_have_text("Deal 2, Laugh and Lie Down")
        expect(page.locator("#mending")).to_be_empty()
    assert served.state.account == (0, 0, -4, 4)
    assert opened.complaints == []


def test_everything_can_be_undone_to_the_evening_s_start_with_one_key(opened: Opened, served: Served) -> None:
    settle(served)
    served.session.perform(deciding.next_deal)
    page = opened()
    for left in range(len(RECORD.actions), -1, -1):
        expect(page.locator("#undo")).to_be_enabled()
        page.keyboard.press("u")
        eventually(lambda left=left: served.state.deal is not None and len(served.deal.done) == left)  # type: ignore[misc]
        expect(page.locator("body")).to_have_attribute("data-seq", str(served.state.seq))
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("#pool [data-card]")).to_have_count(12)


def test_a_closed_deal_is_put_right_from_its_page(opened: Opened, served: Served) -> None:
    settle(served)
    served.session.perform(deciding.next_deal)
    page = opened()
    page.goto(f"{served.url}/deal/1")
    page.click("#reopen")
    expect(page.locator("#mending")).to_contain_text("Deal 1 is open again.")
    expect(page.locator("#next-deal")).to_have_text("Close deal 1 again")
    page.click("#next-deal")
    expect(page.locator("#headline")).to_have_text("Bertram deals")


def test_the_second_of_two_who_correct_at_once_sees_what_the_first_did(
    browser: Browser, opened: Opened, served: Served
) -> None:
    served.begin()
    first = opened()
    second = behind(browser, served)
    first.click("#pool [data-card='JH']")
    first.click("#likely [data-card='JD']")
    expect(first.locator("#pool [data-card='JD']")).to_have_count(1)
    second.click("#pool [data-card='JH']")
    second.click("#all-cards [data-card='JS']")
    expect(second.locator("#toast")).to_contain_text("The table has moved on since")
    expect(second.locator("#pool [data-card='JD']")).to_have_count(1)
    expect(second.locator("#pool [data-card='JS']")).to_have_count(0)
    assert "JS" not in map(str, served.deal.position.observe().table)
    second.context.close()


def behind(browser: Browser, served: Served) -> Page:
    """A page that has no stream and asks again only after it was refused something."""
    page = browser.new_context().new_page()
    asked = {"state": 0, "refused": False}

    def hold(route: Route) -> None:
        asked["state"] += 1
        if asked["state"] > 1 and not asked["refused"]:
            route.fulfill(status=200, json={"version": 0, "start": ""})
        else:
            route.continue_()

    def refused(route: Route) -> None:
        route.continue_()
        asked["refused"] = True

    page.route("**/api/stream", lambda route: route.fulfill(status=503))
    page.route("**/api/state*", hold)
    for command in ("correct", "answer"):
        page.route(f"**/api/{command}", refused)
    page.goto(served.url)
    expect(page.locator("#headline")).not_to_have_text("One moment")
    return page


def test_a_page_that_is_behind_answers_no_other_question_than_it_shows(browser: Browser, served: Served) -> None:
    served.begin()
    jacks, sevens = Action.parse("2 mate J? JH"), Action.parse("2 mate 7? 7S 7H 7C")
    served.write(Asked(((jacks,), (sevens,)), "which?"))
    old = behind(browser, served)
    expect(old.locator("[data-question] button")).to_have_count(3)
    question = served.deal.questions[0].seq
    served.session.perform(lambda now: deciding.answer(now, question, 0))
    third = Action.parse("3 mate T? TC")
    served.write(Asked(((third,), (Action.parse("3 mate Q? QH"),)), "and now?"))
    old.keyboard.press("2")
    expect(old.locator("#toast")).to_contain_text("The table has moved on since")
    expect(old.locator("[data-question]")).to_contain_text("ten of clubs")
    assert [str(one.action) for one in served.deal.done] == ["2 mate J? JH"]
    assert len(served.deal.questions) == 1
    with old.expect_response("**/api/answer"):  # only while the browser is waited for are its routes served
        old.keyboard.press("1")
    eventually(lambda: len(served.deal.done) == 2)
    assert str(served.deal.done[-1].action) == "3 mate T? TC"
    old.context.close()


def test_a_missed_card_is_added_and_one_that_is_not_there_taken_out(opened: Opened, served: Served) -> None:
    served.begin()
    page = opened()
    page.click("#missed")
    expect(page.locator("#missed-cards [data-card='JH']")).to_have_count(0)  # it lies there already
    page.click("#missed-cards [data-card='JD']")
    expect(page.locator("#missed-title")).to_have_text("The J♦ was missed")
    page.click("#missed-ways button >> nth=0")
    expect(page.locator("#last")).to_have_text("Bertram takes the jack of hearts with the jack of diamonds.")
    page.click("#undo")
    served.play(0, 12)
    expect(page.locator("#headline")).to_have_text("Cecily's turn")
    card = "2C"
    page.click(f"#pool [data-card='{card}']")
    page.click("#not-there")
    expect(page.locator("#missed-ways button")).to_have_count(2)
    page.click("#missed-ways button >> nth=0")
    expect(page.locator(f"#pool [data-card='{card}']")).to_have_count(0)
    assert opened.complaints == []


def test_who_acted_is_said_by_hand(opened: Opened, served: Served) -> None:
    served.begin()
    served.play(0, 4)
    claim = served.deal.done[2]
    assert str(claim.action) == "4 claim 7H 7C"
    page = opened()
    page.click(f"[data-key='change-{claim.seq}']")
    page.click("#action-seats >> text=Agnes")
    page.click("[data-line='1 claim 7H 7C']")
    expect(page.locator("#history")).to_contain_text("Agnes claims the two sevens.")
    expect(page.locator("#history")).not_to_contain_text("Dorothy claims")
    assert [str(done.action)[:7] for done in served.deal.done[2:]] == ["1 claim", str(RECORD.actions[3])[:7]]
