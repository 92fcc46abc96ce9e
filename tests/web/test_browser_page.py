"""The page in a real browser: what people see, and what happens when they click it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from assistant.games.game import Action
from assistant.session_events import ActionTaken, Asked
from tests.web.demo_script import Script, TimedSource
from tests.web.fake_eye import FakeEye
from tests.web.opened_pages import CUT_OFF, OUTSIDE, OVERLAPPING, STICKING_OUT, Opened
from tests.web.served import RECORD, Served, eventually
from tests.web.staged_pages import PHASES
from vision.zones import propose
from web.api import Eye
from web.cli.run import demo_table
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.seen_view import NOTHING_SEEN
from web.table_watch import TableWatch, Watched
from web.zone_shelf import zones_json

pytestmark = pytest.mark.browser


def headline(page: Page) -> Locator:
    return page.locator("#headline")


def pool(page: Page) -> Locator:
    return page.locator("#pool [data-card]")


def test_the_table_is_shown_and_nothing_is_asked_of_anybody_else(opened: Opened, served: Served) -> None:
    page = opened()
    expect(headline(page)).to_have_text("Agnes deals")
    served.begin()
    expect(headline(page)).to_have_text("Bertram's turn")
    expect(pool(page)).to_have_count(12)
    expect(page.locator("#mates li")).to_have_count(7)
    expect(page.locator("#mates")).to_contain_text("The fourth seven takes all three sevens.")
    expect(page.locator(".set-name")).to_have_text(["pair royal", "pair royal"])
    expect(page.locator("[data-seat='2']")).to_have_class(re.compile("turn"))
    expect(page.locator("[data-seat='3']")).to_contain_text("10 in hand")
    assert opened.complaints == []
    assert {url.split("/")[2] for url in opened.asked} == {served.url.split("/")[2]}


def test_two_pages_show_the_same_and_either_may_act(opened: Opened, served: Served) -> None:
    served.begin()
    one, other = opened(), opened(390, 844)
    one.click("#add")
    one.click("[data-line='2 mate J? JH']")
    for page in (one, other):
        expect(headline(page)).to_have_text("Cecily's turn")
        expect(page.locator("#last")).to_have_text("Bertram takes the jack of hearts with a jack.")
    other.click("#undo")
    for page in (one, other):
        expect(headline(page)).to_have_text("Bertram's turn")
    one.click("#redo")
    for page in (one, other):
        expect(headline(page)).to_have_text("Cecily's turn")
    assert opened.complaints == []


def test_a_wrong_card_is_corrected_by_clicking_it(opened: Opened, served: Served) -> None:
    served.begin()
    one, other = opened(), opened()
    one.click("#pool [data-card='JH']")
    expect(one.locator("#correct-title")).to_have_text("Not the J♥?")
    expect(one.locator("#likely [data-card]").first).to_have_attribute("data-card", "JD")
    one.click("#likely [data-card='JD']")
    for page in (one, other):
        expect(page.locator("#pool [data-card='JD']")).to_have_count(1)
        expect(page.locator("#pool [data-card='JH']")).to_have_count(0)
    other.click("#undo")
    expect(one.locator("#pool [data-card='JH']")).to_have_count(1)


def test_a_wrong_card_is_corrected_in_the_picture(opened: Opened, served: Served) -> None:
    served.begin()
    served.pictures.put(1, np.full((360, 640, 3), (60, 90, 40), np.uint8))
    quad = [[0.4, 0.4], [0.5, 0.4], [0.5, 0.6], [0.4, 0.6]]
    card = {"track": 5, "card": "TC", "confidence": 0.6, "zone": "table", "covered": False, "quad": quad}
    view = {"frame": 1, "width": 640, "height": 360, "stillness": "still", "zones": []}
    served.board.post("view", view | {"cards": [card | {"others": ["TS", "JC"]}]})
    page = opened()
    outline = page.locator("#outlines [data-card='TC']")
    expect(outline).to_have_class(re.compile("doubtful"))
    outline.click()
    expect(page.locator("#likely [data-card]").first).to_have_attribute("data-card", "TS")
    page.click("#all-cards [data-card='KC']")
    expect(page.locator("#pool [data-card='KC']")).to_have_count(1)
    expect(page.locator("#live")).to_be_visible()
    assert page.evaluate("document.getElementById('live').naturalWidth") == 640


def test_an_action_is_put_together_by_hand(opened: Opened, served: Served) -> None:
    served.begin()
    page = opened()
    page.click("#add")
    page.click("#action-seats >> text=Agnes")
    page.click("#own-action summary")
    page.click("#action-verbs >> text=lays from the hand")
    for card in ("4H", "4D"):
        page.click(f"#action-cards [data-card='{card}']")
    expect(page.locator("#composed")).to_have_text("Agnes lays 4♥ 4♦ from the hand")
    page.click("#send-action")
    expect(page.locator("#last")).to_have_text("Agnes lays two fours from the hand.")


def test_an_illegal_action_is_refused_in_one_line(opened: Opened, served: Served) -> None:
    served.begin()
    page = opened()
    page.click("#add")
    page.click("#own-action summary")
    for card in ("KH", "QS"):
        page.click(f"#action-cards [data-card='{card}']")
    page.click("#send-action")
    expect(page.locator("#toast")).to_be_visible()
    expect(page.locator("#toast")).to_contain_text("LLD-")
    expect(headline(page)).to_have_text("Bertram's turn")


def test_what_was_missed_is_told_with_its_rule_and_claimed(opened: Opened, served: Served) -> None:
    served.begin()
    served.play(0, 2)
    page = opened()
    claim = page.locator("[data-claim='C2']")
    expect(claim).to_contain_text("May claim: Cecily, Dorothy, Agnes.")
    claim.locator("summary").click()
    expect(claim).to_contain_text("whoever calls it first")
    claim.locator("text=Dorothy claims").click()
    expect(page.locator("#last")).to_have_text("Dorothy claims the two sevens.")
    expect(claim).to_have_count(0)


def test_the_settlement_and_the_next_deal(opened: Opened, served: Served) -> None:
    served.begin()
    served.play()
    one, other = opened(), opened(390, 844)
    for page in (one, other):
        expect(headline(page)).to_have_text("The pot is settled")
        nets = page.locator(".settled tbody .net")
        expect(nets).to_have_text(["−1", "0", "−4", "+5"])
        expect(page.locator(".settled tfoot .net")).to_have_text("0")
        expect(page.locator(".settled")).to_contain_text("The pot is empty.")
    one.click("#next-deal")
    for page in (one, other):
        expect(headline(page)).to_have_text("Bertram deals")
        expect(page.locator("[data-seat='4'] .money")).to_have_text("Account +5")
    assert opened.complaints == []


def test_an_unsure_settlement_says_so_until_somebody_confirms(opened: Opened, served: Served) -> None:
    served.begin()
    served.play(0, len(RECORD.actions) - 1)
    served.write(ActionTaken(RECORD.actions[-1], sure=False))
    page = opened()
    expect(page.locator(".settled h2")).to_have_text("Settlement, not sure yet")
    page.click("text=It is right")
    expect(page.locator(".settled h2")).to_have_text("Settlement")


def test_the_table_is_set_up(opened: Opened, served: Served) -> None:
    page = opened()
    page.click("#settings")
    page.fill("[aria-label='Name of seat 2']", "Bert <b>& Co</b>")
    page.click("[name='dealer'][value='2']")
    page.fill("#setup-worth", "0,50")
    page.fill("#setup-currency", "EUR")
    expect(page.locator("#setup-worth-said")).to_have_text("Who loses three stakes pays €1.50.")
    page.click("#setup-options-box summary")
    page.select_option("[data-option='help']", "referee")
    page.click("#setup-save")
    expect(page.locator("#setup-saved")).to_have_text("Saved.")
    page.click("#to-table")
    expect(headline(page)).to_have_text("Bert <b>& Co</b> deals")
    assert served.session.setup.dealer == 2
    assert served.session.setup.options == {"help": "referee", "stake_value": "0.50", "currency": "EUR"}
    assert opened.complaints == []


def test_a_deal_is_begun_by_hand(opened: Opened, served: Served) -> None:
    page = opened()
    page.click("#add")
    for card in RECORD.setup.table:
        page.click(f"#action-cards [data-card='{card}']")
    page.click("#send-action")
    expect(headline(page)).to_have_text("Bertram's turn")


def test_without_a_place_on_the_stream_the_page_asks(
    browser: Browser, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Board, "stream", lambda *_: None)
    pages = Opened(browser, served)
    page = pages()
    served.begin()
    expect(headline(page)).to_have_text("Bertram's turn")
    pages.close()


def test_an_old_picture_says_how_old_it_is(opened: Opened, served: Served) -> None:
    page = opened()
    served.board.post("view", {"frame": 1, "cards": [], "zones": [], "width": 16, "height": 9}, ages=True)
    expect(page.locator("#age")).to_have_text(re.compile("^This picture is ([3-9]|\\d\\d+) seconds old$"))
    served.board.post("view", {"frame": 2, "cards": [], "zones": [], "width": 16, "height": 9}, ages=True)
    expect(page.locator("#age")).to_have_text("")


def test_what_was_rescued_is_shown_until_it_is_put_away(opened: Opened, served: Served) -> None:
    served.board.post("remark", {"text": "event 7 is lost; the damaged file is kept"})
    page = opened()
    expect(page.locator("#remark-text")).to_have_text("event 7 is lost; the damaged file is kept")
    page.click("#remark-close")
    expect(page.locator("#remark")).to_be_hidden()
    page.reload()
    expect(headline(page)).not_to_have_text("One moment")
    expect(page.locator("#remark")).to_be_hidden()


def test_the_page_says_when_the_program_is_gone(opened: Opened, served: Served) -> None:
    page = opened()
    served.board.close()
    served.server.stop()
    expect(page.locator("#eye-text")).to_have_text("The program does not answer")


@pytest.mark.parametrize(
    ("width", "height"), [(360, 640), (390, 844), (768, 1024), (1024, 700), (1440, 900), (1920, 1080)]
)
def test_nothing_sticks_out(opened: Opened, served: Served, width: int, height: int) -> None:
    served.begin()
    page = opened(width, height)
    expect(pool(page)).to_have_count(12)
    assert page.evaluate(STICKING_OUT) == []
    served.play(0, 10)
    expect(page.locator("[data-seat='1'] .hand")).to_have_text("lies down")
    assert page.evaluate(STICKING_OUT) == []
    served.play(10)
    expect(page.locator(".settled")).to_be_visible()
    assert page.evaluate(STICKING_OUT) == []
    page.click("#next-deal")
    expect(page.locator("#account")).to_contain_text("Together")
    assert page.evaluate(STICKING_OUT) == []


def test_nothing_is_cut_off_on_a_laptop_when_the_pot_is_settled(opened: Opened, served: Served) -> None:
    served.begin()
    served.play()
    page = opened(1440, 900)
    expect(page.locator("[data-claim='C4'] h2")).to_have_text("Missed, and may still be claimed")
    expect(page.locator("#more")).to_have_text("Unless somebody still claims what was missed.")
    expect(page.locator("[data-seat='1'] .swept")).to_have_text("and 8 swept")
    expect(page.locator(".settled [data-seat='4'] td:nth-child(5)")).to_have_text("4 + 3")
    expect(page.locator("article[data-seat='4'] .against")).to_have_text("draws 4 + 3")
    for box in (".side", ".pool", ".story ol"):
        assert page.locator(box).evaluate("box => box.scrollHeight - box.clientHeight") <= 1
    page.click("#next-deal")
    together = page.locator("#account tfoot").bounding_box()
    seats = page.locator("#seats").bounding_box()
    assert together is not None
    assert seats is not None
    assert together["y"] + together["height"] <= seats["y"]


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1366, 768), (1440, 900), (1920, 1080)])
def test_all_table_cards_are_in_view_on_a_laptop(opened: Opened, served: Served, width: int, height: int) -> None:
    served.pictures.put(1, np.full((720, 1280, 3), (60, 90, 40), np.uint8))
    view = {"frame": 1, "width": 1280, "height": 720, "stillness": "still", "zones": [], "cards": []}
    served.board.post("view", view)
    served.begin()
    page = opened(width, height)
    expect(pool(page)).to_have_count(12)
    expect(page.locator("#live")).to_be_visible()
    assert page.locator(".pool").evaluate("box => box.scrollHeight - box.clientHeight") <= 0


def test_all_answers_are_in_a_laptop_s_first_screen(opened: Opened, served: Served) -> None:
    PHASES["playing"](served)
    page = opened(1366, 768)
    answer = page.locator("#asks .choices button").last
    expect(answer).to_contain_text("Something else")
    box, side = answer.bounding_box(), page.locator(".side").bounding_box()
    assert box is not None
    assert side is not None
    assert box["y"] + box["height"] <= side["y"] + side["height"]
    expect(page.locator("#below")).to_be_visible()


def test_the_hints_are_in_view_or_one_step_away_however_much_is_asked(opened: Opened, served: Served) -> None:
    PHASES["playing"](served)
    for other in ("3 mate 8S 8H", "3 mate 6S 6D"):
        served.write(Asked(((Action.parse(other),),)))
    page = opened(1366, 768)
    expect(page.locator("#asks .ask")).to_have_count(1)
    expect(page.locator("#asks .ask h2")).to_contain_text("2 more come after it")
    page.click("#to-hints")
    expect(page.locator("#mates li").first).to_be_in_viewport()
    page.evaluate("localStorage.setItem('view-type', 'large')")
    page.reload()
    expect(page.locator("#mates li").nth(2)).to_be_in_viewport(ratio=1)
    expect(page.locator("#asks .choices button").last).to_be_in_viewport(ratio=1)
    assert page.evaluate(STICKING_OUT) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("history.replaceState(null, '', '/'); scrollTo(0, 0)")
    expect(page.locator("#to-hints")).to_be_in_viewport(ratio=1)
    expect(page.locator("#to-hints")).to_contain_text("What Cecily may mate")
    assert page.evaluate(STICKING_OUT) == []
    page.click("#to-hints")
    expect(page.locator("#mates li").first).to_be_in_viewport()
    for count in (2, 1, 0):
        page.locator("#asks .choices button").last.click()
        page.click("#action-dialog .close")
        expect(page.locator("#asks .ask")).to_have_count(min(count, 1))


def test_the_settlement_s_buttons_are_in_a_laptop_s_first_screen(opened: Opened, served: Served) -> None:
    PHASES["settled"](served)
    page = opened(1366, 768)
    buttons = page.locator(".step-buttons")
    expect(buttons).to_be_visible()
    box = buttons.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 768


def test_without_a_picture_the_host_is_told_where_to_begin_and_what_is_wrong(opened: Opened, served: Served) -> None:
    address = "http://192.168.178.20:8765/streams/over-the-table/main.m3u8"
    trouble = "no picture comes from there; check the address (trying again)"
    served.board.post("eye", {"ok": False, "text": f"{address}: {trouble}", "warning": ""})
    page = opened(1366, 768)
    page.evaluate("localStorage.setItem('view-type', 'large')")
    page.reload()
    expect(page.locator("#eye-text")).to_have_text(f"http://192.168.1…able/main.m3u8: {trouble}")
    expect(page.locator("#eye")).to_have_attribute("title", f"{address}: {trouble}")
    expect(page.locator("#where")).to_have_text("Deal 1, Laugh and Lie Down")
    assert page.evaluate(CUT_OFF, "#eye-text, #where, #no-picture, #no-picture p") == []
    assert page.evaluate(OVERLAPPING, "#where, #eye-text, #undo, #no-picture p, #no-picture a") == []
    page.click("#no-picture a")
    expect(page).to_have_url(re.compile("/setup$"))


@pytest.mark.parametrize(("width", "height", "type_"), [(390, 844, "usual"), (1366, 768, "large")])
def test_what_is_written_over_and_under_the_picture_covers_nothing_else(
    opened: Opened, served: Served, width: int, height: int, type_: str
) -> None:
    names = ("Oma", "Max", "Maximilian Ünal-Öztürk", "Wilhelmina Ünal-Öztürk", "Bartholomäus", "Lea")
    setup = {"game": "laugh-and-lie-down", "players": 6, "names": names, "dealer": 1, "seen": served.state.seq}
    assert served.post("/api/setup", setup)[0] == 200
    served.pictures.put(1, np.full((720, 1280, 3), (60, 90, 40), np.uint8))
    zones = zones_json(propose("laugh-and-lie-down", 6))
    view = {"frame": 1, "width": 1280, "height": 720, "stillness": "still", "cards": [], "zones": zones}
    served.board.post("view", view, ages=True)
    served.board.post("eye", {"ok": True, "text": "Demo table", "warning": "It is too dark: turn on a lamp, please."})
    page = opened(width, height)
    page.evaluate("type => localStorage.setItem('view-type', type)", type_)
    page.reload()
    expect(page.locator("#age")).to_contain_text("seconds old")
    expect(page.locator("#warning")).to_contain_text("too dark")
    expect(page.locator("#outlines .zone-name")).to_have_count(6)
    assert page.evaluate(OVERLAPPING, "#outlines .zone-name rect, #zones-edit, #age, #warning") == []
    assert page.evaluate(OUTSIDE, "#outlines .zone-name rect, #zones-edit") == []
    assert page.evaluate(OUTSIDE, "#age, #warning") == ["warning", "age"]
    page.click("#zones-edit")
    expect(page.locator("#zones .area-name")).to_have_count(7)
    assert page.evaluate(OUTSIDE, "#zones .area-name") == []
    assert page.evaluate(OVERLAPPING, "#zones .area-name") == []


def test_another_source_wears_nothing_of_the_one_before(opened: Opened, served: Served) -> None:
    """Neither that a recording has ended, nor its last picture and outlines."""
    page, more = opened(1366, 768), "The recording has ended. Set-up, then New evening, plays it again."
    served.pictures.put(1, np.full((450, 800, 3), (60, 90, 40), np.uint8))
    quad = [[0.05, 0.4], [0.1, 0.4], [0.1, 0.55], [0.05, 0.55]]
    card = {"track": 5, "card": "JH", "confidence": 0.99, "zone": "table", "covered": False, "quad": quad, "others": []}
    seen = {**NOTHING_SEEN, "frame": 1, "width": 800, "height": 450, "cards": [card]}
    served.board.post("view", seen, ages=True)
    served.board.post("eye", {"ok": True, "text": "evening.mp4", "warning": "", "ended": True})
    expect(page.locator("#more")).to_have_text(more)
    expect(page.locator("#live")).to_be_visible()
    expect(page.locator("#outlines .card")).to_have_count(1)
    served.pictures.forget()
    served.board.post("view", NOTHING_SEEN)
    served.board.post("eye", {"ok": True, "text": "Camera 1", "warning": "", "ended": False})
    expect(page.locator("#more")).not_to_have_text(more)
    expect(page.locator("#live")).to_be_hidden()
    expect(page.locator("#no-picture")).to_be_visible()
    expect(page.locator("#outlines .card")).to_have_count(0)


def test_what_was_done_can_be_taken_out_without_pointing_at_it(opened: Opened, served: Served) -> None:
    served.begin()
    served.play(0, 2)
    page = opened(1440, 900)
    expect(page.locator("#history button")).to_have_text(["Change", "Undo", "Change", "Take out"])
    assert (
        page.locator("#history button").evaluate_all("all => all.map(one => getComputedStyle(one).opacity)")
        == ["1"] * 4
    )
    expect(page.locator("[data-seat='1'] .against")).to_have_text("if it ended now: pays 4")
    expect(page.locator("[data-seat='3'] .against")).to_have_count(0)


def test_covered_cards_are_not_called_doubtful(opened: Opened, served: Served) -> None:
    served.begin()
    served.pictures.put(1, np.full((360, 640, 3), (60, 90, 40), np.uint8))
    quad = [[0.4, 0.8], [0.5, 0.8], [0.5, 0.95], [0.4, 0.95]]
    card = {"track": 5, "card": "TC", "confidence": 0.6, "zone": "pile 1", "quad": quad, "others": []}
    zone = {"zone": "pile 1", "seat": 1, "polygon": [[0.2, 0.8], [0.8, 0.8], [0.8, 1], [0.2, 1]]}
    cards = [card | {"covered": True}, card | {"card": "TS", "track": 6, "covered": False}]
    view = {"frame": 1, "width": 640, "height": 360, "stillness": "still", "zones": [zone], "cards": cards}
    served.board.post("view", view)
    page = opened()
    expect(page.locator("#outlines [data-card='TS']")).to_have_class(re.compile("doubtful"))
    expect(page.locator("#outlines [data-card='TC']")).not_to_have_class(re.compile("doubtful"))
    expect(page.locator("#outlines [data-card='TC'] .tag")).to_have_count(0)
    expect(page.locator("#legend span")).to_have_text(["read", "in doubt", "covered"])
    assert page.locator("#outlines > :last-child").get_attribute("class") == "zone-name"


class Lent(FakeEye):
    """An eye that takes the page's pictures."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []

    def offer(self, jpeg: bytes, sender: str = "") -> bool:
        self.pictures.append(jpeg)
        return True


