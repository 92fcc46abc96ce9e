"""By which doors the page is reached: the local one, and with ``--lan`` one to the network, over TLS and with codes."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from web.access import Role
from web.access_guard import Lan
from web.api import Context
from web.app import LOCAL_HOSTS, create_app
from web.cli import Unusable
from web.guest_list import GuestList
from web.local_authority import kept_authority, tls_context
from web.pairing import Pairing, written
from web.server import Server, lan_addresses


@dataclass(frozen=True, slots=True)
class Service:
    """How the page is served. An address that others can reach is a door to the network, asked for or not."""

    host: str
    port: int
    lan: bool
    no_browser: bool

    @property
    def open(self) -> bool:
        """Whether there is a door to the network."""
        return self.lan or not _own(self.host)


def doors_of(
    service: Service, about: Context, keeps: Path, *, browser_camera: bool, folder: Path | None = None
) -> tuple[tuple[Server, ...], Lan | None]:
    """The servers, the local one first, and the door to the network if there is one. ``keeps`` is where the authority
    is kept, ``folder`` where those are who were let in; None: the same. Raises PortInUse, Unusable."""
    home = service.host if _own(service.host) else "127.0.0.1"
    hosts = [*LOCAL_HOSTS, f"[{home}]" if ":" in home else home]
    if not service.open:
        return (Server(create_app(about, hosts=hosts, browser_camera=browser_camera), home, service.port),), None
    outside = "0.0.0.0" if _own(service.host) else service.host
    addresses = lan_addresses() if outside in ("0.0.0.0", "::") else [outside]
    try:
        authority = kept_authority(keeps)
        tls = tls_context(authority, addresses)
    except OSError as error:
        raise Unusable(
            f"{keeps}: the certificate can't be kept there ({error.strerror}): give another folder with --data"
        ) from None
    door_port = 0 if service.port == 0 else service.port + (1 if service.port < 65535 else -1)
    shown = [f"[{one}]" if ":" in one else one for one in addresses]

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        return opened(environ, start_response)  # which has to know the port that the door got

    with contextlib.ExitStack() as failing:
        own = Server(app, home, service.port)
        failing.callback(own.stop)
        others = Server(app, outside, door_port, tls=tls)
        failing.callback(others.stop)
        door = Lan(
            Pairing(GuestList(folder or keeps)), authority, tuple(f"https://{one}:{others.port}" for one in shown)
        )
        opened = create_app(about, hosts=[*hosts, *shown], browser_camera=browser_camera, lan=door)
        failing.pop_all()
    return (own, others), door


def about_door(door: Lan, address: str, *, headless: bool) -> list[str]:
    """What to know of the door to the network; where nobody may sit at this computer, with a code for a first host."""
    lines = [f"In your network: {one}/" for one in door.addresses]
    if not lines:
        return ["This computer is in no network, so nobody else can come: join one, then start again."]
    lines.append(f"Nobody gets in without a code: open {address}guests here and let them in.")
    if headless:
        lines.append(f"A code for one host, for five minutes: {written(door.pairing.invite(Role.HOST))}")
    return [
        *lines,
        "A phone warns that it does not know who vouches for the page: choose Advanced, then go on. Without more it",
        "can follow the table and take photographs; its live camera works once it trusts this computer: fetch",
        "authority.crt below the address, compare the fingerprint, and install it as a CA certificate.",
        f"Fingerprint (SHA-256): {door.authority.fingerprint}",
    ]


def _own(host: str) -> bool:
    """Whether only this computer can reach that address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
