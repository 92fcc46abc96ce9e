"""Faults of single pictures become warnings that neither flicker nor nag."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from vision.lasting_warnings import LastingWarnings


def held(looks: list[bool], step: float = 0.25) -> list[bool]:
    lasting = LastingWarnings(after=2.0, gone=3.0)
    return ["blurred" in lasting.feed(step * k, ["blurred"] if seen else []) for k, seen in enumerate(looks)]


def changes(row: list[bool]) -> int:
    return sum(one != other for one, other in pairwise(row))


def test_a_fault_holds_once_it_has_lasted_and_ends_once_it_stays_away() -> None:
    row = held([True] * 20 + [False] * 20)
    assert row.index(True) == 8
    assert row[20:31] == [True] * 11
    assert not any(row[31:])


def test_a_moment_is_not_told() -> None:
    assert not any(held([False] * 10 + [True] * 5 + [False] * 20))


def test_a_fault_that_comes_and_goes_does_not_flicker() -> None:
    assert changes(held([True, True, True, True, False] * 40)) == 1
    assert not any(held([True, False, False, False] * 40))


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_changes_are_at_least_two_seconds_apart(looks: list[bool]) -> None:
    row = held(looks)
    at = [k for k in range(1, len(row)) if row[k] != row[k - 1]]
    assert all(later - sooner >= 8 for sooner, later in pairwise(at))


def test_several_faults_hold_in_the_order_of_their_coming() -> None:
    lasting = LastingWarnings()
    for t in range(4):
        lasting.feed(t, ["too-far"])
    for t in range(4, 8):
        told = lasting.feed(t, ["blurred", "too-far"])
    assert told == ("too-far", "blurred")


def test_another_source_starts_afresh() -> None:
    lasting = LastingWarnings()
    for t in range(100, 104):
        assert lasting.feed(t, ["blurred"]) == (("blurred",) if t >= 102 else ())
    assert lasting.feed(0.0, []) == ()
