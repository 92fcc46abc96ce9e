"""What is done against the rules on the virtual table stands a while and is undone by the same hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.cards import parse_cards
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, TABLE, Zone
from tests.vision.render_deals import SHORT, plain_faces
from tests.vision.test_render_games import STYLE, after_each, cards_in
from vision.render.film import choreographer, film
from vision.render.gesture import Gesture, Step
from vision.render.habits import Habits
from vision.render.misplays import Misplay
from vision.render.script import Follow, Script
from vision.render.video import truth_lines

STONE = Script(
    4,
    4,
    (),
    {},
    tuple(
        Step(seat, "play", parse_cards(card)) for seat, card in ((1, "9C"), (2, "JC"), (3, "AC"), (4, "KC"), (3, "7H"))
    ),
    "rolling-stone",
    (Follow(3, 3, "take-trick"),),
)
SBROS = Script(
    2,
    1,
    parse_cards("TS 3H"),
    {},
    (Step(2, "cover", parse_cards("TH 3D")), Step(1, "reset", parse_cards("5C"))),
    "sbros",
    (Follow(0, 2, "draw", 2), Follow(1, 1, "draw", 1)),
)


def mistake(before: int, line: str) -> Misplay:
    seat, verb, *cards = line.split()
    return Misplay(before, Step(int(seat), verb, parse_cards(" ".join(cards))), 3.0, "told")


@pytest.mark.parametrize(
    ("script", "misplay"),
    [
        (SHORT, mistake(1, "2 mate 7C KS")),
        (SHORT, mistake(1, "2 mate KH KS KD")),
        (SHORT, mistake(0, "3 mate 4S 7S")),
        (SHORT, mistake(2, "2 lie-down 7C")),
        (SHORT, mistake(5, "1 mate 8S 7S")),
        (SHORT, mistake(5, "3 sweep")),
        (STONE, mistake(2, "3 play 8D")),
        (STONE, mistake(1, "4 play KC")),
        (STONE, mistake(2, "3 pick-up")),
        (STONE, mistake(4, "1 take-trick")),
        (SBROS, mistake(0, "2 cover 4D 4S")),
        (SBROS, mistake(1, "1 cover 9S")),
        (SBROS, mistake(2, "2 reset 8H")),
    ],
)
@pytest.mark.parametrize("habits", [Habits(), Habits(two_step=1.0, heap=True)])
def test_a_misplay_is_seen_and_then_everything_lies_as_before(script: Script, misplay: Misplay, habits: Habits) -> None:
    hands = {**script.hands, 1: (*script.hands[1], *parse_cards("8S"))} if script is SHORT else {}
    told = replace(script, hands=hands, misplays=(misplay,))
    plays = list(after_each(choreographer(told, habits=habits).gestures()))
    wrong = next(number for number, (gesture, _) in enumerate(plays) if gesture.misplay)
    undone = next(number for number in range(wrong, len(plays)) if plays[number][0].words == "put-back")
    first = wrong - 1 if plays[wrong - 1][0].words.endswith("-begun") else wrong
    before, stood, after = plays[first - 1][1] if first else {}, plays[wrong][1], plays[undone][1]
    assert stood != before
    assert after == before
    gesture: Gesture = plays[wrong][0]
    assert (gesture.seat, gesture.words, gesture.misplay) == (misplay.step.seat, str(misplay.step), "told")
    assert plays[undone][0].seat == misplay.step.seat
    assert plays[undone][0].begin == pytest.approx(gesture.end + 3.0)
    assert gesture.until == plays[undone][0].end


@pytest.mark.parametrize("script", [SHORT, STONE, SBROS])
def test_what_follows_a_misplay_is_played_as_ever(script: Script) -> None:
    line = {"rolling-stone": "4 play 8D", "sbros": "1 cover 4D 4S"}.get(script.game, "3 mate 4S 7S")
    plain = list(after_each(choreographer(script).gestures()))[-1][1]
    told = replace(script, misplays=(mistake(0, line),))
    end = list(after_each(choreographer(told).gestures()))[-1][1]
    assert {piece: card.zone for piece, card in end.items()} == {piece: card.zone for piece, card in plain.items()}


def test_a_wrong_taker_takes_the_trick_before_the_right_one() -> None:
    told = replace(STONE, misplays=(mistake(4, "1 take-trick"),))
    plays = list(after_each(choreographer(told).gestures()))
    wrong = next(lying for gesture, lying in plays if gesture.misplay)
    back = next(lying for gesture, lying in plays if gesture.words == "put-back")
    right = next(lying for gesture, lying in plays if gesture.words == "take-trick")
    assert len(cards_in(wrong, Zone(1))) == 4
    assert set(cards_in(back, TABLE)) == set(parse_cards("9C JC AC KC"))
    assert not any(back[piece].pose.down for piece in cards_in(back, TABLE))
    assert len(cards_in(right, Zone(3))) == 4


def test_a_single_cover_lies_on_one_side_only() -> None:
    told = replace(SBROS, misplays=(mistake(0, "2 cover TH"),))
    stood = next(lying for gesture, lying in after_each(choreographer(told).gestures()) if gesture.misplay)
    assert sorted((len(cards_in(stood, CENTRE_LEFT)), len(cards_in(stood, CENTRE_RIGHT)))) == [1, 2]


def test_the_truth_tells_the_misplay_and_when_it_is_undone() -> None:
    told = replace(SHORT, misplays=(mistake(1, "2 mate 7C KS"),))
    lines = [line for frame in film(told, plain_faces(), STYLE) for line in truth_lines(frame, None)]
    wrong = next(line for line in lines if line["event"] == "misplay")
    back = next(line for line in lines if line["event"] == "put-back")
    assert (wrong["line"], wrong["fault"]) == ("2 mate 7C KS", "told")
    assert wrong["begin"] < wrong["t"] < wrong["until"] <= back["t"]
    assert [line["line"] for line in lines if line["event"] == "action"] == [str(step) for step in SHORT.steps]
