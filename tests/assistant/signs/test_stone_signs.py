"""Rolling Stone followed from the table: plays, pick-ups, tricks that linger, and what the rules forbid."""

from __future__ import annotations

import random

import pytest

from assistant.cards import PACK, UNKNOWN, Card
from assistant.games.game import Action, Position, Setup
from assistant.games.rolling_stone import GAME
from assistant.games.stone_policies import POLICIES
from assistant.games.stone_setup import NAME
from assistant.signs.difference import compare
from assistant.signs.signs import Glimpse, Terms
from assistant.signs.stone_signs import StoneSigns
from assistant.view import TABLE, SeenCard, Zone
from tests.assistant.signs.staged_table import QUAD, Reading, StagedTable, kinds, lines


def after(*played: str, players: int = 4) -> StagedTable:
    """A table of four, seat 2 leading, on which these actions were seen."""
    table = StagedTable(GAME, Terms(NAME, players, 1))
    table.wait(0.4)
    for line in played:
        action = Action.parse(line)
        if action.verb == "play":
            play(table, action.seat, str(action.cards[0]))
        else:
            pick_up(table, action.seat)
    assert lines(table.events) == list(played)
    table.events.clear()
    return table


def play(table: StagedTable, seat: int, card: str, wait: float = 2.0) -> None:
    table.hand(seat, over=[TABLE])
    table.wait(0.4)
    table.put(card, TABLE)
    table.wait(wait)


def pick_up(table: StagedTable, seat: int, wait: float = 2.0) -> None:
    table.hand(seat, over=[TABLE])
    table.wait(0.4)
    table.take(" ".join(table.lying))
    table.wait(wait)


def test_the_deal_begins_with_an_empty_table() -> None:
    table = StagedTable(GAME, Terms(NAME, 5, 2))
    assert kinds(table.wait(0.4)) == ["DealSeen"]
    assert table.position is not None
    assert table.position.to_act == 3


def test_a_trick_is_played_and_gathered_and_its_winner_leads() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC")
    assert table.wait(10) == []
    table.take("9C JC KC TC")
    table.turn_down(Zone(4))
    assert table.wait(6) == []
    play(table, 4, "7D")
    assert lines(table.events) == ["4 play 7D"]


def test_the_winner_leads_before_the_trick_is_gathered() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC")
    play(table, 4, "7D")
    table.take("9C JC KC TC")
    play(table, 1, "8D")
    assert lines(table.events) == ["4 play 7D", "1 play 8D"]


def test_an_unfinished_trick_that_is_gone_was_picked_up_and_its_card_may_be_played_again() -> None:
    table = after(
        "2 play 9C", "3 play JC", "4 pick-up", "4 play 7D", "1 play 8D", "2 play 9D", "3 play TD", "3 play QC"
    )
    play(table, 4, "JC")
    assert lines(table.events) == ["4 play JC"]


def test_a_trick_that_is_covered_or_tidied_or_half_gone_is_not_picked_up() -> None:
    table = after("2 play 9C", "3 play JC")
    table.cover("9C JC")
    assert table.wait(12) == []
    table.cover("9C JC", covered=False)
    table.shift("9C", None)
    assert table.wait(3) == []
    table.take("JC")
    assert lines(table.wait(2)) == []
    table.put("JC", TABLE)
    table.shift("9C", TABLE)
    assert table.wait(8) == []


def test_the_lead_of_the_same_hand_tells_who_picked_up_though_another_hand_was_seen_there() -> None:
    table = after("2 play 9C")
    table.hand(3, over=[TABLE])  # comes and goes, and perhaps a card that nobody saw was played
    table.wait(2)
    pick_up(table, 1, 2.4)
    assert lines(table.events) == []
    play(table, 3, "7D")
    assert lines(table.events) == ["3 pick-up", "3 play 7D"]
    assert table.state.sure


