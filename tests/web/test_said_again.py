"""A trouble that lasts: said at once, then after growing pauses."""

from __future__ import annotations

from tests.scripted_clock import ScriptedClock
from web.said_again import AGAIN_S, SaidAgain


def test_what_lasts_is_said_once_and_then_after_growing_pauses() -> None:
    clock = ScriptedClock()
    troubles = SaidAgain(clock)
    said = []
    for second in range(0, 12_000, 20):
        if troubles.worth_saying("no picture comes from it (trying again)"):
            said.append(second)
        clock.advance(20.0)
    assert said == [0, 60, 660, 4260, 7860, 11460]
    assert AGAIN_S == (60, 600, 3600)


def test_another_trouble_is_said_at_once_and_so_is_the_same_after_all_was_well() -> None:
    troubles = SaidAgain(ScriptedClock())
    assert [troubles.worth_saying(text) for text in ("gone", "gone", "busy", "gone", "busy")] == [
        True,
        False,
        True,
        False,
        False,
    ]
    troubles.all_well()
    assert troubles.worth_saying("gone")
