"""Zones: layouts read and proposed, and which zone a point lies in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, STOCK, TABLE, Point, Zone
from vision.zones import LARGEST, Layout, LayoutError, Polygon, Quad, layout_from_json, propose, read_layout

LLD, RST, SBROS = "laugh-and-lie-down", "rolling-stone", "sbros"
SQUARE = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
RESETS = (Zone(1, "reset"), Zone(2, "reset"))


def quad_at(x: float, y: float, wide: float = 0.04, tall: float = 0.1) -> Quad:
    dx, dy = wide / 2, tall / 2
    return ((x - dx, y - dy), (x + dx, y - dy), (x + dx, y + dy), (x - dx, y + dy))


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def plain(polygon: Polygon) -> list[list[float]]:
    return [list(point) for point in polygon]


# Which zone a point lies in


def test_a_card_on_a_border_keeps_its_zone() -> None:
    layout = propose(LLD, 4)
    border = layout.table[2][1]
    assert layout.zone_at((0.5, border - 0.01), Zone(1)) == Zone(1)
    assert layout.zone_at((0.5, border + 0.01), TABLE) == TABLE
    assert layout.zone_at((0.5, border + 0.06), TABLE) == Zone(1)


def test_outside_every_zone_there_is_none_but_a_little_is_forgiven() -> None:
    layout = Layout({TABLE: SQUARE, Zone(1): tuple((x + 0.5, y) for x, y in SQUARE)})
    assert layout.zone_at((0.3, 0.05)) is None
    assert layout.zone_at((0.12, 0.05)) == TABLE


def test_a_pile_drawn_inside_the_pool_goes_before_it() -> None:
    layout = Layout({TABLE: box(0, 0, 1, 1), Zone(1): box(0.4, 0.8, 0.6, 1.0)})
    assert layout.zone_at((0.5, 0.9)) == Zone(1)
    assert layout.zone_at((0.5, 0.5)) == TABLE
    assert layout.zone_at((0.5, 0.79), Zone(1)) == Zone(1)
    assert layout.zone_at((0.5, 0.7), Zone(1)) == TABLE


def test_of_zones_that_overlap_the_deeper_one_counts() -> None:
    layout = Layout({TABLE: box(0.2, 0.2, 0.8, 0.75), Zone(1): box(0.2, 0.65, 0.8, 1.0)})
    assert layout.zone_at((0.5, 0.68)) == TABLE
    assert layout.zone_at((0.5, 0.72)) == Zone(1)


def test_where_the_camera_was_pushed_the_zones_move_along() -> None:
    layout = propose(SBROS, 2).moved(lambda point: (point[0] + 0.1, point[1]))
    assert layout.zone_at((0.42, 0.5)) == CENTRE_LEFT
    assert propose(SBROS, 2).zone_at((0.42, 0.5)) == CENTRE_LEFT
    assert layout.zone_at((0.58, 0.5)) == CENTRE_LEFT
    assert propose(SBROS, 2).zone_at((0.58, 0.5)) == CENTRE_RIGHT


# Proposals


@pytest.mark.parametrize("game", [LLD, RST])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_proposal_gives_every_seat_a_zone_and_every_point_one(game: str, players: int) -> None:
    layout = propose(game, players)
    assert set(layout.piles) == set(range(1, players + 1))
    assert layout.zone_at((0.5, 0.5)) == TABLE
    for seat, pile in layout.piles.items():
        middle = (sum(x for x, _ in pile) / len(pile), sum(y for _, y in pile) / len(pile))
        assert layout.zone_at(middle) == Zone(seat)


def test_seats_go_clockwise_from_the_near_edge() -> None:
    layout = propose(LLD, 5)
    places = [(0.5, 0.95), (0.05, 0.6), (0.25, 0.05), (0.75, 0.05), (0.95, 0.6)]
    assert [layout.zone_at(place) for place in places] == [Zone(seat) for seat in range(1, 6)]


def test_the_pool_follows_its_cards() -> None:
    quads = [quad_at(0.2 + 0.1 * column, 0.3 + 0.2 * row) for column in range(7) for row in range(2)]
    layout = propose(LLD, 4, quads)
    assert all(layout.zone_at((0.2 + 0.1 * c, 0.3 + 0.2 * r)) == TABLE for c in range(7) for r in range(2))
    assert layout.zone_at((0.5, 0.75)) == Zone(1)


def test_a_pile_close_to_the_pool_is_not_taken_for_it() -> None:
    """A card belongs where its middle lies: a little more than half a card above the dealt cards is a pile already."""
    layout = propose(LLD, 5, [quad_at(0.3 + 0.1 * k, 0.3) for k in range(5)])
    assert layout.zone_at((0.7, 0.3 - 0.05 - 0.03)) == Zone(4)
    assert layout.zone_at((0.7, 0.3)) == TABLE


def test_a_pile_in_two_rows_is_one_pile() -> None:
    layout = propose(LLD, 4, [quad_at(0.3 + 0.1 * k, 0.45, tall=0.15) for k in range(5)])
    assert layout.zone_at((0.5, 0.74)) == Zone(1)
    assert layout.zone_at((0.5, 0.92)) == Zone(1)


@pytest.mark.parametrize(("x", "y"), [(0.06, 0.1), (0.94, 0.1), (0.06, 0.9), (0.94, 0.9)])
def test_a_pool_dealt_into_a_corner_is_the_pool_and_so_is_the_middle(x: float, y: float) -> None:
    layout = propose(LLD, 4, [quad_at(x, y), quad_at(0.5, 0.5)])
    assert layout.zone_at((x, y)) == TABLE
    assert layout.zone_at((0.5, 0.5)) == TABLE
    assert set(layout.piles) == {1, 2, 3, 4}
    assert layout_from_json(layout.as_json(), 4, LLD) == layout


def test_the_pool_grows_with_what_is_laid_down_there() -> None:
    pool = [quad_at(0.3 + 0.1 * k, 0.5) for k in range(5)]
    assert propose(LLD, 4, pool).zone_at((0.5, 0.74)) == Zone(1)
    assert propose(LLD, 4, [*pool, quad_at(0.5, 0.74)]).zone_at((0.5, 0.74)) == TABLE


def test_a_trick_has_more_room_than_its_first_card_shows() -> None:
    layout = propose(RST, 5, [quad_at(0.5, 0.4)])
    assert layout.zone_at((0.62, 0.5)) == TABLE
    assert layout.zone_at((0.5, 0.95)) == Zone(1)


def test_won_tricks_near_the_middle_are_no_part_of_the_trick() -> None:
    heap = quad_at(0.5, 0.66)
    assert propose(RST, 4, [quad_at(0.5, 0.4)]).zone_at((0.5, 0.66)) == TABLE
    layout = propose(RST, 4, [quad_at(0.5, 0.4)], [heap])
    assert layout.zone_at((0.5, 0.66)) == Zone(1)
    assert layout.zone_at((0.5, 0.4)) == TABLE


def test_sbros_has_two_centre_piles_a_stock_and_a_strip_for_each_seat() -> None:
    layout = propose(SBROS, 2)
    places = [(0.4, 0.5), (0.6, 0.5), (0.9, 0.5), (0.5, 0.9), (0.5, 0.1)]
    assert [layout.zone_at(place) for place in places] == [CENTRE_LEFT, CENTRE_RIGHT, STOCK, *RESETS]
    assert TABLE not in layout.zones()


@pytest.mark.parametrize("stock", [(0.15, 0.5), (0.88, 0.5), (0.5, 0.5)])
def test_sbros_follows_its_centre_cards_and_the_stock(stock: Point) -> None:
    left, right = quad_at(0.36, 0.46, 0.08, 0.2), quad_at(0.62, 0.5, 0.08, 0.2)
    layout = propose(SBROS, 2, [right, left], [quad_at(*stock, 0.08, 0.2)])
    assert layout.zone_at((0.36, 0.46)) == CENTRE_LEFT
    assert layout.zone_at((0.38, 0.5)) == CENTRE_LEFT
    assert layout.zone_at((0.62, 0.5)) == CENTRE_RIGHT
    assert layout.zone_at(stock) == STOCK
    assert layout.zone_at((0.3, 0.8)) == RESETS[0]
    assert layout.zone_at((0.8, 0.15)) == RESETS[1]


def test_sbros_centre_cards_one_over_the_other_are_told_apart_as_well() -> None:
    layout = propose(SBROS, 2, [quad_at(0.48, 0.35, 0.1, 0.08), quad_at(0.5, 0.6, 0.1, 0.08)])
    assert layout.zone_at((0.52, 0.36)) == CENTRE_LEFT
    assert layout.zone_at((0.47, 0.59)) == CENTRE_RIGHT


def test_zones_for_a_crowd_are_not_proposed() -> None:
    with pytest.raises(LayoutError, match="7 players"):
        propose(LLD, 7)


# Files


@pytest.mark.parametrize(("game", "players"), [(LLD, 6), (RST, 4), (SBROS, 2)])
def test_a_layout_survives_its_file(game: str, players: int, tmp_path: Path) -> None:
    layout = propose(game, players)
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(layout.as_json()))
    assert read_layout(path, players, game) == layout


def sbros_layout(**changes: Any) -> dict[str, Any]:
    data = {
        "table": plain(box(0.2, 0.3, 0.8, 0.7)),
        "seats": [{"seat": 1}, {"seat": 2}],
        "centre": [plain(box(0.3, 0.4, 0.45, 0.6)), plain(box(0.55, 0.4, 0.7, 0.6))],
        "stock": plain(box(0.05, 0.4, 0.2, 0.6)),
        "resets": [plain(box(0.2, 0.8, 0.8, 1)), plain(box(0.2, 0, 0.8, 0.2))],
    }
    return {key: value for key, value in {**data, **changes}.items() if value is not None}


def test_a_layout_of_sbros_is_read_as_the_contract_has_it() -> None:
    layout = layout_from_json(sbros_layout(), 2, SBROS)
    places = [(0.4, 0.5), (0.6, 0.5), (0.1, 0.5), (0.5, 0.9), (0.5, 0.1)]
    assert [layout.zone_at(place) for place in places] == [CENTRE_LEFT, CENTRE_RIGHT, STOCK, *RESETS]
    assert layout_from_json(sbros_layout(seats=[]), 2, SBROS) == layout


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stock": None}, "needs the key 'stock'"),
        ({"centre": plain(SQUARE)[:1]}, "'centre' must be a list of two polygons, left and right"),
        ({"resets": [plain(SQUARE), [[0, 0]]]}, "'resets[1]' must be a list of at least three"),
        ({"seats": [{"seat": 3}]}, "the seats must be 1 to 2; they are 3"),
        ({"reset": []}, 'unknown key "reset"'),
    ],
)
def test_a_bad_layout_of_sbros_is_told_in_one_line(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(LayoutError) as error:
        layout_from_json(sbros_layout(**changes), 2, SBROS)
    assert said in str(error.value)


def test_the_other_games_have_no_stock() -> None:
    with pytest.raises(LayoutError, match='unknown key "centre"'):
        layout_from_json(sbros_layout(seats=[{"seat": 1, "pile": plain(SQUARE)}]), 1, LLD)


PILE = {"seat": 1, "pile": [[0, 0], [1, 0], [1, 1]]}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "'table' and 'seats'"),
        ({"table": [[0, 0], [1, 0]], "seats": []}, "'table' must be a list of at least three"),
        ({"table": [[0, 0], [1, 0], [700, 3]], "seats": []}, "fractions"),
        ({"table": [[0, 0], [1, 0], [float("nan"), 3]], "seats": []}, "fractions"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [{"seat": 1}]}, "seats[0]"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [{**PILE, "seat": True}]}, "seats[0]"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [{**PILE, "seat": 2}]}, "1 to"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [PILE, PILE]}, "seats[1]: seat 1 is there twice"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [PILE], "tabel": 3}, 'unknown key "tabel"'),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [{**PILE, "pilee": 3}]}, 'seats[0]: unknown key "pilee"'),
        ({"table": [[0, 0], [1, 1], [1, 0], [0, 1]], "seats": [PILE]}, "'table' crosses itself"),
        ({"table": [[0, 0], [1, 1], [0.5, 0.5]], "seats": [PILE]}, "'table' is empty"),
        ({"table": [[0.2, 0.2]] * 4, "seats": [PILE]}, "'table' is empty"),
        ({"table": [[0, 0], [1, 0], [1, 1]], "seats": [{"seat": 1, "pile": [[0, 0]] * 3}]}, "'seats[0].pile' is empty"),
        ({"table": [[0, 0], [1, 0], [1, 1]] * 99, "seats": [PILE]}, "'table' has 297 points"),
    ],
)
def test_a_bad_layout_is_told_in_one_line(data: object, said: str) -> None:
    with pytest.raises(LayoutError) as error:
        layout_from_json(data, 1)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_closed_outline_is_no_crossing() -> None:
    data = {"table": [[0, 0], [1, 0], [1, 1], [0, 0]], "seats": [PILE]}
    assert layout_from_json(data, 1).table == ((1.0, 0.0), (1.0, 1.0), (0.0, 0.0))


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
    path.write_text(" " * LARGEST + "\u00e9")
    with pytest.raises(LayoutError, match="larger than 1000000 bytes"):
        read_layout(path)
    path.write_text('{"table": ' + "9" * 5000 + "}")
    with pytest.raises(LayoutError, match="too many digits"):
        read_layout(path)
