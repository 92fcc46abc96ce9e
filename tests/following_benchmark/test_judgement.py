"""How what was seen is held against the truth."""

from __future__ import annotations

import pytest

from assistant.cards import parse_cards
from assistant.games.game import Action, Notice
from tests.following_benchmark.judgement import (
    FaultSeen,
    aligned,
    done_times,
    faults_found,
    faults_told,
    right_share,
    same_action,
)


def actions(*lines: str) -> list[Action]:
    return [Action.parse(line) for line in lines]


@pytest.mark.parametrize(
    ("true", "seen", "same"),
    [
        ("2 mate KH KS KD KC", "2 mate KH KC KD KS", True),
        ("2 mate KH KS", "2 mate KS KH", False),
        ("2 mate KH KS", "2 mate K? KS", True),
        ("2 mate KH KS", "3 mate KH KS", False),
        ("1 lie-down 5C 6S 8C", "1 lie-down ?? 5C 6?", True),
        ("1 lie-down 5C 6S 8C", "1 lie-down ?? 5C 7?", False),
        ("1 lie-down 5C 5S", "1 lie-down 5? 5C", True),
        ("1 cover 5C 5S", "1 cover 5S 5C", False),
        ("1 lie-down", "1 lie-down", True),
        ("1 pick-up", "1 play 5S", False),
    ],
)
def test_an_action_is_right_if_it_can_be_the_true_one(true: str, seen: str, same: bool) -> None:
    assert same_action(Action.parse(true), Action.parse(seen)) is same


def test_what_is_left_out_or_added_costs_one_action() -> None:
    true = actions("1 mate 2S 2H", "2 mate 3S 3H", "3 mate 4S 4H")
    assert right_share(true, true[1:]) == (2, 3)
    assert right_share(true, [*true, *actions("1 mate 5S 5H")]) == (3, 4)
    assert right_share(true, actions("1 mate 2S 2H", "2 mate 3S 3D", "3 mate 4S 4H")) == (2, 3)


def test_a_lay_out_of_turn_may_stand_elsewhere_unless_it_concerns_what_lies_between() -> None:
    true = actions("3 lay 9S 9H", "1 mate 2S 2H", "2 mate 3S 3H")
    later = [*true[1:], true[0]]
    assert aligned(true, later) == {0: 2, 1: 0, 2: 1}
    own = actions("1 lay 9S 9H", "1 mate 2S 2H", "2 mate 3S 3H")
    assert right_share(own, [*own[1:], own[0]]) == (2, 3)
    same_rank = actions("3 lay 2D 2C", "1 mate 2S 2H", "2 mate 3S 3H")
    assert right_share(same_rank, [*same_rank[1:], same_rank[0]]) == (2, 3)
    mates = actions("3 mate 9S 9H", "1 mate 2S 2H", "2 mate 3S 3H")
    assert right_share(mates, [*mates[1:], mates[0]]) == (2, 3)


def test_faults_are_found_by_code_and_seat() -> None:
    true = [FaultSeen("C2", (1,), parse_cards("QD QC")), FaultSeen("not-your-turn", (3,))]
    seen = [FaultSeen("C2", (2,)), FaultSeen("not-your-turn", ()), FaultSeen("C4", (1,))]
    missed, alarms = faults_found(true, seen)
    assert missed == [true[0]]
    assert alarms == [seen[0], seen[2]]


def test_each_fault_is_told_once_and_information_is_none() -> None:
    notices = [
        Notice("C2", "first", "", (1,), parse_cards("QD QC")),
        Notice("may-lay", "lay", "", (1,), ()),
        Notice("C2", "again", "", (1,), parse_cards("QC QD")),
    ]
    assert list(map(str, faults_told(notices))) == ["C2 by 1"]


def test_a_camera_loses_the_frames_that_come_while_the_program_is_busy() -> None:
    quick = [(0.1 * number, 0.05) for number in range(4)]
    done, lost = done_times(quick)
    assert lost == 0
    assert done == [pytest.approx(0.1 * number + 0.05) for number in range(4)]
    slow = [(0.0, 0.35), (0.1, 0.05), (0.2, 0.05), (0.3, 0.05), (0.4, 0.05)]
    done, lost = done_times(slow)
    assert lost == 2
    assert done == [pytest.approx(time) for time in (0.35, 0.4, 0.4, 0.4, 0.45)]
