"""Sentences that can be said again in another language: English texts that know their pattern and its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from assistant.cards import RANKS

_PLACE: Final = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
_NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANKS: Final = dict(zip(RANKS, ("ace", *_NUMBERS[:9], "jack", "queen", "king"), strict=True))
_SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat in a sentence; whoever says it again may put the player's name there."""

    number: int

    def __str__(self) -> str:
        return f"seat {self.number}"


@dataclass(frozen=True, slots=True)
class Seats:
    """One seat or several in a sentence, ``seats 1, 2 and 4``; ``last`` is ``and`` or ``or``."""

    numbers: tuple[int, ...]
    last: str = "and"

    def __str__(self) -> str:
        *first, last = map(str, sorted(set(self.numbers)))
        return f"seats {', '.join(first)} {self.last} {last}" if first else f"seat {last}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies, from the name of the zone (``table``, ``pile 2``, ``nowhere``)."""

    zone: str

    def __str__(self) -> str:
        return {"table": "on the table", "nowhere": "between the places"}.get(self.zone, f"in {self.zone}")


@dataclass(frozen=True, slots=True)
class Listing:
    """Several things in a sentence with commas between them."""

    parts: tuple[Any, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.parts))


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank in a sentence, one of RANKS: ``king``, as form ``many`` ``kings``, as form ``a`` ``a king``."""

    rank: str

    def form(self, name: str) -> str:
        """The word in one of its forms.

        >>> Rank("6").form("many"), Rank("8").form("a")
        ('sixes', 'an eight')
        """
        word = _RANKS[self.rank]
        if name == "many":
            return f"{word}es" if word.endswith("x") else f"{word}s"
        return f"{'an' if self.rank in 'A8' else 'a'} {word}" if name == "a" else word

    def __str__(self) -> str:
        return _RANKS[self.rank]


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit in a sentence, one of SUITS: ``hearts``."""

    suit: str

    def __str__(self) -> str:
        return _SUITS[self.suit]


class Told(str):
    """An English text with the ``pattern`` and the ``values`` that it was made of (see ``tell``).

    With ``many`` it is a pattern for ``n`` things, and ``pattern`` the one for a single thing.
    """

    pattern: str
    many: str
    values: Mapping[str, Any]

    def __new__(cls, pattern: str, values: Mapping[str, Any], many: str = "") -> Told:
        chosen = many if many and values["n"] != 1 else pattern
        text = filled(chosen, values)
        if chosen.startswith("{") and chosen[-1] in ".?!":
            text = text[:1].upper() + text[1:]
        told = super().__new__(cls, text)
        told.pattern, told.many, told.values = pattern, many, values
        return told


def tell(pattern: str, /, **values: Any) -> Told:
    """The English sentence of a pattern with values in its braces; the pattern is found again in the languages.

    Values are numbers, texts, cards, actions, ``Seat``, ``Seats``, ``Place``, ``Listing``, ``Rank``, ``Suit``,
    sentences told themselves, or tuples of these. A form of a value stands after a dot. A pattern that ends as a
    sentence begins with a capital letter.

    >>> tell("{seat} left the {rank.many} on the table.", seat=Seat(2), rank=Rank("K"))
    'Seat 2 left the kings on the table.'
    """
    return Told(pattern, values)


def tell_n(one: str, many: str, n: int, /, **values: Any) -> Told:
    """As ``tell``, of ``n`` things: ``{n}`` is their number.

    >>> tell_n("{n} card is left", "{n} cards are left", 2)
    '2 cards are left'
    """
    return Told(one, {"n": n, **values}, many)


def as_sentence(text: str) -> str:
    """The text as one sentence, with a capital and a full stop.

    >>> as_sentence("seat 2 passes")
    'Seat 2 passes.'
    """
    if isinstance(text, Told):
        return text if text.endswith(".") else tell("{said}.", said=text)
    return text[:1].upper() + text[1:].rstrip(".") + "."


def together(sentences: Sequence[str]) -> str:
    """Several sentences as one text; there must be one at least.

    >>> together([tell("It is late."), tell("It rains.")])
    'It is late. It rains.'
    """
    said = sentences[0]
    for more in sentences[1:]:
        said = tell("{said} {more}", said=said, more=more)
    return said


def later(text: str, /) -> str:
    """A text or pattern that is given to somebody else who says it: marked here, so that it is found and translated."""
    return text


def filled(pattern: str, values: Mapping[str, Any], say: Callable[[Any], Any] | None = None) -> str:
    """The pattern with its values, each put through ``say`` first; a brace without a value stays as it is."""

    def value_of(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        value = values[found[1]] if say is None else say(values[found[1]])
        return plain(value, found[2] or "")

    return _PLACE.sub(value_of, pattern)


def plain(value: Any, form: str = "") -> str:
    """A value as text, in one of its forms where it has forms; cards stand beside each other."""
    if form and hasattr(value, "form"):
        return str(value.form(form))
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def words_of(error: BaseException) -> str:
    """What an error says; as it was told, if it was.

    >>> words_of(ValueError(tell("{n} is too many", n=3))).pattern
    '{n} is too many'
    """
    said = error.args[-1] if error.args else ""
    return said if isinstance(said, str) else str(error)
