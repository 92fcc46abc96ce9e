"""Views of a card: as found first, then shaken ones that still show it."""

from __future__ import annotations

import numpy as np

from assistant.cards import Card
from vision import geometry
from vision.assembly import NamedIndex, Place
from vision.card_views import card_views, index_views
from vision.detector import FoundIndex
from vision.geometry import Pyramid
from vision.render.packs import house_pack
from vision.render.spread import cloth, lay


def laid() -> tuple[Pyramid, Place]:
    picture = cloth(400, 400)
    quad = lay(picture, house_pack(), Card.parse("QH"), (200, 200), 220, 12)
    named = []
    for read in (quad, np.roll(quad, 2, axis=0)):
        found = FoundIndex(geometry.index_point(read), geometry.index_frame(read), read, 0.9)
        named.append(NamedIndex(found, np.zeros(52, np.float32), 0.9))
    return Pyramid(picture), Place(quad, tuple(named), np.zeros(52, np.float32), 0.9)


def likeness(one: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], other: object) -> float:
    """Correlation of two crops."""
    return float(np.corrcoef(one.ravel().astype(float), np.asarray(other).ravel().astype(float))[0, 1])


def test_the_first_views_are_the_crops_as_found() -> None:
    pyramid, place = laid()
    index = index_views(np.random.default_rng(1), pyramid, place, shaken=3)
    card = card_views(np.random.default_rng(1), pyramid, place, shaken=3)
    assert index.shape == (8, 96, 48, 3)
    assert card.shape == (4, 96, 64, 3)
    for k, named in enumerate(place.indices):
        assert np.array_equal(index[k], geometry.index_crop(pyramid, named.found.frame, named.found.point))
    assert np.array_equal(card[0], geometry.card_crop(pyramid, place.quad))


def test_shaken_views_differ_and_still_show_the_card() -> None:
    pyramid, place = laid()
    index = index_views(np.random.default_rng(2), pyramid, place, shaken=8)
    card = card_views(np.random.default_rng(2), pyramid, place, shaken=8)
    alike = [likeness(index[k % 2], index[k]) for k in range(2, len(index))]
    assert all(0.3 < one < 0.999 for one in alike)
    # The queen's two halves are alike but not the same: turned over, the view is like itself turned over.
    turned = [likeness(card[0][::-1, ::-1], view) for view in card[2::2]]
    assert all(one > 0.3 for one in turned)


def test_a_card_without_an_index_in_view_has_none() -> None:
    pyramid, place = laid()
    bare = Place(place.quad, (), place.evidence, 0.9)
    assert index_views(np.random.default_rng(3), pyramid, bare).shape == (0, 96, 48, 3)
    assert card_views(np.random.default_rng(3), pyramid, bare, shaken=0).shape == (1, 96, 64, 3)
