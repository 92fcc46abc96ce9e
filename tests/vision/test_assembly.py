"""Joining the indices of a card, and naming all cards of a picture together."""

import numpy as np

from assistant.cards import Card
from vision import assembly, geometry
from vision.assembly import CARDS, NamedIndex, Place
from vision.detector import FoundIndex
from vision.geometry import Floats

QUAD = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32)


def evidence(**shares: float) -> Floats:
    """Log-probabilities with the given cards' shares, the rest spread evenly."""
    p = np.full(52, (1 - sum(shares.values())) / 52 + 1e-6, np.float32)
    for card, share in shares.items():
        p[CARDS.index(Card.parse(card))] += share
    return np.asarray(np.log(p), np.float32)


def index(quad: Floats, corner: int, names: Floats, score: float = 0.9) -> NamedIndex:
    """An index at a corner of a card, with the quad as it is read from there."""
    read = np.roll(quad, 2, axis=0) if corner in (2, 3) else quad
    return NamedIndex(FoundIndex(geometry.index_point(quad, corner), read, score), names, 0.99)


def place(names: Floats, at: float = 0.0, shows: float = 0.99) -> Place:
    quad = QUAD + np.float32(at)
    return Place(quad, (index(quad, 0, names),), names, shows)


def test_the_two_indices_of_a_card_become_one() -> None:
    names = evidence(KH=0.95)
    groups = assembly.gather([index(QUAD, 0, names), index(QUAD, 2, names)])
    assert [len(group) for group in groups] == [2]
    np.testing.assert_allclose(assembly.mean_quad(groups[0]), QUAD, atol=0.01)


def test_an_outline_that_both_ends_misjudge_is_moved_to_where_they_stand() -> None:
    off = np.array([12, -8], np.float32)
    ends = [
        NamedIndex(FoundIndex(geometry.index_point(QUAD, 0), QUAD + off, 0.9), evidence(KH=0.95), 0.99),
        NamedIndex(
            FoundIndex(geometry.index_point(QUAD, 2), np.roll(QUAD + off, 2, axis=0), 0.9), evidence(KH=0.95), 0.99
        ),
    ]
    np.testing.assert_allclose(assembly.mean_quad(ends), QUAD, atol=0.01)


def test_four_indices_of_a_card_become_one() -> None:
    names = evidence(KH=0.95)
    groups = assembly.gather([index(QUAD, corner, names) for corner in range(4)])
    assert [len(group) for group in groups] == [4]


def test_neighbours_in_a_fan_stay_apart() -> None:
    cards = ["2S", "3S", "4S", "5S"]
    shifted = [
        index(QUAD + np.array([18 * k, 0], np.float32), 0, evidence(**{card: 0.95})) for k, card in enumerate(cards)
    ]
    assert len(assembly.gather(shifted)) == 4


def test_a_pair_in_a_narrow_fan_stays_two_cards() -> None:
    """Equal ranks side by side, a tenth of a card apart, one of them half sure of its suit."""
    torn = evidence(**{"7D": 0.6, "7C": 0.38})
    narrow = [index(QUAD, 0, torn), index(QUAD + np.array([0, 15], np.float32), 0, evidence(**{"7C": 0.95}))]
    assert len(assembly.gather(narrow)) == 2


def test_an_index_seen_twice_is_one_card() -> None:
    twice = [index(QUAD, 0, evidence(KH=0.95)), index(QUAD + np.array([14, 0], np.float32), 0, evidence(KH=0.9))]
    assert [len(group) for group in assembly.gather(twice)] == [2]


def test_an_index_that_names_another_card_is_another_card() -> None:
    """A card may lie so that its index is where the other end of a neighbour would be."""
    groups = assembly.gather([index(QUAD, 0, evidence(KH=0.95)), index(QUAD, 2, evidence(**{"2S": 0.95}))])
    assert len(groups) == 2


def test_each_card_is_given_once_and_the_doubtful_place_takes_its_second_best() -> None:
    sure, torn = place(evidence(KS=0.98)), place(evidence(KS=0.52, KC=0.44), at=300)
    readings = assembly.assign([sure, torn], one_pack=True)
    assert [str(reading.card) for reading in readings] == ["KS", "KC"]
    assert readings[1].confidence < 0.9
    both = assembly.assign([sure, torn], one_pack=False)
    assert [str(reading.card) for reading in both] == ["KS", "KS"]


def test_a_second_place_of_the_same_sure_card_is_dropped_with_one_pack() -> None:
    readings = assembly.assign([place(evidence(KS=0.98)), place(evidence(KS=0.97), at=300)], one_pack=True)
    assert [str(reading.card) for reading in readings] == ["KS"]


def test_a_sure_rank_with_an_unsure_suit_is_partly_known() -> None:
    (reading,) = assembly.assign([place(evidence(**{"7S": 0.48, "7C": 0.47}))], one_pack=True)
    assert str(reading.card) == "7?"
    assert {str(card) for card, _ in reading.others} == {"7S", "7C"}


def test_what_is_probably_no_card_is_left_out() -> None:
    assert assembly.assign([place(evidence(KS=0.9), shows=0.2)], one_pack=True) == []
    assert assembly.assign([place(evidence())], one_pack=True) == []
