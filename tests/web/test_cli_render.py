"""``mournival render``: files beside the video, exit status, and the demo that ships with the program."""

from __future__ import annotations

import json
from pathlib import Path

import av
import pytest
from click.testing import CliRunner, Result

from assistant.record import parse_record, replay
from vision.zones import read_layout
from web.cli import main

DEMO = Path(__file__).parents[2] / "web" / "demo"
SHORT = """game: laugh-and-lie-down
players: 4
dealer: 4
table: 6D 7C 3D AH 8H 3S JH 7H AS 5D 7S TC
1 mate 8? 8H
2 mate T? T?
"""
NO_NUMBERS = ("nan", "-nan", "inf", "-inf", "1e999")
SMALL = ("--size", "320x180", "--fps", "4")


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ("render", *arguments), input=text)


def test_a_record_becomes_a_video_with_layout_truth_and_record(tmp_path: Path) -> None:
    video = tmp_path / "short.mp4"
    result = run("-", "--out", str(video), *SMALL, "--habit", "thing=phone", text=SHORT)
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert all(f"short{kind}" in result.stdout for kind in (".layout.json", ".truth.jsonl", ".deal"))
    assert "2 mate T? T?" not in result.stderr
    assert "2 mate TS TC" in result.stderr
    assert (tmp_path / "short.deal").read_text() == SHORT
    assert len(read_layout(tmp_path / "short.layout.json", players=4).piles) == 4
    truth = [json.loads(line) for line in (tmp_path / "short.truth.jsonl").read_text().splitlines()]
    assert [line["line"] for line in truth if line["event"] == "action"][-1] == "2 mate TS TC"
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height, stream.codec_context.name, stream.pix_fmt) == (320, 180, "h264", "yuv420p")


@pytest.mark.parametrize(
    ("text", "keys", "event"),
    [
        (
            "game: rolling-stone\nplayers: 4\ndealer: 4\n1 play 9C\n2 play JC\n3 play AC\n4 play KC\n",
            {"table", "seats"},
            "take-trick",
        ),
        (
            "game: sbros\nplayers: 2\ndealer: 1\ntable: TS 3H\n2 cover TH 3D\n",
            {"table", "seats", "centre", "stock", "resets"},
            "draw",
        ),
    ],
)
def test_the_other_games_are_played_too(text: str, keys: set[str], event: str, tmp_path: Path) -> None:
    result = run("-", "--out", str(tmp_path / "game.mp4"), *SMALL, "--ground", "plaid", text=text)
    assert result.exit_code == 0
    assert set(json.loads((tmp_path / "game.layout.json").read_text())) == keys
    truth = [json.loads(line) for line in (tmp_path / "game.truth.jsonl").read_text().splitlines()]
    assert event in [line["event"] for line in truth]
    assert any(line.get("stock") == 36 for line in truth) == (event == "draw")
    assert any(card.get("down") for line in truth for card in line.get("cards", ())) == (event == "take-trick")


def test_the_same_call_gives_the_same_truth(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert run("-", "--out", str(tmp_path / f"{name}.mp4"), *SMALL, "--seed", "4", text=SHORT).exit_code == 0
    assert (tmp_path / "a.truth.jsonl").read_bytes() == (tmp_path / "b.truth.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "text", "status", "word"),
    [
        (("--size", "big"), SHORT, 2, "WIDTHxHEIGHT"),
        (("--size", "321x180"), SHORT, 2, "even"),
        (("--size", "\N{SUPERSCRIPT TWO}" * 3 + "x720"), SHORT, 2, "WIDTHxHEIGHT"),
        (("--size", "\N{ARABIC-INDIC DIGIT TWO}00x720"), SHORT, 2, "WIDTHxHEIGHT"),
        (("--size", "9" * 5000 + "x720"), SHORT, 2, "WIDTHxHEIGHT"),
        (("--size", "1280x"), SHORT, 2, "WIDTHxHEIGHT"),
        *(((option, number), SHORT, 2, option) for option in ("--still", "--tilt", "--noise") for number in NO_NUMBERS),
        *(((option, "nan"), SHORT, 2, option) for option in ("--fps", "--seed", "--quality")),
        (("--habit", "shift=nan"), SHORT, 2, "'shift' can't be nan"),
        (("--habit", "dance"), SHORT, 2, "no habit 'dance'"),
        (("--pack", "no-such-folder"), SHORT, 2, "no pack of cards"),
        ((), SHORT + "3 mate KH 6D\n", 1, "line 7"),
        ((), SHORT.replace("6D", "QX"), 2, "line 4"),
        ((), SHORT.replace("6D", "??"), 2, "partly known"),
        ((), "game: rolling-stone\nplayers: 4\ndealer: 1\n2 play 9C\n3 play TC\n4 play ??\n", 2, "4 play ??"),
    ],
)
def test_what_can_t_be_rendered_is_told_in_one_line(
    arguments: tuple[str, ...], text: str, status: int, word: str, tmp_path: Path
) -> None:
    result = run("-", "--out", str(tmp_path / "x.mp4"), *arguments, text=text)
    assert (result.exit_code, result.stderr.count("\n")) == (status, 1)
    assert word in result.stderr
    assert not (tmp_path / "x.mp4").exists()


def test_a_missing_record_a_wrong_ending_and_an_unwritable_folder_are_told(tmp_path: Path) -> None:
    for arguments, word in (
        (("no-such.deal", "--out", str(tmp_path / "x.mp4")), "no-such.deal"),
        (("-", "--out", str(tmp_path / "x.txt")), ".mp4"),
        (("-", "--out", str(tmp_path / "no" / "x.mp4"), *SMALL), "can't be written"),
    ):
        result = run(*arguments, text=SHORT)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert word in result.stderr


def test_the_demo_deal_is_whole_and_has_its_faults() -> None:
    played = replay(parse_record((DEMO / "table.deal").read_text(encoding="utf-8")))
    assert played.ok
    assert played.position.over
    assert [(fault.code, fault.seat, fault.claimed_by) for fault in played.position.faults()] == [
        ("C2", 2, 4),
        ("C3", 1, 4),
        ("C4", 2, None),
    ]
    settlement = played.position.settlement()
    assert settlement is not None
    assert [seat["net"] for seat in settlement["seats"]] == [-1, 0, -4, 5]


def test_the_demo_video_ships_with_its_layout() -> None:
    assert (DEMO / "table.mp4").stat().st_size <= 15_000_000
    assert len(read_layout(DEMO / "table.layout.json", players=4).piles) == 4
    with av.open(str(DEMO / "table.mp4")) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height) == (1920, 1080)
        assert 900 <= stream.frames <= 1500
        assert stream.average_rate == 10
