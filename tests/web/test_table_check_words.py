"""The check in words, as the page shows it."""

from __future__ import annotations

import pytest

from tests.vision.test_table_check import table
from vision.table_check import Measured
from web.table_check_words import said_of


def test_a_camera_that_is_too_far_away_is_told_what_to_do() -> None:
    said = said_of(table(34))
    assert said["well"] is False
    assert {"aspect": "distance", "good": False, "text": "The cards are 34 px wide and should be 50 or more: move the "
            "camera closer."} in said["lines"]  # fmt: skip


def test_when_all_is_well_it_says_so() -> None:
    said = said_of(table(110))
    assert (said["well"], said["text"]) == (True, "All is well: leave the camera as it stands.")
    assert all(line["text"].endswith(".") for line in said["lines"])


@pytest.mark.parametrize(("cards", "text"), [(0, "0 cards are seen: lay some"), (1, "1 card is seen: lay some")])
def test_where_little_can_be_said_cards_are_asked_for(cards: int, text: str) -> None:
    seen = table(110)
    said = said_of(Measured(seen.image, seen.quads[:cards], seen.plane))
    assert said["well"] is False
    assert said["lines"][0]["text"].startswith(text)


def test_without_a_picture_a_camera_is_asked_for() -> None:
    assert said_of(None) == {"well": False, "text": "There is no picture yet: choose a camera first.", "lines": []}
