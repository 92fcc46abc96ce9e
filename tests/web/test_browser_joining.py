"""The form with which a deal of Sbros that is under way is joined, in a real browser, from what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from assistant import session as deciding
from assistant.cards import Card
from assistant.events import DealSeen
from assistant.games.game import Setup
from assistant.games.sbros import SbrosPosition
from assistant.joining import Answers
from assistant.session_events import JOINED, ActionTaken, SessionEvent
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, SeenCard, Stillness, TableView, Zone
from tests.web.fake_eye import FakeEye
from tests.web.opened_pages import STICKING_OUT, Opened
from tests.web.served import Served
from web.under_way import asked, joining_events

pytestmark = pytest.mark.browser

QUAD = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.3), (0.1, 0.3))
LYING = {"KS": CENTRE_LEFT, "7D": CENTRE_RIGHT, "QH": Zone(2, "reset")}


class Watching(FakeEye):
    """An eye that sees a deal under way, and joins it as the program does."""

    served: Served | None = None
    answers: Answers | None = None
    view = TableView(
        1.0,
        tuple(
            SeenCard(number, Card.parse(name), 0.99, zone, QUAD) for number, (name, zone) in enumerate(LYING.items())
        ),
        Stillness.STILL,
        9.0,
    )

    def join(self, answers: Answers, seen: int) -> None:
        assert self.served is not None
        self.answers = answers
        begun, *rest = joining_events(self.served.session.setup, self.view, answers)
        assert isinstance(begun, DealSeen)
        self.served.session.perform(lambda now: deciding.begin_deal(now, begun.setup), seen=seen)
        done: list[SessionEvent] = []
        for event in rest:
            assert not isinstance(event, DealSeen)
            done.append(ActionTaken(event.action, JOINED, 0.0, True))
        self.served.write(*done)


@pytest.fixture
def eye() -> Watching:
    return Watching()


@pytest.fixture
def served(tmp_path: Path, eye: Watching) -> Iterator[Served]:
    eye.served = Served(tmp_path, eye=lambda *_: eye)
    yield eye.served
    eye.served.close()


def test_a_deal_of_sbros_under_way_is_joined_by_turn_and_stock(opened: Opened, served: Served, eye: Watching) -> None:
    served.write(*deciding.begin_session(Setup("sbros", 2, 1, names=("Agnes", "Bertram"))))
    served.board.post("joining", asked(served.state, served.session.setup, eye.view, plain=False))
    page, phone = opened(1366, 768), opened(390, 844)
    for one in (page, phone):
        expect(one.locator(".join .text")).to_have_text("Who is in turn, and how many cards are left in the stock?")
        expect(one.locator("[data-join]")).to_have_count(0)
        assert one.evaluate(STICKING_OUT) == []
    go, told = page.locator("#join-go"), page.locator("#toast")
    page.fill("#join-stock", "36")
    go.click()
    expect(told).to_contain_text("Say who is in turn.")

    page.check("[name='join-turn'][value='2']")
    go.click()
    expect(told).to_contain_text("36 cards in the stock don't go with those put aside")
    expect(page.locator("#join-stock")).to_have_value("36")
    expect(page.locator("[name='join-turn'][value='2']")).to_be_checked()

    page.locator("#join-stock").press("Control+a")
    page.keyboard.type("35")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_have_text("Bertram's turn")
    for one in (page, phone):
        expect(one.locator(".join")).to_have_count(0)
    assert eye.answers == Answers(2, {}, 35)
    position = served.deal.position
    assert isinstance(position, SbrosPosition)
    assert (position.places.stock, position.to_act, served.deal.sure) == (35, 2, True)
    assert opened.complaints == [
        "Failed to load resource: the server responded with a status of 400 (BAD REQUEST)",
    ]
