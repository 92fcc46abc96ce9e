"""Each route and each role, both ways: who may is let through, who may not is refused; over real TLS."""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.session_events import Asked
from tests.web.asked_tables import AskedTable
from tests.web.let_in import Answer, Device, OpenTable
from tests.web.served import RECORD, Served, eventually
from web.access import ROUTES, Guest, Role, allowed
from web.access_guard import COOKIE, HEADERS, MAX_BODY, MAX_JSON
from web.pairing import TRIES_EACH
from web.server import ARRIVING, THREADS, Server, _Arriving

REFUSED = (401, 403)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenTable]:
    held = OpenTable(tmp_path_factory.mktemp("table"))
    held.begin()
    yield held
    held.close()


@pytest.fixture(scope="module")
def devices(table: OpenTable) -> dict[str, Device]:
    """One of each kind. The player sits at seat 2."""
    return {
        "home": table.at_home(),
        "host": table.let_in(Role.HOST),
        "player": table.let_in(Role.PLAYER, 2),
        "viewer": table.let_in(Role.VIEWER),
        "camera": table.let_in(Role.CAMERA),
        "stranger": table.stranger(),
    }


def role_of(name: str) -> Role:
    return Role.HOST if name == "home" else Role(name)


def asked(device: Device, method: str, rule: str, seat: int = 2) -> Answer:
    """The route, asked for in a way that changes nothing: a body that no route takes."""
    path = (
        rule.replace("<int:seat>", str(seat))
        .replace("<int:number>", "1")
        .replace("<path:filename>", "mark.svg")
        .replace("<int:deal>", "1")
    )
    if rule == "/api/camera-frame":
        return device.post(path, b"no picture")
    return device.ask(method, path, {"nothing": 1}, wait=rule != "/api/stream")


