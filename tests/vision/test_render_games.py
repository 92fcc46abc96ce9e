"""Rolling Stone and Sbros on the virtual table: the cards go where the rules have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from assistant.cards import Card, parse_cards
from assistant.games.game import Position
from assistant.record import positions, record_of
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, STOCK, TABLE, Zone
from tests.vision.render_deals import plain_faces, sbros_deal, stone_deal
from vision.render.camera import Camera
from vision.render.film import Frame, Style, choreographer, film, scene_of
from vision.render.gesture import Gesture, ImpossibleStep, LyingCard, Piece, Step
from vision.render.habits import Habits
from vision.render.sbros_scene import CENTRE, STOCK_SPOT, SbrosScene
from vision.render.script import Script
from vision.render.stage import Lighting
from vision.zones import layout_from_json
from web.deal_script import script_of

Lying = dict[Piece, LyingCard]

STYLE = Style(camera=Camera(width=160, height=90), lighting=Lighting(noise=0.0), fps=2)
BUSY = Habits(
    heap=True,
    at_once=0.5,
    shift=0.3,
    lift=0.2,
    rest=0.1,
    quick=0.2,
    straighten=0.3,
    two_step=0.5,
    take_back=0.3,
    overlap=0.3,
)


def script(position: Position) -> Script:
    return script_of(record_of(position))


def after_each(gestures: tuple[Gesture, ...]) -> Iterator[tuple[Gesture, Lying]]:
    """Each gesture with what lies on the table once it is done; fails where a card is picked up that isn't there."""
    lying: Lying = {}
    for gesture in gestures:
        for point in gesture.points:
            for piece in point.pick:
                del lying[piece]
            for put in point.put:
                assert put.card not in lying
                lying[put.card] = put
        yield gesture, dict(lying)


def cards_in(lying: Lying, zone: Zone) -> list[Piece]:
    return [piece for piece, card in lying.items() if card.zone == zone]


@pytest.mark.parametrize(("seed", "players", "habits"), [(1, 4, None), (2, 5, BUSY), (3, 6, None)])
def test_tricks_lie_in_the_middle_and_won_ones_face_down_beside_the_winner(
    seed: int, players: int, habits: Habits | None
) -> None:
    played = stone_deal(seed, players)
    states = [position.observe() for position in positions(record_of(played))]
    told = script(played)
    tricks = picked = now = 0
    lying: Lying = {}
    for gesture, lying in after_each(choreographer(told, habits=habits, seed=seed).gestures()):
        if gesture.step is not None:
            now = gesture.step + 1
            full = any(follow.step == gesture.step for follow in told.follows)
            expected = (*states[now - 1].table, *told.steps[gesture.step].cards) if full else states[now].table
            assert set(cards_in(lying, TABLE)) == set(expected)
            picked += told.steps[gesture.step].verb == "pick-up"
        elif gesture.words == "take-trick":
            tricks += 1
            assert cards_in(lying, TABLE) == []
            for seat, pile in states[now].piles.items():
                won = cards_in(lying, Zone(seat))
                assert set(won) == set(pile)
                assert all(lying[piece].pose.down for piece in won)
    assert tricks == len(told.follows)
    assert picked > 0
    assert lying == {}


@pytest.mark.parametrize(("seed", "habits"), [(1, None), (2, BUSY), (5, replace(BUSY, heap=False))])
def test_covers_draws_discards_and_the_exchange(seed: int, habits: Habits | None) -> None:
    played = sbros_deal(seed)
    states = [position.observe() for position in positions(record_of(played))]
    told = script(played)
    now, words = 0, []
    lying: Lying = {}
    for gesture, lying in after_each(choreographer(told, habits=habits, seed=seed).gestures()):
        words.append(gesture.words)
        if gesture.words == "clear":
            continue
        if gesture.step is not None:
            now = gesture.step + 1
            tops = (cards_in(lying, CENTRE_LEFT)[-1], cards_in(lying, CENTRE_RIGHT)[-1])
            assert tops == states[now].table
            assert all(not lying[top].pose.down for top in tops)
            assert len(cards_in(lying, STOCK)) in (states[now - 1].stock, states[now].stock)
        if gesture.words == "draw":
            assert len(cards_in(lying, STOCK)) == states[now].stock
        if gesture.words == "draw" and states[now].stock:
            for seat, pile in states[now].piles.items():
                assert cards_in(lying, Zone(seat, "reset")) == list(pile)
    assert "draw" in words
    assert "take-resets" in words
    assert lying == {}


