"""Rolling Stone by example: the worked examples of the rules, and each rule by its number."""

from __future__ import annotations

import doctest
from collections import deque

import pytest

from assistant.cards import PACK, parse_cards
from assistant.games import GAMES, game_named, rolling_stone, stone_cards, stone_setup
from assistant.games.game import InvalidInput, Setup
from assistant.games.rolling_stone import StonePosition
from assistant.games.stone_cards import cards_of, pack_bits
from assistant.games.stone_setup import first_dealer
from tests.assistant.games.stone_deals import (
    STONE,
    at,
    begun,
    dealt,
    do,
    hand,
    legal,
    played,
    refusal,
)

ON = {"voluntary_pickup": "on"}


def unseen(players: int = 4, **options: str) -> StonePosition:
    """A deal of which no hand is seen; seat 1 deals, seat 2 leads."""
    return begun(Setup(STONE, players, 1, options=options))


def test_docstring_examples() -> None:
    for module in (rolling_stone, stone_cards, stone_setup):
        assert doctest.testmod(module).failed == 0


def test_the_game_is_found_by_its_name() -> None:
    game = game_named(STONE)
    assert game is GAMES[STONE]
    assert (game.title, game.players, game.unit, game.verbs) == (
        "Rolling Stone",
        (4, 5, 6),
        "points",
        ("play", "pick-up"),
    )


# The worked examples


@pytest.mark.parametrize(("players", "size", "lowest"), [(4, 32, "7"), (5, 40, "5"), (6, 48, "3")])
def test_rst_example_1_pack_sizes_lowest_ranks_and_eight_cards_each(players: int, size: int, lowest: str) -> None:
    """RST-1, RST-2"""
    cards = cards_of(pack_bits(players))
    assert len(cards) == size
    assert cards[0].rank == lowest
    assert {len(cards) for cards in dealt(players).hands.values()} == {8}


def test_rst_example_2_who_holds_the_suit_plays_any_of_it() -> None:
    """RST-7"""
    position = at({2: "KC 7C AH", 1: "8S", 3: "8H", 4: "8D"}, to_act=2, table="9C")
    assert legal(position) == {"2 play KC", "2 play 7C"}
    refused = refusal(position, "2 play AH")
    assert (refused.code, refused.rule) == ("must-follow", "RST-7")
    assert "7C KC" in refused.reason
    assert "AH" in refused.reason
    assert refusal(position, "2 pick-up").code == "must-follow"


def test_rst_example_3_a_forced_pick_up_and_its_bar() -> None:
    """RST-8, RST-9"""
    position = at({3: "AH 8D", 4: "8S TS", 1: "7S", 2: "7H"}, to_act=3, table="9C JC")
    assert legal(position) == {"3 pick-up"}
    assert refusal(position, "3 play 8D").code == "must-pick-up"
    after = do(position, "3 pick-up")
    assert hand(after, 3) == "AH 8D 9C JC"
    assert after.to_act == 3
    assert after.trick == ()
    assert legal(after) == {"3 play AH", "3 play 8D"}
    for barred in ("9C", "JC"):
        assert refusal(after, f"3 play {barred}").code == "barred-lead"


def test_rst_example_4_the_bar_is_gone_with_the_next_lead() -> None:
    """RST-9"""
    hands = {3: "AH 8D", 4: "8H TS", 1: "7H 7S", 2: "KH 7D"}
    after = do(at(hands, to_act=3, table="9C JC"), "3 pick-up", "3 play AH", "4 play 8H", "1 play 7H", "2 play KH")
    assert after.to_act == 3
    assert legal(after) == {"3 play 8D", "3 play 9C", "3 play JC"}


def test_rst_example_5_the_highest_card_takes_the_trick_out_of_play() -> None:
    """RST-10"""
    hands = {1: "9C 7S", 2: "KC 8S", 3: "AC 9S QD", 4: "TC TS"}
    position = at(hands, to_act=1)
    after = do(position, "1 play 9C", "2 play KC", "3 play AC", "4 play TC")
    assert after.to_act == 3
    assert " ".join(map(str, after.observe().piles[3])) == "9C KC AC TC"
    assert sum(after.sizes) == sum(position.sizes) - 4
    assert legal(after) == {"3 play 9S", "3 play QD"}


