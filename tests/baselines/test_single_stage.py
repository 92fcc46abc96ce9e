"""The single-stage baseline: its answers are read as its training writes them, and it reads a plain card."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.cards import PACK, Card
from tests.baselines.single_stage import (
    CLASSES,
    NETWORK,
    ClassedIndex,
    SingleStageRecogniser,
    one_a_card,
    read_cells,
    without_doubles,
)
from vision import geometry
from vision.geometry import Floats
from vision.render.packs import house_pack
from vision.render.spread import rows

SQUARE = np.array([[40, 30], [140, 30], [140, 170], [40, 170]], np.float32)
SEVEN, KING = Card.parse("7S"), Card.parse("KH")


def cells_with(card: Card, quad: Floats, corner: int) -> Floats:
    """What a network that sees one index of one card should answer for a picture of 256 x 256 px."""
    cells = np.zeros((63, 32, 32), np.float32)
    cells[:52] = -8
    point, tall = geometry.index_point(quad, corner), geometry.side_lengths(quad)[1]
    column, row = int(point[0] / 8), int(point[1] / 8)
    cells[CLASSES.index(card), row, column] = 4
    cells[52:54, row, column] = point / 8 - 0.5 - (column, row)
    cells[54, row, column] = np.log(tall / 64)
    cells[55:, row, column] = ((quad - point) / tall).ravel()
    return cells


def seen(card: Card, quad: Floats, corner: int = 0, score: float = 0.9) -> ClassedIndex:
    return ClassedIndex(card, geometry.index_point(quad, corner), np.roll(quad, -corner, axis=0), score)


def test_a_cell_gives_the_card_with_its_outline_in_the_pictures_own_pixels() -> None:
    (index,) = read_cells(cells_with(KING, SQUARE, 0), 0.5, 0.3)
    assert index.card == KING
    assert index.quad == pytest.approx(SQUARE * 2, abs=0.1)
    assert index.point == pytest.approx(geometry.index_point(SQUARE) * 2, abs=0.1)
    assert index.score == pytest.approx(0.982, abs=0.001)


def test_one_place_has_one_class() -> None:
    other = seen(SEVEN, SQUARE + 1, score=0.7)
    (kept,) = without_doubles([other, seen(KING, SQUARE)])
    assert kept.card == KING


def test_the_two_indices_of_a_card_are_one_card() -> None:
    both = [seen(KING, SQUARE), seen(KING, SQUARE, 2)]
    for one_pack in (True, False):
        (reading,) = one_a_card(both, one_pack=one_pack)
        assert (reading.card, reading.visible) == (KING, 1.0)


def test_a_second_pack_may_hold_the_card_again() -> None:
    two = [seen(KING, SQUARE), seen(KING, SQUARE + np.float32(300))]
    assert len(one_a_card(two, one_pack=True)) == 1
    assert len(one_a_card(two, one_pack=False)) == 2


def test_it_reads_some_plain_cards() -> None:
    assert NETWORK.stat().st_size < 3_000_000
    cards = PACK[:20]
    readings = SingleStageRecogniser.load(threads=1).recognise(rows(house_pack(), cards, 720, 1280, 7)).readings
    assert len({reading.card for reading in readings} & set(cards)) >= 5
