"""What Rolling Stone has to tell its players: what is certain, with the reason, and what is worth saying now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.cards import SUITS
from assistant.games.game import Fact, Notice
from assistant.games.stone_cards import SUIT_BITS, bits_of, cards_of, suit_of
from assistant.games.stone_hidden import OUT
from assistant.told import Seat, Seats, Suit, later, tell, tell_n

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
            text = tell("{seat} holds {cards}: picked up and not played since.", seat=Seat(seat), cards=cards)
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
        held = cards_of(known.hands[one.seat - 1] & one.suit)
        pattern = (
            later("{seat} holds no other {suit} than {held}: it could not follow and picked up {taken}.")
            if held
            else later("{seat} holds no {suit}: it could not follow and picked up {taken}.")
        )
        suit = Suit(SUITS[suit_of(one.suit)])
        text = tell(pattern, seat=Seat(one.seat), suit=suit, taken=one.cards, **({"held": held} if held else {}))
        yield Fact("lacks", text, "RST-8", (one.seat,), held)


def _deduced(position: StonePosition, hidden: list[int]) -> Iterator[Fact]:
    known = position.known()
    unseen = {slots.holder for slots in known.slots}
    for seat in hidden:
        given = bits_of(position.setup.hands.get(seat, ()))
        found = known.hands[seat - 1] & ~position.open_cards[seat - 1] & ~given
        for suit, name in zip(SUIT_BITS, SUITS, strict=True):
            cards = cards_of(found & suit)
            if not cards:
                continue
            others = [one.seat for one in position.picked if one.suit == suit and one.seat != seat]
            values = {"seat": Seat(seat), "cards": cards}
            if not unseen:
                text = tell("{seat} holds {cards}: all other cards are known.", **values)
            elif others:
                text = tell(
                    "{seat} holds {cards}: the others have no room for it, and {others} had to pick {suit} up.",
                    **values,
                    others=Seats(tuple(others)),
                    suit=Suit(name),
                )
            else:
                text = tell("{seat} holds {cards}: the others have no room for it.", **values)
            yield Fact("holds", text, "RST-2", (seat,), cards)


def _by_suit(position: StonePosition) -> Iterator[Fact]:
    known = position.known()
    seats = range(1, position.setup.players + 1)
    free, out = 0, known.possible(OUT)
    for slots in known.slots:
        free |= slots.cards
    in_hands = free
    for hand in known.hands:
        in_hands |= hand
    for suit, name in zip(SUIT_BITS, SUITS, strict=True):
        if not in_hands & suit:
            yield Fact("suit-gone", tell("No {suit} are left in hands.", suit=Suit(name)), "RST-10")
            continue
        number = (free & suit).bit_count()
        holders = [seat for seat in seats if known.possible(seat) & suit]
        if number and holders:
            values = {"suit": Suit(name), "cards": cards_of(free & suit), "seats": Seats(tuple(holders), "or")}
            if out & suit:
                text = tell_n(
                    "One of the {suit} is not located: {cards}, with {seats} or out of play.",
                    "{n} {suit} are not located: {cards}, with {seats} or out of play.",
                    number,
                    **values,
                )
            else:
                text = tell_n(
                    "One of the {suit} is not located: {cards}, with {seats}.",
                    "{n} {suit} are not located: {cards}, with {seats}.",
                    number,
                    **values,
                )
            yield Fact("not-located", text, "RST-2", tuple(holders), cards_of(free & suit))


def notices_of(position: StonePosition) -> tuple[Notice, ...]:
    """What is worth saying now: the opening, a bar, a forced pick-up, one card left, proved revokes, stop and end.

    While it is played a referee tells of revokes alone, a silent one of nothing (RST-16).
    """
    level = position.rules.help
    if position.over:
        return (*_revokes(position), *_end(position))
    revokes = () if level == "silent" else _revokes(position)
    return (*revokes, *(_going_on(position) if level == "coach" else ()))


def _revokes(position: StonePosition) -> Iterator[Notice]:
    for fault in position.mistakes:
        text = tell("{what} The play stands.", what=fault.text)
        yield Notice("revoke", text, "RST-15", (fault.seat,), fault.cards)
    if position.places.slots and position.places.fair() is None:
        suspects = tuple(sorted({one.seat for one in position.picked}))
        text = tell("Somebody has picked up and could have followed: {seats}.", seats=Seats(suspects, "or"))
        yield Notice("somebody-revoked", text, "RST-15", suspects)


def _going_on(position: StonePosition) -> Iterator[Notice]:
    seat, setup, rules = position.to_act, position.setup, position.rules
    assert seat is not None
    if not position.actions:
        shuffler = (setup.dealer - 1 - rules.step) % setup.players + 1
        text = tell(
            "{shuffler} shuffles, {dealer} deals eight cards to each from {seat} on.",
            shuffler=Seat(shuffler),
            dealer=Seat(setup.dealer),
            seat=Seat(seat),
        )
        yield Notice("opening", text, "RST-5", (shuffler, setup.dealer))
        yield Notice("to-lead", tell("{seat} leads any card.", seat=Seat(seat)), "RST-6", (seat,))
    if position.barred:
        if rules.lead_bar == "suit":
            suit = Suit(SUITS[suit_of(position.barred)])
            text = tell("{seat} leads, but no {suit}, which were just picked up.", seat=Seat(seat), suit=suit)
        else:
            text = tell("{seat} leads, but none of the cards just picked up.", seat=Seat(seat))
        yield Notice("lead-bar", text, "RST-9", (seat,), cards_of(position.barred & position.open_cards[seat - 1]))
    if position.trick and not position.playable:
        values = {"seat": Seat(seat), "suit": Suit(SUITS[suit_of(position.led)]), "trick": position.trick}
        text = tell("{seat} has no {suit} and must pick up {trick}.", **values)
        yield Notice("must-pick-up", text, "RST-8", (seat,), position.trick)
    for holder, size in enumerate(position.sizes, 1):
        if size == 1:
            yield Notice("one-card", tell("{seat} has one card left.", seat=Seat(holder)), "RST-11", (holder,))
    left = rules.most_pickups - position.run
    if rules.most_pickups and left <= setup.players:
        text = tell_n(
            "{n} more pick-up without a completed trick, and the deal stops: the fewest cards win.",
            "{n} more pick-ups in a row without a completed trick, and the deal stops: the fewest cards win.",
            left,
        )
        yield Notice("stop-near", text, "RST-13")


def _end(position: StonePosition) -> Iterator[Notice]:
    winners = position.winners
    if min(position.sizes) == 0:
        text = tell_n(
            "{seats} has no card left and wins the deal.",
            "{seats} have no card left and share the deal.",
            len(winners),
            seats=Seats(winners),
        )
        yield Notice("won", text, "RST-11", winners)
    else:
        who = tell_n(
            "{seats} has the fewest cards and wins the deal.",
            "{seats} have the fewest cards and share the deal.",
            len(winners),
            seats=Seats(winners),
        )
        text = tell("The deal is stopped. {who}", who=who)
        yield Notice("stopped", text, "RST-13", winners)
