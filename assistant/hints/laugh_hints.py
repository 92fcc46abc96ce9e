"""Hints for Laugh and Lie Down: exact with two players left, else tried out on deals that agree with what is seen.

Each kind of action is done by the engine; what comes after is played out on many guessed deals, the same for every
action, by careful players. An action that is no turn (a lay, a claim) counts for what the best turn after it brings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from assistant.cards import Card
from assistant.games.bag import Bag, rank_of, rank_only
from assistant.games.game import Action, Position
from assistant.games.laugh_and_lie_down import LaughPosition
from assistant.hints.hint import Hint, hand_not_known, seen_by
from assistant.hints.laugh_endgame import Dealer, stakes_to_come
from assistant.hints.laugh_guesses import Mated, Seen, guesses
from assistant.hints.laugh_playouts import Deals, advised, joined, lay_sets, play_out
from assistant.hints.laugh_reasons import reason
from assistant.told import tell

Kind = tuple[str, int | None, int]
"""Actions that differ in suits only: the verb, the rank (0..12) and the number of cards."""
_FIRST: Final = ("claim", "take", "lay", "mate", "lie-down")


class _Branch(NamedTuple):
    """One way to go on: the kind of action it begins with, and the position when it is somebody else's turn."""

    kind: Kind
    position: LaughPosition


class _Worth(NamedTuple):
    value: float
    spread: float
    samples: int
    last_in: float


class LaughHinter:
    """Gives the hints."""

    def hints(self, position: Position, seat: int, rng: np.random.Generator, samples: int) -> tuple[Hint, ...]:
        """The seat's legal actions and claims, best first."""
        assert isinstance(position, LaughPosition)
        seen = _seen(position, seat)
        actions = _kinds(seen, seat)
        branches = list(_branches(seen, seat, actions))
        worths = [_worked_out(branch.position, seat) for branch in branches]
        open_branches = [branch for branch, worth in zip(branches, worths, strict=True) if worth is None]
        tried = iter(_tried(seen, seat, open_branches, rng, samples))
        best: dict[Kind, _Worth] = {}
        for branch, known in zip(branches, worths, strict=True):
            worth = known or next(tried)
            if branch.kind not in best or worth.value > best[branch.kind].value:
                best[branch.kind] = worth
        hints = [
            Hint(action, worth.value, worth.spread, worth.samples, not worth.samples, _why(seen, action, worth))
            for kind, worth in best.items()
            for action in actions[kind]
        ]
        return tuple(sorted(hints, key=lambda hint: (-hint.value, _FIRST.index(hint.action.verb))))

    def possible(self, position: Position, seat: int) -> frozenset[Card]:
        """The cards that the seat may hold: what lies nowhere, of the ranks that its hand has room for."""
        assert isinstance(position, LaughPosition)
        hand = position.places.hands[seat - 1]
        free, room = position.places.unplaced()
        partly = sum(15 << 4 * rank for rank in range(13) if hand.partly >> 4 * rank & 15)
        return frozenset(Bag(hand.known | free & (partly | (room if hand.unknown else 0))).cards())

    def holding(self, position: Position, seat: int, cards: tuple[Card, ...]) -> LaughPosition:
        """The same deal as the seat sees it that was dealt these cards and those that it has played."""
        assert isinstance(position, LaughPosition)
        seen = seen_by(position, seat, (*cards, *_played(position, seat)))
        assert isinstance(seen, LaughPosition)
        # Of two cards of a rank it may not be known which of them went: those that are left are told here.
        hands = seen.places.hands
        known = (*hands[: seat - 1], Bag.of(cards), *hands[seat:])
        return replace(seen, places=seen.places._replace(hands=known))

    def held(self, position: Position, seat: int) -> tuple[Card, ...]:
        """The cards of the seat's hand."""
        assert isinstance(position, LaughPosition)
        return position.places.hands[seat - 1].cards()

    def offers(self, position: Position, seat: int) -> tuple[Action, ...]:
        """The mates, lays and the like of the seat, also before its turn."""
        assert isinstance(position, LaughPosition)
        if seat not in position.active:
            return ()
        in_turn = replace(position, to_act=seat)
        return tuple(dict.fromkeys(action for action in in_turn.legal_actions() if action.seat == seat))


def _seen(position: LaughPosition, seat: int) -> LaughPosition:
    """The position as the seat sees it, the dealer's mournivals taken."""
    seen = seen_by(position, seat, _dealt_to(position, seat))
    assert isinstance(seen, LaughPosition)
    while seen.setup.dealer != seat:
        take = next((action for action in seen.legal_actions() if action.verb == "take"), None)
        if take is None:
            break
        seen = seen.apply(take)
    return seen