@pytest.mark.parametrize("players", [4, 5, 6])
def test_rst_example_7_the_last_card_wins_when_it_is_played(players: int) -> None:
    """RST-11"""
    hands = {seat: f"{rank}S AH" for seat, rank in zip(range(1, players + 1), "789TJQ", strict=False)} | {1: "AC"}
    after = do(at(hands, to_act=1, players=players, dealer=players), "1 play AC")
    assert after.over
    assert after.winners == (1,)
    assert after.legal_actions() == ()
    refused = refusal(after, "2 pick-up")
    assert (refused.code, refused.rule) == ("deal-over", "RST-11")
    assert [notice.code for notice in after.notices()] == ["won"]


def test_rst_example_9_the_last_of_six_takes_five_cards_and_leads() -> None:
    """RST-8"""
    hands = {seat: f"{rank}H {rank}S" for seat, rank in enumerate("34567", 1)} | {6: "AD KD"}
    position = do(at(hands, to_act=1, players=6, dealer=6), *(f"{seat} play {seat + 2}H" for seat in range(1, 6)))
    after = do(position, "6 pick-up")
    assert after.to_act == 6
    assert after.sizes[5] == 7
    assert hand(after, 6) == "3H 4H 5H 6H 7H KD AD"
    assert legal(after) == {"6 play AD", "6 play KD"}


def test_rst_example_11_no_pick_up_by_choice_without_another_suit_to_lead() -> None:
    """RST-12"""
    position = at({2: "AC QC", 1: "7S", 3: "7H", 4: "7D"}, to_act=2, table="9C", options=ON)
    assert legal(position) == {"2 play AC", "2 play QC"}
    refused = refusal(position, "2 pick-up")
    assert (refused.code, refused.rule) == ("no-lead-left", "RST-12")


def test_rst_example_12_a_revoke_is_proved_when_the_card_turns_up() -> None:
    """RST-15"""
    position = do(unseen(), "2 play 9C", "3 pick-up", "3 play AH", "4 play 7H", "1 play 8H", "2 play 9H")
    assert position.faults() == ()
    assert "3 play QC" not in legal(position)
    after = do(position, "3 play QC")
    (fault,) = after.faults()
    assert (fault.code, fault.seat, [str(card) for card in fault.cards], fault.action) == ("revoke", 3, ["QC"], 1)
    assert "9C" in fault.text
    assert "QC" in fault.text
    assert [(one.code, one.rule, one.seats) for one in after.notices()] == [("revoke", "RST-15", (3,))]
    assert after.to_act == 4


def test_rst_example_12_picked_up_clubs_prove_nothing() -> None:
    position = do(unseen(), "2 play 9C", "3 pick-up", "3 play AH", "4 play 7H", "1 play 8H", "2 play 9H")
    assert do(position, "3 play 9C").faults() == ()


def test_rst_example_13_a_barred_lead_is_refused() -> None:
    """RST-9"""
    position = do(unseen(), "2 play 9C", "3 pick-up")
    refused = refusal(position, "3 play 9C")
    assert (refused.code, refused.rule) == ("barred-lead", "RST-9")
    assert "9C" in refused.reason


ENDLESS = {1: "8S TS JS", 2: "AD TH", 3: "9S", 4: "7S KS"}


def test_rst_example_15_a_position_that_nobody_can_win() -> None:
    """RST-13: every line of play is searched; none ends."""
    start = at(ENDLESS, to_act=2, options={"stop": "off"})
    seen = {(start.places, start.to_act, start.trick, start.barred)}
    queue = deque([start])
    while queue:
        position = queue.popleft()
        assert not position.over
        for action in position.legal_actions():
            after = position.apply(action)
            key = (after.places, after.to_act, after.trick, after.barred)
            if key not in seen:
                seen.add(key)
                queue.append(after)
    assert sum(not trick for _, _, trick, _ in seen) == 1441


