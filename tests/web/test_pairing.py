from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scripted_clock import ScriptedClock
from web.access import Role
from web.guest_list import FILE_NAME, GuestList
from web.pairing import (
    CODE_LENGTH,
    CODE_S,
    GUEST_S,
    LETTERS,
    MOST_GUESTS,
    MOST_INVITATIONS,
    TRIES_ALL,
    TRIES_EACH,
    WINDOW_S,
    NotLetIn,
    Pairing,
    TooManyTries,
    written,
)


@pytest.fixture
def clock() -> ScriptedClock:
    return ScriptedClock()


@pytest.fixture
def pairing(clock: ScriptedClock) -> Pairing:
    return Pairing(clock=clock)


def test_a_code_lets_one_device_in_once(pairing: Pairing) -> None:
    code = pairing.invite(Role.PLAYER, 3)
    assert (len(code), set(code) <= set(LETTERS)) == (CODE_LENGTH, True)
    guest, secret = pairing.enter(f" {written(code).lower()}", "a")
    assert (guest.role, guest.seat) == (Role.PLAYER, 3)
    assert pairing.guest(secret) == guest
    assert pairing.guests() == (guest,)
    assert pairing.guest(guest.id) is None
    with pytest.raises(NotLetIn, match="once"):
        pairing.enter(code, "b")


def test_who_comes_in_is_known_by_the_code_beforehand(pairing: Pairing) -> None:
    code, other = pairing.invite(Role.PLAYER, 3), pairing.invite(Role.PLAYER, 3)
    coming = pairing.invited(code)
    assert coming is not None
    assert coming != pairing.invited(other)
    assert not pairing.is_in(coming)
    guest, _ = pairing.enter(code, "10.0.0.2")
    assert guest == coming
    assert pairing.invited(code) is None


def test_a_code_and_a_guest_hold_only_so_long(pairing: Pairing, clock: ScriptedClock) -> None:
    early, late = pairing.invite(Role.VIEWER), pairing.invite(Role.VIEWER)
    clock.advance(CODE_S - 1)
    guest, secret = pairing.enter(early, "a")
    clock.advance(1)
    with pytest.raises(NotLetIn):
        pairing.enter(late, "a")
    clock.advance(GUEST_S - 2)
    assert pairing.is_in(guest)
    clock.advance(1)
    assert (pairing.guest(secret), pairing.guests(), pairing.is_in(guest)) == (None, (), False)


def test_one_device_may_guess_only_so_often(pairing: Pairing, clock: ScriptedClock) -> None:
    code = pairing.invite(Role.VIEWER)
    for _ in range(TRIES_EACH):
        with pytest.raises(NotLetIn, match="opens nothing"):
            pairing.enter("NOTHING2", "a")
    with pytest.raises(TooManyTries):
        pairing.enter(code, "a")
    clock.advance(WINDOW_S)
    assert pairing.enter(code, "a")[0].role is Role.VIEWER


def test_all_together_may_guess_only_so_often(pairing: Pairing, clock: ScriptedClock) -> None:
    code = pairing.invite(Role.VIEWER)
    for number in range(TRIES_ALL):
        with pytest.raises(NotLetIn, match="opens nothing"):
            pairing.enter("NOTHING2", f"device {number}")
    with pytest.raises(TooManyTries):
        pairing.enter(code, "another")
    clock.advance(WINDOW_S)
    assert pairing.enter(code, "another")[0].role is Role.VIEWER


def test_who_is_sent_off_is_out(pairing: Pairing) -> None:
    first, first_secret = pairing.enter(pairing.invite(Role.HOST), "a")
    second, second_secret = pairing.enter(pairing.invite(Role.HOST), "a")
    assert pairing.send_off(first.id) == first
    assert pairing.send_off(first.id) is None
    assert (pairing.guest(first_secret), pairing.guest(second_secret)) == (None, second)


def test_no_more_come_in_than_there_is_room_for(pairing: Pairing) -> None:
    for _ in range(MOST_GUESTS):
        pairing.enter(pairing.invite(Role.VIEWER), "a")
    with pytest.raises(NotLetIn, match="send one off"):
        pairing.enter(pairing.invite(Role.VIEWER), "a")


def test_the_oldest_invitation_makes_room(pairing: Pairing) -> None:
    codes = [pairing.invite(Role.VIEWER) for _ in range(MOST_INVITATIONS + 1)]
    with pytest.raises(NotLetIn):
        pairing.enter(codes[0], "a")
    assert pairing.enter(codes[1], "a")


