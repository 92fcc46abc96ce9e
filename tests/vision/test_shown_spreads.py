"""Spreads before a camera: each is taken once, when it lies still."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assistant.cards import Card, parse_cards
from vision.frames import Frame
from vision.recogniser import Image, Reading, Recognition
from vision.shown_spreads import shown_spreads

Lying = dict[Card, tuple[float, float]]


class Scripted:
    """Reads from a list what lies on the table; a picture holds only its number."""

    def __init__(self, tables: Sequence[Lying]) -> None:
        self.tables = tables

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        card = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
        lying = self.tables[int(image[0, 0, 0])]
        return Recognition(
            tuple(Reading(one, 0.99, card + np.array(place, np.float32)) for one, place in lying.items()), 1.0
        )


def row(cards: str, y: float = 0.0, shift: float = 0.0) -> Lying:
    return {card: (80.0 * k + shift, y) for k, card in enumerate(parse_cards(cards))}


def taken(tables: Sequence[Lying], every: float = 0.5) -> list[list[str]]:
    def frames() -> Iterator[Frame]:
        for number in range(len(tables)):
            yield Frame(number, number * every, np.full((16, 16, 3), number, np.uint8))

    return [sorted(str(one.card) for one in readings) for _, readings in shown_spreads(frames(), Scripted(tables))]


def test_a_spread_is_taken_once_when_it_lies_still() -> None:
    one, two = row("2H KS 7D"), row("QC 9H 4S")
    assert taken([{}, row("2H"), row("2H KS"), one, one, one, one, {}, {}, two, two, two]) == [
        ["2H", "7D", "KS"],
        ["4S", "9H", "QC"],
    ]


def test_cards_on_the_move_are_not_taken() -> None:
    assert taken([row("2H KS 7D", shift=20.0 * k) for k in range(9)]) == []


def test_a_spread_that_is_nudged_is_the_same_one_only_if_most_of_it_stays() -> None:
    whole = row("2H KS 7D QC")
    nudged = {**whole, Card.parse("QC"): (400.0, 200.0)}
    moved = row("2H KS 7D QC", y=300)
    assert len(taken([whole, whole, nudged, nudged, nudged])) == 1
    assert len(taken([whole, whole, moved, moved])) == 2


def test_a_card_that_is_seen_now_and_then_holds_nothing_up() -> None:
    whole = row("2H KS 7D QC 9H 4S")
    without = {card: place for card, place in whole.items() if str(card) != "7D"}
    assert len(taken([whole, without, whole, without, whole])) == 1


def test_other_cards_in_the_same_places_are_a_new_spread() -> None:
    one, two = row("2H KS 7D"), row("QC 9H 4S")
    assert len(taken([one, one, two, two])) == 2


def test_frames_of_a_fast_camera_are_let_pass() -> None:
    """Forty looks within a second are three."""
    one, two = row("2H KS 7D"), row("QC 9H 4S")
    assert len(taken([one] * 5 + [two] * 3 + [one] * 32, every=0.025)) == 1
