"""The virtual table's geometry, and hands that do what the record says."""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import PACK, Card, parse_cards
from assistant.view import TABLE, Zone
from tests.vision.render_deals import SHORT, played_deal, script_of
from vision.render.camera import Camera
from vision.render.casting import cast
from vision.render.film import Script, choreographer
from vision.render.gesture import Gesture, ImpossibleStep, Pace, Piece, Step
from vision.render.habits import Habits, UnknownHabit
from vision.render.table_scene import Pose, TableScene
from vision.zones import layout_from_json

CAMERA = Camera()


def gestures_of(script: Script, habits: Habits | None = None, seed: int = 0) -> tuple[Gesture, ...]:
    return choreographer(script, habits=habits, seed=seed).gestures()


def where_cards_lie(gestures: tuple[Gesture, ...]) -> dict[Piece, Zone]:
    """Plays the gestures' changes in order of time; fails where a card is picked up that does not lie there."""
    lying: dict[Piece, Zone] = {}
    for point in sorted((point for gesture in gestures for point in gesture.points), key=lambda point: point.t):
        for card in point.pick:
            del lying[card]
        for put in point.put:
            assert put.card not in lying
            lying[put.card] = put.zone
    return lying


def seen(x: float, y: float) -> tuple[float, float]:
    pixel = CAMERA.project(np.array([[x, y, 0.0]]))[0]
    return float(pixel[0]) / CAMERA.width, float(pixel[1]) / CAMERA.height


def test_the_plane_and_the_projection_agree_and_higher_cards_look_larger() -> None:
    flat = CAMERA.project(Pose(120, -60, 30, 25).outline())
    for corner, (x, y, _) in zip(flat, Pose(120, -60, 30).outline(), strict=True):
        by_plane = CAMERA.plane(25.0) @ np.array([x, y, 1.0])
        assert by_plane[:2] / by_plane[2] == pytest.approx(corner)
    sizes = [cv2.contourArea(CAMERA.project(Pose(0, 0, 0, z).outline()).astype(np.float32)) for z in (0.0, 40.0)]
    assert sizes[1] > sizes[0] * 1.05


def test_a_camera_can_be_moved_away_until_it_holds_the_table() -> None:
    steep = Camera(tilt=40.0)
    assert steep.holding_all().distance > steep.distance
    assert CAMERA.holding_all() == CAMERA


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_card_lies_in_its_own_zone_of_the_layout_and_in_the_picture(players: int) -> None:
    scene = TableScene(players)
    layout = layout_from_json(scene.layout(CAMERA), players)
    for x, y in scene.pool_spots()[: scene.pool_layer]:
        assert layout.zone_at(seen(x, y)) == TABLE
    for seat in range(1, players + 1):
        for size in (2, 10, 24):
            poses = [scene.pile_pose(seat, index, size) for index in range(size)]
            corners = CAMERA.project(np.concatenate([pose.outline() for pose in poses]))
            assert corners.min() >= 0
            assert np.all(corners <= [CAMERA.width, CAMERA.height])
            assert {layout.zone_at(seen(pose.x, pose.y)) for pose in poses} == {Zone(seat)}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_zones_do_not_overlap(players: int) -> None:
    layout = TableScene(players).layout(CAMERA)
    zones = [np.array(layout["table"], np.float32), *(np.array(s["pile"], np.float32) for s in layout["seats"])]
    for index, one in enumerate(zones):
        for other in zones[index + 1 :]:
            assert cv2.intersectConvexConvex(one, other)[0] < 1e-4


