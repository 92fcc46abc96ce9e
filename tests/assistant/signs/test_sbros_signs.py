"""Sbros followed from the table: covers in two grasps, cards put aside, the exchange, and passes that show nothing."""

from __future__ import annotations

import random

import pytest

from assistant.cards import CARDS, PACK, Card, parse_cards
from assistant.events import Noticed
from assistant.games.game import Action, Position, Setup
from assistant.games.sbros import GAME, Sbros
from assistant.games.sbros_covers import covers_in
from assistant.games.sbros_setup import NAME
from assistant.patience import Patience
from assistant.signs.sbros_search import passes_to_the_end
from assistant.signs.signs import Terms
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, TABLE, Zone
from tests.assistant.signs.staged_table import StagedTable, kinds, lines

CENTRE = (CENTRE_LEFT, CENTRE_RIGHT)


def begun() -> StagedTable:
    """TS and 3H lie in the centre, seat 2 is in turn."""
    table = StagedTable(GAME, Terms(NAME, 2, 1))
    table.put("TS", CENTRE_LEFT)
    table.put("3H", CENTRE_RIGHT)
    assert kinds(table.wait(3)) == ["DealSeen"]
    table.events.clear()
    return table


def test_centre_cards_that_change_places_before_the_first_play_are_the_deal_as_they_lie_now() -> None:
    table = begun()
    table.shift("TS", CENTRE_RIGHT)
    table.shift("3H", CENTRE_LEFT)
    assert kinds(table.wait(8)) == ["DealSeen"]
    assert table.position is not None
    assert " ".join(map(str, table.position.setup.table)) == "3H TS"


def cover(table: StagedTable, seat: int | None, left: str, right: str, wait: float = 2.5) -> None:
    if seat is not None:
        table.hand(seat, over=CENTRE)
    table.wait(0.4)
    table.put(left, CENTRE_LEFT)
    table.put(right, CENTRE_RIGHT)
    table.wait(wait)


def late(patience: Patience | None = None, *, centre: str = "4S 6H") -> StagedTable:
    """The stock is empty, seat 2 is in turn, two cards lie on top, and no card of a hand is known but those taken:
    the hearts and clubs that seat 1 had put aside, and the spades and diamonds that seat 2 had."""
    left, right = centre.split()
    position: Position = GAME.deal(Setup(NAME, 2, 1, parse_cards(centre)))
    for rank in "A237KQJT9":
        for suit in "SHDC":
            position = position.apply(Action(position.to_act or 0, "reset", (Card(rank, suit),)))
    for suit in "SH":
        position = position.apply(Action(position.to_act or 0, "reset", (Card("8", suit),)))
    assert not position.observe().stock
    table = StagedTable(GAME, Terms(NAME, 2, 1), position, patience)
    table.put(left, CENTRE_LEFT)
    table.put(right, CENTRE_RIGHT)
    table.wait(2)
    return table


def test_a_pass_is_known_from_the_hand_that_covers_next() -> None:
    table = late()
    cover(table, 1, "5S", "5H", wait=4)
    assert lines(table.events) == ["2 pass", "1 cover 5S 5H"]


def test_a_pass_is_asked_where_no_hand_was_seen() -> None:
    table = late()
    cover(table, None, "5S", "5H", wait=6)
    assert kinds(table.events) == ["Question"]


def test_a_hand_that_only_reached_for_the_centre_is_no_pass() -> None:
    table = late()
    table.hand(2, over=CENTRE)
    assert table.wait(10) == []


def knocked_twice(patience: Patience | None = None) -> StagedTable:
    """Both have knocked, and nothing else happened."""
    table = late(patience)
    table.hand(2, 1.6, over=[Zone(2, "reset")])
    assert lines(table.wait(8)) == ["2 pass"]
    table.stir()
    table.hand(1, 1.6, over=[Zone(1, "reset")])
    return table


def test_a_second_knock_is_a_pass_at_once_but_ends_the_deal_only_after_a_long_rest() -> None:
    table = knocked_twice()
    assert lines(table.wait(3)) == ["1 pass"]
    assert table.wait(10) == []
    assert kinds(table.wait(6)) == ["GameOver"]


def test_a_second_knock_ends_the_deal_once_the_centre_is_cleared() -> None:
    table = knocked_twice()
    table.wait(2)
    table.take("4S 6H")
    table.wait(5)
    assert lines(table.events) == ["2 pass", "1 pass"]
    assert kinds(table.events)[-1] == "GameOver"
    assert table.state.sure
    assert table.state.asked == 0


