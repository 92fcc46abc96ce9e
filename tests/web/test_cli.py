"""The command line as a whole: exit status, one line for every error, and nothing loaded that isn't needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from web.cli import COMMANDS, LazyGroup, Unusable, Wrong, main

FULL: Final = Path("/dev/full")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from web.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["no-such-command"], "no-such-command"),
        (["recognise"], "recognise --help"),
        (["recognise", "--no-such-option"], "--no-such-option"),
        (["recognise", "--deck", "three", "a.jpg"], "three"),
        (["cameras", "more"], "more"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(arguments: list[str], names: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert names in done.stderr


@pytest.mark.parametrize("arguments", [[], ["journal"]])
def test_a_call_without_a_command_shows_the_whole_help(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == run(*arguments, "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "commands"), [([], list(COMMANDS)), (["journal"], ["export", "import", "list", "verify"])]
)
def test_no_summary_of_a_command_is_cut_off(arguments: list[str], commands: list[str]) -> None:
    said = run(*arguments, "--help").stdout
    summaries = said.partition("Commands:")[2].split("\n")[1:-1]
    assert [line.split()[0] for line in summaries] == commands
    assert all(line.endswith(".") and not line.endswith("...") for line in summaries)


def test_help_and_version() -> None:
    assert run("--version").stdout.startswith("mournival, version ")
    done = run("--help")
    assert done.returncode == 0
    assert all(command in done.stdout for command in ("recognise", "cameras"))


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_can_be_called_for_help(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0, done.stderr
    assert "--help" in done.stdout


@pytest.mark.parametrize("command", ["check", "legal"])
def test_commands_about_records_load_no_networks(command: str) -> None:
    code = (
        "import sys\nfrom web.cli import main\n"
        f"try: main(['{command}', '--help'])\nexcept SystemExit: pass\n"
        "print([name for name in ('cv2', 'onnxruntime', 'flask', 'av') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"


def failing(error: BaseException) -> LazyGroup:
    @click.group(cls=LazyGroup, invoke_without_command=True)
    def group() -> None:
        raise error

    return group


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Wrong("the pot is wrong"), 1),
        (Unusable("no such table"), 2),
        (click.ClickException("something"), 2),
        (RuntimeError("two\nlines"), 2),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_failure_is_one_line(error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MOURNIVAL_DEBUG", raising=False)
    result = CliRunner().invoke(failing(error), [])
    assert result.exit_code == status
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


HEADER = "game: laugh-and-lie-down\nplayers: 5\ndealer: 1\ntable: 2S 2C 3S 4H 5S 7S 8S 8D 8C TS JH KS\n"


@pytest.mark.parametrize(
    "call",
    [
        ("check", "{}.deal"),
        ("hint", "{}.deal", "--seat", "1"),
        ("render", "{}.deal", "--out", "x.mp4"),
        ("render", "x.deal", "--out", "{}.txt"),
        ("recognise", "{}.jpg"),
        ("deck", "use", "{}"),
    ],
    ids=" ".join,
)
def test_a_name_with_control_characters_stays_on_one_line(
    call: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.deal").write_text(HEADER)
    result = CliRunner().invoke(main, [word.format("a\n\r\t\x1b[2J\x85\u2028b") for word in call])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "a\\n\\r\\t\\x1b[2J\\x85\\u2028b" in result.stderr


@pytest.mark.parametrize(
    "statement", ["col{}our: red", "names: A, {}", "2 gr{}ab QH", "hand 2: A{}S", "options: a{}=b"]
)
@pytest.mark.parametrize("character", ["\x85", "\x9b", "\u2028", "\u202e"])
def test_a_record_with_control_characters_is_refused_in_one_line(statement: str, character: str) -> None:
    result = CliRunner().invoke(main, ["check", "-"], input=(HEADER + statement.format(character) + "\n").encode())
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert character not in result.stderr


def test_the_traceback_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOURNIVAL_DEBUG", "1")
    result = CliRunner().invoke(failing(RuntimeError("inside")), [])
    assert isinstance(result.exception, RuntimeError)


def test_main_is_the_lazy_group() -> None:
    assert isinstance(main, LazyGroup)
    assert CliRunner().invoke(main, ["--help"]).exit_code == 0


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_told_in_one_line() -> None:
    code = "from web.cli import main; main()"
    with FULL.open("w") as full:
        done = subprocess.run([sys.executable, "-c", code, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("mournival: the output can't be written, the disk is full")
    assert done.stderr.count("\n") == 1
