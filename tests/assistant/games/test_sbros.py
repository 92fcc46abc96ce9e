"""Sbros by example: the worked examples of the rules, every rule by its number, and what is refused."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.cards import PACK, Card, parse_cards
from assistant.games import GAMES, game_named, sbros, sbros_covers, sbros_proofs
from assistant.games.game import Action, GameError, IllegalAction, InvalidInput, Setup
from assistant.games.sbros import GAME, SbrosPosition
from assistant.games.sbros_setup import OPTIONS, Rules
from tests.assistant.games.sbros_table import SBROS, at, begun, covers, do, folded, legal, played, real_table

GAMES_FOLDER = Path(sbros.__file__).parent
SOURCES = ("one_pack", "sbros", "sbros_setup", "sbros_places")
ADJACENT = {"m2_step": "adjacent"}


def start(table: str = "TS 3H", **more: object) -> SbrosPosition:
    return begun(Setup(SBROS, 2, 1, parse_cards(table), **more))  # type: ignore[arg-type]


def refusal(position: SbrosPosition, line: str) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        position.apply(Action.parse(line))
    return caught.value


def plays(centre: str, hand: str, options: Mapping[str, str] | None = None) -> set[str]:
    """The covers of a hand, without seat and verb."""
    found = legal(at(centre, {2: hand}, options=options))
    return {line.removeprefix("2 cover ") for line in found if "cover" in line}


def both_ways(pair: str) -> set[str]:
    first, second = pair.split()
    return {f"{first} {second}", f"{second} {first}"}


def test_docstring_examples() -> None:
    for module in (sbros, sbros_covers, sbros_proofs):
        assert doctest.testmod(module).failed == 0


def test_the_game_is_found_by_its_name() -> None:
    assert game_named(SBROS) is GAMES[SBROS] is GAME
    assert (GAME.title, GAME.players, GAME.unit) == ("Sbros", (2,), "points")


# The worked examples (centre, hand, what covers)


def test_sbr_example_1_same_ranks_and_same_suits() -> None:
    assert plays("TS 3H", "TH 3D JS 2H KC 5D") == {"TH 3D", "JS 2H"}


def test_sbr_example_2_one_over_and_one_under() -> None:
    hand = "9S 4H JS 2H AC KD"
    assert plays("TS 3H", hand) == {"JS 2H", "9S 4H"} == plays("TS 3H", hand, ADJACENT)
    position = at("TS 3H", {2: hand})
    assert refusal(position, "2 cover JS 4H").code == "both-over"
    assert refusal(position, "2 cover 9S 2H").code == "both-under"


def test_sbr_example_3_any_distance_unless_adjacent() -> None:
    hand = "KS AH 5C 8D QD 7C"
    assert plays("TS 3H", hand) == {"KS AH"}
    assert plays("TS 3H", hand, ADJACENT) == set()
    refused = refusal(at("TS 3H", {2: hand}, options=ADJACENT), "2 cover KS AH")
    assert (refused.code, refused.rule) == ("not-adjacent", "SBR-5")


def test_sbr_example_4_pairs_between_and_the_others() -> None:
    assert plays("TS 3H", "4S 4D 9H 9C TD 3C") == both_ways("4S 4D") | both_ways("9H 9C") | {"TD 3C", "4S 9H"}


def test_sbr_example_5_any_pair_on_a_pair() -> None:
    assert plays("2S 2H", "AS AD JH JC 5S 8C") == both_ways("AS AD") | both_ways("JH JC") | {"AS JH"}


def test_sbr_example_6_the_pair_of_the_same_rank() -> None:
    assert plays("2S 2H", "2D 2C 9H TD KC 5S") == both_ways("2D 2C")


def test_sbr_example_8_a_pair_lies_strictly_between() -> None:
    assert plays("KS AD", "4H 4C AH AC KD QC") == both_ways("4H 4C") | {"KD AH", "KD AC"}
    assert refusal(at("KS AD", {2: "4H 4C AH AC KD QC"}), "2 cover AH AC").code == "not-between"


def test_sbr_example_10_no_play_so_a_reset_is_forced() -> None:
    position = at("KS QD", {2: "AS AD 2C 5H 9D QC"})
    assert legal(position) == {f"2 reset {card}" for card in ("AS", "AD", "2C", "5H", "9D", "QC")}
    assert [notice.code for notice in position.notices()] == ["must-reset"]


def test_sbr_example_11_the_same_pair_both_ways() -> None:
    assert plays("TS TC", "TH TD 7C 8S 2D KH") == both_ways("TH TD")


def test_sbr_example_12_the_only_rank_between() -> None:
    assert plays("4S 6D", "5H 5C 9D KD 2C 7S") == both_ways("5H 5C")


def test_sbr_example_14_a_reset_with_a_play_in_hand_is_refused() -> None:
    refused = refusal(at("TS 3H", {2: "TH 3D JC 2D KC 5D"}), "2 reset 5D")
    assert (refused.code, refused.rule) == ("play-possible", "SBR-9")
    assert "TH 3D cover TS 3H" in refused.reason


def test_sbr_example_15_the_last_card_is_drawn_and_the_exchange_comes_at_once() -> None:
    position = at("TS 3H", {2: "TH 3D JC 2D KC 5D", 1: "8S 8H 8D 8C 9S 9H"}, stock=1, resets={1: "AS AD"})
    after = do(position, "2 cover TH 3D")
    assert after.places.stock == 0
    assert after.places.hands[1].size() == 5 + 2
    assert set(parse_cards("AS AD")) <= set(after.places.hands[1].cards())
    assert [notice.code for notice in after.notices()][:2] == ["exchange", "exchange"]


def test_sbr_example_16_each_takes_the_others_discard() -> None:
    mine, yours = "2S 4S 6S 8S TS QS KS", "2H 4H 6H 8H"
    position = at(
        "5D 9C", {1: "AS AD AC AH 3S 3D", 2: "5C 9D JC JH TC KC"}, stock=1, resets={1: mine, 2: yours}
    )  # fmt: skip
    after = do(position, "2 cover 5C 9D")
    first, second = after.places.hands
    assert set(parse_cards(yours)) <= set(first.cards())
    assert set(parse_cards(mine)) <= set(second.cards())
    assert (first.size(), second.size()) == (6 + 4, 5 + 7)
    assert after.places.resets == ((), ())
    own = do(replace(position, rules=Rules(merge="own")), "2 cover 5C 9D")
    assert [hand.size() for hand in own.places.hands] == [6 + 7, 5 + 4]


def test_sbr_example_17_two_passes_end_it_and_the_fewer_cards_win() -> None:
    position = at("KS QD", {1: "2C 4C 6C 8C TC", 2: "2H 4H 6H 8H TH 3S 5S"}, to_act=1, stock=0)
    after = do(position, "1 pass")
    assert not after.over
    assert after.settlement() is None
    after = do(after, "2 pass")
    assert after.over
    assert after.settlement() == {
        "winners": [1],
        "seats": [{"seat": 1, "cards": 5, "score": 1}, {"seat": 2, "cards": 7, "score": 0}],
    }
    drawn = do(at("KS QD", {1: "2C 4C 6C 8C TC", 2: "2H 4H 6H 8H TH"}, to_act=1, stock=0), "1 pass", "2 pass")
    assert drawn.settlement() == {
        "winners": [],
        "seats": [{"seat": 1, "cards": 5, "score": 0.5}, {"seat": 2, "cards": 5, "score": 0.5}],
    }
    assert drawn.notices()[0].code == "drawn"


def test_sbr_example_19_the_last_two_cards_win_at_once() -> None:
    position = do(at("KS QD", {1: "KC QS", 2: "2H 4H"}, to_act=1, stock=0), "1 cover KC QS")
    assert position.over
    assert (position.winner, position.notices()[0].code) == (1, "gone-out")
    assert position.settlement() == {
        "winners": [1],
        "seats": [{"seat": 1, "cards": 0, "score": 1}, {"seat": 2, "cards": 2, "score": 0}],
    }


# The rules by number


def test_sbr_1_two_players_ace_low_and_no_turning_the_corner() -> None:
    assert plays("KS 5H", "AS 6H 2C 3D 8C 9D", ADJACENT) == set()
    assert plays("KS 5H", "AS 6H 2C 3D 8C 9D") == {"AS 6H"}  # the ace is under the king, not next to it
    with pytest.raises(InvalidInput) as caught:
        GAME.deal(Setup(SBROS, 3, 1, parse_cards("TS 3H")))
    assert (caught.value.code, caught.value.rule, caught.value.about) == ("bad-players", "SBR-1", "players")


def test_sbr_2_the_other_deals_next() -> None:
    for dealer in (1, 2):
        assert begun(Setup(SBROS, 2, dealer, parse_cards("TS 3H"))).next_dealer == 3 - dealer


def test_sbr_3_six_cards_each_two_in_the_centre_the_rest_is_stock() -> None:
    setup = GAME.shuffled(Setup(SBROS, 2, 1), PACK)
    assert [len(setup.hands[seat]) for seat in (1, 2)] == [6, 6]
    assert setup.hands[2][0] == PACK[0]  # the dealer's opponent is dealt first
    assert len({*setup.table, *setup.hands[1], *setup.hands[2]}) == 14
    observed = begun(setup).observe()
    assert (observed.table, observed.hands, observed.stock) == (setup.table, {1: 6, 2: 6}, 38)
    assert observed.piles == {1: (), 2: ()}


def test_sbr_4_the_dealers_opponent_begins() -> None:
    assert begun(Setup(SBROS, 2, 1, parse_cards("TS 3H"))).to_act == 2
    assert begun(Setup(SBROS, 2, 2, parse_cards("TS 3H"))).to_act == 1


@pytest.mark.parametrize(
    ("centre", "cards", "code"),
    [
        ("TS 3H", "3D TH", "crosswise"),
        ("TS 3H", "2H JS", "crosswise"),
        ("TS 3H", "JS 4H", "both-over"),
        ("TS 3H", "9S 2H", "both-under"),
        ("TS 3H", "TD TC", "not-between"),
        ("4S 5D", "6S 6H", "not-between"),
        ("TS 3H", "JS 2D", "does-not-cover"),
        ("2S 2H", "3S 4H", "both-over"),
    ],
)
def test_sbr_5_what_does_not_cover_is_refused_with_its_reason(centre: str, cards: str, code: str) -> None:
    refused = refusal(at(centre, {2: cards}), f"2 cover {cards}")
    assert (refused.code, refused.rule) == (code, "SBR-5")
    assert all(card in refused.reason for card in (*centre.split(), *cards.split()))


def test_sbr_5_all_covers_of_all_centres_are_those_of_the_rule() -> None:
    for left, right in [("TS", "3H"), ("4S", "5D"), ("7H", "7C"), ("AS", "KS"), ("6D", "9D")]:
        for adjacent in (False, True):
            centre = Card.parse(left), Card.parse(right)
            found = sbros_covers.partners(1 << centre[0].code, 1 << centre[1].code, adjacent)
            rest = [card for card in PACK if card not in centre]
            for a in rest:
                for b in rest:
                    if a != b:
                        assert bool(found[a.code] >> b.code & 1) == covers(*centre, a, b, adjacent), (a, b)


def test_sbr_6_the_player_chooses_which_card_goes_where() -> None:
    position = at("TS 3S", {2: "JS 2S 5S 9S KC KD"})
    assert {"2 cover JS 2S", "2 cover 2S JS", "2 cover 2S 5S"} <= legal(position)
    assert do(position, "2 cover 2S 5S").observe().table == tuple(parse_cards("2S 5S"))


def test_sbr_7_one_draws_up_to_six_after_a_play() -> None:
    after = do(start(), "2 cover TH 3D")
    assert (after.observe().hands[2], after.places.stock) == (6, 36)
    after = do(after, "1 cover TD 3C")
    assert (after.observe().hands[1], after.places.stock) == (6, 34)


def test_sbr_8_the_turn_passes_after_a_play() -> None:
    after = do(start(), "2 cover TH 3D")
    assert after.to_act == 1
    assert (refusal(after, "2 cover JH 2D").code, refusal(after, "2 cover JH 2D").rule) == ("not-your-turn", "SBR-8")


def test_sbr_9_a_reset_puts_one_card_aside_draws_one_and_passes_the_turn() -> None:
    after = do(start(), "2 reset KS")
    assert after.observe().piles == {1: (), 2: (Card.parse("KS"),)}
    assert (after.to_act, after.places.stock, after.observe().hands[2]) == (1, 37, 6)
    assert refusal(start(), "2 pass").code == "no-pass-yet"


def test_sbr_9_reset_repeat_goes_on_until_a_play_appears() -> None:
    hand = parse_cards("2C 4D 6C 8D QC AD 9C 3D")
    setup = Setup(SBROS, 2, 1, parse_cards("TS 3H"), {2: hand}, {"reset_repeat": "until_playable"})
    position = do(begun(setup), "2 reset 2C")
    assert position.to_act == 2
    assert legal(position) == {f"2 reset {card}" for card in ("4D", "6C", "8D", "QC", "AD", "9C")}
    assert do(begun(Setup(SBROS, 2, 1, setup.table, {2: hand})), "2 reset 2C").to_act == 1


def test_sbr_9_a_reset_of_a_card_that_makes_a_play_with_one_known_is_refused() -> None:
    position = at("TS 3H", {2: "4S KC ?? ?? ?? ??"})
    assert refusal(position, "2 reset 4D").code == "play-possible"
    assert do(position, "2 reset KD").to_act == 1


def test_sbr_10_temporary_discards_lie_face_up_or_down() -> None:
    up, down = (do(start(options={"reset_face": face}), "2 reset KS") for face in ("up", "down"))
    assert up.observe().piles[2] == (Card.parse("KS"),)
    assert down.observe().piles[2] == (Card.parse("??"),)
    assert (up.unseen()["K"], down.unseen()["K"]) == (3, 4)
    assert [fact.code for fact in up.facts()] == ["will-take"]
    assert down.facts() == ()


def test_sbr_11_one_draws_what_there_is() -> None:
    position = at("TS 3H", {2: "TH 3D JC 2D KC 5D", 1: "8S 8H 8D 8C 9S 9H"}, stock=1)
    assert do(position, "2 cover TH 3D").observe().hands == {1: 6, 2: 5}


@pytest.mark.parametrize(("merge", "taker"), [("exchange", 1), ("own", 2)])
def test_sbr_12_the_exchange_comes_with_the_last_card(merge: str, taker: int) -> None:
    position = at("TS 3H", {2: "2C 4D 6C 8D QC AD", 1: "8S 8H 9D 8C 9S 9H"}, stock=1, options={"merge": merge})
    after = do(position, "2 reset QC")
    assert after.emptied_by == 0
    assert Card.parse("QC") in after.places.hands[taker - 1].cards()
    told = [notice.text for notice in after.notices() if notice.code == "exchange"]
    assert any(f"seat {taker} takes" in text and "QC" in text for text in told)


def test_sbr_12_what_was_exchanged_is_known_to_be_held_and_hands_follow_by_elimination() -> None:
    record = played(5).record(known="none")
    for position in folded(record):
        if position.exchanged and not position.over:
            codes = [fact.code for fact in position.facts()]
            assert "together" in codes
            assert [fact.cards for fact in position.facts() if fact.code == "holds"] == [
                bag.cards() for bag in position.places.taken if bag.known
            ]
            break
    # With one hand known the other is what is left.
    table = played(5)
    setup = table.record().setup
    known = Setup(SBROS, 2, 1, setup.table, {1: setup.hands[1]})
    position = begun(known)
    for action in table.actions:
        position = position.apply(action)
        if position.exchanged and not position.over:
            assert not position.places.hands[1].unknown
            assert (position.facts()[0].code, position.facts()[0].seats) == ("holds", (2,))


def test_sbr_13_after_the_exchange_one_plays_or_passes() -> None:
    position = at("KS QD", {1: "KC QS 2C", 2: "2H 4H 5C"}, to_act=1, stock=0)
    assert legal(position) == {"1 cover KC QS"}
    assert (refusal(position, "1 pass").code, refusal(position, "1 pass").rule) == ("play-possible", "SBR-13")
    assert refusal(position, "1 reset 2C").code == "no-reset-now"
    free = at("KS QD", {1: "KC QS 2C", 2: "2H 4H 5C"}, to_act=1, stock=0, options={"late_pass": "free"})
    assert legal(free) == {"1 cover KC QS", "1 pass"}
    stuck = do(at("KS QD", {1: "2C 4C", 2: "2H 4H KC QS"}, to_act=1, stock=0), "1 pass")
    assert legal(stuck) == {"2 cover KC QS"}
    assert [notice.code for notice in stuck.notices()] == ["one-pass"]


def test_sbr_14_a_first_block_may_end_it() -> None:
    hands = {1: "2C 4C", 2: "2H 4H KC QS"}
    assert not do(at("KS QD", hands, to_act=1, stock=0), "1 pass").over
    ended = do(at("KS QD", hands, to_act=1, stock=0, options={"end_on_first_block": "yes"}), "1 pass")
    assert ended.over
    assert (ended.winner, ended.notices()[0].code) == (1, "blocked")
    assert (refusal(ended, "2 cover KC QS").code, refusal(ended, "2 pass").rule) == ("deal-over", "SBR-14")


def test_sbr_14_a_play_between_two_passes_starts_the_count_again() -> None:
    position = at("KS QD", {1: "2C 4C", 2: "2H 4H KC QS"}, to_act=1, stock=0)
    position = do(position, "1 pass", "2 cover KC QS", "1 pass")
    assert not position.over
    assert do(position, "2 pass").over


def test_sbr_14_with_an_odd_hand_nobody_goes_out() -> None:
    position = at("KS QD", {1: "2C 4C 6C", 2: "2H 4H KC QS 5C"}, to_act=1, stock=0)
    assert [(fact.code, fact.seats) for fact in position.facts() if fact.code == "no-going-out"] == [
        ("no-going-out", (1, 2))
    ]


def test_sbr_15_a_win_scores_one_and_a_draw_a_half() -> None:
    scores = set()
    for seed in range(30):
        settlement = folded(played(seed).record())[-1].settlement()
        assert settlement is not None
        scores.add(tuple(seat["score"] for seat in settlement["seats"]))
        assert sum(seat["score"] for seat in settlement["seats"]) == 1
    assert scores == {(1, 0), (0, 1), (0.5, 0.5)}


# Mistakes that are proved later


def test_sbr_9_a_wrong_reset_is_proved_by_the_next_play() -> None:
    """With one draw between, of the two cards played next one was in the hand; either covers with the one put aside."""
    position = do(start("TS 3H"), "2 reset 5S", "1 cover TH 3D")
    assert position.faults() == ()
    after = do(position, "2 cover 5H 5D")  # a pair between ten and three, both then and now
    assert [(fault.code, fault.seat, fault.action) for fault in after.faults()] == [("wrong-reset", 2, 0)]
    fault = after.faults()[0]
    assert set(fault.cards) == set(parse_cards("5S 5H 5D"))
    assert "TS 3H" in fault.text
    assert after.facts()[0].code == "wrong-reset"
    assert after.notices()[0].rule == "SBR-9"


def test_sbr_9_a_reset_that_may_have_been_right_is_no_fault() -> None:
    position = do(start("TS 3H"), "2 reset 5S", "1 cover TH 3D", "2 cover TD 3C")
    assert position.faults() == ()  # one of the two may just have been drawn
    position = do(start("TS 3H"), "2 reset 5S", "1 cover TH 3D", "2 cover JH 2D")
    assert position.faults() == ()


# What is refused


SIX = "2C 4D 6C 8D QC AD"
Do = Callable[[], object]
REFUSED: dict[str, tuple[Do, str]] = {
    "bad-players": (lambda: GAME.deal(Setup(SBROS, 4, 1, parse_cards("TS 3H"))), "SBR-1"),
    "unknown-option": (lambda: start(options={"m3_step": "any"}), ""),
    "bad-option": (lambda: start(options={"merge": "mine"}), ""),
    "wrong-game": (lambda: GAME.deal(Setup("whist", 2, 1, parse_cards("TS 3H"))), ""),
    "bad-dealer": (lambda: GAME.deal(Setup(SBROS, 2, 3, parse_cards("TS 3H"))), ""),
    "bad-names": (lambda: start(names=("Ann",)), ""),
    "wrong-table-size": (lambda: start("TS 3H 4D"), "SBR-3"),
    "no-such-seat": (lambda: do(start(), "3 pass"), ""),
    "wrong-hand-size": (lambda: start(hands={1: parse_cards("2C 3C")}), "SBR-3"),
    "card-twice": (lambda: start(hands={1: parse_cards("2C 4D 6C 8D QC TS")}), "SBR-1"),
    "five-of-a-rank": (lambda: start(hands={1: parse_cards("TC TD TH T? 2C 3C")}), "SBR-1"),
    "too-many-draws": (
        lambda: do(with_draws("KC KD"), "2 reset QC"),
        "SBR-7",
    ),
    "unknown-verb": (lambda: do(start(), "2 mate KH KS"), ""),
    "deal-over": (lambda: do(at("KS QD", {1: "2C", 2: "2H 4H"}, stock=0), "2 pass", "1 pass", "2 pass"), "SBR-14"),
    "not-your-turn": (lambda: do(start(), "1 cover TH 3D"), "SBR-8"),
    "one-card-placed": (lambda: do(start(), "2 cover TH"), "SBR-5"),
    "not-two-cards": (lambda: do(start(), "2 cover TH 3D 4C"), "SBR-5"),
    "same-card-twice": (lambda: do(start(), "2 cover TH TH"), "SBR-5"),
    "does-not-cover": (lambda: do(start(), "2 cover Q? K?"), "SBR-5"),
    "no-reset-now": (lambda: do(at("KS QD", {1: "2C", 2: "2H 4H"}, stock=0), "2 reset 2H"), "SBR-13"),
    "not-one-card": (lambda: do(start(), "2 reset 4C 5C"), "SBR-9"),
    "pass-without-cards": (lambda: do(at("KS QD", {1: "2C", 2: "2H 4H"}, stock=0), "2 pass 2H"), "SBR-13"),
    "no-pass-yet": (lambda: do(start(), "2 pass"), "SBR-9"),
    "not-in-hand": (lambda: do(at("TS 3H", {2: SIX}), "2 cover TH 3D"), "SBR-5"),
    "play-possible": (lambda: do(at("TS 3H", {2: "TH 3D 4C 6C 8C KD"}), "2 reset 4C"), "SBR-9"),
}
"""By code, something that is refused with it and the rule that is named."""


def with_draws(cards: str) -> SbrosPosition:
    """One card in the stock, and more cards that seat 2 is said to draw."""
    position = at("TS 3H", {2: SIX, 1: "8S 8H 9D 8C 9S 9H"}, stock=1)
    places = position.places._replace(coming=((), parse_cards(cards)))
    return replace(position, places=places)


@pytest.mark.parametrize("code", sorted(REFUSED))
def test_what_is_refused_has_a_code_the_rule_and_one_sentence(code: str) -> None:
    attempt, rule = REFUSED[code]
    with pytest.raises(GameError) as caught:
        attempt()
    assert (caught.value.code, caught.value.rule) == (code, rule)
    assert "\n" not in caught.value.reason
    assert len(caught.value.reason) < 200


def test_every_code_has_an_example() -> None:
    source = "".join((GAMES_FOLDER / f"{name}.py").read_text("utf-8") for name in SOURCES)
    codes = set(re.findall(r'(?:_refuse|InvalidInput)\(\s*"([a-z-]+)"', source))
    assert codes == set(REFUSED) - {"one-card-placed", "not-two-cards"}


def test_a_bad_set_up_names_what_is_wrong_and_where() -> None:
    for setup, about in (
        (Setup(SBROS, 2, 1, parse_cards("TS")), "table"),
        (Setup(SBROS, 2, 1, parse_cards("TS 3H"), {3: parse_cards(SIX)}), "hand 3"),
        (Setup(SBROS, 2, 1, parse_cards("TS 3H"), {2: parse_cards(SIX + " TS")}), "hand 2"),
        (Setup(SBROS, 2, 1, parse_cards("TS 3H"), {}, {"prial_take": "auto_three"}), "options"),
    ):
        with pytest.raises(InvalidInput) as caught:
            GAME.deal(setup)
        assert caught.value.about == about


def test_every_option_has_a_value_that_is_not_the_default() -> None:
    for name, values in OPTIONS.items():
        assert len(values) > 1
        for value in values[1:]:
            assert begun(Setup(SBROS, 2, 1, parse_cards("TS 3H"), {}, {name: value})).rules != start().rules


# Hands that are not seen


def test_an_unseen_hand_is_offered_what_the_centre_offers() -> None:
    lines = legal(start("TS 3H"))
    assert {"2 cover T? 3?", "2 cover 4? 4?", "2 cover 9? 9?", "2 cover JS 2H", "2 reset ??"} <= lines
    assert "2 cover 3? T?" not in lines
    assert "2 cover T? T?" not in lines
    later = do(start("TS 3H"), "2 cover TH 3D", "1 cover TD 3C")
    assert "2 cover T? 3?" in legal(later)
    assert "1 cover T? 3?" not in legal(do(later, "2 cover TC 3S"))  # all tens and threes have been seen


def test_cards_seen_in_part_are_taken_for_what_they_can_be() -> None:
    assert do(start("TS 3H"), "2 cover J? 2H").observe().table == tuple(parse_cards("JS 2H"))
    assert do(start("TS 3H"), "2 cover ?? 3D").observe().table == tuple(parse_cards("T? 3D"))
    assert do(start("TS 3H"), "2 cover 4? 4?").observe().table == tuple(parse_cards("4? 4?"))
    assert do(at("TS 3H", {2: "TH 3D 4C 6C 8C KD"}), "2 cover ?? ??").observe().table == tuple(parse_cards("TH 3D"))


def test_draws_that_the_set_up_lists_come_in_their_order() -> None:
    setup = Setup(SBROS, 2, 1, parse_cards("TS 3H"), {2: parse_cards("TH 3D 4C 6C 8C KD KS ?? QD")})
    after = do(begun(setup), "2 cover TH 3D")
    assert set(after.places.hands[1].cards()) == set(parse_cards("4C 6C 8C KD KS ??"))
    with pytest.raises(InvalidInput, match="KS"):  # it lies in the centre
        do(begun(Setup(SBROS, 2, 2, parse_cards("TS 3H"), setup.hands)), "1 cover KS 2H", "2 reset 4C")


def test_a_real_table_deals_as_the_rules_say() -> None:
    table = real_table(3)
    assert (len(table.stock), len(table.hands[1]), len(table.hands[2])) == (38, 6, 6)


def test_sbr_16_a_referee_tells_of_faults_alone_and_a_silent_one_of_the_end() -> None:
    def codes(level: str, *lines: str) -> list[str]:
        return [notice.code for notice in do(start("TS 3H", options={"help": level}), *lines).notices()]

    wrong = ("2 reset 5S", "1 cover TH 3D", "2 cover 5H 5D")
    assert [codes(level, *wrong) for level in ("coach", "referee", "silent")] == [["wrong-reset"], ["wrong-reset"], []]

    def late(level: str, *lines: str) -> list[str]:
        hands = {1: "2C 4C 6C 8C TC", 2: "2H 4H 6H 8H TH"}
        position = at("KS QD", hands, to_act=1, stock=0, options={"help": level})
        return [notice.code for notice in do(position, *lines).notices()]

    assert late("coach", "1 pass") == ["must-pass", "one-pass"]
    assert [late(level, "1 pass") for level in ("referee", "silent")] == [[], []]
    assert late("silent", "1 pass", "2 pass") == ["drawn"]
