"""Laugh and Lie Down for 3 to 6 players: the position, what may be done in it, and what follows.

The rule numbers are those of the game's rule text, ``seeds/laugh-and-lie-down.md``. Only ranks matter, so a card
that is known in part counts as soon as its rank is known; a hand may be wholly unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, NoReturn

from assistant.cards import RANKS, Card
from assistant.games.bag import Bag, rank_of, rank_only
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
from assistant.games.laugh_facts import facts_of
from assistant.games.laugh_mistakes import RULE_OF, Mistake, on_lying_down, still_open
from assistant.games.laugh_setup import NAME, OPTIONS, Rules, dealt, rules_of
from assistant.games.refusals import no_such_seat, no_such_verb, not_held, other_turn, some, uncalled
from assistant.games.settlement import SCALES, settle
from assistant.games.whereabouts import Whereabouts
from assistant.told import Rank, Seat, Told, tell, tell_n

_ONES: Final = int("1" * 13, 16)
RULE_OF_VERB: Final = {"take": "LLD-7", "lay": "LLD-9", "mate": "LLD-13", "lie-down": "LLD-18", "claim": "LLD-28"}
VERBS: Final = tuple(RULE_OF_VERB)


class LaughAndLieDown:
    """The game; ``deal`` is the way in.

    >>> from assistant.cards import parse_cards
    >>> table = parse_cards("2S 2C 3S 4H 5S 7S 8S 8D 8C TS JH KS")
    >>> position = LaughAndLieDown().deal(Setup(NAME, players=5, dealer=1, table=table))
    >>> after = position.apply(Action.parse("2 mate 4? 4H"))
    >>> after.to_act, after.observe().piles[2], after.observe().hands[2]
    (3, (Card('4?'), Card('4H')), 7)
    """

    name = NAME
    title = "Laugh and Lie Down"
    verbs = VERBS
    players = tuple(SCALES)
    options = OPTIONS
    unit = "stakes"

    def shuffled(self, setup: Setup, pack: Sequence[Card]) -> Setup:
        """The set-up with a pack dealt out: one card at a time from the dealer's left, the rest face up (LLD-5, 6)."""
        scale = rules_of(setup).scale
        order = [(setup.dealer + step) % setup.players + 1 for step in range(setup.players)]
        dealt_out = setup.players * scale.hand
        hands = {seat: tuple(pack[first : dealt_out : setup.players]) for first, seat in enumerate(order)}
        return replace(setup, table=tuple(pack[dealt_out:]), hands=dict(sorted(hands.items())))

    def deal(self, setup: Setup) -> LaughPosition:
        """The position before the first action. Raises InvalidInput."""
        start = dealt(setup)
        piles: tuple[tuple[Card, ...], ...] = ((),) * setup.players
        seats = tuple(range(1, setup.players + 1))
        places = Whereabouts(start.table, start.hands, piles).deduced()
        return LaughPosition(setup, start.rules, (), places, seats, setup.dealer % setup.players + 1)


GAME: Final[Game] = LaughAndLieDown()


