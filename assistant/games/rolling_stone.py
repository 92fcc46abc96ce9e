"""Rolling Stone for 4 to 6 players: the position, what may be done in it, and what follows.

The rule numbers are those of the game's rule text, ``seeds/rolling-stone.md``. Hands may be unseen: then a play is
refused only where what is known for certain rules it out, and a pick-up that was not honest shows as a fault as soon
as a card turns up that could have followed (RST-15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn

from assistant.cards import SUITS, UNKNOWN, Card
from assistant.games.game import (
    Action,
    AmbiguousInput,
    Claim,
    Fact,
    Fault,
    Game,
    IllegalAction,
    InvalidInput,
    Notice,
    Setup,
    TableState,
)
from assistant.games.refusals import no_such_seat, no_such_verb, not_held, other_turn
from assistant.games.stone_cards import (
    BIT_OF,
    CARD_AT,
    RANK_BITS,
    STRENGTH,
    SUIT_BITS,
    bits_of,
    cards_of,
    suit_of,
)
from assistant.games.stone_facts import facts_of, notices_of
from assistant.games.stone_hidden import Places, deduced
from assistant.games.stone_setup import NAME, OPTIONS, Rules, dealt, following, not_in_the_pack, rules_of
from assistant.told import Seat, Seats, Suit, Told, tell

VERBS: Final = ("play", "pick-up")


class RollingStone:
    """The game; ``deal`` is the way in.

    >>> position = RollingStone().deal(Setup(NAME, players=4, dealer=1))
    >>> for line in ("2 play 9C", "3 play JC", "4 pick-up"):
    ...     position = position.apply(Action.parse(line))
    >>> position.to_act, position.observe().hands, position.facts()[0].text
    (4, {1: 8, 2: 7, 3: 7, 4: 10}, 'Seat 4 holds 9C JC: picked up and not played since.')
    """

    name = NAME
    title = "Rolling Stone"
    verbs = VERBS
    players = (4, 5, 6)
    options = OPTIONS
    unit = "points"

    def shuffled(self, setup: Setup, pack: Sequence[Card]) -> Setup:
        """The set-up with a pack dealt out: one card at a time, eight to each, from eldest hand (RST-2, RST-5)."""
        rules = rules_of(setup)
        kept = [card for card in pack if BIT_OF[card.code] & rules.pack]
        hands: dict[int, tuple[Card, ...]] = {}
        seat = setup.dealer
        for first in range(setup.players):
            seat = following(setup, rules, seat)
            hands[seat] = tuple(kept[first :: setup.players])
        return replace(setup, table=(), hands=dict(sorted(hands.items())))

    def deal(self, setup: Setup) -> StonePosition:
        """The position before the first action. Raises InvalidInput."""
        rules = rules_of(setup)
        places = dealt(setup, rules)
        none = (0,) * setup.players
        piles: tuple[tuple[Card, ...], ...] = ((),) * setup.players
        begun = rules.under_way
        leader = following(setup, rules, setup.dealer) if begun is None else begun.leader
        sizes = rules.sizes(setup.players)
        return StonePosition(setup, rules, (), places, sizes, leader, none, piles, barred=rules.barred)


GAME: Final[Game] = RollingStone()


class PickUp(NamedTuple):
    """A forced pick-up: who, which suit (all its bits) was led, at which action, and the cards taken."""

    seat: int
    suit: int
    action: int
    cards: tuple[Card, ...]


class _Shown(NamedTuple):
    """What a turn leaves of the hidden hands, and the revokes it has brought to light."""

    places: Places
    picked: tuple[PickUp, ...]
    mistakes: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class StonePosition:
    """A deal at one moment; sets of cards are bits (``stone_cards``), tuples by seat begin with seat 1.

    ``places``: what is known of the hands; ``open_cards``: the picked-up cards in each hand, which everybody has seen;
    ``piles``: the completed tricks by who took them; ``trick`` and ``led``: the cards in the middle and the suit led;
    ``barred``: what may not be led now; ``played``: every card that has lain open; ``leads``: tricks begun;
    ``run``: pick-ups since a trick was last completed; ``picked``: the forced pick-ups that nothing has disproved.
    """

    setup: Setup
    rules: Rules
    actions: tuple[Action, ...]
    places: Places
    sizes: tuple[int, ...]
    to_act: int | None
    open_cards: tuple[int, ...]
    piles: tuple[tuple[Card, ...], ...]
    trick: tuple[Card, ...] = ()
    led: int = 0
    barred: int = 0
    played: int = 0
    leads: int = 0
    run: int = 0
    picked: tuple[PickUp, ...] = ()
    mistakes: tuple[Fault, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Somebody has won (RST-11), or the deal was stopped (RST-13)."""
        return self.to_act is None

    # What may be done

    @property
    def playable(self) -> int:
        """The cards that the seat in turn may play, as bits; of a hand that is not seen those that it may hold."""
        seat = self.to_act
        if seat is None:
            return 0
        known = self._fair()
        held = known.hands[seat - 1]
        if known.slots:
            held |= known.possible(seat)
        return held & self.led if self.trick else held & ~self.barred

    @property
    def may_pick_up(self) -> bool:
        """Whether the seat in turn may pick up (RST-8, RST-12); of a hand that is not seen: whether it may have to."""
        seat = self.to_act
        if seat is None or not self.trick:
            return False
        known = self._fair()
        return self._has_lead_left(known, seat) if self.rules.voluntary_pickup else known.may_lack(seat, self.led)

    def legal_actions(self) -> tuple[Action, ...]:
        """Every action that the seat in turn may take, as far as is known, pick-ups taken as honest.

        ``apply`` accepts these and, of an unseen hand, what would show that somebody's pick-up was a revoke.
        """
        seat = self.to_act
        if seat is None:
            return ()
        plays = _plays(seat, self.playable)
        return (*plays, _PICK_UPS[seat - 1]) if self.may_pick_up else plays

    def _fair(self) -> Places:
        """What is known if all pick-ups were honest; where they can't have been, what is known in any case."""
        places = self.places
        return (places.fair() or places) if places.slots else places

    def _has_lead_left(self, known: Places, seat: int) -> bool:
        """Whether a card would be left to lead after a pick-up (RST-12)."""
        held = known.hands[seat - 1] | known.possible(seat)
        return self.rules.lead_bar != "suit" or bool(held & ~self.led)

    # Doing it

    def apply(self, action: Action) -> StonePosition:
        """The position after the action. Raises IllegalAction, InvalidInput or AmbiguousInput."""
        seat, verb = action.seat, action.verb
        if seat != self.to_act:
            self._out_of_turn(action)
        if verb == "play":
            return self._play(action)
        if verb == "pick-up":
            return self._pick_up(action)
        raise InvalidInput("unknown-verb", no_such_verb("Rolling Stone", verb, VERBS), "RST-7")

    def _out_of_turn(self, action: Action) -> NoReturn:
        seat, turn, players = action.seat, self.to_act, self.setup.players
        if not 1 <= seat <= players:
            raise InvalidInput("no-such-seat", no_such_seat(seat, players), "RST-1")
        if action.verb not in VERBS:
            raise InvalidInput("unknown-verb", no_such_verb("Rolling Stone", action.verb, VERBS), "RST-7")
        if turn is None:
            reason = tell("'{action}' comes too late: {won} won the deal", action=action, won=Seats(self.winners))
            _refuse("deal-over", "RST-13" if min(self.sizes) > 0 else "RST-11", reason)
        if self.trick:
            _refuse("not-your-turn", "RST-6", other_turn(turn, action))
        if not self.actions:
            reason = tell(
                "{seat}, next to the dealer, leads first, so '{action}' can't be", seat=Seat(turn), action=action
            )
            _refuse("not-your-lead", "RST-6", reason)
        if self.actions[-1].verb == "pick-up":
            reason = tell(
                "{seat} picked the trick up, which ends it, and leads next, so '{action}' can't be",
                seat=Seat(turn),
                action=action,
            )
            _refuse("trick-is-over", "RST-8", reason)
        reason = tell("{seat} took the trick and leads next, so '{action}' can't be", seat=Seat(turn), action=action)
        _refuse("not-your-lead", "RST-10", reason)

    def _play(self, action: Action) -> StonePosition:
        seat = action.seat
        if len(action.cards) != 1:
            reason = tell("one card is played at a time, not {cards}", cards=action.cards or tell("none"))
            _refuse("one-card", "RST-7", reason)
        card = action.cards[0]
        bit = BIT_OF[card.code] or self._read(seat, card)
        places = self.places
        if not bit:
            honest = (places.hands[seat - 1] | places.fairly(seat)) & self.led
            after = (places if honest else places.disproved(seat, self.led)).put_unread(seat, self.led)
            return self._put_down(action, UNKNOWN, self._proved(places, after, seat, 0))
        card = CARD_AT[bit.bit_length() - 1]
        if not bit & places.hands[seat - 1] and not (places.slots and bit & places.possible(seat)):
            self._not_in_hand(seat, card)
        if self.trick:
            if not bit & self.led:
                self._off_suit(seat, card)
        elif bit & self.barred:
            what = _suit(bit) if self.rules.lead_bar == "suit" else tell("the cards")
            values = {"seat": Seat(seat), "what": what, "card": card}
            _refuse(
                "barred-lead", "RST-9", tell("{seat} has just picked {what} up and may not lead {card} now", **values)
            )
        after = places.without(seat, bit)
        if bit & places.hands[seat - 1]:
            return self._put_down(action, card, _Shown(after, self.picked, self.mistakes))
        return self._put_down(action, card, self._proved(places, after, seat, bit))

    def _read(self, seat: int, card: Card) -> int:
        """The bit of a card that is known in part, as far as the rules tell it; 0 if it stays one of several."""
        ranks = RANK_BITS[card.rank] if card.rank else -1
        if self.trick and card.rank:
            return ranks & self.led
        held = self.places.hands[seat - 1] | self.places.possible(seat)
        if self.trick:
            if not held & self.led:
                self._off_suit(seat, card)
            return _only(held & self.led)
        if card.rank and not ranks & held:
            self._not_in_hand(seat, card)
        leads = held & ranks & ~self.barred
        if not leads:
            reason = tell(
                "{seat} may not lead {card}: what it can be has just been picked up", seat=Seat(seat), card=card
            )
            _refuse("barred-lead", "RST-9", reason)
        if leads & (leads - 1):
            reason = tell(
                "{seat} leads {card}: write its suit, because the others must follow it", seat=Seat(seat), card=card
            )
            raise AmbiguousInput("suit-needed", reason, "RST-7")
        return leads

    def _proved(self, before: Places, after: Places, seat: int, bit: int) -> _Shown:
        """What follows from a card that was not located until the seat played it; a bit of 0 is an unread card.

        Whoever turns out to have held a card that an earlier pick-up denied has revoked (RST-15).
        """
        denied = (bit or self.led) & ~(before.fairly(seat) | before.hands[seat - 1])
        shown = [(seat, denied)] if denied == (bit or self.led) else []
        if bit and shown and self.rules.retract and not self.trick and self.actions[-1].verb == "pick-up":
            last = self.picked[-1]
            if last.action == len(self.actions) - 1 and last.suit & bit:
                values = {"seat": Seat(seat), "card": cards_of(bit)[0]}
                reason = tell("{seat} could have followed with {card}, so the pick-up is taken back first", **values)
                _refuse("pick-up-taken-back", "RST-15", reason)
        places = deduced(after)
        assert places is not None, "a card that may be in a hand can be played from it"
        for other, hand in enumerate(places.hands, 1):
            located = hand & ~after.hands[other - 1] & ~after.fairly(other)
            if located:
                shown.append((other, located))
        picked, mistakes = self.picked, self.mistakes
        for other, bits in shown:
            for suit in SUIT_BITS:
                if bits & suit:
                    places = places.disproved(other, suit)
                    false = [one for one in picked if one.seat == other and one.suit == suit]
                    cards = cards_of(bits & suit) if bit or other != seat else (UNKNOWN,)
                    mistakes += tuple([_revoke(one, cards) for one in false])
                    picked = tuple([one for one in picked if one not in false])
        return _Shown(places, picked, mistakes)

    def _put_down(self, action: Action, card: Card, shown: _Shown) -> StonePosition:
        """The position after a play: the trick goes on, is completed, or the deal is won."""
        seat, bit, rules, players = action.seat, BIT_OF[card.code], self.rules, self.setup.players
        trick = (*self.trick, card)
        left = self.sizes[seat - 1] - 1
        sizes = (*self.sizes[: seat - 1], left, *self.sizes[seat:])
        open_cards = self.open_cards
        gone = open_cards[seat - 1] & (bit or self.led)
        if gone:
            open_cards = (*open_cards[: seat - 1], open_cards[seat - 1] ^ gone, *open_cards[seat:])
        places, piles, run = shown.places, self.piles, self.run
        led = self.led or SUIT_BITS[suit_of(bit)]
        winners: tuple[int, ...] = ()
        leads = self.leads + (not self.trick)
        to_act: int | None = (seat - 1 + rules.step) % players + 1
        if not left and rules.end_moment == "last_card_played":
            winners = (seat,)
        elif len(trick) == players:
            taker, places = self._completed(seat, trick, places)
            piles = (*piles[: taker - 1], (*piles[taker - 1], *trick), *piles[taker:])
            trick, led, run, to_act = (), 0, 0, taker
            winners = self._ended(sizes, 0, leads)
        return StonePosition(
            self.setup,
            rules,
            (*self.actions, action),
            places,
            sizes,
            None if winners else to_act,
            open_cards,
            piles,
            trick,
            led,
            0,
            self.played | bit,
            leads,
            run,
            shown.picked,
            shown.mistakes,
            winners,
        )

    def _trick_seats(self, last: int, number: int) -> list[int]:
        """The seats of a trick's cards in their order; ``last`` has played the last one."""
        step, players = self.rules.step, self.setup.players
        return [(last - 1 - step * back) % players + 1 for back in range(number - 1, -1, -1)]

    def _completed(self, last: int, trick: tuple[Card, ...], places: Places) -> tuple[int, Places]:
        """Who takes a trick in which all have followed (RST-10), and the places when it is turned down."""
        seats = self._trick_seats(last, len(trick))
        best = bits_of(trick).bit_length()
        unread = [seat for seat, card in zip(seats, trick, strict=True) if not card.known]
        if not unread:
            return seats[trick.index(CARD_AT[best - 1])], places
        spans = {seat: BIT_OF[card.code] for seat, card in zip(seats, trick, strict=True)}
        spans |= {seat: places.possible(-seat) for seat in unread}
        for seat, bits in spans.items():
            if all(bits & -bits > other for one, other in spans.items() if one != seat):
                return seat, places.turned_down(unread)
        reason = tell(
            "who takes {cards} depends on the card that {seat} played: it must be known",
            cards=trick,
            seat=Seat(unread[0]),
        )
        raise AmbiguousInput("taker-unknown", reason, "RST-10")

    def _pick_up(self, action: Action) -> StonePosition:
        seat, rules, places, trick = action.seat, self.rules, self.places, self.trick
        if action.cards:
            reason = tell("a pick-up takes the whole trick and names no cards, not {cards}", cards=action.cards)
            raise InvalidInput("no-cards", reason, "RST-8")
        if not trick:
            rule = "RST-12" if rules.voluntary_pickup else "RST-8"
            _refuse("nothing-to-pick-up", rule, tell("no card lies on the table: {seat} must lead", seat=Seat(seat)))
        picked, lacking = self.picked, 0
        if rules.voluntary_pickup:
            if not self._has_lead_left(places, seat):
                reason = tell(
                    "{seat} holds nothing but {suit}, so after picking up it could lead nothing",
                    seat=Seat(seat),
                    suit=_suit(self.led),
                )
                _refuse("no-lead-left", "RST-12", reason)
        elif places.may_lack(seat, self.led):
            picked, lacking = (*picked, PickUp(seat, self.led, len(self.actions), trick)), self.led
        else:
            self._must_follow(seat)
        taken = bits_of(trick)
        unread: tuple[int, ...] = ()
        if taken.bit_count() < len(trick):
            before = (seat - 1 - rules.step) % self.setup.players + 1
            seats = self._trick_seats(before, len(trick))
            unread = tuple(one for one, card in zip(seats, trick, strict=True) if not card.known)
        places = places.picked_up(seat, taken, lacking=lacking, unread=unread)
        sizes = (*self.sizes[: seat - 1], self.sizes[seat - 1] + len(trick), *self.sizes[seat:])
        open_cards = self.open_cards
        barred = self.led if rules.lead_bar == "suit" else taken if rules.lead_bar == "cards" else 0
        winners = self._ended(sizes, self.run + 1, self.leads)
        return StonePosition(
            self.setup,
            rules,
            (*self.actions, action),
            places,
            sizes,
            None if winners else seat,
            (*open_cards[: seat - 1], open_cards[seat - 1] | taken, *open_cards[seat:]),
            self.piles,
            (),
            0,
            barred,
            self.played,
            self.leads,
            self.run + 1,
            picked,
            self.mistakes,
            winners,
        )

    def _ended(self, sizes: tuple[int, ...], run: int, leads: int) -> tuple[int, ...]:
        """Who has won now that a trick is over: who is rid of all (RST-11), or at a stop the fewest cards (RST-13)."""
        rules, fewest = self.rules, min(sizes)
        stopped = 0 < rules.most_pickups <= run or 0 < rules.most_leads <= leads
        if fewest and not stopped:
            return ()
        return tuple([seat for seat, size in enumerate(sizes, 1) if size == fewest])

    # What is refused

    def _not_in_hand(self, seat: int, card: Card) -> NoReturn:
        bit = BIT_OF[card.code]
        if not RANK_BITS[card.rank] & self.rules.pack:
            _refuse("wrong-pack", "RST-2", not_in_the_pack(self.setup.players, card))
        rule, place = "RST-7", None
        if card in self.trick:
            place = tell("on the table")
        elif bit & self.played and not any(bit & hand for hand in self.places.hands):
            if not any(bit & slots.cards for slots in self.places.slots):
                rule, place = "RST-10", tell("out of play")
        else:
            holders = (at for at, hand in enumerate(self.places.hands, 1) if bit & hand)
            place = next((tell("in the hand of {seat}", seat=Seat(at)) for at in holders), None)
        _refuse("not-in-hand", rule, not_held(seat, card, place))

    def _must_follow(self, seat: int) -> NoReturn:
        sure = cards_of(self.places.hands[seat - 1] & self.led)
        held = sure or tell("some {suit}", suit=_suit(self.led))
        values = {"seat": Seat(seat), "trick": self.trick, "held": held}
        reason = tell("{seat} may not pick up {trick}: it holds {held} and must follow", **values)
        _refuse("must-follow", "RST-7", reason)

    def _off_suit(self, seat: int, card: Card) -> NoReturn:
        suit, fair = _suit(self.led), self._fair()
        sure = cards_of(fair.hands[seat - 1] & self.led)
        if sure:
            values = {"suit": suit, "seat": Seat(seat), "held": sure, "card": card}
            reason = tell("{suit} are led and {seat} holds {held}, so {card} may not be played", **values)
            _refuse("must-follow", "RST-7", reason)
        if not fair.possible(seat) & self.led:
            values = {"suit": suit, "seat": Seat(seat), "card": card, "trick": self.trick}
            reason = tell("{suit} are led and {seat} has none: instead of playing {card} it picks {trick} up", **values)
            _refuse("must-pick-up", "RST-8", reason)
        values = {"card": card, "led": self.trick[0], "seat": Seat(seat), "suit": suit}
        reason = tell("{card} does not follow {led}: {seat} plays one of the {suit} or else picks up", **values)
        _refuse("off-suit", "RST-7", reason)

    # What can be said about it

    def claims(self) -> tuple[Claim, ...]:
        """None: nobody profits from another's mistake in Rolling Stone."""
        return ()

    def faults(self) -> tuple[Fault, ...]:
        """The revokes that have been proved (RST-15), each at the pick-up that was one."""
        return self.mistakes

    def notices(self) -> tuple[Notice, ...]:
        """What is worth telling the table now: see ``stone_facts``."""
        return notices_of(self)

    def facts(self) -> tuple[Fact, ...]:
        """What is certain without having been said: see ``stone_facts``."""
        return facts_of(self)

    def known(self) -> Places:
        """What is known of the hands: sure cards and, for the rest, what each may be. Pick-ups are taken as honest.

        Where they can't have been, it is what is known in any case.
        """
        return self._fair()

    def observe(self) -> TableState:
        """What lies face up, the tricks taken, and the sizes of the hands."""
        return TableState(
            self.trick,
            dict(enumerate(self.piles, 1)),
            dict(enumerate(self.sizes, 1)),
            tuple(range(1, self.setup.players + 1)),
        )

    def unseen(self) -> Mapping[str, int]:
        """By rank, how many cards have never lain open; ranks with none left out."""
        left = self.rules.pack & ~self.played
        counts = {rank: (left & RANK_BITS[rank]).bit_count() for rank in reversed(STRENGTH)}
        return {rank: count for rank, count in counts.items() if count}

    def settlement(self) -> Mapping[str, Any] | None:
        """Who won and each seat's cards and score (RST-14); None while the deal is not over.

        The winners share one point, or under ``score=cards_left`` the others count the cards that they hold.
        """
        if self.to_act is not None:
            return None
        share = 1 if len(self.winners) == 1 else 1 / len(self.winners)
        seats = []
        for seat, cards in enumerate(self.sizes, 1):
            won = seat in self.winners
            score = (share if won else 0) if self.rules.score == "points" else 0 if won else cards
            seats.append({"seat": seat, "cards": cards, "score": score})
        return {"winners": list(self.winners), "seats": seats}

    @property
    def next_dealer(self) -> int:
        """The next seat in the direction of play (RST-4); under ``dealer_next=winner`` the (next) winner."""
        seat = following(self.setup, self.rules, self.setup.dealer)
        while self.rules.dealer_next == "winner" and self.winners and seat not in self.winners:
            seat = following(self.setup, self.rules, seat)
        return seat


_PLAYS: Final = tuple(tuple(Action(seat, "play", (card,)) for card in CARD_AT) for seat in range(1, 7))
_PICK_UPS: Final = tuple(Action(seat, "pick-up") for seat in range(1, 7))


@lru_cache(maxsize=1 << 14)
def _plays(seat: int, bits: int) -> tuple[Action, ...]:
    plays = _PLAYS[seat - 1]
    return tuple(plays[place] for place in range(bits.bit_length()) if bits >> place & 1)


def _revoke(one: PickUp, cards: tuple[Card, ...]) -> Fault:
    held = tell("a card of the suit") if cards == (UNKNOWN,) else cards
    values = {"seat": Seat(one.seat), "taken": one.cards, "held": held}
    text = tell("{seat} picked up {taken} and could have followed: {held} was in the hand.", **values)
    return Fault("revoke", one.seat, cards, one.action, None, text)


def _refuse(code: str, rule: str, reason: Told) -> NoReturn:
    raise IllegalAction(code, reason, rule)


def _only(bits: int) -> int:
    """The bit, if it is a single one, else 0."""
    return 0 if bits & (bits - 1) else bits


def _suit(bits: int) -> Suit:
    return Suit(SUITS[suit_of(bits)])
