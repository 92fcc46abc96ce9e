"""What there is to say about a position of Sbros: why cards don't cover, what is certain, what is worth telling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from assistant.cards import RANKS, Card
from assistant.games.bag import Bag
from assistant.games.game import Fact, Notice
from assistant.games.sbros_setup import HAND, Rules
from assistant.told import Seat, Told, later, tell, tell_n

if TYPE_CHECKING:
    from assistant.games.sbros import SbrosPosition

_RULE_OF: Final = {"wrong-reset": "SBR-9", "wrong-pass": "SBR-13"}


def why_not_covered(
    centre: tuple[Card, Card], cards: tuple[Card, Card], partners: tuple[int, ...], rules: Rules
) -> tuple[str, Told]:
    """Why two known cards don't cover the centre: a code, and one plain sentence that names the cards."""
    (left, right), (first, second) = centre, cards
    values = {"first": first, "second": second, "left": left, "right": right}
    if partners[second.code] >> first.code & 1:
        pattern = later("{first} and {second} go the other way round: {second} on {left} and {first} on {right}")
        return "crosswise", tell(pattern, **values)
    if first.rank == second.rank:
        pattern = later(
            "the pair {first} and {second} does not lie strictly between {left} and {right}, which are no pair"
        )
        return "not-between", tell(pattern, **values)
    if first.suit == left.suit and second.suit == right.suit:
        steps = RANKS.find(first.rank) - RANKS.find(left.rank), RANKS.find(second.rank) - RANKS.find(right.rank)
        if steps[0] * steps[1] > 0:
            if steps[0] > 0:
                over = later("{first} and {second} are both over {left} and {right}: one must be over and one under")
                return "both-over", tell(over, **values)
            under = later("{first} and {second} are both under {left} and {right}: one must be over and one under")
            return "both-under", tell(under, **values)
        if rules.adjacent and steps[0] * steps[1] < 0:
            pattern = later("{first} and {second} are not the next ranks to {left} and {right} (m2_step=adjacent)")
            return "not-adjacent", tell(pattern, **values)
    pattern = later(
        "{first} and {second} do not cover {left} and {right}: neither same ranks, nor same suits over and under, "
        "nor a pair between them"
    )
    return "does-not-cover", tell(pattern, **values)


def certain(position: SbrosPosition) -> tuple[Fact, ...]:
    """What follows with certainty from what is known, most useful first."""
    facts = []
    for fault in position.faults():
        facts.append(Fact(fault.code, fault.text, _RULE_OF[fault.code], (fault.seat,), fault.cards))
    if not position.over:
        facts += _of_hands(position) if position.exchanged else _of_discards(position)
    return tuple(facts)


def _of_hands(position: SbrosPosition) -> Iterator[Fact]:
    """After the exchange: all cards are in the hands or lie open."""
    places = position.places
    for seat, hand in enumerate(places.hands, 1):
        if hand.unknown:
            kept = Bag(hand.known & places.taken[seat - 1].known).cards()
            if kept and position.rules.reset_face == "up":
                text = tell(
                    "{seat} holds {cards}: taken over at the exchange and not played since.",
                    seat=Seat(seat),
                    cards=kept,
                )
                yield Fact("holds", text, "SBR-12", (seat,), kept)
        elif hand.known and not _was_listed(position, seat):
            own = hand.cards()
            text = tell(
                "{seat} holds {cards}: the stock is empty and every other card is known.", seat=Seat(seat), cards=own
            )
            yield Fact("holds", text, "SBR-12", (seat,), own)
    if all(hand.unknown for hand in places.hands) and not places.placed.partly | places.placed.unknown:
        cards = Bag(places.free).cards()
        text = tell(
            "The two hands share {cards} between them: the stock is empty and every other card is known.", cards=cards
        )
        yield Fact("together", text, "SBR-12", (1, 2), cards)
    if any(hand.size() % 2 for hand in places.hands):
        odd = [seat for seat, hand in enumerate(places.hands, 1) if hand.size() % 2]
        pattern = (
            later(
                "Both hands hold an odd number of cards and two go with each play: so nobody with such a hand gets rid "
                "of all."
            )
            if len(odd) == 2
            else later(
                "{seat} holds an odd number of cards and two go with each play: so nobody with such a hand gets rid of "
                "all."
            )
        )
        text = tell(pattern, seat=Seat(odd[0]))
        yield Fact("no-going-out", text, "SBR-14", tuple(odd))


def _of_discards(position: SbrosPosition) -> Iterator[Fact]:
    """Before the exchange: who will take what."""
    if position.rules.reset_face == "down":
        return
    own = position.rules.merge == "own"
    for seat in (1, 2):
        pile = position.places.resets[seat - 1 if own else 2 - seat]
        if pile:
            text = tell("{seat} will take {cards} in hand when the stock is empty.", seat=Seat(seat), cards=pile)
            yield Fact("will-take", text, "SBR-12", (seat,), pile)


