from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from assistant.cards import Card
from assistant.games.game import Action
from assistant.joining import Answers, CantJoin
from assistant.record import parse_record
from assistant.session_events import ActionTaken, Asked, MisplayNoticed, MisplaysCleared, TableDisagrees
from tests.web.fake_eye import FakeEye
from tests.web.served import RECORD, Served, eventually
from vision.zones import LayoutError
from web.api import Eye
from web.journal import JournalError
from web.live import STREAM_CAP, Board
from web.server import PortInUse, Server


class NotedEye(FakeEye):
    """Notes what the page tells the eye."""

    def __init__(self) -> None:
        self.corrected: list[tuple[str, str, int | None]] = []
        self.pictures: list[bytes] = []
        self.zones: list[Any] = []
        self.answers: Answers | None = None

    def correct(self, was: Card, now: Card, track: int | None = None) -> None:
        self.corrected.append((str(was), str(now), track))

    def draw_zones(self, zones: Any) -> None:
        if zones == {}:
            raise LayoutError("nothing was drawn")
        self.zones.append(zones)

    def join(self, answers: Answers, seen: int) -> None:
        self.answers = answers
        if answers.to_act == 9:
            raise CantJoin("seat 3 can't be in turn")

    def offer(self, jpeg: bytes, sender: str = "") -> bool:
        self.pictures.append(jpeg)
        return True


EYE = NotedEye()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    EYE.__init__()  # type: ignore[misc]
    eye: Eye = EYE
    page = Served(tmp_path, eye=lambda *_: eye)
    yield page
    page.close()


def state(served: Served) -> Any:
    return served.get("/api/state")[1]["state"]


def do(served: Served, path: str, **body: Any) -> tuple[int, Any]:
    return served.post(f"/api/{path}", {"seen": served.state.seq, **body})


def test_the_state_is_told_in_words(served: Served) -> None:
    assert state(served)["headline"]["text"] == "Agnes deals"
    served.begin()
    now = state(served)
    assert now["headline"]["text"] == "Bertram's turn"
    assert [group["set"] for group in now["table"] if len(group["cards"]) == 3] == ["pair royal", "pair royal"]
    texts = [line["text"] for line in now["hints"][0]["lines"]]
    assert "The fourth seven takes all three sevens." in texts
    assert "A jack takes the jack of hearts." in texts
    assert all(seat["par"] == 10 and seat["hand"] == 10 for seat in now["seats"])


def test_a_missed_pair_royal_is_told_with_its_rule_and_who_may_claim(served: Served) -> None:
    served.begin()
    served.play(0, 2)
    claim = state(served)["claims"][0]
    assert claim["code"] == "C2"
    assert claim["claimants"] == ["Cecily", "Dorothy", "Agnes"]
    assert "Bertram" in claim["text"]
    assert claim["why"]
    assert do(served, "action", line=claim["actions"][1]["line"])[0] == 200
    assert state(served)["claims"] == []
    assert state(served)["last"]["text"] == "Dorothy claims the two sevens"


