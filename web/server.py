"""The web server: cheroot in front of the application, and the addresses under which it can be reached."""

from __future__ import annotations

import contextlib
import errno
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from cheroot import wsgi
from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.ssl import Adapter

from web.live import STREAM_CAP

SPARE: Final = 24
THREADS: Final = STREAM_CAP + SPARE
"""A stream holds its thread, and a browser that has opened a connection and says nothing yet holds one as well."""
PATIENCE_S: Final = 10
"""How long a browser may keep a thread waiting for it, to write or to read, before it is cut off."""
REQUEST_S: Final = 10
"""How long a request may take to arrive, from the first byte (of TLS, too) to the last, however steadily it drips."""
BYTES_A_SECOND: Final = 250_000
"""What carries more may take a second longer for each so many bytes."""
ARRIVING: Final = SPARE - 8
"""Connections that may be about to send a request at a time, those that say nothing included; the other threads answer.
When there are more, one of the address that has most of them is cut off: the one that has taken longest."""
FILE_PATHS: Final = ("/api/uploads",)
"""Where files are sent, which take long; the application reads few at a time, and those make room for nobody."""
MAX_HEADERS: Final = 32 * 1024
"""Bytes of a request's head; what a request may carry is the application's to say."""
LINGER_S: Final = 3.0
"""How long a browser that sends what nobody reads is listened to, so that it hears why."""
SEND_BUFFER: Final = 128 * 1024
"""Bytes that wait for one browser; whoever does not read more than that behind is waited for no longer."""
WAITING: Final = 64
DEFAULT_PORT: Final = 8765
DOOR: Final = "mournival.door"
"""The name in a request's WSGI environment that says by which door it came; no browser can set it."""
LOCAL_DOOR: Final = "local"
LAN_DOOR: Final = "lan"


class PortInUse(Exception):
    """Somebody else listens there; the text is one line that says what to do."""


class Server:
    """Serves a WSGI application until it is stopped.

    ``port`` 0 takes a free one; ``port`` then tells which. With ``tls`` it is the door to the network, else the local
    one. Raises PortInUse on construction, before anything is served.
    """

    def __init__(
        self,
        app: Callable[..., Any],
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        *,
        tls: ssl.SSLContext | None = None,
        request_s: float = REQUEST_S,
    ) -> None:
        self._arriving = _Arriving(request_s)
        door = LOCAL_DOOR if tls is None else LAN_DOOR

        def through(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
            environ[DOOR] = door
            environ["wsgi.input"] = _Carried(environ, self._arriving)
            return app(environ, start_response)

        self._server = wsgi.Server(
            (host, port),
            through,
            numthreads=THREADS,
            max=THREADS,
            server_name="mournival",
            request_queue_size=WAITING,
            timeout=PATIENCE_S,
        )
        self._server.shutdown_timeout = 2
        self._server.error_log = _quiet  # type: ignore[method-assign]
        self._server.max_request_header_size = MAX_HEADERS
        self._server.ConnectionClass = self._connection
        if tls is not None:
            self._server.ssl_adapter = _Tls(tls)
        try:
            self._server.prepare()
        except OSError as error:
            raise PortInUse(_say(host, port, error)) from None
        # Connections take this over from the socket that listens; without it megabytes pile up for a page that sleeps.
        self._server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self.host = host
        self.port: int = self._server.bind_addr[1]
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve in a thread of its own."""
        self._thread = threading.Thread(target=self._server.serve, name="page", daemon=True)
        self._thread.start()
        threading.Thread(target=self._arriving.watch, name="slow requests", daemon=True).start()

    def stop(self) -> None:
        """Stop serving."""
        self._arriving.stop()
        self._server.stop()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _connection(self, *arguments: Any) -> _Connection:
        connection = _Connection(*arguments)
        connection.arriving = self._arriving
        return connection


@dataclass(slots=True)
class _Arrival:
    """A request on its way: whose it is, since when, and when it has to be there."""

    connection: socket.socket
    address: str
    since: float
    until: float
    stays: bool = False

    def cut_off(self) -> None:
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self.connection, socket.SHUT_RDWR)  # below TLS: another thread reads there


class _Arriving:
    """The requests that are arriving, each in a thread of its own; those that take too long are cut off, and so are
    those that nobody else has room beside. Thread-safe.

    A socket's own time limit counts from byte to byte: who sends one every few seconds would hold a thread for good.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._mutex = threading.Lock()
        self._there: dict[int, _Arrival] = {}
        self._stopped = threading.Event()

    @contextlib.contextmanager
    def request(self, connection: socket.socket, address: str) -> Iterator[None]:
        """A request arrives in this thread."""
        now = time.monotonic()
        with self._mutex:
            if len(self._there) >= ARRIVING:
                self._make_room()
            self._there[threading.get_ident()] = _Arrival(connection, address, now, now + self._seconds)
        try:
            yield
        finally:
            self.arrived()

    def carries(self, size: int) -> None:
        """What arrives in this thread has so many bytes after its head."""
        with self._mutex:
            there = self._there.get(threading.get_ident())
            if there is not None:
                there.until += size / BYTES_A_SECOND

    def stays(self) -> None:
        """What arrives in this thread is not cut off to make room."""
        with self._mutex:
            there = self._there.get(threading.get_ident())
            if there is not None:
                there.stays = True

    def arrived(self) -> None:
        """This thread's request is there; the answer may take as long as it likes."""
        with self._mutex:
            self._there.pop(threading.get_ident(), None)

    def _make_room(self) -> None:
        many = Counter(one.address for one in self._there.values())
        going = [(-many[one.address], one.since, thread) for thread, one in self._there.items() if not one.stays]
        self._there.pop(min(going)[2]).cut_off()

    def watch(self) -> None:
        """Cut off whatever takes too long, until ``stop``."""
        while not self._stopped.wait(min(1.0, self._seconds / 4)):
            now = time.monotonic()
            with self._mutex:
                for thread in [thread for thread, one in self._there.items() if one.until < now]:
                    self._there.pop(thread).cut_off()

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped.set()


class _Carried:
    """What a request carries, as the application reads it. Once all of it was read, the request has arrived."""

    def __init__(self, environ: dict[str, Any], arriving: _Arriving) -> None:
        self._body: Any = environ["wsgi.input"]
        self._file = environ["PATH_INFO"] in FILE_PATHS
        self._arriving = arriving
        self._look()

    def read(self, size: int | None = None) -> bytes:
        """As many bytes as are wanted, fewer at the end."""
        if self._file:
            self._arriving.stays()
        piece: bytes = self._body.read(size)
        self._look()
        return piece

    def _look(self) -> None:
        if not self._body.remaining:
            self._arriving.arrived()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._body, name)