def test_a_card_taken_back_is_undone() -> None:
    table = after("2 play 9C", "3 play JC")
    table.take("JC")
    assert kinds(table.wait(6)) == ["Undone"]
    play(table, 3, "QC")
    assert lines(table.events) == ["3 play QC"]


def test_plays_and_a_pick_up_between_two_looks_are_told_apart() -> None:
    table = after("2 play 9C")
    table.put("JC", TABLE)
    table.wait(0.6, blind=True)
    table.put("KC", TABLE)
    table.wait(3)
    assert lines(table.events) == ["3 play JC", "4 play KC"]
    table.take("9C JC KC")
    table.wait(0.6, blind=True)
    table.put("7D", TABLE)
    table.wait(3)
    assert lines(table.events)[2:] == ["1 pick-up", "1 play 7D"]


def test_a_trick_gathered_as_soon_as_it_was_complete_was_not_picked_up() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC")
    table.hand(1, over=[TABLE])
    table.wait(0.4)
    table.put("TC", TABLE)
    table.wait(0.7)
    table.hand(4, over=[TABLE])
    table.take("9C JC KC TC")
    table.wait(4)
    assert lines(table.events) == ["1 play TC"]
    assert table.position is not None
    assert table.position.to_act == 4


def test_the_suit_led_tells_the_suit_of_a_card_read_in_part() -> None:
    table = after("2 play 9C")
    table.put("JC", TABLE, reading=(Card.parse("J?"), 0.9, ()))
    assert lines(table.wait(3)) == ["3 play JC"]


def test_a_lead_of_unclear_suit_is_asked() -> None:
    table = after()
    table.put("x", TABLE, reading=(Card.parse("J?"), 0.9, ((Card.parse("JS"), 0.45), (Card.parse("JC"), 0.4))))
    assert kinds(table.wait(8)) == ["Question"]


def test_the_last_card_ends_the_deal_and_clearing_the_table_is_no_action() -> None:
    pack = [Card(rank, suit) for rank in "789TJQKA" for suit in "SHDC"]
    position: Position = GAME.deal(GAME.shuffled(Setup(NAME, 4, 1), pack))
    while not position.over:
        position = position.apply(position.legal_actions()[0])
    table = StagedTable(GAME, Terms(NAME, 4, 1), position)
    assert kinds(table.wait(1)) == ["GameOver"]


@pytest.mark.parametrize(
    ("played", "card", "code"),
    [
        (("2 play 9C", "3 play JC"), "7D", "off-suit"),
        (("2 play 9C", "3 play JC", "4 pick-up"), "JC", "barred-lead"),
        (("2 play 9C", "3 play JC", "4 pick-up"), "QC", "barred-lead"),
        (("2 play 9C",), "4D", "wrong-pack"),
    ],
)
def test_a_card_that_may_not_be_played_is_told_and_taken_back(played: tuple[str, ...], card: str, code: str) -> None:
    table = after(*played)
    table.put(card, TABLE)
    noticed = [event.notice.code for event in table.wait(5) if hasattr(event, "notice")]
    assert noticed == [code]
    table.take(card)
    assert lines(table.wait(5)) == []
    assert "Desync" not in kinds(table.events)


def test_a_card_that_may_not_be_played_and_stays_stops_the_game() -> None:
    table = after("2 play 9C", "3 play JC")
    table.put("7D", TABLE)
    assert "Desync" in kinds(table.wait(20))


def test_a_play_out_of_turn_is_told_where_the_hands_are_beyond_doubt() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC", "4 play 7D")
    table.hand(2, over=[TABLE])
    table.wait(0.4)
    table.put("8D", TABLE)
    noticed = [event.notice.code for event in table.wait(5) if hasattr(event, "notice")]
    assert noticed == ["not-your-turn"]


