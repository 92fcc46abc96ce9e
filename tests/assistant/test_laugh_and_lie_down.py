"""Laugh and Lie Down by example: the worked examples of the rule text and the complete deals."""

from __future__ import annotations

import doctest

import pytest

import assistant.games.laugh_and_lie_down as module
from assistant.cards import parse_cards
from assistant.games import GAMES, game_named, laugh_setup
from assistant.games.game import Action, AmbiguousInput, IllegalAction, InvalidInput, Setup
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.games.laugh_setup import first_dealer
from assistant.record import parse_record
from tests.assistant.laugh_deals import HERE, LAUGH, at, begun, dealt, without_hands


def do(position: LaughPosition, *lines: str) -> LaughPosition:
    for line in lines:
        position = position.apply(Action.parse(line))
    return position


def refusal(position: LaughPosition, line: str) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        position.apply(Action.parse(line))
    return caught.value


def legal(position: LaughPosition) -> set[str]:
    return {str(action) for action in position.legal_actions()}


def claims(position: LaughPosition) -> list[tuple[str, int, str, tuple[int, ...]]]:
    return [(one.code, one.seat, " ".join(map(str, one.cards)), one.claimants) for one in position.claims()]


def pile(position: LaughPosition, seat: int) -> str:
    return " ".join(map(str, position.places.piles[seat - 1]))


def test_docstring_examples() -> None:
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(laugh_setup).failed == 0


@pytest.mark.parametrize(
    ("rule", "cuts", "dealers"),
    [
        ("lowest_cut", "7S AH KD", (2,)),
        ("lowest_cut", "2S KH 2D", (1, 3)),
        ("highest_cut", "7S AH KD", (3,)),
    ],
)
def test_lld_3_the_lowest_cut_deals_the_ace_low_and_ties_cut_again(
    rule: str, cuts: str, dealers: tuple[int, ...]
) -> None:
    assert first_dealer(dict(enumerate(parse_cards(cuts), 1)), rule) == dealers


def test_the_game_is_found_by_its_name() -> None:
    assert game_named(LAUGH) is GAMES[LAUGH]
    with pytest.raises(InvalidInput, match="no game 'whist'"):
        game_named("whist")


# The worked examples


def test_l1_the_only_mate_must_be_made() -> None:
    position = at("KS 7D 2C", {2: "KH 9C", 3: "3S"})
    assert legal(position) == {"2 mate KH KS"}
    refused = refusal(position, "2 lie-down KH 9C")
    assert (refused.code, refused.rule) == ("mate-possible", "LLD-17")
    assert "KH" in refused.reason
    assert "KS" in refused.reason
    assert pile(do(position, "2 mate KH KS"), 2) == "KH KS"


def test_l2_of_two_on_the_table_one_is_taken() -> None:
    position = at("KS KD", {2: "KH", 3: "3S"})
    assert legal(position) == {"2 mate KH KS", "2 mate KH KD"}
    assert len(do(position, "2 mate KH KD").places.piles[1]) == 2
    refused = refusal(position, "2 mate KH KS KD")
    assert (refused.code, refused.rule) == ("one-of-two", "LLD-15")


def test_l3_the_fourth_takes_all_three_and_a_short_take_opens_c2() -> None:
    position = at("KS KD KC", {2: "KH", 3: "3S", 4: "4S"})
    assert legal(position) == {"2 mate KH KS KD KC", "2 mate KH KS", "2 mate KH KD", "2 mate KH KC"}
    assert pile(do(position, "2 mate KH KS KD KC"), 2) == "KH KS KD KC"
    short = do(position, "2 mate KH KD")
    assert pile(short, 2) == "KH KD"
    assert claims(short) == [("C2", 2, "KS KC", (3, 4, 5, 1))]
    assert refusal(position, "2 mate KH KS KC").code == "one-or-three"