def test_nobody_is_asked_after_a_long_rest_while_the_centre_is_being_cleared() -> None:
    table = late()
    table.hand(2, 1.6, over=[Zone(2, "reset")])
    assert lines(table.wait(15)) == ["2 pass"]
    for seat, over in ((1, [Zone(1, "reset")]), (2, CENTRE)):
        table.stir()
        table.hand(seat, 1.6, over=over)
        table.wait(2.5)
    table.take("4S 6H")
    table.wait(6)
    assert lines(table.events) == ["2 pass", "1 pass"]
    assert "Question" not in kinds(table.events)


def test_a_second_reach_that_was_no_pass_is_taken_back_when_a_play_follows() -> None:
    table = knocked_twice()
    table.wait(3)
    cover(table, 1, "5S", "5H", wait=2)
    assert kinds(table.events) == ["ActionSeen", "ActionSeen", "Undone", "ActionSeen"]
    assert lines(table.events) == ["2 pass", "1 pass", "1 cover 5S 5H"]
    assert table.state.sure


@pytest.mark.parametrize(
    ("seat", "seconds", "over"),
    [(2, 4.0, [Zone(2, "reset")]), (1, 1.6, [Zone(1, "reset")]), (2, 1.6, [Zone(1, "reset")]), (2, 1.6, [])],
)
def test_a_hand_that_rests_or_is_anothers_or_reaches_elsewhere_is_no_pass(
    seat: int, seconds: float, over: list[Zone]
) -> None:
    table = late()
    table.hand(seat, seconds, over=over)
    assert table.wait(9) == []


def test_a_knock_may_brush_a_centre_card() -> None:
    table = late()
    table.hand(2, 1.6, over=[Zone(2, "reset"), CENTRE_RIGHT])
    assert lines(table.wait(3)) == ["2 pass"]


def test_a_hand_that_brushes_a_centre_card_may_have_laid_one_there_that_is_not_read_yet() -> None:
    table = late()
    table.hand(2, 1.6, over=[Zone(2, "reset"), CENTRE_RIGHT])
    table.wait(1.2)
    table.put("5H", CENTRE_RIGHT, seen_after=1.4)
    table.cover("6H")
    assert lines(table.wait(6)) == []


def test_taking_up_what_was_put_aside_is_no_pass() -> None:
    table = late()
    table.put("AS", Zone(2, "reset"))
    table.wait(0.4)
    table.hand(2, 1.6, over=[Zone(2, "reset")])
    table.wait(0.8)
    table.take("AS")
    assert lines(table.wait(6)) == []


def test_a_pass_that_was_none_is_taken_back_as_soon_as_that_seat_covers() -> None:
    table = late()
    table.hand(2, 1.6, over=[Zone(2, "reset")])
    assert lines(table.wait(6)) == ["2 pass"]
    cover(table, 2, "5S", "5H", wait=1.6)
    assert kinds(table.events) == ["ActionSeen", "Undone", "ActionSeen"]
    assert lines(table.events) == ["2 pass", "2 cover 5S 5H"]


def test_a_pass_that_was_none_is_taken_back_at_once_also_where_the_other_seat_could_not_pass() -> None:
    table = late(centre="4S 6D")
    assert table.position is not None
    table.hand(2, 1.6, over=[Zone(2, "reset")])
    assert lines(table.wait(6)) == ["2 pass"]
    assert passes_to_the_end(table.position)[1] == ()
    cover(table, 2, "5S", "5H", wait=1.6)
    assert lines(table.events) == ["2 pass", "2 cover 5S 5H"]


def test_who_covers_after_a_knock_is_asked_where_no_hand_was_seen() -> None:
    table = late()
    table.hand(2, 1.6, over=[Zone(2, "reset")])
    assert lines(table.wait(6)) == ["2 pass"]
    cover(table, None, "5S", "5H", wait=9)
    assert lines(table.events) == ["2 pass"]
    assert table.state.question is not None
    assert [list(map(str, choice)) for choice in table.state.question.choices] == [["1 cover 5S 5H"]]


def test_nobody_is_asked_whether_both_passed_while_hands_take_up_what_was_put_aside() -> None:
    table = late()
    for seat in (1, 2):
        table.wait(8)
        table.hand(seat, 3.0, over=[Zone(3 - seat, "reset")])
    assert kinds(table.wait(10)) == []


def test_the_question_after_a_long_rest_is_asked_but_once() -> None:
    table = late()
    assert kinds(table.wait(16)) == ["Question"]
    for _ in range(3):
        table.stir()
        table.hand(2, over=CENTRE)
        table.wait(3)
    assert kinds(table.events) == ["Question"]


