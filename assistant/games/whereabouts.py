"""Where every card of the pack is, as far as anybody can tell: on the table, in hands, in piles of won cards."""

from __future__ import annotations

from typing import Final, NamedTuple

from assistant.cards import Card
from assistant.games.bag import ALL_CARDS, EMPTY, Bag, rank_of
from assistant.told import Seat, Told, tell

_ONES: Final = int("1" * 13, 16)


class Whereabouts(NamedTuple):
    """The places of a deal in which all 52 cards are dealt; immutable.

    ``hands`` and ``piles`` are by seat, seat 1 first; a pile keeps the order in which its cards were won, ``won``
    holds the cards of all piles in one bag. Cards that are known in part stay so until they can be told.
    """

    table: Bag
    hands: tuple[Bag, ...]
    piles: tuple[tuple[Card, ...], ...]
    won: Bag = EMPTY

    def unplaced(self) -> tuple[int, int]:
        """The cards that are placed nowhere (one bit each), and the ranks of which some are not (four bits each)."""
        known, counts = self.table.known | self.won.known, self.table.counts() + self.won.counts()
        for hand in self.hands:
            known |= hand.known
            counts += hand.counts()
        return ALL_CARDS & ~known, ALL_CARDS & ~((counts >> 2 & _ONES) * 15)

    def hand_to_pile(self, seat: int, card: Card) -> Whereabouts | None:
        """The card (of known rank) moved from the seat's hand to its pile; None where the hand can't hold it."""
        found = self._out_of(self.hands[seat - 1], card)
        if found is None:
            return None
        return Whereabouts(self.table, self._with_hand(seat, found[0]), *self._won_by(seat, found[1]))

    def table_to_pile(self, seat: int, card: Card) -> Whereabouts | None:
        """The card (of known rank) moved from the table to the seat's pile; None where it can't lie there."""
        found = self._out_of(self.table, card)
        if found is None:
            return None
        return Whereabouts(found[0], self.hands, *self._won_by(seat, found[1]))

    def shown(self, seat: int, cards: tuple[Card, ...]) -> Bag | Card:
        """A whole hand as it is known once it is shown as these cards; a card that can't be in it is given back.

        What was known of the hand and what is shown fill each other's gaps.
        """
        known, partly, unknown = self.hands[seat - 1]
        whole = self._whole(self.hands[seat - 1], cards)
        if whole is not None:
            return whole
        shown, rest = EMPTY, []
        for card in cards:
            if card.known and known >> card.code & 1:
                shown, known = shown.add(card), known ^ 1 << card.code
            else:
                rest.append(card)
        for card in sorted(rest):
            rank = rank_of(card)
            if rank is None:
                break
            shift = 4 * rank
            suits = known >> shift & 15
            if suits and not card.known:
                one = (suits & -suits) << shift
                shown, known = shown.add_all(Bag(one)), known ^ one
                continue
            left = Bag(known, partly, unknown)
            found = self._replace(hands=self._with_hand(seat, shown.add_all(left)))._out_of(left, card)
            if found is None:
                return card
            known, partly, unknown = found[0]
            shown = shown.add(card)
        return shown.add_all(Bag(known, partly, unknown))

    def _whole(self, hand: Bag, cards: tuple[Card, ...]) -> Bag | None:
        """The hand where every card that is shown is known and can be in it; None says only that it isn't so plain."""
        bits = 0
        for card in cards:
            bits |= 1 << card.code
        more = bits & ~hand.known
        free, _ = self.unplaced()
        if bits > ALL_CARDS or bits.bit_count() != len(cards) or hand.known & ~bits or more & ~free:
            return None
        counts, full = Bag(more).counts(), 4 * _ONES
        placed = self.table.counts() + self.won.counts() + sum([one.counts() for one in self.hands])
        too_few, too_many = hand.partly + full - counts, counts - hand.partly + placed
        return None if _above(too_few, 4) or _above(too_many, 4) else Bag(bits)

    def hand_to_table(self, seat: int, shown: Bag) -> Whereabouts:
        """The seat's whole hand, known as ``shown``, moved to the table."""
        return self._replace(table=self.table.add_all(shown), hands=self._with_hand(seat, EMPTY))

    def with_one_of(self, seat: int, rank: int) -> Whereabouts:
        """One of the unseen cards of the seat's hand known to be of the rank."""
        hand = self.hands[seat - 1]
        more = Bag(hand.known, hand.partly + (1 << 4 * rank), hand.unknown - 1)
        return self._replace(hands=self._with_hand(seat, more))

    def at_most(self, seat: int, rank: int) -> int:
        """How many cards of the rank the seat's hand can hold."""
        hand = self.hands[seat - 1]
        held = hand.count(rank)
        if not hand.unknown:
            return held
        placed = self.table.count(rank) + self.won.count(rank) + sum(other.count(rank) for other in self.hands)
        return held + min(hand.unknown, 4 - placed)

    def deduced(self) -> Whereabouts:
        """The same with everything known that follows from the pack.

        A place must hold what the unseen cards of the other places leave no room for (of the only hand that has any,
        that is all of them), and where all unknown suits of a rank are in one place, they are the missing ones.
        """
        total = most = self.table.unknown
        for hand in self.hands:
            total += hand.unknown
            most = max(most, hand.unknown)
        places = self._with_what_must_be(total) if total and total - most < 4 else self
        partly = places.table.partly
        for hand in places.hands:
            partly |= hand.partly
        return places._with_missing_suits(partly) if partly else places

    def _with_what_must_be(self, total: int) -> Whereabouts:
        """``total`` is the number of unknown cards in all places."""
        bags = [self.table, *self.hands]
        missing = 4 * _ONES - self.won.counts() - sum([bag.counts() for bag in bags])
        for number, bag in enumerate(bags):
            if bag.unknown and total - bag.unknown < 4:
                must = _above(missing, total - bag.unknown)
                bags[number] = Bag(bag.known, bag.partly + must, bag.unknown - Bag(partly=must).size())
        return self._replace(table=bags[0], hands=tuple(bags[1:]))

    def _with_missing_suits(self, partly: int) -> Whereabouts:
        """``partly`` has bits set for the ranks of which a card is known by rank only."""
        bags = [self.table, *self.hands]
        free, _ = self.unplaced()
        while partly:
            shift = (partly & -partly).bit_length() - 1 & ~3
            partly &= ~(15 << shift)
            holders = [number for number, bag in enumerate(bags) if bag.partly >> shift & 15]
            bag, missing = bags[holders[0]], free & 15 << shift
            sole = len(holders) == 1 and not self.won.partly >> shift & 15
            if sole and bag.partly >> shift & 15 == missing.bit_count():
                bags[holders[0]] = Bag(bag.known | missing, bag.partly & ~(15 << shift), bag.unknown)
        return self._replace(table=bags[0], hands=tuple(bags[1:]))

    def place_of(self, card: Card) -> Told | None:
        """Where a known card is, in words; None where that is not known."""
        bit = 1 << card.code
        if self.table.known & bit:
            return tell("on the table")
        for seat, pile in enumerate(self.piles, 1):
            if card in pile:
                return tell("in the pile of {seat}", seat=Seat(seat))
        for seat, hand in enumerate(self.hands, 1):
            if hand.known & bit:
                return tell("in the hand of {seat}", seat=Seat(seat))
        return None

    def _out_of(self, bag: Bag, card: Card) -> tuple[Bag, Card] | None:
        code = card.code
        if bag.known >> code & 1:
            return Bag(bag.known ^ 1 << code, bag.partly, bag.unknown), card
        if code < 52 and not bag.unknown and not bag.partly:
            return None
        return bag.take(card, *self.unplaced())

    def _with_hand(self, seat: int, hand: Bag) -> tuple[Bag, ...]:
        return (*self.hands[: seat - 1], hand, *self.hands[seat:])

    def _won_by(self, seat: int, card: Card) -> tuple[tuple[tuple[Card, ...], ...], Bag]:
        piles = self.piles
        return (*piles[: seat - 1], (*piles[seat - 1], card), *piles[seat:]), self.won.add(card)


def _above(counts: int, limit: int) -> int:
    """By rank (four bits each), how far the counts are above the limit; nought where they are not."""
    if not limit:
        return counts
    above = 0
    for shift in range(0, 52, 4):
        above |= max(0, (counts >> shift & 15) - limit) << shift
    return above
