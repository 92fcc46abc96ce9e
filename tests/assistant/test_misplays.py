"""What is done against the rules is told once, and the game goes on when it is taken back."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from assistant.cards import PACK, Card
from assistant.disagreement import ways_back
from assistant.events import Desync, Event, GameOver, Noticed, Resynced, Warned, as_json
from assistant.follow_state import FollowState
from assistant.following import Follower
from assistant.games.game import Action, Position, Setup
from assistant.signs.laugh_signs import LaughSigns
from assistant.signs.signs import Terms
from assistant.view import TABLE, SeenCard, Stillness, TableView, Zone
from tests.assistant.test_following import QUAD, SETUP, Places, Table, dealt, kinds, lines, pool
from tests.scripted_play import GAME, cards, final, play, random_setup
from tests.scripted_table import SIZE
from tests.troubled_table import ALL, TroubledTable, script_troubled
from vision.tracker import Tracker

TWO_QUEENS = Setup(GAME.name, 3, 1, cards("QS QD 7D 2C 9H 4S 8C 5H TD KS"))
THREE_QUEENS = Setup(GAME.name, 3, 1, cards("QS QD QC 7D 2C 9H 4S 8C 5H TD"))


def codes(events: Iterable[Event]) -> list[str]:
    return [event.notice.code for event in events if isinstance(event, Noticed)]


def lying(setup: Setup) -> Places:
    return {str(card): TABLE for card in setup.table}


def test_a_pair_of_two_ranks() -> None:
    table = dealt()
    came = table.show(pool() | {"KS": Zone(2), "QH": Zone(2)}, 4)
    assert codes(came) == ["not-the-same-rank"]
    assert isinstance(came[0], Noticed)
    assert came[0].notice.seats == (2,)
    assert set(came[0].notice.cards) == set(cards("QH KS"))
    assert table.show(pool(), 3) == []
    assert lines(table.show(pool() | {"KS": Zone(2), "KH": Zone(2)})) == ["2 mate KH KS"]


@pytest.mark.parametrize(("sure", "told"), [(0.93, ["not-the-same-rank"]), (0.85, [])])
def test_nobody_is_told_of_a_fault_for_a_card_that_may_well_be_misread(sure: float, told: list[str]) -> None:
    table = dealt()
    table.open["QH"] = (Card.parse("QH"), sure, ())
    assert codes(table.show(pool() | {"KS": Zone(2), "QH": Zone(2)}, 6)) == told


def test_a_pair_of_two_ranks_whose_pool_card_is_out_of_sight() -> None:
    table = dealt()
    assert codes(table.show(pool("KS") | {"QH": Zone(2)}, 6)) == ["not-the-same-rank"]


def test_three_from_a_pair() -> None:
    table = Table(None, GAME.deal(TWO_QUEENS))
    came = table.show(lying(TWO_QUEENS) | dict.fromkeys(["QS", "QD", "QH"], Zone(2)), 4)
    assert codes(came) == ["one-of-two"]
    assert lines(table.show(lying(TWO_QUEENS) | dict.fromkeys(["QS", "QH"], Zone(2)))) == ["2 mate QH QS"]


def test_three_from_a_pair_of_which_one_is_out_of_sight() -> None:
    table = Table(None, GAME.deal(TWO_QUEENS))
    pile: Places = dict.fromkeys(["QS", "QH"], Zone(2))
    places: Places = {name: zone for name, zone in lying(TWO_QUEENS).items() if name != "QD"} | pile
    assert codes(table.show(places, 3)) == []
    assert codes(table.show(places, 3)) == ["one-of-two"]
    assert lines(table.show(lying(TWO_QUEENS) | pile)) == ["2 mate QH QS"]


def test_a_pair_with_a_hand_card_that_lies_beneath_it() -> None:
    table = Table(None, GAME.deal(TWO_QUEENS))
    came = table.show(lying(TWO_QUEENS) | dict.fromkeys(["QS", "QD"], Zone(2)), 6)
    assert codes(came) == ["one-of-two"]


@pytest.mark.parametrize("top", ["QS", "QH"])
def test_three_from_a_pair_of_which_the_top_alone_shows(top: str) -> None:
    table = Table(None, GAME.deal(TWO_QUEENS))
    pool: Places = {name: zone for name, zone in lying(TWO_QUEENS).items() if name not in ("QS", "QD")}
    came = table.show(pool | {top: Zone(2)}, 6)
    assert codes(came) == ["one-of-two"]
    assert isinstance(came[0], Noticed)
    assert came[0].notice.seats == (2,)
    assert table.show(lying(TWO_QUEENS), 4) == []


def test_out_of_turn() -> None:
    table = dealt()
    assert codes(table.show(pool() | {"KS": Zone(1), "KH": Zone(1)}, 4)) == ["not-your-turn"]
    assert table.show(pool(), 5) == []


@pytest.mark.parametrize("taken_back", [True, False])
def test_the_same_fault_again_is_told_only_if_the_first_was_taken_back(*, taken_back: bool) -> None:
    table = dealt()
    first: Places = {"KS": Zone(1), "KH": Zone(1)}
    assert codes(table.show(pool() | first, 6)) == ["not-your-turn"]
    if taken_back:
        assert table.show(pool(), 3) == []
    played = pool() | {"9H": Zone(2), "9S": Zone(2)} | ({} if taken_back else first)
    seen = lines(table.show(played, 6))
    seen += lines(table.show(played | {"4S": Zone(3), "4H": Zone(3)}, 6))
    played |= first | {"4S": Zone(3), "4H": Zone(3)}
    seen += lines(table.show(played, 6))
    assert seen == ["2 mate 9S 9H", "3 mate 4H 4S", "1 mate KH KS"]
    again = table.show(played | {"TD": Zone(1), "TH": Zone(1)}, 8)
    assert codes(again) == (["not-your-turn"] if taken_back else [])


def test_out_of_turn_with_the_hand_card_out_of_sight() -> None:
    table = dealt()
    assert codes(table.show(pool() | {"KS": Zone(1)}, 3)) == []
    came = table.show(pool() | {"KS": Zone(1)}, 2)
    assert codes(came) == ["not-your-turn"]
    assert isinstance(came[0], Noticed)
    assert came[0].notice.seats == (1,)
    assert table.show(pool(), 5) == []


def test_two_mates_in_one_turn() -> None:
    table = dealt()
    twice = pool() | {"KS": Zone(2), "KH": Zone(2), "9H": Zone(2), "9S": Zone(2)}
    assert "not-your-turn" in codes(table.show(twice, 7))


def test_who_is_only_quick_is_not_out_of_turn() -> None:
    table = dealt()
    quick = pool() | {"9H": Zone(3), "9S": Zone(3), "KH": Zone(2)}
    assert table.show(quick, 6) == []
    assert lines(table.show(quick | {"KS": Zone(2)})) == ["2 mate KH KS", "3 mate 9S 9H"]


def test_lying_down_with_a_mate_in_hand() -> None:
    start: Position = GAME.deal(Setup(GAME.name, 3, 1, TWO_QUEENS.table, {}, {"deal_table": "14/2"}))
    table = Table(None, start)
    hand = ["AS", "AH", "6S", "6H", "6D", "JS", "JH", "JD", "AD", "AC", "3S", "3H", "3D", "KH"]
    assert codes(table.show(lying(TWO_QUEENS) | dict.fromkeys(hand, TABLE), 4)) == ["mate-possible"]
    assert table.show(lying(TWO_QUEENS), 4) == []


def at_the_end(*, dealer_last: bool = False, claims: bool = False) -> tuple[Position, Places, Card, Card]:
    """A deal that is over, what lies where, and a card of the last hand with one on the table that it would mate."""
    for seed in range(400):
        rng = random.Random(seed)
        setup = random_setup(3, rng)
        end = final(replace(setup, hands={}), play(setup, rng, faults=0.9 if claims else 0.0))
        state = end.observe()
        pairs = [(card, other) for card in end.notices()[-1].cards for other in state.table if card.rank == other.rank]
        pairs = [(card, other) for card, other in pairs if card not in state.table]
        last = state.active[0]
        if pairs and (last == setup.dealer) is dealer_last and bool(end.claims()) is claims and last == 3:
            places: Places = {str(card): TABLE for card in state.table}
            places |= {str(card): Zone(seat) for seat, pile in state.piles.items() for card in pile}
            return end, places, *pairs[0]
    raise AssertionError("no such deal")


def test_a_mate_by_the_last_one_in() -> None:
    end, places, card, other = at_the_end()
    table = Table(None, end)
    assert kinds(table.show(places, 2)) == [GameOver]
    assert codes(table.show(places | {str(card): Zone(3), str(other): Zone(3)}, 5)) == ["deal-over"]


def test_a_mate_by_the_last_one_in_with_a_card_that_is_misread_is_no_sweep() -> None:
    end, places, card, other = at_the_end()
    table = Table(None, end)
    table.show(places, 2)
    state = end.observe()
    gone = {card, *state.table, *(card for pile in state.piles.values() for card in pile)}
    unlike = next(one for one in PACK if one not in gone and one.rank != card.rank)
    table.open[str(card)] = (unlike, 0.84, ())
    left: Places = {name: zone for name, zone in places.items() if zone != TABLE}
    came = table.show(left | {str(card): Zone(3), str(other): Zone(3)}, 5)
    assert codes(came) == ["deal-over"]


def test_a_mate_by_the_last_one_in_while_a_claim_is_open() -> None:
    end, places, card, other = at_the_end(claims=True)
    table = Table(None, end)
    assert table.show(places, 2) == []
    assert codes(table.show(places | {str(card): Zone(3), str(other): Zone(3)}, 5)) == ["deal-over"]
    assert kinds(table.show(places, 20)) == [GameOver]


def test_a_mate_by_the_dealer_as_the_last_one_in_is_no_sweep() -> None:
    end, places, card, other = at_the_end(dealer_last=True)
    table = Table(None, end)
    assert kinds(table.show(places, 2)) == [GameOver]
    assert codes(table.show(places | {str(card): Zone(3), str(other): Zone(3)}, 3)) == []
    assert codes(table.show(places | {str(card): Zone(3), str(other): Zone(3)}, 3)) == ["deal-over"]
    swept = {name: Zone(3) if zone == TABLE else zone for name, zone in places.items()} | {str(card): Zone(3)}
    table = Table(None, end)
    assert kinds(table.show(swept, 10)) == [GameOver]


def test_a_sweep_to_a_wrong_seat() -> None:
    end, places, _, _ = at_the_end()
    dealer = end.setup.dealer
    for seat in (1, 2):
        table = Table(None, end)
        table.show(places, 2)
        came = table.show({name: zone if zone != TABLE else Zone(seat) for name, zone in places.items()}, 5)
        assert codes(came) == ([] if seat == dealer else ["wrong-sweep"])


def test_a_sweep_to_a_wrong_seat_whose_row_reaches_into_the_next_place() -> None:
    end, places, _, _ = at_the_end()
    left = [name for name, zone in places.items() if zone == TABLE]
    assert len(left) >= 4
    table = Table(None, end)
    table.show(places, 2)
    other = 3 - end.setup.dealer
    came = table.show(places | dict.fromkeys(left[1:], Zone(other)) | {left[0]: Zone(end.setup.dealer)}, 5)
    assert codes(came) == ["wrong-sweep"]


@pytest.mark.parametrize(
    ("seconds", "places"),
    [
        (7.0, pool(KH=TABLE)),  # the hand card over its mate
        (7.0, pool(KH=Zone(2))),  # first card of two put
        (7.0, pool("KS")),  # both in the hand
        (2.5, pool() | {"KS": Zone(2)}),  # the table card is carried first
    ],
)
def test_what_is_on_the_way_of_a_mate_is_no_misplay(seconds: float, places: Places) -> None:
    assert codes(dealt().show(places, seconds)) == []


def test_two_of_three_are_on_the_way_of_three() -> None:
    table = Table(None, GAME.deal(THREE_QUEENS))
    assert codes(table.show(lying(THREE_QUEENS) | dict.fromkeys(["QS", "QD", "QH"], Zone(2)), 3.5)) == []
    came = table.show(lying(THREE_QUEENS) | dict.fromkeys(["QS", "QD", "QC", "QH"], Zone(2)))
    assert [len(line.split()) for line in lines(came)] == [6]


# Lost and found


def test_while_table_and_game_disagree_one_cause_is_told_once() -> None:
    table = dealt()
    wrong = pool("KS") | {"KS": Zone(2), "QH": Zone(2)}
    assert codes(table.show(wrong, 20)) == ["not-the-same-rank"]
    assert table.state.desynced
    other = pool("KS") | {"KS": Zone(2), "AH": Zone(2)}
    assert codes(table.show(other, 20)) == []
    table.show(pool(), 6)  # everything is put back
    assert codes(table.show(pool("9H") | {"9H": Zone(2), "QH": Zone(2)}, 6)) == ["not-the-same-rank"]


def test_a_disagreement_comes_with_the_ways_back() -> None:
    table = dealt()
    came = table.show(pool() | {"KS": Zone(3), "KH": Zone(3)}, 20)
    desync = next(event for event in came if isinstance(event, Desync))
    assert [way.kind for way in desync.ways] == ["restore", "edit"]
    moves = as_json(desync)["ways"][0]["moves"]
    assert {(move["card"], move["from"], move["to"]) for move in moves} == {
        ("KS", "pile 3", "table"),
        ("KH", "pile 3", "hand 3"),
    }
    assert kinds(table.show(pool(), 3)) == [Resynced]


def test_to_accept_the_table_actions_are_taken_back_and_done_anew() -> None:
    position: Position = GAME.deal(SETUP)
    for line in ("2 mate KH KS", "3 mate 9S 9H", "1 mate 7S 7D"):
        position = position.apply(Action.parse(line))
    places = pool() | {"QD": Zone(2), "QH": Zone(2), "9H": Zone(3), "9S": Zone(3), "7D": Zone(1), "7S": Zone(1)}
    seen = [SeenCard(n, Card.parse(name), 0.99, zone, QUAD) for n, (name, zone) in enumerate(places.items())]
    ways = ways_back(GAME, LaughSigns(), position, TableView(1.0, tuple(seen), Stillness.STILL, 9.0))
    assert [way.kind for way in ways] == ["accept", "restore", "edit"]
    assert ways[0].undo == 3
    assert [str(action) for action in ways[0].choice] == ["2 mate QH QD", "3 mate 9S 9H", "1 mate 7S 7D"]


# The end


def test_piles_that_show_what_is_counted_are_sure() -> None:
    end, places, _, _ = at_the_end()
    assert Table(None, end).show(places, 6) == [GameOver(0.25, sure=True)]


@pytest.mark.parametrize("wrong", ["a pile card in another pile", "a card too many"])
def test_piles_that_do_not_add_up_make_the_stakes_unsure_and_name_the_card(wrong: str) -> None:
    end, places, card, _ = at_the_end()
    odd = str(end.observe().piles[3][0]) if wrong == "a pile card in another pile" else str(card)
    seat = 3 - end.setup.dealer if wrong == "a card too many" else 1
    came = Table(None, end).show(places | {odd: Zone(seat)}, 6)
    assert kinds(came) == [Warned, GameOver]
    assert isinstance(came[0], Warned)
    assert isinstance(came[1], GameOver)
    assert came[0].code == "piles-dont-add-up"
    assert f"{odd} lies in pile {seat}" in came[0].text
    assert not came[1].sure


# Whole deals with troubles


@pytest.mark.parametrize("seed", [5])
def test_a_deal_with_squared_piles_bumps_and_quick_turns_is_followed(seed: int) -> None:
    rng = random.Random(seed + 1000)
    setup = random_setup(3 + seed % 4, rng)
    scripted = TroubledTable(setup.players, seed, ALL)
    end = script_troubled(scripted, setup, play(setup, rng))
    tracker = Tracker(scripted.layout)
    follower = Follower(GAME, Terms(GAME.name, setup.players, setup.dealer))
    state, position = FollowState(), None
    told: list[Event] = []
    for t, readings, stillness, still_for in scripted.frames():
        view = tracker.see(readings, SIZE, t, scripted, stillness, still_for)
        step = follower.follow(state, position, view)
        state, position = step.state, step.position
        told += step.events
    assert position is not None
    assert position.settlement() == end.settlement()
    assert state.sure
    assert codes(told) == []