def test_rst_example_15_after_sixty_pick_ups_the_fewest_cards_win() -> None:
    """RST-13"""
    position = at(ENDLESS, to_act=2)
    while not position.over:
        position = position.apply(position.legal_actions()[0])
    assert sum(action.verb == "pick-up" for action in position.actions) == 60
    assert position.run == 60
    assert position.actions[-1].verb == "pick-up"
    fewest = min(position.sizes)
    assert fewest > 0
    assert position.winners == tuple(seat for seat in range(1, 5) if position.sizes[seat - 1] == fewest)
    assert refusal(position, "1 play 8S").rule == "RST-13"
    assert [notice.code for notice in position.notices()] == ["stopped"]


def test_rst_example_16_with_one_card_each_the_leader_wins() -> None:
    """RST-10"""
    for line in ("3 play 9S", "3 play 9H"):
        position = at({1: "7S", 2: "8S", 3: line[-2:], 4: "AD"}, to_act=3)
        assert do(position, line).winners == (3,)


def test_rst_example_17_the_ace_is_high() -> None:
    """RST-3"""
    hands = {1: "AS 7D", 2: "KS 8D", 3: "7S 9D", 4: "9S TD"}
    after = do(at(hands, to_act=1), "1 play AS", "2 play KS", "3 play 7S", "4 play 9S")
    assert after.to_act == 1
    assert legal(after) == {"1 play 7D"}


def test_rst_example_18_a_low_card_on_the_table_is_the_wrong_pack() -> None:
    """RST-2"""
    refused = refusal(unseen(5), "2 play 4D")
    assert (refused.code, refused.rule) == ("wrong-pack", "RST-2")
    assert "4D" in refused.reason
    assert "fives" in refused.reason
    with pytest.raises(InvalidInput, match="4D is not in the pack") as caught:
        begun(Setup(STONE, 5, 1, hands={2: parse_cards("4D 5D 6D 7D 8D 9D TD JD")}))
    assert (caught.value.code, caught.value.about, str(caught.value.card)) == ("wrong-pack", "hand 2", "4D")


# The rules one by one, where no worked example shows them


@pytest.mark.parametrize("players", [1, 2, 3, 7, 8])
def test_rst_1_four_to_six_play(players: int) -> None:
    with pytest.raises(InvalidInput, match="for 4 to 6 players") as caught:
        begun(Setup(STONE, players, 1))
    assert (caught.value.code, caught.value.rule, caught.value.about) == ("bad-players", "RST-1", "players")


def test_rst_1_three_play_with_an_option() -> None:
    setup = dealt(3, options={"players": "3"})
    assert sorted(card for cards in setup.hands.values() for card in cards) == sorted(
        card for card in PACK if card.rank in "9TJQKA"
    )
    assert played(setup)[-1].winners
    with pytest.raises(InvalidInput, match="for three players, not for 4"):
        begun(Setup(STONE, 4, 1, options={"players": "3"}))


@pytest.mark.parametrize(
    ("draws", "dealers"), [("7S AH KD TC", (2,)), ("KS KH 7D 8D", (1, 2)), ("7S 7H 7D 7C", (1, 2, 3, 4))]
)
def test_rst_4_the_highest_card_drawn_deals_and_ties_draw_again(draws: str, dealers: tuple[int, ...]) -> None:
    assert first_dealer(dict(enumerate(parse_cards(draws), 1))) == dealers


def test_rst_4_the_deal_moves_left_or_to_the_winner() -> None:
    for dealer, following in ((1, 2), (4, 1)):
        assert played(dealt(4, dealer=dealer))[-1].next_dealer == following
        winner = played(dealt(4, dealer=dealer, options={"dealer_next": "winner"}))[-1]
        assert winner.winners == (winner.next_dealer,)
        other_way = played(dealt(4, dealer=dealer, options={"direction": "anticlockwise"}))[-1]
        assert other_way.next_dealer == (dealer - 2) % 4 + 1


def test_rst_5_the_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    pack = [card for card in PACK if card.rank in "789TJQKA"]
    setup = rolling_stone.GAME.shuffled(Setup(STONE, 4, 3), list(PACK))
    assert setup.hands[4] == tuple(pack[0::4])
    assert setup.hands[3] == tuple(pack[3::4])
    opening = begun(Setup(STONE, 4, 1)).notices()
    assert [(notice.code, notice.rule) for notice in opening] == [("opening", "RST-5"), ("to-lead", "RST-6")]
    assert opening[0].text == "Seat 4 shuffles, seat 1 deals eight cards to each from seat 2 on."


