"""What ``make soak`` would say of a run."""

from __future__ import annotations

from dataclasses import replace

from tests.soak import Answers, Sample, faults

FLAT = [Sample(minute, 300_000_000, 40, 90, 1 + minute // 2) for minute in range(40)]


def test_a_run_that_stays_flat_has_no_fault() -> None:
    assert faults(FLAT, Answers()) == []


def test_memory_that_grows_over_the_second_half_is_a_fault() -> None:
    growing = [replace(one, memory=300_000_000 + 2_000_000 * round(one.minutes)) for one in FLAT]
    assert faults(growing, Answers()) == ["memory grew by 9 % over the second half"]
    settled = [replace(one, memory=min(one.memory, 200_000_000 + 10_000_000 * round(one.minutes))) for one in FLAT]
    assert faults(settled, Answers()) == []


def test_threads_and_handles_that_grow_are_faults() -> None:
    growing = [replace(one, threads=40 + round(one.minutes), handles=90 + round(one.minutes)) for one in FLAT]
    assert [fault.split()[0] for fault in faults(growing, Answers())] == ["threads", "handles"]


def test_a_failed_answer_and_a_game_that_stands_still_are_faults() -> None:
    still = [replace(one, deals=3) for one in FLAT]
    assert faults(still, Answers(failed=["/: 500"])) == [
        "an answer failed: /: 500",
        "no deal was begun in the second half",
    ]
