"""What is no record is refused in one line that names the line, the column and the reason."""

from __future__ import annotations

import pytest

from assistant.record import InvalidRecord, Record, decode_record, parse_record, replay
from tests.assistant.laugh_deals import LAUGH, dealt

HEADER = f"game: {LAUGH}\nplayers: 5\ndealer: 1\ntable: 2S 2C 3S 4H 5S 7S 8S 8D 8C TS JH KS\n"


def refusal(text: str) -> InvalidRecord:
    with pytest.raises(InvalidRecord) as caught:
        replay(parse_record(text))
    assert "\n" not in caught.value.reason
    assert len(caught.value.reason) < 300
    return caught.value


STONE = "game: rolling-stone\nplayers: 4\ndealer: 1\n"
SBROS = "game: sbros\nplayers: 2\ndealer: 1\ntable: TS 3H\n"
HAND = "hand 2: 4S 5D 7D 7C 8H TD QD KH\n"


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "words"),
    [
        ("", "missing-key", 1, 1, "no 'game'"),
        ("players: 5\ndealer: 1\n", "missing-key", 1, 1, "'game'"),
        ("game: whist\nplayers: 5\ndealer: 1\n", "unknown-game", 1, 7, "there is no game 'whist'"),
        (HEADER + "colour: red\n", "unknown-key", 5, 1, "unknown key 'colour'"),
        (HEADER + "  hands 2: 4S\n", "unknown-key", 5, 3, ""),
        (HEADER + "hand SEAT: 4S\n", "unknown-key", 5, 1, ""),
        (HEADER + "dealer: 2\n", "key-twice", 5, 1, "'dealer' is there twice, first in line 3"),
        (HEADER + "hand 02: 4S\nhand 2: 5D\n", "key-twice", 6, 1, ""),
        (HEADER.replace("players: 5", "players: five"), "bad-number", 2, 10, ""),
        (HEADER.replace("players: 5", "players: \N{SUPERSCRIPT TWO}"), "bad-number", 2, 10, ""),
        (HEADER.replace("players: 5", "players: " + "9" * 5000), "bad-number", 2, 10, ""),
        (HEADER.replace("players: 5", "players:"), "missing-value", 2, 9, ""),
        (HEADER.replace("players: 5", "players: 7"), "bad-players", 2, 10, ""),
        (HEADER.replace("players: 5", "players: 2"), "bad-players", 2, 10, ""),
        (HEADER.replace("dealer: 1", "dealer: 6"), "bad-dealer", 3, 9, ""),
        (HEADER.replace("dealer: 1", "dealer: 0"), "bad-dealer", 3, 9, ""),
        (HEADER.replace("2S 2C", "2S 2X"), "bad-card", 4, 11, "'2X'"),
        (HEADER.replace("2S 2C", "2S 2S"), "card-twice", 4, 11, "2S"),
        (HEADER.replace("2S 2C", "2S"), "wrong-table-size", 4, 8, ""),
        (HEADER + HAND.replace("4S", "KS"), "card-twice", 5, 9, "KS is there twice: in 'table' and in 'hand 2'"),
        (HEADER + HAND.replace("4S ", ""), "wrong-hand-size", 5, 9, ""),
        (HEADER + HAND.replace("4S", "4S 9S"), "wrong-hand-size", 5, 9, ""),
        (HEADER + HAND + HAND.replace("2:", "3:").replace("4S", "?? "), "card-twice", 6, 13, ""),
        (HEADER + "hand 6: 4S\n", "no-such-seat", 5, 9, ""),
        (HEADER + "options: prial_grab=one\n", "unknown-option", 5, 10, "there is no option 'prial_grab'"),
        (HEADER + "options: help=silent, prial_take=two\n", "bad-option", 5, 23, "option prial_take"),
        (HEADER + "options: help=silent,  prial_grab=one\n", "unknown-option", 5, 24, "no option 'prial_grab'"),
        (HEADER + "options: stake_value=x, prial_grab=one\n", "bad-option", 5, 10, "one stake is worth an amount"),
        (STONE + "options: score=points, lead_bar=off, stop=off\n", "endless", 4, 38, "choose a stop"),
        (STONE + "options: players=3\n", "bad-option", 4, 10, "for three players"),
        (SBROS + "options: merge=own, m2_step=far\n", "bad-option", 5, 21, "option m2_step"),
        (HEADER + "options: help=silent, loud\n", "bad-option", 5, 23, "'loud'"),
        (HEADER + "options: help=silent, help=coach\n", "option-twice", 5, 23, ""),
        (HEADER + "names: Ann, Bo\n", "bad-names", 5, 8, ""),
        (HEADER + "lie-down\n", "bad-line", 5, 1, ""),
        (HEADER + "2\n", "bad-action", 5, 2, ""),
        (HEADER + "2nd mate 4S 4H\n", "bad-action", 5, 1, ""),
        (HEADER + "99999 mate 4S 4H\n", "bad-action", 5, 1, ""),
        (HEADER + "6 mate 4S 4H\n", "no-such-seat", 5, 1, ""),
        (HEADER + "0 mate 4S 4H\n", "no-such-seat", 5, 1, ""),
        (HEADER + "2 grab 4S 4H\n", "unknown-verb", 5, 3, "laugh-and-lie-down has no 'grab'"),
        (HEADER + "2 play 4S\n", "unknown-verb", 5, 3, ""),
        (HEADER + "mate 4S 4H\n", "bad-line", 5, 1, "'mate' starts neither"),
        (HEADER + "2 mate 4S 4H\n" + HEADER + "colour: red\n", "unknown-key", 10, 1, "unknown key 'colour'"),
        (HEADER + "\n" + HEADER, "several-deals", 6, 1, "only one is wanted"),
        ("game: x\ngame: y\n", "key-twice", 2, 1, "first in line 1"),
        (HEADER + "game: sbros\nplayers: 2\n", "missing-key", 5, 1, "no 'dealer'"),
        (HEADER + "2 mate 4S 4Z\n", "bad-card", 5, 11, ""),
        (HEADER + "2 mate 4S 4H\nhand 2: 4S\n", "late-header", 6, 1, ""),
        (HEADER + "2 mate 4S\0 4H\n", "control-character", 5, 10, ""),
        (HEADER + "# \x1b[31m\n", "control-character", 5, 3, ""),
        (HEADER + "2 mate 4S 4H\n" * 10_000, "too-long", 5001, 1, "10005 lines"),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(text: str, code: str, line: int, column: int, words: str) -> None:
    refused = refusal(text)
    assert (refused.code, refused.line, refused.column) == (code, line, column)
    assert refused.reason.startswith(f"line {line}, column {column}: ")
    assert words in refused.reason


def test_53_cards_are_refused() -> None:
    setup = dealt(5, seed=1)
    text = Record(setup).text()
    hand = " ".join(map(str, setup.hands[3]))
    refused = refusal(text.replace(hand, hand + " AS"))
    assert refused.code == "wrong-hand-size"
    assert "seat 3 has 9" in refused.reason


def test_another_encoding_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidRecord, match="line 2, column 10: the text is not UTF-8"):
        decode_record("game: x\nnames: Zo\xeb\n".encode("latin-1"))
    with pytest.raises(InvalidRecord, match="line 1, column 1: the text is not UTF-8"):
        decode_record(HEADER.encode("utf-16"))
    assert refusal(decode_record(HEADER.encode("utf-16-le"))).reason.startswith("line 1, column 2: a character that")


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert decode_record("\ufeffgame: x".encode()) == "game: x"
    assert parse_record("\ufeff" + HEADER) == parse_record(HEADER)
