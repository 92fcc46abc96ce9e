"""Views of a card: as found first, then shaken ones that still show it."""

from __future__ import annotations

import numpy as np

from assistant.cards import Card
from vision import geometry
from vision.assembly import NamedIndex, Place
from vision.card_views import views_of
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
    (views,) = views_of(np.random.default_rng(1), pyramid, [place], shaken=3)
    assert views.index.shape == (8, 96, 48, 3)
    assert views.card.shape == (4, 96, 64, 3)
    for k, named in enumerate(place.indices):
        assert np.array_equal(views.index[k], geometry.index_crop(pyramid, named.found.frame, named.found.point))
    assert np.array_equal(views.card[0], geometry.card_crop(pyramid, place.quad))


def test_shaken_views_differ_and_still_show_the_card() -> None:
    pyramid, place = laid()
    (views,) = views_of(np.random.default_rng(2), pyramid, [place], shaken=12)
    alike = [likeness(views.index[k % 2], views.index[k]) for k in range(2, len(views.index))]
    assert np.median(alike) > 0.4
    assert max(alike) < 0.999
    for turned in (1, -1):
        alike = [likeness(views.card[0][::turned, ::turned], view) for view in views.card[1 if turned > 0 else 2 :: 2]]
        assert np.median(alike) > 0.3


def test_strange_views_hardly_show_it() -> None:
    pyramid, place = laid()
    (views,) = views_of(np.random.default_rng(3), pyramid, [place])
    strange = [likeness(views.index[k // 2 % 2], one) for k, one in enumerate(views.strange_index)]
    shown = [likeness(views.index[k % 2], views.index[k]) for k in range(2, len(views.index))]
    assert len(strange) == 4
    assert np.mean(strange) < np.mean(shown) - 0.2
    assert views.strange_card.shape == (4, 96, 64, 3)


def test_no_more_than_what_was_seen_where_nothing_is_to_be_learned() -> None:
    pyramid, place = laid()
    (views,) = views_of(np.random.default_rng(4), pyramid, [place], shaken=0)
    assert (len(views.index), len(views.card), len(views.strange_index), len(views.strange_card)) == (2, 1, 0, 0)
    assert views_of(np.random.default_rng(4), pyramid, []) == []


def test_a_card_without_an_index_in_view_has_none() -> None:
    pyramid, place = laid()
    bare = Place(place.quad, (), place.evidence, 0.9)
    (views,) = views_of(np.random.default_rng(5), pyramid, [bare])
    assert views.index.shape == views.strange_index.shape == (0, 96, 48, 3)
    assert views.card.shape == (9, 96, 64, 3)
