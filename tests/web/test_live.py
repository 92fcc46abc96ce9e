"""The board of the newest values: what a page that asks again is told, also after the program was started anew."""

from __future__ import annotations

import json
from typing import Any

from tests.scripted_clock import ScriptedClock
from web.live import Board


def told(board: Board, since: int, start: str) -> Any:
    return json.loads(board.told(since, start))


def test_whoever_asks_again_is_told_what_is_newer() -> None:
    board = Board()
    board.post("state", {"seq": 1})
    first = told(board, 0, "")
    assert first == {"start": board.start, "version": 1, "state": {"seq": 1}}
    assert told(board, 1, board.start) == {"start": board.start, "version": 1}
    board.post("eye", {"ok": False})
    board.post("state", {"seq": 2})
    board.post("state", {"seq": 2})
    assert told(board, 1, board.start) == {
        "start": board.start,
        "version": 3,
        "eye": {"ok": False},
        "state": {"seq": 2},
    }


def test_after_a_new_start_a_page_is_told_everything_whatever_the_clock_says() -> None:
    """The clock was set back by a day meanwhile, and fewer things were posted than before."""
    before, after = Board(clock=ScriptedClock(90_000.0)), Board(clock=ScriptedClock(3_600.0))
    for seq in range(50):
        before.post("state", {"seq": seq})
    asked = told(before, 0, "")
    after.post("state", {"seq": 49})
    assert before.start != after.start
    again = told(after, asked["version"], asked["start"])
    assert again == {"start": after.start, "version": 1, "state": {"seq": 49}}
    assert told(after, again["version"], again["start"]) == {"start": after.start, "version": 1}


def test_a_page_that_comes_back_after_ten_minutes_has_the_whole_state_and_how_old_the_picture_is() -> None:
    clock = ScriptedClock()
    board = Board(clock=clock)
    board.post("view", {"frame": 7}, ages=True)
    board.post("state", {"seq": 3})
    left = board.stream()
    assert left is not None
    assert [next(left) for _ in range(3)] == [
        "retry: 2000\n\n",
        'event: view\ndata: {"frame":7,"age":0.0}\n\n',
        'event: state\ndata: {"seq":3}\n\n',
    ]
    clock.advance(600.0)
    board.post("state", {"seq": 4})
    assert told(board, 2, board.start) == {"start": board.start, "version": 3, "state": {"seq": 4}}
    back = board.stream()
    assert back is not None
    assert [next(back) for _ in range(3)][1:] == [
        'event: view\ndata: {"frame":7,"age":600.0}\n\n',
        'event: state\ndata: {"seq":4}\n\n',
    ]


def test_a_stream_ends_with_its_board() -> None:
    board = Board()
    stream = board.stream()
    assert stream is not None
    next(stream)
    board.post("state", {"seq": 1})
    next(stream)
    board.close()
    assert [line for line in stream if not line.startswith(":")] == []