def test_l4_two_in_hand_and_two_on_the_table_are_two_turns() -> None:
    position = do(at("KS KD", {2: "KH KC", 3: "QS", 4: "JS"}), "2 mate KH KS", "3 lie-down QS")
    assert position.over is False
    assert "4 mate" not in " ".join(legal(position))
    position = at("KS KD", {2: "KH KC", 3: "QS 5S", 4: "JS"}, to_act=2)
    position = do(position, "2 mate KH KS")
    assert refusal(position, "2 mate KC KD").code == "not-your-turn"


def test_l5_two_of_three_in_hand_are_laid_and_the_third_can_be_mated() -> None:
    position = at("2C", {2: "9S 9H 9D 4H", 3: "9C 2S"}, to_act=3)
    assert {"2 lay 9S 9H", "2 lay 9S 9D", "2 lay 9H 9D"} <= legal(position)
    position = do(position, "2 lay 9S 9H", "3 mate 2S 2C")
    assert pile(position, 2) == "9S 9H"
    assert refusal(position, "2 lay 9D 4H").code == "not-the-same-rank"
    assert "2 mate 9D 9C" in legal(at("9C", {2: "9D", 3: "3S"}, {2: "9S 9H"}))


@pytest.mark.parametrize(
    "lines", [("2 lay 9S 9H", "2 mate 9D 9C"), ("2 mate 9D 9C", "2 lay 9S 9H")], ids=["lay first", "mate first"]
)
def test_l6_three_in_hand_and_the_fourth_on_the_table_make_four_cards_either_way(lines: tuple[str, ...]) -> None:
    position = do(at("9C", {2: "9S 9H 9D", 3: "3S", 4: "4S"}), *lines)
    assert sorted(pile(position, 2).split()) == ["9C", "9D", "9H", "9S"]


def test_l9_a_living_pair_goes_to_the_table_and_one_of_it_can_be_taken() -> None:
    position = at("KS 7D 2C", {2: "QS 9D 9C 4H", 3: "9S AS", 4: "9H AD"})
    assert legal(position) == {"2 lie-down 4H 9D 9C QS"}
    refused = refusal(position, "2 lay 9D 9C")
    assert (refused.code, refused.rule) == ("can-still-be-mated", "LLD-9")
    position = do(position, "2 lie-down QS 9D 9C 4H")
    assert set(position.places.table.cards()) == set(parse_cards("KS 7D 2C QS 9D 9C 4H"))
    assert position.claims() == ()
    assert legal(position) == {"3 mate 9S 9D", "3 mate 9S 9C"}


def test_l10_a_dead_pair_shown_is_claimed_by_the_first_to_call() -> None:
    position = at("2C", {2: "5H 5D 7H KH", 3: "3S", 4: "4S"}, {3: "5C 5S"})
    assert {"2 lay 5H 5D"} <= legal(position)
    position = do(position, "2 lie-down 5H 5D 7H KH")
    assert claims(position) == [("C4", 2, "5H 5D", (3, 4, 5, 1))]
    position = do(position, "4 claim 5H 5D")
    assert pile(position, 4) == "5H 5D"
    assert {"7H", "KH"} <= set(map(str, position.places.table.cards()))
    assert [(fault.code, fault.seat, fault.claimed_by) for fault in position.faults()] == [("C4", 2, 4)]
    assert refusal(position, "3 claim 5H 5D").code == "nothing-to-claim"


def test_l11_a_missed_mate_is_taken_back_or_goes_to_the_noticer() -> None:
    cards = ("KS", {2: "KH 4D", 3: "3S", 4: "4S"})
    assert refusal(at(*cards), "2 lie-down KH 4D").code == "mate-possible"
    position = do(at(*cards, options={"missed_mate": "noticer_takes_pair"}), "2 lie-down KH 4D")
    assert claims(position) == [("missed-mate", 2, "KS KH", (3, 4, 5, 1))]
    position = do(position, "5 claim KH KS")
    assert pile(position, 5) == "KH KS"
    assert position.faults()[0].claimed_by == 5


