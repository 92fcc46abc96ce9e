from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from click.testing import CliRunner

from assistant import session as deciding
from assistant.games.game import Setup
from assistant.record import Record, records_text
from assistant.session import EMPTY, advance, resume
from assistant.session_events import (
    Answered,
    Asked,
    DealAbandoned,
    DealBegun,
    SessionBegun,
    SessionEvent,
    event_to_json,
)
from tests.web.served import RECORD, Served
from web.cli.journal import journal as journal_command
from web.journal import FolderLock, SqliteJournal
from web.journal_import import REFERENCES
from web.open_session import OpenSession
from web.page_state import page_state

LINES = [str(action) for action in RECORD.actions]


def run(*arguments: str, given: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(journal_command, list(arguments), input=given)
    assert isinstance(result.exception, SystemExit | None)
    return result.exit_code, result.stdout, result.stderr


def eventful(folder: Path) -> list[dict[str, object]]:
    """What is exported of a session in which later events name earlier ones, stored after another session."""
    OpenSession(SqliteJournal(folder), Setup("sbros", 2, 1), place="demo")
    served = Served(folder)
    served.begin()
    served.play(0, 3)
    served.write(Asked(((RECORD.actions[3],), (RECORD.actions[4],)), "Which?"))
    served.session.perform(lambda now: deciding.answer(now, now.seq, 0))
    served.session.perform(deciding.undo)
    served.session.perform(deciding.redo)
    served.session.perform(lambda now: deciding.correct(now, str(RECORD.setup.table[0]), "AS"))
    served.session.perform(deciding.undo)
    OpenSession(SqliteJournal(folder), Setup("sbros", 2, 1), place="demo")
    served.close()
    served = Served(folder)
    served.play(4)
    served.session.perform(deciding.next_deal)
    served.close()
    code, out, _ = run("export", "2", "--json", "--data", str(folder))
    assert code == 0
    return [json.loads(line) for line in out.splitlines()]


def written(events: list[dict[str, object]]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    return eventful(tmp_path_factory.mktemp("exported"))


@pytest.mark.parametrize("as_json", [False, True])
def test_hands_of_a_deal_that_is_not_over_are_left_out(tmp_path: Path, as_json: bool) -> None:
    text = Record(RECORD.setup, RECORD.actions[:3]).text()
    assert "hand 2: " in text
    if as_json:
        begun = DealBegun(RECORD.setup)
        _, entries = advance(EMPTY, (SessionBegun(replace(RECORD.setup, table=(), hands={})), begun))
        text = written([{"seq": e.seq, "deal": e.deal, "kind": e.kind, **event_to_json(e.event)} for e in entries])
    (tmp_path / "running").write_text(text, encoding="utf-8")
    code, out, err = run("import", str(tmp_path / "running"), "--data", str(tmp_path / "data"))
    assert (code, err) == (0, ""), out
    state = resume(SqliteJournal(tmp_path / "data").entries())
    assert state.deal is not None
    assert state.deal.position.setup == replace(RECORD.setup, hands={})
    assert len(state.deal.done) == (0 if as_json else 3)


def test_so_are_those_of_a_deal_that_was_given_up_and_may_be_taken_up_again(tmp_path: Path) -> None:
    session = SessionBegun(replace(RECORD.setup, table=(), hands={}))
    _, entries = advance(EMPTY, (session, DealBegun(RECORD.setup), DealAbandoned("dealt again")))
    (tmp_path / "given-up").write_text(
        written([{"seq": e.seq, "deal": e.deal, "kind": e.kind, **event_to_json(e.event)} for e in entries]), "utf-8"
    )
    code, out, err = run("import", str(tmp_path / "given-up"), "--data", str(tmp_path / "data"))
    assert (code, err) == (0, ""), out
    state = resume(SqliteJournal(tmp_path / "data").entries())
    again, _ = advance(state, deciding.undo(state))
    assert again.deal is not None
    assert again.deal.position.setup.hands == {}


def test_hands_in_a_deal_that_runs_already_are_told_to_nobody_before_its_end(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.session.perform(lambda now: (DealBegun(RECORD.setup),))
    without = Served(tmp_path / "without")
    without.session.perform(lambda now: (DealBegun(replace(RECORD.setup, hands={})),))
    for number in range(len(RECORD.actions)):
        for page in (served, without):
            page.play(number, number + 1)
        if served.deal.position.over:
            break
        told, due = (page_state(page.state) for page in (served, without))
        assert told == due
        assert b"hand " not in served.get("/api/record.deal")[1]
        assert b"hand " not in served.get("/api/deals/1/record.deal")[1]
    assert served.deal.position.over
    assert b"hand 2: " in served.get("/api/record.deal")[1]
    for page in (served, without):
        page.close()


def test_what_was_exported_is_imported_as_it_was(tmp_path: Path, exported: list[dict[str, object]]) -> None:
    (tmp_path / "evening.jsonl").write_text(written(exported), encoding="utf-8")
    data = ("--data", str(tmp_path / "data"))
    code, out, err = run("import", str(tmp_path / "evening.jsonl"), *data)
    count = sum(event["kind"] != "session-resumed" for event in exported)
    assert (code, out, err) == (0, f"Imported as session 1: 1 deal, {count} events.\n", "")
    state = resume(SqliteJournal(tmp_path / "data").entries())
    assert state.closed[0].nets == (-1, 0, -4, 5)
    assert [line for line in run("export", *data)[1].splitlines() if line[:1].isdigit()] == LINES
    assert run("verify", *data)[0] == 0
    again = run("export", "--json", *data)[1]
    assert run("import", "-", "--data", str(tmp_path / "third"), given=again)[0] == 0
    assert run("export", "--json", "--data", str(tmp_path / "third"))[1] == again


def test_a_deal_that_was_opened_again_is_exported_and_imported_as_it_became(tmp_path: Path) -> None:
    served = Served(tmp_path)
    for _ in range(2):
        served.begin()
        served.play()
        served.session.perform(deciding.next_deal)
    served.begin()
    served.play(0, 2)
    served.session.perform(lambda now: deciding.reopen(now, 1))
    served.session.perform(lambda now: deciding.undo(now, served.deal.done[0].seq))
    state = served.state
    served.close()
    data, other = ("--data", str(tmp_path)), ("--data", str(tmp_path / "other"))
    told = run("export", *data)[1]
    assert [line for line in told.splitlines() if line.startswith("#")] == [f"# session 1, deal {n}" for n in (1, 2, 3)]
    assert run("verify", *data)[0] == 0
    assert run("import", "-", *other, given=run("export", "--json", *data)[1])[0] == 0
    again = resume(SqliteJournal(tmp_path / "other").entries())
    assert replace(again, place=state.place) == state
    assert [deal.number for deal in again.aside] == [3]


def test_an_imported_session_does_not_take_the_table(tmp_path: Path, exported: list[dict[str, object]]) -> None:
    served = Served(tmp_path)
    served.begin()
    before = served.state
    served.close()
    assert run("import", "-", "--data", str(tmp_path), given=written(exported))[0] == 0
    journal = SqliteJournal(tmp_path)
    assert [one.session for one in journal.sessions()] == [1, 2]
    assert resume(journal.entries(2)).closed[0].nets == (-1, 0, -4, 5)
    going_on = OpenSession(journal, RECORD.setup)
    assert going_on.resumed
    assert going_on.state.deal == before.deal
    assert journal.verify() == journal.seq


def test_deal_records_are_imported_with_their_account(tmp_path: Path) -> None:
    path = tmp_path / "evening.deal"
    path.write_text(records_text([RECORD, RECORD]) + f"\n{RECORD.text().split(LINES[2])[0]}", encoding="utf-8")
    data = ("--data", str(tmp_path / "data"))
    code, out, _ = run("import", str(path), *data)
    assert (code, out.split(",")[0]) == (0, "Imported as session 1: 3 deals")
    state = resume(SqliteJournal(tmp_path / "data").entries())
    assert state.account == (-2, 0, -8, 10)
    assert state.deal is not None
    assert [str(done.action) for done in state.deal.done] == LINES[:2]


Change = Callable[[list[dict[str, object]]], object]


def at(kind: str) -> Callable[[list[dict[str, object]]], dict[str, object]]:
    return lambda events: next(event for event in events if event["kind"] == kind)


def unsure(events: list[dict[str, object]]) -> None:
    """A deal that has a doubt, and is told to be sure."""
    next(one for one in events if one["kind"] == "action" and one["deal"] == 1)["sure"] = False


REFUSED: list[tuple[Change, str]] = [
    (lambda events: at("action")(events).update(action="1 mate KH QS"), "line 3"),
    (lambda events: at("action")(events).update(deal=2), "this is deal 1"),
    (lambda events: at("action")(events).update(seq=1), "comes after"),
    (lambda events: at("undone")(events).update(target=999), "event 999"),
    (lambda events: at("deal-closed")(events).update(nets=[5, -4, 0, -1]), "results are -1, +0, -4, +5"),
    (lambda events: at("session-begun")(events).update(players=9), "line 1"),
    (lambda events: at("session-begun")(events).update(game="bridge"), "line 1"),
    (lambda events: events.pop(0), "line 1"),
    (lambda events: events.pop(1), "line 2"),
    (lambda events: events.extend([dict(events[0], seq=999)]), "one at a time"),
    (unsure, "not sure"),
]
UNREADABLE: list[tuple[Change, str]] = [
    (lambda events: at("action")(events).update(action=7), "line 3"),
    (lambda events: at("action")(events).update(confidence="much"), "line 3"),
    (lambda events: at("action")(events).update(changes=[5]), "line 3"),
    (lambda events: at("deal-begun")(events).update(hands=[]), "line 2"),
    (lambda events: at("action")(events).update(sure="yes"), "'sure'"),
    (lambda events: at("action")(events).update(colour="red"), "'colour'"),
    (lambda events: at("action")(events).update(kind="dance"), "'dance'"),
    (lambda events: at("action")(events).update(by="\ud800"), "can't be stored"),
    (lambda events: at("action")(events).update(t=float("nan")), "NaN"),
    (lambda events: at("undone")(events).update(target="x"), "line"),
    (lambda events: at("answered")(events).update(question="x"), "'question'"),
    (lambda events: at("answered")(events).update(choice="x"), "'choice'"),
    (lambda events: events[0].pop("kind"), "'kind'"),
]


@pytest.mark.parametrize(
    ("change", "says", "status"), [(*one, 1) for one in REFUSED] + [(*one, 2) for one in UNREADABLE]
)
def test_what_is_refused_is_told_with_its_line_and_nothing_is_written(
    tmp_path: Path, exported: list[dict[str, object]], change: Change, says: str, status: int
) -> None:
    events = json.loads(json.dumps(exported))
    change(events)
    code, out, err = run("import", "-", "--data", str(tmp_path / "data"), given=written(events))
    assert (code, out) == (status, "")
    assert says in err
    assert "line " in err
    assert err.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("", 2, "nothing"),
        ("[1, 2]\n", 2, "line 1"),
        ("{broken\n", 2, "line 1"),
        ('{"seq": 1}\n', 2, "line 1"),
        ('{"a":' * 9000 + "\n", 2, "line 1"),
        ("hello\n", 2, "line 1"),
        (RECORD.text().replace("dealer:", "dealt by:"), 2, "line 3"),
        (RECORD.text().replace("dealer: 1", "dealer: 9"), 2, "line 3"),
        (RECORD.text().replace(LINES[3], "3 mate KH QS"), 1, "line"),
        (records_text([RECORD]).split(LINES[-1])[0] + RECORD.text(), 1, "not over"),
        (RECORD.text() + RECORD.text().replace("players: 4", "players: 5"), 2, "line"),
        (b"game: caf\xe9\n".decode("latin-1"), 2, "line 1"),
    ],
)
def test_what_is_no_session_is_refused_in_one_line(tmp_path: Path, text: str, status: int, says: str) -> None:
    code, out, err = run("import", "-", "--data", str(tmp_path / "data"), given=text)
    assert (code, out) == (status, ""), err
    assert says in err
    assert err.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_a_file_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"game: caf\xe9\n")
    for name in ("nowhere", ".", "latin"):
        code, _, err = run("import", str(tmp_path / name), "--data", str(tmp_path / "data"))
        assert code == 2
        assert err.count("\n") == 1


def test_nothing_is_imported_while_a_program_plays(tmp_path: Path, exported: list[dict[str, object]]) -> None:
    lock = FolderLock(tmp_path)
    code, _, err = run("import", "-", "--data", str(tmp_path), given=written(exported))
    lock.release()
    assert code == 2
    assert "another mournival" in err


def test_an_import_knows_every_number_that_an_event_may_hold() -> None:
    """A kind of event that names others by a new name would be imported with the old numbers."""
    known = {*REFERENCES, "choice", "number", "session", "undo"}  # the last four count something else
    numbers = {
        name
        for kind in get_args(SessionEvent)
        for name, what in get_type_hints(kind).items()
        if what in (int, int | None) and name in {field.name for field in fields(kind)}
    }
    assert numbers <= known
    assert event_to_json(Answered(3, None)) == {"question": 3, "choice": None}
