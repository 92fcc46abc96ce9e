"""What Rolling Stone has to tell its players: what is certain, with the reason, and what is worth saying now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.cards import Card
from assistant.games.game import Fact, Notice
from assistant.games.stone_cards import SUIT_BITS, SUIT_NAMES, bits_of, cards_of, suit_of

if TYPE_CHECKING:
    from assistant.games.rolling_stone import StonePosition


def facts_of(position: StonePosition) -> tuple[Fact, ...]:
    """The facts of a position: located cards, known voids, hands that must hold cards, what is unseen of each suit.

    Pick-ups are taken as honest; where they can't all have been, only what is certain in any case is told. Of a hand
    that the set-up gave nothing is told.
    """
    hidden = [seat for seat in range(1, position.setup.players + 1) if not _given(position, seat)]
    honest = position.places.fair() is not None
    return (
        *_picked_up(position, hidden),
        *(_voids(position, hidden) if honest else ()),
        *_deduced(position, hidden),
        *(() if position.over else _by_suit(position)),
    )


def _given(position: StonePosition, seat: int) -> bool:
    return all(card.known for card in position.setup.hands.get(seat, ())) and seat in position.setup.hands


def _picked_up(position: StonePosition, hidden: list[int]) -> Iterator[Fact]:
    for seat in hidden:
        cards = cards_of(position.open_cards[seat - 1])
        if cards:
            text = f"Seat {seat} holds {_words(cards)}: picked up and not played since."
            yield Fact("holds", text, "RST-8", (seat,), cards)


def _voids(position: StonePosition, hidden: list[int]) -> Iterator[Fact]:
    known = position.known()
    told = set()
    for one in reversed(position.picked):
        if one.seat not in hidden or (one.seat, one.suit) in told:
            continue
        told.add((one.seat, one.suit))
        if known.possible(one.seat) & one.suit:
            continue  # a card of the suit has been picked up since without being read
        suit, taken = SUIT_NAMES[suit_of(one.suit)], _words(one.cards)
        held = cards_of(known.hands[one.seat - 1] & one.suit)
        rest = f"no other {suit} than {_words(held)}" if held else f"no {suit}"
        text = f"Seat {one.seat} holds {rest}: it could not follow and picked up {taken}."
        yield Fact("lacks", text, "RST-8", (one.seat,), held)


def _deduced(position: StonePosition, hidden: list[int]) -> Iterator[Fact]:
    known = position.known()
    unseen = {slots.holder for slots in known.slots}
    for seat in hidden:
        given = bits_of(position.setup.hands.get(seat, ()))
        found = known.hands[seat - 1] & ~position.open_cards[seat - 1] & ~given
        for suit, name in zip(SUIT_BITS, SUIT_NAMES, strict=True):
            cards = cards_of(found & suit)
            if not cards:
                continue
            others = [one.seat for one in position.picked if one.suit == suit and one.seat != seat]
            if not unseen:
                why = "all other cards are known"
            elif others:
                why = f"the others have no room for it, and {_seats(others)} had to pick {name} up"
            else:
                why = "the others have no room for it"
            yield Fact("holds", f"Seat {seat} holds {_words(cards)}: {why}.", "RST-2", (seat,), cards)


def _by_suit(position: StonePosition) -> Iterator[Fact]:
    known = position.known()
    seats = range(1, position.setup.players + 1)
    free = 0
    for slots in known.slots:
        free |= slots.cards
    in_hands = free
    for hand in known.hands:
        in_hands |= hand
    for suit, name in zip(SUIT_BITS, SUIT_NAMES, strict=True):
        if not in_hands & suit:
            yield Fact("suit-gone", f"No {name} are left in hands.", "RST-10")
            continue
        number = (free & suit).bit_count()
        holders = [seat for seat in seats if known.possible(seat) & suit]
        if number and holders:
            are = f"{number} {name} are" if number > 1 else f"One of the {name} is"
            text = f"{are} not located: {_words(cards_of(free & suit))}, with {_seats(holders, ' or ')}."
            yield Fact("not-located", text, "RST-2", tuple(holders), cards_of(free & suit))


def notices_of(position: StonePosition) -> tuple[Notice, ...]:
    """What is worth saying now: the opening, a bar, a forced pick-up, one card left, proved revokes, stop and end."""
    return (*_revokes(position), *(_end(position) if position.over else _going_on(position)))


def _revokes(position: StonePosition) -> Iterator[Notice]:
    for fault in position.mistakes:
        yield Notice("revoke", f"{fault.text} The play stands.", "RST-15", (fault.seat,), fault.cards)
    if position.places.slots and position.places.fair() is None:
        suspects = tuple(sorted({one.seat for one in position.picked}))
        text = f"Somebody has picked up and could have followed: {_seats(list(suspects), ' or ')}."
        yield Notice("somebody-revoked", text, "RST-15", suspects)


def _going_on(position: StonePosition) -> Iterator[Notice]:
    seat, setup, rules = position.to_act, position.setup, position.rules
    assert seat is not None
    if not position.actions:
        shuffler = (setup.dealer - 1 - rules.step) % setup.players + 1
        text = f"Seat {shuffler} shuffles, seat {setup.dealer} deals eight cards to each from seat {seat} on."
        yield Notice("opening", text, "RST-5", (shuffler, setup.dealer))
        yield Notice("to-lead", f"Seat {seat} leads any card.", "RST-6", (seat,))
    if position.barred:
        if rules.lead_bar == "suit":
            text = f"Seat {seat} leads, but no {SUIT_NAMES[suit_of(position.barred)]}, which were just picked up."
        else:
            text = f"Seat {seat} leads, but none of the cards just picked up."
        yield Notice("lead-bar", text, "RST-9", (seat,), cards_of(position.barred & position.open_cards[seat - 1]))
    if position.trick and not position.playable:
        suit = SUIT_NAMES[suit_of(position.led)]
        text = f"Seat {seat} has no {suit} and must pick up {_words(position.trick)}."
        yield Notice("must-pick-up", text, "RST-8", (seat,), position.trick)
    for holder, size in enumerate(position.sizes, 1):
        if size == 1:
            yield Notice("one-card", f"Seat {holder} has one card left.", "RST-11", (holder,))
    left = rules.most_pickups - position.run
    if rules.most_pickups and left <= setup.players:
        times = "pick-up" if left == 1 else "pick-ups in a row"
        text = f"{left} more {times} without a completed trick, and the deal stops: the fewest cards win."
        yield Notice("stop-near", text, "RST-13")


def _end(position: StonePosition) -> Iterator[Notice]:
    winners = position.winners
    who = _seats(list(winners))
    rid = min(position.sizes) == 0
    if len(winners) == 1:
        text = f"{who[0].upper()}{who[1:]} has {'no card left' if rid else 'the fewest cards'} and wins the deal."
    else:
        text = f"{who[0].upper()}{who[1:]} have {'no card left' if rid else 'the fewest cards'} and share the deal."
    if rid:
        yield Notice("won", text, "RST-11", winners)
    else:
        yield Notice("stopped", f"The deal is stopped. {text}", "RST-13", winners)


def _words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _seats(seats: list[int], last: str = " and ") -> str:
    if len(set(seats)) == 1:
        return f"seat {seats[0]}"
    ordered = [str(seat) for seat in sorted(set(seats))]
    return f"seats {', '.join(ordered[:-1])}{last}{ordered[-1]}"