def _dealt_to(position: LaughPosition, seat: int) -> tuple[Card, ...]:
    """The hand that the seat was dealt, from the record's head or from what it has played and still holds."""
    dealt = position.setup.hands.get(seat, ())
    if dealt and all(card.rank for card in dealt):
        return dealt
    hand = position.places.hands[seat - 1]
    if hand.unknown:
        raise hand_not_known(seat)
    cards = (*hand.cards(), *_played(position, seat))
    if any(not card.rank for card in cards):
        raise hand_not_known(seat)
    return cards


def _played(position: LaughPosition, seat: int) -> tuple[Card, ...]:
    """The cards that have left the seat's hand; at least their rank is known."""
    cards: list[Card] = []
    for action in position.actions:
        if action.seat == seat and action.verb in ("mate", "lay"):
            rank = next(rank for rank in map(rank_of, action.cards) if rank is not None)
            own = action.cards[:1] if action.verb == "mate" else action.cards
            cards += [card if card.rank else rank_only(rank) for card in own]
        elif action.seat == seat and action.verb == "lie-down":
            cards += action.cards
    return tuple(cards)


def _kinds(position: LaughPosition, seat: int) -> dict[Kind, list[Action]]:
    """What the seat may do, by kind; claims too where the assistant may speak of them (LLD-32)."""
    actions = [action for action in position.legal_actions() if action.seat == seat]
    if position.rules.help == "coach":
        claims = [claim for claim in position.claims() if seat in claim.claimants]
        actions += [Action(seat, "claim", claim.cards) for claim in claims]
    kinds: dict[Kind, list[Action]] = {}
    for action in actions:
        rank = rank_of(action.cards[0]) if action.verb != "lie-down" else None
        kinds.setdefault((action.verb, rank, len(action.cards)), []).append(action)
    return kinds


def _branches(seen: LaughPosition, seat: int, kinds: dict[Kind, list[Action]]) -> Iterator[_Branch]:
    for kind, actions in kinds.items():
        after = seen.apply(actions[0])
        if after.to_act != seat or kind[0] in ("mate", "lie-down"):
            yield _Branch(kind, _claimed(after, seat))
            continue
        for turn, (action, *_) in _kinds(after, seat).items():
            if turn[0] in ("mate", "lie-down"):
                yield _Branch(kind, _claimed(after.apply(action), seat))


def _claimed(position: LaughPosition, seat: int) -> LaughPosition:
    """The position after the others have claimed what they may."""
    while True:
        chances = [(claim, [one for one in claim.claimants if one != seat]) for claim in position.claims()]
        claim, claimants = next(((claim, others) for claim, others in chances if others), (None, []))
        if claim is None:
            return position
        position = position.apply(Action(claimants[0], "claim", claim.cards))


def _worked_out(position: LaughPosition, seat: int) -> _Worth | None:
    """The worth where it is certain: the deal is over, or it can be searched to the end."""
    settlement = position.settlement()
    if settlement is not None:
        net = next(one["net"] for one in settlement["seats"] if one["seat"] == seat)
        return _Worth(float(net), 0.0, 0, float(settlement["bonus"]["seat"] == seat))
    rules, places = position.rules, position.places
    usual = (rules.mates_per_turn, rules.missed_mate, rules.lay_window, rules.empty_hand)
    hidden = places.table.unknown or any(hand.unknown for hand in places.hands)
    if len(position.active) > 2 or seat not in position.active or hidden or usual != _USUAL:
        return None
    other = sum(position.active) - seat
    first, second = (seat, other) if position.to_act == seat else (other, seat)
    dealers: dict[int, Dealer] = {first: "in turn", second: "other"}
    to_come = stakes_to_come(
        places.hands[first - 1].counts(),
        places.hands[second - 1].counts(),
        places.table.counts(),
        rules.scale.bonus,
        dealers.get(position.setup.dealer, "out"),
    )[first != seat]
    deals = position.setup.dealer == seat
    banked = (len(places.piles[seat - 1]) - rules.scale.par) // 2 - rules.scale.ante - deals
    return _Worth(float(banked + to_come), 0.0, 0, 0.0)


_USUAL: Final = ("one", "take_back", "until_lie_down", "out_at_next_turn")


