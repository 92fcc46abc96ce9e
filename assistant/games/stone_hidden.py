"""Cards of which only the holder is known: exact counts, what each may be, and what follows from that.

In Rolling Stone nobody draws, so what a hand holds can be told ever more exactly: picked-up cards are located, and who
had to pick up had none of the suit. A ``Slots`` stands for some unseen cards of one holder. The cards that are not
located and the places of all slots match one to one; every conclusion here follows from such a matching.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

OUT: Final = 0
"""The holder of cards that left play unread; ``-seat`` holds the unread card that a seat has in the trick."""
_MOST_UNIONS: Final = 512
"""More sets than that are not looked at: then something certain may be missed, but nothing false is said."""


class Slots(NamedTuple):
    """``number`` unseen cards of a holder (a seat, ``-seat`` or ``OUT``).

    Each is one of ``cards``; if every forced pick-up so far was honest, one of ``fair``.
    """

    holder: int
    cards: int
    fair: int
    number: int


class Places(NamedTuple):
    """What is known of the cards that are not open: the sure cards of each hand (seat 1 first), and the unseen."""

    hands: tuple[int, ...]
    slots: tuple[Slots, ...] = ()

    def possible(self, holder: int) -> int:
        """The cards that a holder may have among the unseen ones."""
        bits = 0
        for slots in self.slots:
            if slots.holder == holder:
                bits |= slots.cards
        return bits

    def fairly(self, holder: int) -> int:
        """The cards that a holder may have among the unseen ones if every forced pick-up was honest."""
        bits = 0
        for slots in self.slots:
            if slots.holder == holder:
                bits |= slots.fair
        return bits

    def without(self, seat: int, bit: int) -> Places:
        """A card taken out of a seat's hand; it must be possible there.

        It leaves the narrowest slots that may hold it: every other way for it to have lain there leaves the same
        hands behind. Slots that only overlap are widened to keep that true.
        """
        hands = self.hands
        if hands[seat - 1] & bit:
            return self._replace(hands=(*hands[: seat - 1], hands[seat - 1] ^ bit, *hands[seat:]))
        own = [slots for slots in self.slots if slots.holder == seat and slots.cards & bit]
        taken = min(own, key=lambda slots: (not slots.fair & bit, slots.cards.bit_count()))
        rest = []
        for slots in self.slots:
            holder, cards, fair, count = slots
            if slots is taken:
                count -= 1
            elif holder == seat and cards & bit:
                cards |= taken.cards
                fair |= taken.fair if fair & bit else 0
            if count:
                rest.append(Slots(holder, cards & ~bit, fair & ~bit, count))
        return Places(hands, tuple(rest))

    def put_unread(self, seat: int, suit: int) -> Places:
        """Some card of a suit (all its bits) moved from a seat's hand to the trick without being read.

        The sure cards of the suit become uncertain: each lies in the hand or in the trick.
        """
        sure = self.hands[seat - 1] & suit
        may_be = sure | self.possible(seat) & suit
        fair = sure | self.fairly(seat) & suit
        slots = self.slots
        if sure:
            slots = (*slots, Slots(seat, may_be, fair, sure.bit_count()))
        own = [one for one in slots if one.holder == seat and one.cards & suit]
        taken = min(own, key=lambda one: (one.cards & ~suit != 0, one.cards.bit_count()))
        rest = []
        for one in slots:
            holder, cards, fairly, count = one
            if one is taken:
                count -= 1
            elif holder == seat and cards & suit:
                cards |= may_be | taken.cards
                fairly |= fair | taken.fair if fairly & suit else 0
            if count:
                rest.append(Slots(holder, cards, fairly, count))
        rest.append(Slots(-seat, may_be, fair, 1))
        return Places((*self.hands[: seat - 1], self.hands[seat - 1] ^ sure, *self.hands[seat:]), tuple(rest))

    def picked_up(self, seat: int, trick: int, *, lacking: int, unread: Sequence[int] = ()) -> Places:
        """The trick taken into a seat's hand: its read cards, and the unread ones of some seats.

        ``lacking`` is the suit that the seat thereby says it has not, 0 if it says nothing.
        """
        slots = self.slots
        if lacking:
            slots = tuple([one._replace(fair=one.fair & ~lacking) if one.holder == seat else one for one in slots])
        if unread:
            moved = [-other for other in unread]
            slots = tuple([one._replace(holder=seat) if one.holder in moved else one for one in slots])
        hands = self.hands
        return Places((*hands[: seat - 1], hands[seat - 1] | trick, *hands[seat:]), slots)

    def turned_down(self, unread: Sequence[int]) -> Places:
        """The unread cards of some seats in the trick, out of play."""
        moved = [-other for other in unread]
        return self._replace(
            slots=tuple([one._replace(holder=OUT) if one.holder in moved else one for one in self.slots])
        )

    def disproved(self, seat: int, suit: int) -> Places:
        """A seat's pick-ups in a suit were not honest: it may have held any of it."""
        return self._replace(
            slots=tuple(
                [one._replace(fair=one.fair | one.cards & suit) if one.holder == seat else one for one in self.slots]
            )
        )

    def fair(self) -> Places | None:
        """What is known if every forced pick-up was honest; None where that is impossible."""
        return _fair(self)

    def may_lack(self, seat: int, suit: int) -> bool:
        """Whether a seat's hand may hold no card of a suit."""
        if self.hands[seat - 1] & suit:
            return False
        own = [one for one in self.slots if one.holder == seat]
        if not any(one.cards & suit for one in own):
            return True
        if not all(one.cards & ~suit for one in own):
            return False
        stripped = [one._replace(cards=one.cards & ~suit) if one.holder == seat else one for one in self.slots]
        return _narrowed(stripped) is not None


