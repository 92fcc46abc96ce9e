"""``mournival check`` and ``mournival legal``: output, JSON and exit status."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from assistant.games import GAMES
from assistant.record import record_of
from tests.playouts import play_out, shuffled
from web.cli import main

DEALS = Path(__file__).parent.parent / "assistant"
HEADER = """game: laugh-and-lie-down
players: 5
dealer: 1
table: QS QD QC 4H 5S 7S 8S 8D 9S TS JH KS
"""
SHORT_TAKE = HEADER + "\n2 mate QH QS   # leaves two\n"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def as_json(*arguments: str, text: str | None = None, status: int = 0) -> Any:
    result = run(*arguments, "--json", text=text)
    assert result.exit_code == status
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def test_check_settles_a_deal() -> None:
    result = as_json("check", str(DEALS / "deal_1.deal"))
    assert set(result) == {"ok", "over", "faults", "settlement"}
    assert (result["ok"], result["over"], result["faults"]) == (True, True, [])
    settlement = result["settlement"]
    assert settlement["pot"] == 11
    assert settlement["bonus"] == {"seat": 3, "stakes": 5}
    assert settlement["seats"][0] == {"seat": 1, "cards": 16, "staked": 3, "paid_in": 0, "received": 4, "net": 1}
    assert sum(seat["net"] for seat in settlement["seats"]) == 0


def test_check_lists_faults_with_the_records_line() -> None:
    result = as_json("check", "-", text=SHORT_TAKE + "3 claim QD QC\n")
    fault = {"line": 6, "code": "C2", "seat": 2, "cards": ["QD", "QC"], "claimed_by": 3}
    assert result == {"ok": True, "over": False, "faults": [fault], "settlement": None}
    assert as_json("check", "-", text=SHORT_TAKE)["faults"][0]["claimed_by"] is None


def test_check_says_what_is_illegal_and_where() -> None:
    result = as_json("check", "-", text=HEADER + "\n\n2 mate KH QS\n", status=1)
    assert set(result) == {"ok", "line", "action", "code", "reason"}
    assert (result["ok"], result["line"], result["action"]) == (False, 7, "2 mate KH QS")
    assert result["code"] == "not-the-same-rank"
    plain = run("check", "-", text=HEADER + "\n\n2 mate KH QS\n")
    assert plain.exit_code == 1
    assert "line 7: 2 mate KH QS" in plain.stdout
    assert "LLD-13" in plain.stdout


def test_check_is_good_to_read() -> None:
    result = run("check", str(DEALS / "deal_3.deal"))
    assert result.exit_code == 0
    assert "28 actions, all legal" in result.stdout
    assert "The pot holds 9 stakes; its bonus of 3 goes to seat 1" in result.stdout
    assert [line.split()[-1] for line in result.stdout.splitlines()[-5:]] == ["+5", "+1", "-2", "-4", "0"]
    named = run("check", "-", text=HEADER + "names: Ann, Bo, Cy, Di, Ed\n2 mate QH QS\n4 claim QD QC\n")
    assert "line 6, C2: seat 2 (Bo), QD QC, claimed by seat 4 (Di)" in named.stdout
    assert "seat 3 (Cy) is to act" in named.stdout


def test_legal_lists_what_may_be_done_and_claimed() -> None:
    result = as_json("legal", "-", text=SHORT_TAKE)
    assert set(result) == {"to_act", "over", "actions", "claims", "notices", "unseen"}
    assert (result["to_act"], result["over"]) == (3, False)
    assert "3 mate K? KS" in result["actions"]
    assert {"3 mate 8? 8S", "3 mate 8? 8D"} <= set(result["actions"])
    assert not any("Q" in action for action in result["actions"])
    assert result["claims"] == [{"code": "C2", "from": 2, "cards": ["QD", "QC"]}]
    assert result["notices"][0]["code"] == "C2"
    assert set(result["notices"][0]) == {"code", "text"}
    assert result["unseen"]["8"] == 2
    assert "Q" not in result["unseen"]
    assert sum(result["unseen"].values()) == 39


def test_legal_with_hands_known_lists_lays_of_every_seat() -> None:
    record = "".join((DEALS / "deal_1.deal").read_text("utf-8").partition("\n2 mate")[:1])
    result = as_json("legal", "-", text=record)
    assert "2 mate 4S 4H" in result["actions"]
    assert "1 take" not in " ".join(result["actions"])
    assert result["to_act"] == 2
    early = as_json("legal", "-", text=record.replace("1 lay AS AD", ""))
    assert {"1 lay AS AD", "1 lay AS AC", "1 lay AD AC"} <= set(early["actions"])


def test_legal_at_the_end_of_a_deal() -> None:
    result = as_json("legal", str(DEALS / "deal_1.deal"))
    assert (result["to_act"], result["over"], result["actions"], result["claims"]) == (None, True, [], [])
    assert result["unseen"] == {"K": 1}
    plain = run("legal", str(DEALS / "deal_1.deal"))
    assert plain.exit_code == 0
    assert plain.stdout.startswith("The deal is over.")


ALL_BUT_ONE_LIE_DOWN = """game: laugh-and-lie-down
players: 3
dealer: 1
table: QS QD QC 2S 2H 2D 2C 3S 3H 3D
hand 1: 4S 4H 4D 4C 5S 5H 5D 5C 6S 6H 6D 6C 7S 7H
hand 2: QH 7D 7C 8S 8H 8D 8C 9S 9H 9D 9C TS TH TD
1 take 2S 2H 2D 2C
2 mate QH QS
3 mate 3C 3S 3H 3D
1 lie-down 4S 4H 4D 4C 5S 5H 5D 5C 6S 6H 6D 6C 7S 7H
"""


def test_legal_lists_no_claims_after_the_end_though_they_were_open_before() -> None:
    before = as_json("legal", "-", text=ALL_BUT_ONE_LIE_DOWN)
    assert {claim["code"] for claim in before["claims"]} == {"C2", "C5"}
    ended = as_json("legal", "-", text=ALL_BUT_ONE_LIE_DOWN + "2 mate 7D 7S\n3 lie-down" + " ??" * 13 + "\n")
    assert (ended["over"], ended["actions"], ended["claims"]) == (True, [], [])


def test_legal_is_good_to_read() -> None:
    plain = run("legal", "-", text=SHORT_TAKE).stdout
    assert plain.startswith("To act is seat 3:\n  3 mate 4? 4H\n")
    assert "C2: QD QC may be claimed from seat 2 by seat 3, seat 4, seat 5, seat 1" in plain


def test_legal_of_an_illegal_record_ends_as_check_does() -> None:
    assert as_json("legal", "-", text=HEADER + "3 mate KH KS\n", status=1)["code"] == "not-your-turn"


DEAL_1 = (DEALS / "deal_1.deal").read_text("utf-8")


def test_several_deals_are_checked_one_by_one(tmp_path: Path) -> None:
    evening = tmp_path / "evening.deal"
    evening.write_text(DEAL_1 + SHORT_TAKE + DEAL_1, "utf-8")
    result = run("check", str(evening), "--json")
    assert result.exit_code == 0
    deals = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(deal["ok"], deal["over"]) for deal in deals] == [(True, True), (True, False), (True, True)]
    assert deals[1]["faults"][0]["line"] == DEAL_1.count("\n") + 6
    assert deals[0] == deals[2] == as_json("check", str(DEALS / "deal_1.deal"))
    last = as_json("legal", "-", text=DEAL_1 + SHORT_TAKE)
    assert (last["to_act"], last["over"]) == (3, False)


def test_one_wrong_deal_of_several_makes_the_record_wrong() -> None:
    wrong = HEADER + "2 mate KH QS\n"
    result = run("check", "-", "--json", text=DEAL_1 + wrong + DEAL_1)
    assert result.exit_code == 1
    deals = [json.loads(line) for line in result.stdout.splitlines()]
    assert [deal["ok"] for deal in deals] == [True, False, True]
    assert (deals[1]["line"], deals[1]["code"]) == (DEAL_1.count("\n") + 5, "not-the-same-rank")
    unreadable = run("check", "-", "--json", text=DEAL_1 + HEADER + "colour: red\n")
    assert (unreadable.exit_code, unreadable.stdout) == (2, "")


def test_several_deals_are_added_up() -> None:
    result = run("check", "-", text=DEAL_1.replace("dealer: 1", "dealer: 1\noptions: stake_value=0.50") * 2)
    assert result.exit_code == 0
    told = result.stdout[result.stdout.index("The account") :].splitlines()
    assert told[0] == "The account in stakes after 2 deals:"
    assert [line.split() for line in told[2:7]] == [
        ["1", "+2", "+1.00"],
        ["2", "0", "+0.00"],
        ["3", "+12", "+6.00"],
        ["4", "-8", "-4.00"],
        ["5", "-6", "-3.00"],
    ]
    assert told[7:] == [
        "Deal 2 was dealt out of turn (LLD-3).",
        "Not everybody has dealt equally often yet, and the seats are not equally good (LLD-27).",
    ]
    assert "no account" in run("check", "-", text=SHORT_TAKE * 2).stdout


def test_who_changes_seats_between_two_deals_takes_along_what_was_won() -> None:
    first, second = "dealer: 1\nnames: Ann, Ben, Cleo, Dan, Eve", "dealer: 1\nnames: Ben, Ann, Cleo, Dan, Fay"
    text = DEAL_1.replace("dealer: 1", first) + DEAL_1.replace("dealer: 1", second)
    told = run("check", "-", text=text).stdout
    rows = [line.split() for line in told[told.index("The account") :].splitlines()[2:8]]
    assert rows == [
        *(["1", "+1", "Ben"], ["2", "+1", "Ann"], ["3", "+12", "Cleo"]),
        *(["4", "-8", "Dan"], ["5", "-3", "Fay"], ["-", "-3", "Eve"]),
    ]


def finished(game: str, players: int, **options: str) -> str:
    chance = random.Random(game)
    *_, last = play_out(GAMES[game], shuffled(GAMES[game], players, chance, options), chance, faults=False)
    return record_of(last).text()


@pytest.mark.parametrize(("game", "players", "rule"), [("rolling-stone", 4, "RST-4"), ("sbros", 2, "SBR-2")])
def test_who_dealt_out_of_turn_is_told_by_the_rule_of_the_game(game: str, players: int, rule: str) -> None:
    told = run("check", "-", text=finished(game, players) * 2).stdout
    assert told.endswith(f"\nDeal 2 was dealt out of turn ({rule}).\n")
    assert "The account in points after 2 deals:" in told
    assert "LLD-" not in told[told.index("The account") :]


def test_rst_14_points_and_cards_left_are_not_added_up() -> None:
    deals = finished("rolling-stone", 4, score="points") + finished("rolling-stone", 4, score="cards_left")
    result = run("check", "-", text=deals)
    assert result.exit_code == 0
    why = "a match with score=points has no deal with score=cards_left: begin another match"
    assert result.stdout.endswith(f"\nNo account: {why}.\n")


@pytest.mark.parametrize("command", ["check", "legal"])
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_what_can_not_be_used_is_one_line_and_status_2(command: str, flags: list[str], tmp_path: Path) -> None:
    binary = tmp_path / "picture.deal"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    large = tmp_path / "large.deal"
    large.write_bytes(b"#" * 1_000_001)
    other = tmp_path / "whist.deal"
    other.write_text("game: whist\nplayers: 2\ndealer: 1\ntable: TS 3H\n2 cover TH 3D\n", "utf-8")
    empty = tmp_path / "empty.deal"
    empty.write_bytes(b"")
    unknown = tmp_path / "unknown.deal"
    unknown.write_text(HEADER + "colour: red\n", "utf-8")
    for name, words in {
        str(tmp_path / "none.deal"): "no such file",
        str(tmp_path): "a folder",
        str(binary): "line 1, column 1: the text is not UTF-8",
        str(large): "larger than",
        str(other): "no game 'whist'",
        str(empty): "no 'game'",
        str(unknown): "line 5, column 1: unknown key 'colour'",
        "a\0b": "can't be read",
    }.items():
        result = run(command, name, *flags)
        assert result.exit_code == 2, name
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
        assert words in result.stderr


def test_the_command_loads_neither_networks_nor_flask() -> None:
    program = (
        "import sys, click.testing, web.cli\n"
        f"result = click.testing.CliRunner().invoke(web.cli.main, ['check', {str(DEALS / 'deal_1.deal')!r}])\n"
        "heavy = {'cv2', 'flask', 'onnxruntime', 'torch', 'numpy'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or result.exit_code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