def _tried(
    seen: LaughPosition, seat: int, branches: list[_Branch], rng: np.random.Generator, samples: int
) -> Iterator[_Worth]:
    """The worth of each branch on the same guessed deals, played on with the same lots."""
    if not branches:
        return
    guessed = guesses(_as_seen(seen, seat), samples, rng)
    starts = [_from_here(branch.position, seat, seen, guessed) for branch in branches]
    ended = play_out(joined(starts), rng, advised(seat - 1), repeats=len(starts))
    nets = ended.nets()[seat - 1].reshape(len(starts), samples)
    last_in = (ended.active == 1 << seat - 1).reshape(len(starts), samples)
    for net, last in zip(nets, last_in, strict=True):
        yield _Worth(float(net.mean()), float(net.std(ddof=1) / samples**0.5), samples, float(last.mean()))


def _from_here(position: LaughPosition, seat: int, seen: LaughPosition, guessed: Deals) -> Deals:
    """The guessed deals after the actions that lead from ``seen`` to the position, all sets laid that may be."""
    places, every = position.places, np.ones_like(guessed.table)
    hands = guessed.hands.copy()
    hands[seat - 1] = places.hands[seat - 1].counts()
    to_act = position.again if position.again == seat else position.to_act
    assert to_act is not None
    deals = Deals(
        position.rules,
        position.setup.dealer - 1,
        guessed.table - seen.places.table.counts() + places.table.counts(),
        every * places.won.counts(),
        hands,
        np.array([len(pile) * every for pile in places.piles]),
        every * sum(1 << one - 1 for one in position.active),
        every * (to_act - 1),
        every * ((position.last_mater or 0) - 1),
    )
    return lay_sets(deals, _may_lay(seen, position, seat))


def _may_lay(seen: LaughPosition, position: LaughPosition, seat: int) -> int:
    """Who may still lay mournivals and pairs royal, one bit a seat: the others could at once, the seat can from now."""
    allowed = 0
    for one in seen.active:
        now = position if one == seat else seen
        mated = any(action.seat == one and action.verb == "mate" for action in now.actions)
        window = now.rules.lay_window
        if window == "until_lie_down" or not (mated if window == "before_own_next_turn_ends" else now.turns):
            allowed |= 1 << one - 1
    return allowed


def _as_seen(seen: LaughPosition, seat: int) -> Seen:
    """What the seat sees, for guessing the rest."""
    places = seen.places
    deals = Deals(
        seen.rules,
        seen.setup.dealer - 1,
        np.array([places.table.counts()]),
        np.array([places.won.counts()]),
        np.array([[hand.counts()] for hand in places.hands]),
        np.array([[len(pile)] for pile in places.piles]),
        np.array([sum(1 << one - 1 for one in seen.active)]),
        np.array([seat - 1]),
        np.array([-1]),
    )
    unseen = np.array([[hand.unknown] for hand in places.hands] + [[places.table.unknown]])
    mated, fresh = _mated(seen, seat)
    return Seen(deals, seat - 1, unseen, mated, np.array([fresh]))


def _mated(seen: LaughPosition, seat: int) -> tuple[tuple[Mated, ...], int]:
    """The mates of the others who are still in, and the rank that the last action has taken from the table."""
    start = seen_by(replace(seen, actions=()), seat, seen.setup.hands[seat])
    since = [0] * seen.setup.players
    befores: list[LaughPosition] = []
    for action in seen.actions:
        assert isinstance(start, LaughPosition)
        befores.append(start)
        start = start.apply(action)
    mated = []
    for before, action in zip(reversed(befores), reversed(seen.actions), strict=True):
        if action.seat == seat or action.seat not in seen.active or action.verb not in ("mate", "lay"):
            continue
        bit = 1 << 4 * next(rank for rank in map(rank_of, action.cards) if rank is not None)
        since[action.seat - 1] += bit if action.verb == "mate" else bit * len(action.cards)
        if action.verb == "mate":
            numbers = (action.seat - 1, bit, before.places.table.counts(), before.places.won.counts())
            mated.append(Mated(*(np.array([number]) for number in (*numbers, since[action.seat - 1]))))
    last = seen.actions[-1] if seen.actions else None
    rank = rank_of(last.cards[0]) if last is not None and last.verb == "mate" else None
    return tuple(mated), 0 if rank is None else 1 << 4 * rank


def _why(seen: LaughPosition, action: Action, worth: _Worth) -> str:
    """The reason for or against the action, and what it rests on, in one sentence."""
    if worth.samples:
        share = round(100 * worth.last_in)
        values = {"why": reason(seen, action), "share": share}
        return tell("{why}; in {share}% of the deals tried you are the last in.", **values)
    return tell("{why}; worked out to the end.", why=reason(seen, action))
