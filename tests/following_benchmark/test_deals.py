"""The deals of the benchmark: how they are spread, and that what is filmed is what the rules say."""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.games.game import Action
from tests.following_benchmark.deals import TUNED_ON, Deal, all_deals, played
from tests.following_benchmark.played import refused
from web.deal_script import script_of

DEALS = all_deals()


def test_there_are_sixty_deals_spread_over_players_difficulties_faults_and_zones() -> None:
    assert Counter(deal.game for deal in DEALS) == {"lld": 40, "rst": 10, "sbr": 10}
    assert Counter(deal.players for deal in DEALS if deal.game == "lld") == {3: 10, 4: 10, 5: 10, 6: 10}
    assert Counter(deal.faults is None for deal in DEALS if deal.game == "lld") == {True: 20, False: 20}
    assert {deal.difficulty for deal in DEALS if deal.game == "sbr"} == {"easy", "middle", "hard"}
    assert 25 <= sum(deal.layout for deal in DEALS) <= 35
    assert {deal.fps for deal in DEALS} == {10, 15, 25}
    both = [*DEALS, *all_deals(TUNED_ON)]
    assert len({deal.name for deal in both}) == len({deal.seed for deal in both}) == 120


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal.name)
def test_a_deal_is_played_to_its_end_and_its_misplays_are_refused(deal: Deal) -> None:
    whole = played(deal)
    assert whole.positions[-1].over
    assert script_of(whole.record, whole.misplays).over
    assert bool(whole.misplays) == (deal.faults is not None)
    if deal.faults is None:
        assert whole.positions[-1].faults() == ()
    for misplay in whole.misplays:
        step = misplay.step
        if step.verb in ("sweep", "take-trick"):
            continue
        held = whole.hands[misplay.before][step.seat]
        assert refused(whole.positions[misplay.before], Action(step.seat, step.verb, step.cards)) == misplay.words
        assert set(step.cards) & set(held)


def test_every_claim_and_misplay_of_laugh_and_lie_down_comes_up() -> None:
    laugh = [played(deal) for deal in DEALS if deal.game == "lld"]
    assert {fault.code for one in laugh for fault in one.positions[-1].faults()} == {"C1", "C2", "C3", "C4", "C5"}
    assert {misplay.words for one in laugh for misplay in one.misplays} == {
        *("not-the-same-rank", "one-of-two", "not-your-turn", "deal-over", "wrong-sweep")
    }


def test_a_deal_that_is_broken_off_has_a_name_of_its_own() -> None:
    deal = Deal("lld", 0, 3, "easy", None, most=4)
    assert deal.name == "lld-easy-00-first-4"
    assert len(played(deal).record.actions) == 4
