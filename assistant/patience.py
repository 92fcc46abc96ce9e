"""How long following waits before it concludes something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assistant.signs.signs import Explanation
from assistant.view import Stillness, TableView

BROUGHT: Final = 1.5
"""A hand brought what came to rest this long (seconds) before it was gone at the most, or after."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long (seconds) the table must show the same before something is concluded.

    ``gone``: the hand that did it is gone (see ``hands_gone``), and the explanation is complete; ``covered``: the same,
    but one of the cards is out of sight. ``still``: nothing moves, though that hand is there, or the hand that may
    grasp once more was seen to go. ``busy``: hands move. ``hidden``: it may not be done yet, what is out of sight may
    be anything, or the action was undone. ``ask``: two explanations remain. ``misplay``: none fits, and it is plain
    which rule was broken. ``desync``: none fits, and the table rests (three times that long if it goes on changing).
    ``deal``: the pool lies complete. ``answer``: an open question is given up for its likeliest choice (``sure``
    False); None waits for the answer. ``sweep``: with a claim still open at the end of the deal, how long the table
    must rest until nobody will make it.
    """

    gone: float = 0.3
    covered: float = 0.4
    still: float = 0.8
    busy: float = 2.0
    hidden: float = 3.0
    ask: float = 3.0
    desync: float = 8.0
    misplay: float = 2.5
    deal: float = 1.5
    answer: float | None = None
    sweep: float = 15.0


def rest_needed(patience: Patience, view: TableView, best: Explanation) -> float:
    """How long (seconds) an explanation must have rested before it is believed."""
    known = all(card.rank for action in best.actions for card in action.cards)
    if not known:
        return patience.hidden
    gone = hands_gone(view, best)
    if best.unfinished:
        return patience.still if best.grasp and gone and view.visits else patience.hidden
    if gone:
        return patience.covered if best.hidden else patience.gone
    if best.hidden:
        return patience.hidden
    return patience.still if view.stillness is Stillness.STILL else patience.busy


def hands_over(view: TableView) -> bool:
    """Whether somebody is at it just now: the next turn may tell what the last one was."""
    return any(visit.end is None for visit in view.visits)


def hands_gone(view: TableView, done: Explanation) -> bool:
    """Whether nobody can be about to change what was done: no hand is over the table and nothing moves, or the hands
    of all who did it are gone again, and those that are there are others' and over other places. Whose turn it is then
    may reach across the piles of those who have had theirs."""
    hands = [visit for visit in view.visits if visit.end is None]
    if not hands and view.stillness is Stillness.STILL:
        return True
    if not hands and view.stillness is Stillness.MOVING:
        return False  # whose hand comes is not known yet
    tracks = {track for used in done.tracks for track in used}
    seen = [one for one in view.cards if one.track in tracks]
    zones = {one.zone for one in seen}
    seats = {action.seat for action in done.actions}
    next_seat = done.position.to_act
    for hand in hands:
        theirs = (
            {zone for zone in zones if zone is not None and zone.seat in seats} if hand.seat == next_seat else set()
        )
        if hand.seat is None or hand.seat in seats or not hand.over or (zones - theirs).intersection(hand.over):
            return False
    gone = [(visit.begin, visit.end) for visit in view.visits if visit.end is not None and visit.seat in seats]
    return bool(seen) and all(
        any(begin <= one.since + BROUGHT and one.since <= end + BROUGHT for begin, end in gone) for one in seen
    )
