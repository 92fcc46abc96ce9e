"""Addresses in one's own network: a camera that is chosen on the page is looked for nowhere else."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from assistant.told import tell
from vision.frames import SourceError

Number = ipaddress.IPv4Address | ipaddress.IPv6Address
PORTS: Final = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}
"""Where a camera is asked if its address says no port."""
_ODD_NUMBER: Final = re.compile(r"(?i)(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+))*\.?")


def number_near(host: str) -> str:
    """The number in the network of the computer with this name, at which it is opened.

    Raises SourceError where nobody knows the name, or where it is, or may be, a computer outside.
    """
    return str(_numbers(host)[0])


def check_near(address: str, own_ports: Collection[int] = ()) -> None:
    """Raises SourceError where the address is no camera's in one's own network. ``own_ports``: where this program is
    served, which is no camera."""
    parts = urlsplit(address)
    numbers = _numbers(parts.hostname or "")
    if (parts.port or PORTS.get(parts.scheme)) in own_ports and any(map(_own, numbers)):
        raise SourceError(
            "bad-address", tell("This is Mournival's own page; write the address that the camera's app shows.")
        )


def _numbers(host: str) -> list[Number]:
    """Where the computer of this name is, those of the older kind first. Raises SourceError."""
    number = _number_of(host)
    if number is None and _ODD_NUMBER.fullmatch(host):
        # ``2130706433`` or ``0x7f.1``: computers take it for a number of the network, and people do not.
        raise SourceError(
            "bad-address", tell("write the camera's name or its whole number in the network, such as rtsp://10.0.0.7/1")
        )
    try:
        found = {number} if number else {_number_of(str(entry[4][0])) for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        found = set()
    numbers = sorted((one for one in found if one is not None), key=lambda one: (one.version, one.packed))
    if not numbers:
        raise SourceError(
            "bad-address",
            tell("{host}: no computer of this name is known in your network; check it, or write its number", host=host),
        )
    if any(map(_far, numbers)):
        raise SourceError("bad-address", tell("{host}: only cameras in your own network can be chosen here", host=host))
    return numbers


def _far(number: Number) -> bool:
    """Whether this is no computer at home: of the world, or of the link alone, where computers tell their secrets."""
    number = getattr(number, "ipv4_mapped", None) or number
    return number.is_global or number.is_link_local or number.is_multicast


def _own(number: Number) -> bool:
    """Whether it is this computer: nobody can listen at another one's number."""
    family = socket.AF_INET if number.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((str(number), 0))
    except OSError:
        return False
    return True


def _number_of(host: str) -> Number | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
