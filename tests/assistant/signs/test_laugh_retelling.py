"""A deal of Laugh and Lie Down is told anew when what follows shows that something was misread, or never seen."""

from __future__ import annotations

from dataclasses import replace

from assistant.cards import Card, parse_cards
from assistant.games.game import Action, Setup
from assistant.games.laugh_and_lie_down import GAME
from assistant.games.laugh_setup import NAME
from assistant.signs.lain import AllLain, Lain
from assistant.signs.laugh_lain import remembered
from assistant.signs.laugh_retelling import LaughTeller
from assistant.signs.retelling import Retelling
from assistant.view import TABLE, SeenCard, Stillness, TableView, Visit, Zone
from tests.assistant.signs.staged_table import QUAD

POOL = "2S 2C 4H 5S 7S 8S 9D TS JH QD KS AC"
START = GAME.deal(Setup(NAME, 5, 1, parse_cards(POOL)))
"""Seat 2 is in turn; everybody holds eight cards."""


class Lay:
    """Cards that come and go one after another."""

    def __init__(self) -> None:
        self.t = 0.0
        self.here: dict[int, Lain] = {}
        self.past: list[Lain] = []
        self.tracks = 0
        for name in POOL.split():
            self.put(name, None, None)
        self.t = 10.0

    def put(self, name: str, seat: int | None, by: int | None, share: float = 0.97, track: int | None = None) -> int:
        """A card comes to a pile, or to the pool, and is read so surely."""
        if track is None:
            self.tracks += 1
            track = self.tracks
        weights = {} if name == "??" else {Card.parse(name): 20 * share}
        zone = TABLE if seat is None else Zone(seat)
        hands = frozenset() if by is None else frozenset((by,))
        self.here[track] = Lain(track, zone, (0.5, 0.5), self.t, self.t, self.t, weights, 20.0, hands)
        return track

    def take(self, name: str, by: int) -> int:
        """A card leaves the pool."""
        read = Card.parse(name)
        track = next(track for track, one in self.here.items() if one.zone == TABLE and read in one.weights)
        gone = replace(self.here.pop(track), last=self.t, clear=self.t - 1.0, gone=True, takers=frozenset((by,)))
        self.past.append(gone)
        return track

    def mate(self, seat: int, hand: str, pool: str, *, shown: bool = True, share: float = 0.97) -> None:
        """A seat mates; ``shown``: both cards are seen in its pile."""
        self.t += 6.0
        track = self.take(pool, seat)
        if shown:
            self.put(hand, seat, seat, share)
            self.put(pool, seat, seat, share, track=track)

    def pile(self, seat: int, names: str) -> None:
        """Cards come to a seat's pile from its hand."""
        self.t += 6.0
        for name in names.split():
            self.put(name, seat, seat)

    def lie_down(self, seat: int, names: str) -> None:
        """A hand comes to the pool, card by card."""
        self.t += 6.0
        for name in names.split():
            self.put(name, None, seat)
            self.t += 0.3

    def ways(self) -> list[Retelling]:
        """How it may be told."""
        now = self.t + 6.0
        here = {
            track: replace(one, last=now, clear=now if one.zone == TABLE else one.came)
            for track, one in self.here.items()
        }
        return LaughTeller().tell(START, AllLain(tuple(self.past), here, begin=1.0), now)

    def told(self) -> str:
        """The likeliest way."""
        return "; ".join(map(str, self.ways()[0].actions))


def test_what_was_read_is_told_by_ranks() -> None:
    lay = Lay()
    lay.mate(2, "4C", "4H")
    lay.pile(5, "3S 3H")
    lay.mate(3, "2D", "2S")
    assert lay.told() == "2 mate 4? 4?; 5 lay 3? 3?; 3 mate 2? 2?"