def _was_listed(position: SbrosPosition, seat: int) -> bool:
    """Whether the set-up itself tells every card that the seat was dealt or drew, so that nothing needs inferring."""
    listed = position.setup.hands.get(seat, ())
    left = sum(len(action.cards) for action in position.actions if action.seat == seat)
    giver = seat if position.rules.merge == "own" else 3 - seat
    taken = sum(action.verb == "reset" for action in position.actions if action.seat == giver)
    own = position.places.hands[seat - 1].size() + left - taken
    return len(listed) == own >= HAND and all(card.known for card in listed)


def told(position: SbrosPosition) -> tuple[Notice, ...]:
    """What is worth telling the table now. While it is played a referee tells of faults and the exchange alone, a
    silent one of nothing (SBR-16)."""
    level = position.rules.help
    if level == "silent" and position.to_act is not None:
        return ()
    notices = [
        Notice(fault.code, fault.text, _RULE_OF[fault.code], (fault.seat,), fault.cards) for fault in position.faults()
    ]
    if position.emptied_by is not None and position.emptied_by == len(position.actions) - 1:
        notices += _exchange(position)
    if position.to_act is None:
        return (*notices, _end(position))
    return (*notices, *(_turn(position, position.to_act) if level == "coach" else ()))


def _exchange(position: SbrosPosition) -> Iterator[Notice]:
    """The stock was just emptied: who takes what (SBR-12)."""
    own = position.rules.merge == "own"
    piles = {
        seat: tuple(card for one in position.actions if one.verb == "reset" and one.seat == seat for card in one.cards)
        for seat in (1, 2)
    }
    for seat in (1, 2):
        pile = piles[seat if own else 3 - seat]
        cards = pile if position.rules.reset_face == "up" else ()
        text = tell(_taking(own, bool(pile), bool(cards)), seat=Seat(seat), other=Seat(3 - seat), cards=cards)
        yield Notice("exchange", text, "SBR-12", (seat,), cards)


def _taking(own: bool, any_there: bool, shown: bool) -> str:
    """The pattern that says what a seat takes at the exchange."""
    if not any_there:
        return later("The stock is empty: there is no temporary discard for {seat} to take.")
    if own and shown:
        return later("The stock is empty: {seat} takes their own temporary discard ({cards}) in hand.")
    if own:
        return later("The stock is empty: {seat} takes their own temporary discard in hand.")
    if shown:
        return later("The stock is empty: {seat} takes {other}'s temporary discard ({cards}) in hand.")
    return later("The stock is empty: {seat} takes {other}'s temporary discard in hand.")


def _turn(position: SbrosPosition, seat: int) -> Iterator[Notice]:
    """What the seat in turn can't do, and how near the end is."""
    places = position.places
    hand = places.hands[seat - 1]
    values = {"seat": Seat(seat), "centre": places.centre}
    if not hand.unknown and not hand.partly and position.sure_play(hand) is None:
        if position.exchanged:
            text = tell("{seat} holds nothing that covers {centre}: it passes.", **values)
            yield Notice("must-pass", text, "SBR-13", (seat,))
        else:
            text = tell("{seat} holds nothing that covers {centre}: it puts one card aside.", **values)
            yield Notice("must-reset", text, "SBR-9", (seat,))
    if 0 < places.stock <= 2:
        text = tell_n(
            "The stock holds one card more: then the temporary discards are taken over.",
            "The stock holds two cards more: then the temporary discards are taken over.",
            places.stock,
        )
        yield Notice("stock-low", text, "SBR-12")
    if position.passes:
        other = Seat(3 - seat)
        text = tell("{other} passed: if {seat} passes as well, the deal is over.", other=other, seat=Seat(seat))
        yield Notice("one-pass", text, "SBR-14", (3 - seat,))


def _end(position: SbrosPosition) -> Notice:
    """Who has won, and how (SBR-14)."""
    sizes = {seat: hand.size() for seat, hand in enumerate(position.places.hands, 1)}
    winner = position.winner
    if winner is None:
        text = tell_n(
            "Nobody plays any more and both hold one card: the deal is drawn.",
            "Nobody plays any more and both hold {n} cards: the deal is drawn.",
            sizes[1],
        )
        return Notice("drawn", text, "SBR-14", (1, 2))
    if not sizes[winner]:
        text = tell("{seat} has played all their cards and wins.", seat=Seat(winner))
        return Notice("gone-out", text, "SBR-14", (winner,))
    text = tell_n(
        "Nobody plays any more: {seat} wins with {n} card against {other}.",
        "Nobody plays any more: {seat} wins with {n} cards against {other}.",
        sizes[winner],
        seat=Seat(winner),
        other=sizes[3 - winner],
    )
    return Notice("blocked", text, "SBR-14", (winner,))