def test_a_play_out_of_turn_right_after_a_pick_up_is_told() -> None:
    table = after(
        "2 play 9C", "3 play JC", "4 play KC", "1 pick-up", "1 play 7D", "2 play 8D", "3 pick-up", "3 play 7S"
    )
    table.hand(1, over=[TABLE])
    table.wait(0.4)
    table.put("8S", TABLE)
    noticed = [event.notice.code for event in table.wait(5) if hasattr(event, "notice")]
    assert noticed == ["not-your-turn"]
    assert lines(table.events) == []


def test_where_a_trick_is_gone_that_may_have_been_completed_unseen_nobody_is_told_to_be_out_of_turn() -> None:
    table = after("2 play KC", "3 play JC", "4 play TC")
    table.hand(1, over=[TABLE])
    table.wait(1.6)
    table.take("KC JC TC")
    play(table, 2, "7D", wait=0.4)
    assert table.position is not None
    signs, view = StoneSigns(), table.view()
    assert signs.misplay(table.position, compare(signs.slots(table.position), view), view) is None


def test_a_trick_that_another_took_just_after_the_seat_in_turn_was_there_is_asked() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC")
    table.wait(2)
    table.hand(1, over=[TABLE])
    table.wait(1.8)
    table.hand(4, over=[TABLE])
    table.wait(0.6)
    table.take("9C JC KC")
    assert "Question" in kinds(table.wait(9))
    assert lines(table.events) == []


def test_a_card_that_nothing_covers_any_more_was_taken_with_the_others() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC")
    table.wait(2)
    table.hand(1, over=[TABLE])
    table.wait(0.4)
    table.take("9C JC")
    table.cover("KC")
    assert lines(table.wait(4)) == ["1 pick-up"]


@pytest.mark.parametrize(("missed", "code"), [(["QD", "8D"], None), (["QD"], "not-your-lead"), ([], "not-your-lead")])
def test_nobody_plays_out_of_turn_where_a_trick_was_missed(missed: list[str], code: str | None) -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC")
    table.take("9C JC KC TC")
    table.wait(2)
    table.hand(2, over=[TABLE])
    table.wait(0.4)
    table.put("9H", TABLE)
    table.wait(0.4)
    assert table.position is not None
    view = table.view()
    gone = tuple(
        Glimpse(SeenCard(90 + number, Card.parse(name), 0.99, TABLE, QUAD), 9.0, 10.0, 10.0)
        for number, name in enumerate(missed)
    )
    signs = StoneSigns()
    told = signs.misplay(table.position, compare(signs.slots(table.position), view), view, gone)
    assert (told and told.code) == code


@pytest.mark.parametrize(
    ("hands", "codes"), [(((3, True),), ["wrong-taker"]), (((3, False),), []), (((3, True), (4, True)), [])]
)
def test_where_no_backs_are_seen_the_hand_tells_who_gathered_a_trick(
    hands: tuple[tuple[int, bool], ...], codes: list[str]
) -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC")
    table.wait(1)
    for seat, own in hands:
        table.hand(seat, over=[TABLE, *([Zone(seat)] if own else [])])
    table.wait(0.4)
    table.take("9C JC KC TC")
    assert [event.notice.code for event in table.wait(6) if hasattr(event, "notice")] == codes


UNREAD: Reading = (UNKNOWN, 0.9, ())


def test_a_card_that_nobody_can_read_is_a_play_of_the_hand_that_brought_it() -> None:
    table = after("2 play 9C", "3 play JC")
    table.hand(4, over=[TABLE])
    table.wait(0.4)
    table.put("KC", TABLE, reading=UNREAD)
    assert lines(table.wait(5)) == ["4 play ??"]
    table.read("KC", None)
    assert lines(table.wait(8)) == ["4 play KC"]


@pytest.mark.parametrize("hand", [1, None])
def test_something_like_a_card_that_no_hand_in_turn_brought_is_no_play(hand: int | None) -> None:
    table = after("2 play 9C", "3 play JC")
    if hand is not None:
        table.hand(hand, over=[TABLE])
        table.wait(0.4)
    table.put("KC", TABLE, reading=UNREAD)
    assert lines(table.wait(8)) == []