def test_rst_6_the_dealers_left_leads_and_play_goes_clockwise() -> None:
    position = unseen()
    assert position.to_act == 2
    refused = refusal(position, "3 play 9C")
    assert (refused.code, refused.rule) == ("not-your-lead", "RST-6")
    turns: list[int | None] = [position.to_act]
    for line in ("2 play 9C", "3 play TC", "4 play JC"):
        position = do(position, line)
        turns.append(position.to_act)
    assert turns == [2, 3, 4, 1]
    refused = refusal(position, "3 play QC")
    assert (refused.code, refused.rule) == ("not-your-turn", "RST-6")


def test_rst_6_play_goes_the_other_way_with_an_option() -> None:
    position = unseen(direction="anticlockwise")
    turns: list[int | None] = [position.to_act]
    for line in ("4 play 9C", "3 play TC", "2 play JC"):
        position = do(position, line)
        turns.append(position.to_act)
    assert turns == [4, 3, 2, 1]
    assert do(position, "1 play 7C").to_act == 2
    assert do(position, "1 pick-up").to_act == 1


def test_rst_7_off_suit_is_refused_from_an_unseen_hand() -> None:
    refused = refusal(do(unseen(), "2 play 9C"), "3 play 8D")
    assert (refused.code, refused.rule) == ("off-suit", "RST-7")
    assert refused.reason == "8D does not follow 9C: seat 3 plays one of the clubs or else picks up"


def test_rst_7_a_card_that_was_picked_up_must_follow() -> None:
    """A revoke that the table shows at once is refused: everybody has seen the card go into the hand."""
    position = do(unseen(), "2 play 9C", "3 pick-up", "3 play AH", "4 play 7H", "1 play 8H", "2 pick-up", "2 play TC")
    assert legal(position) == {"3 play 9C"}
    refused = refusal(position, "3 pick-up")
    assert (refused.code, refused.rule) == ("must-follow", "RST-7")
    assert "9C" in refused.reason


@pytest.mark.parametrize(
    ("line", "code", "rule"),
    [
        ("1 play 9C 8C", "one-card", "RST-7"),
        ("1 play", "one-card", "RST-7"),
        ("1 pick-up 8C", "no-cards", "RST-8"),
        ("1 pick-up", "nothing-to-pick-up", "RST-8"),
        ("1 play 7S", "not-in-hand", "RST-7"),
        ("9 play 7S", "no-such-seat", "RST-1"),
        ("1 mate 7S", "unknown-verb", "RST-7"),
        ("3 mate 7S", "unknown-verb", "RST-7"),
        ("2 pick-up", "not-your-lead", "RST-6"),
    ],
)
def test_rst_7_and_8_what_can_be_no_action_is_refused(line: str, code: str, rule: str) -> None:
    position = at({1: "9C 8C", 2: "7S 8S", 3: "9S TS", 4: "JS QS"}, to_act=1)
    refused = refusal(position, line)
    assert (refused.code, refused.rule) == (code, rule)


def test_rst_8_the_players_after_the_picker_do_not_play() -> None:
    position = do(unseen(), "2 play 9C", "3 pick-up")
    refused = refusal(position, "4 play TC")
    assert (refused.code, refused.rule) == ("trick-is-over", "RST-8")


def test_rst_9_without_a_bar_any_card_is_led() -> None:
    position = at({3: "AH 8D", 1: "7S", 2: "7H", 4: "8S"}, to_act=3, table="9C JC", options={"lead_bar": "off"})
    assert legal(do(position, "3 pick-up")) == {"3 play AH", "3 play 8D", "3 play 9C", "3 play JC"}


