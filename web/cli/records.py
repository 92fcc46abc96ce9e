"""``mournival check`` and ``mournival legal``: what the rules say of a deal record."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from assistant.cards import Card
from assistant.games.game import GameError, Position
from assistant.record import Replay, decode_record, parse_record, replay

LARGEST: Final = 1_000_000
"""Bytes that a record file may have."""


@click.command()
@click.argument("record")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
def check(record: str, as_json: bool) -> None:
    """Replay a record: legal or not, faults, settlement.

    RECORD is a .deal file, or - for standard input. Exit status: 0 legal, 1 an illegal action, 2 no usable record.
    """
    played = _replayed(record)
    _stop_if_illegal(record, played, as_json)
    try:
        settlement = played.position.settlement()
    except GameError as error:
        _refuse(record, as_json, played.line_of(len(played.record.actions) - 1), "", error)
    if as_json:
        faults = [
            {
                "line": played.line_of(fault.action),
                "code": fault.code,
                "seat": fault.seat,
                "cards": [str(card) for card in fault.cards],
                "claimed_by": fault.claimed_by,
            }
            for fault in played.position.faults()
        ]
        _write_json({"ok": True, "over": played.position.over, "faults": faults, "settlement": settlement})
    else:
        click.echo("\n".join(_checked(record, played, settlement)))


@click.command(short_help="Say what may be done now, and what has been missed.")
@click.argument("record")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
def legal(record: str, as_json: bool) -> None:
    """Say what may be done at the record's end, and what has been missed.

    RECORD is a .deal file, or - for standard input. Exit status: 0 done, 1 an illegal action in the record, 2 no
    usable record.
    """
    played = _replayed(record)
    _stop_if_illegal(record, played, as_json)
    position = played.position
    if as_json:
        claims = [
            {"code": claim.code, "from": claim.seat, "cards": [str(card) for card in claim.cards]}
            for claim in position.claims()
        ]
        _write_json(
            {
                "to_act": position.to_act,
                "over": position.over,
                "actions": [str(action) for action in position.legal_actions()],
                "claims": claims,
                "notices": [{"code": notice.code, "text": notice.text} for notice in position.notices()],
                "unseen": dict(position.unseen()),
            }
        )
    else:
        click.echo("\n".join(_possible(position)))


def _replayed(name: str) -> Replay:
    """The record replayed; ends the program with status 2 where it can't be read."""
    try:
        return replay(parse_record(decode_record(_read(name))))
    except GameError as error:
        _end(2, f"{_called(name)}: {error.reason}")


def _called(name: str) -> str:
    return "standard input" if name == "-" else name


def _read(name: str) -> bytes:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            path = Path(name)
            if path.is_dir():
                _end(2, f"{name}: a folder, not a deal record")
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
    except FileNotFoundError:
        _end(2, f"{name}: no such file")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        _end(2, f"{_called(name)}: can't be read ({reason})")
    if len(data) > LARGEST:
        _end(2, f"{_called(name)}: larger than {LARGEST} bytes, so no deal record")
    return data


def _stop_if_illegal(name: str, played: Replay, as_json: bool) -> None:
    if played.error is not None and played.failed is not None:
        action = str(played.record.actions[played.failed])
        _refuse(name, as_json, played.line_of(played.failed), action, played.error)


def _refuse(name: str, as_json: bool, line: int, action: str, error: GameError) -> NoReturn:
    """Say what the rules refuse, and end with status 1."""
    if as_json:
        _write_json({"ok": False, "line": line, "action": action, "code": error.code, "reason": error.reason})
    else:
        rule = f" ({error.rule})" if error.rule else ""
        click.echo(f"{_called(name)}, line {line}: {action}\nNot allowed{rule}: {error.reason}.")
    raise SystemExit(1)


def _end(status: int, message: str) -> NoReturn:
    click.echo(f"mournival: {message}", err=True)
    raise SystemExit(status)


def _write_json(value: dict[str, Any]) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def _words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def signed(net: int) -> str:
    """Stakes won or lost: ``+2``, ``-3``, and ``0`` without a sign."""
    return f"{net:+d}" if net else "0"


def _who(position: Position, seat: int) -> str:
    names = position.setup.names
    return f"seat {seat} ({names[seat - 1]})" if names and names[seat - 1] else f"seat {seat}"


def _checked(name: str, played: Replay, settlement: Any) -> list[str]:
    position = played.position
    number = len(position.actions)
    lines = [f"{_called(name)}: {number} {'action' if number == 1 else 'actions'}, all legal."]
    faults = position.faults()
    lines.append("Mistakes:" if faults else "No mistake that others could profit from.")
    for fault in faults:
        outcome = f"claimed by {_who(position, fault.claimed_by)}" if fault.claimed_by else "not claimed"
        line = played.line_of(fault.action)
        lines.append(f"  line {line}, {fault.code}: {_who(position, fault.seat)}, {_words(fault.cards)}, {outcome}")
    if settlement is None:
        assert position.to_act is not None
        lines.append(f"The deal is not over: {_who(position, position.to_act)} is to act.")
        return lines
    bonus = settlement["bonus"]
    lines += [
        f"The deal is over. The pot holds {settlement['pot']} stakes; its bonus of {bonus['stakes']} goes to "
        f"{_who(position, bonus['seat'])}.",
        "",
        "  seat  cards  staked  pays in  receives  net",
    ]
    for seat in settlement["seats"]:
        names = position.setup.names
        lines.append(
            f"  {seat['seat']:>4}  {seat['cards']:>5}  {seat['staked']:>6}  {seat['paid_in']:>7}"
            f"  {seat['received']:>8}  {signed(seat['net']):>3}  {names[seat['seat'] - 1] if names else ''}".rstrip()
        )
    totals = [
        sum(seat[key] for seat in settlement["seats"]) for key in ("cards", "staked", "paid_in", "received", "net")
    ]
    lines.append(f"   all  {totals[0]:>5}  {totals[1]:>6}  {totals[2]:>7}  {totals[3]:>8}  {totals[4]:>3}")
    return lines


def _possible(position: Position) -> list[str]:
    lines = []
    actions = position.legal_actions()
    if position.to_act is None:
        lines.append("The deal is over.")
    else:
        lines.append(f"To act is {_who(position, position.to_act)}:")
        lines += [f"  {action}" for action in actions if action.seat == position.to_act]
        others = [f"  {action}" for action in actions if action.seat != position.to_act]
        lines += ["Out of turn:", *others] if others else []
    for claim in position.claims():
        seats = ", ".join(_who(position, seat) for seat in claim.claimants)
        lines.append(
            f"{claim.code}: {_words(claim.cards)} may be claimed from {_who(position, claim.seat)} by {seats}."
        )
    lines += [notice.text for notice in position.notices()]
    unseen = ", ".join(f"{rank} {number}" for rank, number in position.unseen().items())
    lines.append(f"Still in hands, by rank: {unseen or 'none'}.")
    return lines