def test_a_cleared_table_ends_the_deal_and_a_long_rest_is_asked_about() -> None:
    table = late()
    assert kinds(table.wait(20)) == ["Question"]
    table.take("4S 6H")
    table.wait(6)
    assert lines(table.events) == ["2 pass", "1 pass"]
    assert kinds(table.events)[-1] == "GameOver"


def test_after_the_exchange_nothing_is_put_aside() -> None:
    table = late()
    table.put("5C", Zone(2, "reset"))
    assert [event.notice.code for event in table.wait(5) if hasattr(event, "notice")] == ["no-reset-now"]


def test_the_deal_is_two_cards_left_and_right() -> None:
    table = begun()
    assert table.position is not None
    assert table.position.setup.table == parse_cards("TS 3H")


def test_a_cover_in_either_order_is_seen_when_both_cards_lie() -> None:
    table = begun()
    table.put("2H", CENTRE_RIGHT)
    assert table.wait(4) == []
    table.put("JS", CENTRE_LEFT)
    table.cover("TS 3H")
    assert lines(table.wait(3)) == ["2 cover JS 2H"]
    table.take("TS")
    assert table.wait(12) == []


def test_two_covers_in_quick_succession() -> None:
    table = begun()
    cover(table, 2, "TH", "3D", wait=0.6)
    cover(table, 1, "JH", "2D", wait=5)
    assert lines(table.events) == ["2 cover TH 3D", "1 cover JH 2D"]


def test_a_cover_and_the_next_seats_reset() -> None:
    table = begun()
    cover(table, 2, "TH", "3D", wait=0.4)
    table.put("KC", Zone(1, "reset"))
    table.wait(4)
    assert lines(table.events) == ["2 cover TH 3D", "1 reset KC"]


def test_a_covered_card_that_seems_to_be_another_by_later_looks_is_still_that_card() -> None:
    table = begun()
    cover(table, 2, "TH", "3D")
    table.cover("TS 3H")
    cover(table, 1, "JH", "2D")
    table.cover("TH 3D")
    table.read("TH", (Card.parse("TC"), 0.4, ()))
    table.wait(3)
    cover(table, 2, "5S", "5C", wait=0.4)
    table.cover("JH 2D")
    table.wait(4)
    assert lines(table.events)[2:] == ["2 cover 5S 5C"]


def test_moving_covering_and_lifting_are_no_action() -> None:
    table = begun()
    table.cover("TS 3H")
    table.wait(6)
    table.cover("TS 3H", covered=False)
    table.shift("TS", None)
    table.wait(3)
    table.shift("TS", CENTRE_LEFT)
    table.take("3H")
    table.wait(2)
    table.put("3H", CENTRE_RIGHT)
    table.wait(8)
    assert table.events == []


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [("3D", "TD", "crosswise"), ("JS", "4H", "both-over"), ("KD", "QC", "does-not-cover"), ("KD", "KC", "not-between")],
)
def test_two_cards_that_do_not_cover_are_told(left: str, right: str, code: str) -> None:
    table = begun()
    cover(table, 2, left, right, wait=5)
    assert [event.notice.code for event in table.events if hasattr(event, "notice")] == [code]
    table.take(f"{left} {right}")
    table.events.clear()
    table.wait(5)
    assert table.events == []


def test_one_card_alone_is_told_after_a_while() -> None:
    table = begun()
    table.put("TH", CENTRE_LEFT)
    assert table.wait(7) == []
    came = table.wait(5)
    assert [event.notice.code for event in came if hasattr(event, "notice")] == ["one-card-placed"]


def test_one_card_alone_is_told_of_the_seat_whose_hand_laid_it_where_the_other_may_have_passed() -> None:
    table = late()
    table.hand(1, over=CENTRE)
    table.wait(0.4)
    table.put("5S", CENTRE_LEFT)
    told = [event.notice for event in table.wait(14) if hasattr(event, "notice")]
    assert [(notice.code, notice.seats) for notice in told] == [("one-card-placed", (1,))]


def test_one_card_alone_is_told_as_soon_as_it_is_taken_back() -> None:
    table = begun()
    table.put("TH", CENTRE_LEFT)
    assert table.wait(4.5) == []
    table.take("TH")
    came = table.wait(2)
    assert [event.notice.code for event in came if hasattr(event, "notice")] == ["one-card-placed"]


