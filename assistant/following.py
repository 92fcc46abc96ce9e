"""Following: what the table shows, turned into the actions of the game. Pure: no clock, no picture, no hidden state.

Use (the command line and the page's loop do just this)::

    follower = Follower(game, Terms("laugh-and-lie-down", players=5, dealer=5))
    state, position = FollowState(), None
    for view in views:                                  # assistant.view.TableView, from the tracker
        step = follower.follow(state, position, view)
        state, position = step.state, step.position     # position: None until the deal was seen
        for event in step.events: ...                   # assistant.events, in order

The caller owns the position. ``step.position`` is ``position`` with all of ``step.events`` applied (``DealSeen``,
``ActionSeen``, ``Undone``); a caller with a log of its own may fold the events itself and pass its result next time.
Anybody may replace the position between two steps: answer a question by applying the choice's actions, take an
action back, put another in its place. The follower compares the new position with the table again. An action that
somebody took back is not committed again from the same picture: the follower asks first.
A new deal begins with ``FollowState()`` and position None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.events import Choice, Event, Question
from assistant.games.game import Action, Game, Position
from assistant.view import TableView


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before the deal: the game's name, the number of players, who deals, options and names."""

    game: str
    players: int
    dealer: int
    options: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Patience:
    """How long (seconds) the table must show the same before something is concluded.

    ``still``: nothing moves and the explanation is complete. ``busy``: the same while hands move elsewhere.
    ``hidden``: part of the evidence is out of sight, or the action was undone. ``ask``: two explanations remain.
    ``desync``: none fits. ``deal``: the pool lies complete. ``answer``: an open question is given up for its
    likeliest choice (``sure`` False); None waits for the answer.
    """

    still: float = 1.0
    busy: float = 2.0
    hidden: float = 3.0
    ask: float = 3.0
    desync: float = 8.0
    deal: float = 1.5
    answer: float | None = None


@dataclass(frozen=True, slots=True)
class FollowState:
    """What following remembers between two views. Frozen; the empty one starts a deal. Fields are its own affair,
    except ``question`` (the open one), ``desynced`` and ``sure`` (nothing so far rests on a guess)."""

    question: Question | None = None
    desynced: bool = False
    sure: bool = True
    held: Choice = ()
    held_since: float = 0.0
    known: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of following: the new state, the position after the events, and the events in order."""

    state: FollowState
    position: Position | None
    events: tuple[Event, ...] = ()


class Follower:
    """Follows one deal after another of a game under the same terms."""

    def __init__(self, game: Game, terms: Terms, patience: Patience | None = None) -> None:
        self.game = game
        self.terms = terms
        self.patience = patience or Patience()

    def follow(self, state: FollowState, position: Position | None, view: TableView) -> Step:
        """Compare the position with the view; commit, ask or wait."""
        raise NotImplementedError
