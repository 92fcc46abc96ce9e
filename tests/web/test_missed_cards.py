from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.served import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    held = Served(tmp_path)
    held.begin()
    yield held
    held.close()


def ways(served: Served, query: str) -> list[Any]:
    status, told = served.get(f"/api/ways?{query}")
    assert status == 200, told
    found: list[Any] = told["ways"]
    return found


def test_a_way_says_what_happened_and_is_taken_by_its_command(served: Served) -> None:
    first = ways(served, "card=JD")[0]
    assert first == {
        "text": "Bertram takes the jack of hearts with the jack of diamonds.",
        "path": "action",
        "body": {"line": "2 mate JD JH"},
    }
    assert served.post(f"/api/{first['path']}", {"seen": served.state.seq, **first["body"]})[0] == 200
    assert str(served.deal.done[-1].action) == "2 mate JD JH"


def test_a_card_of_a_laid_down_hand_that_does_not_lie_there_was_another(served: Served) -> None:
    served.play(0, 12)
    lying = next(done for done in served.deal.done if done.action.verb == "lie-down")
    card = next(card for card in lying.action.cards if card in served.deal.position.observe().table)
    told = ways(served, f"card={card}&wrong=1")
    assert [one["path"] for one in told] == ["change", "undo"]
    assert told[0]["text"].startswith("It was another card, which nobody read: Agnes lies down")
    assert told[1]["text"] == "This did not happen: Agnes lies down with seven cards."
    for one in told[:1]:
        assert served.post(f"/api/{one['path']}", {"seen": served.state.seq, **one["body"]})[0] == 200
    assert card not in served.deal.position.observe().table


def test_what_is_no_card_is_refused_and_without_a_deal_there_is_no_way(served: Served, tmp_path: Path) -> None:
    assert served.get("/api/ways?card=XX")[0] == 400
    assert served.get("/api/ways")[0] == 400
    fresh = Served(tmp_path / "fresh")
    try:
        assert ways(fresh, "card=KH") == []
    finally:
        fresh.close()
