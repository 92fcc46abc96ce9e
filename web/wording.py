"""How the page says things: cards, actions and reasons as plain sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from assistant.cards import RANKS, Card
from assistant.games import GAMES as BUILT
from assistant.games.game import Action, Setup

GAMES: Final = {name: game.title for name, game in BUILT.items()}
SUIT_NAMES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_SEAT: Final = re.compile(r"\b[Ss]eat ([1-9])\b")
_PILE: Final = re.compile(r"\bpile ([1-9])\b")
_CARD: Final = re.compile(r"\b([A2-9TJQK])([SHDC])\b")
_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_RANK_NAMES: Final = dict(zip(RANKS, ("ace", *_NUMBERS[2:11], "jack", "queen", "king"), strict=True))
_ORDINALS: Final = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def count_word(count: int) -> str:
    """``two`` for 2; figures from thirteen on."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def rank_name(rank: str, count: int = 1) -> str:
    """``king``, ``kings``, ``seven``, ``sixes``.

    >>> rank_name("K"), rank_name("6", 2), rank_name("T", 2)
    ('king', 'sixes', 'tens')
    """
    name = _RANK_NAMES.get(rank, rank or "card")
    return name if count == 1 else f"{name}es" if name.endswith("x") else f"{name}s"


def card_name(card: Card) -> str:
    """``the king of hearts``; what is known of it where not all is.

    >>> card_name(Card.parse("KH")), card_name(Card.parse("8?")), card_name(Card.parse("??"))
    ('the king of hearts', 'an eight', 'a card')
    """
    if card.known:
        return f"the {rank_name(card.rank)} of {SUIT_NAMES[card.suit]}"
    return a_rank(card.rank)


def a_rank(rank: str) -> str:
    """``a seven``, ``an ace``."""
    return f"{'an' if rank in ('A', '8') else 'a'} {rank_name(rank)}"