def test_the_page_lends_its_camera_one_picture_at_a_time(browser: Browser, tmp_path: Path) -> None:
    lent = Lent()
    served = Served(tmp_path, eye=lambda *_: lent, browser_camera=True)
    opened = Opened(browser, served)
    opened()
    eventually(lambda: len(lent.pictures) >= 3)
    opened.close()
    served.close()
    assert all(picture.startswith(b"\xff\xd8") for picture in lent.pictures)
    assert opened.complaints == []


def test_the_recorded_table_is_followed_to_the_settled_pot(browser: Browser, tmp_path: Path) -> None:
    script, table = Script(), demo_table(1.0)

    def eye(session: OpenSession, board: Board, pictures: Pictures) -> Eye:
        watched = Watched(lambda: TimedSource(script), "Demo table", live=False, speed=1000.0)
        watch = TableWatch(watched, session, script, board, pictures, layout=table.layout)
        watch.start()
        return watch

    served = Served(tmp_path, eye=eye)
    opened = Opened(browser, served)
    page = opened()
    try:
        expect(headline(page)).to_have_text("Bertram's turn", timeout=200000)
        expect(page.locator("#outlines .card").first).to_be_visible()
        expect(headline(page)).to_have_text("The pot is settled", timeout=600000)
        expect(page.locator(".settled tbody .net")).to_have_text(["−1", "0", "−4", "+5"])
        expect(page.locator(".settled h2")).to_have_text("Settlement")
        assert opened.complaints == []
    finally:
        opened.close()
        watch = served.app.extensions["mournival"].eye
        watch.stop()
        served.close()