def test_each_card_of_a_spread_pile_shows_its_index() -> None:
    scene = TableScene(4)
    for seat in range(1, 5):
        for left, right in pairwise(scene.pile_pose(seat, index, 20) for index in range(20)):
            assert 15 <= math.dist((left.x, left.y), (right.x, right.y)) <= 20


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.sampled_from([3, 4, 5, 6]))
def test_at_the_end_every_card_lies_in_the_pile_that_the_rules_give_it(seed: int, players: int) -> None:
    position = played_deal(seed, players)
    lying = where_cards_lie(gestures_of(script_of(position), seed=seed))
    assert set(lying) == set(PACK)
    settlement = position.settlement()
    assert settlement is not None
    for entry in settlement["seats"]:
        assert list(lying.values()).count(Zone(entry["seat"])) == entry["cards"]


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_habits_change_no_card_s_zone(seed: int) -> None:
    script = script_of(played_deal(seed, 4))
    habits = Habits(squared=True, shift=0.4, lift=0.4, rest=0.3, quick=0.4, take_back=0.4, overlap=0.3)
    assert where_cards_lie(gestures_of(script, habits, seed)) == where_cards_lie(gestures_of(script))


def test_the_table_lies_still_between_actions_and_one_hand_moves_at_a_time() -> None:
    gestures = gestures_of(SHORT)
    actions = [gesture for gesture in gestures if gesture.step is not None]
    assert [gesture.words for gesture in actions] == [str(step) for step in SHORT.steps]
    for before, after in pairwise(actions):
        assert after.begin - before.end >= Pace().still


def test_quick_players_overlap() -> None:
    actions = [gesture for gesture in gestures_of(SHORT, Habits(quick=1.0)) if gesture.step is not None]
    assert all(after.begin < before.end for before, after in pairwise(actions))


def test_a_seat_without_cards_shows_its_hand_and_moves_nothing() -> None:
    script = Script(3, 1, parse_cards("KS"), {2: ()}, (Step(2, "lie-down"),))
    shown = next(gesture for gesture in gestures_of(script) if gesture.step == 0)
    assert shown.shape == "flat"
    assert not any(point.put or point.pick for point in shown.points)


@pytest.mark.parametrize(
    ("step", "word"),
    [
        (Step(2, "mate", parse_cards("9H 9S")), "9S doesn't lie on the table"),
        (Step(2, "mate", parse_cards("AH KS")), "hand doesn't hold"),
        (Step(2, "cover", parse_cards("AH KS")), "knows no 'cover'"),
    ],
)
def test_an_impossible_step_is_named(step: Step, word: str) -> None:
    script = Script(3, 1, parse_cards("KS"), {2: parse_cards("9H")}, (step,))
    with pytest.raises(ImpossibleStep, match=word):
        gestures_of(script)


def test_partly_known_cards_get_faces_that_contradict_nothing() -> None:
    table = parse_cards("7S KD")
    steps = [
        Step(2, "mate", parse_cards("7? 7S")),
        Step(3, "lie-down", parse_cards("?? 9?")),
        Step(1, "mate", parse_cards("9S 9H")),
        Step(2, "mate", parse_cards("K? K?")),
    ]
    told = cast(table, steps)
    assert all(card.known for step in told for card in step.cards)
    assert all(
        old.matches(new) for a, b in zip(steps, told, strict=True) for old, new in zip(a.cards, b.cards, strict=True)
    )
    assert Card.parse("9H") in told[1].cards
    assert told[3].cards[1] == Card.parse("KD")
    hand_cards = [told[0].cards[0], *told[1].cards, told[2].cards[0], told[3].cards[0]]
    assert len({*hand_cards, *table}) == len(hand_cards) + len(table)


def test_too_many_partly_known_cards_of_a_rank_are_refused() -> None:
    with pytest.raises(ImpossibleStep, match="one pack"):
        cast(parse_cards("7S 7H"), [Step(2, "lay", parse_cards("7? 7?")), Step(3, "lay", parse_cards("7? 7?"))])


def test_habits_are_read_and_wrong_ones_named() -> None:
    assert Habits.parse(["squared", "take-back", "bumps=2"]) == Habits(squared=True, take_back=0.2, bumps=2)
    for wrong in ("dance", "thing=elephant", "shift=2", "lift=often"):
        with pytest.raises(UnknownHabit, match=wrong.split("=")[0]):
            Habits.parse([wrong])
