"""The look of a pack: what it learns, what it leaves alone."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.cards import PACK, Card
from tests.vision.scripted_pack import ScriptedPack
from vision.assembly import CARDS
from vision.namer import Names
from vision.onnx_recogniser import card_names
from vision.own_pack import Look, fit_look


def numbers(cards: list[Card]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([CARDS.index(card) for card in cards], np.int64)


def fitted(pack: ScriptedPack, cards: list[Card], views: int = 5) -> Look:
    shown = [card for card in cards for _ in range(views)]
    return fit_look(pack.names(shown), numbers(shown), np.full(len(shown), 1 / views, np.float32), pack.names([]))


def errors(look: Look | None, names: Names, cards: list[Card]) -> int:
    return int((card_names(names, look).argmax(axis=1) != numbers(cards)).sum())


@pytest.mark.parametrize("seed", range(3))
def test_a_pack_that_confuses_is_read_with_less_than_half_the_errors(seed: int) -> None:
    pack, cards = ScriptedPack(seed), list(PACK) * 4
    look = fitted(pack, list(PACK))
    fresh = pack.names(cards)
    before = errors(None, fresh, cards)
    assert before > 30
    assert errors(look, fresh, cards) < before / 2


def test_a_card_that_was_not_shown_learns_from_its_rank_and_suit() -> None:
    """The king of spades is read rightly after three other kings and twelve other spades were shown."""
    pack, hidden = ScriptedPack(4), Card.parse("KS")
    look = fitted(pack, [card for card in PACK if card != hidden])
    fresh, cards = pack.names([hidden] * 40), [hidden] * 40
    assert errors(None, fresh, cards) > 20
    assert errors(look, fresh, cards) < 5


def test_ranks_that_were_not_shown_are_read_as_before() -> None:
    pack = ScriptedPack(5, confusion=-6.0)
    look = fitted(pack, [card for card in PACK if card.rank in "789TJQKA"])
    cards = [card for card in PACK if card.rank in "23456"] * 3
    fresh = pack.names(cards)
    assert errors(None, fresh, cards) == 0
    assert errors(look, fresh, cards) == 0


def test_what_is_read_are_log_probabilities() -> None:
    pack = ScriptedPack(6)
    said = fitted(pack, list(PACK)).read(pack.names(list(PACK)))
    assert said.shape == (52, 52)
    assert np.allclose(np.exp(said).sum(axis=1), 1, atol=1e-4)
    assert fitted(pack, list(PACK)).read(pack.names([])).shape == (0, 52)


def test_what_shows_no_card_well_is_read_as_before() -> None:
    """Strange views hold the look back where it would make a name of anything."""
    pack = ScriptedPack(8)
    shown = [card for card in PACK for _ in range(5)]
    views, weights = pack.names(shown), np.full(len(shown), 0.2, np.float32)
    junk = [pack.junk(80) for _ in range(2)]
    before = card_names(junk[1], None)

    def change(strange: Names) -> float:
        said = fit_look(views, numbers(shown), weights, strange).read(junk[1])
        return float(np.abs(np.exp(said) - np.exp(before)).sum(axis=1).mean())

    assert change(junk[0]) < change(pack.names([])) / 2


def test_one_card_alone_changes_hardly_anything() -> None:
    pack = ScriptedPack(7)
    fresh = pack.names(list(PACK))
    look = fitted(pack, [Card.parse("7H")])
    assert np.allclose(look.read(fresh), card_names(fresh, None), atol=0.05)
