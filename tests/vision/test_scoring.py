"""What a recogniser finds is counted as it says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cards import Card
from vision.recogniser import Image, Reading, Recognition
from vision.scoring import LabelsError, Score, labelled, measure


class SaysByBrightness:
    """Names the cards that a script holds for the picture's brightness."""

    def __init__(self, script: dict[int, str]) -> None:
        self._script = script

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        names = self._script[int(image[0, 0, 0])].split()
        quad = np.zeros((4, 2), np.float32)
        return Recognition(tuple(Reading(Card.parse(name), 0.9, quad) for name in names), 10.0)


def write_folder(folder: Path, rows: list[dict[str, object]]) -> None:
    for number, row in enumerate(rows, 1):
        cv2.imwrite(str(folder / str(row["file"])), np.full((32, 32, 3), number, np.uint8))
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_recall_precision_and_exact_pictures(tmp_path: Path) -> None:
    write_folder(
        tmp_path,
        [
            {"file": "a.png", "cards": ["AS", "KH"]},
            {"file": "b.png", "boxes": [{"card": "2D", "box": [0, 0, 9, 9]}, {"card": "2D", "box": [9, 9, 20, 20]}]},
            {"file": "c.png", "cards": []},
        ],
    )
    told: list[str] = []
    score = measure(SaysByBrightness({1: "AS QH", 2: "2D", 3: ""}), tmp_path, told.append)
    assert (score.photos, score.cards, score.right, score.named, score.exact) == (3, 3, 2, 3, 2)
    assert score.recall == pytest.approx(2 / 3)
    assert score.precision == pytest.approx(2 / 3)
    assert told == ["a.png: missing KH; wrong or double QH"]


def test_a_card_named_twice_is_wrong_once() -> None:
    score = Score()
    score.count(frozenset({"AS"}), Counter({"AS": 2}), 1.0)
    assert (score.right, score.named, score.exact, score.precision) == (1, 2, 0, 0.5)


def test_bad_labels_are_named_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(LabelsError, match=r"labels\.jsonl: can't be read"):
        list(labelled(tmp_path))
    (tmp_path / "labels.jsonl").write_text('{"file": "a.png", "cards": []}\n{"file": "b.png"}\n')
    with pytest.raises(LabelsError, match="line 2"):
        list(labelled(tmp_path))