def test_l13_an_empty_hand_lies_down_with_nothing() -> None:
    position = at("KS", {2: "", 3: "3S", 4: "4S"}, {2: "2S 2C"})
    assert legal(position) == {"2 lie-down"}
    position = do(position, "2 lie-down")
    assert position.active == (3, 4)
    assert pile(position, 2) == "2S 2C"
    last = at("KS", {1: "AS", 2: ""}, {2: "2S 2C"}, to_act=1)
    assert do(last, "1 lie-down AS").last_in == 2


MOURNIVAL = "4S 4H 4D 4C 7S 9S TS JS QS KS 2S 3S"


def test_l14_a_table_mournival_is_the_dealers_until_eldest_hand_has_acted() -> None:
    start = begun(without_hands(dealt(5, table=MOURNIVAL)))
    assert "1 take 4S 4H 4D 4C" in legal(start)
    assert [notice.code for notice in start.notices()] == ["mournival"]
    early = refusal(start, "4 claim 4S 4H 4D 4C")
    assert (early.code, early.rule) == ("claim-too-early", "LLD-8")
    assert refusal(start, "2 take 4S 4H 4D 4C").code == "only-the-dealer"
    assert pile(do(start, "1 take 4S 4H 4D 4C"), 1) == "4S 4H 4D 4C"
    acted = do(start, "2 mate 7H 7S")
    assert refusal(acted, "1 take 4S 4H 4D 4C").code == "take-too-late"
    assert claims(acted) == [("C1", 1, "4S 4H 4D 4C", (2, 3, 4, 5))]
    assert refusal(acted, "1 claim 4S 4H 4D 4C").code == "own-mistake"
    claimed = do(acted, "4 claim 4S 4H 4D 4C")
    assert pile(claimed, 4) == "4S 4H 4D 4C"
    fault = claimed.faults()[0]
    assert (fault.code, fault.seat, fault.action, fault.claimed_by) == ("C1", 1, 0, 4)


def test_l18_what_is_left_of_a_short_take_is_dead() -> None:
    position = do(at("QD QC QH", {2: "QS 2S", 3: "3S", 4: "4S"}), "2 mate QS QH")
    assert all("Q" not in action for action in legal(position))
    assert refusal(position, "2 claim QD QC").code == "own-mistake"
    assert pile(do(position, "1 claim QC QD"), 1) == "QC QD"


@pytest.mark.parametrize("name", ["deal_1", "deal_3"])
@pytest.mark.parametrize("seen", [True, False], ids=["hands seen", "hands unseen"])
def test_complete_deals_line_by_line(name: str, seen: bool) -> None:
    record = parse_record((HERE / f"{name}.deal").read_text("utf-8"))
    setup = record.setup if seen else without_hands(record.setup)
    position = begun(setup)
    for action in record.actions:
        assert not position.over
        if seen:
            offered = {(one.seat, one.verb, frozenset(one.cards)) for one in position.legal_actions()}
            assert (action.seat, action.verb, frozenset(action.cards)) in offered
        position = position.apply(action)
    assert position.over
    assert position.faults() == ()
    settlement = position.settlement()
    assert settlement is not None
    seats = settlement["seats"]
    expected = {
        "deal_1": (11, {"seat": 3, "stakes": 5}, [16, 12, 14, 4, 6], [1, 0, 6, -4, -3], ["KC", "KH"]),
        "deal_3": (9, {"seat": 1, "stakes": 3}, [20, 16, 10, 6], [5, 1, -2, -4], []),
    }[name]
    assert settlement["pot"] == expected[0]
    assert settlement["bonus"] == expected[1]
    assert [seat["cards"] for seat in seats] == expected[2]
    assert [seat["net"] for seat in seats] == expected[3]
    assert sorted(map(str, position.swept)) == expected[4]


# Turns


