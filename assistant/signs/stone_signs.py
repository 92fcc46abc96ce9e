"""What Rolling Stone shows on the table: the trick in the middle, and the last one until somebody has gathered it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from assistant.cards import Card
from assistant.events import Choice
from assistant.games.game import Action, GameError, Position, Setup
from assistant.games.stone_setup import NAME
from assistant.signs.difference import Difference, Slot
from assistant.signs.retelling import Teller
from assistant.signs.signs import Explanation, Glimpse, Misplay, Terms
from assistant.signs.stone_retelling import StoneTeller
from assistant.signs.stone_search import explain, played_unread
from assistant.signs.stone_tricks import MIDDLE, last_trick, wrong_seat
from assistant.signs.visitors import came_at, visitors
from assistant.told import Seat, tell
from assistant.view import SeenCard, TableView, Zone

SURE: Final = 0.9
"""What is read less surely than this is no proof that a rule was broken."""
_TOLD: Final = frozenset({"must-follow", "must-pick-up", "off-suit", "barred-lead", "wrong-pack"})
_GATHERED: Final = 6.0
"""Seconds from a trick's being gone from the middle to its lying face down somewhere."""


class StoneSigns:
    """See ``assistant.signs.signs.Signs``."""

    game = NAME
    deal_zones: tuple[Zone, ...] = ()
    shared = MIDDLE

    def deal_size(self, terms: Terms) -> int:
        """None: all cards are in the hands (RST-5)."""
        return 0

    def dealt(self, terms: Terms, cards: Sequence[SeenCard], view: TableView) -> Setup | None:
        """The deal shows nothing (RST-5); a table full of cards is in the middle of one."""
        if len(view.cards) > terms.players:
            return None
        return Setup(terms.game, terms.players, terms.dealer, (), {}, dict(terms.options), terms.names)

    def slots(self, position: Position) -> tuple[Slot, ...]:
        """The trick must show, near whomever its cards lie; the last one may lie there until it is gathered.

        Of the tricks turned down before, a card that is turned up to be looked at belongs to its pile.
        """
        if position.over:
            return ()
        state = position.observe()
        lingering = set(last_trick(position))
        trick = tuple(Slot(card, MIDDLE[0], anywhere=True) for card in state.table if card.known)
        piles = [(seat, card) for seat, pile in state.piles.items() for card in pile if card.known]
        won = tuple(Slot(card, Zone(seat), shows=False, anywhere=card in lingering) for seat, card in piles)
        return trick + won

    def certain(self, position: Position) -> tuple[Position, Choice]:
        """Nothing happens unseen."""
        return position, ()

    def explain(
        self,
        position: Position,
        difference: Difference,
        view: TableView,
        most: int = 3,
        arrived: Mapping[int, float] | None = None,
        gone: Sequence[Glimpse] = (),
    ) -> list[Explanation]:
        """See ``assistant.signs.stone_search.explain``."""
        return explain(position, difference, view, most, arrived, gone)

    def traceless(self, position: Position, view: TableView, gone: Sequence[Glimpse] = ()) -> list[Explanation]:
        """A play of a card that nobody can read."""
        return played_unread(position, view)

    def resting(self, position: Position) -> Choice:
        """Nothing: whoever acts shows or takes cards."""
        return ()

    def misplay(
        self, position: Position, difference: Difference, view: TableView, gone: Sequence[Glimpse] = ()
    ) -> Misplay | None:
        """A card that may not be played, one played out of turn, or a trick gathered by another than its winner.

        Where the trick is gone it was picked up, or nobody saw its last card: that proves nobody's turn yet. Nor does
        anything where several cards came and went that the game never heard of: a trick was missed.
        """
        if position.to_act is None or _missed_trick(position, gone):
            return None
        if not difference:
            return _wrongly_gathered(position, view, gone)
        trick = position.observe().table
        if trick and len(difference.missing) == len(trick):
            try:
                position = position.apply(Action(position.to_act or 0, "pick-up"))
            except GameError:
                return None
        elif difference.missing:
            return None
        gathered = bool(trick and difference.missing)
        told = (_misplayed(position, seen, view) for seen in difference.fresh)
        return next((one for one in told if one and not (gathered and one.seats != (position.to_act,))), None)

    def teller(self) -> Teller:
        """See ``assistant.signs.stone_retelling``."""
        return StoneTeller()

    def finished(self, position: Position, view: TableView) -> bool:
        """The last card ends the deal (RST-11)."""
        return position.over


def _missed_trick(position: Position, gone: Sequence[Glimpse]) -> bool:
    """Whether several cards came to the middle since the last action and went, and the game has none of them; one alone
    may be a misplay that was taken back."""
    state = position.observe()
    known = {*state.table, *(card for pile in state.piles.values() for card in pile)}
    clear = (one for one in gone if one.seen.card.known and one.seen.confidence >= SURE and one.seen.zone in MIDDLE)
    return len({one.seen.card for one in clear} - known) > 1


def _misplayed(position: Position, seen: SeenCard, view: TableView) -> Misplay | None:
    seat = position.to_act
    if seat is None or not seen.card.known or seen.confidence < SURE or seen.covered:
        return None
    other = wrong_seat(position, view, seat, came_at(seen))
    action = Action(seat if other is None else other, "play", (seen.card,))
    try:
        position.apply(action)
    except GameError as error:
        if other is None and error.code not in _TOLD:
            return None  # rather misread
        return Misplay(
            error.code,
            (action.seat,),
            action.cards,
            tell("{action}: {why}", action=action, why=error.reason),
            error.rule,
        )
    return None


def _wrongly_gathered(position: Position, view: TableView, gone: Sequence[Glimpse]) -> Misplay | None:
    """The trick lies face down beside another than the one who took it (RST-10)."""
    trick = last_trick(position)
    winner = next((seat for seat, pile in position.observe().piles.items() if trick and trick[-1] in pile), None)
    was = [glimpse for glimpse in gone if glimpse.seen.card in trick]
    if winner is None or len(was) < len(trick):
        return None
    when = max(glimpse.last for glimpse in was)
    hands = visitors(view, when, MIDDLE)
    new = {
        back.zone.seat
        for back in view.backs
        if back.zone is not None and not back.zone.part and when - 1.0 <= back.since <= when + _GATHERED
    } - {None}
    if not view.backs and all(hand.end is not None for hand in hands):
        # This pack's backs can't be seen on this ground; the hand that took the trick went to its own place.
        new = {hand.seat if Zone(hand.seat or 0) in hand.over else None for hand in hands}
    seat = next(iter(new), None)
    if len(new) != 1 or seat is None or winner in {seat, *(hand.seat for hand in hands)}:
        return None
    return _gathered_by(seat, winner, trick)


def _gathered_by(seat: int, winner: int, trick: tuple[Card, ...]) -> Misplay:
    text = tell(
        "{seat} has gathered {trick}, but {winner} played the highest card and takes the trick",
        seat=Seat(seat),
        trick=trick,
        winner=Seat(winner),
    )
    return Misplay("wrong-taker", (seat,), trick, text, "RST-10")
