"""Hands on drawn pictures and on a rendered deal: whose came in, when, over what, and what is no hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from assistant.view import TABLE, Visit, Zone
from tests.vision.render_deals import plain_faces, played_deal, script_of
from vision.gate import Gate
from vision.recogniser import Image
from vision.render.camera import Camera
from vision.render.film import Style, film
from vision.visits import HandWatch
from vision.zones import Layout, propose

WIDTH, HEIGHT = 640, 360
LLD, SBROS = "laugh-and-lie-down", "sbros"
Spot = tuple[float, float]


def table(seed: int, *, light: float = 1.0, shift: int = 0) -> Image:
    """A cloth with a few cards on it, and the camera's noise."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    cloth = cv2.GaussianBlur(np.random.default_rng(7).normal(0, 30, (HEIGHT, WIDTH)), (0, 0), 2) + 90
    picture[:] = np.clip(cloth, 0, 255)[..., None].astype(np.uint8)
    for x in range(200, 460, 60):
        cv2.rectangle(picture, (x + shift, 150 + shift), (x + 40 + shift, 206 + shift), (235, 235, 235), -1)
        cv2.putText(picture, "7", (x + 8 + shift, 185 + shift), 0, 1, (40, 40, 190), 2)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


def with_arm(picture: Image, come_from: Spot, hand: Spot) -> Image:
    """A sleeve from outside the picture to a hand."""
    start, end = (np.array(point) * (WIDTH, HEIGHT) for point in (come_from, hand))
    cv2.line(picture, start.astype(int).tolist(), end.astype(int).tolist(), (60, 40, 40), 44)
    cv2.circle(picture, end.astype(int).tolist(), 30, (120, 150, 205), -1)
    return picture


def reach(come_from: Spot, to: Spot, frames: int = 6) -> list[list[tuple[Spot, Spot]]]:
    """A hand that goes to a place and back, frame by frame."""
    there = np.linspace(0.15, 1.0, frames)
    start, goal = np.array(come_from), np.array(to)
    tips = [start + (goal - start) * share for share in (*there, *there[::-1])]
    return [[(come_from, (float(tip[0]), float(tip[1])))] for tip in tips]


def watched(
    layout: Layout, arms: Sequence[Sequence[tuple[Spot, Spot]]], pictures: Iterable[Image] | None = None
) -> tuple[Visit, ...]:
    """What is seen of arms, a tenth of a second apart, after one second of rest and before another."""
    script: list[Sequence[tuple[Spot, Spot]]] = [*[[]] * 10, *arms, *[[]] * 10]
    gate, watch = Gate(), HandWatch(layout)
    visits: tuple[Visit, ...] = ()
    for number, picture in enumerate(pictures or (table(number) for number in range(len(script)))):
        for come_from, hand in script[number] if number < len(script) else []:
            picture = with_arm(picture, come_from, hand)
        gate.look(picture, number / 10)
        visits = watch.look(*gate.motion, number / 10)
    return visits


def test_the_seat_at_whose_place_the_arm_comes_in_is_told() -> None:
    shoulders = {1: (0.6, 1.4), 2: (-0.3, 0.5), 3: (0.4, -0.4), 4: (1.3, 0.5)}
    for seat, shoulder in shoulders.items():
        visits = watched(propose(LLD, 4), reach(shoulder, (0.5, 0.5)))
        assert [visit.seat for visit in visits] == [seat]
        assert {TABLE, Zone(seat)} == set(visits[0].over)


def test_a_visit_begins_and_ends_with_the_hand() -> None:
    (visit,) = watched(propose(LLD, 4), reach((0.6, 1.4), (0.5, 0.5)))
    assert 1.0 <= visit.begin <= 1.4
    assert visit.end is not None
    assert 1.7 <= visit.end <= 2.2


def test_a_hand_that_is_still_there_has_no_end() -> None:
    arms = reach((0.6, 1.4), (0.5, 0.5))[:6]
    gate, watch = Gate(), HandWatch(propose(LLD, 4))
    for number, arm in enumerate([[]] * 10 + arms):
        picture = table(number)
        for come_from, hand in arm:
            with_arm(picture, come_from, hand)
        gate.look(picture, number / 10)
        visits = watch.look(*gate.motion, number / 10)
    assert [(visit.seat, visit.end) for visit in visits] == [(1, None)]


