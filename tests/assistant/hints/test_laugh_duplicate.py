"""Duplicate deals: the same cards with and without hints, and the hinted player plays as the hints say."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.hints.laugh_duplicate import differences, results, shuffled
from assistant.hints.laugh_playouts import FOURS, LONGEST


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_pack_is_dealt_out_and_every_settlement_sums_to_nothing(players: int) -> None:
    rng = np.random.default_rng(players)
    deals = shuffled(players, 100, rng)
    assert (deals.table + deals.hands.sum(0) == FOURS).all()
    nets = results(deals, rng.random((LONGEST, 100)), rng)
    assert nets.shape == (players, 100)
    assert (nets.sum(0) == 0).all()


def test_following_the_hints_wins_stakes() -> None:
    gains = differences(5, 100, 10, np.random.default_rng(1))
    by_deal = gains.mean(0)
    assert by_deal.mean() > 2 * by_deal.std() / 100**0.5
    assert (differences(4, 10, 5, np.random.default_rng(2)) == differences(4, 10, 5, np.random.default_rng(2))).all()
