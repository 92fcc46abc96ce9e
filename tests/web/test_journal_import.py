from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from click.testing import CliRunner

from assistant import session as deciding
from assistant.games.game import Setup
from assistant.record import records_text
from assistant.session import resume
from assistant.session_events import Answered, Asked, SessionEvent, event_to_json
from tests.web.served import RECORD, Served
from web.cli.journal import journal as journal_command
from web.journal import FolderLock, SqliteJournal
from web.journal_import import REFERENCES
from web.open_session import OpenSession

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


REFUSED: list[tuple[Change, str]] = [
    (lambda events: at("action")(events).update(action="1 mate KH QS"), "line 3"),
    (lambda events: at("action")(events).update(action=7), "line 3"),
    (lambda events: at("action")(events).update(confidence="much"), "line 3"),
    (lambda events: at("action")(events).update(changes=[5]), "line 3"),
    (lambda events: at("deal-begun")(events).update(hands=[]), "line 2"),
    (lambda events: at("action")(events).update(sure="yes"), "'sure'"),
    (lambda events: at("action")(events).update(colour="red"), "'colour'"),
    (lambda events: at("action")(events).update(kind="dance"), "'dance'"),
    (lambda events: at("action")(events).update(by="\ud800"), "can't be stored"),
    (lambda events: at("action")(events).update(t=float("nan")), "NaN"),
    (lambda events: at("action")(events).update(deal=2), "this is deal 1"),
    (lambda events: at("action")(events).update(seq=1), "comes after"),
    (lambda events: at("undone")(events).update(target=999), "event 999"),
    (lambda events: at("undone")(events).update(target="x"), "line"),
    (lambda events: at("answered")(events).update(question="x"), "'question'"),
    (lambda events: at("answered")(events).update(choice="x"), "'choice'"),
    (lambda events: at("deal-closed")(events).update(nets=[5, -4, 0, -1]), "results are -1, +0, -4, +5"),
    (lambda events: at("session-begun")(events).update(players=9), "line 1"),
    (lambda events: at("session-begun")(events).update(game="bridge"), "line 1"),
    (lambda events: events.pop(0), "line 1"),
    (lambda events: events.pop(1), "line 2"),
    (lambda events: events.extend([dict(events[0], seq=999)]), "one at a time"),
]


@pytest.mark.parametrize(("change", "says"), REFUSED)
def test_what_the_rules_refuse_is_told_with_its_line_and_nothing_is_written(
    tmp_path: Path, exported: list[dict[str, object]], change: Change, says: str
) -> None:
    events = json.loads(json.dumps(exported))
    change(events)
    code, out, err = run("import", "-", "--data", str(tmp_path / "data"), given=written(events))
    assert (code, out) == (1, "")
    assert says in err
    assert "line " in err
    assert err.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("", 1, "nothing"),
        ("[1, 2]\n", 1, "line 1"),
        ("{broken\n", 1, "line 1"),
        ('{"seq": 1}\n', 1, "line 1"),
        ('{"a":' * 9000 + "\n", 1, "line 1"),
        ("hello\n", 1, "line 1"),
        (RECORD.text().replace(LINES[3], "3 mate KH QS"), 1, "line"),
        (records_text([RECORD]).split(LINES[-1])[0] + RECORD.text(), 1, "not over"),
        (RECORD.text() + RECORD.text().replace("players: 4", "players: 5"), 1, "line"),
        (b"game: caf\xe9\n".decode("latin-1"), 1, "line 1"),
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
    known = {*REFERENCES, "choice", "session", "undo"}  # the last three count something else
    numbers = {
        name
        for kind in get_args(SessionEvent)
        for name, what in get_type_hints(kind).items()
        if what in (int, int | None) and name in {field.name for field in fields(kind)}
    }
    assert numbers <= known
    assert event_to_json(Answered(3, None)) == {"question": 3, "choice": None}