def with_one_taken_back() -> StagedTable:
    """Of two cards that don't cover one is taken back and the other believed to lie beneath the cards put since."""
    table = begun()
    cover(table, 2, "KD", "QC", wait=5)
    table.take("QC")
    table.cover("KD")
    table.wait(2)
    cover(table, 2, "TH", "3D", wait=4)
    return table


def test_one_card_taken_back_is_told_though_another_is_believed_beneath_since_an_earlier_misplay() -> None:
    table = with_one_taken_back()
    assert lines(table.events) == ["2 cover TH 3D"]
    table.put("JH", CENTRE_LEFT)
    table.wait(4.5)
    table.take("JH")
    told = [event.notice.code for event in table.wait(3) if isinstance(event, Noticed)]
    assert told == ["one-card-placed"]


def test_a_card_taken_back_that_is_believed_beneath_does_not_hide_two_quick_plays() -> None:
    table = with_one_taken_back()
    cover(table, 1, "JH", "2D", wait=0.6)
    table.cover("TH 3D")
    cover(table, 2, "9H", "4D", wait=0.2)
    table.cover("JH 2D")
    table.wait(4)
    assert lines(table.events) == ["2 cover TH 3D", "1 cover JH 2D", "2 cover 9H 4D"]


@pytest.mark.parametrize("believed_covered", [False, True])
def test_a_hand_that_takes_one_card_back_has_not_knocked(believed_covered: bool) -> None:
    table = late()
    table.hand(2, over=CENTRE)
    table.wait(0.4)
    table.put("5S", CENTRE_LEFT)
    table.wait(4.5)
    table.hand(2, 0.9, over=[Zone(2, "reset"), CENTRE_LEFT])
    table.wait(0.4)
    (table.cover if believed_covered else table.take)("5S")
    told = [event.notice for event in table.wait(4) if isinstance(event, Noticed)]
    assert [(notice.code, notice.seats) for notice in told] == [("one-card-placed", (2,))]
    assert lines(table.events) == []


def test_two_cards_taken_back_one_by_one_were_no_single_card() -> None:
    table = begun()
    cover(table, 2, "JS", "4H", wait=5)
    table.take("4H")
    table.wait(1.5)
    table.take("JS")
    codes = [event.notice.code for event in (*table.events, *table.wait(5)) if hasattr(event, "notice")]
    assert codes == ["both-over"]


def test_what_nobody_can_read_covers_as_well() -> None:
    table = begun()
    table.hand(2, over=CENTRE)
    table.wait(0.4)
    table.put("JS", CENTRE_LEFT)
    table.cover("3H")
    table.wait(6)
    assert lines(table.events) == ["2 cover JS ??"]
    cover(table, 1, "9S", "4H")
    assert lines(table.events)[1:] == ["1 cover 9S 4H"]


def test_a_play_that_is_covered_before_the_next_one_is_complete_is_seen() -> None:
    table = begun()
    cover(table, 2, "9S", "4H", wait=0.6)
    table.hand(1, over=CENTRE)
    table.wait(0.4)
    table.put("JS", CENTRE_LEFT)
    table.take("9S")
    table.wait(4)
    assert lines(table.events) == ["2 cover 9S 4H"]
    table.put("2H", CENTRE_RIGHT)
    table.wait(3)
    assert lines(table.events) == ["2 cover 9S 4H", "1 cover JS 2H"]


def test_a_hand_over_the_centre_just_before_the_other_seat_plays_may_not_have_passed() -> None:
    table = late()
    table.hand(2, over=CENTRE)
    table.wait(0.8)
    cover(table, 1, "5S", "5H", wait=9)
    assert kinds(table.events) == ["Question"]
    assert table.state.question is not None
    assert {str(choice[0]) for choice in table.state.question.choices} >= {"2 pass", "2 cover ?? ??"}


def test_a_card_put_aside_that_is_read_better_later_is_put_right_with_what_followed() -> None:
    table = begun()
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(0.4)
    table.put("QD", Zone(2, "reset"), reading=(Card.parse("KD"), 0.9, ((Card.parse("QD"), 0.08),)))
    table.wait(5)
    assert lines(table.events) == ["2 reset KD"]
    cover(table, 1, "9S", "4H")
    table.read("QD", None)
    table.wait(4)
    assert lines(table.events)[2:] == ["2 reset QD", "1 cover 9S 4H"]
    assert kinds(table.events).count("Undone") == 2