def test_eldest_hand_begins_and_the_turn_passes_to_the_left_over_those_still_in() -> None:
    position = begun(dealt(5, dealer=5))
    assert position.to_act == 1
    position = do(at("2C 3C", {2: "AS", 4: "2S", 5: "3S", 1: "JS"}, to_act=2), "2 lie-down AS")
    assert position.to_act == 4
    position = do(position, "4 mate 2S 2C", "5 mate 3S 3C")
    assert position.to_act == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("3 mate 3S 2C", "not-your-turn"),
        ("2 mate KH 2C", "not-the-same-rank"),
        ("2 mate KH KD", "not-on-the-table"),
        ("2 mate 2S 2C", "not-in-hand"),
        ("2 mate KH", "one-or-three"),
        ("2 mate KH KS KD KC KS", "one-or-three"),
        ("5 mate KH KS", "lies-down-already"),
        ("2 lay KH", "two-or-four"),
        ("2 lay KH KH", "not-in-hand"),
        ("2 lie-down KH", "not-the-whole-hand"),
        ("1 take KS", "not-a-mournival"),
        ("3 claim", "nothing-to-claim"),
        ("3 claim KS KD", "nothing-to-claim"),
    ],
)
def test_what_is_refused_and_how_it_is_called(line: str, code: str) -> None:
    position = at("KS 2C", {2: "KH 9C", 3: "3S", 4: "4S"})
    refused = refusal(position, line)
    assert refused.code == code
    assert refused.rule.startswith("LLD-")
    assert "\n" not in refused.reason


def test_a_refusal_says_where_the_card_is() -> None:
    position = at("KS 2C", {2: "KH 9C", 3: "3S"}, {4: "KD JD"})
    assert "in the pile of seat 4" in refusal(position, "2 mate KH KD").reason


@pytest.mark.parametrize("line", ["7 mate KH KS", "0 lie-down", "2 pass"])
def test_a_seat_or_verb_that_does_not_exist_is_invalid(line: str) -> None:
    with pytest.raises(InvalidInput):
        at("KS", {2: "KH", 3: "3S"}).apply(Action.parse(line))


def test_cards_without_any_rank_are_asked_for() -> None:
    with pytest.raises(AmbiguousInput):
        begun(without_hands(dealt(5))).apply(Action.parse("3 lay ?? ??"))


def test_the_last_one_in_may_do_nothing_more() -> None:
    position = do(at("KS", {1: "AS", 2: "KH 5S 5H 5D"}, to_act=1), "1 lie-down AS")
    assert position.over
    assert position.to_act is None
    assert position.last_in == 2
    assert position.legal_actions() == ()
    for line in ("2 mate KH KS", "2 lay 5S 5H", "2 lie-down KH 5S 5H 5D"):
        assert refusal(position, line).code == "deal-over"


# Laying and claims


def test_a_mournival_in_hand_is_laid_whole_or_in_part() -> None:
    position = at("KS", {2: "KH", 3: "5S 5H 5D 5C 7S"})
    assert "3 lay 5S 5H 5D 5C" in legal(position)
    assert pile(do(position, "3 lay 5S 5H 5D 5C"), 3) == "5S 5H 5D 5C"
    part = do(position, "3 lay 5S 5H")
    assert "3 lay 5D 5C" in legal(part)


def test_c3_gives_two_of_three_and_the_fourth_can_still_take_the_table() -> None:
    start = at("2C", {2: "9S 9H 9D", 3: "3S 3C", 4: "9C"})
    shown = do(start, "2 lie-down 9S 9H 9D")
    assert claims(shown) == [("C3", 2, "9S 9H", (3, 4, 5, 1))]
    claimed = do(shown, "3 claim 9S 9D")
    assert set(claimed.places.table.cards()) == set(parse_cards("2C 9H"))
    assert [str(card) for card in claimed.faults()[0].cards] == ["9S", "9D"]
    mated = do(shown, "3 lie-down 3S 3C")
    assert mated.over
    later = do(at("2C", {2: "9S 9H 9D", 3: "9C 3C", 4: "3S"}), "2 lie-down 9S 9H 9D", "3 mate 9C 9S 9H 9D")
    assert later.claims() == ()
    assert later.faults()[0].claimed_by is None


