"""From left to right, row by row."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.reading_order import reading_order

CARD = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)


@given(st.integers(1, 4), st.integers(1, 7), st.integers(0, 10_000))
def test_untidy_rows_are_read_row_by_row(rows: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = [(70 * column, 100 * row) for row in range(rows) for column in range(columns)]
    quads = [CARD + np.array(place, np.float32) + rng.uniform(-9, 9, 2).astype(np.float32) for place in places]
    mixed = rng.permutation(len(quads))
    order = reading_order([quads[k] for k in mixed])
    assert [int(mixed[k]) for k in order] == list(range(len(quads)))


def test_nothing_to_read() -> None:
    assert reading_order([]) == []
