"""What is certain in Laugh and Lie Down without having been said: dead ranks, safe mates, cards that a hand must hold.

All 52 cards are in play, so by rank the cards that lie open leave an exact number in hands (LLD-9, LLD-18).
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.cards import RANKS, Card
from assistant.games.bag import Bag, rank_of, rank_only
from assistant.games.game import Fact, Setup
from assistant.games.whereabouts import Whereabouts
from assistant.told import Rank, Seat, later, tell


def facts_of(setup: Setup, places: Whereabouts, laid: frozenset[tuple[int, int]], over: bool) -> tuple[Fact, ...]:
    """The facts of a position: first what hands must hold, then by rank what is safe, dead or in hands for good.

    ``laid`` holds the seats and ranks (0..12) of the sets laid from hands.
    """
    return (*_held(setup, places, laid), *(() if over else _by_rank(places)))


def _held(setup: Setup, places: Whereabouts, laid: frozenset[tuple[int, int]]) -> Iterator[Fact]:
    unseen = sum(hand.unknown for hand in places.hands)
    for seat, hand in enumerate(places.hands, 1):
        given = setup.hands.get(seat)
        if given is not None and all(card.rank for card in given):
            continue
        rest: tuple[Card, ...] = ()
        for card in _more_than(hand, Bag.of(given or ())):
            rank = rank_of(card)
            if rank is not None and (seat, rank) in laid:
                text = tell(
                    "{seat} holds {card}: who lays two {rank.many} of which no pair was won has a third.",
                    seat=Seat(seat),
                    card=card,
                    rank=Rank(RANKS[rank]),
                )
                yield Fact("holds", text, "LLD-9b", (seat,), (card,))
            else:
                rest = (*rest, card)
        if rest:
            pattern = (
                later("{seat} holds {cards}: the other hands have no room for them.")
                if unseen
                else later("{seat} holds {cards}: all other cards are elsewhere.")
            )
            yield Fact("holds", tell(pattern, seat=Seat(seat), cards=rest), "LLD-1", (seat,), rest)


def _more_than(hand: Bag, given: Bag) -> tuple[Card, ...]:
    """The cards of a hand that are known of it though the set-up did not tell them."""
    partly = 0
    for rank in range(13):
        shift = 4 * rank
        partly += max(0, (hand.partly >> shift & 15) - (given.partly >> shift & 15)) << shift
    return Bag(hand.known & ~given.known, partly).cards()


def _by_rank(places: Whereabouts) -> Iterator[Fact]:
    if places.table.unknown:
        return  # what lies there unread may be of any rank
    for rank, name in enumerate(RANKS):
        lying, won = places.table.count(rank), places.won.count(rank)
        in_hands = 4 - lying - won
        cards = places.table.of_rank(rank)
        values = {"rank": Rank(name), "cards": cards}
        if lying >= 2 and in_hands == 1:
            text = tell(
                "The mate of the last of the {rank.many} is safe: {cards} lie on the table, and nobody else can take "
                "them.",
                **values,
            )
            yield Fact("safe", text, "LLD-13", (), cards)
        elif 0 < lying < 4 and not in_hands:
            text = tell("Nobody can mate {cards} any more: no {rank.many} are left in hands.", **values)
            yield Fact("dead", text, "LLD-13", (), cards)
        elif in_hands == 2 and won == 2:
            text = tell(
                "The last two {rank.many} are in hands: who holds both may lay them, and if two players hold one each, "
                "the first to lie down gives the other a mate.",
                rank=Rank(name),
            )
            yield Fact("last-two", text, "LLD-9c", (), (rank_only(rank),) * 2)