def test_c5_for_a_mournival_shown_and_for_the_second_pair_of_one() -> None:
    start = at("2C", {2: "9S 9H 9D 9C", 3: "3S", 4: "4S"})
    assert claims(do(start, "2 lie-down 9S 9H 9D 9C")) == [("C5", 2, "9S 9H 9D 9C", (3, 4, 5, 1))]
    second = do(start, "2 lay 9S 9H", "2 lie-down 9D 9C")
    assert claims(second) == [("C5", 2, "9D 9C", (3, 4, 5, 1))]


def test_a_third_card_rightly_kept_is_not_claimable() -> None:
    position = do(at("2C", {2: "9S 9H 9D", 3: "3S", 4: "4S"}), "2 lay 9S 9H", "2 lie-down 9D")
    assert position.claims() == ()


def test_claims_may_be_made_by_those_lying_down_and_after_the_end() -> None:
    position = do(at("2C", {2: "5H 5D", 3: "3S"}, {3: "5C 5S"}), "2 lie-down 5H 5D")
    assert position.over
    assert [claim.code for claim in position.claims()] == ["C4"]
    position = do(position, "4 claim 5H 5D")
    assert pile(position, 4) == "5H 5D"
    assert [str(card) for card in position.swept] == ["2C", "3S"]


def test_a_claim_of_the_wrong_number_says_how_many_there_are() -> None:
    position = do(at("KS KD KC", {2: "KH", 3: "3S", 4: "4S"}), "2 mate KH KS")
    refused = refusal(position, "3 claim KD")
    assert refused.code == "wrong-number"
    assert refused.reason.startswith("2 kings")


# Options


def test_prial_take() -> None:
    cards = ("KS KD KC", {2: "KH", 3: "3S", 4: "4S"})
    strict = at(*cards, options={"prial_take": "auto_three"})
    assert legal(strict) == {"2 mate KH KS KD KC"}
    assert refusal(strict, "2 mate KH KS").code == "take-all-three"
    free = do(at(*cards, options={"prial_take": "free_choice"}), "2 mate KH KS")
    assert (free.claims(), free.faults()) == ((), ())


def test_claim_window_until_the_next_action() -> None:
    cards = ("KS KD KC 3C", {2: "KH", 3: "3S", 4: "4S"})
    short = do(at(*cards, options={"claim_window": "until_next_action"}), "2 mate KH KS")
    assert len(short.claims()) == 1
    assert do(short, "3 mate 3S 3C").claims() == ()
    assert len(do(at(*cards), "2 mate KH KS", "3 mate 3S 3C").claims()) == 1


def test_claimants_in_only() -> None:
    cards = ("KS KD KC", {2: "KH", 3: "3S", 4: "4S"})
    position = do(at(*cards, options={"claimants": "in_only"}), "2 mate KH KS")
    assert claims(position) == [("C2", 2, "KD KC", (3, 4))]
    assert refusal(position, "5 claim KD KC").code == "claimant-is-out"


def test_many_mates_a_turn_until_the_next_player_acts() -> None:
    cards = ("KS 9S 3C", {2: "KH 9H", 3: "3S", 4: "4S"})
    position = do(at(*cards, options={"mates_per_turn": "many"}), "2 mate KH KS")
    assert {"2 mate 9H 9S", "3 mate 3S 3C"} <= legal(position)
    assert pile(do(position, "2 mate 9H 9S"), 2) == "KH KS 9H 9S"
    assert refusal(do(position, "3 mate 3S 3C"), "2 mate 9H 9S").code == "not-your-turn"


def test_empty_hand_out_at_once_gives_the_bonus_to_the_last_mater() -> None:
    cards = ("KS", {2: "KH", 3: "3S 4C"})
    at_once = do(at(*cards, players=3, options={"empty_hand": "out_at_once"}), "2 mate KH KS")
    assert at_once.over
    assert at_once.last_in == 3
    assert at_once.last_mater == 2
    assert not do(at(*cards, players=3), "2 mate KH KS").over


