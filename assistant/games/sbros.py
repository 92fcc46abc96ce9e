"""Sbros for two players: the position, what may be done in it, and what follows.

The rule numbers are those of the game's rule text, ``seeds/sbros.md``. Hands and stock are hidden, so a hand is a bag
of cards that are known, known by rank, or unknown; what nobody can have is refused, what somebody may have is allowed.
A deal of which every card is known lists in its set-up, after the six cards dealt to a seat, those that it draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from assistant.cards import CARDS, RANKS, UNKNOWN, Card
from assistant.games.bag import Bag, rank_of, rank_only
from assistant.games.game import (
    Action,
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
from assistant.games.refusals import no_such_seat, no_such_verb, not_held
from assistant.games.sbros_covers import (
    RANK_CARDS,
    codes,
    could_be,
    covers_in,
    first_cover,
    pair_ranks,
    partners,
)
from assistant.games.sbros_offers import COVERS, RESETS, offered
from assistant.games.sbros_places import Places, Unheld
from assistant.games.sbros_proofs import wrong_turns
from assistant.games.sbros_setup import HAND, NAME, OPTIONS, Rules, dealt
from assistant.games.sbros_words import certain, told, why_not_covered
from assistant.told import Seat, Told, tell, tell_n

VERBS: Final = ("cover", "reset", "pass")


class Sbros:
    """The game; ``deal`` is the way in.

    >>> from assistant.cards import parse_cards
    >>> position = Sbros().deal(Setup(NAME, players=2, dealer=1, table=parse_cards("TS 3H")))
    >>> after = position.apply(Action.parse("2 cover TH 3D"))
    >>> after.to_act, after.observe().table, after.observe().hands[2], after.places.stock
    (1, (Card('TH'), Card('3D')), 6, 36)
    """

    name = NAME
    title = "Sbros"
    verbs = VERBS
    players = (2,)
    options = OPTIONS
    unit = "points"

    def shuffled(self, setup: Setup, pack: Sequence[Card]) -> Setup:
        """The set-up with a pack dealt out: six to each from the dealer's opponent, two in the centre (SBR-3)."""
        opponent = setup.left_of(setup.dealer)
        hands = {opponent: tuple(pack[0 : 2 * HAND : 2]), setup.dealer: tuple(pack[1 : 2 * HAND : 2])}
        return replace(setup, table=tuple(pack[2 * HAND : 2 * HAND + 2]), hands=dict(sorted(hands.items())))

    def deal(self, setup: Setup) -> SbrosPosition:
        """The position before the first action. Raises InvalidInput."""
        start = dealt(setup)
        places = Places.at_the_start(start.centre, start.hands, start.coming)
        return SbrosPosition(setup, start.rules, (), places, setup.left_of(setup.dealer))


GAME: Final[Game] = Sbros()


