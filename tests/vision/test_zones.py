"""Zones: layouts read and proposed, and which zone a point lies in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.view import TABLE, Zone
from vision.zones import Layout, LayoutError, layout_from_json, propose, read_layout

SQUARE = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))


def quad_at(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return tuple((x + dx, y + dy) for dx, dy in ((-0.02, -0.05), (0.02, -0.05), (0.02, 0.05), (-0.02, 0.05)))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_proposal_gives_every_seat_a_zone_and_every_point_one(players: int) -> None:
    layout = propose(players)
    assert set(layout.piles) == set(range(1, players + 1))
    assert layout.zone_at((0.5, 0.5)) == TABLE
    for seat, pile in layout.piles.items():
        middle = (sum(x for x, _ in pile) / len(pile), sum(y for _, y in pile) / len(pile))
        assert layout.zone_at(middle) == Zone(seat)


def test_seats_go_clockwise_from_the_near_edge() -> None:
    layout = propose(5)
    places = [(0.5, 0.95), (0.05, 0.6), (0.25, 0.05), (0.75, 0.05), (0.95, 0.6)]
    assert [layout.zone_at(place) for place in places] == [Zone(seat) for seat in range(1, 6)]


def test_the_pool_follows_its_cards() -> None:
    quads = [quad_at(0.2 + 0.1 * column, 0.3 + 0.2 * row) for column in range(7) for row in range(2)]
    layout = propose(4, quads)  # type: ignore[arg-type]
    assert all(layout.zone_at((0.2 + 0.1 * c, 0.3 + 0.2 * r)) == TABLE for c in range(7) for r in range(2))
    assert layout.zone_at((0.5, 0.75)) == Zone(1)


def test_a_pile_close_to_the_pool_is_not_taken_for_it() -> None:
    """A card belongs where its middle lies: a little more than half a card above the dealt cards is a pile already."""
    quads = [quad_at(0.3 + 0.1 * k, 0.3) for k in range(5)]
    layout = propose(5, quads)  # type: ignore[arg-type]
    assert layout.zone_at((0.7, 0.3 - 0.05 - 0.03)) == Zone(4)
    assert layout.zone_at((0.7, 0.3)) == TABLE


def test_a_card_on_a_border_keeps_its_zone() -> None:
    layout = propose(4)
    border = layout.table[2][1]
    assert layout.zone_at((0.5, border - 0.01), Zone(1)) == Zone(1)
    assert layout.zone_at((0.5, border + 0.01), TABLE) == TABLE
    assert layout.zone_at((0.5, border + 0.06), TABLE) == Zone(1)


def test_outside_every_zone_there_is_none_but_a_little_is_forgiven() -> None:
    layout = Layout(SQUARE, {1: tuple((x + 0.5, y) for x, y in SQUARE)})
    assert layout.zone_at((0.3, 0.05)) is None
    assert layout.zone_at((0.12, 0.05)) == TABLE


def test_a_layout_survives_its_file(tmp_path: Path) -> None:
    layout = propose(6)
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(layout.as_json()))
    assert read_layout(path, 6) == layout


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "'table' and 'seats'"),
        ({"table": [[0, 0], [1, 0]], "seats": []}, "'table' must be a list of at least three"),
        ({"table": [[0, 0], [1, 0], [700, 3]], "seats": []}, "fractions"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [{"seat": 1}]}, "seats[0]"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [{"seat": 2, "pile": [[0, 0], [1, 0], [1, 1]]}]}, "1 to"),
    ],
)
def test_a_bad_layout_is_told_in_one_line(data: object, said: str) -> None:
    with pytest.raises(LayoutError) as error:
        layout_from_json(data, 1)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_layout_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{")
    with pytest.raises(LayoutError, match=r"x\.json: line 1: no JSON"):
        read_layout(path)
    with pytest.raises(LayoutError, match="can't be read"):
        read_layout(tmp_path / "none.json")
    path.write_text("[" * 100_000)
    with pytest.raises(LayoutError, match="nested too deeply"):
        read_layout(path)