def test_two_hands_at_once_are_two_visits() -> None:
    one, other = reach((0.6, 1.4), (0.5, 0.75)), reach((0.4, -0.4), (0.5, 0.25))
    visits = watched(propose(LLD, 4), [[*near, *far] for near, far in zip(one, other, strict=True)])
    assert sorted((visit.seat or 0) for visit in visits) == [1, 3]


def test_a_hand_that_rests_is_one_long_visit() -> None:
    way = reach((-0.3, 0.5), (0.3, 0.5))
    (visit,) = watched(propose(LLD, 4), [*way[:6], *[way[5]] * 40, *way[6:]])
    assert visit.seat == 2
    assert visit.end is not None
    assert visit.end - visit.begin > 4.5


def test_a_hand_that_reaches_to_the_far_border_is_still_its_own_seats() -> None:
    (visit,) = watched(propose(LLD, 4), reach((0.58, 1.4), (0.5, 0.0), frames=9))
    assert visit.seat == 1
    assert {Zone(1), TABLE, Zone(3)} == set(visit.over)


def test_a_knock_at_sbros_tells_whose_it_was() -> None:
    visits = watched(
        propose(SBROS, 2), [*reach((0.6, 1.4), (0.55, 0.85)), *[[]] * 8, *reach((0.4, -0.4), (0.45, 0.15))]
    )
    assert [visit.seat for visit in visits] == [1, 2]
    assert visits[0].over == (Zone(1, "reset"),)


def test_the_lamp_and_the_cameras_exposure_are_no_hands() -> None:
    steps = [*[1.0] * 15, *[0.7] * 15, 0.75, 0.8, 0.85, *[0.9] * 15]
    assert watched(propose(LLD, 4), [], [table(number, light=light) for number, light in enumerate(steps)]) == ()


def test_a_push_at_the_camera_is_no_hand_and_the_next_hand_is_seen() -> None:
    layout = propose(LLD, 4)
    pushed = [np.roll(table(number), (0 if number < 15 else 9), axis=1) for number in range(50)]
    assert watched(layout, [], pushed) == ()
    arms = [*[[]] * 15, *reach((0.6, 1.4), (0.5, 0.5))]
    visits = watched(layout, arms, pushed)
    assert [visit.seat for visit in visits] == [1]


def test_a_card_that_changes_is_no_hand() -> None:
    def pictures() -> Iterable[Image]:
        for number in range(40):
            picture = table(number)
            if number > 15:
                cv2.rectangle(picture, (300, 330), (340, 359), (235, 235, 235), -1)
            yield picture

    assert watched(propose(LLD, 4), [], pictures()) == ()


def test_visits_are_forgotten_after_a_minute() -> None:
    gate, watch = Gate(), HandWatch(propose(LLD, 4))
    script: list[list[tuple[Spot, Spot]]] = [*[[]] * 10, *reach((0.6, 1.4), (0.5, 0.5)), *[[]] * 5]
    for number, arm in enumerate(script):
        picture = table(number)
        for come_from, hand in arm:
            with_arm(picture, come_from, hand)
        gate.look(picture, number / 10)
        visits = watch.look(*gate.motion, number / 10)
    assert len(visits) == 1
    gate.look(table(0), 90.0)
    assert watch.look(*gate.motion, 90.0) == ()


def test_on_a_rendered_deal_each_action_is_by_the_seat_whose_hand_came_in() -> None:
    gate, watch = Gate(), HandWatch(propose(LLD, 4))
    found: dict[float, Visit] = {}
    acts: list[tuple[int, float, float]] = []
    script, style = script_of(played_deal(5, 4)), Style(camera=Camera(width=320, height=180), fps=10)
    for frame in film(script, plain_faces(), style):
        gate.look(frame.image, frame.t)
        cards = [(truth.quad / (320, 180)).tolist() for truth in frame.cards if truth.zone is not None]
        found.update({visit.begin: visit for visit in watch.look(*gate.motion, frame.t, cards)})
        acts += [(int(done.words[0]), done.begin, done.t) for done in frame.done if done.step is not None]
        if len(acts) == 9:
            break
    seats = [
        max(found.values(), key=lambda visit: min(end, visit.end or end) - max(begin, visit.begin)).seat
        for _, begin, end in acts
    ]
    assert seats == [seat for seat, _, _ in acts]