def test_a_card_put_aside_that_was_doubtful_is_put_right_though_hands_came_there_since() -> None:
    table = begun()
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(0.4)
    table.put("QD", Zone(2, "reset"), reading=(Card.parse("KD"), 0.55, ((Card.parse("QD"), 0.06),)))
    table.wait(5)
    assert lines(table.events) == ["2 reset KD"]
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(1)
    table.read("QD", None)
    table.wait(6)
    assert lines(table.events)[1:] == ["2 reset QD"]


def test_another_card_put_exactly_on_one_is_not_that_one_read_better() -> None:
    table = begun()
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(0.4)
    table.put("QD", Zone(2, "reset"))
    table.wait(3)
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(1)
    table.read("QD", (Card.parse("KD"), 0.9, ()))
    table.wait(6)
    assert "Undone" not in kinds(table.events)


def test_a_reset_by_the_wrong_seat_is_told() -> None:
    table = begun()
    table.put("KC", Zone(1, "reset"))
    assert [event.notice.code for event in table.wait(5) if hasattr(event, "notice")] == ["not-your-turn"]


def test_a_reset_by_the_wrong_seat_does_not_make_the_play_before_it_another() -> None:
    table = begun()
    cover(table, 2, "TH", "3D", wait=6)
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(0.4)
    table.put("KC", Zone(2, "reset"))
    told = [event.notice for event in table.wait(10) if isinstance(event, Noticed)]
    assert [(notice.code, notice.seats) for notice in told] == [("not-your-turn", (2,))]
    assert lines(table.events) == ["2 cover TH 3D"]
    assert "Undone" not in kinds(table.events)


def test_a_seat_whose_turn_may_have_passed_unread_is_not_told_to_be_out_of_turn() -> None:
    table = begun()
    cover(table, 2, "TH", "3D", wait=6)
    table.hand(1, over=[Zone(1, "reset")])
    table.wait(3)
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(0.4)
    table.put("KC", Zone(2, "reset"))
    assert not any(isinstance(event, Noticed) for event in table.wait(6))


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_deal_is_followed(seed: int) -> None:
    rng = random.Random(seed)
    pack = list(PACK)
    rng.shuffle(pack)
    dealt = GAME.shuffled(Setup(NAME, 2, 1), pack)
    hands, stock = {seat: list(cards) for seat, cards in dealt.hands.items()}, pack[14:]
    aside: dict[int, list[Card]] = {1: [], 2: []}
    truth = Sbros().deal(Setup(NAME, 2, 1, dealt.table))
    table = StagedTable(GAME, Terms(NAME, 2, 1))
    table.put(str(dealt.table[0]), CENTRE_LEFT)
    table.put(str(dealt.table[1]), CENTRE_RIGHT)
    table.wait(3)
    while truth.to_act is not None:
        seat = truth.to_act
        hand = hands[seat]
        plays = list(covers_in(sum(1 << card.code for card in hand), truth.partners()))
        action = Action(seat, "pass")
        if plays:
            one, two = rng.choice(plays)
            action = Action(seat, "cover", (CARDS[one], CARDS[two]))
            table.hand(seat, 1.2, over=CENTRE)
            tops = [str(card) for card in truth.places.centre]
            for card, zone in rng.sample(list(zip(action.cards, CENTRE, strict=True)), 2):
                table.wait(rng.choice((0.4, 0.8)))
                table.put(str(card), zone, seen_after=rng.choice((0.0, 0.2)))
            table.take(" ".join(top for top in tops if rng.random() < 0.6))
        elif stock:
            action = Action(seat, "reset", (rng.choice(hand),))
            table.put(str(action.cards[0]), Zone(seat, "reset"), seen_after=rng.choice((0.0, 0.2, 0.6)))
            aside[seat] += action.cards
        truth = truth.apply(action)
        had = bool(stock)
        for card in action.cards:
            hand.remove(card)
        while stock and len(hand) < 6:
            hand.append(stock.pop(0))
        table.wait(rng.choice((1.0, 1.6, 2.4)))
        if had and not stock:
            for taker in (1, 2):
                hands[taker] += aside[3 - taker]
                table.take(" ".join(map(str, aside[3 - taker])))
                table.wait(1.0)
    table.wait(4)
    table.take(" ".join(table.lying))
    table.wait(8)
    assert lines(table.events) == [str(action) for action in truth.actions]
    assert kinds(table.events)[-1] == "GameOver"
    assert table.state.asked == 0


def test_nothing_but_the_centre_is_meant() -> None:
    table = begun()
    table.put("KC", None)
    assert table.wait(12) == []
    assert TABLE not in CENTRE
