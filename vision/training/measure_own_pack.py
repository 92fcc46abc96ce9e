"""Measures what learning one's own pack is worth: errors before and after, on pictures that it was not learned from.

``python -m vision.training.measure_own_pack`` renders spreads of packs that were held out of training (each card shown
once, nine a picture), learns the pack from them, and reads other scenes of it. ``--photos FOLDER`` does the same with
a folder of labelled photographs: of each card the first ``--shown`` pictures, in the order of their names, are learned
from, and the others are read. What the program would ask is answered truly and counted. ``unseen`` are legible cards
that weren't found, which no pack's look can mend; of those found, ``unread`` got no name or a wrong one; ``wrong``
counts all wrong names that were given.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from assistant.cards import Card
from vision import assembly, geometry
from vision.assembly import CARDS, Place
from vision.certainty import Certainty
from vision.enrolment import Learned, SeenCard, learn, look_at
from vision.onnx_recogniser import OnnxRecogniser
from vision.own_pack import OwnPack
from vision.recogniser import Image
from vision.training import grounds, layouts, optics
from vision.training.evaluate import LETTER_SHARE, READABLE
from vision.training.scenes import (
    CARD_HEIGHT_MM,
    ArtPack,
    Canvas,
    SceneCard,
    camera,
    index_polygon,
    load_packs,
    project,
    render_scene,
    table_corners,
)

SPREAD = 9
_SAME_INDEX, _SAME_CARD = 0.1, 0.4
"""So near, in card heights, are the middles of one index; outlines that overlap so much are one card's."""

Truth = Sequence[SceneCard]
"""The cards of a picture."""


