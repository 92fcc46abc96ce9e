"""How the page says things: cards, actions and reasons as plain sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from assistant.cards import RANKS, Card
from assistant.games import GAMES
from assistant.games.game import Action, Setup
from assistant.told import Listing, Place, Rank, Seat, Seats, Suit, Told
from web.languages import _, _n, in_context, number, said
from web.nouns import (
    Noun,
    card_noun,
    cards_in_rank,
    cards_noun,
    composed,
    count_word,
    listed,
    rank_noun,
    suit_noun,
)

_SEAT: Final = re.compile(r"\b[Ss]eat ([1-9])\b")
_PILE: Final = re.compile(r"\bpile ([1-9])\b")
_CARD: Final = re.compile(r"\b([A2-9TJQK])([SHDC])\b")
_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def game_title(name: str) -> str:
    """A game's name for people.

    >>> game_title("laugh-and-lie-down")
    'Laugh and Lie Down'
    """
    match name:
        case "laugh-and-lie-down":
            return _("Laugh and Lie Down")
        case "rolling-stone":
            return _("Rolling Stone")
        case "sbros":
            return _("Sbros")
    return GAMES[name].title if name in GAMES else name


def seat_name(setup: Setup, seat: int) -> str:
    """The player's name, or ``Seat 2``."""
    name = setup.names[seat - 1].strip() if seat <= len(setup.names) else ""
    return name or _("Seat {n}", n=seat)


def place_noun(place: str, setup: Setup) -> Noun:
    """Where a card lies, from the name of the zone; in the form ``onto`` to where, ``off`` from where.

    >>> at = Setup("sbros", 2, 1, names=("Ann", "Bea"))
    >>> place_noun("pile 2", at), place_noun("reset 1", at).form("off"), place_noun("pile 1", at).form("onto")
    ("in Bea's pile", 'what Ann put aside', "onto Ann's pile")
    """
    kind, _blank, seat = place.partition(" ")
    if seat:
        name = seat_name(setup, int(seat))
        if kind == "reset":
            pattern = in_context(
                "place", "put aside by {name}; onto=onto what {name} put aside; off=what {name} put aside"
            )
        else:
            pattern = in_context("place", "in {name}'s pile; onto=onto {name}'s pile; off={name}'s pile")
        return composed(pattern, name=name)
    match kind:
        case "table":
            return composed(in_context("place", "on the table; off=the table"))
        case "left":
            return composed(in_context("place", "on the left card; off=the left card"))
        case "right":
            return composed(in_context("place", "on the right card; off=the right card"))
        case "stock":
            return composed(in_context("place", "on the stock; off=the stock"))
    return composed(in_context("place", "between the places; off=between the places"))


def named(text: str, setup: Setup) -> str:
    """A sentence of the rules with the players' names and the cards' signs in it.

    >>> named("seat 2 may claim 7H TC", Setup("laugh-and-lie-down", 3, 1, names=("Ann", "Bea", "Cy")))
    'Bea may claim 7♥ 10♣'
    """
    if isinstance(text, Told):
        return _again(text, setup)
    text = _PILE.sub(lambda found: f"{seat_name(setup, int(found[1]))}'s pile", text)
    text = _SEAT.sub(lambda found: seat_name(setup, int(found[1])), text)
    return _CARD.sub(lambda found: ("10" if found[1] == "T" else found[1]) + _SIGNS[found[2]], text)


def standing_alone(text: str, setup: Setup) -> str:
    """A sentence as it stands by itself on the page: as ``named``, with a capital letter, unless it begins with a name
    or an address that is written just so.

    >>> from assistant.told import tell
    >>> standing_alone(tell("{name}: it is not plugged in", name="hd.cam"), Setup("", 0, 1))
    'hd.cam: it is not plugged in'
    >>> standing_alone(tell("{name}: it is not plugged in", name=tell("the webcam")), Setup("", 0, 1))
    'The webcam: it is not plugged in'
    """
    said = named(text, setup)
    return capital(said) if _begins_with_words(text) else said


def _begins_with_words(text: str | PurePath) -> bool:
    if not isinstance(text, Told):
        return False
    found = re.match(r"\{(\w+)", text.pattern)
    first = text.values.get(found[1]) if found is not None else None
    return _begins_with_words(first) if isinstance(first, str | PurePath) else True


def again(text: str) -> str:
    """A sentence that names no seat, by itself, in the language that is spoken here."""
    return standing_alone(text, Setup("", 0, 1))


def _again(text: Told, setup: Setup) -> str:
    """A sentence said again, in the language that is spoken here: with names for seats, and with the cards' signs."""

    def say(value: object) -> object:
        match value:
            case Seat(seat):
                return seat_name(setup, seat)
            case Seats(seats, last):
                return listed([seat_name(setup, seat) for seat in seats], last)
            case Listing(parts):
                return ", ".join(str(say(part)) for part in parts)
            case Place(zone):
                return place_noun(zone, setup)
            case Action():
                return action_sentence(value, setup)
            case Rank(rank):
                return rank_noun(rank)
            case Suit(suit):
                return suit_noun(suit)
            case Card():
                return _sign(value)
            case tuple() if all(isinstance(card, Card) for card in value):
                return " ".join(map(_sign, value))
            case tuple():
                return listed([str(say(part)) for part in value])
            case Told():
                return _again(value, setup)
            case PurePath():  # where a file lies on this computer is nobody's business on a page
                return value.name
            case float():
                return number(value, 1)
        return value

    again = said(text, say)
    return capital(again) if text[:1].isupper() else again


