"""Unseen cards in Rolling Stone: what is said to be possible or certain, against all deals that could have been."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assistant.cards import Card, parse_cards
from assistant.games.game import Action, AmbiguousInput, Setup
from assistant.games.rolling_stone import StonePosition
from assistant.games.stone_cards import BIT_OF, SUIT_BITS, bits_of, cards_of, pack_bits
from assistant.games.stone_hidden import OUT, Places, Slots, deduced
from tests.assistant.games.naive_stone import could_have_been
from tests.assistant.games.stone_deals import STONE, begun, dealt, do, hand, legal, played, refusal, without_hands

S, H, D, C = SUIT_BITS


def facts(position: StonePosition, code: str) -> list[str]:
    return [fact.text for fact in position.facts() if fact.code == code]


# By example


def test_rst_8_the_picker_holds_of_the_suit_just_what_was_picked_up() -> None:
    position = do(begun(Setup(STONE, 4, 1)), "2 play 9C", "3 play JC", "4 pick-up")
    assert facts(position, "holds") == ["Seat 4 holds 9C JC: picked up and not played since."]
    assert facts(position, "lacks") == [
        "Seat 4 holds no other clubs than 9C JC: it could not follow and picked up 9C JC."
    ]
    after = do(position, "4 play AH", "1 play 7H", "2 play 8H", "3 play 9H", "4 play 9C", "1 play 8C")
    assert facts(after, "holds") == ["Seat 4 holds JC: picked up and not played since."]
    assert after.known().possible(4) & C == 0


def test_rst_8_a_known_void_must_pick_up() -> None:
    lines = ("2 play 9C", "3 play JC", "4 pick-up", "4 play AH", "1 play 7H", "2 play 8H", "3 play 9H")
    position = do(begun(Setup(STONE, 4, 1)), *lines, "4 play 9C", "1 pick-up")
    position = do(position, "1 play KH", "2 play TH", "3 play JH", "4 play QH", "1 play 9C", "2 play TC", "3 play 8C")
    assert legal(position) == {"4 play JC"}
    position = do(position, "4 play JC", "4 play 7S", "1 play 8S", "2 play 9S", "3 play TS", "3 play QC")
    assert legal(position) == {"4 pick-up"}
    assert [(one.code, one.rule, one.text) for one in position.notices()][-1] == (
        "must-pick-up",
        "RST-8",
        "Seat 4 has no clubs and must pick up QC.",
    )
    assert refusal(position, "4 play 9D").code == "must-pick-up"


THREE_VOIDS = (
    *("2 play 7C", "3 play TC", "4 play JC", "1 pick-up", "1 play AD", "2 play 7D", "3 play 8D", "4 play 9D"),
    *("1 play TC", "2 play 8C", "3 play QC", "4 pick-up", "4 play AH", "1 play 7H", "2 play 8H", "3 play 9H"),
    *("4 play 8C", "1 play 7C", "2 play 9C", "3 pick-up"),
)
"""Seats 1, 4 and 3 pick clubs up one after the other; only KC and AC have not been seen then."""


def test_all_unseen_cards_of_a_suit_are_with_the_only_hand_that_may_hold_them() -> None:
    """2.D (4): three players are known void, so the rest is with the fourth."""
    before = do(begun(Setup(STONE, 4, 1)), *THREE_VOIDS[:-1])
    assert hand(before, 2) == ""
    assert "2 clubs are not located: KC AC, with seats 2 or 3." in facts(before, "not-located")
    position = do(before, THREE_VOIDS[-1])
    assert [str(card) for card in cards_of(position.known().hands[1])] == ["KC", "AC"]
    assert facts(position, "holds")[-1] == (
        "Seat 2 holds KC AC: the others have no room for it, and seats 1, 3 and 4 had to pick clubs up."
    )


def test_the_last_unseen_hand_is_known() -> None:
    """2.D (5)"""
    setup = dealt(4, seed=3)
    position = begun(without_hands(setup, 1, 2, 3))
    assert position.places.slots == ()
    assert set(cards_of(position.places.hands[3])) == set(setup.hands[4])
    assert all("all other cards are known" in text for text in facts(position, "holds"))


def test_rst_15_somebody_must_have_revoked_though_nobody_knows_who() -> None:
    """All four pick up on clubs, and yet two clubs must be in some hand."""
    lines = ("3 play KH", "4 play TH", "1 play JH", "2 play QH", "3 play 7C", "4 play TC", "1 play JC")
    position = do(begun(Setup(STONE, 4, 1)), *THREE_VOIDS, *lines)
    assert legal(position) == {"2 play KC", "2 play AC"}
    after = do(position, "2 pick-up")
    (notice,) = [one for one in after.notices() if one.code == "somebody-revoked"]
    assert notice.rule == "RST-15"
    assert notice.seats == (1, 2, 3, 4)
    assert after.faults() == ()
    assert facts(after, "lacks") == []


def test_rst_15_a_revoke_may_be_proved_by_counting() -> None:
    """When no other unseen hand has room for a card, its holder held it all the time."""
    places = Places((0, 0, 0), (Slots(1, 0b1110, 0b0110, 2), Slots(2, 0b1110, 0b1110, 1)))
    assert deduced(places) == places
    after = deduced(places.without(2, 0b0010))
    assert after is not None
    assert after.hands == (0b1100, 0, 0)


# A hand known in part


def test_a_hand_known_in_part() -> None:
    hands = {2: parse_cards("7S 7? 7? 8C ?? ?? ?? ??")}
    position = begun(Setup(STONE, 4, 1, hands=hands))
    assert hand(position, 2) == "7S 8C"
    assert position.sizes == (8, 8, 8, 8)
    after = do(position, "2 play 7H")
    assert sum(slots.number for slots in after.places.slots if slots.holder == 2) == 5
    after = do(position, "2 play 7C", "3 play TC", "4 play 9C", "1 play AC", "1 play 7H")
    assert "2 play 7D" not in legal(after)
    assert "7D" in hand(after, 2)


def test_rst_7_a_card_of_which_only_the_rank_was_seen_follows_suit() -> None:
    position = do(begun(Setup(STONE, 4, 1)), "2 play 9C", "3 play J?")
    assert " ".join(map(str, position.trick)) == "9C JC"
    assert str(position.actions[-1]) == "3 play J?"


def test_rst_7_the_suit_that_is_led_must_be_known() -> None:
    position = begun(Setup(STONE, 4, 1, hands={2: parse_cards("7S 7H 8C 9C TC JC QC KC")}))
    for line in ("2 play 7?", "2 play ??"):
        error = refusal(position, line)
        assert isinstance(error, AmbiguousInput)
        assert error.code == "suit-needed"
    assert do(position, "2 play 8?").trick == parse_cards("8C")
    assert refusal(position, "2 play A?").code == "not-in-hand"
    assert refusal(begun(Setup(STONE, 4, 1)), "2 play 2?").code == "wrong-pack"


def test_an_unread_card_follows_suit_and_is_picked_up_unread() -> None:
    position = do(begun(Setup(STONE, 4, 1)), "2 play 9C", "3 play ??", "4 pick-up")
    assert position.sizes == (8, 7, 7, 10)
    assert hand(position, 4) == "9C"
    assert position.known().possible(4) & C == C & pack_bits(4) & ~bits_of(parse_cards("9C"))
    after = do(position, "4 play AH", "1 play 7H", "2 play 8H", "3 play 9H", "4 play TC")
    assert after.faults() == ()
    assert after.known().possible(4) & C == 0


def test_an_unread_card_that_can_be_but_one_is_that_one() -> None:
    position = begun(Setup(STONE, 4, 1, hands={3: parse_cards("JC 7S 8S 9S TS JS QS KS")}))
    assert do(position, "2 play 9C", "3 play ??").trick == parse_cards("9C JC")
    assert refusal(do(position, "2 play 9H"), "3 play ??").code == "must-pick-up"


def test_rst_10_an_unread_card_may_decide_the_trick() -> None:
    position = do(begun(Setup(STONE, 4, 1)), "2 play 9C", "3 play ??", "4 play TC")
    error = refusal(position, "1 play KC")
    assert isinstance(error, AmbiguousInput)
    assert (error.code, error.rule) == ("taker-unknown", "RST-10")
    after = do(position, "1 play AC")
    assert after.to_act == 1
    assert {slots.holder for slots in after.places.slots} == {OUT, 1, 2, 3, 4}
    assert after.known().possible(OUT) & ~C == 0


def test_rst_15_an_unread_card_proves_a_revoke_too() -> None:
    lines: tuple[str, ...] = ("2 play 7C", "3 pick-up", "3 play AH", "4 play 7H", "1 play 8H", "2 play 9H")
    lines += ("3 play 7C",)
    lines += ("4 play 8C", "1 play 9C", "2 play TC", "2 play JC")
    position = do(begun(Setup(STONE, 4, 1)), *lines)
    assert legal(position) == {"3 pick-up"}
    after = do(position, "3 play ??")
    assert [(fault.seat, fault.cards, fault.action) for fault in after.faults()] == [(3, (Card("", ""),), 1)]
    assert [notice.code for notice in after.notices()] == ["revoke"]


# Against every deal that could have been


def obscured(setup: Setup, chance: random.Random) -> Setup:
    """The deal as somebody knows it who has seen some hands, some cards of others, and of some only the rank."""
    hands = {}
    for seat, cards in setup.hands.items():
        known = chance.choice((0.0, 0.0, 0.5, 1.0))
        if known or chance.random() < 0.3:
            hands[seat] = tuple(
                card if chance.random() < known else Card(card.rank if chance.random() < 0.3 else "", "")
                for card in cards
            )
    return Setup(setup.game, setup.players, setup.dealer, (), hands, setup.options)


def fits(given: tuple[Card, ...], cards: set[str]) -> bool:
    """Whether a hand can be what the set-up tells of it."""
    left = Counter(card[0] for card in cards if card not in set(map(str, given)))
    ranks = Counter(card.rank for card in given if card.rank and not card.known)
    return all(str(card) in cards for card in given if card.known) and not ranks - left


def ways(free: frozenset[str], counts: list[tuple[int, int]]) -> Iterator[dict[int, set[str]]]:
    """Every way to give cards to seats, so many to each."""
    if not counts:
        yield {}
        return
    (seat, count), *others = counts
    for cards in combinations(sorted(free), count):
        for rest in ways(free - set(cards), others):
            yield rest | {seat: set(cards)}


def deals_that_could_be(seen: StonePosition, true: StonePosition) -> list[tuple[dict[int, set[str]], set[str]]]:
    """For every honest deal that fits all that was seen: each seat's hand now, and the legal actions."""
    played_so_far = {card for action in seen.actions for card in map(str, action.cards)}
    given = {card for cards in seen.setup.hands.values() for card in map(str, cards)}
    dealt_hands = {seat: set(map(str, cards)) for seat, cards in true.setup.hands.items()}
    loose = {seat: cards - played_so_far - given for seat, cards in dealt_hands.items()}
    free = frozenset(card for cards in loose.values() for card in cards)
    found = []
    for way in ways(free, [(seat, len(cards)) for seat, cards in loose.items()]):
        hands = {seat: dealt_hands[seat] - loose[seat] | way[seat] for seat in way}
        if all(fits(told, hands[seat]) for seat, told in seen.setup.hands.items()):
            deal = could_have_been(seen.setup, hands, seen.actions)
            if deal is not None:
                found.append((deal.hands, deal.legal()))
    return found


