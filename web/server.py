"""The web server: cheroot in front of the application, and the addresses under which it can be reached."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
from collections.abc import Callable
from typing import Any, Final

from cheroot import wsgi

from web.live import STREAM_CAP

SPARE: Final = 24
THREADS: Final = STREAM_CAP + SPARE
"""A stream holds its thread, and a browser that has opened a connection and says nothing yet holds one as well."""
PATIENCE_S: Final = 10
"""How long a browser may keep a thread waiting for it, to write or to read, before it is cut off."""
SEND_BUFFER: Final = 128 * 1024
"""Bytes that wait for one browser; whoever does not read more than that behind is waited for no longer."""
WAITING: Final = 64
DEFAULT_PORT: Final = 8765


class PortInUse(Exception):
    """Somebody else listens there; the text is one line that says what to do."""


class Server:
    """Serves a WSGI application until it is stopped.

    ``port`` 0 takes a free one; ``port`` then tells which. Raises PortInUse on construction, before anything is
    served.
    """

    def __init__(self, app: Callable[..., Any], host: str = "127.0.0.1", port: int = DEFAULT_PORT) -> None:
        self._server = wsgi.Server(
            (host, port),
            app,
            numthreads=THREADS,
            max=THREADS,
            server_name="mournival",
            request_queue_size=WAITING,
            timeout=PATIENCE_S,
        )
        self._server.shutdown_timeout = 2
        self._server.error_log = _quiet  # type: ignore[method-assign]
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

    def stop(self) -> None:
        """Stop serving."""
        self._server.stop()
        if self._thread is not None:
            self._thread.join(timeout=5)


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
