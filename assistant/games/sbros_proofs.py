"""Resets and passes of Sbros that what came to light later proves wrong: a play was in the hand.

A hand is not seen, but its cards come to light one by one. A card shown later was in the hand at the reset, or it was
drawn since; and of the cards shown at any time no more can have been drawn than had been drawn by then. If, however
one shares them out, two of the cards that were in the hand covered the centre of that time, the reset was wrong.
After the exchange nobody draws, so every card shown after a pass was in the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from assistant.cards import CARDS, Card
from assistant.games.bag import Bag
from assistant.games.game import Fault
from assistant.games.sbros_covers import codes, could_be, partners
from assistant.games.sbros_setup import HAND, STOCK
from assistant.told import Seat, later, tell

if TYPE_CHECKING:
    from assistant.games.sbros import SbrosPosition

MOST_LOOKS: Final = 2_000
"""Ways of sharing out the cards that are looked at for one reset; beyond, it counts as unproved."""


class Turn(NamedTuple):
    """A reset or pass: the index of its action, the centre it was made on, what was known of the hand then.

    ``held`` are the cards known to have been in the hand, the one put aside included; ``drawn`` is how many unseen
    cards had come to it since the deal began.
    """

    at: int
    seat: int
    verb: str
    centre: tuple[Card, Card]
    held: int
    drawn: int


class Shown(NamedTuple):
    """A card that came to light: at which action, and how many unseen cards had come to the hand by then."""

    at: int
    code: int
    drawn: int


class _Story:
    """What became known of one seat's hand in the course of a deal."""

    def __init__(self, dealt: Sequence[Card]) -> None:
        self.known = Bag.of(dealt[:HAND]).known
        self.drawn = HAND - self.known.bit_count()
        self.came: list[tuple[int, int]] = []
        """Known cards that came to the hand: (index of the action, one bit each)."""
        self.shown: list[Shown] = []

    def show(self, index: int, card: Card) -> None:
        """The card is seen to leave the hand, or to be in it at the end."""
        if card.known:
            self.shown.append(Shown(index, card.code, self.drawn))
        self.known &= ~could_be(card, self.known)  # of a card seen in part: whichever it was

    def come(self, index: int, cards: Sequence[Card], number: int) -> None:
        """So many cards come to the hand, of which these are known as far as they are."""
        known = Bag.of(cards).known
        self.known |= known
        self.came.append((index, known))
        self.drawn += number - known.bit_count()

    def unexplained(self, turn: Turn) -> list[Shown]:
        """The cards shown after a turn that were in the hand then or were drawn unseen."""
        return [
            shown
            for shown in self.shown
            if shown.at > turn.at
            and not turn.held >> shown.code & 1
            and not any(turn.at <= index < shown.at and cards >> shown.code & 1 for index, cards in self.came)
        ]


def wrong_turns(position: SbrosPosition) -> tuple[Fault, ...]:
    """The resets (SBR-9) and passes (SBR-13) that are proved wrong by now, in the order in which they were made.

    ``Fault.cards`` are the cards that prove it: two that covered the centre, or the card put aside and the later ones
    of which some must have been in the hand.
    """
    turns, stories = _told(position)
    faults = []
    for turn in turns:
        if turn.verb == "pass" and position.rules.late_pass == "free":
            continue
        proof = _proof(turn, stories[turn.seat - 1], position.rules.adjacent)
        if proof:
            faults.append(_fault(turn, proof))
    return tuple(faults)


def _told(position: SbrosPosition) -> tuple[list[Turn], tuple[_Story, _Story]]:
    """The deal once more: its resets and passes, and what became known of each hand."""
    setup = position.setup
    listed = tuple(setup.hands.get(seat, ()) for seat in (1, 2))
    stories = _Story(listed[0]), _Story(listed[1])
    coming = [list(cards[HAND:]) for cards in listed]
    aside: tuple[list[Card], list[Card]] = ([], [])
    turns: list[Turn] = []
    centre = (setup.table[0], setup.table[1])
    stock = STOCK
    for index, action in enumerate(position.actions):
        seat, cards = action.seat, action.cards
        story = stories[seat - 1]
        if action.verb == "cover":
            centre = (cards[0], cards[1])
        else:
            aside[seat - 1].extend(cards)
            shown = 1 << cards[0].code if cards and cards[0].known else 0
            turns.append(Turn(index, seat, action.verb, centre, story.known | shown, story.drawn))
        for card in cards:
            story.show(index, card)
        if stock:
            number = min(len(cards), stock)
            stock -= number
            story.come(index, coming[seat - 1][:number], number)
            del coming[seat - 1][:number]
            if not stock:
                piles = aside if position.rules.merge == "own" else (aside[1], aside[0])
                for taker, pile in zip(stories, piles, strict=True):
                    taker.come(index, pile, len(pile))
    for story, hand in zip(stories, position.places.hands, strict=True):
        for card in Bag(hand.known & ~story.known).cards():
            story.show(len(position.actions), card)
    return turns, stories


def _proof(turn: Turn, story: _Story, adjacent: bool) -> tuple[Card, ...]:
    """The cards that prove the turn wrong; none where it may have been right."""
    left, right = turn.centre
    later = story.unexplained(turn)
    if not (left.known and right.known and later):
        return ()
    ways = partners(1 << left.code, 1 << right.code, adjacent), partners(1 << right.code, 1 << left.code, adjacent)
    covers = [one | other for one, other in zip(*ways, strict=True)]
    if _can_be_shared_out(turn, later, covers):
        return ()
    for number in range(1, len(later) + 1):
        if not _can_be_shared_out(turn, later[:number], covers):
            held = turn.held
            for shown in later[:number]:
                held |= 1 << shown.code
            return tuple(CARDS[code] for code in codes(held) if covers[code] & held & ~(1 << code))
    return ()


def _can_be_shared_out(turn: Turn, later: Sequence[Shown], covers: Sequence[int]) -> bool:
    """Whether the cards may have been in the hand at the turn, or drawn since, without a play in the hand.

    ``covers`` are for each card those with which it covers the centre of the turn, either way round.
    """
    looks = MOST_LOOKS

    def fits(place: int, held: int, drawn: int) -> bool:
        nonlocal looks
        looks -= 1
        if place == len(later) or looks < 0:
            return True
        shown = later[place]
        if drawn < shown.drawn - turn.drawn and fits(place + 1, held, drawn + 1):
            return True
        return not covers[shown.code] & held and fits(place + 1, held | 1 << shown.code, drawn)

    return fits(0, turn.held, 0)


def _fault(turn: Turn, proof: tuple[Card, ...]) -> Fault:
    reset, both = turn.verb == "reset", len(proof) == 2
    if reset and both:
        pattern = later("{seat} put a card aside on {centre}, yet it must have held {cards}, which cover them.")
    elif reset:
        pattern = later("{seat} put a card aside on {centre}, yet it must have held two of {cards} that cover them.")
    elif both:
        pattern = later("{seat} passed on {centre}, yet it must have held {cards}, which cover them.")
    else:
        pattern = later("{seat} passed on {centre}, yet it must have held two of {cards} that cover them.")
    text = tell(pattern, seat=Seat(turn.seat), centre=turn.centre, cards=proof)
    return Fault("wrong-reset" if reset else "wrong-pass", turn.seat, proof, turn.at, None, text)
