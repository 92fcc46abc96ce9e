"""What players do against the rules and undo again."""

from __future__ import annotations

from dataclasses import dataclass

from vision.render.gesture import Step


@dataclass(frozen=True, slots=True)
class Misplay:
    """Before step number ``before`` of the script ``step`` is done, stands for a while and is undone by the same hand.

    ``before``: 0 to the number of steps (at the end, before the table is swept or cleared). ``step``: any verb of the
    game; besides these ``sweep`` (Laugh and Lie Down: the seat takes the pool) and ``take-trick`` (Rolling Stone: the
    seat takes the trick, before the right one does). ``stands``: seconds. ``words``: what is wrong with it, for the
    truth.

    >>> from assistant.cards import parse_cards
    >>> str(Misplay(4, Step(2, "mate", parse_cards("KH QS")), words="not-the-same-rank").step)
    '2 mate KH QS'
    """

    before: int
    step: Step
    stands: float = 5.0
    words: str = ""