def join(parts: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def seat_name(setup: Setup, seat: int) -> str:
    """The player's name, or ``Seat 2``."""
    name = setup.names[seat - 1].strip() if seat <= len(setup.names) else ""
    return name or f"Seat {seat}"


def place_name(place: str, setup: Setup) -> str:
    """Where a card lies, from the name of the zone.

    >>> at = Setup("sbros", 2, 1, names=("Ann", "Bea"))
    >>> place_name("pile 2", at), place_name("reset 1", at), place_name("table", at)
    ("in Bea's pile", 'put aside by Ann', 'on the table')
    """
    kind, _, seat = place.partition(" ")
    if seat:
        who = seat_name(setup, int(seat))
        return f"put aside by {who}" if kind == "reset" else f"in {who}'s pile"
    return {
        "table": "on the table",
        "left": "on the left card",
        "right": "on the right card",
        "stock": "on the stock",
    }.get(kind, "between the places")


def named(text: str, setup: Setup) -> str:
    """A sentence of the rules with the players' names and the cards' signs in it.

    >>> named("seat 2 may claim 7H TC", Setup("laugh-and-lie-down", 3, 1, names=("Ann", "Bea", "Cy")))
    'Bea may claim 7♥ 10♣'
    """
    text = _PILE.sub(lambda found: f"{seat_name(setup, int(found[1]))}'s pile", text)
    text = _SEAT.sub(lambda found: seat_name(setup, int(found[1])), text)
    return _CARD.sub(lambda found: ("10" if found[1] == "T" else found[1]) + _SIGNS[found[2]], text)


def cards_phrase(cards: Sequence[Card]) -> str:
    """Several cards in short: ``the two kings``, ``the ace of spades and the two of hearts``."""
    ranks = Counter(card.rank for card in cards)
    if len(cards) > 1 and len(ranks) == 1 and cards[0].rank:
        return f"the {count_word(len(cards))} {rank_name(cards[0].rank, 2)}"
    if len(cards) > 3:
        return f"{count_word(len(cards))} cards"
    return join([card_name(card) for card in cards])


def action_sentence(action: Action, setup: Setup) -> str:
    """What a seat did, in one sentence without a full stop.

    >>> at = Setup("laugh-and-lie-down", 5, 1, names=("Ann", "Bea", "Cy", "Di", "Ed"))
    >>> action_sentence(Action.parse("2 mate K? KS"), at)
    'Bea takes the king of spades with a king'
    """
    who, cards = seat_name(setup, action.seat), action.cards
    match action.verb:
        case "mate" if len(cards) > 1:
            return f"{who} takes {cards_phrase(cards[1:])} with {card_name(cards[0])}"
        case "take":
            return f"{who}, the dealer, takes the mournival of {rank_name(cards[0].rank, 2) if cards else 'cards'}"
        case "lay":
            count, rank = count_word(len(cards)), cards[0].rank if cards else ""
            return f"{who} lays {count} {rank_name(rank, len(cards))} from the hand"
        case "lie-down" if not cards:
            return f"{who} lies down with an empty hand"
        case "lie-down":
            return f"{who} lies down with {count_word(len(cards))} {'card' if len(cards) == 1 else 'cards'}"
        case "claim":
            return f"{who} claims {cards_phrase(cards)}"
        case "play" if cards:
            return f"{who} plays {card_name(cards[0])}"
        case "pick-up":
            return f"{who} picks the trick up"
        case "cover" if len(cards) == 2:
            return f"{who} puts {card_name(cards[0])} on the left and {card_name(cards[1])} on the right"
        case "reset" if cards:
            return f"{who} puts {card_name(cards[0])} aside"
        case "pass":
            return f"{who} passes"
        case _:
            return f"{who}: {action.verb} {' '.join(map(str, cards))}".strip()


def advice(actions: Sequence[Action]) -> str:
    """What somebody is told that he may do: actions of one kind and of cards of equal ranks, in one sentence.

    >>> advice([Action.parse("2 mate KH KS"), Action.parse("2 mate KH KD")])
    'Take the king of spades or the king of diamonds with the king of hearts'
    >>> advice([Action.parse("2 lay 9S 9H"), Action.parse("2 lay 9S 9D")])
    'Lay two nines from your hand'
    """
    first, cards = actions[0], actions[0].cards
    match first.verb:
        case "mate":
            own = _each(action.cards[0] for action in actions)
            parts = list(dict.fromkeys(action.cards[1:] for action in actions))
            taken = join([cards_phrase(part) for part in parts], "or")
            if len(parts) > 2:
                taken = f"one of the {count_word(len(parts))} {rank_name(cards[1].rank, 2)}"
            return f"Take {taken} with {join(own, 'or')}"
        case "take":
            return f"Take the mournival of {rank_name(cards[0].rank, 2)}, as the dealer"
        case "lay":
            return f"Lay {count_word(len(cards))} {rank_name(cards[0].rank, len(cards))} from your hand"
        case "lie-down":
            return f"Lie down with your {count_word(len(cards))} cards" if len(cards) > 1 else "Lie down"
        case "claim":
            return f"Claim {cards_phrase(cards)}"
        case "play" | "reset":
            verb = "Play" if first.verb == "play" else "Put aside"
            return f"{verb} {join(_each(action.cards[0] for action in actions), 'or')}"
        case "pick-up":
            return "Pick the trick up"
        case "cover":
            left, right = map(card_name, cards)
            both = ", or the other way round" if len(actions) == 2 and set(cards) == set(actions[1].cards) else ""
            return f"Put {left} on the left card and {right} on the right one{both}"
        case _:
            return first.verb.capitalize()


def _each(cards: Iterable[Card]) -> list[str]:
    return [card_name(card) for card in dict.fromkeys(cards)]


def mate_sentence(rank: str, lying: Sequence[Card]) -> str:
    """What the table offers to whoever holds the rank.

    >>> mate_sentence("7", [Card.parse("7S")]), mate_sentence("K", [Card.parse(f"K{s}") for s in "SHD"])
    ('a seven takes the seven of spades', 'the fourth king takes all three kings')
    """
    if len(lying) == 3:
        return f"the {_ORDINALS[4]} {rank_name(rank)} takes all three {rank_name(rank, 3)}"
    return f"{a_rank(rank)} takes {join([card_name(card) for card in lying], 'or')}"


def by_rank(cards: Sequence[Card]) -> list[tuple[str, list[Card]]]:
    """The cards in groups of a rank, in the order A 2 3 ... K; those of unknown rank last."""
    order = {rank: place for place, rank in enumerate(RANKS)}
    groups: dict[str, list[Card]] = {}
    for card in sorted(cards, key=lambda card: (order.get(card.rank, 99), "SHDC?".find(card.suit or "?"))):
        groups.setdefault(card.rank, []).append(card)
    return list(groups.items())