def test_every_route_is_in_the_table_and_the_table_names_no_other(served: Served) -> None:
    rules = {
        (method, rule.rule)
        for rule in served.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert set(ROUTES) == rules


@pytest.mark.parametrize(("method", "rule"), list(ROUTES))
def test_each_route_lets_each_role_through_or_not(devices: dict[str, Device], method: str, rule: str) -> None:
    for name, device in devices.items():
        answer = asked(device, method, rule)
        may = role_of(name) in ROUTES[method, rule]
        if may:
            wrong_code = (method, rule) == (
                "POST",
                "/api/pair",
            )  # a body without a code: refused as such, not as such a guest
            assert answer.status not in REFUSED or wrong_code, (name, answer.text)
            assert "/pair" not in answer.headers.get("location", "")
        elif role_of(name) is Role.STRANGER and answer.status == 303:
            assert answer.headers["location"] == "/pair"
        else:
            assert answer.status == (401 if name == "stranger" else 403), (name, answer.text)


@pytest.mark.parametrize("rule", [rule for _, rule in ROUTES if "seat>" in rule])
def test_a_player_has_the_own_seat_s_pages_alone(devices: dict[str, Device], rule: str) -> None:
    method = next(method for method, other in ROUTES if other == rule)
    assert asked(devices["player"], method, rule, 2).status not in REFUSED
    for seat in (0, 1, 3, 4, 99):
        assert asked(devices["player"], method, rule, seat).status == 403
    assert asked(devices["host"], method, rule, 3).status not in REFUSED


def test_the_phone_that_is_the_camera_lends_its_own_and_nothing_else(table: OpenTable, tmp_path: Path) -> None:
    phone = table.stranger()
    answer = phone.post("/api/pair", {"code": table.door.pairing.invite(Role.CAMERA)})
    assert answer.json["page"] == "/camera"
    assert {path for method, path in ROUTES if method == "GET" and Role.CAMERA in ROUTES[method, path]} == {
        *("/pair", "/authority.crt", "/static/<path:filename>", "/texts/<code>.js", "/api/recording", "/camera")
    }
    watched = AskedTable(tmp_path)
    try:
        for kind, status in [
            ("page", 200),
            ("photographs", 200),
            ("address", 403),
            ("recording", 403),
            ("camera", 403),
        ]:
            wanted = {"kind": kind, "sender": "0123456789", "address": "rtsp://10.0.0.7/1"}
            assert watched.ask("camera", "POST", "/api/camera", json=wanted).status == status
    finally:
        watched.close()


def test_a_player_answers_for_the_own_seat_alone(table: OpenTable, devices: dict[str, Device]) -> None:
    second, third = (next(one for one in RECORD.actions if one.seat == seat) for seat in (2, 3))
    table.session.perform(
        lambda _: [Asked(((second,),), "this?"), Asked(((third,),), "that?"), Asked(((second,), (third,)), "who?")]
    )
    deal = table.session.state.deal
    assert deal is not None
    own, other, both = (question.seq for question in deal.questions)

    def answer(device: Device, question: int) -> int:
        body = {"seen": table.session.state.seq, "question": question, "choice": None}
        return device.post("/api/answer", body).status

    assert [answer(devices["viewer"], one) for one in (own, other)] == [403, 403]
    assert [answer(devices["player"], one) for one in (other, both)] == [403, 403]
    assert answer(devices["player"], own) == 200
    assert answer(devices["player"], own) == 409  # gone meanwhile: not "not yours"
    assert [answer(devices["host"], one) for one in (other, both)] == [200, 200]


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[OpenTable]:
    own = OpenTable(tmp_path)
    own.begin()
    yield own
    own.close()


def test_who_answers_a_question_is_judged_by_the_state_that_the_answer_meets(begun: OpenTable) -> None:
    table, player = begun, begun.let_in(Role.PLAYER, 2)
    third = next(one for one in RECORD.actions if one.seat == 3)
    perform, comes_between = table.session.perform, list[Any]()

    def late(decide: Any, *, seen: int | None = None) -> Any:
        """Something happens between the guard and the session's lock."""
        comes_between.pop()()
        return perform(decide, seen=seen)

    def answered() -> int:
        number = table.session.state.seq + 1
        return player.post("/api/answer", {"seen": number, "question": number, "choice": 0}).status

    def ask(seat: int) -> None:
        perform(lambda _: [Asked(((next(one for one in RECORD.actions if one.seat == seat),),), "this?")])

    table.session.perform = late  # type: ignore[method-assign]
    comes_between.append(lambda: ask(3))
    assert answered() == 403
    deal = table.session.state.deal
    assert deal is not None
    assert [question.choices for question in deal.questions] == [((third,),)]
    [guest] = table.door.pairing.guests()

    def ask_and_send_off() -> None:
        ask(2)
        table.door.pairing.send_off(guest.id)

    comes_between.append(ask_and_send_off)
    assert answered() == 403
    assert len(table.session.state.deal.questions) == 2  # type: ignore[union-attr]


def test_what_is_not_in_the_table_is_the_host_s_alone() -> None:
    assert [role for role in Role if allowed(Guest("a", role, 1), "POST", "/new", None)] == [Role.HOST]
    assert allowed(Guest("a", Role.VIEWER), "HEAD", "/", None)
    assert not allowed(Guest("a", Role.VIEWER), "OPTIONS", "/", None)


def test_the_code_of_the_host_s_page_becomes_a_cookie_and_works_once(
    table: OpenTable, devices: dict[str, Device]
) -> None:
    told = devices["home"].post("/api/guests/invite", {"role": "player", "seat": 3}).json
    assert re.fullmatch(r"[2-9A-Z]{4}-[2-9A-Z]{4}", told["code"])
    assert told["links"][0]["qr"].startswith("data:image/svg+xml")
    assert told["links"][0]["link"] == f"https://127.0.0.1:{table.outer.port}/pair#{told['code'].replace('-', '')}"
    phone = table.stranger()
    assert phone.get("/").headers["location"] == "/pair"
    answer = phone.post("/api/pair", {"code": f" {told['code'].lower()} "})
    assert answer.json == {"ok": True, "page": "/seat/3"}
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    for said in ("Secure", "HttpOnly", "SameSite=Strict", "Path=/"):
        assert said in cookie.split("; ")
    assert "Domain" not in cookie
    assert phone.get("/seat/3").status == 200
    assert table.stranger().post("/api/pair", {"code": told["code"]}).status == 403


@pytest.mark.parametrize(
    "body",
    [{"role": "stranger"}, {"role": "player"}, {"role": "player", "seat": 9}, {"role": "player", "seat": True}, {}],
)
def test_nobody_is_invited_to_what_is_not_there(devices: dict[str, Device], body: dict[str, object]) -> None:
    assert devices["home"].post("/api/guests/invite", body).status == 400


def test_guessing_is_slowed_down_also_with_the_right_code(tmp_path: Path) -> None:
    held = OpenTable(tmp_path)
    try:
        phone, code = held.stranger(), held.door.pairing.invite(Role.VIEWER)
        tries = [phone.post("/api/pair", {"code": f"WRONG{number:03}"}).status for number in range(TRIES_EACH + 2)]
        assert tries == [403] * TRIES_EACH + [429] * 2
        assert phone.post("/api/pair", {"code": code}).status == 429
    finally:
        held.close()


def test_who_is_sent_off_is_out_at_once_and_so_is_its_stream_and_its_hand(tmp_path: Path) -> None:
    held = OpenTable(tmp_path)
    try:
        held.begin()
        host, phone = held.at_home(), held.let_in(Role.PLAYER, 2)
        hand = " ".join(map(str, RECORD.setup.hands[2]))
        assert phone.post("/api/seat/2/hand", {"cards": hand}).json["phase"] == "known"
        (guest,) = host.get("/api/guests").json["guests"]
        assert (guest["role"], guest["seat"], guest["own"]) == ("player", 2, False)
        with socket.create_connection(("127.0.0.1", held.outer.port), timeout=20) as plain:
            stream = phone.context().wrap_socket(plain, server_hostname="127.0.0.1")
            stream.sendall(
                b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + f"Cookie: {COOKIE}={phone.cookies[COOKIE]}\r\n\r\n".encode()
            )
            read = b""
            while b"event: state" not in read:
                read += stream.recv(65536)
            assert host.post("/api/guests/send-off", {"id": guest["id"]}).status == 200
            held.board.post("view", {"secret": "after"})
            while piece := stream.recv(65536):
                read += piece
        assert b"after" not in read
        assert phone.get("/api/state").status == 401
        assert host.get("/api/guests").json["guests"] == []
        assert held.about.hands.askers() == set()
        assert host.post("/api/guests/send-off", {"id": guest["id"]}).status == 404
    finally:
        held.close()


def test_who_trusts_the_authority_gets_a_page_and_who_does_not_gets_a_warning(table: OpenTable) -> None:
    assert table.stranger().get("/pair").status == 200
    with pytest.raises(ssl.SSLCertVerificationError, match="certificate verify failed"):
        Device(table.outer.port).get("/pair")
    assert table.stranger().get("/authority.crt").body == table.door.authority.der


def test_without_tls_the_door_tells_and_nothing_else(table: OpenTable) -> None:
    answer = Device(table.outer.port, tls=False).get("/")
    assert (answer.status, "https://" in answer.text) == (400, True)


def test_the_door_speaks_no_old_tls(table: OpenTable) -> None:
    old = table.stranger().context()
    old.set_ciphers("DEFAULT:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", table.outer.port), timeout=20) as plain,
        pytest.raises(ssl.SSLError, match=r"(?i)protocol.version|unsupported.protocol"),
    ):
        old.wrap_socket(plain, server_hostname="127.0.0.1")


