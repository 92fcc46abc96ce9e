"""A whole game is played in a network that leads nowhere: nothing is tried outwards, and no picture is written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from web.journal import FILE_NAME

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURES: Final = (b"\xff\xd8\xff", b"\x89PNG", b"RIFF", b"BM", b"II*\x00", b"MM\x00*", b"GIF8")
"""How pictures begin."""
JPEG: Final = b"\xff\xd8\xff\xe0\x00\x10JFIF"


def followed(folder: Path, keep: str = "no") -> tuple[dict[str, Any], str]:
    """What a process noted that followed the recorded table to its end, and what it said."""
    inside = [sys.executable, "-m", "tests.web.watched_run", str(folder / "data"), keep]
    alone = ["unshare", "--net", "--map-root-user"] if _may_be_alone() else []
    homes = {"HOME": str(folder), "TMPDIR": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    program = subprocess.run(
        [*alone, *inside],
        cwd=ROOT,
        env=os.environ | homes,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert program.returncode == 0, program.stderr
    return json.loads(program.stdout.splitlines()[-1]), program.stdout + program.stderr


def _may_be_alone() -> bool:
    """Whether this computer lets a process have a network of its own; else the watch inside it has to do."""
    if shutil.which("unshare") is None:
        return False
    return (
        subprocess.run(["unshare", "--net", "--map-root-user", "true"], capture_output=True, check=False).returncode
        == 0
    )


def test_the_networks_runtime_is_silent_before_it_is_loaded() -> None:
    """It would look its makers' computer up by itself; the whole game below lasts long enough to see it try."""
    told = "import sys, os, vision; print(os.environ['ORT_DISABLE_TELEMETRY'], 'onnxruntime' in sys.modules)"
    program = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    assert program.stdout.split() == ["1", "False"]
    sources = [path for package in ("assistant", "vision", "web") for path in (ROOT / package).rglob("*.py")]
    users = [path for path in sources if "import onnxruntime" in path.read_text(encoding="utf-8")]
    inside = [path for path in users if path.is_relative_to(ROOT / "vision")]
    assert users == inside != []


def pictures_in(folder: Path) -> list[str]:
    """The files in which a picture is: at the beginning, or a JPEG anywhere."""
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return sorted(path.name for path, data in files.items() if data.startswith(PICTURES) or JPEG in data)


def test_a_whole_game_by_camera_tries_nothing_outwards_and_writes_no_picture(tmp_path: Path) -> None:
    seen, said = followed(tmp_path)
    assert seen["settled"]
    assert seen["pages"] == [200]
    assert seen["outwards"] == []
    assert seen["no_route"] == 0
    assert _may_be_alone() == seen["alone"]
    written = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert FILE_NAME in written
    assert pictures_in(tmp_path) == []
    assert [name for name in seen["written"] if not Path(name).name.startswith(("journal", "in-use"))] == []
    assert "Traceback" not in said


def test_pictures_are_written_once_somebody_wants_them_kept(tmp_path: Path) -> None:
    seen, _ = followed(tmp_path, "keep")
    assert seen["outwards"] == []
    assert len(pictures_in(tmp_path)) > 2
    assert any(name.endswith(".jpg") for name in seen["written"])
