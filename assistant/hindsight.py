"""Hindsight: what follows shows that an action which was told can't have been, so the deal is told anew.

Only for games whose signs can do it (``TellsAnew``). What a person said stands: a deal is told anew from there on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from assistant.events import Choice, Undone, choice_line
from assistant.games.game import Game, GameError, Position
from assistant.rereading import kept
from assistant.signs.lain import AllLain
from assistant.signs.retelling import Retelling, Teller
from assistant.signs.signs import Explanation, Signs
from assistant.view import Stillness, TableView

if TYPE_CHECKING:
    from assistant.follow_state import FollowState

MARGIN: Final = 2.0
"""What is less likely than the likeliest way by more nats than this is no rival of it."""
RIPE, UNCERTAIN = 3.0, 6.0
"""For so long (seconds) another way must have been the likeliest, and where it has rivals, to be taken."""
PAUSE: Final = 1.0
"""Seconds between two tellings at least: what comes and goes in between is in the next one."""
SURELY: Final = 4.0
"""In nats: so much likelier another way must be while what lies there is explained."""
WENT_ON: Final = 2
"""So many more actions than were told must be seen."""
NO_TRACE: Final = "pass"
"""What shows nothing on the table."""
WHY: Final = "what came later shows otherwise"
READ: Final = 0.7
"""How sure an action is (0..1) that was concluded from what came after it."""


@runtime_checkable
class TellsAnew(Protocol):
    """Signs of a game whose deals can be told anew from all that has lain on the table."""

    def teller(self) -> Teller:
        """One who tells a single deal."""
        ...


@dataclass(frozen=True, slots=True)
class Rested:
    """How the deal was told when table and game agreed at a time (seconds), and what had lain there until then."""

    told: Choice
    lain: AllLain
    t: float


@dataclass(frozen=True, slots=True)
class Past:
    """What has lain on the table, and since which action (``fixed``) it is for the follower to say what it means.

    ``other``: from which action on another way is likelier than what was told, ``since`` when (seconds); ``doubted``:
    it is more than a single action more, which may just be against the rules. ``times``: how often the deal was told
    anew; each time the next one has to stand for longer. ``rested``: the deal before its end,
    when the table agreed with it last.
    """

    lain: AllLain = field(default_factory=AllLain)
    fixed: int | None = None
    other: int | None = None
    since: float = 0.0
    doubted: bool = False
    times: int = 0
    rested: Rested | None = None

    def resting(self, position: Position, view: TableView) -> Past:
        """With table and game agreeing now. After the end the cards are cleared away, which tells nothing."""
        if position.over or view.stillness is not Stillness.STILL:
            return self
        return replace(self, rested=Rested(position.actions, self.lain, view.t))

    def remembering(self, lain: AllLain, position: Position) -> Past:
        """With all that has lain there by now."""
        return replace(self, lain=lain, fixed=len(position.actions) if self.fixed is None else self.fixed)

    def doubting(self, anew: Anew | None, t: float) -> Past:
        """With another way being the likeliest; None: with none."""
        other = None if anew is None else anew.first
        doubted = anew is not None and anew.known and (bool(anew.undone) or anew.went_on >= WENT_ON)
        if (self.other, self.doubted) == (other, doubted):
            return self
        return replace(self, other=other, doubted=doubted, since=t if self.other != other else self.since)


@dataclass(frozen=True, slots=True)
class Anew:
    """How the deal is to be told now: the actions from the ``first`` one on are undone, the last one first, and what
    was done instead.

    ``tracks``: those of all actions that are not a person's word. ``known``: what was told is among the ways at all.
    ``clear``: it is, and nothing else is nearly as likely. ``sure``: no guess is among all that is told then. ``gain``:
    by so many nats at least it is likelier than what was told.
    """

    first: int
    undone: tuple[Undone, ...]
    done: Explanation
    tracks: tuple[tuple[int, ...], ...]
    known: bool
    clear: bool
    sure: bool
    gain: float

    @property
    def went_on(self) -> int:
        """How many actions more than were told were seen."""
        done = zip(self.done.actions, self.done.tracks, strict=True)
        seen = sum(bool(used) if one.cards else one.verb != NO_TRACE for one, used in done)
        return seen - sum(one.action.verb != NO_TRACE for one in self.undone)

    def ripe(self, lasted: float, *, lost: bool) -> bool:
        """Whether it has been the likeliest way for long enough (seconds), and the table was seen to go on: one card
        that lies there against the rules is rather a fault. Unless the game is ``lost`` it must be far likelier."""
        if not lost:
            return self.clear and self.gain >= SURELY and lasted >= RIPE
        return self.went_on >= WENT_ON and lasted >= (RIPE if self.clear else UNCERTAIN)


class Hindsight:
    """Tells the deals of one follower anew; what it remembers only saves time."""

    def __init__(self, game: Game, signs: Signs) -> None:
        self._game = game
        self._teller = signs.teller() if isinstance(signs, TellsAnew) else None
        self._last: tuple[object, object, float, list[Retelling]] | None = None

    def seen(self, past: Past, view: TableView, position: Position) -> Past:
        """With what a view adds, where that may be needed."""
        if self._teller is None:
            return past
        return past.remembering(self._teller.remembered(past.lain, view), position)

    def contested(self, past: Past, position: Position) -> bool:
        """Whether a deal that is over was rather played otherwise, so that the stakes were others: all that lay there
        is told anew, and who held and won how many cards in the likeliest way is held against the record."""
        rested = past.rested
        if self._teller is None or not self._teller.judges or rested is None:
            return False
        if position.actions[: len(rested.told)] != rested.told:
            return True
        fixed = past.fixed or 0
        told = self._after(position, fixed, rested.told[fixed:])
        ways = self._teller.tell(self._after(position, fixed, ()), rested.lain, rested.t)
        return not ways or _stakes(ways[0].position) != _stakes(told)

    def weighed(
        self, state: FollowState, position: Position, view: TableView, *, lost: bool, asked: bool
    ) -> tuple[FollowState, Anew | None]:
        """How the deal is to be told otherwise, once that has been the likeliest for long enough. Nothing is looked for
        unless the game is ``lost``, or something is ``asked``: what explains the table stands."""
        if self._teller is None or not (lost or asked):
            return replace(state, past=state.past.doubting(None, view.t)), None
        anew = self.anew(state.past, position, view)
        past = state.past.doubting(anew, view.t)
        state = replace(state, past=past)
        if (
            anew is None
            or not anew.ripe((view.t - past.since) / (1 + past.times), lost=lost)
            or choice_line(anew.done.actions) in state.refused
        ):
            return state, None
        return state, anew

    def rather(self, state: FollowState, position: Position, view: TableView) -> Anew | None:
        """How the deal is to be told otherwise rather than that anything is asked."""
        anew = self.anew(state.past, position, view) if self._teller is not None else None
        fits = anew is not None and not state.past.times and anew.ripe(RIPE, lost=False)
        return anew if anew and fits and choice_line(anew.done.actions) not in state.refused else None

    def anew(self, past: Past, position: Position, view: TableView) -> Anew | None:
        """How the deal is to be told otherwise than it was (``position``); None: not otherwise, as far as is known."""
        assert self._teller is not None
        ways = self._ways(past, position, view)
        told = position.actions
        shown = _shown(told)
        stood = next((way for way in ways if self._alike(shown, way.actions) == len(shown)), None)
        best = stood
        if best is None or best.cost > ways[0].cost + self._teller.preferred:
            best = ways[0] if ways else None
        if best is None or len(best.actions) == self._alike(told, best.actions) >= len(shown):
            return None
        rivals = [way for way in ways if way.cost < best.cost + MARGIN]
        agreed = min(self._alike(best.actions, way.actions) for way in rivals)
        clear = agreed > self._alike(told, best.actions)
        length = agreed if clear else len(best.actions)
        first, fixed = self._alike(told, best.actions[:length]), past.fixed or 0
        actions, tracks = best.actions[first:length], best.tracks[first - fixed : length - fixed]
        try:
            after = self._after(position, first, actions)
        except GameError:
            return None  # in the order in which it was told it can't be
        done = Explanation(actions, after, best.cost, 0, READ, tracks)
        unseen = any(one.cards and not used for one, used in zip(actions, tracks, strict=True))
        undone = tuple(Undone(view.t, action, WHY) for action in told[first:][::-1])
        clear = clear and stood is not None
        gain = (ways[-1] if stood is None else stood).cost - best.cost
        return Anew(first, undone, done, best.tracks, stood is not None, clear, clear and not unseen, gain)

    def _alike(self, told: Choice, other: Choice) -> int:
        """With how many actions both begin, in whatever order (a lay may come before or after a turn)."""
        assert self._teller is not None
        odd: Counter[Hashable] = Counter()
        alike = 0
        for number, (one, another) in enumerate(zip(told, other, strict=False), start=1):
            odd[self._teller.sense(one)] += 1
            odd[self._teller.sense(another)] -= 1
            if not any(odd.values()):
                alike = number
        return alike

    def _after(self, position: Position, first: int, actions: Choice) -> Position:
        """The position after these actions in the place of those from ``first`` on."""
        after = self._game.deal(position.setup)
        for action in (*position.actions[:first], *actions):
            after = after.apply(action)
        return after

    def _ways(self, past: Past, position: Position, view: TableView) -> list[Retelling]:
        assert self._teller is not None
        key = (position.setup, position.actions[: past.fixed])
        outline = self._teller.outline(past.lain, view.t)
        last = self._last
        if last is None or last[0] != key or (last[1] != outline and abs(view.t - last[2]) >= PAUSE):
            start = self._after(position, past.fixed or 0, ())
            last = key, outline, view.t, self._teller.tell(start, past.lain, view.t)
            self._last = last
        return last[3]


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


def _stakes(position: Position) -> object:
    """How many cards each seat holds and has won."""
    state = position.observe()
    return dict(state.hands), {seat: len(pile) for seat, pile in state.piles.items()}, state.stock


def _shown(told: Choice) -> Choice:
    """The actions without the last ones that show nothing: what lies on the table tells of no such one."""
    length = len(told)
    while length and told[length - 1].verb == NO_TRACE:
        length -= 1
    return told[:length]