def test_lay_window_before_the_first_turn() -> None:
    options = {"lay_window": "before_first_turn"}
    cards = ("2C 5S", {2: "2S", 3: "9S 9H 9D 5H 5D"})
    before = at(*cards, turns=0, options=options)
    assert "3 lay 9S 9H" in legal(before)
    after = at(*cards, {4: "5S 5C"}, turns=1, options=options)
    assert refusal(after, "3 lay 9S 9H").code == "lay-too-late"
    assert "3 lay 5H 5D" in legal(after)


def test_lay_window_before_ones_own_next_turn_ends() -> None:
    options = {"lay_window": "before_own_next_turn_ends"}
    start = at("2C 5S 7S", {2: "2S 9S 9H 9D 5H 5D", 3: "5C 8S", 4: "7H"}, options=options)
    assert "2 lay 9S 9H" in legal(start)
    mated = do(start, "2 mate 2S 2C")
    assert refusal(mated, "2 lay 9S 9H").code == "lay-too-late"
    dead = do(mated, "3 mate 5C 5S")
    assert "2 lay 5H 5D" in legal(dead)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"prial_grab": "one"}, "prial_grab"),
        ({"prial_take": "two"}, "two"),
        ({"dealer_grace_s": "soon"}, "soon"),
        ({"dealer_grace_s": "9999"}, "9999"),
    ],
)
def test_unknown_options_are_named(options: dict[str, str], word: str) -> None:
    with pytest.raises(InvalidInput, match=word) as caught:
        begun(dealt(5, options=options))
    assert caught.value.about == "options"


# Partly known cards


def test_an_unseen_hand_is_offered_what_the_table_offers() -> None:
    position = begun(without_hands(dealt(5, table="KS KD 7S 9S 9H 9D TS JS QS 2S 3S 4S")))
    offered = legal(position)
    assert {"2 mate K? KS", "2 mate K? KD", "2 mate 9? 9S 9H 9D", "2 lie-down" + " ??" * 8} <= offered
    assert all(action.startswith("2 ") for action in offered)


def test_a_partly_known_card_counts_for_its_rank() -> None:
    start = begun(without_hands(dealt(5, table="KS KD 7S 9S 9H 9D TS JS QS 2S 3S 4S")))
    position = do(start, "2 mate K? KS")
    assert pile(position, 2) == "K? KS"
    assert position.unseen()["K"] == 1
    position = do(position, "3 mate ?? KD")
    assert pile(position, 3) == "K? KD"
    assert "K" not in position.unseen()
    assert refusal(position, "4 mate K? KS").code == "not-in-hand"


def test_a_fifth_card_of_a_rank_is_refused() -> None:
    start = begun(without_hands(dealt(5, table="KS KD KH KC 7S 9S TS JS QS 2S 3S 4S")))
    assert refusal(start, "2 lay K? K?").code == "not-in-hand"


def test_laying_two_from_an_unseen_hand_proves_a_third() -> None:
    start = begun(without_hands(dealt(5, table="KS 7S 8S 8H TS JS QS 2S 3S 4S 5S 6S")))
    position = do(start, "4 lay 9H 9?")
    assert [str(card) for card in position.places.hands[3].cards()] == ["9?"] + ["??"] * 5
    assert refusal(start, "4 lay 8D 8C").code == "can-still-be-mated"


def test_a_hand_known_in_part_plays_known_and_unknown_cards() -> None:
    hand = "KH 7H ?? ?? ?? ?? ?? ??"
    setup = Setup(LAUGH, 5, 1, parse_cards("KS 7S 9S TS JS QS 2S 3S 4S 5S 6S 8S"), {2: parse_cards(hand)})
    position = begun(setup)
    offered = legal(position)
    assert {"2 mate KH KS", "2 mate K? KS", "2 mate 9? 9S"} <= offered
    assert not any("lie-down" in action for action in offered)
    played = do(position, "2 mate 9C 9S")
    assert [str(card) for card in played.places.hands[1].cards()] == ["7H", "KH"] + ["??"] * 5


