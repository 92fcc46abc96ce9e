"""Hindsight: what follows shows that an action which was told can't have been, so the deal is told anew.

Only for games whose signs can do it (``TellsAnew``). What a person said stands: a deal is told anew from there on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from assistant.events import Choice, Undone, choice_line
from assistant.games.game import Game, Position
from assistant.rereading import kept
from assistant.signs.signs import Explanation, Signs
from assistant.signs.stone_lain import AllLain, Lain
from assistant.signs.stone_retelling import LEAST_LOOKS, STEADY, Retelling, outline
from assistant.view import TableView

if TYPE_CHECKING:
    from assistant.follow_state import FollowState

MARGIN: Final = 2.0
"""What is less likely than the likeliest way by more nats than this is no rival of it."""
PREFERRED: Final = 1.0
"""In nats: what was told stands unless something is so much likelier."""
RIPE, UNCERTAIN = 3.0, 6.0
"""For so long (seconds) another way must have been the likeliest, and where it has rivals, to be taken."""
SURELY: Final = 4.0
"""In nats: so much likelier another way must be while what lies there is explained."""
WENT_ON: Final = 2
"""So many more actions than were told must be seen."""
NO_TRACE: Final = "pass"
"""What shows nothing on the table."""
WHY: Final = "what came later shows otherwise"
READ: Final = 0.7
"""How sure an action is (0..1) that was concluded from what came after it."""


class Teller(Protocol):
    """One who tells the deals of a game anew."""

    def remembered(self, before: AllLain, view: TableView) -> AllLain:
        """What has lain on the table, with what a view adds."""
        ...

    def tell(self, start: Position, lain: Sequence[Lain], now: float) -> list[Retelling]:
        """The likeliest ways from a position to what lies there now, the likeliest first; ``lain``: what came since, in
        the order in which it came."""
        ...


@runtime_checkable
class TellsAnew(Protocol):
    """Signs of a game whose deals can be told anew from all that has lain on the table."""

    def teller(self) -> Teller:
        """One who tells a single deal."""
        ...


@dataclass(frozen=True, slots=True)
class Past:
    """What has lain on the table, and since which action (``fixed``) it is for the follower to say what it means.

    ``other``: from which action on another way is likelier than what was told, ``since`` when (seconds).
    """

    lain: AllLain = field(default_factory=AllLain)
    fixed: int | None = None
    other: int | None = None
    since: float = 0.0

    def with_lain(self, lain: AllLain, position: Position) -> Past:
        """With all that has lain there by now."""
        return replace(self, lain=lain, fixed=len(position.actions) if self.fixed is None else self.fixed)

    def doubting(self, other: int | None, t: float) -> Past:
        """With another way being the likeliest that differs from this action on; None: with none."""
        return self if self.other == other else replace(self, other=other, since=t)


@dataclass(frozen=True, slots=True)
class Anew:
    """How the deal is to be told now: the actions from the ``first`` one on are undone, the last one first, and what
    was done instead.

    ``clear``: nothing else is nearly as likely. ``sure``: no guess is among all that is told then. ``gain``: by so
    many nats at least it is likelier than what was told.
    """

    first: int
    undone: tuple[Undone, ...]
    done: Explanation
    clear: bool
    sure: bool
    gain: float

    def ripe(self, lasted: float, *, lost: bool) -> bool:
        """Whether it has been the likeliest way for long enough (seconds), and the table went on: one card that lies
        there against the rules is rather a fault. Unless the game is ``lost`` it must be far likelier."""
        if not lost:
            return self.clear and self.gain >= SURELY and lasted >= RIPE
        told = zip(self.done.actions, self.done.tracks, strict=True)
        seen = sum(bool(used) if one.cards else one.verb != NO_TRACE for one, used in told)
        went_on = seen - sum(one.action.verb != NO_TRACE for one in self.undone) >= WENT_ON
        return went_on and lasted >= (RIPE if self.clear else UNCERTAIN)


class Hindsight:
    """Tells the deals of one follower anew; what it remembers only saves time."""

    def __init__(self, game: Game, signs: Signs) -> None:
        self._game = game
        self._teller = signs.teller() if isinstance(signs, TellsAnew) else None
        self._last: tuple[object, list[Retelling]] | None = None

    def seen(self, past: Past, view: TableView, position: Position) -> Past:
        """With what a view adds, where that may be needed."""
        return past if self._teller is None else past.with_lain(self._teller.remembered(past.lain, view), position)

    def weighed(
        self, state: FollowState, position: Position, view: TableView, *, lost: bool, asked: bool
    ) -> tuple[FollowState, Anew | None]:
        """How the deal is to be told otherwise, once that has been the likeliest for long enough. Nothing is looked for
        unless the game is ``lost``, or something is ``asked``: what explains the table stands."""
        if self._teller is None or not (lost or asked):
            return replace(state, past=state.past.doubting(None, view.t)), None
        anew = self.anew(state.past, position, view)
        past = state.past.doubting(anew.first if anew else None, view.t)
        state = replace(state, past=past)
        if (
            anew is None
            or not anew.ripe(view.t - past.since, lost=lost)
            or choice_line(anew.done.actions) in state.refused
        ):
            return state, None
        return replace(state, past=past.doubting(None, view.t)), anew

    def rather(self, state: FollowState, position: Position, view: TableView) -> Anew | None:
        """How the deal is to be told otherwise rather than that anything is asked."""
        anew = self.anew(state.past, position, view) if self._teller is not None else None
        fits = anew is not None and anew.ripe(RIPE, lost=False)
        return anew if anew and fits and choice_line(anew.done.actions) not in state.refused else None

    def anew(self, past: Past, position: Position, view: TableView) -> Anew | None:
        """How the deal is to be told otherwise than it was (``position``); None: not otherwise, as far as is known."""
        ways = self._ways(past, position, view)
        told = position.actions
        best = next((way for way in ways if _begins(way.actions, _shown(told))), None)
        if best is None or best.cost > ways[0].cost + PREFERRED:
            best = ways[0] if ways else None
        if best is None or best.actions in (told, _shown(told)):
            return None
        rivals = [way for way in ways if way.cost < best.cost + MARGIN]
        agreed = min(_alike(best.actions, way.actions) for way in rivals)
        clear = agreed > _alike(best.actions, told)
        length = agreed if clear else len(best.actions)
        first, fixed = _alike(best.actions[:length], told), past.fixed or 0
        actions, tracks = best.actions[first:length], best.tracks[first - fixed : length - fixed]
        done = Explanation(actions, self._after(position, first, actions), best.cost, 0, READ, tracks)
        unseen = any(one.cards and not used for one, used in zip(actions, tracks, strict=True))
        undone = tuple(Undone(view.t, action, WHY) for action in told[first:][::-1])
        stood = next((way.cost for way in ways if _begins(way.actions, _shown(told))), ways[-1].cost)
        return Anew(first, undone, done, clear, clear and not unseen, stood - best.cost)

    def _after(self, position: Position, first: int, actions: Choice) -> Position:
        """The position after these actions in the place of those from ``first`` on."""
        after = self._game.deal(position.setup)
        for action in (*position.actions[:first], *actions):
            after = after.apply(action)
        return after

    def _ways(self, past: Past, position: Position, view: TableView) -> list[Retelling]:
        lain = past.lain
        newest = max((one.came for one in lain.here.values()), default=-math.inf)
        here = tuple((outline(one, newest), min(one.looks, LEAST_LOOKS)) for one in lain.here.values())
        lasted = min(view.t - max([newest, lain.until, *(one.last for one in lain.past[-1:])]), STEADY)
        key = (position.setup, position.actions[: past.fixed], len(lain.past), lain.until, here, int(lasted))
        if self._last is None or self._last[0] != key:
            assert self._teller is not None
            start = self._after(position, past.fixed or 0, ())
            self._last = key, self._teller.tell(start, lain.in_order(), view.t)
        return self._last[1]


def heeding(state: FollowState, actions: Choice) -> FollowState:
    """The state after a person changed the position: what was taken back is refused until something else happens."""
    known = state.known
    refused: frozenset[str] = frozenset()
    if len(actions) < len(known) and known[: len(actions)] == actions:
        back = known[len(actions) :]
        refused = frozenset(choice_line(back[:number]) for number in range(1, len(back) + 1))
    places = kept(state.places, known, actions)
    past = Past(AllLain(), len(actions))
    return replace(
        state, known=actions, refused=refused, held=(), differs_since=None, places=places, past=past, over=False
    )


def _shown(told: Choice) -> Choice:
    """The actions without the last ones that show nothing: what lies on the table tells of no such one."""
    length = len(told)
    while length and told[length - 1].verb == NO_TRACE:
        length -= 1
    return told[:length]


def _begins(one: Choice, other: Choice) -> bool:
    return one[: len(other)] == other


def _alike(one: Choice, other: Choice) -> int:
    """With how many actions both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))