def number_of_ways(seen: StonePosition) -> int:
    number = 1
    left = 0
    for slots in seen.places.slots:
        for _ in range(slots.number):
            left += 1
            number = number * left
    for slots in seen.places.slots:
        for factor in range(1, slots.number + 1):
            number //= factor
    return number


@settings(max_examples=25, deadline=None)
@given(
    st.integers(4, 6),
    st.integers(0, 10**6),
    st.sampled_from([{}, {}, {"lead_bar": "cards"}, {"direction": "anticlockwise"}]),
)
def test_possible_and_certain_are_exact(players: int, seed: int, options: dict[str, str]) -> None:
    """2.D (1) to (5): no more and no less than what all honest deals that fit have in common."""
    chance = random.Random(seed)
    setup = dealt(players, seed=seed, options=options)
    positions = played(setup, seed)
    seen = begun(obscured(setup, chance))
    looked = 0
    for before, true in pairwise(positions):
        seen = seen.apply(true.actions[len(before.actions)])
        if not seen.places.slots or number_of_ways(seen) > 200 or seen.over:
            continue
        looked += 1
        if looked > 2:
            break
        could = deals_that_could_be(seen, true)
        assert could
        known = seen.known()
        for seat in range(1, players + 1):
            hands = [hands[seat] for hands, _ in could]
            sure = set.intersection(*hands)
            assert set(map(str, cards_of(known.hands[seat - 1]))) == sure
            maybe = set(map(str, cards_of(known.possible(seat)))) | sure
            assert maybe == set.union(*hands)
        assert legal(seen) == set.union(*(lines for _, lines in could))
    assume(looked)


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 6), st.integers(0, 10**6), st.sampled_from(["off", "on"]))
def test_unread_plays_never_lead_to_anything_false(players: int, seed: int, voluntary: str) -> None:
    """Some followers are not read: whatever is then called certain is true, and the true cards stay possible."""
    chance = random.Random(seed)
    setup = dealt(players, seed=seed, options={"voluntary_pickup": voluntary})
    positions = played(setup, seed)
    seen = begun(obscured(setup, chance))
    for before, true in pairwise(positions):
        action = true.actions[len(before.actions)]
        if action.verb == "play" and before.trick and chance.random() < 0.3:
            unread = Action(action.seat, "play", (Card("", ""),))
            try:
                seen.apply(unread)
            except AmbiguousInput:
                pass
            else:
                action = unread
        try:
            seen = seen.apply(action)
        except AmbiguousInput:
            break
        assert seen.faults() == ()
        assert seen.sizes == true.sizes
        assert all(notice.code != "somebody-revoked" for notice in seen.notices())
        known = seen.known()
        for seat, cards in enumerate(true.places.hands, 1):
            assert not known.hands[seat - 1] & ~cards
            assert not cards & ~(known.hands[seat - 1] | known.possible(seat))


