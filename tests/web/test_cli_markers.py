"""``mournival markers``: the sheet is written, and what can't work is said in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from vision.markers import sheet_pdf, sheet_svg
from web.cli.markers import markers


def test_a_sheet_is_written_and_its_use_told(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    run = CliRunner().invoke(markers, ["--out", str(out)])
    assert run.exit_code == 0
    assert out.read_bytes() == sheet_pdf("a4")
    assert "100 %" in run.output
    assert run.output.count("\n") == 1


def test_another_kind_and_another_paper(tmp_path: Path) -> None:
    out = tmp_path / "sheet.svg"
    run = CliRunner().invoke(markers, ["--out", str(out), "--paper", "letter", "--json"])
    assert json.loads(run.output) == {"file": str(out), "paper": "letter", "markers": 4, "mm": 50.0}
    assert out.read_text() == sheet_svg("letter")


@pytest.mark.parametrize(("out", "said"), [("sheet.png", ".pdf or .svg"), ("nowhere/sheet.pdf", "can't be written")])
def test_what_cannot_work_is_said_in_one_line(out: str, said: str, tmp_path: Path) -> None:
    run = CliRunner().invoke(markers, ["--out", str(tmp_path / out)])
    assert run.exit_code == 2
    assert said in run.output
