"""Each route and each role, both ways: who may is let through, who may not is refused; over real TLS."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.session_events import Asked
from tests.web.let_in import Answer, Device, OpenTable
from tests.web.served import RECORD, Served, eventually
from web.access import ROUTES, Guest, Role, allowed
from web.access_guard import COOKIE, HEADERS, MAX_JSON
from web.pairing import TRIES_EACH
from web.server import MAX_REQUEST, Server

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
        "stranger": table.stranger(),
    }


def role_of(name: str) -> Role:
    return Role.HOST if name == "home" else Role(name)


def asked(device: Device, method: str, rule: str, seat: int = 2) -> Answer:
    """The route, asked for in a way that changes nothing: a body that no route takes."""
    path = rule.replace("<int:seat>", str(seat)).replace("<path:filename>", "mark.svg")
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


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    held = Served(tmp_path)
    yield held
    held.close()


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
        announced = {"Content-Length": str(MAX_REQUEST + 1)}
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