def test_the_stock_has_38_cards_face_down_in_a_heap() -> None:
    told = script(sbros_deal(1))
    dealt = next(lying for gesture, lying in after_each(choreographer(told).gestures()) if gesture.words == "deal")
    stock = [dealt[piece].pose for piece in cards_in(dealt, STOCK)]
    assert len(stock) == 38
    assert all(pose.down for pose in stock)
    assert max(abs(pose.x - STOCK_SPOT[0]) for pose in stock) < 3
    assert stock[-1].z > 10


def test_a_pass_moves_nothing() -> None:
    told = script(sbros_deal(1))
    passes = [g for g in choreographer(told).gestures() if g.step is not None and told.steps[g.step].verb == "pass"]
    assert len(passes) == sum(step.verb == "pass" for step in told.steps) > 0
    assert not any(point.put or point.pick for gesture in passes for point in gesture.points)


def test_each_centre_card_may_be_covered_in_a_visit_of_its_own() -> None:
    told = script(sbros_deal(1))
    covers = sum(step.verb == "cover" for step in told.steps)
    for chance, begun in ((0.0, 0), (1.0, covers)):
        gestures = choreographer(told, habits=Habits(two_step=chance)).gestures()
        assert sum(gesture.words == "cover-begun" for gesture in gestures) == begun


def test_cards_may_be_drawn_in_the_visit_that_covers() -> None:
    told = script(sbros_deal(1))
    words = [gesture.words for gesture in choreographer(told, habits=Habits(at_once=1.0)).gestures()]
    assert "draw" not in words
    assert "take-resets" in words


def test_the_layout_of_sbros_has_its_places_where_the_cards_lie() -> None:
    camera = Camera()
    told = scene_of(script(sbros_deal(1))).layout(camera)
    assert set(told) == {"table", "seats", "centre", "stock", "resets"}
    layout = layout_from_json(told, 2, "sbros")

    def at(x: float, y: float) -> Zone | None:
        pixel = camera.project(np.array([[x, y, 0.0]]))[0]
        return layout.zone_at((float(pixel[0]) / camera.width, float(pixel[1]) / camera.height))

    assert [at(*CENTRE["left"]), at(*CENTRE["right"]), at(*STOCK_SPOT)] == [CENTRE_LEFT, CENTRE_RIGHT, STOCK]
    for seat in (1, 2):
        poses = [SbrosScene().reset_pose(seat, index) for index in (0, 8, 20)]
        assert {at(pose.x, pose.y) for pose in poses} == {Zone(seat, "reset")}


def zones(frame: Frame) -> dict[Card, Zone | None]:
    return {truth.card: truth.zone for truth in frame.cards}


def test_a_film_of_rolling_stone_tells_what_lies_face_down() -> None:
    played = stone_deal(1)
    last = None
    down = 0
    for frame in film(script(played), plain_faces(), STYLE):
        for truth in frame.cards:
            if truth.zone is not None:
                assert truth.down == (truth.zone != TABLE)
                down += truth.down
        last = frame
    assert down > 0
    assert last is not None
    assert last.cards == ()


def test_a_film_of_sbros_tells_how_the_stock_shrinks() -> None:
    stocks: list[int] = []
    for frame in film(script(sbros_deal(2)), plain_faces(), STYLE):
        if not stocks or frame.stock != stocks[-1]:
            stocks.append(frame.stock)
    assert stocks[0] == 0
    assert max(stocks) == 38
    assert stocks[stocks.index(38) :] == sorted(stocks[stocks.index(38) :], reverse=True)
    assert stocks[-1] == 0


@pytest.mark.parametrize("deal", [stone_deal(4), sbros_deal(4)])
def test_the_same_seed_gives_the_same_gestures(deal: Position) -> None:
    first, again = (choreographer(script(deal), habits=BUSY, seed=7).gestures() for _ in "ab")
    assert first == again
    assert first != choreographer(script(deal), habits=BUSY, seed=8).gestures()


@pytest.mark.parametrize(
    ("game", "step", "word"),
    [
        ("rolling-stone", Step(2, "mate", parse_cards("9H 9S")), "can't be played"),
        ("sbros", Step(2, "play", parse_cards("9H")), "can't be played"),
        ("sbros", Step(2, "cover", parse_cards("TS 9H")), "TS lies on the table already"),
    ],
)
def test_an_impossible_step_is_named(game: str, step: Step, word: str) -> None:
    players = 2 if game == "sbros" else 4
    told = Script(players, 1, parse_cards("TS 3H") if game == "sbros" else (), {}, (step,), game)
    with pytest.raises(ImpossibleStep, match=word):
        choreographer(told).gestures()
