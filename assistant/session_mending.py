"""What becomes of the later actions when something earlier in a deal is put right.

Each later action is kept where it is still legal. One that is not becomes the legal action that is nearest to it, if
there is just one: the same seat and verb, and as many of its cards as can be. Else it is left out. What was decided is
written into the log (``assistant.session_events.Reexplained``), so that the same log always gives the same deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from assistant.cards import Card
from assistant.games.game import Action, GameError, Position

Kept = tuple[int, Action]
"""An action of the deal with the number of its entry."""
Change = tuple[int, Action | None]
"""What became of the action at an entry: another one, or nothing."""

AHEAD: Final = 12
"""How many later actions tell equally near ones apart."""


def mended(position: Position, later: Sequence[Kept]) -> tuple[Change, ...]:
    """The changes that make all of ``later`` legal from ``position`` on, in their order; none where all are.

    >>> from assistant.games import game_named
    >>> from assistant.games.game import Setup
    >>> from assistant.cards import parse_cards
    >>> table = parse_cards("KS KD 7S 7H 7C 2D 3C 4H 5S 6D JC QC")
    >>> deal = game_named("laugh-and-lie-down").deal(Setup("laugh-and-lie-down", 5, 5, table))
    >>> changes = mended(deal, [(3, Action.parse("1 mate 9? 2D")), (4, Action.parse("2 mate K? KS"))])
    >>> [(entry, str(action)) for entry, action in changes]
    [(3, '1 mate 2? 2D')]
    """
    changes: list[Change] = []
    for place, (entry, action) in enumerate(later):
        after = _after(position, action)
        if after is None:
            instead = _nearest(position, action, [one for _, one in later[place + 1 :]])
            changes.append((entry, instead))
            after = None if instead is None else _after(position, instead)
        position = position if after is None else after
    return tuple(changes)


def _after(position: Position, action: Action) -> Position | None:
    """The position after the action; None where it is refused."""
    try:
        return position.apply(action)
    except GameError:
        return None


def _nearest(position: Position, action: Action, later: Sequence[Action]) -> Action | None:
    """The legal action that is nearest; of several equally near the one after which most of ``later`` stands."""
    legal = () if position.over else position.legal_actions()
    called = [Action(seat, "claim", claim.cards) for claim in position.claims() for seat in claim.claimants]
    near = [one for one in (*legal, *called) if (one.seat, one.verb) == (action.seat, action.verb)]
    near = [one for one in near if _after(position, one) is not None]
    near = _best(near, [_likeness(one.cards, action.cards) for one in near])
    if len(near) > 1:
        near = _best(near, [_standing(position, (one, *later[:AHEAD])) for one in near])
    return near[0] if len(near) == 1 else None


def _best(actions: list[Action], worth: list[int]) -> list[Action]:
    """Those that are worth most."""
    return [action for action, one in zip(actions, worth, strict=True) if one == max(worth)]


def _likeness(some: Iterable[Card], others: Iterable[Card]) -> int:
    """How alike two sets of cards are: two for each card that is the same, one for each further rank that is."""
    left, right = Counter(some), Counter(others)
    same = left & right
    ranks = Counter(card.rank for card in (left - same).elements() if card.rank)
    ranks &= Counter(card.rank for card in (right - same).elements() if card.rank)
    return 2 * same.total() + ranks.total() - abs(left.total() - right.total())


def _standing(position: Position, actions: Iterable[Action]) -> int:
    """How many of the actions are legal one after the other, those that are not left out."""
    count = 0
    for action in actions:
        after = _after(position, action)
        if after is not None:
            position, count = after, count + 1
    return count