@pytest.mark.parametrize(("role", "seat"), [(Role.STRANGER, None), (Role.PLAYER, None), (Role.VIEWER, 1)])
def test_nobody_is_invited_to_nothing(pairing: Pairing, role: Role, seat: int | None) -> None:
    with pytest.raises(ValueError, match="player"):
        pairing.invite(role, seat)


def test_neither_codes_nor_secrets_are_kept_as_they_are(pairing: Pairing) -> None:
    open_code = pairing.invite(Role.VIEWER)
    _, secret = pairing.enter(pairing.invite(Role.VIEWER), "a")
    held = repr(vars(pairing))
    assert open_code not in held
    assert secret not in held


def test_who_was_in_is_in_again_after_the_program_was_killed(tmp_path: Path, clock: ScriptedClock) -> None:
    pairing = Pairing(GuestList(tmp_path), clock=clock)
    player, phone = pairing.enter(pairing.invite(Role.PLAYER, 3), "a")
    viewer, screen = pairing.enter(pairing.invite(Role.VIEWER), "b")
    gone, old = pairing.enter(pairing.invite(Role.HOST), "c")
    waiting = pairing.invite(Role.VIEWER)
    assert pairing.send_off(gone.id) == gone
    again = Pairing(GuestList(tmp_path), clock=clock)
    assert again.guests() == (player, viewer)
    assert (again.guest(phone), again.guest(screen), again.guest(old)) == (player, viewer, None)
    with pytest.raises(NotLetIn):
        again.enter(waiting, "d")
    assert again.send_off(player.id) == player
    assert Pairing(GuestList(tmp_path), clock=clock).guests() == (viewer,)


def test_what_is_kept_of_guests_opens_nothing_and_is_the_owner_s_alone(tmp_path: Path) -> None:
    pairing = Pairing(GuestList(tmp_path))
    code = pairing.invite(Role.PLAYER, 3)
    _, secret = pairing.enter(code, "a")
    path = tmp_path / FILE_NAME
    assert path.stat().st_mode & 0o777 == 0o600
    kept = path.read_text()
    assert (secret in kept, code in kept) == (False, False)
    digest = json.loads(kept)[0]["digest"]
    assert Pairing(GuestList(tmp_path)).guest(digest) is None
    assert [one.name for one in tmp_path.iterdir()] == [FILE_NAME]


def test_a_guest_stays_no_longer_than_without_a_restart(tmp_path: Path, clock: ScriptedClock) -> None:
    pairing = Pairing(GuestList(tmp_path), clock=clock)
    _, secret = pairing.enter(pairing.invite(Role.VIEWER), "a")
    clock.advance(GUEST_S - 60)
    again = Pairing(GuestList(tmp_path), clock=clock)
    assert again.guest(secret) is not None
    clock.advance(61)
    assert again.guest(secret) is None
    assert Pairing(GuestList(tmp_path), clock=clock).guests() == ()


@pytest.mark.parametrize(
    "text",
    ["", "[", "null", "{}", "[1]", '[{"digest": "x"}]', "[" * 9999, '[{"digest": "%s", "id": "a", "role": "king", '
     '"seat": null, "until": 9e12}]' % ("0" * 64), '[{"digest": "%s", "id": "a", "role": "player", "seat": null, '
     '"until": 9e12}]' % ("0" * 64)],
)  # fmt: skip
def test_a_list_that_is_damaged_lets_nobody_in(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    assert Pairing(GuestList(tmp_path)).guests() == ()


def test_a_list_that_others_could_have_written_lets_nobody_in(tmp_path: Path) -> None:
    pairing = Pairing(GuestList(tmp_path))
    pairing.enter(pairing.invite(Role.VIEWER), "a")
    (tmp_path / FILE_NAME).chmod(0o620)
    assert Pairing(GuestList(tmp_path)).guests() == ()


def test_where_nothing_can_be_kept_those_sent_off_stay_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairing = Pairing(GuestList(tmp_path))
    guest, _ = pairing.enter(pairing.invite(Role.VIEWER), "a")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert pairing.send_off(guest.id) == guest
    assert Pairing(GuestList(tmp_path)).guests() == ()
    assert list(tmp_path.iterdir()) == []