def test_the_only_hand_with_unseen_cards_is_what_is_left() -> None:
    full = dealt(5, seed=5)
    hidden = {seat: hand for seat, hand in full.hands.items() if seat != 3}
    position = begun(Setup(LAUGH, 5, 1, full.table, hidden))
    assert set(position.places.hands[2].cards()) == set(full.hands[3])


def test_a_hand_shown_in_part_lies_on_the_table_so() -> None:
    start = begun(without_hands(dealt(5, table="KS 7S 8S 8H TS JS QS 2S 3S 4S 5S 6S")))
    position = do(start, "2 lie-down AS A? 9? 9C ?? ?? ?? ??")
    table = position.observe().table
    assert [str(card) for card in table if card.rank in ("A", "9", "")] == ["AS", "A?", "9C", "9?"] + ["??"] * 4
    position = do(position, "3 mate 7H 7S", "4 mate AH A?", "5 mate KH KS", "1 mate 3H 3S", "3 mate QH QS")
    position = do(position, "4 mate 7D 7C")
    assert pile(position, 4) == "AH A? 7D 7C"


# The set-up


@pytest.mark.parametrize(
    ("setup", "code", "about"),
    [
        (Setup(LAUGH, 2, 1), "bad-players", "players"),
        (Setup(LAUGH, 7, 1), "bad-players", "players"),
        (Setup(LAUGH, 5, 6), "bad-dealer", "dealer"),
        (Setup(LAUGH, 5, 1, parse_cards("KS")), "wrong-table-size", "table"),
        (Setup("sbros", 5, 1), "wrong-game", "game"),
        (Setup(LAUGH, 5, 1, dealt(5).table, {9: ()}), "no-such-seat", "hand 9"),
        (Setup(LAUGH, 5, 1, dealt(5).table, {2: parse_cards("?? ??")}), "wrong-hand-size", "hand 2"),
        (Setup(LAUGH, 5, 1, dealt(5).table, names=("Anna",)), "bad-names", "names"),
        (Setup(LAUGH, 5, 1, parse_cards("KS KS 2S 3S 4S 5S 6S 7S 8S 9S TS JS")), "card-twice", "table"),
        (Setup(LAUGH, 5, 1, parse_cards("K? K? K? K? K? 5S 6S 7S 8S 9S TS JS")), "five-of-a-rank", "table"),
    ],
)
def test_a_bad_set_up_is_refused_by_name(setup: Setup, code: str, about: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        game_named(LAUGH).deal(setup)
    assert (caught.value.code, caught.value.about) == (code, about)


def test_notices_name_pairs_royal_lays_and_the_end() -> None:
    position = at("KS KD KC 2C", {2: "KH", 3: "5S 5H 5D 3S"})
    codes = [notice.code for notice in position.notices()]
    assert codes == ["pair-royal", "may-lay"]
    ended = do(at("2C", {2: "5S", 3: "3S"}), "2 lie-down 5S")
    assert [notice.code for notice in ended.notices()] == ["last-in"]


def test_lld_32_a_coach_speaks_at_once_a_referee_afterwards_and_a_silent_one_at_the_end() -> None:
    def codes(help_: str, *lines: str) -> list[str]:
        options = {"help": help_, "claim_window": "until_next_action"}
        position = at("KS KD KC 3C", {2: "KH", 3: "3S 5S 5H 5D", 4: "4S"}, options=options)
        return [notice.code for notice in do(position, *lines).notices()]

    short, closed = ("2 mate KH KS",), ("2 mate KH KS", "3 mate 3S 3C")
    assert [codes("coach"), codes("coach", *short), codes("coach", *closed)] == [
        ["pair-royal", "may-lay"],
        ["C2", "may-lay"],
        ["may-lay"],
    ]
    assert [codes("referee"), codes("referee", *short), codes("referee", *closed)] == [[], [], ["C2"]]
    assert [codes("silent"), codes("silent", *closed)] == [[], []]
    assert codes("silent", *closed, "4 lie-down 4S", "2 lie-down") == ["last-in"]
