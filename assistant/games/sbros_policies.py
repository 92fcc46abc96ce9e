"""Simple ways to play Sbros well: pure functions from what the seat in turn knows to what it does.

A policy looks at the hand of the seat in turn, at what lies or has lain open and at what the exchange has shown, never
into the other hand, even where the position knows it. Both kinds of play put the same card aside when nothing covers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from assistant.cards import CARDS
from assistant.games.bag import ALL_CARDS, Bag
from assistant.games.game import Action, InvalidInput
from assistant.games.sbros import SbrosPosition
from assistant.games.sbros_covers import RANK_CARDS, codes, covers_in, partners

Policy = Callable[[SbrosPosition], Action]
"""What the seat in turn does; its own hand and the centre must be known, and the deal not over."""


class Knowledge(NamedTuple):
    """What a seat knows of the cards, each set one bit a card: its hand, the cards that are surely in the other hand,
    and those of which the other hand holds ``hidden`` more."""

    hand: int
    theirs: int
    unseen: int
    hidden: int


def known_to(position: SbrosPosition, seat: int) -> Knowledge:
    """What a seat knows, whatever else the position knows. Raises InvalidInput where its hand is not wholly known.

    Both players know the cards that came by the exchange; with the stock empty a seat knows the other hand (SBR-12).
    """
    places = position.places
    mine, theirs = places.hands[seat - 1], places.hands[2 - seat]
    if mine.unknown or mine.partly:
        raise InvalidInput("hand-not-known", f"not every card in the hand of seat {seat} is known", "SBR-3")
    met = mine.known | places.covered.known | Bag.of((*places.centre, *places.resets[seat - 1])).known
    if position.rules.reset_face == "up":
        met |= Bag.of(places.resets[2 - seat]).known
    shared = places.taken[2 - seat].known & theirs.known
    unseen = ALL_CARDS & ~(met | shared)
    hidden = theirs.size() - shared.bit_count()
    if unseen.bit_count() == hidden:
        return Knowledge(mine.known, shared | unseen, 0, 0)
    return Knowledge(mine.known, shared, unseen, hidden)


def expected_replies(position: SbrosPosition, play: Action, knowledge: Knowledge) -> float:
    """How many plays the other hand holds on average once the play lies there: the mean over all hands it may be."""
    left, right = (card.code for card in play.cards)
    found = partners(1 << left, 1 << right, position.rules.adjacent)
    _, theirs, unseen, hidden = knowledge
    number = max(unseen.bit_count(), 1)
    one = hidden / number
    two = one * (hidden - 1) / max(number - 1, 1)
    sure = mixed = open_ = 0
    for code in codes(theirs):
        sure += (found[code] & theirs & ~(1 << code)).bit_count()
        mixed += (found[code] & unseen).bit_count()
    for code in codes(unseen):
        open_ += (found[code] & unseen & ~(1 << code)).bit_count()
        mixed += (found[code] & theirs).bit_count()
    return sure + one * mixed + two * open_


def fewest_replies(position: SbrosPosition) -> Action:
    """Cover so that the other can be expected to have the fewest plays; among equals with the narrowest gap."""
    seat, knowledge = _turn(position)
    plays = _plays(position, seat, knowledge)
    if not plays:
        return _no_play(position, seat, knowledge)
    return min(plays, key=lambda play: (expected_replies(position, play, knowledge), _gap(play)))


def narrow_gap(position: SbrosPosition) -> Action:
    """Cover so that few ranks lie between the two cards, but leave no pair: on a pair any pair goes (M4)."""
    seat, knowledge = _turn(position)
    plays = _plays(position, seat, knowledge)
    return min(plays, key=_gap) if plays else _no_play(position, seat, knowledge)


def to_put_aside(position: SbrosPosition, knowledge: Knowledge) -> int:
    """The code of the card to put aside when nothing covers: one that pairs with nothing.

    It goes to the other at the exchange, so it should not make a pair with one put aside before either, nor with a card
    that he is known to hold. With ``merge=own`` it comes back, and there a pair is welcome.
    """
    seat, hand = position.to_act, knowledge.hand
    assert seat is not None
    aside = Bag.of(position.places.resets[seat - 1]).known
    own = position.rules.merge == "own"

    def cost(code: int) -> tuple[int, int, int]:
        alike = RANK_CARDS[code >> 2]
        fed = (alike & (aside | knowledge.theirs)).bit_count()
        return (alike & hand).bit_count(), -fed if own else fed, code

    return min(codes(hand), key=cost)


def _turn(position: SbrosPosition) -> tuple[int, Knowledge]:
    seat = position.to_act
    assert seat is not None, "the deal is over"
    return seat, known_to(position, seat)


def _plays(position: SbrosPosition, seat: int, knowledge: Knowledge) -> list[Action]:
    found = position.partners()
    return [Action(seat, "cover", (CARDS[left], CARDS[right])) for left, right in covers_in(knowledge.hand, found)]


def _no_play(position: SbrosPosition, seat: int, knowledge: Knowledge) -> Action:
    if not position.places.stock:
        return Action(seat, "pass")
    return Action(seat, "reset", (CARDS[to_put_aside(position, knowledge)],))


def _gap(play: Action) -> int:
    """How wide a centre the play leaves: the ranks between its cards, a pair widest of all."""
    left, right = (card.code >> 2 for card in play.cards)
    return abs(left - right) if left != right else len(RANK_CARDS)


POLICIES: Final[Mapping[str, Policy]] = {"fewest-replies": fewest_replies, "narrow-gap": narrow_gap}
"""The policies by name, the best first."""
