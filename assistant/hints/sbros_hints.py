"""Hints for Sbros: exact once the stock is empty, before that every action is tried on deals that agree with what is
seen.

Of a play the two ways round lead to the same deal, for what covers a centre covers its mirror image the other way
round; so both have one value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from assistant.cards import Card
from assistant.games.bag import Bag
from assistant.games.game import Action, Position
from assistant.games.sbros import SbrosPosition
from assistant.games.sbros_policies import Knowledge, expected_replies, known_to
from assistant.hints.hint import Hint, hand_not_known
from assistant.hints.sbros_endgame import Unsolvable, ranked
from assistant.hints.sbros_playouts import Numbers, Pairs, guesses, joined, play_out, take_turn
from assistant.told import Told, tell, tell_n


class SbrosHinter:
    """Gives the hints."""

    def hints(self, position: Position, seat: int, rng: np.random.Generator, samples: int) -> tuple[Hint, ...]:
        """What the seat may do, best first; none where it is not its turn. Raises InvalidInput."""
        assert isinstance(position, SbrosPosition)
        if position.to_act != seat:
            return ()
        hand = position.places.hands[seat - 1]
        if hand.unknown or hand.partly:
            raise hand_not_known(seat)
        # What the record tells of the other hand is left out of it; with the stock empty the seat knows that hand.
        knowledge = known_to(position, seat)
        try:
            exact = ranked(position)
        except Unsolvable:
            return self._tried(position, knowledge, rng, samples)
        return tuple(
            Hint(
                action,
                value,
                0.0,
                0,
                True,
                tell("{why}; worked out to the end.", why=_why(position, action, knowledge)),
            )
            for action, value in exact
        )

    def possible(self, position: Position, seat: int) -> frozenset[Card]:
        """The cards that the seat may hold."""
        assert isinstance(position, SbrosPosition)
        could = position.places.could_hold(position.places.hands[seat - 1])
        return frozenset(Bag(could).cards())

    def holding(self, position: Position, seat: int, cards: tuple[Card, ...]) -> SbrosPosition:
        """The same deal in which the seat holds these cards; what it held before is not asked, for it draws unseen."""
        assert isinstance(position, SbrosPosition)
        places = position.places
        hand, placed = Bag.of(cards), places.placed
        before = places.hands[seat - 1]
        known = placed.known & ~before.known | hand.known
        placed = Bag(known, placed.partly - before.partly, placed.unknown)
        hands = (hand, places.hands[1]) if seat == 1 else (places.hands[0], hand)
        places = places._replace(hands=hands, placed=placed)
        return replace(position, places=places if places.stock else places.deduced())

    def held(self, position: Position, seat: int) -> tuple[Card, ...]:
        """The cards of the seat's hand."""
        assert isinstance(position, SbrosPosition)
        return position.places.hands[seat - 1].cards()

    def offers(self, position: Position, seat: int) -> tuple[Action, ...]:
        """What the seat may do; before its turn its covers of the centre as it lies."""
        assert isinstance(position, SbrosPosition)
        actions = replace(position, to_act=seat).legal_actions()
        return tuple(action for action in actions if position.to_act == seat or action.verb == "cover")

    def _tried(
        self, seen: SbrosPosition, knowledge: Knowledge, rng: np.random.Generator, samples: int
    ) -> tuple[Hint, ...]:
        kinds: dict[frozenset[Card], list[Action]] = {}
        for action in seen.legal_actions():
            kinds.setdefault(frozenset(action.cards), []).append(action)
        hints = []
        for (value, spread), actions in zip(
            _values(seen, list(kinds), knowledge, rng, samples), kinds.values(), strict=True
        ):
            for action in actions:
                hints.append(
                    Hint(action, value, spread, samples, False, tell("{why}.", why=_why(seen, action, knowledge)))
                )
        return tuple(sorted(hints, key=lambda hint: -hint.value))


def _values(
    seen: SbrosPosition, kinds: list[frozenset[Card]], knowledge: Knowledge, rng: np.random.Generator, samples: int
) -> Iterator[tuple[float, float]]:
    """The value of each kind of action, and its standard error."""
    seat = (seen.to_act or 1) - 1
    guessed = guesses(
        _pairs(seen, seat, knowledge),
        seat,
        np.array([knowledge.unseen], np.int64),
        np.array([knowledge.hidden]),
        samples,
        rng,
    )
    cards = np.array([sum(1 << card.code for card in kind) for kind in kinds], np.int64)
    starts = [take_turn(guessed, np.full(samples, one)) for one in cards]
    scores = play_out(joined(starts), rng, repeats=len(starts)).scores()[seat].reshape(len(starts), samples)
    for score in scores:
        yield float(score.mean()), float(score.std(ddof=1) / samples**0.5)


def _pairs(seen: SbrosPosition, seat: int, knowledge: Knowledge) -> Pairs:
    """What the seat of that index knows, as one deal."""
    places = seen.places
    one = np.zeros(1, np.int64)
    hands: Numbers = np.zeros((2, 1), np.int64)
    hands[seat], hands[1 - seat] = knowledge.hand, knowledge.theirs
    aside: Numbers = np.zeros((2, 1), np.int64)
    for other in (0, 1):
        if other == seat or seen.rules.reset_face == "up":
            aside[other] = sum(1 << card.code for card in places.resets[other] if card.known)
    low, high = sorted(card.code for card in places.centre)
    stock = np.zeros((1, places.stock), np.int64)
    return Pairs(seen.rules, hands, aside, one + 52 * low + high, stock, one, one + seat, one + seen.passes)


def _why(seen: SbrosPosition, action: Action, knowledge: Knowledge) -> Told:
    """What speaks for or against an action, as a clause without its full stop."""
    if action.verb == "pass":
        if len(seen.legal_actions()) == 1:
            return tell("Nothing in hand covers the centre")
        return tell("Keeps the cards back")
    if action.verb == "reset":
        alike = sum(1 for code in range(52) if knowledge.hand >> code & 1 and code >> 2 == action.cards[0].code >> 2)
        if seen.rules.merge == "own":
            return tell("It comes back when the stock is empty")
        if alike == 1:
            return tell("It pairs with nothing in hand, and the other gets it when the stock is empty")
        return tell("It breaks a pair in hand, and the other gets it when the stock is empty")
    replies = expected_replies(seen, action, knowledge)
    shown = round(replies, 1)
    left, right = (card.code >> 2 for card in action.cards)
    if left == right:
        return tell("Leaves a pair, on which any pair goes, and the other {replies} replies on average", replies=shown)
    gap = max(abs(left - right) - 1, 0)
    return tell_n(
        "Leaves a gap of {n} rank, and the other {replies} replies on average",
        "Leaves a gap of {n} ranks, and the other {replies} replies on average",
        gap,
        replies=shown,
    )
