"""Joining the indices of a card, and naming all cards of a picture together."""

import dataclasses

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
    point = geometry.index_point(quad, corner)
    return NamedIndex(FoundIndex(point, geometry.index_frame(read), read, score), names, 0.99)


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
    ends = [index(QUAD, 0, evidence(KH=0.95)), index(QUAD, 2, evidence(KH=0.95))]
    ends = [dataclasses.replace(end, found=dataclasses.replace(end.found, quad=end.found.quad + off)) for end in ends]
    np.testing.assert_allclose(assembly.mean_quad(ends), QUAD, atol=0.01)


def test_both_ends_that_think_the_card_smaller_than_it_is_are_one_card_of_the_right_size() -> None:
    """What is known well is where the two indices stand: the outline is stretched between them."""
    ends = []
    for corner in (0, 2):
        end = index(QUAD, corner, evidence(KH=0.9))
        small = end.found.point + (end.found.quad - end.found.point) * np.float32(0.7)
        ends.append(dataclasses.replace(end, found=dataclasses.replace(end.found, quad=small)))
    (group,) = assembly.gather(ends)
    np.testing.assert_allclose(assembly.mean_quad(group), QUAD, atol=0.05)


def test_two_cards_head_to_head_in_one_line_stay_two_where_they_name_different_cards() -> None:
    ends = []
    for corner, card in ((0, "KH"), (2, "QH")):
        end = index(QUAD, corner, evidence(**{card: 0.9}))
        small = end.found.point + (end.found.quad - end.found.point) * np.float32(0.7)
        ends.append(dataclasses.replace(end, found=dataclasses.replace(end.found, quad=small)))
    assert len(assembly.gather(ends)) == 2


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
    sure, torn = place(evidence(KS=0.98)), place(evidence(KS=0.64, KC=0.35), at=300)
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
