"""``mournival check`` and ``mournival legal``: what the rules say of a deal record."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from assistant.accounts import Account, Counted, accounts_of
from assistant.cards import Card
from assistant.games.game import Claim, Fault, GameError, Position
from assistant.match import match_of, results_of
from assistant.people import people_at
from assistant.record import Replay, decode_record, parse_records, replay
from vision.plain_text import one_line
from web.cli import Unusable

LARGEST: Final = 1_000_000
"""Bytes that a record file may have."""
_DEALER_RULE: Final = {"laugh-and-lie-down": "LLD-3", "rolling-stone": "RST-4", "sbros": "SBR-2"}
"""By game, the rule that says who deals next."""


@click.command()
@click.argument("record")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a deal to standard output.")
def check(record: str, as_json: bool) -> None:
    """Replay a record: legal or not, faults, settlement.

    RECORD is a .deal file, or - for standard input. It may hold several deals, one after the other: each is checked,
    and the account is added up. Exit status: 0 legal, 1 an illegal action, 2 no usable record.
    """
    deals = replayed(record)
    several = f" of {len(deals)}" if len(deals) > 1 else ""
    right: list[Position] = []
    for number, played in enumerate(deals, 1):
        if several and not as_json:
            click.echo(f"{'' if number == 1 else chr(10)}Deal {number}{several}")
        try:
            settlement = None if played.error else played.position.settlement()
        except GameError as error:
            _refused(record, as_json, played.line_of(len(played.record.actions) - 1), "", error)
            continue
        if played.error is not None:
            stopped(record, as_json, played)
            continue
        right.append(played.position)
        if as_json:
            position = played.position
            faults = [_fault(played, fault) for fault in position.faults()]
            write_json({"ok": True, "over": position.over, "faults": faults, "settlement": settlement})
        else:
            click.echo("\n".join(_checked(record, played, settlement)))
    if several and not as_json:
        click.echo("\n".join(_account([position for position in right if position.over])))
    if len(right) < len(deals):
        raise SystemExit(1)


@click.command(short_help="Say what may be done now, and what has been missed.")
@click.argument("record")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
def legal(record: str, as_json: bool) -> None:
    """Say what may be done at the record's end, and what has been missed.

    RECORD is a .deal file, or - for standard input; of several deals the last one counts. Exit status: 0 done, 1 an
    illegal action in the record, 2 no usable record.
    """
    played = replayed(record)[-1]
    if played.error is not None:
        stopped(record, as_json, played)
        raise SystemExit(1)
    position = played.position
    if as_json:
        claims = [
            {"code": claim.code, "from": claim.seat, "cards": [str(card) for card in claim.cards]}
            for claim in _claims(position)
        ]
        write_json(
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


def _claims(position: Position) -> tuple[Claim, ...]:
    """What may be claimed; a record that has come to its end has been swept up."""
    return () if position.over else position.claims()


def replayed(name: str) -> list[Replay]:
    """The record's deals replayed. Raises Unusable where it can't be read."""
    try:
        return [replay(record) for record in parse_records(decode_record(_read(name)))]
    except GameError as error:
        raise Unusable(f"{called(name)}: {error.reason}") from None


def called(name: str) -> str:
    """What a record file is called in messages."""
    return "standard input" if name == "-" else one_line(name)


def _read(name: str) -> bytes:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            path = Path(name)
            if path.is_dir():
                raise Unusable(f"{called(name)}: a folder, not a deal record")
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise Unusable(f"{called(name)}: no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unusable(f"{called(name)}: can't be read ({reason})") from None
    if len(data) > LARGEST:
        raise Unusable(f"{called(name)}: larger than {LARGEST} bytes, so no deal record")
    return data


def stopped(name: str, as_json: bool, played: Replay) -> None:
    """Say at which action the rules stopped a replay."""
    assert played.error is not None
    assert played.failed is not None
    action = str(played.record.actions[played.failed])
    _refused(name, as_json, played.line_of(played.failed), action, played.error)


def _refused(name: str, as_json: bool, line: int, action: str, error: GameError) -> None:
    """Say what the rules refuse."""
    if as_json:
        write_json({"ok": False, "line": line, "action": action, "code": error.code, "reason": error.reason})
    else:
        rule = f" ({error.rule})" if error.rule else ""
        click.echo(f"{called(name)}, line {line}: {action}\nNot allowed{rule}: {error.reason}.")


def _fault(played: Replay, fault: Fault) -> dict[str, Any]:
    return {
        "line": played.line_of(fault.action),
        "code": fault.code,
        "seat": fault.seat,
        "cards": [str(card) for card in fault.cards],
        "claimed_by": fault.claimed_by,
    }


def write_json(value: dict[str, Any]) -> None:
    """Write one JSON object as a line of standard output."""
    click.echo(json.dumps(value, ensure_ascii=False))


def _words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def signed(net: float) -> str:
    """Stakes won or lost: ``+2``, ``-3``, and ``0`` without a sign."""
    return f"{net:+}" if net else "0"


def _name(position: Position, seat: int) -> str:
    return one_line(position.setup.names[seat - 1]) if position.setup.names else ""


def who(position: Position, seat: int) -> str:
    """A seat in words, with its name where it has one."""
    name = _name(position, seat)
    return f"seat {seat} ({name})" if name else f"seat {seat}"


def _checked(name: str, played: Replay, settlement: Any) -> list[str]:
    position = played.position
    number = len(position.actions)
    lines = [f"{called(name)}: {number} {'action' if number == 1 else 'actions'}, all legal."]
    faults = position.faults()
    lines.append("Mistakes:" if faults else "No mistake that others could profit from.")
    for fault in faults:
        outcome = f"claimed by {who(position, fault.claimed_by)}" if fault.claimed_by else "not claimed"
        line = played.line_of(fault.action)
        lines.append(f"  line {line}, {fault.code}: {who(position, fault.seat)}, {_words(fault.cards)}, {outcome}")
    if settlement is None:
        assert position.to_act is not None
        lines.append(f"The deal is not over: {who(position, position.to_act)} is to act.")
        return lines
    return lines + (_pot(position, settlement) if "pot" in settlement else _winners(position, settlement))


def _pot(position: Position, settlement: Any) -> list[str]:
    """A settlement in stakes, as a table with its sums."""
    bonus = settlement["bonus"]
    lines = [
        f"The deal is over. The pot holds {settlement['pot']} stakes; its bonus of {bonus['stakes']} goes to "
        f"{who(position, bonus['seat'])}.",
        "",
        "  seat  cards  staked  pays in  receives  net",
    ]
    for seat in settlement["seats"]:
        lines.append(
            f"  {seat['seat']:>4}  {seat['cards']:>5}  {seat['staked']:>6}  {seat['paid_in']:>7}"
            f"  {seat['received']:>8}  {signed(seat['net']):>3}  {_name(position, seat['seat'])}".rstrip()
        )
    totals = [
        sum(seat[key] for seat in settlement["seats"]) for key in ("cards", "staked", "paid_in", "received", "net")
    ]
    lines.append(f"   all  {totals[0]:>5}  {totals[1]:>6}  {totals[2]:>7}  {totals[3]:>8}  {totals[4]:>3}")
    return lines


def _winners(position: Position, settlement: Any) -> list[str]:
    """A settlement in points: who has won, and each seat's cards and score."""
    winners = [who(position, seat) for seat in settlement["winners"]]
    told = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}" if winners else "Nobody wins"
    lines = [f"The deal is over. {told[0].upper()}{told[1:]}.", "", "  seat  cards  score"]
    for seat in settlement["seats"]:
        score = round(seat["score"], 2)
        lines.append(f"  {seat['seat']:>4}  {seat['cards']:>5}  {score:>5}  {_name(position, seat['seat'])}".rstrip())
    return lines


