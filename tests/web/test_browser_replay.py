"""Looking back at a deal in a real browser: by buttons, slider and keys, with pictures, and the report."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from assistant import session as deciding
from tests.web.opened_pages import STICKING_OUT, Opened
from tests.web.served import RECORD, Served

pytestmark = pytest.mark.browser


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    page = Served(tmp_path)
    page.pictures.put(1, np.full((360, 640, 3), (60, 90, 40), np.uint8))
    yield page
    page.close()


def finish(served: Served) -> None:
    served.begin()
    served.play()
    served.session.perform(deciding.next_deal)


def test_a_finished_deal_is_stepped_through(opened: Opened, served: Served) -> None:
    finish(served)
    for width, height in ((1366, 768), (390, 844)):
        page = opened(width, height)
        page.goto(f"{served.url}/deal/1")
        expect(page.locator("#count")).to_have_text(f"Step 0 of {len(RECORD.actions)}")
        expect(page.locator("#lying [data-card]")).to_have_count(12)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#sentence")).to_have_text("Bertram takes the seven of spades with the seven of diamonds.")
        expect(page.locator("#lying [data-card]")).to_have_count(11)
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#sentence")).to_have_text("Agnes lays two fours from the hand.")
        page.click("#last")
        expect(page.locator("#next")).to_be_disabled()
        expect(page.locator("#lying")).to_have_text("No card lies there.")
        page.locator("#slider").fill("3")
        expect(page.locator("#sentence")).to_have_text("Dorothy claims the two sevens.")
        page.click("#story li >> nth=4 >> button")
        expect(page.locator("#count")).to_have_text(f"Step 4 of {len(RECORD.actions)}")
        expect(page.locator("#story [data-now]")).to_have_attribute("data-step", "4")
        assert page.evaluate(STICKING_OUT) == []
        expect(page.locator("#kept")).to_be_hidden()
    assert opened.complaints == []


def test_a_step_that_is_refused_says_why_and_comes_once_it_is_not(opened: Opened, served: Served) -> None:
    finish(served)
    page = opened()
    page.goto(f"{served.url}/deal/1")
    expect(page.locator("#count")).to_have_text(f"Step 0 of {len(RECORD.actions)}")
    page.route("**/step?*", lambda route: route.fulfill(status=403, json={"error": "You are not let in any more."}))
    page.locator("#slider").fill("4")
    expect(page.locator("#toast")).to_have_text("You are not let in any more.")
    page.unroute("**/step?*")
    page.locator("#slider").fill("4")
    page.click("#story li >> nth=4 >> button")
    expect(page.locator("#count")).to_have_text(f"Step 4 of {len(RECORD.actions)}")


def test_pictures_are_kept_with_a_sign_on_every_page_and_reported_if_chosen(
    opened: Opened, served: Served, tmp_path: Path
) -> None:
    served.begin()
    host, other = opened(), opened(390, 844, "/seat/2")
    expect(other.locator("#recording")).to_be_empty()
    host.goto(f"{served.url}/account")
    host.click("#pictures-switch")
    for page in (host, other):
        expect(page.locator("#recording")).to_have_text("Pictures of the table are being kept")
    served.play()
    served.session.perform(deciding.next_deal)
    host.goto(f"{served.url}/deal/1")
    expect(host.locator("#recording")).not_to_be_empty()
    host.keyboard.press("End")
    expect(host.locator("#picture")).to_be_visible()
    assert host.evaluate("document.getElementById('picture').naturalWidth") == 640
    host.click("#report")
    host.locator("#thumbs input").nth(1).check()
    with host.expect_download() as saved:
        host.click("#report-make")
    with zipfile.ZipFile(saved.value.path()) as archive:
        assert sorted(name.partition("/")[0] for name in archive.namelist()) == [
            *("README.txt", "deal.deal", "log.jsonl", "pictures", "versions.json")
        ]
    host.goto(f"{served.url}/account")
    host.on("dialog", lambda dialog: dialog.accept())
    host.click("#pictures-delete")
    expect(host.locator("#pictures-now")).to_have_text("No picture is kept.")
    assert list(tmp_path.rglob("*.jpg")) == []
    host.click("#pictures-switch")
    expect(other.locator("#recording")).to_be_empty(timeout=15000)
    assert opened.complaints == []


def test_a_name_without_a_place_to_break_makes_no_page_wider_than_a_phone(opened: Opened, served: Served) -> None:
    names = tuple("W" * 23 + letter for letter in "ABCD")
    served.session.perform(lambda now: deciding.set_table(now, replace(served.session.setup, names=names)))
    page = opened(360, 740)

    def as_wide_as_a_phone(path: str, shown: str) -> None:
        page.goto(f"{served.url}{path}")
        expect(page.locator(shown).first).to_contain_text("W" * 23)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path

    served.begin()
    served.play()
    for path, shown in (("/", ".steps li"), ("/account", ".payments li"), ("/plain", ".last")):
        as_wide_as_a_phone(path, shown)
    served.session.perform(deciding.next_deal)
    served.session.perform(
        lambda now: deciding.begin_deal(now, replace(served.session.setup, table=RECORD.setup.table))
    )
    served.act(str(RECORD.actions[0]))
    for path, shown in (("/", "#story .say"), ("/seat/1", "#whose"), ("/deal/1", "#story li"), ("/plain", ".last")):
        as_wide_as_a_phone(path, shown)
