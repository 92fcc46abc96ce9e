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


def played(folder: Path) -> tuple[dict[str, Any], str]:
    """What a process noted that played the demo's deal to its end, and what it said."""
    inside = [sys.executable, "-m", "tests.web.watched_run", str(folder / "data")]
    alone = ["unshare", "--net", "--map-root-user"] if _may_be_alone() else []
    homes = {"HOME": str(folder), "TMPDIR": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    program = subprocess.run(
        [*alone, *inside],
        cwd=ROOT,
        env=os.environ | homes,
        capture_output=True,
        text=True,
        timeout=120,
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


def test_a_whole_game_tries_nothing_outwards_and_writes_no_picture(tmp_path: Path) -> None:
    seen, said = played(tmp_path)
    assert seen["settled"]
    assert seen["pages"] == [200]
    assert seen["outwards"] == []
    assert seen["no_route"] == 0
    assert _may_be_alone() == seen["alone"]
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert FILE_NAME in {path.name for path in written}
    assert [path.name for path in written if path.read_bytes().startswith(PICTURES)] == []
    assert [name for name in seen["written"] if not Path(name).name.startswith(("journal", "in-use"))] == []
    assert "Traceback" not in said


def test_the_watch_itself_sees_what_is_tried(tmp_path: Path) -> None:
    code = (
        "import socket, sys; from tests.web.watched_run import Watch\n"
        "watch, own = Watch(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "sys.audit('socket.connect', own, ('203.0.113.9', 9))\n"  # what trying it would tell; nothing is sent
        "sys.audit('socket.sendto', own, ('203.0.113.9', 9))\n"
        "sys.audit('socket.getaddrinfo', 'elsewhere.example', 80, 0, 0, 0)\n"
        "sys.audit('socket.connect', own, ('127.0.0.1', 9))\n"
        f"open({str(tmp_path / 'a.png')!r}, 'wb').close()\n"
        "print(len(watch.outwards), [name.rsplit('/')[-1] for name in watch.written])\n"
    )
    program = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert program.stdout == "3 ['a.png']\n"
