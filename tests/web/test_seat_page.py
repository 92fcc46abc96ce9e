"""A seat's own page: what it says, whom it says it, and that nobody else ever learns of the hand."""

from __future__ import annotations

import logging
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from assistant import session as deciding
from assistant.cards import Card, parse_cards
from assistant.games.game import Setup
from assistant.hints import hints_for
from assistant.hints.hint import Hint
from assistant.session_events import CardCorrected, Redone, Undone
from tests.web.served import RECORD, Served, eventually
from web import seat_page
from web.cli.journal import journal as journal_command
from web.own_hands import Asker, OwnHands, Told

HAND = RECORD.setup.hands[2]
TEXT = " ".join(map(str, HAND))


class Player:
    """A browser at one seat's page."""

    def __init__(self, served: Served, seat: int) -> None:
        self.browser: FlaskClient = served.app.test_client()
        self.seat = seat
        self.opened = self.browser.get(f"/seat/{seat}")

    def look(self, seat: int) -> Any:
        """What the page of a seat shows to this browser."""
        return self.browser.get(f"/api/seat/{seat}").json

    def see(self) -> Any:
        return self.look(self.seat)

    def post(self, what: str, **body: Any) -> tuple[int, Any]:
        answer = self.browser.post(f"/api/seat/{self.seat}/{what}", json=body)
        return answer.status_code, answer.json

    def tell(self, cards: str) -> Any:
        status, answer = self.post("hand", cards=cards)
        assert status == 200, answer
        return answer

    def lists(self) -> Any:
        """What the page lists once the hints are there."""
        eventually(lambda: not self.see()["pending"])
        return self.see()["lists"]


def entries(one: Any) -> dict[str, Any]:
    return {entry["lines"][0]: entry for entry in one["entries"]}


def test_the_hand_is_asked_for_with_its_number_and_without_the_cards_that_lie_open(served: Served) -> None:
    bertram = Player(served, 2)
    assert (bertram.see()["phase"], bertram.see()["headline"]) == ("waiting", "Agnes deals")
    served.begin()
    asked = bertram.see()
    assert (asked["phase"], asked["size"], asked["more"]) == ("tell", 10, "Tap the ten cards in your hand.")
    assert len(asked["offered"]) == 40
    assert not {str(card) for card in RECORD.setup.table} & set(asked["offered"])
    served.play(0, 2)
    assert bertram.see()["size"] == 9
    assert "7D" not in bertram.see()["offered"]


def test_hints_come_best_first_with_value_reason_and_rule(served: Served) -> None:
    served.begin()
    bertram = Player(served, 2)
    assert bertram.tell(TEXT)["phase"] == "known"
    (ranked,) = bertram.lists()
    assert ranked["title"] == "What you can do, the best first"
    found = entries(ranked)
    assert set(found) == {"2 mate 7D 7S 7H 7C", "2 mate 7D 7S", "2 mate TD TC", "2 mate 3C 3S"}
    seven = found["2 mate 7D 7S 7H 7C"]
    assert seven["text"] == "Take the three sevens with the seven of diamonds."
    assert (seven["own"], seven["taken"]) == (["7D"], ["7S", "7H", "7C"])
    assert seven["rule"]["number"] == "LLD-16"
    assert seven["rule"]["text"]
    assert found["2 mate 3C 3S"]["lines"] == ["2 mate 3C 3S", "2 mate 3C 3D"]
    assert found["2 mate 3C 3S"]["rule"]["number"] == "LLD-15"
    values = [float(one["value"].split()[0].replace("−", "-")) for one in ranked["entries"]]
    assert values == sorted(values, reverse=True)
    assert all(re.fullmatch(r"give or take \d\.\d", one["spread"]) for one in ranked["entries"])
    assert all(one["why"].endswith(".") for one in ranked["entries"])
    assert "500 deals" in bertram.see()["note"]


def test_before_its_turn_a_seat_sees_what_it_could_do(served: Served) -> None:
    served.begin()
    agnes = Player(served, 1)
    agnes.tell(" ".join(map(str, RECORD.setup.hands[1])))
    now, then = agnes.lists()
    assert (now["title"], [one["text"] for one in now["entries"]]) == (
        "You may do this now, out of turn",
        ["Lay two twos from your hand.", "Lay two fours from your hand."],
    )
    assert {one["rule"]["number"] for one in now["entries"]} == {"LLD-9b"}
    assert then["title"] == "At your turn, as the table lies now"
    assert [one["text"] for one in then["entries"]] == [
        "Take the three aces with the ace of clubs.",
        "Take one of the three aces with the ace of clubs.",
        "Take the six of diamonds with the six of clubs.",
        "Take the eight of hearts with the eight of clubs.",
    ]


