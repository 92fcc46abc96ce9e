"""Hints for Rolling Stone: every card that may be played is tried on deals that agree with what is seen.

What is certain is used: picked-up cards are located, who had to pick up has none of the suit but what he took. The
rest is guessed, the same for every card, and played on by careful players.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assistant.cards import SUITS, UNKNOWN, Card
from assistant.games import game_named
from assistant.games.game import Action, InvalidInput, Position
from assistant.games.rolling_stone import StonePosition
from assistant.games.stone_cards import SUIT_BITS, bits_of, cards_of, suit_of
from assistant.games.stone_policies import known_voids
from assistant.hints.hint import Hint, hand_not_known, seen_by
from assistant.hints.stone_playouts import Bits, Stones, Unseen, guesses, joined, play_out
from assistant.told import Seat, Suit, Told, tell


class StoneHinter:
    """Gives the hints."""

    def hints(self, position: Position, seat: int, rng: np.random.Generator, samples: int) -> tuple[Hint, ...]:
        """What the seat may play, best first; none where it is not its turn. Raises InvalidInput.

        A value is the share of the point that the seat can expect; under ``score=cards_left``, where cards count
        against their holder, the cards expected with a minus.
        """
        assert isinstance(position, StonePosition)
        if position.to_act != seat:
            return ()
        seen = seen_by(position, seat, _dealt_to(position, seat))
        assert isinstance(seen, StonePosition)
        actions = seen.legal_actions()
        afters = [seen.apply(action) for action in actions]
        going_on = [after for after in afters if not after.over]
        tried = _tried(seen, seat, going_on, rng, samples)
        hints = []
        for action, after in zip(actions, afters, strict=True):
            why = _why(seen, action)
            if after.over:
                hints.append(
                    Hint(action, _score(after, seat), 0.0, 0, True, tell("{why}; worked out to the end.", why=why))
                )
            else:
                value, spread = next(tried)
                hints.append(Hint(action, value, spread, samples, False, tell("{why}.", why=why)))
        return tuple(sorted(hints, key=lambda hint: -hint.value))

    def possible(self, position: Position, seat: int) -> frozenset[Card]:
        """The cards that the seat may hold: those that it surely holds, and what it may have among the unseen ones."""
        assert isinstance(position, StonePosition)
        return frozenset(cards_of(position.places.hands[seat - 1] | position.places.possible(seat)))

    def holding(self, position: Position, seat: int, cards: tuple[Card, ...]) -> StonePosition:
        """The same deal as the seat sees it that was dealt what leaves these cards in its hand."""
        assert isinstance(position, StonePosition)
        seen = seen_by(position, seat, _dealt_for(position, seat, bits_of(cards)))
        assert isinstance(seen, StonePosition)
        return seen

    def held(self, position: Position, seat: int) -> tuple[Card, ...]:
        """The cards of the seat's hand."""
        assert isinstance(position, StonePosition)
        sure = cards_of(position.places.hands[seat - 1])
        return (*sure, *(UNKNOWN,) * (position.sizes[seat - 1] - len(sure)))

    def offers(self, position: Position, seat: int) -> tuple[Action, ...]:
        """What the seat in turn may play; before its turn that depends on the cards still to come."""
        return position.legal_actions() if position.to_act == seat else ()


def _dealt_to(position: StonePosition, seat: int) -> tuple[Card, ...]:
    """The hand that the seat was dealt, from the record's head or from what it holds now and has played."""
    dealt = position.setup.hands.get(seat, ())
    if dealt and all(card.known for card in dealt):
        return dealt
    if any(slots.holder == seat for slots in position.places.slots):
        raise hand_not_known(seat)
    return _dealt_for(position, seat, position.places.hands[seat - 1])


def _dealt_for(position: StonePosition, seat: int, hand: int) -> tuple[Card, ...]:
    """The hand that the seat was dealt if it holds ``hand`` (as bits) now."""
    befores: list[Position] = [game_named(position.setup.game).deal(position.setup)]
    for action in position.actions:
        befores.append(befores[-1].apply(action))
    for before, action in zip(reversed(befores[:-1]), reversed(position.actions), strict=True):
        assert isinstance(before, StonePosition)
        if action.seat == seat and action.verb == "pick-up":
            hand &= ~bits_of(before.trick)
        elif action.seat == seat:
            hand |= bits_of(action.cards)
    cards = cards_of(hand)
    if len(cards) != befores[0].observe().hands[seat]:
        raise hand_not_known(seat)
    return cards


