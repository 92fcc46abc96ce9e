"""What is offered to hands of Sbros of which not every card is known: all of it can be done, and cards stay counted."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cards import PACK, Card
from assistant.games.bag import Bag
from assistant.games.game import Setup
from assistant.games.sbros import GAME, SbrosPosition
from assistant.games.sbros_covers import partners, rank_pairs
from assistant.games.sbros_setup import OPTIONS
from tests.assistant.games.sbros_table import SBROS, at, begun, covers, do, legal
from tests.playouts import check_position, shuffled

seeds = st.integers(0, 10**9)


def half_seen(seed: int) -> Setup:
    """A deal of which some hand cards are known, some by rank only, some not at all; with any options."""
    chance = random.Random(seed)
    setup = shuffled(GAME, 2, chance, {name: chance.choice(values) for name, values in OPTIONS.items()})
    share = chance.choice((0.0, 0.3, 0.8))
    hands = {
        seat: tuple(chance.choice((Card(card.rank, ""), Card("", ""))) if chance.random() < share else card
                    for card in hand)
        for seat, hand in setup.hands.items()
        if chance.random() < 0.7
    }  # fmt: skip
    return replace(setup, hands=hands)


def check_places(position: SbrosPosition) -> None:
    """Every card is in one place, and what is known of all of them together is counted right."""
    places = position.places
    lying = [*places.centre, *places.covered.cards(), *places.resets[0], *places.resets[1]]
    table, (first, second) = Bag.of(lying), places.hands
    assert len(lying) + first.size() + second.size() + places.stock == 52
    assert not first.known & second.known
    assert places.placed == Bag(
        table.known | first.known | second.known, table.partly + first.partly + second.partly, table.unknown
    )


@settings(max_examples=25)
@given(seeds)
def test_whatever_is_offered_can_be_done(seed: int) -> None:
    chance = random.Random(seed)
    position = begun(half_seen(seed))
    while not position.over:
        actions = position.legal_actions()
        assert len(set(actions)) == len(actions)
        after = [position.apply(action) for action in chance.sample(actions, min(8, len(actions)))]
        position = chance.choice(after)
        check_places(position)
        check_position(position)


def test_offers_are_by_rank_where_suits_do_not_matter() -> None:
    lines = legal(at("TS 3H", {2: "TD 4C ?? ?? 9? KC"}))
    assert {"2 cover TD 3?", "2 cover T? 3?", "2 cover 4C 4?", "2 cover 4? 4C", "2 cover 9? 9?"} <= lines
    assert {"2 cover JS 2H", "2 cover 9S 4H"} <= lines
    assert {"2 reset TD", "2 reset 4C", "2 reset KC", "2 reset 9?", "2 reset ??"} <= lines
    assert not any("KC" in line for line in lines if "cover" in line)


def test_only_as_many_cards_are_offered_as_may_be_unseen() -> None:
    lines = legal(at("TS 3H", {2: "TD 4C 6C 8C KC ??"}))
    assert {"2 cover TD 3?", "2 cover 4C 4?", "2 cover 6? 6C"} <= lines
    assert "2 cover T? 3?" not in lines
    assert "2 cover 5? 5?" not in lines
    assert "2 cover JS 2H" not in lines


def test_a_centre_seen_in_part_is_covered_by_what_it_may_be() -> None:
    by_rank = begun(Setup(SBROS, 2, 1, (Card("T", ""), Card("3", ""))))
    lines = legal(by_rank)
    assert {"2 cover T? 3?", "2 cover J? 2?", "2 cover 9? K?", "2 cover 5? 5?"} <= lines
    assert not {"2 cover J? 4?", "2 cover 9? 2?", "2 cover J? J?"} & lines
    assert do(by_rank, "2 cover JD 2C").to_act == 1
    blind = begun(Setup(SBROS, 2, 1, (Card("", ""), Card("3", ""))))
    assert legal(blind) == {"2 cover ?? ??", "2 reset ??"}
    assert legal(do(blind, "2 cover 5? 5?")) >= {"1 cover A? A?", "1 cover 4? 6?"}


def test_an_unknown_card_is_named_as_far_as_it_must_be() -> None:
    """On TS 3H only a ten goes with the three of diamonds, so the other card was one."""
    position = do(at("TS 3H", {2: "?? ?? ?? ?? ?? ??", 1: "TC TD 3C 4C 5C 6D"}), "2 cover ?? 3D")
    assert list(map(str, position.observe().table)) == ["TH", "3D"]


@settings(max_examples=15)
@given(seeds, st.booleans())
def test_what_covers_a_centre_that_may_be_several_covers_one_of_them(seed: int, adjacent: bool) -> None:
    chance = random.Random(seed)
    cards = chance.sample(PACK, chance.randint(2, 9))
    split = chance.randint(1, len(cards) - 1)
    lefts, rights = cards[:split], cards[split:]
    sets = Bag.of(lefts).known, Bag.of(rights).known
    found = partners(*sets, adjacent)
    ranks = rank_pairs(*sets, True, adjacent)
    for a in PACK:
        for b in chance.sample(PACK, 12):
            fits = any(covers(left, right, a, b, adjacent) for left in lefts for right in rights)
            assert a == b or fits == bool(found[a.code] >> b.code & 1), (a, b)
            assert not fits or (a.code >> 2, b.code >> 2) in ranks