@dataclass(frozen=True, slots=True)
class LaughPosition:
    """A deal at one moment.

    ``places`` says where the cards are, ``active`` which seats are still in. ``turns`` counts mates and lie-downs,
    ``laid`` holds (seat, rank) of the sets laid from hands, ``again`` is the seat that may mate once more under
    ``mates_per_turn=many``.
    """

    setup: Setup
    rules: Rules
    actions: tuple[Action, ...]
    places: Whereabouts
    active: tuple[int, ...]
    to_act: int | None
    turns: int = 0
    mistakes: tuple[Mistake, ...] = ()
    laid: frozenset[tuple[int, int]] = frozenset()
    last_mater: int | None = None
    again: int | None = None

    @property
    def over(self) -> bool:
        """Only one player is in (LLD-21). Open claims may still be made until the sweep (LLD-23)."""
        return self.to_act is None

    @property
    def last_in(self) -> int | None:
        """The one player left, None while the deal goes on."""
        return self.active[0] if self.to_act is None else None

    # What may be done

    def legal_actions(self) -> tuple[Action, ...]:
        """Every action that ``apply`` accepts now, claims apart.

        Of a hand that is not seen these are the mates that the table offers (``2 mate K? KS``) and lying down; sets
        that may lie unseen in a hand are not listed, though ``apply`` accepts them where the cards allow it.
        """
        seat = self.to_act
        if seat is None:
            return ()
        actions: list[Action] = []
        if self.again is not None:
            self._add_mates(self.again, actions)
        self._add_mates(seat, actions)
        hand = self.places.hands[seat - 1]
        if self.rules.missed_mate != "take_back" or not self._mates_of(hand):
            actions.append(Action(seat, "lie-down", hand.cards()))
        if not self.turns:
            mournivals = [self.places.table.of_rank(rank) for rank in self._table_mournivals()]
            actions.extend([Action(self.setup.dealer, "take", cards) for cards in mournivals])
        for other in self.active:
            self._add_lays(other, actions)
        return tuple(actions)

    def _add_mates(self, seat: int, actions: list[Action]) -> None:
        hand, table = self.places.hands[seat - 1], self.places.table
        room = self.places.unplaced()[1] if hand.unknown else 0
        held, lying = hand.counts() | room, table.counts()
        shift = 0
        while lying >> shift:
            number = lying >> shift & 15
            if number and number < 4 and held >> shift & 15:
                rank = shift >> 2
                on_table = table.of_rank(rank)
                cards = list(dict.fromkeys(hand.of_rank(rank)))
                if room >> shift & 15 and rank_only(rank) not in cards:
                    cards.append(rank_only(rank))
                for card in cards:
                    if number == 3:
                        actions.append(Action(seat, "mate", (card, *on_table)))
                    if number < 3 or self.rules.prial_take != "auto_three":
                        actions.extend([Action(seat, "mate", (card, other)) for other in dict.fromkeys(on_table)])
            shift += 4

    def _add_lays(self, seat: int, actions: list[Action]) -> None:
        hand = self.places.hands[seat - 1]
        held, won = hand.counts(), self.places.won.counts()
        pairs = held & _ONES * 14  # two or more of a rank set one of the upper three of its four bits
        while pairs:
            rank = ((pairs & -pairs).bit_length() - 1) >> 2
            pairs &= ~(15 << 4 * rank)
            number = held >> 4 * rank & 15
            dead = won >> 4 * rank & 15 == 2
            if (number < 3 and not dead) or not self._lay_in_time(seat, rank, dead):
                continue
            cards = hand.of_rank(rank)
            if number == 4:
                actions.append(Action(seat, "lay", cards))
            actions.extend([Action(seat, "lay", pair) for pair in dict.fromkeys(combinations(cards, 2))])

    def _mates_of(self, hand: Bag) -> int:
        """The ranks, four bits each, of which the hand surely holds a card that can be mated; 0 if there are none."""
        held, lying = hand.counts(), self.places.table.counts()
        holds = (held | held >> 1 | held >> 2) & _ONES
        can_be_mated = (lying | lying >> 1) & ~(lying >> 2) & _ONES
        return (holds & can_be_mated) * 15

    def _table_mournivals(self) -> tuple[int, ...]:
        fours = self.places.table.counts() >> 2 & _ONES
        return tuple(rank for rank in range(13) if fours >> 4 * rank & 1) if fours else ()

    def _lay_in_time(self, seat: int, rank: int, dead: bool) -> bool:
        """Whether the option ``lay_window`` still allows the lay (LLD-10)."""
        window = self.rules.lay_window
        if window == "until_lie_down":
            return True
        if window == "before_first_turn":
            return dead or not self.turns
        since = own_turn = -1
        won = 0
        for index, action in enumerate(self.actions):
            if dead and won < 2 and action.verb != "lie-down" and rank in map(rank_of, action.cards):
                won += len(action.cards)
                since = index
            if action.seat == seat and action.verb == "mate":
                own_turn = index
        return own_turn <= since

    # Doing it

    def apply(self, action: Action) -> LaughPosition:
        """The position after the action. Raises IllegalAction, InvalidInput or AmbiguousInput."""
        seat, verb = action.seat, action.verb
        if not 1 <= seat <= self.setup.players:
            raise InvalidInput("no-such-seat", no_such_seat(seat, self.setup.players), "LLD-2")
        if verb == "claim":
            return self._claim(action)
        if verb not in VERBS:
            raise InvalidInput("unknown-verb", no_such_verb("Laugh and Lie Down", verb, VERBS), "LLD-20")
        if self.to_act is None:
            last = Seat(self.active[0])
            _refuse(
                "deal-over",
                "LLD-21",
                tell("'{action}' comes too late: {last} is the last one in", action=action, last=last),
            )
        if verb == "take":
            return self._take(action)
        if seat not in self.active:
            reason = tell("{seat} is out for this deal, so '{action}' can't be", seat=Seat(seat), action=action)
            _refuse("lies-down-already", "LLD-18", reason)
        if verb == "lay":
            return self._lay(action)
        if seat != self.to_act and (verb != "mate" or seat != self.again):
            _refuse("not-your-turn", "LLD-20", other_turn(self.to_act, action))
        return self._mate(action) if verb == "mate" else self._lie_down(action)

    def _mate(self, action: Action) -> LaughPosition:
        seat, cards = action.seat, action.cards
        if not 2 <= len(cards) <= 4:
            reason = tell(
                "a mate is one hand card, then the one or three that it takes, not {cards}", cards=some(cards)
            )
            _refuse("one-or-three", "LLD-13", reason)
        rank = _one_rank(action)
        name = Rank(RANKS[rank])
        places = self._from_table(action, cards[1:], rank, self._from_hand(action, cards[:1], rank))
        left = places.table.count(rank)
        if len(cards) == 3 and left:
            reason = tell("three {rank.many} lie on the table: a mate takes all three, never two", rank=name)
            _refuse("one-or-three", "LLD-16", reason)
        if len(cards) == 3:
            reason = tell("two {rank.many} lie on the table: a mate takes one of them, never both", rank=name)
            _refuse("one-of-two", "LLD-15", reason)
        short = len(cards) == 2 and left == 2
        if short and self.rules.prial_take == "auto_three":
            reason = tell("three {rank.many} lie on the table: a mate takes all three", rank=name)
            _refuse("take-all-three", "LLD-16", reason)
        mistakes = self._mistakes_after_turn(places.table)
        if short and self.rules.prial_take == "should_take_three":
            mistakes = (*mistakes, Mistake("C2", seat, rank, 2, len(self.actions), places.table.of_rank(rank)))
        again = seat if self.rules.mates_per_turn == "many" else None
        return self._after(action, places, mistakes, last_mater=seat, again=again)

    def _lie_down(self, action: Action) -> LaughPosition:
        seat = action.seat
        size = self.places.hands[seat - 1].size()
        if len(action.cards) != size:
            reason = tell(
                "{seat} holds {size} cards and lies down with all of them, not with {number}",
                seat=Seat(seat),
                size=size,
                number=len(action.cards),
            )
            _refuse("not-the-whole-hand", "LLD-18", reason)
        shown = self.places.shown(seat, action.cards)
        if isinstance(shown, Card):
            self._not_in_hand(action, shown)
        mates = self._mates_of(shown)
        if mates and self.rules.missed_mate == "take_back":
            rank = ((mates & -mates).bit_length() - 1) >> 2
            card, other = shown.of_rank(rank)[0], self.places.table.of_rank(rank)[0]
            values = {"seat": Seat(seat), "card": card, "other": other}
            reason = tell("{seat} may not lie down: {card} mates {other}, so the hand goes back to do it", **values)
            _refuse("mate-possible", "LLD-17", reason)
        before = self.places
        own = on_lying_down(seat, shown, before.table, before.won, self.laid, len(self.actions))
        places = before.hand_to_table(seat, shown)
        return self._after(action, places, (*self._mistakes_after_turn(places.table), *own))

    def _lay(self, action: Action) -> LaughPosition:
        seat, cards = action.seat, action.cards
        if len(cards) not in (2, 4):
            reason = tell("two or four cards of a rank are laid, not {cards}", cards=some(cards))
            _refuse("two-or-four", "LLD-9", reason)
        rank = _one_rank(action)
        dead = self.places.won.count(rank) == 2
        places = self._from_hand(action, cards, rank)
        if len(cards) == 2 and not dead:
            if self.places.at_most(seat, rank) < 3:
                values = {"seat": Seat(seat), "cards": cards, "rank": Rank(RANKS[rank])}
                reason = tell("{seat} may not lay {cards}: another of the {rank.many} could still meet them", **values)
                _refuse("can-still-be-mated", "LLD-9", reason)
            if not places.hands[seat - 1].count(rank):
                # Two of a rank are laid from three or four, so one of the unseen cards is of that rank.
                places = places.with_one_of(seat, rank)
        if not self._lay_in_time(seat, rank, dead):
            window = self.rules.lay_window
            reason = tell(
                "{seat} may not lay {cards} any more (lay_window={window})", seat=Seat(seat), cards=cards, window=window
            )
            _refuse("lay-too-late", "LLD-10", reason)
        return self._after(action, places, self.mistakes)

    def _take(self, action: Action) -> LaughPosition:
        seat, cards = action.seat, action.cards
        if seat != self.setup.dealer:
            dealer = Seat(self.setup.dealer)
            reason = tell(
                "only the dealer, {dealer}, takes a mournival from the table ({cards})",
                dealer=dealer,
                cards=some(cards),
            )
            _refuse("only-the-dealer", "LLD-7", reason)
        if len(cards) != 4:
            reason = tell("a mournival is four of a rank, not {cards}", cards=some(cards))
            _refuse("not-a-mournival", "LLD-7", reason)
        rank = _one_rank(action)
        if self.turns:
            reason = tell("eldest hand has acted, so the dealer may not take {cards} any more", cards=cards)
            _refuse("take-too-late", "LLD-8", reason)
        return self._after(action, self._from_table(action, cards, rank, self.places), self.mistakes)

    def _claim(self, action: Action) -> LaughPosition:
        seat, cards = action.seat, action.cards
        if not cards:
            _refuse("nothing-to-claim", "LLD-28", tell("a claim names the cards that are claimed"))
        rank = _one_rank(action)
        open_now = [mistake for mistake in self.mistakes if mistake.open and mistake.rank == rank]
        if not open_now:
            if not self.turns and rank in self._table_mournivals():
                reason = tell("until eldest hand has acted nobody but the dealer may have {cards}", cards=cards)
                _refuse("claim-too-early", "LLD-8", reason)
            _refuse("nothing-to-claim", "LLD-31", tell("no open mistake gives {cards} away", cards=cards))
        fitting = [mistake for mistake in open_now if mistake.need == len(cards)]
        if not fitting:
            number = open_now[0].need
            there = Rank(RANKS[rank])
            reason = tell(
                "{n} {rank.many} are there to be claimed, not {cards}", n=number, rank=there, cards=len(cards)
            )
            _refuse("wrong-number", "LLD-28", reason)
        mistake = next((one for one in fitting if one.seat != seat), None)
        if mistake is None:
            reason = tell("{seat} made the mistake and may not claim {cards} himself", seat=Seat(seat), cards=cards)
            _refuse("own-mistake", "LLD-29", reason)
        if self.rules.claimants == "in_only" and seat not in self.active:
            reason = tell("{seat} lies down, and only players still in may claim {cards}", seat=Seat(seat), cards=cards)
            _refuse("claimant-is-out", "LLD-29", reason)
        places = self._from_table(action, cards, rank, self.places)
        claimed = mistake._replace(open=False, claimed_by=seat, cards=places.piles[seat - 1][-len(cards) :])
        mistakes = tuple(claimed if one is mistake else one for one in self.mistakes)
        return self._after(action, places, still_open(mistakes, places.table))

    def _from_hand(self, action: Action, cards: tuple[Card, ...], rank: int) -> Whereabouts:
        places = self.places
        for card in cards:
            wanted = card if card.rank else rank_only(rank)
            after = places.hand_to_pile(action.seat, wanted)
            if after is None:
                self._not_in_hand(action, wanted)
            places = after
        return places

    def _from_table(self, action: Action, cards: tuple[Card, ...], rank: int, places: Whereabouts) -> Whereabouts:
        for card in cards:
            after = places.table_to_pile(action.seat, card if card.rank else rank_only(rank))
            if after is None:
                place = self.places.place_of(card) if card.known else None
                reason = tell("{card} does not lie on the table", card=card)
                if place:
                    reason = tell("{card} does not lie on the table; it is {place}", card=card, place=place)
                _refuse("not-on-the-table", RULE_OF_VERB[action.verb], reason)
            places = after
        return places

    def _not_in_hand(self, action: Action, card: Card) -> NoReturn:
        place = self.places.place_of(card) if card.known else None
        _refuse("not-in-hand", RULE_OF_VERB[action.verb], not_held(action.seat, card, place))

    def _mistakes_after_turn(self, table: Bag) -> tuple[Mistake, ...]:
        """The earlier mistakes as a mate or lie-down leaves them; the first one opens C1 (LLD-8)."""
        mistakes = self.mistakes
        if mistakes:
            if self.rules.claim_window == "until_next_action":
                mistakes = tuple(one._replace(open=False) for one in mistakes)
            mistakes = still_open(mistakes, table)
        if not self.turns:
            for rank in self._table_mournivals():
                cards = self.places.table.of_rank(rank)
                mistakes += (Mistake("C1", self.setup.dealer, rank, 4, len(self.actions), cards),)
        return mistakes

    def _after(
        self,
        action: Action,
        places: Whereabouts,
        mistakes: tuple[Mistake, ...],
        last_mater: int | None = None,
        again: int | None = None,
    ) -> LaughPosition:
        """The position after the action: the turn passed on, who is out, and what can be deduced deduced."""
        seat, verb = action.seat, action.verb
        is_turn = verb in ("mate", "lie-down")
        active, to_act = self.active, self.to_act
        turn_done = is_turn and seat == to_act
        at_once = self.rules.empty_hand == "out_at_once" and verb in ("mate", "lay")
        if verb == "lie-down" or (at_once and not places.hands[seat - 1].size()):
            active = tuple(one for one in active if one != seat)
            turn_done = turn_done or seat == to_act
            again = None
        if to_act is not None and len(active) == 1:
            to_act = None
        elif to_act is not None and turn_done:
            to_act = next((one for one in active if one > seat), active[0])
        if not is_turn:
            again = self.again if self.again in active else None
        laid = self.laid
        if verb == "lay":
            laid = laid | {(seat, _one_rank(action))}
        return LaughPosition(
            self.setup,
            self.rules,
            (*self.actions, action),
            places.deduced(),
            active,
            to_act,
            self.turns + is_turn,
            mistakes,
            laid,
            last_mater or self.last_mater,
            again,
        )

    # What can be said about it

    def claims(self) -> tuple[Claim, ...]:
        """The claims that are open now, oldest first (LLD-28 to LLD-30); also after the end, until the sweep."""
        claims = []
        for mistake in self.mistakes:
            if not mistake.open:
                continue
            left = [(mistake.seat + step - 1) % self.setup.players + 1 for step in range(1, self.setup.players)]
            claimants = tuple(seat for seat in left if self.rules.claimants == "anyone" or seat in self.active)
            if claimants:
                lying = self.places.table.of_rank(mistake.rank)
                own_first = sorted(lying, key=lambda card: card not in mistake.cards)
                now = mistake._replace(cards=tuple(own_first[: mistake.need]))
                claims.append(Claim(now.code, now.seat, now.cards, claimants, now.text()))
        return tuple(claims)

    def faults(self) -> tuple[Fault, ...]:
        """Every mistake made so far, claimed or not."""
        return tuple(
            Fault(one.code, one.seat, one.cards, one.action, one.claimed_by, one.told()) for one in self.mistakes
        )

    def notices(self) -> tuple[Notice, ...]:
        """What is worth telling the table now, as far as the option ``help`` lets the assistant speak (LLD-32).

        A coach tells of open claims, mournivals and pairs royal on the table, and sets that may be laid; a referee
        of mistakes that nobody called in time; a silent one of the end only.
        """
        if self.rules.help != "coach":
            return self._missed() + self._end()
        notices = [
            Notice(claim.code, claim.text, RULE_OF[claim.code], (claim.seat,), claim.cards) for claim in self.claims()
        ]
        if self.to_act is None:
            return (*notices, *self._end())
        table = self.places.table
        for rank, name in enumerate(map(Rank, RANKS)):
            number = table.count(rank)
            if number == 4 and not self.turns:
                text = tell(
                    "Four {rank.many} lie on the table: the dealer takes them before eldest hand acts.", rank=name
                )
                notices.append(Notice("mournival", text, "LLD-7", (self.setup.dealer,), table.of_rank(rank)))
            elif number == 3:
                text = tell("Three {rank.many} lie on the table: the fourth takes all three.", rank=name)
                notices.append(Notice("pair-royal", text, "LLD-16", (), table.of_rank(rank)))
        lays: list[Action] = []
        for seat in self.active:
            self._add_lays(seat, lays)
        best: dict[tuple[int, int | None], Action] = {}
        for lay in lays:
            best.setdefault((lay.seat, rank_of(lay.cards[0])), lay)
        for lay in best.values():
            text = tell("{seat} may lay {cards}.", seat=Seat(lay.seat), cards=lay.cards)
            notices.append(Notice("may-lay", text, "LLD-9", (lay.seat,), lay.cards))
        return tuple(notices)

    def _missed(self) -> tuple[Notice, ...]:
        if self.rules.help != "referee":
            return ()
        missed = [one for one in self.mistakes if not one.open and one.claimed_by is None]
        return tuple(
            Notice(one.code, uncalled(one.told()), RULE_OF[one.code], (one.seat,), one.cards) for one in missed
        )

    def _end(self) -> tuple[Notice, ...]:
        if self.to_act is not None:
            return ()
        last = self.active[0]
        swept = self.swept
        if swept:
            text = tell_n(
                "{seat} is the last one in; {cards} goes to the dealer.",
                "{seat} is the last one in; {cards} go to the dealer.",
                len(swept),
                seat=Seat(last),
                cards=swept,
            )
        else:
            text = tell("{seat} is the last one in; no card is left to go to the dealer.", seat=Seat(last))
        return (Notice("last-in", text, "LLD-22", (last,), swept),)

    def facts(self) -> tuple[Fact, ...]:
        """What is certain without having been said: see ``laugh_facts``."""
        return facts_of(self.setup, self.places, self.laid, self.over)

    def observe(self) -> TableState:
        """What lies face up, and the sizes of the hands. After the end: before the sweep."""
        return TableState(
            self.places.table.cards(),
            dict(enumerate(self.places.piles, 1)),
            {seat: hand.size() for seat, hand in enumerate(self.places.hands, 1)},
            self.active,
        )

    def unseen(self) -> Mapping[str, int]:
        """By rank, how many cards lie neither on the table nor in a pile, so are in hands; ranks with none left out."""
        placed = self.places.table.counts() + self.places.won.counts()
        left = {RANKS[rank]: 4 - (placed >> 4 * rank & 15) for rank in range(13)}
        return {rank: number for rank, number in left.items() if number}

    @property
    def next_dealer(self) -> int:
        """The dealer's left neighbour (LLD-3)."""
        return self.setup.left_of(self.setup.dealer)

    @property
    def swept(self) -> tuple[Card, ...]:
        """The cards that go to the dealer at the end (LLD-24), from the table and the last hand; before that none."""
        if self.to_act is not None:
            return ()
        cards = self.places.table.cards()
        for hand in self.places.hands:
            cards += hand.cards()
        return cards

    def settlement(self) -> Mapping[str, Any] | None:
        """The settlement as the contract's JSON object; None while the deal is not over. Open claims count as unmade.

        Under ``empty_hand=out_at_once`` the bonus goes to the player who made the last mate.
        """
        if self.to_act is not None:
            return None
        last = self.active[0]
        if self.rules.empty_hand == "out_at_once" and self.last_mater is not None:
            last = self.last_mater
        cards = {seat: len(pile) for seat, pile in enumerate(self.places.piles, 1)}
        cards[self.setup.dealer] += len(self.swept)
        return settle(self.rules.scale, self.setup.dealer, last, cards).as_json()


def _refuse(code: str, rule: str, reason: Told) -> NoReturn:
    raise IllegalAction(code, reason, rule)


def _one_rank(action: Action) -> int:
    """The one rank (0..12) of an action's cards, as far as they are known."""
    one: int | None = None
    for card in action.cards:
        rank = rank_of(card)
        if rank is None or rank == one:
            continue
        if one is not None:
            reason = tell("{cards} are not of one rank", cards=action.cards)
            _refuse("not-the-same-rank", RULE_OF_VERB[action.verb], reason)
        one = rank
    if one is None:
        reason = tell("{cards}: at least one card must be known by rank, such as 7?", cards=action.cards)
        raise AmbiguousInput("rank-needed", reason, RULE_OF_VERB[action.verb])
    return one
