"""Letting others in: invitations with a one-time code, and the guests whose browsers hold a secret in return.

Who is in is kept in the data folder (``web.guest_list``), as digests: a program that was started again knows them.
Invitations are not; they hold for minutes.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import deque
from typing import Final, NamedTuple

from assistant.told import tell
from vision.clock import SYSTEM, Clock
from web.access import Guest, Role
from web.guest_list import GuestList, Listed

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""None that is easily taken for another."""
CODE_LENGTH: Final = 8
CODE_S: Final = 300.0
"""How long an invitation holds."""
GUEST_S: Final = 12 * 3600.0
"""How long a guest stays in; an evening is shorter."""
MOST_INVITATIONS: Final = 16
MOST_GUESTS: Final = 32
WINDOW_S: Final = 60.0
TRIES_EACH: Final = 5
TRIES_ALL: Final = 20
"""Wrong codes that one device, and all together, may try within the window."""


class NotLetIn(Exception):
    """The code opens nothing; the text is one line that says what to do."""


class TooManyTries(NotLetIn):
    """Too many wrong codes were tried just now."""


class _Invitation(NamedTuple):
    guest: Guest
    until: float


class _Held(NamedTuple):
    guest: Guest
    until: float


class Pairing:
    """Who is invited and who is in. Codes and secrets are kept as digests alone. Thread-safe.

    ``kept``: where those who are in are kept beyond the program's end; None: nowhere.
    """

    def __init__(self, kept: GuestList | None = None, *, clock: Clock = SYSTEM) -> None:
        self._clock = clock
        self._kept = kept
        self._mutex = threading.Lock()
        self._invitations: dict[str, _Invitation] = {}
        self._held: dict[str, _Held] = {}
        self._wrong: deque[tuple[float, str]] = deque()
        self._welcome_back()

    def invite(self, role: Role, seat: int | None = None) -> str:
        """A new code that lets one device in, once, within five minutes. A player's ``seat`` is from 1 on.

        Raises ValueError for a role that nobody can be invited to.
        """
        if role is Role.STRANGER or (role is Role.PLAYER) != (seat is not None):
            raise ValueError("a player is invited to a seat, everybody else to none")
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        with self._mutex:
            guest = Guest(secrets.token_hex(8), role, seat)
            self._invitations[_digest(code)] = _Invitation(guest, self._clock.steady() + CODE_S)
            while len(self._invitations) > MOST_INVITATIONS:
                self._invitations.pop(next(iter(self._invitations)))
        return code

    def invited(self, code: str) -> Guest | None:
        """Who will come in by the code: with the same ``id`` among ``guests`` once it was used."""
        with self._mutex:
            invitation = self._invitations.get(_digest(_plain(code)))
        return None if invitation is None else invitation.guest

    def enter(self, code: str, address: str) -> tuple[Guest, str]:
        """The guest whom the code lets in and the secret for its browser; the code is used up.

        ``address`` is the device's, for the count of wrong tries. Raises NotLetIn, TooManyTries.
        """
        now = self._clock.steady()
        with self._mutex:
            while self._wrong and self._wrong[0][0] <= now - WINDOW_S:
                self._wrong.popleft()
            own = sum(1 for _, other in self._wrong if other == address)
            if own >= TRIES_EACH or len(self._wrong) >= TRIES_ALL:
                raise TooManyTries(tell("too many wrong codes were tried: wait a minute, then ask for a new one"))
            invitation = self._invitations.get(digest := _digest(_plain(code)))
            if invitation is None or invitation.until <= now:
                self._wrong.append((now, address))
                raise NotLetIn(tell("this code opens nothing: each works once and for five minutes; ask for a new one"))
            self._expire(now)
            if len(self._held) >= MOST_GUESTS:
                raise NotLetIn(tell("too many devices are in: the host must send one off first"))
            del self._invitations[digest]
            guest, secret = invitation.guest, secrets.token_urlsafe(32)
            self._held[_digest(secret)] = _Held(guest, now + GUEST_S)
            self._keep()
            return guest, secret

    def guest(self, secret: str) -> Guest | None:
        """The guest who holds this secret."""
        held = self._held.get(_digest(secret))
        return held.guest if held is not None and held.until > self._clock.steady() else None

    def is_in(self, guest: Guest) -> bool:
        """Whether the guest has not been sent off, and has not been here too long."""
        return guest in self.guests()

    def guests(self) -> tuple[Guest, ...]:
        """All who are in, in the order in which they came."""
        with self._mutex:
            self._expire(self._clock.steady())
            return tuple(held.guest for held in self._held.values())

    def send_off(self, id: str) -> Guest | None:
        """Let this guest in no more; None where nobody has this ``id``."""
        with self._mutex:
            for digest, held in self._held.items():
                if held.guest.id == id:
                    del self._held[digest]
                    self._keep()
                    return held.guest
        return None

    def keep_in(self, kept: GuestList) -> None:
        """Keep those who are in there from now on; whoever was on that list is in again, too."""
        with self._mutex:
            self._kept = kept
            self._welcome_back()
            self._keep()

    def _welcome_back(self) -> None:
        """Whoever was in when the program ended is in again, as long as it would have been."""
        for one in () if self._kept is None else self._kept.read():
            left = min(one.until - self._clock.wall(), GUEST_S)  # the wall's clock may have been set meanwhile
            if left > 0 and len(self._held) < MOST_GUESTS:
                self._held[one.digest] = _Held(one.guest, self._clock.steady() + left)

    def _keep(self) -> None:
        if self._kept is not None:
            ahead = self._clock.wall() - self._clock.steady()
            self._kept.write(Listed(digest, held.guest, held.until + ahead) for digest, held in self._held.items())

    def _expire(self, now: float) -> None:
        self._held = {digest: held for digest, held in self._held.items() if held.until > now}


def written(code: str) -> str:
    """The code as it is shown: ``ABCD-EFGH``."""
    half = CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}"


def _plain(code: str) -> str:
    """The code as it was given out, however somebody typed it."""
    return "".join(code.upper().replace("-", " ").split())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