@dataclass(frozen=True, slots=True)
class SbrosPosition:
    """A deal at one moment.

    ``places`` says where the cards are, ``passes`` how many passes in a row were just made, ``emptied_by`` is the
    index of the action that emptied the stock, so brought the exchange; None before that.
    """

    setup: Setup
    rules: Rules
    actions: tuple[Action, ...]
    places: Places
    to_act: int | None
    passes: int = 0
    emptied_by: int | None = None

    @property
    def over(self) -> bool:
        """A hand is empty, or nobody can move any more (SBR-14)."""
        return self.to_act is None

    @property
    def exchanged(self) -> bool:
        """The stock is empty: the temporary discards were taken over, nobody draws any more (SBR-12, SBR-13)."""
        return not self.places.stock

    # What may be done

    def partners(self) -> tuple[int, ...]:
        """For each card put on the left centre card, those that may go on the right one with it (SBR-5)."""
        left, right = self.places.centre
        free = self.places.free
        return partners(could_be(left, free), could_be(right, free), self.rules.adjacent)

    def legal_actions(self) -> tuple[Action, ...]:
        """Every action that ``apply`` accepts now.

        Of a hand that is not wholly seen these are the covers that the centre offers, by rank where suits don't matter
        (``2 cover T? 3?``), and a reset or pass as long as no play is sure to be there.
        """
        seat = self.to_act
        if seat is None:
            return ()
        hand = self.places.hands[seat - 1]
        if hand.unknown or hand.partly:
            actions = offered(self.places, seat, self.rules.adjacent)
        else:
            covers = COVERS[seat]
            actions = [covers[left][right] for left, right in covers_in(hand.known, self.partners())]
        must_play = (self.rules.late_pass == "forced" or self.places.stock) and self.sure_play(hand)
        if not must_play:
            if not self.places.stock:
                actions.append(Action(seat, "pass"))
            else:
                resets = RESETS[seat]
                actions += [resets[card.code] for card in hand.kinds()]
        return tuple(actions)

    def sure_play(self, hand: Bag) -> tuple[Card, Card] | None:
        """A play that a hand surely holds, left then right; None where it may hold none."""
        left, right = self.places.centre
        if left.code < 52 and right.code < 52:
            play = first_cover(hand.known, self.partners()) if hand.known & hand.known - 1 else None
            if play is not None:
                return CARDS[play[0]], CARDS[play[1]]
            if not hand.partly:
                return None
        return self._sure_by_rank(hand)

    def _sure_by_rank(self, hand: Bag) -> tuple[Card, Card] | None:
        """A play of M1, M3 or M4, whatever the suits that are not known."""
        left, right = (rank_of(card) for card in self.places.centre)
        if left is None or right is None:
            return None
        if hand.count(left) > (left == right) and hand.count(right):
            return hand.of_rank(left)[0], hand.of_rank(right)[-1]
        pairs = pair_ranks(RANK_CARDS[left], RANK_CARDS[right])
        for code in codes(hand.paired()):
            if pairs >> (code >> 2) & 1:
                cards = hand.of_rank(code >> 2)
                return cards[0], cards[-1]
        return None

    # Doing it

    def apply(self, action: Action) -> SbrosPosition:
        """The position after the action. Raises IllegalAction or InvalidInput."""
        seat, verb = action.seat, action.verb
        if seat not in (1, 2):
            raise InvalidInput("no-such-seat", no_such_seat(seat, 2))
        if verb not in VERBS:
            raise InvalidInput("unknown-verb", no_such_verb("Sbros", verb, VERBS))
        if self.to_act is None:
            _refuse("deal-over", "SBR-14", tell("the deal is over"))
        if seat != self.to_act:
            reason = tell("it is {other}'s turn, not {seat}'s", other=Seat(self.to_act), seat=Seat(seat))
            _refuse("not-your-turn", "SBR-8", reason)
        if verb == "cover":
            return self._cover(action)
        return self._reset(action) if verb == "reset" else self._pass(action)

    def _cover(self, action: Action) -> SbrosPosition:
        seat, cards = action.seat, action.cards
        if len(cards) != 2:
            code = "one-card-placed" if len(cards) == 1 else "not-two-cards"
            reason = tell(
                "a play puts one card on each of {centre}, the left one first: two cards, not {number}",
                centre=self.places.centre,
                number=len(cards),
            )
            _refuse(code, "SBR-5", reason)
        first, second = cards
        if first is second and first.known:
            _refuse("same-card-twice", "SBR-5", tell("{card} is named for both centre cards", card=first))
        found = self.partners()
        if first.code < 52 and second.code < 52:
            self._must_hold(seat, first, second)
            if not found[first.code] >> second.code & 1:
                code, reason = why_not_covered(self.places.centre, (first, second), found, self.rules)
                _refuse(code, "SBR-5", reason)
        else:
            first, second = self._told_apart(seat, first, second, found)
        places = self.places.covered_by(seat, first, second)
        if isinstance(places, Unheld):
            self._not_in_hand(seat, places.card)
        return self._after(action, places, turn_done=True)

    def _told_apart(self, seat: int, first: Card, second: Card, found: tuple[int, ...]) -> tuple[Card, Card]:
        """Two cards, not both wholly known, as far as hand and centre tell what they are."""
        lefts, rights = (self.places.held_as(seat, card) for card in (first, second))
        for card, those in ((first, lefts), (second, rights)):
            if not those:
                self._not_in_hand(seat, card)
        fits_left = fits_right = 0
        for code in codes(lefts):
            fitting = found[code] & rights & ~(1 << code)
            if fitting:
                fits_left |= 1 << code
                fits_right |= fitting
        if not fits_left:
            values = {"first": first, "second": second, "seat": Seat(seat), "centre": self.places.centre}
            reason = tell("no {first} and {second} that {seat} may hold cover {centre}", **values)
            _refuse("does-not-cover", "SBR-5", reason)
        return _as_far_as_known(first, fits_left), _as_far_as_known(second, fits_right)

    def _reset(self, action: Action) -> SbrosPosition:
        seat, cards = action.seat, action.cards
        if not self.places.stock:
            reason = tell("the stock is empty: {seat} plays, or passes if it can't", seat=Seat(seat))
            _refuse("no-reset-now", "SBR-13", reason)
        if len(cards) != 1:
            _refuse("not-one-card", "SBR-9", tell("one card is put aside, not {number}", number=len(cards)))
        card = _as_far_as_known(cards[0], self.places.held_as(seat, cards[0]))
        places = self.places.put_aside(seat, card)
        if isinstance(places, Unheld):
            self._not_in_hand(seat, places.card)
        hand = self.places.hands[seat - 1]
        play = self.sure_play(hand)
        if play is None and card.known and not hand.known >> card.code & 1:
            play = self.sure_play(places.hands[seat - 1].add(card))
        if play is not None:
            self._play_possible(seat, "reset", "SBR-9", play)
        return self._after(action, places, turn_done=self.rules.reset_repeat == "one")

    def _pass(self, action: Action) -> SbrosPosition:
        seat = action.seat
        if action.cards:
            reason = tell("a pass names no cards, not {cards}", cards=action.cards)
            _refuse("pass-without-cards", "SBR-13", reason)
        if self.places.stock:
            reason = tell_n(
                "{n} card is in the stock: {seat} plays, or resets if it can't",
                "{n} cards are in the stock: {seat} plays, or resets if it can't",
                self.places.stock,
                seat=Seat(seat),
            )
            _refuse("no-pass-yet", "SBR-9", reason)
        play = self.sure_play(self.places.hands[seat - 1]) if self.rules.late_pass == "forced" else None
        if play is not None:
            self._play_possible(seat, "pass", "SBR-13", play)
        return self._after(action, self.places, turn_done=True)

    def _after(self, action: Action, places: Places, turn_done: bool) -> SbrosPosition:
        """The position after the action: cards drawn, the stock's end noticed, the turn passed on, the end seen."""
        seat, emptied_by, passes = action.seat, self.emptied_by, 0
        if places.stock:
            places = places.drawn_up(seat)
            if not places.stock:
                emptied_by = len(self.actions)
                places = places.merged(exchange=self.rules.merge == "exchange", face_up=self.rules.reset_face == "up")
        elif action.verb == "pass":
            passes = self.passes + 1
        if not places.stock:
            places = places.deduced()
        to_act: int | None = 3 - seat if turn_done else seat
        enough = 1 if self.rules.end_on_first_block == "yes" else 2
        if passes >= enough or (emptied_by is not None and not places.hands[seat - 1].size()):
            to_act = None
        return SbrosPosition(self.setup, self.rules, (*self.actions, action), places, to_act, passes, emptied_by)

    def _must_hold(self, seat: int, *cards: Card) -> None:
        """Refuse known cards that lie somewhere else than in the seat's hand."""
        for card in cards:
            if not self.places.held_as(seat, card):
                self._not_in_hand(seat, card)

    def _not_in_hand(self, seat: int, card: Card) -> NoReturn:
        _refuse("not-in-hand", "SBR-5", not_held(seat, card, self.places.place_of(card) if card.known else None))

    def _play_possible(self, seat: int, what: str, rule: str, play: tuple[Card, Card]) -> NoReturn:
        values = {"seat": Seat(seat), "cards": play, "centre": self.places.centre}
        if what == "pass":
            _refuse("play-possible", rule, tell("{seat} may not pass: their {cards} cover {centre}", **values))
        _refuse("play-possible", rule, tell("{seat} may not reset: their {cards} cover {centre}", **values))

    # What can be said about it

    def claims(self) -> tuple[Claim, ...]:
        """None: in this game nobody profits from another's mistake."""
        return ()

    def faults(self) -> tuple[Fault, ...]:
        """Resets and passes that are proved wrong by what came to light later (``wrong-reset``, ``wrong-pass``)."""
        return wrong_turns(self)

    def notices(self) -> tuple[Notice, ...]:
        """What is worth telling the table now: the exchange, who can't play, mistakes that are proved, the end."""
        return told(self)

    def facts(self) -> tuple[Fact, ...]:
        """What is certain: proved mistakes, what came by the exchange, hands known by elimination."""
        return certain(self)

    def observe(self) -> TableState:
        """The centre cards, the temporary discards as piles (unknown cards if face down), sizes of hands and stock."""
        places = self.places
        piles = places.resets
        if self.rules.reset_face == "down":
            piles = (UNKNOWN,) * len(piles[0]), (UNKNOWN,) * len(piles[1])
        hands = {1: places.hands[0].size(), 2: places.hands[1].size()}
        return TableState(places.centre, {1: piles[0], 2: piles[1]}, hands, (1, 2), places.stock)

    def unseen(self) -> Mapping[str, int]:
        """By rank, how many cards never lay face up: in stock and hands, put aside face down; no rank of none."""
        seen = self.places.seen_counts(face_up=self.rules.reset_face == "up")
        left = {name: 4 - (seen >> 4 * rank & 15) for rank, name in enumerate(RANKS)}
        return {rank: number for rank, number in left.items() if number}

    @property
    def next_dealer(self) -> int:
        """The other seat (SBR-2)."""
        return self.setup.left_of(self.setup.dealer)

    @property
    def winner(self) -> int | None:
        """The seat with fewer cards when the deal is over (SBR-14); None before that and if it is drawn."""
        first, second = (hand.size() for hand in self.places.hands)
        if self.to_act is not None or first == second:
            return None
        return 1 if first < second else 2

    def settlement(self) -> Mapping[str, Any] | None:
        """The result as the contract's JSON object; None while the deal is not over.

        A win scores one point, a draw a half (SBR-15); of a drawn deal there is no winner.
        """
        if self.to_act is not None:
            return None
        winner = self.winner
        seats = [
            {"seat": seat, "cards": hand.size(), "score": 0.5 if winner is None else int(seat == winner)}
            for seat, hand in enumerate(self.places.hands, 1)
        ]
        return {"winners": [] if winner is None else [winner], "seats": seats}


def _as_far_as_known(card: Card, those: int) -> Card:
    """A card that must be one of those: itself if there is only one, its rank if they are of one rank."""
    if card.known or not those:
        return card
    lowest = (those & -those).bit_length() - 1
    if those == 1 << lowest:
        return CARDS[lowest]
    if not card.rank and not those & ~RANK_CARDS[lowest >> 2]:
        return rank_only(lowest >> 2)
    return card


def _refuse(code: str, rule: str, reason: Told) -> NoReturn:
    raise IllegalAction(code, reason, rule)
