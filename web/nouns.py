"""Cards, ranks, suits and numbers as words: names with all the forms that a language needs of them in its sentences.

A catalogue gives such a word with its forms in one line, ``king; many=kings; a=a king``: first the plain one, then
each further one by a name that the language is free to choose. Its sentences ask for them as ``{card.acc}``; a form
that is not given is the plain one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from assistant.cards import CARDS, RANKS, SUITS, Card
from assistant.told import filled
from web.languages import _n, catalogue, in_context, language, speaking

_FORM: Final = re.compile(r";\s*(\w+)=")


class Noun(str):
    """A word or phrase: as a text its plain form."""

    forms: Mapping[str, str]

    def __new__(cls, forms: Mapping[str, str]) -> Noun:
        noun = super().__new__(cls, forms[""])
        noun.forms = forms
        return noun

    def form(self, name: str) -> str:
        """One of its forms; the plain one where the language gives none of this name."""
        return self.forms.get(name, str(self))


def composed(pattern: str, **values: Any) -> Noun:
    """The word or phrase of a catalogue's line, with values in the braces of its forms.

    >>> composed("in the pile of {name}; onto=onto the pile of {name}", name="Ann").form("onto")
    'onto the pile of Ann'
    """
    return Noun({name: filled(form, values) for name, form in _forms(pattern).items()})


def rank_noun(rank: str) -> Noun:
    """A rank, or any card.

    >>> rank_noun("6").form("many"), rank_noun("A").form("a"), rank_noun("")
    ('sixes', 'an ace', 'card')
    """
    return _rank(rank, language())


def suit_noun(suit: str) -> Noun:
    """A suit.

    >>> suit_noun("H"), suit_noun("H").form("a")
    ('hearts', 'a heart')
    """
    return _suit(suit, language())


def card_noun(card: Card) -> Noun:
    """A card; what is known of it where not all is.

    >>> card_noun(Card.parse("KH")), card_noun(Card.parse("8?")), card_noun(Card.parse("??"))
    ('the king of hearts', 'an eight', 'a card')
    """
    return _card(card, language())


def cards_noun(cards: Sequence[Card]) -> Noun:
    """Several cards in short: ``the two kings``, ``the ace of spades and the two of hearts``."""
    ranks = Counter(card.rank for card in cards)
    if len(cards) > 1 and len(ranks) == 1 and cards[0].rank:
        pattern = in_context("several cards of a rank", "the {count} {rank.many}")
        return composed(pattern, n=len(cards), count=count_word(len(cards)), rank=rank_noun(cards[0].rank))
    if len(cards) > 3:
        return Noun(_forms(_n("{count} card", "{count} cards", len(cards), count=count_word(len(cards)))))
    return listed([card_noun(card) for card in cards])


def cards_in_rank(count: int, rank: str) -> Noun:
    """So many cards of a rank, ``two nines``."""
    pattern = in_context("so many of a rank", "{count} {rank.many}")
    return composed(pattern, n=count, count=count_word(count), rank=rank_noun(rank))


def listed(parts: Sequence[str], last: str = "and") -> Noun:
    """``a, b and c``; ``last`` is ``and``, ``or`` or ``then``, or ``; or`` for whole clauses.

    >>> listed(["a", "b", "c"], "or")
    'a, b or c'
    """
    if not parts:
        return Noun({"": ""})
    joined = {
        "and": in_context("list", "{first} and {last}"),
        "or": in_context("list", "{first} or {last}"),
        "then": in_context("list", "{first} then {last}"),
        "; or": in_context("list", "{first}; or {last}"),
    }[last]
    comma = joined if last == "; or" else in_context("list", "{first}, {last}")

    def whole(spoken: Callable[[str], str]) -> str:
        words = [spoken(part) for part in parts]
        said = words[0]
        for word in words[1:-1]:
            said = filled(comma, {"first": said, "last": word})
        return filled(joined, {"first": said, "last": words[-1]}) if len(words) > 1 else said

    names = {name for part in parts if isinstance(part, Noun) for name in part.forms} | {""}
    return Noun({name: whole(lambda part, name=name: _in_form(part, name)) for name in names})  # type: ignore[misc]


def count_word(count: int) -> str:
    """``two`` for 2; figures from thirteen on, and where the language has no one word for all uses."""
    words = in_context("numbers", "no one two three four five six seven eight nine ten eleven twelve").split()
    return words[count] if 0 <= count < len(words) else str(count)


def noun_tables(code: str) -> dict[str, Mapping[str, str]]:
    """The nouns for the page's scripts, by the card as it is written, by rank and by suit: those of their forms that
    the scripts' texts ask for."""
    texts = (
        text
        for message in catalogue(code)
        if any(path.endswith(".js") for path, _line in message.locations)
        for text in (message.string if isinstance(message.string, (tuple, list)) else (message.string,))
    )
    asked = {"", "many", "bare"} | {form for text in texts for form in re.findall(r"\{\w+\.(\w+)\}", text or "")}
    with speaking(code):
        nouns = {str(card): card_noun(card) for card in CARDS}
        nouns |= {rank: rank_noun(rank) for rank in RANKS} | {f"suit {suit}": suit_noun(suit) for suit in SUITS}
    return {name: {form: noun.forms[form] for form in asked & noun.forms.keys()} for name, noun in nouns.items()}


def _in_form(part: str, name: str) -> str:
    return part.form(name) if isinstance(part, Noun) else part


def _forms(text: str) -> dict[str, str]:
    first, *named = _FORM.split(text)
    return {"": first, **dict(zip(named[::2], named[1::2], strict=True))}


@lru_cache(maxsize=256)
def _rank(rank: str, _language: str) -> Noun:
    words = {
        "A": in_context("rank", "ace; many=aces; a=an ace"),
        "2": in_context("rank", "two; many=twos; a=a two"),
        "3": in_context("rank", "three; many=threes; a=a three"),
        "4": in_context("rank", "four; many=fours; a=a four"),
        "5": in_context("rank", "five; many=fives; a=a five"),
        "6": in_context("rank", "six; many=sixes; a=a six"),
        "7": in_context("rank", "seven; many=sevens; a=a seven"),
        "8": in_context("rank", "eight; many=eights; a=an eight"),
        "9": in_context("rank", "nine; many=nines; a=a nine"),
        "T": in_context("rank", "ten; many=tens; a=a ten"),
        "J": in_context("rank", "jack; many=jacks; a=a jack"),
        "Q": in_context("rank", "queen; many=queens; a=a queen"),
        "K": in_context("rank", "king; many=kings; a=a king"),
    }
    return Noun(_forms(words.get(rank) or in_context("rank", "card; many=cards; a=a card")))


@lru_cache(maxsize=64)
def _suit(suit: str, _language: str) -> Noun:
    words = {
        "S": in_context("suit", "spades; a=a spade"),
        "H": in_context("suit", "hearts; a=a heart"),
        "D": in_context("suit", "diamonds; a=a diamond"),
        "C": in_context("suit", "clubs; a=a club"),
    }
    return Noun(_forms(words.get(suit) or in_context("suit", "one suit")))


@lru_cache(maxsize=1024)
def _card(card: Card, _language: str) -> Noun:
    if card.known:
        pattern = in_context("card", "the {rank} of {suit}; bare={rank} of {suit}")
        return composed(pattern, rank=rank_noun(card.rank), suit=suit_noun(card.suit))
    return composed(in_context("card", "{rank.a}; bare={rank}"), rank=rank_noun(card.rank))