def test_a_referee_keeps_mistakes_to_himself_until_they_are_called(served: Served) -> None:
    names = list(served.session.setup.names)
    body = {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": names, "options": {"help": "referee"}}
    assert do(served, "setup", **body)[0] == 200
    served.begin()
    served.play(0, 2)
    assert state(served)["claims"] == []
    assert do(served, "action", line="4 claim 7H 7C")[0] == 200
    assert state(served)["faults"][0]["past"].endswith("Dorothy claimed it.")


def test_the_deal_can_be_kept_as_a_record(served: Served) -> None:
    assert served.get("/api/record.deal")[0] == 404
    served.begin()
    served.play(0, 3)
    status, text = served.get("/api/record.deal")
    assert status == 200
    assert parse_record(text.decode()).actions == RECORD.actions[:3]


def test_a_settled_pot_is_open_to_claims(served: Served) -> None:
    served.begin()
    served.play()
    assert state(served)["headline"]["more"] == "Unless somebody still claims what was missed."
    served.act("3 claim KS KD")
    assert state(served)["headline"]["more"] == ""
    assert "Cecily claimed it." in [fault["past"] for fault in state(served)["faults"]][-1]


def test_zones_go_to_the_eye_and_what_is_wrong_with_them_comes_back(served: Served) -> None:
    square = [[0.1, 0.1], [0.4, 0.1], [0.4, 0.4]]
    assert served.post("/api/zones", {"zones": {"table": square}})[0] == 200
    assert served.post("/api/zones", {"zones": None})[0] == 200
    assert EYE.zones == [{"table": square}, None]
    assert served.post("/api/zones", {"zones": {}}) == (400, refused("bad-zones", "nothing was drawn"))
    assert served.post("/api/zones", {"zones": [1]})[0] == 400


def refused(code: str, error: str) -> dict[str, Any]:
    return {"ok": False, "code": code, "error": error}


def test_a_table_that_no_turns_explain_is_not_accepted(served: Served) -> None:
    served.begin()
    assert do(served, "accept", right="table") == (409, refused("stale", "Table and game agree again"))
    served.write(TableDisagrees("The 7 of spades is missing."))
    status, answer = do(served, "accept", right="table")
    assert (status, answer["code"]) == (400, "no-way-back")
    assert do(served, "accept", right="game")[1]["code"] == "not-over"


def test_a_table_is_accepted_by_what_did_not_happen_and_what_did(served: Served) -> None:
    served.begin()
    served.act("2 mate 7? 7S")
    served.write(TableDisagrees("Wrong.", undo=1, choice=(Action.parse("2 mate J? JH"),)))
    told = state(served)["disagreement"]["accept"]
    assert told == [
        "Not: Bertram takes the seven of spades with a seven.",
        "Bertram takes the jack of hearts with a jack.",
    ]
    assert do(served, "accept", right="table")[0] == 200
    assert [str(done.action) for done in served.deal.done] == ["2 mate J? JH"]
    assert state(served)["disagreement"] is None


def test_what_would_accept_the_table_is_forgotten_when_the_game_goes_on(served: Served) -> None:
    served.begin()
    served.write(TableDisagrees("Wrong.", undo=0, choice=(Action.parse("2 mate J? JH"),)))
    served.act("2 mate 7? 7S")
    assert state(served)["disagreement"]["accept"] is None
    assert not served.deal.sure


def test_a_settled_deal_with_piles_that_dont_add_up_waits_for_somebodys_word(served: Served) -> None:
    served.begin()
    served.play()
    served.write(TableDisagrees("9C lies in pile 2 and is counted in pile 3."))
    result = state(served)["settlement"]
    assert (result["sure"], result["doubts"]) == (False, ["9♣ lies in Bertram's pile and is counted in Cecily's pile."])
    assert do(served, "accept", right="game")[0] == 200
    assert state(served)["settlement"]["sure"]


def test_a_disagreement_is_told_with_both_sides_and_how_to_lay_the_cards_back(served: Served) -> None:
    served.begin()
    missing, strange = (("KS", "table"), ("4H", "table")), (("KS", "pile 2"), ("9C", "nowhere"))
    moves = (("KS", "pile 2", "table"), ("4H", "", "pile 1"), ("9C", "nowhere", "hand"), ("2C", "pile 3", "hand 3"))
    served.write(TableDisagrees("Table and game disagree. I see KS (in pile 2).", missing, strange, moves=moves))
    told = state(served)["disagreement"]
    assert told["text"] == "Table and game disagree. I see K♠ (in Bertram's pile)."
    assert [(one["card"], one["where"]) for one in told["missing"]] == [("KS", "on the table"), ("4H", "on the table")]
    assert [(one["card"], one["where"]) for one in told["unexpected"]] == [
        ("KS", "in Bertram's pile"),
        ("9C", "between the places"),
    ]
    assert told["back"] == [
        "Put the king of spades on the table, from Bertram's pile.",
        "Put the four of hearts onto Agnes's pile.",
        "Put the nine of clubs back into the hand.",
        "Put the two of clubs back into Cecily's hand.",
    ]
    served.write(TableDisagrees(""))
    assert state(served)["disagreement"] is None


def test_a_deal_under_way_is_joined_with_what_was_answered(served: Served) -> None:
    assert do(served, "join", to_act=2, hands={"2": 6, "3": 7})[0] == 200
    assert EYE.answers == Answers(2, {2: 6, 3: 7})
    assert do(served, "join", to_act=9, hands={"2": 6}) == (400, refused("cant-join", "Cecily can't be in turn"))
    assert do(served, "join", to_act=2, hands={"x": 6})[0] == 400
    assert do(served, "join", to_act=2, hands={"2": "6"})[0] == 400


def test_what_was_made_up_is_neither_told_nor_undone(served: Served) -> None:
    served.begin()
    served.write(*(ActionTaken(action, "joined", 0.0, True) for action in RECORD.actions[:2]))
    now = state(served)
    assert (now["joined"], now["history"], now["undo"], now["last"]) == (True, [], None, None)
    served.play(2, 3)
    assert [line["line"] for line in state(served)["history"]] == [str(RECORD.actions[2])]
    assert do(served, "undo")[0] == 200
    assert do(served, "undo")[0] == 400
    assert len(served.deal.done) == 2


def test_a_broken_rule_is_an_alarm_of_coach_and_referee_and_told_at_the_end_by_a_silent_one(served: Served) -> None:
    served.begin()
    served.write(MisplayNoticed("not-the-same-rank", "Seat 2 took QS with KH.", "LLD-13", (2,), ("KH", "QS")))
    alarm = state(served)["alarms"][0]
    assert (alarm["text"], alarm["cards"], bool(alarm["why"])) == ("Bertram took Q♠ with K♥.", ["KH", "QS"], True)
    names = list(served.session.setup.names)
    body = {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": names}
    assert do(served, "setup", **body, options={"help": "referee"})[0] == 200
    assert state(served)["alarms"] == [alarm]
    assert do(served, "setup", **body, options={"help": "silent"})[0] == 200
    assert state(served)["alarms"] == []
    assert do(served, "setup", **body, options={"help": "referee"})[0] == 200
    served.write(MisplaysCleared())
    served.play()
    assert state(served)["faults"][-1]["past"] == "Bertram took Q♠ with K♥. It was put right."


def test_what_is_wrong_with_a_set_up_is_said_in_the_readers_language(served: Served) -> None:
    wrong = {"seen": state(served)["seq"], "game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": [""] * 4}
    said = []
    for options in ({"currency": "?"}, {"help": "loud"}):
        answer = served.post("/api/setup", {**wrong, "options": options}, {"Accept-Language": "de"})
        said.append((answer[0], answer[1]["error"]))
    assert said == [
        (400, "Die Währung ist ein Kürzel wie EUR oder ein kurzes Wort, nicht „?“"),
        (400, "Die Option help kann coach, referee, silent sein, nicht „loud“"),
    ]


def test_an_action_is_changed_where_it_stands_and_what_followed_is_told(served: Served) -> None:
    served.begin()
    served.play(0, 2)
    first = served.deal.done[0]
    offers = served.get(f"/api/offers?at={first.seq}")[1]
    assert offers["turn"] == 2
    assert "2 mate T? TC" in [offer["line"] for offer in offers["actions"]]
    assert do(served, "change", line="2 mate T? TC", target=first.seq, instead=True)[0] == 200
    now = state(served)
    assert now["history"][0]["text"] == "Bertram takes the ten of clubs with a ten"
    assert now["mended"]["text"]
    assert do(served, "undo")[0] == 200
    assert [done.action for done in served.deal.done] == list(RECORD.actions[:2])
    assert state(served)["mended"] is None
    assert served.get("/api/offers?at=1")[0] == 409


def test_the_settlement_adds_up(served: Served) -> None:
    served.begin()
    served.play()
    result = state(served)["settlement"]
    assert (result["pot"], result["sum"], result["sure"]) == (9, 0, True)
    assert [seat["net"] for seat in result["seats"]] == [-1, 0, -4, 5]
    assert [step["text"] for step in result["steps"]][-2:] == [
        "Dorothy has 18 cards, 8 above par (10), and draws 4 stakes.",
        "The pot is empty. The results add up to nothing: −1, 0, −4, +5.",
    ]
    assert [(seat["count"], seat["swept"], seat["bonus"]) for seat in state(served)["seats"]] == [
        (14, 8, 0), (14, 0, 0), (6, 0, 0), (18, 0, 3)
    ]  # fmt: skip
    assert do(served, "next")[0] == 200
    now = state(served)
    assert (now["account"], now["setup"]["dealer"], now["phase"]) == ([-1, 0, -4, 5], 2, "waiting")


def test_undo_redo_and_confirm(served: Served) -> None:
    served.begin()
    served.play(0, 1)
    served.write(ActionTaken(RECORD.actions[1], sure=False))
    seq = served.state.seq
    assert state(served)["history"][-1]["sure"] is False
    assert do(served, "confirm", target=seq)[0] == 200
    assert state(served)["history"][-1]["sure"] is True
    assert do(served, "undo")[0] == 200
    assert len(state(served)["history"]) == 1
    assert do(served, "redo")[0] == 200
    assert len(state(served)["history"]) == 2


def test_a_stale_command_changes_nothing(served: Served) -> None:
    served.begin()
    seen = served.state.seq
    served.play(0, 1)
    status, answer = served.post("/api/undo", {"seen": seen})
    assert status == 409
    assert answer["code"] == "stale"
    assert len(served.deal.done) == 1


def test_a_question_is_answered_once(served: Served) -> None:
    served.begin()
    first, second = Action.parse("2 mate 7? 7S"), Action.parse("2 mate 7? 7H")
    served.write(ActionTaken(RECORD.actions[0]), Asked(((first,), (second,)), "Which 7?"))
    question = state(served)["questions"][0]
    assert [choice["lines"] for choice in question["choices"]] == [["2 mate 7? 7S"], ["2 mate 7? 7H"]]
    assert do(served, "answer", question=question["seq"], choice=1)[0] == 200
    assert served.deal.done[-1].action == second
    assert do(served, "answer", question=question["seq"], choice=0)[0] == 409


def test_a_corrected_card_reaches_the_game_and_the_eye(served: Served) -> None:
    served.begin()
    assert do(served, "correct", was="JH", now="JD", track=4)[0] == 200
    assert Card.parse("JD") in served.deal.position.setup.table
    assert EYE.corrected == [("JH", "JD", 4)]


def test_a_card_that_the_deal_does_not_know_is_corrected_in_the_picture_only(served: Served) -> None:
    before = served.state.seq
    assert do(served, "correct", was="5?", now="5D", track=9)[0] == 200
    assert served.state.seq == before
    assert EYE.corrected == [("5?", "5D", 9)]
    assert do(served, "correct", was="5C", now="5D")[0] == 400


def test_a_deal_is_begun_and_begun_over_by_hand(served: Served) -> None:
    table = " ".join(map(str, RECORD.setup.table))
    assert do(served, "begin", table=table)[0] == 200
    assert served.deal.number == 1
    assert do(served, "again")[0] == 200
    assert served.state.deal is None
    status, answer = do(served, "begin", table="7S 7S")
    assert status == 400
    assert "LLD-6" in answer["error"]


def test_the_table_is_set(served: Served) -> None:
    names = ["Ann, the first", "Bea", "Cy", "Di"]
    body = {"game": "laugh-and-lie-down", "players": 4, "dealer": 3, "names": names, "options": {"help": "silent"}}
    assert do(served, "setup", **body)[0] == 200
    now = state(served)["setup"]
    assert (now["dealer"], now["names"][0], now["options"]) == (3, "Ann the first", {"help": "silent"})
    assert do(served, "session", **(body | {"players": 3, "names": [], "dealer": 1}))[0] == 200
    assert len(state(served)["seats"]) == 3


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("undo", {}),
        ("undo", {"seen": "1"}),
        ("action", {"line": "2 mate"}),
        ("action", {"line": "hello"}),
        ("action", {"line": "2 mate 99 7S"}),
        ("action", {"line": 7}),
        ("action", {"line": "x" * 5000}),
        ("answer", {"question": None}),
        ("correct", {"was": "7S", "now": "1X"}),
        ("begin", {"table": "7S 8Q"}),
        ("setup", {"game": "bridge", "players": 4, "dealer": 1}),
        ("setup", {"game": "laugh-and-lie-down", "players": 40, "dealer": 1}),
        ("setup", {"game": "laugh-and-lie-down", "players": 4, "dealer": 9}),
        ("setup", {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": ["a"]}),
        ("setup", {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": [1, 2, 3, 4]}),
        ("setup", {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": ["\ud800", "b", "c", "d"]}),
        ("setup", {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": ["a\x00", "b", "c", "d"]}),
        ("setup", {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "options": {"help": 3}}),
    ],
)
def test_bad_input_gets_one_line_and_changes_nothing(served: Served, path: str, body: dict[str, Any]) -> None:
    served.begin()
    before = served.state
    status, answer = served.post(f"/api/{path}", {"seen": before.seq, **body} if body or path != "undo" else body)
    assert status == 400, answer
    assert "\n" not in answer["error"]
    assert "Traceback" not in str(answer)
    assert served.state == before


def test_an_unknown_option_is_refused_by_the_first_deal(served: Served) -> None:
    body = {"game": "laugh-and-lie-down", "players": 4, "dealer": 1, "names": [], "options": {"jokers": "yes"}}
    status, answer = do(served, "setup", **body)
    assert status == 400
    assert "jokers" in answer["error"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"text"', b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(served: Served, body: bytes) -> None:
    assert served.post("/api/undo", body)[0] == 400


def test_only_this_page_may_command(served: Served) -> None:
    body = {"seen": served.state.seq}
    assert served.post("/api/again", body, {"Origin": "http://elsewhere.example"})[0] == 403
    assert served.post("/api/again", body, {"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert served.post("/api/again", body, {"Content-Type": "text/plain"})[0] == 415
    assert served.get("/", {"Host": "elsewhere.example"})[0] == 400
    huge = served.app.test_client().post("/api/again", data=b"x" * (5 * 1024 * 1024), content_type="application/json")
    assert huge.status_code == 413


def test_every_answer_is_guarded(served: Served) -> None:
    client = served.app.test_client()
    for path in ("/", "/api/state", "/picture.jpg", "/static/main.js", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"


def test_nothing_comes_from_elsewhere(served: Served) -> None:
    client = served.app.test_client()
    static = Path(served.app.static_folder or "")
    texts = [client.get("/").get_data(as_text=True)]
    texts += [path.read_text(encoding="utf-8") for path in static.iterdir() if path.suffix in (".js", ".css")]
    for text in texts:
        assert "//cdn" not in text
        assert "https://" not in text
        assert " style=" not in text
        assert "onclick=" not in text


def test_pictures_are_sent_once(served: Served) -> None:
    assert served.get("/picture.jpg")[0] == 404
    served.pictures.put(7, np.full((90, 160, 3), 120, np.uint8))
    client = served.app.test_client()
    first = client.get("/picture.jpg?frame=7")
    assert (first.status_code, first.mimetype) == (200, "image/jpeg")
    assert client.get("/picture.jpg?frame=7", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    decoded = cv2.imdecode(np.frombuffer(first.data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (90, 160, 3)


def test_large_pictures_are_made_smaller_and_old_ones_forgotten(served: Served) -> None:
    for number in range(10):
        served.pictures.put(number, np.full((1500, 2600, 3), number, np.uint8))
    number, data = served.pictures.jpeg(0) or (0, b"")
    assert number == 9
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape[1] == 1280


def test_the_pages_camera(served: Served) -> None:
    status, _ = served.post("/api/camera-frame", b"\xff\xd8picture", {"Content-Type": "image/jpeg"})
    assert status == 204
    assert EYE.pictures == [b"\xff\xd8picture"]
    assert served.post("/api/camera-frame", {"a": 1})[0] == 415


def test_a_journal_that_can_not_be_written_stops_the_command(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.begin()

    def full(*_: object) -> None:
        raise JournalError("the disk is full")

    monkeypatch.setattr(served.journal, "append", full)
    before = served.state
    status, answer = do(served, "action", line="2 mate 7? 7S 7H 7C")
    assert (status, answer["error"]) == (503, "the disk is full")
    assert served.state == before


def test_a_failure_inside_is_one_line(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret inside")

    monkeypatch.setattr(served.session, "perform", broken)
    status, answer = do(served, "undo")
    assert status == 500
    assert "secret" not in str(answer)


def test_the_stream_gives_the_newest_and_then_what_changes(served: Served) -> None:
    events: list[bytes] = []
    with socket.create_connection(("127.0.0.1", served.server.port), timeout=10) as browser:
        browser.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

        def read() -> None:
            with contextlib.suppress(OSError):
                while piece := browser.recv(65536):
                    events.append(piece)

        threading.Thread(target=read, daemon=True).start()
        eventually(lambda: b"Agnes deals" in b"".join(events))
        served.begin()
        eventually(lambda: b"Bertram's turn" in b"".join(events))
        browser.shutdown(socket.SHUT_RDWR)


def test_streams_are_capped_and_their_places_come_back() -> None:
    board = Board(cap=2)
    first, second = board.stream(), board.stream()
    assert first is not None
    assert second is not None
    assert board.stream() is None
    first.close()  # type: ignore[attr-defined]
    assert board.stream() is not None


def test_pages_that_were_closed_leave_their_places_to_others(served: Served) -> None:
    def ask() -> tuple[socket.socket, bytes]:
        browser = socket.create_connection(("127.0.0.1", served.server.port), timeout=20)
        browser.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return browser, browser.recv(12)

    opened = [ask() for _ in range(STREAM_CAP)]
    assert {answer for _, answer in opened} == {b"HTTP/1.1 200"}
    refused, answer = ask()
    assert answer == b"HTTP/1.1 503"
    assert served.get("/api/state")[0] == 200
    for browser, _ in [*opened, (refused, b"")]:
        browser.close()

    def free_again() -> bool:
        served.board.post("view", {"frame": time.monotonic()})
        browser, answer = ask()
        browser.close()
        return answer == b"HTTP/1.1 200"

    eventually(free_again)


def test_polling_gives_only_what_is_newer(served: Served) -> None:
    _, first = served.get("/api/state")
    since = f"/api/state?since={first['version']}&start={first['start']}"
    _, same = served.get(since)
    assert same == {"start": first["start"], "version": first["version"]}
    served.begin()
    _, later = served.get(since)
    assert later["state"]["phase"] == "playing"


def test_a_port_in_use_is_told(served: Served) -> None:
    with pytest.raises(PortInUse, match="--port"):
        Server(served.app, port=served.server.port)


@pytest.mark.parametrize("name", ["\u0301\u0302", "\u3164", "\u2800 \u2800", "\u115f\u0308", "\u180b"])
def test_a_name_can_be_seen(served: Served, name: str) -> None:
    setup = {"seen": served.session.state.seq, "game": "laugh-and-lie-down", "players": 3, "dealer": 1}
    before = served.session.setup
    status, told = served.post("/api/setup", {**setup, "names": [name, "", ""]})
    assert (status, told["code"]) == (400, "bad-names")
    assert served.session.setup == before
    assert served.post("/api/setup", {**setup, "names": ["Zoe\u0308", "", "7"]})[0] == 200


def test_what_is_no_card_is_told_in_the_reader_s_language(served: Served) -> None:
    said = "„XX“ ist keine Karte: erst der Rang, dann die Farbe, etwa AS, TD oder QH (7? und ??, wenn unbekannt)"
    for path, body in (
        ("correct", {"was": "XX", "now": "AS"}),
        ("begin", {"table": "AS XX"}),
        ("action", {"line": "1 mate XX"}),
    ):
        asked = {"seen": served.session.state.seq, **body}
        _, told = served.post(f"/api/{path}", asked, {"Accept-Language": "de"})
        assert (told["code"], told["error"]) == ("bad-card", said), path
