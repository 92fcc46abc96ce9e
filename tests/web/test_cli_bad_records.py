"""Records that are damaged or wrong, on the command line: the line, the column, the reason, the exit status."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from web.cli import main

HEADER = """game: laugh-and-lie-down
players: 5
dealer: 1
table: QS QD QC 4H 5S 7S 8S 8D 9S TS JH KS
"""


def run(command: str, data: bytes, *flags: str) -> Result:
    return CliRunner().invoke(main, [command, "-", *flags], input=data)


@pytest.mark.parametrize("command", ["check", "legal"])
@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (HEADER.replace("QD", "QS").encode(), "line 4, column 11", "QS is there twice"),
        ((HEADER + "hand 2: QH 4S\n").encode(), "line 5, column 9", "each is dealt 8 cards, but seat 2 has 2"),
        ((HEADER + "mate QH QS\n").encode(), "line 5, column 1", "'mate' starts neither"),
        ((HEADER + "9 mate QH QS\n").encode(), "line 5, column 1", "there is no seat 9"),
        ((HEADER + "2 grab QH QS\n").encode(), "line 5, column 3", "has no 'grab'"),
        ((HEADER + "2 mate QX QS\n").encode(), "line 5, column 8", "'QX' is no card"),
        ((HEADER + "2 mate QH QS\n" * 10_000).encode(), "line 5001, column 1", "at most 5000 lines"),
        ((HEADER + "2 mate QH\0QS\n").encode(), "line 5, column 10", "no text (code 0)"),
        (HEADER.encode("utf-16"), "line 1, column 1", "not UTF-8"),
        ((HEADER + "names: Zo\xeb, B, C, D, E\n").encode("latin-1"), "line 5, column 10", "not UTF-8"),
        ((HEADER + "colour: red\n").encode(), "line 5, column 1", "unknown key 'colour'"),
        ((HEADER + "2 mate QH QS\n" + HEADER.replace("KS", "KX")).encode(), "line 9, column 41", "'KX' is no card"),
    ],
)
def test_what_can_not_be_read_is_told_with_its_place(command: str, data: bytes, place: str, words: str) -> None:
    for flags in ((), ("--json",)):
        result = run(command, data, *flags)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith(f"mournival: standard input: {place}: ")
        assert words in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("lines", "line", "code"),
    [
        ("2 mate QH QS\n3 mate QH QD\n", 6, "not-in-hand"),
        ("3 mate KH KS\n", 5, "not-your-turn"),
        ("2 lie-down ?? ?? ?? ?? ?? ?? ?? ??\n2 mate KH KS\n", 6, "lies-down-already"),
        ("2 mate ?? ??\n", 5, "rank-needed"),
        ("2 mate KH KS\n# a comment\n\n3 lay AS\n", 8, "two-or-four"),
    ],
)
def test_what_the_rules_refuse_is_told_with_its_line(lines: str, line: int, code: str) -> None:
    for command in ("check", "legal"):
        result = run(command, (HEADER + lines).encode(), "--json")
        assert result.exit_code == 1
        refused = json.loads(result.stdout)
        assert (refused["ok"], refused["line"], refused["code"]) == (False, line, code)
        assert refused["action"] == lines.split("\n")[line - 5]
        plain = run(command, (HEADER + lines).encode())
        assert plain.exit_code == 1
        assert f"line {line}: " in plain.stdout
        assert plain.stderr == ""


def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm() -> None:
    text = (HEADER + "2 mate QH QS\n").replace("\n", "\r\n")
    for data in (text.encode("utf-8-sig"), text.replace("\r\n", "\r").encode()):
        assert json.loads(run("check", data, "--json").stdout)["faults"][0]["line"] == 5
