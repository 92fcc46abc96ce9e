"""Why: the rules that the page refers to, each in a sentence or two of our own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assistant.cards import Card
from assistant.games.game import Action
from assistant.told import later
from web.languages import _

_RULES: Final = {
    "LLD-1": later("The whole pack of 52 is in play, so what does not lie open is in the hands."),
    "LLD-2": later(
        "Each player has a hand of the same size and the rest of the pack lies face up. The hand size is par."
    ),
    "LLD-4": later("Before the deal each puts in the same stakes, the dealer one more; the dealer keeps the pot."),
    "LLD-7": later(
        "Four of a rank among the dealt table cards are a mournival: the dealer takes all four into his pile."
    ),
    "LLD-8": later("Until eldest hand has acted only the dealer may take a mournival from the table."),
    "LLD-9": later("Cards may go from the hand to one's own pile when nobody could ever mate them."),
    "LLD-9a": later("Four of a rank in the hand can meet no fifth: all four may be laid."),
    "LLD-9b": later("With three of a rank in the hand only one other exists, so two of the three are safe to lay."),
    "LLD-9c": later("Two of a rank in the hand whose other two are won already can never be mated: both may be laid."),
    "LLD-10": later("Laying is free to do or leave and is no turn; it may be done at any time until one lies down."),
    "LLD-12": later("The player at the dealer's left begins; the turn goes round to the left over those still in."),
    "LLD-13": later("In turn one hand card takes one table card of its rank, or all three if three lie there."),
    "LLD-14": later("One mate a turn, with one card of the hand."),
    "LLD-15": later("Of two equal cards on the table a mate takes one, never both."),
    "LLD-16": later(
        "If three of a rank lie there the fourth takes all three. Who takes just one leaves two to be claimed."
    ),
    "LLD-17": later("Who can mate must mate. A hand shown with a mate in it goes back, and the mate is made."),
    "LLD-18": later("Who cannot mate lies down: the whole hand goes face up to the table and he is out of turns."),
    "LLD-19": later("Cards of a player who lay down are table cards like any other."),
    "LLD-20": later("There is no passing and no mating out of turn."),
    "LLD-21": later("The deal ends when only one player is still in; he makes no more mates."),
    "LLD-22": later("The last player in takes the bonus from the pot at once."),
    "LLD-23": later("Open claims are settled before the rest is swept up."),
    "LLD-24": later("What is left on the table and in the last hand goes to the dealer's pile."),
    "LLD-25": later("For every two cards above par one draws a stake; for every two below par one pays a stake."),
    "LLD-26": later("First those below par pay in, then those above par draw; the pot is then empty."),
    "LLD-28": later("The first to call a mistake takes the cards; at once: who sits nearest to the offender's left."),
    "LLD-29": later("Everybody but the offender may claim, in or out of turn, also who lay down already."),
    "LLD-30": later("A claim stands until the last sweep, or until the cards have left the table."),
    "LLD-31": later("What nobody claims stays on the table and goes to the dealer at the end."),
    "RST-2": later("The pack has eight cards for each player, the low ranks left out, so every card is in play."),
    "RST-5": later(
        "The dealer's right neighbour shuffles; eight cards each are dealt one by one from the dealer's left."
    ),
    "RST-6": later("The dealer's left neighbour leads any card; play goes round to the left."),
    "RST-7": later("Who holds a card of the suit that was led must play one, whichever he likes."),
    "RST-8": later("Who has none of the suit takes the trick into his hand. The trick is over, and he leads next."),
    "RST-9": later("Right after a pick-up the suit just picked up may not be led; the lead after that is free again."),
    "RST-10": later("When all have followed suit, the highest card takes the trick out of play, and its player leads."),
    "RST-11": later("Whoever first has no card left wins the deal."),
    "RST-12": later("Picking up by choice needs a card of another suit to lead afterwards."),
    "RST-13": later("After very many pick-ups in a row without a finished trick the deal stops; the fewest cards win."),
    "RST-14": later("A deal won is one point; who share the deal share the point."),
    "RST-15": later("Who picks up although he could follow has revoked; a card that turns up later proves it."),
    "SBR-5": later(
        "A play covers both centre cards: with equal ranks, with their suits over and under, with a pair between "
        "them, or with a pair on a pair."
    ),
    "SBR-9": later("Who has no play puts one card aside and draws one."),
    "SBR-12": later("When the stock is empty each takes the cards that the other has put aside into his hand."),
    "SBR-13": later("Once the stock is empty nobody draws or puts aside: who can play plays, who can't passes."),
    "SBR-14": later("Who has no card left wins. Where nobody can move any more the fewer cards win; equal is a draw."),
    "SBR-15": later("A win is one point, a draw half a point for each."),
}
_CLAIMS: Final = {
    "C1": later(
        "The dealer left a mournival on the table. Once eldest hand has acted, whoever calls it takes all four."
    ),
    "C2": later("Three lay there and only one was taken. The other two belong to whoever calls it first."),
    "C3": later(
        "He lay down with three of a rank, though two of them could have been laid. Two go to whoever calls it."
    ),
    "C4": later(
        "He lay down with a pair whose other two are won: it could have been laid. Whoever calls it takes both."
    ),
    "C5": later("He lay down with a mournival, or the second pair of one. Whoever calls it takes it."),
}


def why(code: str, rule: str = "") -> str:
    """The reason behind a claim, a fault or a notice; empty where nothing is on file."""
    reason = _CLAIMS.get(code) or _RULES.get(rule) or _RULES.get(rule.rstrip("abc"))
    return _(reason) if reason else ""


_OF_VERB: Final = {
    "take": "LLD-7",
    "lay": "LLD-9",
    "mate": "LLD-13",
    "lie-down": "LLD-18",
    "claim": "LLD-28",
    "play": "RST-7",
    "pick-up": "RST-8",
    "cover": "SBR-5",
    "reset": "SBR-9",
    "pass": "SBR-13",
}


def rule_behind(action: Action, hand: Sequence[Card], table: Sequence[Card]) -> str:
    """The number of the rule by which a seat with this hand does this while these cards lie on the table.

    >>> from assistant.cards import parse_cards
    >>> rule_behind(Action.parse("2 lay 9S 9H"), parse_cards("9S 9H 9D"), ())
    'LLD-9b'
    """
    match action.verb:
        case "lay":
            held = sum(card.rank == action.cards[0].rank for card in hand)
            return {4: "LLD-9a", 3: "LLD-9b"}.get(held, "LLD-9c")
        case "mate":
            lying = sum(card.rank == action.cards[1].rank for card in table)
            return {2: "LLD-15", 3: "LLD-16"}.get(lying, "LLD-13")
        case "play" if not table:
            return "RST-6"
    return _OF_VERB.get(action.verb, "")
