"""``mournival cameras``: a real process, with whatever cameras this computer has."""

from __future__ import annotations

import json
import subprocess
import sys

from vision.cameras import first_camera


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from web.cli import main; main()", "cameras", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_people_are_told_of_each_camera_or_that_there_is_none() -> None:
    cameras, told = json.loads(run("--json").stdout), run()
    assert (told.returncode, told.stderr) == (0, "")
    if cameras:
        assert [line.partition(":")[0] for line in told.stdout.splitlines()] == [str(c["index"]) for c in cameras]
    else:
        assert told.stdout.startswith("No camera found. ")
        assert len(told.stdout.splitlines()) == 1


def test_json_lists_index_name_and_sizes() -> None:
    done = run("--json")
    assert (done.returncode, done.stderr) == (0, "")
    for camera in json.loads(done.stdout):
        assert set(camera) == {"index", "name", "sizes"}
        assert all(width > 0 and height > 0 for width, height in camera["sizes"])


def test_the_first_camera_is_one_of_them() -> None:
    answering = [camera["index"] for camera in json.loads(run("--json").stdout) if camera["sizes"]]
    assert first_camera() == (answering[0] if answering else None)