def test_what_a_seat_plays_leaves_its_hand_by_itself(served: Served) -> None:
    served.begin()
    bertram = Player(served, 2)
    bertram.tell(TEXT)
    served.play(0, 2)
    seen = bertram.see()
    assert (seen["size"], seen["headline"]) == (9, "Cecily's turn")
    assert sorted(seen["hand"]) == sorted(str(card) for card in HAND if str(card) != "7D")
    served.write(Undone(served.deal.done[-1].seq))
    assert "7D" in bertram.see()["hand"]
    served.write(Redone(served.deal.redo[-1]))
    assert "7D" not in bertram.see()["hand"]
    served.play(2)
    assert bertram.see()["phase"] == "over"


def test_with_two_left_a_hint_is_sure(served: Served) -> None:
    served.begin()
    served.play(0, 17)
    bertram = Player(served, 2)
    bertram.tell("5S 9D TD KS KD QD")
    (ranked,) = bertram.lists()
    assert [one["spread"] for one in ranked["entries"]] == ["sure"] * len(ranked["entries"])
    assert re.fullmatch(r"([+−]\d+|0) stakes?", ranked["entries"][0]["value"])


def test_a_card_that_was_tapped_wrong_is_put_right(served: Served) -> None:
    served.begin()
    bertram = Player(served, 2)
    bertram.tell(TEXT.replace("KS", "KC"))
    assert "KC" in bertram.see()["hand"]
    bertram.tell(TEXT)
    assert bertram.see()["hand"] == ["2S", "3C", "5S", "5H", "7D", "9D", "TD", "QD", "KS", "KD"]
    assert bertram.post("forget")[1]["phase"] == "tell"
    assert bertram.see()["hand"] == []


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (TEXT.replace("KS", "JH"), "J♥ can't be in the hand of Bertram: it lies on the table."),
        (TEXT.replace("KS", "TS"), "10♠ can't be in the hand of Bertram: it lies in the pile of Cecily."),
        (TEXT.replace("KS", "KD"), "K♦ is named twice."),
        (TEXT.replace(" KS", ""), "Bertram holds 9 cards now, not 8."),
        (TEXT.replace("KS", "XX"), "'XX' is no card"),
    ],
)
def test_a_hand_that_can_not_be_is_refused_in_one_line(served: Served, cards: str, says: str) -> None:
    served.begin()
    served.play(0, 4)
    bertram = Player(served, 2)
    status, answer = bertram.post("hand", cards=cards.replace("7D ", ""))
    assert status == 400
    assert says in answer["error"]
    assert "\n" not in answer["error"]
    assert bertram.see()["phase"] == "tell"


def test_what_is_seen_later_and_contradicts_is_said_with_the_card(served: Served) -> None:
    served.begin()
    bertram = Player(served, 2)
    bertram.tell(TEXT)
    served.play(0, 2)
    served.act("3 mate TD TC")
    seen = bertram.see()
    assert seen["phase"] == "tell"
    assert "10♦" in seen["wrong"]
    assert "TD" not in seen["offered"]
    served.write(CardCorrected("TD", "TS"))
    assert (bertram.see()["phase"], bertram.see()["wrong"]) == ("known", "")


def test_a_new_deal_clears_the_hand(served: Served) -> None:
    served.begin()
    bertram = Player(served, 2)
    bertram.tell(TEXT)
    asker = Asker(bertram.browser.get_cookie(seat_page.COOKIE).value, 2)  # type: ignore[union-attr]
    hands: OwnHands = served.app.extensions["mournival"].hands
    assert hands.askers() == {asker}
    served.session.perform(lambda now: deciding.abandon_deal(now, "begun over"))
    assert hands.askers() == set()
    served.begin()
    assert bertram.see()["phase"] == "tell"
    bertram.tell(TEXT)
    served.play()
    assert hands.askers() == set()


def test_a_silent_table_gets_no_hints(served: Served) -> None:
    silent = Setup("laugh-and-lie-down", 4, 1, names=RECORD.setup.names, options={"help": "silent"})
    served.session.perform(lambda now: deciding.set_table(now, silent))
    served.begin()
    bertram = Player(served, 2)
    told = bertram.tell(TEXT)
    assert (told["phase"], told["lists"], told["pending"]) == ("known", [], False)
    assert "no hints" in told["note"]