# The matching itself


def by_hand(slots: tuple[Slots, ...], free: int) -> list[set[int]]:
    """For each of some slots the cards that it has in some matching, found by trying everything."""
    cards = [bit for bit in (1 << place for place in range(free.bit_length())) if bit & free]
    single = [index for index, one in enumerate(slots) for _ in range(one.number)]
    found: list[set[int]] = [set() for _ in slots]

    def assign(place: int, left: list[int], chosen: list[tuple[int, int]]) -> None:
        if place == len(single):
            for index, card in chosen:
                found[index].add(card)
            return
        for card in left:
            if slots[single[place]].cards & card:
                assign(place + 1, [one for one in left if one != card], [*chosen, (single[place], card)])

    assign(0, cards, [])
    return found


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_slot_keeps_just_the_cards_that_it_has_in_some_matching(data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(1, 2), min_size=2, max_size=4))
    free = (1 << sum(counts)) - 1
    masks = [data.draw(st.integers(1, free)) for _ in counts]
    slots = tuple(
        Slots(seat, mask, mask, count) for seat, (mask, count) in enumerate(zip(masks, counts, strict=True), 1)
    )
    expected = by_hand(slots, free)
    places = deduced(Places((0,) * len(slots), slots))
    if not any(expected):
        assert places is None or len(set(masks)) == 1
        return
    assert places is not None
    for seat, cards in enumerate(expected, 1):
        assert places.hands[seat - 1] | places.possible(seat) == sum(cards)


@pytest.mark.parametrize("text", ["AS", "7?", "??"])
def test_a_card_known_in_part_has_no_bit(text: str) -> None:
    assert bool(BIT_OF[Card.parse(text).code]) == Card.parse(text).known
