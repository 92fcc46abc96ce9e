"""The order in which a person names the cards on a table: from left to right, row by row from the top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats


def reading_order(quads: Sequence[Floats]) -> list[int]:
    """The numbers of the quads in reading order; a card belongs to a row if its middle is within half a card of it.

    >>> square = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
    >>> reading_order([square + (100, 8), square + (0, 120), square])
    [2, 0, 1]
    """
    if not quads:
        return []
    middles = np.stack([quad.mean(axis=0) for quad in quads])
    reach = float(np.median([np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max() for quad in quads])) / 2
    rows: list[list[int]] = []
    for k in np.argsort(middles[:, 1], kind="stable").tolist():
        if rows and middles[k, 1] - np.mean(middles[rows[-1], 1]) < reach:
            rows[-1].append(k)
        else:
            rows.append([k])
    return [k for row in rows for k in sorted(row, key=lambda number: float(middles[number, 0]))]
