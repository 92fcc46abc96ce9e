"""What is handed out as a wheel: all that the program needs, and nothing that is nobody else's business."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.conftest import ROOT

PACKAGES: Final = ("assistant", "vision", "web", "models")
KINDS: Final = {
    ".py", ".html", ".css", ".js", ".svg", ".json", ".po", ".pot", ".onnx", ".md", ".mp4", ".deal", ".jsonl", ".txt",
    ".typed", ".woff2", ".webmanifest", ".ico",
}  # fmt: skip
"""What may be in it; pictures, keys and journals are not."""
DRAWN: Final = "vision/render/house_pack/"
"""The one place of pictures: the faces of the virtual table's pack, which are drawn."""
NOT_OURS: Final = re.compile(r"(^|/)(tests?|photos?|\.git|\.hypothesis)(/|$)|journal.*sqlite")
SECRET: Final = re.compile(rb"BEGIN [A-Z ]*PRIVATE KEY|__Host-mournival=|ghp_[A-Za-z0-9]{20}|AKIA[A-Z0-9]{16}")


@pytest.fixture(scope="module")
def files() -> dict[str, Path]:
    """The wheel's files by their place in it."""
    return {one.distribution_path: Path(one.path) for one in WheelBuilder(str(ROOT)).recurse_included_files()}


def tracked() -> set[str]:
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(listed.stdout.splitlines())


def test_all_that_the_program_needs_is_in_the_wheel(files: dict[str, Path]) -> None:
    wanted = {
        str(path.relative_to(ROOT)).replace("\\", "/")
        for folder in ("web/templates", "web/static", "web/locale", "web/demo", "models")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".mo")
    }
    assert len([name for name in wanted if name.endswith((".html", ".po", ".onnx", ".js"))]) > 20
    assert wanted - set(files) == set()
    assert {f"{package}/__init__.py" for package in PACKAGES} <= set(files)


def test_nothing_else_is_in_the_wheel(files: dict[str, Path]) -> None:
    assert {name for name in files if name.partition("/")[0] not in PACKAGES} == set()
    strange = {name for name in files if Path(name).suffix not in KINDS}
    assert {name for name in strange if not name.startswith(DRAWN)} == set()
    assert [name for name in files if NOT_OURS.search(name)] == []
    if (ROOT / ".git").exists():
        assert set(files) - tracked() == set(), "not in the repository"


def test_no_secret_is_in_the_wheel(files: dict[str, Path]) -> None:
    assert [name for name, path in files.items() if SECRET.search(path.read_bytes())] == []
