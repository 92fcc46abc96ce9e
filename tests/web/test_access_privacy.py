"""What is nobody else's business: a hand that one player told, a code, a cookie, a camera's password. It is looked for
in every answer to everybody else, in the log, in the journal and its exports, in reports and in errors."""

from __future__ import annotations

import io
import logging
import re
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cards import Card
from tests.web.hand_fans import fan, jpeg
from tests.web.let_in import Device, OpenTable
from tests.web.served import RECORD, eventually
from vision.frames import SourceError
from vision.onnx_recogniser import OnnxRecogniser
from vision.recogniser import Recognition
from vision.sources import source_for
from web.access import ROUTES, Role
from web.access_guard import COOKIE
from web.cli.doors import about_door
from web.cli.journal import journal as journal_command
from web.cli.run import run
from web.hand_pictures import HandPictures
from web.own_hands import OwnHands

HAND = RECORD.setup.hands[2]
TEXT = " ".join(map(str, HAND))
PASSWORD = "Geh3im-w0rt"


def answers_to(device: Device, name: str) -> dict[str, str]:
    """All that one device is told on every route, for each seat."""
    texts = {}
    for method, rule in ROUTES:
        for seat in (1, 2, 3, 4) if "seat>" in rule else (2,):
            path = (
                rule.replace("<int:seat>", str(seat)).replace("<path:filename>", "seat.js").replace("<int:deal>", "1")
            )
            if rule in ("/api/stream", "/openapi.json"):
                continue  # each event of the one is looked at below; the other is the same for every table
            answer = device.ask(method, path, {"nothing": 1})
            texts[f"{name} {method} {path}"] = f"{answer.headers} {answer.text}"
    return texts


def report_of(device: Device) -> dict[str, str]:
    """All that a report of the deal holds, as a host makes it."""
    answer = device.post("/api/report", {"deal": 1, "pictures": [], "names": True})
    assert answer.status == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.body)) as held:
        assert held.namelist()
        return {f"report {name}": held.read(name).decode("latin-1") for name in held.namelist()}


def kept_in(folder: Path) -> dict[str, str]:
    """All files of the folder, and what the journal's commands print."""
    texts = {str(path): path.read_bytes().decode("latin-1") for path in folder.iterdir() if path.is_file()}
    for arguments in (["list"], ["export"], ["export", "--json"], ["verify"]):
        told = CliRunner().invoke(journal_command, [*arguments, "--data", str(folder)])
        assert told.exit_code == 0, told.output
        texts[f"journal {arguments}"] = told.output
    return texts


def others_at(table: OpenTable) -> dict[str, Device]:
    """Everybody but the player at seat 2 who tells the hand."""
    return {
        "home": table.at_home(),
        "host": table.let_in(Role.HOST),
        "the same seat": table.let_in(Role.PLAYER, 2),
        "neighbour": table.let_in(Role.PLAYER, 3),
        "viewer": table.let_in(Role.VIEWER),
        "stranger": table.stranger(),
    }


def told_anywhere(found: dict[str, str], cards: Iterable[Card]) -> list[tuple[str, str]]:
    """Where a card is named, but for what a seat may hold: that is offered to each as a choice, whoever asks. How one
    is written is told with examples, and what the authority's certificate, key and fingerprint have of chance may
    look like cards."""
    offered = re.compile(r'"offered":\[[^\]]*\]|such as AS, TD or QH|(?:[0-9A-F]{2}[: ]){8,}[0-9A-F]{2}')
    searched = {where: offered.sub("", text) for where, text in found.items() if "authority." not in where}
    return [
        (where, str(card))
        for where, text in searched.items()
        for card in cards
        if re.search(rf"(?<![A-Za-z0-9]){card}(?![A-Za-z0-9])", text)
    ]


def test_a_hand_is_in_nothing_that_anybody_else_sees(
    table: OpenTable, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    player, others = table.let_in(Role.PLAYER, 2), others_at(table)
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
    found |= kept_in(table.folder) | report_of(table.at_home())
    found |= {f"stream {name}": posted.text for name, posted in table.board.newer(0).items()}
    found |= {"log": caplog.text, "error": failed.text}
    assert "RuntimeError" in found["log"]
    assert told_anywhere(found, HAND) == []


def test_a_hand_that_was_shown_in_a_picture_is_in_nothing_that_anybody_else_sees(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    looking = HandPictures(lambda: OnnxRecogniser.load(threads=1))
    (tmp_path / "data").mkdir()
    table = OpenTable(tmp_path / "data", hand_pictures=looking)
    table.begin()
    player, others = table.let_in(Role.PLAYER, 2), others_at(table)
    picture = jpeg(fan(HAND))
    seen = player.post("/api/seat/2/picture", picture)
    assert set(seen.json["cards"]) == {str(card) for card in HAND}
    assert seen.headers["cache-control"] == "no-store"
    assert table.about.hands.askers() == set()
    failed = [player.post("/api/seat/2/picture", data) for data in (picture[:20000], b"no picture")]

    def broken(*_: object, **__: object) -> Recognition:
        raise RuntimeError(f"secret: {TEXT}")

    found = {name: text for name, device in others.items() for name, text in answers_to(device, name).items()}
    for where in (OnnxRecogniser, HandPictures):
        monkeypatch.setattr(where, "recognise" if where is OnnxRecogniser else "look", broken)
        failed.append(player.post("/api/seat/2/picture", picture))
    monkeypatch.setattr("web.seat_page.seen_hand", broken)
    failed.append(player.post("/api/seat/2/picture", picture))
    assert [answer.status for answer in failed] == [400, 400, 500, 500, 500]

    found |= kept_in(table.folder) | report_of(table.at_home())
    found |= {f"stream {name}": posted.text for name, posted in table.board.newer(0).items()}
    found |= {"log": caplog.text, "errors": " ".join(answer.text for answer in failed)}
    table.close()
    assert found["log"].count("RuntimeError") == 3
    assert told_anywhere(found, HAND) == []
    # A JPEG begins with these bytes; a part of the picture is looked for, as its whole may have been packed otherwise.
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert [
        path for path in files if b"\xff\xd8\xff" in path.read_bytes() or picture[5000:5064] in path.read_bytes()
    ] == []
    assert not any(temporary.iterdir())


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