def _score(position: StonePosition, seat: int) -> float:
    """The seat's points in a deal that is over; cards that count against it are below nought."""
    settlement = position.settlement()
    assert settlement is not None
    score = float(next(one["score"] for one in settlement["seats"] if one["seat"] == seat))
    return score if position.rules.score == "points" else -score


def _tried(
    seen: StonePosition, seat: int, afters: list[StonePosition], rng: np.random.Generator, samples: int
) -> Iterator[tuple[float, float]]:
    """The value of each position that goes on, and its standard error."""
    if not afters:
        return
    guessed = _guessed(seen, rng, samples)
    starts = [_from_here(after, seat, guessed) for after in afters]
    scores = play_out(joined(starts), rng, repeats=len(starts)).scores()[seat - 1].reshape(len(starts), samples)
    for score in scores:
        yield float(score.mean()), float(score.std(ddof=1) / samples**0.5)


def _guessed(seen: StonePosition, rng: np.random.Generator, samples: int) -> Stones:
    known = seen.places.fair() or seen.places
    if any(slots.holder < 0 for slots in known.slots):
        raise InvalidInput("card-unread", tell("a card of the trick in the middle is not known: say first which it is"))
    cards = 0
    for slots in known.slots:
        cards |= slots.cards
    lots = [(max(slots.holder, 0) - 1, slots.cards, slots.number) for slots in known.slots] or [(-1, 0, 0)]
    columns = np.array(lots, np.int64).T[:, :, None]
    unseen = Unseen(np.array([cards], np.int64), *columns)
    one = _stones(seen, np.array([[hand] for hand in known.hands], np.int64))
    return guesses(one, unseen, samples, rng)


def _from_here(position: StonePosition, seat: int, guessed: Stones) -> Stones:
    hands = guessed.hands.copy()
    hands[seat - 1] = position.places.hands[seat - 1]
    return _stones(position, hands)


def _stones(position: StonePosition, hands: Bits) -> Stones:
    every = np.ones(hands.shape[1], np.int64)
    trick, players, step = bits_of(position.trick), position.setup.players, position.rules.step
    to_act = (position.to_act or 1) - 1
    back = len(position.trick) - next(
        (place for place, card in enumerate(position.trick) if bits_of([card]) == 1 << trick.bit_length() - 1), 0
    )
    return Stones(
        position.rules,
        hands,
        every * to_act,
        every * position.led,
        every * trick,
        every * ((to_act - step * back) % players),
        every * position.barred,
        every * position.run,
        every * position.leads,
        every * sum(1 << one - 1 for one in position.winners),
    )


def _why(position: StonePosition, action: Action) -> Told:
    """What speaks for or against an action, as a clause without its full stop."""
    own = position.places.hands[action.seat - 1]
    if action.verb == "pick-up":
        if own & position.led:
            return tell("Takes the trick though a card could follow")
        return tell("Nothing in hand can follow")
    card = bits_of(action.cards)
    suit = SUIT_BITS[suit_of(card)]
    if own == card:
        return tell("Your last card")
    if position.trick:
        if card > bits_of(position.trick):
            return tell("The highest card so far: if all follow you take the trick and lead next")
        return tell("Lower than what lies there, so another takes the trick and the higher cards stay for leading")
    held = own & suit
    void = sorted(seat for seat, lacking in known_voids(position) if lacking == suit_of(suit) and seat != action.seat)
    name = Suit(SUITS[suit_of(suit)])
    if void:
        seat = Seat(void[0])
        return tell("{seat} is known to have no {suit}, so the trick would be picked up", seat=seat, suit=name)
    if held == card:
        return tell("Your only card in {suit}: without it you can't follow them", suit=name)
    number = held.bit_count()
    longest = max((own & other).bit_count() for other in SUIT_BITS)
    if number == longest:
        return tell("From your longest suit, {number} {suit}", number=number, suit=name)
    return tell("From your shorter suit, {number} {suit}", number=number, suit=name)
