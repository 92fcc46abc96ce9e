"""Duplicate deals of Laugh and Lie Down: what following the hints is worth.

The same deals are played with every seat mating what is endangered first, and again with one seat after the other
following the hints instead: ``hints_for`` in all but that many deals are looked at together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.games.laugh_setup import Rules
from assistant.games.settlement import SCALES
from assistant.hints.laugh_endgame import Dealer, stakes_to_come
from assistant.hints.laugh_guesses import Mated, Seen, guesses
from assistant.hints.laugh_playouts import (
    LONGEST,
    ONES,
    Deals,
    Numbers,
    advised,
    any_mate,
    endangered_first,
    holds,
    joined,
    lay_sets,
    one_of,
    play_out,
    take_turn,
)

_SHIFTS: Final = 4 * np.arange(13)


def shuffled(players: int, deals: int, rng: np.random.Generator) -> Deals:
    """Deals before the first turn, the last seat dealing, table mournivals not yet taken and no set laid."""
    scale = SCALES[players]
    packs = rng.permuted(np.tile(np.arange(52) // 4, (deals, 1)), axis=1)
    cards = np.int64(1) << 4 * packs.astype(np.int64)
    dealt = cards[:, : players * scale.hand].reshape(deals, players, scale.hand).sum(2).T
    none = np.zeros(deals, np.int64)
    table = cards[:, players * scale.hand :].sum(1)
    everybody = none + (1 << players) - 1
    piles = np.zeros((players, deals), np.int64)
    return Deals(Rules(scale), players - 1, table, none, dealt, piles, everybody, none, none - 1)


@dataclass(frozen=True, slots=True)
class _Course:
    """Deals in play and what everybody has seen of them: the places among all deals, the cards located in hands, the
    cards that have left each hand, and of each turn the deals before it, the rank and what had left the hands."""

    places: NDArray[np.intp]
    deals: Deals
    located: Numbers
    played: Numbers
    turns: tuple[tuple[Deals, Numbers, Numbers], ...]

    def some(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> _Course:
        turns = tuple((deals.some(chosen), ranks[chosen], played[:, chosen]) for deals, ranks, played in self.turns)
        return _Course(
            self.places[chosen], self.deals.some(chosen), self.located[:, chosen], self.played[:, chosen], turns
        )


def _begun(deals: Deals) -> _Course:
    fours = deals.table >> 2 & ONES
    piles = deals.piles.copy()
    piles[deals.dealer] += 4 * np.bitwise_count(fours).astype(np.int64)
    taken = replace(deals, table=deals.table - 4 * fours, won=4 * fours, piles=piles)
    laid = lay_sets(taken)
    third = taken.hands & taken.hands >> 1 & ONES & ~(taken.hands >> 2)
    return _Course(np.arange(len(deals)), laid, third, taken.hands - laid.hands, ())


def _after(course: _Course, ranks: Numbers) -> _Course:
    before, every = course.deals, np.arange(len(course.deals))
    deals = take_turn(before, ranks)
    located = course.located & holds(deals.hands)
    located[before.turn, every] &= ~ranks
    played = course.played + np.where(ranks != 0, before.hands - deals.hands, 0)
    return _Course(course.places, deals, located, played, (*course.turns, (before, ranks, course.played)))


def results(
    deals: Deals, lots: NDArray[np.float64], rng: np.random.Generator, hinted: int | None = None, samples: int = 100
) -> Numbers:
    """The nets of each seat, shape (seats, deals); the seat of index ``hinted`` follows the hints.

    ``lots``, shape (``LONGEST``, deals), decide between mates that are alike to the others.
    """
    course, ended, order = _begun(deals), [], []
    for step in range(LONGEST):
        over = course.deals.over
        if over.any():
            ended.append(course.deals.some(over))
            order.append(course.places[over])
            course = course.some(~over)
            if not len(course.places):
                break
        ranks = one_of(endangered_first(course.deals), lots[step, course.places])
        if hinted is not None:
            asked = np.flatnonzero(course.deals.turn == hinted)
            choices = np.bitwise_count(any_mate(course.deals.some(asked)))
            asked = asked[choices > 1]
            if len(asked):
                ranks[asked] = _advice(course.some(asked), hinted, samples, rng)
        course = _after(course, ranks)
    return joined(ended).some(np.argsort(np.concatenate(order))).nets()


def _advice(course: _Course, seat: int, samples: int, rng: np.random.Generator) -> Numbers:
    """The rank that the hints put first, by deal."""
    ranks = np.zeros(len(course.deals), np.int64)
    two = np.bitwise_count(course.deals.active) == 2
    for place in np.flatnonzero(two):
        ranks[place] = _worked_out(course.deals, place, seat)
    if not two.all():
        ranks[~two] = _tried(course.some(~two), seat, samples, rng)
    return ranks


def _worked_out(deals: Deals, place: np.intp, seat: int) -> int:
    one = deals.some(np.array([place]))
    other = int(np.bitwise_count((one.active[0] & ~(1 << seat)) - 1))
    best, best_value = 0, -1000
    choice = int((holds(one.hands[seat]) & holds(one.table))[0])
    while choice:
        rank, choice = choice & -choice, choice & choice - 1
        after = take_turn(one, np.array([rank]))
        dealers: dict[int, Dealer] = {other: "in turn", seat: "other"}
        _, to_come = stakes_to_come(
            int(after.hands[other, 0]),
            int(after.hands[seat, 0]),
            int(after.table[0]),
            after.rules.scale.bonus,
            dealers.get(after.dealer, "out"),
        )
        value = int(after.piles[seat, 0]) // 2 + to_come
        if value > best_value:
            best, best_value = rank, value
    return best


def _tried(course: _Course, seat: int, samples: int, rng: np.random.Generator) -> Numbers:
    guessed = lay_sets(guesses(_seen(course, seat), samples, rng), ~(1 << seat))
    choice = holds(course.deals.hands[seat]) & holds(course.deals.table)
    best = np.zeros(len(choice), np.int64)
    values = np.full(len(choice), -np.inf)
    lots = int(rng.integers(1 << 62))
    while choice.any():
        where = np.flatnonzero(choice)
        ranks = choice[where] & -choice[where]
        choice = choice & choice - 1
        rows = (where[:, None] * samples + np.arange(samples)).ravel()
        after = take_turn(guessed.some(rows), np.repeat(ranks, samples))
        nets = play_out(after, np.random.default_rng(lots), advised(seat)).nets()[seat].reshape(-1, samples)
        better = nets.mean(1) > values[where]
        best[where[better]] = ranks[better]
        values[where[better]] = nets.mean(1)[better]
    return best


def _seen(course: _Course, seat: int) -> Seen:
    deals = course.deals
    shown = course.located.copy()
    shown[seat] = deals.hands[seat]
    sizes = ((deals.hands - shown)[:, :, None] >> _SHIFTS & 15).sum(2)
    unseen = np.vstack([sizes, np.zeros(len(deals), np.int64)])
    every = np.arange(len(deals))
    mated = tuple(
        Mated(before.turn, ranks, before.table, before.won, (course.played - played)[before.turn, every])
        for before, ranks, played in course.turns
    )
    return Seen(replace(deals, hands=shown), seat, unseen, mated, course.turns[-1][1] if course.turns else deals.won)


def differences(players: int, deals: int, samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """What each seat gains by following the hints, in stakes, shape (seats, deals): its net with them less that without
    on the same deal, the others mating what is endangered first. In a deal where nothing is changed it is 0."""
    dealt = shuffled(players, deals, rng)
    lots = rng.random((LONGEST, deals))
    without = results(dealt, lots, rng)
    hinted = [results(dealt, lots, rng, seat, samples)[seat] - without[seat] for seat in range(players)]
    return np.array(hinted, np.float64)