def test_a_hand_that_lies_down_is_told_with_what_was_never_read_of_it() -> None:
    lay = Lay()
    lay.mate(2, "4C", "4H")
    lay.lie_down(3, "3S 3D 6H 6D 6S 4D 4S")
    lay.mate(4, "3C", "3S")
    assert lay.told() == "2 mate 4? 4?; 3 lie-down 3? 3? 6? 6? 6? 4? 4? ??; 4 mate 3? 3?"


def test_a_mate_that_nobody_saw_is_told_by_the_card_that_left_the_pool() -> None:
    lay = Lay()
    lay.mate(2, "4C", "4H", shown=False)
    lay.mate(3, "2D", "2S")
    lay.mate(4, "KD", "KS")
    best = lay.ways()[0]
    assert "; ".join(map(str, best.actions)) == "2 mate 4? 4?; 3 mate 2? 2?; 4 mate K? K?"
    assert best.tracks[0] == ()


def test_a_hand_card_that_was_misread_is_told_by_what_it_took() -> None:
    lay = Lay()
    lay.t += 6.0
    track = lay.take("QD", 2)
    lay.put("JD", 2, 2, 0.8)
    lay.put("QD", 2, 2, track=track)
    lay.mate(3, "2D", "2S")
    assert lay.told() == "2 mate Q? Q?; 3 mate 2? 2?"


def test_what_was_put_down_against_the_rules_and_taken_back_is_no_action() -> None:
    lay = Lay()
    lay.mate(2, "4C", "4H")
    lay.mate(4, "7D", "7S")  # it is seat 3's turn
    lay.t += 5.0
    for track in [track for track, one in lay.here.items() if one.zone == Zone(4)]:
        lay.past.append(replace(lay.here.pop(track), last=lay.t, clear=lay.t - 1.0, gone=True))
    lay.put("7S", None, 4, track=next(one.track for one in lay.past if Card.parse("7S") in one.weights))
    lay.mate(3, "2D", "2S")
    assert lay.told() == "2 mate 4? 4?; 3 mate 2? 2?"


def test_another_reading_of_a_card_in_a_pile_is_no_action() -> None:
    lay = Lay()
    lay.mate(2, "4C", "4H")
    lay.t += 3.0
    lay.put("4C", 2, None)
    lay.mate(3, "2D", "2S")
    assert lay.told() == "2 mate 4? 4?; 3 mate 2? 2?"


def test_two_cards_that_are_left_of_three_are_claimed() -> None:
    lay = Lay()
    lay.lie_down(2, "3S 3D 3H 6H 6D 6C 5D 5H")
    assert lay.told().startswith("2 lie-down")
    lay.t += 6.0
    for name in ("6H", "6D"):
        lay.put(name, 4, 4, track=lay.take(name, 4))
    assert lay.told().endswith("; 4 claim 6? 6?")


def test_which_card_of_a_rank_it_was_is_all_the_same() -> None:
    teller = LaughTeller()
    one, same, other = (Action.parse(text) for text in ("2 mate 4C 4H", "2 mate 4? 4?", "2 mate 4C 5H"))
    assert teller.sense(one) == teller.sense(same) != teller.sense(other)


def test_a_card_that_went_to_a_pile_has_lain_in_two_places() -> None:
    lain = AllLain()
    hand = Visit(3, 9.0, 10.2, (TABLE, Zone(3)))
    for tick in range(80):
        t = tick / 4
        zone, since = (TABLE, 1.0) if t < 10 else (Zone(3), 10.0)
        away = 4.0 <= t < 6.0  # out of sight for a moment
        seen = SeenCard(1, Card.parse("KS"), 0.9, zone, QUAD, since=since)
        lain = remembered(lain, TableView(t, () if away else (seen,), Stillness.STILL, 1.0, visits=(hand,)))
    (was,), (now,) = lain.past, lain.here.values()
    assert (was.zone, was.came, was.gone, was.takers) == (TABLE, 1.0, True, frozenset((3,)))
    assert (now.zone, now.came, now.gone, now.bringers) == (Zone(3), 10.0, False, frozenset((3,)))
