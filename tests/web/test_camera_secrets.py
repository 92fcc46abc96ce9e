"""A camera's password, whatever becomes of the camera: it is looked for in every page, answer, log, file and export."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.web.asked_tables import ASKERS, AskedTable
from tests.web.demo_script import Script
from tests.web.served import eventually
from vision.live_sources import LiveSource
from vision.sources import source_for
from web.access import ROUTES
from web.camera_choice import REMEMBERED
from web.cli import main
from web.cli.journal import journal as journal_command
from web.cli.run import _write_log
from web.table_watch import TableWatch, Watched

PASSWORD = "Geh3im-w0rt"
NAME = "anna-liese"
QUERY = f"stream?user={NAME}&pwd={PASSWORD}"

ANSWERS = {
    "refuses": b'HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
    "sends elsewhere": b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/elsewhere\r\nContent-Length: 0\r\n\r\n",
    "sends no video": b"HTTP/1.0 200 OK\r\nContent-Type: video/mp4\r\n\r\nthis is no video" + b"x" * 4000,
    "talks nonsense": b"\x00\xff\xfe\r\n\r\n",
    "says nothing": b"",
}
"""What cameras answer."""


@pytest.fixture
def camera(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a camera that answers so, whatever it is asked, and then hangs up; it answers anew each time."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(2)
                try:
                    connection.recv(4000)
                    connection.sendall(ANSWERS[request.param])
                except OSError:
                    pass

    threading.Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1]
    listener.close()


def eye_of(table: AskedTable) -> str:
    """What is told of the camera; empty as long as nothing is."""
    posted = table.board.newer(0).get("eye")
    return "" if posted is None else str(json.loads(posted.text)["text"])


def secrets_in(found: dict[str, str]) -> list[str]:
    return [where for where, text in found.items() if PASSWORD in text or NAME in text]


def told_by(table: AskedTable) -> dict[str, str]:
    """All that anybody is told: every route, every channel."""
    found = {f"channel {name}": posted.text for name, posted in table.board.newer(0).items()}
    for method, rule in ROUTES:
        path = rule.replace("<int:seat>", "2").replace("<path:filename>", "seat.js").replace("<code>", "en")
        for asker in ASKERS:
            what = {} if method == "GET" else {"json": {"nothing": 1}}
            answer = table.ask(asker, method, path, **what)
            found[f"{asker} {method} {path}"] = f"{answer.headers} {answer.body.decode('latin-1')}"
    return found


def kept_in(folder: Path) -> dict[str, str]:
    found = {str(path): path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()}
    for arguments in (["list"], ["export"], ["export", "--json"], ["verify"]):
        told = CliRunner().invoke(journal_command, [*arguments, "--data", str(folder)])
        found[f"journal {arguments}"] = told.output
    return found


@pytest.mark.parametrize("camera", ANSWERS, indirect=True)
@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_a_camera_s_password_is_in_nothing_that_comes_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], camera: int, scheme: str
) -> None:
    caplog.set_level(logging.DEBUG)
    table = AskedTable(tmp_path)
    source = source_for(f"{scheme}://{NAME}:{PASSWORD}@127.0.0.1:{camera}/{QUERY}")
    assert isinstance(source, LiveSource)
    watched = Watched(lambda: source, source.name, live=True)
    table.watch = TableWatch(watched, table.session, Script(), table.board, table.pictures)
    table.context = replace(table.context, eye=table.watch)
    table.app.extensions["mournival"] = table.context
    handlers = list(logging.getLogger("mournival").handlers)
    _write_log(tmp_path)
    try:
        table.follow()
        eventually(lambda: "trying again" in eye_of(table))
        found = told_by(table)
    finally:
        table.close()
        for handler in set(logging.getLogger("mournival").handlers) - set(handlers):
            logging.getLogger("mournival").removeHandler(handler)
            handler.close()
        logging.getLogger("mournival").propagate = True
    out, err = capfd.readouterr()
    found |= kept_in(tmp_path) | {"log": caplog.text, "standard output": out, "standard error": err}
    assert "127.0.0.1" in found["channel eye"], "the camera is named"
    assert any("mournival.log" in where for where in found)
    assert secrets_in(found) == []


def test_an_address_that_is_chosen_on_the_page_is_told_and_kept_without_its_password(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = AskedTable(tmp_path)
    found: dict[str, str] = {}
    addresses = [
        f"rtsp://{NAME}:{PASSWORD}@127.0.0.1:1/live",
        f"http://127.0.0.1:1/{QUERY}",
        f"rtsp://127.0.0.1:1/user={NAME}_password={PASSWORD}_channel=1.sdp",
        f"ftp://{NAME}:{PASSWORD}@127.0.0.1:1/live",
        f"rtsp://{NAME}:{PASSWORD}/1@127.0.0.1:1/live",
        f"file://{NAME}:{PASSWORD}@127.0.0.1/etc/passwd",
        f"rtsp://{NAME}:{PASSWORD}@",
        f"{NAME}:{PASSWORD}@127.0.0.1:1/live",
        f"rtsp://{NAME}:{PASSWORD}@8.8.8.8/live",
    ]
    try:
        for place, address in enumerate(addresses):
            answer = table.ask("home", "POST", "/api/camera", json={"kind": "address", "address": address})
            assert answer.status == (200 if place < 3 else 400), (address, answer.body)
            found[f"chosen {place}"] = answer.body.decode()
            found |= {f"{place} {where}": text for where, text in told_by(table).items()}
    finally:
        table.close()
    found |= kept_in(tmp_path) | {"log": caplog.text}
    assert secrets_in(found) == []
    assert not (tmp_path / REMEMBERED).exists()


@pytest.mark.parametrize("command", [["watch"], ["run", "--no-browser", "--camera"], ["deck", "enrol", "mats"]])
@pytest.mark.parametrize(
    "address",
    [
        f"ftp://{NAME}:{PASSWORD}@127.0.0.1:1/{QUERY}",
        f"{NAME}:{PASSWORD}@127.0.0.1:1/{QUERY}",
        f"rtsp://{NAME}:{PASSWORD}@",
    ],
)
def test_a_bad_address_is_refused_without_its_password(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: list[str], address: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command, address, *([] if command[0] == "watch" else ["--data", str(tmp_path)])])
    told = "".join(capfd.readouterr())
    assert left.value.code == 2, told
    assert told.strip()
    assert secrets_in({"told": told}) == []
