"""What the program leans on: pinned with hashes, under licences that fit, and held against known weaknesses."""

from __future__ import annotations

import json
import re
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests import audit
from tests.conftest import ROOT
from tests.licences import Package, packages

LOCK = (ROOT / "requirements-ci.txt").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_version_that_ci_uses_is_pinned_with_hashes() -> None:
    entries = [entry for entry in re.split(r"\n(?=[A-Za-z0-9])", LOCK) if not entry.startswith("#")]
    assert len(entries) > 50
    assert [
        entry[:60] for entry in entries if not re.match(r"[A-Za-z0-9._-]+==\S+", entry) or "--hash=sha256:" not in entry
    ] == []


def test_the_pinned_versions_are_those_that_the_project_asks_for() -> None:
    versions = audit.pinned(LOCK)
    wanted = [Requirement(line) for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]]
    missing = [str(one) for one in wanted if re.sub(r"[-_.]+", "-", one.name).lower() not in versions]
    assert missing == [], "make lock"


def test_the_licences_of_all_that_the_program_needs_fit_its_own() -> None:
    found = packages()
    assert {"Flask", "numpy", "opencv-python-headless"} <= {one.name for one in found}
    assert [one for one in found if not one.fits] == []


@pytest.mark.parametrize(
    ("licence", "fits"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("MIT-CMU", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", True),
        ("Mozilla Public License 2.0 (MPL 2.0)", True),
        ("GPL-3.0-or-later OR MIT", True),
        ("GNU General Public License v3 (GPLv3)", False),
        ("GNU Affero General Public License v3", False),
        ("AGPL-3.0-only", False),
        ("MIT AND GPL-2.0-only", False),
        ("", False),
        ("Proprietary", False),
    ],
)
def test_which_licences_fit(licence: str, fits: bool) -> None:
    assert Package("a", "1", licence).fits is fits


def advisory(name: str, *events: dict[str, str], **more: Any) -> dict[str, Any]:
    affected = {
        "package": {"name": name, "ecosystem": "PyPI"},
        "ranges": [{"type": "ECOSYSTEM", "events": list(events)}],
    }
    return {"id": "PYSEC-1", "summary": "It does\nharm", "affected": [affected], **more}


@pytest.mark.parametrize(
    ("known", "found"),
    [
        (advisory("Flask_App", {"introduced": "0"}, {"fixed": "2.0"}), True),
        (advisory("flask-app", {"introduced": "1.5"}, {"last_affected": "1.5"}), True),
        (advisory("flask-app", {"introduced": "0"}, {"fixed": "1.5"}), False),
        (advisory("flask-app", {"introduced": "1.6"}), False),
        (advisory("flask-app", {"introduced": "0"}, {"fixed": "1.0"}, {"introduced": "1.4"}, {"fixed": "1.9"}), True),
        (advisory("other", {"introduced": "0"}), False),
        (advisory("flask-app", {"introduced": "0"}, withdrawn="2026-01-01T00:00:00Z"), False),
        ({"id": "X", "affected": [{"package": {"name": "flask.app", "ecosystem": "PyPI"}, "versions": ["1.5"]}]}, True),
        ({"id": "X", "affected": [{"package": {"name": "flask-app", "ecosystem": "npm"}, "versions": ["1.5"]}]}, False),
    ],
)
def test_a_known_weakness_of_a_version_is_found(known: dict[str, Any], found: bool) -> None:
    assert bool(audit.weaknesses({"flask-app": "1.5"}, [known])) is found


def test_the_lock_is_held_against_a_stored_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = tmp_path / "all.zip"

    def told(*known: dict[str, Any]) -> tuple[int, str]:
        with zipfile.ZipFile(stored, "w") as file:
            for number, one in enumerate(known):
                file.writestr(f"PYSEC-{number}.json", json.dumps(one))
        monkeypatch.setattr(sys, "argv", ["audit", str(stored)])
        return audit.main(), capsys.readouterr().out

    assert told(advisory("flask", {"introduced": "0"}, {"fixed": "0.1"}))[0] == 0
    status, said = told(advisory("flask", {"introduced": "0"}))
    assert (status, "flask" in said, "PYSEC-1: It does" in said) == (1, True, True)
    assert told()[0] == 2
    stored.write_bytes(b"no zip")
    assert audit.main() == 2
