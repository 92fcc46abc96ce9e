"""Journals of every older form are read, brought up to date and written on; those of a newer one are left alone.

``journals/schema-N.sql`` was written by the program of that time: a deal with a question, an undo and a redo, which is
in the account; four actions at another table; and the first table's next deal, after it was gone on with.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from assistant.session import resume
from assistant.session_events import ActionTaken
from tests.web.served import RECORD
from web.journal import FILE_NAME, SCHEMA, JournalError, SqliteJournal
from web.journal_form import STEPS, bring_up_to_date, version_of
from web.open_session import OpenSession

STORED = Path(__file__).parent / "journals"
FORMS = range(1, SCHEMA + 1)


def stored(form: int, folder: Path) -> Path:
    """A journal of an older form, as it lay on the disk."""
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        connection.executescript((STORED / f"schema-{form}.sql").read_text(encoding="utf-8"))
    return folder / FILE_NAME


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("form", FORMS)
def test_a_journal_of_every_form_is_read(tmp_path: Path, form: int, read_only: bool) -> None:
    stored(form, tmp_path)
    journal = SqliteJournal(tmp_path, read_only=read_only)
    assert (journal.verify(), journal.remark) == (40, "")
    assert [(one.session, one.began, one.deals, one.events) for one in journal.sessions()] == [
        (1, 1700000000.0, 2, 34),
        (2, 1700000031.0, 1, 6),
    ]
    first, other = resume(journal.entries(1)), resume(journal.entries(2))
    assert first.account == (-1, 0, -4, 5)
    assert first.deal is not None
    assert other.deal is not None
    assert [done.action for done in first.deal.done] == list(RECORD.actions[:1])
    assert [done.action for done in other.deal.done] == list(RECORD.actions[:4])
    assert other.deal.dealt_surely is False


@pytest.mark.parametrize("form", FORMS)
def test_a_journal_of_every_form_goes_on(tmp_path: Path, form: int) -> None:
    stored(form, tmp_path)
    session = OpenSession(SqliteJournal(tmp_path), RECORD.setup)
    assert session.resumed
    deal = session.state.deal
    assert deal is not None
    session.perform(lambda _: [ActionTaken(deal.position.legal_actions()[0])])
    journal = SqliteJournal(tmp_path)
    assert journal.verify() == 41
    assert resume(journal.entries()).deal == session.state.deal


def test_every_form_is_kept_as_an_example() -> None:
    assert sorted(path.name for path in STORED.iterdir()) == [f"schema-{form}.sql" for form in FORMS]


NEXT = (*STEPS, "CREATE TABLE note (text TEXT) STRICT;", "INSERT INTO note VALUES ('of form 3');")


@pytest.mark.parametrize("form", FORMS)
def test_later_steps_are_taken_one_after_the_other(tmp_path: Path, form: int) -> None:
    path = stored(form, tmp_path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        bring_up_to_date(connection, form, NEXT)
        assert version_of(connection, path, NEXT) == len(NEXT)
        assert connection.execute("SELECT text FROM note").fetchall() == [("of form 3",)]
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (40,)
    with pytest.raises(JournalError, match="newer mournival"):
        SqliteJournal(tmp_path)


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = stored(SCHEMA, tmp_path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.Error):
            bring_up_to_date(connection, SCHEMA, (*NEXT, "INSERT INTO nowhere VALUES (1);"))
        assert version_of(connection, path) == SCHEMA
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'note'").fetchall() == []
    assert SqliteJournal(tmp_path).verify() == 40


def test_an_event_of_a_kind_that_is_not_known_is_said_to_be_newer(tmp_path: Path) -> None:
    stored(SCHEMA, tmp_path)
    journal = SqliteJournal(tmp_path)
    journal._connection.executescript("DROP TRIGGER event_keep; UPDATE event SET kind = 'danced' WHERE seq = 7")
    with pytest.raises(JournalError, match="newer mournival: update the program") as error:
        journal.entries(1)
    assert "\n" not in str(error.value)