def test_a_connection_that_says_nothing_keeps_nobody_waiting(table: OpenTable) -> None:
    with (
        socket.create_connection(("127.0.0.1", table.outer.port)) as silent,
        socket.create_connection(("127.0.0.1", table.outer.port)) as half,
    ):
        half.sendall(b"\x16\x03\x01")
        assert table.stranger().get("/pair").status == 200
        assert silent.fileno() > 0


def test_a_cookie_of_the_wrong_door_opens_nothing(table: OpenTable) -> None:
    phone = table.stranger()
    table.at_home().get("/seat/2")
    for secret in ("", "x" * 43, "\xe4"):
        phone.cookies = {COOKIE: secret, "mournival-hand": "a" * 32}
        assert phone.get("/api/state").status == 401
    for name in ("Mournival-Door", "X-Forwarded-For", "X-Forwarded-Proto", "Forwarded"):
        assert table.stranger().get("/api/state", {name: "local"}).status == 401


@pytest.mark.parametrize("name", ["home", "host", "player"])
def test_other_sites_are_kept_away_from_everybody(table: OpenTable, devices: dict[str, Device], name: str) -> None:
    device = devices[name]
    scheme = "https" if device.tls else "http"
    wrong = [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": f"{scheme}://127.0.0.1:1"},
        {"Origin": f"{'http' if device.tls else 'https'}://127.0.0.1:{device.port}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ]
    assert [device.post("/api/seat/2/forget", {}, headers).status for headers in wrong] == [403] * len(wrong)
    assert device.post("/api/seat/2/forget", {}).status == 200
    assert device.post("/api/seat/2/forget", {}, {"Content-Type": "text/plain"}).status == 415
    assert device.get("/api/state", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}).status == 403
    assert device.get("/", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}).status == 200
    for host in ("elsewhere.example", "127.0.0.1.elsewhere.example", "192.0.2.99"):
        assert device.get("/", {"Host": host}).status == 400