def spread(rng: np.random.Generator, pack: ArtPack, names: Sequence[str], size: int) -> tuple[Image, list[SceneCard]]:
    """A picture of these cards of a pack in two untidy rows, as somebody who shows the pack would lay them."""
    places = layouts.rows(rng, len(names), -(-len(names) // 2))
    canvas, faces = Canvas(grounds.ground(rng, size)), {face.card: face for face in pack.faces}
    reach = max(abs(length) for place in places for length in (place.x, place.y))
    view = camera(rng, size, size * rng.uniform(0.7, 0.9) * CARD_HEIGHT_MM / (2 * reach + CARD_HEIGHT_MM), (0.0, 0.0))
    drawn = []
    for number, (name, place) in enumerate(zip(names, places, strict=True), 1):
        quad = project(view, table_corners(place, faces[name].aspect))
        if np.isfinite(quad).all() and np.abs(quad).max() < 8 * size:
            canvas.put(rng, faces[name], quad, number)
            drawn.append((name, quad, number))
    picture, bend = optics.distorted(rng, canvas.picture)
    truth = []
    for name, quad, number in drawn:
        corners = (0, 1, 2, 3) if pack.indices == 4 else (0, 2)
        indices = tuple((corner, canvas.share(index_polygon(quad, corner), number)) for corner in corners)
        truth.append(SceneCard(name, bend(quad).astype(np.float32), canvas.share(quad, number), indices, pack.name))
    return optics.lens(rng, optics.light(rng, picture)), truth


def readable(card: SceneCard) -> bool:
    """Whether an index is in view and large enough."""
    in_view = max((share for _, share in card.indices), default=0.0) >= 0.85
    return in_view and geometry.side_lengths(card.quad)[1] * LETTER_SHARE >= READABLE


def true_card(place: Place, truth: Truth) -> int | None:
    """The number of the card that a place is: the one whose index it stands on; without indices, whose outline."""
    if not place.indices:
        overlaps = [geometry.overlap(place.quad, card.quad) for card in truth]
        best = int(np.argmax(overlaps)) if overlaps else 0
        return best if overlaps and overlaps[best] > _SAME_CARD else None
    point = place.indices[0].found.point
    away = [
        (
            float(np.linalg.norm(point - geometry.index_point(card.quad, corner)))
            / geometry.side_lengths(card.quad)[1],
            k,
        )
        for k, card in enumerate(truth)
        for corner, share in card.indices
        if share > 0.3
    ]
    nearest, number = min(away, default=(1.0, 0))
    return number if nearest < _SAME_INDEX else None


def _there(place: Place, card: SceneCard) -> bool:
    return geometry.overlap(place.quad, card.quad) > _SAME_CARD or true_card(place, [card]) is not None


def answered(name: str, seen: Sequence[SeenCard], truths: Sequence[Truth]) -> tuple[Learned, Counter[str]]:
    """The pack as it is learned when each question is answered truly; counts of questions and of wrong names."""
    true: list[Card | None] = []
    for one in seen:
        number = true_card(one.place, truths[one.picture])
        true.append(None if number is None else Card.parse(truths[one.picture][number].card))
    told: dict[int, Card | None] = {}
    learned = learn(name, seen, told)
    while learned.doubtful:
        told |= {number: true[number] for number in learned.doubtful}
        learned = learn(name, seen, told)
    wrong = sum(card is not None and card != true[k] for k, card in enumerate(learned.cards))
    return learned, Counter(seen=len(seen), asked=len(told), mislabelled=wrong)


def count(
    seen: Sequence[SeenCard], pack: OwnPack | None, truth: Truth, certainty: Certainty, counts: Counter[str]
) -> None:
    """Add to the counts what a picture's cards are read as, one pack lying on the table."""
    when = "after" if pack else "before"
    places = [one.read(pack) for one in seen]
    named = assembly.name_all(places, one_pack=True)
    right = set()
    for place, (p, number) in zip(places, named, strict=True):
        sureness = certainty.of(assembly.signs_of(place, p, number)) if number >= 0 else 0.0
        if sureness < assembly.LEAST_SURE:
            continue
        hits = [k for k, card in enumerate(truth) if card.card == str(CARDS[number]) and _there(place, card)]
        right |= set(hits)
        if hits:
            continue
        counts[f"wrong {when}"] += 1
        counts[f"wrong and sure {when}"] += sureness > 0.95
    legible = {k for k, card in enumerate(truth) if readable(card)}
    found = legible & {true_card(place, truth) for place in places}
    counts[f"unread {when}"] += len(found - right)
    if not pack:
        counts["cards"] += len(legible)
        counts["unseen"] += len(legible - found)


def measure(
    name: str,
    recogniser: OnnxRecogniser,
    shown: Sequence[tuple[Image, Truth]],
    others: Iterable[tuple[Image, Truth]],
) -> Counter[str]:
    """Learn a pack from some pictures, read others."""
    start = time.perf_counter()
    seen = [one for k, (image, _) in enumerate(shown) for one in look_at(recogniser, image, k)]
    learned, counts = answered(name, seen, [truth for _, truth in shown])
    counts["seconds"] = round(time.perf_counter() - start)
    counts["learned"] = len(learned.learned)
    for image, truth in others:
        found = look_at(recogniser, image, 0, shaken=0)
        count(found, None, truth, recogniser.certainty, counts)
        count(found, learned.pack, truth, recogniser.certainty, counts)
    return counts


def rendered(
    pack: ArtPack, number: int, scenes: int
) -> tuple[list[tuple[Image, Truth]], Iterable[tuple[Image, Truth]]]:
    """Spreads that show a pack once, and other scenes of it."""
    rng = np.random.default_rng([7, number])
    names = [pack.faces[k].card for k in rng.permutation(len(pack.faces))]
    shown: list[tuple[Image, Truth]] = []
    for start in range(0, len(names), SPREAD):
        picture, cards = spread(rng, pack, names[start : start + SPREAD], 960)
        shown.append((picture, cards))
    return shown, (render_scene(rng, [pack], 640) for _ in range(scenes))


def photographed(folder: Path, shown: int) -> tuple[list[tuple[Image, Truth]], Iterable[tuple[Image, Truth]]]:
    """Photographs of single cards: of each card the first ``shown``, and the rest."""
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    before: dict[str, int] = defaultdict(int)
    first: list[tuple[Path, Card]] = []
    rest: list[tuple[Path, Card]] = []
    for row in sorted(rows, key=lambda row: str(row["file"])):
        (card,) = row["cards"]
        (first if before[card] < shown else rest).append((folder / row["file"], Card.parse(card)))
        before[card] += 1
    return [_single(*one) for one in first], (_single(*one) for one in rest)


def _single(path: Path, card: Card) -> tuple[Image, Truth]:
    image = np.asarray(cv2.imread(str(path)), np.uint8)
    height, width = image.shape[:2]
    quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return image, [SceneCard(str(card), quad, 1.0, tuple((corner, 1.0) for corner in range(4)), "")]


def main() -> None:
    """Print a line a pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=None)
    parser.add_argument("--art", type=Path, default=Path("training-data/packs"))
    parser.add_argument("--pack", action="append", help="only these packs of the art")
    parser.add_argument("--scenes", type=int, default=40, help="scenes that are read, a pack")
    parser.add_argument("--photos", type=Path, action="append", help="a folder of labelled photographs of single cards")
    parser.add_argument("--shown", type=int, default=1, help="photographs of each card that are learned from")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    recogniser = OnnxRecogniser.load(options.models, threads=1)
    heads = ("learned", "asked", "mislabelled", "seconds", "cards", "unseen")
    pairs = ("unread", "wrong", "wrong and sure")
    print(f"{'':<28}" + "".join(f"{head:>12}" for head in heads) + "".join(f"{pair:>17}" for pair in pairs))
    total: Counter[str] = Counter()

    def show(name: str, counts: Counter[str]) -> None:
        figures = "".join(f"{counts[head]:>12}" for head in heads)
        figures += "".join(f"{counts[f'{pair} before']:>8} -> {counts[f'{pair} after']:<5}" for pair in pairs)
        print(f"{name:<28}{figures}", flush=True)

    if options.photos:
        for folder in options.photos:
            show(folder.name, measure(folder.name, recogniser, *photographed(folder, options.shown)))
        return
    packs = load_packs(options.art, holdout=True)
    for number, pack in enumerate(packs):
        if not options.pack or pack.name in options.pack:
            counts = measure(pack.name, recogniser, *rendered(pack, number, options.scenes))
            show(pack.name, counts)
            total += counts
    show("all", total)


if __name__ == "__main__":
    main()
