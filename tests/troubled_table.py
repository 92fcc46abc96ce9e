"""A scripted table with habits: squared piles, bumps, resting hands, takes-back, quick turns, and misplays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from assistant.cards import Card
from assistant.games.game import Action, Position, Setup
from tests.scripted_play import GAME
from tests.scripted_table import Pose, ScriptedTable

STANDS = (4.0, 6.0)
"""Seconds (least, most) that a misplay stands before it is taken back."""


@dataclass(frozen=True)
class Habits:
    """How often (0..1 a turn) each thing happens; ``squared``: the share of seats that keep their pile squared."""

    squared: float = 0.0
    quick: float = 0.0
    rests: float = 0.0
    slides: float = 0.0
    lifts: float = 0.0
    shows: float = 0.0
    bumps: float = 0.0
    straightens: float = 0.0
    border: float = 0.0
    misplays: float = 0.0


ALL = Habits(0.4, 0.15, 0.12, 0.08, 0.06, 0.08, 0.06, 0.05, 0.03, 0.0)
FAULTY = Habits(0.2, 0.05, 0.05, 0.03, 0.03, 0.05, 0.03, 0.03, 0.0, 0.15)


@dataclass(frozen=True)
class Misplayed:
    """A misplay in the script: the code that it should be told by, who did it, and while it lay there."""

    code: str
    seat: int
    begin: float
    end: float


class TroubledTable(ScriptedTable):
    """See the module."""

    def __init__(self, players: int, seed: int, habits: Habits) -> None:
        super().__init__(players, seed)
        self.habits = habits
        self.squared = {seat for seat in range(1, players + 1) if self.rng.random() < habits.squared}
        self.misplayed: list[Misplayed] = []

    def _pile_pose(self, seat: int) -> Pose:
        pose = super()._pile_pose(seat)
        if seat not in self.squared:
            return pose
        start, end, angle = self._strip(seat)
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        return Pose(
            x + self.rng.uniform(-4, 4), y + self.rng.uniform(-4, 4), angle + self.rng.uniform(-4, 4), self._next()
        )

    # --- between turns --------------------------------------------------------------------------------------------

    def trouble(self, position: Position) -> None:
        """What happens beside the game before the next turn."""
        habits, roll = self.habits, self.rng.random
        pool = [card for card in position.observe().table if card in self.poses]
        seats = range(1, self.players + 1)
        if pool and roll() < habits.rests:
            pose = self.poses[self.rng.choice(pool)]
            self.rest_a_hand(self.rng.choice(seats), (pose.x, pose.y), 5.0)
        if pool and roll() < habits.slides:
            self.slide(self.rng.choice(pool), self.rng.uniform(-20, 20), self.rng.uniform(-15, 15))
        if pool and roll() < habits.lifts:
            self.lift(self.rng.choice(pool), self.rng.uniform(0.5, 4.0))
        if roll() < habits.bumps:
            self.bump(self.rng.choice(seats))
        if roll() < habits.straightens:
            self.straighten(self.rng.choice(seats))
        if pool and roll() < habits.border:
            self.push_over_border(self.rng.choice(pool))
        seat = position.to_act
        if seat is not None and pool and roll() < habits.shows:
            hand = _hand(position, seat)
            if hand:
                self.show_and_withdraw(seat, self.rng.choice(hand), self.rng.choice(pool))

    def bump(self, seat: int) -> None:
        """A sleeve shifts a pile's cards a little, all alike."""
        dx, dy = self.rng.uniform(-12, 12), self.rng.uniform(-12, 12)
        cards = self._pile_of(seat)
        if not cards:
            return
        shoulder, pose = self._seat(seat), self.poses[cards[-1]]
        self._reach(shoulder, [(self.t, shoulder), (self.t + 0.4, (pose.x, pose.y)), (self.t + 0.9, shoulder)])
        for card in sorted(cards, key=lambda one: self.poses[one].z):
            old = self.poses[card]
            self._put(self.t + 0.45, card, Pose(old.x + dx, old.y + dy, old.angle + 1, old.z))
        self.t += 2.0

    def straighten(self, seat: int) -> None:
        """A pile is squared up; what is won later goes on it."""
        cards = sorted(self._pile_of(seat), key=lambda one: self.poses[one].z)
        if len(cards) < 2:
            return
        self.squared.add(seat)
        shoulder, pose = self._seat(seat), self.poses[cards[0]]
        spot = (pose.x, pose.y)
        self._reach(
            shoulder, [(self.t, shoulder), (self.t + 0.4, spot), (self.t + 1.6, spot), (self.t + 2.0, shoulder)]
        )
        for card in cards:
            self._put(self.t + 1.0, card, None)
            self._put(self.t + 1.2, card, self._pile_pose(seat))
        self.t += 3.0

    def push_over_border(self, card: Card) -> None:
        """A pool card is shoved beyond the pool's border and pushed back some seconds later."""
        pose = self.poses[card]
        if not pose.y < 562.5 / 2:
            return
        beyond = Pose(pose.x, self.layout.table[0][1] * 562.5 - 22, pose.angle, self._next())
        seat = self._seat(1)
        for to in (beyond, replace(pose, z=self._next())):
            here = self.poses[card]
            self._reach(
                seat,
                [(self.t, seat), (self.t + 0.4, (here.x, here.y)), (self.t + 1.0, (to.x, to.y)), (self.t + 1.5, seat)],
            )
            self._slip(self.t + 0.5, card, None)
            self._slip(self.t + 1.0, card, to)
            self.t += 1.5 + self.rng.uniform(2.0, 5.0)

    def show_and_withdraw(self, seat: int, card: Card, over: Card) -> None:
        """A hand card is held over a pool card for about a second and taken back into the hand."""
        pose = self.poses[over]
        spot, shoulder = (pose.x + 10, pose.y + 8), self._seat(seat)
        stay = self.rng.uniform(0.7, 1.5)
        self._reach(shoulder, [(self.t, shoulder), (self.t + 0.4, spot), (self.t + 0.7, shoulder)])
        self._slip(self.t + 0.4, card, Pose(*spot, pose.angle + 3, self._next()))
        self.t += 0.7 + stay
        self._reach(shoulder, [(self.t, shoulder), (self.t + 0.4, spot), (self.t + 0.8, shoulder)])
        self._slip(self.t + 0.4, card, None)
        self.t += 1.6

    # --- misplays -------------------------------------------------------------------------------------------------

    def misplay(self, position: Position) -> None:
        """Perhaps something against the rules, taken back after a few seconds."""
        if self.rng.random() >= self.habits.misplays:
            return
        kinds = [self._wrong_rank, self._both_of_two, self._out_of_turn, self._too_early_down]
        self.rng.shuffle(kinds)
        for kind in kinds:
            if kind(position):
                return

    def _wrong_rank(self, position: Position) -> bool:
        seat = position.to_act
        assert seat is not None
        pool = position.observe().table
        pairs = [(card, other) for card in _hand(position, seat) for other in pool if card.rank != other.rank]
        if not pairs:
            return False
        card, other = self.rng.choice(pairs)
        self._wrongly("not-the-same-rank", seat, [other, card])
        return True

    def _both_of_two(self, position: Position) -> bool:
        seat = position.to_act
        assert seat is not None
        pool = position.observe().table
        for card in _hand(position, seat):
            same = [other for other in pool if other.rank == card.rank]
            if len(same) == 2:
                self._wrongly("one-of-two", seat, [*same, card])
                return True
        return False

    def _out_of_turn(self, position: Position) -> bool:
        state = position.observe()
        for seat in state.active:
            if seat == position.to_act:
                continue
            for card in _hand(position, seat):
                same = [other for other in state.table if other.rank == card.rank]
                if len(same) == 1:
                    self._wrongly("not-your-turn", seat, [same[0], card])
                    return True
        return False

    def _too_early_down(self, position: Position) -> bool:
        seat = position.to_act
        assert seat is not None
        hand = _hand(position, seat)
        pool = {card.rank for card in position.observe().table}
        if not 2 <= len(hand) <= 6 or not any(card.rank in pool for card in hand):
            return False
        begin = self.t
        self.act(Action(seat, "lie-down", tuple(hand)))
        self.t += self.rng.uniform(*STANDS)
        self.misplayed.append(Misplayed("mate-possible", seat, begin, self.t))
        shoulder = self._seat(seat)
        for card in hand:
            pose = self.poses[card]
            self._reach(shoulder, [(self.t, shoulder), (self.t + 0.25, (pose.x, pose.y)), (self.t + 0.5, shoulder)])
            self._put(self.t + 0.25, card, None)
            self.t += 0.5
        self.t += 1.5
        return True

    def after_the_end(self, position: Position) -> None:
        """The last player mates once more, or the pool is swept to a wrong seat."""
        if self.rng.random() >= self.habits.misplays * 4:
            return
        state, dealer = position.observe(), position.setup.dealer
        last = state.active[0]
        self.t += 1.5
        begin = self.t
        for card in _hand(position, last):
            same = [other for other in state.table if other.rank == card.rank]
            if last != dealer and len(same) == 1:
                self._carry(self._seat(last), [same[0], card], last)
                self.t += 6.0
                self.misplayed.append(Misplayed("deal-over", last, begin, self.t))
                return
        if len(state.table) >= 2:
            wrong = dealer % self.players + 1
            self._carry(self._seat(wrong), list(state.table), wrong)
            self.t += 6.0
            self.misplayed.append(Misplayed("wrong-sweep", wrong, begin, self.t))

    def _wrongly(self, code: str, seat: int, cards: list[Card]) -> None:
        before = {card: self.poses[card] for card in cards if card in self.poses}
        begin, shoulder = self.t, self._seat(seat)
        count = self.piles[seat]
        self._carry(shoulder, cards, seat)
        self.t += self.rng.uniform(*STANDS)
        self.misplayed.append(Misplayed(code, seat, begin, self.t))
        where = self.poses[cards[-1]]
        spot = (where.x, where.y)
        path = [(self.t, shoulder), (self.t + 0.4, spot), (self.t + 0.8, spot)]
        for card in cards:
            self._put(self.t + 0.6, card, None)
        self.t += 0.8
        for card, pose in before.items():
            self.t += 0.5
            path.append((self.t, (pose.x, pose.y)))
            self._put(self.t + 0.05, card, replace(pose, z=self._next()))
            if (pose.x, pose.y) in self.free:
                self.free.remove((pose.x, pose.y))
        path.append((self.t + 0.5, shoulder))
        self._reach(shoulder, path)
        self.piles[seat] = count
        self.t += 2.0

    def _slip(self, t: float, card: Card, pose: Pose | None) -> None:
        """A change that frees no spot of the pool."""
        self.changes.append((t, card, pose))
        if pose is None:
            self.poses.pop(card, None)
        else:
            self.poses[card] = pose

    def _pile_of(self, seat: int) -> list[Card]:
        return [
            card
            for card, pose in self.poses.items()
            if self.layout.zone_at((pose.x / 1000, pose.y / 562.5)) == self.layout.zones()[seat]
        ]


def _hand(position: Position, seat: int) -> list[Card]:
    """The cards that a seat holds: dealt to it and not yet shown."""
    state = position.observe()
    open_cards = set(state.table).union(*state.piles.values())
    if seat not in state.active:
        return []
    return [card for card in position.setup.hands[seat] if card not in open_cards]


def script_troubled(table: TroubledTable, setup: Setup, actions: Iterable[Action]) -> Position:
    """Write a whole deal with its troubles into the table's script; the position at its end."""
    position: Position = GAME.deal(setup)
    table.deal(setup)
    for action in actions:
        table.trouble(position)
        if action.verb in ("mate", "lie-down"):
            table.misplay(position)
        position = position.apply(action)
        if action.cards:
            before = table.t
            table.act(action)
            if table.rng.random() < table.habits.quick:
                table.t = max(before + 0.8, table.t - table.rng.uniform(0.8, 1.6))
    table.after_the_end(position)
    return position
