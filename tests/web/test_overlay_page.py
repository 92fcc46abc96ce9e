"""The stream's overlay: what it may be asked for, and what it shows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from assistant import session as deciding
from tests.web.opened_pages import Opened
from tests.web.served import Served


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("side=middle", b"side is one of bottom, top, left, right\n"),
        ("show=cards", b"show is one of all, scores, last\n"),
        ("size=40", b"size is a number of per cent from 50 to 300\n"),
        ("size=1e2", b"size is a number of per cent from 50 to 300\n"),
        ("size=%C2%B2", b"size is a number of per cent from 50 to 300\n"),
    ],
)
def test_what_it_cannot_be_is_refused_in_one_line(served: Served, query: str, said: bytes) -> None:
    assert served.get(f"/overlay?{query}") == (400, said)


def test_it_may_be_asked_for_with_and_without_a_choice(served: Served) -> None:
    assert served.get("/overlay")[0] == 200
    status, html = served.get("/overlay?side=left&size=150&show=scores")
    assert status == 200
    assert b'data-side="left" data-part="scores" data-size="150"' in html


@pytest.mark.browser
def test_it_shows_scores_and_the_last_action_on_nothing(browser: Browser, served: Served) -> None:
    served.begin()
    served.play(0, 1)
    opened = Opened(browser, served)
    page = opened(1280, 720, "/overlay?size=150")
    expect(page.locator("#headline")).to_have_text("Bertram's turn")
    expect(page.locator("#last")).to_have_text("Agnes lays two fours from the hand.")
    expect(page.locator("[data-seat='1'] .count")).to_have_text("2")
    expect(page.locator("[data-seat='2']")).to_have_class(re.compile("turn"))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    served.play(1)
    expect(page.locator("#headline")).to_have_text("The pot is settled")
    expect(page.locator("#scores .par")).to_have_text(["−1", "0", "−4", "+5"])
    served.session.perform(deciding.next_deal)
    served.session.perform(lambda now: deciding.reopen(now, 1))
    expect(page.locator("#last")).to_have_text(re.compile("^Deal 1 is open again"))
    narrow = opened(400, 720, "/overlay?side=right&show=scores&size=60")
    expect(narrow.locator("#headline")).to_be_hidden()
    expect(narrow.locator("#scores li")).to_have_count(4)
    assert opened.complaints == []
    opened.close()


def test_without_scripts_it_says_where_the_table_is(served: Served) -> None:
    html = served.get("/overlay")[1].decode()
    assert re.search(r"<noscript>.*JavaScript.*<a href=\"/plain\">plain page</a>.*</noscript>", html)