def _sign(card: Card) -> str:
    return (("10" if card.rank == "T" else card.rank) or "?") + _SIGNS.get(card.suit, "?" if card.rank else "")


def action_sentence(action: Action, setup: Setup) -> str:
    """What a seat did, in one sentence without a full stop.

    >>> at = Setup("laugh-and-lie-down", 5, 1, names=("Ann", "Bea", "Cy", "Di", "Ed"))
    >>> action_sentence(Action.parse("2 mate K? KS"), at)
    'Bea takes the king of spades with a king'
    """
    name, cards = seat_name(setup, action.seat), action.cards
    match action.verb:
        case "mate" if len(cards) > 1:
            taken, own = cards_noun(cards[1:]), card_noun(cards[0])
            return _("{name} takes {taken} with {own}", name=name, taken=taken, own=own)
        case "take":
            rank = rank_noun(cards[0].rank if cards else "")
            return _("{name}, the dealer, takes the mournival of {rank.many}", name=name, rank=rank)
        case "lay":
            laid = cards_in_rank(len(cards), cards[0].rank if cards else "")
            return _("{name} lays {cards} from the hand", name=name, cards=laid)
        case "lie-down" if not cards:
            return _("{name} lies down with an empty hand", name=name)
        case "lie-down":
            count = count_word(len(cards))
            return _n(
                "{name} lies down with one card",
                "{name} lies down with {count} cards",
                len(cards),
                name=name,
                count=count,
            )
        case "claim":
            return _("{name} claims {cards}", name=name, cards=cards_noun(cards))
        case "play" if cards:
            return _("{name} plays {card}", name=name, card=card_noun(cards[0]))
        case "pick-up":
            return _("{name} picks the trick up", name=name)
        case "cover" if len(cards) == 2:
            left, right = map(card_noun, cards)
            return _("{name} puts {left} on the left and {right} on the right", name=name, left=left, right=right)
        case "reset" if cards:
            return _("{name} puts {card} aside", name=name, card=card_noun(cards[0]))
        case "pass":
            return _("{name} passes", name=name)
        case _other:
            return f"{name}: {action.verb} {' '.join(map(str, cards))}".strip()


def advice(actions: Sequence[Action]) -> str:
    """What somebody is told that he may do: actions of one kind and of cards of equal ranks, in one sentence.

    >>> advice([Action.parse("2 mate KH KS"), Action.parse("2 mate KH KD")])
    'Take the king of spades or the king of diamonds with the king of hearts.'
    >>> advice([Action.parse("2 lay 9S 9H"), Action.parse("2 lay 9S 9D")])
    'Lay two nines from your hand.'
    """
    first, cards = actions[0], actions[0].cards
    own = listed(
        [card_noun(card) for card in dict.fromkeys(action.cards[0] for action in actions if action.cards)], "or"
    )
    match first.verb:
        case "mate":
            parts = list(dict.fromkeys(action.cards[1:] for action in actions))
            if len(parts) > 2:
                values = {"count": count_word(len(parts)), "rank": rank_noun(cards[1].rank), "own": own}
                return _("Take one of the {count} {rank.many} with {own}.", **values)
            return _("Take {taken} with {own}.", taken=listed([cards_noun(part) for part in parts], "or"), own=own)
        case "take":
            return _("Take the mournival of {rank.many}, as the dealer.", rank=rank_noun(cards[0].rank))
        case "lay":
            return _("Lay {cards} from your hand.", cards=cards_in_rank(len(cards), cards[0].rank))
        case "lie-down" if cards:
            count = count_word(len(cards))
            return _n("Lie down with your card.", "Lie down with your {count} cards.", len(cards), count=count)
        case "lie-down":
            return _("Lie down.")
        case "claim":
            return _("Claim {cards}.", cards=cards_noun(cards))
        case "play":
            return _("Play {cards}.", cards=own)
        case "reset":
            return _("Put {cards} aside.", cards=own)
        case "pick-up":
            return _("Pick the trick up.")
        case "cover" if len(actions) == 2 and set(cards) == set(actions[1].cards):
            left, right = map(card_noun, cards)
            return _(
                "Put {left} on the left card and {right} on the right one, or the other way round.",
                left=left,
                right=right,
            )
        case "cover":
            left, right = map(card_noun, cards)
            return _("Put {left} on the left card and {right} on the right one.", left=left, right=right)
        case "pass":
            return _("Pass.")
        case _other:
            return f"{first.verb.capitalize()}."


def mate_sentence(rank: str, lying: Sequence[Card]) -> str:
    """What the table offers to whoever holds the rank.

    >>> mate_sentence("7", [Card.parse("7S")]), mate_sentence("K", [Card.parse(f"K{s}") for s in "SHD"])
    ('A seven takes the seven of spades.', 'The fourth king takes all three kings.')
    """
    if len(lying) == 3:
        return capital(_("The fourth {rank} takes all three {rank.many}.", rank=rank_noun(rank)))
    taken = listed([card_noun(card) for card in lying], "or")
    return capital(_("{rank.a} takes {cards}.", rank=rank_noun(rank), cards=taken))


def capital(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def by_rank(cards: Sequence[Card]) -> list[tuple[str, list[Card]]]:
    """The cards in groups of a rank, in the order A 2 3 ... K; those of unknown rank last."""
    order = {rank: place for place, rank in enumerate(RANKS)}
    groups: dict[str, list[Card]] = {}
    for card in sorted(cards, key=lambda card: (order.get(card.rank, 99), "SHDC?".find(card.suit or "?"))):
        groups.setdefault(card.rank, []).append(card)
    return list(groups.items())
