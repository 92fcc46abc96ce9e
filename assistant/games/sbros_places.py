"""Where the cards of a deal of Sbros are, as far as anybody can tell: centre, hands, temporary discards, stock."""

from __future__ import annotations

from typing import Final, NamedTuple

from assistant.cards import UNKNOWN, Card
from assistant.games.bag import ALL_CARDS, EMPTY, Bag, all_of_ranks, rank_of
from assistant.games.game import InvalidInput
from assistant.games.sbros_covers import RANK_CARDS, could_be
from assistant.games.sbros_setup import HAND, STOCK
from assistant.told import Seat, Told, tell

_ONES: Final = int("1" * 13, 16)

Hands = tuple[Bag, Bag]
"""By seat, seat 1 first."""
Rows = tuple[tuple[Card, ...], tuple[Card, ...]]
"""Cards in their order by seat, seat 1 first."""


class Unheld(NamedTuple):
    """A card that was to come from a hand that can't hold it."""

    card: Card


class Places(NamedTuple):
    """The places of the 52 cards; immutable.

    ``centre`` is the left and the right top card, ``covered`` what lies under them. ``resets`` are the temporary
    discards by seat, ``stock`` is the number of cards in the stock. ``placed`` holds every card that is known to lie
    anywhere, hands included; what it lacks is in the stock or unseen in a hand. ``taken`` are the cards of each hand
    that came by the exchange, so that both players know them. ``coming`` are the cards that each seat draws next, as
    far as the set-up lists them.
    """

    centre: tuple[Card, Card]
    hands: Hands
    resets: Rows
    stock: int
    covered: Bag
    placed: Bag
    taken: Hands
    coming: Rows

    @classmethod
    def at_the_start(cls, centre: tuple[Card, Card], hands: Hands, coming: Rows) -> Places:
        """The places after the deal (SBR-3)."""
        table = Bag.of(centre)
        placed = Bag(
            table.known | hands[0].known | hands[1].known,
            table.partly + hands[0].partly + hands[1].partly,
            table.unknown,
        )
        return cls(centre, hands, ((), ()), STOCK, EMPTY, placed, (EMPTY, EMPTY), coming)

    @property
    def free(self) -> int:
        """The cards, one bit each, that are not known to lie anywhere."""
        return ALL_CARDS & ~self.placed.known

    def could_hold(self, hand: Bag) -> int:
        """The cards, one bit each, that a hand may hold."""
        could = hand.known
        if hand.unknown:
            could |= self.free & self._room()
        if hand.partly:
            could |= self.free & all_of_ranks(hand.partly)
        return could

    def held_as(self, seat: int, card: Card) -> int:
        """The cards of the seat's hand, one bit each, that a card could be; 0 where it can't come from there."""
        hand = self.hands[seat - 1]
        if card.code < 52 and hand.known >> card.code & 1:
            return 1 << card.code
        return could_be(card, ALL_CARDS) & self.could_hold(hand)

    def covered_by(self, seat: int, left: Card, right: Card) -> Places | Unheld:
        """Two cards of the seat's hand put on the centre cards."""
        hand, placed = self.hands[seat - 1], self.placed
        tops = []
        for card in (left, right):
            found = _out_of(hand, placed, card)
            if found is None:
                return Unheld(card)
            hand, placed, top = found
            tops.append(top)
        covered = self.covered.add(self.centre[0]).add(self.centre[1])
        return Places(
            (tops[0], tops[1]),
            self._with_hand(seat, hand),
            self.resets,
            self.stock,
            covered,
            placed,
            self._still_taken(seat, hand),
            self.coming,
        )

    def put_aside(self, seat: int, card: Card) -> Places | Unheld:
        """A card of the seat's hand put on its temporary discard."""
        found = _out_of(self.hands[seat - 1], self.placed, card)
        if found is None:
            return Unheld(card)
        hand, placed, aside = found
        mine = (*self.resets[seat - 1], aside)
        resets = (mine, self.resets[1]) if seat == 1 else (self.resets[0], mine)
        return self._replace(hands=self._with_hand(seat, hand), resets=resets, placed=placed)

    def drawn_up(self, seat: int) -> Places:
        """The seat's hand filled up to six as far as the stock goes (SBR-7, SBR-11).

        Raises InvalidInput where a card that the set-up lists can't be drawn: it lies somewhere already.
        """
        hand = self.hands[seat - 1]
        number = min(HAND - hand.size(), self.stock)
        stock, coming, placed = self.stock - number, self.coming, self.placed
        mine = coming[seat - 1]
        if not mine:
            hand = Bag(hand.known, hand.partly, hand.unknown + number)
        else:
            for card in mine[:number]:
                if could_be(card, ALL_CARDS) & self.free & self._room() == 0:
                    lies = f": it is {self.place_of(card)}" if card.known else ""
                    raise InvalidInput(
                        "card-twice",
                        f"'hand {seat}' says that seat {seat} draws {card} now, which can't be{lies}",
                        "SBR-1",
                        about=f"hand {seat}",
                        card=card,
                    )
                hand = hand.add(card)
                if card.code < 65:
                    placed = placed.add(card)
            hand = Bag(hand.known, hand.partly, hand.unknown + number - len(mine[:number]))
            rest = mine[number:]
            coming = (rest, coming[1]) if seat == 1 else (coming[0], rest)
        for other, cards in enumerate(coming, 1):
            if cards and not stock:
                raise InvalidInput(
                    "too-many-draws",
                    f"'hand {other}' lists {len(cards)} more cards than seat {other} draws until the stock is empty",
                    "SBR-7",
                    about=f"hand {other}",
                )
        return self._replace(hands=self._with_hand(seat, hand), stock=stock, placed=placed, coming=coming)

    def merged(self, *, exchange: bool, face_up: bool) -> Places:
        """The temporary discards taken into the hands: each the other's, or without ``exchange`` one's own (SBR-12)."""
        first, second = Bag.of(self.resets[0]), Bag.of(self.resets[1])
        if exchange:
            first, second = second, first
        hands = self.hands[0].add_all(first), self.hands[1].add_all(second)
        placed = self.placed._replace(unknown=self.placed.unknown - first.unknown - second.unknown)
        both_know = exchange or face_up
        taken = (first._replace(unknown=0), second._replace(unknown=0)) if both_know else (EMPTY, EMPTY)
        return self._replace(hands=hands, resets=((), ()), placed=placed, taken=taken)

    def deduced(self) -> Places:
        """The same with what follows once the stock is empty: the unseen cards of the only hand that has any are all
        that is left, and where all unknown suits of a rank are in one hand, they are the missing ones."""
        first, second = self.hands
        if self.stock or not (first.unknown or first.partly or second.unknown or second.partly):
            return self
        places = self
        if bool(first.unknown) != bool(second.unknown) and not self.placed.unknown:
            places = places._with_the_rest(1 if first.unknown else 2)
        for seat in (1, 2):
            places = places._with_missing_suits(seat)
        return places

    def seen_counts(self, *, face_up: bool) -> int:
        """How many cards of each rank lie or have lain face up: four bits a rank, the ace's lowest."""
        seen = self.covered.counts() + Bag.of(self.centre).counts()
        if face_up:
            seen += Bag.of(self.resets[0] + self.resets[1]).counts()
            seen += self.taken[0].counts() + self.taken[1].counts()
        return seen

    def place_of(self, card: Card) -> Told | None:
        """Where a known card is, in words; None where that is not known."""
        bit = 1 << card.code
        if card in self.centre:
            return tell("in the centre")
        if self.covered.known & bit:
            return tell("covered in the centre")
        for seat in (1, 2):
            if card in self.resets[seat - 1]:
                return tell("on the temporary discard of {seat}", seat=Seat(seat))
            if self.hands[seat - 1].known & bit:
                return tell("in the hand of {seat}", seat=Seat(seat))
        return None

    def _room(self) -> int:
        """The four bits of each rank of which fewer than four cards are placed."""
        if not self.placed.partly:
            return ALL_CARDS
        return _room(self.placed)

    def _with_the_rest(self, seat: int) -> Places:
        """The seat's unseen cards known as those that are placed nowhere, by rank where suits are not known."""
        hand, placed = self.hands[seat - 1], self.placed
        if not placed.partly:
            full = Bag(hand.known | self.free)
            return self._replace(hands=self._with_hand(seat, full), placed=Bag(ALL_CARDS))
        left = 0
        counts = placed.counts()
        for rank in range(13):
            left += 4 - (counts >> 4 * rank & 15) << 4 * rank
        hands = self._with_hand(seat, Bag(hand.known, hand.partly + left))
        return self._replace(hands=hands, placed=placed._replace(partly=placed.partly + left))

    def _with_missing_suits(self, seat: int) -> Places:
        hand, placed = self.hands[seat - 1], self.placed
        for rank in range(13):
            number = hand.partly >> 4 * rank & 15
            missing = ALL_CARDS & ~placed.known & RANK_CARDS[rank]
            if not number or number != placed.partly >> 4 * rank & 15 or number != missing.bit_count():
                continue
            less = number << 4 * rank
            hand = Bag(hand.known | missing, hand.partly - less, hand.unknown)
            placed = Bag(placed.known | missing, placed.partly - less, placed.unknown)
        return self if placed is self.placed else self._replace(hands=self._with_hand(seat, hand), placed=placed)

    def _with_hand(self, seat: int, hand: Bag) -> Hands:
        return (hand, self.hands[1]) if seat == 1 else (self.hands[0], hand)

    def _still_taken(self, seat: int, hand: Bag) -> Hands:
        """The cards of the exchange, as far as the seat's hand surely still holds them."""
        known, partly, _ = self.taken[seat - 1]
        if not known and not partly:
            return self.taken
        still = 0
        for rank in range(13) if partly else ():
            still += min(partly >> 4 * rank & 15, hand.partly >> 4 * rank & 15) << 4 * rank
        mine = Bag(known & hand.known, still)
        return (mine, self.taken[1]) if seat == 1 else (self.taken[0], mine)