def test_rst_9_the_bar_may_be_on_the_cards_only() -> None:
    hands = {3: "AH QC", 1: "7S", 2: "7H", 4: "8S"}
    position = at(hands, to_act=3, table="9C JC", options={"lead_bar": "cards"} | ON)
    after = do(position, "3 pick-up")
    assert legal(after) == {"3 play AH", "3 play QC"}
    assert refusal(after, "3 play JC").rule == "RST-9"
    assert [notice.code for notice in after.notices()] == ["lead-bar", "one-card", "one-card", "one-card"]


def test_rst_10_the_taker_leads_and_the_tricks_never_return() -> None:
    hands = {1: "9C 7S", 2: "KC 8S", 3: "AC 9S QD", 4: "TC TS"}
    after = do(at(hands, to_act=1), "1 play 9C", "2 play KC", "3 play AC", "4 play TC")
    refused = refusal(after, "1 play 7S")
    assert (refused.code, refused.rule) == ("not-your-lead", "RST-10")
    refused = refusal(after, "3 play KC")
    assert (refused.code, refused.rule) == ("not-in-hand", "RST-10")
    assert "out of play" in refused.reason


def test_rst_11_the_trick_may_be_finished_first_and_several_share() -> None:
    hands = {1: "9C", 2: "KC", 3: "AC 9S", 4: "TC TS"}
    options = {"end_moment": "trick_finished"}
    position = do(at(hands, to_act=1, options=options), "1 play 9C", "2 play KC")
    assert not position.over
    after = do(position, "3 play AC", "4 play TC")
    assert after.winners == (1, 2)
    settlement = after.settlement()
    assert settlement is not None
    assert [seat["score"] for seat in settlement["seats"]] == [0.5, 0.5, 0, 0]


def test_rst_11_a_later_picker_does_not_undo_it() -> None:
    hands = {1: "9C", 2: "KS QS", 3: "AC 9S", 4: "TC TS"}
    position = at(hands, to_act=1, options={"end_moment": "trick_finished"})
    after = do(position, "1 play 9C", "2 pick-up")
    assert after.over
    assert after.winners == (1,)
    assert after.sizes == (0, 3, 2, 2)


def test_rst_12_picking_up_by_choice_is_off_or_on() -> None:
    hands = {2: "AC QC 8S", 1: "7S", 3: "7H", 4: "7D"}
    assert legal(at(hands, to_act=2, table="9C")) == {"2 play AC", "2 play QC"}
    position = at(hands, to_act=2, table="9C", options=ON)
    assert legal(position) == {"2 play AC", "2 play QC", "2 pick-up"}
    assert legal(do(position, "2 pick-up")) == {"2 play 8S"}
    refused = refusal(at(hands, to_act=2, options=ON), "2 pick-up")
    assert (refused.code, refused.rule) == ("nothing-to-pick-up", "RST-12")


def test_rst_12_a_pick_up_by_choice_shows_no_void_and_is_no_revoke() -> None:
    position = do(unseen(voluntary_pickup="on"), "2 play 9C", "3 pick-up")
    assert [fact.code for fact in position.facts()].count("lacks") == 0
    position = do(position, "3 play AH", "4 play 7H", "1 play 8H", "2 play 9H")
    assert do(position, "3 play QC").faults() == ()


def test_rst_13_the_deal_stops_after_a_number_of_leads() -> None:
    position = at(ENDLESS, to_act=2, options={"stop": "leads_7"})
    while not position.over:
        position = position.apply(position.legal_actions()[-1])
    assert position.leads == 7
    assert position.trick == ()
    assert min(position.sizes) == position.sizes[position.winners[0] - 1]


def test_rst_13_a_stop_that_comes_near_is_told() -> None:
    position = at(ENDLESS, to_act=2)
    told = []
    while not position.over:
        told += [(notice.text, notice.rule) for notice in position.notices() if notice.code == "stop-near"]
        position = position.apply(position.legal_actions()[0])
    assert told[0][0].startswith("4 more pick-ups in a row without")
    assert told[-1][0].startswith("1 more pick-up without")
    assert {rule for _, rule in told} == {"RST-13"}


def test_rst_13_no_bar_and_no_stop_is_refused() -> None:
    with pytest.raises(InvalidInput, match="never end") as caught:
        begun(Setup(STONE, 4, 1, options={"lead_bar": "off", "stop": "off"}))
    assert (caught.value.code, caught.value.rule) == ("endless", "RST-13")


