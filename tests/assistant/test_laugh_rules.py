"""Laugh and Lie Down rule by rule, where no worked example stands for the rule: named by its number."""

from __future__ import annotations

import pytest

from assistant.cards import PACK, parse_cards
from assistant.games.game import Action, IllegalAction, Setup
from assistant.games.laugh_and_lie_down import LaughAndLieDown, LaughPosition
from assistant.games.laugh_setup import scale_of
from tests.assistant.laugh_deals import LAUGH, at, begun, dealt, played, without_hands


def do(position: LaughPosition, *lines: str) -> LaughPosition:
    for line in lines:
        position = position.apply(Action.parse(line))
    return position


def refused(position: LaughPosition, line: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        position.apply(Action.parse(line))
    return f"{caught.value.code} {caught.value.rule}"


@pytest.mark.parametrize(
    ("players", "own", "table", "pot", "bonus"),
    [(3, "14/3", 10, 10, 5), (6, "8/2", 4, 13, 11), (4, "12/2", 4, 9, 7), (4, "10/3", 12, 13, 7)],
)
def test_lld_2_another_deal_that_balances(players: int, own: str, table: int, pot: int, bonus: int) -> None:
    position = played(dealt(players, seed=3, options={"deal_table": own}), 3)[-1]
    assert len(position.setup.table) == table
    settlement = position.settlement()
    assert settlement is not None
    assert (settlement["pot"], settlement["bonus"]["stakes"]) == (pot, bonus)
    assert sum(seat["net"] for seat in settlement["seats"]) == 0
    assert settlement["seats"][0]["staked"] == settlement["seats"][1]["staked"] + 1
    scale = scale_of(position.setup)
    assert scale is not None
    assert (scale.table, scale.pot, scale.bonus) == (table, pot, bonus)
    assert scale_of(Setup("sbros", 2, 1)) is None
    assert scale_of(Setup(LAUGH, players, 1, options={"deal_table": "1/1"})) is None


def test_lld_4_each_puts_in_two_stakes_and_the_dealer_one_more() -> None:
    settlement = played(dealt(5, seed=2, dealer=4), 2)[-1].settlement()
    assert settlement is not None
    assert [seat["staked"] for seat in settlement["seats"]] == [2, 2, 2, 3, 2]
    assert settlement["pot"] == 11


def test_lld_5_and_lld_6_the_cards_are_dealt_one_by_one_from_the_dealers_left_and_the_rest_lies_open() -> None:
    setup = LaughAndLieDown().shuffled(Setup(LAUGH, 5, 2), PACK)
    assert [setup.hands[seat][0] for seat in (3, 4, 5, 1, 2)] == list(PACK[:5])
    assert setup.hands[3] == PACK[0:40:5]
    assert setup.table == PACK[40:]


def test_lld_7_the_dealer_may_take_several_mournivals() -> None:
    start = begun(without_hands(dealt(5, table="4S 4H 4D 4C 9S 9H 9D 9C QS KS 2S 3S")))
    position = do(start, "1 take 9S 9H 9D 9C", "1 take 4S 4H 4D 4C")
    assert len(position.observe().piles[1]) == 8
    assert [fault.code for fault in do(start, "1 take 9S 9H 9D 9C", "2 mate Q? QS").faults()] == ["C1"]


def test_lld_8_the_dealer_who_is_out_of_time_loses_every_mournival_he_left() -> None:
    start = begun(without_hands(dealt(5, table="4S 4H 4D 4C 9S 9H 9D 9C QS KS 2S 3S")))
    acted = do(start, "2 mate Q? QS")
    assert sorted(str(claim.cards[0]) for claim in acted.claims()) == ["4S", "9S"]
    assert [claim.code for claim in do(acted, "3 claim 9S 9H 9D 9C").claims()] == ["C1"]


def test_lld_9a_a_mournival_of_the_hand_is_laid_at_once_or_two_by_two() -> None:
    position = at("KS", {2: "KH", 3: "5S 5H 5D 5C 7S"})
    assert len(do(position, "3 lay 5S 5H 5D 5C").observe().piles[3]) == 4
    assert len(do(position, "3 lay 5S 5C", "3 lay 5H 5D").observe().piles[3]) == 4


def test_lld_10_laying_is_no_turn_and_is_open_until_one_lies_down() -> None:
    position = at("KS", {2: "KH 3H", 3: "5S 5H 5D", 4: "7S"})
    after = do(position, "3 lay 5S 5H")
    assert after.to_act == 2
    down = do(position, "2 mate KH KS", "3 lie-down 5S 5H 5D")
    assert refused(down, "3 lay 5S 5H") == "lies-down-already LLD-18"


def test_lld_11_what_is_laid_lies_face_up_in_the_pile() -> None:
    position = do(at("KS", {2: "KH", 3: "5S 5H 5D"}), "3 lay 5S 5D")
    assert position.observe().piles[3] == parse_cards("5S 5D")


def test_lld_12_the_turn_goes_clockwise_over_those_still_in() -> None:
    position = begun(dealt(6, seed=1, dealer=6))
    assert position.to_act == 1
    middle = at("KS 2C", {1: "AS", 3: "KH 2H", 5: "3S"}, to_act=3)
    assert [do(middle, "3 mate KH KS").to_act, do(middle, "3 mate KH KS", "5 lie-down 3S").to_act] == [5, 1]


def test_lld_14_one_hand_card_mates_in_a_turn() -> None:
    position = at("KS 9S", {2: "KH 9H", 3: "3S", 4: "4S"})
    assert refused(do(position, "2 mate KH KS"), "2 mate 9H 9S") == "not-your-turn LLD-20"
    many = at("KS 9S", {2: "KH 9H", 3: "3S", 4: "4S"}, options={"mates_per_turn": "many"})
    assert len(do(many, "2 mate KH KS", "2 mate 9H 9S").observe().piles[2]) == 4


def test_lld_16_a_pair_royal_is_taken_whole_or_its_rest_is_claimed() -> None:
    position = at("KS KD KC", {2: "KH", 3: "3S", 4: "4S"})
    assert do(position, "2 mate KH KS KD KC").claims() == ()
    assert [claim.code for claim in do(position, "2 mate KH KC").claims()] == ["C2"]
    assert refused(position, "2 mate KH KS KD") == "one-or-three LLD-16"


def test_lld_18_who_lies_down_puts_his_whole_hand_on_the_table_and_keeps_his_pile() -> None:
    position = do(at("2C", {2: "9S 4H", 3: "3S 2H", 4: "4S"}, {2: "KS KH"}), "2 lie-down 9S 4H")
    assert set(position.observe().table) == set(parse_cards("2C 9S 4H"))
    assert position.observe().piles[2] == parse_cards("KS KH")
    assert 2 not in position.active


def test_lld_19_the_cards_of_one_who_lay_down_are_mated_like_any_others() -> None:
    position = do(at("2C", {2: "9S 4H", 3: "9H 3S", 4: "4S"}), "2 lie-down 9S 4H", "3 mate 9H 9S", "4 mate 4S 4H")
    assert position.observe().piles == {1: (), 2: (), 3: parse_cards("9H 9S"), 4: parse_cards("4S 4H"), 5: ()}


def test_lld_20_nobody_acts_out_of_turn_or_holds_back() -> None:
    position = at("KS 3C", {2: "KH", 3: "3S", 4: "4S"})
    assert refused(position, "3 mate 3S 3C") == "not-your-turn LLD-20"
    assert refused(position, "3 lie-down 3S") == "not-your-turn LLD-20"


def test_lld_21_and_lld_22_the_last_one_in_ends_the_deal_and_draws_the_bonus() -> None:
    last = played(dealt(5, seed=9), 9)[-1]
    settlement = last.settlement()
    assert settlement is not None
    assert settlement["bonus"] == {"seat": last.last_in, "stakes": 5}
    assert last.legal_actions() == ()
    winner = settlement["seats"][settlement["bonus"]["seat"] - 1]
    assert winner["received"] >= 5


def test_lld_23_and_lld_24_open_claims_come_before_the_sweep_to_the_dealer() -> None:
    ended = do(at("2C", {2: "5H 5D", 3: "3S"}, {3: "5C 5S"}), "2 lie-down 5H 5D")
    assert ended.over
    assert set(ended.swept) == set(parse_cards("2C 5H 5D 3S"))
    assert set(do(ended, "1 claim 5H 5D").swept) == set(parse_cards("2C 3S"))


def test_lld_28_in_the_same_instant_the_nearest_to_the_offenders_left_comes_first() -> None:
    short = do(at("KS KD KC", {4: "KH", 5: "3S", 1: "4S"}, to_act=4), "4 mate KH KS")
    assert short.claims()[0].claimants == (5, 1, 2, 3)


def test_lld_30_a_claim_ends_when_its_cards_are_mated_away() -> None:
    shown = do(at("2C", {2: "9S 9H 9D", 3: "9C 3C", 4: "3S"}), "2 lie-down 9S 9H 9D")
    assert [claim.code for claim in shown.claims()] == ["C3"]
    assert do(shown, "3 mate 9C 9S 9H 9D").claims() == ()
    both = do(shown, "3 mate 9C 9S")
    assert sorted((claim.code, claim.seat) for claim in both.claims()) == [("C2", 3), ("C3", 2)]
    assert [claim.seat for claim in do(both, "3 claim 9H 9D").claims()] == []
    assert [fault.claimed_by for fault in do(both, "3 claim 9H 9D").faults()] == [3, None]


def test_lld_31_what_nobody_claims_stays_and_a_wrong_claim_changes_nothing() -> None:
    short = do(at("KS KD KC 3C", {2: "KH", 3: "3S", 4: "4S"}), "2 mate KH KS")
    assert refused(short, "3 claim 3C 3S") == "nothing-to-claim LLD-31"
    ended = do(short, "3 mate 3S 3C", "4 lie-down 4S", "2 lie-down")
    assert set(ended.swept) == set(parse_cards("KD KC 4S"))


@pytest.mark.parametrize(
    ("hand", "before", "told"),
    [
        ("9S 9H 9D", (), "C3: Seat 2 lay down with three nines, two of which could have been laid (such as 9S 9H). "
         "Whoever calls it takes two of them."),
        ("5H 5D", (), "C4: Seat 2 lay down with the dead pair 5H 5D. Whoever calls it takes both."),
        ("9S 9H 9D 9C", (), "C5: Seat 2 lay down with the mournival of nines (9S 9H 9D 9C). "
         "Whoever calls it takes all four."),
        ("9S 9H 9D 9C", ("2 lay 9S 9H",), "C5: Seat 2 lay down with the second pair of the mournival of nines (9D 9C). "
         "Whoever calls it takes both."),
    ],
)  # fmt: skip
def test_lld_28_what_a_shown_hand_gives_away_is_told_in_one_sentence(
    hand: str, before: tuple[str, ...], told: str
) -> None:
    position = do(at("2C", {2: hand, 3: "3S", 4: "4S"}, {3: "5C 5S"}), *before)
    rest = " ".join(str(card) for card in position.places.hands[1].cards())
    shown = do(position, f"2 lie-down {rest}")
    assert [f"{claim.code}: {claim.text}" for claim in shown.claims()] == [told]
    claimed = do(shown, f"4 claim {' '.join(map(str, shown.claims()[0].cards))}")
    assert claimed.observe().piles[4] == shown.claims()[0].cards
    assert claimed.claims() == ()


def test_lld_16_and_lld_17_a_short_take_and_a_missed_mate_are_told_in_one_sentence() -> None:
    short = do(at("KS KD KC", {2: "KH", 3: "3S", 4: "4S"}), "2 mate KH KS")
    assert short.claims()[0].text == "Seat 2 took only one of three kings and left KD KC. Whoever calls it takes both."
    missed = at("KS", {2: "KH", 3: "3S", 4: "4S"}, options={"missed_mate": "noticer_takes_pair"})
    assert do(missed, "2 lie-down KH").faults()[0].text == ("Seat 2 lay down and could have mated kings (KH KS).")
