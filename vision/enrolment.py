"""Learning one's own pack from pictures: what the cards in them are, all taken together, and how they look.

The cards are named together over all pictures, because a pack holds each card once; the sure ones teach the pack's
look, by which the others are named again. What stays doubtful is for the user to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import coo_array

from assistant.cards import Card
from assistant.told import later, tell
from vision.assembly import CARDS, Place, normalised
from vision.card_views import SHAKEN, views_of
from vision.geometry import Floats, Pyramid
from vision.namer import Names
from vision.onnx_recogniser import OnnxRecogniser, card_names, evidence
from vision.own_pack import Look, Numbers, OwnPack, fit_look
from vision.reading_order import reading_order
from vision.recogniser import Image
from vision.told_cards import matched

SURE: Final = 0.9
"""What is named less surely is asked for."""
_TRUSTED: Final = 0.8
_FEWEST: Final = 4
"""From fewer cards nothing is learned."""
_ROUNDS: Final = 2
_FOLDS: Final = 4
_ONE_PACK: Final = 54
"""Up to so many cards in all pictures are taken for a pack that was shown once."""
_AGAIN: Final = 4.0
_UNNAMED: Final = 0.01
_DOUBLE: Final = 0.25
_NO_CARD: Final = 0.5
"""Below this ``shows`` a thing is taken for no card, and nobody is asked."""
_UNLIKELY: Final = 1e-5

Told = Mapping[int, Card | None]
"""What the user said of places by their number: the card, or None for "leave it out"."""


class TooFewCards(ValueError):
    """Nothing can be learned from these pictures; one line: what was seen, what to do."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card in one of the pictures that show the pack: the picture's number, its place there, and what the namers say
    of its views (see ``vision.card_views.Views``)."""

    picture: int
    place: Place
    index: Names
    card: Names
    strange_index: Names
    strange_card: Names

    def read(self, pack: OwnPack | None) -> Place:
        """Its place as it is read with the look of a pack, or in general."""
        said = card_names(self.index.first(len(self.place.indices)), None if pack is None else pack.index)
        group = tuple(replace(index, names=said[k]) for k, index in enumerate(self.place.indices))
        whole = card_names(self.card.first(1), None if pack is None else pack.card)[0]
        told = evidence(group, whole, float(self.card.shows[0]))
        return replace(self.place, indices=group, evidence=told, whole=whole)


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned. For each of the N places: its card (None: unsure, left out or no card), how sure its likeliest
    name is (0..1), and what it looks like, best first.

    ``doubtful``: the numbers of the places that should be asked for. ``learned``: the cards whose look was learned,
    from ``known`` places; ``before`` and ``after``: how many of these are read right at sight, each by itself, in
    general and by a look that was learned from other places only.
    """

    pack: OwnPack
    cards: tuple[Card | None, ...]
    sureness: tuple[float, ...]
    guesses: tuple[tuple[Card, ...], ...]
    doubtful: tuple[int, ...]
    learned: frozenset[Card]
    known: int
    before: int
    after: int


def look_at(recogniser: OnnxRecogniser, image: Image, picture: int, shaken: int = SHAKEN) -> list[SeenCard]:
    """The cards of a picture with their views, in reading order: from left to right, top to bottom."""
    plain, pyramid = recogniser.knowing(None), Pyramid(image)
    places = plain.places(image)
    places = [places[k] for k in reading_order([place.quad for place in places])]
    index, card = plain.index_namer.name, plain.card_namer.name
    return [
        SeenCard(
            picture, place, index(views.index), card(views.card), index(views.strange_index), card(views.strange_card)
        )
        for place, views in zip(
            places, views_of(np.random.default_rng([52, picture]), pyramid, places, shaken), strict=True
        )
    ]


def told_in_picture(cards: Sequence[Card], seen: Sequence[SeenCard]) -> tuple[list[Card | None], list[Card]]:
    """What each card seen in a picture is, when ``cards`` lie there in reading order (None: it was not named, or only
    in part), and which of them were not seen."""
    said = np.stack([normalised(one.read(None).evidence) for one in seen]) if seen else np.zeros((0, len(CARDS)))
    places = matched(cards, np.asarray(np.log(np.maximum(said, 1e-9)), np.float32))
    told: list[Card | None] = [None] * len(seen)
    for card, place in zip(cards, places, strict=True):
        if place is not None and card.known:
            told[place] = card
    return told, [card for card, place in zip(cards, places, strict=True) if place is None and card.known]


def fit_pack(name: str, seen: Sequence[SeenCard], cards: Sequence[int]) -> OwnPack:
    """The look of a pack from places whose cards (numbers 0..51) are known; each place counts alike."""
    return OwnPack(
        name,
        _fit([one.index for one in seen], cards, [one.strange_index for one in seen]),
        _fit([one.card for one in seen], cards, [one.strange_card for one in seen]),
    )


def _fit(views: Sequence[Names], cards: Sequence[int], strange: Sequence[Names]) -> Look:
    counts = np.array([len(names.shows) for names in views])
    shown = np.repeat(np.array(cards, np.int64), counts)
    weights = np.repeat(1 / np.maximum(counts, 1), counts).astype(np.float32)
    return fit_look(Names.joined(views), shown, weights, Names.joined(strange))


