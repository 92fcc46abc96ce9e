"""Face-down cards on drawn tables: seen, held, given up; what is no back is none."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from assistant.cards import UNKNOWN, Card
from assistant.view import STOCK, FaceDown, Point, SeenCard, Zone
from vision.face_down import BackWatch, Quad, find_pieces
from vision.recogniser import Image
from vision.render.packs import Face, Pack, house_pack
from vision.render.spread import cloth, lay
from vision.table_plane import usual_plane
from vision.zones import propose

WIDTH, HEIGHT = 1280, 720
PLANE = usual_plane(WIDTH / HEIGHT)
TALL = 88.0 * WIDTH / 1000.0
"""How tall a card is in these pictures, in pixels: the usual plane shows a metre of table."""
Spot = tuple[float, float]


def with_back(back: Face) -> Pack:
    """A pack whose every face is its back."""
    return Pack("backs", MappingProxyType(dict.fromkeys(house_pack().faces, back)))


def plain_back(colour: tuple[int, int, int]) -> Face:
    """A white border and a lattice (RGB)."""
    face = np.full((440, 315, 4), 255, np.uint8)
    face[20:-20, 20:-20, :3] = colour
    for k in range(-440, 440, 24):
        cv2.line(face, (k, 20), (k + 400, 420), (*(value // 2 + 100 for value in colour), 255), 3)
    face[:20, :, :3] = face[-20:, :, :3] = 250
    return face


def house_back() -> Face:
    back = house_pack().back
    assert back is not None
    return back


BACKS = {"house": house_back(), "red": plain_back((170, 30, 40)), "blue": plain_back((30, 50, 150))}
ACE = Card.parse("AS")


def table(
    *spots: tuple[float, float, float], back: Face = BACKS["house"], faces: Sequence[tuple[str, Spot]] = ()
) -> Image:
    """A cloth with backs (middle in pixels, degrees) and faces."""
    picture = cloth(HEIGHT, WIDTH)
    for name, spot in faces:
        lay(picture, house_pack(), Card.parse(name), spot, TALL)
    for x, y, degrees in spots:
        lay(picture, with_back(back), ACE, (x, y), TALL, degrees)
    return picture


class Resting:
    """A table on which nothing has moved since a time."""

    def __init__(self, moved: float = -9.0) -> None:
        self.moved = moved

    def still_since(self, quad: Sequence[Point]) -> float:
        return self.moved


def seen(*pictures: Image, place: Resting | None = None, cards: Sequence[Quad] = ()) -> tuple[FaceDown, ...]:
    watch = BackWatch()
    for number, picture in enumerate(pictures):
        watch.look(picture, number / 5, PLANE, cards, place or Resting())
    return watch.seen(propose("sbros", 2))


@pytest.mark.parametrize("name", BACKS)
@pytest.mark.parametrize("degrees", [0, 30, 90])
def test_a_card_that_lies_face_down_is_seen(name: str, degrees: float) -> None:
    (back,) = seen(*[table((640, 600, degrees), back=BACKS[name])] * 3)
    middle = np.mean(back.quad, axis=0) * (WIDTH, HEIGHT)
    assert np.linalg.norm(middle - (640, 600)) < 5
    assert back.zone == Zone(1, "reset")
    assert back.since == 0.0


def test_it_takes_several_looks() -> None:
    assert seen(*[table((640, 600, 0))] * 2) == ()


def test_a_squared_heap_is_one_back() -> None:
    heap = table(*[(1150 + k % 3, 360 - k % 2, k % 3 - 1) for k in range(8)])
    (back,) = seen(*[heap] * 3)
    assert back.zone == STOCK


def test_a_row_of_packets_is_seen_once_their_back_is_known() -> None:
    one, row = table((400, 600, 0)), table(*[(400 + 36 * k, 600, 0) for k in range(4)])
    (heap,) = seen(*[one] * 3, *[row] * 3)
    assert np.ptp(heap.quad, axis=0)[0] * WIDTH > 150
    assert heap.since == 0.6
    assert seen(*[row] * 3) == ()


@pytest.mark.parametrize("name", ["AS", "2D", "7H", "TC", "JS", "QD", "KH"])
def test_a_face_that_was_not_read_is_no_back(name: str) -> None:
    assert seen(*[table(faces=[(name, (640, 360))])] * 4) == ()
    assert seen(*[(table(faces=[(name, (640, 360))]) * 0.6).astype(np.uint8)] * 4) == ()


ASIDE: Spot = (640, 600)


def faces(watch: BackWatch, *pictures: Image, cards: Sequence[Quad] = (), t: float = 0.0) -> tuple[SeenCard, ...]:
    """The unread faces after looks at these pictures, five a second."""
    for number, picture in enumerate(pictures):
        watch.look(picture, t + number / 5, PLANE, cards, Resting())
    return watch.unread(t + len(pictures) / 5, propose("sbros", 2))


def test_a_face_that_nobody_reads_for_two_seconds_is_a_card_that_may_be_any() -> None:
    watch, picture = BackWatch(), table(faces=[("7H", ASIDE)])
    assert faces(watch, *[picture] * 8) == ()
    (face,) = faces(watch, *[picture] * 4, t=1.6)
    assert (face.card, face.zone, face.since) == (UNKNOWN, Zone(1, "reset"), 0.0)
    assert np.linalg.norm(np.mean(face.quad, axis=0) * (WIDTH, HEIGHT) - ASIDE) < 5


def test_unread_faces_have_numbers_of_their_own_and_keep_them() -> None:
    watch, one, other = BackWatch(), table(faces=[("7H", ASIDE)]), table(faces=[("7H", ASIDE), ("9C", (760, 600))])
    (first,) = faces(watch, *[one] * 12)
    both = faces(watch, *[other] * 12, t=3.0)
    assert {face.track for face in both} == {first.track, first.track + 1}
    assert first.track > 100_000


def test_a_face_is_unread_no_more_once_it_is_read_or_taken() -> None:
    watch, picture = BackWatch(), table(faces=[("7H", ASIDE)])
    (face,) = faces(watch, *[picture] * 12)
    assert faces(watch, picture, cards=[face.quad], t=3.0) == ()
    assert faces(watch, *[picture] * 12, t=4.0)
    assert faces(watch, table(), t=7.0) == ()


def test_a_white_piece_where_no_face_up_cards_are_played_may_be_anything() -> None:
    assert faces(BackWatch(), *[table(faces=[("7H", (1150, 360))])] * 12) == ()


def test_what_is_known_to_be_a_card_is_no_back() -> None:
    quad = tuple((x / WIDTH, y / HEIGHT) for x, y in ((595, 300), (685, 300), (685, 420), (595, 420)))
    assert len(quad) == 4
    assert seen(*[table((640, 360, 0))] * 3, cards=[quad]) == ()


def test_what_a_known_card_covers_in_part_is_no_back() -> None:
    quad = tuple((x / WIDTH, y / HEIGHT) for x, y in ((695, 300), (785, 300), (785, 420), (695, 420)))
    assert len(quad) == 4
    assert seen(*[table((660, 360, 0))] * 3, cards=[quad]) == ()


def test_things_of_other_shapes_are_no_backs() -> None:
    picture = cloth(HEIGHT, WIDTH)
    cv2.circle(picture, (300, 300), 60, (160, 60, 40), -1)
    cv2.rectangle(picture, (600, 200), (697, 396), (30, 25, 25), -1)
    cv2.rectangle(picture, (900, 300), (930, 330), (20, 20, 180), -1)
    cv2.line(picture, (1000, 719), (1050, 500), (120, 150, 210), 70)
    assert seen(*[picture] * 4) == ()


def test_nothing_is_said_of_a_place_that_moves() -> None:
    assert seen(*[table((640, 600, 0))] * 3, place=Resting(moved=0.35)) == ()


def test_a_back_that_was_taken_away_is_gone_and_one_under_a_hand_stays() -> None:
    down, empty = table((640, 600, 0)), table()
    hand = cv2.circle(down.copy(), (640, 600), 120, (120, 150, 205), -1)
    assert seen(*[down] * 3, *[empty] * 3) == ()
    assert len(seen(*[down] * 3, *[np.asarray(hand, np.uint8)] * 8)) == 1


def test_a_back_goes_along_when_the_camera_is_pushed() -> None:
    watch = BackWatch()
    for number in range(3):
        watch.look(table((640, 600, 0)), number / 5, PLANE, (), Resting())
    watch.carry(np.array([[1, 0, 0.1], [0, 1, 0], [0, 0, 1.0]]))
    (back,) = watch.seen(propose("sbros", 2))
    assert np.mean(back.quad, axis=0)[0] == pytest.approx(0.6, abs=0.01)
    watch.clear()
    assert watch.seen(propose("sbros", 2)) == ()


def test_light_that_falls_off_to_one_side_hides_no_back() -> None:
    slope = np.linspace(1.15, 0.6, WIDTH)[None, :, None]
    picture = np.clip(table((200, 600, 0), (1100, 600, 10)) * slope, 0, 255).astype(np.uint8)
    assert len([piece for piece in find_pieces(picture, PLANE) if piece.single]) == 2