def deduced(places: Places) -> Places | None:
    """The same with everything known that follows from the counts; None where the cards can't lie so."""
    slots = places.slots
    if not slots:
        return places
    first = slots[0]
    if all(one.cards == first.cards for one in slots) and any(one.holder != first.holder for one in slots):
        return places
    return _matched(places.hands, slots)


@lru_cache(maxsize=1 << 12)
def _fair(places: Places) -> Places | None:
    return _matched(places.hands, [one._replace(cards=one.fair) for one in places.slots])


def _matched(hands: Sequence[int], slots: Sequence[Slots]) -> Places | None:
    """The places where every slot holds only what it has in some matching of all cards to all slots.

    By Hall's theorem it is enough to look at the sets that some slots together may hold: if those fill such a set, no
    other slot holds any of it. A card that only one holder may have is located.
    """
    hands, rest = list(hands), list(slots)
    while True:
        narrowed = _narrowed(rest)
        if narrowed is None:
            return None
        rest = narrowed
        if not _locate(hands, rest):
            return Places(tuple(hands), tuple(rest))


def _narrowed(slots: list[Slots]) -> list[Slots] | None:
    unions = [0]
    for cards in {one.cards for one in slots}:
        unions += {union | cards for union in unions}.difference(unions)
        if len(unions) > _MOST_UNIONS:
            break
    needs = [(one.cards, one.number) for one in slots]
    for union in unions:
        outside = ~union
        need = 0
        for cards, count in needs:
            if not cards & outside:
                need += count
        room = union.bit_count()
        if need > room:
            return None
        if need == room and need:
            for place, one in enumerate(slots):
                if one.cards & outside and one.cards & union:
                    slots[place] = one._replace(cards=one.cards & outside, fair=one.fair & outside)
    return slots


def _locate(hands: list[int], slots: list[Slots]) -> bool:
    """Move the cards that only one holder may have from slots to its hand; whether there were any."""
    once: dict[int, int] = {}
    for one in slots:
        once[one.holder] = once.get(one.holder, 0) | one.cards
    seen = twice = 0
    for bits in once.values():
        twice |= seen & bits
        seen |= bits
    found = False
    for holder, bits in once.items():
        sure = bits & ~twice
        if not sure or holder <= OUT:
            continue
        found = True
        while sure:
            bit = sure & -sure
            sure ^= bit
            places = Places(tuple(hands), tuple(slots)).without(holder, bit)
            slots[:] = places.slots
            hands[holder - 1] |= bit
    return found
