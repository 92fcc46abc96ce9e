"""Labels files, and which of the seen cards their names belong to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.cards import PACK, Card, parse_cards
from vision.assembly import CARDS
from vision.geometry import Floats
from vision.told_cards import LabelsError, matched, read_labels


def written(folder: Path, text: str) -> Path:
    path = folder / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_are_read(tmp_path: Path) -> None:
    text = '{"file": "a.jpg", "cards": ["KS", "10d", "??"], "note": 1}\n\n{"file": "b.jpg", "cards": []}\n'
    assert read_labels(written(tmp_path, text)) == {"a.jpg": parse_cards("KS TD ??"), "b.jpg": ()}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("KS 7H", "must be like"),
        ("[]", "must be like"),
        ('{"file": "a.jpg"}', "must be like"),
        ('{"file": "a.jpg", "cards": "KS"}', "must be like"),
        ('{"file": "a.jpg", "cards": [7]}', "must be like"),
        ("[" * 100_000, "must be like"),
        ('{"file": "a.jpg", "cards": ["1S"]}', "'1S' is no card"),
        ('{"file": "a.jpg", "cards": ["KS", "ks"]}', "KS is named twice"),
        ('{"file": "first.jpg", "cards": []}', "named before"),
    ],
)
def test_a_wrong_line_is_told_with_its_number(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(LabelsError) as caught:
        read_labels(written(tmp_path, '{"file": "first.jpg", "cards": []}\n' + line))
    assert f"labels.jsonl, line 2: {says}" in str(caught.value) or says in str(caught.value)
    assert "line 2" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(LabelsError, match="can't be read"):
        read_labels(tmp_path / "none")
    (tmp_path / "labels").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LabelsError, match="is no text"):
        read_labels(tmp_path / "labels")


def sightings(cards: list[Card], sure: float = 0.9) -> Floats:
    said = np.full((len(cards), 52), (1 - sure) / 51, np.float32)
    said[np.arange(len(cards)), [CARDS.index(card) for card in cards]] = sure
    return np.log(said)


@given(st.lists(st.sampled_from(PACK), unique=True, min_size=1, max_size=13), st.data())
def test_names_find_their_places_in_order_whatever_was_missed(cards: list[Card], data: st.DataObject) -> None:
    missed = data.draw(st.sets(st.integers(0, len(cards) - 1), max_size=len(cards) - 1))
    places = [k for k in range(len(cards)) if k not in missed]
    found = matched(cards, sightings([cards[k] for k in places]))
    assert found == [places.index(k) if k in places else None for k in range(len(cards))]


def test_what_is_said_counts_more_than_what_is_seen() -> None:
    """Two neighbours that are read the wrong way round: the order in which they were named stands."""
    seen = sightings(list(parse_cards("2H KC KS 7D")), sure=0.6)
    assert matched(parse_cards("2H KS KC 7D"), seen) == [0, 1, 2, 3]


def test_cards_in_no_clear_order_are_found_by_what_they_look_like() -> None:
    cards = parse_cards("2H KS 7D QC 9H 4S 3C AD")
    assert matched(cards, sightings(list(cards[::-1]), sure=0.99)) == list(range(7, -1, -1))


def test_cards_known_in_part_take_a_place() -> None:
    assert matched(parse_cards("2H ?? 7D"), sightings(list(parse_cards("2H 9C 7D")))) == [0, 1, 2]
    assert matched(parse_cards("2H"), np.zeros((0, 52), np.float32)) == [None]