def test_a_card_that_nobody_could_read_was_taken_up_with_the_trick() -> None:
    table = after("2 play 9C", "3 play JC")
    table.hand(4, over=[TABLE])
    table.wait(0.4)
    table.put("KC", TABLE, reading=UNREAD)
    table.wait(1.6)
    pick_up(table, 1)
    assert lines(table.events) == ["4 play ??", "1 pick-up"]


def test_a_trick_gathered_by_another_than_its_winner_is_told() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC")
    table.wait(1)
    table.hand(3, over=[TABLE])
    table.wait(0.4)
    table.take("9C JC KC TC")
    table.wait(0.6)
    table.turn_down(Zone(3))
    assert [event.notice.code for event in table.wait(4) if hasattr(event, "notice")] == ["wrong-taker"]


def test_a_card_that_another_than_the_seat_in_turn_put_down_is_never_taken_for_its_play() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC", "4 play 7D")
    play(table, 2, "8D", wait=20)
    assert lines(table.events) == []
    assert "Desync" in kinds(table.events)


def test_a_play_by_another_hand_stands_once_the_next_seat_has_gone_on_from_it() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC", "1 play TC", "4 play 7D")
    play(table, 3, "8D", wait=1.5)
    play(table, 2, "9D")
    assert lines(table.events) == ["1 play 8D", "2 play 9D"]


def test_a_hand_that_rested_between_doesnt_hide_a_play_out_of_turn() -> None:
    table = after("2 play 9C", "3 play JC", "4 pick-up", "4 play 7D", "1 play 8D", "2 pick-up")
    table.wait(2)
    table.hand(4, 3.0, over=[TABLE])
    table.wait(5)
    play(table, 2, "9S")
    table.wait(1)
    play(table, 2, "KS", wait=8)
    assert lines(table.events) == ["2 play 9S"]
    assert [event.notice.code for event in table.events if hasattr(event, "notice")] == ["not-your-turn"]


def test_a_trick_that_another_takes_is_asked() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC")
    table.wait(2)
    pick_up(table, 3, wait=9)
    assert lines(table.events) == []
    assert "Question" in kinds(table.events)


def test_a_row_of_plays_all_by_the_next_seats_hands_is_not_taken_for_those_in_turn() -> None:
    table = after()
    table.hand(2, over=[TABLE])
    table.wait(1.0, blind=True)
    for seat, card in ((3, "JC"), (4, "KC"), (1, "TC")):
        table.hand(seat, over=[TABLE])
        table.wait(0.4, blind=True)
        table.put(card, TABLE)
        table.wait(0.8, blind=True)
    assert lines(table.wait(4)) == []


def test_a_card_that_was_straightened_later_was_played_when_it_came() -> None:
    table = after("2 play 9C", "3 play JC", "4 pick-up")
    table.put("KS", TABLE, reading=(Card.parse("??"), 0.4, ()))
    table.wait(2)
    play(table, 1, "TS", wait=4)
    table.cover("KS")
    table.wait(2)
    table.shift("KS", TABLE)
    table.cover("KS", covered=False)
    table.read("KS", None)
    table.wait(4)
    assert lines(table.events) == ["4 play KS", "1 play TS"]


def test_a_play_that_would_prove_a_revoke_waits_for_a_clearer_look() -> None:
    table = after(
        "2 play 9C", "3 pick-up", "3 play 7D", "4 play 8D", "1 play TD", "2 play 9D", "1 play KC", "2 play QC"
    )
    table.hand(3, over=[TABLE])
    table.wait(0.4)
    table.put("AC", TABLE)
    table.wait(2)
    assert lines(table.events) == []
    table.wait(3)
    assert lines(table.events) == ["3 play AC"]


def test_what_came_after_the_trick_was_taken_is_not_of_it() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC")
    table.take("9C JC KC")
    table.wait(0.2)
    table.t += 3.0
    table.put("QC", TABLE)
    assert "1 play QC" not in lines(table.wait(4))