def test_rst_14_a_deal_is_worth_a_point() -> None:
    hands = {1: "9C", 2: "KC QS", 3: "AC 9S JS", 4: "TC TS"}
    assert do(at(hands, to_act=1), "1 play 9C").settlement() == {
        "winners": [1],
        "seats": [
            {"seat": 1, "cards": 0, "score": 1},
            {"seat": 2, "cards": 2, "score": 0},
            {"seat": 3, "cards": 3, "score": 0},
            {"seat": 4, "cards": 2, "score": 0},
        ],
    }
    assert at(hands, to_act=1).settlement() is None


def test_rst_14_the_losers_may_count_their_cards() -> None:
    hands = {1: "9C", 2: "KC QS", 3: "AC 9S JS", 4: "TC TS"}
    settlement = do(at(hands, to_act=1, options={"score": "cards_left"}), "1 play 9C").settlement()
    assert settlement is not None
    assert [seat["score"] for seat in settlement["seats"]] == [0, 2, 3, 2]


def test_rst_14_shared_at_a_stop() -> None:
    position = at({1: "8S", 2: "9H", 3: "TD JD", 4: "QC KC"}, to_act=3, options={"stop": "leads_1"})
    after = do(position, "3 play TD", "4 pick-up")
    assert after.sizes == (1, 1, 1, 3)
    assert after.winners == (1, 2, 3)
    settlement = after.settlement()
    assert settlement is not None
    assert [seat["score"] for seat in settlement["seats"]] == [1 / 3, 1 / 3, 1 / 3, 0]


def test_rst_15_a_revoke_is_taken_back_if_the_next_card_proves_it() -> None:
    lines = ("2 play 9C", "3 pick-up")
    position = do(unseen(revoke="retract", lead_bar="cards"), *lines)
    refused = refusal(position, "3 play QC")
    assert (refused.code, refused.rule) == ("pick-up-taken-back", "RST-15")
    assert "QC" in refused.reason
    stands = do(unseen(lead_bar="cards"), *lines, "3 play QC")
    assert [fault.action for fault in stands.faults()] == [1]


def test_rst_15_later_proof_lets_the_play_stand_under_retract_too() -> None:
    position = do(unseen(revoke="retract"), "2 play 9C", "3 pick-up", "3 play AH", "4 play 7H", "1 play 8H")
    after = do(position, "2 play 9H", "3 play QC")
    assert [fault.seat for fault in after.faults()] == [3]


def test_rst_15_every_pick_up_that_the_card_disproves_is_a_revoke() -> None:
    lines = ["2 play 9C", "3 pick-up", "3 play AH", "4 play 7H", "1 play 8H", "2 play 9H"]
    lines += ["3 play 9C", "4 play TC", "1 play JC", "2 play KC", "2 play 8C", "3 pick-up"]
    lines += ["3 play KH", "4 play TH", "1 play JH", "2 play QH"]
    after = do(unseen(), *lines, "3 play QC")
    assert [(fault.seat, fault.action) for fault in after.faults()] == [(3, 1), (3, 11)]
    record_lines = [str(action) for action in after.actions]
    assert [record_lines[fault.action] for fault in after.faults()] == ["3 pick-up", "3 pick-up"]


def test_rst_16_a_referee_tells_of_revokes_alone_and_a_silent_one_of_the_end() -> None:
    def codes(level: str, *lines: str) -> list[str]:
        return [notice.code for notice in do(unseen(help=level), *lines).notices()]

    revoked = ("2 play 9C", "3 pick-up", "3 play AH", "4 play 7H", "1 play 8H", "2 play 9H", "3 play QC")
    assert [codes("coach"), codes("coach", *revoked)] == [["opening", "to-lead"], ["revoke"]]
    assert [codes("referee"), codes("referee", *revoked)] == [[], ["revoke"]]
    assert [codes("silent"), codes("silent", *revoked)] == [[], []]
    ending = do(at({1: "7H", 2: "7C", 3: "9S", 4: "7S"}, to_act=2, options={"help": "silent"}), "2 play 7C")
    assert [notice.code for notice in ending.notices()] == ["won"]
