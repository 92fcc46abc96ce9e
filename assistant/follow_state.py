"""What following remembers between two views, and what one step of it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from assistant.events import Event, Question
from assistant.games.game import Action, Position, Setup
from assistant.hindsight import Past
from assistant.rereading import Place
from assistant.signs.difference import Lying
from assistant.signs.signs import Glimpse
from assistant.view import Quad


@dataclass(frozen=True, slots=True)
class FollowState:
    """What following remembers between two views. Frozen; the empty one starts a deal. Fields are its own affair,
    except ``question`` (the open one), ``desynced`` and ``sure`` (nothing so far rests on a guess).

    ``held``: what the table has shown since ``held_since`` (an explanation, an undoing, a deal); ``differs_since``:
    since when it shows what can't be explained; ``known``: the actions of the position that was returned last;
    ``refused``: explanations that a person has taken back; ``asked``: questions so far; ``told``: warnings given;
    ``told_as``: what was held when table and game were told to disagree; ``standing``: the misplays that were told and
    not taken back (code and seats), each with the number of actions before it; ``broken``: which rule by whom, as the
    table shows it since ``broken_since``; ``first``: with what the likely explanations
    begin, since ``first_since``; ``in_pool``: when each track came to the pool; ``lately``: by track, what lay in sight
    since the last action; ``lying``: by track, which card it was when all agreed last; ``places``: by track, its card
    of which action; ``reread``: which of them are read otherwise, since ``reread_since``;
    ``past``: what the deal can be told anew from; ``bare``: no card lay there before the deal;
    ``lain``: the deal as far as it lay there before anybody played.
    """

    question: Question | None = None
    desynced: bool = False
    told_as: tuple[str, ...] = ()
    standing: frozenset[tuple[str, int]] = frozenset()
    broken: str = ""
    broken_since: float = 0.0
    sure: bool = True
    held: tuple[str, ...] = ()
    held_since: float = 0.0
    differs_since: float | None = None
    known: tuple[Action, ...] = ()
    refused: frozenset[str] = frozenset()
    asked: int = 0
    told: frozenset[str] = frozenset()
    first: str = ""
    first_since: float = 0.0
    in_pool: Mapping[int, float] = field(default_factory=dict)
    lately: Mapping[int, Glimpse] = field(default_factory=dict)
    lying: Mapping[int, Lying] = field(default_factory=dict)
    places: Mapping[int, Place] = field(default_factory=dict)
    reread: str = ""
    reread_since: float = 0.0
    past: Past = field(default_factory=Past)
    over: bool = False
    bare: bool = False
    lain: Lain | None = None

    def holding(self, what: tuple[str, ...], t: float) -> FollowState:
        """The state in which the table shows ``what``, since now if it showed something else before."""
        return self if self.held == what else replace(self, held=what, held_since=t)


@dataclass(frozen=True, slots=True)
class Lain:
    """A deal as it lay there: what it is of, how sure that is, and where its cards lay (corners in table units)."""

    setup: Setup
    confidence: float
    quads: tuple[Quad, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of following: the new state, the position after the events, and the events in order.

    ``lain``: where the cards of the deal lay that begins with this step.
    """

    state: FollowState
    position: Position | None
    events: tuple[Event, ...] = ()
    lain: tuple[Quad, ...] = ()
