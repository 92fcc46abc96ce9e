"""Sbros after the exchange with both hands known: nothing is hidden and nothing drawn, so it is worked out to the end.

The search asks two questions only: can the one in turn win, and if not, can he draw? Each is answered yes or no for
every position that it meets, and remembered. Left and right don't matter for that: what covers a centre covers its
mirror image the other way round, so a position is known by its centre cards in any order.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from assistant.games.game import Action, GameError
from assistant.games.sbros import SbrosPosition
from assistant.games.sbros_covers import partners
from assistant.games.sbros_setup import Rules

MOST_POSITIONS: Final = 20_000
"""Positions that are looked at before the search gives up: one to two seconds. Nine endgames in ten need fewer."""
VALUES: Final = (0.0, 0.5, 1.0)
"""Points for a loss, a draw and a win (SBR-15); the search's goals are their indices."""
_DRAW, _WIN = 1, 2


class Unsolvable(GameError):
    """The deal is over, cards are still drawn, not every card of both hands is known, or the search is too long."""


def solve(position: SbrosPosition, most: int = MOST_POSITIONS) -> tuple[float, Action]:
    """What the deal is worth to the seat in turn if both play their best, and an action that achieves it.

    The value is in points: 1 for a win, 0.5 for a draw, 0 for a loss. ``most`` is how many positions may be looked
    at. Raises Unsolvable.
    """
    endgame = _Endgame(position, most)
    for goal in (_WIN, _DRAW):
        for action in endgame.actions:
            if endgame.achieves(action, goal):
                return VALUES[goal], action
    return VALUES[0], endgame.actions[0]


def ranked(position: SbrosPosition, most: int = MOST_POSITIONS) -> tuple[tuple[Action, float], ...]:
    """Every legal action of the seat in turn with its value as ``solve`` tells it, best first. Raises Unsolvable."""
    endgame = _Endgame(position, most)
    values = [(action, endgame.value(action)) for action in endgame.actions]
    return tuple(sorted(values, key=lambda one: -one[1]))


@lru_cache(maxsize=8192)
def _ways(centre: int, adjacent: bool) -> tuple[tuple[int, ...], int]:
    """For each card those of a higher code that cover a centre with it, and the cards for which there are any."""
    left, right = (1 << code for code in divmod(centre, 52))
    both = zip(partners(left, right, adjacent), partners(right, left, adjacent), strict=True)
    ways = tuple((one | other) & -2 << code for code, (one, other) in enumerate(both))
    return ways, sum(1 << code for code, fitting in enumerate(ways) if fitting)


def _centre(one: int, other: int) -> int:
    """A centre by the codes of its cards in any order."""
    return 52 * one + other if one < other else 52 * other + one


class _Endgame:
    """The search from one position. A hand is one bit a card, the centre is ``_centre`` of its cards."""

    def __init__(self, position: SbrosPosition, most: int) -> None:
        seat, places = position.to_act, position.places
        if seat is None:
            raise Unsolvable("deal-over", "the deal is over: there is nothing left to work out", "SBR-14")
        if places.stock:
            raise Unsolvable("cards-to-draw", f"{places.stock} cards are still to be drawn", "SBR-12")
        mine, theirs = places.hands[seat - 1], places.hands[2 - seat]
        if any(hand.unknown or hand.partly for hand in (mine, theirs)) or not all(card.known for card in places.centre):
            raise Unsolvable("hands-not-known", "not every card of both hands is known", "SBR-12")
        rules: Rules = position.rules
        self.adjacent = rules.adjacent
        self.may_always_pass = rules.late_pass == "free"
        self.passes_to_end = 1 if rules.end_on_first_block == "yes" else 2
        self.most = most
        self.mine, self.theirs, self.passes = mine.known, theirs.known, position.passes
        self.centre = _centre(places.centre[0].code, places.centre[1].code)
        self.answers: dict[tuple[int, int, int, int, int], bool] = {}
        self.actions = sorted(position.legal_actions(), key=self._replies_to)

    def _replies_to(self, action: Action) -> int:
        if action.verb == "pass":
            return self._number_of_plays(self.theirs, self.centre)
        return self._number_of_plays(self.theirs, _centre(action.cards[0].code, action.cards[1].code))

    def value(self, action: Action) -> float:
        """The points that the action is worth."""
        return next((VALUES[goal] for goal in (_WIN, _DRAW) if self.achieves(action, goal)), VALUES[0])

    def achieves(self, action: Action, goal: int) -> bool:
        """Whether the action leads to the goal at least."""
        if action.verb == "pass":
            return self._passing(self.mine, self.theirs, self.centre, self.passes, goal)
        left, right = (card.code for card in action.cards)
        rest = self.mine & ~(1 << left | 1 << right)
        return not rest or not self._reaches(self.theirs, rest, _centre(left, right), 0, 3 - goal)

    def _reaches(self, mine: int, theirs: int, centre: int, passes: int, goal: int) -> bool:
        """Whether the one in turn, who holds ``mine``, gets a win (2), or a draw at least (1)."""
        key = (mine, theirs, centre, passes, goal)
        known = self.answers.get(key)
        if known is not None:
            return known
        if len(self.answers) >= self.most:
            raise Unsolvable("too-many-positions", f"the search met more than {self.most} positions")
        plays = self._plays(mine, centre)
        answer = bool(plays) and self._playing(plays, theirs, goal)
        if not answer and (not plays or self.may_always_pass):
            answer = self._passing(mine, theirs, centre, passes, goal)
        self.answers[key] = answer
        return answer

    def _playing(self, plays: list[tuple[int, int]], theirs: int, goal: int) -> bool:
        """Whether one of the plays leads to the goal; those that leave the fewest replies are tried first."""
        answers, other_goal = self.answers, 3 - goal
        ordered = []
        for after, rest in plays:
            if not rest or answers.get((theirs, rest, after, 0, other_goal)) is False:
                return True
            ordered.append((self._number_of_plays(theirs, after), after, rest))
        ordered.sort()
        return any(not self._reaches(theirs, rest, after, 0, other_goal) for _, after, rest in ordered)

    def _passing(self, mine: int, theirs: int, centre: int, passes: int, goal: int) -> bool:
        """Whether a pass leads to the goal."""
        if passes + 1 >= self.passes_to_end:
            ahead = theirs.bit_count() - mine.bit_count()
            return ahead > 0 or (ahead == 0 and goal == _DRAW)
        return not self._reaches(theirs, mine, centre, passes + 1, 3 - goal)

    def _plays(self, hand: int, centre: int) -> list[tuple[int, int]]:
        """What a hand can do: the centre then, and the hand that is left."""
        ways, useful = _ways(centre, self.adjacent)
        found = []
        left = hand & useful
        while left:
            one = left & -left
            left ^= one
            code = one.bit_length() - 1
            fitting = ways[code] & hand
            while fitting:
                other = fitting & -fitting
                fitting ^= other
                found.append((52 * code + other.bit_length() - 1, hand ^ one ^ other))
        return found

    def _number_of_plays(self, hand: int, centre: int) -> int:
        ways, useful = _ways(centre, self.adjacent)
        number = 0
        left = hand & useful
        while left:
            one = left & -left
            left ^= one
            number += (ways[one.bit_length() - 1] & hand).bit_count()
        return number
