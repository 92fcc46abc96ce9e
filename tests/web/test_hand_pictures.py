"""A hand that is shown to the phone's camera: what the program sees in the picture, what it refuses, and that the table
goes on meanwhile."""

from __future__ import annotations

import doctest
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from assistant import session as deciding
from assistant.cards import Card, parse_cards
from assistant.games.game import Setup
from tests.web.hand_fans import fan, jpeg
from tests.web.served import RECORD, Served, eventually
from vision.onnx_recogniser import OnnxRecogniser
from vision.recogniser import Image, ModelsMissing, Reading, Recognition
from web import hand_pictures
from web.hand_pictures import HandPictures, seen_hand
from web.help_level import REFEREE, with_level

HAND = RECORD.setup.hands[2]
NOWHERE = np.zeros((4, 2), np.float32)


@pytest.fixture(scope="module")
def networks() -> HandPictures:
    return HandPictures(lambda: OnnxRecogniser.load(threads=1))


@pytest.fixture
def served(tmp_path: Path, networks: HandPictures) -> Iterator[Served]:
    page = Served(tmp_path, hand_pictures=networks)
    yield page
    page.close()


class Fixed:
    """A recogniser that sees the same in every picture, once it is let go."""

    def __init__(self, *readings: Reading) -> None:
        self.readings = readings
        self.go_on = threading.Event()
        self.go_on.set()

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        assert self.go_on.wait(20)
        return Recognition(self.readings, 1.0)


def reading(card: str, confidence: float = 0.99, *others: tuple[str, float]) -> Reading:
    return Reading(
        Card.parse(card), confidence, NOWHERE, others=tuple((Card.parse(one), likely) for one, likely in others)
    )


def look(browser: FlaskClient, seat: int = 2) -> Any:
    return browser.get(f"/api/seat/{seat}").json


def shows(browser: FlaskClient, data: bytes, seat: int = 2, kind: str = "image/jpeg") -> tuple[int, Any]:
    answer = browser.post(f"/api/seat/{seat}/picture", data=data, content_type=kind)
    return answer.status_code, answer.json


def test_docstring_examples() -> None:
    assert doctest.testmod(hand_pictures).failed == 0


def test_the_cards_in_the_picture_are_named_and_told_only_when_the_player_says_so(served: Served) -> None:
    served.begin()
    browser = served.app.test_client()
    browser.get("/seat/2")
    assert look(browser)["camera"] is True
    status, seen = shows(browser, jpeg(fan(HAND)))
    assert status == 200
    assert set(seen["cards"]) == set(map(str, HAND))
    assert (seen["size"], seen["said"]) == (10, "I see 10 of 10 cards.")
    assert look(browser)["phase"] == "tell"


def test_a_hidden_card_is_missing_and_the_number_is_said(served: Served) -> None:
    served.begin()
    status, seen = shows(served.app.test_client(), jpeg(fan(HAND, first=1)))
    assert (status, len(seen["cards"])) == (200, 9)
    assert seen["said"].startswith("I see 9 of 10 cards.")
    assert str(HAND[0]) not in seen["cards"]


def test_cards_that_lie_open_are_no_part_of_the_hand(served: Served) -> None:
    served.begin()
    lying = RECORD.setup.table[0]
    seen = shows(served.app.test_client(), jpeg(fan((*HAND[:9], lying))))[1]
    assert str(lying) not in seen["cards"]
    assert set(seen["cards"]) == set(map(str, HAND[:9]))


@pytest.mark.parametrize(
    ("readings", "cards", "unsure"),
    [
        ([reading("KS")], "KS", ""),
        ([reading("KS", 0.7)], "KS", "KS"),
        ([reading("7S", 0.99, ("7C", 0.005))], "", ""),  # it lies on the table, and is surely that one
        ([reading("7S", 0.6, ("7C", 0.35))], "7C", "7C"),
        ([reading("7?", 0.9, ("7S", 0.5), ("7C", 0.4))], "7C", "7C"),
        ([reading("KS"), reading("KC", 0.5, ("KS", 0.4))], "KS KC", "KC"),
        ([reading("KS"), reading("KS", 0.95)], "KS", ""),
    ],
)
def test_what_is_not_clear_is_marked(readings: list[Reading], cards: str, unsure: str) -> None:
    seen = seen_hand(readings, frozenset(parse_cards("KS KC 7C")))
    assert (seen.cards, seen.unsure) == (parse_cards(cards), frozenset(parse_cards(unsure)))
    assert not any(str(card) in repr(seen) for card in seen.cards)


