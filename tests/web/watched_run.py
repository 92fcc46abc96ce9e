"""The recorded table, followed by its pictures in a process that notes what it tries outwards and what it writes. If it
has a network of its own, only its loopback is there."""

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

from tests.web.demo_script import Script, TimedSource
from tests.web.served import Served
from web.cli.run import demo_table
from web.live import Board
from web.open_session import OpenSession
from web.pictures import Pictures
from web.table_watch import TableWatch, Watched

EVERY: Final = 5
"""Of so many pictures one is looked at: two a second."""
PAGES: Final = ("/", "/seat/2", "/api/state", "/account", "/api/recording")
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


def _settled(served: Served) -> bool:
    deal = served.state.deal
    return deal is not None and deal.position.settlement() is not None


def main(folder: str, keep: str = "no") -> None:
    """Follow the recorded table from its first picture to the settled pot, pages asked for; the last line printed tells
    what was noted, as JSON. ``keep``: pictures are kept, and a few actions are enough."""
    by_itself, before = alone(), no_route()
    noted_here = Watch()
    table, script = demo_table(1.0), Script()

    def eye(session: OpenSession, board: Board, pictures: Pictures) -> TableWatch:
        watched = Watched(lambda: TimedSource(script, every=EVERY), "Demo table", live=False, speed=1e6)
        return TableWatch(watched, session, script, board, pictures, layout=table.layout)

    served = Served(Path(folder), eye=eye)
    watch = served.app.extensions["mournival"].eye
    kept = served.app.extensions["mournival"].kept
    kept.switch(keep == "keep")
    watch.start()
    answers = {served.get(path)[0] for path in PAGES}
    while not (watch.ended.wait(0.2) or _settled(served) or (keep == "keep" and kept.told().pictures > 2)):
        pass
    answers |= {served.get(path)[0] for path in (*PAGES, "/picture.jpg", "/api/record.deal", "/openapi.json")}
    settled = _settled(served)
    watch.stop()
    served.close()
    noted = {
        "settled": settled,
        "pages": sorted(answers),
        "outwards": noted_here.outwards,
        "written": noted_here.written,
        "no_route": no_route() - before if by_itself else 0,
        "alone": by_itself,
    }
    print(json.dumps(noted))


if __name__ == "__main__":
    main(*sys.argv[1:])
