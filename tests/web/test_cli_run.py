from __future__ import annotations

import json
import logging
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.session_events import ActionTaken, Asked, DealBegun
from tests.web.served import RECORD
from web.cli import doors
from web.cli import run as running
from web.cli.journal import journal as journal_command
from web.cli.records import signed
from web.cli.run import Progress, _apply_asked, _print_settlement, demo, demo_table, run
from web.journal import FILE_NAME, FolderLock, SqliteJournal
from web.open_session import OpenSession
from web.wording import action_sentence

ROOT = Path(__file__).resolve().parents[2]


def started(folder: Path, port: int) -> tuple[int, str]:
    """The whole program as a process that is expected to give up at once."""
    program = subprocess.run(
        [sys.executable, "-m", "tests.web.scripted_run", str(folder), str(port)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert program.stdout == ""
    return program.returncode, program.stderr


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


def test_a_port_in_use_is_one_line_and_status_2(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, said = started(tmp_path, port)
    assert status == 2
    assert f"port {port}" in one_line(said)
    assert "--port" in said


def test_what_goes_wrong_at_the_start_leaves_no_door_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ValueError("zip")

    monkeypatch.setattr(doors, "create_app", fails)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    before = set(threading.enumerate())
    with pytest.raises(ValueError, match="zip"):
        doors.doors_of(doors.Service("127.0.0.1", port, True, True), None, tmp_path, browser_camera=False)  # type: ignore[arg-type]
    left = set(threading.enumerate()) - before
    assert [one for one in left if one.is_alive() and not one.daemon] == []
    for address in (("127.0.0.1", port), ("0.0.0.0", port + 1)):
        socket.create_server(address).close()


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (lambda folder: folder.write_text("in the way"), "--data"),
        (lambda folder: (folder.mkdir(), (folder / FILE_NAME).write_bytes(b"no journal" * 999)), "damaged"),
    ],
)
def test_a_data_folder_that_can_not_be_used_is_one_line_and_status_2(tmp_path: Path, prepare, says: str) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "data"
    prepare(folder)
    status, said = started(folder, 0)
    assert status == 2
    assert says in one_line(said)


def test_a_newer_journal_is_one_line_and_status_2(tmp_path: Path) -> None:
    SqliteJournal(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 7")
    status, said = started(tmp_path, 0)
    assert status == 2
    assert "newer" in one_line(said)


def test_a_second_program_on_the_same_folder_is_one_line_and_status_2(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    status, said = started(tmp_path, 0)
    lock.release()
    assert status == 2
    assert "another mournival" in one_line(said)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--camera", "/nowhere/table.mp4"],
        ["--camera", "ftp://table"],
        ["--camera", str(ROOT / "pyproject.toml")],
        ["--camera", "0", "--players", "9"],
        ["--players", "9"],
        ["--players", "0"],
        ["--dealer", "6"],
        ["--camera", "0", "--dealer", "7"],
        ["--camera", "0", "--game", "bridge"],
        ["--port", "99999999"],
        ["--host", "127.0.0.1", "--speed", "2"],
    ],
)
def test_a_call_that_can_not_be_used_is_told_before_anything_starts(tmp_path: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(run, ["--no-browser", "--data", str(tmp_path / "data"), *arguments])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("game", "title"), [("rolling-stone", "Rolling Stone"), ("sbros", "Sbros")])
def test_the_recorded_table_plays_no_other_game(game: str, title: str) -> None:
    result = CliRunner().invoke(demo, ["--no-browser", "--game", game])
    assert result.exit_code == 2
    assert f"plays Laugh and Lie Down, not {title}" in one_line(result.stderr)
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("game", "players", "seats"),
    [("rolling-stone", None, 5), ("sbros", None, 2), ("laugh-and-lie-down", None, 5), ("rolling-stone", 4, 4)],
)
def test_any_game_is_followed_with_as_many_players_as_it_is_for(game: str, players: int | None, seats: int) -> None:
    assert running._wanted(game, players, None).players == seats


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, running.Table]]:
    """The folders and tables that were to be served at a computer without a camera; each folder was there."""
    calls: list[tuple[Path, running.Table]] = []

    def serve(service: object, folder: Path, table: running.Table, **_: object) -> None:
        SqliteJournal(folder).close()
        calls.append((folder, table))

    monkeypatch.setattr(running, "serve", serve)
    monkeypatch.setattr(running, "_first_camera", lambda: None)
    return calls


