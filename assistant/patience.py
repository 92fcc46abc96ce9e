"""How long following waits before it concludes something."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long (seconds) the table must show the same before something is concluded.

    ``gone``: nothing moves, no hand is over the table, and the explanation is complete; ``covered``: the same, but one
    of the cards is out of sight. ``still``: nothing moves, though a hand is there. ``busy``: hands move elsewhere.
    ``hidden``: it may not be done yet, what is out of sight may be anything, or the action was undone. ``ask``: two
    explanations remain. ``misplay``: none fits, and it is plain which rule was broken. ``desync``: none fits, and the
    table rests (three times that long if it goes on changing). ``deal``: the pool lies complete. ``answer``: an open
    question is given up for its likeliest choice (``sure`` False); None waits for the answer. ``sweep``: with a claim
    still open at the end of the deal, how long the table must rest until nobody will make it.
    """

    gone: float = 0.5
    covered: float = 0.8
    still: float = 1.0
    busy: float = 2.0
    hidden: float = 3.0
    ask: float = 3.0
    desync: float = 8.0
    misplay: float = 2.5
    deal: float = 1.5
    answer: float | None = None
    sweep: float = 15.0
