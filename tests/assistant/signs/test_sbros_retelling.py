"""A deal of Sbros is told anew when what follows shows that a card was misread, or never seen to lie there."""

from __future__ import annotations

from dataclasses import replace

from assistant.cards import Card, parse_cards
from assistant.games.game import Setup
from assistant.games.sbros import GAME
from assistant.games.sbros_setup import NAME
from assistant.signs.lain import AllLain, Lain
from assistant.signs.sbros_lain import remembered
from assistant.signs.sbros_retelling import SbrosTeller
from assistant.view import CENTRE_LEFT, CENTRE_RIGHT, SeenCard, Stillness, TableView, Visit, Zone
from tests.assistant.signs.staged_table import QUAD, lines
from tests.assistant.signs.test_sbros_signs import begun, cover

START = GAME.deal(Setup(NAME, 2, 1, parse_cards("TS 3H")))
"""Seat 2 is in turn."""


class Lay:
    """Cards that came one after another and still lie there."""

    def __init__(self) -> None:
        self.lain: list[Lain] = []
        self.t = 0.0

    def put(self, name: str, zone: Zone, seat: int, share: float = 0.99, **others: float) -> None:
        """A card came, and was read so surely; the others that it may be by their names."""
        looks = 20.0
        weights = {Card.parse(name): looks * share, **{Card.parse(card): looks * odd for card, odd in others.items()}}
        came, track = self.t, len(self.lain) + 1
        self.lain.append(Lain(track, zone, (0.5, 0.5), came, came + 50, came + 5, weights, looks, frozenset((seat,))))

    def cover(self, seat: int, left: str, right: str) -> None:
        self.t += 8.0
        self.put(left, CENTRE_LEFT, seat)
        self.put(right, CENTRE_RIGHT, seat)

    def aside(self, seat: int, name: str, share: float = 0.99, **others: float) -> None:
        self.t += 8.0
        self.put(name, Zone(seat, "reset"), seat, share, **others)

    def told(self) -> str:
        """The likeliest way."""
        lain = AllLain(here={one.track: one for one in self.lain})
        return "; ".join(map(str, SbrosTeller().tell(START, lain, self.t + 6.0)[0].actions))


def test_what_was_read_is_told() -> None:
    lay = Lay()
    lay.cover(2, "TH", "3D")
    lay.aside(1, "KC")
    lay.cover(2, "9H", "5D")
    assert lay.told() == "2 cover TH 3D; 1 reset KC; 2 cover 9H 5D"


def test_a_card_put_aside_that_was_taken_for_another_is_that_other_once_this_is_played() -> None:
    lay = Lay()
    lay.aside(2, "9S", 0.9)
    lay.cover(1, "9S", "4H")
    lay.cover(2, "5S", "6H")
    told = lay.told().split("; ")
    assert told[0] in ("2 reset 9C", "2 reset 9D", "2 reset 9H")
    assert told[1:] == ["1 cover 9S 4H", "2 cover 5S 6H"]


def test_a_centre_card_that_nobody_saw_may_be_any() -> None:
    lay = Lay()
    lay.t += 8.0
    lay.put("TH", CENTRE_LEFT, 2)
    lay.cover(1, "5H", "5C")
    lay.cover(2, "QD", "QS")
    assert lay.told() == "2 cover TH ??; 1 cover 5H 5C; 2 cover QD QS"


def test_what_was_laid_against_the_rules_and_taken_back_is_no_play() -> None:
    lay = Lay()
    lay.cover(2, "KD", "QC")
    lay.lain = [replace(one, last=one.came + 5, gone=True) for one in lay.lain]
    lay.cover(2, "TH", "3D")
    lay.cover(1, "9H", "5D")
    assert lay.told() == "2 cover TH 3D; 1 cover 9H 5D"


def test_another_reading_of_a_card_is_no_play() -> None:
    lay = Lay()
    lay.cover(2, "TH", "3D")
    lay.t += 2.0
    lay.put("TH", CENTRE_LEFT, 2)
    lay.cover(1, "9H", "5D")
    assert lay.told() == "2 cover TH 3D; 1 cover 9H 5D"


def test_a_card_that_is_read_where_something_unread_lay_has_come_anew() -> None:
    lain = AllLain()
    hand = Visit(2, 9.5, 10.5, (CENTRE_LEFT,))
    for tick in range(60):
        t = tick / 4
        card, named = (Card.parse("??"), -1.0) if t < 10 else (Card.parse("TH"), 10.0)
        seen = SeenCard(1, card, 0.9, CENTRE_LEFT, QUAD, since=0.0, named=named)
        lain = remembered(lain, TableView(t, (seen,), Stillness.STILL, 1.0, visits=(hand,)))
    assert [(one.came, one.gone) for one in lain.in_order()] == [(0.0, True), (10.0, False)]


def test_a_deal_that_was_lost_goes_on() -> None:
    table = begun()
    table.hand(2, over=[Zone(2, "reset")])
    table.wait(0.4)
    table.put("9C", Zone(2, "reset"), reading=(Card.parse("9S"), 0.95, ()))
    assert lines(table.wait(4)) == ["2 reset 9S"]
    table.read("9C", (Card.parse("??"), 0.9, ()))
    for seat, left, right in ((1, "9S", "4H"), (2, "5S", "6H"), (1, "4S", "7H"), (2, "5D", "5C")):
        cover(table, seat, left, right, wait=8)
    assert table.position is not None
    assert list(map(str, table.position.actions))[1:] == [
        "1 cover 9S 4H",
        "2 cover 5S 6H",
        "1 cover 4S 7H",
        "2 cover 5D 5C",
    ]
    assert table.state.asked == 0


def test_a_card_that_is_read_only_after_the_next_play_puts_nobody_out_of_turn() -> None:
    table = begun()
    table.hand(2, over=(CENTRE_LEFT, CENTRE_RIGHT))
    table.wait(0.4)
    table.put("TH", CENTRE_LEFT)
    table.cover("TS 3H")
    table.put("3D", CENTRE_RIGHT, seen_after=11.0)
    table.wait(8)
    for seat, left, right in ((1, "5H", "5C"), (2, "QD", "QS"), (1, "7D", "7S"), (2, "JD", "JC")):
        cover(table, seat, left, right, wait=8)
    assert table.position is not None
    assert [(one.seat, one.verb) for one in table.position.actions] == [(seat, "cover") for seat in (2, 1, 2, 1, 2)]
    assert table.state.asked == 0


def test_a_face_of_which_nothing_was_ever_read_is_no_play() -> None:
    lay = Lay()
    lay.cover(2, "TD", "3C")
    unread = replace(lay.lain[0], track=9, came=20.0, clear=24.0, weights={Card.parse("9S"): 0.0})
    told = SbrosTeller().tell(START, AllLain(here={one.track: one for one in (*lay.lain, unread)}), 40.0)
    assert [str(action) for action in told[0].actions] == ["2 cover TD 3C"]