def _account(deals: list[Position]) -> list[str]:
    """What several finished deals come to, who dealt out of turn, and for stakes whether all have dealt equally often.

    Only Laugh and Lie Down, the game for stakes, asks for whole rounds (LLD-27).
    """
    if not deals:
        return ["", "No deal is over, so there is no account."]
    try:
        match = match_of(deals)
    except GameError as error:
        return ["", f"No account: {error.reason}."]
    lines = ["", f"The account in {match.unit} after {len(deals)} {'deal' if len(deals) == 1 else 'deals'}:", ""]
    account, now = _by_person(deals), people_at(deals[-1].setup)
    sums = account.parts[0].money if len(account.parts) == 1 else None
    for person, total, money in zip(account.people, account.totals, sums or (None,) * len(account.people), strict=True):
        seat = str(now.index(person) + 1) if person in now else "-"
        amount = signed(round(total, 2)) if match.unit == "stakes" else str(round(total, 2))
        worth = "" if money is None else f"  {money:+.2f}"
        lines.append(f"  {seat:>4}  {amount:>6}{worth}  {one_line(person.name)}".rstrip())
    for number in match.out_of_turn:
        rule = f" ({_DEALER_RULE[match.game]})" if match.game in _DEALER_RULE else ""
        lines.append(f"Deal {number} was dealt out of turn{rule}.")
    if match.unit == "stakes" and not match.even:
        lines.append("Not everybody has dealt equally often yet, and the seats are not equally good (LLD-27).")
    return lines


def _by_person(deals: list[Position]) -> Account:
    """The account of deals that count alike: those at the table in the last deal by seat, then who else played. A deal
    without names was played by those of the last one."""
    last = deals[-1].setup
    counted = []
    for number, deal in enumerate(deals, 1):
        settlement = deal.settlement()
        assert settlement is not None
        people = people_at(replace(deal.setup, names=deal.setup.names or last.names))
        counted.append(Counted(number, deal.setup, results_of(settlement, last.players), people))
    (account,) = accounts_of(counted, people_at(last))
    return account


def _possible(position: Position) -> list[str]:
    lines = []
    actions = position.legal_actions()
    if position.to_act is None:
        lines.append("The deal is over.")
    else:
        lines.append(f"To act is {who(position, position.to_act)}:")
        lines += [f"  {action}" for action in actions if action.seat == position.to_act]
        others = [f"  {action}" for action in actions if action.seat != position.to_act]
        lines += ["Out of turn:", *others] if others else []
    for claim in _claims(position):
        seats = ", ".join(who(position, seat) for seat in claim.claimants)
        lines.append(f"{claim.code}: {_words(claim.cards)} may be claimed from {who(position, claim.seat)} by {seats}.")
    lines += [notice.text for notice in position.notices()]
    lines += [fact.text for fact in position.facts()]
    unseen = ", ".join(f"{rank} {number}" for rank, number in position.unseen().items())
    lines.append(f"Not seen yet, by rank: {unseen or 'none'}.")
    return lines