class _Heads(dict[bytes, bytes]):
    """The lines of a request's head by name. How much follows is said once, as a number."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name == b"Content-Length" and (name in self or not value.isdigit()):
            raise ValueError("Content-Length has to be one number.")
        super().__setitem__(name, value)


class _Request(HTTPRequest):
    """A request. What is too large for its address, or is not wanted, is not read."""

    def read_request_headers(self) -> bool:
        """Read the head; whether it can be used."""
        self.inheaders = _Heads()
        if not super().read_request_headers():  # type: ignore[no-untyped-call]
            return False
        if self.chunked_read:
            self.simple_response("411 Length Required", "Say in Content-Length how much is sent.")
            return False
        self.conn.arriving.carries(int(self.inheaders.get(b"Content-Length", 0)))
        return True

    def send_headers(self) -> None:
        """Send the head of the answer. The connection of a request that was not read to its end ends with it."""
        if getattr(self.rfile, "remaining", 0):
            self.close_connection = self.conn.unread = True
        super().send_headers()

    def simple_response(self, status: str | int, msg: str = "") -> None:
        """Answer without the application: what is refused here was not read."""
        self.conn.unread = True
        super().simple_response(status, msg)


class _Connection(HTTPConnection):
    """A browser's connection. The two sides agree on keys in its own thread, so that one that says nothing keeps
    nobody else waiting."""

    RequestHandlerClass = _Request
    arriving: _Arriving
    remote_addr: str
    unread = False
    _greeted = False

    def communicate(self) -> bool:
        """Read a request and answer it; whether the connection stays open."""
        with self.arriving.request(self.socket, self.remote_addr):
            if isinstance(self.socket, ssl.SSLSocket) and not self._greeted:
                try:
                    self.socket.do_handshake()
                except (OSError, ValueError) as error:
                    self._explain(error)
                    return False
                self._greeted = True
            goes_on = bool(super().communicate())  # type: ignore[no-untyped-call]
        if self.unread:
            with self.arriving.request(self.socket, self.remote_addr):
                self._listen_on()
        return goes_on

    def _listen_on(self) -> None:
        """Most browsers hear an answer only once all is sent, or the connection is not broken while they send."""
        until = time.monotonic() + LINGER_S
        with contextlib.suppress(OSError, ValueError):
            self.wfile.flush()
            self.socket.settimeout(LINGER_S)
            socket.socket.shutdown(self.socket, socket.SHUT_WR)
            while time.monotonic() < until and self.socket.recv(65536):
                pass

    def _explain(self, error: Exception) -> None:
        """A browser that was given the address without ``https`` is told so."""
        if isinstance(error, ssl.SSLError) and error.reason == "HTTP_REQUEST":
            text = b"This page is served over TLS alone: write https:// before the address.\n"
            head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
            with contextlib.suppress(OSError):
                socket.socket.send(self.socket, head + text)


class _Tls(Adapter):
    """TLS as Python brings it. The handshake is left to the connection's own thread."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.context = context

    def bind(self, sock: socket.socket) -> socket.socket:
        """The socket that listens stays as it is."""
        return sock

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """A connection that was accepted, with TLS on it; nothing is sent yet."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, self.get_environ()

    def get_environ(self) -> dict[str, str]:
        """What each request's environment says of it."""
        return {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def makefile(self, sock: ssl.SSLSocket, mode: str = "r", bufsize: int = -1) -> Any:
        """The connection as a file."""
        return MakeFile(sock, mode, bufsize)


def _quiet(*_: object, **__: object) -> None:
    """A browser that goes away in the middle of an answer is nothing to write about."""


def _say(host: str, port: int, error: OSError) -> str:
    text = str(error)
    if error.errno in (errno.EADDRINUSE, 10048) or "Address already in use" in text:
        return f"port {port} on {host} is in use: close what uses it, or give another with --port"
    if error.errno == errno.EACCES or "Permission denied" in text:
        return f"port {port} on {host} may not be used: give one above 1023 with --port"
    return f"can't listen on {host} port {port} ({error.strerror or text}): check --host and --port"


def lan_addresses() -> list[str]:
    """This computer's addresses in the local network, the likeliest first; nothing is sent."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]