def learn(name: str, seen: Sequence[SeenCard], told: Told) -> Learned:
    """Name all cards together, learn the pack's look from the sure ones, and name again. Raises TooFewCards."""
    pictures = np.array([one.picture for one in seen], np.int64)
    shows = np.array([one.place.shows for one in seen], np.float32)
    at_sight = general = np.stack([one.read(None).evidence for one in seen]) if seen else np.zeros((0, len(CARDS)))
    named, sureness, p = name_together(np.asarray(general, np.float32), shows, pictures, told)
    for _ in range(_ROUNDS):
        trusted = [k for k in range(len(seen)) if named[k] >= 0 and (k in told or sureness[k] >= _TRUSTED)]
        if len(set(named[trusted])) < _FEWEST:
            pattern = later(
                "{seen} cards were seen and {named} of them could be named: show more of the pack, larger and sharper"
            )
            raise TooFewCards(tell(pattern, seen=len(seen), named=len(trusted)))
        pack, at_sight = _cross_fitted(name, seen, named, trusted)
        named, sureness, p = name_together(at_sight, shows, pictures, told)
    sure = [k for k in range(len(seen)) if named[k] >= 0 and (k in told or sureness[k] >= SURE)]
    doubtful = [k for k in range(len(seen)) if k not in told and k not in sure and shows[k] >= _NO_CARD]
    right = named[sure]
    return Learned(
        fit_pack(name, [seen[k] for k in sure], right.tolist()) if sure != trusted else pack,
        tuple(CARDS[number] if k in sure else None for k, number in enumerate(named)),
        tuple(float(one) for one in sureness),
        tuple(tuple(CARDS[c] for c in np.argsort(-row)[:3] if row[c] > 0.02) for row in p),
        tuple(doubtful),
        frozenset(CARDS[number] for number in right),
        len(sure),
        int((general[sure].argmax(axis=1) == right).sum()),
        int((at_sight[sure].argmax(axis=1) == right).sum()),
    )


def _cross_fitted(
    name: str, seen: Sequence[SeenCard], named: Numbers, trusted: Sequence[int]
) -> tuple[OwnPack, Floats]:
    """The look learned from all trusted places, and each place read by a look that was not learned from itself."""

    def learned(places: Sequence[int]) -> OwnPack:
        return fit_pack(name, [seen[k] for k in places], [int(named[k]) for k in places])

    order = np.random.default_rng(52).permutation(len(trusted))
    fold = {trusted[k]: at % _FOLDS for at, k in enumerate(order)}
    whole = learned(trusted)
    parts = [learned([k for k in trusted if fold[k] != part]) for part in range(_FOLDS)]
    said = [one.read(parts[fold[k]] if k in fold else whole).evidence for k, one in enumerate(seen)]
    return whole, np.stack(said)


def name_together(
    said: Floats, shows: Floats, pictures: Numbers, told: Told
) -> tuple[Numbers, npt.NDArray[np.float64], Floats]:
    """The likeliest naming of N places in several pictures at once.

    Within a picture a card lies once; in a pack that was shown once (see ``_ONE_PACK``) it hardly lies in two pictures.
    Returns for each place its card's number (-1: none), how sure that is (0..1), and the probabilities of all cards
    given the names of the other places (N x 52). The problem is a flow in a network, so that the linear programme
    (HiGHS, by scipy) has whole numbers for its answer.
    """
    if not len(said):
        return np.zeros(0, np.int64), np.zeros(0), np.zeros((0, len(CARDS)), np.float32)
    p = normalised(said) * shows[:, None]
    for k, card in told.items():
        p[k] = 0
        if card is not None:
            p[k, CARDS.index(card)] = 1
    again = _AGAIN if len(said) <= _ONE_PACK else 0.0
    named = _likeliest(p, pictures, again)
    sureness, given = np.zeros(len(p)), np.zeros_like(p)
    for k in range(len(p)):
        others = np.arange(len(p)) != k
        elsewhere = np.setdiff1d(named[others & (named >= 0)], named[[k]])
        here = np.setdiff1d(named[others & (named >= 0) & (pictures == pictures[k])], named[[k]])
        given[k] = p[k]
        given[k, elsewhere] *= np.exp(-again)
        given[k, here] = 0
        doubt = 1 - p[k].sum() + _DOUBLE * p[k, here].sum()
        given[k] /= max(given[k].sum() + doubt, 1e-9)
        sureness[k] = given[k, named[k]] if named[k] >= 0 else 0.0
    return named, sureness, np.asarray(given, np.float32)


def _likeliest(p: Floats, pictures: Numbers, again: float) -> Numbers:
    """The naming of the least cost: minus the logarithms of the probabilities, and ``again`` for each further picture
    in which a card lies."""
    places, cards = np.nonzero(p > _UNLIKELY)
    count, held = len(places), len(CARDS)
    cost = np.concatenate([-np.log(p[places, cards]), np.full(held, again)])
    # A place without a name costs a fixed price: naming it saves that price.
    cost[:count] += np.log(_UNNAMED)
    _, picture = np.unique(pictures, return_inverse=True)
    within = len(p) + picture[places] * held + cards
    limits = len(p) + (picture.max() + 1) * held
    rows = np.concatenate([places, within, limits + cards, limits + np.arange(held)])
    columns = np.concatenate([np.arange(count)] * 3 + [count + np.arange(held)])
    signs = np.concatenate([np.ones(3 * count), -np.ones(held)])
    table = coo_array((signs, (rows, columns)), shape=(limits + held, count + held)).tocsr()
    bounds = [(0, 1)] * count + [(0, None)] * held
    found = linprog(cost, A_ub=table, b_ub=np.ones(limits + held), bounds=bounds, method="highs-ds")
    named = np.full(len(p), -1, np.int64)
    chosen = found.x[:count] > 0.5
    named[places[chosen]] = cards[chosen]
    return named
