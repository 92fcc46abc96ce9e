from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games import game_named
from assistant.games.game import Position, Setup
from assistant.record import replay
from tests.web.evenings import LAUGH, played_out
from tests.web.served import RECORD
from web.settlement_steps import points, settlement_steps


def of(steps: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(step["kind"], step["seat"], step["amount"], step["pot"], step["rule"]) for step in steps]


def demo() -> Position:
    played = replay(RECORD).position
    assert played is not None
    return played


def test_each_payment_is_a_step_with_its_rule() -> None:
    steps = settlement_steps(demo())
    assert of(steps) == [
        ("stake", 1, 3, 3, "LLD-4"),
        ("stake", 2, 2, 5, "LLD-4"),
        ("stake", 3, 2, 7, "LLD-4"),
        ("stake", 4, 2, 9, "LLD-4"),
        ("bonus", 4, 3, 6, "LLD-22"),
        ("sweep", 1, 8, 6, "LLD-24"),
        ("pays", 3, 2, 8, "LLD-25"),
        ("draws", 1, 2, 6, "LLD-25"),
        ("draws", 2, 2, 4, "LLD-25"),
        ("draws", 4, 4, 0, "LLD-25"),
        ("end", 0, 0, 0, "LLD-26"),
    ]
    assert steps[0]["text"] == "Agnes, the dealer, puts 3 stakes into the pot."
    assert steps[6]["text"] == "Cecily has 6 cards, 4 below par (10), and pays 2 stakes in."
    assert steps[-1]["text"] == "The pot is empty. The results add up to nothing: −1, 0, −4, +5."
    assert all(step["why"] for step in steps)


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 6), st.integers(0, 10**6))
def test_the_steps_lead_from_nothing_to_each_seat_s_result(players: int, seed: int) -> None:
    position = played_out(Setup(LAUGH, players, 1 + seed % players), seed)
    settlement = position.settlement()
    assert settlement is not None
    sums: Counter[int] = Counter()
    pot = 0
    for step in settlement_steps(position):
        sign = {"stake": -1, "pays": -1, "bonus": 1, "draws": 1}.get(step["kind"], 0)
        sums[step["seat"]] += sign * step["amount"]
        pot -= sign * step["amount"]
        assert step["pot"] == pot >= 0
    assert pot == 0
    assert all(sums[seat["seat"]] == seat["net"] for seat in settlement["seats"])
    told = [step["seat"] for step in settlement_steps(position) if step["kind"] in ("pays", "draws", "par")]
    assert sorted(told) == list(range(1, players + 1))


def test_before_the_end_there_is_no_step() -> None:
    assert settlement_steps(game_named(RECORD.setup.game).deal(RECORD.setup)) == []


@pytest.mark.parametrize("score", ["points", "cards_left"])
def test_a_deal_of_rolling_stone_tells_who_won_and_what_the_others_hold(score: str) -> None:
    position = played_out(Setup("rolling-stone", 4, 1, options={"score": score}, names=("Ann", "Bea", "Cy", "Di")), 3)
    settlement = position.settlement()
    assert settlement is not None
    steps = settlement_steps(position)
    assert [step["kind"] for step in steps] == ["won", "left", "left", "left", "end"]
    assert [step["seat"] for step in steps[:1]] == settlement["winners"]
    assert (steps[0]["rule"], steps[-1]["rule"]) == ("RST-11", "RST-14")
    for step in steps[1:-1]:
        seat = settlement["seats"][step["seat"] - 1]
        assert f"still holds {seat['cards']} card" in step["text"]
        assert step["amount"] == seat["score"] == (seat["cards"] if score == "cards_left" else 0)
    assert all(step["pot"] is None and step["why"] for step in steps)


@pytest.mark.parametrize("seed", [0, 6, 1, 2])
def test_a_deal_of_sbros_is_won_or_shared(seed: int) -> None:
    position = played_out(Setup("sbros", 2, 1, names=("Ann", "Bea")), seed)
    settlement = position.settlement()
    assert settlement is not None
    steps = settlement_steps(position)
    kinds = [step["kind"] for step in steps]
    if settlement["winners"]:
        assert kinds == ["won", "left", "end"]
        assert "The points of this deal:" in steps[-1]["text"]
    else:
        assert kinds == ["drawn", "drawn", "end"]
        assert steps[-1]["text"] == "Nobody wins, so the point is shared: Ann 0.5, Bea 0.5."
    assert (steps[0]["rule"], steps[-1]["rule"]) == ("SBR-14", "SBR-15")


def test_shares_of_a_point_are_written_with_few_places() -> None:
    assert [points(one) for one in (1, 0.5, 1 / 3, 2 / 3)] == ["1", "0.5", "0.33", "0.67"]