def test_every_answer_carries_the_guarding_headers(devices: dict[str, Device]) -> None:
    paths = ("/", "/pair", "/seat/2", "/nothing", "/api/undo", "/api/state", "/static/main.js", "/authority.crt")
    for device in devices.values():
        for path in paths:
            answer = device.get(path)
            assert {name: answer.headers.get(name.lower()) for name in HEADERS} == HEADERS
            assert "access-control-allow-origin" not in answer.headers
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert HEADERS["Permissions-Policy"] == "camera=(self), microphone=(), geolocation=()"


def test_what_is_too_large_is_refused_at_either_door(devices: dict[str, Device]) -> None:
    for name in ("home", "host"):
        too_long = {"Content-Length": str(MAX_JSON + 1), "Content-Type": "application/json"}
        assert devices[name].post("/api/answer", b"", too_long).status == 413
        announced = {"Content-Length": str(MAX_BODY + 1)}
        assert devices[name].post("/api/camera-frame", b"", announced).status == 413
        try:
            status = devices[name].get("/", {"Filler": "x" * 4_000_000}).status
        except (OSError, http.client.HTTPException):
            continue  # cut off in the middle of sending
        assert status == 413


def test_a_request_that_drips_is_cut_off(tmp_path: Path) -> None:
    served = Served(tmp_path)
    slow = Server(served.app, port=0, request_s=0.4)
    slow.start()
    try:
        head = b"POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        for start in (b"GET / HT", head + b"Content-Length: 999999\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", slow.port), timeout=20) as browser:
                browser.sendall(start)
                cut: list[bool] = []

                def drip(browser: socket.socket = browser, cut: list[bool] = cut) -> bool:
                    try:
                        browser.sendall(b"x")
                    except OSError:
                        cut.append(True)
                    return bool(cut)

                eventually(drip)
        with socket.create_connection(("127.0.0.1", slow.port), timeout=20) as browser:
            browser.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            browser.recv(65536)
            served.board.post("view", {"later": 1})
            read = b""
            while b"later" not in read:
                piece = browser.recv(65536)
                assert piece, "a stream is no slow request"
                read += piece
    finally:
        slow.stop()
        served.close()


@pytest.mark.parametrize("door", ["home", "host"])
def test_slow_senders_keep_nobody_waiting(table: OpenTable, devices: dict[str, Device], door: str) -> None:
    """More of them than there are threads; each says that more follows and sends a byte of it."""
    device = devices[door]
    head = f"POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1:{device.port}\r\nContent-Type: application/json\r\n"
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    slow: list[socket.socket] = []
    try:
        for _ in range(THREADS + 12):
            one = socket.create_connection(("127.0.0.1", device.port), timeout=20)
            slow.append(one)
            if device.tls:
                slow[-1] = one = context.wrap_socket(one)
            one.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
        assert devices["home"].get("/api/state").status == 200
        assert devices["host"].get("/api/state").status == 200
        gone = 0
        for one in slow[: len(slow) - ARRIVING]:
            with contextlib.suppress(ConnectionError):
                assert one.recv(1000) == b"", "it was cut off to make room for the others"
            gone += 1
        assert gone == THREADS + 12 - ARRIVING
    finally:
        for one in slow:
            one.close()