def test_the_page_does_not_wait_for_hints_that_take_long(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def slow(*args: Any) -> tuple[Hint, ...]:
        assert go_on.wait(20)
        return hints_for(*args)

    monkeypatch.setattr("web.seat_hints.hints_for", slow)
    monkeypatch.setattr(seat_page, "PATIENCE_S", 0.01)
    served.begin()
    bertram = Player(served, 2)
    told = bertram.tell(TEXT)
    assert (told["pending"], [one["ranked"] for one in told["lists"]]) == (True, [False])
    go_on.set()
    assert [one["ranked"] for one in bertram.lists()] == [True]


def test_the_cookie_is_no_script_s_and_no_other_site_s(served: Served) -> None:
    first, second = Player(served, 2), Player(served, 2)
    cookies = [one.opened.headers["Set-Cookie"] for one in (first, second)]
    for cookie in cookies:
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "Expires" not in cookie
    assert cookies[0] != cookies[1]
    assert "Set-Cookie" not in first.browser.get("/seat/2").headers
    assert "Set-Cookie" not in first.browser.get("/").headers


def test_without_the_cookie_nothing_is_taken(served: Served) -> None:
    served.begin()
    status, answer = served.post("/api/seat/2/hand", {"cards": TEXT})
    assert (status, answer["code"]) == (403, "no-cookie")
    for headers in ({"Origin": "http://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert served.post("/api/seat/2/hand", {"cards": TEXT}, headers)[0] == 403
    assert served.get("/seat/5")[0] == 404
    assert served.get("/api/seat/0")[1]["error"].startswith("There is no seat 0")


def everything_else(served: Served, folder: Path) -> dict[str, str]:
    """All that anybody but the browser that told a hand can get to see."""
    stranger = served.app.test_client()
    texts = {
        path: stranger.get(path).get_data(as_text=True)
        for path in ("/", "/seat/2", "/seat/3", "/api/state", "/api/record.deal", "/static/seat.js")
    }
    texts |= {f"stream {name}": posted.text for name, posted in served.board.newer(0).items()}
    texts |= {str(path): path.read_bytes().decode("latin-1") for path in folder.iterdir() if path.is_file()}
    for command in ("list", "export"):
        told = CliRunner().invoke(journal_command, [command, "--data", str(folder)])
        assert told.exit_code == 0, told.output
        texts[f"journal {command}"] = told.output
    return texts


def named(card: Card, text: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9]){card}(?![A-Za-z0-9])", text) is not None


def test_nobody_else_ever_sees_the_hand(
    served: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    served.begin()
    seats = (1, 2, 3, 4)
    bertram, others = Player(served, 2), [Player(served, seat) for seat in seats]
    before = [one.see() for one in others]
    told = bertram.tell(TEXT)
    assert bertram.lists()
    bertram.post("hand", cards=TEXT.replace("KS", "7H"))
    assert [one.see() for one in others] == before
    assert [bertram.look(seat)["hand"] for seat in (1, 3, 4)] == [[], [], []]
    assert {str(card) for card in HAND} == set(told["hand"])

    def broken(*_: object) -> tuple[Hint, ...]:
        raise RuntimeError(f"secret: {TEXT}")

    monkeypatch.setattr("web.seat_hints.hints_for", broken)
    served.play(0, 1)
    assert bertram.see()["note"].startswith("No hints: ")
    monkeypatch.setattr(OwnHands, "tell", broken)
    assert bertram.post("hand", cards=TEXT)[0] == 500
    found = everything_else(served, tmp_path) | {"log": caplog.text, "told": repr(Told(1, 1, HAND))}
    assert "RuntimeError" in found["log"]
    assert len(found) >= 11
    assert [(where, card) for where, text in found.items() for card in HAND if named(card, text)] == []


def test_another_game_has_its_hints_too(served: Served) -> None:
    stone = Setup("rolling-stone", 4, 1)
    served.session.perform(lambda now: deciding.begin_session(stone, now.place))
    served.session.perform(lambda now: deciding.begin_deal(now, stone))
    second = Player(served, 2)
    asked = second.see()
    assert (asked["size"], len(asked["offered"])) == (8, 32)
    second.tell("9C JC 7S 8S AS KD QD TH")
    (ranked,) = second.lists()
    assert len(ranked["entries"]) == 8
    assert all(re.fullmatch(r"0\.\d\d points", one["value"]) for one in ranked["entries"])
    assert {one["rule"]["number"] for one in ranked["entries"]} == {"RST-6"}
    served.act("2 play 9C")
    assert "9C" not in second.see()["hand"]
    assert second.lists() == []
    for line in ("3 play TC", "4 play 7C", "1 pick-up"):
        served.act(line)
    assert second.see()["size"] == 7


def test_drawn_cards_are_asked_for(served: Served) -> None:
    sbros = Setup("sbros", 2, 1, table=parse_cards("TS 3H"))
    served.session.perform(lambda now: deciding.begin_session(Setup("sbros", 2, 1), now.place))
    served.session.perform(lambda now: deciding.begin_deal(now, sbros))
    second = Player(served, 2)
    second.tell("TH 3D JS 2H KC 5D")
    assert entries(second.lists()[0])["2 cover TH 3D"]["rule"]["number"] == "SBR-5"
    served.act("2 cover TH 3D")
    seen = second.see()
    assert (seen["phase"], seen["missing"], seen["hand"]) == ("known", 2, ["2H", "5D", "JS", "KC"])
    assert seen["more"] == "Tap the two cards that you have drawn."
    assert second.tell("2H 5D JS KC AS AD")["missing"] == 0


def test_only_so_many_hands_are_kept(served: Served) -> None:
    served.begin()
    hands = OwnHands(most=2)
    for browser in "abc":
        hands.tell(Asker(browser, 2), served.state, HAND)
    assert hands.askers() == {Asker("b", 2), Asker("c", 2)}
