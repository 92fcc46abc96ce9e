"""A face that nobody could read is the same card once it is read, if nothing has moved there."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.cards import UNKNOWN, Card
from assistant.view import TABLE, Point, SeenCard
from vision.face_down import Quad
from vision.unread_faces import UnreadFaces

FACE = 1_000_000


def at(x: float) -> Quad:
    return (x, 0.5), (x + 0.1, 0.5), (x + 0.1, 0.7), (x, 0.7)


def face(x: float = 0.5) -> SeenCard:
    return SeenCard(FACE, UNKNOWN, 0.5, TABLE, at(x), since=2.0)


def card(name: str, track: int, x: float) -> SeenCard:
    return SeenCard(track, Card.parse(name), 0.9, TABLE, at(x), since=8.0)


class Moved:
    """A table on which something moved last at a time."""

    def __init__(self, moved: float = 1.9) -> None:
        self.moved = moved

    def still_since(self, quad: Sequence[Point]) -> float:
        return self.moved


def tracks(cards: Sequence[SeenCard]) -> list[int]:
    return [seen.track for seen in cards]


def test_it_lies_there_beside_the_cards_that_are_read() -> None:
    faces = UnreadFaces()
    assert tracks(faces.joined([card("7H", 1, 0.2)], [face()], Moved())) == [1, FACE]


def test_once_it_is_read_it_is_the_same_card() -> None:
    faces = UnreadFaces()
    faces.joined([card("7H", 1, 0.2)], [face()], Moved())
    after = faces.joined([card("7H", 1, 0.2), card("AS", 2, 0.51)], [], Moved())
    assert tracks(after) == [1, FACE]
    assert str(after[1].card) == "AS"
    assert faces.track_of(FACE) == 2
    assert faces.track_of(1) == 1


def test_it_is_still_that_card_where_it_lies_later() -> None:
    faces = UnreadFaces()
    faces.joined([], [face()], Moved())
    faces.joined([card("AS", 2, 0.5)], [], Moved())
    assert tracks(faces.joined([card("AS", 2, 0.1)], [], Moved(9.0))) == [FACE]


def test_what_came_there_later_is_another_card() -> None:
    faces = UnreadFaces()
    faces.joined([], [face()], Moved())
    assert tracks(faces.joined([card("AS", 2, 0.5)], [], Moved(7.0))) == [2]


def test_a_card_that_lay_elsewhere_before_is_none_of_them() -> None:
    faces = UnreadFaces()
    faces.joined([card("7H", 1, 0.2)], [face()], Moved())
    assert tracks(faces.joined([card("7H", 1, 0.5)], [], Moved())) == [1]


def test_a_face_under_a_card_that_is_read_there_is_no_further_card() -> None:
    faces = UnreadFaces()
    faces.joined([card("7H", 1, 0.5)], [], Moved())
    assert tracks(faces.joined([card("7H", 1, 0.5)], [face(0.52)], Moved())) == [1]


def test_it_has_the_name_that_a_person_gives_it() -> None:
    faces = UnreadFaces()
    faces.joined([], [face()], Moved())
    assert faces.pin(FACE, Card.parse("7H"))
    (named,) = faces.joined([], [face()], Moved())
    assert (str(named.card), named.confidence) == ("7H", 1.0)
    assert faces.pin(FACE, None)
    assert faces.joined([], [face()], Moved())[0].card == UNKNOWN
    assert not faces.pin(7, Card.parse("AS"))


def test_what_a_person_called_it_goes_before_what_is_read_of_it_later() -> None:
    faces = UnreadFaces()
    faces.joined([], [face()], Moved())
    faces.pin(FACE, Card.parse("AS"))
    (named,) = faces.joined([card("TH", 2, 0.5)], [], Moved())
    assert (str(named.card), named.confidence, named.track) == ("AS", 1.0, FACE)
    faces.pin(FACE, None)
    (read,) = faces.joined([card("TH", 2, 0.5)], [], Moved())
    assert str(read.card) == "TH"


def test_with_other_cards_all_is_forgotten() -> None:
    faces = UnreadFaces()
    faces.joined([], [face()], Moved())
    faces.joined([card("AS", 2, 0.5)], [], Moved())
    faces.clear()
    assert tracks(faces.joined([card("AS", 2, 0.5)], [], Moved())) == [2]
