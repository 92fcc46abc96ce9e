"""Learning a pack from what was seen in pictures: naming all together, doubts, answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import PACK, Card, parse_cards
from tests.vision.scripted_pack import ScriptedPack
from vision.assembly import CARDS
from vision.enrolment import Learned, SeenCard, TooFewCards, learn, name_together, told_in_picture


def said_of(*beliefs: dict[str, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Log-probabilities of places, the rest of each spread over all cards."""
    rows = []
    for belief in beliefs:
        row = np.full(len(CARDS), max(1e-4, (1 - sum(belief.values())) / len(CARDS)))
        for card, p in belief.items():
            row[CARDS.index(Card.parse(card))] = p
        rows.append(np.log(row))
    return np.array(rows, np.float32)


def together(said: np.ndarray[tuple[int, int], np.dtype[np.float32]], pictures: list[int]) -> list[str]:
    named, _, _ = name_together(said, np.ones(len(said), np.float32), np.array(pictures), {})
    return [str(CARDS[number]) if number >= 0 else "-" for number in named]


def test_a_card_that_lies_in_another_picture_is_not_named_again() -> None:
    said = said_of({"KC": 0.98, "KS": 0.01}, {"KC": 0.7, "KS": 0.29})
    assert together(said, [0, 1]) == ["KC", "KS"]
    assert together(said, [0, 0]) == ["KC", "KS"]


def test_a_card_that_is_surely_shown_twice_is_named_twice_but_never_in_one_picture() -> None:
    said = said_of({"KC": 0.994}, {"KC": 0.994})
    assert together(said, [0, 1]) == ["KC", "KC"]
    assert together(said, [0, 0]).count("KC") == 1


def test_more_cards_than_a_pack_has_are_taken_for_pictures_that_show_cards_again() -> None:
    beliefs = [{str(card): 0.6, str(PACK[(k + 1) % 52]): 0.3} for k, card in enumerate(PACK)]
    assert together(said_of(*beliefs, *beliefs), [0] * 52 + [1] * 52) == [str(card) for card in PACK] * 2


def test_a_card_that_is_taken_elsewhere_makes_the_next_likeliest_surer() -> None:
    """Beside it in one picture a doubt remains: the same card may have been found twice."""
    said = said_of({"KC": 0.98}, {"KC": 0.7, "KS": 0.29}, {"7H": 0.98})
    ones, king = np.ones(3, np.float32), CARDS.index(Card.parse("KS"))
    named, sureness, given_others = name_together(said, ones, np.array([0, 1, 1]), {})
    assert named[1] == king == given_others[1].argmax()
    assert min(sureness) > 0.9
    named, sureness, _ = name_together(said, ones, np.array([1, 1, 1]), {})
    assert named[1] == king
    assert sureness[1] < 0.7


def test_what_was_told_stands() -> None:
    said = said_of({"KC": 0.98}, {"KC": 0.98})
    told = {0: Card.parse("2D"), 1: None}
    named, sureness, _ = name_together(said, np.ones(2, np.float32), np.array([0, 1]), told)
    assert named.tolist() == [CARDS.index(Card.parse("2D")), -1]
    assert sureness.tolist() == [1.0, 0.0]


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 14), st.integers(1, 4))
def test_no_picture_ever_holds_a_card_twice(seed: int, count: int, pictures: int) -> None:
    rng = np.random.default_rng(seed)
    said = np.log(rng.dirichlet(np.full(52, 0.05), count) + 1e-6).astype(np.float32)
    where = rng.integers(0, pictures, count)
    named, sureness, _ = name_together(said, np.ones(count, np.float32), where, {})
    taken = [(int(picture), int(card)) for picture, card in zip(where, named, strict=True) if card >= 0]
    assert len(taken) == len(set(taken))
    assert ((sureness >= 0) & (sureness <= 1 + 1e-6)).all()


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learn("mats", ScriptedPack(1).whole(), {})


def test_a_whole_pack_shown_once_is_named_and_learned_without_help(learned: Learned) -> None:
    true = true_cards(ScriptedPack(1))
    asked = set(learned.doubtful)
    assert len(asked) <= 4
    assert all(card == true[k] for k, card in enumerate(learned.cards) if k not in asked)
    assert learned.after > learned.before
    assert learned.known == len(learned.learned) == 52 - len(asked)


def true_cards(pack: ScriptedPack) -> list[Card]:
    return [PACK[k] for k in np.random.default_rng(pack.seed).permutation(len(PACK))]


def test_what_is_told_is_not_asked_again_and_what_is_left_out_is_not_learned() -> None:
    pack = ScriptedPack(2)
    seen, true = pack.whole(), true_cards(ScriptedPack(2))
    told: dict[int, Card | None] = dict(enumerate(true))
    told[5] = None
    learned = learn("mats", seen, told)
    assert learned.doubtful == ()
    assert learned.cards[5] is None
    assert learned.learned == set(PACK) - {true[5]}


def test_too_few_cards_teach_nothing() -> None:
    with pytest.raises(TooFewCards, match="show more of the pack") as caught:
        learn("mats", ScriptedPack(3).spread(list(parse_cards("2H 7D"))), {})
    assert "\n" not in str(caught.value)
    with pytest.raises(TooFewCards):
        learn("mats", [], {})


def test_the_same_pictures_teach_the_same(learned: Learned) -> None:
    again = learn("mats", ScriptedPack(1).whole(), {})
    assert np.array_equal(learned.pack.index.weights, again.pack.index.weights)
    assert learned.cards == again.cards


def test_labels_name_the_places_in_reading_order() -> None:
    cards = list(parse_cards("2H KS 7D QC"))
    seen: list[SeenCard] = ScriptedPack(4).spread(cards)
    told, missed = told_in_picture(cards, seen)
    assert told == cards
    assert missed == []
    told, missed = told_in_picture([*cards[:2], Card.parse("??"), cards[3]], seen)
    assert told == [cards[0], cards[1], None, cards[3]]
    told, missed = told_in_picture(cards, [seen[0], seen[2], seen[3]])
    assert told == [cards[0], cards[2], cards[3]]
    assert missed == [cards[1]]
    assert told_in_picture(cards, []) == ([], cards)