def test_a_file_that_is_being_read_makes_room_for_nobody() -> None:
    sockets = [socket.socketpair() for _ in range(ARRIVING + 3)]
    arriving = _Arriving(60)
    done = threading.Event()
    waits = threading.Barrier(len(sockets) + 1, timeout=20)

    def arrives(number: int) -> None:
        with arriving.request(sockets[number][0], "192.0.2.7" if number else "192.0.2.9"):
            if number == 1:
                arriving.stays()
            waits.wait()
            done.wait(20)

    threads = []
    for number in range(len(sockets)):
        thread = threading.Thread(target=arrives, args=(number,))
        thread.start()
        threads.append(thread)
        eventually(lambda number=number: waits.n_waiting == number + 1)  # type: ignore[misc]
    waits.wait()
    for ours, theirs in sockets[2:5]:
        assert theirs.recv(1) == b"", "the three that took longest of the address with most"
        ours.close()
    for _, theirs in (sockets[0], sockets[1], *sockets[5:]):
        theirs.setblocking(False)
        with pytest.raises(BlockingIOError):
            theirs.recv(1)
    done.set()
    for thread in threads:
        thread.join(20)
    for pair in sockets:
        for one in pair:
            one.close()


def test_how_much_follows_is_said_once_and_as_a_number(table: OpenTable) -> None:
    start = "POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    for lines, status in (
        ("Content-Length: 5\r\nContent-Length: 50\r\n", 400),
        ("Content-Length: 5\r\nContent-Length: 5\r\n", 400),
        ("Content-Length: +5\r\n", 400),
        ("Transfer-Encoding: chunked\r\n", 411),
    ):
        with socket.create_connection(("127.0.0.1", table.at_home().port), timeout=20) as browser:
            browser.sendall(f"{start}{lines}\r\n".encode())
            assert browser.recv(65536).startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize("name", ["home", "host", "stranger"])
def test_ways_of_asking_that_there_are_not_are_refused_as_such(devices: dict[str, Device], name: str) -> None:
    for method in ("PUT", "PATCH", "DELETE", "TRACE"):
        answer = devices[name].ask(method, "/api/state", {})
        assert (answer.status, answer.json["ok"]) == (405, False)
        assert devices[name].ask(method, "/", {}).status == 405


def test_what_the_framework_refuses_is_said_in_the_reader_s_language(devices: dict[str, Device]) -> None:
    home, german = devices["home"], {"Accept-Language": "de"}
    assert home.get("/nothing", german).text == "unter dieser Adresse gibt es nichts: zum Tisch geht es unter /\n"
    told = home.get("/api/nothing", german)
    assert told.json == {
        "ok": False,
        "code": "refused",
        "error": "Unter dieser Adresse gibt es nichts: zum Tisch geht es unter /",
    }
    assert home.ask("PUT", "/", {}).text == "this address can't be asked for in this way\n"
    too_long = {"Content-Length": str(MAX_JSON + 1), "Content-Type": "application/json", **german}
    assert home.post("/api/answer", b"", too_long).json["error"] == "Das ist zu groß zum Senden"


def test_only_the_host_s_page_lends_its_camera(tmp_path: Path) -> None:
    held = OpenTable(tmp_path, browser_camera=True)
    try:
        pages = [held.let_in(role).get("/").text for role in (Role.HOST, Role.VIEWER)]
        assert ['data-browser-camera="yes"' in page for page in pages] == [True, False]
        assert ["/guests" in page for page in pages] == [True, False]
        assert all("camera=(self)" in HEADERS["Permissions-Policy"] for _ in pages)
    finally:
        held.close()


def test_a_table_that_is_not_open_knows_no_guests(served: Served) -> None:
    assert [served.get(path)[0] for path in ("/guests", "/pair", "/authority.crt", "/api/guests")] == [
        404,
        404,
        404,
        404,
    ]
    assert "/guests" not in served.get("/")[1].decode()
    assert served.post("/api/pair", {"code": "AAAA2222"})[0] == 404


def test_who_was_let_in_is_in_after_a_restart_and_who_was_sent_off_is_not(tmp_path: Path) -> None:
    before = OpenTable(tmp_path)
    phone, other = before.let_in(Role.PLAYER, 2), before.let_in(Role.VIEWER)
    gone = next(one for one in before.door.pairing.guests() if one.role is Role.VIEWER)
    assert before.at_home().post("/api/guests/send-off", {"id": gone.id}).status == 200
    before.close()
    after = OpenTable(tmp_path)
    try:
        again = [Device(after.outer.port, trusts=after.door.authority, cookies=one.cookies) for one in (phone, other)]
        assert [one.get("/api/seat/2").status for one in again] == [200, 401]
        assert again[0].get("/api/seat/3").status == 403
    finally:
        after.close()
