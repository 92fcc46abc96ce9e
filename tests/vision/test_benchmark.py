"""The benchmark prints what was measured, side by side, and what can't be measured in one line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cards import Card
from tests.baselines.contours_and_templates import TemplateRecogniser
from vision import benchmark
from vision.benchmark import Contender, contenders, main, peak_memory, tell_all
from vision.benchmark_pictures import CARDS, LAYOUTS, rendered
from vision.recogniser import Image, Reading, Recognition


class AlwaysSays:
    """Names the same card in every picture, in the same time."""

    def __init__(self, card: str, ms: float) -> None:
        self._answer = Recognition((Reading(Card.parse(card), 0.9, np.zeros((4, 2), np.float32)),), ms)

    def recognise(self, image: Image, *, one_pack: bool = True) -> Recognition:
        return self._answer


@pytest.fixture
def two_ways(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Two recognisers and one folder of photographs: a seven of spades."""
    folder = tmp_path / "val" / "home"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "a.png"), np.zeros((32, 32, 3), np.uint8))
    (folder / "labels.jsonl").write_text(json.dumps({"file": "a.png", "cards": ["7S"]}) + "\n")
    network = tmp_path / "network.onnx"
    network.write_bytes(bytes(1_500_000))
    ways = [
        Contender("ours", lambda: AlwaysSays("7S", 20.0), (network,)),
        Contender("theirs", lambda: AlwaysSays("KH", 40.0)),
    ]
    monkeypatch.setattr(benchmark, "contenders", lambda: ways)
    monkeypatch.setattr(benchmark, "PHOTOGRAPHS", tmp_path)
    monkeypatch.setattr(benchmark, "peak_memory", lambda number: [123_400_000, None][number])
    return tmp_path


def test_all_ways_stand_side_by_side(two_ways: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tell_all(times=2, pictures=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["ours", "theirs"]
    assert lines[1].endswith(" 20 (20)                 40 (40)")
    assert lines[3].split()[-2:] == ["123.4", "-"]
    assert lines[4].split()[-2:] == ["1.5", "0.0"]
    found = {line.partition(":")[0]: line for line in lines if " pictures, " in line}
    assert list(found) == [*LAYOUTS, "val/home"]
    assert "1 pictures, 1 cards" in found["val/home"]
    assert "".join(found["val/home"].split()[-10:]) == "1.000/1.000/1.0000.000/0.000/0.000"


def test_without_photographs_it_says_so(
    two_ways: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "PHOTOGRAPHS", two_ways / "nowhere")
    tell_all(times=1, pictures=0)
    assert capsys.readouterr().out.splitlines()[-1] == f"no photographs in {two_ways / 'nowhere'}"


def test_a_folder_that_cannot_be_measured_is_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "labels.jsonl" in line


def test_the_baselines_are_measured_from_a_checkout_with_their_memory() -> None:
    names = [way.name for way in contenders()]
    assert names[:2] == ["product", "contours, templates"]
    assert isinstance(contenders()[1].load(), TemplateRecogniser)
    memory = peak_memory(1)
    assert memory is None or 30e6 < memory < 2e9


@pytest.mark.parametrize("kind", LAYOUTS)
def test_rendered_tables_are_the_same_each_time(kind: str) -> None:
    ((name, picture, cards),) = rendered(kind, 1)
    ((_, again, same_cards),) = rendered(kind, 1)
    assert name == f"{kind} 1"
    assert picture.shape == (720, 1280, 3)
    assert (picture == again).all()
    assert cards == same_cards
    assert len(cards) == CARDS
