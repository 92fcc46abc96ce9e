"""``mournival recognise`` as people and scripts call it: a real process on real files."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from assistant.cards import Card, parse_cards
from tests.web.hand_fans import fan
from vision.image_intake import read_picture
from vision.outlines import draw_outlines
from vision.recogniser import Reading, Recognition
from web.cli.recognise import DrawnPictures, as_object, as_text, beside, load_recogniser

ROOT: Final = Path(__file__).resolve().parent.parent.parent


def run(*arguments: object, cwd: Path, project: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from web.cli import main; main()", "recognise", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(project)},
    )


def write_picture(path: Path, width: int = 320, height: int = 240) -> Path:
    """A grey cloth without cards."""
    noise = np.random.default_rng(3).normal(110, 6, (height, width, 3))
    cv2.imwrite(str(path), noise.clip(0, 255).astype(np.uint8))
    return path


def reading(card: str, x: float, confidence: float = 0.998) -> Reading:
    quad = np.array([[x, 20], [x + 60, 20], [x + 60, 110], [x, 110]], np.float32)
    return Reading(Card.parse(card), confidence, quad, 0.75)


FOUND: Final = Recognition((reading("QH", 150.04), reading("7?", 20, 0.5)), 41.234, ("blurred",))
BLANK: Final = np.full((240, 320, 3), 90, np.uint8)


def test_the_json_object_is_the_contract_s() -> None:
    written: Any = json.loads(json.dumps(as_object("a.jpg", BLANK, FOUND)))
    assert written == {
        "file": "a.jpg",
        "width": 320,
        "height": 240,
        "ms": 41.2,
        "cards": [
            {
                "card": "QH",
                "confidence": 0.998,
                "quad": [[150.0, 20.0], [210.0, 20.0], [210.0, 110.0], [150.0, 110.0]],
                "visible": 0.75,
            },
            {
                "card": "7?",
                "confidence": 0.5,
                "quad": [[20.0, 20.0], [80.0, 20.0], [80.0, 110.0], [20.0, 110.0]],
                "visible": 0.75,
            },
        ],
        "warnings": ["blurred"],
    }


def test_the_text_names_cards_from_left_to_right_and_marks_doubt() -> None:
    assert as_text("a.jpg", BLANK, FOUND) == "a.jpg (320 x 240, 41 ms): 2 cards: 7?(?) QH [blurred]"
    assert as_text("b\n.jpg", BLANK, Recognition((), 9.6)) == "b\\n.jpg (320 x 240, 10 ms): no cards"


def test_outlines_are_drawn_into_a_copy() -> None:
    before = BLANK.copy()
    drawn = draw_outlines(BLANK, FOUND.readings)
    assert np.array_equal(BLANK, before)
    assert (drawn[60, 148:153] != 90).any()
    assert (drawn[60, 60] == 90).all()


def test_drawn_pictures_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    drawing = DrawnPictures(str(tmp_path / "out"))
    for file in ("x/a.jpg", "y/A.png", "a.webp"):
        drawing.write(file, BLANK, FOUND.readings)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "A-cards-2.jpg",
        "a-cards-3.jpg",
        "a-cards.jpg",
    ]
    assert read_picture(tmp_path / "out" / "a-cards.jpg").shape == BLANK.shape


def test_missing_networks_are_said_in_one_line(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for package in ("assistant", "vision", "web", "models"):
        shutil.copytree(ROOT / package, project / package, ignore=shutil.ignore_patterns("*.onnx", "__pycache__"))
    done = run(write_picture(tmp_path / "a.png"), cwd=tmp_path, project=project)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert str(project / "models") in done.stderr


def test_one_json_line_a_picture_and_status_2_for_what_is_none(tmp_path: Path) -> None:
    write_picture(tmp_path / "a.png")
    whole = write_picture(tmp_path / "b.jpg", 640, 480).read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "letter.jpg").write_text("dear anna")
    (tmp_path / "empty.jpg").touch()
    header = b"IHDR" + struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    crc = struct.pack(">I", zlib.crc32(header))
    huge = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + crc + b"\0\0\0\0IDAT"
    (tmp_path / "huge.png").write_bytes(huge)
    bad = ["cut.jpg", "letter.jpg", "empty.jpg", "huge.png", "none.jpg", "."]
    done = run("--json", "a.png", *bad, "b.jpg", cwd=tmp_path)
    assert done.returncode == 2
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["file"], line["width"], line["height"]) for line in lines] == [
        ("a.png", 320, 240),
        ("b.jpg", 640, 480),
    ]
    assert all(line["cards"] == [] and line["ms"] > 0 for line in lines)
    complaints = done.stderr.splitlines()
    assert [complaint.partition(":")[0] for complaint in complaints] == bad
    assert "cut off" in complaints[0]
    assert "too large" in complaints[3]


def test_people_get_one_line_a_picture_and_the_drawing(tmp_path: Path) -> None:
    write_picture(tmp_path / "a.png")
    done = run("a.png", "--draw", "drawn", "--deck", "any", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a.png (320 x 240, ")
    assert read_picture(tmp_path / "drawn" / "a-cards.jpg").shape == (240, 320, 3)


def test_people_are_told_what_to_do_about_a_bad_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "night.png"), np.full((240, 320, 3), 6, np.uint8))
    done = run("night.png", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == "night.png: The picture is too dark: turn on a lamp or turn it towards the table.\n"
    assert done.stdout.endswith("[too-dark]\n")
    assert run("--json", "night.png", cwd=tmp_path).stderr == ""


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    write_picture(tmp_path / "a.png")
    (tmp_path / "file").touch()
    done = run("a.png", "--draw", "file/drawn", cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "file/drawn" in done.stderr


def test_a_photograph_of_a_table(photos: Path, tmp_path: Path) -> None:
    """A picture of the training split: the point here is the whole way from file to names, not the accuracy."""
    row = json.loads((photos / "train" / "pinochle" / "labels.jsonl").read_text().splitlines()[0])
    truth = {box["card"] for box in row["boxes"]}
    done = run("--json", photos / "train" / "pinochle" / row["file"], cwd=tmp_path)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert truth <= {card["card"] for card in found["cards"]}
    for card in found["cards"]:
        assert len(card["quad"]) == 4
        assert 0 <= card["confidence"] <= 1


def test_the_recogniser_beside_the_table_s_is_another_one_that_reads_alike() -> None:
    table = load_recogniser()
    hands = beside(table)
    assert hands is not table
    picture = fan(parse_cards("2S 5H 9C KD TS"))
    read = [{reading.card for reading in one.recognise(picture).readings} for one in (table, hands)]
    assert read == [set(parse_cards("2S 5H 9C KD TS"))] * 2
