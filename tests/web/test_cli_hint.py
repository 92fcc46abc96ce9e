"""``mournival hint``: output, JSON and exit status."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result

from web.cli import main

RECORD = """game: laugh-and-lie-down
players: 5
dealer: 1
table: QS QD QC 4H 5S 7S 8S 8D 9S TS JH KS
hand 3: 4S 4D JD 2H 2S 6C 6H AC

2 mate QH QS
"""


def run(*arguments: str, text: str = RECORD) -> Result:
    return CliRunner().invoke(main, ("hint", "-", *arguments), input=text)


def test_the_json_is_one_object_best_first() -> None:
    result = run("--seat", "3", "--json", "--samples", "40")
    assert (result.exit_code, result.stderr, result.stdout.count("\n")) == (0, "", 1)
    found = json.loads(result.stdout)
    assert set(found) == {"seat", "actions"}
    assert found["seat"] == 3
    assert {action["action"] for action in found["actions"]} == {
        "3 claim QD QC",
        "3 mate 4S 4H",
        "3 mate 4D 4H",
        "3 mate JD JH",
    }
    for action in found["actions"]:
        assert set(action) == {"action", "value", "spread", "samples", "exact", "why"}
        assert (action["samples"], action["exact"]) == (40, False)
    values = [action["value"] for action in found["actions"]]
    assert values == sorted(values, reverse=True)


def test_equal_seeds_give_equal_hints() -> None:
    assert run("--seat", "3", "--json").stdout == run("--seat", "3", "--json").stdout
    assert run("--seat", "3", "--json").stdout != run("--seat", "3", "--json", "--seed", "1").stdout


def test_the_list_is_good_to_read() -> None:
    plain = run("--seat", "3", "--samples", "40")
    assert plain.exit_code == 0
    assert plain.stdout.startswith("What seat 3 may do, by the result that it can expect:\n  3 claim QD QC")
    assert "no turn" in plain.stdout
    named = RECORD.replace("\n\n", "\nnames: Ann, Bo, Cy, Di, Ed\n\n")
    assert run("--seat", "3", "--samples", "40", text=named).stdout.startswith("What seat 3 (Cy) may do")


def test_a_seat_that_can_do_nothing_now_has_an_empty_list() -> None:
    out_of_turn = RECORD + "3 claim QD QC\n3 mate 4S 4H\n"
    result = run("--seat", "3", "--json", text=out_of_turn)
    assert (result.exit_code, json.loads(result.stdout)) == (0, {"seat": 3, "actions": []})
    assert run("--seat", "3", text=out_of_turn).stdout == "Seat 3 can do nothing now.\n"


def test_what_can_not_be_used_is_one_line_and_status_2() -> None:
    for seat, words in {"2": "the hand of seat 2 is not known", "9": "there is no seat 9", "x": "not a valid"}.items():
        result = run("--seat", seat, "--json")
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert words in result.stderr
    assert run().exit_code == 2
    assert run("--seat", "3", "--samples", "1").exit_code == 2


def test_an_illegal_record_ends_as_check_does() -> None:
    result = run("--seat", "3", "--json", text=RECORD + "4 mate KH KS\n")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["code"] == "not-your-turn"
