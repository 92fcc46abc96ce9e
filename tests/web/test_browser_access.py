"""Letting a phone in, in a real browser: the host's page, the code behind the link, the player's own page, sent off."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from assistant import session as deciding
from assistant.games.game import Action
from assistant.session_events import ActionTaken, Asked, TableDisagrees
from tests.web.let_in import OpenTable
from tests.web.served import RECORD
from web.access import Role

pytestmark = pytest.mark.browser


def test_a_phone_comes_in_by_the_code_and_is_sent_off(table: OpenTable, browser: Browser) -> None:
    host = browser.new_page()
    host.goto(f"http://127.0.0.1:{table.local.port}/guests")
    host.get_by_role("button", name="Bertram").click()
    expect(host.locator("#codes img")).to_be_visible()
    expect(host.locator(".fingerprint")).to_have_text(table.door.authority.fingerprint)
    code = host.locator("#code").text_content()

    phone = browser.new_context(ignore_https_errors=True, viewport={"width": 390, "height": 800}).new_page()
    complaints: list[str] = []
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    phone.goto(f"https://127.0.0.1:{table.outer.port}/pair#{code}")
    phone.wait_for_url("**/seat/2")
    expect(phone.locator("#more")).to_contain_text("ten cards")
    assert phone.evaluate("document.cookie") == ""
    expect(host.locator("#invited")).to_have_text("Bertram: this code was used, and opens nothing any more.")
    expect(host.locator("#codes img")).to_have_count(0)
    host.get_by_role("button", name="A new code").click()
    expect(host.locator("#codes img")).to_be_visible()
    expect(host.locator("#code")).not_to_have_text(code or "")
    renamed = replace(table.session.setup, names=("Agnes", "Bert", "Cecily", "Dorothy"))
    table.session.perform(lambda now: deciding.set_table(now, renamed))
    expect(host.get_by_role("button", name="Bert", exact=True)).to_be_visible()
    table.session.perform(lambda now: deciding.set_table(now, replace(renamed, names=RECORD.setup.names)))

    phone.goto(f"https://127.0.0.1:{table.outer.port}/")
    expect(phone.locator("#headline")).to_have_text("Bertram's turn")
    expect(phone.locator("#settings")).to_be_hidden()

    host.get_by_role("button", name="Send off").click()
    expect(host.locator("#guests")).to_have_text("Nobody but you.")
    phone.goto(f"https://127.0.0.1:{table.outer.port}/seat/2")
    phone.wait_for_url("**/pair")
    assert complaints == []
    host.context.close()
    phone.context.close()


def test_a_name_without_a_place_to_break_makes_the_page_for_letting_in_no_wider_than_a_phone(
    table: OpenTable, browser: Browser
) -> None:
    names = tuple("W" * 23 + letter for letter in "ABCD")
    table.session.perform(lambda now: deciding.set_table(now, replace(table.session.setup, names=names)))
    host = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    host.goto(f"http://127.0.0.1:{table.local.port}/guests")
    host.get_by_role("button", name=names[0]).click()
    expect(host.locator("#invited")).to_contain_text(names[0])
    assert host.evaluate("document.documentElement.scrollWidth") == 360
    host.context.close()


def test_whoever_is_let_in_no_more_is_told_so_on_every_page(table: OpenTable, browser: Browser) -> None:
    pairing = table.door.pairing
    phone = browser.new_context(ignore_https_errors=True, viewport={"width": 390, "height": 800})
    outer = f"https://127.0.0.1:{table.outer.port}"
    pages = [phone.new_page() for _ in range(3)]
    pages[0].goto(f"{outer}/pair#{pairing.invite(Role.PLAYER, 2)}")
    pages[0].wait_for_url("**/seat/2")
    for page, path in zip(pages[1:], ("/", "/overlay"), strict=True):
        page.goto(outer + path)
    for page in pages:
        expect(page.locator("#headline")).to_contain_text(re.compile("Bertram|Your turn"))
    pairing.send_off(pairing.guests()[0].id)
    for page in pages:
        expect(page.get_by_role("alert").filter(has_text="not let in any more")).to_contain_text("new code")
        expect(page.get_by_role("link", name="Give the code")).to_have_attribute("href", "/pair")
    expect(pages[1].locator("#eye")).to_have_attribute("data-ok", "no")
    expect(pages[1].locator("#eye-text")).to_have_text("This device is not let in any more")
    pages[2].goto(f"{outer}/pair#{pairing.invite(Role.PLAYER, 2)}")
    pages[2].wait_for_url("**/seat/2")
    expect(pages[1].locator(".stopped")).to_have_count(0)  # back again without being told to
    expect(pages[1].locator("#headline")).to_contain_text("Bertram")
    phone.close()


CONTROLS = "button:visible, a.own-hand:visible, #pool button:visible, #outlines [role=button]"
OF_THE_HOST = re.compile(
    r"^(Undo|Redo|Change|Take out|It is right|Add action|Set-up|The table is right|Say what happened)"
)


def test_each_is_shown_what_each_may_do(table: OpenTable, browser: Browser) -> None:
    for action in RECORD.actions[:4]:
        table.session.perform(lambda _, action=action: (ActionTaken(action),))  # type: ignore[misc]
    one, other = Action.parse("4 mate 8D 8H"), Action.parse("4 mate T? TC")
    table.session.perform(lambda _: (Asked(((one,), (other,))),))
    table.session.perform(
        lambda _: (TableDisagrees("The jack is not there.", (("JH", "table"),), (("QC", "pile 2"),), 1),)
    )
    outer = f"https://127.0.0.1:{table.outer.port}"
    for role, seat, hands, answers in ((Role.PLAYER, 4, 1, 3), (Role.PLAYER, 2, 1, 0), (Role.VIEWER, None, 0, 0)):
        context = browser.new_context(ignore_https_errors=True, viewport={"width": 1366, "height": 768})
        page = context.new_page()
        page.goto(f"{outer}/pair#{table.door.pairing.invite(role, seat)}")
        page.wait_for_url("**/seat/4" if seat == 4 else "**/seat/2" if seat else f"{outer}/")
        page.goto(f"{outer}/")
        expect(page.locator("#history li")).to_have_count(4)
        expect(page.locator(".panel.wrong")).to_contain_text("The host puts this right.")
        expect(page.locator(".panel.ask")).to_contain_text("Dorothy takes the eight of hearts")
        assert [text for text in page.locator(CONTROLS).all_inner_texts() if OF_THE_HOST.match(text)] == []
        expect(page.locator("a.own-hand")).to_have_count(hands)
        expect(page.locator(".panel.ask button")).to_have_count(answers)
        expect(page.locator("#pool button")).to_have_count(0)
        before = table.session.state.seq
        page.keyboard.press("u")
        if not answers:
            page.keyboard.press("1")
        page.wait_for_timeout(300)
        expect(page.locator("#toast")).to_be_hidden()
        assert table.session.state.seq == before
        if seat:
            answer = page.goto(f"{outer}/seat/1")
            assert answer is not None
            assert answer.status == 403
            expect(page.locator("main")).to_contain_text("This device was let in for something else")
            page.get_by_role("link", name="My hand").click()
            page.wait_for_url(f"**/seat/{seat}")
        context.close()