def test_without_a_camera_the_demo_leaves_the_family_s_journal_alone(
    served: list[tuple[Path, running.Table]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "default_folder", lambda: tmp_path / "family")
    for _ in range(2):
        result = CliRunner().invoke(run, ["--no-browser"])
        assert result.exit_code == 0, result.output
        assert "Looking for a camera ..." in result.stderr
        assert "its own" not in result.stderr
    (first, table), (second, _) = served
    assert table.place == "demo"
    assert first != second
    assert not any(folder.exists() for folder in (first, second, tmp_path / "family"))


def test_without_a_camera_the_demo_keeps_to_the_folder_that_was_given(
    served: list[tuple[Path, running.Table]], tmp_path: Path
) -> None:
    assert CliRunner().invoke(run, ["--data", str(tmp_path)]).exit_code == 0
    assert [folder for folder, _ in served] == [tmp_path]
    assert (tmp_path / FILE_NAME).exists()


def test_the_demo_says_that_it_has_its_own_players(served: list[tuple[Path, running.Table]]) -> None:
    result = CliRunner().invoke(run, ["--players", "4", "--dealer", "2"])
    assert result.exit_code == 0
    assert "its own game, players, dealer and pack" in result.stderr
    assert served[0][1].setup.players == RECORD.setup.players


def test_a_camera_is_looked_for_with_a_word(served: list[tuple[Path, running.Table]]) -> None:
    assert "Looking for camera 63 ..." in CliRunner().invoke(run, ["--camera", "63"]).stderr


def test_a_remembered_camera_that_gives_no_picture_is_told_and_the_demo_is_shown(
    served: list[tuple[Path, running.Table]], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    (tmp_path / "camera.json").write_text(json.dumps({"kind": "address", "address": address}))
    result = CliRunner().invoke(run, ["--data", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert f"The camera of last time can't be followed ({address}: " in result.stderr
    assert "No camera answers: showing the built-in demo table instead." in result.stderr
    assert [table.place for _, table in served] == ["demo"]


def test_each_action_is_told_once_as_it_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = OpenSession(SqliteJournal(tmp_path), demo_table(1.0).setup, place="demo")
    session.listen(Progress(session.state.seq))
    session.perform(lambda _: [DealBegun(RECORD.setup)])
    for action in RECORD.actions[:3]:
        session.perform(lambda _, action=action: [ActionTaken(action)])  # type: ignore[misc]
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [f"{action_sentence(action, RECORD.setup)}." for action in RECORD.actions[:3]]


def test_a_net_of_nought_has_no_sign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = OpenSession(SqliteJournal(tmp_path), RECORD.setup, place="demo")
    session.perform(lambda _: [DealBegun(RECORD.setup), *(ActionTaken(action) for action in RECORD.actions)])
    assert session.state.deal is not None
    settlement = session.state.deal.position.settlement()
    assert settlement is not None
    assert _print_settlement(session.state, as_json=False)
    nets = [int(line.rsplit(" ", 1)[1]) for line in capsys.readouterr().out.splitlines()[1:]]
    assert nets == [seat["net"] for seat in settlement["seats"]]
    assert (signed(0), signed(3), signed(-3)) == ("0", "+3", "-3")


@pytest.mark.parametrize("speed", ["0", "nan", "fast"])
def test_speed_must_make_sense(speed: str) -> None:
    assert CliRunner().invoke(demo, ["--speed", speed]).exit_code == 2


def test_remarks_are_one_line_and_tracebacks_stay_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.Logger("remarks")
    log.addHandler(running._Remarks(logging.WARNING))
    log.info("all is well")
    log.warning("camera 7: there is no such camera\n(trying again)")
    try:
        raise ValueError("inside")
    except ValueError:
        log.exception("following failed")
    assert capsys.readouterr().err == "mournival: camera 7: there is no such camera (trying again)\n"


def test_the_demo_table_comes_with_the_program() -> None:
    table = demo_table(2.0)
    assert (table.setup.players, table.setup.table) == (RECORD.setup.players, ())
    assert table.layout is not None
    with table.watched.open() as source:
        assert next(iter(source)).image.shape[2] == 3


def test_what_was_asked_for_goes_before_what_was_remembered(tmp_path: Path) -> None:
    table = demo_table(1.0)
    OpenSession(SqliteJournal(tmp_path), table.setup, place="demo")
    again = OpenSession(SqliteJournal(tmp_path), table.setup, place="demo")
    _apply_asked(again, table.setup, (None, None, 3))
    assert (again.setup.dealer, again.setup.names) == (3, table.setup.names)
    _apply_asked(again, table.setup, (None, 6, None))
    assert (again.setup.players, again.setup.dealer) == (6, 3)


def test_one_event_is_one_event(tmp_path: Path) -> None:
    OpenSession(SqliteJournal(tmp_path), demo_table(1.0).setup, place="demo")
    for command in ("list", "verify"):
        said = CliRunner().invoke(journal_command, [command, "--data", str(tmp_path)]).stdout
        assert said.rstrip(".\n").endswith(" 1 event"), said


def test_a_table_goes_on_after_another_one_was_shown(tmp_path: Path) -> None:
    setup = demo_table(1.0).setup
    evening = OpenSession(SqliteJournal(tmp_path), setup)
    evening.perform(lambda _: [DealBegun(RECORD.setup), *(ActionTaken(action) for action in RECORD.actions[:4])])
    evening.perform(lambda _: [Asked(((RECORD.actions[4],),), "this?")])
    other = OpenSession(SqliteJournal(tmp_path), setup, place="recording a.mp4")
    assert (other.resumed, other.state.deal) == (False, None)
    journal = SqliteJournal(tmp_path)
    again = OpenSession(journal, setup)
    assert again.resumed
    assert again.state.deal is not None
    assert evening.state.deal is not None
    assert again.state.deal.position == evening.state.deal.position
    assert again.state.deal.questions == ()
    again.perform(lambda _: [ActionTaken(RECORD.actions[4])])
    last = OpenSession(SqliteJournal(tmp_path), setup)
    assert last.state == again.state
    assert [one.session for one in journal.sessions()] == [1, 2]
    assert journal.verify() == last.state.seq
    third = OpenSession(SqliteJournal(tmp_path), setup, place="recording b.mp4")
    assert not third.resumed
    assert [one.session for one in journal.sessions()] == [1, 2, 3]
    assert OpenSession(SqliteJournal(tmp_path), setup, place="recording a.mp4").resumed
    assert CliRunner().invoke(journal_command, ["verify", "--data", str(tmp_path)]).exit_code == 0


def test_another_table_begins_another_session(tmp_path: Path) -> None:
    table = demo_table(1.0)
    OpenSession(SqliteJournal(tmp_path), table.setup, place="demo")
    journal = SqliteJournal(tmp_path)
    assert OpenSession(journal, table.setup, place="table").resumed is False
    assert len(journal.sessions()) == 2
    assert OpenSession(SqliteJournal(tmp_path), table.setup, place="table").resumed is True


def test_stopping_it_more_than_once_ends_it_cleanly() -> None:
    call = [sys.executable, "-c", "from web.cli import main; main()", "demo", "--no-browser", "--port", "0"]
    # Whoever starts the tests in the background may have had Ctrl-C ignored, and a child inherits that.
    heeded = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heeded
    ) as program:
        assert program.stdout is not None
        assert "Mournival is at" in program.stdout.readline()
        for _ in range(3):
            program.send_signal(signal.SIGINT)
            time.sleep(0.1)
        _, said = program.communicate(timeout=60)
    assert program.returncode == 0
    assert "Traceback" not in said