def _room(placed: Bag) -> int:
    return ALL_CARDS & ~((placed.counts() >> 2 & _ONES) * 15)


def _out_of(hand: Bag, placed: Bag, card: Card) -> tuple[Bag, Bag, Card] | None:
    """A card taken out of a hand: the hand and the placed cards then, and the card as it is now known."""
    code = card.code
    if code < 52:
        bit = 1 << code
        if hand.known & bit:
            return Bag(hand.known ^ bit, hand.partly, hand.unknown), placed, card
        if placed.known & bit:
            return None
        if not placed.partly:
            if not hand.unknown:
                return None
            return (
                Bag(hand.known, 0, hand.unknown - 1),
                Bag(placed.known | bit, 0, placed.unknown),
                card,
            )
    if card is UNKNOWN:
        return _any_out_of(hand, placed)
    found = hand.take(card, ALL_CARDS & ~placed.known, _room(placed))
    if found is None:
        return None
    after, card = found
    known = placed.known & ~hand.known | after.known
    partly = placed.partly - hand.partly + after.partly
    rank = rank_of(card)
    assert rank is not None
    if card.known:
        return after, Bag(known | 1 << card.code, partly, placed.unknown), card
    return after, Bag(known, partly + (1 << 4 * rank), placed.unknown), card


def _any_out_of(hand: Bag, placed: Bag) -> tuple[Bag, Bag, Card] | None:
    """A card that nobody saw taken out of a hand: what was known of the hand may be gone with it."""
    size = hand.size()
    if not size:
        return None
    return (
        Bag(0, 0, size - 1),
        Bag(placed.known & ~hand.known, placed.partly - hand.partly, placed.unknown + 1),
        UNKNOWN,
    )
