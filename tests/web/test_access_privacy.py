"""What is nobody else's business: a hand that one player told, a code, a cookie, a camera's password. It is looked for
in every answer to everybody else, in the log, in the journal and its exports, in reports and in errors."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.web.let_in import Device, OpenTable
from tests.web.served import RECORD, eventually
from vision.frames import SourceError
from vision.sources import source_for
from web.access import ROUTES, Role
from web.access_guard import COOKIE
from web.cli.doors import about_door
from web.cli.journal import journal as journal_command
from web.cli.run import run
from web.own_hands import OwnHands

HAND = RECORD.setup.hands[2]
TEXT = " ".join(map(str, HAND))
PASSWORD = "Geh3im-w0rt"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OpenTable]:
    held = OpenTable(tmp_path)
    held.begin()
    yield held
    held.close()


def answers_to(device: Device, name: str) -> dict[str, str]:
    """All that one device is told on every route, for each seat."""
    texts = {}
    for method, rule in ROUTES:
        for seat in (1, 2, 3, 4) if "seat>" in rule else (2,):
            path = rule.replace("<int:seat>", str(seat)).replace("<path:filename>", "seat.js")
            if rule == "/api/stream":
                continue  # each event of it is looked at below
            answer = device.ask(method, path, {"nothing": 1})
            texts[f"{name} {method} {path}"] = f"{answer.headers} {answer.text}"
    return texts


def kept_in(folder: Path) -> dict[str, str]:
    """All files of the folder, and what the journal's commands print."""
    texts = {str(path): path.read_bytes().decode("latin-1") for path in folder.iterdir() if path.is_file()}
    for arguments in (["list"], ["export"], ["export", "--json"], ["verify"]):
        told = CliRunner().invoke(journal_command, [*arguments, "--data", str(folder)])
        assert told.exit_code == 0, told.output
        texts[f"journal {arguments}"] = told.output
    return texts


def test_a_hand_is_in_nothing_that_anybody_else_sees(
    table: OpenTable, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    player = table.let_in(Role.PLAYER, 2)
    others = {
        "home": table.at_home(),
        "host": table.let_in(Role.HOST),
        "the same seat": table.let_in(Role.PLAYER, 2),
        "neighbour": table.let_in(Role.PLAYER, 3),
        "viewer": table.let_in(Role.VIEWER),
        "stranger": table.stranger(),
    }
    told = player.post("/api/seat/2/hand", {"cards": TEXT}).json
    assert {str(card) for card in HAND} == set(told["hand"])
    eventually(lambda: not player.get("/api/seat/2").json["pending"])
    assert player.post("/api/seat/2/hand", {"cards": TEXT.replace("KS", "7H")}).status == 400

    found: dict[str, str] = {}
    for name, device in others.items():
        before = len(table.about.hands.askers())
        texts = answers_to(device, name)
        assert len(table.about.hands.askers()) == before
        assert all(table.about.hands.told(asker, table.session.state) for asker in table.about.hands.askers())
        found |= texts

    def broken(*_: object) -> None:
        raise RuntimeError(f"secret: {TEXT}")

    monkeypatch.setattr(OwnHands, "tell", broken)
    failed = player.post("/api/seat/2/hand", {"cards": TEXT})
    assert failed.status == 500
    found |= kept_in(table.folder)
    found |= {f"stream {name}": posted.text for name, posted in table.board.newer(0).items()}
    found |= {"log": caplog.text, "error": failed.text}
    assert "RuntimeError" in found["log"]
    # What a seat may hold is offered to each as a choice, whoever asks: all cards that do not lie open.
    offered = re.compile(r'"offered":\[[^\]]*\]')
    searched = {where: offered.sub("", text) for where, text in found.items()}
    assert [
        (where, str(card))
        for where, text in searched.items()
        for card in HAND
        if re.search(rf"(?<![A-Za-z0-9]){card}(?![A-Za-z0-9])", text)
    ] == []


def test_codes_and_cookies_are_told_to_those_they_are_for_alone(
    table: OpenTable, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    home = table.at_home()
    code = home.post("/api/guests/invite", {"role": "viewer"}).json["code"].replace("-", "")
    phone = table.let_in(Role.VIEWER)
    found = answers_to(home, "home") | answers_to(table.let_in(Role.PLAYER, 2), "player") | kept_in(table.folder)
    found |= {"log": caplog.text, "terminal": " ".join(about_door(table.door, "http://127.0.0.1/", headless=False))}
    for secret in (code, phone.cookies[COOKIE], "PRIVATE KEY"):
        assert [where for where, text in found.items() if secret in text and "authority.pem" not in where] == []


def test_without_a_keyboard_the_terminal_has_a_code_for_a_first_host(table: OpenTable) -> None:
    lines = about_door(table.door, "http://127.0.0.1:1/", headless=True)
    code = next(line.rpartition(" ")[2] for line in lines if "code for one host" in line)
    phone = table.stranger()
    assert phone.post("/api/pair", {"code": code}).json["page"] == "/"
    assert phone.get("/guests").status == 200
    said = " ".join(lines)
    assert table.door.authority.fingerprint in said
    assert "take photographs" in said


@pytest.mark.parametrize("scheme", ["rtsp", "rtsps", "http", "https"])
def test_a_camera_s_password_is_not_in_its_name(scheme: str) -> None:
    source = source_for(f"{scheme}://anna:{PASSWORD}@127.0.0.1:1/stream?token={PASSWORD}")
    assert PASSWORD not in f"{source.name} {source!r}"


def test_a_camera_s_password_is_not_in_what_is_said_of_a_bad_address(tmp_path: Path) -> None:
    address = f"ftp://anna:{PASSWORD}@127.0.0.1:1/stream?token={PASSWORD}"
    said = CliRunner().invoke(run, ["--camera", address, "--data", str(tmp_path / "data"), "--no-browser"])
    assert said.exit_code == 2
    assert PASSWORD not in said.output


@pytest.mark.parametrize(
    "text",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "ftp://anna@host/a.mp4",
        "concat:a.mp4|b.mp4",
        "pipe:0",
        "exec:true",
        "data:video/mp4;base64,AAAA",
        "v4l2:///dev/video0",
        "| true",
        "$(true)",
        "`true`",
        "-i",
    ],
)
def test_a_camera_is_a_number_a_file_or_an_address_and_nothing_else(text: str) -> None:
    with pytest.raises(SourceError):
        source_for(text).open()


def test_no_page_names_a_camera(table: OpenTable) -> None:
    home = table.at_home()
    for method, rule in ROUTES:
        if method == "POST":
            path = rule.replace("<int:seat>", "2")
            body = {"seen": 0, "camera": "file:///etc/passwd", "source": "rtsp://127.0.0.1:1/", "path": "/etc/passwd"}
            assert "passwd" not in home.post(path, body).text
    assert not [rule for _, rule in ROUTES if "source" in rule or "file" in rule.replace("<path:filename>", "")]