def test_unsure_cards_and_too_many_are_said(tmp_path: Path) -> None:
    ranks = [reading(f"{rank}{suit}") for rank in "KQ" for suit in "SHDC"]
    looking = HandPictures(lambda: Fixed(*ranks, reading("2S"), reading("3C"), reading("5S", 0.5), reading("9D", 0.6)))
    page = Served(tmp_path, hand_pictures=looking)
    page.begin()
    seen = shows(page.app.test_client(), jpeg(fan(HAND)))[1]
    page.close()
    lying = {card.rank + card.suit for card in RECORD.setup.table}
    assert not lying & set(seen["cards"])
    more = len(seen["cards"])
    assert more > 10
    assert seen["said"] == (
        f"I see {more} cards, but you hold 10: take out what is not yours. "
        "Look at the 2 marked ones: I am not sure of them."
    )
    assert set(seen["unsure"]) == {"5S", "9D"}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"Dear diary, king of spades", "is no picture that can be read"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 40, "The picture: is no"),
        (jpeg(fan(HAND))[:20000], "cut off"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line(served: Served, data: bytes, says: str) -> None:
    served.begin()
    status, answer = shows(served.app.test_client(), data)
    assert (status, answer["code"]) == (400, "bad-picture")
    assert says in answer["error"]
    assert "\n" not in answer["error"]


def test_large_ones_other_kinds_and_pictures_at_the_wrong_time_are_refused(served: Served) -> None:
    browser = served.app.test_client()
    good = jpeg(fan(HAND))
    assert shows(browser, good)[1]["code"] == "no-deal"
    served.begin()
    assert shows(browser, b"x" * (4 * 1024 * 1024 + 1))[0] == 413
    assert shows(browser, b"{}", kind="application/json")[0] == 415
    assert shows(browser, good, kind="image/png")[0] == 415
    assert shows(browser, good, seat=5)[0] == 404
    served.play()
    assert shows(browser, good)[1]["code"] == "no-deal"


def test_where_no_pictures_are_read_the_page_says_so(tmp_path: Path) -> None:
    page = Served(tmp_path)
    page.begin()
    browser = page.app.test_client()
    assert look(browser)["camera"] is False
    assert shows(browser, jpeg(fan(HAND)))[1]["code"] == "no-recogniser"
    page.close()


def test_a_seat_has_one_picture_looked_at_and_takes_no_other_seats_place(tmp_path: Path) -> None:
    slow = Fixed(reading(str(HAND[0])))
    slow.go_on.clear()
    page = Served(tmp_path, hand_pictures=HandPictures(lambda: slow))
    page.begin()
    good, answers = jpeg(fan(HAND)), list[tuple[int, int]]()

    def come(seat: int) -> None:
        answers.append((seat, shows(page.app.test_client(), good, seat)[0]))

    coming = [threading.Thread(target=come, args=(2,)) for _ in range(8)]
    for one in coming:
        one.start()
    eventually(lambda: answers == [(2, 503)] * 7)
    coming += [threading.Thread(target=come, args=(seat,)) for seat in (1, 3, 4)]
    for one in coming[8:]:
        one.start()
    slow.go_on.set()
    for one in coming:
        one.join()
    assert sorted(answers[7:]) == [(seat, 200) for seat in (1, 2, 3, 4)]
    assert shows(page.app.test_client(), good)[0] == 200
    page.close()


@pytest.mark.parametrize("kind", [".png", ".webp"])
def test_a_picture_of_another_kind_is_not_decoded_whatever_it_is_called(served: Served, kind: str) -> None:
    served.begin()
    status, told = shows(served.app.test_client(), cv2.imencode(kind, fan(HAND))[1].tobytes())
    assert (status, told["code"]) == (400, "bad-picture")
    assert "is no JPEG" in told["error"]


def test_the_game_goes_on_while_a_picture_is_looked_at(tmp_path: Path) -> None:
    slow, answers = Fixed(*(reading(str(card)) for card in HAND)), list[Any]()
    slow.go_on.clear()
    page = Served(tmp_path, hand_pictures=HandPictures(lambda: slow))
    page.begin()
    showing = threading.Thread(target=lambda: answers.append(shows(page.app.test_client(), jpeg(fan(HAND)))[1]))
    showing.start()
    page.play(0, 2)
    assert page.get("/api/state")[1]["state"]["headline"]["text"] == "Cecily's turn"
    assert look(page.app.test_client())["size"] == 9
    assert answers == []
    slow.go_on.set()
    showing.join()
    assert answers[0]["size"] in (9, 10)  # the table may have been asked before the seven went
    page.close()


@pytest.mark.parametrize(
    ("fails", "status", "says"),
    [
        (ModelsMissing, 409, "Pictures of hands are not read here: tap the cards"),
        (RuntimeError, 500, "The picture could not be read: tap the cards"),
    ],
)
def test_networks_that_are_missing_or_fail_leave_the_cards_to_be_tapped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fails: type[Exception], status: int, says: str
) -> None:
    def failing() -> OnnxRecogniser:
        raise fails(f"secret: {HAND[0]}")

    page = Served(tmp_path, hand_pictures=HandPictures(failing))
    page.begin()
    answered, answer = shows(page.app.test_client(), jpeg(fan(HAND)))
    page.close()
    assert (answered, answer["error"]) == (status, says)
    assert fails.__name__ in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("setup", "hand"), [("rolling-stone", "9C JC 7S 8S AS KD QD TH"), ("sbros", "TH 3D JS 2H KC 5D")]
)
def test_the_other_games_hands_are_seen_too(served: Served, setup: str, hand: str) -> None:
    players, table = (4, "") if setup == "rolling-stone" else (2, "TS 3H")
    dealt = Setup(setup, players, 1, table=parse_cards(table))
    served.session.perform(lambda now: deciding.begin_session(Setup(setup, players, 1), now.place))
    served.session.perform(lambda now: deciding.begin_deal(now, dealt))
    seen = shows(served.app.test_client(), jpeg(fan(parse_cards(hand))))[1]
    assert set(seen["cards"]) == set(hand.split())


def test_a_hand_may_be_shown_to_a_table_that_wants_no_hints(served: Served) -> None:
    served.session.perform(lambda now: deciding.set_table(now, with_level(served.session.setup, REFEREE)))
    served.begin()
    assert shows(served.app.test_client(), jpeg(fan(HAND)))[0] == 200
