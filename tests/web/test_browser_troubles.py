"""The page in a real browser when something is not as it should be: zones, questions, faults, corrections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from assistant import session as deciding
from assistant.cards import Card
from assistant.games.game import Action, Setup
from assistant.joining import Answers
from assistant.record import parse_record
from assistant.session_events import ActionTaken, Asked, MisplayNoticed, MisplaysCleared, TableDisagrees
from tests.web.fake_eye import FakeEye
from tests.web.opened_pages import STICKING_OUT, Opened
from tests.web.served import Served
from vision.zones import Layout, propose
from web.zone_shelf import with_zones, zones_json

pytestmark = pytest.mark.browser

STONE = """game: rolling-stone
players: 4
dealer: 1
names: Agnes, Bertram, Cecily, Dorothy

2 play JC
3 play QC
4 play 8C
1 play AC
1 play JH
2 play 8H
3 pick-up
3 play 9D
"""
SBROS = """game: sbros
players: 2
dealer: 1
names: Agnes, Bertram
table: TS 3H

2 cover JS 2H
1 reset 5C
"""


class Drawing(FakeEye):
    """An eye whose zones can be drawn."""

    def __init__(self, served: Served | None = None) -> None:
        self.served = served
        self.layout: Layout = propose("laugh-and-lie-down", 4)
        self.answers: Answers | None = None

    def show(self) -> None:
        """A picture with these zones."""
        assert self.served is not None
        self.served.pictures.put(1, np.full((450, 800, 3), (60, 90, 40), np.uint8))
        quad = [[0.05, 0.4], [0.1, 0.4], [0.1, 0.55], [0.05, 0.55]]
        card = {"track": 5, "card": "JH", "confidence": 0.99, "zone": "pile 2", "covered": False, "quad": quad}
        view = {"frame": 1, "width": 800, "height": 450, "stillness": "still", "zones": zones_json(self.layout)}
        self.served.board.post("view", view | {"cards": [card | {"others": []}]})

    def draw_zones(self, zones: Any) -> None:
        assert self.served is not None
        plain = propose("laugh-and-lie-down", 4)
        self.layout = plain if zones is None else with_zones(self.layout, zones, self.served.session.setup)
        self.served.board.post("zones", {"zones": zones_json(self.layout)})

    def join(self, answers: Answers, seen: int) -> None:
        assert self.served is not None
        self.answers = answers
        if self.served.session.setup.game != "rolling-stone":
            self.served.begin()


@pytest.fixture
def eye() -> Drawing:
    return Drawing()


@pytest.fixture
def served(tmp_path: Path, eye: Drawing) -> Iterator[Served]:
    eye.served = Served(tmp_path, eye=lambda *_: eye)
    yield eye.served
    eye.served.close()


def drag(page: Page, selector: str, dx: float, dy: float) -> None:
    box = page.locator(selector).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def test_a_zone_is_dragged_by_its_corner_as_a_whole_and_with_keys(opened: Opened, served: Served, eye: Drawing) -> None:
    served.begin()
    eye.show()
    before = eye.layout
    page = opened()
    page.click("#zones-edit")
    expect(page.locator("#zones .area-name")).to_have_text(
        ["Pool", "Pile of Agnes", "Pile of Bertram", "Pile of Cecily", "Pile of Dorothy"]
    )
    frame = page.locator("#frame").bounding_box()
    assert frame is not None
    drag(page, "[data-corner='table 0'] .dot", -0.1 * frame["width"], 0.05 * frame["height"])
    page.click("[data-zone='pile 4']", position={"x": 20, "y": 20})
    expect(page.locator("[data-of='pile 4'].corners")).to_have_class(re.compile("chosen"))
    drag(page, "[data-zone='pile 4']", -0.1 * frame["width"], 0)
    page.focus("[data-zone='pile 1']")
    page.keyboard.press("Shift+ArrowUp")
    page.click("#zones-save")
    expect(page.locator("#zones-edit")).to_be_visible()
    expect(page.locator("#outlines .zone")).to_have_count(5)
    x, y = eye.layout.table[0]
    assert abs(x - (before.table[0][0] - 0.1)) < 0.01
    assert abs(y - (before.table[0][1] + 0.05)) < 0.01
    assert eye.layout.table[1:] == before.table[1:]
    assert all(abs(b[0] - a[0] + 0.1) < 0.01 for a, b in zip(before.piles[4], eye.layout.piles[4], strict=True))
    assert all(abs(b[1] - a[1] + 0.05) < 0.001 for a, b in zip(before.piles[1], eye.layout.piles[1], strict=True))
    assert eye.layout.piles[2] == before.piles[2]
    page.click("#zones-edit")
    page.click("#zones-anew")
    page.click("#zones-cancel")
    expect(page.locator("#zones-edit")).to_be_visible()
    assert eye.layout == before
    assert opened.complaints == []


def test_a_zone_is_dragged_with_a_finger(browser: Browser, served: Served, eye: Drawing) -> None:
    served.begin()
    eye.show()
    before = eye.layout
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(served.url)
    page.tap("#zones-edit")
    page.locator("[data-corner='table 2'] .dot").scroll_into_view_if_needed()
    box = page.locator("[data-corner='table 2'] .dot").bounding_box()
    assert box is not None
    x, y = box["x"] + 7, box["y"] + 7
    touch = context.new_cdp_session(page)
    for kind, point in (("touchStart", (x, y)), ("touchMove", (x - 20, y - 10)), ("touchMove", (x - 39, y - 20))):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": point[0], "y": point[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.tap("#zones-save")
    expect(page.locator("#zones-edit")).to_be_visible()
    context.close()
    assert abs(eye.layout.table[2][0] - (before.table[2][0] - 0.1)) < 0.02
    assert eye.layout.table[2][1] < before.table[2][1] - 0.05


def test_a_disagreement_shows_both_sides_and_the_ways_out(opened: Opened, served: Served, eye: Drawing) -> None:
    served.begin()
    eye.show()
    served.play(0, 1)
    choice, moves = (Action.parse("2 mate J? JH"),), (("JH", "pile 2", "table"),)
    wrong = TableDisagrees("Table and game disagree.", (("JH", "table"),), (("JH", "pile 2"),), 0, choice, moves)
    served.write(wrong)
    page, other = opened(), opened(390, 844)
    panel = page.locator(".panel.wrong")
    expect(panel.locator(".sides").nth(0)).to_contain_text("in Bertram's pile")
    expect(panel.locator(".sides").nth(1)).to_contain_text("on the table")
    expect(panel).to_contain_text("Nothing is counted until they agree.")
    expect(panel).to_contain_text("Put the jack of hearts on the table, from Bertram's pile.")
    expect(page.locator("#outlines [data-card='JH']")).to_have_class(re.compile("wrong"))
    expect(page.locator("#outlines .wanted-name")).to_have_text("expected: J♥")
    expect(page.locator("#pool [data-card='JH']")).to_have_class(re.compile("missing"))
    for one in (page, other):
        assert one.evaluate(STICKING_OUT) == []
    expect(page.locator("#accept")).to_contain_text("Bertram takes the jack of hearts with a jack.")
    page.click("#accept")
    for one in (page, other):
        expect(one.locator(".panel.wrong")).to_have_count(0)
        expect(one.locator("#last")).to_have_text("Bertram takes the jack of hearts with a jack.")
    served.write(wrong)
    page.click("#wrong-undo")
    expect(page.locator("#headline")).to_have_text("Bertram's turn")
    page.click("#wrong-edit")
    expect(page.locator("#action-dialog")).to_be_visible()


def test_a_question_is_answered_with_a_key(opened: Opened, served: Served) -> None:
    served.begin()
    served.play(0, 1)
    choices = ((Action.parse("2 mate 7? 7S"),), (Action.parse("2 mate J? JH"),))
    served.write(Asked(choices, "What did Bertram take?"))
    page = opened()
    expect(page.locator(".ask .text")).to_have_text("What did Bertram take?")
    expect(page.locator(".ask .key")).to_have_text(["1", "2", "3"])
    page.keyboard.press("2")
    expect(page.locator(".ask")).to_have_count(0)
    expect(page.locator("#last")).to_have_text("Bertram takes the jack of hearts with a jack.")


def test_something_else_opens_the_choice_of_the_seats_actions(opened: Opened, served: Served) -> None:
    served.begin()
    served.write(Asked(((Action.parse("2 mate 7? 7S"),),), "What did Bertram take?"))
    page = opened()
    expect(page.locator(".ask")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("#action-dialog")).to_be_visible()
    expect(page.locator("#action-seats [aria-checked='true']")).to_have_text("Bertram")
    page.click("[data-line='2 mate T? TC']")
    expect(page.locator("#headline")).to_have_text("Cecily's turn")


def test_an_answer_that_comes_too_late_is_told_and_not_applied(opened: Opened, served: Served) -> None:
    served.begin()
    served.write(Asked(((Action.parse("2 mate 7? 7S"),), (Action.parse("2 mate J? JH"),)), "What did Bertram take?"))
    page = opened()
    expect(page.locator(".ask")).to_be_visible()

    def meanwhile(route: Route) -> None:
        served.act("2 mate T? TC")
        route.continue_()

    page.route("**/api/answer", meanwhile)
    page.keyboard.press("1")
    expect(page.locator("#toast")).to_contain_text("The table has moved on since")
    assert [str(done.action) for done in served.deal.done] == ["2 mate T? TC"]


def test_a_broken_rule_is_an_alarm_on_every_page_until_it_is_put_right(opened: Opened, served: Served) -> None:
    served.begin()
    one = opened()
    served.write(MisplayNoticed("not-the-same-rank", "Seat 2 took JH with KH.", "LLD-13", (2,), ("KH", "JH")))
    other = opened(390, 844)
    for page in (one, other):
        alarm = page.locator("[data-alarm='not-the-same-rank']")
        expect(alarm).to_contain_text("Bertram took J♥ with K♥.")
        alarm.locator("summary").click()
        expect(alarm).to_contain_text("LLD-13")
        assert page.evaluate(STICKING_OUT) == []
    served.write(MisplaysCleared())
    for page in (one, other):
        expect(page.locator(".alarm")).to_have_count(0)


def test_an_earlier_action_is_changed_and_what_followed_is_told(opened: Opened, served: Served) -> None:
    served.begin()
    for line in ("2 mate J? JH", "3 mate T? TC"):
        served.act(line)
    page = opened()
    page.locator("#history li").nth(1).locator("text=Change").click()
    expect(page.locator("#action-title")).to_have_text("Not: Bertram takes the jack of hearts with a jack?")
    page.click("[data-line='2 mate T? TC']")
    expect(page.locator(".mended")).to_contain_text("this was left out, as it is not possible any more")
    expect(page.locator("#history .say")).to_have_text(["Bertram takes the ten of clubs with a ten."])
    assert page.evaluate(STICKING_OUT) == []
    page.click("text=Take the correction back")
    expect(page.locator("#history li")).to_have_count(2)
    expect(page.locator(".mended")).to_have_count(0)


def test_a_deal_under_way_is_asked_about_and_joined(opened: Opened, served: Served, eye: Drawing) -> None:
    served.board.post("joining", {"held": 21, "piles": {"2": 4}, "asks": "hands", "trick": [], "plain": True})
    page, phone = opened(), opened(390, 844)
    for one in (page, phone):
        expect(one.locator(".join")).to_contain_text("21 cards are in the hands.")
        assert one.evaluate(STICKING_OUT) == []
    page.click("[name='join-turn'][value='3']")
    for seat, held in ((1, ""), (2, "7"), (3, "8"), (4, "6")):
        page.fill(f"[data-join='{seat}']", held)
    served.board.post("joining", {"held": 20, "piles": {"2": 4}, "asks": "hands", "trick": [], "plain": True})
    expect(page.locator("#join-held")).to_have_text("20 cards are in the hands.")
    expect(page.locator("[data-join='3']")).to_have_value("8")
    page.click("#join-go")
    expect(page.locator("#headline")).to_have_text("Bertram's turn")
    for one in (page, phone):
        expect(one.locator(".join")).to_have_count(0)
    assert eye.answers == Answers(3, {2: 7, 3: 8, 4: 6})


def test_a_deal_of_rolling_stone_is_joined_by_its_trick_and_its_hands(
    opened: Opened, served: Served, eye: Drawing
) -> None:
    names = ("Agnes", "Bertram", "Cecily", "Dorothy")
    served.write(*deciding.begin_session(Setup("rolling-stone", 4, 4, names=names)))
    asks = {"held": 30, "piles": {}, "asks": "trick", "trick": ["9C", "KC"], "plain": True}
    served.board.post("joining", asks)
    page, phone = opened(), opened(390, 844)
    for one in (page, phone):
        expect(one.locator(".join")).to_contain_text("how many cards does each hold now?")
        assert one.evaluate(STICKING_OUT) == []
    page.click("[name='join-turn'][value='3']")
    for seat, held in ((1, "7"), (2, "6"), (3, "7"), (4, "6")):
        page.fill(f"[data-join='{seat}']", held)
    page.click("[data-key='join-KC']")
    expect(page.locator(".join .placed > b")).to_have_text(["2", "1"])
    served.board.post("joining", asks | {"trick": ["9C"], "held": 31})
    expect(page.locator("#join-trick")).to_contain_text("In the trick lies:")
    served.board.post("joining", asks)
    page.click("[data-key='join-KC']")
    expect(page.locator("[data-join='3']")).to_have_value("7")
    page.click("#join-go")
    expect(page.locator(".join")).to_have_count(0)
    assert eye.answers == Answers(3, {1: 7, 2: 6, 3: 7, 4: 6}, None, (Card.parse("KC"), Card.parse("9C")))


def test_whether_a_deal_that_seems_to_begin_was_under_way_is_asked_quietly(
    opened: Opened, served: Served, eye: Drawing
) -> None:
    served.write(*deciding.begin_session(Setup("rolling-stone", 4, 4, names=("Agnes", "Bertram", "Cecily", "Dorothy"))))
    asks = {"held": 32, "piles": {}, "asks": "trick", "trick": [], "plain": False}
    served.board.post("joining", asks | {"plain": True})
    page = opened()
    page.click("#join-new")
    expect(page.locator("#headline")).to_have_text("Agnes's turn")
    served.board.post("joining", asks)
    expect(page.locator("#join-go")).to_be_hidden()
    page.click("text=Was this deal under way already?")
    page.click("[name='join-turn'][value='2']")
    page.select_option("#join-picked", "C")
    for seat, held in ((1, "7"), (2, "9"), (3, "8"), (4, "8")):
        page.fill(f"[data-join='{seat}']", held)
    page.click("#join-go")
    expect(page.locator(".join")).to_have_count(0)
    assert eye.answers == Answers(2, {1: 7, 2: 9, 3: 8, 4: 8}, None, (), "C")
    served.board.post("joining", asks | {"held": 31, "trick": ["9C"]})
    expect(page.locator(".join")).to_have_count(1)
    served.act("1 play 9C")
    served.board.post("joining", {"held": 0, "piles": {}, "asks": "hands", "trick": [], "plain": False})
    expect(page.locator(".join")).to_have_count(0)


@pytest.fixture
def other_game(served: Served) -> Any:
    """Begin a deal of another game from its record."""

    def begin(text: str) -> None:
        record = parse_record(text)
        names = replace(record.setup, table=(), hands={})
        served.write(*deciding.begin_session(Setup(names.game, names.players, names.dealer, names=names.names)))
        served.session.perform(lambda now: deciding.begin_deal(now, replace(record.setup, hands={})))
        for action in record.actions:
            served.write(ActionTaken(action))

    return begin


def test_a_trick_shows_who_played_what(opened: Opened, other_game: Any) -> None:
    other_game(STONE)
    for width, height in ((1440, 900), (390, 844)):
        page = opened(width, height)
        expect(page.locator("#headline")).to_have_text("Dorothy's turn")
        expect(page.locator("#pool-title")).to_have_text("The trick")
        expect(page.locator("#pool .under-name")).to_have_text(["Cecily"])
        expect(page.locator("#mates li .say").first).to_have_text("Diamonds are led: who holds one must play one.")
        expect(page.locator("[data-seat='3'] .count")).to_have_text("8in hand")
        expect(page.locator("[data-seat='1'] .pile")).to_have_text("1 trick won")
        assert page.evaluate(STICKING_OUT) == []


def test_the_centre_shows_both_cards_the_stock_and_what_was_put_aside(opened: Opened, other_game: Any) -> None:
    other_game(SBROS)
    for width, height in ((1440, 900), (390, 844)):
        page = opened(width, height)
        expect(page.locator("#headline")).to_have_text("Bertram's turn")
        expect(page.locator("#pool [data-card]").nth(0)).to_have_attribute("data-card", "JS")
        expect(page.locator("#pool [data-card]").nth(1)).to_have_attribute("data-card", "2H")
        expect(page.locator("#pool .heap")).to_have_text("35")
        expect(page.locator("[data-seat='1'] .pile")).to_contain_text("put aside")
        expect(page.locator("[data-seat='1'] .pile [data-card]")).to_have_attribute("data-card", "5C")
        assert page.evaluate(STICKING_OUT) == []
