"""What there is to say about a position of Sbros: why cards don't cover, what is certain, what is worth telling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from assistant.cards import RANKS, Card
from assistant.games.bag import Bag
from assistant.games.game import Fact, Notice
from assistant.games.sbros_setup import HAND, Rules

if TYPE_CHECKING:
    from assistant.games.sbros import SbrosPosition

_RULE_OF: Final = {"wrong-reset": "SBR-9", "wrong-pass": "SBR-13"}


def cards_text(cards: Iterable[Card]) -> str:
    """Cards in words: ``TS 3H``."""
    return " ".join(map(str, cards))


def why_not_covered(
    centre: tuple[Card, Card], cards: tuple[Card, Card], partners: tuple[int, ...], rules: Rules
) -> tuple[str, str]:
    """Why two known cards don't cover the centre: a code, and one plain sentence that names the cards."""
    (left, right), (first, second) = centre, cards
    names = f"{first} and {second}"
    if partners[second.code] >> first.code & 1:
        return "crosswise", f"{names} go the other way round: {second} on {left} and {first} on {right}"
    if first.rank == second.rank:
        return (
            "not-between",
            f"the pair {names} does not lie strictly between {left} and {right}, which are no pair",
        )
    if first.suit == left.suit and second.suit == right.suit:
        steps = RANKS.find(first.rank) - RANKS.find(left.rank), RANKS.find(second.rank) - RANKS.find(right.rank)
        if steps[0] * steps[1] > 0:
            side = "over" if steps[0] > 0 else "under"
            text = f"{names} are both {side} {left} and {right}: one must be over and one under"
            return f"both-{side}", text
        if rules.adjacent and steps[0] * steps[1] < 0:
            return "not-adjacent", f"{names} are not the next ranks to {left} and {right} (m2_step=adjacent)"
    return (
        "does-not-cover",
        f"{names} do not cover {left} and {right}: neither same ranks, nor same suits over and under, nor a pair "
        "between them",
    )


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
                text = f"Seat {seat} holds {cards_text(kept)}: taken over at the exchange and not played since."
                yield Fact("holds", text, "SBR-12", (seat,), kept)
        elif hand.known and not _was_listed(position, seat):
            text = f"Seat {seat} holds {cards_text(hand.cards())}: the stock is empty and every other card is known."
            yield Fact("holds", text, "SBR-12", (seat,), hand.cards())
    if all(hand.unknown for hand in places.hands) and not places.placed.partly | places.placed.unknown:
        cards = Bag(places.free).cards()
        text = (
            f"The two hands share {cards_text(cards)} between them: the stock is empty and every other card is known."
        )
        yield Fact("together", text, "SBR-12", (1, 2), cards)
    if any(hand.size() % 2 for hand in places.hands):
        odd = [seat for seat, hand in enumerate(places.hands, 1) if hand.size() % 2]
        who = "Both hands hold" if len(odd) == 2 else f"Seat {odd[0]} holds"
        text = f"{who} an odd number of cards and two go with each play: so nobody with such a hand gets rid of all."
        yield Fact("no-going-out", text, "SBR-14", tuple(odd))


def _of_discards(position: SbrosPosition) -> Iterator[Fact]:
    """Before the exchange: who will take what."""
    if position.rules.reset_face == "down":
        return
    own = position.rules.merge == "own"
    for seat in (1, 2):
        pile = position.places.resets[seat - 1 if own else 2 - seat]
        if pile:
            text = f"Seat {seat} will take {cards_text(pile)} into its hand when the stock is empty."
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
    """What is worth telling the table now."""
    notices = [
        Notice(fault.code, fault.text, _RULE_OF[fault.code], (fault.seat,), fault.cards) for fault in position.faults()
    ]
    if position.emptied_by is not None and position.emptied_by == len(position.actions) - 1:
        notices += _exchange(position)
    if position.to_act is None:
        return (*notices, _end(position))
    return (*notices, *_turn(position, position.to_act))


def _exchange(position: SbrosPosition) -> Iterator[Notice]:
    """The stock was just emptied: who takes what (SBR-12)."""
    own = position.rules.merge == "own"
    piles = {
        seat: tuple(card for one in position.actions if one.verb == "reset" and one.seat == seat for card in one.cards)
        for seat in (1, 2)
    }
    for seat in (1, 2):
        pile = piles[seat if own else 3 - seat]
        whose = "its own" if own else f"seat {3 - seat}'s"
        cards = pile if position.rules.reset_face == "up" else ()
        what = f"{whose} temporary discard" + (f" ({cards_text(cards)})" if cards else "")
        text = f"The stock is empty: seat {seat} takes {what} into its hand."
        if not pile:
            text = f"The stock is empty: there is no temporary discard for seat {seat} to take."
        yield Notice("exchange", text, "SBR-12", (seat,), cards)


def _turn(position: SbrosPosition, seat: int) -> Iterator[Notice]:
    """What the seat in turn can't do, and how near the end is."""
    places = position.places
    hand = places.hands[seat - 1]
    centre = cards_text(places.centre)
    if not hand.unknown and not hand.partly and position.sure_play(hand) is None:
        does, rule = ("passes", "SBR-13") if position.exchanged else ("puts one card aside", "SBR-9")
        code = "must-pass" if position.exchanged else "must-reset"
        yield Notice(code, f"Seat {seat} holds nothing that covers {centre}: it {does}.", rule, (seat,))
    if 0 < places.stock <= 2:
        number = "one card" if places.stock == 1 else "two cards"
        text = f"The stock holds {number} more: then the temporary discards are taken over."
        yield Notice("stock-low", text, "SBR-12")
    if position.passes:
        text = f"Seat {3 - seat} passed: if seat {seat} passes as well, the deal is over."
        yield Notice("one-pass", text, "SBR-14", (3 - seat,))


def _end(position: SbrosPosition) -> Notice:
    """Who has won, and how (SBR-14)."""
    sizes = {seat: hand.size() for seat, hand in enumerate(position.places.hands, 1)}
    winner = position.winner
    if winner is None:
        return Notice(
            "drawn", f"Nobody plays any more and both hold {sizes[1]} cards: the deal is drawn.", "SBR-14", (1, 2)
        )
    if not sizes[winner]:
        return Notice("gone-out", f"Seat {winner} has played all its cards and wins.", "SBR-14", (winner,))
    text = f"Nobody plays any more: seat {winner} wins with {sizes[winner]} cards against {sizes[3 - winner]}."
    return Notice("blocked", text, "SBR-14", (winner,))