def test_a_card_long_believed_to_lie_covered_that_is_gone_makes_no_play_doubtful() -> None:
    table = after("2 play 9C", "3 play JC", "4 play KC")
    table.put("QD", TABLE)
    table.cover("QD")
    table.wait(6)
    play(table, 1, "TC")
    table.take("9C JC KC TC QD")
    table.wait(1)
    play(table, 4, "7S")
    assert lines(table.events) == ["1 play TC", "4 play 7S"]


def test_tricks_that_were_begun_and_taken_up_in_haste_are_each_remembered() -> None:
    table = after("2 play 9C")
    pick_up(table, 3, wait=0.4)
    play(table, 3, "7D", wait=0.4)
    pick_up(table, 4, wait=0.4)
    play(table, 4, "KH", wait=0.4)
    pick_up(table, 1, wait=0.4)
    play(table, 1, "QS", wait=4)
    expected = ["3 pick-up", "3 play 7D", "4 pick-up", "4 play KH", "1 pick-up", "1 play QS"]
    assert lines(table.events) == expected


def test_a_single_wrong_visit_without_others_to_trust_changes_nothing() -> None:
    table = StagedTable(GAME, Terms(NAME, 4, 1))
    table.wait(0.4)
    play(table, 4, "9C")
    assert lines(table.events) == ["2 play 9C"]


def test_a_deal_that_can_not_have_been_so_is_told_anew_and_is_not_sure_where_it_may_be_one_of_several() -> None:
    table = after("2 play 9S", "3 play KS", "4 pick-up")  # seat 4 might not lead spades: those were others
    for seat, card in ((4, "7S"), (1, "8S"), (2, "TS"), (3, "QS")):
        play(table, seat, card)
    table.wait(20)
    assert table.position is not None
    told = list(map(str, table.position.actions))
    assert told[0] in ("2 play 9H", "2 play 9D", "2 play 9C")
    assert told[2:] == ["4 pick-up", "4 play 7S", "1 play 8S", "2 play TS", "3 play QS"]
    assert not table.state.sure


def test_one_card_against_the_rules_is_a_fault_and_no_reason_to_tell_the_deal_anew() -> None:
    table = after("2 play 9S", "3 play KS", "4 pick-up")
    play(table, 4, "7S")
    assert "Undone" not in kinds(table.wait(60))
    assert kinds(table.events) == ["Noticed", "Desync"]


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_deal_is_followed(seed: int) -> None:
    rng = random.Random(seed)
    players = 4 + seed % 3
    pack = list(PACK)
    rng.shuffle(pack)
    truth: Position = GAME.deal(GAME.shuffled(Setup(NAME, players, 1), pack))
    table = StagedTable(GAME, Terms(NAME, players, 1))
    table.wait(0.4)
    old: list[str] = []
    while not truth.over and len(truth.actions) < 120:
        action = rng.choice([rng.choice(truth.legal_actions()), POLICIES["longest-low"](truth)])  # type: ignore[arg-type]
        if action.verb == "pick-up" or (old and rng.random() < 0.6):
            table.take(" ".join(old))
            old = []
        lying = table.lying
        if rng.random() < 0.9:
            table.hand(action.seat, over=[TABLE])
        table.wait(0.4)
        if action.verb == "pick-up":
            table.take(" ".join(lying))
        else:
            table.put(str(action.cards[0]), TABLE, seen_after=rng.choice((0.0, 0.2, 0.6)))
        truth = truth.apply(action)
        if not truth.observe().table and action.verb == "play":
            table.wait(1.6)
            table.take(" ".join(old))
            old = table.lying
        table.wait(rng.choice((1.2, 1.6, 2.4, 3.0)))
    table.wait(4)
    assert table.position is not None
    assert lines(table.events) == [str(action) for action in truth.actions]
    assert table.state.asked == 0
