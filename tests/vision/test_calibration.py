"""Reliability is counted rightly, and drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assistant.cards import Card
from vision.calibration import EDGES, Said, above, expected_error, reliability, wilson
from vision.recogniser import Reading
from vision.training.reliability import drawn, said_of

SAID = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def honest(count: int, strength: float = 1.0) -> list[Said]:
    """Readings right as often as they say (strength 1), or less often (over 1)."""
    rng = np.random.default_rng(4)
    said = rng.uniform(0.5, 1, count)
    return [(float(one), bool(rng.random() < one**strength)) for one in said]


@given(SAID)
def test_each_reading_is_in_one_bin_and_within_it(said: list[Said]) -> None:
    bins = reliability(said)
    assert sum(part.count for part in bins) == len(said)
    assert sum(part.right for part in bins) == sum(right for _, right in said)
    for part in bins:
        assert part.low - 1e-9 <= part.said <= part.high + 1e-9
        assert 0 <= part.interval[0] <= part.share + 1e-9
        assert part.share - 1e-9 <= part.interval[1] <= 1
    assert 0 <= expected_error(bins) <= 1


def test_the_error_is_small_for_honest_readings_and_large_for_boasts() -> None:
    assert expected_error(reliability(honest(20_000))) < 0.015
    assert expected_error(reliability(honest(20_000, strength=2))) > 0.1
    assert expected_error([]) == 0


def test_the_edges_are_where_certainty_begins() -> None:
    assert EDGES[0] == 0
    assert EDGES[-1] == 1
    assert {0.9, 0.95, 0.99} <= set(EDGES)
    assert [part.low for part in reliability([(0.99, True), (0.9899, True)])] == [0.98, 0.99]


def test_what_is_above_a_threshold() -> None:
    sure = above([(0.995, True), (0.99, False), (0.98, True)], 0.99)
    assert sure is not None
    assert (sure.right, sure.count) == (1, 2)
    assert above([(0.5, True)], 0.99) is None


@given(st.integers(0, 500), st.integers(1, 500))
def test_wilsons_interval_narrows_and_holds_the_share(right: int, count: int) -> None:
    right = min(right, count)
    low, high = wilson(right, count)
    assert low <= right / count + 1e-9
    assert right / count - 1e-9 <= high
    more_low, more_high = wilson(100 * right, 100 * count)
    assert more_high - more_low < high - low


def test_a_second_card_of_a_name_is_wrong_and_a_partly_known_one_is_not_judged() -> None:
    quad = np.zeros((4, 2), np.float32)
    readings = [
        Reading(Card.parse(name), sure, quad) for name, sure in (("KH", 0.7), ("KH", 0.9), ("7?", 0.8), ("2C", 0.6))
    ]
    assert said_of(readings, frozenset({"KH", "7S"})) == [(0.9, True), (0.7, False), (0.6, False)]


def test_the_drawing_is_svg_with_a_dot_for_each_bin() -> None:
    bins = reliability(honest(300))
    svg = ElementTree.fromstring(drawn({"photographs": bins, "rendered scenes": bins[:2]}))
    assert svg.tag.endswith("svg")
    assert len(svg.findall("{*}circle")) == len(bins) + 2 + 2
