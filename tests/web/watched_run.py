"""The demo's deal, played in a process that notes what it tries outwards and what it writes. If it has a network of
its own, only its loopback is there."""

from __future__ import annotations

import fcntl
import ipaddress
import json
import os
import socket
import struct
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.web.served import RECORD, Served

_NAMED: Final = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_SENT: Final = ("socket.connect", "socket.sendto", "socket.sendmsg")


class Watch:
    """Notes every address that this process turns to and every file that it opens to write, from now on."""

    def __init__(self) -> None:
        self.outwards: list[str] = []
        self.written: list[str] = []
        sys.addaudithook(self._noted)

    def _noted(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _SENT and arguments[0].family != socket.AF_UNIX and not _own(arguments[1][0]):
            self.outwards.append(f"{event} {arguments[1]}")
        elif event in _NAMED and not _own(arguments[0]):
            self.outwards.append(f"{event} {arguments[0]}")
        elif event == "open" and isinstance(arguments[0], str) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
            self.written.append(str(arguments[0]))


def _own(host: str | None) -> bool:
    try:
        return host in (None, "", "localhost") or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def alone() -> bool:
    """Whether there is no way out of this process's network; its loopback is switched on then."""
    if [name for _, name in socket.if_nameindex() if name != "lo"]:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh22x", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: up and running
    return True


def no_route() -> int:
    """How often anything in this network, in whatever language it is written, found no way out."""
    counts = Path("/proc/net/snmp")
    if not counts.exists():
        return 0
    lines = [line.split() for line in counts.read_text().splitlines() if line.startswith("Ip:")]
    return int(dict(zip(*lines, strict=True))["OutNoRoutes"])


def main(folder: str) -> None:
    """Play the demo's deal from the empty table to the settled pot, with the page open and a picture shown; the last
    line printed tells what was noted, as JSON."""
    by_itself, before = alone(), no_route()
    watch = Watch()
    served = Served(Path(folder))
    served.pictures.put(0, np.zeros((72, 128, 3), np.uint8))
    pages = []
    served.begin()
    for place in range(len(RECORD.actions)):
        served.play(place, place + 1)
        pages += [served.get(path)[0] for path in ("/", "/seat/2", "/api/state", "/picture.jpg", "/api/record.deal")]
    settled = served.deal.position.settlement() is not None
    served.close()
    noted = {
        "settled": settled,
        "pages": sorted(set(pages)),
        "outwards": watch.outwards,
        "written": watch.written,
        "no_route": no_route() - before if by_itself else 0,
        "alone": by_itself,
    }
    print(json.dumps(noted))


if __name__ == "__main__":
    main(*sys.argv[1:])
