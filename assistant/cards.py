"""Cards of the French-suited pack, fully or partly known.

A card is written rank then suit: ``AS``, ``TD``, ``QH``. A card known only in part is written ``7?`` (a seven
of unknown suit) or ``??`` (any card).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"


class InvalidCard(ValueError):
    """The text is no card."""


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card; the suit, or rank and suit, may be unknown (the empty string).

    ``code`` numbers the cards in their order (ace to king, spades hearts diamonds clubs): 0..51 for the known ones
    (``4 * rank + suit``), 52..64 for a rank of unknown suit, 65 for any card.

    >>> Card.parse("10d"), Card.parse("7?"), Card.parse("qh").known
    (Card('TD'), Card('7?'), True)
    """

    rank: str = field(compare=False)
    suit: str = field(compare=False)
    code: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        code = _CODES.get((self.rank, self.suit))
        if code is None:
            raise InvalidCard(f"there is no card of rank '{self.rank}' and suit '{self.suit}'")
        object.__setattr__(self, "code", code)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card; ``10D`` and lower case are understood. Raises InvalidCard."""
        card = _BY_TEXT.get(text)
        if card is not None:
            return card
        folded = text.strip().upper()
        if folded.startswith("10"):
            folded = "T" + folded[2:]
        card = _BY_TEXT.get(folded)
        if card is None:
            from assistant.told import tell  # which needs the ranks of this module

            shown = text if len(text) <= 12 else text[:12] + "..."
            raise InvalidCard(
                tell(
                    "'{shown}' is no card: write rank then suit, such as AS, TD or QH (7? and ?? if unknown)",
                    shown=shown,
                )
            )
        return card

    @property
    def known(self) -> bool:
        """Both rank and suit are known."""
        return self.code < 52

    def matches(self, other: Card) -> bool:
        """Whether the two could be the same card, given what is known of each.

        >>> Card.parse("7?").matches(Card.parse("7S")), Card.parse("8S").matches(Card.parse("7S"))
        (True, False)
        """
        return (not self.rank or not other.rank or self.rank == other.rank) and (
            not self.suit or not other.suit or self.suit == other.suit
        )

    def __str__(self) -> str:
        return (self.rank or "?") + (self.suit or "?")

    def __repr__(self) -> str:
        return f"Card('{self}')"


_CODES: Final[dict[tuple[str, str], int]] = {
    **{(rank, suit): 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)},
    **{(rank, ""): 52 + r for r, rank in enumerate(RANKS)},
    ("", ""): 65,
}
UNKNOWN: Final = Card("", "")
PACK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
CARDS: Final[tuple[Card, ...]] = (*sorted(PACK), *(Card(rank, "") for rank in RANKS), UNKNOWN)
"""Every card, known or partly known, at the place of its ``code``."""
_BY_TEXT: Final[dict[str, Card]] = {str(card): card for card in CARDS}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks or commas. Raises InvalidCard.

    >>> parse_cards("KH KS, 7?")
    (Card('KH'), Card('KS'), Card('7?'))
    """
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())
